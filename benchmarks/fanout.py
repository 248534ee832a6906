"""How long a move takes to reach the last of six peers, against a bare asyncio echo of the same frames.

    python -m benchmarks.fanout [MOVES]

Both servers run in a process of their own; the six connections share this one. Per move: the time from the
moment the mover begins to send until the last of the six has the frame with what came of it. The table
decides, logs, digests and encodes meanwhile; the echo sends to all what it is told.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import msgspec

from protocol.codec import encode
from protocol.limits import Limits
from protocol.line import Line, connect
from protocol.messages import PROTOCOL, Act, Events, Hello, Ready, Welcome
from wuerfel_tui.record import TableState, entry_from, evolve, table_from

PEERS = 6
HEADER = struct.Struct(">I")
HOST = (
    "-m",
    "wuerfel_tui",
    "host",
    "express",
    f"--seats={PEERS}",
    "--headless",
    "--json",
    "--port=0",
    "--unannounced",
)


@contextmanager
def server(*command: str) -> Iterator[str]:
    """A process, and the first line that it prints."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


class Room:
    """Six connections to one table, and one replica for them all, which is carried on between the moves."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.table: TableState
        self.seq = 0
        self._numbers = [0] * len(lines)
        self._owners: dict[int, int] = {}

    async def come_in(self) -> None:
        for index, line in enumerate(self.lines):
            line.say(Hello(PROTOCOL, f"P{index}", bot="random"))
            while not isinstance(welcome := await line.next(), Welcome):
                pass
            self._owners[welcome.peer] = index
            if index == 0 and welcome.start is not None:
                self.table, self.seq = table_from(welcome.start.table), welcome.start.seq

    async def begin(self) -> None:
        """Nobody puts a secret in, so the table begins after its few seconds of waiting."""
        for index, line in enumerate(self.lines):
            line.say(Ready(self._number(index), True))
        for line in self.lines:
            began = False
            while not began:
                events = await _next_events(line)
                began = any(raw["entry"] == "began" for raw in events.entries)
                if line is self.lines[0]:
                    self._fold(events)

    async def move(self, rng: Random) -> tuple[float, bytes, bytes]:
        """Seconds that a move takes, with the frames that it takes."""
        rules, state = self.table.rules, self.table.game_state
        (seat,) = rules.actors(state)
        action = msgspec.to_builtins(rng.choice(rules.legal(state, seat)))
        index = self._owners[self.table.taken[seat].peer]
        act = Act(self._number(index), self.seq, seat, action)
        start = time.perf_counter()
        self.lines[index].say(act)
        heard = await asyncio.gather(*(_next_events(line) for line in self.lines))
        seconds = time.perf_counter() - start
        self._fold(heard[0])
        return seconds, encode(act), encode(heard[index])

    def _number(self, index: int) -> int:
        self._numbers[index] += 1
        return self._numbers[index]

    def _fold(self, events: Events) -> None:
        for seq, raw in enumerate(events.entries, events.first):
            if seq > self.seq:
                self.table, self.seq = evolve(self.table, entry_from(raw, self.table.rules)), seq


async def _next_events(line: Line) -> Events:
    while not isinstance(message := await line.next(), Events):
        pass
    return message


async def table_times(moves: int) -> tuple[list[float], list[tuple[bytes, bytes]]]:
    """Seconds per move of one game at a real table, and the frames that went over the wire for it."""
    with server(*HOST) as listening:
        address = json.loads(listening)["addresses"][0]
        room = Room([await connect([address], Limits()) for _ in range(PEERS)])
        await room.come_in()
        await room.begin()
        rng, times, frames = Random(1), list[float](), list[tuple[bytes, bytes]]()
        while len(times) < moves and room.table.phase == "playing":
            seconds, act, events = await room.move(rng)
            times.append(seconds)
            frames.append((act, events))
            await asyncio.sleep(1 / Limits().rate)  # no faster than the host takes requests
        for line in room.lines:
            await line.close()
        return times, frames


async def echo_times(frames: list[tuple[bytes, bytes]]) -> list[float]:
    """Seconds per move for a server that does nothing but send what it is told to all."""
    with server("-m", "benchmarks.fanout", "--echo") as port:
        lines = [await asyncio.open_connection("127.0.0.1", int(port)) for _ in range(PEERS)]
        times = list[float]()
        for number, (act, events) in enumerate(frames):
            _, writer = lines[number % PEERS]
            start = time.perf_counter()
            # What it is to send rides along, so that it has nothing to build.
            writer.write(HEADER.pack(len(act) + len(events)) + act + events)
            await asyncio.gather(*(_read_frame(reader) for reader, _ in lines))
            times.append(time.perf_counter() - start)
            await asyncio.sleep(1 / Limits().rate)
        for _, writer in lines:
            writer.close()
        return times


async def _read_frame(reader: asyncio.StreamReader) -> bytes:
    (length,) = HEADER.unpack(await reader.readexactly(HEADER.size))
    return await reader.readexactly(length)


async def _echo() -> None:
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        try:
            while True:
                both = await _read_frame(reader)
                (length,) = HEADER.unpack(both[: HEADER.size])
                for other in writers:
                    other.write(both[HEADER.size + length :])
        except (asyncio.IncompleteReadError, ConnectionError):
            writers.remove(writer)
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


async def _main(moves: int) -> None:
    ours, frames = await table_times(moves)
    bare = await echo_times(frames)
    table, echo = statistics.median(ours) * 1000, statistics.median(bare) * 1000
    print(
        f"{len(ours)} moves to {PEERS} peers: {table:.2f} ms; bare echo: {echo:.2f} ms; ratio {table / echo:.2f}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--echo"]:
        asyncio.run(_echo())
    else:
        asyncio.run(_main(int(sys.argv[1]) if sys.argv[1:] else 300))
