"""Wurf & Weg in words: every event in a sentence, the prompts of every phase, the numbers at the end, advice."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.boards.race_stage import (
    CAT,
    CAT_COIN,
    CLOVER,
    CLOVER_PIG,
    COIN,
    HORSESHOE,
    NAMES,
    PIG,
    PIG_CAT,
    RULES,
    before_round,
    player,
    race,
)
from wuerfel_tui.boards.wurf_weg_words import advice, narrate, numbers, prompt
from wuerfel_tui.client import Step
from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.games.wurf_weg_parts import (
    DEPOT,
    SYMBOLS,
    AnyEvent,
    Charm,
    Countdown,
    Dealt,
    Drew,
    Go,
    Landed,
    LimitSet,
    Options,
    PileExhausted,
    Place,
    Placed,
    Readied,
    Rewarded,
    Roll,
    Rolled,
    State,
    Stop,
)
from wuerfel_tui.record import Acted, Elapsed, TableState

THREE = NAMES[:3]
RACE = race(player(CLOVER_PIG, PIG, CLOVER, PIG), player(PIG_CAT, CAT), player(CAT_COIN, CAT), charm=COIN)
ONE_OF_TWO = race(player(CLOVER_PIG, CLOVER), player(PIG_CAT, HORSESHOE), charm=COIN)
READY = before_round(player(CLOVER_PIG), player(PIG_CAT), player(CAT_COIN), charm=COIN)


@pytest.mark.parametrize(
    ("before", "event", "sentence"),
    [
        (
            RULES.new(2, Options()),
            Dealt((CLOVER_PIG, CAT_COIN)),
            "The cards, left and right symbol: Anna has clover and pig and Ben has cat and coin.",
        ),
        (READY, Charm(CAT, 5), "Round 3: the charm is the cat. Everybody has 3 dice."),
        (READY, LimitSet(5), None),
        (READY, Readied(1, False), "Ben is ready."),
        (READY, Readied(1, True), "Ben counts as ready."),
        (READY, Countdown(5), "All are ready: 3 seconds."),
        (READY, Go(), "Go!"),
        (RACE, Rolled(1, (CAT,), 5, False), None),
        (RACE, Rolled(1, (CAT,), 5, True), "Ben has waited too long: 1 die rolled."),
        (RACE, Landed(0, None), "Anna rolls clover, pig and pig."),
        (RACE, Placed(0, COIN, 1, DEPOT), "Anna sends coin to the depot."),
        (RACE, Placed(0, PIG, 2, 2), "Anna sends 2 dice with pig to Cecilia."),
        (
            RACE,
            Stop(2, 5),
            "Stop! Cecilia is rid of all dice: the others have 3 rolls left, and only the coin counts.",
        ),
        (RACE, Rewarded((2,)), "Cecilia may turn their card face down."),
        (RACE, Rewarded((2, 0)), "Cecilia and Anna may turn their cards face down."),
        (RACE, Drew(2, PIG_CAT), "Cecilia draws pig and cat."),
        (RACE, PileExhausted(2), "Cecilia should draw, and no card is left."),
    ],
)
def test_every_event_is_told_in_a_plain_sentence(before: State, event: AnyEvent, sentence: str | None):
    assert narrate(before, event, THREE) == sentence


def stop(*rolls: int) -> State:
    """After Cecilia's Stop: Anna and Ben have so many rolls left."""
    players = [
        replace(each, rolls=left, until=30_000 if left else None)
        for each, left in zip(RACE.players, rolls, strict=False)
    ]
    return replace(RACE, phase="last", players=(*players, replace(RACE.players[2], hand=())), caller=2)


AUTO = replace(RACE, options=Options(auto_place=True))
ANNA_READY = RULES.evolve(READY, Readied(0, False))


@pytest.mark.parametrize(
    ("state", "mine", "expected"),
    [
        (READY, (0,), "Space or Enter: I am ready."),
        (READY, (0, 1), "Space: Anna is ready · W: Ben is ready"),
        (ANNA_READY, (0, 1), "W: Ben is ready"),
        (ANNA_READY, (0,), "After 60 s everybody counts as ready. We wait for Ben and Cecilia."),
        (RACE, (0,), "Space rolls · ← to Ben · ↓ to the depot · → to Cecilia"),
        (RACE, (1, 2), "Ben: Space, ← ↓ → · Cecilia: W, A S D"),
        (AUTO, (0,), "Space rolls; what belongs somewhere goes there by itself."),
        (RACE, (), "You are watching."),
        (stop(3, 3), (0,), "Space rolls, without hurry: the coin leaves by itself."),
        (stop(0, 1), (0,), "After 15 s a roll is made for them. We wait for Ben."),
        (stop(1, 1), (2,), "After 15 s a roll is made for them. We wait for Anna and Ben."),
        (replace(RACE, phase="over"), (0,), "The game is over."),
    ],
)
def test_a_prompt_says_what_can_be_done_or_who_is_waited_for(
    state: State, mine: tuple[int, ...], expected: str
):
    assert prompt(state, mine, THREE) == expected


@pytest.mark.parametrize(
    ("state", "mine", "sentence"),
    [
        (READY, (0,), "Look at your card and the charm, then say that you are ready."),
        (RACE, (0,), "Send clover to Ben: ←."),
        (replace(RACE, phase="countdown"), (0,), "Wait for Go."),
        (ONE_OF_TWO, (1, 0), "Anna: Send clover to Ben: A."),
        (replace(RACE, charm=PIG), (0,), "Send pig to the depot: ↓."),
        (
            ONE_OF_TWO,
            (1,),
            "Roll: nothing of what you have belongs anywhere.",
        ),
        (stop(3, 3), (0,), f"Roll: only the {SYMBOLS[stop(3, 3).charm]} counts now."),
    ],
)
def test_advice_is_one_sentence_for_the_seat_that_can_act(state: State, mine: tuple[int, ...], sentence: str):
    assert advice(state, mine, THREE) == sentence


def test_dice_in_the_air_are_waited_for():
    assert advice(RACE, (0,), THREE, tumbling={0}) == "Wait until your dice lie."


# The results


class Log:
    """Steps of a game, as a client has them; the dice fall as said."""

    def __init__(self, state: State) -> None:
        self.state, self.now = state, 1000
        self.steps: list[Step] = []

    def does(self, seat: int, action: Any, *dice: int) -> None:
        fall = iter(dice).__next__
        try:
            events = RULES.decide(self.state, seat, action, lambda sides: fall(), self.now)
        except IllegalAction as illegal:
            raise AssertionError(illegal.sentence) from None
        self._add(events, Acted(seat, action, tuple(events), self.now, b""))

    def waits(self, milliseconds: int) -> None:
        self.now += milliseconds
        events = RULES.elapse(self.state, lambda sides: 0, self.now)
        if events:
            self._add(events, Elapsed(tuple(events), self.now, b""))

    def _add(self, events: Any, entry: Any) -> None:
        before = self._table()
        for event in events:
            self.state = RULES.evolve(self.state, event)
        self.steps.append(Step(len(self.steps) + 1, entry, before, self._table()))

    def _table(self) -> TableState:
        return TableState("id", "t", "wurf_weg", {}, (), phase="playing", game_state=self.state)


def test_numbers_tell_what_was_rolled_sent_overlooked_and_won_and_how_lucky_it_was():
    log = Log(race(player(CLOVER_PIG, -1, -1), player(PIG_CAT, -1, -1), charm=COIN))
    log.does(0, Roll(), PIG, HORSESHOE)
    log.waits(700)
    log.waits(400)
    log.does(0, Place(PIG))  # after 0.4 s, to Ben
    log.does(0, Roll(), COIN)
    log.does(1, Roll(), CAT, CAT, CAT)
    log.waits(700)
    log.waits(600)
    log.does(
        1, Roll(), HORSESHOE, HORSESHOE, HORSESHOE
    )  # after 0.6 s, and what he overlooks comes to nothing
    log.does(0, Place(COIN))  # after 0.6 s, and Stop
    log.waits(700)
    assert dict(numbers(log.steps, NAMES[:2])) == {
        "cards won": ("0", "0"),
        "Stop called": ("1", "0"),
        "rolls": ("2", "2"),
        "dice to the depot": ("1", "0"),
        "dice to neighbours": ("1", "0"),
        "dice from neighbours": ("0", "1"),
        "overlooked": ("0", "3"),
        "seconds to act": ("0.50", "0.60"),
        "dice that belonged": ("2", "3"),
        "expected on average": ("1.5", "1.5"),
    }


def test_cards_that_are_won_are_counted():
    log = Log(race(player(CLOVER_PIG, COIN), player(PIG_CAT, COIN), player(CAT_COIN, COIN), charm=COIN))
    log.does(0, Place(COIN), 0, 0, 0, 0)  # all three are rid of their dice, and draw
    assert numbers(log.steps, THREE)[0] == ("cards won", ("1", "1", "1"))
    assert [label for label, _ in numbers([], THREE)][:2] == ["cards won", "Stop called"]


def test_without_a_roll_there_is_no_time_to_act():
    assert dict(numbers([], NAMES[:2]))["seconds to act"] == ("-", "-")
