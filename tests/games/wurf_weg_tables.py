"""Boards of Wurf & Weg in the middle of a game, for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.wurf_weg import WurfWeg
from wuerfel_tui.games.wurf_weg_parts import (
    AnyAction,
    AnyEvent,
    Options,
    Place,
    Player,
    State,
)

RULES = WurfWeg()
CLOVER, PIG, CAT, COIN, HORSESHOE, HAND = range(6)
CLOVER_PIG, PIG_CAT, CAT_COIN = 0, 3, 6  # numbers of cards


class Table:
    """A state, a clock and scripted dice: just what a table gives to the rules, in the order in which it must."""

    def __init__(self, state: State, now: int = 10_000) -> None:
        self.state = state
        self.now = now
        self.script: list[int] = []

    def dice(self, n: int) -> int:
        face = self.script.pop(0)
        assert 0 <= face < n
        return face

    def does(self, seat: int, action: AnyAction, *dice: int) -> Sequence[AnyEvent]:
        self.script += dice
        return self.follow(RULES.decide(self.state, seat, action, self.dice, self.now))

    def waits(self, milliseconds: int, *dice: int) -> Sequence[AnyEvent]:
        self.now += milliseconds
        self.script += dice
        return self.follow(RULES.elapse(self.state, self.dice, self.now))

    def follow(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        assert not self.script, "dice left over"
        for event in events:
            self.state = RULES.evolve(self.state, event)
        return list(events)

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.state.players[seat].hand

    def refusal(self, seat: int, action: AnyAction) -> str:
        with pytest.raises(IllegalAction) as refused:
            self.does(seat, action)
        return refused.value.code


def player(card: int, *hand: int, on_card: int = 0, won: int = 0) -> Player:
    return Player(card=card, won=won, hand=hand, on_card=on_card)


def race(*players: Player, charm: int, pile: tuple[int, ...] = (15, 16, 17), **options: Any) -> Table:
    """A race in which these players have these dice; those missing are in the depot."""
    depot = 3 * len(players) - sum(player.dice for player in players)
    state = State(Options(**options), "race", players, pile, round=1, charm=charm, depot=depot)
    return Table(state)


def stopped(*others: Player, charm: int, won: int = 0, **options: Any) -> Table:
    """The moment after seat 0 has called Stop; the others have these dice."""
    table = race(player(CLOVER_PIG, charm, won=won), *others, charm=charm, **options)
    table.does(0, Place(charm))
    return table
