"""The end of a game: places, how it was decided, everybody's numbers, and once more with the same people."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from time import monotonic
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from protocol.messages import Rejected
from wuerfel_tui.client import Client
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.screens.presence import keeps
from wuerfel_tui.screens.telling import verdict
from wuerfel_tui.widgets.logo import WordOnDice
from wuerfel_tui.widgets.press import Press
from wuerfel_tui.wording import listed

DEAF_FOR = 0.7
"""Seconds after the end in which Enter begins nothing: somebody may just have been about to confirm a move."""

Numbers = Sequence[tuple[str, Sequence[str]]]


class Results(Vertical, can_focus=True):
    """After a game.

    names: who played, by seat
    numbers: what is counted, and its value for each seat; empty if the game was not seen
    board: whether there is one behind these results to be looked at
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "again", "again"),
        Binding("s", "start", "start"),
    ]

    class Asked(Message):
        """A request of the client's, to be made."""

        def __init__(self, request: Coroutine[Any, Any, Rejected | None]) -> None:
            super().__init__()
            self.request = request

    def __init__(
        self, client: Client, names: Sequence[str], numbers: Numbers = (), board: bool = False
    ) -> None:
        super().__init__()
        self.board = board
        self.client = client
        self._shown = 0.0
        self.names = tuple(names)
        self.numbers = numbers

    def compose(self) -> ComposeResult:
        outcome = self.client.table.outcome
        if outcome is None:
            yield WordOnDice("", "The game was broken off.", id="winner")
        else:
            yield WordOnDice(*headline(outcome, self.names), id="winner")
        with VerticalScroll(id="account", can_focus=False):
            if outcome is not None:
                yield Static(Content(outcome.why), id="why")
                yield Score(self.names, outcome.places, self.numbers)
            yield Static(Content(dice_word(self.client.bent)), id="dice")
        with Horizontal(id="do"):
            yield Press("Enter", "play again", id="again")
            if self.board:
                yield Press("v", "see the board", id="see", action="screen.board")
            yield Press("q", "back to the lobby", id="leave", action="screen.leave")

    def on_mount(self) -> None:
        self._shown = monotonic()
        self.set_class(bool(self.client.bent), "-bent")

    # --- once more ---------------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Who wants to play on."""
        players = [peer for peer in self.client.table.players if peer.bot is None]
        ready = [peer.name for peer in players if peer.ready]
        waits = [peer.name for peer in players if not peer.ready and peer.id != self.client.peer]
        if self.client.seats and not self._me_ready:
            asks = "Again with the same people? Enter: yes"
            return f"{asks} · {listed(ready)} would play on" if ready else asks
        return f"We wait for {listed(waits)}." if waits else "The next game begins."

    @property
    def _me_ready(self) -> bool:
        return any(peer.ready for peer in self.client.table.peers if peer.id == self.client.peer)

    def show_table(self) -> None:
        """The table as it is now."""
        again = self.query_one("#again", Press)
        again.display = bool(self.client.seats) and self.client.link != "closed"
        again.say("rather not" if self._me_ready else "play again")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only who looks after the table can start with those who want to; nobody can at one that is closed."""
        if action not in ("again", "start"):
            return True
        return self.client.link != "closed" and (action == "again" or keeps(self.client))

    def action_again(self) -> None:
        if monotonic() - self._shown > DEAF_FOR:
            self.play_again()

    @on(Button.Pressed, "#again")
    def play_again(self) -> None:
        """Says that one would, or takes it back."""
        if self.client.seats:
            self.post_message(self.Asked(self.client.ready(not self._me_ready)))

    def action_start(self) -> None:
        self.post_message(self.Asked(self.client.start()))


class Score(Widget):
    """A column for each player, the winner first, and a row for each number.

    names, places: by seat
    """

    def __init__(self, names: Sequence[str], places: Sequence[int], numbers: Numbers) -> None:
        super().__init__()
        order = sorted(range(min(len(names), len(places))), key=lambda seat: places[seat])
        self.rows: list[tuple[str, list[str], str]] = [
            ("", [f"{places[seat]}." for seat in order], "bold $key"),
            ("", [names[seat] for seat in order], "bold"),
            *((label, [values[seat] for seat in order], "") for label, values in numbers),
        ]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows)

    def render(self) -> Content:
        first = max(len(label) for label, _, _ in self.rows) + 2
        count = len(self.rows[0][1])
        width = min(16, (self.content_size.width - first) // count)
        return Content("\n").join(
            Content.styled(label.ljust(first), "$quiet") + _columns(texts, width).stylize(style)
            for label, texts, style in self.rows
        )


def _columns(texts: Sequence[str], width: int) -> Content:
    cells = [Content(text).truncate(max(1, width - 2), ellipsis=True) for text in texts]
    return Content("").join(cell.pad_left(width - cell.cell_length) for cell in cells)


def headline(outcome: Outcome, names: Sequence[str]) -> tuple[str, str]:
    """A name to be written large, and what it did; several winners have a sentence."""
    winners = [name for name, place in zip(names, outcome.places, strict=False) if place == 1]
    return (winners[0], "wins") if len(winners) == 1 else ("", verdict(outcome, names))


def dice_word(bent: str | None) -> str:
    """What the check of the dice found."""
    if bent is None:
        return "The dice cannot be checked: the beginning of this game was not seen from here."
    if bent:
        return f"The dice do not hold: {bent}"
    return "The dice were checked: nobody has bent a throw."
