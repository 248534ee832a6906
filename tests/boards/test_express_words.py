"""Würfel Express in words: every event is a plain sentence, the results count what was done, advice names an action."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tests.boards.stage import step_of
from tests.games.express_tables import act, faces, pieces, table, track
from wuerfel_tui.boards.express_view import without_gain
from wuerfel_tui.boards.express_words import advice, cost, narrate, numbers
from wuerfel_tui.games.express_parts import (
    DARK_BLUE,
    RED,
    WHITE,
    AnyAction,
    AnyEvent,
    EndTurn,
    Reroll,
    Returned,
    Roll,
    Rolled,
    SetUp,
    SlidBack,
    Spared,
    State,
    Steal,
    Stole,
    Stop,
    Stopped,
    Take,
    TakeBack,
    Took,
    TookBack,
    TurnEnded,
)
from wuerfel_tui.record import Acted, Said

NAMES = ("Anna", "Ben", "Cecilia")
START = table("Y2 G3 W5", "R2 L3", "B3")
FIRST_ROLL = table("Y2 G3 W5", "R2 L3", "B3", dice="RRGBLWW", rolls=1)

SENTENCES: list[tuple[State, AnyEvent, str]] = [
    (START, SetUp((), 1), "Ben begins."),
    (START, SetUp(pieces("R2 B3"), 1), "Out of the game: red 2 and dark blue 3. Ben begins."),
    (START, TookBack(pieces("Y2")), "Anna takes back the yellow 2-piece, for 1 die fewer."),
    (
        START,
        TookBack(pieces("Y2 G3")),
        "Anna takes back the yellow 2-piece and the green 3-piece, for 2 dice fewer.",
    ),
    (
        START,
        Rolled(faces("GGRWWWL"), tuple(range(7))),
        "Anna rolls 3 white, 2 green, 1 red and 1 light blue.",
    ),
    (
        FIRST_ROLL,
        Rolled(faces("RRRRLWW"), (2, 3)),
        "Anna rolls 2 dice again (roll 2): 2 red, now 4 red, 2 white and 1 light blue.",
    ),
    (FIRST_ROLL, Stopped(), "Anna stops rolling."),
    (START, Took(RED, 3), "Anna takes the red 3-piece and reaches space 13."),
    (
        table(track("Y2", rear=26), "R2"),
        Took(RED, 6),
        "Anna takes the red 6-piece and reaches space 33: the finish.",
    ),
    (
        START,
        Stole(1, RED, 2, slid=True),
        "Anna steals Ben's red 2-piece and reaches space 12; Ben's track slides back to 3.",
    ),
    (
        START,
        Stole(1, RED, 2, slid=False),
        "Anna steals Ben's red 2-piece and reaches space 12; Ben is furthest back and stays on 5.",
    ),
    (START, Spared(), "Anna has nothing to gain, but is furthest back and loses nothing."),
    (
        START,
        Returned(WHITE, 5),
        "Anna has nothing to gain: the white 5-piece at the front goes back, leaving the front on 5.",
    ),
    (START, SlidBack(3), "Anna has nothing to gain: the only piece slides back 3 spaces."),
    (START, SlidBack(0), "Anna has nothing to gain, and the only piece lies at the start already."),
    (START, TurnEnded(1), "It is Ben's turn."),
]


@pytest.mark.parametrize(("before", "event", "sentence"), SENTENCES)
def test_every_event_is_told_in_a_plain_sentence(before: State, event: AnyEvent, sentence: str):
    assert narrate(before, event, NAMES) == sentence


def test_no_event_is_forgotten():
    assert {type(event) for _, event, _ in SENTENCES} == set(get_args(AnyEvent))


@pytest.mark.parametrize(
    ("state", "action", "sentence"),
    [
        (START, Roll(), "Roll all the dice you have."),
        (START, TakeBack(1), "Take back the yellow 2-piece, then roll."),
        (FIRST_ROLL, Reroll((2, 3, 4)), "Keep 2 red and 2 white, and roll the rest again."),
        (FIRST_ROLL, Reroll(tuple(range(7))), "Roll all dice again."),
        (FIRST_ROLL, Stop(), "Stop here."),
        (FIRST_ROLL, Take(DARK_BLUE, 4), "Take the dark blue 4-piece."),
        (FIRST_ROLL, Steal(1), "Steal Ben's red 2-piece."),
        (FIRST_ROLL, EndTurn(), "End your turn."),
    ],
)
def test_advice_names_the_action(state: State, action: AnyAction, sentence: str):
    assert advice(state, action, NAMES) == sentence


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (table("Y4 L3", "W2", dice="RGBYLYW", rolls=1), "your light blue 3-piece goes back."),
        (table(track("Y4", rear=3), "W2", dice="RGBYLYW", rolls=1), "your track slides back 2 spaces."),
        (table("Y4", "W6", dice="RGBYLYW", rolls=1), "though nothing to lose."),
    ],
)
def test_the_price_of_stopping_is_said_before(state: State, sentence: str):
    assert cost(without_gain(state)).endswith(sentence)


def acted(state: State, action: AnyAction, dice: str = "") -> tuple[Any, State]:
    """A step of a client's history, as far as the numbers look at it, and the state after it."""
    events, after = act(state, action, dice)
    entry = Acted(state.turn, action, tuple(events), 0, b"")
    return step_of("express", entry, state, after), after


def test_the_results_count_what_each_did_and_suffered():
    steps: list[Any] = []
    state = table("Y2 G3", "R2 L3", "B3")
    for action, dice in [
        (TakeBack(1), ""),
        (Roll(), "RRGBLW"),
        (
            Reroll((2, 3, 4)),
            "RBR",
        ),  # two of three join the red ones; 2 kept colours: on average it is 3 * 2/6
        (Stop(), ""),
        (Steal(1), ""),
    ]:
        step, state = acted(state, action, dice)
        steps.append(step)
    counted = dict(numbers(steps, NAMES))
    assert counted == {
        "turns": ("1", "0", "0"),
        "rolls": ("2", "0", "0"),
        "pieces gained": ("1", "0", "0"),
        "of them stolen": ("1", "0", "0"),
        "lost to thieves": ("0", "1", "0"),
        "taken back": ("1", "0", "0"),
        "turns with nothing to gain": ("0", "0", "0"),
        "dice that joined kept ones": ("2", "0", "0"),
        "expected on average": ("1.0", "0.0", "0.0"),
    }


def test_other_entries_count_nothing():
    chat = step_of("express", Said(1, "hello"))
    assert all(set(values) <= {"0", "0.0"} for _, values in numbers([chat], NAMES))
