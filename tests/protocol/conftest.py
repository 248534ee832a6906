"""Nothing may be left behind: no task, no thread, and (pyproject.toml) no open socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from protocol.host import Host
from protocol.limits import Limits
from protocol.peer import Peer
from tests.protocol.cable import Cable
from tests.protocol.counter import CounterTable
from tests.protocol.wire import Wire

# Found within a second instead of ten.
QUICK = Limits(heartbeat=0.05, patience=0.2, handshake=0.3, stall=0.3, retry_first=0.01, retry_longest=0.05)


@pytest.fixture(autouse=True)
def no_leaked_thread() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    # The loop's own pool for names and imports ends with the loop.
    left = {
        thread for thread in set(threading.enumerate()) - before if not thread.name.startswith("asyncio_")
    }
    assert not left


@pytest.fixture
async def no_leaked_task() -> AsyncIterator[None]:
    before = asyncio.all_tasks()
    yield
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    assert not left


class Net:
    """Makes hosts, peers and bare connections, and ends them all."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack

    async def host(self, table: CounterTable | None = None, **options: Any) -> Host:
        host = Host(table or CounterTable(), **options)
        await host.start()
        self._stack.push_async_callback(host.close)
        return host

    async def wire(self, host: Host, **options: Any) -> Wire:
        """A bare connection, the greeting not yet read."""
        wire = await Wire.open(host.port, **options)
        self._stack.push_async_callback(wire.close)
        return wire

    async def guest(self, host: Host, name: str = "Anna", **hello: Any) -> Wire:
        """A bare connection that was welcomed."""
        wire = await self.wire(host)
        await wire.enter(name=name, **hello)
        return wire

    async def cable(self, port: int) -> Cable:
        cable = await Cable.laid(port)
        self._stack.push_async_callback(cable.close)
        return cable

    async def peer(self, where: Host | str | list[str], name: str = "Anna", **options: Any) -> Peer:
        address = where.addresses[0] if isinstance(where, Host) else where
        peer = Peer(address, name=name, **options)
        self._stack.push_async_callback(peer.close)
        await peer.open()
        return peer


@pytest.fixture
async def net(no_leaked_task: None) -> AsyncIterator[Net]:
    async with AsyncExitStack() as stack:
        yield Net(stack)
