"""The way to a table: what is missing is asked for, what is refused is said, and nothing typed is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.errors import Fault
from wuerfel_tui.games.core import Refusal
from wuerfel_tui.screens.dialogs import Ask, Confirm
from wuerfel_tui.screens.people import name_problem
from wuerfel_tui.services import seats_for
from wuerfel_tui.setup import Setup, login_name

if TYPE_CHECKING:
    from wuerfel_tui.app import WuerfelApp
    from wuerfel_tui.client import Client

RETRY = 1.0
"""Seconds until we knock again at a door that lets nobody try one PIN after the other."""
WATCH = {
    "full": "This table is full. You can watch what the others play.",
    "playing": "A game is on at this table. You can watch it; who wants to play comes again when it is over.",
}
"""What is said where no seat is to be had, but a place to look on from."""


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
        if not await _is_named(app):
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
        name = app.settings.name
        wanted = seats_for(name) if seats is None else seats
        answer = await _answer(app, where, name, wanted, pin)
        app.say("")
        if isinstance(answer, Fault | Refusal) and answer.code.startswith("pin"):
            pin, answer = await _ask_pin(app, where, name, wanted, answer.sentence)
        if answer is None:
            return None
        if not isinstance(answer, Fault | Refusal):
            await open_table(app, answer)
            return None
        if answer.code == "name":
            if not await ask_name(app, answer.sentence):
                return None
        elif answer.code in WATCH and wanted:
            if not await app.push_screen_wait(Confirm("No seat", WATCH[answer.code], "watch", "back")):
                return None
            seats = 0
        else:
            return answer


async def _answer(
    app: WuerfelApp, where: str | Sequence[str] | None, name: str, seats: int, pin: str | None
) -> Client | Fault | Refusal:
    """What a table says to who knocks; again and again while too many PINs were tried there."""
    while True:
        try:
            return await app.services.join(where, name, seats, pin)
        except (Fault, Refusal) as refused:
            if refused.code != "pin-wait":
                return refused
        await asyncio.sleep(RETRY)


async def _ask_pin(
    app: WuerfelApp, where: str | Sequence[str] | None, name: str, seats: int, problem: str
) -> tuple[str | None, Client | Fault | Refusal | None]:
    """The PIN, and what the table says to it in the end; None if it is not given.

    The question stays open until the table has answered: the lobby behind it takes no keys meanwhile.
    """
    answers: list[Client | Fault | Refusal] = []

    async def attempt(pin: str) -> str:
        answer = await _answer(app, where, name, seats, pin)
        if isinstance(answer, Fault | Refusal) and answer.code.startswith("pin"):
            return answer.sentence
        answers.append(answer)
        return ""

    pin = await app.push_screen_wait(Ask("The table's PIN", problem, secret=True, attempt=attempt))
    return pin, answers[-1] if answers else None


async def _is_named(app: WuerfelApp) -> bool:
    """Whether we have a name that will do; asked for if not."""
    if problem := name_problem(app.settings.name):
        return bool(await ask_name(app, problem if app.settings.name else ""))
    return True


async def set_up(app: WuerfelApp, setup: Setup) -> None:
    """Hosts a table, and sits down at it."""
    if not await _is_named(app):
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
    await open_table(app, client, addresses, setup.pin, practice=not setup.announced)


async def open_table(
    app: WuerfelApp,
    client: Client,
    addresses: tuple[str, ...] = (),
    pin: str | None = None,
    practice: bool = False,
) -> None:
    """The screen of a table; a form that led to it is done with."""
    from wuerfel_tui.screens.lobby import Lobby
    from wuerfel_tui.screens.table import TableScreen

    screen = TableScreen(client, addresses, pin, practice)
    if isinstance(app.screen, Lobby):
        await app.push_screen(screen)
    else:
        await app.switch_screen(screen)


async def ask_name(app: WuerfelApp, problem: str = "") -> str | None:
    """What the others shall call this person; remembered."""
    name = await app.push_screen_wait(
        Ask(
            "Who are you?",
            problem or "The name that the others see. Two people at this keyboard: Anna & Ben.",
            value=app.settings.name or login_name(),
            warn=bool(problem),
            objection=name_problem,
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
