"""Wurf & Weg: what holds whoever acts when, and one whole game."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.wurf_weg_tables import COIN, HAND, PIG, RULES, Table
from wuerfel_tui.games.core import IllegalAction, Outcome
from wuerfel_tui.games.wurf_weg_parts import (
    CARDS,
    NO_CARD,
    AnyAction,
    AnyEvent,
    Charm,
    Drew,
    Options,
    Place,
    Player,
    Ready,
    Rewarded,
    Roll,
    State,
    Stop,
)

EVERY_ACTION: tuple[AnyAction, ...] = (Ready(), Roll(), *(Place(symbol) for symbol in range(-2, 8)))

options = st.builds(
    Options,
    pace=st.sampled_from([300, 700, 3000]),
    auto_place=st.booleans(),
    until_empty=st.booleans(),
    ready_limit=st.just(5000),
    roll_limit=st.sampled_from([5000, 15_000]),
)
attempts = st.lists(
    st.tuples(st.sampled_from([0, 0, 1, 99, 300, 699, 700, 5000]), st.integers(0, 5), st.integers(0, 40)),
    min_size=30,
    max_size=90,
)
"""Milliseconds that pass, then who tries what: one of all actions, or (from their number on) one of the legal ones."""


@st.composite
def races(draw: st.DrawFn) -> State:
    """A race in full swing in any round of the game: any cards, any dice."""
    seats, chosen = draw(st.integers(2, 6)), draw(options)
    cards = draw(st.permutations(range(len(CARDS))))
    most = (len(CARDS) - seats) // seats if chosen.until_empty else 2
    players = [
        Player(
            card, draw(st.integers(0, most)), tuple(hand), draw(st.integers(0 if hand else 1, 3 - len(hand)))
        )
        for card, hand in zip(cards[:seats], draw(hands(seats)), strict=True)
    ]
    left = len(CARDS) - seats - sum(player.won for player in players)
    depot = 3 * seats - sum(player.dice for player in players)
    charm = draw(st.integers(0, 5))
    pile = tuple(sorted(cards[seats : seats + left]))
    return State(chosen, "race", tuple(players), pile, round=1, charm=charm, depot=depot)


def hands(seats: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(st.integers(0, 5), max_size=3), min_size=seats, max_size=seats)


def attempt(state: State, seat: int, choice: int) -> AnyAction:
    legal = RULES.legal(state, seat)
    if choice < len(EVERY_ACTION) or not legal:
        return EVERY_ACTION[choice % len(EVERY_ACTION)]
    return legal[choice % len(legal)]


def check(state: State, now: int) -> None:
    """What holds on every board."""
    players = state.players
    assert state.depot + sum(player.dice for player in players) == 3 * len(players)
    held = [*state.pile, *(player.card for player in players if player.card != NO_CARD)]
    assert len(held) == len(set(held)) == len(CARDS) - sum(player.won for player in players)
    flights = [players[seat].lands for seat in state.air]
    assert sorted(flights) == flights == sorted(p.lands for p in players if p.lands is not None)
    assert RULES.actors(state) == tuple(seat for seat in range(len(players)) if RULES.legal(state, seat))
    due = RULES.due(state)
    assert due is None or due > now
    if state.phase == "over":
        assert (RULES.actors(state), due) == ((), None)
        return
    assert RULES.actors(state) or due is not None
    if state.phase == "race":
        assert all(player.dice for player in players)
    for seat, player in enumerate(players):
        if player.lands is not None:
            assert RULES.legal(state, seat) == ()
            assert player.until is None
        if state.phase == "last" and player.lands is None:
            assert state.charm not in player.hand
            assert (player.until is not None) == bool(player.rolls and player.dice)


@settings(max_examples=150, deadline=None)
@given(races(), attempts, st.integers(0, 999))
def test_whoever_acts_when_the_engine_takes_what_is_legal_and_keeps_every_die_and_card(
    state: State, attempts: list[tuple[int, int, int]], seed: int
):
    dice = Random(seed).randrange
    now, seats = 10_000, len(state.players)
    for passed, seat, choice in attempts:
        now += passed
        state = follow(state, RULES.elapse(state, dice, now))
        check(state, now)
        state = follow(state, try_out(state, seat % seats, attempt(state, seat % seats, choice), dice, now))
        check(state, now)


def follow(state: State, events: Any) -> State:
    for event in events:
        state = RULES.evolve(state, event)
    return state


def try_out(state: State, seat: int, action: AnyAction, dice: Any, now: int) -> list[AnyEvent]:
    """The events of an action; none if it is refused, which happens exactly when it is not legal, and costs no die."""
    thrown: list[int] = []

    def counted(n: int) -> int:
        thrown.append(n)
        return dice(n)

    try:
        events = RULES.decide(state, seat, action, counted, now)
    except IllegalAction:
        assert action not in RULES.legal(state, seat)
        assert not thrown
        return []
    assert action in RULES.legal(state, seat)
    return list(events)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), options, st.integers(0, 999))
def test_everybody_who_acts_somehow_comes_to_an_end_that_the_wire_repeats(
    seats: int, options: Options, seed: int
):
    rng = Random(seed)
    now, state = 0, RULES.new(seats, options)
    replica = state
    events = list(RULES.begin(state, rng.randrange))
    for _ in range(20_000):
        state = follow(state, events)
        sent = msgspec.msgpack.encode(events)
        replica = follow(replica, msgspec.msgpack.decode(sent, type=list[RULES.Event]))
        if (outcome := RULES.outcome(state)) is not None:
            break
        now += rng.choice((1, 50, 400))
        events = list(RULES.elapse(state, rng.randrange, now))
        if not events and (actors := RULES.actors(state)):
            seat = rng.choice(actors)
            action = rng.choice(RULES.legal(state, seat))
            events = list(RULES.decide(state, seat, action, rng.randrange, now))
    assert msgspec.msgpack.encode(replica) == msgspec.msgpack.encode(state)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State) == state
    assert outcome is not None
    assert min(outcome.places) == 1
    most = max(player.won for player in state.players)
    assert all(
        (place == 1) == (player.won == most)
        for place, player in zip(outcome.places, state.players, strict=True)
    )
    assert options.until_empty or most == 3


def test_one_player_always_quick_and_lucky_wins_in_three_rounds():
    table = Table(RULES.new(2, Options()), now=0)
    table.script = [0, 0, COIN]
    table.follow(RULES.begin(table.state, table.dice))
    table.waits(0)
    for last_round in (False, False, True):
        table.does(1, Ready())
        table.does(0, Ready())
        table.waits(3000)
        table.does(0, Roll(), COIN, PIG, COIN)
        table.does(1, Roll(), HAND, HAND, HAND)
        table.waits(700)
        table.does(0, Place(COIN))
        table.does(0, Roll(), COIN)
        table.waits(700)
        assert isinstance(table.does(0, Place(COIN))[-1], Stop)
        for _ in range(2):
            table.does(1, Roll(), HAND, HAND, HAND)
            table.waits(700)
        table.does(1, Roll(), HAND, HAND, HAND)
        events = table.waits(700, *(() if last_round else (0, COIN)))
        kinds = [type(event) for event in events[1:]]
        assert kinds == ([Rewarded] if last_round else [Rewarded, Drew, Charm])
    assert RULES.outcome(table.state) == Outcome((1, 2), "The third card has been turned face down.")
