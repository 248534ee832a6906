"""One of a few values, all of them in sight: left and right choose, or a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class Pick(NamedTuple):
    """A value and how it is called."""

    value: Any
    label: str


class Picker(Widget, can_focus=True):
    """A line of values, or as many lines as they need.

    picks: at least one
    value: the one chosen at first; the first of `picks` if it is not among them
    """

    DEFAULT_CSS = """
    Picker { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "change", key_display="←→"),
        Binding("right", "step(1)", show=False),
    ]
    ALLOW_SELECT = False

    index: reactive[int] = reactive(0)

    class Changed(Message):
        """Another value is chosen."""

        def __init__(self, picker: Picker) -> None:
            super().__init__()
            self.picker = picker

        @property
        def control(self) -> Picker:
            return self.picker

    def __init__(self, picks: Sequence[Pick], value: Any = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.picks = tuple(picks)
        self.set_reactive(Picker.index, self._index_of(value))

    @property
    def value(self) -> Any:
        return self.picks[self.index].value

    def offer(self, picks: Sequence[Pick], value: Any) -> None:
        """Other values to choose from."""
        self.picks = tuple(picks)
        self.set_reactive(Picker.index, self._index_of(value))
        self.refresh(layout=True)

    def _index_of(self, value: Any) -> int:
        return next((index for index, pick in enumerate(self.picks) if pick.value == value), 0)

    def _rows(self, width: int) -> list[list[int]]:
        """Which picks are on which line."""
        rows: list[list[int]] = [[]]
        used = 0
        for index, pick in enumerate(self.picks):
            needs = Content(pick.label).cell_length + 2
            if used and used + needs > width:
                rows.append([])
                used = 0
            rows[-1].append(index)
            used += needs
        return rows

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return sum(Content(pick.label).cell_length + 2 for pick in self.picks)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows(width))

    def render(self) -> Content:
        rows = self._rows(self.content_size.width)
        return Content("\n").join(Content("").join(map(self._label, row)) for row in rows)

    def _label(self, index: int) -> Content:
        label = self.picks[index].label
        if index != self.index:
            return Content.styled(f" {label} ", "$quiet")
        if self.app.native_ansi_color:  # colours of the terminal's may look alike
            return Content.styled(f"[{label}]", "reverse" if self.has_focus else "bold")
        focus = "bold $block-cursor-foreground on $block-cursor-background"
        return Content.styled(f" {label} ", focus if self.has_focus else "bold $key")

    def watch_index(self) -> None:
        self.post_message(self.Changed(self))

    def action_step(self, by: int) -> None:
        self.index = max(0, min(len(self.picks) - 1, self.index + by))

    def on_click(self, event: events.Click) -> None:
        rows = self._rows(self.content_size.width)
        end = 0
        for index in rows[min(event.y, len(rows) - 1)]:
            end += Content(self.picks[index].label).cell_length + 2
            if event.x < end:
                self.index = index
                return
