"""A stage for the board of Wurf & Weg: a table with a clock, on a line that may be slow in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.boards.stage import Stage, falling, text
from wuerfel_tui.boards.wurf_weg import WurfWegBoard
from wuerfel_tui.games.core import IllegalAction, Seat
from wuerfel_tui.games.wurf_weg import WurfWeg
from wuerfel_tui.games.wurf_weg_parts import BLANK, AnyAction, AnyEvent, Options, Player, State

NAMES = ("Anna", "Ben", "Cecilia", "Dieter", "Elfriede", "Françoise")
SMALL = (80, 20)
RULES = WurfWeg()
CLOVER, PIG, CAT, COIN, HORSESHOE, HAND = range(6)
CLOVER_PIG, PIG_CAT, CAT_COIN = 0, 3, 6  # numbers of cards
PACE = Options().pace


class Race(Stage):
    """A table that one screen looks at.

    truth: the state at the table; the board has what has arrived of it
    now: the table's clock, which the board knows too
    slow: whether what goes either way waits until `reach` and `arrive` are called
    """

    board: WurfWegBoard

    def __init__(
        self, state: State, *dice: int, mine: tuple[Seat, ...] = (0,), slow: bool = False, **options: Any
    ) -> None:
        motion = options.pop("motion", False)
        board = WurfWegBoard(NAMES[: len(state.players)], mine, state, motion)
        super().__init__(board, falling(dice), answers=not slow, **options)
        self.truth, self.now, self.slow = state, 10_000, slow
        board.clock = lambda: self.now
        self._reached = 0  # so many of the actions sent
        self._to_board: list[Callable[[], None]] = []

    def play(self, seat: Seat, action: AnyAction) -> None:
        """What the table does with an action, whoever it is from."""
        try:
            events = RULES.decide(self.truth, seat, action, self.dice, self.now)
        except IllegalAction as refusal:
            self._tell(lambda refusal=refusal: self.board.rejected(refusal))
        else:
            self._happen(tuple(events), seat)

    def wait(self, milliseconds: int) -> None:
        """Time passes at the table."""
        self.now += milliseconds
        events = tuple(RULES.elapse(self.truth, self.dice, self.now))
        if events:
            self._happen(events, None)

    def reach(self) -> None:
        """What was sent reaches the table."""
        sent, self._reached = self.sent[self._reached :], len(self.sent)
        for seat, action in sent:
            self.play(seat, action)

    def arrive(self) -> None:
        """What the table has told arrives."""
        told, self._to_board = self._to_board, []
        for call in told:
            call()

    def _happen(self, events: tuple[AnyEvent, ...], actor: Seat | None) -> None:
        for event in events:
            self.told.append(self.board.narrate(self.truth, event, self.board.names))
            self.truth = RULES.evolve(self.truth, event)
        state = self.truth
        self._tell(lambda: self.board.show(state, events, actor))

    def _tell(self, call: Callable[[], None]) -> None:
        if self.slow:
            self._to_board.append(call)
        else:
            call()

    # What is on the screen

    @property
    def band(self) -> str:
        """The word of the moment."""
        return self.board.band.model.word

    def tray(self, seat: Seat = 0) -> list[str]:
        """The dice of a seat of ours, as they are written."""
        tray = self.board.trays[self.board.mine.index(seat)]
        line = text(tray).split("\n")[tray.size.height // 2]
        return [word.strip() for word in line.replace("█", " ").split("  ") if word.strip()]

    def dice_of(self, name: str) -> str:
        """What stands for another player's dice."""
        return next(panel.model.dice for panel in self.board.others if panel.model.name == name)


def player(card: int, *hand: int, on_card: int = 0, won: int = 0) -> Player:
    return Player(card=card, won=won, hand=hand, on_card=on_card)


def race(*players: Player, charm: int, **options: Any) -> State:
    """A race in which these players have these dice; those missing are in the depot."""
    depot = 3 * len(players) - sum(each.dice for each in players)
    return State(Options(**options), "race", players, (15, 16, 17), round=1, charm=charm, depot=depot)


def before_round(*players: Player, charm: int, **options: Any) -> State:
    """The charm of the second round lies open."""
    return State(
        Options(**options), "ready", players, (15, 16, 17), round=2, charm=charm, until=70_000, depot=0
    )


FRESH = (BLANK, BLANK, BLANK)


def two(*hand: int, charm: int = COIN, **options: Any) -> State:
    """Anna has these dice and sends clovers left and pigs right, both to Ben; he has three."""
    return race(player(CLOVER_PIG, *hand), player(PIG_CAT, HAND, HAND, HAND), charm=charm, **options)
