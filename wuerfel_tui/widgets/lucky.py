"""The six lucky symbols: a picture, a sign, a letter, a name and a colour for each, any of which is enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from textual.geometry import Offset, Size

from wuerfel_tui.widgets.canvas import Canvas
from wuerfel_tui.widgets.palette import ASCII, Look

ART = Size(10, 5)
"""Cells of a picture: ten pixels by ten, two to a cell."""


class Symbol(NamedTuple):
    """How a symbol is shown.

    letter: not always the first of its name, since three of the six begin with C and two with H
    sign, plain: one cell each, the latter of ASCII
    colour: by its letter in the palette
    pixels: rows of the picture
    """

    letter: str
    name: str
    sign: str
    plain: str
    colour: str
    pixels: tuple[str, ...]

    def ink(self) -> str:
        """The palette's name of its colour on felt."""
        return f"{self.colour}~"


LUCKY = (
    Symbol("C", "clover", "♣", "%", "G", (
        "..##..##..",
        ".####.###.",
        "####..####",
        ".###..###.",
        "...####...",
        ".###..###.",
        "####..####",
        ".###.#.##.",
        "..##.#.#..",
        "......#...",
    )),
    Symbol("P", "pig", "∞", "@", "R", (
        "##......##",
        "###.##.###",
        ".########.",
        "##.####.##",
        "##########",
        "##......##",
        "##.#..#.##",
        "##......##",
        ".########.",
        "..######..",
    )),
    Symbol("A", "cat", "▲", "^", "W", (
        "#....#..##",
        "##..##..##",
        "######..##",
        "#.##.#.##.",
        "######.##.",
        ".####.##..",
        "#######...",
        "######....",
        "######..#.",
        ".##.####..",
    )),
    Symbol("O", "coin", "●", "o", "Y", (
        "...####...",
        ".########.",
        ".########.",
        "###....###",
        "###....###",
        "###....###",
        "###....###",
        ".########.",
        ".########.",
        "...####...",
    )),
    Symbol("H", "horseshoe", "∩", "n", "L", (
        "...####...",
        ".########.",
        ".#.####.#.",
        "####..####",
        "###....###",
        "#.#....#.#",
        "###....###",
        "###....###",
        "#.##..##.#",
        "####..####",
    )),
    Symbol("N", "hand", "Ψ", "w", "B", (
        "....##....",
        ".##.##.##.",
        ".##.##.##.",
        ".##.##.##.",
        ".########.",
        "####..####",
        "###.##.###",
        ".###..###.",
        "..######..",
        "...####...",
    )),
)  # fmt: skip
"""By the number that the rules give them."""

_CELLS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_PLAIN_CELLS = {(False, False): " ", (True, False): '"', (False, True): ".", (True, True): "#"}


def sign(look: Look, number: int) -> str:
    """A symbol in one cell."""
    return LUCKY[number].plain if look.glyphs is ASCII else LUCKY[number].sign


def tag(look: Look, number: int) -> str:
    """A symbol in three cells: sign and letter."""
    return f"{sign(look, number)} {LUCKY[number].letter}"


def called(look: Look, number: int) -> str:
    """A symbol in words, after its sign and its letter."""
    return f"{tag(look, number)} {LUCKY[number].name}"


def draw_pixels(
    canvas: Canvas, look: Look, at: Offset, pixels: Sequence[str], style: Style, scale: int = 1
) -> None:
    """A picture of `#` and `.`, each pixel `scale` cells wide and half as many high; an even number of rows."""
    cells = _CELLS if look.glyphs.halves else _PLAIN_CELLS
    lines = [[pixel == "#" for pixel in line for _ in range(scale)] for line in pixels for _ in range(scale)]
    for y, pair in enumerate(zip(lines[::2], lines[1::2], strict=True)):
        canvas.text(at.x, at.y + y, "".join(cells[halves] for halves in zip(*pair, strict=True)), style)
