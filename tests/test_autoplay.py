"""Bots at a live table: one move at a time, never one made for a table that has changed, and none is ever stuck."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest

from protocol.limits import Limits
from tests.guests import Party, table
from tests.tables import Room
from wuerfel_tui import autoplay
from wuerfel_tui.autoplay import Autoplayer, play_by_bot
from wuerfel_tui.client import Step, Update
from wuerfel_tui.games.core import Seat
from wuerfel_tui.record import Finished


class Hand:
    """What a bot sends; each answer is given by hand."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[tuple[Seat, Any]] = asyncio.Queue()
        self.answers: asyncio.Queue[bool] = asyncio.Queue()

    async def __call__(self, seat: Seat, action: Any) -> bool:
        self.sent.put_nowait((seat, action))
        return await self.answers.get()


class Thinker(Autoplayer):
    """Notes how many seconds it would think, and does nothing."""

    def __init__(self) -> None:
        super().__init__("easy", Hand(), Random(1))
        self.pauses: list[float] = []

    async def _carry_out(self, seat: Seat, action: Any, pause: float) -> None:
        self.pauses.append(pause)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
async def player(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Autoplayer]:
    monkeypatch.setattr(autoplay, "AFTER_REFUSAL", 0.0)
    player = Autoplayer("easy", hand, Random(1))
    yield player
    player.stop()


def room(game: str = "express", *, bots: bool = True) -> Room:
    """A game of two in which Anna begins."""
    room = Room(game, size=2, **({"first": 0} if game == "express" else {}))
    for name in ("Anna", "Ben"):
        room.join(name, bot="easy" if bots else None)
    room.all_ready()
    room.exchange_secrets()
    return room


async def settle() -> None:
    """Everything that can happen now has happened."""
    for _ in range(10):
        await asyncio.sleep(0)


# --- one move at a time ---


async def test_a_bot_plays_its_seats_and_no_others(player: Autoplayer, hand: Hand) -> None:
    here = room()
    player.watch(here.state, [1])
    await settle()
    assert hand.sent.empty()
    player.watch(here.state, [0])
    seat, action = await hand.sent.get()
    assert seat == 0
    assert action in here.table.rules.legal(here.state.game_state, 0)


async def test_while_a_move_is_not_answered_no_other_is_made(player: Autoplayer, hand: Hand) -> None:
    here = room()
    player.watch(here.state, [0])
    await hand.sent.get()
    here.table.say(1, "Hello", here.now)  # something happens meanwhile
    player.watch(here.state, [0])
    await settle()
    assert hand.sent.empty()
    hand.answers.put_nowait(True)
    await hand.sent.get()


async def test_a_move_that_is_refused_is_followed_by_another(player: Autoplayer, hand: Hand) -> None:
    here = room()
    player.watch(here.state, [0])
    for _ in range(3):
        assert (await hand.sent.get())[0] == 0
        hand.answers.put_nowait(False)


async def test_what_was_planned_is_called_off_when_the_owner_is_back(player: Autoplayer, hand: Hand) -> None:
    here = room()
    player.watch(here.state, [0])
    player.watch(here.state, [])
    await settle()
    assert hand.sent.empty()


async def test_what_has_become_impossible_is_not_done_but_thought_over(
    player: Autoplayer, hand: Hand
) -> None:
    here = room()
    player.watch(here.state, [0])
    planned = player._plans[0]
    while here.actor()[1] == 0 and here.state.phase == "playing":
        here.act()  # the owner has played meanwhile, and so has everybody, until it is their turn again
    while here.actor()[1] != 0:
        here.act()
    player.watch(here.state, [0])
    assert player._plans[0] is planned
    _, action = await hand.sent.get()
    assert action in here.table.rules.legal(here.state.game_state, 0)


async def test_nothing_happens_once_a_bot_has_stopped(player: Autoplayer, hand: Hand) -> None:
    player.watch(room().state, [0])
    player.stop()
    await settle()
    assert hand.sent.empty()


# --- the time it takes ---


@pytest.mark.parametrize(
    ("game", "bots", "thinks"), [("express", True, False), ("express", False, True), ("wurf_weg", True, True)]
)
async def test_bots_take_a_persons_time_where_people_watch_or_time_plays(
    game: str, bots: bool, thinks: bool
) -> None:
    player = Thinker()
    player.watch(room(game, bots=bots).state, [0])
    await settle()
    assert [pause > 0.1 for pause in player.pauses] == [thinks]


# --- at a real table ---


@pytest.fixture
async def party() -> AsyncIterator[Party]:
    async with AsyncExitStack() as stack:
        yield Party(stack)


def until_finished(update: Update) -> bool:
    return not (isinstance(update, Step) and isinstance(update.entry, Finished))


async def test_bots_that_a_host_finds_too_fast_slow_down_and_come_to_the_end(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "AFTER_REFUSAL", 0.05)
    played = await party.give(table(), limits=Limits(rate=100.0, burst=8))
    guests = [await party.client("Ada", bot="easy"), await party.client("Blaise", bot="easy")]
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for guest in guests:
            group.create_task(play_by_bot(guest, "random", Random(1), until_finished))
    assert played.state.outcome is not None
    assert all(guest.checked for guest in guests)


async def test_a_bot_gets_ready_again_only_for_a_game_that_it_wants(party: Party) -> None:
    played = await party.give(table())
    ada, blaise = await party.client("Ada", bot="easy"), await party.client("Blaise", bot="easy")
    games = 0

    def count(update: Update) -> bool:
        nonlocal games
        games += not until_finished(update)
        return games < 3

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        reluctant = group.create_task(
            play_by_bot(blaise, "easy", Random(2), lambda _: True, lambda table: table.games < 3)
        )
        await play_by_bot(ada, "easy", Random(1), count)
        await ada.ready()
        reluctant.cancel()
    assert played.state.games == 3
    assert [peer.ready for peer in played.state.peers] == [True, False]
