"""How often the player behind a slow line wins Wurf & Weg against an equal one beside the host.

    python -m benchmarks.slow_line [GAMES] [DELAY_MS] [AT_ONCE]

Two `easy` bots, each a peer of its own over TCP; the line of one goes through a proxy that holds everything
back for DELAY_MS in each direction. Seats change from game to game; a shared victory counts half. By
default 200 games, 80 ms, 40 tables at a time.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
from contextlib import suppress
from random import Random

from protocol.host import Host
from wuerfel_tui.autoplay import play_by_bot
from wuerfel_tui.client import Client, Step, Update, join
from wuerfel_tui.record import Finished
from wuerfel_tui.table import Table

CHUNK = 65536


class SlowLine:
    """A proxy on a port of its own that delays every byte, in both directions, without holding up those behind it."""

    def __init__(self, to: str, delay: float) -> None:
        self._host, _, port = to.rpartition(":")
        self._port = int(port)
        self._delay = delay
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host, self._port)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._carry(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):  # one side has cut the line: so does the other
            while data := await source.read(CHUNK):
                loop.call_later(self._delay, _put, sink, data)
        loop.call_later(self._delay, sink.close)


def _put(sink: asyncio.StreamWriter, data: bytes) -> None:
    if not sink.is_closing():
        sink.write(data)


async def slow_share(number: int, delay: float) -> float:
    """Plays a game; what the slow one has of the victory: 1, 0 or a half."""
    table = Table(
        "wurf_weg", id=secrets.token_hex(8), name="t", entropy=lambda: secrets.token_bytes(32), size=2
    )
    host = Host(table, limits=None)
    await host.start()
    try:
        async with SlowLine(host.addresses[0], delay) as slow:
            near = ("near", host.addresses[0])
            far = ("far", slow)
            clients = [
                await join(address, name, bot="easy")
                for name, address in ((near, far), (far, near))[number % 2]
            ]
            ends = await asyncio.gather(*(_play(client) for client in clients))
            for client in clients:
                await client.close()
    finally:
        await host.close()
    names, places = ends[0]
    winners = [name for name, place in zip(names, places, strict=True) if place == 1]
    return winners.count("far") / len(winners)


async def _play(client: Client) -> tuple[tuple[str, ...], tuple[int, ...]]:
    end: list[Step] = []

    def on_update(update: Update) -> bool:
        if isinstance(update, Step) and isinstance(update.entry, Finished):
            end.append(update)
        return not end

    await play_by_bot(client, "easy", Random(), on_update)
    finished = end[0].entry
    assert isinstance(finished, Finished)
    assert finished.outcome is not None
    return end[0].before.names, finished.outcome.places


async def main(games: int, delay_ms: int, at_once: int) -> None:
    room = asyncio.Semaphore(at_once)

    async def one(number: int) -> float:
        async with room:
            return await slow_share(number, delay_ms / 1000)

    shares = await asyncio.gather(*(one(number) for number in range(games)))
    print(f"{games} games, {delay_ms} ms each way: the slow one wins {100 * sum(shares) / games:.1f} %")


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    asyncio.run(main(*given, *(200, 80, 40)[len(given) :]))
