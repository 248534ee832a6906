"""A table's log in plain sentences, so that a game can be followed by these alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wuerfel_tui.client import Step
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.record import (
    Acted,
    Began,
    Dealt,
    Elapsed,
    Finished,
    Joined,
    Left,
    Lost,
    PeerId,
    Readied,
    Returned,
    StoodIn,
    TableState,
)
from wuerfel_tui.wording import listed

Narrate = Callable[[Any, Any, Sequence[str]], str | None]
"""A board's `narrate`: the state before, the event, the names by seat."""


def tell(step: Step, narrate: Narrate) -> list[str]:
    """The sentences for one entry; none for what nobody needs to hear, and for chat."""
    match step.entry:
        case Began() | Acted() | Elapsed():
            told = (narrate(before, event, step.after.names) for before, event in step.happenings())
            return [sentence for sentence in told if sentence]
        case entry:
            sentence = _table_event(step, entry)
            return [sentence] if sentence else []


def _table_event(step: Step, entry: Any) -> str:
    match entry:
        case Joined(_, name, bot, _, names):
            return _joined(name, bot, names)
        case Left(peer):
            return f"{name_of(step.before, peer)} has left."
        case Lost(peer):
            return f"The line to {name_of(step.before, peer)} is lost; the seat is kept."
        case Returned(peer):
            return f"{name_of(step.after, peer)} is back."
        case Readied(peer, ready):
            return f"{name_of(step.after, peer)} is {'' if ready else 'not '}ready."
        case StoodIn(seat, level):
            return f"A bot ({level}) plays on for {step.after.taken[seat].name}."
        case Dealt(seats):
            return f"Game {step.after.games} is set up for {listed([seat.name for seat in seats])}."
        case Finished(outcome):
            return _finished(outcome, step.before.names)
        case _:
            return ""


def _finished(outcome: Outcome | None, names: Sequence[str]) -> str:
    if outcome is None:
        return "The game was broken off."
    return f"The game is over. {verdict(outcome, names)} {outcome.why}"


def _joined(name: str, bot: str | None, names: Sequence[str]) -> str:
    if not names:
        return f"{name} has come to watch."
    return f"{listed(names)}, a bot ({bot}), sits down." if bot else f"{listed(names)} sat down."


def name_of(table: TableState, peer: PeerId) -> str:
    """What a peer is called; by its seats if it is gone itself."""
    for info in table.peers:
        if info.id == peer:
            return info.name
    return listed([seat.name for seat in table.taken if seat.peer == peer]) or "somebody"


def verdict(outcome: Outcome, names: Sequence[str]) -> str:
    """Who won, in a sentence."""
    winners = [name for name, place in zip(names, outcome.places, strict=False) if place == 1]
    return f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the victory'}."
