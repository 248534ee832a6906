"""Buttons that name their keys."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Button


class Press(Button, can_focus=False):
    """One line high: a key, and what it does. For the mouse: the keys themselves are bound elsewhere.

    action: what a click runs; without one it is `Button.Pressed`
    """

    DEFAULT_CSS = """
    Press {
        width: auto; min-width: 4; height: 1; margin: 0 2 0 0; padding: 0 1;
        border: none; background: $surface; color: $foreground; text-style: none;
        &:hover { background: $block-cursor-blurred-background; border: none; }
        &.-textual-compact { padding: 0; }
        &:ansi { background: ansi_default; text-style: none; }
        &:disabled { opacity: 0.5; }
    }
    """

    def __init__(self, key: str, label: str, *, id: str | None = None, action: str | None = None) -> None:
        super().__init__(_label(key, label), id=id, action=action, compact=True)
        self._key = key
        self.active_effect_duration = 0  # no click is lost while it would look pressed

    def say(self, label: str) -> None:
        """Another thing that the same key does."""
        self.label = _label(self._key, label)
        self.refresh(layout=True)


def _label(key: str, label: str) -> Content:
    return Content.assemble((key, "bold"), f"  {label}")
