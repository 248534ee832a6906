"""Whole matches of Würfel Poker with random moves: what holds in every one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.poker import AnyEvent, GameWon, Options, Place, Poker, Roll, Rolled, State, winner

RULES = Poker()


def no_dice(faces: int) -> int:
    raise AssertionError("a refused action threw a die")


def match(seed: int, either_side: bool) -> Iterator[tuple[State, list[AnyEvent]]]:
    """A match of random moves: each state with the events that led to it."""
    rng = Random(seed)
    now = RULES.new(2, Options(either_side=either_side))
    events = list(RULES.begin(now, rng.randrange))
    while True:
        for event in events:
            now = RULES.evolve(now, event)
        yield now, events
        actors = RULES.actors(now)
        if not actors:
            return
        action = rng.choice(RULES.legal(now, actors[0]))
        events = list(RULES.decide(now, actors[0], action, rng.randrange, 0))


seeds = st.integers(0, 2**32)


def examples(number: int) -> settings:
    """So many matches; a failing one is shown as it is, for a smaller seed makes no simpler match."""
    return settings(max_examples=number, deadline=None, phases=[Phase.reuse, Phase.generate])


@examples(40)
@given(seeds, st.booleans())
def test_every_match_keeps_its_counts(seed: int, either_side: bool):
    whole = list(match(seed, either_side))
    for now, events in whole:
        dice = [die for row in now.board for side in row for die in side.dice]
        filled = sorted(side.filled for row in now.board for side in row if side.filled)
        assert now.placed == len(dice)
        assert all(bool(side.filled) == (len(side.dice) == 3) for row in now.board for side in row)
        assert len(set(filled)) == len(filled)
        assert all(3 <= number <= now.placed for number in filled)
        assert not Counter(now.offer) - Counter(now.thrown)
        assert len(now.offer) == (3 - now.placed % 3 if now.thrown else 0)
        assert sum(now.points) == 3 * len(now.games)
        assert (RULES.outcome(now) is None) == bool(RULES.actors(now)) == (max(now.points) < 5)
        if isinstance(events[0], Rolled):
            assert now.thrown == now.offer == events[0].dice
    games = whole[-1][0].games
    assert len(games) in (2, 3)
    assert all(len(side.dice) == 3 for game in games for row in game.board for side in row)
    assert len(whole) == 1 + len(games) * 6 * 4  # six rounds of a throw and three placements
    assert [game.starter for game in games[1:]] == [int(sum(game.winners) < 2) for game in games[:-1]]


@examples(40)
@given(seeds, st.booleans())
def test_a_row_won_early_stays_won(seed: int, either_side: bool):
    certain: dict[int, int] = {}
    for now, events in match(seed, either_side):
        for event in events:
            if isinstance(event, GameWon):
                assert certain.items() <= dict(enumerate(row.seat for row in event.rows)).items()
                certain = {}
        early = ((n, winner(row)) for n, row in enumerate(now.board))
        certain |= {n: seat for n, seat in early if seat is not None}


@examples(6)
@given(seeds, st.booleans())
def test_decide_accepts_what_is_legal_and_refuses_everything_else(seed: int, either_side: bool):
    numbers = (-1, 0, 1, 2, 3)
    places = [Place(die, row, side) for die in range(-1, 8) for row in numbers for side in numbers[:-1]]
    for now, _ in match(seed, either_side):
        for seat in (0, 1):
            legal = RULES.legal(now, seat)
            assert len(set(legal)) == len(legal)
            for action in [Roll(), *places]:
                if action in legal:
                    assert RULES.decide(now, seat, action, lambda faces: faces - 1, 0)
                else:
                    with pytest.raises(IllegalAction):
                        RULES.decide(now, seat, action, no_dice, 0)
