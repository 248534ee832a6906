"""A client that keeps no rules: bytes and messages over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any, TypeVar

from protocol.codec import Decoder, encode
from protocol.messages import PROTOCOL, Events, FromHost, Greeting, Hello, Message, Ping, Pong, Welcome

MessageT = TypeVar("MessageT", bound=Message)


class Wire:
    greeting: Greeting
    welcome: Welcome

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.decoder: Decoder[Any] = Decoder(FromHost, 1024 * 1024)
        self.number = 0

    @classmethod
    async def open(cls, port: int, receive_buffer: int | None = None) -> Wire:
        """receive_buffer: what the system takes for a client that does not read, in bytes"""
        sock = socket.socket()
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        return cls(*await asyncio.open_connection(sock=sock, limit=1024))

    async def enter(self, name: str = "Anna", **hello: Any) -> Welcome:
        self.greeting = await self.expect(Greeting)
        self.say(Hello(PROTOCOL, name, **hello))
        self.welcome = await self.expect(Welcome)
        self.number = self.welcome.number
        return self.welcome

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    def say(self, message: Message) -> None:
        self.send(encode(message))

    def ask(self, kind: type[Message], **fields: Any) -> int:
        """Makes a request under the next number."""
        self.number += 1
        self.say(kind(number=self.number, **fields))
        return self.number

    async def next(self) -> Any:
        """The next message, heartbeats included; None at the end of the connection."""
        while (message := self.decoder.next()) is None:
            try:
                data = await self.reader.read(65536)
            except ConnectionError:
                return None
            if not data:
                return None
            self.decoder.feed(data)
        return message

    async def expect(self, kind: type[MessageT]) -> MessageT:
        """The next message that is no heartbeat, which must be of this kind."""
        while isinstance(message := await self.next(), Ping | Pong):
            pass
        assert isinstance(message, kind), message
        return message

    async def until(self, kind: type[MessageT]) -> MessageT:
        """The next message of this kind, whatever comes before."""
        while not isinstance(message := await self.next(), kind):
            assert message is not None, f"the connection ended without a {kind.__name__}"
        return message

    async def answer(self, number: int) -> Any:
        """What answers this request."""
        while getattr(message := await self.next(), "answers", None) != number:
            assert message is not None, "the connection ended without an answer"
        return message

    async def entries(self, up_to: int) -> list[dict[str, Any]]:
        """The log from here up to this number."""
        found: list[dict[str, Any]] = []
        while True:
            events = await self.until(Events)
            found += events.entries
            if events.first + len(events.entries) > up_to:
                return found

    async def end(self) -> None:
        """Returns when the host has ended the connection."""
        while await self.next() is not None:
            pass

    async def close(self) -> None:
        self.writer.transport.abort()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
