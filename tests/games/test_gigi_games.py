"""Gigi Gacker am Würfelacker: what holds in all its games, and how it reads on the wire."""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.gigi_tables import RULES, played
from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.gigi import (
    MORSELS,
    Award,
    Distributed,
    GigiAction,
    Keep,
    Reverse,
    Roll,
    State,
    Swap,
    Use,
    standing,
    totals,
)

counts, seeds = st.integers(2, 5), st.integers(0, 2**32)
CANDIDATES: list[GigiAction] = [
    Roll(),
    *(Keep(value) for value in range(-1, 9)),
    *(Reverse(morsel) for morsel in range(-4, 9)),
    *(Use(morsel) for morsel in range(-4, 9)),
    *(
        Swap(first, second, morsel)
        for first, second, morsel in product(range(-2, 7), range(-2, 7), range(-3, 8))
    ),
]


def accepted(state: State, seat: int, action: GigiAction) -> bool:
    try:
        RULES.decide(state, seat, action, lambda n: n - 1, 0)
    except IllegalAction:
        return False
    return True


@settings(max_examples=40, deadline=None)
@given(counts, seeds)
def test_morsels_are_conserved(seats: int, seed: int) -> None:
    for step in played(seats, seed):
        state = step.state
        used = [morsel for morsel in state.used if morsel is not None]
        lying = [*state.pile, *state.buffet, *state.gone, *used]
        assert sorted(lying + [morsel for morsels in state.collected for morsel in morsels]) == list(MORSELS)


@settings(max_examples=40, deadline=None)
@given(counts, seeds)
def test_everybody_has_three_dice_from_the_first_roll_of_a_round_to_its_end(seats: int, seed: int) -> None:
    for step in played(seats, seed):
        state = step.state
        for seat in range(state.seats):
            dice = state.dice[seat] + state.aside[seat]
            begun = (seat - state.start) % seats < (state.active - state.start) % seats + state.rolled
            assert len(dice) == (3 if state.buffet and (begun or state.turn > 1) else 0)
            assert all(1 <= die <= 6 for die in dice)


@settings(max_examples=40, deadline=None)
@given(counts, seeds)
def test_the_places_of_a_standing_are_all_different_and_no_lower_total_is_ahead(
    seats: int, seed: int
) -> None:
    for step in played(seats, seed):
        state = step.state
        places, sums = standing(state), totals(state)
        assert sorted(places) == list(range(1, len(state.aside) + 1))
        in_order = [total for _, total in sorted(zip(places, sums, strict=True))]
        assert in_order == sorted(sums, reverse=True)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_robo_chicken_never_acts_starts_or_wins_a_tie(seed: int) -> None:
    for step in played(2, seed):
        state = step.state
        assert state.start in (0, 1)
        assert set(RULES.actors(state)) <= {0, 1}
        assert RULES.legal(state, 2) == ()
        assert not accepted(state, 2, Roll())
        if state.buffet:
            assert len(state.aside[2]) == state.turn - 1
            assert (state.dice[2], state.used[2]) == ((), None)
        for event in step.events:
            if isinstance(event, Distributed):
                (chicken,) = (award for award in event.awards if award.seat is None)
                assert all(
                    award.total < chicken.total for award in event.awards if award.place > chicken.place
                )


@settings(max_examples=10, deadline=None)
@given(counts, seeds)
def test_legal_lists_exactly_what_decide_accepts(seats: int, seed: int) -> None:
    for step in Random(seed).sample(played(seats, seed), 10):
        for seat in range(-1, seats + 1):
            legal = RULES.legal(step.state, seat)
            assert len(set(legal)) == len(legal)
            assert {action for action in CANDIDATES if accepted(step.state, seat, action)} == set(legal)


def test_actions_and_events_explain_themselves_on_the_wire() -> None:
    assert msgspec.to_builtins(Swap(0, 3, -2)) == {"do": "swap", "first": 0, "second": 3, "morsel": -2}
    assert msgspec.to_builtins(Distributed((Award(None, 9, 1, 4),))) == {
        "is": "distributed",
        "awards": ({"seat": None, "total": 9, "place": 1, "morsel": 4},),
    }
