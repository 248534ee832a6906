"""What the board of Gigi Gacker shows, as functions of the state: nothing here knows a key or the mouse."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

import msgspec

from wuerfel_tui.boards.core import Option
from wuerfel_tui.boards.gigi_words import ORDINALS, called, distribution, rolling
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.gigi import (
    MORSELS,
    Award,
    Gigi,
    GigiAction,
    Keep,
    Kept,
    Reverse,
    Reversed,
    Roll,
    State,
    Swap,
    Swapped,
    Use,
    Used,
    standing,
    totals,
)
from wuerfel_tui.widgets.buffet import WORTHS, Pile, Tile, morsel_ground
from wuerfel_tui.widgets.choices import Choice
from wuerfel_tui.widgets.dice import Die
from wuerfel_tui.widgets.guests import Chip, Guest

RULES = Gigi()
FACES = range(1, 7)


class Players(NamedTuple):
    """By seat. mine: whether this screen plays it; marks: `away`, `bot` and the like"""

    names: Sequence[str]
    mine: Collection[Seat]
    marks: Sequence[str]


class Result(NamedTuple):
    """A round that is over. state: before the morsels were distributed"""

    state: State
    awards: tuple[Award, ...]


# What can be done


def spendable(state: State) -> tuple[int, ...]:
    """The morsels that the active seat can spend on the buffet now, the cheapest first; equal ones are alike."""
    if not state.buffet or state.turn != 2 or state.rolled or state.changed:
        return ()
    return tuple(sorted(set(state.collected[state.active])))


def options(state: State, morsel: int | None) -> tuple[Option, ...]:
    """What the active seat can do; `morsel` is what it would spend on the buffet.

    To swap is one entry here, without an action: which places, is a list of its own.
    """
    if not RULES.actors(state):
        return ()
    seat = state.active
    legal = RULES.legal(state, seat)
    dice = state.dice[seat] if any(isinstance(action, Keep) for action in legal) else ()
    found = [Option(Choice("set aside", _outlook(state, Keep(die)), str(die)), (Keep(die),)) for die in dice]
    if Roll() in legal:
        found.append(Option(Choice(rolling(state), _range(state)), (Roll(),)))
    if morsel is not None:
        found.append(Option(Choice("swap two places", f"spends {morsel}"), ()))
        found.append(Option(Choice("turn the buffet around", f"spends {morsel}"), (Reverse(morsel),)))
    for action in legal:
        if isinstance(action, Use):
            tag = (str(action.morsel), morsel_ground(action.morsel))
            found.append(Option(Choice("instead", _outlook(state, action), *tag), (action,)))
    return tuple(found)


def swaps(state: State, morsel: int) -> tuple[Option, ...]:
    """Every two places that can be swapped, with what the active seat would get then."""
    return tuple(
        Option(Choice(f"{first + 1} and {second + 1}", _gets(state, action)), (action,))
        for first, second in combinations(range(len(state.buffet)), 2)
        for action in (Swap(first, second, morsel),)
    )


def _outlook(state: State, action: GigiAction) -> str:
    """What an action that adds to the total would come to, as all totals are now."""
    after, seat = preview(state, action), state.active
    place = standing(after)[seat]
    return f"{totals(after)[seat]} · place {place} · gets {after.buffet[place - 1]}"


def _gets(state: State, action: GigiAction, verb: str = "get") -> str:
    place = standing(state)[state.active]
    now, then = state.buffet[place - 1], preview(state, action).buffet[place - 1]
    return f"you {verb} {then}" if now == then else f"you {verb} {then}, not {now}"


def _range(state: State) -> str:
    """The totals that the last die can make."""
    total = totals(state)[state.active]
    return f"{total + 1} to {total + 6}" if state.turn == 3 else ""


def preview(state: State, action: GigiAction | None) -> State:
    """The state as it would be after an action, as far as no die decides about it."""
    seat = state.active
    match action:
        case Keep(value):
            return RULES.evolve(state, Kept(seat, value))
        case Swap(first, second, morsel):
            return RULES.evolve(state, Swapped(seat, first, second, morsel))
        case Reverse(morsel):
            return RULES.evolve(state, Reversed(seat, morsel))
        case Use(morsel):
            return RULES.evolve(state, Used(seat, morsel))
        case Roll() | None:
            return state


def detail(state: State, action: GigiAction | None) -> str:
    """What an action's entry in the list cannot hold, in a sentence."""
    match action:
        case Keep() if state.turn == 1:
            return "The other two would stay as they lie, for your next turns."
        case Roll() if state.turn == 3:
            return _falls(state)
        case Reverse():
            return f"{_gets(state, action, 'would get').capitalize()}."
        case _:
            return ""


def _falls(state: State) -> str:
    """What each face of the last die would bring, as all totals are now."""
    results = [(face, _outlook_of_face(state, face)) for face in FACES]
    spans: list[str] = []
    for (place, worms), group in groupby(results, key=lambda result: result[1]):
        faces = [face for face, _ in group]
        span = str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"
        spans.append(f"{span}: place {place}, gets {worms}")
    return f"It counts as it falls. {'; '.join(spans)}."


def _outlook_of_face(state: State, face: int) -> tuple[int, int]:
    dice = tuple((face,) if seat == state.active else each for seat, each in enumerate(state.dice))
    after = preview(_with_dice(state, dice), Keep(face))
    place = standing(after)[state.active]
    return place, after.buffet[place - 1]


def _with_dice(state: State, dice: tuple[tuple[int, ...], ...]) -> State:
    return msgspec.structs.replace(state, dice=dice)


# The buffet


def buffet(state: State, action: GigiAction | None, players: Players, marked: int | None) -> list[Tile]:
    """The row as it would lie, and who would get what of it. marked: the first of two places to be swapped"""
    after = preview(state, action)
    who: dict[int, int] = {}
    if any(after.aside):
        who = {place - 1: eater for eater, place in enumerate(standing(after))}
    moved = _moved(state, action)
    return [
        Tile(
            worms,
            who=called(who[index], players.names) if index in who else "",
            ours=who.get(index) in players.mine,
            was=state.buffet[index] if index in moved else None,
            marked=index == marked,
        )
        for index, worms in enumerate(after.buffet)
    ]


def _moved(state: State, action: GigiAction | None) -> Collection[int]:
    """The places that a change of the buffet fills anew, be it with a morsel that looks the same."""
    places = range(len(state.buffet))
    match action:
        case Swap(first, second):
            return (first, second)
        case Reverse():
            return [place for place in places if place != places[-1] - place]
        case _:
            return ()


def pile(state: State) -> Pile:
    ours = "our own mix of morsels" if _morsels(state) == MORSELS else "this table's own mix"
    return Pile(tuple(state.pile.count(worth) for worth in WORTHS), ours)


def _morsels(state: State) -> tuple[int, ...]:
    """All morsels of the game, wherever they are."""
    used = [morsel for morsel in state.used if morsel is not None]
    collected = [morsel for morsels in state.collected for morsel in morsels]
    return tuple(sorted([*state.pile, *state.buffet, *collected, *state.gone, *used]))


def rounds(state: State) -> int:
    """How many rounds the game has."""
    return state.round + len(state.pile) // len(state.aside)


# The rows


def guests(state: State, after: State, result: Result | None, players: Players) -> list[Guest]:
    """A row for each, in turn order, the robo chicken last.

    after: the state as it would be after the choice
    result: of the last round, shown until somebody rolls
    """
    table, then = (result.state, result.state) if result else (state, after)
    seats = [(table.start + step) % state.seats for step in range(state.seats)]
    return [
        _guest(eater, table, then, players)._replace(
            turn=eater in RULES.actors(state),
            starts=eater == state.start,
            worms=_worms(state, after, eater),
            morsels=state.collected[eater] if eater < state.seats else (),
            leaving=_leaving(state, after, eater),
        )
        for eater in [*seats, *range(state.seats, len(state.aside))]
    ]


def _guest(eater: int, table: State, then: State, players: Players) -> Guest:
    seat = eater if eater < table.seats else None
    mine = seat in players.mine
    counts = any(then.aside)
    place = standing(then)[eater]
    return Guest(
        eater,
        called(seat, players.names),
        mine=mine,
        note=(players.marks[seat] if seat is not None else "") or ("you" if mine else ""),
        aside=_aside(eater, table, then),
        left=_left(eater, then),
        total=(totals(then)[eater], totals(table)[eater]) if then.buffet else None,
        place=(place, standing(table)[eater] if any(table.aside) else place) if counts else None,
        gets=then.buffet[place - 1] if counts else None,
    )


def _aside(eater: int, table: State, then: State) -> tuple[Chip, ...]:
    lying = len(table.aside[eater])
    chips = [Chip(str(die), "aside", new=index >= lying) for index, die in enumerate(then.aside[eater])]
    used = then.used[eater]
    if used is not None:
        chips.append(Chip(str(used), "morsel", new=table.used[eater] is None))
    return tuple(chips)


def _left(eater: int, then: State) -> tuple[Chip, ...]:
    if then.used[eater] is not None:
        return tuple(Chip(str(die), "idle") for die in then.dice[eater])
    if then.buffet and eater < then.seats and not then.aside[eater] and not then.dice[eater]:
        return (Chip(""),) * 3
    return tuple(Chip(str(die)) for die in then.dice[eater])


def _worms(state: State, after: State, eater: int) -> tuple[int, int] | None:
    if eater >= state.seats:
        return None
    return sum(after.collected[eater]), sum(state.collected[eater])


def _leaving(state: State, after: State, eater: int) -> int | None:
    """The morsel that the choice would spend."""
    if eater >= state.seats or len(after.collected[eater]) >= len(state.collected[eater]):
        return None
    spent = list(state.collected[eater])
    for morsel in after.collected[eater]:
        spent.remove(morsel)
    return spent[0]


# The dice


def dice(state: State, action: GigiAction | None, chosen: int | None) -> list[Die]:
    """The active seat's dice: those in front of it, which digits pick, then those set aside.

    action: the chosen one; chosen: the die that it sets aside
    """
    if not RULES.actors(state):
        return []
    seat = state.active
    front = [_in_front(index, die, action, chosen) for index, die in enumerate(state.dice[seat])]
    if state.turn == 1 and not state.rolled:
        front = [Die("")] * 3
    return front + [Die(str(die), state="spent", word="aside") for die in state.aside[seat]]


def _in_front(index: int, die: int, action: GigiAction | None, chosen: int | None) -> Die:
    if index == chosen:
        return Die(str(die), state="kept", word="aside")
    word = {Roll: "roll", Use: "out"}.get(type(action), "")
    return Die(str(die), word=word)


# Words


def title(state: State, names: Sequence[str]) -> str:
    """What the list is about."""
    if not RULES.actors(state):
        return "The last buffet is eaten" if state.round else "The table is laid"
    return f"{names[state.active]}'s {ORDINALS[state.turn]} turn"


def eaten(result: Result, names: Sequence[str]) -> str:
    return distribution(result.state.round, result.awards, names)


def winners(state: State, names: Sequence[str]) -> list[Choice]:
    """Everybody by place, at the end."""
    outcome = RULES.outcome(state)
    if outcome is None:
        return []
    ranked = sorted(range(state.seats), key=lambda seat: outcome.places[seat])
    return [
        Choice(
            f"{outcome.places[seat]}. {names[seat]}",
            f"{sum(state.collected[seat])} worms · {len(state.collected[seat])} morsels",
        )
        for seat in ranked
    ]
