"""What holds for every game of the house, with every number of players, whatever they do."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wuerfel_tui.bots.core import RandomBot
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import AnyRules, Dice, IllegalAction, Seat, ranking
from wuerfel_tui.simulate import Step, dice_of, steps

BOUND = 20_000
"""No game takes so many steps, even if everybody does just anything."""
SAMPLE = 25
"""So many steps of a game are looked at, and so many legal actions of a seat are tried."""
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "poker": [{"either_side": True}],
    "wurf_weg": [{"auto_place": True}, {"until_empty": True}],
}
"""Options other than the defaults that change the course of a game."""


class Case(NamedTuple):
    rules: AnyRules
    seats: int
    options: Any


CASES = [
    pytest.param(Case(rules, seats, rules.Options(**values)), id=f"{key}-{seats}-{values}")
    for key, rules in GAMES.items()
    for values in [{}, *VARIANTS.get(key, [])]
    for seats in (rules.seats if not values else rules.seats[-1:])
]
every_case = pytest.mark.parametrize("case", CASES)
seeds = st.integers(0, 2**32)
few = settings(max_examples=5, deadline=None)


def play(case: Case, seed: int) -> list[Step]:
    """A game in which everybody does anything that is legal."""
    rng = Random(seed)
    bots = [RandomBot(case.rules)] * case.seats
    game = steps(case.rules, case.seats, case.options, bots, dice_of(rng), rng)
    return list(islice(game, BOUND))


def wired(value: Any, kind: Any) -> Any:
    """The value after it has gone over the wire, where only the type is known that it should have."""
    return msgspec.convert(msgspec.msgpack.decode(msgspec.msgpack.encode(value)), kind)


def no_dice(n: int) -> int:
    raise AssertionError("a die was thrown")


def refused(rules: AnyRules, step: Step, seat: Seat, action: Any, dice: Dice) -> bool:
    """Whether an action is refused with a code and a sentence."""
    try:
        rules.decide(step.state, seat, action, dice, step.now)
    except IllegalAction as refusal:
        return bool(re.fullmatch("[a-z-]+", refusal.code) and re.fullmatch(r"[A-Z].+\.", refusal.sentence))
    return False


@every_case
@given(seeds)
@few
def test_a_game_ends_and_its_places_are_in_order(case: Case, seed: int):
    game = play(case, seed)
    assert len(game) < BOUND
    outcome = case.rules.outcome(game[-1].state)
    assert outcome is not None
    assert len(outcome.places) == case.seats
    assert outcome.places == ranking([-place for place in outcome.places])
    assert outcome.why.endswith(".")


@every_case
@given(seeds)
@few
def test_somebody_can_act_or_time_goes_on_until_there_is_an_outcome(case: Case, seed: int):
    for step in play(case, seed):
        actors = case.rules.actors(step.state)
        goes_on = bool(actors) or case.rules.due(step.state) is not None
        assert goes_on == (case.rules.outcome(step.state) is None)
        assert list(actors) == sorted(set(actors) & set(range(case.seats)))


@every_case
@given(seeds)
@few
def test_peers_get_the_same_states_from_the_events_alone(case: Case, seed: int):
    rules = case.rules
    replica = rules.new(case.seats, wired(case.options, rules.Options))
    for step in play(case, seed):
        for event in step.events:
            replica = rules.evolve(replica, wired(event, rules.Event))
        assert replica == step.state
        assert msgspec.msgpack.encode(replica) == msgspec.msgpack.encode(step.state)


@every_case
@given(seeds)
@few
def test_states_and_actions_survive_the_wire(case: Case, seed: int):
    for step in play(case, seed):
        assert wired(step.state, case.rules.State) == step.state
        if step.seat is not None:
            assert wired(step.action, case.rules.Action) == step.action


@every_case
@given(seeds, st.data())
@few
def test_legal_actions_are_accepted(case: Case, seed: int, data: st.DataObject):
    rng = Random(seed)
    game = play(case, seed)
    for step in data.draw(st.lists(st.sampled_from(game), min_size=SAMPLE, max_size=SAMPLE)):
        for seat in case.rules.actors(step.state):
            legal = list(case.rules.legal(step.state, seat))
            assert legal == list(case.rules.legal(step.state, seat))
            assert len(set(legal)) == len(legal) > 0
            for action in rng.sample(legal, min(SAMPLE, len(legal))):
                assert not refused(case.rules, step, seat, action, dice_of(rng))


@every_case
@given(seeds, st.data())
@few
def test_who_cannot_act_is_refused_whatever_it_is(case: Case, seed: int, data: st.DataObject):
    step = data.draw(st.sampled_from(play(case, seed)))
    actions = data.draw(st.lists(actions_of(case.rules), min_size=20, max_size=20))
    for seat in {*range(case.seats)} - {*case.rules.actors(step.state)}:
        assert not case.rules.legal(step.state, seat)
        for action in actions:
            assert refused(case.rules, step, seat, action, no_dice)


@every_case
@given(seeds, st.data())
@few
def test_whatever_is_not_legal_is_refused_and_no_die_is_thrown(case: Case, seed: int, data: st.DataObject):
    tries = st.tuples(st.sampled_from(play(case, seed)), actions_of(case.rules))
    for step, action in data.draw(st.lists(tries, min_size=SAMPLE, max_size=SAMPLE)):
        for seat in case.rules.actors(step.state):
            is_legal = action in case.rules.legal(step.state, seat)
            dice = dice_of(Random(seed)) if is_legal else no_dice
            assert refused(case.rules, step, seat, action, dice) == (not is_legal)


def actions_of(rules: AnyRules) -> st.SearchStrategy[Any]:
    """Any action that the wire lets through, most of them nonsense."""
    kinds = get_args(rules.Action) or (rules.Action,)
    return st.one_of([st.builds(kind, **fields_of(kind)) for kind in kinds])


def fields_of(kind: Any) -> dict[str, st.SearchStrategy[Any]]:
    hints = get_type_hints(kind)
    return {name: values_of(hints[name]) for name in kind.__struct_fields__}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an action's field: small numbers, as those come closest to what is legal, and a huge one at times."""
    arguments = get_args(kind)
    if kind is int:
        return st.integers(-2, 9) | st.sampled_from([-(2**63), 2**63])
    if get_origin(kind) is tuple and arguments[1:] == (...,):
        return st.lists(values_of(arguments[0]), max_size=9).map(tuple)
    if get_origin(kind) is tuple:
        return st.tuples(*map(values_of, arguments))
    if isinstance(kind, UnionType):
        return st.one_of(list(map(values_of, arguments)))
    return st.from_type(kind)
