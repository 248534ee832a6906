"""The program's own two themes, felt by lamplight and by day, from the colours that the boards are drawn in."""

from __future__ import annotations

from typing import Any

from wuerfel_tui.widgets.palette import UNICODE, Look

THEMES = ("felt-dark", "felt-light", "ansi-dark", "ansi-light")
"""Ours and the terminal's own, in the order in which a key goes through them."""


def felt(dark: bool) -> dict[str, Any]:
    """The keywords of a Textual `Theme`."""
    colour = Look("true", dark, UNICODE).css
    return {
        "name": "felt-dark" if dark else "felt-light",
        "dark": dark,
        "primary": colour("accent"),
        "secondary": colour("line"),
        "accent": colour("accent"),
        "foreground": colour("text"),
        "background": colour("felt"),
        "surface": colour("lane"),
        "panel": colour("lane"),
        "success": colour("G~"),
        "warning": colour("warn"),
        "error": colour("warn"),
        "variables": _own(dark)
        | {
            "text-muted": colour("muted"),
            "border": colour("accent"),
            "border-blurred": colour("line"),
            "block-cursor-background": colour("ivory" if dark else "select"),
            "block-cursor-foreground": colour("ivory." if dark else "select."),
            "block-cursor-blurred-background": colour("lane"),
            "block-cursor-blurred-foreground": colour("text"),
            "block-hover-background": colour("lane"),
            "input-cursor-background": colour("accent"),
            "input-cursor-foreground": colour("felt"),
            "footer-background": colour("wood"),
            "footer-foreground": colour("wood."),
            "footer-description-foreground": colour("wood."),
            "footer-key-foreground": colour("accent" if dark else "wood."),
            "scrollbar": colour("line"),
            "scrollbar-background": colour("felt"),
            "scrollbar-background-hover": colour("felt"),
            "scrollbar-background-active": colour("felt"),
            "scrollbar-corner-color": colour("felt"),
        },
    }


def _own(dark: bool) -> dict[str, str]:
    """Variables of our own: grounds and lines for style sheets, and inks for spans of text."""
    colour = Look("true", dark, UNICODE).css
    return {
        "wood": colour("wood"),
        "on-wood": colour("wood."),
        "edge": colour("line"),
        "die": colour("ivory"),
        "on-die": colour("ivory."),
        "key": colour("accent"),
        "quiet": colour("muted"),
        "warn": colour("warn"),
    }


TERMINAL: dict[str, str] = {
    "wood": "ansi_default",
    "on-wood": "ansi_default",
    "edge": "ansi_default",
    "die": "ansi_white",
    "on-die": "ansi_black",
    "key": "ansi_default bold",
    "quiet": "ansi_default dim",
    "warn": "ansi_default bold",
}
"""The same in themes that are not ours. `key`, `quiet`, `warn` bear a weight and so are for spans, not style sheets."""
