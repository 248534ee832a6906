"""Coming in: what a host says to whoever connects, over real sockets and with a real little table."""

from __future__ import annotations

import socket

import pytest

from protocol.codec import HEADER, encode
from protocol.errors import Unavailable
from protocol.host import Host
from protocol.limits import Limits
from protocol.messages import (
    PROTOCOL,
    Act,
    Ask,
    Events,
    Greeting,
    Hello,
    Refused,
    Say,
    Snapshot,
    Status,
    Welcome,
)
from protocol.session import prove, stretch
from tests.protocol.conftest import QUICK, Net
from tests.protocol.counter import CounterTable
from tests.protocol.wire import Wire

# --- before the door ------------------------------------------------------------------------------------------------


async def test_the_host_greets_first(net: Net) -> None:
    wire = await net.wire(await net.host())
    greeting = await wire.expect(Greeting)
    assert (greeting.protocol, greeting.pin) == (PROTOCOL, False)


async def test_every_connection_gets_a_nonce_of_its_own_and_the_hosts_salt(net: Net) -> None:
    host = await net.host()
    first, second = [await (await net.wire(host)).expect(Greeting) for _ in range(2)]
    assert first.nonce != second.nonce
    assert first.salt == second.salt


async def test_what_stands_here_may_be_asked_again_and_again_without_coming_in(net: Net) -> None:
    host = await net.host()
    wire = await net.wire(host)
    await wire.expect(Greeting)
    for _ in range(3):
        wire.say(Ask())
        status = await wire.expect(Status)
        assert status == Status(PROTOCOL, "t1", "counter", "Kitchen", "Anna", 4, 0, "playing", False)
    assert host.table.seq == 0


async def test_who_asks_may_come_in_on_the_same_connection(net: Net) -> None:
    wire = await net.wire(await net.host())
    wire.say(Ask())
    wire.say(Hello(PROTOCOL, "Anna"))
    await wire.expect(Greeting)
    await wire.expect(Status)
    await wire.expect(Welcome)


async def test_rubbish_is_refused_with_a_sentence(net: Net) -> None:
    wire = await net.wire(await net.host())
    wire.send(b"GET / HTTP/1.1\r\n\r\n")
    refused = await wire.until(Refused)
    assert refused.code == "frame-size"
    assert refused.sentence
    await wire.end()


async def test_a_frame_that_would_be_fine_later_is_too_long_before_welcome(net: Net) -> None:
    wire = await net.wire(await net.host())
    wire.send(HEADER.pack(1025))
    assert (await wire.until(Refused)).code == "frame-size"


async def test_who_acts_without_coming_in_is_refused(net: Net) -> None:
    wire = await net.wire(await net.host())
    wire.say(Say(1, "Hello?"))
    assert (await wire.until(Refused)).code == "not-allowed"
    await wire.end()


async def test_a_hello_of_another_version_is_told_both_versions(net: Net) -> None:
    wire = await net.wire(await net.host())
    # {"type": "hello", "protocol": 9, "future": true}
    payload = bytes.fromhex("83 a474797065 a568656c6c6f a870726f746f636f6c 09 a6667574757265 c3")
    wire.send(HEADER.pack(len(payload)) + payload)
    refused = await wire.until(Refused)
    assert (refused.code, refused.protocol) == ("version", PROTOCOL)
    assert "version 1" in refused.sentence
    assert "version 9" in refused.sentence
    await wire.end()


async def test_who_does_not_come_in_is_not_waited_for(net: Net) -> None:
    wire = await net.wire(await net.host(limits=QUICK))
    assert (await wire.until(Refused)).code == "too-slow"
    await wire.end()


async def test_a_hello_that_never_ends_is_not_waited_for(net: Net) -> None:
    wire = await net.wire(await net.host(limits=QUICK))
    wire.send(encode(Hello(PROTOCOL, "Anna"))[:-1])
    assert (await wire.until(Refused)).code == "too-slow"


async def test_more_connections_than_the_host_takes_are_refused(net: Net) -> None:
    host = await net.host(limits=Limits(connections=2))
    for _ in range(2):
        await (await net.wire(host)).expect(Greeting)
    late = await net.wire(host)
    assert (await late.expect(Refused)).code == "busy"
    await late.end()


async def test_one_address_does_not_take_all_connections(net: Net) -> None:
    host = await net.host(limits=Limits(per_address=1))
    first = await net.wire(host)
    await first.expect(Greeting)
    assert (await (await net.wire(host)).expect(Refused)).code == "busy"
    first.send(bytes(4))  # an empty frame: thrown out
    await first.end()
    await (await net.wire(host)).expect(Greeting)


# --- coming in ------------------------------------------------------------------------------------------------------


async def test_who_comes_in_gets_a_seat_a_token_and_all_that_happened(net: Net) -> None:
    host = await net.host(clock=lambda: 1234)
    await net.guest(host, "Anna")
    ben = await net.guest(host, "Ben", seats=2)
    assert ben.welcome.peer == 2
    assert ben.welcome.seats == (1, 2)
    assert len(ben.welcome.token) == 32
    assert ben.welcome.start == Snapshot(0, {"total": 0, "said": 0})
    assert (ben.welcome.number, ben.welcome.seq, ben.welcome.now) == (0, 2, 1234)
    assert await ben.entries(up_to=2) == [{"joined": 1, "name": "Anna"}, {"joined": 2, "name": "Ben"}]


async def test_the_others_hear_of_who_comes_in(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host, "Anna")
    await anna.entries(up_to=1)
    await net.guest(host, "Ben")
    assert await anna.expect(Events) == Events(2, ({"joined": 2, "name": "Ben"},))


async def test_seats_go_to_those_who_come_first(net: Net) -> None:
    host = await net.host()
    wires = [await net.wire(host) for _ in range(4)]
    for name, wire in zip("ABCD", wires, strict=True):
        wire.say(Hello(PROTOCOL, name))
        await wire.until(Welcome)
    assert host.table.names == {1: "A", 2: "B", 3: "C", 4: "D"}


async def test_who_finds_no_seat_is_refused_by_the_table(net: Net) -> None:
    host = await net.host(CounterTable(seats=1))
    await net.guest(host, "Anna")
    wire = await net.wire(host)
    wire.say(Hello(PROTOCOL, "Ben"))
    assert await wire.until(Refused) == Refused("full", "No seat is free.", PROTOCOL)
    await wire.end()


async def test_a_newcomer_starts_where_the_kept_log_starts(net: Net) -> None:
    host = await net.host(CounterTable(keep=2))
    anna = await net.guest(host)
    for _ in range(3):
        await anna.answer(anna.ask(Act, seen=0, seat=0, action={"add": 5}))
    ben = await net.guest(host, "Ben")
    assert ben.welcome.start == Snapshot(3, {"total": 10, "said": 0})
    assert await ben.entries(up_to=5) == [{"added": 5, "seat": 0}, {"joined": 2, "name": "Ben"}]


async def test_a_newcomer_to_a_table_with_a_very_long_log_gets_it_in_frames(net: Net) -> None:
    table = CounterTable()
    for number in range(1500):
        table.say(number, "x" * 1000, 0)
    host = await net.host(table)
    anna = await net.guest(host)
    assert len(await anna.entries(up_to=1500)) == 1501


async def test_a_bug_while_coming_in_costs_nobody_else_anything(
    net: Net, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(CounterTable):
        def join(self, name: str, seats: int, bot: str | None, token_hash: bytes, now: int) -> int:
            if name == "Ben":
                raise ZeroDivisionError("a bug of the table")
            return super().join(name, seats, bot, token_hash, now)

    host = await net.host(Broken())
    anna = await net.guest(host, "Anna")
    wire = await net.wire(host)
    wire.say(Hello(PROTOCOL, "Ben"))
    assert (await wire.until(Refused)).code == "internal"
    assert isinstance(await anna.answer(anna.ask(Say, text="Hm")), Events)
    assert "a bug of the table" in caplog.text


# --- the PIN --------------------------------------------------------------------------------------------------------


async def knock(net: Net, host: Host, pin: str | None) -> Wire:
    wire = await net.wire(host)
    greeting = await wire.expect(Greeting)
    assert greeting.pin
    proof = None if pin is None else prove(stretch(pin, greeting.salt), greeting.nonce)
    wire.say(Hello(PROTOCOL, "Anna", proof=proof))
    return wire


async def test_the_right_pin_opens_the_door(net: Net) -> None:
    host = await net.host(pin="0815")
    await (await knock(net, host, "0815")).expect(Welcome)


async def test_without_the_pin_nobody_comes_in(net: Net) -> None:
    host = await net.host(pin="0815")
    assert (await (await knock(net, host, None)).expect(Refused)).code == "pin-needed"
    assert host.table.seq == 0


async def test_who_gives_a_wrong_pin_has_to_wait_even_with_the_right_one(net: Net) -> None:
    host = await net.host(pin="0815")
    wrong = await knock(net, host, "0816")
    assert (await wrong.expect(Refused)).code == "pin-wrong"
    await wrong.end()
    assert (await (await knock(net, host, "0815")).expect(Refused)).code == "pin-wait"


async def test_a_proof_that_was_overheard_is_worth_nothing(net: Net) -> None:
    host = await net.host(pin="0815")
    greeting = await (await net.wire(host)).expect(Greeting)
    proof = prove(stretch("0815", greeting.salt), greeting.nonce)
    second = await net.wire(host)
    second.say(Hello(PROTOCOL, "Eve", proof=proof))
    assert (await second.until(Refused)).code == "pin-wrong"


async def test_a_token_needs_no_pin(net: Net) -> None:
    host = await net.host(pin="0815")
    anna = await knock(net, host, "0815")
    token = (await anna.expect(Welcome)).token
    assert (await (await net.wire(host)).enter(token=token, seq=1)).peer == 1


# --- listening ------------------------------------------------------------------------------------------------------


async def test_two_hosts_in_one_process_have_nothing_in_common(net: Net) -> None:
    one, two = await net.host(), await net.host()
    assert one.port != two.port
    anna = await net.guest(one, "Anna")
    assert isinstance(await anna.answer(anna.ask(Say, text="Hi")), Events)
    assert two.table.seq == 0


async def test_a_port_that_is_taken_is_told_so(net: Net) -> None:
    host = await net.host()
    with pytest.raises(Unavailable) as caught:
        await Host(CounterTable(), port=host.port).start()
    assert caught.value.code == "port-taken"
    assert str(host.port) in caught.value.sentence


@pytest.mark.parametrize("interface", ["203.0.113.1", "kitchen", "::f00d", "", "1.2.3.4.5", "x" * 300])
async def test_an_interface_that_is_not_there_is_told_so(net: Net, interface: str) -> None:
    with pytest.raises(Unavailable) as caught:
        await Host(CounterTable(), interfaces=[interface]).start()
    assert caught.value.code == "no-interface"


async def test_a_machine_without_any_network_is_told_so(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.host.best_addresses", lambda _families: ())
    with pytest.raises(Unavailable) as caught:
        await Host(CounterTable(), interfaces=["0.0.0.0"]).start()
    assert caught.value.code == "no-interface"


async def test_a_failed_start_leaves_no_socket_behind(net: Net) -> None:
    host = Host(CounterTable(), interfaces=["127.0.0.1", "203.0.113.1"])
    with pytest.raises(Unavailable):
        await host.start()
    await host.close()


async def test_the_usual_port_is_taken_if_free_and_another_one_if_not(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    monkeypatch.setattr("protocol.listen.DEFAULT_PORT", free)
    first, second = await net.host(port=None), await net.host(port=None)
    assert first.port == free
    assert second.port not in (free, 0)


async def test_ipv6_is_as_good_as_ipv4(net: Net) -> None:
    host = await net.host(interfaces=["127.0.0.1", "::1"])
    assert host.addresses == (f"127.0.0.1:{host.port}", f"[::1]:{host.port}")
    for address in host.addresses:
        peer = await net.peer(address)
        assert await peer.request(Say, text="Hi") is None
