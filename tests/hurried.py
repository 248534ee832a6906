"""`python -m tests.hurried 20 …` is `wuerfel …`, but time passes 20 times as fast for it.

For games in which time plays, and for bots that take a person's time: their tests would otherwise take minutes.
"""

from __future__ import annotations

import selectors
import sys
import time


def hurry(speed: int) -> None:
    """Makes the clock of this process run, and everything that asyncio waits for come, so many times as fast."""
    monotonic, selector = time.monotonic, selectors.DefaultSelector

    class Hurried(selector):  # type: ignore[misc, valid-type]
        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            return super().select(timeout / speed if timeout else timeout)

    time.monotonic = lambda: monotonic() * speed
    selectors.DefaultSelector = Hurried  # type: ignore[misc]


if __name__ == "__main__":
    hurry(int(sys.argv[1]))
    from wuerfel_tui.cli import main

    main(sys.argv[2:])
