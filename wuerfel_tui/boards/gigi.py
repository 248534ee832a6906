"""The board of Gigi Gacker am Würfelacker: the buffet, everybody's dice and morsels, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size

from wuerfel_tui.boards import gigi_view as view
from wuerfel_tui.boards import gigi_words as words
from wuerfel_tui.boards.core import Board, Option
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.gigi import (
    ChickenRolled,
    Distributed,
    GigiAction,
    GigiEvent,
    Keep,
    Revealed,
    Reverse,
    Reversed,
    Roll,
    Rolled,
    State,
    Swapped,
    Use,
    swapped,
)
from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.buffet import Buffet
from wuerfel_tui.widgets.choices import Button, Buttons, Choices
from wuerfel_tui.widgets.dice import DiceRow
from wuerfel_tui.widgets.guests import HAND, Guests, Slot

FACES = "246135"
LEFT = 38
"""Columns of the dice; the list of choices has the rest."""
NONE_YET = -1
"""For the list: there is a choice, and nothing is chosen."""
LIST = 52
"""Columns of the list, at most."""


def rows(eaters: int, height: int) -> tuple[int, int]:
    """Rows of the buffet and of somebody's lane in a board so high; dice and list have the rest."""
    for buffet, lane in ((9, 3), (7, 3), (7, 2), (5, 2)):
        if buffet + 2 + eaters * lane + 7 + 1 <= height:
            return buffet, lane
    return 5, 2 if eaters <= 3 else 1


class GigiBoard(Board, Arranged):
    """One list holds all that a turn allows; to swap two places is a list of its own behind its entry.

    Nothing is chosen at first, so that an Enter too many sets no die aside and spends no morsel.
    """

    key = "gigi"
    state: State

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "swap", "swap places", show=False),
        Binding("r", "reverse", "turn the buffet around", show=False),
        Binding("m", "morsel", "choose a morsel", show=False),
    ]

    narrate = staticmethod(words.narrate)
    numbers = staticmethod(words.numbers)

    def __init__(self, names: tuple[str, ...], mine: tuple[Seat, ...], state: State, motion: bool) -> None:
        super().__init__(names, mine, state, motion)
        self.buffet = Buffet(motion)
        self.guests = Guests(motion)
        self.dice = DiceRow(HAND, FACES, motion)
        self.list = Choices()
        self.buttons = Buttons()
        self.result: view.Result | None = None  # of the last round, until somebody rolls
        self.swapping = False  # the list is that of the places to swap
        self.marked: int | None = None  # the first of two places to be swapped
        self.spending = 0  # which of the morsels that can be spent on the buffet

    def compose(self) -> ComposeResult:
        yield from (self.buffet, self.guests, self.dice, self.list, self.buttons)

    @property
    def heading(self) -> str:
        return f"round {self.state.round} of {view.rounds(self.state)}"

    def regions(self, size: Size) -> list[Region]:
        """Where buffet, lanes, dice, list and buttons are."""
        buffet, lane = rows(len(self.state.aside), size.height)
        table = 2 + lane * len(self.state.aside)
        gap = 1 if size.height > buffet + table + 10 else 0
        top = buffet + table + gap
        rest = max(1, size.height - top - 1)
        return [
            Region(0, 0, size.width, buffet),
            Region(0, buffet + gap, size.width, table),
            Region(0, top, LEFT, min(6, rest)),
            Region(LEFT, top, min(LIST, size.width - LEFT), rest),
            Region(0, top + rest, size.width, 1),
        ]

    # What comes from the table

    def drop(self) -> None:
        super().drop()
        self.swapping, self.marked, self.spending = False, None, 0

    def happened(self, before: State, events: Sequence[GigiEvent]) -> None:
        if not events:
            self.result = None
        state, thrown = before, set[Slot]()
        for event in events:
            places = range(len(state.buffet))
            match event:
                case Rolled(seat, dice):
                    self.result = None
                    thrown |= self._thrown(state, seat, len(dice))
                case ChickenRolled():
                    thrown.add(("aside", state.seats, len(state.aside[-1])))
                case Distributed(awards):
                    self.result = view.Result(state, awards)
                case Revealed(_, buffet):
                    self.buffet.glide((-1,) * len(buffet))
                # A change of ours is seen before it is confirmed.
                case Swapped(seat, first, second) if seat not in self.mine:
                    self.buffet.glide(swapped(places, first, second))
                case Reversed(seat) if seat not in self.mine:
                    self.buffet.glide(places[::-1])
                case _:
                    pass
            state = self.rules.evolve(state, event)
        if thrown:
            self.guests.tumble(thrown)

    def _thrown(self, state: State, seat: Seat, count: int) -> set[Slot]:
        """The small dice that a roll throws; the last die is set aside as it falls."""
        if state.turn == 3:
            return {("aside", seat, 2)}
        self.dice.tumble(range(count))
        return {("left", seat, index) for index in range(count)}

    # What is shown

    def update(self) -> None:
        state, acting = self.state, self.seat is not None
        offered = self._offered()
        self.options = offered if acting else ()
        self.chosen = min(self.chosen, max(0, len(self.options) - 1))
        action = self._chosen_action()
        after = view.preview(state, action)
        players = view.Players(self.names, self.mine, self.marks)
        self.buffet.show(view.buffet(state, action, players, self.marked), view.pile(state))
        eaten = self.result.state.round if self.result else None
        self.guests.show(view.guests(state, after, self.result, players), eaten)
        die = self.chosen if isinstance(action, Keep) else None
        numbered = bool(self.options) and not self.swapping and (state.rolled or state.turn > 1)
        self.dice.show(view.dice(state, action, die), die, numbered)
        choices = [option.choice for option in offered] or view.winners(state, self.names)
        cursor = None if not self.options else self.chosen if self._ready() else NONE_YET
        self.list.show(self._title(), choices, cursor, self._detail(action), numbered=not self.swapping)
        self.buttons.show(self._buttons(action) if acting else ())
        self.prompt = self._prompt(action) if acting else words.waiting(state, self.names)
        super().update()

    def is_able(self, action: str) -> bool:
        match action:
            case _ if self.seat is None:
                return False
            case "roll":
                return self.objection(Roll()) is None and not self._holds(self._chosen_action())
            case "confirm":
                return self._ready()
            case "take_back":
                return self.can_undo
            case _:
                return False

    def _offered(self) -> tuple[Option, ...]:
        morsel = self._morsel()
        if self.swapping and morsel is not None:
            return view.swaps(self.state, morsel)
        return view.options(self.state, morsel)

    def _morsel(self) -> int | None:
        """The morsel that a change of the buffet would cost."""
        morsels = view.spendable(self.state)
        return morsels[self.spending % len(morsels)] if morsels else None

    def _ready(self) -> bool:
        """Whether Enter has something to do: an entry is chosen, or there is but one."""
        return self.marked is None and (self.pointed or len(self.options) == 1)

    def _chosen_action(self) -> GigiAction | None:
        return next(iter(self.options[self.chosen].actions), None) if self.options and self._ready() else None

    def _swap_chosen(self) -> bool:
        """Whether the entry behind which the places are is chosen."""
        return bool(self.options) and self._ready() and not self.options[self.chosen].actions

    def _spends(self, action: GigiAction | None) -> bool:
        """Whether the choice is about a change of the buffet."""
        return self.swapping or self._swap_chosen() or isinstance(action, Reverse)

    def _title(self) -> str:
        if self.swapping:
            return f"Swap two places for the morsel {self._morsel()}"
        return view.title(self.state, self.names)

    def _detail(self, action: GigiAction | None) -> str:
        if self.result and self.rules.actors(self.state):
            return view.eaten(self.result, self.names)
        if self.marked is not None:
            return f"Place {self.marked + 1} with which other place?"
        if self._swap_chosen():
            return "Enter shows which two."
        return view.detail(self.state, action)

    def _buttons(self, action: GigiAction | None) -> list[Button]:
        found: list[Button] = []
        rolls = self.objection(Roll()) is None and not self._holds(action)
        if rolls:
            found.append(Button("roll", "Space", words.rolling(self.state), hot=isinstance(action, Roll)))
        if self._ready() and not isinstance(action, Roll):
            found.append(Button("confirm", "Enter", words.deed(self.state, action), hot=True))
        if view.spendable(self.state) and not self._spends(action):
            found += [Button("swap", "S", "swap"), Button("reverse", "R", "turn around")]
        if self._other_morsels(action):
            found.append(Button("morsel", "M", "other morsel" if self._spends(action) else "a morsel"))
        if self.can_undo:
            found.append(Button("undo", "Esc", "back"))
        return found

    def _other_morsels(self, action: GigiAction | None) -> bool:
        if self.state.turn == 3:
            return any(map(_uses, self.options))
        return self._spends(action) and len(view.spendable(self.state)) > 1

    def _prompt(self, action: GigiAction | None) -> str:
        state = self.state
        pick = f"1-{len(self.options)}, up, down: choose"
        space = f"Space: {words.rolling(state)}" if self.objection(Roll()) is None else ""
        if self.marked is not None:
            return f"A digit or a click: place {self.marked + 1} with which other · Esc: back"
        if self._holds(action):
            pick, space = f"1-{len(state.buffet)}, up, down: two places" if self.swapping else "", ""
        enter = f"Enter: {words.deed(state, action)}" if self._ready() else ""
        if isinstance(action, Roll):
            pick, enter = "" if len(self.options) == 1 else pick, ""
        other = "M: other morsel" if self._spends(action) and self._other_morsels(action) else ""
        back = "Esc: back" if self._holds(action) else ""
        return " · ".join(part for part in (pick, enter, space, other, back) if part)

    # What the keys and the mouse do

    def pick(self, index: int) -> None:
        if self.swapping:
            self.mark(index)
        else:
            super().pick(index)

    def choose(self, index: int) -> None:
        self.marked = None
        if len(self.options) == 1:
            self.confirm()
        else:
            super().choose(index)

    def mark(self, index: int) -> None:
        """One of two places to be swapped; with the second, the pair is chosen."""
        places = len(self.state.buffet)
        if index >= places:
            self.refuse(f"The buffet has {places} places.")
            return
        if self.marked is None or self.marked == index:
            self.marked, self.pointed = index if self.marked is None else None, False
            self.update()
            return
        first, second = sorted((self.marked, index))
        pairs = [(each.first, each.second) for option in self.options for each in option.actions]
        self.chosen, self.pointed, self.marked = pairs.index((first, second)), True, None
        self.update()

    def roll(self) -> None:
        action = self._chosen_action()
        objection = self.objection(Roll())
        if self._holds(action):
            self.refuse("The buffet is not changed yet: Enter does it, Esc leaves it as it is.")
        elif objection:
            self.refuse(objection)
        else:
            self.send(Roll())

    def _holds(self, action: GigiAction | None) -> bool:
        """Whether a change of the buffet is shown that a roll would make impossible."""
        return self.swapping or isinstance(action, Reverse)

    def confirm(self) -> None:
        if self.marked is not None:
            self.refuse(f"Place {self.marked + 1} needs another place to be swapped with.")
        elif not self._ready():
            self.refuse("Nothing is chosen yet: digits or arrows choose, Enter confirms.")
        elif self._swap_chosen():
            self.open_swaps()
        else:
            super().confirm()

    def take_back(self) -> None:
        if self.can_undo:
            self.undo()
        else:
            self.refuse("What has been rolled or set aside cannot be taken back.")

    @property
    def can_undo(self) -> bool:
        return self.pointed or self.swapping

    def undo(self) -> None:
        if self.marked is not None:
            self.marked = None
        elif self.swapping and self.pointed:
            self.pointed = False
        else:
            self.drop()
        self.update()

    def move(self, across: int, down: int) -> None:
        action = self._chosen_action()
        if across and self._spends(action) and self._other_morsels(action):
            self.spending += across
            self.update()
        else:
            step = across + down
            index = self.chosen + step if self._ready() else min(0, step)
            Board.pick(self, index % len(self.options))

    def open_swaps(self) -> None:
        self.swapping, self.marked, self.pointed, self.chosen = True, None, False, 0
        self.update()

    def action_swap(self) -> None:
        """To the places that can be swapped, and back."""
        if not self.may_act():
            return
        if self.swapping:
            self.drop()
            self.update()
        elif view.spendable(self.state):
            self.open_swaps()
        else:
            self.refuse(self._no_change())

    def action_reverse(self) -> None:
        """Shows the buffet turned around, and back."""
        if not self.may_act():
            return
        if not view.spendable(self.state):
            self.refuse(self._no_change())
        elif isinstance(self._chosen_action(), Reverse):
            self.drop()
            self.update()
        else:
            self.swapping, self.marked, self.pointed = False, None, True
            self.chosen = len(self._offered()) - 1
            self.update()

    def action_morsel(self) -> None:
        """The next of the morsels that can be spent: in place of the last die, or on the change that is chosen."""
        if not self.may_act():
            return
        action = self._chosen_action()
        uses = [index for index, option in enumerate(self.options) if _uses(option)]
        if uses:
            self.chosen, self.pointed = next((index for index in uses if index > self.chosen), uses[0]), True
        elif self._other_morsels(action):
            self.spending += 1
        else:
            self.refuse(self._no_morsel(action))
        self.update()

    def _no_change(self) -> str:
        """Why the buffet cannot be changed."""
        if self.state.turn == 2 and not self.state.collected[self.state.active]:
            return "A change of the buffet costs a morsel, and you have none."
        morsel = next(iter(self.state.collected[self.state.active]), 0)
        return self.objection(Reverse(morsel)) or ""

    def _no_morsel(self, action: GigiAction | None) -> str:
        """Why no (other) morsel can be chosen."""
        state = self.state
        if state.turn == 3:
            return "You have no morsel to count in place of the last die."
        if self._spends(action):
            return "You have no other morsel to spend."
        if view.spendable(state):
            return "On the second turn a morsel changes the buffet: S swaps two places, R turns it around."
        return self._no_change()

    def clicked(self, *target: str | int) -> None:
        match target:
            case ("die", int(index)):
                self._click_die(index)
            case ("place", int(index)):
                self._click_place(index)
            case ("morsel", int(eater), int(worms)):
                self._click_morsel(eater, worms)
            case _:
                pass

    def _click_die(self, index: int) -> None:
        dice = self.state.dice[self.state.active]
        if self.swapping:
            self.drop()
            self.update()
        if index < len(dice):
            self.choose(index)
        else:
            self.refuse(self.objection(Keep(0)) or "That die is set aside already.")

    def _click_place(self, index: int) -> None:
        if not view.spendable(self.state):
            self.refuse(self._no_change())
            return
        if not self.swapping:
            self.open_swaps()
        self.mark(index)

    def _click_morsel(self, eater: int, worms: int) -> None:
        morsels = view.spendable(self.state)
        if eater != self.state.active:
            self.refuse("That morsel is not yours to spend now.")
        elif self.state.turn == 3:
            self.choose_action(Use(worms))
        elif not morsels:
            self.refuse(self._no_change())
        else:
            self.spending = morsels.index(worms)
            if not self._spends(self._chosen_action()):
                self.chosen, self.pointed = _swap_entry(self.options), True
            self.update()

    def hint(self) -> str:
        bot = BOTS.get(self.key, {}).get("easy")
        if self.seat is None or bot is None:
            return super().hint()
        action = bot.choose(self.state, self.seat, Random(0))
        return words.advice(action) if action else super().hint()


def _uses(option: Option) -> bool:
    return any(isinstance(action, Use) for action in option.actions)


def _swap_entry(options: Sequence[Option]) -> int:
    return next(index for index, option in enumerate(options) if not option.actions)
