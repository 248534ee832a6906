"""Gigi Gacker am Würfelacker in words: the log's sentences, the results' numbers, advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.gigi import (
    Award,
    ChickenRolled,
    Distributed,
    Gigi,
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
    swapped,
    totals,
)
from wuerfel_tui.wording import listed

CHICKEN = "Robo chicken"
ORDINALS = ("", "first", "second", "third")
EVEN = "3.5"
"""What a die shows on average."""

_RULES = Gigi()


def numbers_of(values: Sequence[int]) -> str:
    """`4, -1 and 6`."""
    return listed([str(value) for value in values])


def called(eater: Seat | None, names: Sequence[str]) -> str:
    """The name of an eater; the robo chicken has no seat, or the one after the last."""
    return CHICKEN if eater is None or eater >= len(names) else names[eater]


def narrate(before: State, event: GigiEvent, names: Sequence[str]) -> str:
    """What happens, in a sentence that needs no board to be understood."""
    match event:
        case Revealed(start, buffet):
            buffet_words = f"the buffet is {numbers_of(buffet)}, from the pile outwards"
            return f"Round {before.round + 1}: {buffet_words}. {names[start]} has the start worm."
        case Rolled(seat, dice):
            return f"{names[seat]} {_rolls(before)} {numbers_of(dice)}."
        case Kept(seat, value):
            return f"{names[seat]} sets a {value} aside: {totals(before)[seat] + value} in all."
        case Swapped(seat, first, second, morsel):
            deed = f"swaps places {first + 1} and {second + 1}"
            return _changed(names[seat], morsel, deed, swapped(before.buffet, first, second))
        case Reversed(seat, morsel):
            return _changed(names[seat], morsel, "turns the buffet around", before.buffet[::-1])
        case Used(seat, morsel):
            total = totals(before)[seat] + morsel
            return f"{names[seat]} counts the morsel {morsel} in place of the last die: {total} in all."
        case ChickenRolled(value):
            return f"{CHICKEN} rolls a {value}: {totals(before)[-1] + value} in all."
        case Distributed(awards):
            return distribution(before.round, awards, names)


def _rolls(before: State) -> str:
    return ("", "rolls", "rolls both dice again:", "rolls the last die again:")[before.turn]


def _changed(who: str, morsel: int, deed: str, buffet: Sequence[int]) -> str:
    return f"{who} spends the morsel {morsel} and {deed}: the buffet is now {numbers_of(buffet)}."


def distribution(number: int, awards: Sequence[Award], names: Sequence[str]) -> str:
    """Who got what in a round."""
    got = listed([f"{called(award.seat, names)} ({award.total}) gets {award.morsel}" for award in awards])
    return f"Round {number} is eaten: {got}."


# What can be done


def rolling(state: State) -> str:
    """What a roll of the active seat would be."""
    return ("", "roll three dice", "roll both again", "roll it again")[state.turn]


def deed(state: State, action: GigiAction | None) -> str:
    """What an action does, for its key; None: to swap, where the places are not chosen yet."""
    match action:
        case Roll():
            return rolling(state)
        case Keep(value):
            return f"set the {value} aside"
        case Swap(first, second):
            return f"swap {first + 1} and {second + 1}"
        case Reverse():
            return "turn it around"
        case Use(morsel):
            return f"count the morsel {morsel}"
        case None:
            return "choose two places"


def waiting(state: State, names: Sequence[str]) -> str:
    """What others are doing."""
    if not _RULES.actors(state):
        return "The game is over." if state.round else "The game begins."
    who = names[state.active]
    if state.rolled:
        return f"{who} chooses a die to set aside."
    if state.turn == 1:
        return f"{who} is about to roll."
    return f"{who} plays the {ORDINALS[state.turn]} turn."


def advice(action: GigiAction) -> str:
    """An action as a suggestion."""
    match action:
        case Roll():
            return "Roll."
        case Keep(value):
            return f"Set the {value} aside."
        case Swap(first, second, morsel):
            return f"Spend the morsel {morsel} to swap places {first + 1} and {second + 1}."
        case Reverse(morsel):
            return f"Spend the morsel {morsel} to turn the buffet around."
        case Use(morsel):
            return f"Count the morsel {morsel} in place of the last die."


# The results


def numbers(steps: Sequence[Any], names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What each player ate, rolled and spent in a game.

    The place for a total is skill and luck in one; luck alone is what the dice showed as they fell.
    """
    seats = range(len(names))
    counts: Counter[tuple[str, Seat]] = Counter()
    last: State | None = None
    for state, event in (happening for step in steps for happening in step.happenings()):
        _count(counts, state, event)
        last = _RULES.evolve(state, event)

    def row(key: str) -> tuple[str, ...]:
        return tuple(str(counts[key, seat]) for seat in seats)

    def mean(key: str, of: str) -> tuple[str, ...]:
        return tuple(_mean(counts[key, seat], counts[of, seat]) for seat in seats)

    collected = last.collected if last else ((),) * len(names)
    return [
        ("worms", tuple(str(sum(morsels)) for morsels in collected)),
        ("morsels", tuple(str(len(morsels)) for morsels in collected)),
        ("best eaten", row("best")),
        ("spent: buffet", row("changes")),
        ("spent: die", row("used")),
        ("rolls again", row("again")),
        ("mean total", mean("total", "rounds")),
        ("mean place", mean("places", "rounds")),
        ("mean die", mean("pips", "dice")),
        ("expected on average", (EVEN,) * len(names)),
    ]


def _count(counts: Counter[tuple[str, Seat]], state: State, event: GigiEvent) -> None:
    match event:
        case Rolled(seat, dice):
            counts["again", seat] += state.turn > 1
            counts["dice", seat] += len(dice)
            counts["pips", seat] += sum(dice)
        case Swapped(seat) | Reversed(seat):
            counts["changes", seat] += 1
        case Used(seat):
            counts["used", seat] += 1
        case Distributed(awards):
            best = max(state.buffet)
            for award in awards:
                if award.seat is not None:
                    counts["rounds", award.seat] += 1
                    counts["total", award.seat] += award.total
                    counts["places", award.seat] += award.place
                    counts["best", award.seat] += award.morsel == best
        case _:
            pass


def _mean(total: int, count: int) -> str:
    return f"{total / count:.1f}" if count else "-"
