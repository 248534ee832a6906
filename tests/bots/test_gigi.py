"""The bots of Gigi Gacker am Würfelacker: always legal, sensible in plain positions, and clearly better than luck."""

from __future__ import annotations

from random import Random

import pytest

from wuerfel_tui.bots.core import RandomBot
from wuerfel_tui.bots.gigi import Easy
from wuerfel_tui.games.gigi import Gigi, GigiAction, Keep, Reverse, Roll, State, Swap, Use
from wuerfel_tui.simulate import dice_of, play

RULES = Gigi()
EASY = Easy(RULES)


def choice(state: State, seat: int = 0) -> GigiAction | None:
    return EASY.choose(state, seat, Random(0))


def alone(
    turn: int, dice: tuple[int, ...], aside: tuple[int, ...], buffet: tuple[int, ...], *morsels: int
) -> State:
    """Three players; seat 0 is to act, the others will make 9 and 12 whatever they do."""
    return State(
        seats=3,
        pile=(1, 1, 1),
        start=0,
        dice=(dice, (), ()),
        aside=(aside, (3, 3, 3), (4, 4, 4)),
        used=(None, None, None),
        collected=(morsels, (), ()),
        round=1,
        buffet=buffet,
        turn=turn,
        rolled=turn == 1,
    )


def test_easy_rolls_when_there_is_nothing_else_to_do() -> None:
    state = RULES.new(3, RULES.Options(first=0))
    for event in RULES.begin(state, lambda n: 0):
        state = RULES.evolve(state, event)
    assert choice(state) == Roll()


def test_easy_waits_when_it_is_not_its_turn() -> None:
    assert choice(alone(3, (5,), (4, 4), (6, 2, -1)), seat=1) is None


def test_easy_keeps_a_high_die_for_a_good_first_place() -> None:
    assert choice(alone(3, (5,), (4, 4), (6, 2, -1))) == Keep(5)


def test_easy_keeps_a_low_die_for_a_good_last_place() -> None:
    assert choice(alone(3, (1,), (3, 2), (-2, 1, 6))) == Keep(1)


def test_easy_aims_at_the_middle_when_the_best_lies_there() -> None:
    assert choice(alone(3, (3,), (4, 3), (0, 6, 0))) == Keep(3)


def test_easy_rolls_a_last_die_that_can_only_get_better() -> None:
    assert choice(alone(3, (1,), (3, 4), (6, -1, -2))) == Roll()


def test_easy_sets_the_die_aside_that_leads_to_the_better_place() -> None:
    assert choice(alone(1, (5, 5, 1), (), (6, 0, -2))) == Keep(5)
    assert choice(alone(1, (6, 6, 1), (), (-2, 0, 6))) == Keep(1)


def test_easy_spends_a_negative_morsel_to_bring_the_best_where_it_will_stand() -> None:
    state = alone(2, (6, 6), (6,), (-2, 0, 6), -1, 4)
    assert choice(state) in (Swap(0, 2, -1), Reverse(-1))


def test_easy_does_not_spend_a_good_morsel_for_nothing() -> None:
    assert choice(alone(2, (6, 6), (6,), (6, 0, -2), 5)) == Keep(6)


def test_easy_uses_a_low_morsel_in_place_of_a_die_when_that_wins_the_better_place() -> None:
    assert choice(alone(3, (6,), (4, 3), (-2, -1, 6), -1, 4)) == Use(-1)


def test_easy_keeps_a_dear_morsel_when_a_place_is_not_worth_it() -> None:
    assert choice(alone(3, (6,), (6, 6), (3, 2, 1), 6)) == Keep(6)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_easy_plays_whole_games_against_itself(seats: int) -> None:
    rng = Random(seats)
    for _ in range(3):
        record = play(RULES, seats, RULES.Options(), [EASY] * seats, dice_of(rng), rng)
        assert 1 in record.outcome.places


def test_one_easy_beats_a_table_of_three_random_ones() -> None:
    rng = Random(1)
    won = 0
    for game in range(100):
        easy = game % 4
        bots = [EASY if seat == easy else RandomBot(RULES) for seat in range(4)]
        won += play(RULES, 4, RULES.Options(), bots, dice_of(rng), rng).outcome.places[easy] == 1
    assert won >= 60
