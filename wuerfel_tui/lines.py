"""What `--json` prints, one object a line."""

from __future__ import annotations

from collections.abc import Sequence

from wuerfel_tui.games.core import Seat
from wuerfel_tui.record import Finished, Plain, TableState, digest


def listening(table: TableState, addresses: Sequence[str]) -> Plain:
    """A host is ready for guests."""
    return {"event": "listening", "table": table.id, "name": table.name, "addresses": list(addresses)}


def started(table: TableState) -> Plain:
    """A game has begun."""
    return {"event": "started", "table": table.id, "names": list(table.names)}


def seated(table: TableState, seats: Sequence[Seat]) -> Plain:
    """A guest has come to a table and has these seats."""
    return {"event": "seated", "table": table.id, "name": table.name, "seats": list(seats)}


def finished(table: TableState, entry: Finished) -> Plain:
    """A game is over.

    table: before the entry, when the seats were still those of the game
    """
    places = [] if entry.outcome is None else list(entry.outcome.places)
    return {
        "event": "finished",
        "table": table.id,
        "names": list(table.names),
        "places": places,
        "why": "" if entry.outcome is None else entry.outcome.why,
        "digest": digest(table.game_state).hex(),
    }
