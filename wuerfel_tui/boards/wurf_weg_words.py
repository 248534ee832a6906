"""Wurf & Weg in words: the log's sentences, the results' numbers, advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.wurf_weg import WurfWeg, placeable, target
from wuerfel_tui.games.wurf_weg_parts import (
    CARDS,
    COUNTDOWN,
    DEPOT,
    DICE_EACH,
    LAST_ROLLS,
    SYMBOLS,
    AnyEvent,
    Charm,
    Countdown,
    Dealt,
    Drew,
    Go,
    Landed,
    LimitSet,
    PileExhausted,
    Placed,
    Player,
    Readied,
    Rewarded,
    Rolled,
    State,
    Stop,
)
from wuerfel_tui.wording import listed, plural

_RULES = WurfWeg()


def symbols(faces: Sequence[int]) -> str:
    """What dice show, in the order of the symbols: `clover, clover and pig`."""
    return listed([SYMBOLS[face] for face in sorted(faces)])


def card(number: int) -> str:
    left, right = CARDS[number]
    return f"{SYMBOLS[left]} and {SYMBOLS[right]}"


def narrate(before: State, event: AnyEvent, names: Sequence[str]) -> str | None:
    """What happens, in a sentence that needs no board; a roll is told when it has landed."""
    match event:
        case Dealt(cards):
            dealt = [f"{names[seat]} has {card(number)}" for seat, number in enumerate(cards)]
            return f"The cards, left and right symbol: {listed(dealt)}."
        case Charm(symbol, _):
            return f"Round {before.round + 1}: the charm is the {SYMBOLS[symbol]}. Everybody has {DICE_EACH} dice."
        case LimitSet():
            return None
        case Readied(seat, forced):
            return f"{names[seat]} {'counts as' if forced else 'is'} ready."
        case Countdown():
            return f"All are ready: {COUNTDOWN // 1000} seconds."
        case Go():
            return "Go!"
        case Rolled(seat, faces, _, forced):
            dice = plural(len(faces), "die", "dice")
            return f"{names[seat]} has waited too long: {dice} rolled." if forced else None
        case Landed(seat, _):
            return f"{names[seat]} rolls {symbols(before.players[seat].hand)}."
        case Placed():
            return _placed(event, names)
        case Stop(seat, _):
            rest = f"the others have {LAST_ROLLS} rolls left, and only the {SYMBOLS[before.charm]} counts"
            return f"Stop! {names[seat]} is rid of all dice: {rest}."
        case Rewarded(seats):
            cards = "their card" if len(seats) == 1 else "their cards"
            return f"{listed([names[seat] for seat in seats])} may turn {cards} face down."
        case Drew(seat, number):
            return f"{names[seat]} draws {card(number)}."
        case PileExhausted(seat):
            return f"{names[seat]} should draw, and no card is left."


def _placed(event: Placed, names: Sequence[str]) -> str:
    what = SYMBOLS[event.symbol] if event.count == 1 else f"{event.count} dice with {SYMBOLS[event.symbol]}"
    if event.to == DEPOT:
        return f"{names[event.seat]} sends {what} to the depot."
    return f"{names[event.seat]} sends {what} to {names[event.to]}."


def advice(state: State, mine: Sequence[Seat], names: Sequence[str], tumbling: Collection[Seat] = ()) -> str:
    """What the first of our seats that can do something could do; the skill is to see it without.

    tumbling: those whose dice are in the air on this screen
    """
    if state.phase == "countdown":
        return "Wait for Go."
    seat = next((seat for seat in mine if _placeable(state, seat) and seat not in tumbling), None)
    if seat is None:
        seat = next((seat for seat in mine if _can_go_on(state, seat) and seat not in tumbling), None)
    if seat is None:
        return _patience(state, tumbling)
    who = f"{names[seat]}: " if len(mine) > 1 else ""
    return f"{who}{_advice(state, seat, mine, names)}"


def _patience(state: State, tumbling: Collection[Seat]) -> str:
    if tumbling:
        return "Wait until your dice lie."
    done = "You are ready" if state.phase == "ready" else "You are rid of all your dice, or have no roll left"
    return f"{done}: wait for the others."


def _placeable(state: State, seat: Seat) -> Sequence[int]:
    return placeable(state, seat) if state.phase == "race" else ()


def _can_go_on(state: State, seat: Seat) -> bool:
    """Whether a seat can roll, or say that it is ready."""
    player = state.players[seat]
    match state.phase:
        case "ready":
            return not player.ready
        case "race":
            return bool(player.dice)
        case "last":
            return _may_roll_on(player)
        case _:
            return False


def _advice(state: State, seat: Seat, mine: Sequence[Seat], names: Sequence[str]) -> str:
    places = _placeable(state, seat)
    if state.phase == "ready":
        return "Look at your card and the charm, then say that you are ready."
    if state.phase == "last":
        return f"Roll: only the {SYMBOLS[state.charm]} counts now."
    if not places:
        return "Roll: nothing of what you have belongs anywhere."
    symbol = places[0]
    to = target(state, seat, symbol)
    where = "the depot" if to == DEPOT or to is None else names[to]
    return f"Send {SYMBOLS[symbol]} to {where}: {key_of(state, seat, symbol, KEYS[mine.index(seat)])}."


def key_of(state: State, seat: Seat, symbol: int, keys: Keys) -> str:
    if symbol == state.charm:
        return keys.down
    return keys.left if symbol == CARDS[state.players[seat].card][0] else keys.right


# What can be done now


class Keys(NamedTuple):
    """What rolls, and what sends to the left neighbour, the depot and the right one."""

    roll: str
    left: str
    down: str
    right: str


KEYS = (Keys("Space", "←", "↓", "→"), Keys("W", "A", "S", "D"))
"""Of the first and the second seat at one keyboard."""


def keys_of(seat: Seat, mine: Sequence[Seat]) -> str:
    """What plays a seat, where two people share the keyboard."""
    if len(mine) == 1:
        return ""
    keys = KEYS[mine.index(seat)]
    return f"{keys.roll}, {keys.left} {keys.down} {keys.right}"


def prompt(state: State, mine: Sequence[Seat], names: Sequence[str]) -> str:
    """What the seats of ours can do; it stays the same through a race, since it costs as much as a roll."""
    waiting = listed(waited_for(state, names, mine))
    match state.phase:
        case "ready" if any(not state.players[seat].ready for seat in mine):
            return _ready_prompt(state, mine, names)
        case "ready" if waiting:
            limit = state.options.ready_limit // 1000
            return f"After {limit} s everybody counts as ready. We wait for {waiting}."
        case "countdown" | "race" | "last" if not mine:
            return "You are watching."
        case "countdown" | "race":
            return _race_prompt(state, mine, names)
        case "last" if any(_may_roll_on(state.players[seat]) for seat in mine):
            return f"{KEYS[0].roll} rolls, without hurry: the {SYMBOLS[state.charm]} leaves by itself."
        case "last" if waiting:
            limit = state.options.roll_limit // 1000
            return f"After {limit} s a roll is made for them. We wait for {waiting}."
        case "over":
            return "The game is over."
        case _:
            return ""


def _ready_prompt(state: State, mine: Sequence[Seat], names: Sequence[str]) -> str:
    if len(mine) == 1:
        return "Space or Enter: I am ready."
    late = [
        (keys.roll, seat) for keys, seat in zip(KEYS, mine, strict=False) if not state.players[seat].ready
    ]
    return " · ".join(f"{key}: {names[seat]} is ready" for key, seat in late)


def _race_prompt(state: State, mine: Sequence[Seat], names: Sequence[str]) -> str:
    if state.options.auto_place:
        return "Space rolls; what belongs somewhere goes there by itself."
    if len(mine) > 1:
        return " · ".join(f"{names[seat]}: {keys_of(seat, mine)}" for seat in mine)
    left, right = (names[seat] for seat in neighbours(mine[0], len(names)))
    return f"Space rolls · ← to {left} · ↓ to the depot · → to {right}"


def neighbours(seat: Seat, seats: int) -> tuple[Seat, Seat]:
    """The left one, who is the next clockwise, and the right one (W3)."""
    return (seat + 1) % seats, (seat - 1) % seats


def waited_for(state: State, names: Sequence[str], mine: Sequence[Seat]) -> list[str]:
    """Who holds things up, apart from ourselves."""
    match state.phase:
        case "ready":
            late = [not player.ready for player in state.players]
        case "last":
            late = [player.until is not None or player.lands is not None for player in state.players]
        case _:
            late = []
    return [names[seat] for seat, is_late in enumerate(late) if is_late and seat not in mine]


def _may_roll_on(player: Player) -> bool:
    """After Stop: whether there is a roll left, or one in the air."""
    return bool(player.dice) and (player.rolls > 0 or player.lands is not None)


# The results


def numbers(steps: Sequence[Any], names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What each player rolled, sent away, got and won.

    Skill is how soon, on the mean, something was done with dice that had just landed in the race, and what was
    overlooked: dice that could have been placed and were rolled again. Luck is how many of the dice that landed in
    the race belonged somewhere, and how many would have on average.
    """
    counts: Counter[tuple[str, Seat]] = Counter()
    landed: dict[Seat, int] = {}
    even = [0.0 for _ in names]
    for step in steps:
        for before, event in step.happenings():
            _count(counts, even, before, event)
            _time(counts, landed, step.entry.now, before, event)
    seats = range(len(names))

    def row(key: str) -> tuple[str, ...]:
        return tuple(str(counts[key, seat]) for seat in seats)

    return [
        ("cards won", row("won")),
        ("Stop called", row("stops")),
        ("rolls", row("rolls")),
        ("dice to the depot", row("depot")),
        ("dice to neighbours", row("sent")),
        ("dice from neighbours", row("got")),
        ("overlooked", row("overlooked")),
        ("seconds to act", tuple(_mean(counts["waited", s], counts["acts", s]) for s in seats)),
        ("dice that belonged", row("lucky")),
        ("expected on average", tuple(f"{expected:.1f}" for expected in even)),
    ]


def _count(counts: Counter[tuple[str, Seat]], even: list[float], before: State, event: AnyEvent) -> None:
    match event:
        case Rolled(seat, _, _, _):
            counts["rolls", seat] += 1
            if before.phase == "race":
                counts["overlooked", seat] += _belonging(before, seat, before.players[seat])
        case Landed(seat, _) if before.phase == "race":
            hand = before.players[seat]
            counts["lucky", seat] += _belonging(before, seat, hand)
            places = {before.charm, *CARDS[hand.card]}
            even[seat] += len(hand.hand) * len(places) / len(SYMBOLS)
        case Placed(seat, _, count, to):
            counts["depot" if to == DEPOT else "sent", seat] += count
            if to != DEPOT:
                counts["got", to] += count
        case Stop(seat, _):
            counts["stops", seat] += 1
        case Rewarded(seats):
            for seat in seats:
                counts["won", seat] += 1
        case _:
            pass


def _belonging(state: State, seat: Seat, player: Player) -> int:
    return sum(target(state, seat, face) is not None for face in player.hand if face >= 0)


def _time(
    counts: Counter[tuple[str, Seat]], landed: dict[Seat, int], now: int, before: State, event: AnyEvent
) -> None:
    """How long somebody looks at dice that have landed, in milliseconds."""
    match event:
        case Landed(seat, _) if before.phase == "race":
            landed[seat] = now
        case Rolled(seat, _, _, _) | Placed(seat, _, _, _) if seat in landed:
            since = landed.pop(seat)
            if before.phase == "race":
                counts["waited", seat] += now - since
                counts["acts", seat] += 1
        case _:
            pass


def _mean(milliseconds: int, count: int) -> str:
    return f"{milliseconds / count / 1000:.2f}" if count else "-"
