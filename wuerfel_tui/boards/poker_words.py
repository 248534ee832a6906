"""Würfel Poker in words: the log's sentences, the results' numbers, advice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from wuerfel_tui.bots.poker import winning
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.poker import (
    FACES,
    KINDS,
    PAIR,
    ROWS,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    AnyAction,
    AnyEvent,
    Began,
    GameWon,
    Opening,
    Pips,
    Placed,
    Poker,
    Roll,
    Rolled,
    Row,
    State,
    leader,
    name,
    rank,
    reason,
    winner,
    with_die,
)
from wuerfel_tui.wording import listed

_RULES = Poker()


def standing(row: Row, names: Sequence[str]) -> str:
    """Who is ahead in a row and why: `Anna leads: pair beats single`."""
    won, ahead = winner(row), leader(row)
    if won is not None and won == ahead and row[0].filled and row[1].filled:
        return f"{names[won]} wins it: {reason(row)}"
    if won is not None:
        return f"{names[won]} wins it whatever comes"
    return "both sides are level" if ahead is None else f"{names[ahead]} leads: {reason(row)}"


def result(seat: Seat, winners: Sequence[Seat]) -> str:
    """`2 rows to 1`"""
    rows = winners.count(seat)
    return f"{rows} rows to {len(ROWS) - rows}"


# The log


def narrate(before: State, event: AnyEvent, names: Sequence[str]) -> str:
    """What happens, in a sentence or three that need no board to be understood."""
    match event:
        case Opening(dice=(left, right)):
            if left == right:
                return f"Both throw a {left} for the start, and throw again."
            return f"For the start {names[0]} throws a {left}, {names[1]} a {right}."
        case Began(seat=seat):
            if not before.games:
                return f"{names[seat]} begins."
            return f"Game {len(before.games) + 1}: {names[seat]}, who lost the last one, begins on an empty board."
        case Rolled(seat=seat, dice=dice):
            return f"{names[seat]} throws {listed(dice)}."
        case Placed():
            return _placed(before, event, names)
        case GameWon():
            return _game_won(before, event, names)


def _placed(before: State, event: Placed, names: Sequence[str]) -> str:
    row = with_die(before.board[event.row], event.side, event.die, before.placed + 1)
    where = "" if event.side == event.seat else f" on {names[event.side]}'s side"
    stands = standing(row, names)
    return (
        f"{names[event.seat]} puts the {event.die} in row {event.row + 1}{where}: {name(row[event.side].dice)}. "
        f"There {stands}."
    )


def _game_won(before: State, event: GameWon, names: Sequence[str]) -> str:
    winners = [row.seat for row in event.rows]
    rows = listed(
        f"row {number} to {names[row.seat]} ({row.why})" for number, row in enumerate(event.rows, start=1)
    )
    points = ", ".join(f"{who} {count}" for who, count in zip(names, event.points, strict=True))
    return (
        f"The board is full: {rows}. {names[event.seat]} wins game {len(before.games) + 1} "
        f"by {result(event.seat, winners)}. Points: {points}."
    )


def advice(state: State, action: AnyAction, names: Sequence[str]) -> str:
    """An action as a suggestion."""
    if isinstance(action, Roll):
        return "Throw the dice."
    row = with_die(state.board[action.row], action.side, action.die, state.placed + 1)
    where = "" if action.side == state.turn else f" on {names[action.side]}'s side"
    return (
        f"Put the {action.die} in row {action.row + 1}{where}: {name(row[action.side].dice)}. "
        f"There {standing(row, names)}."
    )


# The results


def numbers(steps: Sequence[Any], names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What each player won and laid in a match.

    Luck is what the throws brought: how many rows more the best die of each was worth to who threw it than that of an
    average throw on the same board would have been, by the chances of winning each row.
    """
    if not steps:
        return []
    state: State = steps[-1].after.game_state
    winners = [seat for game in state.games for seat in game.winners]
    halves = [(seat, row[seat].dice) for game in state.games for row in game.board for seat in (0, 1)]
    lucky = [0.0, 0.0]
    for before, event in (happening for step in steps for happening in step.happenings()):
        if isinstance(event, Rolled):
            lucky[event.seat] += luck(before, event)

    def kinds(kind: int) -> tuple[str, ...]:
        counts = (sum(rank(dice)[0] == kind for side, dice in halves if side == seat) for seat in (0, 1))
        return tuple(map(str, counts))

    return [
        ("points", tuple(map(str, state.points))),
        (
            "games won",
            tuple(str(sum(game.winners.count(seat) > 1 for game in state.games)) for seat in (0, 1)),
        ),
        ("rows won", tuple(str(winners.count(seat)) for seat in (0, 1))),
        *((f"{KINDS[kind]}s", kinds(kind)) for kind in (TRIPLE, STRAIGHT, PAIR, SINGLE)),
        ("luck with the throws, in rows", tuple(f"{round(rows, 1) + 0.0:+.1f}" for rows in lucky)),
    ]


def luck(before: State, event: Rolled) -> float:
    gains = {die: _gain(before, event.seat, die) for die in FACES}

    def worth(dice: Pips) -> float:
        return max(gains[die] for die in dice)

    throws = list(product(FACES, repeat=len(event.dice)))
    return worth(event.dice) - sum(map(worth, throws)) / len(throws)


def _gain(state: State, seat: Seat, die: int) -> float:
    """What a die can add to the rows that a seat is likely to win."""
    sides = (0, 1) if state.either_side else (seat,)
    return max(
        winning(with_die(row, side, die, state.placed + 1), seat) - winning(row, seat)
        for row in state.board
        for side in sides
        if not row[side].filled
    )
