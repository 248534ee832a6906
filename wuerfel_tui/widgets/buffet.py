"""The buffet of Gigi Gacker am Würfelacker: the pile, the morsels in a row, and what the pile still holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.geometry import Region
from textual.reactive import reactive

from wuerfel_tui.games.gigi import LEAST, MOST
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.palette import Look

GLIDE = 0.32
"""Seconds that a morsel takes to its new place."""
STEPS = 10
"""So many pictures of the way are drawn."""
WORTHS = range(LEAST, MOST + 1)
PILE = 6
"""Columns of the pile."""
WIDEST = 16
"""Columns of a morsel, at most."""

FIGURES = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", " ##", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
}
HALVES = {"  ": " ", "# ": "▀", " #": "▄", "##": "█"}


class Tile(NamedTuple):
    """A morsel of the buffet.

    worms: what it is worth
    who: would get it now
    ours: whether that is somebody at this screen
    was: what lies there before the choice is confirmed, if the choice would change it
    marked: it is the first of two that are to be swapped
    """

    worms: int
    who: str = ""
    ours: bool = False
    was: int | None = None
    marked: bool = False


class Pile(NamedTuple):
    """counts: how many morsels of each worth it holds, the least worth first; note: about these counts"""

    counts: tuple[int, ...] = (0,) * len(WORTHS)
    note: str = ""


class Buffet(Picture):
    """The pile, the row from the pile outwards, and what can still come.

    A click on a morsel is `Clicked(("place", index))`, counted from 0.
    """

    progress = reactive(1.0, repaint=False)
    """How far what moves has come; 1: it has arrived."""

    def __init__(self, motion: bool) -> None:
        super().__init__()
        self.motion = motion
        self.tiles: tuple[Tile, ...] = ()
        self.pile = Pile()
        self.origins: tuple[int, ...] = ()

    def show(self, tiles: Sequence[Tile], pile: Pile) -> None:
        self.tiles, self.pile = tuple(tiles), pile
        self.repaint()

    def glide(self, origins: Sequence[int]) -> None:
        """Has the morsels move to their places from these, by place; -1 is the pile."""
        if self.motion:
            self.origins = tuple(origins)
            self.progress = 0.0
            self.animate("progress", 1.0, duration=GLIDE, easing="out_cubic")

    def watch_progress(self, before: float, now: float) -> None:
        if int(before * STEPS) != int(now * STEPS):
            self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        cell = 4 if canvas.width >= 100 else 3
        room, left = canvas.width - cell * len(WORTHS), PILE + 2
        pitch = min(WIDEST + 1, (room - left) // max(1, len(self.tiles)))
        store = min(room, left + pitch * len(self.tiles) + 3) if self.tiles else room
        _draw_pile(canvas, look, sum(self.pile.counts))
        _draw_store(canvas, look, store, cell, self.pile)
        if not self.tiles:
            canvas.text(left, 1 + (canvas.height - 3) // 2, "No morsels are left.", look.style("muted"))
        boxes = [
            Region(left + index * pitch, 1, pitch - 1, canvas.height - 2) for index in range(len(self.tiles))
        ]
        for index, tile in enumerate(self.tiles):
            _draw_labels(canvas, look, boxes[index], index, tile)
            canvas.target(boxes[index].grow((1, 0, 1, 0)), "place", index)
        for index in self._drawn_order():
            draw_morsel(canvas, look, self._now(index, boxes), self.tiles[index].worms)

    def _moving(self, index: int) -> bool:
        return self.progress < 1 and index < len(self.origins) and self.origins[index] != index

    def _drawn_order(self) -> list[int]:
        """What moves is drawn over what lies."""
        return sorted(range(len(self.tiles)), key=self._moving)

    def _now(self, index: int, boxes: Sequence[Region]) -> Region:
        goal = boxes[index]
        if not self._moving(index):
            return goal
        origin = self.origins[index]
        start = boxes[origin].x if origin >= 0 else 1
        return Region(start + round((goal.x - start) * self.progress), goal.y, goal.width, goal.height)


def morsel_ground(worms: int) -> str:
    """The colour of a morsel, by its name in the palette: red costs worms, light blue is worth none."""
    return "R" if worms < 0 else "L" if worms == 0 else "Y" if worms <= 3 else "G"


def draw_morsel(canvas: Canvas, look: Look, box: Region, worms: int) -> None:
    """A morsel with its worth and as many worms, one row high or more."""
    ground = morsel_ground(worms)
    style = look.style(f"{ground}.", ground, bold=True)
    canvas.fill(box, style)
    large = box.height >= 5 and look.glyphs.halves
    text, width = str(abs(worms)), 3 if large else 1
    x, y = box.x + (box.width - width) // 2, box.y + (box.height - (4 if large else 1)) // 2
    if large:
        _draw_figure(canvas, x, y, text, style)
    else:
        canvas.text(x, y, text, style)
    if worms < 0:
        canvas.text(x - (2 if large else 1), y + width // 2, "-", style)
    if box.height > 2:
        canvas.text(box.x + (box.width - worms) // 2, y + width, "~" * worms, style)


def _draw_figure(canvas: Canvas, x: int, y: int, figure: str, style: Style) -> None:
    """A digit three rows high, of half cells."""
    pixels = [*FIGURES[figure], "   "]
    for row in range(3):
        pairs = zip(pixels[2 * row], pixels[2 * row + 1], strict=True)
        canvas.text(x, y + row, "".join(HALVES[upper + lower] for upper, lower in pairs), style)


def draw_token(canvas: Canvas, look: Look, box: Region, worms: int) -> None:
    """A morsel in a row of others, with a fine edge to the next one."""
    draw_morsel(canvas, look, box, worms)
    if look.glyphs.halves:
        ground = morsel_ground(worms)
        canvas.text(box.right - 1, box.y, look.glyphs.right, look.style(f"{ground}-", ground))


def fitted(text: str, width: int, cut: str) -> str:
    """The text, cut off with a sign where it is wider."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + cut


def _draw_pile(canvas: Canvas, look: Look, size: int) -> None:
    box = Region(1, 1, PILE, canvas.height - 2)
    ink, ground = ("wood.", "wood") if size else ("line", "lane")
    canvas.fill(box, look.style(ink, ground))
    if size and look.halves:  # the edges of the morsels below
        canvas.text(box.x, box.bottom, look.glyphs.upper * PILE, look.style("wood"))
    middle = box.y + (box.height - 1) // 2
    canvas.text(box.x, middle, str(size).center(PILE), look.style(ink, ground, bold=True))
    canvas.text(box.x, 0, "pile".center(PILE), look.style("muted"))


def _draw_labels(canvas: Canvas, look: Look, box: Region, index: int, tile: Tile) -> None:
    """Above a morsel its place, and what lies there as long as a change is not confirmed; below, who gets it."""
    above = f"place {index + 1}" if box.width >= 10 else str(index + 1)
    if tile.marked:
        above = f"{look.glyphs.cursor}{above}"
        canvas.fill(Region(box.x, 0, box.width, 1), look.style("select.", "select"))
        style = look.style("select.", "select", bold=True)
    elif tile.was is not None:
        above = f"{above if box.width >= 14 else index + 1} was {tile.was}"
        style = look.style("accent", bold=True)
    else:
        style = look.style("muted")
    canvas.text(box.x, 0, above.center(box.width), style, box.width)
    who = fitted(tile.who, box.width, look.glyphs.cut)
    ink = look.style("accent" if tile.ours else "text", bold=tile.ours)
    canvas.text(box.x + (box.width - cell_len(who)) // 2, box.bottom, who, ink)


def _draw_store(canvas: Canvas, look: Look, x: int, cell: int, pile: Pile) -> None:
    """How many morsels of each worth can still come, in numbers and, where there is room, as bars."""
    title = "Can still come"
    canvas.text(x, 0, title, look.style("text", bold=True))
    bars = canvas.height - 5
    worth = canvas.height - 3 if bars > 1 else 1
    for column, (worms, count) in enumerate(zip(WORTHS, pile.counts, strict=True)):
        left = x + column * cell
        ground = morsel_ground(worms)
        label = f"{worms:>2}".ljust(cell)
        ink = look.style(f"{ground}.", ground, bold=True) if count else look.style("muted", "lane")
        canvas.text(left, worth, label, ink)
        for level in range(min(count, bars) if bars > 1 else 0):
            bar = Region(left, worth - 1 - level, cell - 1, 1)
            canvas.text(bar.x, bar.y, look.glyphs.lower * bar.width, look.style(ground))
        number = str(count) if count else look.glyphs.dot
        canvas.text(left + 1, worth + 1, number, look.style("text" if count else "line", bold=bool(count)))
    canvas.text(x, min(worth + 2, canvas.height - 1), pile.note, look.style("muted"), canvas.width - x)
