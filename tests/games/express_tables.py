"""Boards of Würfel Express in short: a piece is a letter and a length (`R3`), dice are letters (`RRRGGBL`)."""

from __future__ import annotations

from collections.abc import Sequence

from wuerfel_tui.games.core import Dice
from wuerfel_tui.games.express import Express
from wuerfel_tui.games.express_parts import LENGTHS, AnyAction, AnyEvent, Piece, State, Track

LETTERS = "RYGBLW"
EXPRESS = Express()


def faces(letters: str) -> tuple[int, ...]:
    return tuple(LETTERS.index(letter) for letter in letters)


def pieces(words: str) -> tuple[Piece, ...]:
    return tuple(Piece(LETTERS.index(word[0]), int(word[1])) for word in words.split())


def track(words: str = "", rear: int = 1) -> Track:
    return Track(rear, pieces(words))


def scripted(letters: str) -> Dice:
    """Colour dice that fall like this and are never thrown once more."""
    falls = iter(faces(letters))

    def dice(n: int) -> int:
        assert n == 6
        return next(falls)

    return dice


def no_dice(n: int) -> int:
    raise AssertionError("a die was thrown")


def table(*tracks: Track | str, dice: str = "", rolls: int = 3, missing: str = "", turn: int = 0) -> State:
    """A turn of a game in which the display holds all that is in no track and not missing.

    dice: as they lie after so many rolls; none before the first
    """
    built = tuple(track(each) if isinstance(each, str) else each for each in tracks)
    gone = pieces(missing)
    away = [*gone, *(piece for each in built for piece in each.pieces)]
    display = tuple(
        tuple(length for length in LENGTHS if Piece(colour, length) not in away) for colour in range(6)
    )
    if not dice:
        return State(built, display, turn, gone, number=1, phase="start")
    phase = "gaining" if rolls == 3 else "rolling"
    return State(
        built, display, turn, gone, 1, phase, taken_back=7 - len(dice), rolls=rolls, dice=faces(dice)
    )


def after(state: State, events: Sequence[AnyEvent]) -> State:
    for event in events:
        state = EXPRESS.evolve(state, event)
    return state


def act(state: State, action: AnyAction, dice: str = "") -> tuple[list[AnyEvent], State]:
    """What comes of an action by the seat whose turn it is, if the dice fall like this."""
    events = EXPRESS.decide(state, state.turn, action, scripted(dice), 0)
    return list(events), after(state, events)


def gains(state: State) -> list[AnyAction]:
    return list(EXPRESS.legal(state, state.turn))
