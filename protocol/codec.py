"""Frames to messages and back. Sans-IO, and every size is bounded before a byte of it is kept.

A frame is a length (4 bytes, big-endian) and one msgpack map of that length, which is one message of `messages.py`.
"""

from __future__ import annotations

import struct
from typing import Any, Generic, TypeVar, cast

import msgpack
import msgspec

from protocol.errors import Malformed
from protocol.messages import PROTOCOL, Message
from protocol.text import clean_line

HEADER = struct.Struct(">I")

TO_HOST = 16 * 1024
TO_HOST_EARLY = 1024
"""The longest frame to a host, and before `Welcome`."""
FROM_HOST = 1024 * 1024
FROM_HOST_EARLY = 16 * 1024
"""The longest frame from a host, and before `Hello` was said."""

MAX_DEPTH = 32
"""Maps and lists within each other. msgpack itself stops at 1024, which recursive code further on might not survive."""

IncomingT = TypeVar("IncomingT")

_encoder = msgspec.msgpack.Encoder()


class OtherVersion(msgspec.Struct, frozen=True):
    """A `Hello` or `Greeting` of another protocol version, whatever else it holds."""

    protocol: int


class Decoder(Generic[IncomingT]):
    """Bytes in, messages out.

    kind: the union of the messages that may come, `FromPeer` or `FromHost`
    limit: the longest frame now; may be changed between two messages
    """

    def __init__(self, kind: Any, limit: int) -> None:
        self.limit = limit
        self._kind = kind
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Takes what the connection brought. Ask for messages until there are none before feeding again."""
        self._buffer += data

    def next(self) -> IncomingT | OtherVersion | None:
        """The next message, or None until more bytes have come. `Malformed` for anything else."""
        if len(self._buffer) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self._buffer)
        self._check_length(length)
        end = HEADER.size + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[HEADER.size : end])
        del self._buffer[:end]
        return cast("IncomingT | OtherVersion", decode(payload, self._kind))

    def discard(self) -> None:
        """Forgets what has come and was not a whole message yet."""
        self._buffer.clear()

    def _check_length(self, length: int) -> None:
        if length == 0:
            raise Malformed("frame-size", "An empty frame came; a frame holds one message.")
        if length > self.limit:
            raise Malformed(
                "frame-size", f"A frame of {length} bytes came; at this point {self.limit} are allowed."
            )


def encode(message: Message, limit: int = FROM_HOST) -> bytes:
    """The frame of a message. `Malformed` if it is longer than the limit: the other side would not take it."""
    payload = _encoder.encode(message)
    if len(payload) > limit:
        raise Malformed("frame-size", f"This takes {len(payload)} bytes; {limit} are allowed.")
    return HEADER.pack(len(payload)) + payload


def check(frame: bytes, kind: Any) -> None:
    """Raises `Malformed` unless the other side would take this frame."""
    decode(frame[HEADER.size :], kind)


def decode(payload: bytes, kind: Any) -> Any:
    """The message of a frame's payload: one of `kind`, or an `OtherVersion`. `Malformed` for anything else."""
    plain = _unpack(payload)
    other = _other_version(plain)
    if other is not None:
        return other
    try:
        # bytes as a builtin: otherwise a string would pass for bytes, in base64.
        return msgspec.convert(plain, kind, builtin_types=(bytes,))
    except (ValueError, RecursionError) as error:
        raise Malformed("not-a-message", f"That is no message: {clean_line(str(error), 200)}.") from None


def _unpack(payload: bytes) -> dict[str, Any]:
    """The payload's one map, no deeper than allowed and with nothing but strings for keys."""
    size = len(payload)
    try:
        plain: Any = msgpack.unpackb(
            payload,
            raw=False,
            strict_map_key=True,
            # Nothing within a frame can be longer than the frame.
            max_str_len=size,
            max_bin_len=size,
            max_array_len=size,
            max_map_len=size // 2,
            max_ext_len=0,
        )
    except (ValueError, RecursionError) as error:
        # Some of msgpack's errors have no text.
        detail = clean_line(str(error), 200) or type(error).__name__
        raise Malformed("not-msgpack", f"A frame is not msgpack as it is used here: {detail}.") from None
    if type(plain) is not dict:
        raise Malformed("not-a-message", "A message is a map.")
    whole = cast("dict[str, Any]", plain)
    _check_shape(whole)
    return whole


def _check_shape(plain: dict[str, Any]) -> None:
    layer: list[Any] = [plain]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                keyed = cast("dict[object, Any]", item)
                if not all(type(key) is str for key in keyed):
                    raise Malformed("not-a-message", "The keys of a map are strings.")
                below += keyed.values()
            else:
                below += item
        layer = [item for item in below if isinstance(item, dict | list)]
        if not layer:
            return
    raise Malformed("not-a-message", f"Maps and lists go no deeper than {MAX_DEPTH} levels.")


def _other_version(plain: dict[str, Any]) -> OtherVersion | None:
    protocol = plain.get("protocol")
    if plain.get("type") in ("hello", "greeting") and type(protocol) is int and protocol != PROTOCOL:
        return OtherVersion(protocol)
    return None
