"""Frames to messages and back: whole, byte by byte, with more behind, and broken."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import FROM_HOST, HEADER, MAX_DEPTH, Decoder, OtherVersion, decode, encode
from protocol.errors import Malformed
from protocol.messages import Ask, FromHost, FromPeer, Message, Ping, Say
from protocol.text import clean_line
from tests.protocol.samples import ALL, FROM_PEER, kind_of, name_of

BYTES: tuple[tuple[Message, str], ...] = (
    (Ask(), "0000000a 81 a474797065 a361736b"),
    (Ping(3), "0000000f 82 a474797065 a470696e67 a26174 03"),
    (Say(2, "Hi"), "0000001a 83 a474797065 a3736179 a66e756d626572 02 a474657874 a24869"),
)


BASE64 = b64encode(bytes(32)).decode()


def frame(payload: bytes) -> bytes:
    return HEADER.pack(len(payload)) + payload


def packed(plain: object) -> bytes:
    return frame(msgpack.packb(plain))


def decoder(kind: Any = FromPeer, limit: int = FROM_HOST) -> Decoder[Any]:
    return Decoder(kind, limit)


def drained(decoder: Decoder[Any]) -> list[Any]:
    found: list[Any] = []
    while (message := decoder.next()) is not None:
        found.append(message)
    return found


def drained_by(size: int, data: bytes) -> list[Any]:
    """What comes out when so many bytes come at a time."""
    incoming = decoder()
    found: list[Any] = []
    for position in range(0, len(data), size):
        incoming.feed(data[position : position + size])
        found += drained(incoming)
    return found


def fault_of(call: Callable[[], object]) -> Malformed | None:
    """The one kind of error there is; any other goes through."""
    try:
        call()
    except Malformed as fault:
        return fault
    return None


def is_harmless(fault: Malformed | None) -> bool:
    return fault is None or clean_line(fault.sentence, 400) == fault.sentence


def nested(levels: int) -> dict[str, Any]:
    """A map in a map in a map …"""
    plain: dict[str, Any] = {}
    for _ in range(levels - 1):
        plain = {"a": plain}
    return plain


# --- whole messages -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("message", "expected"), BYTES, ids=lambda value: name_of(value))
def test_a_message_is_these_bytes(message: Message, expected: str) -> None:
    assert encode(message) == bytes.fromhex(expected)


@pytest.mark.parametrize("message", ALL, ids=name_of)
def test_every_message_comes_back_as_it_was(message: Message) -> None:
    incoming = decoder(kind_of(message))
    incoming.feed(encode(message))
    assert drained(incoming) == [message]


@pytest.mark.parametrize("message", ALL, ids=name_of)
def test_every_message_may_come_byte_by_byte(message: Message) -> None:
    incoming = decoder(kind_of(message))
    data = encode(message)
    for position in range(len(data) - 1):
        incoming.feed(data[position : position + 1])
        assert incoming.next() is None
    incoming.feed(data[-1:])
    assert drained(incoming) == [message]


@pytest.mark.parametrize("message", ALL, ids=name_of)
def test_what_comes_behind_a_message_waits_for_its_rest(message: Message) -> None:
    incoming = decoder(kind_of(message))
    data = encode(message)
    incoming.feed(data + data[:3])
    assert drained(incoming) == [message]
    incoming.feed(data[3:] + data)
    assert drained(incoming) == [message, message]


@given(st.lists(st.sampled_from(FROM_PEER), max_size=8), st.data())
@settings(max_examples=60)
def test_it_does_not_matter_where_a_stream_is_cut(messages: list[Message], data: st.DataObject) -> None:
    stream = b"".join(encode(message) for message in messages)
    incoming = decoder()
    found: list[Any] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        incoming.feed(stream[:size])
        found += drained(incoming)
        stream = stream[size:]
    assert found == messages


# --- broken ones ----------------------------------------------------------------------------------------------------

MALFORMED: tuple[tuple[str, bytes, str], ...] = (
    ("an empty frame", frame(b""), "frame-size"),
    ("something that speaks HTTP", b"GET / HTTP/1.1\r\n", "frame-size"),
    ("a number", packed(1), "not-a-message"),
    ("a list", packed(["ask"]), "not-a-message"),
    ("a map without a type", packed({"at": 1}), "not-a-message"),
    ("an unknown type", packed({"type": "cheat"}), "not-a-message"),
    ("a type that is a list", packed({"type": ["ask"]}), "not-a-message"),
    ("a message of the other side", packed({"type": "closing", "code": "", "sentence": ""}), "not-a-message"),
    ("a field too many", packed({"type": "ask", "please": True}), "not-a-message"),
    ("a field too few", packed({"type": "ping"}), "not-a-message"),
    ("a float for a number", packed({"type": "ping", "at": 1.0}), "not-a-message"),
    ("a truth for a number", packed({"type": "ping", "at": True}), "not-a-message"),
    ("a number out of range", packed({"type": "ping", "at": -1}), "not-a-message"),
    ("a number of 64 bits", packed({"type": "ping", "at": 2**64 - 1}), "not-a-message"),
    ("a text that is too long", packed({"type": "say", "number": 1, "text": "x" * 1001}), "not-a-message"),
    (
        "a text in place of bytes",
        packed({"type": "commit", "number": 1, "commitment": BASE64}),
        "not-a-message",
    ),
    (
        "bytes for a key",
        packed({"type": "act", "number": 1, "seen": 0, "seat": 0, "action": {b"do": 1}}),
        "not-a-message",
    ),
    ("bytes for a key deep down", packed({"type": "ask", "x": [{"y": {b"z": 1}}]}), "not-a-message"),
    ("a number for a key", packed({1: 2}), "not-msgpack"),
    ("nothing behind a map's head", frame(b"\x81"), "not-msgpack"),
    ("a map that says it is huge", frame(b"\xdf\xff\xff\xff\xff"), "not-msgpack"),
    ("a text that says it is huge", frame(b"\x81\xa4type\xdb\xff\xff\xff\xff"), "not-msgpack"),
    ("two maps in one frame", frame(b"\x80\x80"), "not-msgpack"),
    ("a byte that is not msgpack", frame(b"\xc1"), "not-msgpack"),
    ("a text that is not UTF-8", frame(b"\x81\xa4type\xa1\xff"), "not-msgpack"),
    ("half a surrogate", frame(b"\x81\xa4type\xa3\xed\xa0\x80"), "not-msgpack"),
    ("an extension type", frame(b"\x81\xa4type\xd4\x05\x00"), "not-msgpack"),
    ("a time stamp", frame(b"\x81\xa4type\xd6\xff\x00\x00\x00\x00"), "not-msgpack"),
    ("lists in lists without end", frame(b"\x91" * 5000), "not-msgpack"),
)


@pytest.mark.parametrize(("data", "code"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED])
@pytest.mark.parametrize("size", [1, 1 << 20], ids=["byte by byte", "whole"])
def test_what_is_no_message_is_malformed(data: bytes, code: str, size: int) -> None:
    with pytest.raises(Malformed) as caught:
        drained_by(size, data)
    assert caught.value.code == code
    assert is_harmless(caught.value)


def test_a_frame_that_is_too_long_is_refused_by_its_length_alone() -> None:
    incoming = decoder(limit=1024)
    incoming.feed(HEADER.pack(1025))
    with pytest.raises(Malformed) as caught:
        incoming.next()
    assert caught.value.code == "frame-size"


def test_a_frame_of_the_longest_length_is_taken() -> None:
    incoming = decoder(limit=len(encode(Say(1, "x" * 900))) - HEADER.size)
    incoming.feed(encode(Say(1, "x" * 900)))
    assert incoming.next() == Say(1, "x" * 900)


def test_nobody_sends_a_frame_that_the_other_side_would_refuse() -> None:
    with pytest.raises(Malformed, match="1024 are allowed"):
        encode(Say(1, "x" * 1020), limit=1024)


def act_with(action: object) -> bytes:
    return msgpack.packb({"type": "act", "number": 1, "seen": 0, "seat": 0, "action": action})


def test_maps_and_lists_may_lie_in_each_other_up_to_a_depth() -> None:
    deepest = nested(MAX_DEPTH - 1)  # the message itself is one level
    assert decode(act_with(deepest), FromPeer).action == deepest
    with pytest.raises(Malformed, match="levels"):
        decode(act_with({"a": deepest}), FromPeer)


@pytest.mark.parametrize("kind", [FromPeer, FromHost])
@given(data=st.binary(max_size=200))
@settings(max_examples=150)
def test_random_bytes_give_messages_or_malformed_and_nothing_else(kind: Any, data: bytes) -> None:
    incoming = decoder(kind)
    incoming.feed(data)
    assert is_harmless(fault_of(lambda: drained(incoming)))


@given(st.sampled_from(ALL), st.data())
@settings(max_examples=300)
def test_a_frame_with_a_few_bytes_changed_gives_messages_or_malformed(
    message: Message, data: st.DataObject
) -> None:
    mutant = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 4))):
        mutant[data.draw(st.integers(4, len(mutant) - 1))] = data.draw(st.integers(0, 255))
    incoming = decoder(kind_of(message))
    incoming.feed(bytes(mutant))
    assert is_harmless(fault_of(lambda: drained(incoming)))


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(
    st.sampled_from(["ask", "hello", "act", "say", "commit", "ping"]),
    st.dictionaries(st.text(max_size=8), plain, max_size=4),
)
@settings(max_examples=150)
def test_any_msgpack_gives_a_message_or_malformed(kind: str, fields: dict[str, Any]) -> None:
    assert is_harmless(fault_of(lambda: decode(msgpack.packb({**fields, "type": kind}), FromPeer)))


# --- other versions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [FromPeer, FromHost])
@pytest.mark.parametrize("type_", ["hello", "greeting"])
def test_a_greeting_of_another_version_is_known_whatever_else_it_holds(kind: Any, type_: str) -> None:
    assert decode(msgpack.packb({"type": type_, "protocol": 2, "new": {"x": [1]}}), kind) == OtherVersion(2)


@pytest.mark.parametrize("protocol", [True, 2.0, "2", None])
def test_a_version_that_is_no_number_is_malformed(protocol: object) -> None:
    with pytest.raises(Malformed):
        decode(msgpack.packb({"type": "hello", "protocol": protocol, "name": "Anna"}), FromPeer)
