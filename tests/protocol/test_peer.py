"""A peer and what it makes of a host: over real sockets, with a real host."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from protocol.codec import HEADER, encode
from protocol.errors import Unwelcome
from protocol.limits import Limits
from protocol.messages import (
    PROTOCOL,
    Act,
    Closing,
    Events,
    Greeting,
    Message,
    Ping,
    Ready,
    Refused,
    Rejected,
    Remove,
    Say,
    Snapshot,
    Status,
    Welcome,
)
from protocol.peer import UNANSWERED, Link, Peer, ask
from tests.protocol.conftest import QUICK, Net
from tests.protocol.counter import CounterTable, evolve
from tests.protocol.samples import N


class Replica:
    """What a program makes of a peer's messages."""

    def __init__(self, peer: Peer, welcome: Welcome) -> None:
        assert welcome.start is not None
        self.state = welcome.start.table
        self.seq = welcome.start.seq
        self.heard: list[Any] = []
        self._peer = peer

    async def follow(self, up_to: int | None = None) -> Replica:
        """Takes messages until this entry is known, or to the end."""
        async for message in self._peer.messages():
            self.heard.append(message)
            match message:
                case Events():
                    assert message.first == self.seq + 1
                    for entry in message.entries:
                        self.state = evolve(self.state, entry)
                        self.seq += 1
                case Snapshot():
                    self.state, self.seq = message.table, message.seq
                case Welcome() if message.start is not None:
                    self.state, self.seq = message.start.table, message.start.seq
                case _:
                    pass
            if up_to is not None and self.seq >= up_to:
                break
        return self


async def drain(peer: Peer) -> list[Any]:
    return [message async for message in peer.messages()]


# --- asking ---------------------------------------------------------------------------------------------------------


async def test_one_may_ask_what_stands_there(net: Net) -> None:
    host = await net.host(pin="0815")
    status = await ask(host.addresses[0])
    assert status == Status(PROTOCOL, "t1", "counter", "Kitchen", "Anna", 4, 0, "playing", True)


async def test_of_several_addresses_the_first_that_answers_is_asked(net: Net) -> None:
    host, gone = await net.host(), await net.host()
    address = gone.addresses[0]
    await gone.close()
    assert (await ask([address, host.addresses[0]])).table == "t1"


async def test_what_a_status_says_is_made_harmless(net: Net) -> None:
    class Hostile(CounterTable):
        def status(self) -> dict[str, Any]:
            return {**super().status(), "name": "Kit\x1b[2Jchen\n" + "x" * 100, "host": "[b]\u202eannA"}

    status = await ask((await net.host(Hostile())).addresses[0])
    assert status.name == "Kit[2Jchen " + "x" * 49
    assert status.host == "[b]annA"


@pytest.mark.parametrize("lie", [{"seats": 10**9}, {"taken": -1}])
async def test_a_status_that_cannot_be_is_none(net: Net, lie: dict[str, int]) -> None:
    host = await net.host()
    said = host.status()
    host.status = lambda: msgspec.structs.replace(said, **lie)  # type: ignore[method-assign]
    with pytest.raises(Unwelcome) as caught:
        await ask(host.addresses[0])
    assert caught.value.code == "malformed"


async def test_nobody_there_is_unreachable(net: Net) -> None:
    host = await net.host()
    address = host.addresses[0]
    await host.close()
    with pytest.raises(Unwelcome) as caught:
        await ask(address)
    assert caught.value.code == "unreachable"
    assert address in caught.value.sentence


@pytest.mark.parametrize("address", ["", ":9731", "127.0.0.1:0", "127.0.0.1:x", "[::1", "127.0.0.1:99999"])
async def test_a_bad_address_is_told_so(net: Net, address: str) -> None:
    with pytest.raises(Unwelcome) as caught:
        await ask(address)
    assert caught.value.code == "bad-address"


# --- strange hosts --------------------------------------------------------------------------------------------------


@pytest.fixture
async def strange(net: Net) -> AsyncIterator[Any]:
    """Starts something that is no host of ours and says these bytes to whoever comes."""
    servers: list[asyncio.Server] = []
    writers: list[asyncio.StreamWriter] = []

    async def start(*says: bytes) -> str:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            for data in says:
                writer.write(data)
                await reader.read(1000)

        servers.append(await asyncio.start_server(serve, "127.0.0.1", 0))
        return f"127.0.0.1:{servers[-1].sockets[0].getsockname()[1]}"

    yield start
    for server in servers:
        server.close()
    for writer in writers:
        writer.transport.abort()


GREETING = encode(Greeting(PROTOCOL, N, N, False))


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ((b"SSH-2.0-OpenSSH_9.6\r\n",), "malformed"),
        ((encode(Events(1, ())),), "malformed"),
        ((HEADER.pack(16 * 1024 + 1),), "malformed"),
        ((GREETING, encode(Events(1, ()))), "malformed"),
        ((GREETING, encode(Refused("full", "No.\x1b[2J", 1))), "full"),
        ((encode(Refused("busy", "No.", 1)),), "busy"),
        ((GREETING, b""), "unreachable"),
    ],
)
async def test_a_strange_host_is_left_with_a_reason(strange: Any, says: tuple[bytes, ...], code: str) -> None:
    address = await strange(*says)
    with pytest.raises(Unwelcome) as caught:
        await Peer(address, name="Anna", limits=QUICK).open()
    assert caught.value.code == code
    assert "\x1b" not in caught.value.sentence


async def test_a_host_that_pings_and_pings_and_does_not_read_is_left() -> None:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.bind(("127.0.0.1", 0))
    welcome = encode(Welcome(1, (), N, 0, Snapshot(0, {}), 0, 0))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(GREETING + welcome)
        with contextlib.suppress(OSError):
            while not writer.is_closing():
                writer.write(1000 * encode(Ping(1)))
                await writer.drain()

    async with await asyncio.start_server(serve, sock=sock):
        address = f"127.0.0.1:{sock.getsockname()[1]}"
        peer = Peer(address, name="Anna", retry_for=0)
        await peer.open()
        async with asyncio.timeout(20):
            lost = await anext(peer.messages())
        assert isinstance(lost, Link)
        assert "does not read" in lost.sentence
        await peer.close()


async def test_a_host_of_another_version_is_told_so_on_this_side_too(strange: Any) -> None:
    # {"type": "greeting", "protocol": 2, "colour": "red"}
    payload = bytes.fromhex("83 a474797065 a86772656574696e67 a870726f746f636f6c 02 a6636f6c6f7572 a3726564")
    address = await strange(HEADER.pack(len(payload)) + payload)
    for attempt in (Peer(address, name="Anna").open(), ask(address)):
        with pytest.raises(Unwelcome) as caught:
            await attempt
        assert caught.value.code == "version"
        assert "version 2" in caught.value.sentence
        assert "version 1" in caught.value.sentence
        assert "Update your program" in caught.value.sentence


async def test_a_host_that_says_nothing_is_not_waited_for(strange: Any) -> None:
    with pytest.raises(Unwelcome) as caught:
        await Peer(await strange(b""), name="Anna", limits=QUICK).open()
    assert caught.value.code == "unreachable"


async def test_a_host_that_breaks_the_rules_later_is_left(net: Net, strange: Any) -> None:
    welcome = encode(Welcome(1, (0,), N, 0, Snapshot(0, {}), 0, 0))
    peer = Peer(await strange(GREETING, welcome + GREETING), name="Anna")
    await peer.open()
    [closing] = [message async for message in peer.messages()]
    assert closing.code == "not-allowed"
    await peer.close()


# --- coming in ------------------------------------------------------------------------------------------------------


async def test_a_peer_comes_in_and_hears_all_that_happened(net: Net) -> None:
    host = await net.host()
    peer = Peer(host.addresses[0], name="Anna", seats=2)
    welcome = await peer.open()
    assert (welcome.peer, welcome.seats) == (1, (0, 1))
    replica = await Replica(peer, welcome).follow(up_to=1)
    assert replica.heard == [Events(1, ({"joined": 1, "name": "Anna"},))]
    await peer.close()


@pytest.mark.parametrize(("pin", "code"), [(None, "pin-needed"), ("0816", "pin-wrong")])
async def test_the_pin_is_needed(net: Net, pin: str | None, code: str) -> None:
    host = await net.host(pin="0815")
    with pytest.raises(Unwelcome) as caught:
        await Peer(host.addresses[0], name="Anna", pin=pin).open()
    assert caught.value.code == code


async def test_the_right_pin_is_welcome_and_one_too_many_does_no_harm(net: Net) -> None:
    await net.peer(await net.host(pin="0815"), pin="0815")
    await net.peer(await net.host(), pin="0815")


async def test_a_full_table_says_so(net: Net) -> None:
    host = await net.host(CounterTable(seats=1))
    await net.peer(host)
    with pytest.raises(Unwelcome) as caught:
        await Peer(host.addresses[0], name="Ben").open()
    assert (caught.value.code, caught.value.sentence) == ("full", "No seat is free.")


async def test_what_does_not_fit_into_a_hello_is_told_so_here(net: Net) -> None:
    host = await net.host()
    for hello in ({"name": "x" * 201}, {"name": "Anna", "seats": 9}):
        with pytest.raises(Unwelcome) as caught:
            await Peer(host.addresses[0], **hello).open()
        assert caught.value.code in ("not-a-message", "frame-size")
    assert host.table.seq == 0


async def test_giving_up_while_coming_in_leaves_nothing_behind(net: Net, strange: Any) -> None:
    opening = asyncio.create_task(Peer(await strange(GREETING), name="Anna").open())
    await asyncio.wait([opening], timeout=0.02)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening


# --- requests -------------------------------------------------------------------------------------------------------


async def test_a_request_is_answered_after_its_entries_were_handed_on(net: Net) -> None:
    host = await net.host()
    peer = Peer(host.addresses[0], name="Anna")
    replica = Replica(peer, await peer.open())
    following = asyncio.create_task(replica.follow())
    for total in (3, 6, 9):
        assert await peer.request(Act, seen=peer.seq, seat=0, action={"add": 3}) is None
        assert replica.state["total"] == total
    await peer.close()
    await following


async def test_a_refused_request_says_why(net: Net) -> None:
    peer = await net.peer(await net.host())
    rejected = await peer.request(Act, seen=1, seat=0, action={"add": -3})
    assert rejected == Rejected(1, "illegal", "One can only add.", 1)


async def test_requests_need_not_wait_for_each_other(net: Net) -> None:
    host = await net.host()
    peer = await net.peer(host)
    answers = await asyncio.gather(
        *(peer.request(Act, seen=0, seat=0, action={"add": number}) for number in (1, -1, 2, -2, 3))
    )
    assert [answer and answer.code for answer in answers] == [None, "illegal", None, "illegal", None]
    assert host.table.state["total"] == 6


async def test_what_a_host_would_not_take_is_not_sent(net: Net) -> None:
    peer = await net.peer(await net.host())
    rejected = await peer.request(Say, text="x" * 1001)
    assert rejected is not None
    assert rejected.code == "not-a-message"
    assert await peer.request(Say, text="x" * 1000) is None, "and no number was used up"


async def test_a_spectator_is_told_here_that_they_watch(net: Net) -> None:
    peer = await net.peer(await net.host(), seats=0)
    rejected = await peer.request(Ready, ready=True)
    assert rejected is not None
    assert rejected.code == "not-allowed"
    assert await peer.request(Say, text="Hi") is None


async def test_too_many_requests_at_once_are_refused_here(net: Net) -> None:
    peer = await net.peer(await net.host())
    answers = await asyncio.gather(*(peer.request(Ready, ready=True) for _ in range(UNANSWERED + 1)))
    assert [answer.code for answer in answers if answer] == ["too-fast"]


async def test_who_gives_up_waiting_for_an_answer_does_not_disturb_the_next_one(net: Net) -> None:
    host = await net.host()
    peer = await net.peer(host)
    first = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 1}))
    second = asyncio.create_task(peer.request(Act, seen=0, seat=0, action={"add": 2}))
    await asyncio.sleep(0)
    first.cancel()
    assert await second is None
    assert host.table.state["total"] == 3


async def test_out_of_step_one_asks_for_the_whole_table_and_the_entries_go_on_behind_it(net: Net) -> None:
    host = await net.host()
    peer = await net.peer(host)
    host.do(lambda now: host.table.act(1, 0, {"add": 5}, 0, now))
    peer.resync()
    host.do(lambda now: host.table.act(1, 0, {"add": 5}, 0, now))
    assert await peer.request(Act, seen=0, seat=0, action={"add": 5}) is None
    heard: list[Any] = []
    async for message in peer.messages():
        heard.append(message)
        if isinstance(message, Events) and message.first == 4:
            break
    snapshots = [message for message in heard if isinstance(message, Snapshot)]
    assert snapshots == [Snapshot(3, {"total": 10, "said": 0})]
    assert heard[-1] == Events(4, ({"added": 5, "seat": 0},), 1)


async def test_a_gap_in_the_entries_is_mended_by_a_snapshot(strange: Any) -> None:
    welcome = encode(Welcome(1, (0,), N, 0, Snapshot(0, {}), 0, 0))
    gap = encode(Events(5, ({"added": 1},)))
    peer = Peer(await strange(GREETING, welcome + gap, encode(Snapshot(5, {"total": 1}))), name="Anna")
    await peer.open()
    async for message in peer.messages():
        assert message == Snapshot(5, {"total": 1})
        break
    assert peer.seq == 5
    await peer.close()


async def test_entries_that_come_again_are_handed_on_once(strange: Any) -> None:
    def entries(first: int, count: int) -> bytes:
        return encode(Events(first, tuple({"n": first + offset} for offset in range(count))))

    welcome = encode(Welcome(1, (0,), N, 0, Snapshot(0, {}), 0, 0))
    peer = Peer(await strange(GREETING, welcome + entries(1, 3) + entries(2, 2) + entries(2, 4)), name="Anna")
    await peer.open()
    heard: list[Message] = []
    async for message in peer.messages():
        heard.append(message)  # type: ignore[arg-type]
        if len(heard) == 2:
            break
    assert heard == [Events(1, ({"n": 1}, {"n": 2}, {"n": 3})), Events(4, ({"n": 4}, {"n": 5}))]
    await peer.close()


# --- the end --------------------------------------------------------------------------------------------------------


async def test_leaving_gives_the_seat_up(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.peer(host, "Anna"), await net.guest(host, "Ben")
    await ben.entries(up_to=2)
    await anna.close()
    assert await ben.expect(Events) == Events(3, ({"left": 1},))


async def test_closing_without_leaving_keeps_the_seat(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.peer(host, "Anna"), await net.guest(host, "Ben")
    await ben.entries(up_to=2)
    await anna.close(leave=False)
    assert await ben.expect(Events) == Events(3, ({"lost": 1},))


async def test_with_its_token_a_later_program_has_the_seat_again(net: Net) -> None:
    host = await net.host()
    first = Peer(host.addresses[0], name="Anna")
    token = (await first.open()).token
    await first.close(leave=False)
    second = Peer(host.addresses[0], name="Anna", token=token)
    welcome = await second.open()
    assert (welcome.peer, welcome.seats) == (1, (0,))
    assert welcome.start is not None
    assert await second.request(Say, text="It is me") is None
    await second.close()


async def test_when_the_host_closes_the_table_the_messages_end(net: Net) -> None:
    host = await net.host()
    peer = await net.peer(host)
    await host.close()
    heard = [message async for message in peer.messages()]
    assert heard[-1] == Closing("closed", "The host has closed this table.")
    assert [message async for message in peer.messages()] == [], "and they stay ended"
    rejected = await peer.request(Say, text="Anybody there?")
    assert rejected is not None
    assert rejected.code == "closed"


async def test_who_is_removed_does_not_come_back_by_itself(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.peer(host, "Anna"), await net.peer(host, "Ben", limits=QUICK)
    await anna.request(Remove, peer=2)
    heard = [message async for message in ben.messages()]
    assert isinstance(heard[-1], Closing)
    assert heard[-1].code == "removed"
    assert not any(isinstance(message, Link) for message in heard)


async def test_closing_ends_whoever_waits(net: Net) -> None:
    peer = await net.peer(await net.host())
    listening = asyncio.create_task(drain(peer))
    await asyncio.sleep(0)
    await peer.close()
    await listening
    await peer.close()


async def test_a_program_that_does_not_listen_misses_entries_but_not_what_came_of_them(net: Net) -> None:
    host = await net.host(limits=Limits(backlog_frames=20, backlog_bytes=50_000, send_buffer=4096))
    peer = Peer(host.addresses[0], name="Anna")
    replica = Replica(peer, await peer.open())
    for _ in range(600):
        host.do(lambda now: host.table.act(1, 0, {"pad": 4000}, 0, now))
        await asyncio.sleep(0)
    await replica.follow(up_to=host.table.seq)
    assert len(replica.heard) < 600
    assert replica.state == host.table.state
    await peer.close()
