"""For terminals that have only ASCII characters: whatever a screen draws is replaced cell by cell on its way out."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

LIKE = (
    dict.fromkeys("─━═╌╍┄┅┈┉╴╶▔▁‐‑‒–—−", "-")
    | dict.fromkeys("│┃║╎╏┆┇┊┋▏▎▍▌▐▕", "|")
    | dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋", "+")
    | dict.fromkeys("▀▂▃▄▅▆▇", " ")
    | dict.fromkeys("█▉▊▋■◆★●✓✔", "*")
    | dict.fromkeys("░▒▓▖▗▘▙▚▛▜▝▞▟", "#")
    | dict.fromkeys("○◦□◇☆", "o")
    | dict.fromkeys("▸▶►▷→⚑›»", ">")
    | dict.fromkeys("◂◀◄◁←‹«", "<")
    | dict.fromkeys("▴▲△↑", "^")
    | dict.fromkeys("▾▼▽↓", "v")
    | dict.fromkeys("·•…", ".")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”„", '"')
    | {"×": "x", "✗": "x", "ß": "s", "ø": "o", "Ø": "O", "æ": "e", "ł": "l", "Ł": "L"}
)


class AsciiFilter(LineFilter):
    """Every character becomes an ASCII one (or two) of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_like(text), style, control) for text, style, control in segments]


@lru_cache(4096)
def ascii_like(text: str) -> str:
    """The text in ASCII, as wide as before."""
    return text if text.isascii() else "".join(map(_one, text))


def _one(letter: str) -> str:
    if letter.isascii():
        return letter
    if like := LIKE.get(letter):
        return like
    base = normalize("NFKD", letter)[0]
    width = cell_len(letter)
    return base if width == 1 and base.isascii() and base.isprintable() else "?" * width
