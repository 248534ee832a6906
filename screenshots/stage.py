"""Where the pictures are taken: seeded games on real tables, and the real app that sits down at them.

Nothing here is left to chance: the other players are bots with a seed, the clock is a number, and every secret in the
dice comes from the seed. Only a port and the tokens of an evening are random, and none of them is ever seen.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import msgspec
from textual.pilot import Pilot

from protocol.discovery import FoundTable
from protocol.host import Host
from protocol.peer import Peer
from screenshots.svg import Picture
from wuerfel_tui import fair
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.bots import BOTS
from wuerfel_tui.client import Client, Step, Update
from wuerfel_tui.games.core import Seat
from wuerfel_tui.services import Services, Settings
from wuerfel_tui.setup import Guest, Setup
from wuerfel_tui.table import Table

ADDRESS = "192.168.1.20:9731"
"""Where every table seems to be; the real one is anywhere on the loopback interface."""
PATIENCE = 20.0
"""Seconds for whatever is to appear."""
TRIES = 500
"""Seeds that are tried for a moment worth a picture."""
TERMINAL = {"LANG": "en_GB.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
FORGOTTEN = ("NO_COLOR", "LC_ALL", "LC_CTYPE", "TEXTUAL_THEME", "TEXTUAL_COLOR_SYSTEM", "WUERFEL_HOME")

Wish: TypeAlias = tuple[int, Any]
"""What somebody is about to do, and when."""


# --- a game from a seed ---------------------------------------------------------------------------------------------


class SeededTable(Table):
    """A table at which everything comes from a seed, driven without a network until somebody puts it on one.

    names: who sits there from the beginning
    now: the table's clock in milliseconds; only `play` moves it
    """

    def __init__(
        self, game: str, names: Sequence[str], seed: int, name: str = "Kitchen", size: int | None = None
    ) -> None:
        self.rng = Random(seed)
        self.now = 0
        super().__init__(
            game,
            id=f"table-{seed}",
            name=name,
            entropy=lambda: self.rng.randbytes(fair.SECRET_BYTES),
            size=size or len(names),
        )
        for person in names:
            self.sit_down(person)

    def sit_down(self, name: str) -> int:
        """Somebody whose place `token` opens."""
        return self.join(name, 1, None, hashlib.sha256(token(name)).digest(), self.now)

    def talk(self, *lines: tuple[str, str]) -> None:
        """What people say: who, and what."""
        for name, text in lines:
            self.say(self._peer_of(name), text, self.now)

    def is_ready(self, name: str) -> None:
        self.ready(self._peer_of(name), True, self.now)

    def _peer_of(self, name: str) -> int:
        return next(peer.id for peer in self.state.peers if peer.name == name)

    def begin(self) -> None:
        """Everybody is ready, and the secrets are exchanged."""
        for peer in self.state.players:
            self.ready(peer.id, True, self.now)
        secrets = {part.peer: self.rng.randbytes(fair.SECRET_BYTES) for part in self.state.contributions[1:]}
        for peer, secret in secrets.items():
            self.commit(peer, fair.commitment(secret), self.now)
        for peer, secret in secrets.items():
            self.reveal(peer, secret, self.now)

    def play(self, is_it: Callable[[Any], Any]) -> bool:
        """Lets bots play on all seats until the game's state is the one that is looked for; False if it never is."""
        wishes: dict[Seat, Wish] = {}
        while self.state.phase == "playing":
            if is_it(self.state.game_state):
                return True
            self._go_on(wishes)
        return False

    def _go_on(self, wishes: dict[Seat, Wish]) -> None:
        """The earliest of what the bots are about to do and what time does."""
        bot, state, due = BOTS[self.rules.key]["easy"], self.state.game_state, self.due()
        for seat in self.rules.actors(state):
            action = None if seat in wishes else bot.choose(state, seat, self.rng)
            if action is not None:
                wishes[seat] = (self.now + bot.pause(state, seat, self.rng), action)
        seat = min(wishes, key=lambda seat: wishes[seat][0], default=None)
        if seat is None or (due is not None and due <= wishes[seat][0]):
            assert due is not None, "nobody can do anything"
            self.now = due
            self.elapse(due)
            return
        self.now, action = wishes.pop(seat)
        if action in self.rules.legal(state, seat):  # the others may have changed it meanwhile
            self.act(self.state.taken[seat].peer, seat, msgspec.to_builtins(action), self.seq, self.now)


def moment(game: str, names: Sequence[str], seed: int, is_it: Callable[[Any], Any]) -> SeededTable:
    """A table in the middle of a game that has come to what is looked for.

    seed: the first to be tried; with a good one the first game will do
    """
    for attempt in range(seed, seed + TRIES):
        table = SeededTable(game, names, attempt)
        table.begin()
        if table.play(is_it):
            return table
    raise LookupError(f"No game of {game} comes to such a moment.")


def token(name: str) -> bytes:
    """What brings somebody back to the place that they had when the table was made."""
    return hashlib.sha256(name.encode()).digest()


# --- the world around the app ---------------------------------------------------------------------------------------


class Stage(Services):
    """A network on which the given tables are found, and one table that can be gone to, or hosted."""

    def __init__(self, home: Path, stack: AsyncExitStack, name: str, tables: Sequence[FoundTable]) -> None:
        super().__init__(("127.0.0.1",), home)
        self.save_settings(Settings(name=name))
        self.tables = tables
        self.table: SeededTable
        self.host: Host
        self._stack = stack

    async def open(self, table: SeededTable) -> None:
        """Puts a table on the loopback interface."""
        self.table = table
        self.host = Host(table, clock=lambda: table.now)
        await self.host.start()
        self._stack.push_async_callback(self.host.close)

    async def browse(self) -> AsyncIterator[Sequence[FoundTable]]:
        yield self.tables
        await asyncio.Event().wait()

    async def host_table(self, setup: Setup) -> tuple[str, ...]:
        await self.open(SeededTable(setup.game, (), seed=1, name=setup.name, size=setup.size))
        return (ADDRESS,)

    async def join(self, where: Any, name: str, seats: int, pin: str | None) -> Client:
        """To the one table that there is, and to the place there that was kept.

        Other than by `client.join`, the past is not gone through before anybody looks: all of it goes into the log.
        """
        is_known = any(peer.name == name for peer in self.table.state.peers)
        peer = Peer(self.host.addresses[0], name=name, seats=seats, token=token(name) if is_known else None)
        client = Watched(peer, await peer.open())
        self._stack.push_async_callback(client.close)
        return client


class Watched(Client):
    """shown: the last entry of the log that the screen has made something of."""

    shown = 0

    async def updates(self) -> AsyncIterator[Update]:
        async for update in super().updates():
            yield update
            if isinstance(update, Step):
                self.shown = update.seq


class Camera:
    """The real app in a terminal of a fixed size, with keys to press and a picture to be taken."""

    def __init__(self, pilot: Pilot[None], stage: Stage) -> None:
        assert isinstance(pilot.app, WuerfelApp)
        self.app, self.stage = pilot.app, stage
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        await self._pilot.press(*keys)

    async def until(self, is_so: Callable[[], Any]) -> None:
        """Returns as soon as this is so."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0)
                await self._pilot.pause()

    async def until_all_is_shown(self) -> None:
        """Returns when the screen has made something of everything that has happened at the table."""
        await self.until(lambda: getattr(self.app.client, "shown", None) == self.stage.table.seq)

    async def follow_log(self) -> None:
        """Has the log wrapped anew and goes to its end: it has come in faster than it is laid out."""
        await self.picture()
        size = self.app.size
        for height in (size.height + 1, size.height):
            await self._pilot.resize_terminal(size.width, height)
        await self.press("l", "home", "end", "escape")

    async def picture(self) -> str:
        """What the terminal shows, as SVG, once nothing changes any more."""
        before, now = "", self._picture()
        while before != now:
            await self._pilot.pause()
            before, now = now, self._picture()
        return now

    def _picture(self) -> str:
        picture = Picture()
        for strip in self.app.screen._compositor.render_strips():
            picture.add(strip)
        return picture.svg()


@asynccontextmanager
async def camera(
    size: tuple[int, int], *, at: SeededTable | None = None, tables: Sequence[FoundTable] = ()
) -> AsyncIterator[Camera]:
    """The app as Anna sees it: at a table, with all that has happened there shown, or in the lobby.

    size: of the terminal, columns and rows
    tables: what is found on the network
    """
    with good_terminal(), TemporaryDirectory() as home:
        async with AsyncExitStack() as stack:
            stage = Stage(Path(home), stack, "Anna", tables)
            if at is not None:
                await stage.open(at)
            app = WuerfelApp(stage, start=Guest("Kitchen") if at is not None else None, motion=False)
            camera = Camera(await stack.enter_async_context(app.run_test(size=size)), stage)
            if at is not None:
                await camera.until_all_is_shown()
            yield camera


@contextmanager
def good_terminal() -> Iterator[None]:
    """A terminal that can do everything, whatever this runs in."""
    before = dict(os.environ)
    os.environ.update(TERMINAL)
    for name in FORGOTTEN:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
