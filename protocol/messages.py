"""Every message of the wire, as typed structs: the one place that says what can be said.

A message is one msgpack map whose `type` names it. What a game or a table is made of (actions, log entries, states)
travels through here as plain maps: the wire knows no game. `docs/protocol.md` tells the same to who writes a client.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

PROTOCOL = 1
"""The version of all that this module says. A peer and a host of different versions part with a sentence."""

Version = Annotated[int, Meta(ge=0, le=65535)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
"""A peer's own count of its requests: 1, 2, 3, … over all its connections to one table."""
Sequence = Annotated[int, Meta(ge=0, le=2**53)]
"""The number of a log entry; 0 stands before the first one."""
PeerId = Annotated[int, Meta(ge=1, le=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
Count = Annotated[int, Meta(ge=0, le=99)]
Millis = Annotated[int, Meta(ge=0, le=2**53)]
Code = Annotated[str, Meta(max_length=40)]
Sentence = Annotated[str, Meta(max_length=400)]
RawName = Annotated[str, Meta(max_length=200)]
"""A name as typed: the table cleans it and cuts it to its width."""
RawText = Annotated[str, Meta(max_length=1000)]
Word = Annotated[str, Meta(max_length=40)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
Secret = Annotated[bytes, Meta(min_length=32, max_length=32)]
Token = Annotated[bytes, Meta(min_length=16, max_length=64)]
Nonce = Annotated[bytes, Meta(min_length=16, max_length=64)]
Plain: TypeAlias = dict[str, Any]
"""Something of a game or a table's record, as msgpack gives it: maps, lists, numbers, strings, bytes."""


class Message(msgspec.Struct, frozen=True, tag=str.lower, tag_field="type", forbid_unknown_fields=True):
    """Base of every message: `{"type": "hello", …}`."""


# --- before Welcome -------------------------------------------------------------------------------------------------


class Greeting(Message, frozen=True):
    """Host: its first words on every connection.

    nonce: what a PIN is proved over; fresh for every connection
    salt: what a PIN is stretched with; of this host, the same for all its connections
    pin: whether one is asked for
    """

    protocol: Version
    nonce: Nonce
    salt: Nonce
    pin: bool


class Ask(Message, frozen=True):
    """Peer: what stands here? Answered with `Status`; needs no `Hello`."""


class Status(Message, frozen=True):
    """Host: what a list of tables shows of this one.

    state: "waiting" | "playing" | "over"
    """

    protocol: Version
    table: Word
    game: Word
    name: Sentence
    host: Sentence
    seats: Count
    taken: Count
    state: Word
    pin: bool


class Hello(Message, frozen=True):
    """Peer: may I come in?

    seats: how many it wants; 0: a spectator, 2: two people at one keyboard
    name: of the person; with several seats "Anna & Ben" names each
    bot: the level, if it plays by itself
    token, seq: what it kept of an earlier connection: its token and the last entry that it has
    proof: of the PIN (see `session.prove`)
    """

    protocol: Version
    name: RawName
    seats: Annotated[int, Meta(ge=0, le=8)] = 1
    bot: Word | None = None
    token: Token | None = None
    seq: Sequence | None = None
    proof: Hash | None = None


class Refused(Message, frozen=True):
    """Host: no, and the connection ends. This form never changes in any later version.

    protocol: the host's version
    """

    code: Code
    sentence: Sentence
    protocol: Version


class Snapshot(Message, frozen=True):
    """Host: the whole table as it stood after entry `seq`."""

    seq: Sequence
    table: Plain


class Welcome(Message, frozen=True):
    """Host: come in.

    peer: the number by which the log speaks of this peer
    seats: its seats; empty for a spectator
    token: brings the seats back after a lost connection; keep it secret
    number: the last request of this peer that was answered; the next one bears the number after it
    start: where the peer's replica starts; None if it goes on from the `seq` of its Hello
    seq: the table's last entry; those that the peer lacks follow at once as `Events`
    now: the table's clock, in milliseconds
    """

    peer: PeerId
    seats: tuple[SeatNumber, ...]
    token: Token
    number: Sequence
    start: Snapshot | None
    seq: Sequence
    now: Millis


# --- requests: each bears the peer's own number and is answered with Events or Rejected ------------------------------


class Request(Message, frozen=True):
    """Base of what a welcomed peer may ask for. A repeated number is answered again, not done again."""

    number: Number


class Act(Request, frozen=True):
    """Peer: this is my move.

    seen: the last entry that the peer knew; a move that others overtook is told so
    action: as the game defines it
    """

    seen: Sequence
    seat: SeatNumber
    action: Plain


class Ready(Request, frozen=True):
    """Peer: my seats are ready for the (next) game, or not yet."""

    ready: bool


class Start(Request, frozen=True):
    """Peer who looks after the table: begin with those who are here."""


class AddBot(Request, frozen=True):
    """Peer who looks after the table: let a bot of this level sit down."""

    level: Word


class Remove(Request, frozen=True):
    """Peer who looks after the table: this peer has to go (while waiting)."""

    peer: PeerId


class StandIn(Request, frozen=True):
    """Peer: let a bot play on for this seat until its owner is back."""

    seat: SeatNumber


class Say(Request, frozen=True):
    """Peer: a line of chat."""

    text: RawText


class Commit(Request, frozen=True):
    """Peer: the SHA-256 of my secret for the coming game's dice."""

    commitment: Hash


class Reveal(Request, frozen=True):
    """Peer: the secret itself, once all have committed."""

    secret: Secret


class Resync(Message, frozen=True):
    """Peer: my replica is out of step; answered with `Snapshot`."""


class Leave(Message, frozen=True):
    """Peer: good-bye for good; its seats are free or played on by a bot."""


# --- from the host, after Welcome -----------------------------------------------------------------------------------


class Events(Message, frozen=True):
    """Host: log entries, without gaps.

    first: the sequence number of the first of `entries`
    answers: the number of this peer's request that they answer, if any
    """

    first: Sequence
    entries: tuple[Plain, ...]
    answers: Number | None = None


class Rejected(Message, frozen=True):
    """Host: a request was not done.

    answers: the number of the request
    seq: the host's last entry when it decided
    """

    answers: Number
    code: Code
    sentence: Sentence
    seq: Sequence


class Closing(Message, frozen=True):
    """Host: the connection ends, and why."""

    code: Code
    sentence: Sentence


# --- both ways ------------------------------------------------------------------------------------------------------


class Ping(Message, frozen=True):
    """Either: are you there? `at` is the sender's own clock and comes back as it is."""

    at: Millis


class Pong(Message, frozen=True):
    """Either: I am."""

    at: Millis


FromPeer: TypeAlias = (
    Ask
    | Hello
    | Act
    | Ready
    | Start
    | AddBot
    | Remove
    | StandIn
    | Say
    | Commit
    | Reveal
    | Resync
    | Leave
    | Ping
    | Pong
)
FromHost: TypeAlias = (
    Greeting | Status | Refused | Welcome | Events | Rejected | Snapshot | Closing | Ping | Pong
)
