"""Boards and dice for the tests of Gigi Gacker am Würfelacker."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from wuerfel_tui.bots.core import RandomBot
from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.gigi import Gigi, GigiAction, GigiEvent, Options, State
from wuerfel_tui.simulate import Step, dice_of, steps

RULES = Gigi()


class Chance:
    """Dice that fall as told, and draws from the pile after them; any other throw fails."""

    def __init__(self, pips: tuple[int, ...] = (), draws: tuple[tuple[int, int], ...] = ()) -> None:
        self.script = [(6, shown - 1) for shown in pips] + list(draws)

    def __call__(self, n: int) -> int:
        assert self.script, "nobody should throw a die here"
        sides, falls = self.script.pop(0)
        assert n == sides
        return falls


def table(buffet: tuple[int, ...] = (3, 1, 4, 2), seats: int = 4, **fields: Any) -> State:
    """Round 1 with this buffet, seat 0 having the start worm, and a pile of zeros below."""
    eaters = seats + (seats == 2)
    state = State(
        seats=seats,
        pile=(0,) * eaters,
        start=0,
        dice=((),) * eaters,
        aside=((),) * eaters,
        used=(None,) * eaters,
        collected=((),) * seats,
        round=1,
        buffet=buffet,
    )
    return msgspec.structs.replace(state, **fields)


def second_turn(*morsels: int, buffet: tuple[int, ...] = (3, 1, 4, 2)) -> State:
    """Seat 0 before its second turn, a 6 set aside, 2 and 5 in front of it."""
    dice, aside = ((2, 5), (1, 1), (1, 1), (1, 1)), ((6,), (1,), (1,), (1,))
    return table(buffet, dice=dice, aside=aside, collected=(morsels, (), (), ()), turn=2)


def third_turn(*morsels: int) -> State:
    """Seat 0 before its third turn, 6 and 5 set aside, 1 in front of it."""
    dice, aside = ((1,), (1,), (1,), (1,)), ((6, 5), (1, 1), (1, 1), (1, 1))
    return table(dice=dice, aside=aside, collected=(morsels, (), (), ()), turn=3)


def last_turn(*before: tuple[int, ...], die: int, buffet: tuple[int, ...], **fields: Any) -> State:
    """The last die of a round lies before the last seat, who has two dice aside when all others have three."""
    seats = len(before)
    hands = (*((),) * (seats - 1), (die,))
    return table(
        buffet, **{"seats": seats, "dice": hands, "aside": before, "turn": 3, "active": seats - 1} | fields
    )


def evolved(state: State, events: Any) -> State:
    for event in events:
        state = RULES.evolve(state, event)
    return state


def do(
    state: State, seat: int, action: GigiAction, *pips: int, draws: tuple[tuple[int, int], ...] = ()
) -> tuple[list[GigiEvent], State]:
    """The events and the state that come of an action when the dice fall so."""
    chance = Chance(pips, draws)
    events = list(RULES.decide(state, seat, action, chance, 0))
    assert not chance.script, "a die was expected that nobody threw"
    return events, evolved(state, events)


def refusal(state: State, seat: int, action: GigiAction) -> str:
    """The code with which the action is refused, no die having been thrown."""
    with pytest.raises(IllegalAction) as refused:
        RULES.decide(state, seat, action, Chance(), 0)
    assert refused.value.sentence.endswith(".")
    return refused.value.code


def played(seats: int, seed: int) -> list[Step]:
    """The steps of a whole game of random bots."""
    rng = Random(seed)
    return list(steps(RULES, seats, Options(), [RandomBot(RULES)] * seats, dice_of(rng), rng))
