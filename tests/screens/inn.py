"""Where the screens are tested: real tables on the loopback interface, and a network that a test fills by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from protocol.discovery import FoundTable
from protocol.errors import Fault
from tests.guests import PATIENCE, Party, table
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.client import Client, join
from wuerfel_tui.record import TableState
from wuerfel_tui.services import Services
from wuerfel_tui.setup import Setup
from wuerfel_tui.table import Table


class Inn(Services):
    """Services that bring people to tables in this process.

    hosted: the tables that were set up; called for: what guests asked for, as (where, name, seats, pin)
    trouble: what looking around ends with, if anything
    """

    def __init__(self, party: Party, home: Path) -> None:
        super().__init__(("127.0.0.1",), home)
        self.party = party
        self.table: Table
        self.hosted: list[Setup] = []
        self.called_for: list[tuple[Any, str, int, str | None]] = []
        self.trouble: Fault | None = None
        self._found: tuple[FoundTable, ...] = ()
        self._changed = asyncio.Event()

    def on_network(self, *tables: FoundTable) -> None:
        """What there is to be found from now on."""
        self._found = tables
        self._changed.set()

    async def browse(self) -> AsyncIterator[Sequence[FoundTable]]:
        if self.trouble is not None:
            raise self.trouble
        while True:
            self._changed.clear()
            yield self._found
            await self._changed.wait()

    async def stand(self, game: str = "express", pin: str | None = None, **options: Any) -> FoundTable:
        """A table that somebody else hosts."""
        self.table = await self.party.give(table(game, levels=("easy", "random"), **options), pin=pin)
        return found("Kitchen", game=game, pin=pin is not None, addresses=(self.address,))

    @property
    def address(self) -> str:
        return self.party.host.addresses[0]

    @property
    def state(self) -> TableState:
        return self.table.state

    async def host_table(self, setup: Setup) -> tuple[str, ...]:
        self.hosted.append(setup)
        await self.stand(setup.game, setup.pin, size=setup.size, options=setup.options)
        return (self.address,)

    async def join(self, where: str | Sequence[str] | None, name: str, seats: int, pin: str | None) -> Client:
        self.called_for.append((where, name, seats, pin))
        if where is None or where == "Kitchen":
            where = self.address
        return await join(where, name, seats=seats, pin=pin)


def found(name: str = "Kitchen", **changes: Any) -> FoundTable:
    """A table as the network tells of it."""
    fields: dict[str, Any] = {
        "id": name,
        "name": name,
        "game": "express",
        "host": "Anna",
        "seats": 4,
        "taken": 2,
        "state": "waiting",
        "pin": False,
        "addresses": ("192.168.1.20:9731",),
        "protocol": 1,
    }
    return FoundTable(**fields | changes)


async def until(pilot: Pilot[Any], is_so: Callable[[], Any]) -> None:
    """Returns as soon as this is so, with everything shown that came of it."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0)
            await pilot.pause()
    await pilot.pause()


def shown(app: WuerfelApp) -> str:
    """What the terminal shows."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def until_shown(pilot: Pilot[Any], text: str) -> None:
    """Returns as soon as this can be read."""
    try:
        await until(pilot, lambda: text in shown(pilot.app))  # type: ignore[arg-type]
    except TimeoutError:
        raise AssertionError(f"never shown: {text!r}\n{shown(pilot.app)}") from None  # type: ignore[arg-type]


async def click_on(pilot: Pilot[Any], text: str) -> None:
    """Clicks where this can be read first."""
    lines = shown(pilot.app).splitlines()  # type: ignore[arg-type]
    for y, line in enumerate(lines):
        if text in line:
            assert await pilot.click(offset=(line.index(text) + len(text) // 2, y))
            await pilot.pause()
            return
    raise AssertionError(f"{text!r} is not to be seen:\n" + "\n".join(lines))
