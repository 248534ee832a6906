"""Golden playthroughs: a whole game of each kind on file, action by action, with what came of it.

A file changes only when the rules, or the names on the wire, are changed on purpose. Then write it anew, with a game
that the bots of the day play, by `python -m tests.games.test_playthroughs --write [KEY...]`, and read the difference.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import reduce
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from wuerfel_tui.bots import BOTS
from wuerfel_tui.games import GAMES
from wuerfel_tui.simulate import Step, dice_of, play

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
HEADER = re.compile(r"game: (.+)\nseats: (.+)\noptions: (.+)\nseed: (.+)\n")
MOVE = re.compile(r"^(?:seat (\d+)|time) at (\d+) ms(?:, one of \d+: (.+))?$", re.MULTILINE)


class Header(NamedTuple):
    """What makes a game, besides the moves."""

    game: str
    seats: int
    options: Any
    seed: int


def json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def text_of(header: Header, steps: Iterable[Step]) -> str:
    """A playthrough as it stands in its file."""
    rules = GAMES[header.game]
    state = rules.new(header.seats, header.options)
    lines = [f"game: {header.game}", f"seats: {header.seats}"]
    lines += [f"options: {json(header.options)}", f"seed: {header.seed}", ""]
    for number, step in enumerate(steps):
        if step.seat is not None:
            choice = len(rules.legal(state, step.seat))
            lines.append(f"seat {step.seat} at {step.now} ms, one of {choice}: {json(step.action)}")
        else:
            lines.append(f"time at {step.now} ms" if number else "begin")
        state = step.state
        digest = sha256(msgspec.msgpack.encode(state)).hexdigest()[:16]
        lines += [*(f"  {json(event)}" for event in step.events), f"  state {digest}"]
    return "\n".join([*lines, "", json(rules.outcome(state)), ""])


def header_of(text: str) -> Header:
    found = HEADER.match(text)
    assert found is not None
    game, seats, options, seed = found.groups()
    return Header(game, int(seats), msgspec.json.decode(options, type=GAMES[game].Options), int(seed))


def replayed(header: Header, text: str) -> Iterator[Step]:
    """The game decided again: of all that the text tells, only who did what and when is believed."""
    rules, dice = GAMES[header.game], dice_of(Random(header.seed))
    state = rules.new(header.seats, header.options)
    events = rules.begin(state, dice)
    state = reduce(rules.evolve, events, state)
    yield Step(0, None, None, events, state)
    for who, when, what in MOVE.findall(text):
        now, seat, action = int(when), None, None
        if who:
            seat, action = int(who), msgspec.json.decode(what, type=rules.Action)
            events = rules.decide(state, seat, action, dice, now)
        else:
            events = rules.elapse(state, dice, now)
        state = reduce(rules.evolve, events, state)
        yield Step(now, seat, action, events, state)


def test_every_game_has_a_playthrough():
    assert {path.stem for path in PLAYTHROUGHS.iterdir()} == set(GAMES)


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.iterdir()), ids=lambda path: path.stem)
def test_a_playthrough_comes_out_as_it_did_before(path: Path):
    text = path.read_text(encoding="utf-8")
    header = header_of(text)
    assert header.game == path.stem
    assert text_of(header, replayed(header, text)) == text


def write(game: str) -> None:
    """Three play if three can; bots of every level, to see sensible moves and odd ones."""
    rules = GAMES[game]
    header = Header(game, min(3, rules.seats[-1]), rules.Options(), seed=1)
    bots = [*BOTS[game].values()] * header.seats
    record = play(rules, header.seats, header.options, bots, dice_of(Random(header.seed)), Random(2))
    (PLAYTHROUGHS / f"{game}.txt").write_text(text_of(header, record.steps), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    for key in sys.argv[2:] or GAMES:
        write(key)
