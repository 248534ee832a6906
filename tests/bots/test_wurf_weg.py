"""The bots for Wurf & Weg: a person's eyes and hands."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.games.wurf_weg_tables import (
    CAT_COIN,
    CLOVER,
    CLOVER_PIG,
    COIN,
    HAND,
    PIG,
    RULES,
    player,
    race,
    stopped,
)
from wuerfel_tui.bots.wurf_weg import AtRandom, Easy
from wuerfel_tui.games.wurf_weg_parts import BLANK, Options, Place, Ready, Roll, State
from wuerfel_tui.simulate import simulate

EASY, RANDOM = Easy(RULES), AtRandom(RULES)
OTHER = player(CAT_COIN, HAND)


def racing(*hand: int, on_card: int = 0) -> State:
    """A race in which seat 0 has this hand, the card with clover and pig, and the coin is the charm."""
    return race(player(CLOVER_PIG, *hand, on_card=on_card), OTHER, charm=COIN).state


def choices(state: State, seat: int = 0) -> Counter[object]:
    rng = Random(1)
    return Counter(EASY.choose(state, seat, rng) for _ in range(1000))


def test_it_places_what_belongs_somewhere_in_any_order_and_overlooks_it_at_times():
    counts = choices(racing(COIN, PIG, HAND))
    assert counts.keys() == {Place(COIN), Place(PIG), Roll()}
    assert min(counts[Place(COIN)], counts[Place(PIG)]) > 350
    assert 60 < counts[Roll()] < 180


def test_it_rolls_what_belongs_nowhere():
    assert choices(racing(HAND, HAND)).keys() == {Roll()}
    assert choices(racing(BLANK, BLANK, BLANK)).keys() == {Roll()}
    assert choices(racing(on_card=2)).keys() == {Roll()}


def test_it_uses_its_last_rolls():
    assert choices(stopped(player(CLOVER_PIG, CLOVER, PIG), charm=COIN).state, 1).keys() == {Roll()}


def test_it_waits_while_its_dice_tumble_and_when_it_has_nothing_to_do():
    table = race(player(CLOVER_PIG, HAND), OTHER, charm=COIN)
    table.does(0, Roll(), PIG)
    assert choices(table.state).keys() == {None}
    assert choices(stopped(player(CLOVER_PIG, HAND), charm=COIN).state, 0).keys() == {None}


def test_it_is_ready_for_every_round():
    state = RULES.new(2, Options())
    for event in RULES.begin(state, Random(1).randrange):
        state = RULES.evolve(state, event)
    assert choices(state).keys() == {Ready()}


@pytest.mark.parametrize(
    ("state", "low", "high"),
    [
        (racing(BLANK, BLANK, BLANK), 200, 600),
        (racing(HAND), 390, 940),
        (racing(HAND, PIG, COIN), 470, 1020),
        (racing(on_card=1), 300, 700),
    ],
)
def test_it_takes_a_persons_time_which_is_never_twice_the_same(state: State, low: int, high: int):
    rng = Random(1)
    pauses = [EASY.pause(state, 0, rng) for _ in range(500)]
    assert low <= min(pauses)
    assert max(pauses) <= high
    assert max(pauses) - min(pauses) > (high - low) / 2


def test_who_does_anything_is_slower():
    rng = Random(1)
    state = racing(HAND, PIG, COIN)
    slow = sum(RANDOM.pause(state, 0, rng) for _ in range(200))
    assert slow > 1.3 * sum(EASY.pause(state, 0, rng) for _ in range(200))


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_it_beats_those_who_do_anything(seats: int):
    levels = ["easy"] + ["random"] * (seats - 1)
    assert simulate("wurf_weg", seats, 60, seed=1, levels=levels).wins[0] >= 40
