"""The board of Würfel Poker: rows face to face, the dice on offer, and what each would make of a row."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size

from wuerfel_tui.boards import poker_view as view
from wuerfel_tui.boards import poker_words as words
from wuerfel_tui.boards.core import Board
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.poker import ROWS, SPACES, AnyEvent, Place, Placed, Roll, Rolled, State
from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.choices import Button, Buttons, Choices
from wuerfel_tui.widgets.dice import DiceRow
from wuerfel_tui.widgets.rows import Grid, Rows

NONE_YET = -1
"""For the list of rows: there is a choice, and nothing is chosen."""
SMALL = 4
"""Rows of the small dice with a word under each; the large ones have 6."""
LIST = 64
"""Columns of the list, at most."""


def arrangement(height: int) -> tuple[int, int]:
    """How high the three rows and the dice on offer are, in a board so high.

    Large dice on the board come first, then large ones on offer, then air.
    """
    for rows, dice in ((27, 6), (23, 6), (20, 6), (20, SMALL), (17, SMALL)):
        if rows + dice + 2 <= height:
            return rows, dice
    return 14, SMALL


class PokerBoard(Board, Arranged):
    """Left and right choose the die, digits or up and down the row.

    No row is chosen at first, so that an Enter too many places nothing: what is placed stays placed.
    """

    key = "poker"
    state: State

    BINDINGS: ClassVar[list[BindingType]] = [Binding("s", "side", show=False)]

    narrate = staticmethod(words.narrate)
    numbers = staticmethod(words.numbers)

    def __init__(self, names: tuple[str, ...], mine: tuple[Seat, ...], state: State, motion: bool) -> None:
        super().__init__(names, mine, state, motion)
        self.brief = tuple(map(view.brief, names))
        self.rows = Rows(motion)
        self.dice = DiceRow(SPACES, "246135", motion)
        self.list = Choices()
        self.buttons = Buttons()
        self.die: int | None = None  # which of the thrown dice is chosen
        self.side = 0
        self.news = ""  # the last thing that happened
        self.fresh: tuple[int, Seat] | None = None  # row and side of the die that came last
        self.drop()

    def compose(self) -> ComposeResult:
        yield from (self.rows, self.dice, self.list, self.buttons)

    def regions(self, size: Size) -> list[Region]:
        """Where rows, dice, list and buttons are."""
        rows, dice = arrangement(size.height)
        left = Grid.fit(size.width, rows).left - 1
        beside = left + (28 if dice == SMALL else 40)
        bottom = max(rows, size.height - 1)
        return [
            Region(0, 0, size.width, rows),
            Region(left, rows, beside - left, dice),
            Region(beside, rows, min(LIST, size.width - beside), bottom - rows),
            Region(left, bottom, size.width - left, 1),
        ]

    def on_resize(self) -> None:
        self.update()

    # What comes from the table

    def drop(self) -> None:
        """No row; the first die, on our own side if it has a space. What is forced is chosen already."""
        super().drop()
        legal = self._legal()
        self.die = next(iter(view.choosable(self.state)), None) if legal else None
        self.side = next((place.side for place in legal if place.side == self.seat), 1 - (self.seat or 0))
        if len(legal) == 1:
            self.chosen, self.pointed = legal[0].row, True

    def happened(self, before: State, events: Sequence[AnyEvent]) -> None:
        self.news, state = "", before
        for event in events:
            if isinstance(event, Placed):
                self.rows.land(event.row, event.side, len(state.board[event.row][event.side].dice))
                self.fresh = (event.row, event.side)
            if isinstance(event, Rolled):
                self.dice.tumble(range(SPACES))
            if isinstance(event, Placed | Rolled):
                self.news = words.narrate(state, event, self.brief)
            state = self.rules.evolve(state, event)

    def _legal(self) -> list[Place]:
        """The placements that somebody here can choose from."""
        if self.seat is None:
            return []
        return [action for action in self.rules.legal(self.state, self.seat) if isinstance(action, Place)]

    @property
    def heading(self) -> str:
        return view.heading(self.state)

    # What is shown

    def update(self) -> None:
        state, place = self.state, self._place()
        face = None if self.die is None else state.thrown[self.die]
        self.options = view.options(state, face, self.side, self.brief) if face else ()
        players = view.players(state, self.names, self.mine, self.marks)
        marks = view.Marks(place, self.side if face else None, self.fresh)
        self.rows.show(players, view.rows(state, marks, self.names))
        self.dice.show(view.dice(state, self.die), self.die)
        cursor = None if not face else self.chosen if self.pointed else NONE_YET
        choices = [option.choice for option in self.options]
        self.list.show(self._title(), choices, cursor, self._detail(face))
        self.buttons.show(self._buttons(place))
        self.prompt = self._prompt(place)
        super().update()

    def is_able(self, action: str) -> bool:
        match action:
            case _ if self.seat is None:
                return False
            case "roll":
                return self.die is None
            case "confirm":
                return self._place() is not None
            case "take_back":
                return self.can_undo
            case _:
                return False

    def _place(self) -> Place | None:
        """What Enter would do."""
        if self.die is None or not self.pointed:
            return None
        return Place(self.state.thrown[self.die], self.chosen, self.side)

    def _title(self) -> str:
        title = view.title(self.state, self.brief)
        away = self.die is not None and self.side != self.seat
        return f"{title} on {self.brief[self.side]}'s side" if away else title

    def _detail(self, face: int | None) -> str:
        """What stands below the title, or below the rows to choose from."""
        score = view.score(self.state, self.brief)
        if face:
            rest = view.rest(self.state, face, self.brief)
            return rest if arrangement(self.size.height)[1] == SMALL else f"{rest} {score}"
        return f"{self.news} {score}" if self.news and not view.finished(self.state) else score

    def _buttons(self, place: Place | None) -> list[Button]:
        if self.seat is None:
            return []
        if self.die is None:
            return [Button("roll", "Space", "throw three dice", hot=True)]
        enter = [Button("confirm", "Enter", _deed(place), hot=True)] if place else []
        side = [Button("side", "S", f"{self.brief[1 - self.side]}'s side")] if self.state.either_side else []
        return [*enter, *side]

    def _prompt(self, place: Place | None) -> str:
        seat, state = self.seat, self.state
        if seat is None:
            return self._waiting()
        who = f"{self.brief[seat]}: " if len(self.mine) > 1 else ""
        if self.die is None:
            what = f" for game {len(state.games) + 1}" if view.finished(state) else ""
            return f"{who}Space throws the dice{what}"
        side = " · S: other side" if state.either_side else ""
        die = "left/right: die · " if len(view.choosable(state)) > 1 else ""
        if place and not self.can_undo:
            return f"{who}Enter puts the {place.die} in row {place.row + 1}: nothing else is possible"
        if place:
            return f"{who}Enter puts the {place.die} in row {place.row + 1} · {die}1-3: row{side}"
        return f"{who}Choose · {die}1-3 or up/down: row{side}"

    def _waiting(self) -> str:
        if not self.rules.actors(self.state):
            return "The match is over."
        who = self.brief[self.state.turn]
        return f"{who} chooses a die and a row." if self.state.thrown else f"{who} throws the dice."

    # What the keys and the mouse do

    def roll(self) -> None:
        objection = self.objection(Roll())
        if objection:
            self.refuse(objection)
        else:
            self.send(Roll())

    def pick(self, index: int) -> None:
        """A row for the die, if that side has a space there."""
        face = 0 if self.die is None else self.state.thrown[self.die]
        objection = self.objection(Place(face, index, self.side))
        if objection:
            self.refuse(objection)
        else:
            super().pick(index)

    def choose(self, index: int) -> None:
        if self.pointed and index == self.chosen:
            self.confirm()
        else:
            self.pick(index)

    def confirm(self) -> None:
        if self.die is None:
            self.refuse("There is nothing to place yet: Space throws the dice.")
        elif self.pointed:
            super().confirm()
        else:
            self.refuse("Which row? 1-3, or up and down, choose one.")

    def take_back(self) -> None:
        """The chosen row; a die that has been placed stays."""
        if self.can_undo:
            self.undo()
        else:
            self.refuse("Nothing is chosen, and what has been placed stays.")

    @property
    def can_undo(self) -> bool:
        return self.pointed and len(self._legal()) > 1

    def undo(self) -> None:
        self.pointed = False
        self.update()

    def move(self, across: int, down: int) -> None:
        if self.die is None:
            self.refuse("There is nothing to choose yet: Space throws the dice.")
        elif across:
            self._move_die(across)
        else:
            self._move_row(down)

    def _move_die(self, step: int) -> None:
        dice = view.choosable(self.state)
        if len(dice) == 1:
            alike = len(self.state.offer) > 1
            self.refuse("The dice that are left are alike." if alike else "It is the last die of the round.")
            return
        assert self.die is not None
        self.die = dice[(dice.index(self.die) + step) % len(dice)]
        self.update()

    def _move_row(self, step: int) -> None:
        rows = [row for row in ROWS if not self.state.board[row][self.side].filled]
        if self.pointed and len(rows) == 1:
            self.refuse("No other row has a free space.")
        elif self.pointed:
            self.pick(rows[(rows.index(self.chosen) + step) % len(rows)])
        else:
            self.pick(rows[0 if step > 0 else -1])

    def action_side(self) -> None:
        if self.may_act():
            self._change_side(1 - self.side)

    def _change_side(self, side: Seat) -> None:
        """To the other half of the board, in the same row if it has a space there."""
        if self.die is None:
            self.refuse("There is nothing to choose yet: Space throws the dice.")
            return
        rows = [place.row for place in self._legal() if place.side == side]
        if not rows:
            full = "That side has no free space left."
            face = self.state.thrown[self.die]
            self.refuse(full if self.state.either_side else self.objection(Place(face, 0, side)) or full)
            return
        self.side = side
        self.pointed = self.pointed and self.chosen in rows
        self.update()

    def clicked(self, *target: str | int) -> None:
        match target:
            case ("die", int(index)):
                self._click_die(index)
            case ("half", int(row), int(side)):
                self._click_half(row, side)
            case _:
                pass

    def _click_die(self, index: int) -> None:
        """Of equal dice any click means the same."""
        if self.die is None:
            self.roll()
        elif view.on_offer(self.state)[index]:
            face = self.state.thrown[index]
            self.die = next(k for k in view.choosable(self.state) if self.state.thrown[k] == face)
            self.update()
        else:
            self.refuse("That die is gone: it has been placed already.")

    def _click_half(self, row: int, side: Seat) -> None:
        if self.die is None:
            self.refuse("There is nothing to place yet: throw the dice.")
            return
        objection = self.objection(Place(self.state.thrown[self.die], row, side))
        if objection:
            self.refuse(objection)
        elif side != self.side:
            self.side = side
            self.pick(row)
        else:
            self.choose(row)

    def hint(self) -> str:
        bot = BOTS.get(self.key, {}).get("easy")
        if self.seat is None or bot is None:
            return super().hint()
        action = bot.choose(self.state, self.seat, Random(0))
        return words.advice(self.state, action, self.names) if action else super().hint()


def _deed(place: Place | None) -> str:
    return f"put the {place.die} in row {place.row + 1}" if place else ""
