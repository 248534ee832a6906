"""What Würfel Express is made of: options and state, what a player can do, what can happen. The rules: express.py."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from wuerfel_tui.games import core
from wuerfel_tui.games.core import Seat

COLOURS = ("red", "yellow", "green", "dark blue", "light blue", "white")
"""The colours by number: what a die shows and a piece bears is an index into this (E1)."""
RED, YELLOW, GREEN, DARK_BLUE, LIGHT_BLUE, WHITE = range(6)
LENGTHS = range(2, 7)
"""Every colour has one piece of each of these lengths (E1)."""
DICE = 7
"""So many dice are thrown, less one for each piece taken back (E4)."""
ROLLS = 3
"""So many rolls a turn has at most (E5)."""
FINISH = 30
"""The game ends when a front reaches this space (E10)."""


# What there is: the options and the state


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """first: the seat that begins; None lets the dice decide"""

    first: Seat | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.first < 0:
            raise ValueError("The seat that begins is counted from 0.")


class Piece(msgspec.Struct, frozen=True):
    """A piece of track: `colour` is an index into `COLOURS`, `length` one of `LENGTHS`."""

    colour: int
    length: int


class Track(msgspec.Struct, frozen=True):
    """What one player has built: the space where it begins, and its pieces from back to front (E3)."""

    rear: int = 1
    pieces: tuple[Piece, ...] = ()

    @property
    def front(self) -> int:
        """The last space it covers; 0 while it is empty (E3)."""
        front = self.rear - 1
        for piece in self.pieces:
            front += piece.length
        return front


class State(msgspec.Struct, frozen=True):
    """Everything there is to know about a game.

    tracks: by seat
    display: by colour, the lengths that lie there, ascending
    turn: the seat whose turn it is; -1 before `begin` if the dice decide who begins
    removed: the pieces that left the game before it began (E2)
    number: of the turn, counted from 1
    phase: `setup` before `begin`; in a turn `start` before the first roll, `rolling` after roll 1 or 2, `gaining` after
        the last roll, while pieces can be attached; `over` at the end
    taken_back: how many pieces were taken back this turn, which is how many dice are missing (E4)
    rolls: how many were made this turn
    dice: the colour that each die shows; empty before the first roll
    gained: the colours attached this turn, in order
    robbed: the seats stolen from this turn, in order
    """

    tracks: tuple[Track, ...]
    display: tuple[tuple[int, ...], ...]
    turn: Seat
    removed: tuple[Piece, ...] = ()
    number: int = 0
    phase: Literal["setup", "start", "rolling", "gaining", "over"] = "setup"
    taken_back: int = 0
    rolls: int = 0
    dice: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()
    robbed: tuple[Seat, ...] = ()

    @property
    def round(self) -> int:
        """How often everybody has had a turn, this time included; counted from 1."""
        return (self.number - 1) // len(self.tracks) + 1


# What a player can do


class TakeBack(core.Action, frozen=True):
    """Returns the rearmost `count` pieces to the display for one die each, before the first roll (E4)."""

    count: int


class Roll(core.Action, frozen=True):
    """Makes the first roll."""


class Reroll(core.Action, frozen=True):
    """Throws these dice again, by index, ascending (E5)."""

    dice: tuple[int, ...]


class Stop(core.Action, frozen=True):
    """Makes the roll that lies there the last one (E5)."""


class Take(core.Action, frozen=True):
    """Attaches a piece from the display (E6)."""

    colour: int
    length: int


class Steal(core.Action, frozen=True):
    """Attaches the rearmost piece of another seat's track (E6)."""

    victim: Seat


class EndTurn(core.Action, frozen=True):
    """Leaves what could still be gained (E7)."""


AnyAction: TypeAlias = TakeBack | Roll | Reroll | Stop | Take | Steal | EndTurn


# What can happen; the seat whose turn it is does it or suffers it


class SetUp(core.Event, frozen=True):
    """These pieces left the game (E2), and the seat `first` begins."""

    removed: tuple[Piece, ...]
    first: Seat


class TookBack(core.Event, frozen=True):
    """These pieces went from the back of the track to the display, the rearmost first (E4)."""

    pieces: tuple[Piece, ...]


class Rolled(core.Event, frozen=True):
    """All dice as they lie now, and the indexes of those that were thrown."""

    dice: tuple[int, ...]
    thrown: tuple[int, ...]


class Stopped(core.Event, frozen=True):
    """The roll that lies there was the last (E5)."""


class Took(core.Event, frozen=True):
    """A piece went from the display to the front of the track (E6)."""

    colour: int
    length: int


class Stole(core.Event, frozen=True):
    """The victim's rearmost piece went to the front of the track; `slid`: the victim's track slid back by it (E8)."""

    victim: Seat
    colour: int
    length: int
    slid: bool


class Spared(core.Event, frozen=True):
    """Nothing could be gained, and as nobody is further back nothing is lost (E9)."""


class Returned(core.Event, frozen=True):
    """Nothing could be gained, and the frontmost piece went back to the display (E9)."""

    colour: int
    length: int


class SlidBack(core.Event, frozen=True):
    """Nothing could be gained, and the track's only piece slid back; by 0 spaces if it began at space 1 (E9)."""

    spaces: int


class TurnEnded(core.Event, frozen=True):
    """It is the turn of the seat `next`."""

    next: Seat


AnyEvent: TypeAlias = (
    SetUp | TookBack | Rolled | Stopped | Took | Stole | Spared | Returned | SlidBack | TurnEnded
)
