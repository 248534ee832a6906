"""What the pictures show: for every game a moment in which one would like to play on, and the rooms around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from protocol.discovery import FoundTable
from protocol.messages import PROTOCOL
from screenshots.stage import ADDRESS, SeededTable, camera, moment
from wuerfel_tui.games import express_parts as express
from wuerfel_tui.games import gigi, poker, wurf_weg
from wuerfel_tui.games.core import Seat
from wuerfel_tui.games.express import Express

Pictures: TypeAlias = dict[str, str]
"""SVG by file name, without its ending."""

EXPRESS = Express()
SMALL, LARGE = (80, 24), (120, 40)
ANNA: Seat = 0
FOUR = ("Anna", "Ben", "Carla", "David")
FIVE = (*FOUR, "Emma")


def called(scene: str, size: tuple[int, int]) -> str:
    return f"{scene}-{size[0]}x{size[1]}"


# --- around the games -----------------------------------------------------------------------------------------------


def found(name: str, game: str, host: str, taken: int, seats: int, **more: Any) -> FoundTable:
    fields = {"state": "waiting", "pin": False, "addresses": (ADDRESS,), "protocol": PROTOCOL} | more
    return FoundTable(name, name, game, host, seats, taken, **fields)


TABLES = (
    found("Kitchen", "express", "Ben", 3, 4),
    found("Balcony", "wurf_weg", "Carla", 2, 6),
    found("Attic", "poker", "David", 2, 2, state="playing"),
    found("Grandma's", "gigi", "Emma", 4, 5, pin=True),
)


async def house() -> Pictures:
    """From the lobby by the form to the waiting room."""
    pictures: Pictures = {}
    async with camera(SMALL, tables=TABLES) as view:
        await view.until(lambda: getattr(view.app.screen, "found", None))
        pictures[called("lobby", SMALL)] = await view.picture()
        await view.press("h", "down", "down", "end", "ctrl+u", *"Kitchen")
        pictures[called("host-form", SMALL)] = await view.picture()
        await view.press("enter")
        await view.until(lambda: view.app.client)
        table = view.stage.table
        view.stage.host.do(lambda now: guests_come(table))
        await view.until_all_is_shown()
        pictures[called("waiting", SMALL)] = await view.picture()
    return pictures


def guests_come(table: SeededTable) -> None:
    table.sit_down("Ben")
    table.sit_down("Carla")
    table.is_ready("Ben")


async def results() -> Pictures:
    """A game is over, and somebody wants another."""
    table = SeededTable("express", FOUR, seed=20)
    table.begin()
    table.play(lambda state: False)
    table.is_ready("Ben")
    async with camera(SMALL, at=table) as view:
        return {called("results", SMALL): await view.picture()}


# --- the games: what to press in the moment that is looked for; None in all others ----------------------------------

Keys: TypeAlias = Sequence[str] | None


def rob_the_leader(state: express.State) -> Keys:
    """Who lacks one space to the finish can be robbed, and there is more to choose from."""
    if state.turn != ANNA or state.phase != "gaining" or state.gained:
        return None
    gains = EXPRESS.legal(state, ANNA)
    for key, gain in enumerate(gains, 1):
        if isinstance(gain, express.Steal) and state.tracks[gain.victim].front == express.FINISH - 1:
            return [str(key)] if any(isinstance(gain, express.Take) for gain in gains) else None
    return None


def turn_a_row(state: poker.State) -> Keys:
    """In the game that decides the match a die makes a triple that beats another one."""
    if state.turn != ANNA or state.points != (3, 3) or len(set(state.offer)) < poker.SPACES:
        return None
    for index, die in enumerate(state.thrown):
        for key, (ours, theirs) in enumerate(state.board, 1):
            if ours.dice == (die, die) and poker.rank((die,) * 3) > poker.rank(theirs.dice) > (poker.TRIPLE,):
                return [*["right"] * index, str(key)]
    return None


def swap_for_the_best(state: gigi.State) -> Keys:
    """A swap for a morsel that we are glad to be rid of gives us a 6, and the leader what would have been ours."""
    if state.active != ANNA or state.turn != 2 or state.rolled or state.changed or state.round < 4:
        return None
    ours = gigi.standing(state)[ANNA] - 1
    is_good = ours > 1 and state.buffet[0] == gigi.MOST and state.buffet[ours] < 0
    return ["s", "1", str(ours + 1)] if is_good and min(state.collected[ANNA]) < 0 else None


def nothing_but_look(state: wurf_weg.State) -> Keys:
    """Amid the race four dice lie before us, for the depot and both neighbours; somebody has only one left."""
    us, *others = state.players
    is_it = (
        state.phase == "race"
        and us.lands is None
        and us.won == max(player.won for player in others) == 2
        and len(us.hand) == len(set(us.hand)) == 4
        and len(wurf_weg.placeable(state, ANNA)) == 3
        and any(player.dice == 1 for player in others)
    )
    return () if is_it else None


async def at_the_board(
    game: str, names: Sequence[str], seed: int, keys: Callable[[Any], Keys], *chat: tuple[str, str]
) -> Pictures:
    """The same moment in both sizes.

    chat: what people say, where there is room for it; elsewhere it would be gone after some seconds
    """
    pictures: Pictures = {}
    for size in (SMALL, LARGE):
        table = moment(game, names, seed, lambda state: keys(state) is not None)
        table.talk(*(chat if size == LARGE else ()))
        async with camera(size, at=table) as view:
            if size == LARGE:
                await view.follow_log()
            await view.press(*(keys(table.state.game_state) or ()))
            pictures[called(game, size)] = await view.picture()
    return pictures


EXPRESS_CHAT = (("Ben", "Carla needs one more space."), ("Carla", "Don't you dare!"), ("Ben", "Do it, Anna."))
POKER_CHAT = (("Ben", "Three fours! Beat that."), ("Anna", "Hold my 5."))
GIGI_CHAT = (("David", "The 6 is mine."), ("Emma", "Anna smiles."), ("David", "Why does Anna smile?"))
WURF_WEG_CHAT = (("Carla", "One die left!"),)

SCENES: dict[str, Callable[[], Awaitable[Pictures]]] = {
    "house": house,
    "express": partial(at_the_board, "express", FOUR, 309, rob_the_leader, *EXPRESS_CHAT),
    "poker": partial(at_the_board, "poker", FOUR[:2], 150, turn_a_row, *POKER_CHAT),
    "gigi": partial(at_the_board, "gigi", FIVE, 574, swap_for_the_best, *GIGI_CHAT),
    "wurf_weg": partial(at_the_board, "wurf_weg", FOUR, 265, nothing_but_look, *WURF_WEG_CHAT),
    "results": results,
}
