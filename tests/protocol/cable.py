"""A cable between a peer and a host that can be cut, held, or pulled out."""

from __future__ import annotations

import asyncio
import contextlib


class Cable:
    """Passes bytes on in both directions.

    port: where the peer's end is
    to_host, to_peer: bytes pass in this direction; otherwise they are lost, as in a line that is only half there
    plugs: how often a peer has connected
    """

    def __init__(self) -> None:
        self.port = 0
        self.to_host = True
        self.to_peer = True
        self.plugs = 0
        self.plugged = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def laid(cls, host_port: int) -> Cable:
        cable = cls()
        cable._host_port = host_port
        await cable.mend()
        return cable

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def mend(self) -> None:
        """Takes connections, from now on at the same port as before."""
        self._server = await asyncio.start_server(self._plug, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Breaks every connection; new ones are possible."""
        for writer in self._writers:
            writer.transport.abort()

    def pull(self) -> None:
        """Breaks every connection, and takes none until it is mended."""
        self._server.close()
        self.cut()

    async def close(self) -> None:
        self.pull()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        self.plugs += 1
        try:
            host_reader, host_writer = await asyncio.open_connection("127.0.0.1", self._host_port)
            self._writers.add(host_writer)
            self.plugged.set()
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
            self._tasks.discard(task)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may_pass: object
    ) -> None:
        while data := await reader.read(65536):
            if may_pass():  # type: ignore[operator]
                writer.write(data)
        writer.transport.abort()
