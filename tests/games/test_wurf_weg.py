"""Wurf & Weg: setting up and racing (W1-W5), and what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.wurf_weg_tables import (
    CAT,
    CAT_COIN,
    CLOVER,
    CLOVER_PIG,
    COIN,
    HAND,
    HORSESHOE,
    PIG,
    RULES,
    Table,
    player,
    race,
    stopped,
)
from wuerfel_tui.games.wurf_weg import placeable, target
from wuerfel_tui.games.wurf_weg_parts import (
    BLANK,
    CARDS,
    DEPOT,
    AnyAction,
    Charm,
    Countdown,
    Dealt,
    Go,
    Landed,
    LimitSet,
    Options,
    Place,
    Placed,
    Readied,
    Ready,
    Roll,
    Rolled,
    Stop,
)

# --- W1: the cards --------------------------------------------------------------------------------------------------


def test_w1_eighteen_different_cards_bear_two_different_symbols_each():
    assert len(set(CARDS)) == 18
    assert all(left != right for left, right in CARDS)


def test_w1_every_symbol_stands_three_times_left_and_three_times_right():
    assert set(Counter(left for left, _ in CARDS).values()) == {3}
    assert set(Counter(right for _, right in CARDS).values()) == {3}


def test_w1_cards_are_numbered_by_their_left_symbol_and_the_distance_to_the_right_one():
    assert CARDS[:4] == ((CLOVER, PIG), (CLOVER, CAT), (CLOVER, COIN), (PIG, CAT))
    assert CARDS[17] == (HAND, CAT)


# --- setting up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_two_to_six_can_play(seats: int):
    with pytest.raises(ValueError, match="2 to 6 players"):
        RULES.new(seats, Options())


@pytest.mark.parametrize(
    "wrong",
    [{"pace": 299}, {"pace": 3001}, {"ready_limit": 4999}, {"ready_limit": 600_001}, {"roll_limit": 0}],
)
def test_options_out_of_range_are_refused_with_a_sentence(wrong: dict[str, int]):
    with pytest.raises(ValueError, match="milliseconds"):
        Options(**wrong)


def test_options_at_the_ends_of_their_ranges_are_fine():
    assert Options(pace=300).pace == 300
    assert Options(pace=3000).pace == 3000
    assert Options() == Options(pace=700, roll_limit=15_000, auto_place=False, until_empty=False)


def test_everybody_draws_a_card_from_what_is_left_and_then_the_charm_is_rolled():
    table = Table(RULES.new(3, Options()))
    table.script = [0, 0, 15, COIN]  # the first of 18, the first of 17, the last of 16
    events = table.follow(RULES.begin(table.state, table.dice))
    assert events == [Dealt((0, 1, 17)), Charm(COIN, None)]
    assert table.state.phase == "ready"
    assert table.state.pile == tuple(range(2, 17))
    assert [player.hand for player in table.state.players] == [(BLANK,) * 3] * 3


# --- W2: a round begins ---------------------------------------------------------------------------------------------


def opened(seats: int = 3, **options: Any) -> Table:
    """A first round whose charm lies open."""
    table = Table(RULES.new(seats, Options(**options)))
    table.script = [0] * seats + [COIN]
    table.follow(RULES.begin(table.state, table.dice))
    return table


def test_w2_when_all_are_ready_a_countdown_of_three_seconds_runs_and_then_everybody_may_roll():
    table = opened(3)
    assert RULES.actors(table.state) == (0, 1, 2)
    assert table.does(2, Ready()) == [Readied(2, False)]
    assert table.does(0, Ready()) == [Readied(0, False)]
    assert RULES.actors(table.state) == (1,)
    assert table.does(1, Ready()) == [Readied(1, False), Countdown(13_000)]
    assert RULES.actors(table.state) == ()
    assert table.waits(2999) == []
    assert table.waits(1) == [Go()]
    assert RULES.actors(table.state) == (0, 1, 2)
    assert RULES.legal(table.state, 1) == (Roll(),)


def test_w2_the_first_rounds_limit_begins_with_the_first_tick_of_the_clock():
    table = opened(2, ready_limit=5000)
    assert RULES.due(table.state) == 0
    assert table.waits(0) == [LimitSet(15_000)]
    assert RULES.due(table.state) == 15_000


def test_w2_who_lets_the_limit_pass_counts_as_ready():
    table = opened(3, ready_limit=5000)
    table.waits(0)
    table.does(1, Ready())
    assert table.waits(4999) == []
    assert table.waits(1) == [Readied(0, True), Readied(2, True), Countdown(18_000)]


# --- W3: rolling and placing ----------------------------------------------------------------------------------------


def test_w3_the_left_symbol_goes_to_the_left_neighbour_and_the_right_one_to_the_right():
    three = [player(CLOVER_PIG, CLOVER, PIG, HAND) for _ in range(3)]
    table = race(*three, charm=COIN)
    assert table.does(0, Place(CLOVER)) == [Placed(0, CLOVER, 1, to=1)]
    assert table.does(0, Place(PIG)) == [Placed(0, PIG, 1, to=2)]
    assert table.hand(0) == (HAND,)
    assert [player.on_card for player in table.state.players] == [0, 1, 1]


def test_w3_with_six_players_the_last_seats_left_neighbour_is_the_first():
    six = [player(CLOVER_PIG, CLOVER, PIG, HAND) for _ in range(6)]
    table = race(*six, charm=COIN)
    assert table.does(5, Place(CLOVER)) == [Placed(5, CLOVER, 1, to=0)]
    assert table.does(5, Place(PIG)) == [Placed(5, PIG, 1, to=4)]


def test_w3_with_two_players_both_sides_are_the_opponent_but_one_placing_is_one_symbol():
    table = race(player(CLOVER_PIG, CLOVER, PIG, HAND), player(CAT_COIN, HAND), charm=COIN)
    assert table.does(0, Place(CLOVER)) == [Placed(0, CLOVER, 1, to=1)]
    assert table.hand(0) == (PIG, HAND)
    assert table.does(0, Place(PIG)) == [Placed(0, PIG, 1, to=1)]
    assert table.state.players[1].on_card == 2


def test_w3_placing_sends_all_dice_that_show_the_symbol():
    table = race(player(CLOVER_PIG, PIG, HAND, PIG), player(CAT_COIN, HAND), charm=COIN)
    assert table.does(0, Place(PIG)) == [Placed(0, PIG, 2, to=1)]
    assert table.hand(0) == (HAND,)


def test_w3_the_charm_goes_to_the_depot():
    table = race(player(CLOVER_PIG, COIN, COIN, HAND), player(CAT_COIN, HAND), charm=COIN)
    depot = table.state.depot
    assert table.does(0, Place(COIN)) == [Placed(0, COIN, 2, to=DEPOT)]
    assert table.state.depot == depot + 2


@pytest.mark.parametrize("charm", [CLOVER, PIG])
def test_w3_the_charm_goes_only_to_the_depot_even_if_it_is_on_the_card(charm: int):
    table = race(player(CLOVER_PIG, CLOVER, PIG, HAND), player(CAT_COIN, HAND), charm=charm)
    assert table.does(0, Place(charm)) == [Placed(0, charm, 1, to=DEPOT)]
    assert RULES.legal(table.state, 0) == (Roll(), Place(CLOVER + PIG - charm))


def test_w3_dice_on_ones_card_join_the_roll():
    table = race(player(CLOVER_PIG, CAT, on_card=2), player(CAT_COIN, HAND), charm=COIN)
    assert table.does(0, Roll(), PIG, CAT, CLOVER) == [Rolled(0, (PIG, CAT, CLOVER), 10_700, False)]
    assert table.state.players[0].on_card == 0


def test_w3_with_no_die_in_hand_those_on_the_card_are_rolled():
    table = race(player(CLOVER_PIG, on_card=1), player(CAT_COIN, HAND), charm=COIN)
    assert RULES.legal(table.state, 0) == (Roll(),)
    table.does(0, Roll(), PIG)
    assert table.hand(0) == (PIG,)


def test_w3_dice_that_arrive_while_ones_own_tumble_wait_on_the_card_for_the_next_roll():
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, CAT, HAND), charm=HORSESHOE)
    table.does(0, Roll(), HAND)
    table.does(1, Place(CAT))
    table.waits(700)
    assert (table.hand(0), table.state.players[0].on_card) == ((HAND,), 1)
    table.does(0, Roll(), PIG, PIG)
    assert (table.hand(0), table.state.players[0].on_card) == ((PIG, PIG), 0)


def test_legal_names_the_charm_first_then_the_left_and_the_right_symbol():
    table = race(player(CLOVER_PIG, PIG, COIN, CLOVER), player(CAT_COIN, HAND), charm=COIN)
    assert RULES.legal(table.state, 0) == (Roll(), Place(COIN), Place(CLOVER), Place(PIG))
    assert placeable(table.state, 0) == (COIN, CLOVER, PIG)
    assert [target(table.state, 0, symbol) for symbol in (COIN, CLOVER, PIG, HAND)] == [DEPOT, 1, 1, None]


# --- W4: placing by hand or by itself -------------------------------------------------------------------------------


def test_w4_rolling_again_with_a_die_left_unplaced_is_the_players_own_loss():
    table = race(player(CLOVER_PIG, COIN, PIG), player(CAT_COIN, HAND), charm=COIN)
    table.does(0, Roll(), HAND, HAND)
    assert table.hand(0) == (HAND, HAND)


def test_w4_auto_place_places_everything_as_the_dice_land():
    table = race(player(CLOVER_PIG, HAND, HAND, HAND), player(CAT_COIN, HAND), charm=COIN, auto_place=True)
    table.does(0, Roll(), PIG, COIN, HAND)
    assert table.waits(700) == [Landed(0, None), Placed(0, COIN, 1, DEPOT), Placed(0, PIG, 1, to=1)]
    assert RULES.legal(table.state, 0) == (Roll(),)


def test_w4_auto_place_can_lead_to_stop():
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, HAND), charm=COIN, auto_place=True)
    table.does(0, Roll(), PIG)
    assert table.waits(700) == [Landed(0, None), Placed(0, PIG, 1, to=1), Stop(0, 25_700)]


# --- W5: Stop -------------------------------------------------------------------------------------------------------


def test_w5_stop_is_called_the_moment_the_last_die_has_left():
    table = race(player(CLOVER_PIG, COIN, PIG), player(CAT_COIN, HAND), charm=COIN)
    assert table.does(0, Place(PIG)) == [Placed(0, PIG, 1, to=1)]
    assert table.does(0, Place(COIN)) == [Placed(0, COIN, 1, DEPOT), Stop(0, 25_000)]
    assert (table.state.phase, table.state.caller) == ("last", 0)


def test_w5_no_stop_while_a_die_lies_on_ones_card():
    table = race(player(CLOVER_PIG, COIN, on_card=1), player(CAT_COIN, HAND), charm=COIN)
    assert table.does(0, Place(COIN)) == [Placed(0, COIN, 1, DEPOT)]
    assert table.state.phase == "race"


def test_w5_a_die_that_arrives_just_before_the_last_one_leaves_prevents_stop():
    table = race(player(CLOVER_PIG, COIN), player(CAT_COIN, CAT, HAND), charm=COIN)
    table.does(1, Place(CAT))
    table.does(0, Place(COIN))
    assert table.state.phase == "race"
    assert RULES.legal(table.state, 0) == (Roll(),)


# --- refusals -------------------------------------------------------------------------------------------------------


def in_phase(phase: str) -> Table:
    table = race(player(CLOVER_PIG, PIG, HAND), player(CLOVER_PIG, HAND), charm=COIN)
    table.state = replace(table.state, phase=phase)
    return table


@pytest.mark.parametrize(
    ("phase", "action", "code"),
    [
        ("ready", Roll(), "not-begun"),
        ("ready", Place(PIG), "not-begun"),
        ("countdown", Ready(), "round-on"),
        ("countdown", Roll(), "countdown"),
        ("countdown", Place(PIG), "countdown"),
        ("race", Ready(), "round-on"),
        ("race", Place(CLOVER), "not-shown"),
        ("race", Place(HAND), "no-place"),
        ("race", Place(BLANK), "no-symbol"),
        ("race", Place(6), "no-symbol"),
        ("race", Place(10**30), "no-symbol"),
        ("over", Roll(), "game-over"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(phase: str, action: AnyAction, code: str):
    assert in_phase(phase).refusal(0, action) == code


def test_nobody_is_ready_twice():
    table = opened()
    table.does(0, Ready())
    assert table.refusal(0, Ready()) == "ready-already"


def test_stops_caller_has_nothing_left_to_roll():
    assert stopped(player(CLOVER_PIG, HAND), charm=COIN).refusal(0, Roll()) == "no-dice"


def test_dice_not_yet_rolled_show_nothing_that_could_be_placed():
    table = race(player(CLOVER_PIG, BLANK, BLANK, BLANK), player(CLOVER_PIG, HAND), charm=COIN)
    assert RULES.legal(table.state, 0) == (Roll(),)
    assert table.refusal(0, Place(CLOVER)) == "not-shown"


def test_the_first_round_is_round_1() -> None:
    table = Table(RULES.new(2, Options()))
    table.script = [0, 0, COIN]
    table.follow(RULES.begin(table.state, table.dice))
    assert table.state.round == 1


def test_w4_auto_place_sends_a_charm_that_the_card_bears_to_the_depot() -> None:
    table = race(player(CLOVER_PIG, HAND, HAND), player(CAT_COIN, HAND), charm=PIG, auto_place=True)
    table.does(0, Roll(), PIG, HAND)
    assert table.waits(700)[1:] == [Placed(0, PIG, 1, DEPOT)]
