"""docs/protocol.md is complete and true: every message, field, state, code, number and byte in it is checked here."""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgpack
import msgspec
import pytest
from msgspec import inspect as types

from protocol import codec, connection, discovery, host, limits, line, peer, session
from protocol.codec import HEADER, OtherVersion, decode, encode
from protocol.messages import PROTOCOL, FromHost, FromPeer, Status
from protocol.session import PIN_ROUNDS, TRANSITIONS, State, WelcomeToWatch, prove, stretch

DOC = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
MESSAGES = {kind.__struct_config__.tag: kind for kind in (*get_args(FromPeer), *get_args(FromHost))}


@cache
def section(title: str) -> str:
    """The text under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}$\n", DOC, re.M)
    assert found, f"there is no section {title!r}"
    rest = DOC[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.M)
    return rest[: end.start()] if end else rest


def rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, without headings, lines and backquotes."""
    cells = [
        [cell.strip().replace("`", "") for cell in row.strip("|").split("|")]
        for row in text.splitlines()
        if row.startswith("|")
    ]
    return [row for number, row in enumerate(cells) if not is_heading(cells, number)]


def is_heading(cells: list[list[str]], number: int) -> bool:
    def is_rule(row: list[str]) -> bool:
        return all(re.fullmatch(":?-+:?", cell) for cell in row)

    return is_rule(cells[number]) or (number + 1 < len(cells) and is_rule(cells[number + 1]))


def messages_in(text: str) -> dict[str, list[list[str]]]:
    """By message, the rows about its fields: `| hello | protocol | number 0–65535 | … |`; "" is the one above."""
    found: dict[str, list[list[str]]] = {}
    name = ""
    for row in rows(text):
        name = row[0] or name
        found.setdefault(name, []).append(row[1:])
    return found


def in_words(kind: types.Type) -> str:
    """A type as the document writes it."""
    match kind:
        case types.UnionType():
            return " or ".join(in_words(part) for part in kind.types)
        case types.NoneType():
            return "nil"
        case types.BoolType():
            return "boolean"
        case types.IntType():
            return f"number{bounds(kind.ge, kind.le)}"
        case types.StrType():
            return f"string{bounds(None, kind.max_length)}"
        case types.BytesType() if kind.min_length == kind.max_length:
            return f"bytes {kind.min_length}"
        case types.BytesType():
            return f"bytes{bounds(kind.min_length, kind.max_length)}"
        case types.DictType():
            return "map"
        case types.VarTupleType():
            return f"list of {in_words(kind.item_type)}"
        case types.StructType():
            return kind.tag if isinstance(kind.tag, str) else "?"
        case _:
            raise AssertionError(kind)


def bounds(least: float | None, most: float | None) -> str:
    if most is None:
        return ""
    return f" {least}–{power(most)}" if least is not None else f" ≤ {most}"


def power(number: float) -> str:
    return {2**53: "2⁵³", 2**31: "2³¹"}.get(int(number), str(number))


def default_of(field: types.Field) -> str:
    if field.required:
        return ""
    return "nil" if field.default is None else str(field.default)


# --- messages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "kinds"),
    [("From the peer", get_args(FromPeer)), ("From the host", get_args(FromHost))],
)
def test_every_message_is_described_with_all_its_fields(title: str, kinds: tuple[Any, ...]) -> None:
    described = messages_in(section(title))
    both = {"ping", "pong"}
    assert set(described) == {kind.__struct_config__.tag for kind in kinds} - both
    for name in described:
        check_fields(name, described[name])


def test_what_both_say_is_described() -> None:
    described = messages_in(section("From both"))
    assert set(described) == {"ping", "pong"}
    for name in described:
        check_fields(name, described[name])


def check_fields(name: str, described: list[list[str]]) -> None:
    kind = types.type_info(MESSAGES[name])
    assert isinstance(kind, types.StructType)
    expected = [[field.encode_name, in_words(field.type), default_of(field)] for field in kind.fields]
    assert [row[:3] for row in described if row[0]] == expected, name
    assert all(row[3] for row in described), f"something is not explained: {name}"


# --- bytes ----------------------------------------------------------------------------------------------------------

EXAMPLES = re.findall(r"```json\n(.*?)\n```\n+```hex\n(.*?)\n```", DOC, re.S)


def plain(value: Any) -> Any:
    """JSON with bytes written as "h'00ff'"."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    found = re.fullmatch(r"h'([0-9a-f]*)'", value) if isinstance(value, str) else None
    return bytes.fromhex(found[1]) if found else value


def test_there_are_enough_examples_in_bytes() -> None:
    shown = {json.loads(text)["type"] for text, _ in EXAMPLES}
    assert shown >= {"greeting", "hello", "welcome", "act", "events", "rejected", "ask", "status", "refused"}


@pytest.mark.parametrize(
    ("text", "hexadecimal"), EXAMPLES, ids=[json.loads(text)["type"] for text, _ in EXAMPLES]
)
def test_the_bytes_of_an_example_are_what_it_says(text: str, hexadecimal: str) -> None:
    said = plain(json.loads(text))
    frame = bytes.fromhex(hexadecimal)
    assert HEADER.unpack_from(frame)[0] == len(frame) - HEADER.size
    assert msgpack.unpackb(frame[HEADER.size :]) == said
    kind = FromPeer if MESSAGES[said["type"]] in get_args(FromPeer) else FromHost
    message = decode(frame[HEADER.size :], kind)
    if not isinstance(message, OtherVersion):
        assert encode(message) == frame


def test_the_example_of_a_pin_is_right() -> None:
    said = dict(re.findall(r"^    (\w+) += (\S+)$", section("The PIN"), re.M))
    key = stretch(said["pin"], bytes.fromhex(said["salt"]))
    assert key.hex() == said["key"]
    assert prove(key, bytes.fromhex(said["nonce"])).hex() == said["proof"]
    assert f"{PIN_ROUNDS:_}".replace("_", " ") in section("The PIN")


# --- states, codes, numbers -----------------------------------------------------------------------------------------


def test_the_table_of_states_is_the_one_in_the_program() -> None:
    said = {(state, message): then for state, message, then in rows(section("Who may say what when"))}
    names = {WelcomeToWatch: "welcome without seats", OtherVersion: "another version"}
    expected = {
        (state.value, names.get(kind) or kind.__struct_config__.tag): then.value
        for state, transitions in TRANSITIONS.items()
        for kind, then in transitions.items()
        if state is not State.BROKEN
    }
    spread = {
        (state, message): then for (state, messages), then in said.items() for message in messages.split(", ")
    }
    assert spread == expected


def test_every_code_of_this_package_is_explained() -> None:
    source = "".join(map(inspect.getsource, (codec, connection, host, line, peer, session)))
    found = re.findall(
        r"(?:part|Malformed|Unwelcome|_reject|Closing|Fault|_give_up)\(\s*(?:[a-z., ]+, )?\"([a-z-]+)\",",
        source,
    )
    found += re.findall(r"return \"([a-z-]+)\", f?\"", source)
    found += [host.TOO_FAST[0], "not-allowed"]
    own = {"closed", "internal", "lost", "unreachable", "malformed"}  # a peer's program says these to itself
    said = {row[0] for row in rows(section("Codes"))}
    assert set(found) - own <= said
    assert {"closed", "internal"} <= said


def test_the_numbers_are_those_of_the_program() -> None:
    said = {name: value for name, value, *_ in rows(section("Limits"))}
    defaults = limits.Limits()
    expected = {
        "to the host, before welcome": codec.TO_HOST_EARLY,
        "to the host, from welcome on": codec.TO_HOST,
        "from the host, before hello": codec.FROM_HOST_EARLY,
        "from the host, from hello on": codec.FROM_HOST,
        "depth": codec.MAX_DEPTH,
        "ping every": defaults.heartbeat,
        "silence": defaults.patience,
        "greetings": defaults.handshake,
        "connections": defaults.connections,
        "connections from one address": defaults.per_address,
        "requests a second": defaults.rate,
        "requests at once": defaults.burst,
        "resync counts as": host.RESYNC_COST,
        "say counts as": host.SAY_COST,
        "backlog": defaults.backlog_bytes,
        "backlog in frames": defaults.backlog_frames,
        "reading nothing": defaults.stall,
        "answers remembered": host.REMEMBERED_ANSWERS,
        "events in one frame": host.CHUNK,
    }
    assert {name: float(value) for name, value in said.items()} == expected


def test_the_announcement_is_described_key_by_key() -> None:
    status = Status(PROTOCOL, "t", "g", "n", "h", 4, 2, "waiting", True)
    assert [row[0] for row in rows(section("Discovery"))] == list(discovery._properties(status))
    assert discovery.SERVICE in section("Discovery")


def test_the_version_is_named() -> None:
    assert f"protocol version **{PROTOCOL}**" in DOC


def test_every_message_struct_is_in_one_of_the_two_unions() -> None:
    from protocol import messages

    structs = {
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__module__ == messages.__name__
    }
    assert structs - {messages.Message, messages.Request} == {*get_args(FromPeer), *get_args(FromHost)}
