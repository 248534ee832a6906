"""What a game is: a stateless `Rules` object over immutable states.

The host *decides* (dice and clock are handed in, events come out); everybody *evolves* (a state and an event give
the next state). A game in progress is therefore a fold over its events: on every peer, in a replay, on disk.

States, actions and events are frozen `msgspec.Struct`s. Actions and events are tagged unions, so that the same structs
are the wire format, the log format and the snapshot format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

Seat: TypeAlias = int
"""A place at the table, numbered clockwise from 0. The left neighbour is the next one clockwise."""

Dice: TypeAlias = Callable[[int], int]
"""`dice(n)` is one even draw from `range(n)`: the only source of chance that a game knows."""

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
StateT = TypeVar("StateT", bound=msgspec.Struct)
ActionT = TypeVar("ActionT", bound=msgspec.Struct)
EventT = TypeVar("EventT", bound=msgspec.Struct)


class Refusal(Exception):
    """A request that is answered with no: a `code` for the program and one clear `sentence` for the person."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class IllegalAction(Refusal):
    """An action that is against the rules of the game."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended.

    places: by seat, 1 = won; equals share a place and the next one is left out (1, 2, 2, 4)
    why: one sentence that says what decided it
    """

    places: tuple[int, ...]
    why: str


class Action(msgspec.Struct, frozen=True, tag=str.lower, tag_field="do", forbid_unknown_fields=True):
    """Base of every action: `{"do": "roll", ...}` on the wire."""


class Event(msgspec.Struct, frozen=True, tag=str.lower, tag_field="is", forbid_unknown_fields=True):
    """Base of every event: `{"is": "rolled", ...}` on the wire."""


class Rules(ABC, Generic[OptionsT, StateT, ActionT, EventT]):
    """The rules of one game. Holds nothing: every method is a function of its arguments."""

    key: ClassVar[str]
    """The name on the command line and on the wire: `express`."""
    title: ClassVar[str]
    """The name that people read: `Würfel Express`."""
    seats: ClassVar[range]
    """How many can play."""

    Options: type[OptionsT]
    """What a table may choose: every field has a default, every range is checked on construction (`ValueError`)."""
    State: type[StateT]
    Action: Any
    """The union of the game's actions, as a type for `msgspec.convert`."""
    Event: Any
    """The union of the game's events, as a type for `msgspec.convert`."""

    @abstractmethod
    def new(self, seats: int, options: OptionsT) -> StateT:
        """The state before any die is thrown.

        seats: how many play; `ValueError` with a sentence if it is not in `self.seats` or does not fit the options
        """

    @abstractmethod
    def begin(self, state: StateT, dice: Dice) -> Sequence[EventT]:
        """The set-up that needs dice, once, on the state that `new` gave."""

    @abstractmethod
    def actors(self, state: StateT) -> tuple[Seat, ...]:
        """The seats that may act now; empty when the game is over, and while only time can do something."""

    @abstractmethod
    def legal(self, state: StateT, seat: Seat) -> Sequence[ActionT]:
        """Every action that `decide` accepts from this seat now: finite and complete, in a fixed order.

        Empty for a seat that is not among `actors`.
        """

    @abstractmethod
    def decide(self, state: StateT, seat: Seat, action: ActionT, dice: Dice, now: int) -> Sequence[EventT]:
        """What comes of an action.

        now: whole milliseconds of the table's clock
        Raises `IllegalAction` with its reason, having thrown no die.
        """

    def due(self, state: StateT) -> int | None:
        """The time at which `elapse` must be called, in milliseconds of the table's clock.

        None if time does nothing, as after the end.
        """
        return None

    def elapse(self, state: StateT, dice: Dice, now: int) -> Sequence[EventT]:
        """What comes of the time alone; nothing before `due`."""
        return ()

    @abstractmethod
    def evolve(self, state: StateT, event: EventT) -> StateT:
        """The state after an event: total, deterministic, without dice or clock."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended; None while it goes on."""


AnyRules: TypeAlias = Rules[Any, Any, Any, Any]


def check_seats(rules: AnyRules, seats: int) -> None:
    """Raises `ValueError` unless so many can play."""
    if seats not in rules.seats:
        fewest, most = rules.seats[0], rules.seats[-1]
        count = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{rules.title} is for {count} players, not {seats}.")


def ranking(scores: Sequence[Any]) -> tuple[int, ...]:
    """The place of each score, the highest being 1; equal scores share a place: 1, 2, 2, 4."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
