"""The board of Würfel Express: tracks, display, dice, and what could be gained with them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Region, Size

from wuerfel_tui.boards import express_view as view
from wuerfel_tui.boards import express_words as words
from wuerfel_tui.boards.core import Board, named
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.express_parts import (
    DICE,
    LENGTHS,
    AnyAction,
    AnyEvent,
    EndTurn,
    Piece,
    Reroll,
    Rolled,
    State,
    Steal,
    Stop,
    Take,
    TakeBack,
)
from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.choices import Button, Buttons, Choices
from wuerfel_tui.widgets.dice import DiceRow
from wuerfel_tui.widgets.palette import LETTERS
from wuerfel_tui.widgets.tracks import Display, Tracks, cell_width


def rows(seats: int, height: int) -> tuple[int, int]:
    """Rows of a lane and of the dice in a board so high.

    Tracks come first, then a display with pieces as large as on the tracks (6 rows, else 3), then large dice.
    """
    for lane, display, dice in ((3, 6, 6), (3, 6, 4), (2, 6, 4), (2, 3, 4)):
        if 2 + seats * lane + display + dice + 1 <= height:
            return lane, dice
    return 1, 4


class ExpressBoard(Board, Arranged):
    """Kept dice are golden and say so; Space rolls the others."""

    key = "express"
    state: State

    BINDINGS: ClassVar[list[BindingType]] = [*named("e", "end_turn", "end turn")]

    narrate = staticmethod(words.narrate)
    numbers = staticmethod(words.numbers)

    def __init__(self, names: tuple[str, ...], mine: tuple[Seat, ...], state: State, motion: bool) -> None:
        super().__init__(names, mine, state, motion)
        self.tracks = Tracks(motion)
        self.rack = Display()
        self.list = Choices()
        self.dice = DiceRow(DICE, LETTERS, motion)
        self.buttons = Buttons()
        self.rolling = view.Rolling(state.dice)
        self.cursor: int | None = None  # the die that Enter would keep or let go
        self.warned = False  # that stopping here gains nothing

    def compose(self) -> ComposeResult:
        yield from (self.tracks, self.rack, self.list, self.dice, self.buttons)

    def regions(self, size: Size) -> list[Region]:
        """Tracks, display, list, dice and buttons. Large dice need the whole width."""
        lane, dice = rows(len(self.names), size.height)
        left = 6 + sum(LENGTHS) * cell_width(size.width)
        top = 2 + lane * len(self.names)
        middle = max(3, size.height - top - dice - 1)
        large = dice > 4
        return [
            Region(0, 0, size.width, top),
            Region(0, top, left, middle),
            Region(left, top, min(52, size.width - left), middle if large else middle + dice),
            Region(0, top + middle, size.width if large else left, dice),
            Region(0, top + middle + dice, size.width, 1),
        ]

    # What comes from the table

    def drop(self) -> None:
        super().drop()
        self.cursor, self.warned = None, False

    def happened(self, before: State, events: Sequence[AnyEvent]) -> None:
        if not events:
            self.rolling = view.Rolling(self.state.dice)
            return
        for event in events:
            if isinstance(event, Rolled):
                kept = frozenset(range(len(event.dice))).difference(event.thrown)
                self.rolling = view.Rolling(event.dice, kept)
                self.dice.tumble(event.thrown)
        if before.tracks != self.state.tracks:
            self.tracks.glide(view.moves(before, self.state))

    # What is shown

    def update(self) -> None:
        state, acting = self.state, self.seat is not None
        self.options = view.options(state, self.names) if acting else ()
        self.chosen = min(self.chosen, max(0, len(self.options) - 1))
        action = self._chosen_action()
        gains = view.gains(state)
        after, detail = view.preview(state, action, self.names)
        players = view.Players(self.names, self.mine, self.marks)
        self.tracks.show(view.lanes(state, after, action, players))
        self._show_display(after, action, gains)
        numbered = acting and state.phase == "rolling"
        self.dice.show(view.dice(state, self.rolling, action, acting), self.cursor, numbered)
        choices = [option.choice for option in self.options] or [
            view.choice(state, each, self.names) for each in gains
        ]
        self.list.show(view.title(state, self.names), choices, self.chosen if self.options else None, detail)
        self.buttons.show(self._buttons(action) if acting else ())
        self.prompt = self._prompt(action)
        super().update()

    def is_able(self, action: str) -> bool:
        phase = self.state.phase
        match action:
            case _ if self.seat is None:
                return False
            case "roll":
                return phase == "start" or (phase == "rolling" and bool(self._thrown()))
            case "confirm":
                return phase in ("start", "rolling", "gaining")
            case "take_back":
                return phase == "start" and self.chosen + 1 < len(self.options)
            case _:
                return phase == "gaining" and bool(self.state.gained)

    def _show_display(self, after: State, action: AnyAction | None, gains: Sequence[AnyAction]) -> None:
        hot = frozenset(Piece(gain.colour, gain.length) for gain in gains if isinstance(gain, Take))
        leaving = Piece(action.colour, action.length) if isinstance(action, Take) else None
        count = action.count if isinstance(action, TakeBack) else 0
        joining = frozenset(self.state.tracks[self.state.turn].pieces[:count])
        held = self._held(after if count else self.state)
        self.rack.show(after.display, hot, held, leaving, joining)

    def _held(self, state: State) -> frozenset[int]:
        """The colours that our track holds, so that the display's pieces of these are no use."""
        ours = state.turn if state.turn in self.mine else next(iter(self.mine), None)
        return frozenset() if ours is None else frozenset(piece.colour for piece in state.tracks[ours].pieces)

    def _chosen_action(self) -> AnyAction | None:
        return self.options[self.chosen].actions[0] if self.options else None

    def _buttons(self, action: AnyAction | None) -> list[Button]:
        match self.state.phase:
            case "start":
                back = [Button("take_back", "Backspace", "take back")] if len(self.options) > 1 else []
                undo = [Button("undo", "Esc", "undo")] if self.chosen else []
                return [Button("roll", "Space", f"roll {self._dice_left(action)}", hot=True), *back, *undo]
            case "rolling":
                count = len(self._thrown())
                again = [Button("roll", "Space", f"roll {count} again")] if count else []
                if self.cursor is None:
                    return [*again, Button("stop", "Enter", "stop here", hot=True)]
                turn = Button("confirm", "Enter", self._turning(self.cursor), hot=True)
                return [*again, turn, Button("undo", "Esc", "leave the dice")]
            case "gaining":
                end = [Button("end_turn", "E", "end the turn")] if self.state.gained else []
                return [Button("confirm", "Enter", self._deed(action), hot=True), *end]
            case _:
                return []

    def _prompt(self, action: AnyAction | None) -> str:
        state = self.state
        if self.seat is None:
            return self._waiting()
        match state.phase:
            case "start" if isinstance(action, TakeBack):
                back = f"Space takes {action.count} back and rolls {self._dice_left(action)} dice"
                return f"{back} · Backspace one more · Esc undoes"
            case "start":
                more = " · Backspace takes a piece back" if len(self.options) > 1 else ""
                return f"Space rolls {self._dice_left(action)} dice{more}"
            case "rolling":
                count = len(self._thrown())
                again = f"Space rolls {count} again" if count else "all are kept"
                enter = "Enter stops here" if self.cursor is None else f"Enter: {self._turning(self.cursor)}"
                return f"1-{len(state.dice)} keep a die or let it go · {again} · {enter}"
            case _:
                end = " · E ends the turn" if state.gained and not isinstance(action, EndTurn) else ""
                deed = "ends the turn" if isinstance(action, EndTurn) else "attaches it"
                return f"Up and down choose · Enter {deed}{end}"

    def _waiting(self) -> str:
        state = self.state
        who = self.names[state.turn]
        match state.phase:
            case "setup":
                return "The game begins."
            case "start":
                return f"{who} is about to roll."
            case "rolling":
                return f"{who} is rolling: roll {state.rolls}."
            case "gaining":
                return f"{who} chooses what to gain."
            case _:
                return "The game is over."

    def _turning(self, index: int) -> str:
        return f"let die {index + 1} go" if index in self.rolling.kept else f"keep die {index + 1}"

    def _deed(self, action: AnyAction | None) -> str:
        piece = view.gained_piece(self.state, action)
        if piece is None:
            return "end the turn"
        return f"{'steal' if isinstance(action, Steal) else 'take'} {view.chip(piece)}"

    def _dice_left(self, action: AnyAction | None) -> int:
        return DICE - self.state.taken_back - (action.count if isinstance(action, TakeBack) else 0)

    # What the keys and the mouse do

    def _thrown(self) -> tuple[int, ...]:
        return tuple(index for index in range(len(self.state.dice)) if index not in self.rolling.kept)

    def pick(self, index: int) -> None:
        if self.state.phase != "rolling":
            super().pick(index)
        elif index < len(self.state.dice):
            self.rolling = self.rolling._replace(kept=self.rolling.kept ^ {index})
            self.warned = False
            self.update()
        else:
            self.refuse(f"There are {len(self.state.dice)} dice.")

    def roll(self) -> None:
        match self.state.phase:
            case "start":
                super().confirm()
            case "rolling" if thrown := self._thrown():
                self.send(Reroll(thrown))
            case "rolling":
                self.refuse("All dice are kept: a digit lets one go, Enter stops here.")
            case _:
                self.refuse("The last roll is made: choose what to gain.")

    def confirm(self) -> None:
        if self.state.phase != "rolling":
            super().confirm()
        elif self.cursor is not None:
            self.pick(self.cursor)
        else:
            self.stop()

    def stop(self) -> None:
        """Ends the rolls; where that gains nothing, only when asked again."""
        if view.gains(self.state) or self.warned:
            self.send(Stop())
        else:
            self.warned = True
            self.refuse(f"{words.cost(view.without_gain(self.state))} Enter again stops.")

    def action_stop(self) -> None:
        if self.may_act():
            self.stop()

    def take_back(self) -> None:
        if self.state.phase != "start":
            self.refuse("Pieces can be taken back only before the first roll.")
        elif self.chosen + 1 < len(self.options):
            super().pick(self.chosen + 1)
        else:
            self.refuse("At least one piece must stay." if self.chosen else "There is no piece to take back.")

    @property
    def can_undo(self) -> bool:
        return self.cursor is not None or (self.state.phase == "start" and self.chosen > 0)

    def undo(self) -> None:
        if self.state.phase == "start" and self.chosen:
            self.chosen -= 1
        self.cursor = None
        self.update()

    def move(self, across: int, down: int) -> None:
        if self.state.phase != "rolling":
            super().move(across, down)
            return
        places = [None, *range(len(self.state.dice))]  # None: the button that stops
        self.cursor = places[(places.index(self.cursor) + across) % len(places)] if across else None
        self.update()

    def action_end_turn(self) -> None:
        if self.may_act():
            objection = self.objection(EndTurn())
            if objection:
                self.refuse(objection)
            else:
                self.send(EndTurn())

    def clicked(self, *target: str | int) -> None:
        match target:
            case ("die", int(index)):
                if self.state.phase == "rolling":
                    self.pick(index)
                else:
                    self.refuse("The dice are not chosen now.")
            case ("piece", int(colour), int(length)):
                self.choose_action(Take(colour, length))
            case ("rear", int(seat)) if seat == self.state.turn:
                self.take_back()
            case ("rear", int(seat)):
                self.choose_action(Steal(seat))
            case _:
                pass

    @property
    def heading(self) -> str:
        return f"round {self.state.round}" if self.state.number else ""

    def hint(self) -> str:
        bot = BOTS.get(self.key, {}).get("easy")
        if self.seat is None or bot is None:
            return super().hint()
        action = bot.choose(self.state, self.seat, Random(0))
        return words.advice(self.state, action, self.names) if action else super().hint()
