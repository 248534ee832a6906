"""The lobby: what is found, and the ways to a table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from protocol.errors import Unavailable
from tests.guests import Party, all_ready
from tests.screens.inn import Inn, click_on, found, shown, until, until_shown
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.client import Client
from wuerfel_tui.screens import door, lobby
from wuerfel_tui.screens.dialogs import Ask
from wuerfel_tui.screens.host_form import HostFormScreen
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.screens.rules import RulesScreen
from wuerfel_tui.screens.table import TableScreen
from wuerfel_tui.setup import Guest

TABLES = (
    found("Kitchen"),
    found("Attic", game="poker", host="Ben", seats=2, taken=2, state="playing", pin=True),
    found("Großmutters Wohnzimmer", game="gigi", host="Wilhelmine", seats=5, taken=1, state="over"),
)


def chosen(app: WuerfelApp) -> str | None:
    assert isinstance(app.screen, Lobby)
    return app.screen.chosen


# --- the list ---


async def test_an_empty_list_says_that_it_looks_around(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "Looking for tables on this network" in shown(app)


async def test_after_a_while_it_says_that_nobody_hosts_and_what_else_can_be_done(
    app: WuerfelApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PATIENCE", 0.01)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Nobody is hosting")
        assert "ype the address of a table" in shown(app)


async def test_where_multicast_does_not_get_through_it_says_so(app: WuerfelApp, inn: Inn) -> None:
    inn.trouble = Unavailable("multicast", "Tables cannot be found on this network.")
    async with app.run_test() as pilot:
        await until_shown(pilot, "Tables cannot be found on this network.")
        assert "ype the address of a table" in shown(app)


async def test_tables_come_change_and_go_by_themselves(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        inn.on_network(*TABLES)
        await until_shown(pilot, "Attic")
        row = next(line for line in shown(app).splitlines() if "Attic" in line)
        assert row.split() == ["Würfel", "Poker", "Attic", "Ben", "2/2", "playing,", "PIN"]
        inn.on_network(TABLES[0], found("Attic", game="poker", taken=1))
        await until_shown(pilot, "1/4")
        inn.on_network(TABLES[0])
        await until(pilot, lambda: "Attic" not in shown(app))


async def test_the_first_table_is_chosen_as_long_as_nobody_has_chosen(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        assert chosen(app) == "host"
        inn.on_network(TABLES[0])
        await until_shown(pilot, "Kitchen")
        assert chosen(app) == "Kitchen"


async def test_a_choice_stays_when_tables_come_and_go(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("down")
        inn.on_network(*TABLES)
        await until_shown(pilot, "Kitchen")
        assert chosen(app) == "play"
        await pilot.press("up", "up")
        assert chosen(app) == "Großmutters Wohnzimmer"
        inn.on_network(TABLES[2])
        await until(pilot, lambda: "Kitchen" not in shown(app))
        assert chosen(app) == "Großmutters Wohnzimmer"


async def test_the_preview_follows_the_cursor(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(*TABLES)
    async with app.run_test() as pilot:
        await until_shown(pilot, "hosted by Anna")
        assert "2 seats are free" in shown(app)
        assert "192.168.1.20:9731" in shown(app)
        await pilot.press("down")
        assert "hosted by Ben" in shown(app)
        assert "no seat is free" in shown(app)
        assert "asks for a PIN" in shown(app)


async def test_a_table_of_another_version_is_shown_as_such(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(found(protocol=99))
    async with app.run_test() as pilot:
        await until_shown(pilot, "another version of this program")


async def test_a_game_that_is_not_known_here_has_its_key_for_a_title(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(found(game="mau_mau"))
    async with app.run_test() as pilot:
        await until_shown(pilot, "mau_mau")
        await pilot.press("question_mark")
        assert isinstance(app.screen, RulesScreen)


async def test_a_table_with_nobody_there_comes_last_and_says_so(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(found("Attic", host=""), found("Kitchen"))
    async with app.run_test() as pilot:
        await until_shown(pilot, "nobody at home")
        assert shown(app).index("Kitchen") < shown(app).index("Attic")


async def test_however_many_tables_there_are_the_other_ways_on_stay_in_sight(
    app: WuerfelApp, inn: Inn
) -> None:
    inn.on_network(*(found(f"Table {number}") for number in range(12)))
    async with app.run_test() as pilot:
        await until_shown(pilot, "Table 0")
        await pilot.press(*["down"] * 11)
        assert chosen(app) == "Table 11"
        assert "Table 11" in shown(app)
        for text in ("Host a table", "Play here against bots", "Type an address", "h host", "a address"):
            assert text in shown(app)
        await pilot.press("down")
        assert chosen(app) == "host"
        await pilot.press("up")
        assert chosen(app) == "Table 11"
        await pilot.press("tab")
        assert chosen(app) == "host"


async def test_every_look_around_begins_with_looking(
    app: WuerfelApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PATIENCE", 0.01)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Nobody is hosting")
        await pilot.press("h")
        monkeypatch.setattr(lobby, "PATIENCE", 60)
        await pilot.press("escape")
        await until_shown(pilot, "Looking for tables on this network")


async def test_names_from_the_network_are_nothing_but_text(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(found("[b]x[/b] [@click=app.quit]y[/]", host="[/]$x"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until_shown(pilot, "[b]x[/b] [@click=app.quit]y[/]")
        await click_on(pilot, "click=app.quit")
        assert app.is_running
        assert "hosted by [/]$x" in shown(app)


# --- the ways to a table ---


async def test_enter_joins_the_chosen_table(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(await inn.stand())
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert inn.state.names == ("Anna",)


async def test_w_watches_it(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(await inn.stand())
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert [peer.name for peer in inn.state.peers] == ["Anna"]
        assert inn.state.names == ()


async def test_a_click_shows_a_table_and_a_second_one_joins_it(app: WuerfelApp, inn: Inn) -> None:
    table = await inn.stand()
    inn.on_network(found("Attic", host="Ben"), table)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await click_on(pilot, "Kitchen")
        assert "hosted by Anna" in shown(app)
        assert isinstance(app.screen, Lobby)
        await click_on(pilot, "Kitchen")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


@pytest.mark.parametrize("key", ["h", "p"])
async def test_hosting_and_playing_here_are_one_key_away(app: WuerfelApp, key: str) -> None:
    async with app.run_test() as pilot:
        await pilot.press(key)
        assert isinstance(app.screen, HostFormScreen)
        assert app.screen.private is (key == "p")
        await pilot.press("escape")
        assert isinstance(app.screen, Lobby)


async def test_a_click_on_an_action_does_it_at_once(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await click_on(pilot, "Play here against bots")
        assert isinstance(app.screen, HostFormScreen)


async def test_an_address_that_leads_nowhere_is_asked_for_again(app: WuerfelApp, inn: Inn) -> None:
    await inn.stand()
    async with app.run_test() as pilot:
        await pilot.press("a", *"127.0.0.1:1", "enter")
        await until(pilot, lambda: len(app.screen_stack) == 2 and "127.0.0.1:1" in shown(app))
        await pilot.press("end", *["backspace"] * 11, *inn.address, "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


async def test_escape_gives_up_an_address(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        await pilot.press("a", "x", "escape")
        await until(pilot, lambda: isinstance(app.screen, Lobby))
        assert inn.called_for == []


async def test_the_name_is_asked_for_once_and_remembered(inn: Inn) -> None:
    inn.save_settings(inn.load_settings()._replace(name=""))
    inn.on_network(await inn.stand())
    app = WuerfelApp(inn, motion=False)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "Who are you?")
        await pilot.press("end", *["backspace"] * 30, *"Cleo", "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert inn.state.names == ("Cleo",)
    assert inn.load_settings().name == "Cleo"


async def test_two_names_are_two_seats(inn: Inn, app: WuerfelApp) -> None:
    inn.on_network(await inn.stand())
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("n", "end", *" & Ben", "enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert inn.state.names == ("Anna", "Ben")


async def test_a_folder_that_cannot_be_written_is_a_notice_and_no_more(inn: Inn, tmp_path: Path) -> None:
    blocked = Inn(inn.party, tmp_path / "file" / "below")
    (tmp_path / "file").write_text("in the way")
    app = WuerfelApp(blocked, motion=False)
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("n", *"Cleo", "enter")
        await until_shown(pilot, "not remembered")
        assert app.settings.name.endswith("Cleo")


async def test_a_pin_is_asked_for_until_it_is_right(
    app: WuerfelApp, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "RETRY", 0.05)
    inn.on_network(await inn.stand(pin="0815"))
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "This table asks for a PIN.")
        await pilot.press(*"1234", "enter")
        await until_shown(pilot, "This is not the table's PIN.")
        assert "1234" not in shown(app)
        await pilot.press(*"0815", "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


async def test_the_question_for_a_pin_stays_and_is_busy_until_the_table_answers(
    app: WuerfelApp, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    inn.on_network(await inn.stand(pin="0815"))
    answers = asyncio.Event()
    join = inn.join

    async def slowly(where: Any, name: str, seats: int, pin: str | None) -> Client:
        if pin is not None:
            await answers.wait()
        return await join(where, name, seats, pin)

    monkeypatch.setattr(inn, "join", slowly)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "This table asks for a PIN.")
        await pilot.press(*"1234", "enter")
        await until_shown(pilot, "Knocking…")
        await pilot.press("enter", "h", "enter")
        assert isinstance(app.screen, Ask)
        answers.set()
        await until_shown(pilot, "This is not the table's PIN.")
        await pilot.press(*"0815", "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert inn.state.names == ("Anna",)


async def test_no_name_or_too_many_names_are_explained_and_kept(app: WuerfelApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("n", *["backspace"] * 4, "enter")
        await until_shown(pilot, "Your name is missing")
        await pilot.press(*"A & B & C", "enter")
        await until_shown(pilot, "Two people can sit at one keyboard, not 3.")
        assert "A & B & C" in shown(app)
        await pilot.press(*["backspace"] * 4, "enter")
        await until(pilot, lambda: isinstance(app.screen, Lobby))
        assert app.settings.name == "A & B"


async def test_a_running_game_can_be_watched(app: WuerfelApp, inn: Inn, party: Party) -> None:
    inn.on_network(await inn.stand("poker"))
    await all_ready(await party.guest("Ben"), await party.guest("Cleo"))
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "A game is on at this table. You can watch it")
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))


async def test_a_full_table_can_be_watched_instead(app: WuerfelApp, inn: Inn, party: Party) -> None:
    inn.on_network(await inn.stand("poker"))
    await party.guest("Ben & Cleo", seats=2)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "This table is full")
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert inn.state.names == ("Ben", "Cleo")
        assert "Anna" in [peer.name for peer in inn.state.peers]


async def test_whatever_else_is_refused_is_said_in_its_sentence(app: WuerfelApp, inn: Inn) -> None:
    inn.on_network(found(addresses=("127.0.0.1:1",)))
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        await pilot.press("enter")
        await until_shown(pilot, "127.0.0.1:1")
        assert isinstance(app.screen, Lobby)
        assert "Knocking" not in shown(app)


async def test_the_program_can_open_at_a_table(inn: Inn) -> None:
    await inn.stand()
    app = WuerfelApp(inn, start=Guest("Kitchen", "Dora"), motion=False)
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Lobby))
    assert inn.called_for == [("Kitchen", "Dora", 1, None)]


# --- colours ---


async def test_t_goes_through_the_colours_and_they_are_remembered(app: WuerfelApp, inn: Inn) -> None:
    async with app.run_test() as pilot:
        assert app.theme == "felt-dark"
        await pilot.press("t")
        assert app.theme == "felt-light"
        await pilot.press("t", "t", "t", "t")
        assert app.theme == "felt-light"
    assert inn.load_settings().theme == "felt-light"


# --- pictures ---


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_tables(
    app: WuerfelApp, inn: Inn, size: tuple[int, int], picture: SnapshotAssertion
) -> None:
    inn.on_network(*TABLES)
    async with app.run_test(size=size) as pilot:
        await until_shown(pilot, "hosted by Anna")
        assert app.export_screenshot() == picture


async def test_picture_of_an_empty_network(
    app: WuerfelApp, picture: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PATIENCE", 0.01)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_shown(pilot, "Nobody is hosting")
        assert app.export_screenshot() == picture


@pytest.mark.parametrize("theme", ["felt-light", "ansi-dark"])
async def test_picture_in_other_colours(
    app: WuerfelApp, inn: Inn, theme: str, picture: SnapshotAssertion
) -> None:
    inn.on_network(*TABLES)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_shown(pilot, "hosted by Anna")
        app.theme = theme
        await pilot.pause()
        assert app.export_screenshot() == picture


async def test_picture_of_an_address_to_be_typed(app: WuerfelApp, picture: SnapshotAssertion) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a")
        await until_shown(pilot, "Which table?")
        assert app.export_screenshot() == picture
