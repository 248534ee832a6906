"""Würfel Poker in words: every event is a plain sentence, the results count what was won, advice names an action."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest

from tests.boards.poker_tables import ONE_GAME, table
from tests.boards.stage import falling, step_of
from wuerfel_tui.boards.poker_words import advice, luck, narrate, numbers
from wuerfel_tui.games.poker import (
    FACES,
    AnyAction,
    AnyEvent,
    Began,
    GameWon,
    Opening,
    Options,
    Place,
    Placed,
    Poker,
    Roll,
    Rolled,
    RowWon,
    State,
)
from wuerfel_tui.record import Acted

NAMES = ("Anna", "Ben")
RULES = Poker()
NEW = RULES.new(2, Options())
CHOOSING = table("44 | 554", "6 |", "|", offer="421")
EITHER = table("44 | 554", "6 |", "|", offer="421", either_side=True)

SENTENCES: list[tuple[State, AnyEvent, str]] = [
    (NEW, Opening((3, 3)), "Both throw a 3 for the start, and throw again."),
    (NEW, Opening((5, 2)), "For the start Anna throws a 5, Ben a 2."),
    (NEW, Began(1), "Ben begins."),
    (
        table(games=ONE_GAME),
        Began(1),
        "Game 2: Ben, who lost the last one, begins on an empty board.",
    ),
    (table(), Rolled(0, (4, 2, 6)), "Anna throws 4, 2 and 6."),
    (
        table("4 |", "|", "|", offer="44", thrown="444", turn=1),
        Placed(1, 4, 0, 1),
        "Ben puts the 4 in row 1: single 4. There both sides are level.",
    ),
    (
        CHOOSING,
        Placed(0, 1, 2, 0),
        "Anna puts the 1 in row 3: single 1. There Anna leads: single beats empty row.",
    ),
    (
        CHOOSING,
        Placed(0, 4, 0, 0),
        "Anna puts the 4 in row 1: triple of 4. There Anna wins it: triple beats pair.",
    ),
    (
        table("66 | 55", "5 | 5", "|", offer="621"),
        Placed(0, 6, 0, 0),
        "Anna puts the 6 in row 1: triple of 6. There Anna wins it whatever comes.",
    ),
    (
        EITHER,
        Placed(0, 4, 1, 1),
        "Anna puts the 4 in row 2 on Ben's side: single 4. There Anna leads: single: 6 beats 4.",
    ),
    (
        table("444 | 621", "123 | 124", "661 | 662", games=ONE_GAME),
        GameWon(
            0,
            (RowWon(0, "triple beats single"), RowWon(0, "straight beats single"), RowWon(1, "level")),
            (4, 2),
        ),
        "The board is full: row 1 to Anna (triple beats single), row 2 to Anna (straight beats single) and "
        "row 3 to Ben (level). Anna wins game 2 by 2 rows to 1. Points: Anna 4, Ben 2.",
    ),
]


@pytest.mark.parametrize(("before", "event", "sentence"), SENTENCES)
def test_every_event_is_told_in_a_plain_sentence(before: State, event: AnyEvent, sentence: str):
    assert narrate(before, event, NAMES) == sentence


def test_no_event_is_forgotten():
    assert {type(event) for _, event, _ in SENTENCES} == set(get_args(AnyEvent))


@pytest.mark.parametrize(
    ("state", "action", "sentence"),
    [
        (table(), Roll(), "Throw the dice."),
        (
            CHOOSING,
            Place(4, 0, 0),
            "Put the 4 in row 1: triple of 4. There Anna wins it: triple beats pair.",
        ),
        (
            EITHER,
            Place(1, 1, 1),
            "Put the 1 in row 2 on Ben's side: single 1. There Anna leads: single: 6 beats 1.",
        ),
    ],
)
def test_advice_names_the_action(state: State, action: AnyAction, sentence: str):
    assert advice(state, action, NAMES) == sentence


def acted(state: State, action: AnyAction, dice: str = "") -> tuple[Any, State]:
    """A step of a client's history, as far as the numbers look at it, and the state after it."""
    events = RULES.decide(state, state.turn, action, falling(int(die) - 1 for die in dice), 0)
    entry, before = Acted(state.turn, action, tuple(events), 0, b""), state
    for event in events:
        state = RULES.evolve(state, event)
    return step_of("poker", entry, before, state), state


def test_the_results_count_what_each_won_and_laid():
    decisive = table(
        "444 | 621", "123 | 124", "66 | 554", offer="6", thrown="654", points=(2, 1), games=ONE_GAME
    )
    step, _ = acted(decisive, Place(6, 2, 0))
    assert dict(numbers([step], NAMES)) == {
        "points": ("5", "1"),
        "games won": ("2", "0"),
        "rows won": ("5", "1"),
        "triples": ("3", "0"),
        "straights": ("2", "0"),
        "pairs": ("1", "2"),
        "singles": ("0", "4"),
        "luck with the throws, in rows": ("+0.0", "+0.0"),
    }


def test_without_history_there_is_nothing_to_count():
    assert numbers([], NAMES) == []


def test_luck_is_for_who_threw():
    state = table("66 | 555", "|", "| 4")
    lucky, _ = acted(state, Roll(), "666")
    unlucky, _ = acted(table("555 | 66", "|", "4 |", turn=1), Roll(), "111")
    assert dict(numbers([lucky], NAMES))["luck with the throws, in rows"] == ("+0.5", "+0.0")
    assert dict(numbers([unlucky], NAMES))["luck with the throws, in rows"] == ("+0.0", "-0.5")


@pytest.mark.parametrize("state", [table(), table("66 | 555", "|", "| 4"), EITHER])
def test_over_all_throws_luck_evens_out(state: State):
    throws = product(FACES, FACES, FACES)
    assert sum(luck(state, Rolled(0, throw)) for throw in throws) == pytest.approx(0)
