"""Bots for Würfel Express."""

from __future__ import annotations

from random import Random

from wuerfel_tui.bots.core import Bot
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.express import Express, furthest_back, takeable
from wuerfel_tui.games.express_parts import (
    COLOURS,
    DICE,
    AnyAction,
    Reroll,
    Roll,
    State,
    Steal,
    Stop,
    Take,
    TakeBack,
)

ROOM = 4
"""A track with fewer open colours than this is stuck. Of 2 to 5 this won most often against each other number."""


def best(state: State, seat: Seat, colour: int, shown: int) -> int:
    """The longest piece that so many dice of a colour bring, from the display or by theft; 0 if none."""
    tracks = state.tracks
    if colour in [piece.colour for piece in tracks[seat].pieces]:
        return 0
    lengths = [
        track.pieces[0].length
        for victim, track in enumerate(tracks)
        if victim != seat and len(track.pieces) > 1 and track.pieces[0].colour == colour
    ]
    stolen = [length for length in lengths if length <= shown]
    return max((*takeable(state.display[colour], shown), *stolen), default=0)


def open_colours(state: State, seat: Seat) -> list[int]:
    """The colours that can bring the seat a piece at all."""
    return [colour for colour in range(len(COLOURS)) if best(state, seat, colour, DICE)]


def wanted(state: State, seat: Seat) -> set[int]:
    """The dice to keep, by index: all that a piece needs; if there is none yet, the open colour that shows most."""
    dice = state.dice
    keep: set[int] = set()
    for colour in set(dice):
        places = [index for index, die in enumerate(dice) if die == colour]
        length = best(state, seat, colour, len(places))
        if length:
            keep.update(places[:length])
    if not keep:
        most = max(open_colours(state, seat), key=dice.count, default=None)
        keep.update(index for index, die in enumerate(dice) if die == most)
    return keep


def value(state: State, seat: Seat, action: AnyAction) -> float:
    """The spaces that a gain brings; a theft from the leader counts those that the leader loses as well."""
    match action:
        case Take():
            return action.length
        case Steal():
            length = state.tracks[action.victim].pieces[0].length
            fronts = [track.front for other, track in enumerate(state.tracks) if other != seat]
            leads = state.tracks[action.victim].front == max(fronts)
            slides = not furthest_back(state.tracks, action.victim)
            return 2 * length if leads and slides else length
        case _:
            return 0


class Easy(Bot[State, AnyAction]):
    """Keeps the dice it can use, takes the longest piece, steals from the leader, takes back when it is stuck."""

    def __init__(self, rules: Express) -> None:
        self.rules = rules

    def choose(self, state: State, seat: Seat, rng: Random) -> AnyAction | None:
        if state.phase == "start":
            missing = ROOM - len(open_colours(state, seat))
            count = min(missing, len(state.tracks[seat].pieces) - 1)
            return TakeBack(count) if count > 0 else Roll()
        if state.phase == "rolling":
            keep = wanted(state, seat)
            again = tuple(index for index in range(len(state.dice)) if index not in keep)
            return Reroll(again) if again else Stop()
        return max(self.rules.legal(state, seat), key=lambda action: value(state, seat, action), default=None)
