"""A screen that sends no more than it must."""

from __future__ import annotations

from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget


class QuietScreen(Screen[None]):
    """Not painted anew as a whole when the focus moves, as Textual's own are: 5 kB at 80 by 24, for every arrow key."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
