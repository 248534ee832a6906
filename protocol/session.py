"""Who may say what when. Sans-IO: bytes in, messages out; a message in, bytes out. Both roles share one table.

After a `Malformed` or a `NotAllowed` of the other side the session is BROKEN: it takes in nothing more, and a host can
still say why (`part`). The one exception, a spectator's request, leaves the session as it was.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum
from typing import Any, Generic, TypeVar, get_args

from protocol.codec import (
    FROM_HOST,
    FROM_HOST_EARLY,
    TO_HOST,
    TO_HOST_EARLY,
    Decoder,
    OtherVersion,
    check,
    encode,
)
from protocol.errors import Malformed, NotAllowed
from protocol.messages import (
    PROTOCOL,
    Act,
    AddBot,
    Ask,
    Closing,
    Commit,
    Events,
    FromHost,
    FromPeer,
    Greeting,
    Hello,
    Leave,
    Message,
    Ping,
    Pong,
    Ready,
    Refused,
    Rejected,
    Remove,
    Request,
    Resync,
    Reveal,
    Say,
    Snapshot,
    StandIn,
    Start,
    Status,
    Welcome,
)

PIN_ROUNDS = 200_000
"""How often a PIN is stretched: about 0.1 s, paid by everybody who guesses from an overheard proof."""

IncomingT = TypeVar("IncomingT")


class State(StrEnum):
    """Where the two stand. Both ends of a connection go through the same states."""

    NEW = "new"
    """Connected; the host speaks first."""
    OPEN = "open"
    """Greeted; the peer may ask what stands here, or come in."""
    KNOCKED = "knocked"
    """Hello is said; the host decides."""
    SEATED = "seated"
    """Welcome, with a seat."""
    WATCHING = "watching"
    """Welcome, without one."""
    BROKEN = "broken"
    """The other side broke the rules; a host may still say why."""
    CLOSED = "closed"
    """Nothing is said or heard any more."""


class WelcomeToWatch(Welcome, frozen=True):
    """Stands in the table for a `Welcome` without seats. Never on the wire."""


TRANSITIONS: dict[State, dict[type[Any], State]] = {
    State.NEW: {
        Greeting: State.OPEN,
        OtherVersion: State.BROKEN,
        Refused: State.CLOSED,
    },
    State.OPEN: {
        **dict.fromkeys((Ask, Status, Ping, Pong), State.OPEN),
        Hello: State.KNOCKED,
        OtherVersion: State.BROKEN,
        Refused: State.CLOSED,
    },
    State.KNOCKED: {
        # The answers to what was asked before Hello may still be on their way.
        **dict.fromkeys((Status, Ping, Pong), State.KNOCKED),
        Welcome: State.SEATED,
        WelcomeToWatch: State.WATCHING,
        Refused: State.CLOSED,
    },
    State.SEATED: {
        **dict.fromkeys((Act, Ready, Start, AddBot, Remove, StandIn, Say, Commit, Reveal), State.SEATED),
        **dict.fromkeys((Events, Rejected, Snapshot), State.SEATED),
        **dict.fromkeys((Resync, Ping, Pong), State.SEATED),
        Leave: State.CLOSED,
        Closing: State.CLOSED,
    },
    State.WATCHING: {
        Say: State.WATCHING,
        **dict.fromkeys((Events, Rejected, Snapshot), State.WATCHING),
        **dict.fromkeys((Resync, Ping, Pong), State.WATCHING),
        Leave: State.CLOSED,
        Closing: State.CLOSED,
    },
    State.BROKEN: {Refused: State.CLOSED, Closing: State.CLOSED},
    State.CLOSED: {},
}

_INSIDE = (State.SEATED, State.WATCHING)
_SILENT = (State.BROKEN, State.CLOSED)


class Session(Generic[IncomingT]):
    """One connection, seen from one end: made by `host_session` or `peer_session`.

    state: where the two stand
    number: the last request that was said (peer) or heard (host); set by `Welcome`
    """

    def __init__(self, hears: Any, says: Any) -> None:
        self.state = State.NEW
        self.number = 0
        self._welcomed = False
        self._is_peer = says is FromPeer
        self._says = frozenset(get_args(says))
        self._decoder: Decoder[IncomingT] = Decoder(
            hears, FROM_HOST_EARLY if self._is_peer else TO_HOST_EARLY
        )

    def feed(self, data: bytes) -> None:
        """Takes what the connection brought; then ask for `next` until there is nothing more."""
        if self.state not in _SILENT:
            self._decoder.feed(data)

    def next(self) -> IncomingT | OtherVersion | None:
        """The next message of the other side, or None until more bytes have come.

        Raises `Malformed` and `NotAllowed`, once each: afterwards the session is BROKEN and `next` gives None. Only if
        the error has `answers` does the session go on, and `Rejected` is due.
        """
        if self.state in _SILENT:
            return None
        try:
            message = self._decoder.next()
            if message is not None:
                self._hear(message)
        except NotAllowed as error:
            if error.answers is None:
                self._break()
            raise
        except Malformed:
            self._break()
            raise
        return message

    def send(self, message: Message, frame: bytes | None = None) -> bytes:
        """The bytes that say this message.

        frame: the message already encoded, if it goes to many
        Raises `NotAllowed` if it may not be said now and `Malformed` if the other side would not take it; neither
        changes the session.
        """
        if type(message) not in self._says:
            raise NotAllowed(f"{type(message).__name__} is for the other side to say.")
        self._check_state(message)
        if frame is None:
            frame = encode(message, self._outgoing_limit())
            if self._is_peer:
                check(frame, FromPeer)
        if isinstance(message, Request):
            self._check_number(message.number)
            self.number = max(self.number, message.number)
        self._move(message)
        return frame

    def part(self, code: str, sentence: str) -> bytes:
        """The host's last word, in the form that fits the state; empty if nothing can be said any more."""
        if self.state is State.CLOSED:
            return b""
        if self._welcomed:
            return self.send(Closing(code, sentence))
        return self.send(Refused(code, sentence, PROTOCOL))

    def _hear(self, message: IncomingT | OtherVersion) -> None:
        if isinstance(message, Request):
            self._check_number(message.number)
            self.number = max(self.number, message.number)
        self._check_state(message)
        self._move(message)

    def _check_state(self, message: object) -> None:
        if _event(message) in TRANSITIONS[self.state]:
            return
        if isinstance(message, Request) and self.state is State.WATCHING:
            raise NotAllowed("You are watching: this is for those who have a seat.", message.number)
        raise NotAllowed(f"{type(message).__name__} may not be said now (the connection is {self.state}).")

    def _check_number(self, number: int) -> None:
        if number > self.number + 1:
            raise NotAllowed(f"Request {number} came, but the next one is number {self.number + 1}.")

    def _move(self, message: object) -> None:
        self.state = TRANSITIONS[self.state][_event(message)]
        if isinstance(message, Welcome):
            self.number = message.number
            self._welcomed = True
        self._decoder.limit = self._incoming_limit()
        if self.state in _SILENT:
            self._decoder.discard()

    def _break(self) -> None:
        self.state = State.BROKEN
        self._decoder.discard()

    def _incoming_limit(self) -> int:
        return self._from_host_limit() if self._is_peer else self._to_host_limit()

    def _outgoing_limit(self) -> int:
        return self._to_host_limit() if self._is_peer else self._from_host_limit()

    def _to_host_limit(self) -> int:
        return TO_HOST if self.state in _INSIDE else TO_HOST_EARLY

    def _from_host_limit(self) -> int:
        return FROM_HOST_EARLY if self.state in (State.NEW, State.OPEN) else FROM_HOST


def host_session() -> Session[FromPeer]:
    """The host's end of a new connection."""
    return Session(hears=FromPeer, says=FromHost)


def peer_session() -> Session[FromHost]:
    """The peer's end of a new connection."""
    return Session(hears=FromHost, says=FromPeer)


def version_sentence(host: int, peer: int) -> str:
    """Which versions met, and what to do."""
    older = "this table" if host < peer else "your program"
    return (
        f"This table speaks protocol version {host} and your program version {peer}: "
        f"they do not understand each other. Update {older}."
    )


def stretch(pin: str, salt: bytes) -> bytes:
    """The key that a PIN makes. Takes about 0.1 s, on purpose: a short PIN must not be cheap to guess."""
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, PIN_ROUNDS)


def prove(key: bytes, nonce: bytes) -> bytes:
    """The proof that one knows the PIN (its stretched key), good for this one connection."""
    return hmac.digest(key, nonce, "sha256")


def is_proved(key: bytes, nonce: bytes, proof: bytes | None) -> bool:
    """Whether this proves the PIN. Takes the same time for every wrong proof."""
    return proof is not None and hmac.compare_digest(prove(key, nonce), proof)


def _event(message: object) -> type[Any]:
    if isinstance(message, Welcome) and not message.seats:
        return WelcomeToWatch
    return type(message)
