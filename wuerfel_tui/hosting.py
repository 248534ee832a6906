"""Starts a table in a process of its own, which no frozen or lost terminal can stop."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from threading import Thread
from typing import IO, Any

from protocol.errors import Fault
from wuerfel_tui.setup import Setup

READY_WITHIN = 15.0
"""Seconds; a slow disk may need a few."""
EMPTY_FOR = 600.0
"""Seconds without any person after which a table that was started from a screen closes."""


class HostFailed(Fault):
    """The process did not come to listen; the sentence is its own."""


async def start_host(setup: Setup) -> tuple[str, ...]:
    """The addresses of a new table, when it listens. Raises `HostFailed`.

    The process outlives this one; it closes when nobody has been at its table for a while.
    """
    with tempfile.TemporaryFile() as errors:
        line = await _first_line(_start(setup, errors))
        if not line:
            errors.seek(0)
            said = errors.read(2000).decode(errors="replace").strip().removeprefix("wuerfel: ")
            raise HostFailed(
                "no-host", said.splitlines()[-1] if said else "The table's process ended at once."
            )
    return tuple(json.loads(line)["addresses"])


def _start(setup: Setup, errors: IO[bytes]) -> subprocess.Popen[Any]:
    # Not asyncio's subprocess: that kills its child when the loop ends.
    process = subprocess.Popen(
        _command(setup),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=_environment(setup),
        **_detached(),
    )
    Thread(target=process.wait, daemon=True).start()  # when it ends one day, nothing is left of it
    return process


async def _first_line(process: subprocess.Popen[Any]) -> bytes:
    """What the process says first; empty if it ends before, or says nothing in time and is ended."""
    assert process.stdout is not None
    kill = asyncio.get_running_loop().call_later(READY_WITHIN, process.kill)
    with process.stdout:
        try:
            return await asyncio.to_thread(process.stdout.readline)
        except BaseException:
            process.kill()  # nobody wants this table any more
            raise
        finally:
            kill.cancel()


def _command(setup: Setup) -> list[str]:
    options = [f"--option={key}={json.dumps(value)}" for key, value in setup.options.items()]
    return [
        *(sys.executable, "-m", "wuerfel_tui", "host", setup.game),
        *("--headless", "--json", f"--name={setup.name}", f"--bots={setup.bots}", f"--level={setup.level}"),
        *([] if setup.size is None else [f"--seats={setup.size}"]),
        *([] if setup.port is None else [f"--port={setup.port}"]),
        *options,
        *(f"--interface={interface}" for interface in setup.interfaces),
        *([] if setup.announced else ["--unannounced"]),
        *(["--once"] if setup.once else []),
        f"--close-when-empty={EMPTY_FOR:g}",
    ]


def _environment(setup: Setup) -> dict[str, str]:
    """The PIN goes this way: everybody on the machine can read a command line. One of our own is not the table's."""
    return os.environ | {"WUERFEL_PIN": setup.pin or ""}


def _detached() -> dict[str, Any]:
    """Not in our group or session: Ctrl+C and a closed terminal are not meant for the table."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}
    return {"start_new_session": True}
