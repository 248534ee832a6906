"""The board of Wurf & Weg: one's card, the charm and one's dice, and everybody else at the sides. In real time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.timer import Timer

from wuerfel_tui.boards import wurf_weg_view as view
from wuerfel_tui.boards import wurf_weg_words as words
from wuerfel_tui.boards.core import Board, named
from wuerfel_tui.boards.wurf_weg_hands import Hand, begun
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.wurf_weg import clockwise
from wuerfel_tui.games.wurf_weg_parts import (
    BLANK,
    CARDS,
    COUNTDOWN,
    DICE_EACH,
    SYMBOLS,
    AnyAction,
    AnyEvent,
    Place,
    Placed,
    Ready,
    Roll,
    State,
)
from wuerfel_tui.widgets.arranged import Arranged
from wuerfel_tui.widgets.choices import Button, Buttons
from wuerfel_tui.widgets.race import Band, Charm, Line, Own, OwnCard, OwnLine, Panel, Tray

QUIET = frozenset(
    (
        "overtaken",
        "tumbling",
        "countdown",
        "after-stop",
        "not-shown",
        "no-dice",
        "no-rolls",
        "not-begun",
        "not-now",
    )
)
"""Codes with which the table refuses what a board has let pass."""
PATIENCE = 3.0
"""Seconds after the pace for which dice tumble on if no word of them comes."""


def pictures(dice: int) -> int:
    """How many pictures a tumble has between its first and its last: a roll may cost 400 bytes, each picture 90."""
    return max(0, min(2, 4 - dice))


class WurfWegBoard(Board, Arranged):
    """Every key is answered at once and sent at once; what the table says is shown as soon as it may be seen."""

    key = "wurf_weg"
    state: State

    BINDINGS: ClassVar[list[BindingType]] = [
        *named("enter", "confirm", "ready"),
        Binding("backspace", "explain('take_back')", show=False),
        Binding("w", "second_roll", show=False),
        Binding("a", "second_send(-1, 0)", show=False),
        Binding("s", "second_send(0, 1)", show=False),
        Binding("d", "second_send(1, 0)", show=False),
    ]

    narrate = staticmethod(words.narrate)
    numbers = staticmethod(words.numbers)

    def __init__(self, names: tuple[str, ...], mine: tuple[Seat, ...], state: State, motion: bool) -> None:
        super().__init__(names, mine[:2], state, motion)
        self.hands = {seat: Hand(seat) for seat in self.mine}
        self.throws = {seat: view.Throw() for seat in self.mine}
        self.senders: dict[Seat, tuple[str, ...]] = dict.fromkeys(self.mine, ())
        self.rewarded: tuple[Seat, ...] = ()
        self.ring = tuple(seat for seat in clockwise(self._first, len(names)) if seat not in self.mine)
        self.band, self.charm, self.depot = Band(view.Banner()), Charm(), Line("muted")
        self.others = tuple(Panel(view.Other(names[seat])) for seat in self.ring)
        self.cards = tuple(OwnCard(seat) for seat in self.mine)
        self.trays = tuple(Tray(seat) for seat in self.mine)
        self.lines = tuple(OwnLine(Own()) for _ in self.mine)
        self.buttons = Buttons()
        self.ticking: Timer | None = None
        self._tumbling: dict[Seat, list[Timer]] = {}

    @property
    def _first(self) -> Seat:
        """From where clockwise is counted: our left neighbour comes first."""
        return self.mine[0] if self.mine else 0

    def compose(self) -> ComposeResult:
        yield from (self.band, self.charm, self.depot, *self.others)
        for pictures in zip(self.cards, self.trays, self.lines, strict=True):
            yield from pictures
        yield self.buttons

    def regions(self, size: Size) -> list[Region]:
        return view.plan(size, len(self.ring), len(self.mine)).all()

    # What comes from the table

    def show(self, state: State, events: Sequence[AnyEvent] = (), actor: Seat | None = None) -> None:
        before, self.state = self.state, state
        self._remember(before, events)
        for hand in self.hands.values():
            for action in hand.follow(before, state, self.clock()):
                self.post_message(self.Chosen(hand.seat, action))
        if state.phase != before.phase:
            self.clear_notice()
        self.update()

    def _remember(self, before: State, events: Sequence[AnyEvent]) -> None:
        """What the state does not tell: who was rewarded, and from whom dice came."""
        if self.state.round != before.round:
            won = zip(before.players, self.state.players, strict=True)
            self.rewarded = tuple(seat for seat, (then, now) in enumerate(won) if now.won > then.won)
            self.throws = dict.fromkeys(self.mine, view.Throw())
        for event in events:
            if isinstance(event, Placed) and event.to in self.hands:
                self.senders[event.to] += (self.names[event.seat],) * event.count

    def rejected(self, rejection: Any) -> None:
        for hand in self.hands.values():
            for action in hand.refused(self.state, rejection.code):
                self.post_message(self.Chosen(hand.seat, action))
        self.update()

    def is_quiet(self, rejection: Any) -> bool:
        """What the rules are against is refused here; if the table does, it was overtaken, or is sent again."""
        return rejection.code in QUIET

    # What is shown

    def seen(self) -> State:
        """The table as it is shown: our dice lie by our own clock, and what we place is on its way."""
        state = begun(self.state, self.clock())
        for hand in self.hands.values():
            state = hand.seen(state)
        return state

    def update(self) -> None:
        state, seats = self.seen(), len(self.names)
        seconds = view.seconds_left(state, self.clock())
        self._tick(state)
        people = view.Names(self.names, self.marks)
        news = self.rewarded if self._is_news(state) else ()
        self.band.show(view.banner(state, self.names, news, seconds))
        self.charm.show(state.charm)
        self.depot.show(view.depot(state, key=len(self.mine) == 1))
        for seat, panel in zip(self.ring, self.others, strict=True):
            arrow = view.arrow_to(seat, self.mine, seats)
            panel.show(view.other(state, seat, people, arrow, open_dice=not self.mine))
        for seat, card, tray, line in zip(self.mine, self.cards, self.trays, self.lines, strict=True):
            self._follow_throw(state, seat)
            card.show(view.own_card(state, seat, self.names))
            tray.show(view.tray(state, seat, self.throws[seat], seconds, self.rewarded))
            line.show(view.own(state, seat, self.names[seat], words.keys_of(seat, self.mine)))
        self.buttons.show(self._buttons(state))
        self.prompt = words.prompt(state, self.mine, self.names)
        super().update()

    def is_able(self, action: str) -> bool:
        """The same through a whole race, since the line of keys costs as much as a roll."""
        late = self.state.phase == "ready" and any(not self.state.players[seat].ready for seat in self.mine)
        match action:
            case "roll":
                return late or (bool(self.mine) and self.state.phase in ("countdown", "race", "last"))
            case "confirm":
                return late
            case _:
                return False

    def _is_news(self, state: State) -> bool:
        """Whether the last round's rewards are still to be taken in: until we are ready, or somebody is."""
        seats = self.mine or range(len(self.names))
        ready = [state.players[seat].ready for seat in seats]
        return not (all(ready) if self.mine else any(ready))

    def _follow_throw(self, state: State, seat: Seat) -> None:
        """What is in the air, what waits on the card, and so many outlines as the round has needed."""
        hand, player, throw = self.hands[seat], state.players[seat], self.throws[seat]
        tumbling = hand.tumbling(self.state)
        waiting = max(0, player.dice - tumbling) if hand.rolls else player.on_card
        self.senders[seat] = self.senders[seat][-waiting:] if waiting else ()
        unknown = ("",) * (waiting - len(self.senders[seat]))
        slots = max(throw.slots, player.dice) if state.phase in ("race", "last") else DICE_EACH
        self.throws[seat] = view.Throw(tumbling, throw.turn, (*unknown, *self.senders[seat]), slots)

    def _buttons(self, state: State) -> list[Button]:
        if not self.mine or state.phase == "over":
            return []
        if state.phase == "ready":
            late = [seat for seat in self.mine if not state.players[seat].ready]
            return [Button("confirm", "Enter", "ready", hot=True)] if late else []
        if len(self.mine) > 1:
            actions = ("roll", "second_roll")
            return [
                Button(action, words.KEYS[index].roll, f"{self.names[seat]} rolls")
                for index, (seat, action) in enumerate(zip(self.mine, actions, strict=True))
            ]
        roll = Button("roll", "Space", "roll", hot=state.phase in ("race", "last"))
        if state.phase == "last":
            return [roll]
        left, right = (self.names[seat] for seat in words.neighbours(self._first, len(self.names)))
        sends = [("send_left", "←", left), ("send_down", "↓", "depot"), ("send_right", "→", right)]
        return [roll, *(Button(action, key, name) for action, key, name in sends)]

    # Time: nothing runs unless a count-down does, or our dice are in the air

    def _tick(self, state: State) -> None:
        """Has the count-down looked at again when its next second is over."""
        if self.ticking is not None:
            self.ticking.stop()
            self.ticking = None
        if state.phase == "countdown" and state.until is not None:
            left = min(state.until - self.clock(), COUNTDOWN)
            self.ticking = self.set_timer(((left - 1) % 1000 + 1) / 1000, self.update)

    def _tumble(self, seat: Seat, dice: int) -> None:
        for timer in self._tumbling.get(seat, ()):
            timer.stop()
        pace = self.state.options.pace / 1000
        frames = pictures(dice) if self.motion else 0
        self._tumbling[seat] = [
            self.set_timer(pace, partial(self.dice_lie, seat)),
            *(
                self.set_timer(pace * (frame + 1) / (frames + 1), partial(self.turn_dice, seat))
                for frame in range(frames)
            ),
        ]

    def turn_dice(self, seat: Seat) -> None:
        throw = self.throws[seat]
        self.throws[seat] = throw._replace(turn=throw.turn + 1)
        self.update()

    def dice_lie(self, seat: Seat) -> None:
        """`pace` has passed since our press: the dice may be seen as soon as they are known (W9)."""
        self.hands[seat].lies = True
        if self.hands[seat].rolls:
            self._tumbling[seat] = [self.set_timer(PATIENCE, partial(self.give_up, seat))]
        self.update()

    def give_up(self, seat: Seat) -> None:
        """No word of our roll has come: it is lost, or was told while nobody here could look. The table is right."""
        self.hands[seat].forget()
        self.update()

    # What the keys and the mouse do

    def why_not(self) -> str | None:
        if not self.mine:
            return "You are watching."
        return "The game is over." if self.state.phase == "over" else None

    def act(self, seat: Seat, action: AnyAction) -> None:
        """Sends an action, or says why not; nothing waits for the answer to the one before."""
        hand, state = self.hands[seat], begun(self.state, self.clock())
        refusal = hand.refusal(state, action)
        if refusal is not None:
            self.refuse(refusal)
            return
        hand.press(state, action)
        if isinstance(action, Roll):
            self._tumble(seat, hand.count)
        if not hand.held:
            self.post_message(self.Chosen(seat, action))
        self.update()

    def roll(self) -> None:
        self._roll_or_ready(self.mine[0])

    def confirm(self) -> None:
        """Ready, all of us who are not yet."""
        late = [seat for seat in self.mine if not self.seen().players[seat].ready]
        if self.state.phase != "ready":
            self.refuse(f"{words.KEYS[0].roll} rolls.")
        elif not late:
            self.refuse("You are ready already; the others are not.")
        else:
            for seat in late:
                self.act(seat, Ready())

    def move(self, across: int, down: int) -> None:
        self._send(self.mine[0], across, down)

    def pick(self, index: int) -> None:
        self._send_die(self.mine[0], index)

    def action_second_roll(self) -> None:
        if self.may_act():
            self._roll_or_ready(self.mine[-1])

    def action_second_send(self, across: int, down: int) -> None:
        if self.may_act():
            self._send(self.mine[-1], across, down)

    def action_send_left(self) -> None:
        self.action_move(-1, 0)

    def action_send_down(self) -> None:
        self.action_move(0, 1)

    def action_send_right(self) -> None:
        self.action_move(1, 0)

    def clicked(self, *target: str | int) -> None:
        match target:
            case ("depot",):
                holders = [seat for seat in self.mine if self.state.charm in self.seen().players[seat].hand]
                self._send((holders or self.mine)[0], 0, 1)
            case ("side", int(seat), int(side)):
                self._send(seat, 1 if side else -1, 0)
            case ("die", int(seat), int(index)):
                self._send_die(seat, index)
            case ("tray", int(seat)):
                self._roll_or_ready(seat)
            case _:
                pass

    def _roll_or_ready(self, seat: Seat) -> None:
        self.act(seat, Ready() if self.state.phase == "ready" else Roll())

    def _send(self, seat: Seat, across: int, down: int) -> None:
        """All dice with the charm, or the left or right symbol of the card."""
        state = self.seen()
        if down < 0:
            self.refuse("Left and right go to the neighbours, down to the depot.")
        elif down:
            self.act(seat, Place(state.charm))
        else:
            symbol = CARDS[state.players[seat].card][across > 0]
            if symbol == state.charm and state.phase == "race":
                self.refuse(f"The {SYMBOLS[symbol]} is the charm: it goes to the depot.")
            else:
                self.act(seat, Place(symbol))

    def _send_die(self, seat: Seat, index: int) -> None:
        """All dice that show the same as this one, wherever they belong."""
        state, tumbling = self.seen(), self.hands[seat].tumbling(self.state)
        faces = () if tumbling else view.hand(state.players[seat])
        if tumbling:
            self.refuse("Your dice are still tumbling.")
        elif index < len(faces) and faces[index] != BLANK:
            self.act(seat, Place(faces[index]))
        else:
            self.refuse(f"There is no die {index + 1} to be placed.")

    # What is said

    @property
    def heading(self) -> str:
        return f"round {self.state.round}" if self.state.round else ""

    @property
    def standing(self) -> str:
        return view.standing(self.state)

    def hint(self) -> str:
        why_not = self.why_not()
        tumbling = frozenset(seat for seat, hand in self.hands.items() if hand.tumbling(self.state))
        return why_not or words.advice(self.seen(), self.mine, self.names, tumbling)
