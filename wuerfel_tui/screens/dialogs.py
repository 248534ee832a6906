"""Small questions over whatever screen is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from wuerfel_tui.widgets.press import Press


def _missing(text: str) -> str:
    return "" if text else "Nothing is typed yet. Esc: back."


class Ask(ModalScreen[str | None]):
    """Asks for one line of text; None if it is not given.

    text: what it is for, or why the last answer did not do
    value: the last answer, to be mended
    warn: whether `text` is a complaint
    secret: whether the answer is hidden while it is typed
    objection: what is the matter with an answer, in a sentence; empty if nothing is
    attempt: tries an answer, and returns what came of it in the same way; until then the dialog stays, and is busy
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
        objection: Callable[[str], str] = _missing,
        attempt: Callable[[str], Awaitable[str]] | None = None,
    ) -> None:
        super().__init__()
        self.objection, self.attempt = objection, attempt
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
        text = self.query_one(Input).value.strip()
        if problem := self.objection(text):
            self._say(problem, warn=True)
        elif self.attempt is None:
            self.dismiss(text)
        elif not self.query_one(Input).disabled:
            self._try(text, self.attempt)

    @work
    async def _try(self, text: str, attempt: Callable[[str], Awaitable[str]]) -> None:
        field = self.query_one(Input)
        field.disabled = True
        self._say("Knocking…")
        problem = await attempt(text)
        if not problem:
            self.dismiss(text)
            return
        self._say(problem, warn=True)
        field.disabled = False
        if self.secret:
            field.clear()
        field.focus()

    def _say(self, sentence: str, warn: bool = False) -> None:
        self.query_one("#text", Static).set_class(warn, "warning").update(Content(sentence))

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
