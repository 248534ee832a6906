"""Gigi Gacker am Würfelacker: three dice for a place at the buffet, where the best morsel need not lie first.

The numbers G1 to G8 in the docstrings are the rulings in docs/rulings.md. Everything lies open (G8): even the pile is
known as a multiset, since its morsels are drawn only as they are revealed.

Whoever gets a morsel is an *eater*: every seat and, with two players, the robo chicken, which comes after the last
seat in all that is listed by eater (G7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias, TypeVar

import msgspec

from wuerfel_tui.games.core import (
    Action,
    Dice,
    Event,
    IllegalAction,
    Outcome,
    Rules,
    Seat,
    check_seats,
    ranking,
)

# Our distribution (G1): the rulebook gives none.
MORSELS = (-2, -2, -1, -1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6)
LEAST, MOST = -2, 6
FULL_TABLE = 5

ItemT = TypeVar("ItemT")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose; `ValueError` with a sentence for anything else.

    first: the seat that begins round 1; None: the dice decide
    morsels: the 25 values from -2 to 6, at least one of them 0, in any order; kept sorted (G1)
    """

    first: Seat | None = None
    morsels: tuple[int, ...] = MORSELS

    def __post_init__(self) -> None:
        if self.first is not None and not 0 <= self.first < FULL_TABLE:
            raise ValueError(f"The seats are 0 to {FULL_TABLE - 1}.")
        if len(self.morsels) != len(MORSELS):
            raise ValueError(f"There are {len(MORSELS)} morsels, not {len(self.morsels)}.")
        if not all(LEAST <= morsel <= MOST for morsel in self.morsels):
            raise ValueError(f"A morsel is worth {LEAST} to {MOST} worms.")
        if 0 not in self.morsels:
            raise ValueError("At least one morsel is worth 0.")
        msgspec.structs.force_setattr(self, "morsels", tuple(sorted(self.morsels)))


class State(msgspec.Struct, frozen=True):
    """The whole table. Morsels are their values in worms, dice what they show.

    seats: how many people play
    pile: the morsels not yet revealed, sorted: in what order they will come, nobody knows
    start: the seat with the start worm; -1 until the dice have chosen it
    dice, aside: by eater, the dice still in front of them (as they fell) and those set aside
    used: by eater, the morsel that counts in place of the last die; None: none does (G2)
    collected: by seat, the morsels collected, sorted
    gone: the morsels out of the game, sorted
    round: 1 for the first; 0 before the game begins
    buffet: the morsels in the row, from the one beside the pile; empty before the game and after it
    turn: 1 to 3; 4 in the moment between the last die of a round and the distribution
    active: the seat whose turn it is
    changed, rolled: whether the active seat has changed the buffet, and has rolled, in this turn
    """

    seats: int
    pile: tuple[int, ...]
    start: Seat
    dice: tuple[tuple[int, ...], ...]
    aside: tuple[tuple[int, ...], ...]
    used: tuple[int | None, ...]
    collected: tuple[tuple[int, ...], ...]
    gone: tuple[int, ...] = ()
    round: int = 0
    buffet: tuple[int, ...] = ()
    turn: int = 1
    active: Seat = 0
    changed: bool = False
    rolled: bool = False


class Roll(Action, frozen=True):
    """Roll all dice that are not set aside: the first roll of a round, or a roll again on turn 2 or 3."""


class Keep(Action, frozen=True):
    """Set one die aside that shows `value` (1 to 6)."""

    value: int


class Swap(Action, frozen=True):
    """Spend a collected `morsel` (its worms) and swap two places of the buffet.

    first, second: counted from 0 beside the pile, `first` the smaller
    """

    first: int
    second: int
    morsel: int


class Reverse(Action, frozen=True):
    """Spend a collected `morsel` (its worms) and turn the whole buffet around."""

    morsel: int


class Use(Action, frozen=True):
    """Count a collected `morsel` (its worms) in place of the last die."""

    morsel: int


class Revealed(Event, frozen=True):
    """A round begins: `start` has the start worm, the `buffet` lies from beside the pile outwards."""

    start: Seat
    buffet: tuple[int, ...]


class Rolled(Event, frozen=True):
    """`seat` has rolled all its remaining dice; they show `dice`."""

    seat: Seat
    dice: tuple[int, ...]


class Kept(Event, frozen=True):
    """`seat` has set aside a die showing `value`; its turn is over."""

    seat: Seat
    value: int


class Swapped(Event, frozen=True):
    """`seat` has spent `morsel` and swapped the places `first` and `second`, counted from 0."""

    seat: Seat
    first: int
    second: int
    morsel: int


class Reversed(Event, frozen=True):
    """`seat` has spent `morsel` and turned the buffet around."""

    seat: Seat
    morsel: int


class Used(Event, frozen=True):
    """`seat` counts `morsel` in place of its last die; its turn is over."""

    seat: Seat
    morsel: int


class ChickenRolled(Event, frozen=True):
    """The robo chicken has got its die of this turn, showing `value` (G7)."""

    value: int


class Award(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one eater gets: the `morsel` at `place` (from 1) for its `total`. seat: None is the robo chicken."""

    seat: Seat | None
    total: int
    place: int
    morsel: int


class Distributed(Event, frozen=True):
    """The round is over; everybody gets a morsel. awards: from place 1 onwards"""

    awards: tuple[Award, ...]


GigiAction: TypeAlias = Roll | Keep | Swap | Reverse | Use
GigiEvent: TypeAlias = Revealed | Rolled | Kept | Swapped | Reversed | Used | ChickenRolled | Distributed


def totals(state: State) -> tuple[int, ...]:
    """By eater, the sum of the dice set aside in this round and the morsel used in place of one."""
    return tuple(sum(dice) + (morsel or 0) for dice, morsel in zip(state.aside, state.used, strict=True))


def standing(state: State) -> tuple[int, ...]:
    """By eater, the place (from 1) that the totals so far would earn: no two alike (G4, G7)."""
    order = _by_total(state)
    return tuple(1 + order.index(eater) for eater in range(len(order)))


def swapped(buffet: Sequence[int], first: int, second: int) -> tuple[int, ...]:
    """The buffet with two places swapped, counted from 0.

    >>> swapped((5, -2, 3), 0, 2)
    (3, -2, 5)
    """
    row = list(buffet)
    row[first], row[second] = row[second], row[first]
    return tuple(row)


class Gigi(Rules[Options, State, GigiAction, GigiEvent]):
    """The rules of Gigi Gacker am Würfelacker."""

    key = "gigi"
    title = "Gigi Gacker am Würfelacker"
    seats = range(2, FULL_TABLE + 1)
    Options = Options
    State = State
    Action = GigiAction
    Event = GigiEvent

    def new(self, seats: int, options: Options) -> State:
        check_seats(self, seats)
        if options.first is not None and options.first >= seats:
            raise ValueError(f"Seat {options.first} cannot begin: only seats 0 to {seats - 1} are taken.")
        eaters = seats + 1 if seats == 2 else seats
        full = seats == FULL_TABLE
        return State(
            seats=seats,
            pile=options.morsels if full else _without(options.morsels, 0),
            start=-1 if options.first is None else options.first,
            dice=((),) * eaters,
            aside=((),) * eaters,
            used=(None,) * eaters,
            collected=((),) * seats,
            gone=() if full else (0,),
        )

    def begin(self, state: State, dice: Dice) -> Sequence[GigiEvent]:
        start = dice(state.seats) if state.start < 0 else state.start
        return [_reveal(state, start, dice)]

    def actors(self, state: State) -> tuple[Seat, ...]:
        return (state.active,) if state.buffet and state.turn <= 3 else ()

    def legal(self, state: State, seat: Seat) -> Sequence[GigiAction]:
        if seat not in self.actors(state):
            return ()
        actions: list[GigiAction] = []
        if not state.rolled:
            actions.append(Roll())
        if state.turn > 1 or state.rolled:
            actions += [Keep(value) for value in sorted(set(state.dice[seat]))]
        if not state.rolled:
            actions += _morsel_actions(state, seat)
        return actions

    def decide(
        self, state: State, seat: Seat, action: GigiAction, dice: Dice, now: int
    ) -> Sequence[GigiEvent]:
        _check_turn(state, seat)
        match action:
            case Roll():
                if state.rolled:
                    raise IllegalAction("rolled-already", "One roll a turn: set one of these dice aside.")
                return _roll(state, seat, dice)
            case Keep(value):
                _check_keep(state, seat, value)
                return _end_turn(state, Kept(seat, value), dice)
            case Swap(first, second, morsel):
                _check_morsel(state, seat, morsel, turn=2)
                _check_places(state, first, second)
                return [Swapped(seat, first, second, morsel)]
            case Reverse(morsel):
                _check_morsel(state, seat, morsel, turn=2)
                return [Reversed(seat, morsel)]
            case Use(morsel):
                _check_morsel(state, seat, morsel, turn=3)
                return _end_turn(state, Used(seat, morsel), dice)

    def evolve(self, state: State, event: GigiEvent) -> State:
        return _evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        if state.pile or state.buffet:
            return None
        scores = [(sum(morsels), len(morsels)) for morsels in state.collected]
        return Outcome(ranking(scores), _why(scores))


# ---- Who gets what


def _has_chicken(state: State) -> bool:
    return len(state.aside) > state.seats


def _by_total(state: State) -> list[int]:
    """The eaters, the highest total first; equals clockwise from the start player, the robo chicken last (G4, G7)."""
    sums = totals(state)

    def rank(eater: int) -> tuple[int, int]:
        from_start = (eater - state.start) % state.seats if eater < state.seats else state.seats
        return -sums[eater], from_start

    return sorted(range(len(sums)), key=rank)


def _distribute(state: State) -> Distributed:
    sums = totals(state)
    return Distributed(
        tuple(
            Award(eater if eater < state.seats else None, sums[eater], place, morsel)
            for place, (eater, morsel) in enumerate(zip(_by_total(state), state.buffet, strict=True), 1)
        )
    )


def _why(scores: Sequence[tuple[int, int]]) -> str:
    """How it was decided: worms, then the number of morsels (G6). scores: by seat, both"""
    all_worms = sorted((worms for worms, _ in scores), reverse=True)
    parts = [f"Most worms win: {', '.join(map(str, all_worms))}"]
    for tied in sorted({worms for worms in all_worms if all_worms.count(worms) > 1}, reverse=True):
        morsels = sorted((morsels for worms, morsels in scores if worms == tied), reverse=True)
        if morsels[0] == morsels[-1]:
            parts.append(f"at {tied} with equally many morsels ({morsels[0]}) they share the place")
        else:
            parts.append(f"at {tied} more morsels decide: {', '.join(map(str, morsels))}")
    return "; ".join(parts) + "."


# ---- What may be done


def _morsel_actions(state: State, seat: Seat) -> Iterator[GigiAction]:
    """What the active seat, which has not rolled yet, can do with its morsels; equal ones are alike."""
    morsels = sorted(set(state.collected[seat]))
    if state.turn == 2 and not state.changed:
        for morsel in morsels:
            yield from (
                Swap(first, second, morsel) for first, second in combinations(range(len(state.buffet)), 2)
            )
            yield Reverse(morsel)
    elif state.turn == 3:
        yield from (Use(morsel) for morsel in morsels)


def _check_turn(state: State, seat: Seat) -> None:
    if not state.buffet and not state.pile:
        raise IllegalAction("game-over", "The game is over.")
    if not state.buffet:
        raise IllegalAction("not-begun", "The game has not begun.")
    if seat != state.active or state.turn > 3:
        raise IllegalAction("not-your-turn", "It is another player's turn.")


def _check_keep(state: State, seat: Seat, value: int) -> None:
    if state.turn == 1 and not state.rolled:
        raise IllegalAction("roll-first", "The round begins with a roll of three dice.")
    if value not in state.dice[seat]:
        raise IllegalAction("no-such-die", "None of the dice in front of you shows that.")


def _check_morsel(state: State, seat: Seat, morsel: int, turn: int) -> None:
    """turn: the one in which the morsel can be spent like that (G2)"""
    if state.turn != turn:
        use = "changes the buffet on the second turn and stands for the last die on the third"
        raise IllegalAction("wrong-turn", f"A morsel {use}.")
    if state.rolled:
        raise IllegalAction("too-late", "A morsel is spent before the roll.")
    if state.changed:
        raise IllegalAction("changed-already", "The buffet can be changed once a turn only.")
    if morsel not in state.collected[seat]:
        raise IllegalAction("no-such-morsel", "You have collected no morsel of that worth.")


def _check_places(state: State, first: int, second: int) -> None:
    if not (0 <= first < len(state.buffet) and 0 <= second < len(state.buffet)):
        raise IllegalAction("no-such-place", f"The buffet has {len(state.buffet)} places.")
    if first == second:
        raise IllegalAction("same-place", "A swap needs two different places.")
    if first > second:
        raise IllegalAction("places-reversed", "Of two places, the one nearer to the pile is named first.")


# ---- What comes of it


def _reveal(state: State, start: Seat, dice: Dice) -> Revealed:
    """The next round's buffet, drawn evenly from the pile, a morsel for every eater."""
    pile = list(state.pile)
    return Revealed(start, tuple(pile.pop(dice(len(pile))) for _ in state.aside))


def _roll(state: State, seat: Seat, dice: Dice) -> list[GigiEvent]:
    rolled = Rolled(seat, tuple(1 + dice(6) for _ in range(3 - len(state.aside[seat]))))
    if state.turn < 3:
        return [rolled]
    # The last die leaves no choice, so it is set aside by itself (G2).
    return [rolled, *_end_turn(_evolve(state, rolled), Kept(seat, rolled.dice[0]), dice)]


def _end_turn(state: State, last: Kept | Used, dice: Dice) -> list[GigiEvent]:
    """The event that ends a seat's turn, and all that then comes by itself: chicken, distribution, next buffet."""
    events: list[GigiEvent] = [last]
    state = _evolve(state, last)
    if state.active != state.start:
        return events
    if _has_chicken(state):
        events.append(ChickenRolled(1 + dice(6)))
        state = _evolve(state, events[-1])
    if state.turn > 3:
        events.append(_distribute(state))
        if state.pile:
            events.append(_reveal(state, (state.start + 1) % state.seats, dice))
    return events


def _evolve(state: State, event: GigiEvent) -> State:
    match event:
        case Revealed(start, buffet):
            return _open_round(state, start, buffet)
        case Rolled(seat, dice):
            return msgspec.structs.replace(state, dice=_put(state.dice, seat, dice), rolled=True)
        case Kept(seat, value):
            dice = _put(state.dice, seat, _without(state.dice[seat], value))
            aside = _put(state.aside, seat, (*state.aside[seat], value))
            return _pass_on(msgspec.structs.replace(state, dice=dice, aside=aside))
        case Swapped(seat, first, second, morsel):
            return _change(state, seat, swapped(state.buffet, first, second), morsel)
        case Reversed(seat, morsel):
            return _change(state, seat, state.buffet[::-1], morsel)
        case Used(seat, morsel):
            used = _put(state.used, seat, morsel)
            return _pass_on(msgspec.structs.replace(state, used=used, collected=_spend(state, seat, morsel)))
        case ChickenRolled(value):
            return msgspec.structs.replace(state, aside=(*state.aside[:-1], (*state.aside[-1], value)))
        case Distributed(awards):
            return _close_round(state, awards)


def _open_round(state: State, start: Seat, buffet: tuple[int, ...]) -> State:
    pile = state.pile
    for morsel in buffet:
        pile = _without(pile, morsel)
    return msgspec.structs.replace(
        state, pile=pile, buffet=buffet, round=state.round + 1, turn=1, start=start, active=start
    )


def _change(state: State, seat: Seat, buffet: tuple[int, ...], morsel: int) -> State:
    collected, gone = _spend(state, seat, morsel), _with(state.gone, morsel)
    return msgspec.structs.replace(state, buffet=buffet, collected=collected, gone=gone, changed=True)


def _spend(state: State, seat: Seat, morsel: int) -> tuple[tuple[int, ...], ...]:
    return _put(state.collected, seat, _without(state.collected[seat], morsel))


def _pass_on(state: State) -> State:
    """The next seat's turn; when it has come round to the start player, everybody's next turn (G3)."""
    active = (state.active + 1) % state.seats
    turn = state.turn + 1 if active == state.start else state.turn
    return msgspec.structs.replace(state, active=active, turn=turn, changed=False, rolled=False)


def _close_round(state: State, awards: Sequence[Award]) -> State:
    collected = state.collected
    gone = _with(state.gone, *(morsel for morsel in state.used if morsel is not None))
    for award in awards:
        if award.seat is None:
            gone = _with(gone, award.morsel)
        else:
            collected = _put(collected, award.seat, _with(collected[award.seat], award.morsel))
    eaters = len(state.aside)
    empty, unused = ((),) * eaters, (None,) * eaters
    return msgspec.structs.replace(
        state, buffet=(), dice=empty, aside=empty, used=unused, collected=collected, gone=gone
    )


def _put(rows: tuple[ItemT, ...], index: int, row: ItemT) -> tuple[ItemT, ...]:
    return (*rows[:index], row, *rows[index + 1 :])


def _with(morsels: tuple[int, ...], *more: int) -> tuple[int, ...]:
    return tuple(sorted((*morsels, *more)))


def _without(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    at = values.index(value)
    return (*values[:at], *values[at + 1 :])
