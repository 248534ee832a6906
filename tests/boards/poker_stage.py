"""A stage for the board of Würfel Poker, and what stands where on it."""

from __future__ import annotations

from typing import Any

from tests.boards.stage import Stage, falling, text
from wuerfel_tui.boards.poker import PokerBoard
from wuerfel_tui.games.poker import State
from wuerfel_tui.widgets.rows import Space

NAMES = ("Anna", "Ben")
SMALL = (80, 20)


def stage(state: State, dice: str = "", mine: tuple[int, ...] = (0, 1), **options: Any) -> Stage:
    """Both sit at this keyboard, unless somebody else is said to; the dice fall like these digits."""
    motion = options.pop("motion", False)
    return Stage(PokerBoard(NAMES, mine, state, motion), falling(int(die) - 1 for die in dice), **options)


def shown(on: Stage) -> PokerBoard:
    assert isinstance(on.board, PokerBoard)
    return on.board


def panel(on: Stage) -> list[str]:
    """The lines beside the dice, their columns a space apart."""
    return [" ".join(line.split()) for line in text(shown(on).list).split("\n") if line.strip()]


def players(on: Stage) -> str:
    return " ".join(text(shown(on).rows.players).split())


def captions(on: Stage, row: int) -> list[str]:
    return [text(caption).strip() for caption in shown(on).rows.captions[row]]


def middle(on: Stage, row: int) -> str:
    """The number of a row, who is ahead in it, and why."""
    return " ".join(text(shown(on).rows.middles[row]).split())


def firsts(on: Stage) -> list[Space]:
    """The first space of every half."""
    return [side[0] for row in shown(on).rows.spaces for side in row]


def ghosts(on: Stage) -> dict[tuple[int, int], int]:
    """The dice that would lie there, by row and side."""
    return {(space.row, space.side): space.half.ghost for space in firsts(on) if space.half.ghost}


def keys(on: Stage) -> dict[tuple[int, int, int], str]:
    """The digits that stand in spaces, by row, side and space."""
    spaces = [space for row in shown(on).rows.spaces for side in row for space in side]
    digits = {space: "".join(filter(str.isdigit, text(space))) for space in spaces}
    return {(space.row, space.side, space.index): digit for space, digit in digits.items() if digit}


def dice(on: Stage) -> list[str]:
    """The words under the dice on offer, the chosen one in brackets."""
    row = shown(on).dice
    return [f"[{die.word}]" if index == row.cursor else die.word for index, die in enumerate(row.dice)]
