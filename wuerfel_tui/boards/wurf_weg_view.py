"""What the board of Wurf & Weg shows, as functions of the state: nothing here knows a key or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.geometry import Region, Size

from wuerfel_tui.boards.wurf_weg_words import card as card_name
from wuerfel_tui.boards.wurf_weg_words import neighbours
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.wurf_weg_parts import (
    CARDS,
    CARDS_TO_WIN,
    DICE_EACH,
    NO_CARD,
    SYMBOLS,
    Player,
    State,
)
from wuerfel_tui.widgets.lucky import ART
from wuerfel_tui.widgets.race import Banner, Card, Dice, Other, Own
from wuerfel_tui.wording import listed, plural

OWN = 46
"""Columns of one's own card where others sit beside it."""
TRAY = 34
"""Columns of one's own dice on a small screen: every blank before the first die is sent with each of its pictures."""


class Names(NamedTuple):
    """By seat. marks: `away`, `bot` and the like"""

    names: Sequence[str]
    marks: Sequence[str]


def seconds_left(state: State, now: int) -> int:
    """What a count-down shows: 3, 2, 1, and 0 when it is over."""
    return 0 if state.until is None else max(0, -((now - state.until) // 1000))


# The phase


def banner(state: State, names: Sequence[str], rewarded: Sequence[Seat], seconds: int) -> Banner:
    """rewarded: who turned a card face down before this round, while that is the news"""
    match state.phase:
        case "new":
            return Banner("CARDS", "The cards are dealt.", "wood")
        case "ready" if rewarded:
            return Banner(f"ROUND {state.round - 1} IS OVER", rewards(names, rewarded), "Y")
        case "ready":
            return Banner("READY?", f"Round {state.round}: the charm is the {SYMBOLS[state.charm]}.", "wood")
        case "countdown":
            return Banner(f"READY {seconds}", "Look at your card and the charm.", "select")
        case "race":
            return Banner("GO!", "Get rid of your dice!", "G")
        case "last":
            who = names[state.caller] if state.caller is not None else "Somebody"
            charm = SYMBOLS[state.charm]
            return Banner("STOP!", f"{who} is rid of all dice. Now only the {charm} counts.", "R")
        case "over":
            return Banner("THE END", winners(state, names), "wood")


def rewards(names: Sequence[str], rewarded: Sequence[Seat]) -> str:
    cards = "a card" if len(rewarded) == 1 else "a card each"
    return f"{listed([names[seat] for seat in rewarded])} turned {cards} face down."


def winners(state: State, names: Sequence[str]) -> str:
    most = max(player.won for player in state.players)
    best = [name for name, player in zip(names, state.players, strict=True) if player.won == most]
    verb = "wins" if len(best) == 1 else "win"
    return f"{listed(best)} {verb} with {plural(most, 'card')} face down."


def standing(state: State) -> str:
    """The phase in a few words, for the title."""
    match state.phase:
        case "ready":
            return f"{sum(player.ready for player in state.players)} of {len(state.players)} ready"
        case "countdown":
            return "get ready"
        case "race":
            return "everybody at once"
        case "last":
            return "the last rolls"
        case _:
            return ""


def depot(state: State, key: bool) -> str:
    dice = plural(state.depot, "die", "dice")
    return f"{'↓ ' if key else ''}depot: {dice}"


# Cards and players


def own_card(state: State, seat: Seat, names: Sequence[str]) -> Card | None:
    """One's own card; a symbol that is the charm counts nothing on it (W3), and after Stop none does (W6)."""
    player = state.players[seat]
    if player.card == NO_CARD:
        return None
    left, right = CARDS[player.card]
    to_left, to_right = neighbours(seat, len(names))
    stopped = state.phase in ("last", "over")
    asleep = (stopped or left == state.charm, stopped or right == state.charm)
    return Card((left, right), (names[to_left], names[to_right]), asleep)


def other(state: State, seat: Seat, people: Names, arrow: str = "", open_dice: bool = False) -> Other:
    """Another player. open_dice: whether what their dice show is to be seen"""
    player = state.players[seat]
    return Other(
        people.names[seat],
        arrow,
        people.marks[seat],
        dice_text(state, seat),
        () if player.card == NO_CARD else CARDS[player.card],
        won(state, player),
        (hand(player) if player.lands is None else ()) if open_dice else None,
    )


def arrow_to(seat: Seat, mine: Sequence[Seat], seats: int) -> str:
    """The key that sends dice to this seat, where one person plays here."""
    if len(mine) != 1:
        return ""
    left, right = neighbours(mine[0], seats)
    return ("←" if seat == left else "") + ("→" if seat == right else "")


def won(state: State, player: Player) -> tuple[int, int]:
    return player.won, 0 if state.options.until_empty else max(CARDS_TO_WIN, player.won)


def dice_text(state: State, seat: Seat) -> str:
    """How many dice, a sign for each: in hand, on the card, in the air; and what may be said about the phase."""
    player = state.players[seat]
    if state.phase == "ready":
        return "ready" if player.ready else "not ready yet"
    if state.phase == "last" and not player.dice:
        return "called Stop" if seat == state.caller else "rid of all dice"
    if player.lands is not None:
        pips = "≈" * len(player.hand) + "○" * player.on_card
    else:
        pips = "●" * len(player.hand) + "○" * player.on_card
    if state.phase == "last" and player.lands is None:
        return f"{player.dice} {pips} {plural(player.rolls, 'roll')}"
    return f"{plural(player.dice, 'die', 'dice')} {pips}"


def own(state: State, seat: Seat, name: str, keys: str) -> Own:
    """The line under one's own dice."""
    player = state.players[seat]
    note = ""
    if state.phase == "ready":
        note = "ready" if player.ready else "not ready yet"
    elif state.phase == "last" and seat == state.caller:
        note = "you called Stop"
    elif state.phase == "last" and not player.dice:
        note = "rid of all dice"
    elif state.phase == "last":
        note = f"{plural(player.rolls, 'last roll')} left"
    return Own(name, won(state, player), note, keys)


# Dice


def hand(player: Player) -> tuple[int, ...]:
    """The dice as they lie in the tray: sorted, so that what is placed together lies together."""
    return tuple(sorted(player.hand))


class Throw(NamedTuple):
    """What a seat of ours has in the air.

    tumbling: so many dice
    turn: which picture of it
    waiting: who put the dice on its card that join the next roll
    slots: outlines in the tray
    """

    tumbling: int = 0
    turn: int = 0
    waiting: tuple[str, ...] = ()
    slots: int = DICE_EACH


def tray(state: State, seat: Seat, throw: Throw, seconds: int, rewarded: Sequence[Seat]) -> Dice:
    """One's own dice, or what there is instead."""
    player = state.players[seat]
    match state.phase:
        case "countdown":
            return Dice(digit=max(1, seconds))
        case "race" | "last" if player.dice or throw.tumbling:
            faces = () if throw.tumbling else hand(player)
            return Dice(faces, throw.tumbling, throw.turn, throw.waiting, throw.slots)
        case _:
            return Dice(text=notes(state, seat, seat in rewarded))


def notes(state: State, seat: Seat, rewarded: bool) -> tuple[str, ...]:
    """What lies in the tray while there are no dice, the main thing first."""
    player = state.players[seat]
    match state.phase:
        case "ready" if player.card != NO_CARD:
            ready = "You are ready." if player.ready else "Are you ready?"
            yours = "New card" if rewarded else "Your card"
            return (ready, f"{yours}: {card_name(player.card)}.", f"The charm: {SYMBOLS[state.charm]}.")
        case "race":
            return ("You are rid of all your dice!",)
        case "last":
            return ("You are rid of all your dice!", "Your card is turned face down", "when all have rolled.")
        case "over":
            return ("The game is over.",)
        case _:
            return ()


# Where everything is


class Plan(NamedTuple):
    """Regions of the pictures. owns: card, tray and line of each seat of ours"""

    band: Region
    charm: Region
    depot: Region
    others: list[Region]
    owns: list[tuple[Region, Region, Region]]
    buttons: Region

    def all(self) -> list[Region]:
        owns = [region for regions in self.owns for region in regions]
        return [self.band, self.charm, self.depot, *self.others, *owns, self.buttons]


def plan(size: Size, others: int, mine: int) -> Plan:
    """What is where in a board of this size, with so many other players and seats of ours."""
    spacious = size.height >= 32
    band = Region(0, 0, size.width, 3 if spacious else 1)
    buttons = Region(0, size.height - 1, size.width, 1)
    inner = Region(0, band.bottom, size.width, size.height - band.height - 1)
    if mine == 0:
        return _watching(band, inner, buttons, others)
    if mine == 1:
        return _alone(band, inner, buttons, others, spacious)
    return _shared(band, inner, buttons, others, mine, spacious)


def _charm(inner: Region, top: int) -> tuple[Region, Region]:
    """The depot card, with the line below it."""
    charm = Region((inner.width - OWN) // 2, top, OWN, ART.height)
    return charm, Region(charm.x, charm.bottom, OWN, 1)


def _alone(band: Region, inner: Region, buttons: Region, others: int, spacious: bool) -> Plan:
    """The card in the middle, the neighbours at its sides, whoever sits further away above them."""
    card, tray = (14, 7) if spacious else (7, 3)
    spare = max(0, inner.height - (ART.height + 1 + card + tray + 1))
    above, between = spare // 3, spare // 3 or min(spare, 1)
    charm, depot = _charm(inner, inner.y + above)
    own = Region(charm.x, depot.bottom + spare // 6, OWN, card)
    width = inner.width if spacious else TRAY
    dice = Region((inner.width - width) // 2, own.bottom + between, width, tray)
    line = Region((inner.width - TRAY) // 2, dice.bottom, OWN, 1)
    side, right = charm.x - 1, charm.right + 1
    near = [Region(x, own.y + (card - 5) // 2, side, 5) for x in (0, right)]
    far = [Region(x, charm.y + y, side, 3) for x, y in ((0, 3), (0, 0), (right, 3))]
    return Plan(band, charm, depot, _ring(near, far, others), [(own, dice, line)], buttons)


def _ring(near: list[Region], far: list[Region], others: int) -> list[Region]:
    """From the left neighbour clockwise to the right one."""
    if others == 1:
        return near[:1]
    left = far[:2] if others == 5 else far[:1]
    return [near[0], *left[: others - 2], *far[2:][: max(0, others - 3)], near[1]]


def _shared(band: Region, inner: Region, buttons: Region, others: int, mine: int, spacious: bool) -> Plan:
    """Our cards side by side, everybody else around the depot card."""
    width = inner.width // mine
    large = spacious and width >= 4 * ART.width + 4
    card, tray = (14 if large else 7), (7 if spacious else 3)
    gap = max(0, inner.height - (ART.height + 1 + card + tray + 1)) // 3
    charm, depot = _charm(inner, inner.y + gap)
    side = charm.x - 1
    places = [Region(x, charm.y + y, side, 3) for y in (0, 3) for x in (0, inner.width - side)]
    top = depot.bottom + gap
    owns = [
        (
            Region(index * width, top, width - 1, card),
            Region(index * width, top + card, width - 1, tray),
            Region(index * width, top + card + tray, width - 1, 1),
        )
        for index in range(mine)
    ]
    return Plan(band, charm, depot, places[:others], owns, buttons)


def _watching(band: Region, inner: Region, buttons: Region, others: int) -> Plan:
    """Everybody around the table, with their dice."""
    columns = 3 if others > 4 else 2
    rows = -(-others // columns)
    width = inner.width // columns
    height = min(8, (inner.height - ART.height - 1) // rows)
    gap = (inner.height - ART.height - 1 - rows * height) // 3
    charm, depot = _charm(inner, inner.y + gap)
    top = depot.bottom + gap
    seats = [
        Region(index % columns * width, top + index // columns * height, width - 1, height - 1)
        for index in range(others)
    ]
    return Plan(band, charm, depot, seats, [], buttons)
