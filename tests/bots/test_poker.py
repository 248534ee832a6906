"""How well the bots of Würfel Poker play."""

from __future__ import annotations

from random import Random

import pytest

from wuerfel_tui.bots.core import RandomBot
from wuerfel_tui.bots.poker import Easy, chance, winning
from wuerfel_tui.games.poker import EMPTY_BOARD, Half, Options, Place, Poker, Roll, State
from wuerfel_tui.simulate import dice_of, play

RULES = Poker()
EASY, RANDOM = Easy(RULES), RandomBot(RULES)


def won_by_easy(matches: int, options: Options) -> int:
    """Matches against `random` that `easy` won: each seed is played twice, on either side."""
    won = 0
    for number in range(matches):
        seat = number % 2
        rng = Random(number // 2)
        record = play(RULES, 2, options, [EASY, RANDOM] if seat == 0 else [RANDOM, EASY], dice_of(rng), rng)
        won += record.outcome.places[seat] == 1
    return won


@pytest.mark.parametrize("either_side", [False, True])
def test_easy_wins_nine_matches_in_ten_against_random(either_side: bool):
    assert won_by_easy(1000, Options(either_side=either_side)) >= 900


def test_easy_throws_when_it_is_its_turn_to_throw():
    assert EASY.choose(State(False, 1, EMPTY_BOARD, 0, (), (), (0, 0), ()), 1, Random(1)) == Roll()


def test_easy_waits_while_the_other_side_is_to_move():
    assert EASY.choose(State(False, 1, EMPTY_BOARD, 0, (), (), (0, 0), ()), 0, Random(1)) is None


def test_easy_completes_its_triple():
    board = ((Half((4, 4)), Half((5, 5))), (Half((6,)), Half()), (Half(), Half((1,))))

    assert EASY.choose(State(False, 0, board, 6, (4, 6, 1), (4, 6, 1), (0, 0), ()), 0, Random(1)) == Place(
        4, 0, 0
    )


def test_easy_spoils_the_other_side_where_the_variant_allows_it():
    board = ((Half((5, 3)), Half((6, 6))), (Half((4,)), Half()), (Half((6,)), Half()))

    chosen = EASY.choose(State(True, 0, board, 6, (1, 1, 1), (1, 1, 1), (0, 0), ()), 0, Random(1))

    assert isinstance(chosen, Place)
    assert chosen.side == 1


def test_the_chances_of_both_sides_make_one():
    for dice, other in [((), ()), ((6,), (1, 1)), ((4, 4), (5, 5)), ((1, 2, 4), (3,)), ((2, 3), (2, 3))]:
        assert chance(dice, other) + chance(other, dice) == pytest.approx(1)


def test_a_chance_is_counted_over_even_dice():
    assert chance((4, 4), (5, 5, 1)) == pytest.approx(1 / 6)
    assert chance((4, 4), (4, 4, 4)) == 0  # an equal triple comes second (P4)
    assert chance((1, 2), (1, 2, 3)) == 0


def test_identical_full_halves_are_won_by_the_one_that_was_full_first():
    row = (Half((1, 2, 3), 12), Half((3, 2, 1), 9))

    assert (winning(row, 0), winning(row, 1)) == (0, 1)
