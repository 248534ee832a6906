"""How long the lobby takes to its first frame, against an empty Textual app.

    python -m benchmarks.first_frame [RUNS]

Both are started as a person would, in a pseudo-terminal of 80×24, turn by turn. A frame is there when the
program has switched to the alternate screen and then written something to all 24 lines; what answers a
terminal's questions is this script.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time

EMPTY = "from textual.app import App\nApp().run()"
LOBBY = "from wuerfel_tui.cli import main\nmain([])"
PATIENCE = 30.0


def first_frame(code: str, environment: dict[str, str]) -> float:
    """Seconds from the start of the process to its first frame."""
    start = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-c", code], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    try:
        return _wait_for_frame(terminal, start)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def _wait_for_frame(terminal: int, start: float) -> float:
    seen = b""
    while time.perf_counter() - start < PATIENCE:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        seen += os.read(terminal, 65536)
        _, switched, after = seen.partition(b"\x1b[?1049h")
        if switched and after.count(b"\r\n") + len(set(re.findall(rb"\x1b\[(\d+);1H", after))) >= 23:
            return time.perf_counter() - start
    raise TimeoutError(f"No frame within {PATIENCE:g} s; seen: {seen[-300:]!r}")


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "WUERFEL_INTERFACE": "127.0.0.1",
            "WUERFEL_HOME": home,
        }
        first_frame(EMPTY, environment), first_frame(LOBBY, environment)  # byte code and disk cache
        pairs = [(first_frame(EMPTY, environment), first_frame(LOBBY, environment)) for _ in range(runs)]
    empty, lobby = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"lobby: {lobby * 1000:.0f} ms; empty app: {empty * 1000:.0f} ms; ratio {lobby / empty:.2f} (median of {runs})"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10)
