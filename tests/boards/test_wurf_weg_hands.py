"""What a seat's keys set going before the table shows it: press by press, on a slow line (W9)."""

from __future__ import annotations

import pytest

from tests.games.wurf_weg_tables import CAT, CLOVER, CLOVER_PIG, COIN, PIG, PIG_CAT, Table, player, race
from wuerfel_tui.boards.wurf_weg_hands import Hand
from wuerfel_tui.games.wurf_weg_parts import Place, Ready, Roll, State

PACE = 700


def two(*hand: int, charm: int = COIN, on_card: int = 0) -> Table:
    """Seat 0 sends clovers to the left and pigs to the right; both is seat 1."""
    return race(
        player(CLOVER_PIG, *hand, on_card=on_card), player(PIG_CAT, CAT, CAT, CAT, on_card=1), charm=charm
    )


def thrown(table: Table, *faces: int) -> tuple[Hand, State]:
    """A hand that has pressed Roll, and the table before its roll; the table has done it."""
    hand, before = Hand(0), table.state
    hand.press(before, Roll())
    table.does(0, Roll(), *faces)
    return hand, before


# Rolling


def test_dice_tumble_from_the_press_on_before_the_table_knows_of_it():
    table = two(CLOVER, CAT, on_card=1)
    hand = Hand(0)
    assert hand.tumbling(table.state) == 0
    hand.press(table.state, Roll())
    assert hand.tumbling(table.state) == 3


def test_faces_that_have_come_stay_hidden_until_the_pace_has_passed_since_the_press():
    table = two(CLOVER, CAT)
    hand, before = thrown(table, PIG, COIN)
    hand.follow(before, table.state, table.now)
    assert hand.tumbling(table.state) == 2
    assert hand.refusal(table.state, Place(COIN)) == "Your dice are still tumbling."
    hand.lies = True
    assert hand.tumbling(table.state) == 0
    assert hand.seen(table.state).players[0].hand == (PIG, COIN)
    assert hand.refusal(table.state, Place(COIN)) is None


def test_where_the_pace_has_passed_before_faces_come_they_are_seen_as_they_come():
    table = two(CLOVER, CAT)
    hand, before = thrown(table, PIG, COIN)
    hand.lies = True
    assert hand.tumbling(before) == 2
    assert hand.refusal(before, Roll()) == "Your dice are still tumbling."
    hand.follow(before, table.state, table.now)
    assert hand.tumbling(table.state) == 0


def test_dice_thrown_for_us_are_seen_when_the_table_says_that_they_lie():
    table = race(player(CLOVER_PIG, COIN), player(PIG_CAT, CAT), charm=COIN, roll_limit=5000)
    table.does(0, Place(COIN))
    hand, before = Hand(1), table.state
    hand.lies = True  # from the roll before
    table.waits(5000, PIG)
    hand.follow(before, table.state, table.now)
    assert hand.tumbling(table.state) == 1
    before = table.state
    table.waits(PACE)
    hand.follow(before, table.state, table.now)
    assert hand.tumbling(table.state) == 0


def test_a_second_roll_waits_for_the_first():
    table = two(CLOVER, CAT)
    hand = Hand(0)
    hand.press(table.state, Roll())
    assert hand.refusal(table.state, Roll()) == "Your dice are still tumbling."


# Placing


def test_a_placing_is_seen_at_once_and_the_next_action_waits_for_no_answer():
    table = two(CLOVER, PIG, CAT)
    hand = Hand(0)
    hand.press(table.state, Place(CLOVER))
    assert hand.seen(table.state).players[0].hand == (PIG, CAT)
    assert hand.seen(table.state).players[1].on_card == 2
    assert hand.refusal(table.state, Place(CLOVER)) == "None of your dice shows the clover."
    assert hand.refusal(table.state, Place(PIG)) is None
    hand.press(table.state, Place(PIG))
    hand.press(table.state, Roll())
    assert hand.under_way == [Place(CLOVER), Place(PIG), Roll()]
    assert hand.count == 1


def test_what_the_table_shows_as_done_is_under_way_no_more():
    table = two(CLOVER, PIG, CAT)
    hand, before = Hand(0), table.state
    hand.press(before, Place(CLOVER))
    hand.press(before, Place(PIG))
    table.does(0, Place(CLOVER))
    hand.follow(before, table.state, table.now)
    assert hand.under_way == [Place(PIG)]
    assert hand.seen(table.state).players[0].hand == (CAT,)


def test_a_roll_that_is_done_takes_all_that_was_sent_before_it_along():
    table = two(CLOVER, PIG, CAT)
    hand, before = Hand(0), table.state
    hand.press(before, Place(CLOVER))
    hand.press(before, Roll())
    table.does(0, Place(CLOVER))
    table.does(0, Roll(), PIG, CLOVER)
    hand.follow(before, table.state, table.now)
    assert hand.under_way == []


def test_who_has_sent_the_last_die_away_has_nothing_to_roll():
    table = two(CLOVER)
    hand = Hand(0)
    hand.press(table.state, Place(CLOVER))
    assert hand.refusal(table.state, Roll()) == "You are rid of all your dice."


# What comes too early, and what is overtaken


def landed_late() -> tuple[Table, Hand]:
    """Our dice lie on our clock; on the table's they do not yet."""
    table = two(CLOVER, CAT)
    hand, before = thrown(table, PIG, COIN)
    hand.follow(before, table.state, table.now)
    hand.lies = True
    return table, hand


def test_what_came_too_early_for_the_tables_clock_is_sent_again_when_it_says_that_dice_lie():
    table, hand = landed_late()
    hand.press(table.state, Place(COIN))
    hand.press(table.state, Roll())
    assert hand.refused(table.state, "tumbling") == ()
    before = table.state
    table.waits(PACE)
    assert hand.follow(before, table.state, table.now) == (Place(COIN), Roll())
    assert not hand.held


def test_it_is_sent_again_at_once_if_the_table_has_said_so_already():
    table, hand = landed_late()
    hand.press(table.state, Place(COIN))
    before = table.state
    table.waits(PACE)
    assert hand.follow(before, table.state, table.now) == ()
    assert hand.refused(table.state, "tumbling") == (Place(COIN),)


def test_what_is_pressed_while_something_is_held_waits_behind_it():
    table, hand = landed_late()
    hand.press(table.state, Place(COIN))
    hand.refused(table.state, "tumbling")
    assert hand.held
    hand.press(table.state, Roll())
    before = table.state
    table.waits(PACE)
    assert hand.follow(before, table.state, table.now) == (Place(COIN), Roll())


def test_a_refusal_with_nothing_under_way_holds_nothing():
    table, hand = landed_late()
    assert hand.refused(table.state, "tumbling") == ()
    assert not hand.held


def test_what_was_overtaken_is_forgotten_and_the_hand_is_as_the_table_has_it():
    table = two(CLOVER, PIG)
    hand = Hand(0)
    hand.press(table.state, Place(CLOVER))
    hand.press(table.state, Roll())
    assert hand.refused(table.state, "overtaken") == ()
    assert hand.seen(table.state) == table.state
    assert hand.tumbling(table.state) == 0


@pytest.mark.parametrize("action", [Place(CLOVER), Place(PIG)])
def test_a_placing_that_stop_has_overtaken_is_forgotten(action: Place):
    table = race(player(CLOVER_PIG, CLOVER, PIG, CAT), player(PIG_CAT, COIN), charm=COIN)
    hand, before = Hand(0), table.state
    hand.press(before, action)
    table.does(1, Place(COIN))
    hand.follow(before, table.state, table.now)
    assert hand.under_way == []
    assert hand.seen(table.state).players[0].hand == (CLOVER, PIG, CAT)


def test_a_roll_that_reaches_the_table_after_stop_is_one_of_the_last_three():
    table = race(player(CLOVER_PIG, CLOVER, PIG, CAT), player(PIG_CAT, COIN), charm=COIN)
    hand, before = Hand(0), table.state
    hand.press(before, Roll())
    table.does(1, Place(COIN))
    hand.follow(before, table.state, table.now)
    assert hand.tumbling(table.state) == 3
    before = table.state
    table.does(0, Roll(), CLOVER, CLOVER, CLOVER)
    hand.follow(before, table.state, table.now)
    assert hand.under_way == []
    assert table.state.players[0].rolls == 2


def test_ready_is_seen_at_once_and_forgotten_when_the_limit_was_faster():
    table = Table(race(player(CLOVER_PIG, 0), player(PIG_CAT, 0), charm=COIN).state)
    table.state = State(table.state.options, "ready", table.state.players, (), round=1, charm=COIN, until=99)
    hand, before = Hand(0), table.state
    hand.press(before, Ready())
    assert hand.seen(before).players[0].ready
    assert hand.refusal(before, Ready()) == "You are ready already; the others are not."
    table.waits(0)
    hand.follow(before, table.state, table.now)
    assert table.state.phase == "countdown"
    assert hand.under_way == []
