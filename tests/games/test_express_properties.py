"""Würfel Express: what holds in every game, whatever the dice and the players do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.express_tables import EXPRESS, no_dice
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games.core import Dice, IllegalAction
from wuerfel_tui.games.express_parts import (
    LENGTHS,
    AnyAction,
    AnyEvent,
    EndTurn,
    Options,
    Piece,
    Reroll,
    Returned,
    Roll,
    SlidBack,
    State,
    Steal,
    Stole,
    Stop,
    Take,
    TakeBack,
    Took,
)
from wuerfel_tui.simulate import dice_of, play

ALL_PIECES = sorted((colour, length) for colour in range(6) for length in LENGTHS)


def states_and_events(seed: int, seats: int, levels: list[str]) -> Iterator[tuple[State, AnyEvent, State]]:
    """A whole game: every event with the states before and after it."""
    rng = Random(seed)
    bots = [BOTS["express"][levels[seat % len(levels)]] for seat in range(seats)]
    state = EXPRESS.new(seats, Options())
    for step in play(EXPRESS, seats, Options(), bots, dice_of(rng), rng).steps:
        for event in step.events:
            before, state = state, EXPRESS.evolve(state, event)
            yield before, event, state


games = st.builds(
    lambda *game: list(states_and_events(*game)),
    st.integers(0, 2**32),
    st.integers(2, 6),
    st.sampled_from([["random"], ["easy"], ["random", "easy"]]),
)


def pieces_of(state: State) -> list[tuple[int, int]]:
    """Every piece in the game and out of it, as colour and length, sorted."""
    pieces = [*state.removed, *(piece for track in state.tracks for piece in track.pieces)]
    display = [(colour, length) for colour, lengths in enumerate(state.display) for length in lengths]
    return sorted([*display, *((piece.colour, piece.length) for piece in pieces)])


@given(games)
@settings(max_examples=30, deadline=None)
def test_no_piece_appears_or_disappears_e1_e2(game: list[tuple[State, AnyEvent, State]]):
    removed = {2: 6, 3: 4}.get(len(game[0][0].tracks), 0)
    for _, _, state in game:
        assert pieces_of(state) == ALL_PIECES
        assert len(state.removed) == removed
        assert all(list(lengths) == sorted(lengths) for lengths in state.display)


@given(games)
@settings(max_examples=30, deadline=None)
def test_a_track_never_holds_a_colour_twice_and_begins_at_space_1_or_beyond(
    game: list[tuple[State, AnyEvent, State]],
):
    for _, _, state in game:
        for track in state.tracks:
            colours = [piece.colour for piece in track.pieces]
            assert len(set(colours)) == len(colours)
            assert track.rear >= 1
            assert track.pieces or track.rear == 1


def moved(before: State, event: AnyEvent) -> dict[int, int]:
    """By seat, how far an event moves its front."""
    match event:
        case Took(length=length):
            return {before.turn: length}
        case Stole(victim=victim, length=length, slid=slid):
            return {before.turn: length, victim: -length if slid else 0}
        case Returned(length=length):
            return {before.turn: -length}
        case SlidBack(spaces=spaces):
            return {before.turn: -spaces}
        case _:
            return {}


@given(games)
@settings(max_examples=30, deadline=None)
def test_a_front_moves_only_as_a_rule_says(game: list[tuple[State, AnyEvent, State]]):
    for before, event, state in game:
        for seat, (was, now) in enumerate(zip(before.tracks, state.tracks, strict=True)):
            assert now.front == was.front + moved(before, event).get(seat, 0)


@given(games)
@settings(max_examples=30, deadline=None)
def test_the_game_ends_the_moment_a_front_reaches_space_30_and_not_before_e10(
    game: list[tuple[State, AnyEvent, State]],
):
    *earlier, (_, _, last) = game
    assert all(track.front < 30 for _, _, state in earlier for track in state.tracks)
    assert max(track.front for track in last.tracks) == last.tracks[last.turn].front >= 30
    outcome = EXPRESS.outcome(last)
    assert outcome is not None
    assert outcome.places[last.turn] == 1
    by_place = sorted(zip(outcome.places, [-track.front for track in last.tracks], strict=True))
    for (place, front), (next_place, next_front) in pairwise(by_place):
        assert (place == next_place) == (front == next_front)


def actions_by_the_book(state: State) -> set[AnyAction]:
    """Every action that the rulings allow in a turn, spelt out without regard to speed."""
    own, rolls = state.tracks[state.turn], range(len(state.dice))
    if state.rolls == 0:
        return {Roll(), *(TakeBack(count) for count in range(1, len(own.pieces)))}
    if state.phase == "rolling":
        return {Stop(), *(Reroll(dice) for size in rolls for dice in combinations(rolls, size + 1))}
    held = {piece.colour for piece in own.pieces}
    display = {Piece(colour, length) for colour, lengths in enumerate(state.display) for length in lengths}

    def shown(colour: int) -> int:
        return state.dice.count(colour)

    takes = {
        Take(piece.colour, piece.length)
        for piece in display
        if piece.colour not in held
        and piece.length <= shown(piece.colour)
        and (piece.length == shown(piece.colour) or Piece(piece.colour, shown(piece.colour)) not in display)
    }
    thefts = {
        Steal(victim)
        for victim, track in enumerate(state.tracks)
        if victim != state.turn
        and victim not in state.robbed
        and len(track.pieces) >= 2
        and track.pieces[0].colour not in held
        and track.pieces[0].length <= shown(track.pieces[0].colour)
    }
    return takes | thefts | ({EndTurn()} if state.gained else set())


@given(games)
@settings(max_examples=30, deadline=None)
def test_the_legal_actions_are_those_of_the_book(game: list[tuple[State, AnyEvent, State]]):
    for _, _, state in game:
        for seat in EXPRESS.actors(state):
            legal = EXPRESS.legal(state, seat)
            assert len(set(legal)) == len(legal)
            assert set(legal) == actions_by_the_book(state)


CONCEIVABLE: list[AnyAction] = [
    *(Roll(), Stop(), EndTurn()),
    *(TakeBack(count) for count in range(-1, 8)),
    *(Reroll(dice) for size in range(4) for dice in combinations(range(-1, 8), size)),
    *(Reroll(dice) for dice in [(1, 0), (2, 2), (0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6, 7)]),
    *(Take(colour, length) for colour in range(-1, 7) for length in range(-1, 9)),
    *(Steal(victim) for victim in range(-7, 8)),
]


def accepted(state: State, seat: int, action: AnyAction, dice: Dice) -> bool:
    try:
        EXPRESS.decide(state, seat, action, dice, 0)
    except IllegalAction:
        return False
    return True


@given(games, st.data())
@settings(max_examples=40, deadline=None)
def test_every_legal_action_is_accepted_and_every_other_refused(
    game: list[tuple[State, AnyEvent, State]], data: st.DataObject
):
    state = data.draw(st.sampled_from([state for _, _, state in game if EXPRESS.actors(state)]))
    for seat in range(len(state.tracks)):
        legal = set(EXPRESS.legal(state, seat))
        for action in {*CONCEIVABLE, *legal}:
            dice = (lambda n: 0) if action in legal else no_dice
            assert accepted(state, seat, action, dice) == (action in legal)
