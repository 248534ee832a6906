"""Würfel Express in words: the log's sentences, the results' numbers, advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from wuerfel_tui.games.express import Express
from wuerfel_tui.games.express_parts import (
    COLOURS,
    FINISH,
    AnyAction,
    AnyEvent,
    EndTurn,
    Piece,
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
from wuerfel_tui.wording import listed, plural

_RULES = Express()


def piece_name(piece: Piece) -> str:
    return f"{COLOURS[piece.colour]} {piece.length}-piece"


def counted(dice: Iterable[int]) -> str:
    """The dice by colour, the commonest first: `3 red, 2 green and 1 white`."""
    return listed([f"{count} {COLOURS[colour]}" for colour, count in Counter(sorted(dice)).most_common()])


def narrate(before: State, event: AnyEvent, names: Sequence[str]) -> str:
    """What happens, in a sentence that needs no board to be understood."""
    who = names[before.turn]
    match event:
        case SetUp():
            return _set_up(event, names)
        case TookBack():
            pieces = listed([f"the {piece_name(piece)}" for piece in event.pieces])
            return f"{who} takes back {pieces}, for {plural(len(event.pieces), 'die', 'dice')} fewer."
        case Rolled():
            return _rolled(before, event, who)
        case Stopped():
            return f"{who} stops rolling."
        case Took():
            piece = piece_name(Piece(event.colour, event.length))
            return f"{who} takes the {piece} {_reaching(before, event.length)}."
        case Stole():
            return _stole(before, event, who, names[event.victim])
        case Spared():
            return f"{who} has nothing to gain, but is furthest back and loses nothing."
        case Returned():
            piece = piece_name(Piece(event.colour, event.length))
            front = before.tracks[before.turn].front - event.length
            return f"{who} has nothing to gain: the {piece} at the front goes back, leaving the front on {front}."
        case SlidBack():
            if not event.spaces:
                return f"{who} has nothing to gain, and the only piece lies at the start already."
            return f"{who} has nothing to gain: the only piece slides back {plural(event.spaces, 'space')}."
        case TurnEnded():
            return f"It is {names[event.next]}'s turn."


def _set_up(event: SetUp, names: Sequence[str]) -> str:
    begins = f"{names[event.first]} begins."
    if not event.removed:
        return begins
    pieces = listed([f"{COLOURS[piece.colour]} {piece.length}" for piece in event.removed])
    return f"Out of the game: {pieces}. {begins}"


def _rolled(before: State, event: Rolled, who: str) -> str:
    if not before.rolls:
        return f"{who} rolls {counted(event.dice)}."
    again = f"{who} rolls {plural(len(event.thrown), 'die', 'dice')} again (roll {before.rolls + 1})"
    if len(event.thrown) == len(event.dice):
        return f"{again}: {counted(event.dice)}."
    fallen = counted(event.dice[index] for index in event.thrown)
    return f"{again}: {fallen}, now {counted(event.dice)}."


def _reaching(before: State, length: int, verb: str = "reaches") -> str:
    front = before.tracks[before.turn].front + length
    return f"and {verb} space {front}: the finish" if front >= FINISH else f"and {verb} space {front}"


def _stole(before: State, event: Stole, who: str, victim: str) -> str:
    piece = piece_name(Piece(event.colour, event.length))
    track = before.tracks[event.victim]
    rest = (
        f"{victim}'s track slides back to {track.front - event.length}"
        if event.slid
        else f"{victim} is furthest back and stays on {track.front}"
    )
    return f"{who} steals {victim}'s {piece} {_reaching(before, event.length)}; {rest}."


def would(before: State, event: AnyEvent, names: Sequence[str]) -> str:
    """What is chosen and has not happened: in other words than the log's, which say that it has."""
    who = names[before.turn]
    match event:
        case TookBack():
            pieces = listed([f"the {piece_name(piece)}" for piece in event.pieces])
            return f"{who} would take back {pieces}, for {plural(len(event.pieces), 'die', 'dice')} fewer."
        case Took():
            piece = piece_name(Piece(event.colour, event.length))
            return f"{who} would take the {piece} {_reaching(before, event.length, 'reach')}."
        case Stole():
            piece = piece_name(Piece(event.colour, event.length))
            victim, track = names[event.victim], before.tracks[event.victim]
            rest = (
                f"{victim}'s track would slide back to {track.front - event.length}"
                if event.slid
                else f"{victim} is furthest back and would stay on {track.front}"
            )
            reach = _reaching(before, event.length, "reach")
            return f"{who} would steal {victim}'s {piece} {reach}; {rest}."
        case _:
            return f"If the rolls ended here: {narrate(before, event, names)}"


def cost(event: AnyEvent) -> str:
    """What a turn without a gain costs, to the player who could still roll (E9)."""
    match event:
        case Returned():
            return f"Nothing to gain: your {piece_name(Piece(event.colour, event.length))} goes back."
        case SlidBack(0):
            return "Nothing to gain, though nothing to lose: your only piece lies at space 1."
        case SlidBack():
            return f"Nothing to gain: your track slides back {plural(event.spaces, 'space')}."
        case _:
            return "Nothing to gain, though nothing to lose."


def advice(state: State, action: AnyAction, names: Sequence[str]) -> str:
    """An action as a suggestion."""
    match action:
        case Roll():
            return "Roll all the dice you have."
        case TakeBack():
            pieces = state.tracks[state.turn].pieces[: action.count]
            return f"Take back {listed([f'the {piece_name(piece)}' for piece in pieces])}, then roll."
        case Reroll():
            kept = [die for index, die in enumerate(state.dice) if index not in action.dice]
            return f"Keep {counted(kept)}, and roll the rest again." if kept else "Roll all dice again."
        case Stop():
            return "Stop here."
        case Take():
            return f"Take the {piece_name(Piece(action.colour, action.length))}."
        case Steal():
            piece = state.tracks[action.victim].pieces[0]
            return f"Steal {names[action.victim]}'s {piece_name(piece)}."
        case EndTurn():
            return "End your turn."


# The results


def numbers(steps: Sequence[Any], names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What each player did and suffered in a game.

    Luck is counted where skill has no part in it: of the dice that were rolled again while others were kept, how many
    fell on a kept colour, and how many would have on average.
    """
    seats = range(len(names))
    counts: Counter[tuple[str, int]] = Counter()
    even = [0.0 for _ in seats]
    for state, event in (happening for step in steps for happening in step.happenings()):
        seat = state.turn
        match event:
            case Rolled():
                counts["turns", seat] += not state.rolls
                counts["rolls", seat] += 1
                kept = {die for index, die in enumerate(event.dice) if index not in event.thrown}
                counts["hits", seat] += sum(event.dice[index] in kept for index in event.thrown)
                even[seat] += len(event.thrown) * len(kept) / len(COLOURS)
            case Took():
                counts["gained", seat] += 1
            case Stole():
                counts["gained", seat] += 1
                counts["stolen", seat] += 1
                counts["robbed", event.victim] += 1
            case Spared() | Returned() | SlidBack():
                counts["empty", seat] += 1
            case TookBack():
                counts["back", seat] += len(event.pieces)
            case _:
                pass

    def row(key: str) -> tuple[str, ...]:
        return tuple(str(counts[key, seat]) for seat in seats)

    return [
        ("turns", row("turns")),
        ("rolls", row("rolls")),
        ("pieces gained", row("gained")),
        ("of them stolen", row("stolen")),
        ("lost to thieves", row("robbed")),
        ("taken back", row("back")),
        ("turns with nothing to gain", row("empty")),
        ("dice that joined kept ones", row("hits")),
        ("expected on average", tuple(f"{expected:.1f}" for expected in even)),
    ]
