"""The command line. What a command needs is imported when it runs: the lobby must be there at once."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from wuerfel_tui.games.core import AnyRules


class NothingFound(click.ClickException):
    """Nothing there, or not to be reached."""

    exit_code = 3


class RefusedByHost(click.ClickException):
    """The host said no: a wrong PIN, a full table, another version."""

    exit_code = 4


NOT_REFUSED = {"unreachable", "nothing-found", "several", "lost", "closed", "malformed"}
"""Codes of `Unwelcome` that no host has spoken."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and ends the process: 0 done, 2 wrong use, 3 nothing found or unreachable, 4 refused."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not everybody's terminal knows an umlaut
    typed = sys.argv[1:] if arguments is None else arguments
    try:
        # Bytes that are no text in this locale would break whatever encodes them later.
        readable = [os.fsencode(word).decode(errors="replace") for word in typed]
        code = wuerfel.main(readable, prog_name="wuerfel", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"wuerfel: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)


def _interfaces(
    _context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Addresses, each an option of its own or all in one variable with commas between."""
    import ipaddress

    addresses = tuple(part.strip() for item in value for part in item.split(",") if part.strip())
    for address in addresses:
        try:
            ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            raise click.BadParameter(f"{address!r} is not an IP address of this machine.") from None
    return addresses


def _options(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, Any]:
    """KEY=VALUE, the value as JSON where it is JSON and as text where it is not."""
    options: dict[str, Any] = {}
    for item in value:
        key, equals, text = item.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{item!r} is not of the form KEY=VALUE.")
        try:
            options[key] = json.loads(text)
        except (ValueError, RecursionError):
            options[key] = text
    return options


interface_option = click.option(
    "--interface",
    "interfaces",
    multiple=True,
    metavar="IP",
    envvar="WUERFEL_INTERFACE",
    callback=_interfaces,
    help="Listen and look around on this address of this machine alone; may be given several times.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
motion_option = click.option("--no-motion", is_flag=True, help="Nothing on the screen moves.")
ascii_option = click.option(
    "--ascii", "ascii_only", is_flag=True, help="Only plain characters on the screen."
)


class Games(click.ParamType):
    """The key of a game; the games are imported only when one is named."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from wuerfel_tui.games import GAMES

        if value not in GAMES:
            self.fail(f"there is no game {value!r}; there are: {', '.join(GAMES)}.", param, ctx)
        return value


class WithGames(click.Command):
    """Names the games and their options at the end of its help; they are imported only then."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from wuerfel_tui.games import GAMES

        with formatter.section("Games"):
            formatter.write_dl([(key, _about(rules)) for key, rules in GAMES.items()])


def _about(rules: AnyRules) -> str:
    seats = (
        f"{rules.seats[0]} players"
        if len(rules.seats) == 1
        else f"{rules.seats[0]}-{rules.seats[-1]} players"
    )
    return f"{rules.title}, {seats}; options: {', '.join(rules.Options.__struct_fields__)}"


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="wuerfel")
@interface_option
@motion_option
@ascii_option
@click.pass_context
def wuerfel(
    context: click.Context, interfaces: tuple[str, ...], no_motion: bool, ascii_only: bool
) -> int | None:
    """A dice table for the terminal. Without a command: the lobby, with the tables on this network.

    Example: wuerfel host express --seats 3 --bots 1 --name Kitchen
    """
    if context.invoked_subcommand is not None:
        return None
    return _open_screens(None, interfaces, no_motion, ascii_only)


@wuerfel.command(cls=WithGames)
@click.argument("game", type=Games())
@click.option("--name", help="The table's name; by default after you.")
@click.option(
    "--seats", type=click.IntRange(min=1), help="How many seats; by default as many as the game allows."
)
@click.option(
    "--bots", type=click.IntRange(min=0), default=0, metavar="N", help="How many of them bots take."
)
@click.option("--level", default="easy", help="How well these play: easy (default) or random.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The TCP port; by default 9731 if it is free, 0: any."
)
@click.option("--pin", envvar="WUERFEL_PIN", help="What guests must know to come in.")
@click.option(
    "--first",
    type=click.IntRange(min=0),
    metavar="SEAT",
    help="Who begins, counted from 0, in games with the option first; default: the dice.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_options,
    help="An option of the game (see below).",
)
@click.option("--headless", is_flag=True, help="No screen: the table alone, until it is stopped.")
@json_option
@click.option("--once", is_flag=True, help="End after one game.")
@click.option("--unannounced", is_flag=True, hidden=True)
@click.option("--close-when-empty", type=float, metavar="SECONDS", hidden=True)
@interface_option
@motion_option
@ascii_option
def host(
    game: str,
    name: str | None,
    seats: int | None,
    bots: int,
    level: str,
    port: int | None,
    pin: str | None,
    first: int | None,
    options: dict[str, Any],
    headless: bool,
    as_json: bool,
    once: bool,
    unannounced: bool,
    close_when_empty: float | None,
    interfaces: tuple[str, ...],
    no_motion: bool,
    ascii_only: bool,
) -> int | None:
    """Host a table of GAME, and sit down at it.

    Example: wuerfel host express --seats 3 --bots 1 --name Kitchen
    """
    from protocol.text import clean_line
    from wuerfel_tui.setup import TABLE_NAME_WIDTH, Setup, check, login_name

    own = f"{login_name()}'s table"
    setup = Setup(
        game=game,
        name=clean_line(name or "", TABLE_NAME_WIDTH) or clean_line(own, TABLE_NAME_WIDTH),
        size=seats,
        bots=bots,
        level=level,
        port=port,
        pin=pin or None,
        options=options if first is None else {**options, "first": first},
        interfaces=interfaces,
        announced=not unannounced,
        once=once,
        close_when_empty=close_when_empty,
    )
    try:
        check(setup)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not headless:
        return _open_screens(setup, interfaces, no_motion, ascii_only)
    from wuerfel_tui.headless import host_headless

    return _run(host_headless(setup, as_json))


@wuerfel.command()
@click.argument("table", required=False)
@click.option("--name", help="Your name; with two seats: 'Anna & Ben'.")
@click.option("--pin", envvar="WUERFEL_PIN", help="The table's PIN.")
@click.option(
    "--seats",
    type=click.IntRange(1, 8),
    metavar="K",
    help="Seats for as many people at this keyboard; default 1.",
)
@click.option("--watch", is_flag=True, help="Take no seat, only watch.")
@click.option("--bot", metavar="LEVEL", help="Let a bot play: easy or random. It leaves after the game.")
@click.option("--headless", is_flag=True, help="No screen.")
@json_option
@interface_option
@motion_option
@ascii_option
def join(
    table: str | None,
    name: str | None,
    pin: str | None,
    seats: int | None,
    watch: bool,
    bot: str | None,
    headless: bool,
    as_json: bool,
    interfaces: tuple[str, ...],
    no_motion: bool,
    ascii_only: bool,
) -> int | None:
    """Join TABLE: its name on this network, or an address such as 192.168.1.20 or 192.168.1.20:9731.

    Without TABLE: the only one that there is, or the lobby.

    Example: wuerfel join Kitchen --name Anna
    """
    from wuerfel_tui.setup import Guest

    if watch and (seats or bot):
        raise click.UsageError(
            "Who only watches takes no seats and plays no moves: leave out --watch, or the rest."
        )
    if bot is not None:
        _check_level(bot)
    guest = Guest(table, name, pin or None, 0 if watch else seats or 1, bot, interfaces)
    if not headless and bot is None:
        return _open_screens(guest, interfaces, no_motion, ascii_only)
    from wuerfel_tui.headless import join_headless

    return _run(join_headless(guest, as_json))


def _check_level(level: str) -> None:
    from wuerfel_tui.bots import BOTS

    levels = sorted({level for bots in BOTS.values() for level in bots})
    if level not in levels:
        raise click.UsageError(f"There is no bot of level {level!r}; there are: {', '.join(levels)}.")


@wuerfel.command()
@click.option(
    "--timeout", type=click.FloatRange(min=0), default=3.0, metavar="S", help="How long to look, in seconds."
)
@json_option
@interface_option
def tables(timeout: float, as_json: bool, interfaces: tuple[str, ...]) -> int:
    """List the tables on this network.

    Example: wuerfel tables --timeout 2
    """
    from wuerfel_tui.headless import list_tables

    return _run(list_tables(timeout, as_json, interfaces))


@wuerfel.command(cls=WithGames)
@click.argument("game", type=Games())
@click.option("--seats", type=click.IntRange(min=1), required=True, metavar="N", help="How many play.")
@click.option("--games", type=click.IntRange(min=1), required=True, metavar="M", help="How many games.")
@click.option("--seed", type=int, required=True, metavar="S", help="The same seed gives the same games.")
@click.option(
    "--bots", default="random", metavar="LEVEL,LEVEL…", help="Who plays, by seat; repeated as needed."
)
@json_option
def simulate(game: str, seats: int, games: int, seed: int, bots: str, as_json: bool) -> None:
    """Let bots play GAME among themselves, as fast as the rules go.

    Example: wuerfel simulate express --seats 4 --games 1000 --seed 1 --bots easy,random
    """
    import msgspec

    from wuerfel_tui.bots import BOTS
    from wuerfel_tui.simulate import simulate as play

    levels = bots.split(",")
    unknown = [level for level in levels if level not in BOTS[game]]
    if unknown:
        raise click.UsageError(
            f"There is no bot {unknown[0]!r} for {game}; there are: {', '.join(BOTS[game])}."
        )
    try:
        summary = play(game, seats, games, seed, levels)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        click.echo(msgspec.json.encode(summary).decode())
        return
    click.echo(f"{summary.games} games of {game}, {summary.actions} actions in {summary.seconds:.1f} s")
    for seat, wins in enumerate(summary.wins):
        click.echo(f"  seat {seat} ({levels[seat % len(levels)]}): {wins} won")


def _run(work: Coroutine[Any, Any, int]) -> int:
    """Runs it to its end; what goes wrong on the way becomes a sentence and an exit code."""
    from protocol.errors import Fault, Unwelcome
    from wuerfel_tui.games.core import Refusal

    try:
        return asyncio.run(work)
    except Unwelcome as error:
        kind = NothingFound if error.code in NOT_REFUSED else RefusedByHost
        if error.code == "bad-address":
            kind = click.UsageError
        raise kind(error.sentence) from None
    except (Fault, Refusal) as error:
        raise NothingFound(error.sentence) from None


def _open_screens(start: Any, interfaces: tuple[str, ...], no_motion: bool, ascii_only: bool) -> int:
    """Opens the screens: the lobby, or what `start` asks for."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("The screens need a terminal; --headless does without.")
    if os.environ.get("TERM", "dumb" if os.name == "posix" else "") in ("dumb", "unknown"):
        raise click.UsageError(
            "This terminal cannot place a cursor (TERM=dumb): use another one, or --headless."
        )
    from wuerfel_tui.app import run

    return run(start, interfaces=interfaces, motion=not no_motion, ascii_only=ascii_only)
