"""A cable between a peer and a host that can be cut, held, or pulled out."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable


class Cable:
    """Passes bytes on in both directions.

    port, host_port: where the two ends are
    to_host, to_peer: bytes pass in this direction; otherwise they are lost, as in a line that is only half there
    plugs: how often a peer has connected
    """

    def __init__(self, host_port: int) -> None:
        self.host_port = host_port
        self.port = 0
        self.to_host = True
        self.to_peer = True
        self.plugs = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._from_peers: set[asyncio.Transport] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def laid(cls, host_port: int) -> Cable:
        cable = cls(host_port)
        await cable.mend()
        return cable

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def mend(self) -> None:
        """Takes connections, from now on at the same port as before."""
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # a short cable holds little
        sock.bind(("127.0.0.1", self.port))
        self._server = await asyncio.start_server(self._plug, sock=sock)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Breaks every connection; new ones are possible."""
        for writer in self._writers:
            writer.transport.abort()

    def pull(self) -> None:
        """Breaks every connection, and takes none until it is mended."""
        self._server.close()
        self.cut()

    def hold(self) -> None:
        """Takes nothing more in from the peers, as if their hosts stood still."""
        for transport in self._from_peers:
            transport.pause_reading()

    async def close(self) -> None:
        self.pull()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        self._from_peers.add(writer.transport)
        self.plugs += 1
        host_reader, host_writer = await asyncio.open_connection("127.0.0.1", self.host_port)
        self._writers.add(host_writer)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, host_writer, lambda: self.to_host))
                group.create_task(self._pass(host_reader, writer, lambda: self.to_peer))
        except* OSError:
            pass
        finally:
            for end in (writer, host_writer):
                end.transport.abort()
                with contextlib.suppress(OSError):
                    await end.wait_closed()
                self._writers.discard(end)
            self._from_peers.discard(writer.transport)
            self._tasks.discard(task)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may_pass: Callable[[], bool]
    ) -> None:
        while data := await reader.read(65536):
            if may_pass():
                writer.write(data)
        writer.transport.abort()
