"""Guests at a table in this process: over real sockets, but where a test can look at what they know."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any, TypeVar

from protocol.host import Host
from protocol.limits import Limits
from wuerfel_tui.client import Client, LinkChange, Step, Update, join
from wuerfel_tui.record import AnyEntry
from wuerfel_tui.table import Table

TableT = TypeVar("TableT", bound=Table)
EntryT = TypeVar("EntryT")
UNHURRIED = Limits(rate=10_000.0, burst=10_000)
"""Tests play faster than a host lets anybody."""
PATIENCE = 20.0
"""Seconds for whatever a test waits for."""


class Guest:
    """A client whose updates are taken as they come."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.updates: list[Update] = []
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for update in self.client.updates():
            self.updates.append(update)
            self._news.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Returns as soon as this is so, with whatever comes."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def until_heard(self, kind: type[EntryT]) -> EntryT:
        """The last entry of this kind, or the first one that comes."""
        await self.until(lambda: any(isinstance(entry, kind) for entry in self.entries))
        return [entry for entry in self.entries if isinstance(entry, kind)][-1]

    async def until_closed(self) -> LinkChange:
        """The end of it all."""
        async with asyncio.timeout(PATIENCE):
            await self._task
        last = self.updates[-1]
        assert isinstance(last, LinkChange)
        assert last.link == self.client.link == "closed"
        return last

    @property
    def entries(self) -> list[AnyEntry]:
        return [update.entry for update in self.updates if isinstance(update, Step)]

    async def play(self, rng: Random) -> None:
        """Plays its seats until the game is over: any legal action."""
        await self.until(lambda: self._my_turn() is not None or self.client.table.phase != "playing")
        while (seat := self._my_turn()) is not None:
            table = self.client.table
            action = rng.choice(list(table.rules.legal(table.game_state, seat)))
            refused = await self.client.act(seat, action)
            assert refused is None, refused
            await self.until(lambda: self._my_turn() is not None or self.client.table.phase != "playing")

    def _my_turn(self) -> int | None:
        table = self.client.table
        if table.phase != "playing":
            return None
        actors = table.rules.actors(table.game_state)
        return next((seat for seat in actors if seat in self.client.seats), None)


class Party:
    """One host in this process, and guests who come to it."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.host: Host

    async def give(self, table: TableT, pin: str | None = None, limits: Limits | None = None) -> TableT:
        """Puts a table on the loopback interface."""
        self.host = Host(table, pin=pin, limits=limits or UNHURRIED)
        await self.host.start()
        self._stack.push_async_callback(self.host.close)
        return table

    async def guest(self, name: str = "Anna", address: str | None = None, **options: Any) -> Guest:
        """Somebody who comes in by the door."""
        return Guest(await self.client(name, address, **options))

    async def client(self, name: str = "Anna", address: str | None = None, **options: Any) -> Client:
        """The same, but nobody takes the updates yet."""
        client = await join(address or self.host.addresses[0], name, **options)
        self._stack.push_async_callback(client.close)
        return client


def table(game: str = "poker", kind: type[TableT] = Table, **options: Any) -> TableT:  # type: ignore[assignment]
    return kind(
        game, id=secrets.token_hex(8), name="Kitchen", entropy=lambda: secrets.token_bytes(32), **options
    )


async def all_ready(*guests: Guest) -> None:
    """Everybody says so, and waits until the game has begun."""
    for guest in guests:
        assert await guest.client.ready() is None
    for guest in guests:
        await guest.until(lambda guest=guest: guest.client.table.phase == "playing")
