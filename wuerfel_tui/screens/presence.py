"""Who is at the table: who looks after it, and who is away since when."""

from __future__ import annotations

from wuerfel_tui.client import Client
from wuerfel_tui.games.core import Seat
from wuerfel_tui.record import TableState


def keeps(client: Client) -> bool:
    """Whether it is we who look after the table."""
    keeper = client.table.keeper
    return keeper is not None and keeper.id == client.peer


def marks(table: TableState) -> tuple[str, ...]:
    """A short mark for each seat of the game: nothing, `away`, `bot` or `stand-in`."""
    here = {peer.id: peer for peer in table.peers}

    def mark(peer_id: int, stand_in: str | None) -> str:
        peer = here.get(peer_id)
        if stand_in is not None:
            return "stand-in"
        if peer is None or not peer.online:
            return "away"
        return "bot" if peer.bot else ""

    return tuple(mark(seat.peer, seat.stand_in) for seat in table.taken)


def missing(table: TableState) -> list[tuple[Seat, str, int | None]]:
    """Seats that nobody plays just now: seat, name, and since when (None if their owner is gone for good)."""
    if table.phase != "playing":
        return []
    since = {peer.id: peer.since for peer in table.peers}
    return [
        (seat, info.name, since.get(info.peer))
        for seat, (info, mark) in enumerate(zip(table.taken, marks(table), strict=True))
        if mark == "away"
    ]


def calm(seconds: int) -> str:
    """A time span that needs no ticking once it is long: `0:42`, `3 min`."""
    return f"{seconds // 60}:{seconds % 60:02}" if seconds < 120 else f"{seconds // 60} min"


def banner(client: Client) -> str:
    """Who we wait for, since when, and what can be done about it; empty when everybody is here."""
    absent = missing(client.table)
    if not absent:
        return ""
    now = client.clock()
    people = [
        name if since is None else f"{name} ({calm(max(0, now - since) // 1000)})"
        for _, name, since in absent
    ]
    then = "b: let a bot play on until they are back" if client.seats else "a bot will play on"
    return f"Away: {', '.join(people)} · {then}"
