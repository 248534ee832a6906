"""A host's process: the table, its door to the network, its notice on the network, the bots that it asks in."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any, TypeAlias

from protocol.discovery import Announcement
from protocol.errors import Fault, Unwelcome
from protocol.host import Host
from protocol.text import clean_line
from wuerfel_tui import lines
from wuerfel_tui.autoplay import Autoplayer, play_by_bot
from wuerfel_tui.bots import BOTS
from wuerfel_tui.client import Client, join
from wuerfel_tui.games.core import Refusal, Seat
from wuerfel_tui.record import (
    AnyEntry,
    Began,
    Finished,
    Invited,
    Joined,
    Left,
    Lost,
    PeerId,
    Plain,
    Returned,
    TableState,
)
from wuerfel_tui.setup import NAME_WIDTH, Setup, clean_name
from wuerfel_tui.table import STAND_IN, Table

BOT_NAMES = ("Ada", "Blaise", "Carl", "Dora", "Emmy", "Fermat")
"""What invited bots are called, after people who thought about chance and numbers."""
EVERYWHERE = ("0.0.0.0", "::")
CHAT_WIDTH = 300
"""Cells that a line of chat may take."""

NOTHING_AT_STAKE = 60.0
"""Seconds that a table without people is kept at most while no game is on."""
PIN_WAIT = 1.0
"""Seconds between two tries of a bot to come in."""

Report: TypeAlias = Callable[[Plain], None]

log = logging.getLogger(__name__)


async def serve(setup: Setup, report: Report) -> None:
    """Hosts a table until it is over.

    report: is called with the lines `listening`, `started` and `finished` of the command line
    Raises `protocol.errors.Unavailable` where there is nothing to listen on.
    """
    await House(setup, report).run()


class CleanTable(Table):
    """What guests call themselves and say comes in here, and goes no further as they typed it."""

    def join(self, name: str, seats: int, bot: str | None, token_hash: bytes, now: int) -> PeerId:
        bot = None if bot is None else clean_line(bot, NAME_WIDTH)
        return super().join(clean_name(name, seats), seats, bot, token_hash, now)

    def say(self, peer: PeerId, text: str, now: int) -> None:
        super().say(peer, clean_line(text, CHAT_WIDTH), now)


class House:
    """Runs one table. All it does follows from the entries of the table's log, which come to it in a queue."""

    def __init__(self, setup: Setup, report: Report) -> None:
        self._setup = setup
        self._report = report
        self._entries: asyncio.Queue[tuple[TableState, AnyEntry] | None] = asyncio.Queue()
        self._table = CleanTable(
            setup.game,
            id=secrets.token_hex(8),
            name=setup.name,
            entropy=lambda: secrets.token_bytes(32),
            options=setup.options,
            size=setup.size,
            levels=tuple(BOTS[setup.game]),
            notify=lambda before, entry: self._entries.put_nowait((before, entry)),
        )
        interfaces = setup.interfaces or EVERYWHERE
        self._host = Host(
            self._table, pin=setup.pin, interfaces=interfaces, port=setup.port, on_change=self._on_change
        )
        self._announcement: Announcement | None = None
        self._stand_in = Autoplayer(STAND_IN, self._act_for, Random())
        self._bots: set[asyncio.Task[None]] = set()
        self._bots_here: set[PeerId] = set()
        self._invited = 0
        self._closing: asyncio.TimerHandle | None = None
        self._empty_since: float | None = None

    async def run(self) -> None:
        async with AsyncExitStack() as stack:
            await self._host.start()
            stack.push_async_callback(self._close)
            self._end_on_signals()
            self._report(lines.listening(self._table.state, self._host.addresses))
            if self._setup.announced:
                self._announcement = await stack.enter_async_context(self._announced())
            for _ in range(self._setup.bots):
                self._host.do(lambda _now: self._table.invite(self._setup.level))
            self._close_if_empty()
            while (happened := await self._entries.get()) is not None:
                self._follow(*happened)

    def _announced(self) -> Announcement:
        return Announcement(
            self._host.addresses, self._host.status(), interfaces=self._setup.interfaces or None
        )

    def _on_change(self) -> None:
        if self._announcement is not None:
            self._announcement.update(self._host.status())

    def stop(self) -> None:
        """Ends the table, whatever is on; everybody is told."""
        self._entries.put_nowait(None)

    # --- what follows from an entry ----------------------------------------------------------------------------------

    def _follow(self, before: TableState, entry: AnyEntry) -> None:
        match entry:
            case Invited(level):
                self._start_bot(level)
            case Began():
                self._report(lines.started(before))
            case Finished():
                self._report(lines.finished(before, entry))
                self._close_if_empty()
                if self._setup.once:
                    self.stop()
            case Left(peer, why):
                self._close_if_empty(has_gone=why != "lost" and before.peer(peer).bot is None)
            case Joined() | Lost() | Returned():
                self._close_if_empty()
            case _:
                pass
        self._let_stand_ins_play()

    def _start_bot(self, level: str) -> None:
        name = BOT_NAMES[self._invited % len(BOT_NAMES)]
        self._invited += 1
        bot = asyncio.create_task(self._run_bot(name, level))
        self._bots.add(bot)
        bot.add_done_callback(self._bots.discard)

    async def _run_bot(self, name: str, level: str) -> None:
        """A bot comes in by the door like everybody; it stays until the table closes or it is sent away."""
        try:
            client = await self._seat_bot(name, level)
        except Fault as refused:
            log.warning("A bot could not sit down: %s", refused.sentence)
            self._table.expect_no_bot()
            return
        self._bots_here.add(client.peer)
        try:
            await play_by_bot(client, level, Random(), lambda _update: True, self._is_worth_a_game)
        finally:
            self._bots_here.discard(client.peer)
            await client.close()

    async def _seat_bot(self, name: str, level: str) -> Client:
        nearest = self._host.addresses[-1]  # loopback if it can be: that stays when a network goes
        while True:
            try:
                return await join(nearest, name, bot=level, pin=self._setup.pin)
            except Unwelcome as refused:
                if refused.code != "pin-wait":  # somebody else at this address does not know the PIN
                    raise
            await asyncio.sleep(PIN_WAIT)

    def _is_worth_a_game(self, table: TableState) -> bool:
        """Our own bots play one game by themselves; they do not go on for ever with nobody there."""
        return table.games == 0 or any(peer.online and peer.id not in self._bots_here for peer in table.peers)

    async def _act_for(self, seat: Seat, action: Any) -> bool:
        try:
            self._host.do(lambda now: self._table.act_for(seat, action, now))
        except Refusal:  # the owner is back, or the game has moved on
            return False
        self._let_stand_ins_play()
        return True

    def _let_stand_ins_play(self) -> None:
        table = self._table.state
        self._stand_in.watch(
            table, [seat for seat, info in enumerate(table.taken) if info.stand_in is not None]
        )

    # --- the end -----------------------------------------------------------------------------------------------------

    def _close_if_empty(self, has_gone: bool = False) -> None:
        """Nobody wants a table without people: after a while, or at once if the last one went on purpose."""
        patience = self._setup.close_when_empty
        if patience is None:
            return
        table, loop = self._table.state, asyncio.get_running_loop()
        people = [peer for peer in table.peers if peer.bot is None]
        if self._closing is not None:
            self._closing.cancel()
        if any(peer.online for peer in people):
            self._empty_since = None
        elif has_gone and not people:
            self.stop()
        else:
            self._empty_since = self._empty_since or loop.time()
            wait = patience if table.phase in ("dealing", "playing") else min(patience, NOTHING_AT_STAKE)
            self._closing = loop.call_at(self._empty_since + wait, self.stop)

    def _end_on_signals(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            # Windows has neither all signals nor this call.
            with suppress(AttributeError, NotImplementedError):
                number = getattr(signal, name)
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup, or a shell's background
                    asyncio.get_running_loop().add_signal_handler(number, self.stop)

    async def _close(self) -> None:
        self._stand_in.stop()
        await self._host.close()
        for bot in self._bots:
            bot.cancel()
        await asyncio.gather(*self._bots, return_exceptions=True)
