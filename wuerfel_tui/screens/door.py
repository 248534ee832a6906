"""The way to a table: what is missing is asked for, what is refused is said, and nothing typed is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.errors import Fault
from wuerfel_tui.games.core import Refusal
from wuerfel_tui.screens.dialogs import Ask, Confirm
from wuerfel_tui.services import seats_for
from wuerfel_tui.setup import Setup, login_name

if TYPE_CHECKING:
    from wuerfel_tui.app import WuerfelApp
    from wuerfel_tui.client import Client

RETRY = 1.0
"""Seconds until we knock again at a door that lets nobody try one PIN after the other."""
WATCH_CODES = ("full", "playing")
"""No seat is to be had, but a place to look on from."""


async def come_in(
    app: WuerfelApp, where: str | Sequence[str] | None, seats: int | None, pin: str | None
) -> None:
    """Joins a table and opens its screen; gives up when a question is not answered.

    where: as for `Services.join`; asked for if empty, and again while it leads nowhere
    seats: how many are wanted; as many as the name names if None
    """
    typed = where == ""
    problem = ""
    while True:
        if typed:
            where = await ask_address(app, str(where), problem)
            if where is None:
                return
        if not app.settings.name and not await ask_name(app):
            return
        refused = await _knock(app, where, seats, pin)
        if refused is None:
            return
        problem = refused.sentence
        if not typed:
            app.say(problem)
            return


async def _knock(
    app: WuerfelApp, where: str | Sequence[str] | None, seats: int | None, pin: str | None
) -> Fault | Refusal | None:
    """Knocks until the door opens or nothing more can be asked for; what was the matter in the end."""
    while True:
        app.say("Knocking…")
        wanted = seats_for(app.settings.name) if seats is None else seats
        try:
            client = await app.services.join(where, app.settings.name, wanted, pin)
        except (Fault, Refusal) as refused:
            app.say("")
            if refused.code == "pin-wait":
                app.say(refused.sentence)
                await asyncio.sleep(RETRY)
            elif refused.code.startswith("pin"):
                answer = await ask_pin(app, refused.sentence)
                if answer is None:
                    return None
                pin = answer
            elif refused.code == "name":
                if not await ask_name(app, refused.sentence):
                    return None
            elif refused.code in WATCH_CODES and wanted and await _watch_instead(app, refused.sentence):
                seats = 0
            else:
                return refused
        else:
            app.say("")
            await open_table(app, client)
            return None


async def set_up(app: WuerfelApp, setup: Setup) -> None:
    """Hosts a table, and sits down at it."""
    if not app.settings.name and not await ask_name(app):
        return
    app.say("Setting up the table…")
    try:
        addresses = await app.services.host_table(replace(setup, bots=0))
        name = app.settings.name
        client = await app.services.join(addresses, name, seats_for(name), setup.pin)
    except (Fault, Refusal) as refused:
        app.say(refused.sentence)
        return
    app.say("")
    for _ in range(setup.bots):  # behind us, so that whoever hosts has the first seat
        client.in_background(client.add_bot(setup.level))
    if not setup.announced:
        client.in_background(client.ready())  # nobody else is to come: the game begins with the last bot
    await open_table(app, client, addresses)


async def open_table(app: WuerfelApp, client: Client, addresses: tuple[str, ...] = ()) -> None:
    """The screen of a table; a form that led to it is done with."""
    from wuerfel_tui.screens.lobby import Lobby
    from wuerfel_tui.screens.table import TableScreen

    if isinstance(app.screen, Lobby):
        await app.push_screen(TableScreen(client, addresses))
    else:
        await app.switch_screen(TableScreen(client, addresses))


async def ask_name(app: WuerfelApp, problem: str = "") -> str | None:
    """What the others shall call this person; remembered."""
    name = await app.push_screen_wait(
        Ask(
            "Who are you?",
            problem or "The name that the others see. Two people at this keyboard: Anna & Ben.",
            value=app.settings.name or login_name(),
            warn=bool(problem),
        )
    )
    if name:
        app.remember(name=name)
    return name


async def ask_address(app: WuerfelApp, typed: str, problem: str) -> str | None:
    return await app.push_screen_wait(
        Ask(
            "Which table?",
            problem or "Its address, as its host's screen shows it, or its name.",
            value=typed,
            hint="192.168.1.20:9731",
            warn=bool(problem),
        )
    )


async def ask_pin(app: WuerfelApp, problem: str) -> str | None:
    return await app.push_screen_wait(Ask("The table's PIN", problem, secret=True))


async def _watch_instead(app: WuerfelApp, sentence: str) -> bool:
    return bool(await app.push_screen_wait(Confirm("No seat", sentence, "watch", "back")))
