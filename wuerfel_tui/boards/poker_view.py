"""What the board of Würfel Poker shows, as functions of the state: nothing here knows a key or the mouse."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from wuerfel_tui.boards.core import Option
from wuerfel_tui.boards.poker_words import result
from wuerfel_tui.games import poker
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.poker import (
    ROWS,
    SPACES,
    Board,
    Place,
    Poker,
    State,
    leader,
    name,
    possible,
    reason,
    winner,
    with_die,
)
from wuerfel_tui.widgets.choices import Choice
from wuerfel_tui.widgets.dice import Die
from wuerfel_tui.widgets.rows import Half, Player, Row
from wuerfel_tui.wording import listed

RULES = Poker()
BRIEF = 14
"""Cells of a name where there is little room."""


def brief(name: str) -> str:
    """A name for places with little room."""
    return name if cell_len(name) <= BRIEF else set_cell_size(name, BRIEF - 1).rstrip() + "…"


def finished(state: State) -> bool:
    """Whether the last game's full board is shown: until somebody throws for the next, and for good after the match."""
    return bool(state.games) and (state.over or not (state.placed or state.thrown))


def board(state: State) -> Board:
    """The board that is shown."""
    return state.games[-1].board if finished(state) else state.board


def on_offer(state: State) -> tuple[bool, ...]:
    """Of the dice as they fell, which are still there; of equal ones the left is taken first."""
    left = list(state.offer)
    here: list[bool] = []
    for die in reversed(state.thrown):
        here.append(bool(left) and left[-1] == die)
        if here[-1]:
            left.pop()
    return tuple(reversed(here))


def choosable(state: State) -> tuple[int, ...]:
    """Indexes among the dice as they fell: those on offer, of equal ones the left."""
    here = [index for index, free in enumerate(on_offer(state)) if free]
    leftmost = {state.thrown[index]: index for index in reversed(here)}
    return tuple(sorted(leftmost.values()))


# Choices


def options(state: State, die: int, side: Seat, names: Sequence[str]) -> tuple[Option, ...]:
    """A row each: what the die would make of it on that side, and who would be ahead."""
    return tuple(_option(state, Place(die, row, side), names) for row in ROWS)


def _option(state: State, place: Place, names: Sequence[str]) -> Option:
    row = state.board[place.row]
    if row[place.side].filled:
        return Option(Choice("full", verdict(row, names).words), ())
    after = with_die(row, place.side, place.die, state.placed + 1)
    return Option(Choice(name(after[place.side].dice), verdict(after, names).words), (place,))


class Verdict(NamedTuple):
    """As in `Row`."""

    ahead: Seat | None
    who: str
    does: str
    why: str

    @property
    def words(self) -> str:
        return f"{self.who} {self.does}".strip()


def verdict(row: poker.Row, names: Sequence[str]) -> Verdict:
    """How a row stands."""
    won, ahead = winner(row), leader(row)
    full = bool(row[0].filled and row[1].filled)
    if won is not None:
        return Verdict(won, names[won], "wins", reason(row) if full else "whatever comes")
    if ahead is not None:
        return Verdict(ahead, names[ahead], "leads", reason(row))
    return Verdict(None, "", "level" if row[0].dice else "open", "")


# Rows


class Marks(NamedTuple):
    """What is drawn into the board.

    place: the chosen placement, as a ghost
    side: on which the digits choose a row; None if they choose nothing
    fresh: row and side of the die that came last
    """

    place: Place | None = None
    side: Seat | None = None
    fresh: tuple[int, Seat] | None = None


def rows(state: State, marks: Marks, names: Sequence[str]) -> list[Row]:
    """The board as it would be with the chosen die in its place."""
    return [_row(state.placed + 1, index, row, marks, names) for index, row in enumerate(board(state))]


def _row(placement: int, index: int, row: poker.Row, marks: Marks, names: Sequence[str]) -> Row:
    chosen = marks.place if marks.place and marks.place.row == index else None
    after = with_die(row, chosen.side, chosen.die, placement) if chosen else row
    stands = verdict(after, names)

    def half(seat: Seat) -> Half:
        dice = after[seat].dice
        ghost = chosen.die if chosen and chosen.side == seat else 0
        full = len(dice) == SPACES
        best = "" if full else f"at best {name(possible(dice)[1])}" if dice else "can be anything"
        return Half(
            row[seat].dice,
            ghost,
            key=str(index + 1) if seat == marks.side else "",
            name=name(dice) if dice else "empty",
            best=best,
            lost=full and stands.does == "wins" and stands.ahead != seat,
            fresh=marks.fresh == (index, seat),
        )

    return Row(half(0), half(1), *stands)


def players(
    state: State, names: Sequence[str], mine: Collection[Seat], marks: Sequence[str]
) -> tuple[Player, Player]:
    """Who plays which side; where both sit at this keyboard, neither is "you"."""
    left, right = (
        Player(
            names[seat],
            tuple(game.winners.count(seat) for game in state.games),
            marks[seat] or ("you" if tuple(mine) == (seat,) else ""),
            turn=seat in RULES.actors(state),
        )
        for seat in (0, 1)
    )
    return left, right


def dice(state: State, chosen: int | None) -> list[Die]:
    """The three dice of the round; chosen: the index of the one that somebody here reaches for"""
    if not state.thrown:
        return [] if state.over else [Die("")] * SPACES
    return [
        Die(
            str(die),
            state="gone" if not here else "kept" if index == chosen else "",
            word=str(die) if here else "gone",
        )
        for index, (die, here) in enumerate(zip(state.thrown, on_offer(state), strict=True))
    ]


# Words


def heading(state: State) -> str:
    """For the title line."""
    if finished(state):
        return f"game {len(state.games)} is over"
    return f"game {len(state.games) + 1}, round {state.round} of 6"


def title(state: State, names: Sequence[str]) -> str:
    """What happens now, and by whom."""
    if finished(state):
        winners = state.games[-1].winners
        won = max((0, 1), key=winners.count)
        if state.over:
            return f"{names[won]} wins the match, {max(state.points)} points to {min(state.points)}"
        return f"{names[won]} wins game {len(state.games)}, {result(won, winners)}"
    who = names[state.turn]
    if not state.thrown:
        return f"{who} throws the dice"
    nth = SPACES - len(state.offer)
    return f"{who} places {('one of the three', 'one of the two left', 'the last die')[nth]}"


def rest(state: State, die: int, names: Sequence[str]) -> str:
    """What a choice leaves to whom."""
    left = list(state.offer)
    left.remove(die)
    if not left:
        return (
            f"Then round {state.round} would be over." if state.round < 6 else "Then the board would be full."
        )
    return f"That would leave {listed(left)} to {names[1 - state.turn]}."


def score(state: State, names: Sequence[str]) -> str:
    """The games of the match so far, and who begins the next."""
    if not state.games:
        begins = "" if state.placed or state.thrown else f"{names[state.starter]} begins. "
        return f"{begins}A row is a point, five points win the match."
    games = [
        f"Game {number}: {names[0]} {game.winners.count(0)}, {names[1]} {game.winners.count(1)}."
        for number, game in enumerate(state.games, start=1)
    ]
    if finished(state) and not state.over:
        games.append(f"{names[state.starter]} begins game {len(games) + 1}.")
    return " ".join(games)
