"""A peer at a table: its replica, its part in the dice, what brings it back, what it believes of a host."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from protocol.errors import Unwelcome
from protocol.messages import Welcome
from protocol.peer import Peer
from tests.guests import UNHURRIED, Guest, Party, all_ready, table
from tests.protocol.cable import Cable
from wuerfel_tui import client
from wuerfel_tui.client import LinkChange, Reset, join
from wuerfel_tui.record import Acted, Dealt, Finished, Lost, Plain, Returned, Said, TableState
from wuerfel_tui.table import Table

QUICK = replace(UNHURRIED, heartbeat=0.05, patience=0.3)


@pytest.fixture
async def party() -> AsyncIterator[Party]:
    async with AsyncExitStack() as stack:
        yield Party(stack)


@pytest.fixture
async def cable(party: Party) -> AsyncIterator[Cable]:
    """The line of one guest, to a poker table that stands already."""
    await party.give(table(), limits=QUICK)
    cable = await Cable.laid(party.host.port)
    yield cable
    await cable.close()


async def play(party: Party, *guests: Guest, seed: int = 1) -> None:
    """One game, from the deal to the end that all of them see."""
    await all_ready(*guests)
    await play_out(*guests, seed=seed)


async def play_out(*guests: Guest, seed: int = 1) -> None:
    async with asyncio.TaskGroup() as group:
        for guest in guests:
            group.create_task(guest.play(Random(seed)))
    for guest in guests:
        await guest.until_heard(Finished)


def is_same(one: TableState, other: TableState) -> bool:
    """As it goes over the wire, where a tuple is a list."""
    return msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)


# --- the replica ---


@pytest.mark.parametrize("game", ["express", "gigi", "poker"])
async def test_everybody_has_the_table_and_finds_the_dice_right(party: Party, game: str) -> None:
    played = await party.give(table(game, size=2))
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    cleo = await party.guest("Cleo", seats=0)
    await play(party, anna, ben)
    await cleo.until_heard(Finished)
    for guest in (anna, ben, cleo):
        assert is_same(guest.client.table, played.state)
        assert guest.client.checked is True
        assert isinstance(guest.client.history[0].entry, Dealt)
        assert isinstance(guest.client.history[-1].entry, Finished)
        assert [step.before for step in guest.client.history[1:]] == [
            step.after for step in guest.client.history[:-1]
        ]
    assert (anna.client.seats, ben.client.seats, cleo.client.seats) == ((0,), (1,), ())


async def test_whoever_comes_in_the_middle_has_the_whole_game_and_can_check_it(party: Party) -> None:
    played = await party.give(table())
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    await all_ready(anna, ben)
    first = anna if 0 in played.rules.actors(played.state.game_state) else ben
    action = played.rules.legal(played.state.game_state, first.client.seats[0])[0]
    assert await first.client.act(first.client.seats[0], action) is None
    late = await join(party.host.addresses[0], "Cleo", seats=0)
    assert late.table == played.state
    assert any(isinstance(step.entry, Acted) for step in late.history)
    cleo = Guest(late)
    await play_out(anna, ben)
    await cleo.until_heard(Finished)
    assert late.checked is True
    await late.close()


async def test_a_move_out_of_turn_is_refused_with_a_sentence(party: Party) -> None:
    played = await party.give(table())
    guests = [await party.guest("Anna"), await party.guest("Ben")]
    await all_ready(*guests)
    (turn,) = played.rules.actors(played.state.game_state)
    action = played.rules.legal(played.state.game_state, turn)[0]
    refused = await guests[1 - turn].client.act(1 - turn, action)
    assert refused is not None
    assert refused.code == "not-your-turn"
    assert refused.sentence.endswith(".")
    refused = await guests[1 - turn].client.act(turn, action)
    assert refused is not None
    assert refused.code == "not-yours"


async def test_a_replica_that_is_out_of_step_is_replaced(party: Party) -> None:
    played = await party.give(table("express", size=2))
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    await all_ready(anna, ben)
    astray = replace(played.state.game_state, number=99)
    anna.client.table = replace(anna.client.table, game_state=astray)
    (turn,) = played.rules.actors(played.state.game_state)
    mover = (anna, ben)[turn]
    action = played.rules.legal(played.state.game_state, turn)[0]
    assert await mover.client.act(turn, action) is None
    await anna.until(lambda: any(isinstance(update, Reset) for update in anna.updates))
    assert anna.client.table == played.state
    assert anna.client.history == []
    await play_out(anna, ben)
    assert anna.client.table == ben.client.table == played.state
    assert anna.client.checked is None  # it has not seen the whole game
    assert ben.client.checked is True


async def test_chat_reaches_everybody(party: Party) -> None:
    await party.give(table())
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    assert await anna.client.say("Good luck!") is None
    assert await ben.until_heard(Said) == Said(anna.client.peer, "Good luck!")


# --- the dice ---


class Loaded(Table):
    """After an honest beginning, every die shows its highest face."""

    def _begin(self, now: int) -> None:
        super()._begin(now)
        self._dice = lambda n: n - 1  # type: ignore[assignment]


class Deaf(Table):
    """Takes everybody's secret and leaves it out of the dice."""

    def _begin(self, now: int) -> None:
        from wuerfel_tui.fair import FairDice

        super()._begin(now)
        self._dice = FairDice([self._secret])


@pytest.mark.parametrize("kind", [Loaded, Deaf])
async def test_dice_that_the_host_has_bent_are_found_by_every_guest(party: Party, kind: type[Table]) -> None:
    await party.give(table(kind=kind))
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    cleo = await party.guest("Cleo", seats=0)
    await play(party, anna, ben)
    await cleo.until_heard(Finished)
    for guest in (anna, ben, cleo):
        assert guest.client.checked is False
        assert "bent" in (guest.client.bent or "")


async def test_the_next_game_is_checked_anew(party: Party) -> None:
    await party.give(table())
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    await play(party, anna, ben)
    await all_ready(anna, ben)
    assert anna.client.checked is None
    anna.updates.clear()
    ben.updates.clear()
    await play_out(anna, ben)
    assert anna.client.checked is True
    assert anna.client.table.games == 2


# --- lines that break, and coming back ---


async def test_after_a_broken_line_a_guest_finds_back_by_itself_and_misses_nothing(
    party: Party, cable: Cable
) -> None:
    anna = await party.guest("Anna", address=cable.address)
    ben = await party.guest("Ben")
    await all_ready(anna, ben)
    cable.cut()
    await ben.until_heard(Lost)
    await ben.until_heard(Returned)
    await play_out(anna, ben)
    assert [update.link for update in anna.updates if isinstance(update, LinkChange)] == ["lost", "up"]
    assert anna.client.table == ben.client.table
    assert anna.client.checked is True


async def test_a_guest_whose_host_is_not_found_again_gives_up(party: Party, cable: Cable) -> None:
    anna = await party.guest("Anna", address=cable.address, retry_for=0.3)
    cable.pull()
    end = await anna.until_closed()
    assert end.code == "lost"
    assert "not to be reached again" in end.sentence


async def test_a_program_that_is_started_again_has_its_seat_back(party: Party, tmp_path: Path) -> None:
    await party.give(table())
    first = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    await first.close()
    again = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert (again.peer, again.seats) == (first.peer, (0,))
    await again.leave()
    third = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert third.peer != first.peer
    await third.close()


async def test_two_of_one_name_and_one_home_have_a_seat_each_and_each_comes_back_to_one(
    party: Party, tmp_path: Path
) -> None:
    await party.give(table())
    address = party.host.addresses[0]
    one = await join(address, "Anna", kept_in=tmp_path)
    two = await join(address, "Anna", kept_in=tmp_path)
    assert (one.table.names, two.table.names) == (("Anna",), ("Anna", "Anna 2"))
    await one.leave()
    await two.close()
    back = await join(address, "Anna", kept_in=tmp_path)
    assert back.peer == two.peer
    await back.close()


async def test_a_table_that_has_forgotten_somebody_takes_them_as_somebody_new(
    party: Party, tmp_path: Path
) -> None:
    played = await party.give(table())
    anna = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    await anna.close()
    party.host.do(lambda now: played.leave(anna.peer, now))
    again = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert again.peer != anna.peer
    assert again.table.names == ("Anna",)
    await again.close()


@pytest.mark.parametrize("rubbish", ["", "ab", "zz" * 32, "ü"])
async def test_a_token_that_is_none_hinders_nobody(party: Party, tmp_path: Path, rubbish: str) -> None:
    await party.give(table())
    await (await join(party.host.addresses[0], "Anna", kept_in=tmp_path)).close()
    overwrite_tokens(tmp_path, rubbish)
    ben = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert ben.table.names == ("Anna", "Anna 2")
    await ben.close()


def overwrite_tokens(folder: Path, rubbish: str) -> None:
    (token,) = folder.glob("*.token")
    token.write_text(rubbish, "utf-8")


async def test_who_is_refused_keeps_no_lock(party: Party, tmp_path: Path) -> None:
    await party.give(table(), pin="0815")
    with pytest.raises(Unwelcome) as refused:
        await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert refused.value.code == "pin-needed"
    anna = await join(party.host.addresses[0], "Anna", pin="0815", kept_in=tmp_path)
    await anna.close()
    assert len(os.listdir(tmp_path)) == 2  # one lock, one token


async def test_whose_host_was_lost_keeps_the_token_for_another_try(
    party: Party, cable: Cable, tmp_path: Path
) -> None:
    client = await join(cable.address, "Anna", kept_in=tmp_path, retry_for=0.3)
    anna = Guest(client)
    cable.pull()
    await anna.until_closed()
    await client.leave()
    back = await join(party.host.addresses[0], "Anna", kept_in=tmp_path)
    assert back.peer == client.peer
    await back.close()


async def test_a_table_that_closes_says_why(party: Party) -> None:
    await party.give(table())
    anna = await party.guest("Anna")
    await party.host.close()
    end = await anna.until_closed()
    assert (end.code, end.sentence) == ("closed", "The host has closed this table.")


# --- names ---


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Anna\t ", "Anna"),
        ("\x1b[31mAnna\x1b[0m", "[31mAnna[0m"),
        ("An\u202ena\u200b", "Anna"),
        ("A" * 10_000, "A" * 20),
        ("[bold]Anna[/]", "[bold]Anna[/]"),
    ],
)
async def test_a_name_comes_out_clean_and_short(party: Party, typed: str, shown: str) -> None:
    await party.give(table())
    anna = await party.guest(typed)
    assert anna.client.table.names == (shown,)


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u2060", "\x1b\x07"])
async def test_a_name_of_nothing_is_asked_for_again(party: Party, typed: str) -> None:
    await party.give(table())
    with pytest.raises(Unwelcome) as refused:
        await party.guest(typed)
    assert refused.value.code == "name"
    assert "letter" in refused.value.sentence


# --- hosts that are none ---


class Liar(Table):
    """Says that something happened which the test makes up, once anybody has said a word."""

    lie: Plain = {}

    def entries(self, after: int) -> Sequence[Plain]:
        return [self.lie if entry["entry"] == "said" else entry for entry in super().entries(after)]


LIES: list[Plain] = [
    {},
    {"entry": "won", "peer": 1},
    {"entry": "said", "peer": "Anna", "text": "Hello"},
    {"entry": "joined", "peer": 9, "name": "X", "bot": None, "seats": [99], "names": ["X"], "now": 0},
    {"entry": "joined", "peer": 9, "name": "X", "bot": None, "seats": [1, 2], "names": ["X"], "now": 0},
    {"entry": "acted", "seat": 0, "action": {"do": "win"}, "events": [], "now": 0, "digest": b""},
    {"entry": "joined", "peer": 9, "name": "X", "bot": None, "seats": [], "names": [], "now": 2**64 - 1},
    {"entry": "stoodin", "seat": -7, "level": "easy"},
    {"entry": "finished", "outcome": {"places": [1, 1, 1, 5], "why": ""}, "secret": b""},
    {"entry": "elapsed", "events": [{"is": "thrown", "dice": [1, 2, 3]}], "now": 0, "digest": b""},
    {"entry": "began", "events": [{"is": "rolled"}], "now": 0, "digest": b"12345678"},
]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: str(lie.get("entry")))
async def test_what_cannot_have_happened_closes_the_table_with_a_sentence(party: Party, lie: Plain) -> None:
    played = await party.give(table(kind=Liar))
    anna = await party.guest("Anna")
    played.lie = lie
    anna.client.in_background(anna.client.say("Hello"))
    end = await anna.until_closed()
    assert end.code == "malformed"
    assert end.sentence == "The host says that something happened which cannot happen."
    with pytest.raises(Unwelcome) as refused:  # nor does anybody come in on such a record
        await join(party.host.addresses[0], "Ben")
    assert refused.value.code == "malformed"


@pytest.mark.parametrize(
    "snapshot",
    [
        {},
        {"id": 1},
        {"game": "chess"},
        {"seats": "all"},
        {"seats": [None] * 9},
        {"phase": "drunk"},
        {"phase": "playing"},
        {"options": {"cheating": True}},
        {"game_state": {"tracks": 7}},
        {"peers": [{"id": 1, "name": "X", "bot": None, "online": True, "since": 0, "ready": False}] * 1000},
    ],
    ids=lambda snapshot: next(iter(snapshot), "nothing"),
)
async def test_a_table_that_is_none_lets_nobody_in(party: Party, snapshot: Plain) -> None:
    played = await party.give(table())
    _, whole = played.base()
    bent: Any = {**whole, **snapshot} if snapshot else {}
    played.base = lambda: (0, bent)  # type: ignore[method-assign]
    with pytest.raises(Unwelcome) as refused:
        await join(party.host.addresses[0], "Anna")
    assert refused.value.code == "malformed"
    assert "\n" not in refused.value.sentence


class Silent(Table):
    """Promises entries that never come."""

    def entries(self, after: int) -> Sequence[Plain]:
        return []


async def test_a_table_that_does_not_tell_what_has_happened_is_not_waited_for(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "CATCHING_UP", 0.2)
    await party.give(table(kind=Silent))
    with pytest.raises(Unwelcome) as refused:
        await join(party.host.addresses[0], "Anna")
    assert refused.value.code == "unreachable"


async def test_numbers_that_grow_beyond_all_bounds_close_the_table(party: Party) -> None:
    played = await party.give(table("express", Liar, size=2))
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    await all_ready(anna, ben)
    slides = [{"is": "slidback", "spaces": -(2**63)}] * 4
    played.lie = {"entry": "elapsed", "events": slides, "now": 0, "digest": b""}
    anna.client.in_background(anna.client.say("Hello"))
    assert (await anna.until_closed()).code == "malformed"


async def test_a_welcome_without_a_table_lets_nobody_in(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    await party.give(table())
    opened = Peer.open

    async def tells_nothing(peer: Peer) -> Welcome:
        return replace(await opened(peer), start=None)

    monkeypatch.setattr(Peer, "open", tells_nothing)
    with pytest.raises(Unwelcome) as refused:
        await join(party.host.addresses[0], "Anna")
    assert refused.value.code == "malformed"


async def test_whatever_a_host_lets_in_a_screen_is_shown_nothing_but_text(party: Party) -> None:
    played = await party.give(table(kind=Liar))
    party.host.do(lambda now: played.join("\x1b[31mMallory\u202e", 1, None, b"", now))
    anna = await party.guest("Anna")
    assert anna.client.table.names == ("[31mMallory", "Anna")
    played.lie = {"entry": "said", "peer": 1, "text": "\x1b]0;owned\x07\n" + "!" * 9000}
    anna.client.in_background(anna.client.say("Hello"))
    said = await anna.until_heard(Said)
    assert said.text == f"]0;owned {'!' * 400}"[:400]


class Cheat(Table):
    """Lets a move pass that the rules do not know."""

    def entries(self, after: int) -> Sequence[Plain]:
        return [
            {**entry, "seat": 7} if entry["entry"] == "acted" else entry for entry in super().entries(after)
        ]


async def test_moves_that_nobody_can_have_made_are_found_at_the_end(party: Party) -> None:
    await party.give(table(kind=Cheat))
    anna, ben = await party.guest("Anna"), await party.guest("Ben")
    await play(party, anna, ben)
    assert anna.client.checked is False
