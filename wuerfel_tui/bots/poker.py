"""Bots for Würfel Poker."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

from wuerfel_tui.bots.core import Bot
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.poker import (
    FACES,
    SPACES,
    AnyAction,
    Pips,
    Place,
    Poker,
    Row,
    State,
    leader,
    rank,
    with_die,
)


@cache
def prospects(dice: Pips) -> dict[tuple[int, ...], float]:
    """How likely each rank of a full half is if even dice fill its free spaces."""
    fillings = list(product(FACES, repeat=SPACES - len(dice)))
    chances: dict[tuple[int, ...], float] = {}
    for filling in fillings:
        strength = rank(dice + filling)
        chances[strength] = chances.get(strength, 0.0) + 1 / len(fillings)
    return chances


@cache
def chance(dice: Pips, other: Pips) -> float:
    """How likely these dice are to end above the others, given sorted so that few pairs are worked out twice.

    Identical dice: a half that is full already beats one that is not (P4); otherwise they share the chance.
    """
    level = (1 + (len(dice) == SPACES) - (len(other) == SPACES)) / 2
    return sum(
        p * q * (1.0 if mine > theirs else level if mine == theirs else 0.0)
        for mine, p in prospects(dice).items()
        for theirs, q in prospects(other).items()
    )


def winning(row: Row, seat: Seat) -> float:
    """How likely this side is to win the row, 0 to 1, if even dice came to the free spaces."""
    mine, theirs = row[seat], row[1 - seat]
    if mine.filled and theirs.filled:
        return float(leader(row) == seat)
    return chance(tuple(sorted(mine.dice)), tuple(sorted(theirs.dice)))


class Easy(Bot[State, AnyAction]):
    """Places where the chance of winning rows grows most, and does not ask what that leaves to the opponent."""

    def __init__(self, rules: Poker) -> None:
        self.rules = rules

    def choose(self, state: State, seat: Seat, rng: Random) -> AnyAction | None:
        def gain(action: AnyAction) -> float:
            if not isinstance(action, Place):
                return 0.0
            before = state.board[action.row]
            after = with_die(before, action.side, action.die, state.placed + 1)
            return winning(after, seat) - winning(before, seat)

        return max(self.rules.legal(state, seat), key=gain, default=None)
