"""The commands that need no screen: a table alone, a bot at a table, a look around."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from random import Random

import click
import msgspec

from protocol.discovery import FoundTable
from protocol.errors import Unwelcome
from wuerfel_tui import lines
from wuerfel_tui.autoplay import play_by_bot
from wuerfel_tui.client import Client, LinkChange, Step, Update, join
from wuerfel_tui.lookup import find_table, look_around
from wuerfel_tui.record import Finished, Plain
from wuerfel_tui.setup import Guest, Setup, clean_name, login_name

NOTHING_FOUND = 3


async def host_headless(setup: Setup, as_json: bool) -> int:
    """Hosts a table until it is stopped, or over."""
    from wuerfel_tui.serve import serve

    await serve(setup, _printer(as_json, _told_of_host))
    return 0


def _printer(as_json: bool, told: Callable[[Plain], str]) -> Callable[[Plain], None]:
    """Prints as JSON or as a sentence. Whoever started us may have gone: then nobody reads, and the table goes on."""

    def report(line: Plain) -> None:
        try:
            click.echo(json.dumps(line) if as_json else told(line))
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    return report


def _told_of_host(line: Plain) -> str:
    match line["event"]:
        case "listening":
            where = ", ".join(line["addresses"])
            return f"{line['name']} stands at {where}. Guests type: wuerfel join {line['addresses'][0]}"
        case "started":
            return f"A game begins: {', '.join(line['names'])}."
        case _:
            return _told_of_end(line)


def _told_of_guest(line: Plain) -> str:
    if line["event"] != "seated":
        return _told_of_end(line)
    seats = ", ".join(map(str, line["seats"]))
    return f"At {line['name']}, on seat {seats}." if seats else f"Watching {line['name']}."


def _told_of_end(line: Plain) -> str:
    winners = [name for name, place in zip(line["names"], line["places"], strict=False) if place == 1]
    return f"Won by {' and '.join(winners)}. {line['why']}" if winners else "The game was broken off."


async def join_headless(guest: Guest, as_json: bool) -> int:
    """Sits at a table: a bot plays and leaves after the game, a spectator stays until the table closes."""
    from wuerfel_tui.services import kept_seats

    report = _printer(as_json, _told_of_guest)
    address = await find_table(guest.table, guest.interfaces)
    level = guest.bot
    name = clean_name(guest.name or "", guest.seats) or (f"{level.title()} bot" if level else login_name())
    client = await join(address, name, seats=guest.seats, bot=level, pin=guest.pin, kept_in=kept_seats())
    report(lines.seated(client.table, client.seats))
    visit = Visit(client, report, stays=guest.bot is None)
    try:
        if guest.bot is None:
            await visit.sit()
        else:
            await play_by_bot(client, guest.bot, Random(), visit.on_update)
    finally:
        await client.leave()
    return visit.exit_code()


class Visit:
    """What a guest without a screen tells of a table.

    stays: for game after game, until the table closes
    """

    def __init__(self, client: Client, report: Callable[[Plain], None], stays: bool) -> None:
        self._client = client
        self._report = report
        self._stays = stays
        self._end: LinkChange | None = None

    async def sit(self) -> None:
        """Is there, and does nothing."""
        if self._client.seats:
            self._client.in_background(self._client.ready())
        async for update in self._client.updates():
            self.on_update(update)

    def on_update(self, update: Update) -> bool:
        """Whether to go on."""
        if isinstance(update, Step) and isinstance(update.entry, Finished):
            self._report(lines.finished(update.before, update.entry) | {"checked": self._client.checked})
            return self._stays
        if isinstance(update, LinkChange) and update.link == "closed":
            self._end = update
        return True

    def exit_code(self) -> int:
        """0 after the bot's game, or a table's regular end."""
        if self._end is None or (self._stays and self._end.code == "closed"):
            return 0
        raise Unwelcome(self._end.code, self._end.sentence)


async def list_tables(seconds: float, as_json: bool, interfaces: Sequence[str]) -> int:
    """Prints the tables that are found within so many seconds."""
    tables = await look_around(seconds, interfaces)
    for table in tables:
        click.echo(json.dumps(msgspec.to_builtins(table)) if as_json else _row(table))
    if not tables and not as_json:
        raise Unwelcome(
            "nothing-found", "Nobody hosts a table on this network, or multicast does not get through."
        )
    return 0 if tables else NOTHING_FOUND


def _row(table: FoundTable) -> str:
    pin = ", PIN" if table.pin else ""
    return (
        f"{table.name}: {table.game}, {table.taken} of {table.seats} seats taken, {table.state}{pin}"
        f" ({', '.join(table.addresses)})"
    )
