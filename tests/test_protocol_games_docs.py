"""docs/games-on-the-wire.md is complete and true: every option, state, action, event, draw, code and example in it."""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from types import ModuleType
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from tests import stranger
from tests.pages import DOCS, Field, check_fields, fields, from_json, prose, quoted, rows, section, unquoted
from tests.stranger import Map
from tests.stranger_games import removals
from tests.tables import Room
from wuerfel_tui.fair import FairDice
from wuerfel_tui.games import GAMES, express, express_parts, gigi, poker, wurf_weg, wurf_weg_parts
from wuerfel_tui.games.core import AnyRules
from wuerfel_tui.record import Acted, AnyEntry, Began, Elapsed, digest, entry_from, plain

PAGE = (DOCS / "games-on-the-wire.md").read_text("utf-8")
SHORT = {"express": "Express", "poker": "Poker", "gigi": "Gigi", "wurf_weg": "Wurf & Weg"}
PARTS: dict[str, tuple[ModuleType, ...]] = {
    "express": (express, express_parts),
    "poker": (poker,),
    "gigi": (gigi,),
    "wurf_weg": (wurf_weg, wurf_weg_parts),
}
MAPS: dict[str, list[type[msgspec.Struct]]] = {
    "express": [express_parts.State, express_parts.Track, express_parts.Piece],
    "poker": [poker.State, poker.Half, poker.Played],
    "gigi": [gigi.State],
    "wurf_weg": [wurf_weg_parts.State, wurf_weg_parts.Player],
}
"""The maps that a state is made of, but for the options."""
IN_EVENTS: dict[str, list[type[msgspec.Struct]]] = {"poker": [poker.RowWon], "gigi": [gigi.Award]}
"""The maps that stand in events alone."""
VARIANTS: dict[str, list[Map]] = {
    "express": [{}],
    "poker": [{}, {"either_side": True}],
    "gigi": [{}],
    "wurf_weg": [{}, {"auto_place": True}, {"until_empty": True}],
}
SECRETS = [bytes(range(first, first + 32)) for first in (0, 32, 64)]
"""Those of the example in docs/protocol.md, which its own test checks."""

every_game = pytest.mark.parametrize("game", GAMES)


def part(game: str, title: str) -> str:
    return section(PAGE, f"{SHORT[game]}: {title}")


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def tags(union: Any) -> dict[str, type[msgspec.Struct]]:
    return {kind.__struct_config__.tag: kind for kind in get_args(union)}


def test_the_games_are_listed() -> None:
    listed = {unquoted(key): (title, seats) for key, title, seats in rows(PAGE, "key", "title", "seats")}
    assert listed == {
        key: (rules.title, "–".join(str(seats) for seats in dict.fromkeys((rules.seats[0], rules.seats[-1]))))
        for key, rules in GAMES.items()
    }
    assert all(re.search(rf"^## {re.escape(rules.title)}$", PAGE, re.M) for rules in GAMES.values())


def test_every_link_between_the_two_pages_leads_somewhere() -> None:
    pages = {name: (DOCS / name).read_text("utf-8") for name in ("protocol.md", "games-on-the-wire.md")}
    for name, page in pages.items():
        for target, anchor in re.findall(r"\]\(([a-z-]+\.md)?(?:#([a-z0-9-]+))?\)", page):
            assert (DOCS / (target or name)).exists()
            if anchor:
                assert anchor in anchors(pages[target or name]), anchor


def anchors(page: str) -> set[str]:
    """The headings as links name them."""
    titles = re.findall(r"^#+ (.+)$", page, re.M)
    return {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}


# --- maps -----------------------------------------------------------------------------------------------------------


@every_game
def test_the_options_are_described_with_their_defaults_and_bounds(game: str) -> None:
    options = GAMES[game].Options
    listed = rows(part(game, "options"), "option", "type", "default", "meaning")
    check_fields(options, [Field(unquoted(name), kind, more) for name, kind, *more in listed])
    for name, _, default, meaning in listed:
        said = json.loads(unquoted(default).replace("nil", "null"))
        assert said == wired(msgspec.to_builtins(options()))[unquoted(name)]
        for low, high in re.findall(r", (\d+) to ([\d ]+\d)$", meaning):
            check_bounds(options, unquoted(name), int(low), int(high.replace(" ", "")))


def check_bounds(options: Any, name: str, low: int, high: int) -> None:
    for value in (low, high):
        options(**{name: value})
    for value in (low - 1, high + 1):
        with pytest.raises(ValueError, match=name):
            options(**{name: value})


@every_game
def test_the_state_is_described_field_by_field_in_its_order(game: str) -> None:
    described = fields(part(game, "state"), "map", "field", "type", "at first", "meaning")
    assert list(described) == [kind.__name__.lower() for kind in MAPS[game]]
    for kind in MAPS[game]:
        check_fields(kind, described[kind.__name__.lower()])


@every_game
def test_a_new_state_is_as_described(game: str) -> None:
    rules = GAMES[game]
    described = fields(part(game, "state"), "map", "field", "type", "at first", "meaning")
    for seats in rules.seats:
        new = msgspec.to_builtins(rules.new(seats, rules.Options()))
        assert msgpack.packb(new) == msgpack.packb(
            stranger.NEW[game](seats, msgspec.to_builtins(rules.Options()))
        )
        for field in described["state"]:
            if field.more[0].startswith("`") or field.more[0] == "nil":
                assert json.loads(unquoted(field.more[0]).replace("nil", "null")) == wired(new[field.name]), (
                    field
                )


@every_game
def test_the_new_maps_within_a_state_are_as_described(game: str) -> None:
    described = fields(part(game, "state"), "map", "field", "type", "at first", "meaning")
    for kind in MAPS[game][1:]:
        at_first = {field.name: field.more[0] for field in described[kind.__name__.lower()] if field.more[0]}
        if at_first:
            new = {
                name: json.loads(unquoted(value).replace("nil", "null")) for name, value in at_first.items()
            }
            assert new == wired(msgspec.to_builtins(kind()))


@every_game
def test_every_action_is_described_field_by_field(game: str) -> None:
    actions = tags(GAMES[game].Action)
    described = fields(part(game, "actions"), "action", "field", "type", "meaning")
    assert sorted(described) == sorted(actions)
    for name, kind in actions.items():
        check_fields(kind, described[name])
        assert not kind.__struct_defaults__, "a field with a default could be left out"


@every_game
def test_every_event_is_described_field_by_field(game: str) -> None:
    events = tags(GAMES[game].Event)
    text = part(game, "events")
    described = fields(text, "event", "field", "type", "meaning")
    assert sorted(described) == sorted(events)
    for name, kind in events.items():
        check_fields(kind, described[name])
    within = fields(text, "map", "field", "type", "meaning") if game in IN_EVENTS else {}
    assert list(within) == [kind.__name__.lower() for kind in IN_EVENTS.get(game, [])]
    for kind in IN_EVENTS.get(game, []):
        check_fields(kind, within[kind.__name__.lower()])


# --- what comes of what ---------------------------------------------------------------------------------------------


@cache
def games_of(game: str) -> list[Room]:
    """Some whole games."""
    return [
        played_out(game, seats, seats, options) for options in VARIANTS[game] for seats in GAMES[game].seats
    ]


def played_out(game: str, seats: int, seed: int, options: Map) -> Room:
    """A game in which everybody does anything, or lets the time pass in which something could be done."""
    room = Room(game, size=seats, seed=seed, **options)
    room.begin(*"ABCDEF"[:seats])
    while room.state.phase == "playing":
        due = room.table.due()
        if due is not None and room.rng.random() < 0.3:
            room.now = due
            room.table.elapse(due)
        else:
            room.act()
    return room


def name_of(event: Any) -> str:
    return event.__struct_config__.tag


@every_game
def test_what_comes_of_an_action_is_what_is_written(game: str) -> None:
    text = part(game, "actions")
    events = set(tags(GAMES[game].Event))
    spelled_out = (
        set(quoted(prose(text))) & events
    )  # "a loss", "the end of the turn": in the text below the table
    said: dict[str, set[str]] = {}
    for action, what in rows(text, "action", "events, in order"):
        more = spelled_out if re.search("a loss|the end of the|Stop", what) else set[str]()
        said.setdefault(action.split(":")[0].strip("`"), set()).update((set(quoted(what)) & events) | more)
    found: dict[str, set[str]] = {"time": set()}
    for entry in (entry for room in games_of(game) for entry in room.typed):
        if isinstance(entry, Acted | Elapsed):
            action = name_of(entry.action) if isinstance(entry, Acted) else "time"
            found.setdefault(action, set()).update(map(name_of, entry.events))
    assert set(said) == {action for action in found if found[action]}
    for action, kinds in found.items():
        assert kinds <= said.get(action, set()), action


@every_game
def test_for_every_event_it_says_what_it_draws_and_does(game: str) -> None:
    listed = rows(part(game, "events"), "event", "draws", "what it does to the state")
    assert [unquoted(name) for name, _, _ in listed] == list(
        fields(part(game, "events"), "event", "field", "type", "meaning")
    )
    assert all(effect for _, _, effect in listed)
    drawing = {unquoted(name): draws for name, draws, _ in listed if draws}
    found = draws_of(game)
    assert set(found) == set(drawing)
    for name, sides in found.items():
        assert ("dice(6)" in drawing[name]) == (6 in sides if len(sides) < 5 else False), name


@cache
def draws_of(game: str) -> dict[str, set[int]]:
    """By event, from how many it draws, as the stranger finds that it must."""
    found: dict[str, set[int]] = {}
    for room in games_of(game):
        entries = [wired(entry) for entry in room.table.entries(room.table.oldest())]
        for event, sides in stranger.check_game(wired(room.table.base()[1]), entries):
            found.setdefault(event, set()).add(sides)
    return found


@every_game
def test_every_code_is_explained(game: str) -> None:
    source = "".join(map(inspect.getsource, PARTS[game]))
    codes = set(re.findall(r'IllegalAction\(\s*"([a-z-]+)"', source))
    codes |= set(re.findall(r'^    "[a-z]+": \("([a-z-]+)", "', source, re.M))  # Express names some by phase
    listed = rows(part(game, "codes"), "code", "why the action is refused")
    assert sorted(unquoted(code) for code, _ in listed) == sorted(codes)
    assert all(why for _, why in listed)


# --- what the numbers mean ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "names"),
    [("Würfel Express", express_parts.COLOURS), ("Wurf & Weg", wurf_weg_parts.SYMBOLS)],
)
def test_colours_and_symbols_are_named_by_number(title: str, names: tuple[str, ...]) -> None:
    named = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    assert named in words(section(PAGE, title))


def test_the_cards_are_as_described() -> None:
    text = words(section(PAGE, "Wurf & Weg"))
    assert "number 3 i + k − 1, for i from 0 to 5 and k from 1 to 3" in text
    assert "symbol i on the left and (i + k) mod 6 on the right" in text
    for i in range(6):
        for k in (1, 2, 3):
            assert wurf_weg_parts.CARDS[3 * i + k - 1] == (i, (i + k) % 6)


def test_what_can_leave_express_is_listed_in_that_order() -> None:
    for seats, each in ((2, 3), (3, 2)):
        choices = express._REMOVALS[seats]
        assert removals(each) == [[msgspec.to_builtins(piece) for piece in choice] for choice in choices]
    colours = [[piece["colour"] for piece in choice] for choice in removals(2)]
    assert (colours[0], colours[1], colours[45]) == ([0, 1, 2, 3], [0, 1, 2, 4], [1, 4, 2, 3])
    text = words(part("express", "events"))
    assert "number 0 is the pieces 0 and 1 of length 2 and 2 and 3 of length 3" in text
    assert "number 1 is 0, 1 and 2, 4, and number 45 is 1, 4 and 2, 3" in text
    assert ("dice(20)" in text, "dice(90)" in text) == (len(removals(3)) == 20, len(removals(2)) == 90)


def test_the_finish_and_the_goal_are_the_program_s() -> None:
    assert f"front is {express_parts.FINISH} or more" in words(part("express", "events"))
    assert f"has {poker.GOAL} points or more" in words(part("poker", "state"))
    assert f"has {wurf_weg_parts.CARDS_TO_WIN} `won` or more" in words(part("wurf_weg", "events"))
    assert f"now + {wurf_weg_parts.COUNTDOWN}" in words(part("wurf_weg", "actions"))
    assert f"has {wurf_weg_parts.LAST_ROLLS} `rolls`" in words(part("wurf_weg", "events"))


# --- examples -------------------------------------------------------------------------------------------------------


def examples(game: str) -> list[Map]:
    found = re.search(r"^```json\n(.*?)^```", part(game, "example"), re.M | re.S)
    assert found
    decoder, text, entries = json.JSONDecoder(), found[1].strip(), list[Map]()
    while text:
        entry, end = decoder.raw_decode(text)
        entries.append(from_json(entry))
        text = text[end:].strip()
    return entries


def seats_in(game: str) -> int:
    return 3 if part(game, "example").strip().startswith("Three seats") else 2


@every_game
def test_the_entries_of_an_example_come_of_its_actions_and_its_secrets(game: str) -> None:
    rules, dice = GAMES[game], FairDice(SECRETS)
    state = rules.new(seats_in(game), rules.Options())
    shown = examples(game)
    assert len(shown) > 2
    for raw in shown:
        entry = entry_from(raw, rules)
        events = decided(rules, state, entry, dice)
        for event in events:
            state = rules.evolve(state, event)
        again = msgspec.structs.replace(entry, events=events, digest=digest(state))
        assert wired(plain(again)) == raw


def decided(rules: AnyRules, state: Any, entry: AnyEntry, dice: FairDice) -> tuple[Any, ...]:
    match entry:
        case Began():
            return tuple(rules.begin(state, dice))
        case Acted(seat=seat, action=action, now=now):
            return tuple(rules.decide(state, seat, action, dice, now))
        case Elapsed(now=now):
            return tuple(rules.elapse(state, dice, now))
        case _:
            raise AssertionError(entry)


def wired(value: Any) -> Any:
    """As it comes off the wire."""
    return msgpack.unpackb(msgpack.packb(value))
