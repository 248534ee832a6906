"""The check of a finished game: throws every die again and asks whether the host told the truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wuerfel_tui import fair
from wuerfel_tui.games.core import IllegalAction
from wuerfel_tui.record import (
    HOST,
    Acted,
    AnyEntry,
    Began,
    Committed,
    Elapsed,
    Finished,
    PeerId,
    TableState,
    evolve,
    options_of,
)


class BentDice(Exception):
    """The log of a game does not follow from its secrets and its moves; the message says where."""


def check(start: TableState, entries: Iterable[AnyEntry], mine: tuple[PeerId, bytes] | None = None) -> None:
    """Decides a whole game again and compares.

    start: the table before the game's first entry
    entries: from `Dealt` to `Finished`
    mine: the number and the secret of the peer that asks, if it revealed one: it must have counted
    Raises `BentDice`.
    """
    game = list(entries)
    secret = next((entry.secret for entry in game if isinstance(entry, Finished)), None)
    if secret is None:
        raise BentDice("The host has not revealed its secret.")
    table, dice, outcome = start, None, None
    for entry in game:
        if isinstance(entry, Began):
            _check_secrets(table, secret, mine)
            dice = fair.FairDice(
                [secret, *(part.secret for part in table.contributions if part.secret is not None)]
            )
        if isinstance(entry, Committed) and table.is_any_revealed:
            raise BentDice("Somebody committed to a secret when others were open already.")
        if isinstance(entry, Began | Acted | Elapsed):
            if dice is None:
                raise BentDice("A die was thrown before the secrets were in.")
            _check_events(table, entry, dice)
        table = evolve(table, entry)
        if isinstance(entry, Finished):
            outcome = entry.outcome
            break
    if table.rules.outcome(table.game_state) != outcome:
        raise BentDice("The outcome does not follow from the game.")


def _check_secrets(table: TableState, secret: bytes, mine: tuple[PeerId, bytes] | None) -> None:
    for part in table.contributions:
        shown = secret if part.peer == HOST else part.secret
        if shown is not None and fair.commitment(shown) != part.commitment:
            raise BentDice("A secret is not the one that was committed to.")
    if mine is not None and mine not in [(part.peer, part.secret) for part in table.contributions]:
        raise BentDice("The secret of this peer was left out of the dice.")


def _check_events(table: TableState, entry: Began | Acted | Elapsed, dice: fair.FairDice) -> None:
    if tuple(_decided(table, entry, dice)) != entry.events:
        raise BentDice("The dice or the moves were bent: the same secrets and moves give other events.")


def _decided(table: TableState, entry: Began | Acted | Elapsed, dice: fair.FairDice) -> Iterable[Any]:
    rules = table.rules
    match entry:
        case Began():
            return rules.begin(rules.new(len(table.taken), options_of(table)), dice)
        case Elapsed(now=now):
            return rules.elapse(table.game_state, dice, now)
        case Acted(seat=seat) if seat not in range(len(table.taken)):
            raise BentDice("A move was made for a seat that there is not.")
        case Acted(seat=seat, action=action, now=now):
            try:
                return rules.decide(table.game_state, seat, action, dice, now)
            except IllegalAction as illegal:
                raise BentDice(f"A move was against the rules: {illegal.sentence}") from None
