"""A row of dice: ivory, with a coloured letter or pips, numbered for the digit keys, with a word under each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.style import Style
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.reactive import reactive

from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.palette import Look

TUMBLE = 0.36
"""Seconds from the throw to the landing."""
TURNS = 6
"""So many pictures are drawn of it."""

_PIPS = {
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (0, 2), (2, 0), (2, 2)),
    "5": ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    "6": ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)),
}
"""Row and column of each pip, counted in a grid of three by three."""


class Die(NamedTuple):
    """How a die lies there.

    face: a letter, or a digit for pips; empty: not thrown yet
    ground: the colour behind a letter, by its name in the palette; `ivory` for pips
    state: `kept` is set aside, `spent` has done its work, `gone` is an empty place, `ghost` would lie there
    word: stands under it, at most five letters
    """

    face: str
    ground: str = "ivory"
    state: Literal["", "kept", "spent", "gone", "ghost"] = ""
    word: str = ""

    @property
    def pips(self) -> bool:
        return self.face in _PIPS


class DieView(Picture):
    """One die, the number of its digit key in a corner, and a word under it. A click is `Clicked(("die", index))`."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
        self.die: Die | None = None
        self.cursor = self.numbered = False

    def show(self, die: Die | None, cursor: bool, numbered: bool) -> None:
        self.die, self.cursor, self.numbered = die, cursor, numbered
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        if self.die is None:
            return
        region = Region(0, 0, canvas.width - 1, canvas.height - 1)
        numbered = self.numbered and self.die.state != "spent"
        draw_die(canvas, look, region, self.die, str(self.index + 1) if numbered else "")
        _draw_word(canvas, look, region, self.die, self.cursor)
        canvas.target(Region(0, 0, canvas.width, canvas.height), "die", self.index)


class DiceRow(Arranged):
    """Dice side by side, as large as the space allows; each a widget, so that only what changes is sent.

    places: so many dice at most
    faces: what a tumbling die shows in turn, a letter each
    """

    progress = reactive(1.0, repaint=False)
    """How far a throw has come; 1: it has landed."""

    def __init__(self, places: int, faces: str, motion: bool) -> None:
        super().__init__()
        self.views = tuple(DieView(index) for index in range(places))
        self.faces, self.motion = faces, motion
        self.dice: tuple[Die, ...] = ()
        self.thrown: tuple[int, ...] = ()
        self.cursor: int | None = None
        self.numbered = False

    def compose(self) -> ComposeResult:
        yield from self.views

    def regions(self, size: Size) -> list[Region]:
        die = die_size(self.faces, len(self.views), size)
        width, height = die.width + 1, die.height + 1
        return [Region(1 + index * width, 0, width, height) for index in range(len(self.views))]

    def show(self, dice: Sequence[Die], cursor: int | None = None, numbered: bool = False) -> None:
        """The dice as they lie, the one that the cursor is on, and whether digits pick them."""
        self.dice, self.cursor, self.numbered = tuple(dice), cursor, numbered
        self.repaint()

    def tumble(self, thrown: Sequence[int]) -> None:
        """Has these dice tumble before they show what they show."""
        if self.motion and self.app.animation_level == "full":
            self.thrown = tuple(thrown)
            self.progress = 0.0
            self.animate("progress", 1.0, duration=TUMBLE, easing="linear")

    def watch_progress(self, before: float, now: float) -> None:
        if int(before * TURNS) != int(now * TURNS):
            self.repaint()

    def repaint(self) -> None:
        for index, view in enumerate(self.views):
            die = self._now(index, self.dice[index]) if index < len(self.dice) else None
            view.show(die, index == self.cursor, self.numbered)

    def _now(self, index: int, die: Die) -> Die:
        """How a die looks at this moment: the thrown ones land one after the other, and have no colour before."""
        if self.progress >= 1 or index not in self.thrown:
            return die
        if self.progress >= 0.5 + 0.5 * self.thrown.index(index) / len(self.thrown):
            return die
        turn = int(self.progress * TURNS)
        return Die(self.faces[(index * 5 + turn * 7 + turn * turn) % len(self.faces)], word=die.word)


def die_size(faces: str, places: int, space: Size) -> Size:
    """The size of one die when so many lie side by side in so much space, with a word under each."""
    large, small = (Size(11, 5), Size(7, 3)) if faces[0] in _PIPS else (Size(9, 5), Size(5, 3))
    fits = large.height < space.height and places * (large.width + 1) < space.width + 1
    return large if fits else small


def draw_die(canvas: Canvas, look: Look, region: Region, die: Die, number: str) -> None:
    if die.state == "gone":
        _draw_place(canvas, look, region)
        return
    ground = {"kept": "select", "spent": "lane", "ghost": "lane"}.get(die.state, "ivory")
    canvas.fill(region, look.style("text" if ground == "lane" else f"{ground}.", ground))
    if die.state == "kept" and look.bare:  # no golden rim
        for y in (region.y, region.bottom - 1):
            canvas.text(region.x, y, look.glyphs.bar * region.width, look.style("select.", "select"))
    if die.state == "ghost":
        draw_edges(canvas, look, region, look.style("accent", ground, bold=True))
    if die.pips:
        ink = "accent" if die.state == "ghost" else "muted" if ground == "lane" else f"{ground}."
        _draw_pips(canvas, look, region, die.face, look.style(ink, ground, bold=True))
    elif die.face:
        _draw_letter(canvas, look, region, die, ground)
    canvas.text(region.x, region.y, number, look.style("muted" if ground == "lane" else f"{ground}-", ground))


def _draw_letter(canvas: Canvas, look: Look, region: Region, die: Die, ground: str) -> None:
    """A patch of colour, half a row from the upper and lower edge, and the letter in its middle."""
    middle = region.y + region.height // 2
    centre = region.x + region.width // 2
    if die.state == "spent":
        canvas.text(centre, middle, die.face, look.style(f"{die.ground}~", ground))
        return
    inner = region.shrink((0, 1, 0, 1))
    canvas.fill(inner.shrink((1, 0, 1, 0)), look.style(f"{die.ground}.", die.ground, bold=True))
    if look.halves:
        edge = look.style(die.ground, ground)
        canvas.text(inner.x, inner.y, look.glyphs.lower * inner.width, edge)
        canvas.text(inner.x, inner.bottom - 1, look.glyphs.upper * inner.width, edge)
    canvas.text(centre, middle, die.face, look.style(f"{die.ground}.", die.ground, bold=True))


def draw_edges(canvas: Canvas, look: Look, region: Region, style: Style) -> None:
    """The left and right edge of a die, or of a place for one."""
    for y in range(region.y, region.bottom):
        canvas.text(region.x, y, look.glyphs.left, style)
        canvas.text(region.right - 1, y, look.glyphs.right, style)


def _draw_pips(canvas: Canvas, look: Look, region: Region, face: str, style: Style) -> None:
    step_x, step_y = (region.width + 1) // 4, 1  # about square, as a cell is twice as high as wide
    left, top = region.x + (region.width - 1) // 2 - step_x, region.y + region.height // 2 - step_y
    for row, column in _PIPS[face]:
        canvas.text(left + column * step_x, top + row * step_y, look.glyphs.pip, style)


def _draw_place(canvas: Canvas, look: Look, region: Region) -> None:
    """Where a die is missing."""
    canvas.fill(region, look.style("line", "lane"))
    canvas.text(
        region.x + region.width // 2,
        region.y + region.height // 2,
        look.glyphs.dot,
        look.style("line", "lane"),
    )


def _draw_word(canvas: Canvas, look: Look, region: Region, die: Die, cursor: bool) -> None:
    """What happens to the die, and whether the cursor is on it."""
    kept = die.state == "kept"
    word = look.glyphs.cursor + die.word if cursor else die.word
    style = look.style("text" if cursor else "accent" if kept else "muted", bold=kept or cursor)
    canvas.text(region.x + (region.width - len(word)) // 2, region.bottom, word, style)
