"""What a table has on record: its log entries, and the state that is the fold of them.

The host appends entries (`table.py`); every peer, the check of the dice, a replay and a store fold them. Sans-IO.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec
from msgspec.structs import replace

from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import AnyRules, Outcome, Seat

PeerId: TypeAlias = int
Phase: TypeAlias = Literal["waiting", "dealing", "playing", "over"]
Plain: TypeAlias = dict[str, Any]
Millis = Annotated[int, msgspec.Meta(ge=0, le=2**53)]

PEERS = 128
"""So many may be at a table at once, with and without seats, here and lost."""
KEPT = 4096
"""So many entries back a log reaches at least; at twice as many what came before is forgotten."""
HOST: PeerId = 0
"""Whom the host's own part in the dice is counted under; peers are numbered from 1."""


class PeerInfo(msgspec.Struct, frozen=True):
    """Somebody at the table, with or without seats.

    id: counted from 1, never used again
    bot: the level of a bot, None for people
    online: False while its connection is lost
    since: when `online` last changed, in milliseconds of the table's clock
    ready: wants the (next) game to begin
    """

    id: PeerId
    name: str
    bot: str | None
    online: bool
    since: Millis
    ready: bool = False


class SeatInfo(msgspec.Struct, frozen=True):
    """A taken seat.

    peer: whose it is
    stand_in: the level of the bot that plays on while its owner is away, or None
    """

    name: str
    peer: PeerId
    stand_in: str | None = None


class Contribution(msgspec.Struct, frozen=True):
    """A part in the dice of one game (see fair.py)."""

    peer: PeerId
    commitment: bytes | None = None
    secret: bytes | None = None


class TableState(msgspec.Struct, frozen=True):
    """All that anybody may know of a table, which is all there is.

    id: random, tells the table from others whatever its address
    options: the game's, as plain values
    phase: waiting (for people), dealing (secrets are exchanged), playing, over (until all are ready again)
    seats: one for each place at the table, None where it is free
    games: how many games have begun here
    contributions: to the dice of the current game, the host's first, then by peer
    game_state: the game's own state, None before the first game
    outcome: of the last game; None while one is on, and if it was broken off
    """

    id: str
    name: str
    game: str
    options: Plain
    seats: tuple[SeatInfo | None, ...]
    phase: Phase = "waiting"
    peers: tuple[PeerInfo, ...] = ()
    games: int = 0
    contributions: tuple[Contribution, ...] = ()
    game_state: Any = None
    outcome: Outcome | None = None

    @property
    def rules(self) -> AnyRules:
        return GAMES[self.game]

    @property
    def taken(self) -> tuple[SeatInfo, ...]:
        """The taken seats; while a game is on, these are the game's seats in their order."""
        return tuple(seat for seat in self.seats if seat is not None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.taken)

    def peer(self, peer: PeerId) -> PeerInfo:
        """The peer with this number; `KeyError` if it is not at the table."""
        for info in self.peers:
            if info.id == peer:
                return info
        raise KeyError(peer)

    def seats_of(self, peer: PeerId) -> tuple[Seat, ...]:
        return tuple(seat for seat, info in enumerate(self.seats) if info is not None and info.peer == peer)

    @property
    def players(self) -> tuple[PeerInfo, ...]:
        """The peers that have a seat, in the order in which they came."""
        seated = {seat.peer for seat in self.taken}
        return tuple(peer for peer in self.peers if peer.id in seated)

    def is_here(self, peer: PeerId) -> bool:
        """Whether this peer is at the table and its line is up."""
        return any(info.id == peer and info.online for info in self.peers)

    @property
    def is_any_revealed(self) -> bool:
        """Whether a peer's secret is open: from then on nobody commits, who could choose by what is known."""
        return any(part.secret is not None for part in self.contributions)

    @property
    def all_committed(self) -> bool:
        """Whether everybody has committed whose secret can still come, so that secrets can be revealed."""
        missing = (part.peer for part in self.contributions if part.commitment is None)
        return self.is_any_revealed or not any(map(self.is_here, missing))

    @property
    def keeper(self) -> PeerInfo | None:
        """Who looks after the table: the first person with a seat whose line is up."""
        return next((peer for peer in self.players if peer.bot is None and peer.online), None)


# --- entries --------------------------------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True, tag=str.lower, tag_field="entry", forbid_unknown_fields=True):
    """Base of every log entry: `{"entry": "joined", …}`. The log numbers them from 1 without gaps."""


class Joined(Entry, frozen=True):
    """A peer came to the table and took these seats under these names (none: a spectator)."""

    peer: PeerId
    name: str
    bot: str | None
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    now: Millis


class Left(Entry, frozen=True):
    """A peer is gone for good. While a game is on its seats stay, for stand-ins to play.

    why: it said good-bye, its line was lost for too long, or the keeper sent it away
    """

    peer: PeerId
    why: Literal["left", "lost", "removed"]


class Lost(Entry, frozen=True):
    """A peer's line broke; its seats are kept."""

    peer: PeerId
    now: Millis


class Returned(Entry, frozen=True):
    """A peer is back; stand-ins on its seats step aside."""

    peer: PeerId
    now: Millis


class Readied(Entry, frozen=True):
    """A peer wants the (next) game to begin, or not yet."""

    peer: PeerId
    ready: bool


class Invited(Entry, frozen=True):
    """The keeper asked for a bot, which comes in by the door like everybody."""

    level: str


class StoodIn(Entry, frozen=True):
    """A bot plays on for a seat whose owner is away."""

    seat: Seat
    level: str


class Said(Entry, frozen=True):
    """A line of chat."""

    peer: PeerId
    text: str


class Dealt(Entry, frozen=True):
    """A game is to begin.

    seats: who plays, in the order of the seats
    options: the game's, as plain values
    commitment: the host's
    contributors: the peers whose commitment and secret are waited for
    """

    seats: tuple[SeatInfo, ...]
    options: Plain
    commitment: bytes
    contributors: tuple[PeerId, ...]


class Committed(Entry, frozen=True):
    """A peer's commitment to its secret."""

    peer: PeerId
    commitment: bytes


class Revealed(Entry, frozen=True):
    """A peer's secret, after all have committed."""

    peer: PeerId
    secret: bytes


class Began(Entry, frozen=True):
    """The dice are fixed, by the secrets that are in; the game's set-up.

    events: of `Rules.begin`
    digest: of the game's state after them
    """

    events: tuple[Any, ...]
    now: Millis
    digest: bytes


class Acted(Entry, frozen=True):
    """A move and what came of it."""

    seat: Seat
    action: Any
    events: tuple[Any, ...]
    now: Millis
    digest: bytes


class Elapsed(Entry, frozen=True):
    """What came of time alone."""

    events: tuple[Any, ...]
    now: Millis
    digest: bytes


class Finished(Entry, frozen=True):
    """The game is over; the host's secret is open, so that everybody can check every die.

    Seats whose owners are gone for good are free now: whose the places are is told by the table before this entry.

    outcome: None if the game was broken off
    """

    outcome: Outcome | None
    secret: bytes


AnyEntry: TypeAlias = (
    Joined
    | Left
    | Lost
    | Returned
    | Readied
    | Invited
    | StoodIn
    | Said
    | Dealt
    | Committed
    | Revealed
    | Began
    | Acted
    | Elapsed
    | Finished
)


# --- the fold -------------------------------------------------------------------------------------------------------


def evolve(table: TableState, entry: AnyEntry) -> TableState:
    """The table after an entry: total, deterministic, the same on every peer."""
    match entry:
        case Joined():
            return _joined(table, entry)
        case Left(peer, _):
            return _left(table, peer)
        case Lost(peer, now):
            return _with_peer(table, peer, online=False, since=now)
        case Returned(peer, now):
            return _without_stand_ins(_with_peer(table, peer, online=True, since=now), peer)
        case Readied(peer, ready):
            return _with_peer(table, peer, ready=ready)
        case StoodIn(seat, level):
            return _with_seat(table, seat, level)
        case Dealt():
            return _dealt(table, entry)
        case Committed(peer, commitment):
            return _with_contribution(table, peer, commitment=commitment)
        case Revealed(peer, secret):
            return _with_contribution(table, peer, secret=secret)
        case Began():
            state = table.rules.new(len(table.taken), options_of(table))
            return replace(table, phase="playing", game_state=_played(table.rules, state, entry.events))
        case Acted() | Elapsed():
            return replace(table, game_state=_played(table.rules, table.game_state, entry.events))
        case Finished(outcome, _):
            return _finished(table, outcome)
        case Said() | Invited():
            return table


def options_of(table: TableState) -> Any:
    """The table's options as the game's own struct."""
    return msgspec.convert(table.options, table.rules.Options)


def digest(game_state: Any) -> bytes:
    """Eight bytes by which two replicas of a game's state are compared."""
    return hashlib.sha256(msgspec.msgpack.encode(game_state)).digest()[:8]


def _played(rules: AnyRules, state: Any, events: tuple[Any, ...]) -> Any:
    for event in events:
        state = rules.evolve(state, event)
    return state


def _joined(table: TableState, entry: Joined) -> TableState:
    peer = PeerInfo(entry.peer, entry.name, entry.bot, online=True, since=entry.now)
    seats = list(table.seats)
    for seat, name in zip(entry.seats, entry.names, strict=True):
        seats[seat] = SeatInfo(name, entry.peer)
    return replace(table, peers=(*table.peers, peer), seats=tuple(seats))


def _left(table: TableState, gone: PeerId) -> TableState:
    table = replace(table, peers=tuple(peer for peer in table.peers if peer.id != gone))
    return table if table.phase in ("dealing", "playing") else _vacated(table)


def _vacated(table: TableState) -> TableState:
    """Frees the seats of all who are gone."""
    here = {peer.id for peer in table.peers}
    seats = tuple(seat if seat is not None and seat.peer in here else None for seat in table.seats)
    return replace(table, seats=seats)


def _dealt(table: TableState, entry: Dealt) -> TableState:
    free = (None,) * (len(table.seats) - len(entry.seats))
    parts = (Contribution(HOST, entry.commitment), *map(Contribution, entry.contributors))
    return replace(
        table,
        phase="dealing",
        seats=(*entry.seats, *free),
        options=entry.options,
        peers=tuple(replace(peer, ready=False) for peer in table.peers),
        games=table.games + 1,
        contributions=parts,
        game_state=None,
        outcome=None,
    )


def _finished(table: TableState, outcome: Outcome | None) -> TableState:
    seats = tuple(seat and replace(seat, stand_in=None) for seat in table.seats)
    return _vacated(replace(table, phase="over", outcome=outcome, seats=seats))


def _with_peer(table: TableState, peer: PeerId, **changes: Any) -> TableState:
    return replace(table, peers=tuple(replace(p, **changes) if p.id == peer else p for p in table.peers))


def _with_seat(table: TableState, seat: Seat, stand_in: str | None) -> TableState:
    return replace(
        table,
        seats=tuple(
            s and replace(s, stand_in=stand_in) if i == seat else s for i, s in enumerate(table.seats)
        ),
    )


def _without_stand_ins(table: TableState, peer: PeerId) -> TableState:
    for seat in table.seats_of(peer):
        table = _with_seat(table, seat, None)
    return table


def _with_contribution(table: TableState, peer: PeerId, **changes: Any) -> TableState:
    parts = tuple(replace(part, **changes) if part.peer == peer else part for part in table.contributions)
    return replace(table, contributions=parts)


class Log:
    """The entries that a host keeps; `start` is the number before the first, and the table as it stood then."""

    def __init__(self, table: TableState) -> None:
        self.start = (0, table)
        self._half = self.start
        self._entries: list[Plain] = []

    @property
    def seq(self) -> int:
        """The number of the last entry; 0 if there was none."""
        return self.start[0] + len(self._entries)

    def append(self, entry: AnyEntry, after: TableState) -> None:
        self._entries.append(plain(entry))
        if self.seq - self._half[0] >= KEPT:
            self.forget_before(self._half)
            self._half = (self.seq, after)

    def after(self, seq: int) -> list[Plain]:
        """The entries behind this number, which is not below that of `start`."""
        return self._entries[seq - self.start[0] :]

    def forget_before(self, start: tuple[int, TableState]) -> None:
        if start[0] > self.start[0]:
            del self._entries[: start[0] - self.start[0]]
            self.start = start


# --- names -------------------------------------------------------------------------------------------------------


def seat_names(name: str, seats: int, taken: Collection[str]) -> tuple[str, ...]:
    """A name for each seat: as many as the name lists ("Anna & Ben"), or the name with numbers."""
    parts = [part.strip() for part in name.replace("&", ",").split(",")]
    bases = parts if seats > 1 and len(parts) == seats and all(parts) else [name] * seats
    names: tuple[str, ...] = ()
    for base in bases:
        names = (*names, free_name(base, {*taken, *names}))
    return names


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or "Anna 2" if it is taken."""
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


# --- plain and typed ------------------------------------------------------------------------------------------------


def plain(value: AnyEntry | TableState) -> Plain:
    """As maps, lists, numbers, strings and bytes: what goes over the wire."""
    return cast(Plain, msgspec.to_builtins(value, builtin_types=(bytes,)))


def entry_from(plain: Plain, rules: AnyRules) -> AnyEntry:
    """The typed entry. Raises `msgspec.ValidationError`."""
    entry = cast(AnyEntry, msgspec.convert(plain, AnyEntry))
    match entry:
        case Acted():
            action = msgspec.convert(entry.action, rules.Action)
            return replace(entry, action=action, events=_events_from(entry.events, rules))
        case Began() | Elapsed():
            return replace(entry, events=_events_from(entry.events, rules))
        case _:
            return entry


def _events_from(events: tuple[Any, ...], rules: AnyRules) -> tuple[Any, ...]:
    return tuple(msgspec.convert(event, rules.Event) for event in events)


def table_from(plain: Plain) -> TableState:
    """The typed table. Raises `msgspec.ValidationError`, also for a game that is not known here."""
    table = msgspec.convert(plain, TableState)
    if table.game not in GAMES:
        raise msgspec.ValidationError(f"No game {table.game!r} is known here.")
    if table.game_state is None:
        return table
    return replace(table, game_state=msgspec.convert(table.game_state, table.rules.State))
