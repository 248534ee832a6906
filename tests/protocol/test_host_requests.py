"""What may be asked of a host, and how it answers: each request once, in order, never with silence."""

from __future__ import annotations

import pytest

from protocol.codec import encode
from protocol.host import SAY_COST
from protocol.limits import Limits
from protocol.messages import (
    Act,
    AddBot,
    Closing,
    Commit,
    Events,
    Message,
    Ping,
    Pong,
    Ready,
    Rejected,
    Remove,
    Resync,
    Reveal,
    Say,
    Snapshot,
    StandIn,
    Start,
)
from tests.protocol.conftest import Net
from tests.protocol.counter import CounterTable

SECRET = b"s" * 32


async def test_a_move_is_answered_with_its_entries_and_all_hear_of_it(net: Net) -> None:
    host = await net.host()
    anna, ben = await net.guest(host, "Anna"), await net.guest(host, "Ben")
    await ben.entries(up_to=2)
    number = anna.ask(Act, seen=2, seat=0, action={"add": 3})
    assert await anna.answer(number) == Events(3, ({"added": 3, "seat": 0},), number)
    assert await ben.expect(Events) == Events(3, ({"added": 3, "seat": 0},))


async def test_every_request_reaches_the_table(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    for kind, fields in (
        (Ready, {"ready": True}),
        (Start, {}),
        (AddBot, {"level": "easy"}),
        (Remove, {"peer": 7}),
        (StandIn, {"seat": 2}),
        (Say, {"text": "Hi"}),
        (Commit, {"commitment": SECRET}),
        (Reveal, {"secret": SECRET}),
    ):
        assert isinstance(await anna.answer(anna.ask(kind, **fields)), Events)
    assert host.table.entries(1) == [
        {"ready": 1},
        {"started": 1},
        {"bot": "easy"},
        {"removed": 7},
        {"stood_in": 2},
        {"said": "Hi", "by": 1},
        {"committed": SECRET},
        {"revealed": SECRET},
    ]


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [(0, {"add": -1}, "illegal"), (1, {"add": 1}, "not-your-seat"), (0, {}, "illegal")],
)
async def test_what_the_table_refuses_is_rejected_with_its_reason(
    net: Net, seat: int, action: dict[str, int], code: str
) -> None:
    host = await net.host()
    anna = await net.guest(host)
    rejected = await anna.answer(anna.ask(Act, seen=1, seat=seat, action=action))
    assert isinstance(rejected, Rejected)
    assert (rejected.code, rejected.seq) == (code, 1)
    assert rejected.sentence


async def test_a_bug_of_the_table_is_answered_and_the_table_goes_on(
    net: Net, caplog: pytest.LogCaptureFixture
) -> None:
    anna = await net.guest(await net.host())
    rejected = await anna.answer(anna.ask(Act, seen=1, seat=0, action={"bug": True}))
    assert rejected.code == "internal"
    assert "ZeroDivisionError" in caplog.text
    assert isinstance(await anna.answer(anna.ask(Act, seen=1, seat=0, action={"add": 1})), Events)


async def test_a_refusal_that_is_too_long_is_cut_to_what_fits(net: Net) -> None:
    class Talkative(CounterTable):
        def say(self, peer: int, text: str, now: int) -> None:
            error = ValueError("no")
            error.code, error.sentence = "c" * 100, "s" * 1000  # type: ignore[attr-defined]
            raise error

    anna = await net.guest(await net.host(Talkative()))
    rejected = await anna.answer(anna.ask(Say, text="Hi"))
    assert (rejected.code, rejected.sentence) == ("c" * 40, "s" * 400)


async def test_a_request_without_consequences_is_answered_all_the_same(net: Net) -> None:
    anna = await net.guest(await net.host())
    await anna.entries(up_to=1)
    number = anna.ask(Act, seen=1, seat=0, action={"nothing": True})
    assert await anna.expect(Events) == Events(2, (), number)


async def test_a_number_that_comes_again_is_answered_again_but_not_done_again(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    add, wrong = Act(1, 1, 0, {"add": 3}), Act(2, 1, 0, {"add": -3})
    anna.say(add)
    anna.say(wrong)
    first, refused = await anna.answer(1), await anna.answer(2)
    anna.say(Say(3, "later"))
    await anna.answer(3)
    anna.say(add)
    assert await anna.answer(1) == first
    anna.say(wrong)
    assert await anna.answer(2) == refused
    assert host.table.state["total"] == 3


async def test_a_number_that_comes_again_when_its_entries_are_gone_is_answered_without_them(net: Net) -> None:
    host = await net.host(CounterTable(keep=1))
    anna = await net.guest(host)
    for _ in range(2):
        await anna.answer(anna.ask(Act, seen=0, seat=0, action={"add": 3}))
    anna.say(Act(1, 0, 0, {"add": 3}))
    assert await anna.answer(1) == Events(4, (), 1)


async def test_a_number_that_leaves_one_out_ends_the_connection(net: Net) -> None:
    anna = await net.guest(await net.host())
    anna.say(Say(2, "Hi"))
    assert (await anna.until(Closing)).code == "not-allowed"
    await anna.end()


async def test_a_spectator_may_talk_but_not_act(net: Net) -> None:
    host = await net.host()
    eve = await net.guest(host, "Eve", seats=0)
    assert eve.welcome.seats == ()
    rejected = await eve.answer(eve.ask(Ready, ready=True))
    assert (rejected.code, rejected.answers) == ("not-allowed", 1)
    assert isinstance(await eve.answer(eve.ask(Say, text="Hi")), Events)


async def test_a_spectators_refused_request_that_comes_again_is_refused_again(net: Net) -> None:
    eve = await net.guest(await net.host(), "Eve", seats=0)
    rejected = await eve.answer(eve.ask(Start))
    eve.say(Start(1))
    assert await eve.answer(1) == rejected


async def test_a_snapshot_is_the_table_as_it_stands(net: Net) -> None:
    anna = await net.guest(await net.host())
    await anna.answer(anna.ask(Act, seen=1, seat=0, action={"add": 3}))
    anna.say(Resync())
    assert await anna.expect(Snapshot) == Snapshot(2, {"total": 3, "said": 0})


async def test_a_peer_that_the_kept_log_does_not_reach_gets_a_snapshot_and_its_answer(net: Net) -> None:
    host = await net.host(CounterTable(keep=1))
    anna = await net.guest(host)
    number = anna.ask(Act, seen=1, seat=0, action={"many": 5})
    assert await anna.until(Snapshot) == Snapshot(6, {"total": 5, "said": 0})
    assert await anna.answer(number) == Events(7, (), number)


async def test_pings_come_back_as_they_are(net: Net) -> None:
    anna = await net.guest(await net.host())
    anna.say(Ping(4711))
    assert await anna.until(Pong) == Pong(4711)


async def test_a_long_log_goes_out_in_several_frames(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host)
    for _ in range(6):
        await anna.answer(anna.ask(Act, seen=0, seat=0, action={"pad": 100_000}))
    ben = await net.guest(host, "Ben")
    sizes: list[int] = []
    seen = 0
    while seen < host.table.seq:
        events = await ben.until(Events)
        assert events.first == seen + 1
        seen += len(events.entries)
        sizes.append(len(encode(events)))
    assert len(sizes) > 2
    assert max(sizes) <= 256 * 1024


async def test_the_answer_to_a_request_with_very_many_entries_comes_with_the_last_of_them(net: Net) -> None:
    host = await net.host()
    anna = await net.guest(host, "Anna")
    number = anna.ask(Act, seen=2, seat=0, action={"many": 40_000})
    answer = await anna.answer(number)
    assert answer.first > 10_000
    assert answer.first + len(answer.entries) == 1 + 40_000 + 1


# --- too much -------------------------------------------------------------------------------------------------------

HASTY = Limits(rate=0.001, burst=10)


async def test_who_is_too_fast_is_told_so_and_who_goes_on_is_thrown_out(net: Net) -> None:
    anna = await net.guest(await net.host(limits=HASTY))
    answers = [await anna.answer(anna.ask(Ready, ready=True)) for _ in range(12)]
    done = [answer for answer in answers if isinstance(answer, Events)]
    rejected = [answer for answer in answers if isinstance(answer, Rejected)]
    assert (len(done), {answer.code for answer in rejected}) == (9, {"too-fast"}), "Hello counts, too"
    for _ in range(20):
        anna.ask(Ready, ready=True)
    assert (await anna.until(Closing)).code == "too-fast"
    await anna.end()


async def test_a_line_of_chat_counts_as_several_requests_since_it_goes_to_all(net: Net) -> None:
    anna = await net.guest(await net.host(limits=Limits(rate=0.001, burst=1 + 3 * SAY_COST)))
    answers = [await anna.answer(anna.ask(Say, text="spam")) for _ in range(4)]
    assert [type(answer) for answer in answers] == [Events, Events, Events, Rejected]


@pytest.mark.parametrize("message", [Ping(1), Pong(1), Resync()])
async def test_a_flood_of_what_has_no_number_ends_the_connection(net: Net, message: Message) -> None:
    anna = await net.guest(await net.host(limits=HASTY))
    for _ in range(30):
        anna.say(message)
    assert (await anna.until(Closing)).code == "too-fast"


async def test_a_spectator_who_asks_for_what_is_not_allowed_too_often_is_thrown_out(net: Net) -> None:
    eve = await net.guest(await net.host(limits=HASTY), seats=0)
    for _ in range(30):
        eve.ask(Start)
    assert (await eve.until(Closing)).code == "too-fast"
