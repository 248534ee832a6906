"""What a screen costs while six `easy` bots play Wurf & Weg as fast as they can, at a pace of 300 ms, at 80×24.

    python -m benchmarks.screen_load [SECONDS]

The screen is a spectator's, in a pseudo-terminal. Counted is its processor time (Linux), second by second, and what it
writes; by default for 20 seconds. Between two rounds little happens, so the busiest seconds say more than the mean.
"""

from __future__ import annotations

import statistics
import sys
import tempfile

from benchmarks.terminal import Terminal, hosted

GAME = ["wurf_weg", "--seats", "6", "--bots", "6", "--name", "load", "--option", "pace=300"]


def main(seconds: int) -> None:
    with (
        tempfile.TemporaryDirectory() as home,
        hosted([*GAME, "--option", "until_empty=true"], home) as address,
    ):
        eve = Terminal(["join", address, "--watch", "--name", "Eve"], home)
        try:
            eve.until("G O !", patience=40)
            samples = [_second(eve) for _ in range(seconds)]
        finally:
            eve.close()
    shares = sorted(cpu for cpu, _ in samples)
    busiest = shares[-max(1, seconds // 4) :]
    print(
        f"{100 * statistics.mean(shares):.1f} % of a core on the mean, {100 * statistics.mean(busiest):.1f} % in the"
        f" busiest quarter, {100 * shares[-1]:.1f} % in the busiest second;"
        f" {statistics.mean(written for _, written in samples):.0f} bytes a second ({seconds} s)"
    )


def _second(screen: Terminal) -> tuple[float, int]:
    before = screen.cpu()
    written = len(screen.read(1.0))
    return screen.cpu() - before, written


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
