"""Gigi Gacker am Würfelacker in words: every event is a plain sentence, the results count, advice names an action."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tests.boards.stage import step_of
from tests.games.gigi_tables import do, second_turn, table, third_turn
from wuerfel_tui.boards.gigi_words import advice, narrate, numbers, waiting
from wuerfel_tui.games.gigi import (
    Award,
    ChickenRolled,
    Distributed,
    GigiAction,
    GigiEvent,
    Keep,
    Kept,
    Revealed,
    Reverse,
    Reversed,
    Roll,
    Rolled,
    State,
    Swap,
    Swapped,
    Use,
    Used,
)
from wuerfel_tui.record import Acted, Said

NAMES = ("Anna", "Ben", "Cecilia", "Dieter")
FOURTH = table(round=3, turn=4)

SENTENCES: list[tuple[State, GigiEvent, str]] = [
    (
        table(buffet=(), round=2),
        Revealed(1, (4, -1, 6, 2)),
        "Round 3: the buffet is 4, -1, 6 and 2, from the pile outwards. Ben has the start worm.",
    ),
    (table(), Rolled(0, (5, 2, 6)), "Anna rolls 5, 2 and 6."),
    (second_turn(), Rolled(0, (4, 4)), "Anna rolls both dice again: 4 and 4."),
    (third_turn(), Rolled(0, (3,)), "Anna rolls the last die again: 3."),
    (second_turn(), Kept(0, 5), "Anna sets a 5 aside: 11 in all."),
    (
        second_turn(-1),
        Swapped(0, 0, 2, -1),
        "Anna spends the morsel -1 and swaps places 1 and 3: the buffet is now 4, 1, 3 and 2.",
    ),
    (
        second_turn(2),
        Reversed(0, 2),
        "Anna spends the morsel 2 and turns the buffet around: the buffet is now 2, 4, 1 and 3.",
    ),
    (third_turn(-2), Used(0, -2), "Anna counts the morsel -2 in place of the last die: 9 in all."),
    (table((3, 1, 4), 2, aside=((6,), (1,), (2,))), ChickenRolled(5), "Robo chicken rolls a 5: 7 in all."),
    (
        FOURTH,
        Distributed((Award(2, 14, 1, 3), Award(None, 9, 2, -1))),
        "Round 3 is eaten: Cecilia (14) gets 3 and Robo chicken (9) gets -1.",
    ),
]


@pytest.mark.parametrize(("before", "event", "sentence"), SENTENCES)
def test_every_event_is_told_in_a_plain_sentence(before: State, event: GigiEvent, sentence: str):
    assert narrate(before, event, NAMES) == sentence


def test_no_event_is_forgotten():
    assert {type(event) for _, event, _ in SENTENCES} == set(get_args(GigiEvent))


ADVICE: list[tuple[GigiAction, str]] = [
    (Roll(), "Roll."),
    (Keep(4), "Set the 4 aside."),
    (Swap(0, 2, -1), "Spend the morsel -1 to swap places 1 and 3."),
    (Reverse(0), "Spend the morsel 0 to turn the buffet around."),
    (Use(5), "Count the morsel 5 in place of the last die."),
]


@pytest.mark.parametrize(("action", "sentence"), ADVICE)
def test_advice_names_the_action(action: GigiAction, sentence: str):
    assert advice(action) == sentence


def test_there_is_advice_for_every_action():
    assert {type(action) for action, _ in ADVICE} == set(get_args(GigiAction))


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (table(), "Anna is about to roll."),
        (table(rolled=True, dice=((1, 2, 3), (), (), ())), "Anna chooses a die to set aside."),
        (second_turn(), "Anna plays the second turn."),
        (third_turn(), "Anna plays the third turn."),
        (table(buffet=(), pile=()), "The game is over."),
        (table(buffet=(), round=0), "The game begins."),
    ],
)
def test_who_waits_is_told_for_what(state: State, sentence: str):
    assert waiting(state, NAMES) == sentence


# The results


def history(state: State, *moves: tuple[int, GigiAction, tuple[int, ...]]) -> list[Any]:
    """The steps of a client's history, as far as the numbers look at them; each move with the dice that it throws."""
    steps: list[Any] = []
    for seat, action, pips in moves:
        before = state
        events, state = do(state, seat, action, *pips)
        entry = Acted(seat, action, tuple(events), 0, b"")
        steps.append(step_of("gigi", entry, before, state))
    return steps


def test_the_results_count_what_each_ate_rolled_and_spent():
    # Cecilia is about to end the last round of the game: 10 set aside, a 2 in front of her.
    state = table(
        (4, -1, 6),
        3,
        dice=((), (), (2,)),
        aside=((6, 6, 5), (1, 2, 3), (6, 4)),
        collected=((1,), (), (3, 5)),
        turn=3,
        active=2,
        pile=(),
    )
    counted = dict(numbers(history(state, (2, Roll(), (5,))), NAMES[:3]))
    assert counted == {
        "worms": ("5", "6", "7"),
        "morsels": ("2", "1", "3"),
        "best eaten": ("0", "1", "0"),
        "spent: buffet": ("0", "0", "0"),
        "spent: die": ("0", "0", "0"),
        "rolls again": ("0", "0", "1"),
        "mean total": ("17.0", "6.0", "15.0"),
        "mean place": ("1.0", "3.0", "2.0"),
        "mean die": ("-", "-", "5.0"),
        "expected on average": ("3.5", "3.5", "3.5"),
    }


def test_the_results_count_what_was_spent_on_the_buffet_and_for_a_die():
    on_buffet = dict(numbers(history(second_turn(1, 2), (0, Swap(0, 1, 1), ())), NAMES))
    assert on_buffet["spent: buffet"] == ("1", "0", "0", "0")
    assert on_buffet["worms"] == ("2", "0", "0", "0")
    for_a_die = dict(numbers(history(third_turn(1, 2), (0, Use(1), ())), NAMES))
    assert for_a_die["spent: die"] == ("1", "0", "0", "0")


def test_what_the_robo_chicken_eats_is_nobodys():
    state = table(
        (4, -1, 6),
        2,
        dice=((), (2,), ()),
        aside=((6, 6, 5), (1, 1), (6, 6)),
        turn=3,
        active=1,
        pile=(),
    )
    counted = dict(numbers(history(state, (1, Keep(2), (6,))), NAMES[:2]))
    assert counted["worms"] == ("-1", "6")
    assert counted["mean place"] == ("2.0", "3.0")


def test_other_entries_count_nothing():
    chat = step_of("gigi", Said(1, "hello"))
    assert all(set(values) <= {"0", "-", "3.5"} for _, values in numbers([chat], NAMES))
