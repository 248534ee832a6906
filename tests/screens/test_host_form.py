"""The form for a table: sensible as it opens, and every field of it means something."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.guests import Party
from tests.screens.inn import Inn, click_on, shown, until, until_shown
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.boards.core import Board
from wuerfel_tui.hosting import HostFailed
from wuerfel_tui.record import Invited
from wuerfel_tui.screens.host_form import HostFormScreen
from wuerfel_tui.screens.rules import RulesScreen
from wuerfel_tui.screens.table import TableScreen
from wuerfel_tui.setup import Setup


def at_table(app: WuerfelApp) -> bool:
    return isinstance(app.screen, TableScreen)


async def test_enter_enter_and_the_table_stands(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("enter")
        assert isinstance(app.screen, HostFormScreen)
        await pilot.press("enter")
        await until(pilot, lambda: at_table(app))
        assert inn.state.names == ("Anna",)
        assert inn.hosted == [
            Setup("express", "Anna's table", size=4, level="easy", interfaces=("127.0.0.1",))
        ]
        assert "wuerfel join Kitchen" in shown(app)
        assert f"wuerfel join {inn.address}" in shown(app)


async def test_a_game_says_how_many_can_play(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "right")
        await until_shown(pilot, "Seats        2 ")
        await pilot.press("enter")
        await until(pilot, lambda: at_table(app))
        assert (inn.hosted[0].game, inn.hosted[0].size) == ("poker", 2)


async def test_everything_can_be_chosen_by_keys(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "down", "end", "exclamation_mark")  # Anna!
        await pilot.press("down", *"Kitchen")
        await pilot.press("down", "right")  # five seats
        await pilot.press("down", "right", "right")  # two of them bots
        await pilot.press("down", "right")  # that play at random
        await pilot.press("down", *"0815")
        await pilot.press("down", "right", "right")  # seat 2 begins
        await pilot.press("enter")
        await until(pilot, lambda: at_table(app))
        setup = inn.hosted[0]
        assert (setup.name, setup.size, setup.level, setup.pin) == ("Kitchen", 5, "random", "0815")
        assert setup.options == {"first": 1}
        entries = inn.table.entries(inn.table.oldest())
        assert [entry["level"] for entry in entries if entry["entry"] == "invited"] == ["random"] * 2
        assert app.settings.name == inn.load_settings().name == "Anna!"


async def test_everything_can_be_chosen_by_mouse(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await click_on(pilot, "Host a table")
        await until_shown(pilot, "Your name")
        await click_on(pilot, "Wurf & Weg")
        await until_shown(pilot, "as usual")
        await click_on(pilot, "change")
        await until_shown(pilot, "Auto place")
        await pilot.click("#options YesNoField", offset=(5, 0))
        await click_on(pilot, "set it up")
        await until(pilot, lambda: at_table(app))
        assert inn.hosted[0].game == "wurf_weg"
        assert inn.hosted[0].options["auto_place"] is True


async def test_the_tables_name_follows_the_hosts_until_it_is_chosen(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "down", "end", *"belle")
        await until_shown(pilot, "Annabelle's table")
        await pilot.press("down", "end", "exclamation_mark", "up", "end", "backspace")
        await until_shown(pilot, "Annabell ")
        assert "Annabelle's table!" in shown(app)


async def test_bots_leave_a_seat_for_everybody_at_the_keyboard(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h")
        await until_shown(pilot, "Bots         none  1  2  3 ")
        await pilot.press("down", "end", *" & Ben")
        await until_shown(pilot, "Bots         none  1  2   ")
        assert "Anna  Ben  seat 3" in shown(app)


async def test_playing_here_needs_no_more_than_two_enters_and_begins(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("p", "enter")
        await until(pilot, lambda: at_table(app))
        setup = inn.hosted[0]
        assert (setup.announced, setup.interfaces) == (False, ("127.0.0.1",))
        await until(pilot, lambda: inn.state.players[0].ready)
        invited = [entry for entry in inn.table.entries(0) if entry["entry"] == Invited.__name__.lower()]
        assert len(invited) == 3


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("pace", "The pace is"), ("letters", "Pace: Expected `int`")],
)
async def test_an_option_that_cannot_be_is_explained_and_kept(
    app: WuerfelApp, inn: Inn, typed: str, sentence: str
) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "right", "right", "right", *["down"] * 7, "right", "down")
        await until_shown(pilot, "Pace")
        await pilot.press("end", "9" if typed == "pace" else "x", "enter")
        await until_shown(pilot, "Pace")
        assert isinstance(app.screen, HostFormScreen)
        assert "700" + ("9" if typed == "pace" else "x") in shown(app)
        assert inn.hosted == []
        assert any(word in shown(app) for word in ("7009", "Expected"))


async def test_playing_here_shows_no_waiting_room(app: WuerfelApp, inn: Inn, party: Party) -> None:
    async with app.run_test() as pilot:
        await pilot.press("p", "enter")
        await until_shown(pilot, "Setting up…")
        assert "before the game" not in shown(app)
        assert "Enter ready" not in shown(app)
        for name in ("Ada", "Blaise", "Carl"):
            assert "At this table" not in shown(app)
            bot = await party.guest(name, bot="easy")
            await bot.client.ready()
        await until(pilot, lambda: app.screen.query(Board))


async def test_a_missing_name_is_asked_for(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "down", *["backspace"] * 9, "enter")
        assert isinstance(app.screen, HostFormScreen)
        await pilot.press("end", *["backspace"] * 9, "enter")
        await until_shown(pilot, "Your name is missing")
        assert inn.hosted == []


async def test_a_host_that_cannot_be_leaves_the_form_as_it_was(
    app: WuerfelApp, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: Setup) -> Any:
        raise HostFailed("port-taken", "Port 9731 is taken.")

    monkeypatch.setattr(inn, "host_table", fail)
    async with app.run_test() as pilot:
        await pilot.press("h", "right", "enter")
        await until_shown(pilot, "Port 9731 is taken.")
        assert isinstance(app.screen, HostFormScreen)
        assert "Seats        2 " in shown(app)


async def test_each_field_has_a_line_of_help(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h")
        assert "Which game is played" in shown(app)
        await pilot.press("down")
        assert "Two people at this keyboard" in shown(app)


async def test_the_rules_of_the_chosen_game_are_a_key_away(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("h", "right", "question_mark")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        assert "Würfel Poker" in shown(app)
        await pilot.press("escape")
        assert isinstance(app.screen, HostFormScreen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_the_form(
    app: WuerfelApp, size: tuple[int, int], picture: SnapshotAssertion
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("h", "right", "right", "right", *["down"] * 7, "right")
        await until_shown(pilot, "Auto place")
        assert app.export_screenshot() == picture


async def test_picture_of_the_form_for_playing_here(app: WuerfelApp, picture: SnapshotAssertion) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await until_shown(pilot, "Players")
        assert app.export_screenshot() == picture
