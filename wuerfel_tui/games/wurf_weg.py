"""Wurf & Weg: get rid of your dice, all at once and in real time. Rulings W1-W9 in docs/rulings.md.

Time is an input, and the host decides in the order in which actions reach it. A roll draws its faces when it is pressed
and says at once when they land (`Rolled.faces`, `Rolled.lands`). So a screen starts the tumble at its own press and
shows the faces `pace` later on its own clock; they have only to arrive by then, and a line whose round trip is shorter
than `pace` costs nothing per roll. Who reads the wire knows the faces early and gains nothing: until they have landed
on the host's clock, `decide` refuses whatever comes from that seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from wuerfel_tui.games.core import Dice, IllegalAction, Outcome, Rules, Seat, check_seats, ranking
from wuerfel_tui.games.wurf_weg_parts import (
    BLANK,
    CARDS,
    CARDS_TO_WIN,
    COUNTDOWN,
    DEPOT,
    DICE_EACH,
    LAST_ROLLS,
    NO_CARD,
    SYMBOLS,
    AnyAction,
    AnyEvent,
    Charm,
    Countdown,
    Dealt,
    Drew,
    Go,
    Landed,
    LimitSet,
    Options,
    PileExhausted,
    Place,
    Placed,
    Player,
    Readied,
    Ready,
    Rewarded,
    Roll,
    Rolled,
    State,
    Stop,
)

# --- who may do what ------------------------------------------------------------------------------------------------


def clockwise(start: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats, from `start` on."""
    return tuple((start + i) % seats for i in range(seats))


def target(state: State, seat: Seat, symbol: int) -> Seat | None:
    """Where this seat's dice with `symbol` belong: DEPOT, a neighbour, or None for nowhere (W3)."""
    if symbol == state.charm:
        return DEPOT
    left, right = CARDS[state.players[seat].card]
    if symbol == left:
        return (seat + 1) % len(state.players)
    if symbol == right:
        return (seat - 1) % len(state.players)
    return None


def placeable(state: State, seat: Seat) -> tuple[int, ...]:
    """The symbols in a seat's hand that belong somewhere: the charm first, then the card's left and right one."""
    player = state.players[seat]
    left, right = CARDS[player.card]
    return tuple(symbol for symbol in dict.fromkeys((state.charm, left, right)) if symbol in player.hand)


def settled(state: State, seat: Seat) -> State:
    """The table as a seat's own screen sees it `pace` after its press, while the host's `Landed` is on its way (W9).

    `legal` on it says what may be sent now: it is not earlier on the host's clock, since the press took the same way.
    """
    player = state.players[seat]
    if player.lands is None:
        return state
    more = state.phase == "last" and player.rolls > 0
    return _evolve(state, Landed(seat, player.lands + state.options.roll_limit if more else None))


def _may_roll(state: State, seat: Seat) -> bool:
    player = state.players[seat]
    return player.lands is None and (state.phase == "race" or player.until is not None)


def _legal(state: State, seat: Seat) -> tuple[AnyAction, ...]:
    if state.phase == "ready":
        return () if state.players[seat].ready else (Ready(),)
    if not _may_roll(state, seat):
        return ()
    if state.phase == "last":
        return (Roll(),)
    return (Roll(), *(Place(symbol) for symbol in placeable(state, seat)))


def _check(state: State, seat: Seat, action: AnyAction) -> None:
    """Raises `IllegalAction` with the reason if this seat cannot do that now."""
    if state.phase == "over":
        raise IllegalAction("game-over", "The game is over.")
    player = state.players[seat]
    match action:
        case Ready():
            if state.phase != "ready":
                raise IllegalAction("round-on", "This round has begun already.")
            if player.ready:
                raise IllegalAction("ready-already", "You are ready already; the others are not.")
        case Roll():
            _check_hands(state, player)
            if state.phase == "last" and not player.dice:
                raise IllegalAction("no-dice", "You are rid of all your dice.")
            if state.phase == "last" and not player.rolls:
                raise IllegalAction("no-rolls", "You have used your three last rolls.")
        case Place(symbol):
            _check_hands(state, player)
            if state.phase == "last":
                raise IllegalAction(
                    "after-stop", "After Stop only the charm counts, and it leaves by itself."
                )
            if not 0 <= symbol < len(SYMBOLS):
                raise IllegalAction("no-symbol", "There is no such symbol.")
            if symbol not in player.hand:
                raise IllegalAction("not-shown", f"None of your dice shows the {SYMBOLS[symbol]}.")
            if target(state, seat, symbol) is None:
                raise IllegalAction(
                    "no-place", f"The {SYMBOLS[symbol]} is neither the charm nor on your card: roll it again."
                )


def _check_hands(state: State, player: Player) -> None:
    """Raises `IllegalAction` unless dice may be touched in this phase and the player's own lie still (W9)."""
    if state.phase in ("new", "ready"):
        raise IllegalAction("not-begun", "The round has not begun: everybody has to be ready.")
    if state.phase == "countdown":
        raise IllegalAction("countdown", "Not before the count-down has ended.")
    if player.lands is not None:
        raise IllegalAction("tumbling", "Your dice are still tumbling.")


# --- what comes of it -----------------------------------------------------------------------------------------------


class _Story:
    """A state and the events that have led to it so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.state = _evolve(self.state, event)


def _ready(story: _Story, seats: Sequence[Seat], forced: bool, now: int) -> None:
    for seat in seats:
        story.tell(Readied(seat, forced))
    if all(player.ready for player in story.state.players):
        story.tell(Countdown(now + COUNTDOWN))


def _roll(story: _Story, seat: Seat, forced: bool, dice: Dice, now: int) -> None:
    """All dice in hand, and those on the card, leave the hand at once; what arrives from now on waits (W3)."""
    faces = tuple(dice(len(SYMBOLS)) for _ in range(story.state.players[seat].dice))
    story.tell(Rolled(seat, faces, now + story.state.options.pace, forced))


def _place(story: _Story, seat: Seat, symbol: int) -> None:
    to = target(story.state, seat, symbol)
    if to is not None:
        story.tell(Placed(seat, symbol, story.state.players[seat].hand.count(symbol), to))


def _land(story: _Story, seat: Seat, dice: Dice, now: int) -> None:
    options, player = story.state.options, story.state.players[seat]
    if story.state.phase == "last":
        story.tell(Landed(seat, now + options.roll_limit if player.rolls else None))
        _charms_leave(story, seat)
        _close(story, dice, now)
        return
    story.tell(Landed(seat, None))
    if options.auto_place:
        for symbol in placeable(story.state, seat):
            _place(story, seat, symbol)
        _stop(story, seat, dice, now)


def _charms_leave(story: _Story, seat: Seat) -> None:
    """After Stop charm dice that lie leave by themselves (W6)."""
    if story.state.charm in story.state.players[seat].hand:
        _place(story, seat, story.state.charm)


def _stop(story: _Story, seat: Seat, dice: Dice, now: int) -> None:
    """Stop, if this seat is rid of all its dice (W5), and with it the charms that lie on the table already (W6)."""
    state = story.state
    if state.players[seat].dice:
        return
    story.tell(Stop(seat, now + state.options.roll_limit))
    for other in clockwise(seat, len(state.players)):
        if other not in state.air:
            _charms_leave(story, other)
    _close(story, dice, now)


def _close(story: _Story, dice: Dice, now: int) -> None:
    """The rewards and the next round, if nobody has dice in the air or a roll left (W7, W8)."""
    state = story.state
    if state.air or state.caller is None or any(player.until is not None for player in state.players):
        return
    order = clockwise(state.caller, len(state.players))
    rewarded = tuple(seat for seat in order if not state.players[seat].dice)
    story.tell(Rewarded(rewarded))
    for seat in rewarded:
        if story.state.phase == "over":
            return
        pile = story.state.pile
        story.tell(Drew(seat, pile[dice(len(pile))]) if pile else PileExhausted(seat))
    if story.state.phase != "over":
        story.tell(Charm(dice(len(SYMBOLS)), now + state.options.ready_limit))


def _next_time(state: State) -> int | None:
    if state.phase == "ready":
        return 0 if state.until is None else state.until  # 0: at once, so that the first limit begins to run
    if state.phase == "countdown":
        return state.until
    times = [player.until for player in state.players if player.until is not None]
    if state.air and (lands := state.players[state.air[0]].lands) is not None:
        times.append(lands)
    return min(times, default=None)


def _strike(story: _Story, time: int, dice: Dice, now: int) -> None:
    """The one thing that was due first, at `time`. All that follows counts from `now`."""
    state = story.state
    if state.phase == "ready" and state.until is None:
        story.tell(LimitSet(now + state.options.ready_limit))
    elif state.phase == "ready":
        late = [seat for seat, player in enumerate(state.players) if not player.ready]
        _ready(story, late, True, now)
    elif state.phase == "countdown":
        story.tell(Go())
    elif state.air and state.players[state.air[0]].lands == time:
        _land(story, state.air[0], dice, now)
    else:
        seat = next(seat for seat, player in enumerate(state.players) if player.until == time)
        _roll(story, seat, True, dice, now)


# --- evolve ---------------------------------------------------------------------------------------------------------


def _with(state: State, seat: Seat, player: Player, **changes: Any) -> State:
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return replace(state, players=players, **changes)


def _evolve(state: State, event: AnyEvent) -> State:
    players = state.players
    match event:
        case Rolled(seat, faces, lands, _):
            return _rolled(state, seat, faces, lands)
        case Landed(seat, until):
            landed = replace(players[seat], lands=None, until=until)
            return _with(state, seat, landed, air=tuple(other for other in state.air if other != seat))
        case Placed():
            return _placed(state, event)
        case Readied(seat, _):
            return _with(state, seat, replace(players[seat], ready=True))
        case Countdown(until):
            return replace(state, phase="countdown", until=until)
        case Go():
            return replace(state, phase="race", until=None)
        case Stop(seat, until):
            return _stopped(state, seat, until)
        case Rewarded(seats):
            return _rewarded(state, seats)
        case Drew(seat, card):
            pile = tuple(other for other in state.pile if other != card)
            return _with(state, seat, replace(players[seat], card=card), pile=pile)
        case PileExhausted():
            return replace(state, phase="over")
        case Charm(symbol, until):
            return _new_round(state, symbol, until)
        case LimitSet(until):
            return replace(state, until=until)
        case Dealt(cards):
            dealt = tuple(Player(card) for card in cards)
            return replace(state, players=dealt, pile=tuple(card for card in state.pile if card not in cards))


def _rolled(state: State, seat: Seat, faces: tuple[int, ...], lands: int) -> State:
    player = state.players[seat]
    after = replace(player, hand=faces, on_card=0, lands=lands, rolls=max(0, player.rolls - 1), until=None)
    # Among dice that land in the same millisecond, those pressed first come first (W2).
    before = sum((state.players[other].lands or 0) <= lands for other in state.air)
    return _with(state, seat, after, air=(*state.air[:before], seat, *state.air[before:]))


def _placed(state: State, event: Placed) -> State:
    player = state.players[event.seat]
    hand = tuple(face for face in player.hand if face != event.symbol)
    until = player.until if hand or player.on_card else None
    after = _with(state, event.seat, replace(player, hand=hand, until=until))
    if event.to == DEPOT:
        return replace(after, depot=state.depot + event.count)
    receiver = state.players[event.to]
    return _with(after, event.to, replace(receiver, on_card=receiver.on_card + event.count))


def _stopped(state: State, caller: Seat, until: int) -> State:
    """A roll in the air at Stop is not one of the three: its player's time begins when it has landed (W6)."""
    players = tuple(
        replace(player, rolls=LAST_ROLLS, until=until if player.lands is None else None)
        if player.dice
        else player
        for player in state.players
    )
    return replace(state, phase="last", players=players, caller=caller)


def _rewarded(state: State, seats: tuple[Seat, ...]) -> State:
    players = tuple(
        replace(player, card=NO_CARD, won=player.won + 1) if seat in seats else player
        for seat, player in enumerate(state.players)
    )
    won = not state.options.until_empty and any(player.won >= CARDS_TO_WIN for player in players)
    return replace(state, players=players, phase="over" if won else state.phase)


def _new_round(state: State, symbol: int, until: int | None) -> State:
    players = tuple(Player(player.card, player.won, (BLANK,) * DICE_EACH) for player in state.players)
    return State(state.options, "ready", players, state.pile, (), state.round + 1, symbol, 0, until, None)


# --- the rules ------------------------------------------------------------------------------------------------------


def _why(state: State) -> str:
    most = max(player.won for player in state.players)
    winners = sum(player.won == most for player in state.players)
    shared = f"; {winners} players share the victory" if winners > 1 else ""
    if state.options.until_empty:
        return f"The pile is exhausted, and {most} cards face down are the most{shared}."
    return f"The third card has been turned face down{shared}."


class WurfWeg(Rules[Options, State, AnyAction, AnyEvent]):
    """Wurf & Weg (W1-W9). All seats act at once; the table lets time elapse before it decides."""

    key = "wurf_weg"
    title = "Wurf & Weg"
    seats = range(2, 7)

    Options = Options
    State = State
    Action = AnyAction
    Event = AnyEvent

    def new(self, seats: int, options: Options) -> State:
        check_seats(self, seats)
        return State(options, "new", (Player(),) * seats, tuple(range(len(CARDS))))

    def begin(self, state: State, dice: Dice) -> Sequence[AnyEvent]:
        """A card for everybody, in the order of the seats, and the first charm."""
        left = list(state.pile)
        cards = tuple(left.pop(dice(len(left))) for _ in state.players)
        return (Dealt(cards), Charm(dice(len(SYMBOLS)), None))

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Nobody while only time goes on: the count-down, or all dice in the air."""
        return tuple(seat for seat in range(len(state.players)) if _legal(state, seat))

    def legal(self, state: State, seat: Seat) -> Sequence[AnyAction]:
        return _legal(state, seat)

    def decide(self, state: State, seat: Seat, action: AnyAction, dice: Dice, now: int) -> Sequence[AnyEvent]:
        """See `Rules.decide`. What is due by `now` must have elapsed: dice lie once `Landed` says so (W9)."""
        _check(state, seat, action)
        story = _Story(state)
        match action:
            case Ready():
                _ready(story, (seat,), False, now)
            case Roll():
                _roll(story, seat, False, dice, now)
            case Place(symbol):
                _place(story, seat, symbol)
                _stop(story, seat, dice, now)
        return story.events

    def due(self, state: State) -> int | None:
        """When the next dice land, or the next limit or count-down ends."""
        return _next_time(state)

    def elapse(self, state: State, dice: Dice, now: int) -> Sequence[AnyEvent]:
        """Everything that is due by `now`, in its order."""
        story = _Story(state)
        while (time := _next_time(story.state)) is not None and time <= now:
            _strike(story, time, dice, now)
        return story.events

    def evolve(self, state: State, event: AnyEvent) -> State:
        return _evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "over":
            return None
        return Outcome(ranking([player.won for player in state.players]), _why(state))
