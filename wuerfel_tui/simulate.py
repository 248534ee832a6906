"""Whole games by bots, as fast as the rules go: for `wuerfel simulate`, the tests and the benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import msgspec

from wuerfel_tui.bots import BOTS
from wuerfel_tui.bots.core import Bot
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import AnyRules, Dice, IllegalAction, Outcome, Seat

AnyBot: TypeAlias = Bot[Any, Any]


class Step(NamedTuple):
    """Something that happened in a game.

    now: the simulated time, in milliseconds from the beginning
    seat, action: who did what; None when the game began, or when time alone did it
    state: after the events
    """

    now: int
    seat: Seat | None
    action: Any
    events: Sequence[Any]
    state: Any


class Record(NamedTuple):
    """A finished game: its steps from `begin` on, and how it ended."""

    steps: list[Step]
    outcome: Outcome


class Summary(msgspec.Struct, frozen=True):
    """What came of many games.

    actions: of all players in all games; what time does by itself is not counted
    wins: by seat, how often it took place 1; a shared victory counts for everybody who shares it
    """

    game: str
    seats: int
    games: int
    actions: int
    seconds: float
    actions_per_second: int
    wins: list[int]


def dice_of(rng: Random) -> Dice:
    """Dice out of a seeded generator: quick, and even enough for anything but a real game."""
    random = rng.random
    return lambda n: int(random() * n)


def simulate(game: str, seats: int, games: int, seed: int, levels: Sequence[str] = ("random",)) -> Summary:
    """Plays so many games and counts.

    seed: the same one gives the same games
    levels: of the bots, by seat; begins again from the front if there are fewer than seats
    Raises `KeyError` for an unknown game or level, `ValueError` if the game is not for so many seats.
    """
    rules = GAMES[game]
    bots = [BOTS[game][levels[seat % len(levels)]] for seat in range(seats)]
    options = rules.Options()
    rng = Random(seed)
    dice = dice_of(rng)
    actions, wins = 0, [0] * seats
    start = perf_counter()
    for _ in range(games):
        record = play(rules, seats, options, bots, dice, rng)
        actions += sum([step.seat is not None for step in record.steps])
        for seat, place in enumerate(record.outcome.places):
            wins[seat] += place == 1
    seconds = perf_counter() - start
    return Summary(game, seats, games, actions, seconds, round(actions / seconds), wins)


def play(
    rules: AnyRules, seats: int, options: Any, bots: Sequence[AnyBot], dice: Dice, rng: Random
) -> Record:
    """Plays one game to its end.

    bots: by seat
    dice: for the game; rng: for the bots
    """
    record = list(steps(rules, seats, options, bots, dice, rng))
    outcome = rules.outcome(record[-1].state)
    if outcome is None:
        raise RuntimeError(f"{rules.title}: nobody can act, and there is no outcome.")
    return Record(record, outcome)


def steps(
    rules: AnyRules, seats: int, options: Any, bots: Sequence[AnyBot], dice: Dice, rng: Random
) -> Iterator[Step]:
    """Plays one game step by step; the arguments are those of `play`."""
    state = rules.new(seats, options)
    now, seat, action = 0, None, None
    events = rules.begin(state, dice)
    wishes: Wishes = {}
    while True:
        for event in events:
            state = rules.evolve(state, event)
        yield Step(now, seat, action, events, state)
        actors, due = rules.actors(state), rules.due(state)
        if due is None and len(actors) == 1:
            seat = actors[0]
            action = bots[seat].choose(state, seat, rng)
            events = rules.decide(state, seat, action, dice, now)
        elif actors or due is not None:
            now, seat, action, events = _next(rules, state, bots, dice, rng, now, wishes)
        else:
            return


Wishes: TypeAlias = dict[Seat, tuple[int, Any]]
"""What each seat is about to do: when, and the action."""


def _next(
    rules: AnyRules, state: Any, bots: Sequence[AnyBot], dice: Dice, rng: Random, now: int, wishes: Wishes
) -> tuple[int, Seat | None, Any, Sequence[Any]]:
    """The earliest of what the bots are about to do and what time does; time comes first when both are due at once."""
    while True:
        for seat in rules.actors(state):
            if seat not in wishes:
                action = bots[seat].choose(state, seat, rng)
                if action is not None:
                    wishes[seat] = (now + bots[seat].pause(state, seat, rng), action)
        due = rules.due(state)
        seat = min(wishes, key=lambda seat: (wishes[seat][0], seat), default=None)
        if due is not None and (seat is None or due <= wishes[seat][0]):
            now = max(now, due)
            return now, None, None, rules.elapse(state, dice, now)
        if seat is None:
            raise RuntimeError(f"{rules.title}: everybody waits, and nothing is due.")
        now, action = wishes.pop(seat)
        try:
            return now, seat, action, rules.decide(state, seat, action, dice, now)
        except IllegalAction:  # the board has changed since the bot made up its mind
            continue
