"""How many bytes a roll of Wurf & Weg costs the terminal of the one who rolls, and of the one who looks on, at 80×24.

    python -m benchmarks.bytes_per_roll [ROLLS]

A host without a screen, and two people in pseudo-terminals. Once the race is on, one of them rolls three dice
again and again and places nothing; all is counted that comes between the press and the landing.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from threading import Thread

from benchmarks.terminal import Terminal, hosted

PACE = 0.3
REST = 0.3
"""Seconds after the landing in which everything has arrived."""


def rolls(anna: Terminal, ben: Terminal, count: int) -> list[tuple[int, int]]:
    """Bytes of each roll on both screens."""
    anna.read(REST), ben.read(REST)
    return [_roll(anna, ben) for _ in range(count)]


def _roll(anna: Terminal, ben: Terminal) -> tuple[int, int]:
    seen: list[bytes] = []
    reader = Thread(target=lambda: seen.append(ben.read(PACE + REST)))
    reader.start()
    anna.press(" ")
    own = anna.read(PACE + REST)
    reader.join()
    return len(own), len(seen[0])


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        game = ["wurf_weg", "--seats", "2", "--name", "bytes", "--option", f"pace={round(PACE * 1000)}"]
        with hosted(game, home) as address:
            people = [Terminal(["join", address, "--name", name], home) for name in ("Anna", "Ben")]
            try:
                for person in people:
                    person.until("Ben")
                    person.press("\r")
                for person in people:
                    person.until("CHARM")
                    person.press(" ")
                for person in people:
                    person.until("G O !")
                counted = rolls(*people, count)
            finally:
                for person in people:
                    person.close()
    for who, column in zip(("who rolls", "who looks on"), zip(*counted, strict=True), strict=True):
        print(
            f"{who}: {statistics.mean(column):.0f} bytes a roll on the mean, {max(column)} at most ({count} rolls)"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
