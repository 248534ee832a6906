"""A terminal's picture as SVG.

Other than in Textual's own export, blocks and lines are shapes: whatever font there is, nothing gapes between two rows.
What is drawn alike is drawn at once, so that a picture has a quarter of the size, and nothing in it is made up anew
with every run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple, TypeAlias

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

WIDE, HIGH = 12, 24
"""Of a cell, in pixels."""
SIZE, BASELINE = 20, 18
FONTS = "Fira Code,DejaVu Sans Mono,Menlo,Consolas,monospace"
EDGE, BAR = 10, 34
"""Of the window around the terminal: its sides, and its upper edge with three buttons."""
WINDOW, BUTTONS = "#2b2b2b", ("#ff5f57", "#febc2e", "#28c840")

BLOCKS = {
    "█": ((0, 0, 12, 24),),
    "▀": ((0, 0, 12, 12),),
    "▄": ((0, 12, 12, 12),),
    "▌": ((0, 0, 6, 24),),
    "▐": ((6, 0, 6, 24),),
    "▏": ((0, 0, 1.5, 24),),
    "▕": ((10.5, 0, 1.5, 24),),
    "▔": ((0, 0, 12, 3),),
    **{block: ((0, 21 - 3 * n, 12, 3 + 3 * n),) for n, block in enumerate("▁▂▃")},
    **{block: ((0, 9 - 3 * n, 12, 15 + 3 * n),) for n, block in enumerate("▅▆▇")},
    "▚": ((0, 0, 6, 12), (6, 12, 6, 12)),
    "▞": ((6, 0, 6, 12), (0, 12, 6, 12)),
}
"""Rectangles within a cell: left, top, width, height."""
LINES = {
    "─": (0, 12, "h12"),
    "│": (6, 0, "v24"),
    "╭": (12, 12, "q-6,0-6,12"),
    "╮": (0, 12, "q6,0 6,12"),
    "╰": (6, 0, "q0,12 6,12"),
    "╯": (6, 0, "q0,12-6,12"),
    "┌": (12, 12, "h-6v12"),
    "┐": (0, 12, "h6v12"),
    "└": (6, 0, "v12h6"),
    "┘": (6, 0, "v12h-6"),
}
"""Where a line begins within a cell, and how it goes on."""


class Ink(NamedTuple):
    """How letters are drawn."""

    colour: str
    bold: bool
    underlined: bool


class Run(NamedTuple):
    """Neighbouring letters on one line; x and y count cells."""

    x: int
    y: int
    text: str


Paths: TypeAlias = dict[str, list[str]]
"""By colour, what is drawn in it."""


class Picture:
    """Takes up a line of the terminal after the other."""

    def __init__(self) -> None:
        self.grounds: Paths = defaultdict(list)
        self.blocks: Paths = defaultdict(list)
        self.lines: Paths = defaultdict(list)
        self.letters: dict[Ink, list[Run]] = defaultdict(list)
        self.area: Counter[str] = Counter()
        self.width = self.height = 0

    def add(self, segments: Iterable[Segment]) -> None:
        x, y = 0, self.height
        for text, maybe, _ in Segment.simplify(segments):
            style = maybe or Style.null()
            ink, ground = colour(style.color), colour(style.bgcolor)
            if style.reverse:
                ink, ground = ground, ink
            self._add_ground(x, y, len(text), ground)
            self._add_text(x, y, text, Ink(ink, bool(style.bold), bool(style.underline)))
            x += len(text)
        self.width, self.height = x, y + 1

    def _add_ground(self, x: int, y: int, width: int, ground: str) -> None:
        self.area[ground] += width
        self.grounds[ground].append(rectangle(x * WIDE, y * HIGH, width * WIDE, HIGH))

    def _add_text(self, x: int, y: int, text: str, ink: Ink) -> None:
        for kind, group in groupby(enumerate(text, x), key=lambda place: kind_of(place[1])):
            places = list(group)
            match kind:
                case "block":
                    self.blocks[ink.colour] += [path for place in places for path in block(*place, y)]
                case "line":
                    self.lines[ink.colour] += [line(*place, y) for place in places]
                case _:
                    if runs := list(words(places, y)):
                        self.letters[ink] += runs

    def svg(self) -> str:
        base = self.area.most_common(1)[0][0]
        width, height = self.width * WIDE, self.height * HIGH
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * EDGE} {height + BAR + EDGE}">',
            f'<rect width="100%" height="100%" rx="9" fill="{WINDOW}"/>',
            *(f'<circle cx="{22 + 22 * n}" cy="17" r="6" fill="{fill}"/>' for n, fill in enumerate(BUTTONS)),
            f'<g transform="translate({EDGE},{BAR})">',
            '<g shape-rendering="crispEdges">',
            f'<path fill="{base}" d="{rectangle(0, 0, width, height)}"/>',
            *(fill(ground, paths) for ground, paths in self.grounds.items() if ground != base),
            *(fill(ink, paths) for ink, paths in self.blocks.items()),
            "</g>",
            '<g fill="none" stroke-width="1.5">',
            *(f'<path stroke="{ink}" d="{"".join(paths)}"/>' for ink, paths in self.lines.items()),
            "</g>",
            f'<g font-family="{FONTS}" font-size="{SIZE}" style="font-variant-ligatures:none">',
            *(part for ink, runs in self.letters.items() for part in written(ink, runs)),
            "</g>",
            "</g>",
            "</svg>",
        ]
        return "\n".join(parts) + "\n"


def kind_of(sign: str) -> str:
    """Signs stand apart from letters: what a font lacks comes from another one, where it may have another width."""
    if sign in BLOCKS:
        return "block"
    if sign in LINES:
        return "line"
    return "sign" if sign >= "\u2000" else "letter"


def block(x: int, sign: str, y: int) -> Iterator[str]:
    for left, top, width, height in BLOCKS[sign]:
        yield rectangle(x * WIDE + left, y * HIGH + top, width, height)


def line(x: int, sign: str, y: int) -> str:
    left, top, path = LINES[sign]
    return f"M{x * WIDE + left},{y * HIGH + top}{path}"


def words(places: Sequence[tuple[int, str]], y: int) -> Iterator[Run]:
    """Runs without two blanks in a row, which SVG would make one."""
    x, text = places[0][0], "".join(sign for _, sign in places)
    for part in text.split("  "):
        if stripped := part.strip():
            yield Run(x + part.index(stripped), y, stripped)
        x += len(part) + 2


def written(ink: Ink, runs: Sequence[Run]) -> Iterator[str]:
    """Every run has its length said, so that it fits in any font."""
    bold = ' font-weight="bold"' if ink.bold else ""
    underlined = ' text-decoration="underline"' if ink.underlined else ""
    yield f'<g fill="{ink.colour}"{bold}{underlined}>'
    for x, y, text in runs:
        length = f' textLength="{len(text) * WIDE}"' if len(text) > 1 else ""
        yield f'<text x="{x * WIDE}" y="{y * HIGH + BASELINE}"{length}>{escape(text, quote=False)}</text>'
    yield "</g>"


def fill(ink: str, paths: Sequence[str]) -> str:
    return f'<path fill="{ink}" d="{"".join(paths)}"/>'


def rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:g},{y:g}h{width:g}v{height:g}h{-width:g}z"


def colour(of: Color | None) -> str:
    return "#000000" if of is None else of.get_truecolor().hex
