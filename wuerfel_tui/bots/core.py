"""What a bot is: a function from a state to one of its legal actions, and the time a person would have taken for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, Generic

from wuerfel_tui.games.core import ActionT, AnyRules, Seat, StateT


class Bot(ABC, Generic[StateT, ActionT]):
    """Plays one game at one level. Holds nothing but its rules: chance comes in as `rng`."""

    @abstractmethod
    def choose(self, state: StateT, seat: Seat, rng: Random) -> ActionT | None:
        """One of the seat's legal actions; None to wait (only where time or others will change the state)."""

    def pause(self, state: StateT, seat: Seat, rng: Random) -> int:
        """How long a person would think before acting, in milliseconds; played out only where people watch."""
        return rng.randint(500, 1100)


class RandomBot(Bot[Any, Any]):
    """Any legal action, all alike: for tests."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules

    def choose(self, state: Any, seat: Seat, rng: Random) -> Any | None:
        actions = self.rules.legal(state, seat)
        return actions[int(rng.random() * len(actions))] if actions else None
