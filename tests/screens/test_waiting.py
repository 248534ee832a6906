"""The waiting room: who is there, who is ready, how others come, and who may do what."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.guests import Party
from tests.screens.inn import Inn, click_on, shown, until, until_shown
from tests.tables import Room
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.boards.core import Board
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.screens.rules import RulesScreen
from wuerfel_tui.screens.table import TableScreen
from wuerfel_tui.screens.waiting import seat_rows
from wuerfel_tui.services import guest_lines
from wuerfel_tui.setup import Guest


async def sit_down(app: WuerfelApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    await until_shown(pilot, "At this table")


@pytest.fixture
def guest_app(inn: Inn) -> WuerfelApp:
    """Anna comes to a table."""
    return WuerfelApp(inn, start=Guest("Kitchen"), motion=False)


async def test_everybody_is_shown_with_seat_and_state(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand(size=4)
    await party.guest("Ben")
    await party.guest("Dora", seats=0)
    await party.guest("Ada", bot="easy")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        rows = [line.split() for line in shown(guest_app).splitlines()]
        assert ["1", "Ben", "looks", "after", "the", "table", "not", "ready", "yet"] in rows
        assert ["2", "Ada", "bot,", "easy", "not", "ready", "yet"] in rows
        assert ["3", "Anna", "you", "not", "ready", "yet"] in rows
        assert ["4", "free"] in rows
        assert ["Dora", "watching"] in rows


async def test_it_says_who_and_what_is_waited_for(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand(size=4)
    ben = await party.guest("Ben")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await until_shown(pilot, "We wait for you (Enter: ready), Ben and 2 more players.")
        await pilot.press("enter")
        await until_shown(pilot, "We wait for Ben and 2 more players.")
        await ben.client.ready()
        await until_shown(pilot, "We wait for 2 more players.")


async def test_ready_can_be_taken_back(guest_app: WuerfelApp, inn: Inn) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await click_on(pilot, "I am ready")
        await until(pilot, lambda: inn.state.players[0].ready)
        await click_on(pilot, "not ready after all")
        await until(pilot, lambda: not inn.state.players[0].ready)


async def test_the_game_begins_when_all_seats_are_ready(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand("poker")
    ben = await party.guest("Ben")
    await ben.client.ready()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(guest_app.screen.query(Board)) == 1)
        assert guest_app.focused is guest_app.screen.query_one(Board)


async def test_who_looks_after_the_table_may_start_without_waiting_for_more(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand(size=4)
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await pilot.press("s")
        await until_shown(pilot, "is for 2 to 6 players, not 1.")
        ben = await party.guest("Ben")
        await until_shown(pilot, "Ben")
        await pilot.press("s")
        await until_shown(pilot, "Not ready yet: Ben.")
        await ben.client.ready()
        await until_shown(pilot, "ready")
        await pilot.press("s")
        await until(pilot, lambda: inn.state.phase == "playing")


async def test_bots_are_asked_in_at_the_chosen_level(guest_app: WuerfelApp, inn: Inn) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await pilot.press("a", "right", "a")
        await click_on(pilot, "easy")
        await click_on(pilot, "add a bot")

        def levels() -> list[str]:
            return [entry["level"] for entry in inn.table.entries(0) if entry["entry"] == "invited"]

        await until(pilot, lambda: len(levels()) == 3)
        assert levels() == ["easy", "random", "easy"]


async def test_somebody_can_be_sent_away(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        ben, cleo = await party.guest("Ben"), await party.guest("Cleo")
        await until_shown(pilot, "Cleo")
        assert "▸3  Cleo" in shown(guest_app)  # who came last
        await pilot.press("up", "x")
        await until_shown(pilot, "Send Ben away?")
        await pilot.press("y")
        await ben.until_closed()
        await until(pilot, lambda: "Ben" not in shown(guest_app))
        await click_on(pilot, "Cleo")
        await click_on(pilot, "x  send away")
        await until_shown(pilot, "Send Cleo away?")
        await pilot.press("y")
        await cleo.until_closed()
        assert inn.state.names == ("Anna",)
        assert not inn.state.players[0].ready


async def test_nobody_is_sent_away_without_a_yes(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await party.guest("Ben")
        await until_shown(pilot, "Ben")
        await pilot.press("x")
        await until_shown(pilot, "Send Ben away?")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(guest_app.screen, TableScreen))
        assert inn.state.names == ("Anna", "Ben")


async def test_a_bot_is_sent_away_without_a_question_and_the_last_one_first(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await party.guest("Ben")
        ada = await party.guest("Ada", bot="easy")
        await until_shown(pilot, "▸3  Ada")
        await pilot.press("x")
        await ada.until_closed()
        await until_shown(pilot, "▸2  Ben")


async def test_oneself_is_never_sent_away(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await pilot.press("up", "x")
        assert "send away" not in shown(guest_app)
        assert "↑↓ who" not in shown(guest_app)
        await party.guest("Ben")
        await until_shown(pilot, "▸2  Ben")
        assert "↑↓ who" in shown(guest_app)
        await pilot.press("up", "down", "up")
        await click_on(pilot, "Anna")
        assert "▸2  Ben" in shown(guest_app)
        assert inn.state.names == ("Anna", "Ben")


async def test_who_is_sent_away_is_told_so_in_the_lobby(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand()
    ben = await party.guest("Ben")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        anna = inn.state.players[1]
        assert await ben.client.remove(anna.id) is None
        await until(pilot, lambda: isinstance(guest_app.screen, Lobby))
        await until_shown(pilot, "You were asked to leave this table.")


async def test_a_table_that_closes_under_a_question_is_left_after_it(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand()
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(guest_app.screen, RulesScreen))
        await party.host.close()
        await until(pilot, lambda: guest_app.client is None or guest_app.client.link == "closed")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(guest_app.screen, Lobby))
        await until_shown(pilot, "The host has closed this table.")


async def test_who_is_away_is_waited_for(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand("poker")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        gus = await party.guest("Gus")
        await until_shown(pilot, "Gus")
        await pilot.press("enter")
        await until_shown(pilot, "We wait for Gus.")
        await gus.client.close()
        await until_shown(pilot, "We wait for Gus (away).")


async def test_a_full_table_offers_no_more_bots(guest_app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand("poker")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        assert "add a bot" in shown(guest_app)
        await party.guest("Ada", bot="easy")
        await until(pilot, lambda: "add a bot" not in shown(guest_app))
        assert "x  send away" in shown(guest_app)


async def test_the_pin_is_shown_to_who_set_the_table_up(inn: Inn, party: Party) -> None:
    await inn.stand(pin="0815")
    app = WuerfelApp(inn, motion=False)
    async with app.run_test() as pilot:
        client = await party.client("Anna", pin="0815")
        app.push_screen(TableScreen(client, (inn.address,), "0815"))
        await sit_down(app, pilot)
        assert "PIN 0815" in shown(app)
        assert "wuerfel join Kitchen --pin 0815" in shown(app)


async def test_guests_are_not_offered_what_they_may_not_do(
    guest_app: WuerfelApp, inn: Inn, party: Party
) -> None:
    await inn.stand()
    ben = await party.guest("Ben")
    async with guest_app.run_test() as pilot:
        await sit_down(guest_app, pilot)
        assert "add a bot" not in shown(guest_app)
        assert "start" not in shown(guest_app)
        await ben.client.leave()
        await until_shown(pilot, "add a bot")  # now it is Anna who looks after the table


async def test_spectators_have_nothing_to_be_ready_for(inn: Inn) -> None:
    await inn.stand()
    app = WuerfelApp(inn, start=Guest("Kitchen", seats=0), motion=False)
    async with app.run_test() as pilot:
        await sit_down(app, pilot)
        assert "I am ready" not in shown(app)
        assert "watching · before the game" in shown(app)


def test_a_seat_whose_owner_is_gone_for_good_is_shown_as_such() -> None:
    room = Room(size=2)
    room.join("Anna")
    ben = room.join("Ben")
    room.all_ready()
    room.table.leave(ben, room.now)
    assert room.state.phase == "dealing"
    assert [row.plain.split()[1:] for _, row in seat_rows(room.state, 1)][1] == ["Ben", "gone"]


def test_the_line_that_a_guest_types_can_be_typed() -> None:
    addresses = ("192.168.1.20:9731", "[fd00::1]:9731", "127.0.0.1:9731")
    assert guest_lines("Kitchen", addresses) == [
        "wuerfel join Kitchen",
        "wuerfel join 192.168.1.20:9731",
        "wuerfel join [fd00::1]:9731",
    ]
    assert guest_lines("Anna's table", ())[0] == 'wuerfel join "Anna\'s table"'
    assert guest_lines('"; rm $HOME', ("127.0.0.1:1",)) == ["wuerfel join 127.0.0.1:1"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_a_waiting_room(
    inn: Inn, party: Party, size: tuple[int, int], picture: SnapshotAssertion
) -> None:
    await inn.stand(size=4)
    app = WuerfelApp(inn, motion=False)
    async with app.run_test(size=size) as pilot:
        app.push_screen(TableScreen(await party.client("Anna"), ("192.168.1.20:9731",)))
        await sit_down(app, pilot)
        ben = await party.guest("[b]Ben[/b]")
        await until_shown(pilot, "[b]Ben[/b]")
        await party.guest("Ada", bot="easy")
        await ben.client.ready()
        await until_shown(pilot, "Ada")
        await until(pilot, lambda: "We wait for you (Enter: ready), Ada and 1 more player." in shown(app))
        assert app.export_screenshot() == picture
