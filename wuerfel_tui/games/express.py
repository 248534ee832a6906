"""Würfel Express: colour dice lengthen a track; first to reach space 30 wins. Rulings E1-E10 in docs/rulings.md."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from msgspec.structs import replace

from wuerfel_tui.games.core import Dice, IllegalAction, Outcome, Rules, Seat, check_seats, ranking
from wuerfel_tui.games.express_parts import (
    COLOURS,
    DICE,
    FINISH,
    LENGTHS,
    ROLLS,
    AnyAction,
    AnyEvent,
    EndTurn,
    Options,
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
    Track,
    TurnEnded,
)

T = TypeVar("T")

# Actions that are offered again and again, made once

_ROLL, _STOP, _END_TURN = Roll(), Stop(), EndTurn()
_STARTS = tuple(
    (_ROLL, *(TakeBack(count) for count in range(1, pieces))) for pieces in range(len(COLOURS) + 1)
)
"""By the number of pieces in the track: what can be done before the first roll."""
_AFTER_ROLL = tuple(
    (_STOP, *(Reroll(dice) for thrown in range(1, size + 1) for dice in combinations(range(size), thrown)))
    for size in range(DICE + 1)
)
"""By the number of dice: what can be done after roll 1 or 2."""
_TAKES = tuple(
    tuple(Take(colour, length) for length in range(LENGTHS.stop)) for colour in range(len(COLOURS))
)
"""By colour and length."""
_STEALS = tuple(Steal(victim) for victim in range(6))
"""By victim."""


def _removals(each: int) -> tuple[tuple[Piece, ...], ...]:
    """Every way to choose so many 2-pieces and as many 3-pieces, no colour twice (E2)."""
    colours = range(len(COLOURS))
    return tuple(
        (*(Piece(colour, 2) for colour in twos), *(Piece(colour, 3) for colour in threes))
        for twos in combinations(colours, each)
        for threes in combinations([colour for colour in colours if colour not in twos], each)
    )


_REMOVALS = {2: _removals(3), 3: _removals(2)}
"""By the number of players, if there is anything to remove: every choice, all equally likely (E2)."""


class Express(Rules[Options, State, AnyAction, AnyEvent]):
    """The rules of Würfel Express."""

    key = "express"
    title = "Würfel Express"
    seats = range(2, 7)
    Options = Options
    State = State
    Action = AnyAction
    Event = AnyEvent

    def new(self, seats: int, options: Options) -> State:
        check_seats(self, seats)
        first = -1 if options.first is None else options.first
        if first >= seats:
            raise ValueError(f"Seat {first} cannot begin: the seats are 0 to {seats - 1}.")
        return State((Track(),) * seats, (tuple(LENGTHS),) * len(COLOURS), first)

    def begin(self, state: State, dice: Dice) -> Sequence[AnyEvent]:
        seats = len(state.tracks)
        choices = _REMOVALS.get(seats)
        removed = choices[dice(len(choices))] if choices else ()
        return (SetUp(removed, first=state.turn if state.turn >= 0 else dice(seats)),)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return () if state.phase in ("over", "setup") else (state.turn,)

    def legal(self, state: State, seat: Seat) -> Sequence[AnyAction]:
        if seat != state.turn:
            return ()
        match state.phase:
            case "start":
                return _STARTS[len(state.tracks[seat].pieces)]
            case "rolling":
                return _AFTER_ROLL[len(state.dice)]
            case "gaining":
                return (*_gains(state), _END_TURN) if state.gained else _gains(state)
            case _:
                return ()

    def decide(self, state: State, seat: Seat, action: AnyAction, dice: Dice, now: int) -> Sequence[AnyEvent]:
        _check_turn(state, seat)
        match action:
            case Reroll():
                _check_phase(state, "rolling")
                _check_reroll(len(state.dice), action.dice)
                return self._roll(state, action.dice, dice)
            case Roll():
                _check_phase(state, "start")
                return self._roll(state, tuple(range(DICE - state.taken_back)), dice)
            case Take():
                _check_phase(state, "gaining")
                _check_take(state, action.colour, action.length)
                return self._gain(state, Took(action.colour, action.length))
            case Steal():
                _check_phase(state, "gaining")
                _check_steal(state, action.victim)
                return self._gain(state, _stole(state, action.victim))
            case TakeBack():
                _check_take_back(state, action.count)
                return (TookBack(state.tracks[seat].pieces[: action.count]),)
            case Stop():
                _check_phase(state, "rolling")
                stopped = Stopped()
                return (stopped, *_nothing_gained(self.evolve(state, stopped)))
            case EndTurn():
                _check_phase(state, "gaining")
                if not state.gained:
                    raise IllegalAction("must-gain", "A piece can be gained, so at least one must be.")
                return (_turn_ended(state),)

    def _roll(self, state: State, thrown: tuple[int, ...], dice: Dice) -> Sequence[AnyEvent]:
        shown = list(state.dice or thrown)
        for index in thrown:
            shown[index] = dice(len(COLOURS))
        rolled = Rolled(tuple(shown), thrown)
        if state.rolls + 1 < ROLLS:
            return (rolled,)
        return (rolled, *_nothing_gained(self.evolve(state, rolled)))

    def _gain(self, state: State, gain: Took | Stole) -> Sequence[AnyEvent]:
        """The gain, and the end of the turn if it leaves nothing to decide."""
        after = self.evolve(state, gain)
        return (gain,) if after.phase == "over" or _gains(after) else (gain, _turn_ended(after))

    def evolve(self, state: State, event: AnyEvent) -> State:
        match event:
            case Rolled():
                rolls = state.rolls + 1
                phase = "rolling" if rolls < ROLLS else "gaining"
                return replace(state, phase=phase, rolls=rolls, dice=event.dice)
            case TurnEnded():
                number = state.number + 1
                return State(state.tracks, state.display, event.next, state.removed, number, "start")
            case Took():
                return _attach(_leave_display(state, event.colour, event.length), event.colour, event.length)
            case Stole():
                return _attach(_leave_victim(state, event), event.colour, event.length)
            case TookBack():
                return _take_back(state, event.pieces)
            case Stopped():
                return replace(state, phase="gaining")
            case Spared():
                return state
            case Returned():
                track = state.tracks[state.turn]
                shorter = _with_track(state, Track(track.rear, track.pieces[:-1]))
                return _join_display(shorter, event.colour, event.length)
            case SlidBack():
                track = state.tracks[state.turn]
                return _with_track(state, Track(track.rear - event.spaces, track.pieces))
            case SetUp():
                for piece in event.removed:
                    state = _leave_display(state, piece.colour, piece.length)
                return State(state.tracks, state.display, event.first, event.removed, 1, "start")

    def outcome(self, state: State) -> Outcome | None:
        """The fronts decide; only the winner's can have reached the finish (E10)."""
        if state.phase != "over":
            return None
        fronts = [track.front for track in state.tracks]
        return Outcome(ranking(fronts), f"The finish was reached with a front on space {max(fronts)}.")


# What the board says


def furthest_back(tracks: Sequence[Track], seat: Seat) -> bool:
    """Whether no front is behind that of this seat; several can be furthest back at once (E8, E9)."""
    return tracks[seat].front == min([track.front for track in tracks])


def takeable(lengths: tuple[int, ...], shown: int) -> tuple[int, ...]:
    """Which of these lengths of a colour so many dice may take from the display (E6).

    lengths: what the display holds of the colour
    shown: how many dice show it
    """
    return (shown,) if shown in lengths else tuple(length for length in lengths if length < shown)


def _gains(state: State) -> tuple[Take | Steal, ...]:
    """Every gain that the dice, the display and the tracks allow now (E6)."""
    tracks, dice = state.tracks, state.dice
    held = [piece.colour for piece in tracks[state.turn].pieces]
    gains: list[Take | Steal] = []
    for colour, lengths in enumerate(state.display):
        shown = dice.count(colour)
        if shown > 1 and colour not in held:
            takes = _TAKES[colour]
            for length in takeable(lengths, shown):
                gains.append(takes[length])
    for victim, track in enumerate(tracks):
        if len(track.pieces) > 1 and victim != state.turn and victim not in state.robbed:
            piece = track.pieces[0]
            if piece.length <= dice.count(piece.colour) and piece.colour not in held:
                gains.append(_STEALS[victim])
    return tuple(gains)


# What happens by itself


def _nothing_gained(state: State) -> tuple[AnyEvent, ...]:
    """What comes by itself after the last roll: nothing if there is something to gain, else E9 and the next turn."""
    return () if _gains(state) else (_bad_luck(state), _turn_ended(state))


def _bad_luck(state: State) -> Spared | Returned | SlidBack:
    """What a turn without a gain costs (E9). An empty track is always furthest back."""
    track = state.tracks[state.turn]
    if furthest_back(state.tracks, state.turn):
        return Spared()
    piece = track.pieces[-1]
    if len(track.pieces) > 1:
        return Returned(piece.colour, piece.length)
    return SlidBack(min(piece.length, track.rear - 1))


def _turn_ended(state: State) -> TurnEnded:
    return TurnEnded((state.turn + 1) % len(state.tracks))


def _stole(state: State, victim: Seat) -> Stole:
    piece = state.tracks[victim].pieces[0]
    return Stole(victim, piece.colour, piece.length, slid=not furthest_back(state.tracks, victim))


# How pieces move


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _with_track(state: State, track: Track) -> State:
    """The state with another track for the seat whose turn it is."""
    return replace(state, tracks=_with(state.tracks, state.turn, track))


def _leave_display(state: State, colour: int, length: int) -> State:
    lengths = tuple(other for other in state.display[colour] if other != length)
    return replace(state, display=_with(state.display, colour, lengths))


def _join_display(state: State, colour: int, length: int) -> State:
    lengths = tuple(sorted((*state.display[colour], length)))
    return replace(state, display=_with(state.display, colour, lengths))


def _take_back(state: State, pieces: tuple[Piece, ...]) -> State:
    """The rearmost pieces go; the front does not move, the rear does (E4)."""
    track, count = state.tracks[state.turn], len(pieces)
    rear = track.rear + sum(piece.length for piece in pieces)
    state = _with_track(state, Track(rear, track.pieces[count:]))
    for piece in pieces:
        state = _join_display(state, piece.colour, piece.length)
    return replace(state, taken_back=state.taken_back + count)


def _leave_victim(state: State, stole: Stole) -> State:
    """A track that slides keeps its rear space, as its rearmost piece is gone; else the rear moves up (E8)."""
    track = state.tracks[stole.victim]
    rest = Track(track.rear if stole.slid else track.rear + stole.length, track.pieces[1:])
    return replace(
        state, tracks=_with(state.tracks, stole.victim, rest), robbed=(*state.robbed, stole.victim)
    )


def _attach(state: State, colour: int, length: int) -> State:
    """The piece joins the front, and the game ends there and then if that reaches the finish (E10)."""
    track = state.tracks[state.turn]
    longer = Track(track.rear, (*track.pieces, Piece(colour, length)))
    return replace(
        state,
        tracks=_with(state.tracks, state.turn, longer),
        phase="over" if longer.front >= FINISH else "gaining",
        gained=(*state.gained, colour),
    )


# Why an action is refused


def _check_turn(state: State, seat: Seat) -> None:
    if state.phase == "over":
        raise IllegalAction("game-over", "The game is over.")
    if state.phase == "setup":
        raise IllegalAction("not-begun", "The game has not begun.")
    if seat != state.turn:
        raise IllegalAction("not-your-turn", "It is not your turn.")


_OTHER_PHASE = {
    "start": ("roll-first", "The dice have not been rolled yet."),
    "rolling": ("still-rolling", "The rolls are not over: name the dice to roll again, or stop."),
    "gaining": ("rolls-over", "The last roll is made."),
}
"""By the phase that the turn is in: why it is too early or too late for what belongs to another phase."""


def _check_phase(state: State, phase: str) -> None:
    if state.phase != phase:
        raise IllegalAction(*_OTHER_PHASE[state.phase])


def _check_take_back(state: State, count: int) -> None:
    if state.phase != "start":
        raise IllegalAction("too-late", "Pieces can be taken back only before the first roll of the turn.")
    if count < 1:
        raise IllegalAction("no-piece", "At least one piece must be taken back.")
    if count >= len(state.tracks[state.turn].pieces):
        raise IllegalAction("one-stays", "At least one piece of the track must stay.")


def _check_reroll(size: int, dice: tuple[int, ...]) -> None:
    if not dice:
        raise IllegalAction("no-die", "Name at least one die to roll again, or stop.")
    last = -1
    for index in dice:
        if not 0 <= index < size:
            raise IllegalAction("no-such-die", f"The dice are numbered 0 to {size - 1}.")
        if index <= last:
            raise IllegalAction("dice-order", "Name each die once, in ascending order.")
        last = index


def _check_take(state: State, colour: int, length: int) -> None:
    if not 0 <= colour < len(COLOURS):
        raise IllegalAction("no-such-colour", f"The colours are numbered 0 to {len(COLOURS) - 1}.")
    name, lengths = COLOURS[colour], state.display[colour]
    _check_colour_free(state, colour)
    if length not in lengths:
        raise IllegalAction("not-in-display", f"The display has no {name} piece of that length.")
    shown = state.dice.count(colour)
    if length > shown:
        raise IllegalAction("too-few-dice", f"Too few dice show {name} for a piece of that length.")
    if length not in takeable(lengths, shown):
        raise IllegalAction(
            "exact-piece", f"The display has the {name} piece that matches the dice: only that one."
        )


def _check_steal(state: State, victim: Seat) -> None:
    if not 0 <= victim < len(state.tracks):
        raise IllegalAction("no-such-seat", f"The seats are numbered 0 to {len(state.tracks) - 1}.")
    if victim == state.turn:
        raise IllegalAction("own-track", "You cannot steal from your own track.")
    if victim in state.robbed:
        raise IllegalAction("already-robbed", "You have already stolen from that track in this turn.")
    pieces = state.tracks[victim].pieces
    if len(pieces) < 2:
        raise IllegalAction("last-piece", "A track of fewer than two pieces cannot be stolen from.")
    colour, length = pieces[0].colour, pieces[0].length
    _check_colour_free(state, colour)
    if length > state.dice.count(colour):
        raise IllegalAction(
            "too-few-dice", f"Too few dice show {COLOURS[colour]} for a piece of that length."
        )


def _check_colour_free(state: State, colour: int) -> None:
    for piece in state.tracks[state.turn].pieces:
        if piece.colour == colour:
            raise IllegalAction("colour-held", f"Your track already holds {COLOURS[colour]}.")
