"""Bots for Wurf & Weg: with a person's eyes and hands, since here time is what one wins by."""

from __future__ import annotations

from random import Random

from wuerfel_tui.bots.core import Bot, RandomBot
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.wurf_weg import WurfWeg, placeable
from wuerfel_tui.games.wurf_weg_parts import BLANK, AnyAction, Place, Ready, Roll, State


def reaction(rng: Random, low: int, high: int) -> int:
    """A person's time in milliseconds: mostly around the middle of the range, rarely near its ends."""
    return (rng.randint(low, high) + rng.randint(low, high)) // 2


class AtRandom(RandomBot):
    """Any legal action, in a slow person's time."""

    def pause(self, state: State, seat: Seat, rng: Random) -> int:
        return reaction(rng, 600, 1600)


class Easy(Bot[State, AnyAction]):
    """Places what it sees and rolls the rest, as a person does who sometimes overlooks something."""

    overlooks = 12
    """Of a hundred looks at dice that could be placed, so many see nothing, and all is rolled again."""

    def __init__(self, rules: WurfWeg) -> None:
        self.rules = rules

    def choose(self, state: State, seat: Seat, rng: Random) -> AnyAction | None:
        if not self.rules.legal(state, seat):
            return None
        if state.phase == "ready":
            return Ready()
        symbols = placeable(state, seat) if state.phase == "race" else ()
        if not symbols or rng.randrange(100) < self.overlooks:
            return Roll()
        return Place(rng.choice(symbols))

    def pause(self, state: State, seat: Seat, rng: Random) -> int:
        if state.phase != "race":
            return reaction(rng, 700, 2200)  # nobody hurries between two rounds, or after Stop
        hand = state.players[seat].hand
        if BLANK in hand:
            return reaction(rng, 200, 600)  # the finger lies on the key
        if not hand:
            return reaction(rng, 300, 700)  # all gone, and then dice arrive
        return reaction(rng, 350, 900) + 40 * len(hand)  # every die is one more to look at
