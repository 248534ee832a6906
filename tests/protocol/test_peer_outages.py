"""A line that breaks, stands still, or comes back: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import msgspec
import pytest

from protocol.host import Host
from protocol.messages import Act, Closing, Events, Say, Snapshot, Welcome
from protocol.peer import UNANSWERED, Link, Peer
from tests.protocol.cable import Cable
from tests.protocol.conftest import QUICK, Net
from tests.protocol.counter import CounterTable

PATIENT = msgspec.structs.replace(QUICK, patience=20, handshake=20, heartbeat=5)
"""Finds back quickly, but takes no line for dead."""


async def until_link(peer: Peer, state: str) -> list[Any]:
    """What comes up to this change of the line."""
    heard: list[Any] = []
    async for message in peer.messages():
        heard.append(message)
        if isinstance(message, Link) and message.state == state:
            break
    return heard


async def next_of(peer: Peer, kind: type[Any]) -> Any:
    async for message in peer.messages():
        if isinstance(message, kind):
            return message
    raise AssertionError(f"the messages ended without a {kind.__name__}")


async def at_the_end_of(net: Net, host: Host, limits: Any = PATIENT, **options: Any) -> tuple[Cable, Peer]:
    """A peer that talks to the host through a cable."""
    cable = await net.cable(host.port)
    return cable, await net.peer(cable.address, limits=limits, **options)


async def test_after_a_break_the_peer_comes_back_to_its_seat_and_misses_nothing(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.cut()
    await until_link(peer, "lost")
    host.do(lambda now: host.table.add_bot(0, "easy", now))
    await until_link(peer, "back")
    welcome = await next_of(peer, Welcome)
    assert (welcome.peer, welcome.seats, welcome.start) == (1, (0,), None)
    entries: list[Any] = []
    while len(entries) < 3:
        entries += (await next_of(peer, Events)).entries
    assert sorted(map(str, entries)) == sorted(map(str, ({"lost": 1}, {"bot": "easy"}, {"returned": 1})))
    assert peer.seq == host.table.seq


async def test_if_the_log_does_not_reach_back_the_peer_starts_anew(net: Net) -> None:
    host = await net.host(CounterTable(keep=3))
    cable, peer = await at_the_end_of(net, host)
    cable.pull()
    await until_link(peer, "lost")
    for _ in range(10):
        host.do(lambda now: host.table.act(1, 0, {"add": 1}, 0, now))
    await cable.mend()
    welcome = await next_of(peer, Welcome)
    assert welcome.start == Snapshot(*host.table.base())


async def test_who_is_out_of_step_when_the_line_breaks_starts_anew(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.pull()
    await until_link(peer, "lost")
    peer.resync()
    await cable.mend()
    welcome = await next_of(peer, Welcome)
    assert welcome.start == Snapshot(*host.table.base())
    assert await peer.request(Say, text="Hi") is None
    assert peer.seq == host.table.seq


async def test_a_request_that_was_made_while_the_line_was_lost_is_done_when_it_is_back(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.pull()
    await until_link(peer, "lost")
    request = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 5}))
    wrong = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": -5}))
    await cable.mend()
    assert await request is None
    rejected = await wrong
    assert rejected is not None
    assert rejected.code == "illegal"
    assert host.table.state["total"] == 5


async def test_a_request_that_never_arrived_is_made_again(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.to_host = False
    request = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 5}))
    await asyncio.sleep(0)
    cable.to_host = True
    cable.cut()
    assert await request is None
    assert host.table.state["total"] == 5


async def test_a_request_whose_answer_got_lost_is_answered_again_and_done_once(net: Net) -> None:
    changed = asyncio.Event()
    host = await net.host(on_change=changed.set)
    cable, peer = await at_the_end_of(net, host)
    cable.to_peer = False
    changed.clear()
    request = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 5}))
    await changed.wait()
    assert host.table.state["total"] == 5
    cable.to_peer = True
    cable.cut()
    assert await request is None
    assert host.table.state["total"] == 5
    assert await peer.request(Act, seen=0, seat=0, action={"add": 1}) is None, "the numbers go on"
    assert host.table.state["total"] == 6


async def test_a_refusal_that_got_lost_is_given_again(net: Net) -> None:
    changed = asyncio.Event()
    host = await net.host(on_change=changed.set)
    cable, peer = await at_the_end_of(net, host)
    cable.to_peer = False
    changed.clear()
    request = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": -5}))
    await changed.wait()
    cable.to_peer = True
    cable.cut()
    rejected = await request
    assert rejected is not None
    assert rejected.code == "illegal"


async def test_many_breaks_in_a_row_lose_and_double_nothing(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    heard: list[Any] = []

    async def listen() -> None:
        async for message in peer.messages():
            if isinstance(message, Events):
                heard.extend(entry for entry in message.entries if "added" in entry)

    listening = asyncio.create_task(listen())
    for round_ in range(1, 6):
        requests = [
            asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": round_})) for _ in range(10)
        ]
        await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED)
        cable.cut()
        assert await asyncio.gather(*requests) == [None] * 10
    assert host.table.state["total"] == 150
    assert sum(entry["added"] for entry in heard) == 150
    await peer.close()
    await listening


async def test_a_line_that_stands_still_is_found_dead_on_both_sides_and_replaced(net: Net) -> None:
    host = await net.host(limits=QUICK)
    cable, peer = await at_the_end_of(net, host, limits=QUICK)
    cable.to_peer = cable.to_host = False
    await until_link(peer, "lost")
    cable.to_peer = cable.to_host = True
    await until_link(peer, "back")
    assert await peer.request(Say, text="Still here") is None


async def test_a_line_that_is_half_there_is_found_dead(net: Net) -> None:
    host = await net.host(limits=QUICK)
    cable, peer = await at_the_end_of(net, host, limits=QUICK)
    cable.to_peer = False  # the host hears the peer, but not the other way round
    [*_, lost] = await until_link(peer, "lost")
    assert lost.sentence == "Nothing has come from the host for too long."
    cable.to_peer = True
    await until_link(peer, "back")


async def test_a_quiet_line_stays_up(net: Net) -> None:
    host = await net.host(limits=QUICK)
    cable, peer = await at_the_end_of(net, host, limits=QUICK)
    alarm = int(QUICK.patience * 1000 * 2)
    assert await peer.request(Act, seen=0, seat=0, action={"alarm": alarm}) is None
    rang = await next_of(peer, Events)
    while {"rang": True} not in rang.entries:
        rang = await next_of(peer, Events)
    assert cable.plugs == 1
    assert peer.round_trip is not None
    assert host.rtt(1) is not None


async def test_when_the_table_is_gone_for_good_the_peer_gives_up(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host, retry_for=0.1)
    cable.pull()
    await until_link(peer, "lost")
    request = asyncio.create_task(peer.request(Say, text="Anybody there?"))
    heard = [message async for message in peer.messages()]
    assert [type(message) for message in heard] == [Closing]
    assert heard[0].code == "lost"
    rejected = await request
    assert rejected is not None
    assert rejected.code == "closed"


async def test_who_lost_their_seat_meanwhile_is_told_so(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.pull()
    await until_link(peer, "lost")
    host.table.tokens.clear()
    await cable.mend()
    heard = [message async for message in peer.messages()]
    assert heard == [Closing("unknown-token", "Nobody left a seat under this token.")]


async def test_a_host_that_was_started_again_says_that_it_does_not_know_the_last_requests(net: Net) -> None:
    table = CounterTable()
    host = await net.host(table)
    cable, peer = await at_the_end_of(net, host)
    for _ in range(3):
        assert await peer.request(Act, seen=0, seat=0, action={"add": 1}) is None
    cable.pull()
    await until_link(peer, "lost")
    pending = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 1}))
    await asyncio.sleep(0)
    again = await net.host(table)  # the table goes on, the host's memory of requests does not
    cable.host_port = again.port
    await cable.mend()
    rejected = await pending
    assert rejected is not None
    assert rejected.code == "lost"
    assert await peer.request(Act, seen=0, seat=0, action={"add": 1}) is None
    assert table.state["total"] == 4


async def test_a_pin_is_proved_anew_after_an_outage_and_asked_for_no_more(net: Net) -> None:
    host = await net.host(pin="0815")
    cable, peer = await at_the_end_of(net, host, pin="0815")
    cable.cut()
    await until_link(peer, "back")
    assert await peer.request(Say, text="Hi") is None


async def test_closing_while_looking_for_the_way_back_leaves_nothing_behind(net: Net) -> None:
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.pull()
    await until_link(peer, "lost")
    request = asyncio.create_task(peer.request(Say, text="Hi"))
    await asyncio.sleep(0)
    await peer.close()
    rejected = await request
    assert rejected is not None
    assert rejected.code == "closed"


@pytest.mark.parametrize("leave", [True, False])
async def test_closing_does_not_wait_for_a_host_that_does_not_read(
    net: Net, leave: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.peer.LAST_WORD", 0.05)
    host = await net.host()
    cable, peer = await at_the_end_of(net, host)
    cable.hold()
    assert peer._line is not None
    line = peer._line._writer.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    texts = ["x" * 1000] * UNANSWERED
    requests = [asyncio.create_task(peer.request(Say, text=text)) for text in texts]
    await asyncio.sleep(0)
    assert peer._line._writer.transport.get_write_buffer_size() > 0, "the system takes no more"
    async with asyncio.timeout(1):
        await peer.close(leave)
    assert {rejected.code for rejected in await asyncio.gather(*requests) if rejected} == {"closed"}
