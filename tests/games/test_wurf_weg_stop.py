"""Wurf & Weg: after Stop, rewards, the end of the game, and the pace (W6-W9)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.games.wurf_weg_tables import (
    CAT,
    CAT_COIN,
    CLOVER,
    CLOVER_PIG,
    COIN,
    HAND,
    PIG,
    PIG_CAT,
    RULES,
    Table,
    player,
    race,
    stopped,
)
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.games.wurf_weg import settled
from wuerfel_tui.games.wurf_weg_parts import (
    BLANK,
    DEPOT,
    NO_CARD,
    AnyEvent,
    Charm,
    Drew,
    Landed,
    PileExhausted,
    Place,
    Placed,
    Ready,
    Rewarded,
    Roll,
    Rolled,
    Stop,
)

# --- W6: after Stop -------------------------------------------------------------------------------------------------


def rolls_thrice(table: Table, seat: int, *faces: int, then: tuple[int, ...] = ()) -> None:
    """Three rolls that show the same, and the dice for what follows the last."""
    for _ in range(2):
        table.does(seat, Roll(), *faces)
        table.waits(700)
    table.does(seat, Roll(), *faces)
    table.waits(700, *then)


def test_w6_charms_that_show_at_stop_leave_by_themselves_clockwise_from_the_caller():
    table = race(
        player(CLOVER_PIG, COIN, HAND),
        player(CLOVER_PIG, COIN),
        player(CLOVER_PIG, HAND, COIN, COIN),
        charm=COIN,
    )
    assert table.does(1, Place(COIN))[1:] == [
        Stop(1, 25_000),
        Placed(2, COIN, 2, DEPOT),
        Placed(0, COIN, 1, DEPOT),
    ]
    assert [player.hand for player in table.state.players] == [(HAND,), (), (HAND,)]


def test_w6_only_the_charm_counts_after_stop():
    table = stopped(player(CLOVER_PIG, HAND, HAND), charm=COIN)
    table.does(1, Roll(), CLOVER, PIG)
    assert table.waits(700) == [Landed(1, 25_700)]
    assert table.hand(1) == (CLOVER, PIG)
    assert table.refusal(1, Place(PIG)) == "after-stop"


def test_w6_everybody_else_has_three_more_rolls_from_which_charms_leave_by_themselves():
    table = stopped(player(CLOVER_PIG, HAND, HAND), player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), COIN, PIG)
    assert table.waits(700) == [Landed(1, 25_700), Placed(1, COIN, 1, DEPOT)]
    table.does(1, Roll(), PIG)
    table.waits(700)
    table.does(1, Roll(), PIG)
    assert table.waits(700) == [Landed(1, None)]
    assert table.refusal(1, Roll()) == "no-rolls"
    assert RULES.actors(table.state) == (2,)


def test_w6_who_gets_rid_of_all_dice_with_the_last_roll_is_rewarded_too():
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN)
    for face in (PIG, PIG):
        table.does(1, Roll(), face)
        table.waits(700)
    table.does(1, Roll(), COIN)
    events = table.waits(700, 0, 0, CAT)
    assert events[:3] == [Landed(1, None), Placed(1, COIN, 1, DEPOT), Rewarded((0, 1))]


def test_w6_who_gets_rid_of_all_dice_by_those_already_showing_is_rewarded_at_once():
    table = race(player(CLOVER_PIG, COIN), player(CAT_COIN, COIN, COIN), charm=COIN)
    assert table.does(0, Place(COIN), 0, 0, CAT) == [
        Placed(0, COIN, 1, DEPOT),
        Stop(0, 25_000),
        Placed(1, COIN, 2, DEPOT),
        Rewarded((0, 1)),
        Drew(0, 15),
        Drew(1, 16),
        Charm(CAT, 70_000),
    ]


def test_w6_a_die_on_the_card_at_stop_joins_the_next_roll_and_keeps_its_player_in():
    table = race(player(CLOVER_PIG, PIG), player(CLOVER_PIG, COIN), charm=COIN)
    table.does(0, Place(PIG))
    assert table.state.phase == "last"
    assert (table.hand(1), table.state.players[1].on_card) == ((), 1)
    assert RULES.actors(table.state) == (1,)
    table.does(1, Roll(), COIN)
    assert Rewarded((0, 1)) in table.waits(700, 0, 0, CAT)


def test_w6_a_roll_in_the_air_at_stop_is_not_one_of_the_three():
    table = race(player(CLOVER_PIG, COIN), player(CLOVER_PIG, HAND, HAND, HAND), charm=COIN)
    table.does(1, Roll(), COIN, HAND, HAND)
    table.waits(300)
    assert table.does(0, Place(COIN)) == [Placed(0, COIN, 1, DEPOT), Stop(0, 25_300)]
    assert table.waits(400) == [Landed(1, 25_700), Placed(1, COIN, 1, DEPOT)]
    assert table.state.players[1].rolls == 3
    rolls_thrice(table, 1, HAND, HAND, then=(0, CAT))
    assert table.state.round == 2


def test_w6_dice_that_arrive_between_a_roll_and_stop_are_not_in_the_air_and_join_the_first_of_the_three():
    table = race(player(CLOVER_PIG, COIN, PIG), player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), COIN)
    table.does(0, Place(PIG))
    table.does(0, Place(COIN))
    assert table.waits(700) == [Landed(1, 25_700), Placed(1, COIN, 1, DEPOT)]
    assert table.state.players[1].dice == 1
    assert table.does(1, Roll(), PIG)[0] == Rolled(1, (PIG,), 11_400, False)
    assert table.state.players[1].rolls == 2


def test_w6_a_landing_after_stop_can_be_the_last_thing_the_round_waits_for():
    table = race(player(CLOVER_PIG, COIN), player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), COIN)
    table.does(0, Place(COIN))
    assert table.waits(700, 0, 0, CAT)[2] == Rewarded((0, 1))


def test_w6_dice_never_rolled_in_the_race_have_their_three_rolls_too():
    table = stopped(player(CLOVER_PIG, BLANK, BLANK, BLANK), charm=COIN)
    table.does(1, Roll(), COIN, COIN, HAND)
    table.waits(700)
    assert table.hand(1) == (HAND,)


def test_w6_who_lets_the_limit_pass_has_the_roll_made_for_them():
    table = stopped(player(CLOVER_PIG, HAND), player(CLOVER_PIG, HAND), charm=COIN, roll_limit=5000)
    table.waits(3000)
    table.does(1, Roll(), HAND)
    assert table.waits(700) == [Landed(1, 18_700)]
    assert table.waits(1299) == []
    assert table.waits(1, HAND) == [Rolled(2, (HAND,), 15_700, True)]
    assert table.state.players[2].rolls == 2
    assert table.refusal(2, Roll()) == "tumbling"
    assert table.waits(700) == [Landed(2, 20_700)]


def test_w6_absent_players_alone_bring_the_round_to_its_end():
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN, roll_limit=5000)
    for _ in range(2):
        table.waits(5000, HAND)
        table.waits(700)
    table.waits(5000, HAND)
    assert table.waits(700, 0, CAT)[1:] == [Rewarded((0,)), Drew(0, 15), Charm(CAT, 87_100)]


def test_w6_a_host_that_stood_still_gives_everybody_their_time_anew():
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), HAND)
    assert table.waits(3_600_000) == [Landed(1, 3_625_000)]


# --- W7, W8: the end of a round and of the game ---------------------------------------------------------------------


def end_round(table: Table, *dice: int) -> Sequence[AnyEvent]:
    """Seat 0 is rid of its last die; all others have charms alone, and so the round is over."""
    return table.does(0, Place(table.state.charm), *dice)


def test_w7_stops_caller_draws_first_and_the_others_clockwise_evenly_from_what_is_left():
    one = player(CLOVER_PIG, COIN)
    table = race(one, one, one, charm=COIN, pile=(4, 9, 16))
    events = table.does(1, Place(COIN), 2, 0, 0, PIG)
    assert events[-5:] == [Rewarded((1, 2, 0)), Drew(1, 16), Drew(2, 4), Drew(0, 9), Charm(PIG, 70_000)]
    assert table.state.pile == ()


def test_w7_the_rest_keep_their_card_and_everybody_has_three_dice_again():
    table = stopped(player(PIG_CAT, HAND, HAND), charm=COIN)
    rolls_thrice(table, 1, HAND, HAND, then=(1, CAT))
    assert [(player.card, player.won) for player in table.state.players] == [(16, 1), (PIG_CAT, 0)]
    assert [player.hand for player in table.state.players] == [(BLANK,) * 3] * 2
    assert (table.state.phase, table.state.round, table.state.depot) == ("ready", 2, 0)
    assert RULES.actors(table.state) == (0, 1)


def test_w8_the_third_card_face_down_wins_before_anybody_draws():
    table = race(player(CLOVER_PIG, COIN, won=2), player(CAT_COIN, COIN, won=1), charm=COIN)
    assert end_round(table)[-1] == Rewarded((0, 1))
    assert RULES.outcome(table.state) == Outcome((1, 2), "The third card has been turned face down.")
    assert RULES.actors(table.state) == ()
    assert RULES.due(table.state) is None
    assert table.refusal(0, Ready()) == "game-over"


def test_w8_several_at_once_share_the_victory():
    table = race(
        player(CLOVER_PIG, COIN, won=2),
        player(CAT_COIN, COIN, won=1),
        player(PIG_CAT, COIN, won=2),
        charm=COIN,
    )
    end_round(table)
    outcome = RULES.outcome(table.state)
    assert outcome is not None
    assert outcome.places == (1, 3, 1)
    assert outcome.why == "The third card has been turned face down; 2 players share the victory."


def test_w8_the_caller_may_win_nothing_more_than_the_others():
    table = race(player(CLOVER_PIG, COIN, won=0), player(CAT_COIN, COIN, won=2), charm=COIN)
    end_round(table)
    outcome = RULES.outcome(table.state)
    assert outcome is not None
    assert outcome.places == (2, 1)


def test_w8_until_empty_plays_on_after_the_third_card():
    table = race(player(CLOVER_PIG, COIN, won=2), player(CAT_COIN, COIN), charm=COIN, until_empty=True)
    end_round(table, 0, 0, CAT)
    assert table.state.phase == "ready"
    assert RULES.outcome(table.state) is None


def test_w8_until_empty_ends_when_somebody_should_draw_and_cannot():
    table = race(
        player(CLOVER_PIG, COIN, won=5),
        player(CAT_COIN, COIN, won=6),
        player(PIG_CAT, COIN, won=1),
        charm=COIN,
        pile=(9,),
        until_empty=True,
    )
    assert end_round(table, 0)[-3:] == [Rewarded((0, 1, 2)), Drew(0, 9), PileExhausted(1)]
    assert [player.won for player in table.state.players] == [6, 7, 2]
    assert table.state.players[1].card == NO_CARD
    assert RULES.outcome(table.state) == Outcome(
        (2, 1, 3), "The pile is exhausted, and 7 cards face down are the most."
    )


def test_w8_until_empty_goes_on_with_an_empty_pile_while_nobody_has_to_draw():
    table = race(player(CLOVER_PIG, COIN), player(CAT_COIN, COIN), charm=COIN, pile=(4, 9), until_empty=True)
    end_round(table, 0, 0, CAT)
    assert table.state.pile == ()
    assert table.state.phase == "ready"


def test_w8_equals_share_the_victory_when_the_pile_is_exhausted():
    table = race(player(CLOVER_PIG, COIN), player(CAT_COIN, COIN), charm=COIN, pile=(), until_empty=True)
    assert end_round(table)[-1] == PileExhausted(0)
    outcome = RULES.outcome(table.state)
    assert outcome is not None
    assert outcome.places == (1, 1)
    assert "share" in outcome.why


# --- W9: pace -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", [300, 700, 3000])
def test_w9_a_roll_before_its_time_is_refused_however_often_it_is_asked_for(pace: int):
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, HAND), charm=COIN, pace=pace)
    table.does(0, Roll(), PIG)
    for _ in range(3):
        assert table.refusal(0, Roll()) == "tumbling"
    assert table.waits(pace - 1) == []
    assert table.refusal(0, Roll()) == "tumbling"
    assert table.waits(1) == [Landed(0, None)]
    table.does(0, Roll(), HAND)


def test_w9_dice_in_the_air_cannot_be_placed_though_their_faces_are_known():
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, HAND), charm=COIN)
    table.does(0, Roll(), PIG)
    assert table.hand(0) == (PIG,)
    assert RULES.legal(table.state, 0) == ()
    assert table.refusal(0, Place(PIG)) == "tumbling"
    table.waits(700)
    assert table.does(0, Place(PIG))[0] == Placed(0, PIG, 1, to=1)


def test_w9_a_screen_whose_dice_have_landed_knows_what_it_may_send_before_the_host_says_so():
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, HAND), charm=COIN)
    assert settled(table.state, 0) == table.state
    table.does(0, Roll(), PIG)
    seen = settled(table.state, 0)
    assert RULES.legal(seen, 0) == (Roll(), Place(PIG))
    table.waits(700)
    assert table.state == seen


def test_w9_after_stop_a_screen_knows_it_too():
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), HAND)
    seen = settled(table.state, 1)
    assert RULES.legal(seen, 1) == (Roll(),)
    table.waits(700)
    assert table.state == seen


def test_w9_dice_tumble_after_stop_too():
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN)
    table.does(1, Roll(), HAND)
    table.waits(699)
    assert table.refusal(1, Roll()) == "tumbling"


def test_w9_others_go_on_while_ones_dice_tumble():
    table = race(player(CLOVER_PIG, HAND), player(CAT_COIN, COIN, HAND), charm=COIN)
    table.does(0, Roll(), PIG)
    assert RULES.actors(table.state) == (1,)
    table.does(1, Place(COIN))


def test_w9_dice_land_in_the_order_in_which_they_were_thrown_also_within_one_millisecond():
    three = [player(CLOVER_PIG, HAND) for _ in range(3)]
    table = race(*three, charm=COIN)
    table.does(2, Roll(), PIG)
    table.does(0, Roll(), PIG)
    table.waits(100)
    table.does(1, Roll(), PIG)
    assert RULES.due(table.state) == 10_700
    assert table.waits(1000) == [Landed(2, None), Landed(0, None), Landed(1, None)]


def test_w8_nothing_follows_when_the_only_rewarded_player_finds_the_pile_empty() -> None:
    table = stopped(player(CAT_COIN, HAND), charm=COIN, won=4, pile=(), until_empty=True)
    for _ in range(2):
        table.does(1, Roll(), HAND)
        table.waits(700)
    table.does(1, Roll(), HAND)
    assert table.waits(700)[-2:] == [Rewarded((0,)), PileExhausted(0)]
    assert table.state.phase == "over"
    assert RULES.outcome(table.state).places == (1, 2)


def test_w9_after_the_third_last_roll_a_screen_knows_that_nothing_more_may_be_sent() -> None:
    table = stopped(player(CLOVER_PIG, HAND), player(CLOVER_PIG, HAND), charm=COIN)
    for _ in range(2):
        table.does(1, Roll(), HAND)
        table.waits(700)
    table.does(1, Roll(), HAND)
    seen = settled(table.state, 1)
    assert RULES.legal(seen, 1) == ()
    table.waits(700)
    assert table.state == seen


def test_w9_after_stop_dice_that_lie_are_settled() -> None:
    table = stopped(player(CLOVER_PIG, HAND), charm=COIN)
    assert settled(table.state, 1) == table.state
