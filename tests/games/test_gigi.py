"""Gigi Gacker am Würfelacker, ruling by ruling (G1 to G8): given this buffet and these dice, then exactly this."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from tests.games.gigi_tables import (
    RULES,
    Chance,
    do,
    evolved,
    last_turn,
    played,
    refusal,
    second_turn,
    table,
    third_turn,
)
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.games.gigi import (
    MORSELS,
    Award,
    ChickenRolled,
    Distributed,
    GigiAction,
    Keep,
    Kept,
    Options,
    Revealed,
    Reverse,
    Reversed,
    Roll,
    Rolled,
    State,
    Swap,
    Swapped,
    Use,
    Used,
    standing,
    swapped,
    totals,
)

HUGE = 10**5000  # more digits than Python is willing to print


ZEROS = ((4, 0), (3, 0), (2, 0), (1, 0))
"""The draws that empty a pile of four."""


# ---- G1: the morsels


def test_our_distribution_has_25_morsels_and_56_worms() -> None:
    assert Counter(MORSELS) == {-2: 2, -1: 2, 0: 2, 1: 3, 2: 4, 3: 4, 4: 3, 5: 3, 6: 2}
    assert (len(MORSELS), sum(MORSELS)) == (25, 56)
    assert Options().morsels == MORSELS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_fewer_than_five_players_one_zero_leaves_the_game(seats: int) -> None:
    state = RULES.new(seats, Options())
    assert sorted((*state.pile, 0)) == list(MORSELS)
    assert state.gone == (0,)


def test_five_players_use_all_morsels() -> None:
    state = RULES.new(5, Options())
    assert (state.pile, state.gone) == (MORSELS, ())


def test_a_table_may_bring_its_own_morsels_in_any_order() -> None:
    own = (6, 0, -2, *(1,) * 22)
    assert Options(morsels=own).morsels == (-2, 0, *(1,) * 22, 6)
    assert RULES.new(5, Options(morsels=own)).pile == (-2, 0, *(1,) * 22, 6)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"morsels": MORSELS[1:]}, "There are 25 morsels, not 24."),
        ({"morsels": (*MORSELS, 0)}, "There are 25 morsels, not 26."),
        ({"morsels": (7, *MORSELS[:-1])}, "A morsel is worth -2 to 6 worms."),
        ({"morsels": (-3, *MORSELS[1:])}, "A morsel is worth -2 to 6 worms."),
        ({"morsels": (1,) * 25}, "At least one morsel is worth 0."),
        ({"first": 5}, "The seats are 0 to 4."),
        ({"first": -1}, "The seats are 0 to 4."),
    ],
)
def test_options_out_of_range_are_refused_with_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Options(**wrong)


@pytest.mark.parametrize("seats", [1, 6])
def test_only_two_to_five_can_play(seats: int) -> None:
    with pytest.raises(ValueError, match=f"for 2 to 5 players, not {seats}"):
        RULES.new(seats, Options())


def test_a_seat_that_nobody_takes_cannot_begin() -> None:
    with pytest.raises(ValueError, match="Seat 3 cannot begin: only seats 0 to 2 are taken"):
        RULES.new(3, Options(first=3))


def test_before_the_first_buffet_nobody_can_act() -> None:
    state = RULES.new(4, Options(first=0))
    assert RULES.actors(state) == ()
    assert RULES.outcome(state) is None
    assert refusal(state, 0, Roll()) == "not-begun"


def test_the_buffet_is_drawn_evenly_from_what_is_left_of_the_pile() -> None:
    state = RULES.new(4, Options(first=2))
    chance = Chance(draws=((24, 23), (23, 22), (22, 0), (21, 0)))
    events = RULES.begin(state, chance)
    assert events == [Revealed(start=2, buffet=(6, 6, -2, -2))]
    state = evolved(state, events)
    assert (state.round, state.turn, state.start, state.active) == (1, 1, 2, 2)
    assert sorted((*state.pile, 0, 6, 6, -2, -2)) == list(MORSELS)


def test_the_dice_choose_the_start_player_if_nobody_did() -> None:
    state = RULES.new(3, Options())
    events = RULES.begin(state, Chance(draws=((3, 2), (24, 0), (23, 0), (22, 0))))
    assert events == [Revealed(start=2, buffet=(-2, -2, -1))]


# ---- G2: the three turns


def test_a_round_begins_with_a_roll_of_three_dice() -> None:
    state = table(collected=((6,), (), (), ()))
    assert RULES.legal(state, 0) == [Roll()]
    assert do(state, 0, Roll(), 4, 1, 4)[0] == [Rolled(0, (4, 1, 4))]
    assert refusal(state, 0, Keep(1)) == "roll-first"


def test_after_the_first_roll_one_die_is_set_aside_and_the_others_stay_as_they_lie() -> None:
    _, state = do(table(collected=((6,), (), (), ())), 0, Roll(), 4, 1, 4)
    assert RULES.legal(state, 0) == [Keep(1), Keep(4)]
    assert refusal(state, 0, Roll()) == "rolled-already"
    assert refusal(state, 0, Reverse(6)) == "wrong-turn"
    events, state = do(state, 0, Keep(4))
    assert events == [Kept(0, 4)]
    assert (state.dice[0], state.aside[0]) == ((1, 4), (4,))
    assert RULES.actors(state) == (1,)


def test_on_the_second_turn_a_die_can_be_kept_as_it_lies() -> None:
    events, state = do(second_turn(), 0, Keep(5))
    assert events == [Kept(0, 5)]
    assert (state.dice[0], state.aside[0], state.active) == ((2,), (6, 5), 1)


def test_on_the_second_turn_both_dice_can_be_rolled_once_more_and_then_one_is_set_aside() -> None:
    events, state = do(second_turn(-1), 0, Roll(), 3, 6)
    assert events == [Rolled(0, (3, 6))]
    assert RULES.legal(state, 0) == [Keep(3), Keep(6)]
    assert refusal(state, 0, Roll()) == "rolled-already"
    assert refusal(state, 0, Keep(5)) == "no-such-die"


def test_on_the_second_turn_any_two_places_can_be_swapped_for_a_morsel_and_the_turn_goes_on() -> None:
    events, state = do(second_turn(-2, 0, buffet=(3, 1, 4, 2)), 0, Swap(0, 2, morsel=-2))
    assert events == [Swapped(0, 0, 2, -2)]
    assert state.buffet == (4, 1, 3, 2)
    assert RULES.legal(state, 0) == [Roll(), Keep(2), Keep(5)]


def test_on_the_second_turn_the_buffet_can_be_turned_around_for_a_morsel() -> None:
    events, state = do(second_turn(0), 0, Reverse(morsel=0))
    assert events == [Reversed(0, 0)]
    assert state.buffet == (2, 4, 1, 3)
    assert RULES.legal(state, 0) == [Roll(), Keep(2), Keep(5)]


def test_a_swap_that_changes_nothing_to_be_seen_is_allowed_and_costs_its_morsel() -> None:
    _, state = do(second_turn(4, buffet=(3, 3, 4, 2)), 0, Swap(0, 1, 4))
    assert (state.buffet, state.collected[0]) == ((3, 3, 4, 2), ())


def test_a_spent_morsel_leaves_the_game_at_once_and_only_one_of_equal_ones() -> None:
    _, state = do(second_turn(-1, 2, 2), 0, Reverse(2))
    assert (state.collected[0], state.gone) == ((-1, 2), (2,))


def test_the_second_turn_has_at_most_one_morsel_action() -> None:
    _, state = do(second_turn(-1, 2), 0, Reverse(2))
    assert refusal(state, 0, Reverse(-1)) == "changed-already"
    assert refusal(state, 0, Swap(0, 1, -1)) == "changed-already"


def test_a_morsel_is_spent_before_the_roll() -> None:
    _, state = do(second_turn(-1), 0, Roll(), 3, 6)
    assert refusal(state, 0, Reverse(-1)) == "too-late"
    assert refusal(state, 0, Swap(0, 1, -1)) == "too-late"


def test_after_a_change_of_the_buffet_the_dice_can_still_be_rolled() -> None:
    _, state = do(second_turn(-1), 0, Reverse(-1))
    events, state = do(state, 0, Roll(), 1, 1)
    assert events == [Rolled(0, (1, 1))]
    assert RULES.legal(state, 0) == [Keep(1)]


def test_the_next_player_can_change_the_buffet_again() -> None:
    state = msgspec.structs.replace(second_turn(-1), collected=((-1,), (0,), (), ()))
    _, state = do(state, 0, Reverse(-1))
    _, state = do(state, 0, Keep(5))
    assert Reverse(0) in RULES.legal(state, 1)


def test_all_swaps_of_two_places_and_the_turn_around_are_on_offer_once_for_each_kind_of_morsel() -> None:
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert RULES.legal(second_turn(-2, 3, 3), 0) == [
        Roll(),
        Keep(2),
        Keep(5),
        *(Swap(first, second, -2) for first, second in pairs),
        Reverse(-2),
        *(Swap(first, second, 3) for first, second in pairs),
        Reverse(3),
    ]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Swap(0, 1, morsel=5), "no-such-morsel"),
        (Reverse(morsel=5), "no-such-morsel"),
        (Swap(0, 4, morsel=0), "no-such-place"),
        (Swap(-1, 2, morsel=0), "no-such-place"),
        (Swap(2, 2, morsel=0), "same-place"),
        (Swap(2, 1, morsel=0), "places-reversed"),
        (Use(morsel=0), "wrong-turn"),
        (Keep(1), "no-such-die"),
        (Keep(6), "no-such-die"),
        (Keep(HUGE), "no-such-die"),
        (Swap(-HUGE, HUGE, morsel=0), "no-such-place"),
        (Swap(0, 1, morsel=HUGE), "no-such-morsel"),
    ],
)
def test_on_the_second_turn_everything_else_is_refused(action: GigiAction, code: str) -> None:
    assert refusal(second_turn(0), 0, action) == code


def test_on_the_third_turn_the_last_die_is_kept_rolled_or_replaced_by_a_morsel() -> None:
    assert RULES.legal(third_turn(-2, 4, 4), 0) == [Roll(), Keep(1), Use(-2), Use(4)]


def test_the_last_die_can_be_set_aside_as_it_lies() -> None:
    events, state = do(third_turn(), 0, Keep(1))
    assert events == [Kept(0, 1)]
    assert totals(state)[0] == 12


def test_the_last_die_rolled_again_is_set_aside_by_itself() -> None:
    events, state = do(third_turn(), 0, Roll(), 3)
    assert events == [Rolled(0, (3,)), Kept(0, 3)]
    assert (totals(state)[0], state.active) == (14, 1)


def test_example_six_and_five_and_a_morsel_of_minus_two_make_nine() -> None:
    events, state = do(third_turn(-2, 3), 0, Use(-2))
    assert events == [Used(0, -2)]
    assert totals(state)[0] == 9
    assert (state.collected[0], state.active) == ((3,), 1)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Use(morsel=2), "no-such-morsel"),
        (Swap(0, 1, morsel=0), "wrong-turn"),
        (Reverse(morsel=0), "wrong-turn"),
        (Keep(2), "no-such-die"),
    ],
)
def test_on_the_third_turn_everything_else_is_refused(action: GigiAction, code: str) -> None:
    assert refusal(third_turn(0), 0, action) == code


# ---- G3: whose turn it is


def test_only_the_active_seat_can_act() -> None:
    assert RULES.legal(table(active=2), 1) == ()
    assert refusal(table(active=2), 1, Roll()) == "not-your-turn"
    assert refusal(table(active=2), -2, Roll()) == "not-your-turn"


def test_between_the_last_die_and_the_distribution_nobody_can_act() -> None:
    state = RULES.evolve(last_turn((1, 1, 1), (2, 2, 2), (3, 3), die=3, buffet=(1, 2, 3)), Kept(2, 3))
    assert (RULES.actors(state), RULES.legal(state, 0)) == ((), ())
    assert refusal(state, 0, Roll()) == "not-your-turn"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_play_their_first_turn_clockwise_from_the_start_player_then_their_second_then_their_third(
    seats: int,
) -> None:
    state = evolved(state := RULES.new(seats, Options(first=1)), RULES.begin(state, lambda n: 0))
    played: list[tuple[int, int]] = []
    while state.round == 1:
        seat = state.active
        played.append((state.turn, seat))
        if state.turn == 1:
            state = evolved(state, RULES.decide(state, seat, Roll(), lambda n: 0, 0))
        state = evolved(state, RULES.decide(state, seat, Keep(1), lambda n: 0, 0))
    clockwise = [(1 + seat) % seats for seat in range(seats)]
    assert played == [(turn, seat) for turn in (1, 2, 3) for seat in clockwise]


# ---- G4: the distribution


def test_example_ties_of_four_players_go_to_whoever_sits_closer_after_the_start_player() -> None:
    state = last_turn((5, 5, 1), (6, 5, 1), (4, 4, 1), (5, 5), die=1, buffet=(-1, 2, 1, 6))
    events, state = do(state, 3, Keep(1), draws=ZEROS)
    awards = (Award(1, 12, 1, -1), Award(0, 11, 2, 2), Award(3, 11, 3, 1), Award(2, 9, 4, 6))
    assert events == [Kept(3, 1), Distributed(awards), Revealed(1, (0, 0, 0, 0))]
    assert state.collected == ((2,), (-1,), (6,), (1,))
    assert (state.dice, state.aside) == (((),) * 4, ((),) * 4)


def test_ties_count_clockwise_from_the_start_worm_and_not_from_seat_0() -> None:
    state = table(start=2, active=2, aside=((4,), (4,), (4,), (5,)))
    assert standing(state) == (3, 4, 2, 1)


def test_the_standing_of_a_round_begun_is_the_order_of_play() -> None:
    assert standing(table(start=3, active=3)) == (2, 3, 4, 1)


def test_a_morsel_used_as_a_die_counts_and_leaves_the_game_after_the_distribution() -> None:
    state = last_turn(
        (1, 1, 1), (2, 2, 2), (3, 3, 1), (6, 5), die=6, buffet=(1, 2, 3, 4), collected=((), (), (), (-2, -2))
    )
    events, state = do(state, 3, Use(-2), draws=ZEROS)
    assert events[1] == Distributed(
        (Award(3, 9, 1, 1), Award(2, 7, 2, 2), Award(1, 6, 3, 3), Award(0, 3, 4, 4))
    )
    assert (state.collected[3], state.gone, state.used) == ((-2, 1), (-2,), (None,) * 4)


def test_a_morsel_worth_nothing_can_stand_for_the_last_die_too() -> None:
    _, state = do(third_turn(0), 0, Use(0))
    assert (totals(state)[0], state.active, state.used[0]) == (11, 1, 0)


def test_a_swapped_buffet_is_what_gets_distributed() -> None:
    assert swapped((3, 1, 4, 2), 1, 3) == (3, 2, 4, 1)


# ---- G5: rounds


@pytest.mark.parametrize(("seats", "rounds"), [(2, 8), (3, 8), (4, 6), (5, 5)])
def test_the_game_lasts_until_the_pile_is_empty_and_the_start_worm_goes_round(
    seats: int, rounds: int
) -> None:
    game = list(played(seats, seed=seats))
    starts = [event.start for step in game for event in step.events if isinstance(event, Revealed)]
    assert starts == [(starts[0] + number) % seats for number in range(rounds)]
    end = game[-1].state
    assert (end.pile, end.buffet, end.round) == ((), (), rounds)
    assert RULES.outcome(end) is not None


def test_while_the_last_buffet_lies_there_is_no_outcome() -> None:
    state = last_turn((1, 1, 1), (2, 2, 2), (3, 3), die=3, buffet=(1, 2, 3), pile=())
    assert RULES.outcome(state) is None
    events, state = do(state, 2, Keep(3))
    assert [type(event) for event in events] == [Kept, Distributed]
    assert RULES.outcome(state) == Outcome((1, 2, 3), "Most worms win: 3, 2, 1.")


def test_after_the_end_nobody_can_act() -> None:
    state = table(buffet=(), pile=())
    assert RULES.actors(state) == ()
    assert RULES.legal(state, 0) == ()
    assert refusal(state, 0, Roll()) == "game-over"


# ---- G6: the final ranking


def ended(*collected: tuple[int, ...]) -> Outcome | None:
    return RULES.outcome(table(buffet=(), pile=(), seats=len(collected), collected=collected))


def test_example_of_the_final_ranking_with_our_morsels() -> None:
    annette, anton, walter, olli = (4, 5, 6, 6), (2, 3, 4, 4), (3, 5, 5), (2, 3, 3)
    assert Counter((*annette, *anton, *walter, *olli)) <= Counter(MORSELS)
    assert ended(annette, anton, walter, olli) == Outcome(
        (1, 2, 3, 4), "Most worms win: 21, 13, 13, 8; at 13 more morsels decide: 4, 3."
    )


def test_among_equal_worms_more_morsels_win() -> None:
    assert ended((5, 5), (4, 4, 2), (1,)) == Outcome(
        (2, 1, 3), "Most worms win: 10, 10, 1; at 10 more morsels decide: 3, 2."
    )


def test_still_equal_they_share_the_victory() -> None:
    assert ended((5, 1), (4, 2), (1,), (-1,)) == Outcome(
        (1, 1, 3, 4), "Most worms win: 6, 6, 1, -1; at 6 with equally many morsels (2) they share the place."
    )


def test_equals_further_down_share_their_place_and_the_next_one_is_left_out() -> None:
    outcome = ended((6,), (3,), (2, 1), (3,), (0,))
    assert outcome == Outcome(
        (1, 3, 2, 3, 5), "Most worms win: 6, 3, 3, 3, 0; at 3 more morsels decide: 2, 1, 1."
    )


# ---- G7: two players and the robo chicken


def two(turn: int, *aside: tuple[int, ...], **fields: Any) -> State:
    """Two players with a die left each, before the last of the two (seat 1) ends this turn."""
    return table((3, 1, 4), 2, turn=turn, active=1, dice=((2,), (2,), ()), aside=aside, **fields)


def test_two_players_lay_out_three_morsels() -> None:
    events = RULES.begin(RULES.new(2, Options(first=0)), Chance(draws=((24, 0), (23, 0), (22, 0))))
    assert events == [Revealed(0, (-2, -2, -1))]


@pytest.mark.parametrize("turn", [1, 2])
def test_the_robo_chicken_gets_a_die_by_itself_after_both_have_had_their_turn(turn: int) -> None:
    before = (6,) * (turn - 1)
    state = two(turn, (*before, 1), before, before, rolled=True)
    events, state = do(state, 1, Keep(2), 5)
    assert events == [Kept(1, 2), ChickenRolled(5)]
    assert (state.aside[2], state.turn, state.active) == ((*before, 5), turn + 1, 0)


def test_the_robo_chicken_gets_nothing_before_the_second_player_is_done() -> None:
    state = msgspec.structs.replace(two(2, (6,), (6,), (6,)), active=0)
    assert do(state, 0, Keep(2))[0] == [Kept(0, 2)]


def test_the_robo_chicken_loses_every_tie_and_what_it_wins_leaves_the_game() -> None:
    state = two(3, (4, 3, 2), (4, 3), (4, 3), start=0)
    events, state = do(state, 1, Keep(2), 2, draws=((3, 0), (2, 0), (1, 0)))
    awards = (Award(0, 9, 1, 3), Award(1, 9, 2, 1), Award(None, 9, 3, 4))
    assert events == [Kept(1, 2), ChickenRolled(2), Distributed(awards), Revealed(1, (0, 0, 0))]
    assert (state.collected, state.gone) == (((3,), (1,)), (4,))


def test_the_robo_chicken_can_win_the_best_place() -> None:
    state = two(3, (4, 3, 2), (4, 3), (6, 6))
    _, state = do(state, 1, Keep(2), 6, draws=((3, 0), (2, 0), (1, 0)))
    assert (state.collected, state.gone) == (((1,), (4,)), (3,))


def test_the_last_die_rolled_again_comes_before_the_robo_chicken_s() -> None:
    state = two(3, (4, 3, 2), (4, 3), (6, 6), pile=())
    events, _ = do(state, 1, Roll(), 1, 4)
    assert events[:3] == [Rolled(1, (1,)), Kept(1, 1), ChickenRolled(4)]
