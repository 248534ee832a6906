"""The first line of a screen, in wood: what this is, and at the right what matters most now."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget


class TitleLine(Widget):
    """Two texts on one line; of the left one whatever finds room.

    left, right: may contain foreign text, as `Content`
    """

    DEFAULT_CSS = """
    TitleLine {
        width: 1fr; height: 1; padding: 0 2;
        background: $wood; color: $on-wood;
        &:ansi { text-style: reverse; }
    }
    """

    def __init__(self, left: str = "") -> None:
        super().__init__()
        self.left, self.right = Content.styled(left, "bold"), Content("")

    def show(self, left: Content, right: Content) -> None:
        """Writes only if it looks different."""
        if not (left.is_same(self.left) and right.is_same(self.right)):
            self.left, self.right = left, right
            self.refresh()

    def render(self) -> Content:
        room = max(0, self.content_size.width - self.right.cell_length)
        return self.left.truncate(room, ellipsis=True, pad=True) + self.right
