"""The program in a pseudo-terminal of 80×24 and truecolor, as a person starts it: what it writes, what it costs."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "WUERFEL_INTERFACE": "127.0.0.1"}


SYNCHRONISED = "\x1b[?2026;2$y"
"""What a modern terminal answers to Textual's question: each picture may come in brackets, of 16 bytes together."""


class Terminal:
    """One `wuerfel` with a screen.

    arguments: of the command
    home: its data folder
    """

    def __init__(self, arguments: list[str], home: str) -> None:
        environment = os.environ | ENVIRONMENT | {"WUERFEL_HOME": home}
        self.pid, self._file = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-m", "wuerfel_tui", *arguments], environment)
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.until("?2026$p")
        self.press(SYNCHRONISED)

    def press(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def read(self, seconds: float) -> bytes:
        """All that it writes in so much time."""
        return b"".join(self._chunks(time.monotonic() + seconds))

    def until(self, text: str, patience: float = 20.0) -> None:
        """Reads until this has been written, in one piece."""
        seen = b""
        for chunk in self._chunks(time.monotonic() + patience):
            seen += chunk
            if text.encode() in seen:
                return
        raise TimeoutError(f"{text!r} is not on the screen; last came: {seen[-300:]!r}")

    def _chunks(self, end: float) -> Iterator[bytes]:
        while (left := end - time.monotonic()) > 0:
            if select.select([self._file], [], [], left)[0]:
                yield os.read(self._file, 65536)

    def cpu(self) -> float:
        """Seconds of processor time so far (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._file)


@contextmanager
def hosted(arguments: list[str], home: str) -> Iterator[str]:
    """A host without a screen, and its address."""
    command = [sys.executable, "-m", "wuerfel_tui", "host", *arguments, "--headless", "--json", "--port", "0"]
    environment = os.environ | ENVIRONMENT | {"WUERFEL_HOME": home}
    host = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert host.stdout is not None
        yield json.loads(host.stdout.readline())["addresses"][0]
    finally:
        host.terminate()
        host.wait()
