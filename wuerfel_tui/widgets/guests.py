"""Who eats at the buffet of Gigi Gacker am Würfelacker: a row each, with dice, total, place and morsels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region
from textual.reactive import reactive

from wuerfel_tui.widgets.buffet import draw_morsel, draw_token, fitted, morsel_ground
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.dice import TUMBLE, TURNS
from wuerfel_tui.widgets.palette import Look

HAND = 3
"""Dice that everybody has."""
MORSEL = 3
"""Columns of a morsel in a row."""

Slot: TypeAlias = tuple[str, int, int]
"""`aside` or `left`, whose, and which die of these."""


class Chip(NamedTuple):
    """A small die, or a morsel that counts in its place.

    face: what it shows; a die not thrown yet shows nothing
    kind: a die set aside, one in front, one that counts nothing, or a morsel
    new: it would lie there if the choice were confirmed
    """

    face: str
    kind: Literal["aside", "left", "idle", "morsel"] = "left"
    new: bool = False


class Guest(NamedTuple):
    """One row.

    eater: its number in the rules
    turn, starts, mine: it is its turn; it has the start worm; it sits at this screen
    note: stands beside the name, or below
    aside, left: the dice set aside, and those in front
    total, place, worms: each with what it is before the choice is confirmed; None: it has none
    gets: the morsel at its place
    morsels: those collected
    leaving: one of these that the choice would spend
    """

    eater: int
    name: str
    turn: bool = False
    starts: bool = False
    mine: bool = False
    note: str = ""
    aside: tuple[Chip, ...] = ()
    left: tuple[Chip, ...] = ()
    total: tuple[int, int] | None = None
    place: tuple[int, int] | None = None
    gets: int | None = None
    worms: tuple[int, int] | None = None
    morsels: tuple[int, ...] = ()
    leaving: int | None = None


class Columns(NamedTuple):
    """Where the columns of the rows begin."""

    die: int
    aside: int
    left: int
    total: int
    place: int
    gets: int
    worms: int
    morsels: int

    @classmethod
    def fit(cls, width: int) -> Columns:
        die = 5 if width >= 104 else 3
        aside = 16 + min(9, (width - 80) // 4)
        left = aside + HAND * (die + 1)
        total = left + HAND * (die + 1)
        return cls(die, aside, left, total, total + 6, total + 12, total + 17, total + 23)


class Guests(Picture):
    """The rows under their header. A click on a morsel of ours is `Clicked(("morsel", eater, worms))`.

    motion: whether dice tumble
    """

    progress = reactive(1.0, repaint=False)
    """How far a throw has come; 1: it has landed."""

    def __init__(self, motion: bool) -> None:
        super().__init__()
        self.motion = motion
        self.guests: tuple[Guest, ...] = ()
        self.eaten: int | None = None
        self.thrown: frozenset[Slot] = frozenset()

    def show(self, guests: Sequence[Guest], eaten: int | None = None) -> None:
        """eaten: the round of which this is the result; None: it is still going on"""
        self.guests, self.eaten = tuple(guests), eaten
        self.repaint()

    def tumble(self, thrown: Collection[Slot]) -> None:
        """Has these dice tumble before they show what they show."""
        if self.motion:
            self.thrown = frozenset(thrown)
            self.progress = 0.0
            self.animate("progress", 1.0, duration=TUMBLE, easing="linear")

    def watch_progress(self, before: float, now: float) -> None:
        if int(before * TURNS) != int(now * TURNS):
            self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        columns = Columns.fit(canvas.width)
        _draw_header(canvas, look, columns, self.eaten)
        if not self.guests:
            return
        lane = min(3, (canvas.height - 1) // len(self.guests))
        for index, guest in enumerate(self.guests):
            box = Region(0, 1 + index * lane, canvas.width, lane)
            canvas.fill(box, look.style("text", "lane"))
            _draw_name(canvas, look, columns, box, guest)
            self._draw_dice(canvas, look, columns, box, guest)
            _draw_numbers(canvas, look, columns, box, guest)
            _draw_morsels(canvas, look, columns, box, guest)
        bottom = 1 + lane * len(self.guests)
        if look.glyphs.halves:
            canvas.text(0, bottom, look.glyphs.upper * canvas.width, look.style("wood"))

    def _draw_dice(self, canvas: Canvas, look: Look, columns: Columns, box: Region, guest: Guest) -> None:
        for name, x, chips in (("aside", columns.aside, guest.aside), ("left", columns.left, guest.left)):
            for index in range(HAND):
                place = Region(x + index * (columns.die + 1), box.y, columns.die, box.height)
                if index < len(chips):
                    _draw_chip(canvas, look, place, self._now((name, guest.eater, index), chips[index]))
                elif name == "aside" and guest.total is not None:
                    middle = _middle(box)
                    dot = look.style("line", "lane")
                    canvas.text(place.x + place.width // 2, middle, look.glyphs.dot, dot)

    def _now(self, slot: Slot, chip: Chip) -> Chip:
        if self.progress >= 1 or slot not in self.thrown:
            return chip
        turn = int(self.progress * TURNS)
        return chip._replace(face=str(1 + (slot[2] * 5 + turn * 7 + turn * turn) % 6))


def _middle(box: Region) -> int:
    """The row of a lane with its numbers."""
    return box.y + (1 if box.height == 3 else 0)


def _draw_header(canvas: Canvas, look: Look, columns: Columns, eaten: int | None) -> None:
    canvas.fill(Region(0, 0, canvas.width, 1), look.style("wood.", "wood"))
    quiet, loud = look.style("wood-", "wood"), look.style("wood.", "wood", bold=True)
    now = eaten is None
    canvas.text(1, 0, "~ begins" if now else f"Round {eaten}", quiet if now else loud)
    if now:  # all that follows can change until the round is eaten
        canvas.text(columns.total - 5, 0, "now:", loud)
    canvas.text(columns.gets, 0, "gets" if now else "got", quiet if now else loud)
    for x, label in (
        (columns.aside, "aside"),
        (columns.left, "front"),
        (columns.total, "total"),
        (columns.place, "place"),
        (columns.worms, "worms"),
        (columns.morsels, "of these morsels"),
    ):
        canvas.text(x, 0, label, quiet)


def _draw_name(canvas: Canvas, look: Look, columns: Columns, box: Region, guest: Guest) -> None:
    y = _middle(box)
    if guest.turn:
        canvas.text(0, y, look.glyphs.turn, look.style("accent", "lane", bold=True))
    if guest.starts:
        canvas.text(1, y, "~", look.style("text", "lane", bold=True))
    room, beside = columns.aside - 4, ""
    if guest.note and box.height == 1:
        beside = " " + fitted(guest.note, max(4, room - 1 - cell_len(guest.name)), look.glyphs.cut)
    name = fitted(guest.name, room - cell_len(beside), look.glyphs.cut)
    style = look.style("accent" if guest.turn else "text", "lane", bold=guest.turn or guest.mine)
    end = canvas.text(3, y, name, style)
    quiet = look.style("muted", "lane")
    if box.height == 1:
        canvas.text(end, y, beside, quiet)
    else:
        canvas.text(3, y + 1, guest.note, quiet, columns.aside - 4)


def _draw_chip(canvas: Canvas, look: Look, place: Region, chip: Chip) -> None:
    """A die or a morsel, half a row higher above and below where the lane has room."""
    row = Region(place.x, _middle(place), place.width, 1)
    if chip.kind == "morsel":
        ground = morsel_ground(int(chip.face))
        draw_morsel(canvas, look, row, int(chip.face))
        _draw_edges(canvas, look, place, row.y, look.style(ground, "lane"), solid=True)
    elif chip.kind == "aside":
        ground = "select" if chip.new else "ivory"
        canvas.text(row.x, row.y, chip.face.center(row.width), look.style(f"{ground}.", ground, bold=True))
        _draw_edges(canvas, look, place, row.y, look.style(ground, "lane"), solid=True)
    else:
        idle = chip.kind == "idle"
        ink = look.style("muted" if idle else "text", "lane", bold=not idle)
        canvas.text(row.x, row.y, (chip.face or look.glyphs.dot).center(row.width), ink)
        if not idle:
            canvas.text(row.x, row.y, look.glyphs.left, ink)
            canvas.text(row.right - 1, row.y, look.glyphs.right, ink)
            _draw_edges(canvas, look, place, row.y, ink, solid=False)
    if chip.new:
        canvas.text(row.x - 1, row.y, look.glyphs.cursor, look.style("accent", "lane", bold=True))


def _draw_edges(canvas: Canvas, look: Look, place: Region, y: int, style: Style, solid: bool) -> None:
    """What a die shows above and below the row with its face."""
    if not look.glyphs.halves:
        return
    glyphs = look.glyphs
    above, below = (glyphs.lower, glyphs.upper) if solid else (glyphs.bottom, glyphs.top)
    if y > place.y:
        canvas.text(place.x, y - 1, above * place.width, style)
    if place.bottom > y + 1:
        canvas.text(place.x, y + 1, below * place.width, style)


def _draw_numbers(canvas: Canvas, look: Look, columns: Columns, box: Region, guest: Guest) -> None:
    y = _middle(box)
    for x, number in (
        (columns.total, guest.total),
        (columns.place, guest.place),
        (columns.worms, guest.worms),
    ):
        if number is not None:
            _draw_change(canvas, look, x, y, number)
    if guest.gets is not None:
        draw_token(canvas, look, Region(columns.gets, y, MORSEL, 1), guest.gets)


def _draw_change(canvas: Canvas, look: Look, x: int, y: int, number: tuple[int, int]) -> None:
    now, was = number
    text = str(now) if now == was else f"{was}{look.glyphs.to}{now}"
    canvas.text(x, y, text.rjust(5), look.style("text" if now == was else "accent", "lane", bold=True))


def _draw_morsels(canvas: Canvas, look: Look, columns: Columns, box: Region, guest: Guest) -> None:
    """The morsels collected, in as many lines as they need."""
    line = max(1, (canvas.width - columns.morsels + 1) // MORSEL)  # the last one needs no edge
    top = box.y if len(guest.morsels) > line else _middle(box)
    leaving = guest.morsels.index(guest.leaving) if guest.leaving in guest.morsels else None
    for index, worms in enumerate(guest.morsels):
        row, column = divmod(index, line)
        place = Region(columns.morsels + column * MORSEL, top + row, MORSEL, 1)
        if place.y >= box.bottom:
            canvas.text(canvas.width - 1, place.y - 1, look.glyphs.cut, look.style("text", "lane"))
            return
        if index == leaving:
            canvas.text(place.x, place.y, f"{worms:>2}", look.style("muted", "lane"))
        else:
            draw_token(canvas, look, place, worms)
        if guest.mine:
            canvas.target(place, "morsel", guest.eater, worms)
