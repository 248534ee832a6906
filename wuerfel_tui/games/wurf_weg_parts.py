"""What Wurf & Weg is made of: symbols and cards, the state, the actions and the events.

Every time is a whole number of milliseconds of the table's clock.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from wuerfel_tui.games.core import Action, Event, Seat

SYMBOLS = ("clover", "pig", "cat", "coin", "horseshoe", "hand")
"""What dice and cards bear; everywhere else a symbol is its number here."""

CARDS: tuple[tuple[int, int], ...] = tuple((i, (i + k) % 6) for i in range(6) for k in (1, 2, 3))
"""The 18 cards, by number: left symbol, right symbol (W1)."""

BLANK = -1
"""What a die shows that has not been rolled in this round."""
NO_CARD = -1
"""In place of a card's number: the card has been turned face down and none drawn yet."""
DEPOT = -1
"""In place of a seat: the depot in the middle."""
DICE_EACH = 3
LAST_ROLLS = 3
CARDS_TO_WIN = 3
COUNTDOWN = 3000


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose. Times are milliseconds.

    pace: how long dice tumble (W9), 300-3000
    auto_place: dice find their places by themselves as they land (W4)
    until_empty: play on until the pile is exhausted (W8)
    ready_limit: after so long, whoever is not ready for a round counts as ready (W2), 5000-600000
    roll_limit: after so long, one of the last rolls is made for the player (W6), 5000-600000
    """

    pace: int = 700
    auto_place: bool = False
    until_empty: bool = False
    ready_limit: int = 60_000
    roll_limit: int = 15_000

    def __post_init__(self) -> None:
        for name, low, high in (
            ("pace", 300, 3000),
            ("ready_limit", 5000, 600_000),
            ("roll_limit", 5000, 600_000),
        ):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} must be {low} to {high} milliseconds.")


# --- the state ------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["new", "ready", "countdown", "race", "last", "over"]


class Player(msgspec.Struct, frozen=True):
    """What lies in front of one seat.

    card: number of the open card, or NO_CARD
    won: cards face down
    hand: what the dice in hand show, or are going to show while they tumble; BLANK before the round's first roll
    on_card: dice that others have placed on the card; they join the next roll
    ready: for the round
    lands: while the dice tumble, the time at which they land
    rolls: after Stop, how many of the three last rolls are left
    until: after Stop and while a roll can be made, the time at which it is made for the player
    """

    card: int = NO_CARD
    won: int = 0
    hand: tuple[int, ...] = ()
    on_card: int = 0
    ready: bool = False
    lands: int | None = None
    rolls: int = 0
    until: int | None = None

    @property
    def dice(self) -> int:
        """How many dice the player still has to get rid of, in hand and on the card."""
        return len(self.hand) + self.on_card


class State(msgspec.Struct, frozen=True):
    """The whole table.

    phase: new (nothing dealt), ready (the charm lies open), countdown, race, last (after Stop), over
    players: by seat
    pile: the cards left to draw, by number
    air: the seats whose dice tumble, in the order in which they land
    round: counted from 1
    charm: this round's symbol
    depot: dice that have left the round
    until: when the count-down ends, or when everybody counts as ready (None: that limit has not begun to run)
    caller: whose Stop it was, None before
    """

    options: Options
    phase: Phase
    players: tuple[Player, ...]
    pile: tuple[int, ...]
    air: tuple[Seat, ...] = ()
    round: int = 0
    charm: int = BLANK
    depot: int = 0
    until: int | None = None
    caller: Seat | None = None


# --- actions --------------------------------------------------------------------------------------------------------


class Ready(Action, frozen=True):
    """Let the round begin."""


class Roll(Action, frozen=True):
    """Throw all dice in hand and, with them, those on one's own card."""


class Place(Action, frozen=True):
    """Send away all dice in hand that show this symbol."""

    symbol: int


AnyAction: TypeAlias = Ready | Roll | Place


# --- events ---------------------------------------------------------------------------------------------------------


class Dealt(Event, frozen=True):
    """Everybody has drawn a card: numbers by seat."""

    cards: tuple[int, ...]


class Charm(Event, frozen=True):
    """A round opens: its charm is rolled, everybody has three dice again.

    until: the time at which everybody counts as ready; None in the first round, which is dealt before the clock runs
    """

    symbol: int
    until: int | None


class LimitSet(Event, frozen=True):
    """The first round's clock runs: at `until` everybody counts as ready."""

    until: int


class Readied(Event, frozen=True):
    """A seat is ready, or counts as ready since the limit has passed (`forced`)."""

    seat: Seat
    forced: bool


class Countdown(Event, frozen=True):
    """All are ready; the race begins at `until`."""

    until: int


class Go(Event, frozen=True):
    """The race is on."""


class Rolled(Event, frozen=True):
    """A seat has thrown all its dice, those on its card included; they tumble until `lands`.

    forced: thrown for the player, whose time had passed
    """

    seat: Seat
    faces: tuple[int, ...]
    lands: int
    forced: bool


class Landed(Event, frozen=True):
    """A seat's dice lie.

    until: after Stop, the time at which the next roll is made for the player; None if there is none
    """

    seat: Seat
    until: int | None


class Placed(Event, frozen=True):
    """A seat's dice that show `symbol`, `count` of them, have gone to the seat `to` or to the DEPOT."""

    seat: Seat
    symbol: int
    count: int
    to: Seat


class Stop(Event, frozen=True):
    """A seat is rid of all dice: the race is over, the others have three more rolls.

    until: the time at which a roll is made for those who have not rolled
    """

    seat: Seat
    until: int


class Rewarded(Event, frozen=True):
    """These seats have turned their card face down, Stop's caller first, then clockwise."""

    seats: tuple[Seat, ...]


class Drew(Event, frozen=True):
    """A rewarded seat has drawn its new card."""

    seat: Seat
    card: int


class PileExhausted(Event, frozen=True):
    """A rewarded seat should draw and cannot: the game is over."""

    seat: Seat


AnyEvent: TypeAlias = (
    Dealt
    | Charm
    | LimitSet
    | Readied
    | Countdown
    | Go
    | Rolled
    | Landed
    | Placed
    | Stop
    | Rewarded
    | Drew
    | PileExhausted
)
