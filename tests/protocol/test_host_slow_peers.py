"""Peers that do not read, do not answer, or are not there any more: they cost the table nothing."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from protocol.codec import HEADER
from protocol.limits import Limits
from protocol.messages import Act, Events, Ping, Pong, Say, Snapshot
from tests.protocol.conftest import QUICK, Net
from tests.protocol.wire import Wire

SMALL = Limits(backlog_frames=20, backlog_bytes=50_000, send_buffer=4096)
PAD = 4000


async def flood(anna: Wire, entries: int) -> None:
    """Makes so many entries of 4 kB, as fast as the host takes them."""
    for _ in range(entries):
        answer = await anna.answer(anna.ask(Act, seen=0, seat=0, action={"pad": PAD}))
        assert isinstance(answer, Events)


async def slow_guest(net: Net, host: object, name: str = "Ben") -> Wire:
    """A guest for whom the system keeps little while they do not read."""
    ben = await net.wire(host, receive_buffer=4096)  # type: ignore[arg-type]
    await ben.enter(name=name)
    return ben


async def test_who_does_not_read_gets_a_snapshot_in_place_of_what_they_missed(net: Net) -> None:
    host = await net.host(limits=SMALL)
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    await flood(anna, 90)
    seen = 0
    while seen < host.table.seq:
        message = await ben.next()
        assert message is not None, "who reads again is not dropped"
        if isinstance(message, Events):
            assert message.first == seen + 1, "no gap before the snapshot"
            seen += len(message.entries)
        if isinstance(message, Snapshot):
            assert message == Snapshot(*host.table.snapshot())
            break
    assert seen < host.table.seq, "some of it was never sent"
    await anna.answer(anna.ask(Say, text="Hi"))
    assert (await ben.until(Events)).first == host.table.seq, "and it goes on from there"


@pytest.mark.parametrize("before", [35, 90], ids=["still in the backlog", "after it was given up"])
async def test_what_a_slow_peer_asked_is_answered_after_the_snapshot(net: Net, before: int) -> None:
    limits = msgspec.structs.replace(SMALL, backlog_frames=40, backlog_bytes=10**6, burst=1000)
    host = await net.host(limits=limits)
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    await flood(anna, before)
    wrong = ben.ask(Act, seen=0, seat=1, action={"add": -2})
    right = ben.ask(Act, seen=0, seat=1, action={"add": 7})
    await flood(anna, 60)
    await ben.until(Snapshot)
    assert (await ben.answer(wrong)).code == "illegal"
    answer = await ben.answer(right)
    assert answer.entries == ({"added": 7, "seat": 1},)


async def test_who_does_not_even_read_the_snapshot_is_dropped(net: Net) -> None:
    host = await net.host(limits=msgspec.structs.replace(SMALL, burst=10_000))
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    host.table.state["pad"] = "x" * 500_000  # a snapshot of more than the system takes
    await flood(anna, 90)
    hears = asyncio.create_task(anna_hears(anna, {"lost": 2}))
    await read_until_longer_frame(ben, 100_000)
    while not hears.done():
        anna.ask(Act, seen=0, seat=0, action={"pad": PAD})
        await asyncio.wait([hears], timeout=0.001)
    assert host.peers == (1,)


async def read_until_longer_frame(wire: Wire, size: int) -> None:
    """Reads up to somewhere in the first frame that is longer than this."""
    data = b""
    while True:
        chunk = await wire.reader.read(512)
        assert chunk, "the connection ended before a longer frame"
        data += chunk
        while len(data) >= HEADER.size:
            (length,) = HEADER.unpack_from(data)
            if length > size:
                return
            if len(data) < HEADER.size + length:
                break
            data = data[HEADER.size + length :]


async def anna_hears(anna: Wire, entry: dict[str, int]) -> None:
    while entry not in (await anna.until(Events)).entries:
        pass


async def test_who_reads_nothing_for_too_long_is_dropped_though_they_still_talk(net: Net) -> None:
    host = await net.host(limits=Limits(heartbeat=0.05, patience=30, stall=0.2, send_buffer=4096))
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    await flood(anna, 60)
    hears = asyncio.create_task(anna_hears(anna, {"lost": 2}))
    ben.say(Ping(1))
    await hears
    assert host.peers == (1,)


async def test_a_slow_reader_who_reads_on_is_not_dropped(net: Net) -> None:
    host = await net.host(limits=Limits(heartbeat=0.02, patience=30, stall=0.2, send_buffer=4096))
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    await flood(anna, 60)
    assert len(await ben.entries(up_to=host.table.seq)) == host.table.seq


async def test_a_slow_peer_does_not_slow_the_table(net: Net) -> None:
    host = await net.host(limits=SMALL)
    anna, cleo = await net.guest(host, "Anna"), await net.guest(host, "Cleo")
    ben = await slow_guest(net, host)
    log = asyncio.create_task(cleo.entries(up_to=93))
    await flood(anna, 90)
    assert await log == host.table.log
    assert await ben.until(Snapshot), "Ben has not read a byte meanwhile"


async def test_who_asks_and_asks_and_does_not_read_the_answers_is_dropped(net: Net) -> None:
    host = await net.host(
        limits=Limits(backlog_frames=20, backlog_bytes=50_000, send_buffer=4096, burst=10_000)
    )
    anna, ben = await net.guest(host, "Anna"), await slow_guest(net, host)
    await flood(anna, 90)
    hears = asyncio.create_task(anna_hears(anna, {"lost": 2}))
    for _ in range(30):
        ben.ask(Act, seen=0, seat=1, action={"add": -1})
    await hears


async def test_a_line_on_which_nothing_comes_any_more_is_found_dead(net: Net) -> None:
    host = await net.host(limits=QUICK)
    anna = await net.guest(host, "Anna")
    hears = asyncio.create_task(keep_alive(anna, {"lost": 2}))
    started = asyncio.get_running_loop().time()
    await net.guest(host, "Ben")  # who answers no ping
    await hears
    took = asyncio.get_running_loop().time() - started
    assert took >= QUICK.patience
    assert host.peers == (1,)


async def keep_alive(wire: Wire, entry: dict[str, int]) -> None:
    """Answers pings until this entry comes."""
    while True:
        message = await wire.next()
        assert message is not None, "who answers is not dropped"
        if isinstance(message, Ping):
            wire.say(Pong(message.at))
        if isinstance(message, Events) and entry in message.entries:
            return


def test_by_default_a_dead_line_is_found_within_ten_seconds() -> None:
    assert Limits().patience + Limits().heartbeat < 10


async def test_closing_does_not_wait_for_who_does_not_read(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.connection.LAST_WORD", 0.05)
    host = await net.host(limits=SMALL)
    anna = await net.guest(host, "Anna")
    await slow_guest(net, host)
    await flood(anna, 90)
    async with asyncio.timeout(1):
        await host.close()
