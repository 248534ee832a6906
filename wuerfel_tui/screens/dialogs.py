"""Small questions over whatever screen is open."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from wuerfel_tui.widgets.press import Press


class Ask(ModalScreen[str | None]):
    """Asks for one line of text; None if it is not given.

    text: what it is for, or why the last answer did not do
    value: the last answer, to be mended
    warn: whether `text` is a complaint
    secret: whether the answer is hidden while it is typed
    """

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(
        self,
        title: str,
        text: str,
        *,
        value: str = "",
        hint: str = "",
        warn: bool = False,
        secret: bool = False,
    ) -> None:
        super().__init__()
        self.heading, self.text, self.value = title, text, value
        self.hint, self.warn, self.secret = hint, warn, secret

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(Content(self.heading), id="title")
            yield Static(Content(self.text), id="text", classes="warning" if self.warn else "")
            field = Input(self.value, placeholder=self.hint, password=self.secret, compact=True)
            field.cursor_blink = False  # nothing is written while nothing happens
            yield field
            with Horizontal(id="buttons"):
                yield Press("Enter", "go on", id="yes")
                yield Press("Esc", "back", id="no")

    @on(Input.Submitted)
    @on(Button.Pressed, "#yes")
    def answer(self) -> None:
        if text := self.query_one(Input).value.strip():
            self.dismiss(text)

    @on(Button.Pressed, "#no")
    def give_up(self) -> None:
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    """Asks for a yes or a no; no is what Escape means, too."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "dismiss(False)", "No"),
        Binding("y", "dismiss(True)", "Yes"),
    ]

    def __init__(self, title: str, text: str, yes: str, no: str) -> None:
        super().__init__()
        self.heading, self.text, self.yes, self.no = title, text, yes, no

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(Content(self.heading), id="title")
            yield Static(Content(self.text), id="text")
            with Horizontal(id="buttons"):
                yield Press("y", self.yes, id="yes")
                yield Press("n", self.no, id="no")

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")
