"""One connection to a host, seen from the peer: connecting, the heartbeat, and what comes in, one message at a time."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from protocol.address import is_ip, parse_address
from protocol.codec import OtherVersion
from protocol.errors import Fault, Malformed, NotAllowed, Unwelcome
from protocol.limits import Limits, Pulse
from protocol.messages import (
    PROTOCOL,
    Ask,
    Closing,
    FromHost,
    Greeting,
    Message,
    Ping,
    Pong,
    Refused,
    Rejected,
    Status,
)
from protocol.session import State, peer_session, version_sentence
from protocol.text import clean_line

READ = 64 * 1024
UNREAD = 64 * 1024
"""Bytes that a host may leave unread; more is only said to one that pings without end."""
CODE_WIDTH = 40
SENTENCE_WIDTH = 400
SHOWN_WIDTH = 60
"""What a list of tables has room for."""

Heard: TypeAlias = FromHost | OtherVersion


class LineLost(ConnectionError):
    """The line to the host is lost, and the text says how."""


class Line:
    """An open connection; made by `connect`.

    greeting: the host's first words
    """

    greeting: Greeting

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._session = peer_session()
        self._heartbeat = limits.heartbeat
        self._next_ping = self._loop.time() + limits.heartbeat
        self.pulse = Pulse(self._loop.time(), limits.patience)

    def say(self, message: Message) -> None:
        """Raises `NotAllowed` if it may not be said now, `Malformed` if the host would not take it."""
        self._writer.write(self._session.send(message))

    async def next(self) -> Heard:
        """The next message that is more than a heartbeat, its text made harmless.

        Raises `OSError` when the line is lost, `Malformed` and `NotAllowed` when the host breaks the rules.
        """
        while True:
            message = self._session.next()
            match message:
                case None:
                    await self._fill()
                case Ping():
                    self._answer(message)
                case Pong():
                    self.pulse.pong(message, self._loop.time())
                case Refused() | Rejected() | Closing():
                    return msgspec.structs.replace(
                        message,
                        code=clean_line(message.code, CODE_WIDTH),
                        sentence=clean_line(message.sentence, SENTENCE_WIDTH),
                    )
                case _:
                    return message

    def _answer(self, ping: Ping) -> None:
        if self._writer.transport.get_write_buffer_size() > UNREAD:
            raise LineLost("The host asks and asks, and does not read the answers.")
        self.say(Pong(ping.at))

    async def close(self, patience: float = 0.0) -> None:
        """Ends the connection; what was said last has `patience` seconds to get out."""
        self._writer.close()
        # A task, since giving up on `wait_closed` would spoil it for the next one who waits.
        closed = asyncio.create_task(self._closed())
        try:
            if patience:
                await asyncio.wait([closed], timeout=patience)
        finally:
            self._writer.transport.abort()
        await closed

    async def _closed(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _fill(self) -> None:
        data: bytes | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._next_ping):
                data = await self._reader.read(READ)
        now = self._loop.time()
        if data == b"":
            raise LineLost("The host has ended the connection.")
        if data is not None:
            self.pulse.hear(now)
            self._session.feed(data)
        if now >= self._next_ping:
            self._beat(now)

    def _beat(self, now: float) -> None:
        if self.pulse.is_dead(now):
            raise LineLost("Nothing has come from the host for too long.")
        if self._session.state is not State.NEW:
            self.say(self.pulse.ping(now))
        self._next_ping = now + self._heartbeat


async def connect(addresses: Sequence[str], limits: Limits) -> Line:
    """A greeted connection to the first address that answers.

    Raises `Unwelcome`: "unreachable", "bad-address", "version", or why the host refuses.
    """
    failure = Unwelcome("unreachable", "There is no address to connect to.")
    for address in addresses:
        host, port = parse_address(address)
        try:
            async with asyncio.timeout(limits.handshake / len(addresses)):
                return await _connect_to_any(await _resolve(host, port), port, limits)
        except (OSError, UnicodeError) as error:
            failure = _unreachable(address, error)
    raise failure


async def ask(address: str | Sequence[str], patience: float = 2.0) -> Status:
    """What stands at an address, or at the first of several that answers. Raises `Unwelcome`.

    patience: seconds for the answer to come
    """
    addresses = (address,) if isinstance(address, str) else tuple(address)
    try:
        async with asyncio.timeout(patience):
            line = await connect(addresses, Limits(handshake=patience))
            try:
                line.say(Ask())
                answer = await line.next()
            finally:
                await line.close()
    except OSError as error:
        raise _unreachable(addresses[0], error) from None
    except (Malformed, NotAllowed) as fault:
        raise not_a_table(fault) from None
    match answer:
        case Status():
            return _cleaned(answer)
        case Refused():
            raise Unwelcome(answer.code, answer.sentence)
        case _:
            raise Unwelcome("malformed", "The host did not answer the question.")


def not_a_table(fault: Fault) -> Unwelcome:
    """For who talks to something that is no table."""
    return Unwelcome("malformed", f"What answers there does not speak like a table: {fault.sentence}")


async def _resolve(host: str, port: int) -> list[str]:
    """The IP addresses that a name stands for, at most eight."""
    if is_ip(host):
        return [host]
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))[:8]


async def _connect_to_any(hosts: Sequence[str], port: int, limits: Limits) -> Line:
    """One after the other: asyncio's own race between them leaks sockets when it is given up."""
    *others, last = hosts
    for host in others:
        with contextlib.suppress(OSError):
            async with asyncio.timeout(limits.handshake / len(hosts) / 2):
                return await _connect(host, port, limits)
    return await _connect(last, port, limits)


async def _connect(host: str, port: int, limits: Limits) -> Line:
    reader, writer = await asyncio.open_connection(host, port)
    line = Line(reader, writer, limits)
    try:
        greeting = await line.next()
        match greeting:
            case Greeting():
                line.greeting = greeting
                return line
            case OtherVersion():
                raise Unwelcome("version", version_sentence(greeting.protocol, PROTOCOL))
            case Refused():
                raise Unwelcome(greeting.code, greeting.sentence)
            case _:
                raise Unwelcome("malformed", "The host did not greet.")
    except BaseException as error:
        await line.close()
        if isinstance(error, Malformed | NotAllowed):
            raise not_a_table(error) from None
        raise


def _unreachable(address: str, error: Exception) -> Unwelcome:
    if isinstance(error, ConnectionRefusedError):
        return Unwelcome("unreachable", f"Nobody hosts a table at {address}.")
    if isinstance(error, TimeoutError):
        return Unwelcome("unreachable", f"Nobody answers at {address}.")
    if isinstance(error, ConnectionError):
        return Unwelcome("unreachable", f"The connection to {address} was cut before the table had answered.")
    return Unwelcome("unreachable", f"{address} cannot be reached.")


def _cleaned(status: Status) -> Status:
    return msgspec.structs.replace(
        status,
        table=clean_line(status.table, SHOWN_WIDTH),
        game=clean_line(status.game, SHOWN_WIDTH),
        name=clean_line(status.name, SHOWN_WIDTH),
        host=clean_line(status.host, SHOWN_WIDTH),
        state=clean_line(status.state, SHOWN_WIDTH),
    )
