"""Whole games by bots: the same seed gives the same games, and simulated time runs as at a table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from wuerfel_tui.bots.core import Bot
from wuerfel_tui.games import core
from wuerfel_tui.games.core import Dice, IllegalAction, Outcome, Rules, Seat
from wuerfel_tui.simulate import dice_of, play, simulate


def test_the_same_seed_gives_the_same_games():
    first, again, other = (simulate("express", 3, 5, seed, ["easy"]) for seed in (1, 1, 2))
    assert (first.actions, first.wins) == (again.actions, again.wins)
    assert first.actions != other.actions


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_hash_seed_of_the_interpreter_changes_nothing(hash_seed: str):
    code = "from wuerfel_tui.simulate import simulate; print(simulate('express', 4, 3, 1, ['easy', 'random']).actions)"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert int(done.stdout) == simulate("express", 4, 3, 1, ["easy", "random"]).actions


def test_a_summary_counts_games_actions_and_wins():
    summary = simulate("express", 4, 6, 1)
    assert (summary.game, summary.seats, summary.games) == ("express", 4, 6)
    assert sum(summary.wins) == 6
    assert summary.actions > 6 * 10
    assert summary.actions_per_second == round(summary.actions / summary.seconds)


def test_levels_go_round_the_table_if_there_are_fewer_than_seats():
    summary = simulate("express", 4, 10, 1, ["easy", "random"])
    assert summary.wins[0] + summary.wins[2] == 10


def test_unknown_games_and_levels_and_wrong_numbers_of_seats_are_errors():
    with pytest.raises(KeyError):
        simulate("chess", 2, 1, 1)
    with pytest.raises(KeyError):
        simulate("express", 2, 1, 1, ["grandmaster"])
    with pytest.raises(ValueError, match="2 to 6 players"):
        simulate("express", 7, 1, 1)


def test_dice_are_even():
    dice = dice_of(Random(1))
    falls = Counter(dice(6) for _ in range(6000))
    assert sorted(falls) == [0, 1, 2, 3, 4, 5]
    assert all(900 < count < 1100 for count in falls.values())


# A game for testing the clock: everybody may press, but only one seat at a time is open; a bell rings by itself


class Options(msgspec.Struct, frozen=True):
    pass


class Bells(msgspec.Struct, frozen=True):
    """pressed: by whom and when; open: whose turn it would be; bells: when the bell rang"""

    pressed: tuple[tuple[Seat, int], ...] = ()
    open: Seat = 0
    bells: tuple[int, ...] = ()


class Press(core.Action, frozen=True):
    pass


class Pressed(core.Event, frozen=True):
    seat: Seat
    now: int


class Rang(core.Event, frozen=True):
    now: int


class BellGame(Rules[Options, Bells, Press, Pressed | Rang]):
    """Each ring opens the next seat, and every second it rings. Three presses end the game."""

    key = "bells"
    title = "Bells"
    seats = range(2, 3)
    Options = Options
    State = Bells
    Action = Press
    Event = Pressed | Rang

    def new(self, seats: int, options: Options) -> Bells:
        return Bells()

    def begin(self, state: Bells, dice: Dice) -> Sequence[Pressed | Rang]:
        return ()

    def actors(self, state: Bells) -> tuple[Seat, ...]:
        return () if len(state.pressed) == 3 else (0, 1)

    def legal(self, state: Bells, seat: Seat) -> Sequence[Press]:
        return (Press(),) if seat == state.open else ()

    def decide(self, state: Bells, seat: Seat, action: Press, dice: Dice, now: int) -> Sequence[Pressed]:
        if seat != state.open:
            raise IllegalAction("closed", "The other seat is open.")
        return (Pressed(seat, now),)

    def due(self, state: Bells) -> int | None:
        return (len(state.bells) + 1) * 1000 if self.actors(state) else None

    def elapse(self, state: Bells, dice: Dice, now: int) -> Sequence[Rang]:
        return (Rang(now),)

    def evolve(self, state: Bells, event: Pressed | Rang) -> Bells:
        if isinstance(event, Pressed):
            return msgspec.structs.replace(state, pressed=(*state.pressed, (event.seat, event.now)))
        return Bells(state.pressed, 1 - state.open, (*state.bells, event.now))

    def outcome(self, state: Bells) -> Outcome | None:
        return Outcome((1, 1), "Three presses.") if len(state.pressed) == 3 else None


class Presser(Bot[Any, Any]):
    """Wants to press so many milliseconds after it could, whether its seat is open or not."""

    def __init__(self, delay: int) -> None:
        self.delay = delay

    def choose(self, state: Bells, seat: Seat, rng: Random) -> Press:
        return Press()

    def pause(self, state: Bells, seat: Seat, rng: Random) -> int:
        return self.delay


class Waiter(Bot[Any, Any]):
    """Presses only while its seat is open, 100 ms after it noticed."""

    def choose(self, state: Bells, seat: Seat, rng: Random) -> Press | None:
        return Press() if state.open == seat else None

    def pause(self, state: Bells, seat: Seat, rng: Random) -> int:
        return 100


def bells(*bots: Bot[Any, Any]) -> Bells:
    return play(BellGame(), 2, Options(), bots, dice_of(Random(1)), Random(1)).steps[-1].state


def test_the_quicker_wish_comes_first_and_a_refused_one_is_dropped_and_made_anew():
    assert bells(Presser(400), Presser(300)).pressed == ((0, 400), (0, 800), (1, 1200))


def test_time_comes_before_a_wish_of_the_same_moment():
    ended = bells(Presser(1000), Presser(1000))
    assert ended.pressed == ((1, 1000), (0, 2000), (1, 3000))
    assert ended.bells == (1000, 2000, 3000)


def test_a_bot_that_waits_is_asked_again_when_something_has_happened():
    assert bells(Presser(5000), Waiter()).pressed == ((1, 1100), (1, 1200), (1, 1300))


class Patient(Bot[Any, Any]):
    def choose(self, state: Any, seat: Seat, rng: Random) -> None:
        return None


class NoBell(BellGame):
    def due(self, state: Bells) -> int | None:
        return None


def test_a_game_in_which_everybody_waits_for_ever_is_an_error():
    with pytest.raises(RuntimeError, match="Bells: everybody waits"):
        play(NoBell(), 2, Options(), [Patient(), Patient()], dice_of(Random(1)), Random(1))
