"""The bot for Würfel Express: it plays sensibly, and it shows."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.express_tables import EXPRESS, table, track
from wuerfel_tui.bots.express import Easy
from wuerfel_tui.games.express_parts import (
    DARK_BLUE,
    GREEN,
    LIGHT_BLUE,
    RED,
    YELLOW,
    AnyAction,
    Reroll,
    Roll,
    State,
    Steal,
    Stop,
    Take,
    TakeBack,
)
from wuerfel_tui.simulate import simulate


def choice(state: State) -> AnyAction | None:
    return Easy(EXPRESS).choose(state, state.turn, Random(1))


def test_it_keeps_the_dice_that_bring_a_piece_and_rolls_the_others():
    assert choice(table("", "", dice="RRRYYGB", rolls=1)) == Reroll((5, 6))


def test_it_rolls_dice_again_that_its_track_cannot_use():
    assert choice(table("R2", "", dice="RRRYYGB", rolls=1)) == Reroll((0, 1, 2, 5, 6))


def test_it_rolls_dice_again_that_a_shorter_piece_does_not_need():
    assert choice(table("", "R3", dice="RRRYGBL", rolls=2)) == Reroll((2, 3, 4, 5, 6))


def test_it_keeps_a_colour_that_only_a_theft_would_bring():
    state = table("", "R2 Y2", dice="RRYGBLW", rolls=1, missing="R3 R4 R5 R6")
    assert choice(state) == Reroll((2, 3, 4, 5, 6))


def test_without_a_piece_in_sight_it_keeps_the_open_colour_that_shows_most():
    state = table("R2 Y2 L2 W2", "", dice="RYLWGRY", rolls=1)
    assert choice(state) == Reroll((0, 1, 2, 3, 5, 6))


def test_it_stops_when_every_die_is_of_use():
    assert choice(table("", "", dice="RRRYYGG", rolls=1)) == Stop()


def test_it_takes_the_longest_piece():
    assert choice(table("", "", dice="RRYYYYB")) == Take(YELLOW, 4)
    assert choice(table("", "R4", dice="RRRRYYB")) == Take(RED, 3)


def test_it_steals_from_the_leader_if_that_brings_more_than_the_display():
    state = table("W3", "G3 B6", "L2", dice="GGGYYYY")
    assert choice(state) == Steal(1)


def test_it_would_rather_take_a_longer_piece_than_steal_from_whoever_trails():
    state = table("W3", "G2 B2", "L6 Y5", dice="GGGRRWB")
    assert choice(state) == Take(GREEN, 3)


def test_it_does_not_end_its_turn_while_it_can_gain():
    state = table("", "", dice="LLLBBBB")
    state = EXPRESS.evolve(state, EXPRESS.decide(state, 0, Take(DARK_BLUE, 4), lambda n: 0, 0)[0])
    assert choice(state) == Take(LIGHT_BLUE, 3)


def test_it_takes_pieces_back_when_few_colours_are_open_to_it():
    assert choice(table(track("R2 Y2 G3 B2 L4"), "")) == TakeBack(3)
    assert choice(table("R2", "")) == Roll()


def test_it_takes_back_all_it_may_if_even_that_opens_too_few_colours():
    only_two_colours = " ".join(f"{colour}{length}" for colour in "GBLW" for length in range(2, 7))
    assert choice(table("R2 Y2", "", missing=only_two_colours)) == TakeBack(1)
    assert choice(table("R2", "", missing=only_two_colours)) == Roll()


def test_a_colour_is_open_only_if_there_is_a_piece_of_it_to_gain():
    assert choice(table("R2 Y2", "", missing="G2 G3 G4 G5")) == Roll()
    assert choice(table("R2 Y2", "", missing="G2 G3 G4 G5 G6")) == TakeBack(1)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_it_beats_those_who_do_anything(seats: int):
    levels = ["easy"] + ["random"] * (seats - 1)
    assert simulate("express", seats, 40, seed=1, levels=levels).wins[0] >= 36
