"""The program in a real terminal: silent while nothing happens, and the terminal is left as it was."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo terminals on this system")

LOBBY = """
import sys
from wuerfel_tui.app import run
sys.exit(run(None, interfaces=("192.0.2.1",), motion=True, ascii_only=False))
"""
"""The lobby, looking around on an address that no machine has: nothing comes from other people's tables."""
PATIENCE = 30.0
QUIET = 1.0
"""Seconds without a byte that count as silence."""


class Terminal:
    """A terminal of 80 by 24 with the program in it.

    written: everything that it has written
    """

    def __init__(self, home: Path, **environment: str) -> None:
        self.end, inner = pty.openpty()
        _resize(inner)
        known = {"HOME": str(home), "WUERFEL_HOME": str(home)}
        kept = {name: os.environ[name] for name in ("PATH", "VIRTUAL_ENV") if name in os.environ}
        look = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", LOBBY],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=kept | look | known | environment,
            start_new_session=True,
        )
        os.close(inner)
        self.written = b""

    def read(self, seconds: float) -> bool:
        """Whether something came in that time."""
        if not select.select([self.end], [], [], seconds)[0]:
            return False
        try:
            new = os.read(self.end, 65536)
        except OSError:  # the other end is closed
            new = b""
        self.written += new
        return bool(new)

    def until(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text.encode() not in self.written:
            assert time.monotonic() < end, (
                f"{text!r} never came:\n{self.written.decode(errors='replace')[-3000:]}"
            )
            self.read(0.1)

    def until_silent(self) -> None:
        while self.read(QUIET):
            pass

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def exit_code(self) -> int:
        """Once it has ended; read on meanwhile, as a terminal does."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            self.read(0.05)
        while self.read(0):
            pass
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.end)

    @property
    def is_restored(self) -> bool:
        """The alternate screen is left, and the cursor is back."""
        return self.written.rfind(b"\x1b[?1049l") > self.written.rfind(b"\x1b[?1049h") and (
            self.written.rfind(b"\x1b[?25h") > self.written.rfind(b"\x1b[?25l")
        )


def _resize(terminal: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    terminal.until("ype the address of a table")
    yield terminal
    terminal.close()


def test_nothing_is_written_while_nothing_happens(terminal: Terminal) -> None:
    terminal.until_silent()
    assert not terminal.read(2 * QUIET)


@pytest.mark.parametrize("key", ["q", "\x03"], ids=["q", "Ctrl+C"])
def test_it_ends_by_a_key(terminal: Terminal, key: str) -> None:
    terminal.type(key)
    assert terminal.exit_code() == 0
    assert terminal.is_restored


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_ends_it_and_the_terminal_is_as_before(terminal: Terminal, number: signal.Signals) -> None:
    os.kill(terminal.process.pid, number)
    assert terminal.exit_code() == 128 + number
    assert terminal.is_restored


def test_a_terminal_that_reads_no_more_cannot_hold_it(terminal: Terminal) -> None:
    terminal.until_silent()
    terminal.type("t" * 300)  # far more to draw than a terminal keeps
    assert select.select([terminal.end], [], [], PATIENCE)[0]
    os.kill(terminal.process.pid, signal.SIGTERM)
    assert terminal.process.wait(PATIENCE) == 128 + signal.SIGTERM


def test_where_the_locale_is_plain_everything_is_ascii(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, LC_ALL="C")
    try:
        terminal.until("ype the address of a table")
        assert "Type an address" in terminal.written.decode("ascii")
    finally:
        terminal.close()
