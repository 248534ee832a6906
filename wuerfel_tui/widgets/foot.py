"""The lowest line of every screen: its keys."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

GAP = 2


class Key(NamedTuple):
    """A key as it is shown, and as it is pressed when it is clicked."""

    shown: str
    does: str
    pressed: str


class KeyLine(Widget):
    """What the keys do just now; a click on one presses it.

    One widget, where Textual's footer makes one for each key and all of them anew with every change.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; width: 1fr; height: 1; padding: 0 1;
        background: $footer-background; color: $footer-foreground;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys: tuple[Key, ...] = ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._look)

    def _look(self, screen: Screen[object]) -> None:
        keys: dict[str, Key] = {}
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled:
                shown = self.app.get_key_display(binding)
                keys.setdefault(binding.action, Key(shown, binding.description, binding.key))
        if tuple(keys.values()) != self.keys:
            self.keys = tuple(keys.values())
            self.refresh()

    def render(self) -> Content:
        style = "bold $footer-key-foreground"
        keys = [Content.assemble((key.shown, style), f" {key.does}") for key in self.keys]
        return Content(" " * GAP).join(keys)

    def on_click(self, event: events.Click) -> None:
        start = self.styles.padding.left
        for key in self.keys:
            end = start + Content(f"{key.shown} {key.does}").cell_length
            if start <= event.x < end:
                self.app.simulate_key(key.pressed)
            start = end + GAP
