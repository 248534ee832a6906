"""What the tests of the board of Gigi Gacker share."""

from __future__ import annotations

from typing import Any

from tests.boards.stage import Stage, falling, text
from tests.games.gigi_tables import table
from wuerfel_tui.boards.gigi import GigiBoard
from wuerfel_tui.games.gigi import State
from wuerfel_tui.widgets.guests import MORSEL, Columns

NAMES = ("Anna", "Ben", "Cecilia", "Dieter", "Françoise")
SMALL = (80, 20)
LARGE = (84, 36)


def stage(state: State, *falls: int, mine: tuple[int, ...] = (0,), **options: Any) -> Stage:
    """Anna's board, unless somebody else is said to sit here; dice fall and draws come as these numbers, from 0."""
    board = GigiBoard(NAMES[: state.seats], mine, state, options.pop("motion", False))
    return Stage(board, falling(falls), **options)


def pips(*shown: int) -> tuple[int, ...]:
    """Dice that show this."""
    return tuple(value - 1 for value in shown)


def shown(on: Stage) -> GigiBoard:
    assert isinstance(on.board, GigiBoard)
    return on.board


def row(on: Stage, name: str) -> list[str]:
    """What stands in somebody's row, word by word."""
    lines = text(shown(on).guests).split("\n")
    return next(line for line in lines if name in line).replace("▏", " ").replace("▕", " ").split()


def words(line: str) -> list[str]:
    return line.split()


def buffet(on: Stage) -> list[int]:
    return [tile.worms for tile in shown(on).buffet.tiles]


def eats(on: Stage) -> list[str]:
    """Who would get the morsels, by place."""
    return [tile.who for tile in shown(on).buffet.tiles]


async def click_morsel(pilot: Any, on: Stage, name: str, index: int) -> None:
    """Clicks on one of the morsels that somebody has collected."""
    lines = text(shown(on).guests).split("\n")
    y = next(y for y, line in enumerate(lines) if name in line)
    await pilot.click(shown(on).guests, offset=(Columns.fit(80).morsels + index * MORSEL + 1, y))


def rolled(*dice: int, **fields: Any) -> State:
    """Anna's first roll."""
    return table(dice=(dice, (), (), ()), rolled=True, **fields)
