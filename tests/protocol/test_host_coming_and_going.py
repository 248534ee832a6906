"""Who leaves, gets lost, comes back; and the time that passes meanwhile."""

from __future__ import annotations

import logging

import pytest

from protocol.host import Host
from protocol.messages import (
    PROTOCOL,
    Act,
    Closing,
    Events,
    Hello,
    Leave,
    Ping,
    Pong,
    Refused,
    Remove,
    Say,
    Snapshot,
)
from tests.protocol.conftest import Net
from tests.protocol.counter import CounterTable

# --- going ----------------------------------------------------------------------------------------------------------


async def test_who_leaves_is_gone_for_good(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.guest(host, "Anna"), await net.guest(host, "Ben")
    await ben.entries(up_to=2)
    anna.say(Leave())
    await anna.end()
    assert await ben.expect(Events) == Events(3, ({"left": 1},))
    assert host.peers == (2,)
    back = await net.wire(host)
    back.say(Hello(PROTOCOL, "Anna", token=anna.welcome.token, seq=2))
    assert (await back.until(Refused)).code == "unknown-token"


async def test_who_is_cut_off_is_found_lost(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.guest(host, "Anna"), await net.guest(host, "Ben")
    await ben.entries(up_to=2)
    await anna.close()
    assert await ben.expect(Events) == Events(3, ({"lost": 1},))
    assert host.peers == (2,)


async def test_who_is_removed_is_told_and_gone(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.guest(host, "Anna"), await net.guest(host, "Ben")
    await anna.answer(anna.ask(Remove, peer=2))
    assert (await ben.until(Closing)).code == "removed"
    await ben.end()
    assert host.table.entries(2) == [{"removed": 2}]


async def test_closing_tells_everybody(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    await host.close()
    assert await anna.until(Closing) == Closing("closed", "The host has closed this table.")
    await anna.end()
    assert host.table.entries(1) == [], "nobody is lost when the table itself goes"


# --- coming back ----------------------------------------------------------------------------------------------------


async def test_who_comes_back_hears_only_what_is_new(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host, "Anna")
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"add": 3}))
    ben = await net.guest(host, "Ben")
    await anna.close()
    while {"lost": 1} not in (await ben.until(Events)).entries:
        pass
    back = await net.wire(host)
    welcome = await back.enter("whatever", token=anna.welcome.token, seq=3)
    assert (welcome.peer, welcome.seats, welcome.token) == (1, (0,), anna.welcome.token)
    assert (welcome.number, welcome.start) == (1, None)
    assert await back.entries(up_to=5) == [{"lost": 1}, {"returned": 1}]


@pytest.mark.parametrize("seq", [None, 1, 99])
async def test_who_comes_back_with_a_seq_that_does_not_fit_starts_anew(net: Net, seq: int | None) -> None:
    host = await net.host(CounterTable(keep=2))
    anna = await net.guest(host, "Anna")
    for _ in range(3):
        await anna.answer(anna.ask(Act, seen=1, seat=0, action={"add": 3}))
    welcome = await (await net.wire(host)).enter(token=anna.welcome.token, seq=seq)
    assert welcome.start == Snapshot(3, {"total": 6, "said": 0}), "the base, after the entry of coming back"


async def test_a_token_on_a_second_connection_takes_over(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    second = await net.wire(host)
    await second.enter(token=anna.welcome.token, seq=1)
    assert (await anna.until(Closing)).code == "replaced"
    await anna.end()
    assert isinstance(await second.answer(second.ask(Say, text="It is me")), Events)
    assert {"lost": 1} not in host.table.log


async def test_an_answer_that_got_lost_is_given_on_the_next_connection(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    rejected = await anna.answer(anna.ask(Act, seen=1, seat=0, action={"add": -3}))
    await anna.close()
    back = await net.wire(host)
    await back.enter(token=anna.welcome.token, seq=1)
    back.say(Act(1, 1, 0, {"add": -3}))
    assert await back.answer(1) == rejected


# --- the table's time -----------------------------------------------------------------------------------------------


async def test_time_passes_by_itself_and_all_hear_of_it(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"alarm": 20}))
    assert await anna.expect(Events) == Events(2, ({"rang": True},))


async def test_an_alarm_that_was_put_off_does_not_ring_early(net: Net) -> None:
    now = 0
    host = await net.host(clock=lambda: now)
    anna = await net.guest(host)
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"alarm": 5}))
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"alarm": 10}))
    now = 9
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"nothing": True}))
    assert host.table.due() == 10
    now = 10
    assert await anna.expect(Events) == Events(2, ({"rang": True},))


async def test_a_table_that_fails_while_time_elapses_gets_another_chance(
    net: Net, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.host.RETRY_AFTER_BUG", 0.01)

    class Broken(CounterTable):
        failed = False

        def elapse(self, now: int) -> None:
            if not self.failed:
                self.failed = True
                raise ZeroDivisionError("a bug of the table")
            super().elapse(now)

    host = await net.host(Broken())
    anna = await net.guest(host)
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"alarm": 1}))
    assert await anna.expect(Events) == Events(2, ({"rang": True},))
    assert "a bug of the table" in caplog.text


# --- the house ------------------------------------------------------------------------------------------------------


async def test_the_house_itself_may_act_and_all_hear_of_it(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    await anna.entries(up_to=1)
    host.do(lambda now: host.table.add_bot(0, "easy", now))
    assert await anna.expect(Events) == Events(2, ({"bot": "easy"},))


async def test_the_house_is_told_whenever_something_has_changed(net: Net) -> None:
    table = CounterTable()
    changes: list[int] = []
    host = await net.host(table, on_change=lambda: changes.append(table.seq))
    anna = await net.guest(host)
    await anna.answer(anna.ask(Say, text="Hi"))
    assert changes == [1, 2]


async def test_the_round_trip_to_a_peer_is_measured_and_a_peer_cannot_lie_it_away(net: Net) -> None:
    host: Host = await net.host()
    anna = await net.guest(host)
    assert host.rtt(1) is None
    ping = await anna.until(Ping)
    anna.say(Pong(ping.at - 1))
    anna.say(Pong(ping.at + 100_000))
    anna.say(Ping(1))
    await anna.until(Pong)
    assert host.rtt(1) is None, "clocks that the host never sent count for nothing"
    anna.say(Pong(ping.at))
    anna.say(Ping(2))
    await anna.until(Pong)
    measured = host.rtt(1)
    assert measured is not None
    assert 0 <= measured <= 300
    assert host.rtt(99) is None


async def test_nothing_is_logged_in_an_ordinary_game(net: Net, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        anna = await net.guest(await net.host())
        await anna.answer(anna.ask(Say, text="Hi"))
        anna.say(Leave())
        await anna.end()
    assert [record for record in caplog.records if record.name.startswith("protocol")] == []
