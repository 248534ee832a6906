"""One peer at one table: the connection, its replica of the table, its part in the dice."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from protocol.errors import Malformed, Unwelcome
from protocol.messages import (
    Act,
    AddBot,
    Closing,
    Commit,
    Events,
    Ready,
    Rejected,
    Remove,
    Reveal,
    Say,
    Snapshot,
    StandIn,
    Start,
    Welcome,
)
from protocol.peer import Incoming, Link, Peer, ask
from protocol.text import clean_line
from wuerfel_tui import fair
from wuerfel_tui.games.core import Outcome, Seat
from wuerfel_tui.keepsake import Keepsake, claim
from wuerfel_tui.record import (
    PEERS,
    Acted,
    AnyEntry,
    Began,
    Committed,
    Dealt,
    Elapsed,
    Finished,
    Left,
    Lost,
    PeerId,
    Plain,
    StoodIn,
    TableState,
    digest,
    entry_from,
    evolve,
    options_of,
    table_from,
)
from wuerfel_tui.setup import clean_name
from wuerfel_tui.verify import BentDice, check

TEXT_WIDTH = 400
"""Cells of any text that a host may show us."""

SEATS = 8
"""A table has no more."""
HISTORY = 65_536
"""Steps of one game that are kept, many more than any game has: a host may go on for ever."""
CATCHING_UP = 20.0
"""Seconds in which a table has to tell what has happened so far."""

log = logging.getLogger(__name__)


class Step(msgspec.Struct, frozen=True):
    """A log entry, with the table before and after it."""

    seq: int
    entry: AnyEntry
    before: TableState
    after: TableState

    def happenings(self) -> Iterator[tuple[Any, Any]]:
        """The events of the game in this entry, each with the game's state in which it happened."""
        rules, state = self.after.rules, self.before.game_state
        if isinstance(self.entry, Began):
            state = rules.new(len(self.after.taken), options_of(self.after))
        for event in getattr(self.entry, "events", ()):
            yield state, event
            state = rules.evolve(state, event)


class Reset(msgspec.Struct, frozen=True):
    """The replica began anew from a snapshot: whatever is shown of the table is to be shown again."""


class LinkChange(msgspec.Struct, frozen=True):
    """The line to the host: up; lost, and tried again; or closed for good, with the reason."""

    link: Literal["up", "lost", "closed"]
    code: str = ""
    sentence: str = ""


Update: TypeAlias = Step | Reset | LinkChange


class Client:
    """A peer that has come to a table, by `join`.

    Somebody has to go through `updates`: that is what carries the replica on.

    table: the replica, the fold of all entries so far
    history: the steps since the current or last game was dealt, as far as this peer saw them
    link: how the line to the host is
    bent: what is wrong with the dice of the last finished game, "" if nothing is; None if it cannot be told
    """

    def __init__(self, peer: Peer, welcome: Welcome, keepsake: Keepsake | None = None) -> None:
        self.link: Literal["up", "lost", "closed"] = "up"
        self.bent: str | None = None
        self.history: list[Step] = []
        self._wire = peer
        self._keepsake = keepsake
        self._me = welcome.peer
        self._secret: bytes | None = None
        self._part: tuple[PeerId, bytes] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ahead = welcome.now - _local_clock()
        if welcome.start is None:
            raise Malformed("malformed", "The host did not say how its table stands.")
        self._begin_anew(welcome.start)

    @property
    def peer(self) -> PeerId:
        return self._me

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Mine; empty for a spectator."""
        return self.table.seats_of(self._me)

    def clock(self) -> int:
        """The table's clock, in milliseconds, as well as it can be known here."""
        return round(_local_clock() + self._ahead + 500 * (self.rtt or 0.0))

    @property
    def checked(self) -> bool | None:
        """Whether the dice of the last finished game were right; None if that cannot be told."""
        return None if self.bent is None else not self.bent

    @property
    def rtt(self) -> float | None:
        """Seconds to the host and back; None while unknown."""
        return self._wire.round_trip

    # --- what comes from the table -----------------------------------------------------------------------------------

    async def updates(self) -> AsyncIterator[Update]:
        """Everything that happens, in order; ends when the table is left or closed."""
        async for message in self._wire.messages():
            try:
                updates = self._updates_in(message)
            except Malformed as fault:
                await self._wire.close(leave=False)
                updates = [LinkChange("closed", fault.code, fault.sentence)]
            for update in updates:
                if isinstance(update, LinkChange):
                    self.link = update.link
                yield update
            await asyncio.sleep(0)  # a host that never pauses must not keep our keys from being heard
        self.link = "closed"

    async def catch_up(self, seq: int) -> None:
        """Folds what has happened up to this entry, so that whoever looks at the table first sees it as it is.

        Raises `protocol.errors.Unwelcome` if the table closes meanwhile, or does not tell.
        """
        try:
            async with asyncio.timeout(CATCHING_UP):
                await self._catch_up(seq)
        except TimeoutError:
            raise Unwelcome("unreachable", "The table does not tell what has happened so far.") from None

    async def _catch_up(self, seq: int) -> None:
        if self.seq < seq:
            async for update in self.updates():
                if self.seq >= seq:
                    return
                if isinstance(update, LinkChange) and update.link == "closed":
                    raise Unwelcome(update.code, update.sentence)

    def _updates_in(self, message: Incoming) -> Sequence[Update]:
        """What a message of the host means to who looks at the table. Raises `Malformed`."""
        match message:
            case Events():
                return self._steps(message)
            case Snapshot():
                self._begin_anew(message)
                return [Reset()]
            case Welcome():
                self._me = message.peer
                if message.start is None:
                    return []
                self._begin_anew(message.start)
                return [Reset()]
            case Link():
                return [LinkChange("up" if message.state == "back" else "lost")]
            case Closing():
                return [LinkChange("closed", message.code, message.sentence)]

    def _begin_anew(self, snapshot: Snapshot) -> None:
        try:
            table = table_from(_harmless(snapshot.table))
            _probe(table)
        except Exception as error:  # what a host makes up may break the rules in any way
            log.info("No such table can be.", exc_info=error)
            raise Malformed("malformed", "The host sent a table that is none.") from None
        self.table = table
        self.seq = snapshot.seq
        self.history.clear()

    def _steps(self, message: Events) -> list[Step]:
        """The steps that are new in this message; what was there before (an answer given again) is passed over."""
        steps: list[Step] = []
        for seq, raw in enumerate(message.entries, message.first):
            if seq != self.seq + 1:
                if seq > self.seq:
                    self._wire.resync()
                continue
            step = self._step(seq, raw)
            self.table, self.seq = step.after, seq
            self._follow(step)
            steps.append(step)
        return steps

    def _step(self, seq: int, raw: Plain) -> Step:
        try:
            entry = entry_from(_harmless(raw), self.table.rules)
            _check_seats(entry, len(self.table.taken))
            step = Step(seq, entry, self.table, evolve(self.table, entry))
            _probe(step.after)
            return step
        except Exception as error:  # what a host makes up may break the fold in any way
            log.info("Entry %d cannot be followed.", seq, exc_info=error)
            raise Malformed(
                "malformed", "The host says that something happened which cannot happen."
            ) from None

    def _follow(self, step: Step) -> None:
        entry = step.entry
        if isinstance(entry, Dealt):
            self.history.clear()
        self.history.append(step)
        if len(self.history) > HISTORY:
            del self.history[: HISTORY // 2]
        match entry:
            case Dealt():
                self._commit(entry)
            case Committed() | Left() | Lost() if self._secret is not None and step.after.phase == "dealing":
                self._reveal_if_all_committed()
            case Began() | Acted() | Elapsed():
                # Whatever was least delayed on its way says best how far the table's clock is ahead of ours.
                self._ahead = max(self._ahead, entry.now - _local_clock())
                if digest(step.after.game_state) != entry.digest:
                    log.warning("The replica differs from the host's table after entry %d.", step.seq)
                    self._wire.resync()
            case Finished():
                self.bent = self._checked()
            case _:
                pass

    # --- the dice ----------------------------------------------------------------------------------------------------

    def _commit(self, dealt: Dealt) -> None:
        self.bent, self._part, self._secret = None, None, None
        if self._me in dealt.contributors:
            self._secret = secrets.token_bytes(fair.SECRET_BYTES)
            self.in_background(self._wire.request(Commit, commitment=fair.commitment(self._secret)))

    def _reveal_if_all_committed(self) -> None:
        if self.table.all_committed and self._secret is not None:
            secret, self._secret = self._secret, None
            self.in_background(self._reveal(secret))

    async def _reveal(self, secret: bytes) -> None:
        if await self._wire.request(Reveal, secret=secret) is None:
            self._part = (self._me, secret)  # it was taken, so it has to count

    def _checked(self) -> str | None:
        """What is wrong with the dice of the game that has just ended; None if its beginning was not seen."""
        if not isinstance(self.history[0].entry, Dealt):
            return None
        try:
            check(self.history[0].before, [step.entry for step in self.history], self._part)
        except BentDice as bent:
            return str(bent)
        except Exception as error:  # moves that nobody can make, which only a host could have let pass
            log.info("The game cannot be decided again.", exc_info=error)
            return "The game cannot be played again as the host says that it was played."
        return ""

    # --- what goes to the table --------------------------------------------------------------------------------------

    async def act(self, seat: Seat, action: Any) -> Rejected | None:
        """A move; None when it is done, otherwise why not."""
        return await self._wire.request(Act, seen=self.seq, seat=seat, action=msgspec.to_builtins(action))

    async def ready(self, ready: bool = True) -> Rejected | None:
        return await self._wire.request(Ready, ready=ready)

    async def start(self) -> Rejected | None:
        return await self._wire.request(Start)

    async def add_bot(self, level: str) -> Rejected | None:
        return await self._wire.request(AddBot, level=level)

    async def remove(self, peer: PeerId) -> Rejected | None:
        return await self._wire.request(Remove, peer=peer)

    async def stand_in(self, seat: Seat) -> Rejected | None:
        return await self._wire.request(StandIn, seat=seat)

    async def say(self, text: str) -> Rejected | None:
        return await self._wire.request(Say, text=text)

    async def leave(self) -> None:
        """Good-bye for good: the seats are given up. Where the table was closed or not found again, nothing is."""
        if self._keepsake is not None and self.link != "closed":
            self._keepsake.forget()
        await self._close(leave=True)

    async def close(self) -> None:
        """Lets go of the line; the seats are kept for a while."""
        await self._close(leave=False)

    async def _close(self, *, leave: bool) -> None:
        for task in self._tasks:
            task.cancel()
        await self._wire.close(leave=leave)
        if self._keepsake is not None:
            self._keepsake.release()

    def in_background(self, request: Coroutine[Any, Any, Any]) -> None:
        """Asks without waiting: `updates` must not stand still for an answer that comes through it."""
        task = asyncio.create_task(request)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _local_clock() -> float:
    return time.monotonic() * 1000


def _harmless(value: Any) -> Any:
    """The same without anything that a terminal would obey: who knows what a host has let in."""
    match value:
        case str():
            return clean_line(value, TEXT_WIDTH)
        case dict():
            return {_harmless(key): _harmless(item) for key, item in value.items()}
        case list() | tuple():
            return [_harmless(item) for item in value]
        case _:
            return value


def _check_seats(entry: AnyEntry, taken: int) -> None:
    """Raises `ValueError` for a seat that nobody has, or places for others than those who played."""
    match entry:
        case StoodIn(seat, _) if seat not in range(taken):
            raise ValueError("Nobody has that seat.")
        case Finished(Outcome(places, _), _) if len(places) != taken:
            raise ValueError("There is not a place for everybody.")
        case _:
            pass


def _probe(table: TableState) -> None:
    """Raises an exception, of whatever kind, for a table that somebody has made up and nobody could go on with."""
    if len(table.peers) > PEERS or len(table.seats) > SEATS or len(table.contributions) > SEATS + 1:
        raise ValueError("There are too many at this table.")
    options_of(table)
    if table.phase == "playing":
        rules, state = table.rules, table.game_state
        digest(state)  # no number is too big for the wire
        rules.due(state)
        rules.outcome(state)
        for seat in rules.actors(state):
            if seat not in range(len(table.taken)):
                raise ValueError("Somebody may act who does not play.")
            rules.legal(state, seat)


async def join(
    address: str | Sequence[str],
    name: str,
    *,
    seats: int = 1,
    bot: str | None = None,
    pin: str | None = None,
    kept_in: Path | None = None,
    retry_for: float = 120.0,
) -> Client:
    """Comes to a table, or back to it.

    address: of the table, or several for the same one
    name: the person's, as typed; "Anna & Ben" for two seats
    seats: 0 to watch
    bot: the level, if it plays by itself
    kept_in: the folder in which what brings one back after a kill is kept; None: it is not kept
    retry_for: seconds to try to find back after an outage
    Raises `protocol.errors.Unwelcome` with the reason.
    """
    name = clean_name(name, seats)
    if not name:
        raise Unwelcome("name", "A name needs at least one letter that can be seen.")
    keepsake = claim(kept_in, (await ask(address)).table, name) if kept_in is not None else None
    token = keepsake.token if keepsake is not None else None

    async def enter(token: bytes | None) -> Client:
        peer = Peer(address, name=name, seats=seats, bot=bot, pin=pin, token=token, retry_for=retry_for)
        welcome = await peer.open()
        if keepsake is not None:
            keepsake.keep(welcome.token)
        try:
            client = Client(peer, welcome, keepsake)
            await client.catch_up(welcome.seq)
        except BaseException:
            await peer.close()
            raise
        return client

    try:
        try:
            return await enter(token)
        except Unwelcome as refused:
            if token is None or refused.code != "token":
                raise
        return await enter(None)  # the table has forgotten us: we come as somebody new
    except BaseException as error:
        if keepsake is not None:
            keepsake.release()
        if isinstance(error, Malformed):
            raise Unwelcome(error.code, error.sentence) from None
        raise
