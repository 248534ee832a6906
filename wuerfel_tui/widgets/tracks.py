"""The race of Würfel Express: everybody's track beside the ruler, and the display of pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.geometry import Region
from textual.reactive import reactive

from wuerfel_tui.games.express_parts import FINISH, LENGTHS, Piece, Track
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.palette import LETTERS, Look

GLIDE = 0.32
"""Seconds that a piece or a track takes to its new place."""
STEPS = 6
"""So many pictures of the way are drawn."""

Place: TypeAlias = tuple[int, int]
"""A seat and the space where a piece begins. One seat more than there are is below the lanes: the display."""
Move: TypeAlias = tuple[Place, Place]
"""From where to where."""
Kind: TypeAlias = Literal["solid", "ghost", "gone", "idle"]
"""A piece that lies there, one that would come, one that would leave, one that is no use."""


class Lane(NamedTuple):
    """One player's row.

    track: as it lies, or would lie if the choice were confirmed
    ghosts: so many pieces at the front would be new
    leaving: pieces that would leave, and the spaces where they begin
    was: the front as it is, if the choice would change it
    note: stands beside the track: `last`
    loot: the rearmost piece can be stolen
    """

    name: str
    track: Track
    turn: bool = False
    mine: bool = False
    mark: str = ""
    note: str = ""
    ghosts: int = 0
    leaving: tuple[tuple[int, Piece], ...] = ()
    was: int | None = None
    loot: bool = False


class Tracks(Picture):
    """Ruler and lanes. A click on a lane's rearmost piece is `Clicked(("rear", seat))`."""

    progress = reactive(1.0, repaint=False)
    """How far what moves has come; 1: it has arrived."""

    def __init__(self, motion: bool) -> None:
        super().__init__()
        self.motion = motion
        self.lanes: tuple[Lane, ...] = ()
        self.moves: Mapping[Piece, Move] = {}

    def show(self, lanes: Sequence[Lane]) -> None:
        self.lanes = tuple(lanes)
        self.repaint()

    def glide(self, moves: Mapping[Piece, Move]) -> None:
        """Has these pieces move to where they lie now."""
        if self.motion and self.app.animation_level == "full":
            self.moves = moves
            self.progress = 0.0
            self.animate("progress", 1.0, duration=GLIDE, easing="out_cubic")

    def watch_progress(self, before: float, now: float) -> None:
        if int(before * STEPS) != int(now * STEPS):
            self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        if not self.lanes:
            return
        grid = Grid.fit(canvas.width, canvas.height, len(self.lanes))
        _draw_ruler(canvas, look, grid)
        for seat, lane in enumerate(self.lanes):
            front = lane.track.front
            _draw_ground(canvas, look, grid, seat, front, front if lane.was is None else lane.was)
            _draw_name(canvas, look, grid, seat, lane)
            _draw_front(canvas, look, grid, seat, lane)
        for seat, lane in enumerate(self.lanes):
            self._draw_track(canvas, look, grid, seat, lane)
        if self.progress < 1:
            for piece, (origin, goal) in self.moves.items():
                box = grid.between(origin, goal, piece.length, self.progress)
                draw_piece(canvas, look, box, piece, "solid")
        _draw_rim(canvas, look, grid, len(self.lanes))

    def _draw_track(self, canvas: Canvas, look: Look, grid: Grid, seat: int, lane: Lane) -> None:
        """The pieces of a lane but those that are on their way."""
        for start, piece in lane.leaving:
            draw_piece(canvas, look, grid.box(seat, start, piece.length), piece, "gone")
        for index, (start, piece) in enumerate(places(lane.track)):
            if self.progress < 1 and piece in self.moves:
                continue
            box = grid.box(seat, start, piece.length)
            ghost = index >= len(lane.track.pieces) - lane.ghosts
            underline = lane.loot and index == 0
            draw_piece(canvas, look, box, piece, "ghost" if ghost else "solid", underline)
            if index == 0:
                canvas.target(box, "rear", seat)


def cell_width(width: int) -> int:
    """How many columns a space has where there are so many for the whole board."""
    return max(2, (width - 20) // FINISH)


class Grid(NamedTuple):
    """Where things are: `left` columns of names, then `cell` columns a space; `rows` rows a lane, from row 1 on."""

    left: int
    cell: int
    rows: int

    @classmethod
    def fit(cls, width: int, height: int, lanes: int) -> Grid:
        cell = cell_width(width)
        left = 12 + max(0, min(8, width - 20 - cell * FINISH))
        return cls(left, cell, max(1, min(3, (height - 1) // lanes)))

    def x(self, space: int) -> int:
        return self.left + (space - 1) * self.cell

    def y(self, seat: int) -> int:
        return 1 + seat * self.rows

    def box(self, seat: int, start: int, length: int) -> Region:
        """The cells of a piece; what reaches beyond the finish is cut off, as the number beside it says how far."""
        end = min(start + length, FINISH + 1)
        return Region(self.x(start), self.y(seat), (end - start) * self.cell, self.rows)

    def between(self, origin: Place, goal: Place, length: int, progress: float) -> Region:
        """The cells of a piece on its way."""
        there, here = self.box(*goal, length), self.box(*origin, length)
        x = round(here.x + (there.x - here.x) * progress)
        y = round(here.y + (there.y - here.y) * progress)
        return Region(x, y, there.width, there.height)


def places(track: Track) -> list[tuple[int, Piece]]:
    """The pieces of a track with the spaces where they begin."""
    found: list[tuple[int, Piece]] = []
    start = track.rear
    for piece in track.pieces:
        found.append((start, piece))
        start += piece.length
    return found


def draw_piece(
    canvas: Canvas,
    look: Look,
    box: Region,
    piece: Piece,
    kind: Kind,
    underline: bool = False,
    on: str = "lane",
) -> None:
    """A piece with its letter and length, one to three rows high."""
    letter = LETTERS[piece.colour]
    middle = box.y + (1 if box.height == 3 else 0)
    if kind == "solid":
        body, edge = look.style(f"{letter}.", letter, bold=True), look.style(f"{letter}-", letter)
        label = look.style(f"{letter}.", letter, bold=True, underline=underline)
        half = look.style(letter, on)
    else:
        ink = "muted" if kind == "gone" else f"{letter}~"
        body = edge = half = look.style(ink, on)
        label = look.style(ink, on, bold=kind == "ghost")
    _draw_edges(canvas, look, box, middle, half, kind)
    bar = look.glyphs.dot if kind == "gone" else look.glyphs.bar if kind == "ghost" or look.bare else " "
    canvas.text(box.x, middle, bar * box.width, body)
    if kind != "solid" or look.bare:  # a solid piece needs no edge on both sides
        canvas.text(box.x, middle, look.glyphs.left, edge)
    canvas.text(box.right - 1, middle, look.glyphs.right, edge)
    name = f"{letter}{piece.length}" if box.width > piece.length else str(piece.length)
    canvas.text(box.x + (1 if box.width > 2 else 0), middle, name, label)


def _draw_edges(canvas: Canvas, look: Look, box: Region, middle: int, half: Style, kind: Kind) -> None:
    """What a piece shows above and below the row with its label."""
    if not look.glyphs.halves or kind in ("gone", "idle"):
        return
    above, below = (
        (look.glyphs.lower, look.glyphs.upper) if kind == "solid" else (look.glyphs.bottom, look.glyphs.top)
    )
    if middle > box.y:
        canvas.text(box.x, box.y, above * box.width, half)
    if box.bottom > middle + 1:
        canvas.text(box.x, middle + 1, below * box.width, half)


def _draw_ruler(canvas: Canvas, look: Look, grid: Grid) -> None:
    canvas.fill(Region(0, 0, canvas.width, 1), look.style("wood.", "wood"))
    for space in (1, *range(5, FINISH + 1, 5)):
        ink = "wood." if space in (1, FINISH) else "wood-"
        label = str(space).rjust(2)
        canvas.text(
            grid.x(space) + (grid.cell - 2) // 2, 0, label, look.style(ink, "wood", bold=space == FINISH)
        )


def _draw_rim(canvas: Canvas, look: Look, grid: Grid, lanes: int) -> None:
    y = grid.y(lanes)
    if look.glyphs.halves:
        canvas.text(0, y, look.glyphs.upper * canvas.width, look.style("wood"))


def _draw_ground(canvas: Canvas, look: Look, grid: Grid, seat: int, front: int, was: int) -> None:
    """The empty lane: a dot a space, the finish, and the spaces by which the track would slide back."""
    y, label_row = grid.y(seat), grid.y(seat) + (1 if grid.rows == 3 else 0)
    canvas.fill(Region(0, y, canvas.width, grid.rows), look.style("line", "lane"))
    for space in range(1, FINISH + 1):
        canvas.text(grid.x(space) + grid.cell // 2, label_row, look.glyphs.dot, look.style("line", "lane"))
    finish = Region(grid.x(FINISH), y, grid.cell, grid.rows)
    canvas.fill(finish, look.style("text", "lane"), look.glyphs.finish)
    for space in range(front + 1, min(was, FINISH) + 1):
        canvas.text(grid.x(space), label_row, look.glyphs.back * grid.cell, look.style("accent", "lane"))


def _draw_name(canvas: Canvas, look: Look, grid: Grid, seat: int, lane: Lane) -> None:
    y = grid.y(seat) + (1 if grid.rows == 3 else 0)
    ink = "accent" if lane.turn else "text"
    beside = f" {lane.mark[:5]}" if lane.mark and grid.rows == 1 else ""
    if lane.turn:
        canvas.text(0, y, look.glyphs.turn, look.style("accent", "lane", bold=True))
    style = look.style(ink, "lane", bold=lane.turn or lane.mine)
    room = grid.left - 3 - cell_len(beside)
    name = lane.name
    if cell_len(name) > room:
        name = set_cell_size(name, room - 1).rstrip() + look.glyphs.cut
    end = canvas.text(2, y, name, style)
    canvas.text(end, y, beside, look.style("muted", "lane"))
    if grid.rows > 1:
        canvas.text(
            2, y + 1, lane.mark or ("you" if lane.mine else ""), look.style("muted", "lane"), grid.left - 2
        )


def _draw_front(canvas: Canvas, look: Look, grid: Grid, seat: int, lane: Lane) -> None:
    x, y = grid.x(FINISH + 1) + 1, grid.y(seat) + (1 if grid.rows == 3 else 0)
    front = lane.track.front
    if lane.was is not None and lane.was != front:
        text = f"{lane.was}{look.glyphs.to}{front}"
        canvas.text(x, y, text.rjust(5), look.style("accent", "lane", bold=True))
        return
    canvas.text(x, y, str(front).rjust(2), look.style("accent" if lane.turn else "text", "lane", bold=True))
    if lane.note:
        canvas.text(x + 3, y, lane.note, look.style("muted", "lane"))


class Display(Picture):
    """The pieces that can be taken, by colour and length. A click on one is `Clicked(("piece", colour, length))`."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths: tuple[tuple[int, ...], ...] = ()
        self.hot: frozenset[Piece] = frozenset()
        self.held: frozenset[int] = frozenset()
        self.leaving: Piece | None = None
        self.joining: frozenset[Piece] = frozenset()

    def show(
        self,
        lengths: Sequence[Sequence[int]],
        hot: frozenset[Piece] = frozenset(),
        held: frozenset[int] = frozenset(),
        leaving: Piece | None = None,
        joining: frozenset[Piece] = frozenset(),
    ) -> None:
        """lengths: by colour; hot: can be gained now; held: colours that are no use; leaving, joining: by the choice"""
        self.lengths = tuple(tuple(each) for each in lengths)
        self.hot, self.held, self.leaving, self.joining = hot, held, leaving, joining
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        rack = Rack.fit(canvas.width, canvas.height)
        for colour, lengths in enumerate(self.lengths):
            if rack.columns > 1:  # the pieces are too small for their letter
                first, letter = rack.box(Piece(colour, LENGTHS[0])), LETTERS[colour]
                canvas.text(first.x - 2, first.y, letter, look.style(f"{letter}~", bold=True))
            for length in LENGTHS:
                piece = Piece(colour, length)
                box = rack.box(piece)
                if length not in lengths and piece != self.leaving:
                    y = box.y + (1 if rack.rows == 3 else 0)
                    canvas.text(box.x + (1 if rack.cell > 1 else 0), y, look.glyphs.dot, look.style("line"))
                    continue
                underline = piece in self.hot and piece != self.leaving
                draw_piece(canvas, look, box, piece, self._kind(piece), underline, on="felt")
                canvas.target(box, "piece", colour, length)

    def _kind(self, piece: Piece) -> Kind:
        if piece == self.leaving:
            return "gone"
        if piece in self.joining:
            return "ghost"
        return "idle" if piece.colour in self.held else "solid"


class Rack(NamedTuple):
    """Where the display's pieces lie: a colour a row, as large as on the tracks, or else two colours a row.

    left: the column where the first piece begins; step: from one colour to the next in a row
    """

    columns: int
    cell: int
    rows: int
    left: int
    step: int

    @classmethod
    def fit(cls, width: int, height: int) -> Rack:
        space = (width - 6) // sum(LENGTHS)
        if height < len(LETTERS):
            return cls(2, max(1, space // 2), 1, 3, width // 2)
        return cls(1, space, min(3, height // len(LETTERS)), 1, 0)

    def box(self, piece: Piece) -> Region:
        row, column = divmod(piece.colour, self.columns)
        before = sum(length for length in LENGTHS if length < piece.length)
        x = self.left + column * self.step + before * self.cell
        return Region(x, row * self.rows, piece.length * self.cell, self.rows)
