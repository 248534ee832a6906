"""What docs/protocol.md says about the table's log is complete and true, and enough to write a client from."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from protocol.messages import Act, AddBot, Commit, Ready, Remove, Request, Reveal, Say, StandIn, Start
from protocol.table import carry_out
from tests import stranger
from tests.pages import DOCS, check_fields, fields, from_json, quoted, rows, section, unquoted
from tests.stranger import Map
from tests.tables import Room, token_hash
from wuerfel_tui import record, serve, setup, table
from wuerfel_tui.bots import BOTS
from wuerfel_tui.fair import FairDice, commitment
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import IllegalAction, Outcome, Refusal
from wuerfel_tui.games.poker import Began as PokerBegan
from wuerfel_tui.games.poker import Poker
from wuerfel_tui.record import (
    AnyEntry,
    Contribution,
    PeerInfo,
    SeatInfo,
    TableState,
    digest,
    entry_from,
    plain,
)

PAGE = section((DOCS / "protocol.md").read_text("utf-8"), "The table's log")
ENTRIES = {kind.__struct_config__.tag: kind for kind in get_args(AnyEntry)}


def values(title: str) -> dict[str, str]:
    """The lines `    name = value` of a section."""
    return dict(re.findall(r"^    (.+?) += (.+)$", section(PAGE, title), re.M))


def wired(value: Any) -> Any:
    """As it comes off the wire."""
    return msgpack.unpackb(msgpack.packb(value))


# --- tables, entries, numbers ---------------------------------------------------------------------------------------


def test_the_table_is_described_field_by_field() -> None:
    described = fields(section(PAGE, "The table as a map"), "map", "field", "type", "meaning")
    kinds = {
        "table": TableState,
        "seat": SeatInfo,
        "peer": PeerInfo,
        "contribution": Contribution,
        "outcome": Outcome,
    }
    assert list(described) == list(kinds)
    for name, kind in kinds.items():
        check_fields(kind, described[name], {"game_state": "state or nil"} if name == "table" else None)


def test_every_entry_is_described_field_by_field() -> None:
    described = fields(section(PAGE, "Entries"), "entry", "field", "type", "meaning")
    assert list(described) == list(ENTRIES)
    for name, kind in ENTRIES.items():
        check_fields(kind, described[name], {"action": "action"} if name == "acted" else None)


def test_for_every_entry_it_says_what_it_does() -> None:
    effects = {unquoted(name): effect for name, effect in rows(PAGE, "entry", "what it does")}
    assert list(effects) == list(ENTRIES)
    assert all(effects.values())


def test_the_examples_of_entries_are_entries() -> None:
    examples = re.findall(r'^    (\{"entry".*)$', section(PAGE, "Entries"), re.M)
    assert len(examples) >= 3
    for example in examples:
        raw = from_json(json.loads(example))
        assert wired(plain(entry_from(raw, GAMES["express"]))) == raw


def test_the_numbers_are_those_of_the_program() -> None:
    said = {name: int(value) for name, value, _ in rows(PAGE, "what", "value", "unit, and what happens then")}
    assert said == {
        "time for secrets": table.DEALING,
        "patience in a game": table.PATIENCE,
        "patience otherwise": table.GRACE,
        "peers": record.PEERS,
        "entries kept": record.KEPT,
        "overtaken moves": table.LATELY,
        "a name": setup.NAME_WIDTH,
        "a line of chat": serve.CHAT_WIDTH,
    }


def test_the_bots_that_can_be_asked_for_are_named() -> None:
    meaning = next(when for _, code, when in rows(PAGE, "request", "code", "when") if code == "`level`")
    assert all(set(quoted(meaning)) == set(levels) for levels in BOTS.values())


# --- the dice -------------------------------------------------------------------------------------------------------


def test_the_example_of_a_digest_is_right_byte_by_byte() -> None:
    text = section(PAGE, "Digests")
    shown = re.search(r"^    \{.*?\}$(?=\n\n)", text, re.M | re.S)
    octets = re.search(r"^(    [0-9a-f ]+\n)+", text, re.M)
    assert shown
    assert octets
    state = Poker().evolve(Poker().new(2, Poker.Options()), PokerBegan(0))
    raw = bytes.fromhex(octets[0])
    assert raw == msgspec.msgpack.encode(state) == msgpack.packb(json.loads(shown[0]))
    assert f"of {len(raw)} bytes" in " ".join(text.split())
    assert values("Digests")["digest"] == digest(state).hex()


def test_the_example_of_the_dice_is_right() -> None:
    said = values("The dice")
    secrets = [bytes.fromhex(said[name]) for name in ("host's secret", "peer 1's secret", "peer 2's secret")]
    assert commitment(secrets[0]).hex() == said["its commitment"]
    for dice in (FairDice(secrets), stranger.dice_of(secrets)):
        assert [str(dice(6)) for _ in range(10)] == said["10 × dice(6)"].split()
        for n in (90, 1, 1000):
            assert str(dice(n)) == said[f"dice({n})"]


def test_the_example_shows_key_and_blocks() -> None:
    said = values("The dice")
    dice = FairDice(
        bytes.fromhex(said[name]) for name in ("host's secret", "peer 1's secret", "peer 2's secret")
    )
    assert dice._key.hex() == said["key"]
    stream = bytes(dice(256) for _ in range(64))
    assert [stream[:32].hex(), stream[32:].hex()] == [said["block 0"], said["block 1"]]


# --- requests -------------------------------------------------------------------------------------------------------


def ask(room: Room, asker: int, kind: type[Request], /, **said: Any) -> None:
    carry_out(room.table, asker, kind(number=1, **said), room.now)


def waiting(size: int = 3) -> Room:
    """Anna (1), who looks after the table, and Ben (2), neither of them ready."""
    room = Room(size=size)
    room.join("Anna")
    room.join("Ben")
    return room


def dealing() -> Room:
    room = waiting(2)
    room.all_ready()
    return room


def playing() -> Room:
    room = dealing()
    room.exchange_secrets()
    return room


def clean_table() -> serve.CleanTable:
    return serve.CleanTable("express", id="t", name="t", entropy=lambda: bytes(32))


def move(room: Room, peer: int, seat: int, action: Map, seen: int | None = None) -> None:
    ask(room, peer, Act, seen=room.table.seq if seen is None else seen, seat=seat, action=action)


def overtaken(room: Room) -> None:
    peer, seat = room.actor()
    seen = room.table.seq
    move(room, peer, seat, {"do": "roll"})
    move(room, peer, seat, {"do": "roll"}, seen)


def refused_by_the_game(room: Room) -> None:
    move(room, *room.actor(), {"do": "endturn"})


def commits(room: Room, *peers: int) -> Room:
    for peer in peers:
        ask(room, peer, Commit, commitment=commitment(bytes([peer]) * 32))
    return room


def reveals(room: Room, *peers: int) -> None:
    for peer in peers:
        ask(room, peer, Reveal, secret=bytes([peer]) * 32)


def watched(room: Room) -> Room:
    """With Cleo (3), who only watches."""
    room.join("Cleo", seats=0)
    return room


REFUSALS: dict[tuple[str, str], Callable[[], object]] = {
    ("hello", "token"): lambda: Room().table.resume(token_hash("Nobody"), 0),
    ("hello", "name"): lambda: clean_table().join("\x1b\u200b", 1, None, b"", 0),
    ("hello", "playing"): lambda: playing().join("Cleo"),
    ("hello", "full"): lambda: waiting(2).join("Cleo"),
    ("act", "not-now"): lambda: move(waiting(), 1, 0, {"do": "roll"}),
    ("act", "not-yours"): lambda: move(playing(), 1, 1, {"do": "roll"}),
    ("act", "malformed"): lambda: move(playing(), 1, 0, {"do": "dance"}),
    ("act", "overtaken"): lambda: overtaken(playing()),
    ("act", "others"): lambda: refused_by_the_game(playing()),
    ("ready", "not-now"): lambda: ask(playing(), 1, Ready, ready=True),
    ("ready", "no-seat"): lambda: ask(watched(waiting()), 3, Ready, ready=True),
    ("start", "not-keeper"): lambda: ask(waiting(), 2, Start),
    ("start", "not-now"): lambda: ask(playing(), 1, Start),
    ("start", "not-ready"): lambda: ask(waiting(), 1, Start),
    ("start", "seats"): lambda: alone(Start),
    ("addbot", "not-keeper"): lambda: ask(waiting(), 2, AddBot, level="easy"),
    ("addbot", "not-now"): lambda: ask(playing(), 1, AddBot, level="easy"),
    ("addbot", "level"): lambda: ask(waiting(), 1, AddBot, level="divine"),
    ("addbot", "full"): lambda: ask(waiting(2), 1, AddBot, level="easy"),
    ("remove", "not-keeper"): lambda: ask(waiting(), 2, Remove, peer=1),
    ("remove", "not-now"): lambda: ask(playing(), 1, Remove, peer=2),
    ("remove", "unknown"): lambda: ask(waiting(), 1, Remove, peer=77),
    ("standin", "not-now"): lambda: ask(waiting(), 1, StandIn, seat=1),
    ("standin", "present"): lambda: ask(playing(), 1, StandIn, seat=1),
    ("say", "empty"): lambda: clean_table().say(1, "\x1b \n", 0),
    ("commit", "not-now"): lambda: commits(watched(dealing()), 3),
    ("commit", "committed"): lambda: commits(dealing(), 1, 1),
    ("commit", "too-late"): lambda: commits(returned_after_a_reveal(), 3),
    ("reveal", "not-now"): lambda: reveals(playing(), 1),
    ("reveal", "not-yet"): lambda: reveals(commits(dealing(), 1), 1),
    ("reveal", "revealed"): lambda: reveals(commits(dealing(), 1, 2), 1, 1),
    ("reveal", "secret"): lambda: ask(commits(dealing(), 1, 2), 1, Reveal, secret=bytes(32)),
}


def returned_after_a_reveal() -> Room:
    room = waiting(3)
    room.join("Cleo")
    room.all_ready()
    commits(room, 1, 2).table.lost(3, room.now)
    reveals(room, 1)
    room.table.resume(token_hash("Cleo"), room.now)
    return room


def alone(kind: type[Request]) -> None:
    room = Room()
    room.join("Anna")
    ask(room, 1, kind)


def test_every_refusal_is_named_and_no_other() -> None:
    said: list[tuple[str, str]] = []
    request = ""
    for first, code, when in rows(PAGE, "request", "code", "when"):
        request = unquoted(first) or request
        said.append((request, unquoted(code)))
        assert when
    assert said == list(REFUSALS)


@pytest.mark.parametrize(("request_", "code"), REFUSALS)
def test_a_request_is_refused_with_its_code(request_: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        REFUSALS[request_, code]()
    if code == "others":
        assert isinstance(refusal.value, IllegalAction)
    else:
        assert refusal.value.code == code


def test_every_code_in_the_table_s_source_is_named() -> None:
    source = inspect.getsource(table)
    raised = set(re.findall(r"(?:NotAllowed|Malformed)\(\s*\"([a-z-]+)\"", source))
    assert raised == {code for _, code in REFUSALS} - {"others"}


# --- a stranger at the table ----------------------------------------------------------------------------------------

VARIANTS: dict[str, list[Map]] = {
    "express": [{}, {"first": 1}],
    "poker": [{}, {"either_side": True}],
    "gigi": [{}, {"first": 1}],
    "wurf_weg": [{}, {"auto_place": True}, {"until_empty": True, "pace": 300}],
}
ROOMS = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{options}")
    for game, rules in GAMES.items()
    for seats in (rules.seats[0], min(3, rules.seats[-1]), rules.seats[-1])
    for options in VARIANTS[game]
]


def played(game: str, seats: int, options: Map) -> tuple[Room, Map, list[Map]]:
    """A finished game; the table before it and its entries, as they come off the wire."""
    room = Room(game, size=seats, seed=seats, **options)
    room.begin(*"ABCDEF"[:seats])
    room.play_out()
    oldest = room.table.oldest()
    return room, wired(room.table.base()[1]), [wired(entry) for entry in room.table.entries(oldest)]


@pytest.mark.parametrize(("game", "seats", "options"), ROOMS)
def test_a_stranger_follows_a_game_and_finds_every_die_right(game: str, seats: int, options: Map) -> None:
    room, start, entries = played(game, seats, options)
    replica = deepcopy(start)
    for entry in entries:
        stranger.fold(replica, entry)  # compares the digests
    assert replica == wired(plain(room.state))
    assert stranger.check_game(start, entries)


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_finds_a_bent_die(game: str) -> None:
    _, start, entries = played(game, GAMES[game].seats[0], {})
    committed, revealed = (
        next(entry for entry in entries if entry["entry"] == kind) for kind in ("committed", "revealed")
    )
    revealed["secret"] = bytes(32)
    with pytest.raises(stranger.Bent, match="committed"):
        stranger.check_game(start, entries)
    committed["commitment"] = commitment(bytes(32))
    with pytest.raises(stranger.Bent, match="dice"):
        stranger.check_game(start, entries)


class Evening:
    """People who come, go, play and talk at random; beside them a stranger who follows the log.

    came_of: by request, the kinds of entries that came of it
    """

    def __init__(self, seed: int) -> None:
        game = ("poker", "gigi", "wurf_weg")[seed % 3]
        self.room = Room(game, size=min(3, GAMES[game].seats[-1]), seed=seed)
        self.rng = Random(seed)
        self.replica = wired(plain(self.room.state))
        self.came_of: dict[str, set[str]] = {}
        self.names: dict[int, str] = {}

    def pass_by(self, steps: int) -> None:
        always = (self.hello, self.leave, self.lose, self.ready, self.start, self.addbot, self.remove)
        always += (self.standin, self.say, self.commit, self.reveal, self.time)
        more = {"dealing": (self.commit, self.reveal) * 8, "playing": (self.act,) * 12}
        for _ in range(steps):
            self.one(self.rng.choice(always + more.get(self.room.state.phase, (self.hello, self.ready))))

    def one(self, request: Callable[[], None]) -> None:
        before = len(self.room.notified)
        with suppress(Refusal):
            request()
        entries = [wired(plain(entry)) for entry in self.room.notified[before:]]
        self.came_of.setdefault(request.__name__, set()).update(entry["entry"] for entry in entries)
        for entry in entries:
            stranger.fold(self.replica, entry)
        assert self.replica == wired(plain(self.room.state)), entries

    def somebody(self) -> int:
        return self.rng.choice([peer.id for peer in self.room.state.peers] or [99])

    def keeper(self) -> int:
        return self.room.state.keeper.id if self.room.state.keeper else self.somebody()

    def hello(self) -> None:
        peer = self.somebody()
        if peer in self.names and self.rng.random() < 0.6:
            self.room.table.resume(token_hash(self.names[peer]), self.room.now)
        else:
            name = f"Guest {len(self.names)}"
            peer = self.room.join(name, self.rng.choice((0, 1, 1, 2)), self.rng.choice((None, None, "easy")))
            self.names[peer] = name

    def leave(self) -> None:
        if self.rng.random() < 0.3:
            self.room.table.leave(self.somebody(), self.room.now)

    def lose(self) -> None:
        self.room.table.lost(self.somebody(), self.room.now)

    def ready(self) -> None:
        ask(self.room, self.somebody(), Ready, ready=self.rng.random() < 0.8)

    def start(self) -> None:
        ask(self.room, self.keeper(), Start)

    def addbot(self) -> None:
        ask(self.room, self.keeper(), AddBot, level="easy")

    def remove(self) -> None:
        ask(self.room, self.keeper(), Remove, peer=self.somebody())

    def standin(self) -> None:
        ask(self.room, self.somebody(), StandIn, seat=self.rng.randrange(3))

    def say(self) -> None:
        ask(self.room, self.somebody(), Say, text="Well!")

    def commit(self) -> None:
        commits(self.room, self.somebody())

    def reveal(self) -> None:
        reveals(self.room, self.somebody())

    def act(self) -> None:
        self.room.now += self.rng.choice((0, 1, 2000, 65_000))
        state = self.room.state
        for seat in state.rules.actors(state.game_state)[:1]:
            action = self.rng.choice(state.rules.legal(state.game_state, seat))
            if state.taken[seat].stand_in is None:
                move(self.room, state.taken[seat].peer, seat, msgspec.to_builtins(action))
            else:
                self.room.table.act_for(seat, action, self.room.now)

    def time(self) -> None:
        self.room.now += self.rng.choice((500, 6000, 25_000, 61_000))
        self.room.table.elapse(self.room.now)


@pytest.fixture(scope="module")
def evenings() -> list[Evening]:
    evenings = [Evening(seed) for seed in range(36)]
    for evening in evenings:
        evening.pass_by(500)
    return evenings


def test_a_stranger_follows_whatever_people_do(evenings: list[Evening]) -> None:
    seen = {kind for evening in evenings for kinds in evening.came_of.values() for kind in kinds}
    assert seen == set(ENTRIES)


def test_what_comes_of_a_request_is_what_is_written(evenings: list[Evening]) -> None:
    listed = rows(PAGE, "request", "entries, in order")
    said = {unquoted(request): set(quoted(kinds)) & set(ENTRIES) for request, kinds in listed}
    found = rarely()
    for evening in evenings:
        for request, kinds in evening.came_of.items():
            found.setdefault(request, set()).update(kinds)
    assert set(said) == {request for request, _ in REFUSALS} | {"leave"}
    assert {request: found[request] for request in said} == said
    assert found["lose"] <= {"lost", "began", "stoodin", "dealt"}


def rarely() -> dict[str, set[str]]:
    """By request, what does not come of it on every evening."""
    return {
        "remove": came_of(lambda room: ask(room, 1, Remove, peer=3), over()),
        "reveal": came_of(lambda room: (room.table.leave(3, room.now), reveals(room, 1, 2)), committed())
        - {"left"},
        "leave": came_of(lambda room: room.table.leave(3, room.now), over())
        | came_of(lambda room: (reveals(room, 1, 2), room.table.leave(3, room.now)), committed())
        - {"revealed"},
    }


def came_of(request: Callable[[Room], object], room: Room) -> set[str]:
    before = len(room.notified)
    request(room)
    return {plain(entry)["entry"] for entry in room.notified[before:]}


def over() -> Room:
    """After a game of three; the third is not ready for another."""
    room = Room("gigi", size=3)
    room.begin("Anna", "Ben", "Cleo")
    room.play_out()
    for peer in (1, 2):
        ask(room, peer, Ready, ready=True)
    return room


def committed() -> Room:
    """A game of three is dealt, and all have committed."""
    room = waiting(3)
    room.join("Cleo")
    room.all_ready()
    return commits(room, 1, 2, 3)
