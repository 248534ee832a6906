"""A bot at a live table: chooses when its seats may act, and takes a person's time for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from random import Random
from typing import Any, TypeAlias

from wuerfel_tui.bots import BOTS
from wuerfel_tui.client import Client, Update
from wuerfel_tui.games.core import Seat
from wuerfel_tui.record import TableState

AFTER_REFUSAL = 0.25
"""Seconds before a bot tries again; a host that was asked too fast is not asked faster."""

Send: TypeAlias = Callable[[Seat, Any], Awaitable[bool]]
"""Hands on a chosen action; whether it was done, once the table that is watched shows it."""


class Autoplayer:
    """Plays some seats of a table at one level.

    send: is called with the seat and the action when the time has come
    round_trip: seconds to the table and back; where time plays, they count as part of every pause, so that nobody wins
        by a nearer seat
    Tell it of every change by `watch`; call `stop` when it is to play no more.
    """

    def __init__(
        self, level: str, send: Send, rng: Random, round_trip: Callable[[], float] = lambda: 0.0
    ) -> None:
        self._level = level
        self._send = send
        self._rng = rng
        self._round_trip = round_trip
        self._plans: dict[Seat, asyncio.Task[None]] = {}
        self._table: TableState | None = None
        self._seats: Collection[Seat] = ()

    def watch(self, table: TableState, seats: Collection[Seat]) -> None:
        """The table as it stands now, and the seats to play.

        A plan that is under way is carried out when its time comes, if it is still possible then: who has begun to
        reach for a die is not made slower, or quicker, by what others do meanwhile. The next one is made when it is
        answered, never on a table that does not show it yet.
        """
        self._table, self._seats = table, seats
        playing = table.phase == "playing"
        acting = [seat for seat in table.rules.actors(table.game_state) if seat in seats] if playing else []
        for seat in [seat for seat in self._plans if seat not in acting]:
            self._plans.pop(seat).cancel()
        for seat in acting:
            if seat not in self._plans:
                self._plan(table, seat)

    def stop(self) -> None:
        for plan in self._plans.values():
            plan.cancel()
        self._plans.clear()

    def _plan(self, table: TableState, seat: Seat) -> None:
        bot = BOTS[table.game][self._level]
        action = bot.choose(table.game_state, seat, self._rng)
        if action is None:
            return
        pause = bot.pause(table.game_state, seat, self._rng) / 1000
        if _time_plays(table):
            pause -= self._round_trip()
        elif not _people_watch(table):
            pause = 0
        self._plans[seat] = asyncio.create_task(self._carry_out(seat, action, pause))

    async def _carry_out(self, seat: Seat, action: Any, pause: float) -> None:
        await asyncio.sleep(pause)
        if self._is_possible(seat, action) and not await self._send(seat, action):
            await asyncio.sleep(AFTER_REFUSAL)
        if self._plans.get(seat) is asyncio.current_task():  # not called off meanwhile
            del self._plans[seat]
            if self._table is not None:
                self.watch(self._table, self._seats)

    def _is_possible(self, seat: Seat, action: Any) -> bool:
        table = self._table
        return table is not None and action in table.rules.legal(table.game_state, seat)


def _time_plays(table: TableState) -> bool:
    return table.rules.due(table.game_state) is not None


def _people_watch(table: TableState) -> bool:
    """Whether anybody wants to follow what is done."""
    return any(peer.bot is None and peer.online for peer in table.peers)


async def play_by_bot(
    client: Client,
    level: str,
    rng: Random,
    on_update: Callable[[Update], bool],
    wants_game: Callable[[TableState], bool] = lambda _table: True,
) -> None:
    """Lets a bot play the client's seats, game after game, until the table closes.

    on_update: is told of all that happens; the bot stops when it returns False
    wants_game: whether it is ready for another game at this table
    """

    async def send(seat: Seat, action: Any) -> bool:
        return await client.act(seat, action) is None

    def look() -> None:
        player.watch(client.table, client.seats)
        if _is_waited_for(client) and wants_game(client.table):
            client.in_background(client.ready())

    player = Autoplayer(level, send, rng, round_trip=lambda: client.rtt or 0.0)
    look()
    try:
        async for update in client.updates():
            if not on_update(update):
                return
            look()
    finally:
        player.stop()


def _is_waited_for(client: Client) -> bool:
    """Whether no game is on, and we have not said yet that we are ready for one."""
    unready = any(peer.id == client.peer and not peer.ready for peer in client.table.peers)
    return client.table.phase in ("waiting", "over") and unready
