"""What a host needs of the table that it is handed. The wire knows nothing else of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from protocol.messages import (
    Act,
    AddBot,
    Commit,
    Ready,
    Remove,
    Request,
    Reveal,
    Say,
    StandIn,
    Start,
)


class Table(Protocol):
    """What a host needs of the table that it puts on the network.

    Log entries are plain maps, numbered from 1 without gaps. `now` is milliseconds of the table's clock, never going
    back.
    Any method may refuse with an exception that has a `code` and a `sentence`: that answers the request. Any other
    exception is a bug: it is logged and the table goes on.
    """

    @property
    def seq(self) -> int:
        """The number of the last entry; 0 if there is none."""
        ...

    def status(self) -> dict[str, Any]:
        """For lists of tables: table, game, name, host, state (strings), seats, taken (numbers)."""
        ...

    def join(self, name: str, seats: int, bot: str | None, token_hash: bytes, now: int) -> int:
        """Somebody comes in; their new peer id. The name is as typed."""
        ...

    def resume(self, token_hash: bytes, now: int) -> int:
        """Somebody is back, maybe before they were found lost; their peer id. Refuses an unknown token."""
        ...

    def seats_of(self, peer: int) -> tuple[int, ...]: ...

    def act(self, peer: int, seat: int, action: dict[str, Any], seen: int, now: int) -> None: ...

    def ready(self, peer: int, ready: bool, now: int) -> None: ...

    def start(self, peer: int, now: int) -> None: ...

    def add_bot(self, peer: int, level: str, now: int) -> None: ...

    def remove(self, peer: int, other: int, now: int) -> None: ...

    def stand_in(self, peer: int, seat: int, now: int) -> None: ...

    def say(self, peer: int, text: str, now: int) -> None: ...

    def commit(self, peer: int, commitment: bytes, now: int) -> None: ...

    def reveal(self, peer: int, secret: bytes, now: int) -> None: ...

    def leave(self, peer: int, now: int) -> None:
        """Gone for good; the token is worth nothing any more."""
        ...

    def lost(self, peer: int, now: int) -> None:
        """The connection broke."""
        ...

    def due(self) -> int | None:
        """When `elapse` is to be called."""
        ...

    def elapse(self, now: int) -> None: ...

    def entries(self, after: int) -> Sequence[dict[str, Any]]:
        """All entries after that number, which is at least `oldest()`."""
        ...

    def oldest(self) -> int:
        """The number after which the kept entries start."""
        ...

    def snapshot(self) -> tuple[int, dict[str, Any]]:
        """The table as it stands, after entry `seq`."""
        ...

    def base(self) -> tuple[int, dict[str, Any]]:
        """The table as it stood after entry `oldest()`, for a newcomer, who gets all kept entries as well."""
        ...


def carry_out(table: Table, peer: int, request: Request, now: int) -> None:
    """Passes a request on to the table."""
    match request:
        case Act():
            table.act(peer, request.seat, request.action, request.seen, now)
        case Ready():
            table.ready(peer, request.ready, now)
        case Start():
            table.start(peer, now)
        case AddBot():
            table.add_bot(peer, request.level, now)
        case Remove():
            table.remove(peer, request.peer, now)
        case StandIn():
            table.stand_in(peer, request.seat, now)
        case Say():
            table.say(peer, request.text, now)
        case Commit():
            table.commit(peer, request.commitment, now)
        case Reveal():
            table.reveal(peer, request.secret, now)
        case _:
            raise AssertionError(request)
