"""What happened, line by line: the panels of log and chat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual
from textual.widgets import Input

INDENT = 2
"""Columns by which the further lines of a wrapped paragraph stand back."""


class Lines(ScrollView, can_focus=True):
    """Paragraphs, wrapped to the width there is; follows the end unless it is scrolled away from it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Lines {
        height: 1fr; padding: 0 1; background: transparent;
        scrollbar-size-vertical: 1; overflow-x: hidden;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "scroll", key_display="↑↓"),
        Binding("down", "scroll_down", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.paragraphs: list[Content] = []
        self._wrapped: list[Content] = []
        self._end = 0
        """The scroll position at which the end was in sight."""

    def add(self, paragraphs: Iterable[Content]) -> None:
        """More, at the end."""
        new = list(paragraphs)
        self.paragraphs += new
        if new and self.size.width:  # else it is wrapped when there is a width
            self._wrapped += self._wrap(new)
            self._lay_out()

    def on_resize(self) -> None:
        self._wrapped = self._wrap(self.paragraphs)
        self._lay_out()

    def _wrap(self, paragraphs: Iterable[Content]) -> list[Content]:
        # Beside the scrollbar, whether it is there yet or not: it comes without a resize.
        width = max(8, self.outer_size.width - self.gutter.width - 1 - INDENT)
        wrapped: list[Content] = []
        for paragraph in paragraphs:
            first, *rest = paragraph.wrap(width)
            wrapped += [first, *(line.pad_left(INDENT) for line in rest)]
        return wrapped

    def _lay_out(self) -> None:
        follow = self.scroll_y >= min(self._end, self.max_scroll_y)
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._wrapped))
        self._end = self.max_scroll_y
        self.refresh()
        if follow:
            self.scroll_end(animate=False, immediate=True, force=True)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        line = y + self.scroll_offset.y
        if line >= len(self._wrapped):
            return Strip.blank(width, self.rich_style)
        strips = Visual.to_strips(self, self._wrapped[line], width, 1, self.visual_style, pad=True)
        return strips[0]


class LogPanel(Vertical):
    """Every event in a plain sentence."""

    DEFAULT_CSS = """
    LogPanel { border: round $edge; border-title-color: $text-muted; background: $background; height: 1fr; }
    """
    BORDER_TITLE = "log"

    def compose(self) -> ComposeResult:
        yield Lines(id="log-lines")

    @property
    def lines(self) -> Lines:
        return self.query_one(Lines)


class ChatField(Input):
    """Where it is typed; all letters are text here, so the keys of the game are not."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "say")]


class ChatPanel(Vertical):
    """What people say, and a line to say something."""

    DEFAULT_CSS = """
    ChatPanel { border: round $edge; border-title-color: $text-muted; background: $background; height: 12; }
    ChatPanel Input { padding: 0 1; background: $surface; }
    """
    BORDER_TITLE = "chat"

    class Said(Message):
        """A line to be sent."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def compose(self) -> ComposeResult:
        yield Lines(id="chat-lines")
        field = ChatField(placeholder="say something", compact=True, max_length=200)
        field.cursor_blink = False  # nothing is written while nothing happens
        yield field

    @property
    def lines(self) -> Lines:
        return self.query_one(Lines)

    @property
    def field(self) -> Input:
        return self.query_one(Input)

    @on(Input.Submitted)
    def say(self, event: Input.Submitted) -> None:
        event.stop()
        if text := event.value.strip():
            self.post_message(self.Said(text))
        event.input.clear()
