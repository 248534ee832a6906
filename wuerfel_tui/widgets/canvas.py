"""Pictures made of cells: a grid to draw on, and the widget that shows it and sends only what changed."""

from __future__ import annotations

from textwrap import wrap

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from wuerfel_tui.widgets.palette import Look, look_for

Target = tuple[str | int, ...]
"""What lies under the mouse, by a name and numbers: `("die", 3)`."""


class Canvas:
    """A grid of cells, each a character and its style, and the targets that lie on it.

    Whatever is drawn outside the grid is cut off.
    """

    def __init__(self, width: int, height: int, style: Style) -> None:
        self.width, self.height = width, height
        self.cells = [[(" ", style)] * width for _ in range(height)]
        self.targets: list[tuple[Region, Target]] = []

    def text(self, x: int, y: int, text: str, style: Style, width: int | None = None) -> int:
        """Writes from column x on, cut off at `width`; returns the column behind it.

        A wide character takes two cells: itself and an empty one. What has no width joins the cell before it.
        """
        end = self.width if width is None else min(self.width, x + width)
        if not 0 <= y < self.height:
            return x
        row = self.cells[y]
        for char in text:
            size = cell_len(char)
            if x + size > end:
                break
            if x >= 0 and size:
                row[x] = (char, style)
                if size == 2:
                    row[x + 1] = ("", style)
            elif 0 < x <= self.width and not size:
                row[x - 1] = (row[x - 1][0] + char, row[x - 1][1])
            x += size
        return x

    def fill(self, region: Region, style: Style, char: str = " ") -> None:
        for y in range(region.y, region.bottom):
            self.text(region.x, y, char * region.width, style)

    def target(self, region: Region, *target: str | int) -> None:
        """A click in this region means this; of two that overlap, the later one."""
        self.targets.append((region, target))

    def target_at(self, x: int, y: int) -> Target | None:
        return next((target for region, target in reversed(self.targets) if region.contains(x, y)), None)

    def strip(self, y: int) -> Strip:
        """A row, in as few segments as look the same: the ink of a blank does not matter, and each costs 40 bytes."""
        if not self.width:
            return Strip([], 0)
        segments: list[Segment] = []
        text, blank = "", True
        style = self.cells[y][0][1]
        for char, own in self.cells[y]:
            if own is not style and not (char == " " and _same_ground(own, style)):
                if not (blank and _same_ground(own, style)):
                    segments.append(Segment(text, style))
                    text = ""
                blank, style = True, own
            blank = blank and char == " "
            text += char
        segments.append(Segment(text, style))
        return Strip(segments, self.width)

    def changes(self, before: Canvas) -> list[Region]:
        """Where this differs from a canvas of the same size: one region a row at most.

        Textual sends a row from its widget's left edge on whatever the region, so two would cost more than one.
        """
        regions: list[Region] = []
        for y, (now, then) in enumerate(zip(self.cells, before.cells, strict=True)):
            if now != then:
                changed = [x for x in range(self.width) if now[x] != then[x]]
                regions.append(Region(changed[0], y, changed[-1] + 1 - changed[0], 1))
        return regions


def _same_ground(one: Style, other: Style) -> bool:
    """Whether a blank looks the same in both."""
    return (
        one.bgcolor == other.bgcolor
        and one.reverse == other.reverse
        and not one.underline
        and not other.underline
    )


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text in so many columns; none where there is no column at all."""
    return wrap(text, width) if width > 0 else []


class Picture(Widget):
    """A widget that draws itself on a canvas, and says what of it was clicked.

    Subclasses draw; whoever changes what there is to draw calls `repaint`.
    """

    ALLOW_SELECT = False

    class Clicked(Message):
        """What lies under the mouse."""

        def __init__(self, target: Target) -> None:
            super().__init__()
            self.target = target

    _shown: Canvas | None = None
    _outdated = False

    def draw(self, canvas: Canvas, look: Look) -> None:
        """Draws everything on a canvas of the widget's size, which is one cell at least, on felt."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Draws anew, and has what changed sent to the terminal."""
        before = self._shown
        if before is None:
            return  # not on the screen yet
        self._shown = self._drawn(self.size)
        if (before.width, before.height) != self.size:
            self.refresh()
        elif regions := self._shown.changes(before):
            self.refresh(*regions)

    def _drawn(self, size: Size) -> Canvas:
        look = look_for(self.app)
        canvas = Canvas(size.width, size.height, look.style("text"))
        if size:
            self.draw(canvas, look)
        self._outdated = False
        return canvas

    def render_line(self, y: int) -> Strip:
        shown = self._shown
        if shown is None or self._outdated or (shown.width, shown.height) != self.size:
            shown = self._shown = self._drawn(self.size)
        return shown.strip(y)

    def notify_style_update(self) -> None:
        """Another theme has other colours; but not every such notice is followed by a drawing of the whole."""
        self._outdated = True
        super().notify_style_update()

    def on_click(self, event: events.Click) -> None:
        if self._shown is not None and (target := self._shown.target_at(event.x, event.y)) is not None:
            self.post_message(self.Clicked(target))
