"""What somebody asks for on the command line or in a form: a table to host, a table to join."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol.text import clean_line
from wuerfel_tui.games import GAMES

NAME_WIDTH = 20
"""Cells that a person's name may take."""
TABLE_NAME_WIDTH = 24


class Setup(msgspec.Struct, frozen=True):
    """A table to host.

    size: seats, None for as many as the game allows
    bots: how many are invited at once, at `level`
    port: None for the usual one, or any if it is taken
    pin: what guests must know, None for nothing
    options: the game's, as plain values
    interfaces: addresses to listen on and to announce; empty for all
    announced: whether the network is told
    once: ends after one game
    close_when_empty: ends when no person has been there for so many seconds (sooner while no game is on), and at once
        when the last one has gone on purpose; None: never
    """

    game: str
    name: str
    size: int | None = None
    bots: int = 0
    level: str = "easy"
    port: int | None = None
    pin: str | None = None
    options: dict[str, Any] = {}
    interfaces: tuple[str, ...] = ()
    announced: bool = True
    once: bool = False
    close_when_empty: float | None = None


class Guest(msgspec.Struct, frozen=True):
    """A table to join.

    table: its name on this network, or an address; None for the only one there is
    name: of the person, None if still to be asked; "Anna & Ben" for two seats
    seats: 0 only watches
    bot: the level, if a bot is to play
    """

    table: str | None
    name: str | None = None
    pin: str | None = None
    seats: int = 1
    bot: str | None = None
    interfaces: tuple[str, ...] = ()


def clean_name(name: str, seats: int) -> str:
    """What a guest wants to be called, made harmless and cut to its width: "Anna & Ben" for two, each for itself."""
    parts = name.replace("&", ",").split(",") if seats > 1 else [name]
    return " & ".join(part for part in (clean_line(part, NAME_WIDTH) for part in parts) if part)


def check(setup: Setup) -> None:
    """Raises `ValueError` with a sentence for what cannot be hosted."""
    from wuerfel_tui.bots import BOTS

    rules = GAMES[setup.game]
    size = rules.seats[-1] if setup.size is None else setup.size
    known = rules.Options.__struct_fields__
    for option in setup.options:
        if option not in known:
            has = f"its options are: {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{rules.title} has no option {option!r}; {has}.")
    try:
        rules.new(size, msgspec.convert(setup.options, rules.Options))
    except msgspec.ValidationError as error:
        raise ValueError(f"These options do not fit {rules.title}: {error}") from None
    if setup.bots > size:
        raise ValueError(f"{setup.bots} bots do not fit on {size} seats.")
    if setup.level not in BOTS[setup.game]:
        raise ValueError(
            f"There is no bot of level {setup.level!r}; there are: {', '.join(BOTS[setup.game])}."
        )


def login_name() -> str:
    """A first guess at somebody's name."""
    import getpass

    try:
        return getpass.getuser().title()
    except (OSError, KeyError, ImportError):  # no such user, or not on this system
        return "Guest"
