"""Foreign text made harmless: nothing that moves a cursor, hides, turns the direction or takes more room than given."""

from __future__ import annotations

import unicodedata

DROPPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control and format characters, half surrogates, line and paragraph separators."""

MAX_MARKS = 2
"""Combining characters that one letter may carry: enough for Vietnamese, too few to climb over the line above."""

# Letters by category and yet nothing to see: fillers, the blank Braille cell, and what picks a glyph's variant (and
# with it, on some terminals, another width).
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIANTS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


def clean_line(text: str, width: int) -> str:
    """The text as one harmless line, at most `width` cells wide.

    White space collapses to single spaces; what is too long is cut off.

    >>> clean_line("  Anna\\x1b[31m\\n& Ben ", 12)
    'Anna[31m & B'
    >>> clean_line("骰子", 3)
    '骰'
    """
    kept: list[str] = []
    room = width
    marks = 0
    # Composed letters first: what has a character of its own needs no combining one. A text that hides what it says
    # behind very many dropped characters loses it: the work is bounded.
    for char in unicodedata.normalize("NFC", text[: 64 * (width + 1)]):
        if char.isspace():
            if not kept or kept[-1] == " ":
                continue
            char = " "
        elif _is_dropped(char):
            continue
        cells = char_width(char)
        if cells == 0:
            marks += 1
            if marks > MAX_MARKS or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        if cells > room:
            break
        room -= cells
        kept.append(char)
    return "".join(kept).rstrip()


def char_width(char: str) -> int:
    """The cells that a character takes, at most, in a terminal: 0 for combining ones, 2 for wide ones.

    >>> [char_width(char) for char in "a骰\u0301🎲"]
    [1, 2, 0, 2]
    """
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return 2  # regional indicators: two of them make a flag, and one alone is drawn as one or two cells
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _is_dropped(char: str) -> bool:
    if unicodedata.category(char) in DROPPED or char in _INVISIBLE:
        return True
    return any(first <= ord(char) <= last for first, last in _VARIANTS)
