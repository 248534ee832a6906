"""The rules pages."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.screens.inn import shown, until, until_shown
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.games import GAMES
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.screens.rules import RulesScreen, rules_page


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_a_page(app: WuerfelApp, game: str) -> None:
    assert rules_page(game).startswith(f"# {GAMES[game].title}")
    async with app.run_test() as pilot:
        app.push_screen(RulesScreen(game))
        await until_shown(pilot, f"{GAMES[game].title} · rules")


async def test_a_page_can_be_read_to_its_end_and_closed(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        app.push_screen(RulesScreen("gigi"))
        await until_shown(pilot, "buffet")
        last = rules_page("gigi").split()[-1].strip("*.)")
        await pilot.press("end")
        await until(pilot, lambda: last in shown(app))
        await pilot.press("q")
        assert isinstance(app.screen, Lobby)


async def test_tab_turns_to_the_next_game(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        app.push_screen(RulesScreen(next(iter(GAMES))))
        for rules in [*list(GAMES.values())[1:], next(iter(GAMES.values()))]:
            await pilot.press("tab")
            await until_shown(pilot, f"{rules.title} · rules")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_rules(app: WuerfelApp, size: tuple[int, int], picture: SnapshotAssertion) -> None:
    async with app.run_test(size=size) as pilot:
        app.push_screen(RulesScreen("poker"))
        await until_shown(pilot, "Würfel Poker · rules")
        await until_shown(pilot, "Who begins")
        assert app.export_screenshot() == picture
