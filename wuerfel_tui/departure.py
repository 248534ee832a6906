"""Leaving on SIGTERM and SIGHUP: the terminal as it was, and no process that stays behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

GRACE = 2.0
"""Seconds for a clean end; then comes a hard one."""
RESTORE = b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
"""Takes back whatever a full-screen program switches on in a terminal."""


def terminal_attributes() -> Any:
    """How the terminal is set now, for `leave_on_signals`; None where there is no such thing."""
    try:
        import termios
    except ImportError:
        return None
    try:
        return termios.tcgetattr(sys.__stderr__.fileno()) if sys.__stderr__ else None
    except (OSError, ValueError, termios.error):
        return None


def leave_on_signals(leave: Callable[..., None], attributes: Any) -> None:
    """From now on these signals call `leave(return_code=128 + signal)` in the running event loop.

    attributes: what the terminal is set to by a hard end, when the loop does not come to the clean one

    Plain signal handlers, not the event loop's: they run even while the loop stands still before a stalled terminal.
    """
    loop = asyncio.get_running_loop()

    def handle(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough
        hard = threading.Timer(GRACE, _end_hard, (128 + number, attributes))
        hard.daemon = True  # a clean end does not wait for it
        hard.start()
        with suppress(RuntimeError):  # the loop is closed: we are leaving already
            loop.call_soon_threadsafe(lambda: leave(return_code=128 + number))

    for name in ("SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):  # Windows has no SIGHUP
            signal.signal(number, handle)


def _end_hard(code: int, attributes: Any) -> None:
    try:
        if attributes is not None and sys.__stderr__:
            import termios

            terminal = sys.__stderr__.fileno()
            termios.tcsetattr(terminal, termios.TCSANOW, attributes)
            os.set_blocking(terminal, False)  # a stalled terminal must not hold us here
            os.write(terminal, RESTORE)
            os.set_blocking(terminal, True)
    finally:
        os._exit(code)
