"""Who may say what when: rows of (state, message, what comes of it), for both ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import FROM_HOST, FROM_HOST_EARLY, HEADER, TO_HOST, TO_HOST_EARLY, OtherVersion, encode
from protocol.errors import Malformed, NotAllowed
from protocol.messages import (
    PROTOCOL,
    Act,
    Ask,
    Closing,
    Events,
    Greeting,
    Hello,
    Leave,
    Message,
    Ping,
    Pong,
    Ready,
    Refused,
    Rejected,
    Resync,
    Say,
    Snapshot,
    Status,
    Welcome,
)
from protocol.session import (
    Session,
    State,
    host_session,
    is_proved,
    peer_session,
    prove,
    stretch,
    version_sentence,
)
from tests.protocol import samples
from tests.protocol.samples import FROM_PEER, N, name_of

GREETING = Greeting(PROTOCOL, N, N, False)
HELLO = Hello(PROTOCOL, "Anna")
STATUS = Status(PROTOCOL, "t1", "express", "Kitchen", "Anna", 4, 2, "waiting", False)
SEATED = Welcome(1, (0,), N, 0, None, 0, 0)
WATCHING = Welcome(1, (), N, 0, None, 0, 0)

# How one gets into each state, as messages in order.
WAYS: dict[State, tuple[Message, ...]] = {
    State.NEW: (),
    State.OPEN: (GREETING,),
    State.KNOCKED: (GREETING, HELLO),
    State.SEATED: (GREETING, HELLO, SEATED),
    State.WATCHING: (GREETING, HELLO, WATCHING),
    State.CLOSED: (GREETING, HELLO, Refused("full", "", PROTOCOL)),
}


def is_said_by_peer(message: Message) -> bool:
    return type(message) in {type(other) for other in FROM_PEER}


def host_in(state: State) -> Session[Any]:
    """A host's session after the messages that lead to a state."""
    session = host_session()
    for message in WAYS[state]:
        if is_said_by_peer(message):
            session.feed(encode(message))
            assert session.next() == message
        else:
            session.send(message)
    assert session.state is state
    return session


def peer_in(state: State) -> Session[Any]:
    """A peer's session after the messages that lead to a state."""
    session = peer_session()
    for message in WAYS[state]:
        if is_said_by_peer(message):
            session.send(message)
        else:
            session.feed(encode(message))
            assert session.next() == message
    assert session.state is state
    return session


def frame(**plain: Any) -> bytes:
    payload = msgpack.packb(plain)
    return HEADER.pack(len(payload)) + payload


# --- what a host may hear -------------------------------------------------------------------------------------------

HEARD_BY_HOST: tuple[tuple[State, Message, State], ...] = (
    (State.OPEN, Ask(), State.OPEN),
    (State.OPEN, Ping(1), State.OPEN),
    (State.OPEN, HELLO, State.KNOCKED),
    (State.SEATED, Act(1, 0, 0, {}), State.SEATED),
    (State.SEATED, Say(1, "Hi"), State.SEATED),
    (State.SEATED, Resync(), State.SEATED),
    (State.SEATED, Pong(1), State.SEATED),
    (State.SEATED, Leave(), State.CLOSED),
    (State.WATCHING, Say(1, "Hi"), State.WATCHING),
    (State.WATCHING, Resync(), State.WATCHING),
    (State.WATCHING, Leave(), State.CLOSED),
)
NOT_HEARD_BY_HOST: tuple[tuple[State, Message], ...] = (
    (State.NEW, HELLO),
    (State.OPEN, Act(1, 0, 0, {})),
    (State.OPEN, Say(1, "Hi")),
    (State.OPEN, Resync()),
    (State.OPEN, Leave()),
    (State.KNOCKED, HELLO),
    (State.KNOCKED, Ask()),
    (State.KNOCKED, Say(1, "Hi")),
    (State.SEATED, HELLO),
    (State.SEATED, Ask()),
    (State.SEATED, Act(2, 0, 0, {})),
    (State.WATCHING, HELLO),
    (State.WATCHING, Say(3, "Hi")),
    (State.WATCHING, Act(2, 0, 0, {})),
)


def row_name(value: object) -> str:
    return value.value if isinstance(value, State) else name_of(value)


@pytest.mark.parametrize("size", [1, 10_000], ids=["byte by byte", "whole"])
@pytest.mark.parametrize(("state", "message", "then"), HEARD_BY_HOST, ids=row_name)
def test_a_host_hears_what_may_be_said(state: State, message: Message, then: State, size: int) -> None:
    session = host_in(state)
    data = encode(message)
    found: list[Any] = []
    for position in range(0, len(data), size):
        session.feed(data[position : position + size])
        found.append(session.next())
    assert found[-1] == message
    assert set(found[:-1]) <= {None}
    assert session.state is then


@pytest.mark.parametrize(("state", "message"), NOT_HEARD_BY_HOST, ids=row_name)
def test_a_host_ends_it_when_something_is_said_that_may_not_be(state: State, message: Message) -> None:
    session = host_in(state)
    session.feed(encode(message) + encode(Ping(1)))
    with pytest.raises(NotAllowed) as caught:
        session.next()
    assert caught.value.answers is None
    assert session.state is State.BROKEN
    assert session.next() is None, "what comes behind is not heard any more"


@pytest.mark.parametrize("request_", [Act(1, 0, 0, {}), Ready(1, True)], ids=name_of)
def test_a_spectator_who_acts_is_told_no_and_stays(request_: Message) -> None:
    session = host_in(State.WATCHING)
    session.feed(encode(request_) + encode(Say(2, "Sorry")))
    with pytest.raises(NotAllowed) as caught:
        session.next()
    assert caught.value.answers == 1
    assert session.state is State.WATCHING
    assert session.next() == Say(2, "Sorry"), "the refused request has used up its number"


def test_what_follows_a_message_is_heard_in_the_state_that_it_made() -> None:
    session = host_in(State.OPEN)
    session.feed(encode(Ask()) + encode(Ask()) + encode(HELLO) + encode(Say(1, "Hi")))
    assert [session.next() for _ in range(3)] == [Ask(), Ask(), HELLO]
    session.send(SEATED)
    assert session.next() == Say(1, "Hi")


@given(st.binary(min_size=1, max_size=100))
@settings(max_examples=100)
def test_after_rubbish_nothing_is_heard_and_the_host_can_say_why(rubbish: bytes) -> None:
    session = host_in(State.OPEN)
    session.feed(rubbish + b"\xff" * 4)
    fault: Malformed | NotAllowed | None = None
    while fault is None:
        try:
            if session.next() is None:
                break
        except (Malformed, NotAllowed) as error:
            fault = error
    session.feed(encode(Ask()))
    if fault is None:
        assert session.state in (State.OPEN, State.KNOCKED), "it was the beginning of a message"
    else:
        assert session.next() is None
        assert session.part(fault.code, fault.sentence) == encode(
            Refused(fault.code, fault.sentence, PROTOCOL)
        )
        assert session.state is State.CLOSED


# --- what a peer may hear -------------------------------------------------------------------------------------------

HEARD_BY_PEER: tuple[tuple[State, Message, State], ...] = (
    (State.NEW, GREETING, State.OPEN),
    (State.NEW, Refused("busy", "", PROTOCOL), State.CLOSED),
    (State.OPEN, STATUS, State.OPEN),
    (State.OPEN, Refused("too-slow", "", PROTOCOL), State.CLOSED),
    (State.KNOCKED, STATUS, State.KNOCKED),
    (State.KNOCKED, Refused("full", "", PROTOCOL), State.CLOSED),
    (State.KNOCKED, SEATED, State.SEATED),
    (State.KNOCKED, WATCHING, State.WATCHING),
    (State.SEATED, Events(1, ()), State.SEATED),
    (State.SEATED, Rejected(1, "illegal", "", 0), State.SEATED),
    (State.SEATED, Snapshot(1, {}), State.SEATED),
    (State.SEATED, Closing("closed", ""), State.CLOSED),
    (State.WATCHING, Events(1, ()), State.WATCHING),
    (State.WATCHING, Closing("closed", ""), State.CLOSED),
)
NOT_HEARD_BY_PEER: tuple[tuple[State, Message], ...] = (
    (State.NEW, STATUS),
    (State.NEW, SEATED),
    (State.NEW, Ping(1)),
    (State.OPEN, GREETING),
    (State.OPEN, SEATED),
    (State.OPEN, Events(1, ())),
    (State.KNOCKED, Events(1, ())),
    (State.SEATED, SEATED),
    (State.SEATED, STATUS),
    (State.SEATED, Refused("full", "", PROTOCOL)),
)


@pytest.mark.parametrize(("state", "message", "then"), HEARD_BY_PEER, ids=row_name)
def test_a_peer_hears_what_may_be_said(state: State, message: Message, then: State) -> None:
    session = peer_in(state)
    session.feed(encode(message))
    assert session.next() == message
    assert session.state is then


@pytest.mark.parametrize(("state", "message"), NOT_HEARD_BY_PEER, ids=row_name)
def test_a_peer_takes_nothing_more_from_a_host_that_says_what_it_may_not(
    state: State, message: Message
) -> None:
    session = peer_in(state)
    session.feed(encode(message))
    with pytest.raises(NotAllowed):
        session.next()
    assert session.state is State.BROKEN
    with pytest.raises(NotAllowed):
        session.send(Ping(1))


# --- what one may say oneself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("state", "message"), NOT_HEARD_BY_HOST, ids=row_name)
def test_a_peer_cannot_say_what_a_host_would_not_hear(state: State, message: Message) -> None:
    session = peer_in(state)
    with pytest.raises(NotAllowed):
        session.send(message)
    assert session.state is state


@pytest.mark.parametrize(("state", "message"), NOT_HEARD_BY_PEER, ids=row_name)
def test_a_host_cannot_say_what_a_peer_would_not_hear(state: State, message: Message) -> None:
    session = host_in(state)
    with pytest.raises(NotAllowed):
        session.send(message)
    assert session.state is state


def test_nobody_says_what_is_for_the_other_side() -> None:
    for message in FROM_PEER[:-2]:
        with pytest.raises(NotAllowed):
            host_in(State.SEATED).send(message)
    for message in samples.FROM_HOST[:-2]:
        with pytest.raises(NotAllowed):
            peer_in(State.SEATED).send(message)


def test_a_closed_connection_is_silent() -> None:
    for session in (host_in(State.CLOSED), peer_in(State.CLOSED)):
        session.feed(b"anything at all")
        assert session.next() is None
        assert session.part("closed", "Good night.") == b""


def test_a_frame_for_many_is_said_as_it_is() -> None:
    assert host_in(State.SEATED).send(Events(1, ()), b"encoded before") == b"encoded before"


def test_the_last_word_fits_the_state() -> None:
    assert host_in(State.OPEN).part("too-slow", "Hm.") == encode(Refused("too-slow", "Hm.", PROTOCOL))
    assert host_in(State.NEW).part("busy", "Hm.") == encode(Refused("busy", "Hm.", PROTOCOL))
    assert host_in(State.SEATED).part("removed", "Hm.") == encode(Closing("removed", "Hm."))


# --- numbers --------------------------------------------------------------------------------------------------------


def test_a_request_may_come_again_but_none_may_be_left_out() -> None:
    session = host_in(State.SEATED)
    for number in (1, 2, 1, 2, 3):
        session.feed(encode(Say(number, "Hi")))
        assert session.next() == Say(number, "Hi")
    session.feed(encode(Say(5, "Hi")))
    with pytest.raises(NotAllowed, match="number 4"):
        session.next()


def test_the_numbers_go_on_where_the_welcome_says() -> None:
    host = host_in(State.KNOCKED)
    host.send(Welcome(1, (0,), N, 17, None, 0, 0))
    host.feed(encode(Say(18, "Hi")))
    assert host.next() == Say(18, "Hi")
    peer = peer_in(State.KNOCKED)
    peer.feed(encode(Welcome(1, (0,), N, 17, None, 0, 0)))
    peer.next()
    with pytest.raises(NotAllowed):
        peer.send(Say(19, "Hi"))
    assert peer.send(Say(18, "Hi")) == encode(Say(18, "Hi"))


# --- sizes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "state", "limit"),
    [
        (host_in, State.OPEN, TO_HOST_EARLY),
        (host_in, State.SEATED, TO_HOST),
        (peer_in, State.NEW, FROM_HOST_EARLY),
        (peer_in, State.OPEN, FROM_HOST_EARLY),
        (peer_in, State.KNOCKED, FROM_HOST),
        (peer_in, State.SEATED, FROM_HOST),
    ],
)
def test_the_longest_frame_depends_on_the_state(
    end: Callable[[State], Session[Any]], state: State, limit: int
) -> None:
    longest = end(state)
    longest.feed(HEADER.pack(limit))
    assert longest.next() is None, "the rest is waited for"
    longer = end(state)
    longer.feed(HEADER.pack(limit + 1))
    with pytest.raises(Malformed) as caught:
        longer.next()
    assert caught.value.code == "frame-size"


def test_a_peer_does_not_say_what_would_get_it_thrown_out() -> None:
    session = peer_in(State.SEATED)
    with pytest.raises(Malformed):
        session.send(Say(1, "x" * 1001))
    assert session.send(Say(1, "x" * 1000))


# --- versions -------------------------------------------------------------------------------------------------------


def test_a_peer_of_another_version_is_known_and_can_be_told() -> None:
    session = host_in(State.OPEN)
    session.feed(frame(type="hello", protocol=PROTOCOL + 1, name=["a", "b"], colour="red"))
    assert session.next() == OtherVersion(PROTOCOL + 1)
    assert session.part("version", "Hm.") == encode(Refused("version", "Hm.", PROTOCOL))


def test_a_host_of_another_version_is_known() -> None:
    session = peer_in(State.NEW)
    session.feed(frame(type="greeting", protocol=PROTOCOL + 1, colour="red"))
    assert session.next() == OtherVersion(PROTOCOL + 1)
    with pytest.raises(NotAllowed):
        session.send(HELLO)


def test_the_older_side_is_asked_to_update() -> None:
    assert "version 1 and your program version 2" in version_sentence(1, 2)
    assert version_sentence(1, 2).endswith("Update this table.")
    assert version_sentence(2, 1).endswith("Update your program.")


# --- the PIN --------------------------------------------------------------------------------------------------------


def test_a_pin_is_proved_for_one_connection_only() -> None:
    key = stretch("0815", b"salt" * 4)
    assert is_proved(key, b"n" * 32, prove(key, b"n" * 32))
    assert not is_proved(key, b"m" * 32, prove(key, b"n" * 32))
    assert not is_proved(key, b"n" * 32, prove(stretch("0816", b"salt" * 4), b"n" * 32))
    assert not is_proved(key, b"n" * 32, None)
    assert not is_proved(key, b"n" * 32, b"short")
