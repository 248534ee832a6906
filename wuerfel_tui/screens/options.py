"""The options of any game as fields of a form, read off the game's own `Options`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
from textual.widgets import Input

from wuerfel_tui.games.core import AnyRules
from wuerfel_tui.widgets.picker import Pick, Picker


class Field(NamedTuple):
    """One option.

    kind: bool, or whatever else is typed as text
    help: the line that the docstring of `Options` has for it
    """

    name: str
    kind: Any
    default: Any
    help: str

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    def widget(self) -> YesNoField | TextField:
        return YesNoField(self) if self.kind is bool else TextField(self)


class YesNoField(Picker):
    """An option that is on or off."""

    def __init__(self, field: Field) -> None:
        super().__init__([Pick(False, "no"), Pick(True, "yes")], field.default)
        self.field = field

    def read(self) -> Any:
        return self.value


class TextField(Input):
    """An option that is typed."""

    def __init__(self, field: Field) -> None:
        super().__init__(_as_text(field.default), compact=True)
        self.field = field
        self.cursor_blink = False

    def read(self) -> Any:
        """What is in it, as `msgspec.convert` takes it."""
        text = self.value.strip()
        return text.replace(",", " ").split() if isinstance(self.field.default, tuple) else text or None


OptionField: TypeAlias = YesNoField | TextField


def option_fields(rules: AnyRules) -> Sequence[Field]:
    """The options that a form shows; who begins is a field of every form and not among them."""
    helps = _helps(rules.Options.__doc__ or "")
    return [
        Field(field.name, field.type, field.default, helps.get(field.name, ""))
        for field in msgspec.structs.fields(rules.Options)
        if field.name != "first"
    ]


def convert_options(rules: AnyRules, seats: int, values: dict[str, Any]) -> dict[str, Any]:
    """The options as plain values; `ValueError` with a sentence if they, or so many seats, do not fit the game."""
    try:
        options = msgspec.convert(
            values, rules.Options, strict=False
        )  # typed text counts as the number that it is
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$")
        name = path.strip("`.").partition("[")[0].replace("_", " ")
        raise ValueError(f"{name.capitalize()}: {sentence}" if name else sentence) from None
    rules.new(seats, options)
    return {key: value for key, value in msgspec.to_builtins(options).items() if key in values}


def _as_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)


def _helps(docstring: str) -> dict[str, str]:
    """The `name: what it is` lines of a docstring."""
    pairs = (line.strip().split(": ", 1) for line in docstring.splitlines() if ": " in line)
    return {name: text[:1].upper() + text[1:].split(" (")[0] for name, text in pairs}
