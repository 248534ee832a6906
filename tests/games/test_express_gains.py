"""Würfel Express, ruling by ruling: gains, thefts, bad luck and the end (E6-E10)."""

from __future__ import annotations

import pytest

from tests.games.express_tables import EXPRESS, act, after, faces, gains, table, track
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.games.express import furthest_back
from wuerfel_tui.games.express_parts import (
    DARK_BLUE,
    GREEN,
    RED,
    YELLOW,
    EndTurn,
    Reroll,
    Returned,
    Rolled,
    SlidBack,
    Spared,
    State,
    Steal,
    Stole,
    Stop,
    Stopped,
    Take,
    Took,
    TurnEnded,
)

# E6: gains


def test_anna_takes_the_red_two_for_lack_of_the_red_three_e6():
    state = table("", "R3", dice="RRRGGBL")
    assert gains(state) == [Take(RED, 2), Take(GREEN, 2)]
    _, state = act(state, Take(RED, 2))
    events, state = act(state, Take(GREEN, 2))
    assert events == [Took(GREEN, 2), TurnEnded(1)]
    assert state.tracks[0] == track("R2 G2")


def test_anna_has_three_red_dice_in_vain_if_the_red_two_is_gone_too_e6():
    assert gains(table("", "R3", "R2", dice="RRRGGBL")) == [Take(GREEN, 2)]


def test_the_matching_piece_is_the_only_one_while_the_display_has_it_e6():
    assert gains(table("", "", dice="RRRRYGB")) == [Take(RED, 4)]


def test_any_shorter_piece_will_do_if_the_matching_one_is_gone_e6():
    assert gains(table("", "R4", dice="RRRRYGB")) == [Take(RED, 2), Take(RED, 3)]
    assert gains(table("", "R4", missing="R2", dice="RRRRYGB")) == [Take(RED, 3)]


def test_seven_dice_of_a_colour_bring_any_piece_of_it_e6():
    assert gains(table("", "", dice="RRRRRRR")) == [Take(RED, length) for length in (2, 3, 4, 5, 6)]


def test_no_longer_piece_is_ever_gained_e6():
    assert gains(table("", "", dice="RRYYYGB", missing="Y3 Y2 R2")) == []


def test_one_die_of_a_colour_brings_nothing_e6():
    assert gains(table("", "", dice="RYGBLW")) == []


def test_a_colour_that_the_track_holds_cannot_be_gained_e6():
    assert gains(table("R2", "R4 G2", dice="RRRRYYG")) == [Take(YELLOW, 2)]


def test_one_piece_a_colour_and_turn_e6():
    _, state = act(table("", "", dice="RRRRRRR"), Take(RED, 2))
    assert state.turn == 1


def test_the_rearmost_piece_can_be_stolen_by_as_many_dice_or_more_e6():
    tracks = "", "G2 B3", "G4 B2"
    assert Steal(1) not in gains(table(*tracks, dice="GYYRRLL"))
    assert Steal(1) in gains(table(*tracks, dice="GGYYRRL"))
    assert Steal(1) in gains(table(*tracks, dice="GGGYYRR"))
    assert Steal(2) not in gains(table(*tracks, dice="GGGYYRR"))
    assert Steal(2) in gains(table(*tracks, dice="GGGGYYR"))


def test_only_the_rearmost_piece_can_be_stolen_e6():
    assert gains(table("", "G2 B3", dice="BBBYRLW")) == [Take(DARK_BLUE, 2)]


def test_a_lone_piece_cannot_be_stolen_e6():
    assert gains(table("", "G2", dice="GGYRBLW")) == []


def test_a_theft_does_not_ask_whether_the_display_has_a_match_e6():
    assert gains(table("", "G2 B2", dice="GGGYRLW")) == [Take(GREEN, 3), Steal(1)]


def test_a_held_colour_cannot_be_stolen_e6():
    assert gains(table("G3", "G2 B2", dice="GGGYYLW")) == [Take(YELLOW, 2)]


def test_a_colour_is_taken_or_stolen_but_not_both_e6():
    state = table("", "G2 B2", dice="GGGYYLW")
    _, taken = act(state, Take(GREEN, 3))
    assert gains(taken) == [Take(YELLOW, 2), EndTurn()]
    _, stolen = act(state, Steal(1))
    assert gains(stolen) == [Take(YELLOW, 2), EndTurn()]


def test_one_theft_a_victim_and_turn_but_several_victims_e6():
    state = table("", "G2 B2 L2", "Y2 W2", dice="GGYYRRB")
    _, state = act(state, Steal(1))
    assert state.robbed == (1,)
    assert gains(state) == [Take(RED, 2), Steal(2), EndTurn()]
    _, state = act(state, Steal(2))
    assert state.robbed == (1, 2)


def test_cecilia_steals_bens_green_two_and_takes_the_red_three_e6_e8():
    state = table("B4 W2", "G2 L6", "", dice="RRRGGGY")
    assert gains(state) == [Take(RED, 3), Take(GREEN, 3), Steal(1)]
    events, state = act(state, Steal(1))
    assert events == [Stole(1, GREEN, 2, slid=True)]
    assert state.tracks[1] == track("L6")
    assert state.tracks[1].front == 8 - 2
    events, state = act(state, Take(RED, 3))
    assert events == [Took(RED, 3), TurnEnded(1)]
    assert state.tracks[0] == track("B4 W2 G2 R3")
    assert state.display[GREEN] == (3, 4, 5, 6)


def test_pieces_are_attached_in_the_players_own_order_e6():
    state = table("", "", dice="RRYYYGB")
    _, red_first = act(act(state, Take(RED, 2))[1], Take(YELLOW, 3))
    _, yellow_first = act(act(state, Take(YELLOW, 3))[1], Take(RED, 2))
    assert red_first.tracks[0] == track("R2 Y3")
    assert yellow_first.tracks[0] == track("Y3 R2")


def test_a_second_theft_from_the_same_victim_must_wait_for_another_turn_e6():
    state = table("", "G2 B2 L2", dice="GGBBRRY")
    assert Steal(1) in gains(state)
    _, state = act(state, Steal(1))
    assert state.tracks[1].pieces[0].colour == DARK_BLUE
    assert gains(state) == [Take(RED, 2), EndTurn()]


# E7: how a turn ends


def test_the_turn_may_be_ended_only_after_a_gain_e7():
    state = table("", "", dice="RRYYYGB")
    assert EndTurn() not in gains(state)
    _, state = act(state, Take(RED, 2))
    assert gains(state) == [Take(YELLOW, 3), EndTurn()]
    events, state = act(state, EndTurn())
    assert events == [TurnEnded(1)]


def test_the_turn_ends_by_itself_when_nothing_more_can_be_gained_e7():
    events, _ = act(table("", "", dice="RRYGBLW"), Take(RED, 2))
    assert events == [Took(RED, 2), TurnEnded(1)]


def test_a_new_turn_starts_afresh_and_the_rounds_are_counted():
    _, state = act(table("", "G2 B2", dice="GGYYRRW", turn=0), Steal(1))
    _, state = act(state, EndTurn())
    fresh = State(state.tracks, state.display, turn=1, number=2, phase="start")
    assert state == fresh
    assert (state.number, state.round) == (2, 1)
    assert after(state, [TurnEnded(0)]).round == 2


# E8: what a theft does to the victim


def test_a_robbed_track_slides_back_and_its_rear_stays_e8():
    events, state = act(table("R2", track("G3 B4 L2", rear=5), dice="GGGYYWB"), Steal(1))
    assert events == [Stole(1, GREEN, 3, slid=True)]
    assert state.tracks[1] == track("B4 L2", rear=5)
    assert state.tracks[1].front == 13 - 3


def test_a_track_at_space_1_slides_too_for_its_rearmost_piece_is_gone_e8():
    _, state = act(table("R2", "G3 B4", dice="GGGYYWB"), Steal(1))
    assert state.tracks[1] == track("B4", rear=1)


def test_whoever_is_furthest_back_does_not_slide_e8():
    events, state = act(table("R6 W5", track("G3 B2", rear=2), dice="GGGYYLB"), Steal(1))
    assert events[0] == Stole(1, GREEN, 3, slid=False)
    assert state.tracks[1] == track("B2", rear=5)
    assert state.tracks[1].front == 6


def test_all_who_are_tied_are_furthest_back_e8():
    tracks = track("R6"), track("G2 B4"), track("Y3 L3"), track("W2 B5")
    assert [furthest_back(tracks, seat) for seat in range(4)] == [True, True, True, False]
    events, _ = act(table("R6", "G2 B4", "Y3 L3", dice="GGGYYYB"), Steal(2))
    assert events[0] == Stole(2, YELLOW, 3, slid=False)


def test_furthest_back_is_judged_after_what_the_thief_has_attached_already_e8():
    state = table("R4", "G2 B4", dice="GGYYWLB")
    events, _ = act(state, Steal(1))
    assert events[0] == Stole(1, GREEN, 2, slid=True)
    _, passed = act(state, Take(YELLOW, 2))
    events, _ = act(passed, Steal(1))
    assert events[0] == Stole(1, GREEN, 2, slid=False)


def test_furthest_back_is_judged_again_for_each_theft_e8():
    state = table("R6 L6", "G4 B4", "Y3 W4", dice="GGGGYYY")
    assert furthest_back(state.tracks, 2)
    events, state = act(state, Steal(1))
    assert events == [Stole(1, GREEN, 4, slid=True)]
    events, _ = act(state, Steal(2))
    assert events[0] == Stole(2, YELLOW, 3, slid=True)


# E9: nothing gained


def test_the_frontmost_piece_goes_back_to_the_display_e9():
    events, state = act(table("R2 Y3", "B2", dice="RYGBLWR", rolls=2), Reroll((6,)), "Y")
    assert events == [Rolled(faces("RYGBLWY"), thrown=(6,)), Returned(YELLOW, 3), TurnEnded(1)]
    assert state.tracks[0] == track("R2")
    assert state.display[YELLOW] == (2, 3, 4, 5, 6)


def test_the_rear_stays_when_the_frontmost_piece_goes_e9():
    _, state = act(table(track("R2 Y3", rear=7), "B2", dice="RYGBLWR", rolls=1), Stop())
    assert state.tracks[0] == track("R2", rear=7)


def test_dieters_lone_piece_slides_back_by_its_length_e9():
    events, state = act(table(track("R3", rear=6), "B2", dice="RYGBLWR", rolls=1), Stop())
    assert events == [Stopped(), SlidBack(3), TurnEnded(1)]
    assert state.tracks[0] == track("R3", rear=3)


@pytest.mark.parametrize(("rear", "spaces"), [(5, 3), (4, 3), (3, 2), (2, 1), (1, 0)])
def test_a_lone_piece_never_slides_below_space_1_e9(rear: int, spaces: int):
    events, state = act(table(track("R3", rear=rear), "B2", dice="RYGBLWR", rolls=1), Stop())
    assert events == [Stopped(), SlidBack(spaces), TurnEnded(1)]
    assert state.tracks[0].rear == rear - spaces >= 1


def test_whoever_is_furthest_back_is_spared_e9():
    before = table("R2 Y3", "B6", dice="RYGBLWR", rolls=1)
    events, state = act(before, Stop())
    assert events == [Stopped(), Spared(), TurnEnded(1)]
    assert state.tracks == before.tracks


def test_tied_for_furthest_back_is_spared_too_e9():
    events, _ = act(table("R3", "B3", "W6", dice="RYGBLWR", rolls=1), Stop())
    assert events == [Stopped(), Spared(), TurnEnded(1)]


def test_an_empty_track_has_nothing_to_lose_e9():
    events, state = act(table("", "", dice="RYGBLW", rolls=1), Stop())
    assert events == [Stopped(), Spared(), TurnEnded(1)]
    assert state.tracks[0] == track("")


# E10: the end


def test_the_game_goes_on_at_space_29_e10():
    _, state = act(table(track("Y2", rear=26), "B2", dice="RRGGWLB"), Take(RED, 2))
    assert state.tracks[0].front == 29
    assert EXPRESS.outcome(state) is None


@pytest.mark.parametrize("rear", [27, 28])
def test_reaching_or_passing_space_30_ends_the_game_in_the_middle_of_a_turn_e10(rear: int):
    events, state = act(table(track("Y2", rear=rear), "B2", dice="RRGGWLB"), Take(RED, 2))
    assert events == [Took(RED, 2)]
    assert EXPRESS.outcome(state) == Outcome(
        (1, 2), f"The finish was reached with a front on space {rear + 3}."
    )
    assert EXPRESS.actors(state) == ()
    assert EXPRESS.legal(state, 0) == ()


def test_a_victim_slides_before_the_last_piece_is_attached_e10():
    thief, victim, third = track("Y2", rear=26), track("G3 B4", rear=18), track("W3", rear=20)
    state = table(thief, victim, third, dice="GGGRLBY")
    assert state.tracks[1].front > state.tracks[2].front
    events, state = act(state, Steal(1))
    assert events == [Stole(1, GREEN, 3, slid=True)]
    assert [each.front for each in state.tracks] == [30, 21, 22]
    outcome = EXPRESS.outcome(state)
    assert outcome is not None
    assert outcome.places == (1, 3, 2)


def test_equal_fronts_share_a_place_e10():
    state = table("B4", track("Y2", rear=28), "L4", "W2", turn=1, dice="RRGGWLB")
    outcome = EXPRESS.outcome(act(state, Take(RED, 2))[1])
    assert outcome is not None
    assert outcome.places == (2, 1, 2, 4)


def test_a_winning_theft_from_whoever_is_furthest_back_leaves_their_front_e8_e10() -> None:
    state = table(track("Y2", rear=26), track("G3 B4", rear=2), track("W3", rear=20), dice="GGGRLBY")
    events, state = act(state, Steal(1))
    assert events == [Stole(1, GREEN, 3, slid=False)]
    assert [each.front for each in state.tracks] == [30, 8, 22]
    assert EXPRESS.outcome(state).places == (1, 3, 2)


def test_seven_dice_of_a_colour_can_steal_too_e6() -> None:
    assert gains(table("", "R6 B2", missing="R2 R3 R4 R5", dice="RRRRRRR")) == [Steal(1)]
