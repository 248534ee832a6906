"""Reads the tables of a page in docs/, and writes the program's types as such a page does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import inspect as types

DOCS = Path(__file__).parent.parent / "docs"


class Field(NamedTuple):
    """A row about a field of a map.

    type: as the page writes it
    more: the cells behind it; the last one is the meaning
    """

    name: str
    type: str
    more: list[str]


def section(page: str, title: str) -> str:
    """The text under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}$\n", page, re.M)
    assert found, f"there is no section {title!r}"
    rest = page[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.M)
    return rest[: end.start()] if end else rest


def rows(text: str, *heading: str) -> list[list[str]]:
    """The cells of all tables with this heading in a text."""
    found: list[list[str]] = []
    for table in re.findall(r"(?:^\|.*\n?)+", text, re.M):
        first, _, *lines = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
        ]
        if first == list(heading):
            assert all(len(line) == len(first) for line in lines), f"a row is too long or too short: {first}"
            found += lines
    assert found, f"there is no table {heading}"
    return found


def fields(text: str, *heading: str) -> dict[str, list[Field]]:
    """By map, entry, action or event, the rows about its fields; the name stands in the first of them only."""
    found: dict[str, list[Field]] = {}
    name = ""
    for first, field, kind, *more in rows(text, *heading):
        if first:
            name = unquoted(first)
            assert name not in found, f"{name} comes twice"
        found.setdefault(name, [])
        assert more[-1], f"{name} {field} is not explained"
        if field:
            found[name].append(Field(unquoted(field), kind, more))
    return found


def unquoted(cell: str) -> str:
    """A name without its backquotes."""
    return cell.strip("`")


def quoted(text: str) -> list[str]:
    """What stands in backquotes, in order."""
    return re.findall(r"`([^`]+)`", text)


def prose(text: str) -> str:
    """A text without its tables."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def check_fields(kind: Any, described: Iterable[Field], any_as: dict[str, str] | None = None) -> None:
    """Asserts that a struct has just these fields, of these types and in this order, and that its words are named.

    any_as: by field, what the page calls a type that only a game knows
    """
    described = list(described)
    struct = types.type_info(kind)
    assert isinstance(struct, types.StructType)
    expected = [
        (field.encode_name, (any_as or {}).get(field.name) or in_words(field.type)) for field in struct.fields
    ]
    assert [(field.name, field.type) for field in described] == expected, kind
    for field, row in zip(struct.fields, described, strict=True):
        if isinstance(field.type, types.LiteralType):
            assert set(field.type.values) <= set(quoted(row.more[-1])), (
                f"{kind} {row.name} can be more than it says"
            )


def in_words(kind: types.Type) -> str:
    """A type as the pages write it."""
    match kind:
        case types.UnionType():
            return " or ".join(in_words(part) for part in kind.types)
        case types.NoneType():
            return "nil"
        case types.BoolType():
            return "boolean"
        case types.IntType():
            return "number"
        case types.StrType() | types.LiteralType():
            return "string"
        case types.BytesType():
            return "bytes"
        case types.DictType():
            return "map"
        case types.VarTupleType(item_type=types.AnyType()):
            return "list of event"
        case types.VarTupleType(item_type=types.UnionType()):
            return f"list of ({in_words(kind.item_type)})"
        case types.VarTupleType():
            return f"list of {in_words(kind.item_type)}"
        case types.TupleType():
            (item,) = {in_words(item) for item in kind.item_types}
            return f"list of {len(kind.item_types)} {item}"
        case types.StructType():
            return kind.cls.__name__.lower().removesuffix("info")
        case _:
            raise AssertionError(kind)


def from_json(value: Any) -> Any:
    """JSON with bytes written as "h'00ff'"."""
    if isinstance(value, dict):
        return {key: from_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [from_json(item) for item in value]
    found = re.fullmatch(r"h'([0-9a-f]*)'", value) if isinstance(value, str) else None
    return bytes.fromhex(found[1]) if found else value
