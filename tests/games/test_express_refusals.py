"""Würfel Express: what is refused, and why."""

from __future__ import annotations

import pytest

from tests.games.express_tables import EXPRESS, no_dice, table, track
from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.express_parts import (
    GREEN,
    RED,
    YELLOW,
    AnyAction,
    EndTurn,
    Options,
    Reroll,
    Roll,
    State,
    Steal,
    Stop,
    Take,
    TakeBack,
)

HUGE = 10**30
START = table("R2 Y3", "")
ROLLING = table("R2 Y3", "", dice="RYGBLWG", rolls=1)
FEWER_DICE = table("R2 Y3", "", dice="RYG", rolls=2)
GAINING = table("R2", "Y2 W3", "B3 L2", "G2", dice="GGGYRBB")
GAINED = EXPRESS.evolve(GAINING, EXPRESS.decide(GAINING, 0, Take(GREEN, 3), no_dice, 0)[0])
ROBBED = EXPRESS.evolve(
    table("R2", "Y2 W3 L2", dice="YYGGWWW"),
    EXPRESS.decide(table("R2", "Y2 W3 L2", dice="YYGGWWW"), 0, Steal(1), no_dice, 0)[0],
)
OVER = EXPRESS.evolve(
    table(track("R2", rear=28), "", dice="YYGGBLB"),
    EXPRESS.decide(table(track("R2", rear=28), "", dice="YYGGBLB"), 0, Take(YELLOW, 2), no_dice, 0)[0],
)
NOT_BEGUN = EXPRESS.new(4, Options(first=0))

REFUSALS: list[tuple[State, AnyAction, str]] = [
    # before the first roll
    (START, Reroll((0,)), "roll-first"),
    (START, Stop(), "roll-first"),
    (START, Take(GREEN, 2), "roll-first"),
    (START, Steal(1), "roll-first"),
    (START, EndTurn(), "roll-first"),
    (START, TakeBack(0), "no-piece"),
    (START, TakeBack(-1), "no-piece"),
    (START, TakeBack(2), "one-stays"),
    (START, TakeBack(HUGE), "one-stays"),
    (table("", ""), TakeBack(1), "one-stays"),
    # after roll 1 or 2
    (ROLLING, Roll(), "still-rolling"),
    (ROLLING, Take(GREEN, 2), "still-rolling"),
    (ROLLING, Steal(1), "still-rolling"),
    (ROLLING, EndTurn(), "still-rolling"),
    (ROLLING, TakeBack(1), "too-late"),
    (ROLLING, Reroll(()), "no-die"),
    (ROLLING, Reroll((7,)), "no-such-die"),
    (ROLLING, Reroll((-1,)), "no-such-die"),
    (ROLLING, Reroll((0, HUGE)), "no-such-die"),
    (FEWER_DICE, Reroll((3,)), "no-such-die"),
    (ROLLING, Reroll((0, 0)), "dice-order"),
    (ROLLING, Reroll((3, 1)), "dice-order"),
    # after the last roll
    (GAINING, Roll(), "rolls-over"),
    (GAINING, Reroll((0,)), "rolls-over"),
    (GAINING, Stop(), "rolls-over"),
    (GAINING, TakeBack(1), "too-late"),
    (GAINING, EndTurn(), "must-gain"),
    (GAINING, Take(-1, 2), "no-such-colour"),
    (GAINING, Take(6, 2), "no-such-colour"),
    (GAINING, Take(HUGE, HUGE), "no-such-colour"),
    (GAINING, Take(RED, 3), "colour-held"),
    (GAINED, Take(GREEN, 4), "colour-held"),
    (GAINING, Take(YELLOW, 2), "not-in-display"),
    (GAINING, Take(GREEN, 1), "not-in-display"),
    (GAINING, Take(GREEN, HUGE), "not-in-display"),
    (GAINING, Take(GREEN, -2), "not-in-display"),
    (GAINING, Take(GREEN, 4), "too-few-dice"),
    (table("R2", "", dice="GGGYYRW"), Take(GREEN, 2), "exact-piece"),
    (GAINING, Steal(-1), "no-such-seat"),
    (GAINING, Steal(4), "no-such-seat"),
    (GAINING, Steal(HUGE), "no-such-seat"),
    (GAINING, Steal(0), "own-track"),
    (GAINING, Steal(1), "too-few-dice"),
    (GAINING, Steal(2), "too-few-dice"),
    (GAINING, Steal(3), "last-piece"),
    (table("", "", dice="GGGYRBB"), Steal(1), "last-piece"),
    (table("R2", "R3 W2", dice="RRRGGYB"), Steal(1), "colour-held"),
    (ROBBED, Steal(1), "already-robbed"),
    # before and after the game
    (NOT_BEGUN, Roll(), "not-begun"),
    (OVER, Roll(), "game-over"),
    (OVER, EndTurn(), "game-over"),
    (OVER, Take(GREEN, 2), "game-over"),
]


@pytest.mark.parametrize(("state", "action", "code"), REFUSALS)
def test_what_the_rules_forbid_is_refused_with_its_reason(state: State, action: AnyAction, code: str):
    with pytest.raises(IllegalAction) as refused:
        EXPRESS.decide(state, 0, action, no_dice, 0)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")


@pytest.mark.parametrize("seat", [-1, 1, 3, 4, HUGE])
@pytest.mark.parametrize("state", [START, ROLLING, GAINING])
def test_nobody_acts_in_the_turn_of_another(state: State, seat: int):
    assert EXPRESS.legal(state, seat) == ()
    for action in EXPRESS.legal(state, 0):
        with pytest.raises(IllegalAction) as refused:
            EXPRESS.decide(state, seat, action, no_dice, 0)
        assert refused.value.code == "not-your-turn"
