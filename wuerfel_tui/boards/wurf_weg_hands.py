"""What one seat's keys have set going before the table shows it: nothing here is guessed, and nothing draws.

A key is answered at once: dice tumble, a placing leaves the hand. How dice fall is known only from the table, and shown
no earlier than `pace` after the press on this screen's own clock (W9).
"""

from __future__ import annotations

from wuerfel_tui.games.core import IllegalAction, Seat
from wuerfel_tui.games.wurf_weg import WurfWeg, settled
from wuerfel_tui.games.wurf_weg_parts import AnyAction, Go, Place, Ready, Roll, State

RULES = WurfWeg()


class Hand:
    """One seat of ours.

    under_way: what was sent and is not seen to be done, oldest first
    held: whether that is to be sent again, since it was too early for the table's clock
    lies: whether `pace` has passed since our press, so that dice may be seen as soon as they are known
    count: dice that our press threw
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.under_way: list[AnyAction] = []
        self.held = False
        self.lies = False
        self.count = 0

    # What is seen

    def seen(self, state: State) -> State:
        """The table as this seat may take it to be: its dice lie by its own clock, its placings are under way."""
        state = self._lain(state)
        for action in self.under_way:
            if isinstance(action, Place | Ready) and objection(state, self.seat, action) is None:
                state = _done(state, self.seat, action)
        return state

    def tumbling(self, state: State) -> int:
        """How many dice of this seat are in the air on this screen."""
        if self.rolls:
            return self.count
        player = self._lain(state).players[self.seat]
        return 0 if player.lands is None else len(player.hand)

    @property
    def rolls(self) -> bool:
        """Whether a roll is under way of which the table has not told yet."""
        return any(isinstance(action, Roll) for action in self.under_way)

    def _lain(self, state: State) -> State:
        return settled(state, self.seat) if self.lies else state

    # What is pressed

    def refusal(self, state: State, action: AnyAction) -> str | None:
        """Why this cannot be done now, on what is seen; None if it can."""
        if self.rolls:
            return "Your dice are still tumbling."
        seen = self.seen(state)
        if isinstance(action, Ready) and seen.players[self.seat].ready:
            return "You are ready already; the others are not."
        if seen.phase in ("race", "last") and not seen.players[self.seat].dice:
            return "You are rid of all your dice."
        return objection(seen, self.seat, action)

    def press(self, state: State, action: AnyAction) -> None:
        """Takes up an action that is not refused."""
        if isinstance(action, Roll):
            self.count = self.seen(state).players[self.seat].dice
            self.lies = False
        self.under_way.append(action)

    # What comes from the table

    def follow(self, before: State, after: State, now: int) -> tuple[AnyAction, ...]:
        """Another state, `now` by the table's clock; returns what is to be sent again, since its time has come."""
        was, player = before.players[self.seat], after.players[self.seat]
        if player.lands is not None and player.lands != was.lands:
            self._thrown()
        self._keep_possible(begun(after, now))
        landed = was.lands is not None and player.lands is None
        if landed or (before.phase == "countdown" and after.phase == "race"):
            return self._send_again()
        return ()

    def refused(self, state: State, code: str) -> tuple[AnyAction, ...]:
        """The table said no; returns what is to be sent again at once."""
        if code not in TOO_EARLY:
            self.forget()
        self.held = bool(self.under_way)
        if state.players[self.seat].lands is None and state.phase != "countdown":
            return self._send_again()  # what it was too early for has been told meanwhile
        return ()

    def forget(self) -> None:
        """Whatever is under way: the table is as the table says."""
        self.under_way.clear()
        self.held = False

    def _thrown(self) -> None:
        """Dice are in the air: with our roll all that was sent before it is done."""
        if self.rolls:
            first = next(i for i, action in enumerate(self.under_way) if isinstance(action, Roll))
            del self.under_way[: first + 1]
        else:
            self.lies = False  # they were thrown for us: the table says when they lie

    def _send_again(self) -> tuple[AnyAction, ...]:
        again = tuple(self.under_way) if self.held else ()
        self.held = False
        return again

    def _keep_possible(self, state: State) -> None:
        """Forgets what is done, or cannot be done any more."""
        state = self._lain(state)
        kept: list[AnyAction] = []
        for action in self.under_way:
            if objection(state, self.seat, action) is None:
                kept.append(action)
                state = _done(state, self.seat, action)
        self.under_way = kept
        self.held = self.held and bool(kept)


TOO_EARLY = ("tumbling", "countdown")
"""Codes of refusals that time alone puts right."""


def objection(state: State, seat: Seat, action: AnyAction) -> str | None:
    """What the rules say against an action."""
    try:
        RULES.decide(state, seat, action, lambda sides: 0, 0)
    except IllegalAction as illegal:
        return illegal.sentence
    return None


def _done(state: State, seat: Seat, action: AnyAction) -> State:
    """The state after the part of an action that is certain: what others or dice make of it is left out."""
    if isinstance(action, Roll):
        return state
    return RULES.evolve(state, RULES.decide(state, seat, action, lambda sides: 0, 0)[0])


def begun(state: State, now: int) -> State:
    """The table by its own clock: the race is on when the count-down has ended, whether or not that is told yet."""
    if state.phase == "countdown" and state.until is not None and now >= state.until:
        return RULES.evolve(state, Go())
    return state
