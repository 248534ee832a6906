"""What the board of Würfel Express shows, as functions of the state: nothing here knows a key or the mouse."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from wuerfel_tui.boards.core import Option
from wuerfel_tui.boards.express_words import would
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.express import Express, furthest_back
from wuerfel_tui.games.express_parts import (
    DICE,
    ROLLS,
    AnyAction,
    AnyEvent,
    EndTurn,
    Piece,
    Roll,
    State,
    Steal,
    Stop,
    Stopped,
    Take,
    TakeBack,
    Track,
)
from wuerfel_tui.widgets.choices import Choice
from wuerfel_tui.widgets.dice import Die
from wuerfel_tui.widgets.palette import LETTERS
from wuerfel_tui.widgets.tracks import Lane, Move, Place, places

RULES = Express()


def gains(state: State) -> tuple[AnyAction, ...]:
    """What the dice can gain as they lie, whether or not they may be rolled again."""
    match state.phase:
        case "rolling":
            return tuple(RULES.legal(RULES.evolve(state, Stopped()), state.turn))
        case "gaining":
            return tuple(
                action for action in RULES.legal(state, state.turn) if not isinstance(action, EndTurn)
            )
        case _:
            return ()


def options(state: State, names: Sequence[str]) -> tuple[Option, ...]:
    """What can be chosen from the list: how to begin the turn, or what to gain."""
    if state.phase == "start":
        return _starts(state)
    if state.phase != "gaining":
        return ()
    chosen = [Option(choice(state, action, names), (action,)) for action in gains(state)]
    if state.gained:
        chosen.append(Option(Choice("End the turn"), (EndTurn(),)))
    return tuple(chosen)


def _starts(state: State) -> tuple[Option, ...]:
    dice = DICE - state.taken_back
    pieces = state.tracks[state.turn].pieces
    return (
        Option(Choice(f"Roll {dice} dice"), (Roll(),)),
        *(
            Option(
                Choice(
                    "Take it back first" if count == 1 else "and this one too",
                    f"roll {dice - count}",
                    chip(piece),
                ),
                (TakeBack(count), Roll()),
            )
            for count, piece in enumerate(pieces[:-1], start=1)
        ),
    )


def choice(state: State, action: AnyAction, names: Sequence[str]) -> Choice:
    """A gain as an entry of the list."""
    piece = gained_piece(state, action)
    assert piece is not None
    origin = f"steal from {names[action.victim]}" if isinstance(action, Steal) else "from the display"
    return Choice(origin, f"to {state.tracks[state.turn].front + piece.length}", chip(piece))


def gained_piece(state: State, action: AnyAction | None) -> Piece | None:
    """What an action would attach."""
    match action:
        case Take():
            return Piece(action.colour, action.length)
        case Steal():
            return state.tracks[action.victim].pieces[0]
        case _:
            return None


def chip(piece: Piece) -> str:
    return f"{LETTERS[piece.colour]}{piece.length}"


class Preview(NamedTuple):
    """after: the state as it would be; detail: what would happen, in a sentence"""

    after: State
    detail: str = ""


def preview(state: State, action: AnyAction | None, names: Sequence[str]) -> Preview:
    """What the chosen action would do; where there is nothing to gain, what stopping would do (E9)."""
    match action:
        case Take() | Steal() | TakeBack():
            event = RULES.decide(state, state.turn, action, _no_die, 0)[0]
            return Preview(RULES.evolve(state, event), would(state, event, names))
        case None if state.phase == "rolling" and not gains(state):
            return Preview(state, would(state, without_gain(state), names))
        case _:
            return Preview(state)


def without_gain(state: State) -> AnyEvent:
    """What stopping brings where there is nothing to gain (E9)."""
    return RULES.decide(state, state.turn, Stop(), _no_die, 0)[1]


def _no_die(sides: int) -> int:
    raise AssertionError("What is previewed throws no die.")


# Tracks


class Players(NamedTuple):
    """By seat. mine: whether this screen plays it; marks: `away`, `bot` and the like"""

    names: Sequence[str]
    mine: Collection[Seat]
    marks: Sequence[str]


def lanes(state: State, after: State, action: AnyAction | None, players: Players) -> list[Lane]:
    """Everybody's lane: the tracks as they would lie after the action, and what it changes."""
    loot = {each.victim for each in gains(state) if isinstance(each, Steal) and each != action}
    level = len({track.front for track in state.tracks}) == 1
    return [
        Lane(
            players.names[seat],
            track,
            turn=seat == state.turn and state.phase not in ("setup", "over"),
            mine=seat in players.mine,
            mark=players.marks[seat],
            note="last" if not level and furthest_back(after.tracks, seat) else "",
            ghosts=int(seat == state.turn and isinstance(action, Take | Steal)),
            leaving=_leaving(state.tracks[seat], track),
            was=state.tracks[seat].front,
            loot=seat in loot,
        )
        for seat, track in enumerate(after.tracks)
    ]


def _leaving(now: Track, after: Track) -> tuple[tuple[int, Piece], ...]:
    """The pieces that go from the rear without the rest sliding onto their spaces."""
    if after.rear == now.rear:
        return ()
    return tuple(place for place in places(now) if place[1] not in after.pieces)


def moves(before: State, after: State) -> dict[Piece, Move]:
    """What moves on the tracks from one state to the next; what lay on none comes from the display."""
    places_before, places_after = _piece_places(before), _piece_places(after)
    return {
        piece: (places_before.get(piece, (len(after.tracks), goal[1])), goal)
        for piece, goal in places_after.items()
        if places_before.get(piece) != goal
    }


def _piece_places(state: State) -> dict[Piece, Place]:
    """Where every piece on a track lies: each exists once (E1)."""
    return {piece: (seat, start) for seat, track in enumerate(state.tracks) for start, piece in places(track)}


# Dice


class Rolling(NamedTuple):
    """The dice on the screen.

    lying: what they show; they stay where they fell until somebody rolls
    kept: indexes of those that are not rolled again
    """

    lying: tuple[int, ...] = ()
    kept: frozenset[int] = frozenset()


def dice(state: State, rolling: Rolling, action: AnyAction | None, acting: bool) -> list[Die]:
    """acting: whether somebody here decides about them, so that they say what Space would do"""
    match state.phase:
        case "rolling":
            return [_in_hand(die, index in rolling.kept, acting) for index, die in enumerate(state.dice)]
        case "gaining" | "over":
            piece = gained_piece(state, action)
            return [_evaluated(die, die in state.gained, piece) for die in state.dice]
        case _:
            size = DICE - state.taken_back - (action.count if isinstance(action, TakeBack) else 0)
            faces = [*(LETTERS[die] for die in rolling.lying), *[""] * DICE]
            spent = [Die(face, face or "ivory", "spent" if face else "") for face in faces[:size]]
            return spent + [Die("", state="gone")] * (DICE - size)


def _in_hand(die: int, kept: bool, acting: bool) -> Die:
    word = "kept" if kept else "roll" if acting else ""
    return Die(LETTERS[die], LETTERS[die], "kept" if kept else "", word)


def _evaluated(die: int, used: bool, piece: Piece | None) -> Die:
    """A die after the last roll; those that the chosen piece needs bear its name."""
    if used:
        return Die(LETTERS[die], LETTERS[die], "spent", "used")
    if piece and piece.colour == die:
        return Die(LETTERS[die], LETTERS[die], "kept", chip(piece))
    return Die(LETTERS[die], LETTERS[die])


# Words


def title(state: State, names: Sequence[str]) -> str:
    """What the list is about."""
    match state.phase:
        case "setup":
            return "The pieces are laid out"
        case "start":
            return f"{names[state.turn]}'s turn"
        case "rolling":
            return (
                f"Roll {state.rolls} of {ROLLS} · {'stopping gains' if gains(state) else 'nothing to gain'}"
            )
        case "gaining":
            return "Gain more, or end the turn" if state.gained else "Gain a piece"
        case "over":
            return "The finish is reached"
