"""Würfel Poker: two players, three rows, three dice a side in each (rulings P1 to P5).

How rows rank is said in one place, `rank`; whatever compares rows asks it. The functions above the structs of the wire
know nothing of turns and matches: boards and bots use them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from wuerfel_tui.games import core
from wuerfel_tui.games.core import Dice, IllegalAction, Outcome, Seat

FACES = range(1, 7)
ROWS = range(3)
SPACES = 3
"""In half a row, and so many dice are thrown at once."""
BOARD = 18
"""The spaces of the whole board."""
GOAL = 5
"""So many points win the match, counted when a game ends (P5)."""

EMPTY, SINGLE, PAIR, STRAIGHT, TRIPLE = range(5)
KINDS = ("empty row", "single", "pair", "straight", "triple")

Pips: TypeAlias = tuple[int, ...]


class Half(msgspec.Struct, frozen=True):
    """One side's half of a row.

    dice: up to three, in the order in which they were placed
    filled: which placement of the game (3 to 18) brought its third die; 0 while a space is free
    """

    dice: Pips = ()
    filled: int = 0


Row: TypeAlias = tuple[Half, Half]
"""By side: seat 0 sits left."""

Board: TypeAlias = tuple[Row, Row, Row]

EMPTY_BOARD: Board = ((Half(), Half()), (Half(), Half()), (Half(), Half()))


def rank(dice: Pips) -> tuple[int, ...]:
    """How strong half a row is: compare two of them, the greater wins (P4).

    The kind comes first (an index into `KINDS`), then the dice in the order in which they decide. Fewer than
    three dice rank as they stand. The order in `dice` does not matter, so identical dice rank the same:
    `leader` tells them apart.

    >>> rank((4, 3, 4)) > rank((2, 4, 4)) > rank((6, 5, 3))
    True
    """
    deciding = sorted(dice, key=lambda die: (dice.count(die), die), reverse=True)
    alike = dice.count(deciding[0]) if dice else 0
    straight = len(dice) == SPACES and alike == 1 and deciding[0] - deciding[2] == 2
    kind = STRAIGHT if straight else (EMPTY, SINGLE, PAIR, TRIPLE)[alike]
    return (kind, *deciding)


def name(dice: Pips) -> str:
    """What people call it; fewer than three dice as they stand.

    >>> [name(dice) for dice in [(5, 4, 6), (4, 4), (6, 2, 1), ()]]
    ['straight 6-5-4', 'pair of 4', 'single 6', 'empty row']
    """
    kind, *deciding = rank(dice)
    if kind == EMPTY:
        return KINDS[EMPTY]
    if kind == SINGLE:
        return f"single {deciding[0]}"
    if kind == STRAIGHT:
        return f"straight {'-'.join(map(str, deciding))}"
    return f"{KINDS[kind]} of {deciding[0]}"


@cache  # a few hundred different arguments, and boards ask again and again
def possible(dice: Pips) -> tuple[Pips, Pips]:
    """The worst and the best that these dice can still become: each as three dice, the given ones first."""
    full = [dice + more for more in product(FACES, repeat=SPACES - len(dice))]
    return min(full, key=rank), max(full, key=rank)


def leader(row: Row) -> Seat | None:
    """The side that is ahead as the row stands, which has won it once both halves are full; None while they are level.

    Identical dice: the half that was full first (P4).
    """
    left, right = row
    ours, theirs = rank(left.dice), rank(right.dice)
    if ours != theirs:
        return 0 if ours > theirs else 1
    if not left.filled:  # identical dice, so neither half is full
        return None
    return 0 if left.filled < right.filled else 1


def reason(row: Row) -> str:
    """Why the leader leads, in a few words that name no side: "pair beats single", "pair: third die 3 beats 2"."""
    ahead = leader(row)
    if ahead is None:
        return "level"
    kind, *deciding = rank(row[ahead].dice)
    other_kind, *other_deciding = rank(row[1 - ahead].dice)
    if kind != other_kind:
        return f"{KINDS[kind]} beats {KINDS[other_kind]}"
    if deciding == other_deciding:
        return f"same {KINDS[kind]}, full first"
    nth = next(n for n in ROWS if deciding[n : n + 1] != other_deciding[n : n + 1])
    beaten = other_deciding[nth] if nth < len(other_deciding) else "none"
    return f"{KINDS[kind]}: {('', 'second die ', 'third die ')[nth]}{deciding[nth]} beats {beaten}"


def winner(row: Row) -> Seat | None:
    """The side that wins the row whatever dice its free spaces get; None while that is open.

    It need not be the leader: against a full 4-2-1 a lone 3 is behind, yet any two dice make it the stronger.
    """
    left, right = row
    if left.filled and right.filled:
        return leader(row)
    if _safe(left, right):
        return 0
    return 1 if _safe(right, left) else None


def _safe(half: Half, other: Half) -> bool:
    """Whether `half` beats the other whatever comes, where they are not both full."""
    worst, best = rank(possible(half.dice)[0]), rank(possible(other.dice)[1])
    return worst > best or (worst == best and half.filled > 0)


def with_die(row: Row, side: Seat, die: int, placement: int) -> Row:
    """The row with one more die on a side that has a free space.

    placement: the number of this placement in the game, 1 to 18: one more than `State.placed`
    """
    dice = (*row[side].dice, die)
    half = Half(dice, placement if len(dice) == SPACES else 0)
    return (half, row[1]) if side == 0 else (row[0], half)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """either_side: dice may go on any free space of either side (P3)."""

    either_side: bool = False


class Played(msgspec.Struct, frozen=True):
    """A finished game of the match: who began it, its full board, and who won each row."""

    starter: Seat
    board: Board
    winners: tuple[Seat, Seat, Seat]


class State(msgspec.Struct, frozen=True):
    """A match.

    either_side: the option, for the whole match
    starter: who began this game; -1 before the opening throw
    board: by row, then by side
    placed: how many dice lie on the board, 0 to 18
    thrown: the three dice of this round as they fell; () while they are still to be thrown
    offer: those of them that nobody has placed yet
    points: of the match, by seat, from finished games
    games: the finished games; the last one's board stays until the next begins, and for good when the match is over
    """

    either_side: bool
    starter: Seat
    board: Board
    placed: int
    thrown: Pips
    offer: Pips
    points: tuple[int, int]
    games: tuple[Played, ...]

    @property
    def round(self) -> int:
        """The round of this game, 1 to 6."""
        return min(self.placed, BOARD - 1) // 3 + 1

    @property
    def active(self) -> Seat:
        """Who throws in this round, and places its first and its last die (P2)."""
        return self.starter if self.round % 2 else 1 - self.starter

    @property
    def turn(self) -> Seat:
        """Who throws or places next."""
        return 1 - self.active if self.placed % 3 == 1 else self.active

    @property
    def over(self) -> bool:
        """Whether the match is decided (P5)."""
        return max(self.points) >= GOAL


class Roll(core.Action, frozen=True):
    """Throw the three dice of the round."""


class Place(core.Action, frozen=True):
    """Put one of the dice on offer on the board.

    die: the value it shows, 1 to 6 (equal dice are alike)
    row: 0 to 2 from the top
    side: the seat whose side it is
    """

    die: int
    row: int
    side: Seat


AnyAction: TypeAlias = Roll | Place


class Opening(core.Event, frozen=True):
    """Both threw a die for the start, by seat; equal dice are thrown again (P1)."""

    dice: tuple[int, int]


class Began(core.Event, frozen=True):
    """A game of the match begins on an empty board, with this seat."""

    seat: Seat


class Rolled(core.Event, frozen=True):
    """The active player threw three dice, in the order in which they fell."""

    seat: Seat
    dice: tuple[int, int, int]


class Placed(core.Event, frozen=True):
    """A die went from the offer to the board; fields as in `Place`, `seat` is who placed it."""

    seat: Seat
    die: int
    row: int
    side: Seat


class RowWon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who won a row, and why in a few words."""

    seat: Seat
    why: str


class GameWon(core.Event, frozen=True):
    """The board is full: who won the game, each row from the top, and the match points that come of it."""

    seat: Seat
    rows: tuple[RowWon, RowWon, RowWon]
    points: tuple[int, int]


AnyEvent: TypeAlias = Opening | Began | Rolled | Placed | GameWon


class Poker(core.Rules[Options, State, AnyAction, AnyEvent]):
    """Würfel Poker for two: a match of two or three games, first to five points."""

    key = "poker"
    title = "Würfel Poker"
    seats = range(2, 3)

    Options = Options
    State = State
    Action = AnyAction
    Event = AnyEvent

    def new(self, seats: int, options: Options) -> State:
        core.check_seats(self, seats)
        return State(options.either_side, -1, EMPTY_BOARD, 0, (), (), (0, 0), ())

    def begin(self, state: State, dice: Dice) -> Sequence[AnyEvent]:
        """One die each until they differ, each throw an event of its own; the higher begins (P1)."""
        events: list[AnyEvent] = []
        left = right = 0
        while left == right:
            left, right = dice(6) + 1, dice(6) + 1
            events.append(Opening((left, right)))
        events.append(Began(0 if left > right else 1))
        return events

    def actors(self, state: State) -> tuple[Seat, ...]:
        return () if state.starter < 0 or state.placed == BOARD else (state.turn,)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyAction]:
        """One `Roll`, or a `Place` for each different die on offer, then side, then row."""
        if seat not in self.actors(state):
            return ()
        if not state.thrown:
            return (Roll(),)
        sides = (0, 1) if state.either_side else (seat,)
        spaces = [(row, side) for side in sides for row in ROWS if not state.board[row][side].filled]
        return tuple(Place(die, row, side) for die in dict.fromkeys(state.offer) for row, side in spaces)

    def decide(self, state: State, seat: Seat, action: AnyAction, dice: Dice, now: int) -> Sequence[AnyEvent]:
        _check_turn(state, seat)
        if isinstance(action, Roll):
            if state.thrown:
                raise IllegalAction(
                    "already-rolled", "The dice of this round are thrown already: place one of them."
                )
            return (Rolled(seat, (dice(6) + 1, dice(6) + 1, dice(6) + 1)),)
        _check_placement(state, seat, action)
        placed = Placed(seat, action.die, action.row, action.side)
        if state.placed + 1 < BOARD:
            return (placed,)
        return (placed, *_game_end(self.evolve(state, placed)))

    def evolve(self, state: State, event: AnyEvent) -> State:
        match event:
            case Placed():
                return _with_placed(state, event)
            case Rolled(dice=dice):
                return replace(state, thrown=dice, offer=dice)
            case GameWon(rows=(first, second, third), points=points):
                played = Played(state.starter, state.board, (first.seat, second.seat, third.seat))
                return replace(state, points=points, games=(*state.games, played))
            case Began(seat=seat):
                return replace(state, starter=seat, board=EMPTY_BOARD, placed=0)
            case Opening():
                return state

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        games = "two" if len(state.games) == 2 else "three"
        why = f"{max(state.points)} points to {min(state.points)} after {games} games."
        return Outcome(core.ranking(state.points), why)


def _check_turn(state: State, seat: Seat) -> None:
    if state.starter < 0:
        raise IllegalAction("not-begun", "The match has not begun yet.")
    if state.placed == BOARD:
        raise IllegalAction("game-over", "The game is over: the board is full.")
    if seat != state.turn:
        doing = "chooses a die" if state.thrown else "throws the dice"
        raise IllegalAction("not-your-turn", f"It is the other player who {doing} now.")


def _check_placement(state: State, seat: Seat, action: Place) -> None:
    """Raises `IllegalAction` unless the die lies on offer and may go there (P2, P3)."""
    if not state.thrown:
        raise IllegalAction("roll-first", "There are no dice on offer yet: roll first.")
    if action.die not in FACES:
        raise IllegalAction("no-such-die", "A die shows 1 to 6.")
    if action.die not in state.thrown:
        raise IllegalAction("no-such-die", f"There is no {action.die} among the dice of this round.")
    if action.die not in state.offer:
        raise IllegalAction("die-gone", f"No {action.die} is left on offer: it has been placed already.")
    if action.row not in ROWS:
        raise IllegalAction("no-such-row", "The board has three rows.")
    if action.side not in (0, 1):
        raise IllegalAction("no-such-side", "The board has two sides.")
    if action.side != seat and not state.either_side:
        raise IllegalAction("not-your-side", "At this table dice go on one's own side only.")
    if state.board[action.row][action.side].filled:
        raise IllegalAction("row-full", "That row is full on this side.")


def _with_placed(state: State, event: Placed) -> State:
    placed = state.placed + 1
    changed = with_die(state.board[event.row], event.side, event.die, placed)
    first, second, third = (changed if n == event.row else state.board[n] for n in ROWS)
    at = state.offer.index(event.die)
    offer = state.offer[:at] + state.offer[at + 1 :]
    thrown = state.thrown if offer else ()
    return replace(state, board=(first, second, third), placed=placed, thrown=thrown, offer=offer)


def _game_end(state: State) -> tuple[AnyEvent, ...]:
    """What comes of a full board: a point a row, and unless somebody has five the loser begins the next game (P5)."""
    # full halves are never level (P4)
    first, second, third = (RowWon(leader(row) or 0, reason(row)) for row in state.board)
    rows = (first, second, third)
    right = sum(row.seat for row in rows)
    seat = 1 if right >= 2 else 0
    points = (state.points[0] + len(rows) - right, state.points[1] + right)
    won = GameWon(seat, rows, points)
    return (won,) if max(points) >= GOAL else (won, Began(1 - seat))
