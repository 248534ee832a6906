"""One example of every message."""

from __future__ import annotations

from typing import get_args

from protocol.messages import (
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
    Resync,
    Reveal,
    Say,
    Snapshot,
    StandIn,
    Start,
    Status,
    Welcome,
)

N = bytes(range(32))

FROM_PEER: tuple[Message, ...] = (
    Ask(),
    Hello(1, "Anna & Ben", 2, "hard", N, 7, N),
    Act(1, 12, 0, {"do": "roll", "dice": [1, 2]}),
    Ready(1, True),
    Start(1),
    AddBot(1, "easy"),
    Remove(1, 3),
    StandIn(1, 2),
    Say(1, "Grüße 🎲"),
    Commit(1, N),
    Reveal(1, N),
    Resync(),
    Leave(),
    Ping(5),
    Pong(5),
)
FROM_HOST: tuple[Message, ...] = (
    Greeting(1, N, N, True),
    Status(1, "t1", "express", "Kitchen", "Anna", 4, 2, "waiting", False),
    Refused("pin-wrong", "This is not the table's PIN.", 1),
    Welcome(1, (0, 1), N, 0, Snapshot(3, {"id": "t1", "seats": [None, {"name": "Anna"}]}), 4, 1000),
    Events(4, ({"entry": "said", "peer": 1, "text": "Hello"},), 2),
    Rejected(2, "illegal", "Not now.", 4),
    Snapshot(4, {"id": "t1", "digest": N}),
    Closing("closed", "Good night."),
    Ping(5),
    Pong(5),
)
ALL = FROM_PEER + FROM_HOST[:-2]

assert {type(message) for message in FROM_PEER} == set(get_args(FromPeer))
assert {type(message) for message in FROM_HOST} == set(get_args(FromHost))


def kind_of(message: Message) -> object:
    """The union that a message belongs to."""
    return FromPeer if message in FROM_PEER else FromHost


def name_of(message: object) -> str:
    return type(message).__name__
