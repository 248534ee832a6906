"""A board in the middle of a game stands whatever becomes of its window."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from tests.boards.stage import Stage, falling, text
from wuerfel_tui.boards import BOARDS
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games import GAMES
from wuerfel_tui.simulate import dice_of, steps

SIZES = ((200, 50), (120, 40), (80, 24), (60, 20), (24, 8), (2, 2), (9, 30), (200, 1), (1, 1), (80, 24))
NAMES = ("Anna", "Ben", "Cecilia", "Dieter", "Elfriede", "Françoise")


@pytest.mark.parametrize(
    ("game", "seats", "mine"),
    [
        (game, seats, mine)
        for game, rules in GAMES.items()
        for seats, mine in ((rules.seats[-1], (0, 1)), (rules.seats[0], ()))
    ],
)
async def test_in_every_size_a_board_is_drawn_and_at_the_old_size_it_is_as_before(
    game: str, seats: int, mine: tuple[int, ...]
) -> None:
    rng = Random(5)
    rules = GAMES[game]
    played = steps(rules, seats, rules.Options(), [BOTS[game]["easy"]] * seats, dice_of(rng), rng)
    state = next(islice(played, 20, None)).state
    on = Stage(BOARDS[game](NAMES[:seats], mine, state, False), falling(()))
    async with on.run_test(size=(80, 24)) as pilot:
        before = text(on.board)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.press("down", "right", "escape")
            await pilot.pause()
            text(on.board)
        on.board.drop()
        on.board.update()
        await pilot.pause()
        assert text(on.board) == before
