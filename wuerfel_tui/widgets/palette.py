"""The colours and signs of the table: felt, wood, ivory and six piece colours, for every terminal that there is.

A `Look` is chosen from what the app and its terminal can do, and hands out Rich styles by name. Designed are truecolor,
256 and 16 colours, the terminal's own colours (each on dark and on light), and none at all, where only bold, dim,
underline and reverse are left. A letter always says what a colour says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from rich.color import Color
from rich.style import Style
from textual.app import App

Depth: TypeAlias = Literal["true", "256", "16", "own", "none"]
"""How many colours there are. `own`: 16, as the terminal's user has set them; `none`: no colour."""

LETTERS = "RYGBLW"
"""Red, yellow, green, dark blue, light blue, white: the letter of a colour, and the name of its ground."""

# Grounds: felt (the table), lane (what lies on it), wood, ivory, select (what is chosen), and a letter for each colour.
# Inks on felt and lane: text, muted, accent, warn, line (dots), and a letter + "~" for each colour.
# Inks on a ground of its own: ground + "." as in "wood."; muted there: ground + "-" as in "ivory-".

_DARK = {
    "felt": "#12382a", "lane": "#1c4a2e", "line": "#3c745b", "text": "#f3efe2", "muted": "#a3c4b3",
    "accent": "#ffb45e",
    "warn": "#ffab91", "wood": "#5b2e1a", "wood.": "#f7e6c8", "wood-": "#d0ad7e", "ivory": "#f1e8d3",
    "ivory.": "#2a2118",
    "ivory-": "#6b5f4b", "select": "#f2953a", "select.": "#241302", "select-": "#5a3410",
    "R": "#c93a32", "R.": "#fff4ee", "R-": "#8a1f1a", "R~": "#ff8f80",
    "Y": "#f7dc4a", "Y.": "#2e2203", "Y-": "#a88d0c", "Y~": "#fbe36a",
    "G": "#4fb85f", "G.": "#06210d", "G-": "#2a7a38", "G~": "#83e08f",
    "B": "#2d4fc4", "B.": "#f1f5ff", "B-": "#1a2f7e", "B~": "#9db2ff",
    "L": "#6cc7ee", "L.": "#05293a", "L-": "#2f8db6", "L~": "#8fdcff",
    "W": "#f7f5ef", "W.": "#2a2a2a", "W-": "#a9a69c", "W~": "#ffffff",
}  # fmt: skip
_LIGHT = _DARK | {
    "felt": "#dcf0dc", "lane": "#c9dfcb", "line": "#7fa888", "text": "#16271c", "muted": "#44604f",
    "accent": "#8a4b00",
    "warn": "#a3261a", "wood": "#b98a58", "wood.": "#22130a", "wood-": "#3a210e", "ivory": "#fffaec",
    "ivory-": "#746852",
    "select": "#22563d", "select.": "#ffffff", "select-": "#bfe0cc",
    "R~": "#a81f18", "Y~": "#775700", "G~": "#176a2a", "B~": "#22399c", "L~": "#0d5c82", "W~": "#3c3c3c",
    "G": "#3fa952",
}  # fmt: skip

# Only what the six-level cube would get wrong: the nearest of 256 to a dark green is a blue.
_DARK_256 = _DARK | {
    "felt": "#005f00", "lane": "#005f00", "line": "#5faf5f", "text": "#ffffff", "muted": "#afd7af",
    "accent": "#ffd787",
    "warn": "#ffafaf", "wood": "#5f0000", "wood.": "#ffffd7", "wood-": "#d7af87", "ivory": "#ffffd7",
    "ivory.": "#000000",
    "ivory-": "#5f5f00", "select": "#ff8700", "select.": "#000000", "select-": "#5f0000",
    "R": "#af0000", "R.": "#ffffff", "R-": "#ff8787", "Y": "#ffd700", "Y.": "#000000", "Y-": "#875f00",
    "G": "#5fd75f", "G.": "#000000", "G-": "#005f00", "B": "#0000d7", "B.": "#ffffff", "B-": "#8787ff",
    "L": "#5fd7ff", "L.": "#000000", "L-": "#005f87", "W": "#ffffff", "W.": "#000000", "W-": "#878787",
    "R~": "#ffafaf", "Y~": "#ffff5f", "G~": "#87ff87", "B~": "#d7d7ff", "L~": "#87ffff", "W~": "#ffffff",
}  # fmt: skip
_LIGHT_256 = _DARK_256 | {
    "felt": "#d7ffd7", "lane": "#d7ffd7", "line": "#5f875f", "text": "#000000", "muted": "#005f00",
    "accent": "#870000",
    "warn": "#870000", "wood": "#af875f", "wood.": "#000000", "wood-": "#000000",
    "select": "#005f00", "select.": "#ffffff", "select-": "#afd7af", "G": "#00af00",
    "R~": "#870000", "Y~": "#5f5f00", "G~": "#005f00", "B~": "#0000af", "L~": "#005f87", "W~": "#303030",
}  # fmt: skip

# Numbers of the 16 colours; -1 is the terminal's own ground or ink, whatever it is.
_DARK_16 = {
    "felt": -1, "lane": -1, "line": 2, "text": -1, "muted": 7, "accent": 13, "warn": 9, "wood": 3, "wood.": 0,
    "wood-": 0, "ivory": 7, "ivory.": 0, "ivory-": 0, "select": 5, "select.": 15, "select-": 15,
    "R": 1, "R.": 15, "R-": 9, "R~": 9, "Y": 11, "Y.": 0, "Y-": 3, "Y~": 11, "G": 2, "G.": 0, "G-": 0, "G~": 10,
    "B": 4, "B.": 15, "B-": 12, "B~": 12, "L": 14, "L.": 0, "L-": 6, "L~": 14, "W": 15, "W.": 0, "W-": 8, "W~": 15,
}  # fmt: skip
_LIGHT_16 = _DARK_16 | {
    "W": 7, "muted": 8, "accent": 5, "warn": 1, "R~": 1, "Y~": 3, "G~": 2, "B~": 4, "L~": 6, "W~": 8,
}  # fmt: skip

_RGB_16 = (
    "#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
    "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
)  # fmt: skip
"""What Rich turns back into exactly these 16, as Textual knows only RGB unless its theme is an ANSI one."""

_TABLES: dict[tuple[Depth, bool], dict[str, str]] = {
    ("true", True): _DARK,
    ("true", False): _LIGHT,
    ("256", True): _DARK_256,
    ("256", False): _LIGHT_256,
    ("16", True): {name: _RGB_16[max(0, number)] for name, number in _DARK_16.items()} | {"text": "#ffffff"},
    ("16", False): {name: _RGB_16[number] for name, number in _LIGHT_16.items()} | {"text": "#000000"},
    ("own", True): {
        name: "default" if number < 0 else f"color({number})" for name, number in _DARK_16.items()
    },
    ("own", False): {
        name: "default" if number < 0 else f"color({number})" for name, number in _LIGHT_16.items()
    },
}


class Glyphs(NamedTuple):
    """The signs the boards draw with: all of width one, in fonts that terminals have."""

    turn: str  # whose turn it is
    cursor: str  # the chosen entry
    back: str  # something slides back
    cut: str  # the rest does not fit
    to: str  # from one number to another
    dot: str  # an empty place
    bar: str  # the length of a piece, where no colour shows it
    left: str  # the edges of a piece
    right: str
    top: str
    bottom: str
    upper: str  # half a cell
    lower: str
    finish: str
    pip: str
    halves: bool  # whether upper, lower, top and bottom can be drawn


UNICODE = Glyphs(
    turn="▸", cursor="▸", back="◂", cut="…", to="→", dot="·", bar="─", left="▏", right="▕", top="▔", bottom="▁",
    upper="▀", lower="▄", finish="▚", pip="●", halves=True,
)  # fmt: skip
ASCII = Glyphs(
    turn=">", cursor=">", back="<", cut=".", to=">", dot=".", bar="-", left="[", right="]", top=" ", bottom=" ",
    upper=" ", lower=" ", finish="#", pip="o", halves=False,
)  # fmt: skip


class Look(NamedTuple):
    """Colours and signs for one terminal. Compared by value, so that it is a cheap key."""

    depth: Depth
    dark: bool
    glyphs: Glyphs

    def style(self, ink: str, on: str = "felt", bold: bool = False, underline: bool = False) -> Style:
        """The Rich style of an ink on a ground, both by name."""
        return _style(self.depth, self.dark, ink, on, bold, underline)

    @property
    def halves(self) -> bool:
        """Whether two colours can share a cell, one above the other."""
        return self.glyphs.halves and self.depth != "none"

    @property
    def bare(self) -> bool:
        """Whether shapes must say all, as there is no colour or no fine line."""
        return self.depth == "none" or not self.glyphs.halves

    def css(self, name: str) -> str:
        """A colour for Textual's styles."""
        if self.depth == "none":
            return "ansi_default"
        colour = _TABLES[self.depth, self.dark][name]
        return "ansi_default" if colour == "default" else colour


_SOLID = frozenset(LETTERS) | {"ivory", "select", "wood"}


@lru_cache(maxsize=1024)
def _style(depth: Depth, dark: bool, ink: str, on: str, bold: bool, underline: bool) -> Style:
    if depth == "none":
        bold = bold or ink in ("accent", "warn")
        return Style(bold=bold, underline=underline, dim=ink in ("muted", "line"), reverse=on in _SOLID)
    table = _TABLES[depth, dark]
    return Style(
        color=Color.parse(table[ink]),
        bgcolor=Color.parse(table[on]),
        bold=bold or None,
        underline=underline or None,
    )


def look_for(app: App[object]) -> Look:
    """The look that suits an app's theme and terminal; plain signs if the app says `ascii`."""
    glyphs = ASCII if getattr(app, "ascii", False) else UNICODE
    return Look(_depth(app), app.current_theme.dark, glyphs)


def _depth(app: App[object]) -> Depth:
    if app.no_color:
        return "none"
    if app.native_ansi_color:
        return "own"
    match app.console.color_system:
        case "256":
            return "256"
        case "standard" | "windows":
            return "16"
        case _:  # truecolor, or nothing known: Textual then writes truecolor
            return "true"
