"""Würfel Express, ruling by ruling: what is on the table, tracks, taking back and rolling (E1-E5)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.express_tables import EXPRESS, act, after, faces, gains, no_dice, pieces, table, track
from wuerfel_tui.games.express_parts import (
    RED,
    WHITE,
    YELLOW,
    Options,
    Reroll,
    Returned,
    Roll,
    Rolled,
    SetUp,
    SlidBack,
    Stop,
    Stopped,
    Take,
    TakeBack,
    TookBack,
    TurnEnded,
)

# E1 and E2: what is on the table


def set_up(seats: int, fall: int, first: int = 0) -> SetUp:
    """How a game is set up if the only die falls like this."""
    events = EXPRESS.begin(EXPRESS.new(seats, Options(first=first)), lambda n: fall)
    assert isinstance(events[0], SetUp)
    return events[0]


def test_every_colour_is_there_once_in_every_length_e1():
    display = EXPRESS.new(4, Options()).display
    assert display == ((2, 3, 4, 5, 6),) * 6


def test_seven_dice_are_rolled_e1():
    events, state = act(table("", ""), Roll(), "RYGBLWR")
    assert events == [Rolled(faces("RYGBLWR"), thrown=(0, 1, 2, 3, 4, 5, 6))]
    assert state.dice == faces("RYGBLWR")


def test_two_players_lose_three_twos_and_three_threes_of_six_colours_e2():
    for fall in range(20):
        removed = set_up(2, fall).removed
        assert Counter(piece.length for piece in removed) == {2: 3, 3: 3}
        assert {piece.colour for piece in removed} == set(range(6))


def test_three_players_lose_two_twos_and_two_threes_of_four_colours_e2():
    for fall in range(90):
        removed = set_up(3, fall).removed
        assert Counter(piece.length for piece in removed) == {2: 2, 3: 2}
        assert len({piece.colour for piece in removed}) == 4


@pytest.mark.parametrize(("seats", "choices"), [(2, 20), (3, 90)])
def test_one_even_draw_decides_among_all_choices_e2(seats: int, choices: int):
    sizes: list[int] = []
    EXPRESS.begin(EXPRESS.new(seats, Options(first=0)), lambda n: sizes.append(n) or 0)
    assert sizes == [choices]
    assert len({frozenset(set_up(seats, fall).removed) for fall in range(choices)}) == choices


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_four_players_and_more_lose_nothing_e2(seats: int):
    events = EXPRESS.begin(EXPRESS.new(seats, Options(first=0)), no_dice)
    assert events == (SetUp((), first=0),)


def test_removed_pieces_are_not_in_the_display_e2():
    state = after(EXPRESS.new(2, Options(first=0)), [SetUp(pieces("R2 Y2 G2 B3 L3 W3"), first=0)])
    assert state.display == ((3, 4, 5, 6),) * 3 + ((2, 4, 5, 6),) * 3
    assert state.removed == pieces("R2 Y2 G2 B3 L3 W3")


def test_the_chosen_seat_begins():
    state = EXPRESS.new(4, Options(first=2))
    state = after(state, EXPRESS.begin(state, no_dice))
    assert EXPRESS.actors(state) == (2,)


def test_the_dice_decide_who_begins_if_nobody_was_chosen():
    state = EXPRESS.new(4, Options())
    assert EXPRESS.begin(state, lambda n: n - 1) == (SetUp((), first=3),)


def test_nobody_can_act_before_the_game_has_begun():
    state = EXPRESS.new(4, Options(first=2))
    assert EXPRESS.actors(state) == ()
    assert EXPRESS.legal(state, 2) == ()


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_it_is_for_two_to_six(seats: int):
    with pytest.raises(ValueError, match="Würfel Express is for 2 to 6 players"):
        EXPRESS.new(seats, Options())


def test_a_seat_that_is_not_there_cannot_begin():
    with pytest.raises(ValueError, match="counted from 0"):
        Options(first=-1)
    with pytest.raises(ValueError, match="the seats are 0 to 2"):
        EXPRESS.new(3, Options(first=3))


# E3: tracks


def test_a_front_is_the_last_space_that_the_track_covers_e3():
    assert track("").front == 0
    assert track("R3").front == 3
    assert track("R3 G2 Y4").front == 9
    assert track("B5 W2", rear=4).front == 10


def test_the_first_piece_begins_at_space_1_e3():
    _, state = act(table("", "", dice="RRRYGBL"), Take(RED, 3))
    assert state.tracks[0] == track("R3", rear=1)


# E4: taking back


def test_ben_takes_white_and_red_back_and_rolls_five_dice_e4():
    state = table(track("W2 R3 B4 L2 Y5", rear=3), "G2")
    events, state = act(state, TakeBack(2))
    assert events == [TookBack(pieces("W2 R3"))]
    assert state.tracks[0] == track("B4 L2 Y5", rear=8)
    assert state.display[WHITE] == state.display[RED] == (2, 3, 4, 5, 6)
    events, _ = act(state, Roll(), "GGRWB")
    assert events == [Rolled(faces("GGRWB"), thrown=(0, 1, 2, 3, 4))]


def test_taking_back_does_not_move_the_front_e4():
    state = table(track("W2 R3 B4", rear=3), "G2")
    _, taken = act(state, TakeBack(2))
    assert taken.tracks[0].front == state.tracks[0].front == 11


def test_pieces_may_be_taken_back_one_by_one_e4():
    state = table(track("W2 R3 B4", rear=3), "G2")
    _, at_once = act(state, TakeBack(2))
    _, one = act(state, TakeBack(1))
    _, one_by_one = act(one, TakeBack(1))
    assert one_by_one == at_once


def test_one_piece_stays_e4():
    assert gains(table("W2 R3 B4", "")) == [Roll(), TakeBack(1), TakeBack(2)]
    assert gains(table("W2", "")) == [Roll()]
    assert gains(table("", "")) == [Roll()]


def test_a_piece_just_taken_back_can_be_attached_again_in_front_e4():
    _, state = act(table("W2 R3", ""), TakeBack(1))
    _, state = act(state, Roll(), "WWYGBL")
    _, state = act(state, Stop())
    _, state = act(state, Take(WHITE, 2))
    assert state.tracks[0] == track("R3 W2", rear=3)


def test_in_the_next_turn_all_seven_dice_are_back_e4():
    _, state = act(table("W2 R3", ""), TakeBack(1))
    _, state = act(state, Roll(), "RYGBLW")
    events, state = act(state, Stop())
    assert events[-1] == TurnEnded(1)
    events, _ = act(state, Roll(), "RYGBLWR")
    assert events == [Rolled(faces("RYGBLWR"), thrown=(0, 1, 2, 3, 4, 5, 6))]


# E5: three rolls


def test_only_the_named_dice_are_thrown_again_e5():
    events, state = act(table("", "", dice="RRRYGBL", rolls=1), Reroll((3, 5)), "WR")
    assert events == [Rolled(faces("RRRWGRL"), thrown=(3, 5))]
    assert (state.rolls, state.phase) == (2, "rolling")


def test_dice_kept_earlier_may_be_thrown_in_the_last_roll_e5():
    _, state = act(table("", "", dice="RRRYGBL", rolls=1), Reroll((3, 4, 5, 6)), "RYYB")
    events, _ = act(state, Reroll((0, 1, 2)), "YWW")
    assert events == [Rolled(faces("YWWRYYB"), thrown=(0, 1, 2))]


def test_every_choice_of_dice_can_be_named_and_at_least_one_must_be_e5():
    actions = gains(table("", "", dice="RRRYGBL", rolls=1))
    assert actions[0] == Stop()
    assert len(actions) == 1 + 2**7 - 1
    assert gains(table("R2 Y2", "", dice="RYG", rolls=2)) == [
        Stop(),
        *(Reroll(dice) for dice in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]),
    ]


def test_the_rerolls_on_offer_are_made_once_and_for_all():
    first, second = table("", "", dice="RRRYGBL", rolls=1), table("", "", dice="WWWYGBL", rolls=2)
    assert EXPRESS.legal(first, 0) is EXPRESS.legal(second, 0)


def test_after_the_third_roll_gains_come_by_themselves_e5():
    _, state = act(table("", "", dice="RRRYGBL", rolls=2), Reroll((3, 4, 5, 6)), "YGBL")
    assert (state.rolls, state.phase) == (3, "gaining")
    assert gains(state) == [Take(RED, 3)]


@pytest.mark.parametrize("rolls", [1, 2])
def test_a_player_may_stop_after_any_roll_e5(rolls: int):
    events, state = act(table("", "", dice="RRRYGBL", rolls=rolls), Stop())
    assert events == [Stopped()]
    assert gains(state) == [Take(RED, 3)]


def test_a_player_may_stop_with_nothing_to_gain_and_pays_for_it_e5():
    events, _ = act(table("R2 Y2", "", dice="RRYYGBL", rolls=1), Stop())
    assert events == [Stopped(), Returned(YELLOW, 2), TurnEnded(1)]


def test_a_second_roll_that_brings_nothing_leaves_the_third_e5() -> None:
    events, state = act(table("R2 Y2", "", dice="RYGBLWR", rolls=1), Reroll((6,)), "Y")
    assert [type(event) for event in events] == [Rolled]
    assert (state.rolls, state.phase, state.turn) == (2, "rolling", 0)


def test_the_first_turn_is_number_1_of_round_1() -> None:
    state = EXPRESS.new(4, Options(first=2))
    state = after(state, EXPRESS.begin(state, no_dice))
    assert (state.number, state.round) == (1, 1)


def test_who_took_back_all_but_one_and_gains_nothing_slides_that_one_back_e4_e9() -> None:
    _, state = act(table(track("W2 R3 B4", rear=3), "G2"), TakeBack(2))
    assert state.tracks[0] == track("B4", rear=8)
    _, state = act(state, Roll(), "RYGLW")
    events, state = act(state, Stop())
    assert events == [Stopped(), SlidBack(4), TurnEnded(1)]
    assert state.tracks[0] == track("B4", rear=4)
