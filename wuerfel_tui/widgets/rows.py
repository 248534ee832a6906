"""The board of Würfel Poker: both players with their points, and three rows whose halves face each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.reactive import reactive

from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.canvas import Canvas, Picture, wrapped
from wuerfel_tui.widgets.dice import Die, draw_die, draw_edges
from wuerfel_tui.widgets.palette import Look

ROWS = range(3)
SIDES = range(2)
SPACES = range(3)
GOAL = 5
"""So many points have a place beside the name."""
LANDING = 0.3
"""Seconds that a die takes into its space."""
WIDEST_MIDDLE = 40
"""Columns between the halves: in a wide window the board lies in its middle rather than fall apart."""


class Player(NamedTuple):
    """Who plays a side.

    points: of each finished game
    note: stands beside the name: `you`, `bot`, `away`
    turn: throws or chooses next
    """

    name: str
    points: tuple[int, ...] = ()
    note: str = ""
    turn: bool = False


class Half(NamedTuple):
    """One side's half of a row.

    ghost: the die that would join; 0 if none would. What follows is then as it would be
    key: the digit that chooses this half; stands in the space that would be filled
    name: what the dice are; best: what they can still become, if there is a choice
    lost: the row is decided, and not for this side
    fresh: the last of the dice has just come
    """

    dice: tuple[int, ...] = ()
    ghost: int = 0
    key: str = ""
    name: str = ""
    best: str = ""
    lost: bool = False
    fresh: bool = False


class Row(NamedTuple):
    """A row, from left to right.

    ahead: the side that leads, None while they are level; who: its player; does: `leads`, `wins`
    why: in a few words
    """

    left: Half
    right: Half
    ahead: int | None = None
    who: str = ""
    does: str = ""
    why: str = ""

    @property
    def chosen(self) -> bool:
        return bool(self.left.ghost or self.right.ghost)


class Rows(Arranged):
    """Names, points and rows. A click on a half is `Clicked(("half", row, side))`.

    Every space, text and number is a picture of its own, so that only what changes is sent.
    """

    def __init__(self, motion: bool) -> None:
        super().__init__()
        self.motion = motion
        self.players = Players()
        self.rim = Rim()
        self.middles = tuple(Middle(row) for row in ROWS)
        self.captions = tuple(tuple(Caption(row, side) for side in SIDES) for row in ROWS)
        self.spaces = tuple(
            tuple(tuple(Space(row, side, space) for space in SPACES) for side in SIDES) for row in ROWS
        )

    def compose(self) -> ComposeResult:
        yield from (self.players, self.rim, *self.middles)
        yield from (caption for row in self.captions for caption in row)
        yield from (space for row in self.spaces for side in row for space in side)

    def regions(self, size: Size) -> list[Region]:
        grid = Grid.fit(size.width, size.height)
        return [
            Region(0, 0, size.width, 1),
            Region(0, grid.bottom, size.width, 1),
            *(grid.middle(row) for row in ROWS),
            *(grid.caption(row, side) for row in ROWS for side in SIDES),
            *(grid.box(row, side, space) for row in ROWS for side in SIDES for space in SPACES),
        ]

    def show(self, players: Sequence[Player], rows: Sequence[Row]) -> None:
        self.players.show(players)
        for row in ROWS:
            self.middles[row].show(rows[row])
            for side, half in enumerate((rows[row].left, rows[row].right)):
                self.captions[row][side].show(half)
                for space in self.spaces[row][side]:
                    space.show(half)

    def land(self, row: int, side: int, space: int) -> None:
        """Has a die come into its space from below, within a moment."""
        if self.motion and self.app.animation_level == "full":
            self.spaces[row][side][space].land()


class Grid(NamedTuple):
    """Where things are.

    lines: of text under the dice
    top, pitch: where the first row of the board begins, and how far it is to the next
    starts: the columns where the halves begin
    """

    width: int
    die: Size
    lines: int
    top: int
    pitch: int
    starts: tuple[int, int]

    @classmethod
    def fit(cls, width: int, height: int) -> Grid:
        pitch = max(4, (height - 2) // len(ROWS))
        die = Size(7, 3) if pitch < 6 else Size(9, 5) if width < 100 else Size(11, 5)
        lines = 2 if pitch - die.height > 2 else 1
        half = _half_width(die)
        middle = min(WIDEST_MIDDLE, width - 2 - 2 * half)
        left = (width - middle - 2 * half) // 2
        top = 2 if len(ROWS) * pitch + 2 < height else 1
        return cls(width, die, lines, top, pitch, (left, left + half + middle))

    @property
    def left(self) -> int:
        """The column where the board begins."""
        return self.starts[0]

    @property
    def bottom(self) -> int:
        return self.top + len(ROWS) * self.pitch

    def box(self, row: int, side: int, space: int) -> Region:
        """The cells of a space."""
        x = self.starts[side] + space * (self.die.width + 1)
        return Region(x, self.top + row * self.pitch, *self.die)

    def caption(self, row: int, side: int) -> Region:
        """The cells under half a row, up to the middle of the board."""
        y = self.top + row * self.pitch + self.die.height
        left, middle, right = self.left, self.width // 2, self.starts[1] + _half_width(self.die)
        return (
            Region(middle, y, right - middle, self.lines)
            if side
            else Region(left, y, middle - left, self.lines)
        )

    def middle(self, row: int) -> Region:
        """The cells between the halves, a column away from them."""
        x = self.left + _half_width(self.die) + 1
        return Region(x, self.top + row * self.pitch, self.starts[1] - 1 - x, self.die.height)


def _half_width(die: Size) -> int:
    return len(SPACES) * (die.width + 1) - 1


def shorten(text: str, room: int, look: Look) -> str:
    """The text, cut off with a sign where it is too wide."""
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, max(0, room - 1)).rstrip() + look.glyphs.cut


class Players(Picture):
    """Names at the edges, the points between them, a group of pips for each finished game."""

    def __init__(self) -> None:
        super().__init__()
        self.players: Sequence[Player] = ()

    def show(self, players: Sequence[Player]) -> None:
        self.players = players
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        canvas.fill(Region(0, 0, canvas.width, 1), look.style("wood.", "wood"))
        if not self.players:
            return
        left, right = self.players
        ink = look.style("wood.", "wood")
        totals = f"{sum(left.points)} : {sum(right.points)}"
        x = (canvas.width - len(totals)) // 2
        canvas.text(x, 0, totals, look.style("wood.", "wood", bold=True))
        start = x - 2 - len(_pips(look, left))
        canvas.text(start, 0, _pips(look, left), ink)
        end = canvas.text(x + len(totals) + 2, 0, _pips(look, right), ink)
        _draw_name(canvas, look, left, Region(0, 0, start - 1, 1), at_right=False)
        _draw_name(canvas, look, right, Region(end + 1, 0, canvas.width - end - 1, 1), at_right=True)


def _pips(look: Look, player: Player) -> str:
    left = GOAL - sum(player.points)
    groups = [*(look.glyphs.pip * points for points in player.points), look.glyphs.dot * left]
    return " ".join(group for group in groups if group)


def _draw_name(canvas: Canvas, look: Look, player: Player, area: Region, at_right: bool) -> None:
    note = f" {player.note}" if player.note else ""
    name = shorten(player.name, area.width - 3 - cell_len(note), look)
    x = area.right - cell_len(name) - cell_len(note) - 1 if at_right else area.x + 2
    ground = "select" if player.turn else "wood"
    bold = look.style(f"{ground}.", ground, bold=True)
    if player.turn:
        canvas.text(x - 2, 0, f"{look.glyphs.turn} {name} ", bold)
    end = canvas.text(x, 0, name, bold)
    canvas.text(end, 0, note, look.style("wood-", "wood"))


class Rim(Picture):
    """The lower edge of the board."""

    def draw(self, canvas: Canvas, look: Look) -> None:
        if look.glyphs.halves:
            canvas.text(0, 0, look.glyphs.upper * canvas.width, look.style("wood"))


class Space(Picture):
    """A space of the board, with or without a die."""

    progress = reactive(1.0, repaint=False)
    """How far a die has come; 1: it lies there."""

    def __init__(self, row: int, side: int, index: int) -> None:
        super().__init__()
        self.row, self.side, self.index = row, side, index
        self.half = Half()

    def show(self, half: Half) -> None:
        self.half = half
        self.repaint()

    def land(self) -> None:
        self.progress = 0.0
        self.animate("progress", 1.0, duration=LANDING, easing="out_cubic")

    def watch_progress(self, before: float, now: float) -> None:
        if self._fall(before) != self._fall(now):
            self.repaint()

    def _fall(self, progress: float) -> int:
        """By how many rows a die is still too low."""
        return round((1 - progress) * self.size.height)

    def draw(self, canvas: Canvas, look: Look) -> None:
        box = Region(0, 0, canvas.width, canvas.height)
        canvas.target(box, "half", self.row, self.side)
        count = len(self.half.dice)
        if self.half.ghost and self.index == count:
            draw_die(canvas, look, box, Die(str(self.half.ghost), state="ghost"), "")
            return
        self._draw_empty(canvas, look, box)
        if self.index < count:
            self._draw_placed(canvas, look, box.translate((0, self._fall(self.progress))))

    def _draw_empty(self, canvas: Canvas, look: Look, box: Region) -> None:
        """The space, in it the digit that chooses it: a key in brackets, as it must not look like a die."""
        draw_die(canvas, look, box, Die("", state="gone"), "")
        _draw_frame(canvas, look, box)
        if self.half.key and self.index == len(self.half.dice):
            style = look.style("accent", "lane")
            canvas.text(box.width // 2 - 1, box.height // 2, f"[{self.half.key}]", style)

    def _draw_placed(self, canvas: Canvas, look: Look, box: Region) -> None:
        lost = self.half.lost
        draw_die(canvas, look, box, Die(str(self.half.dice[self.index]), state="spent" if lost else ""), "")
        if self.half.fresh and self.index == len(self.half.dice) - 1:
            draw_edges(canvas, look, box, look.style("accent", "lane" if lost else "ivory", bold=True))
        elif lost:
            _draw_frame(canvas, look, box)


def _draw_frame(canvas: Canvas, look: Look, box: Region) -> None:
    """Edges, where colours do not set a space apart from the felt."""
    if look.depth in ("16", "own", "none"):
        draw_edges(canvas, look, box, look.style("line", "lane"))


class Caption(Picture):
    """What a half is, and what it can become: on one line, or on two where there is room."""

    def __init__(self, row: int, side: int) -> None:
        super().__init__()
        self.row, self.side = row, side
        self.half = Half()

    def show(self, half: Half) -> None:
        self.half = half
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        canvas.target(Region(0, 0, canvas.width, canvas.height), "half", self.row, self.side)
        half = self.half
        what = f"{look.glyphs.to} {half.name}" if half.ghost else half.name
        ink = "accent" if half.ghost else "muted" if half.lost else "text"
        best = f" {look.glyphs.dot} {half.best}" if half.best and canvas.height == 1 else half.best
        texts = [(what, look.style(ink, bold=bool(half.ghost))), (best, look.style("muted"))]
        lines = [texts] if canvas.height == 1 else [[text] for text in texts]
        for y, line in enumerate(lines):
            x = canvas.width - sum(cell_len(text) for text, _ in line) if self.side else 0
            for text, style in line:
                x = canvas.text(x, y, text, style)


class Middle(Picture):
    """A row's number, who is ahead, and why."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
        self.row = Row(Half(), Half())

    def show(self, row: Row) -> None:
        self.row = row
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        row, chosen = self.row, self.row.chosen
        why = wrapped(row.why, canvas.width)
        y = max(0, (canvas.height - 2 - len(why)) // 2)
        number = f"{look.glyphs.cursor if chosen else ' '}{self.index + 1} "
        ground = "select" if chosen else "wood"
        _centre(canvas, y, number, look.style(f"{ground}.", ground, bold=True))
        style = look.style("accent" if chosen else "text", bold=True)
        _centre(canvas, y + 1, _verdict(row, canvas.width, look), style)
        for line, text in enumerate(why, start=y + 2):
            _centre(canvas, line, text, look.style("muted"))


def _verdict(row: Row, width: int, look: Look) -> str:
    if row.ahead is None:
        return row.does
    text = f"{shorten(row.who, width - 3 - len(row.does), look)} {row.does}"
    return f"{text} {look.glyphs.turn}" if row.ahead else f"{look.glyphs.back} {text}"


def _centre(canvas: Canvas, y: int, text: str, style: Style) -> None:
    canvas.text((canvas.width - cell_len(text)) // 2, y, text, style)
