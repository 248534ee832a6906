"""Whole evenings: hosts and guests as programs of their own, over real sockets, until the last one has gone."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import Unwelcome
from protocol.peer import ask
from tests.guests import Guest
from tests.processes import Program, Programs
from wuerfel_tui import hosting
from wuerfel_tui.client import join
from wuerfel_tui.games import GAMES
from wuerfel_tui.record import Lost, Returned
from wuerfel_tui.setup import Setup

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends programs by POSIX signals")

QUICK = {"wurf_weg": ("--option=pace=300",)}
"""Options that make a game short."""
SPEED = {"wurf_weg": 15}
"""Time plays in this game: it would last a minute."""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with Programs(tmp_path) as programs:
        yield programs


def sit_and_hold(programs: Programs, address: str, speed: int = 1) -> tuple[Program, dict[str, Any]]:
    """Anna, who plays three moves and then holds still; and what she says as she sits down."""
    anna = programs.start("tests.holding_peer", str(speed), address, "Anna", "3")
    return anna, anna.event("seated")


def result(finished: dict[str, Any]) -> dict[str, Any]:
    """What all must agree on at the end of a game."""
    return {key: finished[key] for key in ("table", "names", "places", "why", "digest")}


# --- a game, somebody killed in the middle of it ---


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_peer_killed_in_mid_game_comes_back_and_all_see_the_same_end(programs: Programs, game: str) -> None:
    speed = SPEED.get(game, 1)
    others = ["Ben", "Cleo"][: GAMES[game].seats[-1] - 1]
    seats = 1 + len(others)
    host, address = programs.host(
        game, f"--seats={seats}", "--once", "--unannounced", *QUICK.get(game, ()), speed=speed
    )
    anna, seated = sit_and_hold(programs, address, speed)
    guests = [programs.join(address, "--bot=easy", name=name, speed=speed) for name in others]
    anna.event("holding")
    anna.kill()
    back = programs.join(address, "--bot=easy", name="Anna", speed=speed)
    assert back.event("seated") == seated
    for guest in guests:
        guest.event("seated")

    ends = [program.ends() for program in (back, *guests)]
    assert all(len(end) == 1 and end[0]["event"] == "finished" for end in ends)
    assert all(end[0]["checked"] is True for end in ends)
    started, finished = host.ends()
    assert started["event"] == "started"
    assert [result(end[0]) for end in ends] == [result(finished)] * seats
    assert sorted(finished["names"]) == ["Anna", *others]
    assert finished["names"] == started["names"]
    assert sorted(finished["places"])[0] == 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_full_table_plays_to_its_end(programs: Programs, game: str) -> None:
    seats, speed = GAMES[game].seats[-1], SPEED.get(game, 1)
    host, address = programs.host(game, "--once", "--unannounced", *QUICK.get(game, ()), speed=speed)
    names = [f"Guest {number}" for number in range(1, seats + 1)]
    guests = [programs.join(address, "--bot=easy", name=name, speed=speed) for name in names]
    ends = [guest.ends()[-1] for guest in guests]
    started, finished = host.ends()
    assert [result(end) for end in ends] == [result(finished)] * seats
    assert all(end["checked"] is True for end in ends)
    assert sorted(started["names"]) == names


async def test_a_frozen_guest_is_missed_and_finds_back_by_itself(programs: Programs) -> None:
    _, address = await asyncio.to_thread(programs.host, "poker", "--unannounced", speed=15)
    anna, _ = await asyncio.to_thread(sit_and_hold, programs, address)
    cleo = Guest(await join(address, "Cleo", seats=0))
    anna.signal(signal.SIGSTOP)
    lost = await cleo.until_heard(Lost)
    anna.signal(signal.SIGCONT)
    back = await cleo.until_heard(Returned)
    assert lost.peer == back.peer
    await cleo.client.leave()


RUBBISH = (
    b"GET / HTTP/1.1\r\nHost: kitchen\r\n\r\n",
    b"\x00\x00\x00\x00",
    b"\xff" * 5000,
    bytes(range(256)) * 40,
)


def test_who_sends_rubbish_is_told_why_and_disturbs_nobody(programs: Programs) -> None:
    host, address = programs.host("express", "--seats=2", "--once", "--unannounced")
    anna, _ = sit_and_hold(programs, address)
    ben = programs.join(address, "--bot=easy", name="Ben")
    anna.event("holding")
    name, _, port = address.rpartition(":")
    for rubbish in RUBBISH:
        with socket.create_connection((name, int(port)), timeout=20) as line:
            line.sendall(rubbish)
            answer = b""
            with contextlib.suppress(ConnectionResetError):  # it hangs up on what it has not read to the end
                while data := line.recv(65536):
                    answer += data
            assert b"refused" in answer
    anna.kill()
    back = programs.join(address, "--bot=easy", name="Anna")
    assert result(back.ends()[1]) == result(ben.ends()[1]) == result(host.ends()[1])


def test_a_guest_whose_terminal_is_gone_has_its_seat_kept(programs: Programs) -> None:
    _, address = programs.host("poker", "--once", "--unannounced")
    anna, _ = sit_and_hold(programs, address)
    ben = programs.join(address, "--bot=easy", name="Ben")
    seated = ben.event("seated")
    anna.event("holding")
    ben.signal(signal.SIGHUP)
    assert ben.ends(-signal.SIGHUP) == []
    assert programs.join(address, "--bot=easy", name="Ben").event("seated") == seated


def test_a_bot_plays_on_for_who_leaves_in_mid_game(programs: Programs) -> None:
    host, address = programs.host("poker", "--once", "--unannounced")
    anna, _ = sit_and_hold(programs, address)
    ben = programs.join(address, "--bot=easy", name="Ben")
    ben.event("seated")
    anna.event("holding")
    ben.signal(signal.SIGINT)
    assert ben.ends(130) == []
    anna.kill()
    back = programs.join(address, "--bot=easy", name="Anna")
    back.event("seated")
    (finished,) = back.ends()
    assert finished["names"] == ["Anna", "Ben"]
    assert result(host.ends()[-1]) == result(finished)


# --- who may come in, and how ---


def test_a_table_is_found_by_its_name_on_the_network(programs: Programs) -> None:
    name = f"Stube {secrets.token_hex(4)}"
    host, address = programs.host("poker", f"--name={name}", "--once")
    ben = programs.join(name.upper(), "--bot=easy", name="Ben")
    assert ben.event("seated")["name"] == name
    listed = programs.wuerfel("tables", "--timeout=1.5", "--json")
    rows = {row["name"]: row for row in listed.ends()}
    assert (rows[name]["game"], rows[name]["taken"], rows[name]["seats"]) == ("poker", 1, 2)
    assert address in rows[name]["addresses"]
    programs.join(address, "--bot=easy", name="Anna").ends()
    assert sorted(ben.ends()[0]["names"]) == ["Anna", "Ben"]
    host.ends()


def test_a_pin_lets_in_who_knows_it_and_the_hosts_own_bots(programs: Programs) -> None:
    host, address = programs.host("express", "--seats=3", "--bots=1", "--pin=0815", "--once", "--unannounced")
    anna = programs.join(address, "--bot=easy", "--pin=0815", name="Anna")
    anna.event("seated")
    programs.join(address, "--bot=easy", name="Ben").ends(4, saying="asks for a PIN")
    programs.join(address, "--bot=easy", "--pin=0816", name="Ben").ends(4, saying="not the table's PIN")
    host.signal(signal.SIGTERM)
    host.ends()
    anna.ends(3, saying="The host has closed this table.")


def test_two_at_one_keyboard_play_under_both_names(programs: Programs) -> None:
    host, address = programs.host("express", "--seats=3", "--bots=1", "--once", "--unannounced")
    both = programs.join(address, "--bot=easy", "--seats=2", name="Anna & Ben")
    assert len(both.event("seated")["seats"]) == 2
    (finished,) = both.ends()
    assert {"Anna", "Ben"} < set(finished["names"])
    assert finished["checked"] is True
    assert result(host.ends()[-1]) == result(finished)


def test_a_full_table_turns_players_away_but_lets_them_watch(programs: Programs) -> None:
    _, address = programs.host("poker", "--unannounced")
    programs.join(address, name="Anna").event("seated")
    programs.join(address, "--bot=easy", "--seats=2", name="Ben").ends(4, saying="one seat is free")
    watcher = programs.join(address, "--watch", name="Cleo")
    assert watcher.event("seated")["seats"] == []


# --- game after game ---


def test_bots_play_once_by_themselves_and_again_when_somebody_watches(programs: Programs) -> None:
    host, address = programs.host("poker", "--bots=2", "--unannounced", speed=20)
    first = [host.event("started"), host.event("finished")]
    watcher = programs.join(address, "--watch", name="Anna", speed=20)
    assert watcher.event("seated")["seats"] == []
    second = [host.event("started"), host.event("finished")]
    assert [line["names"] for line in first] == [line["names"] for line in second]
    seen = watcher.event("finished")
    assert result(seen) == result(second[1])
    assert seen["checked"] is True
    host.signal(signal.SIGTERM)
    host.end()
    assert watcher.end() == 0


def test_a_table_goes_on_with_other_guests_after_a_game(programs: Programs) -> None:
    host, address = programs.host("express", "--seats=2", "--bots=1", "--unannounced")
    for name in ("Anna", "Ben", "Cleo"):
        guest = programs.join(address, "--bot=easy", name=name)
        guest.event("seated")
        (finished,) = guest.ends()
        assert name in finished["names"]
        assert name in host.event("started")["names"]
        assert result(host.event("finished")) == result(finished)
    host.signal(signal.SIGTERM)
    host.ends()


# --- the end of a host ---


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_host_that_is_stopped_says_so_to_all(programs: Programs, number: int) -> None:
    host, address = programs.host("poker", "--unannounced")
    anna, _ = sit_and_hold(programs, address)
    ben = programs.join(address, "--bot=easy", name="Ben")
    anna.event("holding")
    host.signal(number)
    ben.event("seated")
    assert ben.ends(3, saying="The host has closed this table.") == []
    assert [line["event"] for line in host.ends()] == ["started"]


NOHUP = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from wuerfel_tui.cli import main
main(sys.argv[1:])
"""


def test_a_host_started_with_nohup_outlives_its_terminal(programs: Programs) -> None:
    typed = "host poker --headless --json --port=0 --unannounced"
    host = programs.python("-c", NOHUP, *typed.split())
    address = host.event("listening")["addresses"][0]
    host.signal(signal.SIGHUP)
    programs.join(address, "--watch").event("seated")
    host.signal(signal.SIGTERM)
    host.ends()


def test_guests_of_a_host_that_is_killed_notice_and_give_up(programs: Programs) -> None:
    host, address = programs.host("poker", "--unannounced")
    anna, _ = sit_and_hold(programs, address)
    ben = programs.start("tests.impatient", "join", address, "--name=Ben", "--bot=easy", "--json")
    ben.event("seated")
    anna.event("holding")
    host.kill()
    assert ben.ends(3, saying="not to be reached again") == []


STARTER = """
import asyncio, sys
from wuerfel_tui import hosting
from wuerfel_tui.setup import Setup
hosting.EMPTY_FOR = 60.0  # so that nothing is left of a test that fails
setup = Setup("poker", "Stube", port=0, interfaces=("127.0.0.1",), announced=False, bots=1)
print(*asyncio.run(hosting.start_host(setup)))
"""


def test_a_table_started_from_a_screen_outlives_it_and_closes_behind_the_last_person(
    programs: Programs,
) -> None:
    starter = programs.python("-c", STARTER)
    address = starter.line().strip()
    assert starter.end() == 0
    _, finished = programs.join(address, "--bot=easy", name="Cleo").ends()
    assert sorted(finished["names"]) == ["Ada", "Cleo"]
    anna, ben = (programs.join(address, "--watch", name=name) for name in ("Anna", "Ben"))
    for person in (anna, ben):
        person.event("seated")
    anna.signal(signal.SIGINT)
    anna.ends(130)
    assert asyncio.run(ask(address)).taken == 1
    ben.signal(signal.SIGINT)
    ben.ends(130)
    assert asyncio.run(is_gone(address))


@pytest.mark.parametrize("pin", [None, "0815"])
async def test_a_table_started_from_a_screen_has_its_own_pin_and_not_ours(
    monkeypatch: pytest.MonkeyPatch, pin: str | None
) -> None:
    monkeypatch.setenv("WUERFEL_PIN", "4711")  # with which we join somewhere else
    monkeypatch.setattr(hosting, "EMPTY_FOR", 1.0)
    setup = Setup("poker", "Stube", pin=pin, port=0, interfaces=("127.0.0.1",), announced=False)
    (address,) = await hosting.start_host(setup)
    assert (await ask(address)).pin is (pin is not None)
    if pin is not None:
        await (await join(address, "Anna", pin=pin)).leave()
    assert await is_gone(address)


async def test_a_table_that_cannot_be_started_from_a_screen_says_why() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        setup = Setup("poker", "Stube", port=port, interfaces=("127.0.0.1",), announced=False)
        with pytest.raises(hosting.HostFailed) as failed:
            await hosting.start_host(setup)
    assert failed.value.sentence == f"Port {port} is taken; choose another or leave it out."


async def is_gone(address: str) -> bool:
    """Whether nobody answers there any more, within 20 s."""
    async with asyncio.timeout(20):
        while True:
            try:
                await ask(address)
            except Unwelcome:
                return True
