"""A word on dice: the name of the game, or of who has won it."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

MOST = 11
"""So many dice fit beside a few words on 80 columns."""


class WordOnDice(Static):
    """An ivory die for each letter, and a line beside them; drawn in outline where there are no colours to fill them.

    What does not fit on dice (very long, or letters of another width) is written plainly.

    word, line: may be foreign text
    """

    def __init__(self, word: str, line: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.word, self.line = word, line

    def on_mount(self) -> None:
        self.update(self._picture())

    def notify_style_update(self) -> None:
        self.update(self._picture())  # another theme may have no colours
        super().notify_style_update()

    def _picture(self) -> Content:
        letters = self.word.upper().replace(" ", "")
        if not 0 < len(letters) <= MOST or any(cell_len(letter) != 1 for letter in letters):
            return Content.assemble("\n", (self.word, "bold"), f"  {self.line}")
        outline = self.app.native_ansi_color or self.app.has_class("-ascii")
        upper, faces, lower = _outlined(letters) if outline else _filled(letters)
        return Content("\n").join([upper, faces + Content(f"   {self.line}"), lower])


def _filled(letters: str) -> tuple[Content, Content, Content]:
    edge = Content(" ").join([Content.styled("     ", "on $die")] * len(letters))
    faces = [Content.styled(f"  {letter}  ", "bold $on-die on $die") for letter in letters]
    return edge, Content(" ").join(faces), edge


def _outlined(letters: str) -> tuple[Content, Content, Content]:
    faces = [Content.assemble("│ ", (letter, "bold"), " │") for letter in letters]
    upper, lower = (" ".join([edge] * len(letters)) for edge in ("╭───╮", "╰───╯"))
    return Content(upper), Content(" ").join(faces), Content(lower)
