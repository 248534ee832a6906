"""The first line of a screen, in wood: what this is, and at the right what matters most now."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

LEAST = (80, 24)


class TitleLine(Widget):
    """Two texts on one line; of the left one whatever finds room. In a small terminal: that it is too small.

    left, right: may contain foreign text, as `Content`
    """

    DEFAULT_CSS = """
    TitleLine {
        width: 1fr; height: 1; padding: 0 2;
        background: $wood; color: $on-wood;
        &:ansi { text-style: reverse; }
    }
    .-narrow TitleLine, .-low TitleLine { background: $die; color: $on-die; text-style: bold; }
    """

    def __init__(self, left: str = "") -> None:
        super().__init__()
        self.left, self.right = Content.styled(left, "bold"), Content("")

    def show(self, left: Content, right: Content) -> None:
        """Writes only if it looks different."""
        if not (left.is_same(self.left) and right.is_same(self.right)):
            self.left, self.right = left, right
            self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()  # the terminal may be large enough now, or too small

    def render(self) -> Content:
        width = self.content_size.width
        if self.app.size.width < LEAST[0] or self.app.size.height < LEAST[1]:
            warning = Content("{}×{} is needed".format(*LEAST))
            room = max(0, width - warning.cell_length - 2)
            right = self.right.truncate(room, ellipsis=True)
            return warning.truncate(width - right.cell_length, pad=True) + right
        room = max(0, width - self.right.cell_length)
        return self.left.truncate(room, ellipsis=True, pad=True) + self.right
