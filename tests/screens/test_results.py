"""After a game: who won and why, everybody's numbers, whether the dice were right, and once more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.guests import Guest, Party
from tests.screens.inn import Inn, click_on, shown, until, until_shown
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.boards import BOARDS
from wuerfel_tui.boards.core import Board
from wuerfel_tui.client import Client
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.screens import results
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.screens.results import Results, dice_word, headline
from wuerfel_tui.screens.table import TableScreen


async def play(client: Client) -> None:
    """Plays a client's seats until the game is over, whoever takes its updates."""
    rng = Random(1)
    while client.table.phase == "playing":
        state = client.table.game_state
        mine = [seat for seat in client.table.rules.actors(state) if seat in client.seats]
        if mine:
            await client.act(mine[0], rng.choice(list(client.table.rules.legal(state, mine[0]))))
        await asyncio.sleep(0)


class End:
    """Anna before her screen, and Ben, after a game of theirs."""

    def __init__(self, app: WuerfelApp, pilot: Pilot[None], anna: Client, ben: Guest) -> None:
        self.app, self.pilot, self.anna, self.ben = app, pilot, anna, ben


@pytest.fixture
def size() -> tuple[int, int]:
    return (80, 24)


@pytest.fixture
async def end(app: WuerfelApp, inn: Inn, party: Party, size: tuple[int, int]) -> AsyncIterator[End]:
    await inn.stand("poker")
    anna = await party.client("Anna")
    ben = await party.guest("Ben")
    async with app.run_test(size=size) as pilot:
        app.push_screen(TableScreen(anna))
        await until_shown(pilot, "Ben")
        await ben.client.ready()
        await anna.ready()
        await until(pilot, lambda: anna.table.phase == "playing")
        await asyncio.gather(play(anna), play(ben.client))
        await until(pilot, lambda: app.screen.query(Results))
        yield End(app, pilot, anna, ben)


async def test_the_winner_stands_on_dice_with_the_reason(end: End) -> None:
    outcome = end.anna.table.outcome
    assert outcome is not None
    winner = ("Anna", "Ben")[outcome.places.index(1)]
    assert "     ".join(winner.upper()) in shown(end.app)
    assert outcome.why in shown(end.app)


async def test_everybodys_numbers_are_there_the_winners_first(end: End) -> None:
    numbers = BOARDS["poker"].numbers(end.anna.history, ("Anna", "Ben"))
    outcome = end.anna.table.outcome
    assert outcome is not None
    order = sorted((0, 1), key=lambda seat: outcome.places[seat])
    lines = [line.split() for line in shown(end.app).splitlines()]
    for label, values in numbers:
        assert [*label.split(), *(values[seat] for seat in order)] in lines


async def test_it_says_that_the_dice_were_checked(end: End) -> None:
    assert end.anna.checked is True
    assert dice_word("") in shown(end.app)


def test_dice_that_were_bent_or_not_seen_are_told_as_plainly() -> None:
    assert dice_word("entry 7 differs") == "The dice do not hold: entry 7 differs"
    assert "cannot be checked" in dice_word(None)


async def test_one_key_says_that_one_would_play_again(end: End, monkeypatch: pytest.MonkeyPatch) -> None:
    await until_shown(end.pilot, "Again with the same people? Enter: yes")
    await end.ben.client.ready()
    await until_shown(end.pilot, "Ben would play on")
    monkeypatch.setattr(results, "DEAF_FOR", 0)
    await end.pilot.press("enter")
    await until(end.pilot, lambda: end.anna.table.games == 2 and end.app.screen.query(Board))
    assert not end.app.screen.query(Results)
    assert end.app.focused is end.app.screen.query_one(Board)


async def test_an_enter_that_was_meant_for_the_board_begins_nothing(
    end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "DEAF_FOR", 3600)
    await end.pilot.press("enter")
    await click_on(end.pilot, "play again")
    await until_shown(end.pilot, "We wait for Ben.")  # as a second Enter would have taken it back


async def test_who_is_waited_for_is_said(end: End) -> None:
    await click_on(end.pilot, "play again")
    await until_shown(end.pilot, "We wait for Ben.")
    await click_on(end.pilot, "rather not")
    await until_shown(end.pilot, "Again with the same people?")


async def test_the_last_position_can_be_looked_at(end: End) -> None:
    await end.pilot.press("v")
    assert end.app.screen.query_one(Board).display
    assert not end.app.screen.query_one(Results).display
    await end.pilot.press("v")
    assert end.app.screen.query_one(Results).display


async def test_back_to_the_lobby_without_a_question(end: End) -> None:
    await click_on(end.pilot, "back to the lobby")
    await until(end.pilot, lambda: isinstance(end.app.screen, Lobby))


async def test_who_comes_after_the_game_sees_how_it_ended(end: End, party: Party) -> None:
    late = await party.client("Cleo", seats=0)
    app = WuerfelApp(end.app.services, motion=False)
    async with app.run_test() as pilot:
        app.push_screen(TableScreen(late))
        await until(pilot, lambda: app.screen.query(Results))
        outcome = end.anna.table.outcome
        assert outcome is not None
        assert outcome.why in shown(app)


def test_several_winners_share_a_sentence() -> None:
    assert headline(Outcome((1, 2), "Because."), ("Anna", "Ben")) == ("Anna", "wins")
    assert headline(Outcome((1, 2, 1), "."), ("Anna", "Ben", "Cleo")) == (
        "",
        "Anna and Cleo share the victory.",
    )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_results(
    app: WuerfelApp, inn: Inn, party: Party, size: tuple[int, int], picture: SnapshotAssertion
) -> None:
    await inn.stand("express")
    anna = await party.client("Anna")
    outcome = Outcome((2, 1, 4, 2), "Ben reached the finish with a front on space 31.")
    numbers = [("turns", ("9", "9", "8", "8")), ("pieces gained", ("12", "15", "7", "11"))]
    async with app.run_test(size=size) as pilot:
        screen = TableScreen(anna)
        app.push_screen(screen)
        await until_shown(pilot, "At this table")
        anna.table = replace(anna.table, phase="over", outcome=outcome)
        anna.bent = ""
        await screen._put(Results(anna, ("Anna", "Ben", "[b]Cleo[/b]", "Großmutter Wilhelmine"), numbers))
        screen._show_table()
        await until_shown(pilot, "Again with the same people?")
        assert app.export_screenshot() == picture
