"""From what somebody typed to the addresses of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from protocol.address import parse_address
from protocol.discovery import Browser, FoundTable
from protocol.errors import Unwelcome
from protocol.text import clean_line
from wuerfel_tui.setup import TABLE_NAME_WIDTH

LOOK_FOR = 3.0
"""Seconds in which every table on a network has surely answered."""
NAMESAKES = 0.3
"""Seconds in which another table of the same name would turn up."""


async def look_around(seconds: float, interfaces: Sequence[str]) -> tuple[FoundTable, ...]:
    """The tables on this network, after so many seconds of looking. Raises `protocol.errors.Unavailable`."""
    async with Browser(interfaces or None) as browser:
        await asyncio.sleep(seconds)
        return browser.tables


async def find_table(typed: str | None, interfaces: Sequence[str]) -> tuple[str, ...]:
    """The addresses of a table.

    typed: an address, which is taken as it is; a name, which is looked for on the network; or None for the only table
    Raises `Unwelcome`: "nothing-found", "several"; `protocol.errors.Unavailable` where one cannot look around.
    """
    if typed is not None and _is_address(typed):
        return (typed,)
    tables = await _seek(typed, interfaces)
    if not tables and typed is not None:
        raise Unwelcome("nothing-found", f"No table of the name {typed!a} was found; try its address.")
    if not tables:
        raise Unwelcome("nothing-found", "Nobody hosts a table on this network; try an address.")
    if len(tables) > 1:
        raise Unwelcome(
            "several",
            f"Several tables fit: {', '.join(table.name for table in tables)}. Name one by address.",
        )
    return tables[0].addresses


async def _seek(name: str | None, interfaces: Sequence[str]) -> list[FoundTable]:
    """The tables of this name (all, if None): those found a moment after the first of that name, or in all the time."""
    wanted = None if name is None else clean_line(name, TABLE_NAME_WIDTH).casefold()  # as the host did to it
    found: list[FoundTable] = []
    hurries = False
    async with Browser(interfaces or None) as browser:
        try:
            async with asyncio.timeout(LOOK_FOR) as limit:
                async for tables in browser.changes():
                    found = [table for table in tables if wanted in (None, table.name.casefold())]
                    if found and wanted is not None and not hurries:
                        hurries = True
                        limit.reschedule(asyncio.get_running_loop().time() + NAMESAKES)
        except TimeoutError:
            pass
    return found


def _is_address(typed: str) -> bool:
    """Whether this is an address rather than a table's name, be it one with a mistake in it."""
    if ":" in typed and " " not in typed:
        return True
    if "." not in typed:
        return typed == "localhost"
    try:
        parse_address(typed)
    except Unwelcome:
        return False
    return True
