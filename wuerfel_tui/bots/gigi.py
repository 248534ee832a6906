"""Bots for Gigi Gacker am Würfelacker."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random

from wuerfel_tui.bots.core import Bot
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.gigi import Gigi, GigiAction, Keep, Reverse, Roll, State, Swap, Use, swapped, totals

FACES = range(1, 7)
TOTALS = range(0, 19)
"""What a round can come to: three dice, or two and a morsel."""

PAIRS = tuple((pair, 1 if pair[0] == pair[1] else 2) for pair in combinations_with_replacement(FACES, 2))
"""Every roll of two dice, and in how many of the 36 ways it comes."""


def _sums(dice: int) -> dict[int, float]:
    """How likely each sum of so many dice is."""
    if dice == 0:
        return {0: 1.0}
    fewer = _sums(dice - 1)
    sums = range(dice, 6 * dice + 1)
    return {total: sum(fewer.get(total - face, 0.0) for face in FACES) / 6 for total in sums}


SUMS = tuple(_sums(dice) for dice in range(4))

SPENT = 0.3
"""What a morsel in hand is worth beyond its worms, since it can be spent later and breaks ties."""


class Easy(Bot[State, GigiAction]):
    """Plays its dice for the best morsel it can expect, taking the others for players of pure luck.

    It spends a morsel where that brings more worms than the morsel holds, and so is glad to be rid of a negative one.
    It foresees neither its own later changes of the buffet nor anybody's answer.
    """

    def __init__(self, rules: Gigi) -> None:
        self.rules = rules

    def choose(self, state: State, seat: Seat, rng: Random) -> GigiAction | None:
        actions = [
            action for action in self.rules.legal(state, seat) if _thrifty(action, state.collected[seat])
        ]
        if len(actions) < 2:
            return actions[0] if actions else None
        total, dice, morsels = totals(state)[seat], state.dice[seat], state.collected[seat]
        chances = _chances(state, seat)
        now = Prospect(chances, state.buffet, morsels)

        def worth(action: GigiAction) -> float:
            match action:
                case Roll():
                    return now.rolled(total, len(dice)) - 1e-9  # no roll that changes nothing
                case Keep(value):
                    return now.before(total + value, _without(dice, value))
                case Use(morsel):
                    return now.worms[total + morsel] - morsel - SPENT
                case Swap(first, second, morsel):
                    buffet = swapped(state.buffet, first, second)
                case Reverse(morsel):
                    buffet = state.buffet[::-1]
            changed = Prospect(chances, buffet, _without(morsels, morsel))
            return changed.before(total, dice) - morsel - SPENT

        return max(actions, key=worth)


class Prospect:
    """The worms that a seat can expect of its dice at a buffet, less those it spends.

    chances: by the total the seat may reach, how likely each place is
    morsels: what it could still use in place of its last die
    """

    def __init__(
        self, chances: Sequence[Sequence[float]], buffet: Sequence[int], morsels: Sequence[int]
    ) -> None:
        self.worms = [
            sum(chance * worms for chance, worms in zip(places, buffet, strict=True)) for places in chances
        ]
        self.not_kept = {total: self._not_kept(total, set(morsels)) for total in range(2, 13)}

    def _not_kept(self, total: int, morsels: set[int]) -> float:
        """On turn 3, rolling the last die again or using a morsel in its place."""
        used = [self.worms[total + morsel] - morsel - SPENT for morsel in morsels]
        return max([self.rolled(total, 1), *used])

    def before(self, total: int, dice: Sequence[int]) -> float:
        """Before turn 2, before turn 3 or after it: `total` set aside, `dice` in front of the seat."""
        if not dice:
            return self.worms[total]
        if len(dice) == 1:
            return max(self.worms[total + dice[0]], self.not_kept[total])
        return max(self.kept(total, dice[0], dice[1]), self.rolled(total, 2))

    def kept(self, total: int, one: int, other: int) -> float:
        """On turn 2, setting aside the better of two dice."""
        return max(self.before(total + one, (other,)), self.before(total + other, (one,)))

    def rolled(self, total: int, dice: int) -> float:
        """Rolling two dice on turn 2, or one on turn 3."""
        if dice == 1:
            return sum(self.worms[total + 1 : total + 7]) / 6
        return sum(ways * self.kept(total, *pair) for pair, ways in PAIRS) / 36


def _chances(state: State, seat: Seat) -> list[list[float]]:
    """By the total that the seat may reach, how likely each place is if the others' missing dice are luck."""
    so_far = totals(state)
    others = [other for other in range(len(so_far)) if other != seat]
    return [
        _places([_ahead(state, other, seat, total - so_far[other]) for other in others]) for total in TOTALS
    ]


def _ahead(state: State, other: int, seat: Seat, lacking: int) -> float:
    """How likely another eater ends ahead of the seat, lacking so much to draw level; ties as in G4 and G7."""
    missing = 3 - len(state.aside[other]) - (state.used[other] is not None)
    chicken = other == state.seats
    wins_ties = not chicken and (other - state.start) % state.seats < (seat - state.start) % state.seats
    enough = lacking if wins_ties else lacking + 1
    return sum(chance for extra, chance in SUMS[missing].items() if extra >= enough)


def _places(ahead: Sequence[float]) -> list[float]:
    """How likely each place is, from the chances of each of the others to be ahead."""
    places = [1.0]
    for chance in ahead:
        stays, drops = [*places, 0.0], [0.0, *places]
        places = [(1 - chance) * stay + chance * drop for stay, drop in zip(stays, drops, strict=True)]
    return places


def _thrifty(action: GigiAction, morsels: Sequence[int]) -> bool:
    """Changing the buffet costs the least of one's morsels."""
    return not isinstance(action, Swap | Reverse) or action.morsel == min(morsels)


def _without(values: Sequence[int], value: int) -> list[int]:
    rest = list(values)
    rest.remove(value)
    return rest
