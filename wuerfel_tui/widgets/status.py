"""Two lines under the board: what can be done now; and why not, or who is missing."""

from __future__ import annotations

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

NOTICE_SECONDS = 8.0


class StatusLines(Widget):
    """Always two lines high, so that nothing above moves.

    The upper line is the prompt. The lower one is a notice while there is one, else the banner; a notice that is too
    long for it takes both.
    """

    DEFAULT_CSS = """
    StatusLines { width: 1fr; height: 2; padding: 0 2; background: $background; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.prompt, self.notice, self.banner = "", Content(""), ""
        self._clearing: Timer | None = None
        self._of_position = False

    def show_prompt(self, prompt: str) -> None:
        self._change(prompt=prompt)

    def show_banner(self, banner: str) -> None:
        """What is the matter for as long as it is; empty when all is well."""
        self._change(banner=banner)

    def show_notice(self, sentence: str, style: str = "$warn", of_position: bool = True) -> None:
        """Something to be read once; it goes by itself, or with the next one.

        of_position: whether it is of no use any more when the game has moved on
        """
        self._of_position = of_position
        if self._clearing is not None:
            self._clearing.stop()
        self._clearing = self.set_timer(NOTICE_SECONDS, self.clear_notice) if sentence else None
        self._change(notice=Content.styled(sentence, style))

    def move_on(self) -> None:
        """The game is not where it was: what was said about it does not hold any more."""
        if self._of_position:
            self.clear_notice()

    def clear_notice(self) -> None:
        self._change(notice=Content(""))

    def _change(self, **changes: str | Content) -> None:
        """Writes only if it looks different."""
        before = self.render()
        vars(self).update(changes)
        if not self.render().is_same(before):
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        if self.notice.cell_length > width:
            return self.notice
        prompt = Content(self.prompt).truncate(width, ellipsis=True)
        below = self.notice or Content.styled(self.banner, "bold $warn").truncate(width, ellipsis=True)
        return Content("\n").join([prompt, below])
