"""Würfel Poker's boards as text: rows are written like `44 | 621`, the left half belonging to seat 0."""

from __future__ import annotations

from typing import Any

from wuerfel_tui.games.poker import Half, Played, State


def half(dice: str) -> Half:
    return Half(tuple(map(int, dice)), 18 if len(dice) == 3 else 0)


def table(*rows: str, offer: str = "", thrown: str = "", turn: int = 0, **more: Any) -> State:
    """A game in which it is this seat's turn.

    offer: the dice that lie there; thrown: all three of the round, if some of them are gone already
    """
    sides = [row.split("|") for row in rows or ("|", "|", "|")]
    board: Any = tuple((half(left.strip()), half(right.strip())) for left, right in sides)
    placed = sum(len(side.dice) for row in board for side in row)
    assert placed % 3 == (3 - len(offer) if offer else 0), "so many dice cannot lie there now"
    active = 1 - turn if placed % 3 == 1 else turn
    return State(
        starter=1 - active if placed // 3 % 2 else active,
        board=board,
        placed=placed,
        thrown=tuple(map(int, thrown or offer)),
        offer=tuple(map(int, offer)),
        **{"either_side": False, "points": (0, 0), "games": ()} | more,
    )


def played(*rows: str, winners: tuple[int, int, int]) -> Played:
    """A finished game that seat 0 began."""
    return Played(0, table(*rows).board, winners)


LAST_DIE = table("444 | 621", "123 | 124", "66 | 554", offer="6", thrown="654")
"""The last choice of a game, seat 0's: whatever it is called, it is the 6, and row 3."""
ONE_GAME = (played("444 | 621", "123 | 124", "661 | 662", winners=(0, 0, 1)),)
"""Seat 0 has won it by two rows to one."""
