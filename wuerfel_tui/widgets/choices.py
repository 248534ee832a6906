"""What can be done: a list of choices with the chosen one explained, and a row of buttons that name their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.geometry import Region

from wuerfel_tui.widgets.canvas import Canvas, Picture, wrapped
from wuerfel_tui.widgets.palette import LETTERS, Look


class Choice(NamedTuple):
    """An entry of the list.

    text: what it is
    note: what comes of it, in few characters, at the right
    chip: a coloured tag before the text, its first letter naming the colour: `R3`
    ground: the colour of the tag, by its name in the palette, where its first letter does not name it
    """

    text: str
    note: str = ""
    chip: str = ""
    ground: str = ""


class Choices(Picture):
    """A title, the choices, a sentence about what is chosen. A click on an entry is `Clicked(("choice", index))`."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.detail = "", ""
        self.choices: tuple[Choice, ...] = ()
        self.cursor: int | None = None
        self.numbered = True

    def show(
        self,
        title: str,
        choices: Sequence[Choice],
        cursor: int | None = None,
        detail: str = "",
        numbered: bool = True,
    ) -> None:
        """What there is to choose.

        cursor: the chosen entry, -1 while none is chosen, None if there is nothing to choose
        detail: a sentence, wrapped as needed
        numbered: whether digits choose the entries
        """
        self.numbered = numbered
        self.title, self.detail = title, detail
        self.choices, self.cursor = tuple(choices), cursor
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        width = canvas.width - 2
        canvas.text(1, 0, self.title, look.style("text", bold=True), width)
        lines = wrapped(self.detail, width)[: max(0, canvas.height - 2)]
        room = max(1, canvas.height - 1 - len(lines))
        first = max(0, min((self.cursor or 0) - room // 2, len(self.choices) - room))
        for row, index in enumerate(range(first, min(len(self.choices), first + room)), start=1):
            self._draw_entry(canvas, look, row, index)
        below = 1 + min(room, len(self.choices))
        if below + len(lines) < canvas.height:
            below += 1
        for row, line in enumerate(lines, start=below):
            canvas.text(1, row, line, look.style("muted"))

    def _draw_entry(self, canvas: Canvas, look: Look, row: int, index: int) -> None:
        choice, chosen = self.choices[index], index == self.cursor
        on = "select" if chosen else "felt"
        ink, quiet = ("select.", "select-") if chosen else ("text", "muted")
        region = Region(0, row, canvas.width, 1)
        canvas.fill(region, look.style(ink, on))
        canvas.target(region, "choice", index)
        x = 1
        if self.cursor is not None:  # the digit picks only where there is something to pick
            canvas.text(0, row, look.glyphs.cursor if chosen else " ", look.style(ink, on))
            x = canvas.text(
                1, row, f"{index + 1} " if index < 9 and self.numbered else "  ", look.style(quiet, on)
            )
        if choice.chip:
            x = draw_chip(canvas, look, x, row, choice.chip, choice.ground) + 1
        note_x = canvas.width - 1 - cell_len(choice.note)
        canvas.text(x, row, choice.text, look.style(ink, on, bold=chosen), note_x - 1 - x)
        canvas.text(note_x, row, choice.note, look.style(quiet, on))


def draw_chip(canvas: Canvas, look: Look, x: int, y: int, chip: str, ground: str = "") -> int:
    """A coloured tag; returns the column behind it."""
    colour = ground or (chip[0] if chip[0] in LETTERS else "ivory")
    text = f"{look.glyphs.left}{chip}{look.glyphs.right}" if look.bare else f" {chip} "
    return canvas.text(x, y, text, look.style(f"{colour}.", colour, bold=True))


class Button(NamedTuple):
    """A key and what it does now.

    action: what `Clicked(("press", action))` names: `roll`
    key: as it is written on the cap
    hot: what Enter would do now
    """

    action: str
    key: str
    label: str
    hot: bool = False


class Buttons(Picture):
    """Buttons side by side: what the keys do, for the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons: tuple[Button, ...] = ()

    def show(self, buttons: Sequence[Button]) -> None:
        self.buttons = tuple(buttons)
        self.repaint()

    def draw(self, canvas: Canvas, look: Look) -> None:
        x = 1
        for button in self.buttons:
            ground = "select" if button.hot else "ivory"
            end = canvas.text(x, 0, f" {button.key} ", look.style(f"{ground}.", ground, bold=button.hot))
            end = canvas.text(end, 0, f" {button.label} ", look.style("text", bold=button.hot))
            canvas.target(Region(x, 0, end - x, 1), "press", button.action)
            x = end + 1
