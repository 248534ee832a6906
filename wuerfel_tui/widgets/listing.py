"""A list to choose from, on terminals with and without colours."""

from __future__ import annotations

from rich.style import Style
from textual.strip import Strip
from textual.widgets import OptionList


class Listing(OptionList):
    """An option list whose chosen row stands out without colours, too."""

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if not self.app.no_color or not self.has_focus or self.highlighted is None:
            return strip
        # Textual's component styles know no reverse.
        chosen = any(
            segment.style and segment.style.meta.get("option") == self.highlighted for segment in strip
        )
        return strip.apply_style(Style(reverse=True)) if chosen else strip
