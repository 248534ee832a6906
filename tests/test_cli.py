"""The command line that scripts rely on: what is typed, what is printed, and how it ends."""

from __future__ import annotations

import json
import os
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from protocol.codec import encode
from protocol.messages import PROTOCOL, Greeting, Refused
from tests.processes import ROOT, Programs
from wuerfel_tui import cli, headless
from wuerfel_tui.setup import Guest, Setup

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WUERFEL_INTERFACE", "127.0.0.1")
    monkeypatch.setenv("WUERFEL_HOME", str(tmp_path))
    monkeypatch.delenv("WUERFEL_PIN", raising=False)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with Programs(tmp_path) as programs:
        yield programs


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `wuerfel …` in this process: its exit code, and what it prints on stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(arguments)
        assert isinstance(end.value.code, int)
        return end.value.code, *capsys.readouterr()

    return run


def is_one_sentence(said: str) -> bool:
    return said.startswith("wuerfel: ") and said.count("\n") == 1 and said.endswith("\n")


# --- wrong use: 2 ---

MANY = "[" * 100_000

WRONG: list[tuple[str, str]] = [
    ("nonsense", "No such command"),
    ("--nonsense", "No such option"),
    ("host", "Missing argument 'GAME'"),
    ("host chess", "there is no game 'chess'; there are: express"),
    ("host poker --seats 3", "Würfel Poker is for 2 players, not 3."),
    ("host express --seats 7", "Würfel Express is for 2 to 6 players, not 7."),
    ("host express --seats none", "--seats"),
    ("host poker --bots 3", "3 bots do not fit on 2 seats."),
    ("host poker --bots 1 --level genius", "There is no bot of level 'genius'; there are: "),
    ("host poker --port 65536", "--port"),
    ("host poker --first 0", "Würfel Poker has no option 'first'; its options are: either_side."),
    ("host express --seats 3 --first 3", "3"),
    ("host express --option colour=red", "Würfel Express has no option 'colour'; its options are: first."),
    ("host express --option first=Anna", "These options do not fit Würfel Express: Expected `int | null`"),
    ("host express --option first", "'first' is not of the form KEY=VALUE."),
    ("host express --option =1", "'=1' is not of the form KEY=VALUE."),
    ("host wurf_weg --option pace=0", "pace must be 300 to 3000 milliseconds."),
    ("host gigi --option morsels=[0]", "There are 25 morsels, not 1."),
    (f"host gigi --option morsels={MANY}", "These options do not fit Gigi Gacker"),
    ("host poker --headless --interface kitchen", "'kitchen' is not an IP address of this machine."),
    ("join Kitchen --seats 0", "--seats"),
    ("join Kitchen --watch --seats 2", "Who only watches takes no seats"),
    ("join Kitchen --watch --bot easy", "Who only watches takes no seats"),
    ("join Kitchen --bot genius", "There is no bot of level 'genius'; there are: easy, random."),
    ("join Kitchen Bathroom --bot easy", "unexpected extra argument"),
    ("join [::1 --bot easy", "'[::1' is no address; write it like 192.168.1.7:9731"),
    ("join 127.0.0.1:65536 --bot easy", "'127.0.0.1:65536' is no address"),
    ("tables --timeout soon", "--timeout"),
    ("tables --timeout -1", "--timeout"),
    ("simulate express", "Missing option"),
    ("simulate express --seats 7 --games 1 --seed 1", "Würfel Express is for 2 to 6 players, not 7."),
    ("simulate express --seats 2 --games 0 --seed 1", "--games"),
    ("simulate express --seats 2 --games 1 --seed 1 --bots genius", "There is no bot 'genius' for express"),
]


@pytest.mark.parametrize(("typed", "sentence"), WRONG, ids=[typed[:60] for typed, _ in WRONG])
def test_wrong_use_is_said_in_one_sentence(run: Run, typed: str, sentence: str) -> None:
    code, out, err = run(*typed.split())
    assert (code, out) == (2, "")
    assert is_one_sentence(err)
    assert sentence in err


@pytest.mark.parametrize("command", ["", "host", "join", "tables", "simulate"])
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    code, out, err = run(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert f"Example: wuerfel {command or 'host'}" in out


@pytest.mark.parametrize("arguments", [(), ("host", "poker"), ("join", "Kitchen")])
def test_without_a_terminal_the_screens_do_not_open(programs: Programs, arguments: tuple[str, ...]) -> None:
    assert (
        programs.wuerfel(*arguments).ends(2, saying="The screens need a terminal; --headless does without.")
        == []
    )


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_without_a_cursor_is_refused(term: str, tmp_path: Path) -> None:
    outer, inner = os.openpty()
    environment = {**Programs(tmp_path).environment(), "TERM": term}
    command = [sys.executable, "-m", "wuerfel_tui"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=inner, stdout=inner, stderr=subprocess.PIPE, timeout=40
    )
    for end in (outer, inner):
        os.close(end)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr.decode())
    assert b"cannot place a cursor" in done.stderr


def test_the_version_is_told(run: Run) -> None:
    code, out, err = run("--version")
    assert (code, err) == (0, "")
    assert out.startswith("wuerfel, version ")


# --- nothing found, or not reached: 3 ---


def test_a_port_where_nobody_listens(run: Run) -> None:
    with answering(b"") as address:
        pass
    code, out, err = run("join", address, "--bot", "easy", "--json")
    assert (code, out) == (3, "")
    assert err == f"wuerfel: Nobody hosts a table at {address}.\n"


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"\x00\x00\x00\x01\x80", b"\xff" * 64])
def test_an_address_where_something_else_answers(run: Run, answer: bytes) -> None:
    with answering(answer) as address:
        code, out, err = run("join", address, "--bot", "easy", "--json")
    assert (code, out) == (3, "")
    assert is_one_sentence(err)


@pytest.mark.parametrize(
    "command", ["host poker --headless", "join Kitchen --bot easy", "tables --timeout 0"]
)
def test_an_interface_that_this_machine_has_not(run: Run, command: str) -> None:
    code, out, err = run(*command.split(), "--interface", "192.0.2.1")
    assert (code, out) == (3, "")
    assert err == "wuerfel: This machine has no network interface '192.0.2.1'.\n"


def test_a_port_that_is_taken(run: Run) -> None:
    with answering(b"") as address:
        port = address.rpartition(":")[2]
        code, out, err = run("host", "poker", "--headless", "--json", "--port", port)
    assert (code, out) == (3, "")
    assert err == f"wuerfel: Port {port} is taken; choose another or leave it out.\n"


def test_a_name_that_no_table_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wuerfel_tui.lookup.LOOK_FOR", 0.1)
    code, out, err = run("join", "Küche 17", "--bot", "easy")
    assert (code, out) == (3, "")
    assert is_one_sentence(err)
    assert "was found; try its address" in err


def test_looking_around_for_no_time_finds_nothing(run: Run) -> None:
    code, out, err = run("tables", "--timeout", "0", "--json")
    assert (code, out, err) == (3, "", "")
    code, out, err = run("tables", "--timeout", "0")
    assert (code, out) == (3, "")
    assert is_one_sentence(err)


# --- refused by the host: 4 ---


def test_a_table_of_another_version(run: Run) -> None:
    greeting = encode(Greeting(PROTOCOL + 1, b"n" * 32, b"s" * 16, False))
    with answering(greeting) as address:
        code, out, err = run("join", address, "--bot", "easy")
    assert (code, out) == (4, "")
    assert is_one_sentence(err)
    assert f"version {PROTOCOL + 1} and your program version {PROTOCOL}" in err


def test_the_hosts_own_sentence_is_shown_without_what_a_terminal_would_obey(run: Run) -> None:
    with answering(encode(Refused("busy", "\x1b[2JToo\nmany\x07.", PROTOCOL))) as address:
        code, out, err = run("join", address, "--bot", "easy")
    assert (code, out, err) == (4, "", "wuerfel: [2JToo many.\n")


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """An address where something says these bytes to whoever comes, and hangs up."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(answer)

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield "{}:{}".format(*server.server_address)
        server.shutdown()
        thread.join()


# --- what is typed ---


def typed_setup(run: Run, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Setup:
    """What `wuerfel host …` would host."""
    found: list[Setup] = []

    async def note(setup: Setup, as_json: bool) -> int:
        found.append(setup)
        return 0

    monkeypatch.setattr(headless, "host_headless", note)
    assert run("host", *arguments, "--headless") == (0, "", "")
    return found[0]


def typed_guest(run: Run, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Guest:
    """Who would come by `wuerfel join …`."""
    found: list[Guest] = []

    async def note(guest: Guest, as_json: bool) -> int:
        found.append(guest)
        return 0

    monkeypatch.setattr(headless, "join_headless", note)
    assert run("join", *arguments, "--headless") == (0, "", "")
    return found[0]


def test_every_flag_of_host_says_what_it_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = "--name Kitchen --seats 3 --bots 2 --level random --port 4711 --pin 0815 --first 1 --once"
    assert typed_setup(run, monkeypatch, "express", *flags.split()) == Setup(
        game="express",
        name="Kitchen",
        size=3,
        bots=2,
        level="random",
        port=4711,
        pin="0815",
        options={"first": 1},
        interfaces=("127.0.0.1",),
        once=True,
    )


def test_every_flag_of_join_says_what_it_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = ("--name", "Anna & Ben", "--pin", "0815", "--seats", "2", "--bot", "easy")
    assert typed_guest(run, monkeypatch, "Kitchen", *flags) == Guest(
        "Kitchen", "Anna & Ben", "0815", seats=2, bot="easy", interfaces=("127.0.0.1",)
    )
    assert typed_guest(run, monkeypatch, "--watch") == Guest(None, seats=0, interfaces=("127.0.0.1",))


def test_options_are_json_where_they_are_json_and_text_where_not(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    morsels = [-2, -2, -1, -1, *[0] * 15, 1, 2, 3, 4, 5, 6]
    setup = typed_setup(run, monkeypatch, "gigi", "--option", f"morsels={json.dumps(morsels)}")
    assert setup.options == {"morsels": morsels}
    setup = typed_setup(run, monkeypatch, "poker", "--option", "either_side=true")
    assert setup.options == {"either_side": True}


def test_a_pin_may_come_by_the_environment_and_an_empty_one_is_none(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert typed_setup(run, monkeypatch, "poker", "--pin", "").pin is None
    monkeypatch.setenv("WUERFEL_PIN", "0815")
    assert typed_setup(run, monkeypatch, "poker").pin == "0815"
    assert typed_guest(run, monkeypatch, "Kitchen").pin == "0815"


def test_interfaces_may_be_several(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WUERFEL_INTERFACE", "127.0.0.1, ::1")
    assert typed_setup(run, monkeypatch, "poker").interfaces == ("127.0.0.1", "::1")
    flags = ("--interface", "127.0.0.2", "--interface", "127.0.0.3")
    assert typed_setup(run, monkeypatch, "poker", *flags).interfaces == ("127.0.0.2", "127.0.0.3")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("\x1b[31mKüche\x07", "[31mKüche"),
        ("[b]Küche[/b]", "[b]Küche[/b]"),
        ("K" * 10_000, "K" * 24),
        ("骰" * 100, "骰" * 12),
        ("\u202eKüche\u200b", "Küche"),
    ],
    ids=["escape sequences", "markup", "long", "wide", "format characters"],
)
def test_a_tables_name_is_cleaned(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, shown: str) -> None:
    assert typed_setup(run, monkeypatch, "poker", "--name", typed).name == shown


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "\x1b"], ids=ascii)
def test_a_table_without_a_name_is_called_after_its_host(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    assert typed_setup(run, monkeypatch, "poker", "--name", typed).name == "Anna's table"


# --- what is printed ---


SIMULATE = "simulate poker --seats 2 --games 3 --seed 1 --bots easy,random"


def test_simulate_prints_one_object_with_these_fields(run: Run) -> None:
    code, out, err = run(*SIMULATE.split(), "--json")
    assert (code, err) == (0, "")
    summary: dict[str, Any] = json.loads(out)
    assert list(summary) == ["game", "seats", "games", "actions", "seconds", "actions_per_second", "wins"]
    assert (summary["game"], summary["seats"], summary["games"]) == ("poker", 2, 3)
    assert sum(summary["wins"]) == 3


def test_simulate_prints_sentences_for_people(run: Run) -> None:
    code, out, err = run(*SIMULATE.split())
    assert (code, err) == (0, "")
    assert [line.split(":")[0] for line in out.splitlines()[1:]] == ["  seat 0 (easy)", "  seat 1 (random)"]


NAMES = {
    "\x1b[31mRed\x1b[0m": "[31mRed[0m",
    "[bold]Bold[/]": "[bold]Bold[/]",
    "\u202etfel\u202c": "tfel",
    "A" * 10_000: "A" * 20,
    "\u200b\u2060": "Easy bot",
    "\udcff\udcfe!": "\ufffd\ufffd!",  # bytes that are no text
}


def test_hostile_names_come_out_clean(programs: Programs) -> None:
    host, address = programs.host("express", f"--seats={len(NAMES)}", "--once", "--unannounced")
    guests = [programs.join(address, "--bot=easy", name=name) for name in NAMES]
    for guest in guests:
        seated, finished = guest.ends()
        assert (seated["event"], finished["event"]) == ("seated", "finished")
        assert sorted(finished["names"]) == sorted(NAMES.values())
    started, finished = host.ends()
    assert started["names"] == finished["names"]


def test_without_json_sentences_are_printed_whatever_the_terminal_can_show(programs: Programs) -> None:
    host, address = programs.host("poker", "--bots=1", "--once", "--unannounced", "--name=Stube 骰")
    guest = programs.wuerfel("join", address, "--bot=easy", "--name=骰", PYTHONIOENCODING="latin-1")
    assert guest.line().startswith("At Stube \\u9ab0, on seat ")
    assert guest.line().startswith("Won by ")
    assert (guest.end(), guest.errors) == (0, "")
    assert "骰" in host.ends()[-1]["names"]


@pytest.mark.parametrize("home", ["file", "file/in/it", "x" * 5000])
def test_a_home_that_cannot_be_written_hinders_no_game(programs: Programs, tmp_path: Path, home: str) -> None:
    (tmp_path / "file").touch()
    programs.home = tmp_path / home
    host, address = programs.host("poker", "--bots=1", "--once", "--unannounced")
    assert [line["event"] for line in programs.join(address, "--bot=easy").ends()] == ["seated", "finished"]
    host.ends()


def test_a_table_goes_on_when_nobody_reads_what_it_prints(programs: Programs) -> None:
    typed = "host poker --headless --json --port=0 --bots=1 --once --unannounced"
    host = subprocess.Popen(
        [sys.executable, "-m", "wuerfel_tui", *typed.split()],
        cwd=ROOT,
        env=programs.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with host:
        try:
            assert host.stdout is not None
            assert host.stderr is not None
            address = json.loads(host.stdout.readline())["addresses"][0]
            host.stdout.close()
            programs.join(address, "--bot=easy").ends()
            assert (host.wait(40), host.stderr.read()) == (0, "")
        finally:
            host.kill()
