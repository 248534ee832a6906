"""What all boards share: the contract with the table screen, the keys, and choosing from a list with a preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import AnyRules, IllegalAction, Seat
from wuerfel_tui.widgets.canvas import Picture
from wuerfel_tui.widgets.choices import Choice

NAMED = ("roll", "confirm", "take_back", "end_turn")
"""What the line of keys below a board names while it can be done."""


class Option(NamedTuple):
    """An entry of the list of choices, and the actions that it stands for, in order."""

    choice: Choice
    actions: tuple[Any, ...]


def named(key: str, action: str, does: str) -> tuple[Binding, Binding]:
    """A key that is named below the board only while it can do something; at other times it says why it cannot."""
    return Binding(key, action, does), Binding(key, f"explain('{action}')", show=False)


class Board(Widget, can_focus=True):
    """The part of the table screen that belongs to one game: 80 columns by 20 rows, or more.

    A subclass makes its widgets in `__init__`, yields them in `compose`, shows everything in `update`, and answers the
    keys in `pick`, `roll`, `confirm`, `take_back`, `undo` and `move`, called only when a seat of ours may act.
    Clicks arrive in `clicked`; nothing within the board takes the focus.

    names: by seat, cleaned of control characters, otherwise foreign text
    mine: the seats that this screen plays; two people at one keyboard have two, a spectator none
    state: of the game
    motion: whether things may move
    clock (to be set before the board is mounted): the table's time in milliseconds, as well as it is known here
    """

    DEFAULT_CSS = """
    Board { width: 1fr; height: 1fr; background: $background; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"pick({digit - 1})", show=False) for digit in range(1, 10)),
        *named("space", "roll", "roll"),
        *named("enter", "confirm", "confirm"),
        *named("backspace", "take_back", "take back"),
        Binding("escape", "undo", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
    ]

    key: ClassVar[str]
    """The game's key: `express`."""

    prompt: reactive[str] = reactive("", repaint=False)
    """What can be done now, in one line."""

    class Chosen(Message):
        """Actions to send, in their order; what was to follow one that is refused is not meant any more."""

        def __init__(self, seat: Seat, *actions: Any) -> None:
            super().__init__()
            self.seat = seat
            self.actions = actions

    class Notice(Message):
        """Why a key did nothing, in one line; empty when that has passed."""

        def __init__(self, sentence: str) -> None:
            super().__init__()
            self.sentence = sentence

    def __init__(self, names: tuple[str, ...], mine: tuple[Seat, ...], state: Any, motion: bool) -> None:
        super().__init__()
        self.names, self.mine, self.state, self.motion = names, mine, state, motion
        self.clock: Callable[[], int] = _own_clock
        self.marks = ("",) * len(names)
        self.options: tuple[Option, ...] = ()
        self.chosen = 0
        self.pointed = False
        self._unanswered = 0
        self._noticed = False
        self._able: tuple[bool, ...] = ()

    # What the table screen calls

    def show(self, state: Any, events: Sequence[Any] = (), actor: Seat | None = None) -> None:
        """The state after these events, which somebody's action or the time has brought.

        Called for every entry of the log, and without events when the state comes anew, as after an outage.
        """
        if actor in self.mine:
            self._unanswered = max(0, self._unanswered - 1)
        before, self.state = self.state, state
        if state != before:
            if not events:
                self._unanswered = 0
            self.drop()
            self.clear_notice()
            self.happened(before, events)
        self.update()

    def rejected(self, rejection: Any) -> None:
        """The host said no, or cannot be reached: what was pending is dropped. The frame shows the reason."""
        self._unanswered = 0
        self.drop()
        self.update()

    def is_quiet(self, rejection: Any) -> bool:
        """Whether nothing needs to be said about a rejection: others were faster, and nobody is to blame."""
        return rejection.code == "overtaken"

    def set_presence(self, marks: tuple[str, ...]) -> None:
        """A short mark for each seat: nothing, `away`, `bot` or `stand-in`."""
        self.marks = marks
        self.update()

    @property
    def heading(self) -> str:
        """How far the game is, in a few words for the title: `round 3`."""
        return ""

    @property
    def standing(self) -> str | None:
        """What the title says in place of whose move it is, in a game without turns; None where there are turns."""
        return None

    def hint(self) -> str:
        """One sentence of advice."""
        return self.why_not() or "There is no advice for this game yet."

    @staticmethod
    def narrate(before: Any, event: Any, names: Sequence[str]) -> str | None:
        """A plain sentence for the log.

        before: the state in which the event happens: of several in one entry, each is told after the one before it
        """
        raise NotImplementedError

    @staticmethod
    def numbers(steps: Sequence[Any], names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
        """For the results: what is counted, and its value for each seat.

        steps: of the game, as in `Client.history`
        """
        raise NotImplementedError

    # What a game fills in

    def update(self) -> None:
        """Shows the state with what is pending, and sets the prompt; here, at last, which keys can do something."""
        able = tuple(self.is_able(action) for action in NAMED)
        if able != self._able:
            self._able = able
            self.refresh_bindings()

    def is_able(self, action: str) -> bool:
        """Whether one of the keys in `NAMED` can do something now, where a seat of ours may act."""
        return False

    def drop(self) -> None:
        """Forgets what is pending."""
        self.chosen, self.pointed = 0, False

    def happened(self, before: Any, events: Sequence[Any]) -> None:
        """Sets in motion what these events moved; `self.state` is the state after them."""

    def pick(self, index: int) -> None:
        """A digit: 1 is index 0. Chooses that entry of the list."""
        if index < len(self.options):
            self.chosen, self.pointed = index, True
            self.update()
        else:
            self.refuse(f"There is no choice {index + 1}.")

    def roll(self) -> None:
        self.refuse("There is nothing to roll now.")

    def confirm(self) -> None:
        """Does what is chosen."""
        if self.options:
            self.send(*self.options[self.chosen].actions)
        else:
            self.refuse("There is nothing to confirm now.")

    def take_back(self) -> None:
        self.refuse("There is nothing to take back.")

    @property
    def can_undo(self) -> bool:
        """Whether Escape means something here; otherwise it is the frame's."""
        return False

    def undo(self) -> None:
        """Takes the last pending thing off the screen."""

    def move(self, across: int, down: int) -> None:
        if self.options:
            self.pick((self.chosen + across + down) % len(self.options))

    def clicked(self, *target: str | int) -> None:
        """A click on something that is neither a button nor an entry of the list."""

    # What a game builds with

    @property
    def rules(self) -> AnyRules:
        return GAMES[self.key]

    @property
    def seat(self) -> Seat | None:
        """The seat of ours that may act now."""
        return next((seat for seat in self.rules.actors(self.state) if seat in self.mine), None)

    def choose(self, index: int) -> None:
        """A click on an entry of the list: chooses it, and does it if it has been chosen already."""
        if self.pointed and index == self.chosen:
            self.confirm()
        else:
            Board.pick(self, index)

    def choose_action(self, action: Any) -> None:
        """Chooses the entry that stands for an action; if there is none, says what is against it."""
        actions = [option.actions for option in self.options]
        if (action,) in actions:
            self.choose(actions.index((action,)))
        else:
            self.refuse(self.objection(action) or "That cannot be chosen now.")

    def objection(self, action: Any) -> str | None:
        """What the rules say against an action of the seat of ours that may act."""
        assert self.seat is not None
        try:
            self.rules.decide(self.state, self.seat, action, lambda sides: 0, 0)
        except IllegalAction as illegal:
            return illegal.sentence
        return None

    def send(self, *actions: Any) -> None:
        seat = self.seat
        assert seat is not None
        self._unanswered += len(actions)
        self.post_message(self.Chosen(seat, *actions))

    def refuse(self, sentence: str) -> None:
        self._noticed = True
        self.post_message(self.Notice(sentence))

    def clear_notice(self) -> None:
        """What was refused is no matter any more."""
        if self._noticed:
            self._noticed = False
            self.post_message(self.Notice(""))

    def why_not(self) -> str | None:
        """Why no seat of ours can act now."""
        actors = self.rules.actors(self.state)
        if self.seat is not None:
            return "The table has not answered yet." if self._unanswered else None
        if not actors:
            return "The game is over." if self.rules.outcome(self.state) else "The game has not begun."
        if not self.mine:
            return "You are watching."
        return f"It is {self.names[actors[0]]}'s turn." if len(actors) == 1 else "It is not your turn."

    # Keys and clicks

    def may_act(self) -> bool:
        """Whether a seat of ours may act; if not, says why."""
        self.clear_notice()
        why_not = self.why_not()
        if why_not:
            self.refuse(why_not)
        return not why_not

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in NAMED:
            return self.is_able(action)
        return self.can_undo if action == "undo" else True

    def action_explain(self, action: str) -> None:
        """A key that can do nothing now: its action says why."""
        getattr(self, f"action_{action}")()

    def action_pick(self, index: int) -> None:
        if self.may_act():
            self.pick(index)

    def action_roll(self) -> None:
        if self.may_act():
            self.roll()

    def action_confirm(self) -> None:
        if self.may_act():
            self.confirm()

    def action_take_back(self) -> None:
        if self.may_act():
            self.take_back()

    def action_undo(self) -> None:
        if self.may_act():
            self.undo()

    def action_move(self, across: int, down: int) -> None:
        if self.may_act():
            self.move(across, down)

    def on_picture_clicked(self, message: Picture.Clicked) -> None:
        message.stop()
        self.focus()
        match message.target:
            case ("press", str(action)):
                getattr(self, f"action_{action}")()
            case _ if not self.may_act():
                pass
            case ("choice", int(index)):
                self.choose(index)
            case target:
                self.clicked(*target)

    def on_mount(self) -> None:
        self.update()


def _own_clock() -> int:
    return round(monotonic() * 1000)
