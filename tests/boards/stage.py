"""A stage for a board: hosts it over the pure rules, with dice that fall as written, and remembers what it says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget

from wuerfel_tui.boards.core import Board
from wuerfel_tui.client import Step
from wuerfel_tui.games.core import Dice, IllegalAction, Refusal, Seat
from wuerfel_tui.record import AnyEntry, TableState
from wuerfel_tui.widgets.canvas import Picture


def falling(numbers: Iterable[int]) -> Dice:
    """Dice that fall like this, and are never thrown once more."""
    falls = iter(numbers)

    def dice(sides: int) -> int:
        number = next(falls)
        assert number < sides
        return number

    return dice


class Stage(App[None]):
    """Plays host to one board.

    sent: the actions that it sent, with their seats
    notices: what it refused, and why; notice: of that, what still stands there
    told: every event in a sentence
    answers: whether it answers at once, or not at all
    """

    def __init__(self, board: Board, dice: Dice, ascii: bool = False, answers: bool = True) -> None:
        super().__init__()
        self.board, self.dice, self.ascii, self.answers = board, dice, ascii, answers
        self.sent: list[tuple[Seat, Any]] = []
        self.notices: list[str] = []
        self.notice = ""
        self.told: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        self.board.focus()

    def on_board_notice(self, message: Board.Notice) -> None:
        self.notice = message.sentence
        if message.sentence:
            self.notices.append(message.sentence)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        for action in message.actions:
            self.take(message.seat, action)

    def take(self, seat: Seat, action: Any) -> None:
        self.sent.append((seat, action))
        if self.answers:
            self.play(seat, action)

    def reject(self) -> None:
        self.board.rejected(Refusal("not-now", "Not now."))

    def play(self, seat: Seat, action: Any) -> None:
        """What the table does with an action, whoever it is from."""
        rules, state = self.board.rules, self.board.state
        try:
            events = rules.decide(state, seat, action, self.dice, 0)
        except IllegalAction as refusal:
            self.board.rejected(refusal)
            return
        for event in events:
            self.told.append(self.board.narrate(state, event, self.board.names))
            state = rules.evolve(state, event)
        self.board.show(state, events, seat)


def named(on: Stage) -> set[str]:
    """The keys that the line below the board names."""
    active = on.screen.active_bindings.values()
    return {each.binding.description for each in active if each.binding.show and each.node is on.board}


def text(widget: Widget) -> str:
    """What a picture shows, or all the pictures within a widget, one after the other."""
    pictures = [widget] if isinstance(widget, Picture) else list(widget.query(Picture))
    return "\n".join(picture.render_line(y).text for picture in pictures for y in range(picture.size.height))


async def click(pilot: Pilot[None], picture: Picture, words: str) -> None:
    """Clicks on these words where they stand in a picture."""
    lines = text(picture).split("\n")
    y = next(y for y, line in enumerate(lines) if words in line)
    await pilot.click(picture, offset=(cell_len(lines[y].split(words)[0]), y))


def step_of(game: str, entry: AnyEntry, before: Any = None, after: Any = None) -> Step:
    """A step of a client's history, at a table of which only the game's states matter."""
    table = TableState("table", "Kitchen", game, {}, seats=())
    return Step(1, entry, replace(table, game_state=before), replace(table, game_state=after))
