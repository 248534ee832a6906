"""The house that runs a table: its bots, its stand-ins, and when it closes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from protocol.errors import Unavailable, Unwelcome
from protocol.peer import Peer
from tests.guests import Guest, all_ready
from wuerfel_tui.client import Client, join
from wuerfel_tui.record import Invited, Said, StoodIn
from wuerfel_tui.serve import serve
from wuerfel_tui.setup import Setup

PATIENCE = 20.0
"""Seconds for whatever a test waits for."""


class Served:
    """A house in this process.

    lines: what it reports, as it comes
    """

    def __init__(self, stack: AsyncExitStack, **setup: Any) -> None:
        defaults: dict[str, Any] = {
            "game": "poker",
            "name": "Kitchen",
            "interfaces": ("127.0.0.1",),
            "port": 0,
        }
        self.setup = Setup(**{**defaults, "announced": False, **setup})
        self.lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.address = ""
        self._stack = stack

    async def opened(self) -> Served:
        self.task = asyncio.create_task(serve(self.setup, self.lines.put_nowait))
        self._stack.push_async_callback(self._end)
        self.address = (await self.line("listening"))["addresses"][0]
        return self

    async def line(self, event: str) -> dict[str, Any]:
        """The next line, which must be this one."""
        async with asyncio.timeout(PATIENCE):
            line = await self.lines.get()
        assert line["event"] == event
        return line

    async def client(self, name: str = "Anna", **options: Any) -> Client:
        client = await join(self.address, name, **options)
        self._stack.push_async_callback(client.close)
        return client

    async def guest(self, name: str = "Anna", **options: Any) -> Guest:
        return Guest(await self.client(name, **options))

    async def closes(self) -> None:
        """It ends by itself."""
        async with asyncio.timeout(PATIENCE):
            await self.task

    async def _end(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def opened(stack: AsyncExitStack, **setup: Any) -> Served:
    return await Served(stack, **setup).opened()


# --- what it reports ---


async def test_a_table_for_one_game_reports_it_and_closes(stack: AsyncExitStack) -> None:
    house = await opened(stack, bots=2, once=True)
    started, finished = await house.line("started"), await house.line("finished")
    await house.closes()
    assert started["names"] == finished["names"] == ["Ada", "Blaise"]
    assert sorted(finished["places"]) == [1, 2]
    assert len(finished["digest"]) == 16
    assert house.lines.empty()


async def test_a_port_that_is_taken_is_said(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    port = int(house.address.rpartition(":")[2])
    with pytest.raises(Unavailable, match=f"Port {port} is taken"):
        await serve(Served(stack, port=port).setup, print)


async def test_without_a_port_another_one_will_do(stack: AsyncExitStack) -> None:
    one, two = await opened(stack, port=None), await opened(stack, port=None)
    assert one.address != two.address


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("express", {"first": 1}),
        ("gigi", {"first": 0, "morsels": [0] * 5 + [1] * 20}),
        ("poker", {"either_side": True}),
    ],
)
async def test_the_table_has_the_options_that_were_asked_for(
    stack: AsyncExitStack, game: str, options: dict[str, Any]
) -> None:
    house = await opened(stack, game=game, size=2, options=options)
    anna, ben = await house.guest("Anna"), await house.guest("Ben")
    await all_ready(anna, ben)
    table = anna.client.table
    assert table.options == options
    if "first" in options:
        assert table.rules.actors(table.game_state) == (options["first"],)


# --- bots ---


async def test_bots_come_as_they_are_invited_and_go_as_they_are_sent_away(stack: AsyncExitStack) -> None:
    house = await opened(stack, game="express", size=4, bots=1)
    anna = await house.guest("Anna")
    await anna.until(lambda: len(anna.client.table.taken) == 2)
    assert await anna.client.add_bot("random") is None
    await anna.until(lambda: len(anna.client.table.taken) == 3)
    levels = {peer.name: peer.bot for peer in anna.client.table.peers}
    assert levels == {"Anna": None, "Ada": "easy", "Blaise": "random"}
    ada = next(peer.id for peer in anna.client.table.peers if peer.name == "Ada")
    assert await anna.client.remove(ada) is None
    await anna.until(lambda: len(anna.client.table.taken) == 2)


async def test_a_bot_of_no_known_level_is_refused(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    anna = await house.guest("Anna")
    refused = await anna.client.add_bot("genius")
    assert refused is not None
    assert refused.code == "level"
    assert "easy" in refused.sentence
    assert not any(isinstance(entry, Invited) for entry in anna.entries)


async def test_the_houses_bots_know_its_pin(stack: AsyncExitStack) -> None:
    house = await opened(stack, bots=2, once=True, pin="0815")
    await house.line("started")
    await house.line("finished")
    await house.closes()


async def test_bots_alone_play_one_game_and_wait_for_somebody(stack: AsyncExitStack) -> None:
    house = await opened(stack, bots=2)
    for event in ("started", "finished"):
        await house.line(event)
    table = (await house.client("Anna", seats=0)).table
    assert (table.phase, table.games) == ("over", 1)
    await house.line("started")


# --- stand-ins ---


async def test_a_bot_plays_on_for_who_has_left(stack: AsyncExitStack) -> None:
    house = await opened(stack, once=True)
    anna, ben = await house.guest("Anna", bot="easy"), await house.guest("Ben", bot="easy")
    await all_ready(anna, ben)
    await house.line("started")
    await ben.client.leave()
    assert (await anna.until_heard(StoodIn)).seat == 1
    await anna.client.leave()
    finished = await house.line("finished")
    assert finished["names"] == ["Anna", "Ben"]
    await house.closes()


async def test_a_stand_in_steps_aside_for_who_is_back(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    anna, ben = await house.guest("Anna"), await house.guest("Ben")
    await all_ready(anna, ben)
    token = ben.client._wire._hello.token  # what the keepsake would keep
    await ben.client.close()
    await anna.until(lambda: not anna.client.table.is_here(ben.client.peer))
    assert await anna.client.stand_in(1) is None
    assert anna.client.table.taken[1].stand_in == "easy"
    back = Peer(house.address, name="Ben", token=token)
    await back.open()
    await anna.until(lambda: anna.client.table.taken[1].stand_in is None)
    await back.close()


# --- when it closes ---


async def test_it_closes_when_nobody_comes(stack: AsyncExitStack) -> None:
    await (await opened(stack, close_when_empty=0.05)).closes()


async def test_it_closes_at_once_behind_the_last_person(stack: AsyncExitStack) -> None:
    house = await opened(stack, game="express", bots=1, close_when_empty=600.0)
    anna, ben = await house.client("Anna"), await house.client("Ben", seats=0)
    await anna.leave()
    assert (await house.guest("Cleo", bot="easy")).client.link == "up"
    await ben.leave()
    await house.closes()


async def test_a_bot_that_leaves_is_not_the_last_person(stack: AsyncExitStack) -> None:
    house = await opened(stack, close_when_empty=600.0)
    await (await house.client("Cleo", bot="easy")).leave()
    assert (await house.client("Anna")).table.names == ("Anna",)


async def test_it_waits_for_a_person_whose_line_is_lost(stack: AsyncExitStack) -> None:
    house = await opened(stack, close_when_empty=0.3)
    anna, ben = await house.client("Anna"), await house.guest("Ben")
    await anna.close()
    await ben.until(lambda: not ben.client.table.is_here(anna.peer))
    await ben.client.leave()  # not the last one: somebody may come back
    assert not house.task.done()
    await house.closes()


async def test_it_stays_open_for_ever_where_that_is_wanted(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    await (await house.client("Anna")).leave()
    cleo = await house.client("Cleo")
    assert cleo.table.names == ("Cleo",)


async def test_everybody_is_told_when_it_closes(stack: AsyncExitStack) -> None:
    house = await opened(stack, game="express", size=2, bots=1, once=True)
    anna = await house.guest("Anna", bot="easy")
    await all_ready(anna)
    await anna.client.leave()
    await house.closes()
    with pytest.raises(Unwelcome) as refused:
        await house.client("Ben")
    assert refused.value.code == "unreachable"


# --- foreign text ---


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("\x1b[2J\x07Anna", "[2JAnna"),
        ("\u202eannA\u200b", "annA"),
        ("[b]Anna[/b]", "[b]Anna[/b]"),
        ("A" * 200, "A" * 20),
        ("骰" * 100, "骰" * 10),
    ],
    ids=["escape sequences", "format characters", "markup", "long", "long and wide"],
)
async def test_whatever_a_guest_calls_itself_the_table_shows_a_clean_short_name(
    stack: AsyncExitStack, said: str, heard: str
) -> None:
    house = await opened(stack)
    hostile = Peer(
        house.address, name=said, bot="\x1beasy\n"
    )  # not our own client, which would clean it itself
    await hostile.open()
    anna = await house.client("Ben")
    assert anna.table.names == (heard, "Ben")
    assert anna.table.peers[0].name == heard
    assert anna.table.peers[0].bot == "easy"
    await hostile.close()


@pytest.mark.parametrize("said", ["", " ", "\u200b", "\x1b"], ids=ascii)
async def test_a_guest_without_a_name_that_can_be_seen_is_refused(stack: AsyncExitStack, said: str) -> None:
    house = await opened(stack)
    with pytest.raises(Unwelcome) as refused:
        await Peer(house.address, name=said).open()
    assert refused.value.code == "name"


async def test_two_at_one_keyboard_have_a_short_name_each(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    both = Peer(house.address, name=f"{'A' * 60} & \x1b{'B' * 60}", seats=2)
    await both.open()
    watcher = await house.client("Cleo", seats=0)
    assert watcher.table.names == ("A" * 20, "B" * 20)
    await both.close()


async def test_what_is_said_is_cleaned_and_cut(stack: AsyncExitStack) -> None:
    house = await opened(stack)
    anna = await house.guest("Anna")
    assert await anna.client.say(f"\x1b[1mHello\n{'!' * 400}") is None
    said = await anna.until_heard(Said)
    assert said.text == f"[1mHello {'!' * 300}"[:300]
    refused = await anna.client.say("\u200b\n")
    assert refused is not None
    assert refused.code == "empty"
