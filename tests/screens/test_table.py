"""At the table: whose move it is, what happens, who is away, and how one leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from protocol.messages import Rejected
from tests.guests import UNHURRIED, Guest, Party, table
from tests.protocol.cable import Cable
from tests.screens.inn import Inn, click_on, shown, until, until_shown
from wuerfel_tui.app import WuerfelApp
from wuerfel_tui.boards.core import Board
from wuerfel_tui.client import Client
from wuerfel_tui.screens.dialogs import Confirm
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.screens.table import TableScreen
from wuerfel_tui.widgets.story import ChatPanel, LogPanel

QUICK = replace(UNHURRIED, heartbeat=0.05, patience=0.3)


class Evening:
    """Anna before her screen, and Ben, at a table of theirs.

    anna: the client that the screen shows
    """

    def __init__(self, app: WuerfelApp, pilot: Pilot[None], anna: Client, ben: Guest) -> None:
        self.app, self.pilot, self.anna, self.ben = app, pilot, anna, ben

    async def begin(self) -> None:
        await self.ben.client.ready()
        await self.anna.ready()
        await until(self.pilot, lambda: self.app.screen.query(Board))

    @property
    def board(self) -> Board:
        return self.app.screen.query_one(Board)

    @property
    def log(self) -> str:
        return "\n".join(line.plain for line in self.app.screen.query_one(LogPanel).lines.paragraphs)

    @property
    def chat(self) -> str:
        return "\n".join(line.plain for line in self.app.screen.query_one(ChatPanel).lines.paragraphs)

    async def play_until(self, mine: bool) -> None:
        """Plays for both until it is Anna's move, or Ben's."""
        seat = 0 if mine else 1
        while seat not in self.anna.table.rules.actors(self.anna.table.game_state):
            await self.play_one()

    async def play_one(self) -> None:
        state = self.anna.table.game_state
        seat = self.anna.table.rules.actors(state)[0]
        action = Random(1).choice(list(self.anna.table.rules.legal(state, seat)))
        who = self.anna if seat == 0 else self.ben.client
        assert await who.act(seat, action) is None
        await until(self.pilot, lambda: self.anna.table.game_state != state)


@pytest.fixture
def size() -> tuple[int, int]:
    return (80, 24)


@pytest.fixture
def game() -> str:
    return "express"


@pytest.fixture
async def evening(
    app: WuerfelApp, inn: Inn, party: Party, size: tuple[int, int], game: str
) -> AsyncIterator[Evening]:
    await inn.stand(game, size=2)
    anna = await party.client("Anna")
    ben = await party.guest("Ben")
    async with app.run_test(size=size) as pilot:
        app.push_screen(TableScreen(anna))
        await until(pilot, lambda: "Ben" in shown(app))
        yield Evening(app, pilot, anna, ben)


# --- the frame ---


@pytest.mark.parametrize("game", ["express", "poker", "gigi"])
async def test_the_title_says_what_where_and_whose_move(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=True)
    await until_shown(evening.pilot, "your move")
    title = shown(evening.app).splitlines()[0]
    assert evening.anna.table.rules.title in title
    assert "Kitchen" in title
    assert evening.board.heading in title
    await evening.play_until(mine=False)
    await until_shown(evening.pilot, "Ben to move")


async def test_what_the_board_chooses_is_sent_and_shown(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=True)
    seq = evening.anna.seq
    await evening.pilot.press("space")
    await until(evening.pilot, lambda: evening.anna.seq > seq)
    assert "Anna rolls" in evening.log


async def test_why_a_key_does_nothing_is_said_under_the_board(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=False)
    await evening.pilot.press("space")
    await until_shown(evening.pilot, "It is Ben's turn.")


async def test_what_the_host_refuses_is_said_and_the_board_told(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any) -> Rejected:
        return Rejected(1, "not-now", "The table is on fire.", 1)

    await evening.begin()
    await evening.play_until(mine=True)
    monkeypatch.setattr(evening.anna, "act", refuse)
    await evening.pilot.press("space")
    await until_shown(evening.pilot, "The table is on fire.")
    assert evening.board.seat == 0


async def test_why_a_key_does_nothing_is_not_said_longer_than_it_holds(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=False)
    await evening.pilot.press("space")
    await until_shown(evening.pilot, "It is Ben's turn.")
    await evening.play_one()
    await until(evening.pilot, lambda: "It is Ben's turn." not in shown(evening.app))


async def test_what_was_advised_goes_with_the_next_act(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=True)
    evening.app.say("Roll all the dice.")
    await until_shown(evening.pilot, "Roll all the dice.")
    await evening.pilot.press("space")
    await until(evening.pilot, lambda: "Roll all the dice." not in shown(evening.app))


async def test_what_somebody_says_is_not_taken_away_by_a_move(evening: Evening) -> None:
    await evening.begin()
    await evening.ben.client.say("hello")
    await until_shown(evening.pilot, "Ben: hello")
    await evening.play_one()
    assert "Ben: hello" in shown(evening.app)


async def test_what_follows_a_refused_act_of_a_batch_is_not_sent(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []

    async def refuse(_: int, action: Any) -> Rejected:
        sent.append(action)
        return Rejected(1, "not-now", "The table is on fire.", 1)

    await evening.begin()
    await evening.play_until(mine=True)
    monkeypatch.setattr(evening.anna, "act", refuse)
    evening.board.send("first", "second")
    await until_shown(evening.pilot, "The table is on fire.")
    evening.board.send("third")
    await until(evening.pilot, lambda: "third" in sent)
    assert sent == ["first", "third"]


async def test_a_hint_is_a_key_away(evening: Evening) -> None:
    await evening.begin()
    await evening.play_until(mine=True)
    await evening.pilot.press("h")
    await until_shown(evening.pilot, evening.board.hint()[:40])


# --- log and chat ---


async def test_the_log_tells_everything_in_sentences(evening: Evening) -> None:
    await evening.begin()
    assert "Game 1 is set up for Anna and Ben." in evening.log
    await evening.play_one()
    await evening.ben.client.say("hello")
    await until(evening.pilot, lambda: "hello" in evening.chat)
    assert "hello" not in evening.log


async def test_on_a_narrow_terminal_log_and_chat_lie_over_the_board_and_go_again(evening: Evening) -> None:
    await evening.begin()
    assert "log" not in shown(evening.app).splitlines()[1]
    await evening.pilot.press("l")
    await until_shown(evening.pilot, "Game 1 is set up for Anna and Ben.")
    await evening.pilot.press("l")
    await until(evening.pilot, lambda: "Game 1 is set up" not in shown(evening.app))
    assert evening.app.focused is evening.board
    await evening.pilot.press("c")
    await until_shown(evening.pilot, "say something")
    await evening.pilot.press("escape")
    await until(evening.pilot, lambda: "say something" not in shown(evening.app))
    assert evening.app.focused is evening.board


@pytest.mark.parametrize("size", [(120, 40)])
async def test_on_a_wide_terminal_they_are_beside_the_board(evening: Evening) -> None:
    await evening.begin()
    assert "Game 1 is set up for Anna and" in shown(evening.app)
    assert "say something" in shown(evening.app)
    assert evening.app.focused is evening.board
    assert evening.board.size.width == 80


async def test_the_keys_of_chat_and_log_are_named(evening: Evening) -> None:
    assert "Esc back" not in shown(evening.app)
    await evening.pilot.press("c")
    await until_shown(evening.pilot, "Enter say  Esc back")
    await evening.pilot.press("escape", "l")
    await until_shown(evening.pilot, "↑↓ scroll")
    assert "Esc back" in shown(evening.app)


async def test_a_word_can_be_said(evening: Evening) -> None:
    await evening.pilot.press("c", *"q: good luck [b]!", "enter")
    await until(evening.pilot, lambda: "Anna: q: good luck [b]!" in evening.chat)
    assert evening.app.is_running


async def test_a_word_that_comes_while_the_chat_is_closed_is_shown_for_a_while(evening: Evening) -> None:
    await evening.ben.client.say("[@click=app.quit]hello[/]")
    await until_shown(evening.pilot, "Ben: [@click=app.quit]hello[/]")


# --- who is away ---


async def test_who_is_away_is_shown_and_a_bot_can_play_on(evening: Evening) -> None:
    await evening.begin()
    await evening.ben.client.close()
    await until_shown(evening.pilot, "Away: Ben (0:0")
    assert "b: let a bot play on" in shown(evening.app)
    assert evening.board.marks == ("", "away")
    await evening.pilot.press("b")
    await until(evening.pilot, lambda: evening.board.marks == ("", "stand-in"))
    assert "Away" not in shown(evening.app)
    assert "A bot (easy) plays on for Ben." in evening.log


async def test_the_clock_ticks_while_somebody_is_away_and_only_then(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.begin()
    screen = evening.app.screen
    assert isinstance(screen, TableScreen)
    assert screen.is_ticking is False
    await evening.ben.client.close()
    await until_shown(evening.pilot, "Away: Ben")
    assert screen.is_ticking is True
    now = evening.anna.clock()
    monkeypatch.setattr(evening.anna, "clock", lambda: now + 42_000)
    await until_shown(evening.pilot, "Away: Ben (0:42)")
    monkeypatch.setattr(evening.anna, "clock", lambda: now + 200_000)
    await until_shown(evening.pilot, "Away: Ben (3 min)")


# --- the line ---


async def test_a_lost_line_is_said_and_found_again(app: WuerfelApp, party: Party) -> None:
    await party.give(table(size=2), limits=QUICK)
    cable = await Cable.laid(party.host.port)
    anna = await party.client("Anna", cable.address)
    ben = await party.guest("Ben")
    async with app.run_test() as pilot:
        app.push_screen(TableScreen(anna))
        await until_shown(pilot, "Ben")
        await ben.client.ready()
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query(Board))
        cable.pull()
        await until_shown(pilot, "The line to the table is lost.")
        await cable.mend()
        await until(pilot, lambda: "The line to the table is lost." not in shown(app))
        assert app.screen.query_one(Board).state == anna.table.game_state
    await cable.close()


async def test_a_table_that_closes_says_why_and_lets_one_go(evening: Evening, party: Party) -> None:
    await evening.begin()
    await party.host.close()
    await until_shown(evening.pilot, "The host has closed this table.")
    await until_shown(evening.pilot, "q: back to the lobby")
    assert "c chat" not in shown(evening.app)
    assert "h hint" not in shown(evening.app)
    await evening.pilot.press("q")
    await until(evening.pilot, lambda: isinstance(evening.app.screen, Lobby))


# --- leaving ---


async def test_leaving_a_game_is_asked_once_as_it_costs_the_others(evening: Evening, inn: Inn) -> None:
    await evening.begin()
    await evening.pilot.press("q")
    await until_shown(evening.pilot, "Leave the table?")
    assert "A bot plays on for you; Ben" in shown(evening.app)
    await evening.pilot.press("escape")
    await until(evening.pilot, lambda: isinstance(evening.app.screen, TableScreen))
    await evening.pilot.press("q")
    await until_shown(evening.pilot, "Leave the table?")
    await click_on(evening.pilot, "y  leave")
    await until(evening.pilot, lambda: isinstance(evening.app.screen, Lobby))
    await until(evening.pilot, lambda: [peer.name for peer in inn.state.peers] == ["Ben"])


async def test_leaving_the_waiting_room_costs_nobody_anything(evening: Evening) -> None:
    await evening.pilot.press("q")
    await until(evening.pilot, lambda: isinstance(evening.app.screen, Lobby))


async def test_a_spectator_just_goes(app: WuerfelApp, inn: Inn, party: Party) -> None:
    await inn.stand("poker")
    ben, cleo = await party.guest("Ben"), await party.guest("Cleo")
    watching = await party.client("Anna", seats=0)
    async with app.run_test() as pilot:
        app.push_screen(TableScreen(watching))
        await until_shown(pilot, "Cleo")
        await ben.client.ready()
        await cleo.client.ready()
        await until_shown(pilot, "watching · ")
        await until(pilot, lambda: app.screen.query(Board))
        assert app.screen.query_one(Board).mine == ()
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Lobby))


async def test_ctrl_c_says_good_bye_to_the_table(evening: Evening, inn: Inn) -> None:
    await evening.pilot.press("ctrl+c")
    await until(evening.pilot, lambda: [peer.name for peer in inn.state.peers] == ["Ben"])


# --- small terminals ---


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (40, 12)])
async def test_too_small_a_terminal_is_told_so_and_the_game_goes_on(evening: Evening) -> None:
    assert "80×24 is needed" in shown(evening.app).splitlines()[0]
    assert "Enter ready" in shown(evening.app)
    await evening.begin()
    await evening.play_until(mine=True)
    seq = evening.anna.seq
    await evening.pilot.press("space")
    await until(evening.pilot, lambda: evening.anna.seq > seq)
    await evening.pilot.resize_terminal(80, 24)
    await until_shown(evening.pilot, "q leave")
    assert "80×24 is needed" not in shown(evening.app)


async def test_a_board_has_eighty_columns_and_twenty_rows(evening: Evening) -> None:
    await evening.begin()
    assert evening.board.size == (80, 20)


# --- pictures ---


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_picture_of_a_table_with_somebody_away(
    evening: Evening, picture: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, screen = evening.anna.table, evening.app.screen
    assert isinstance(screen, TableScreen)
    state = table.rules.new(2, table.rules.Options())
    for event in table.rules.begin(state, lambda sides: 0):
        state = table.rules.evolve(state, event)
    anna, ben = table.peers
    peers = (anna, replace(ben, online=False, since=0))
    evening.anna.table = replace(table, phase="playing", peers=peers, game_state=state)
    monkeypatch.setattr(evening.anna, "clock", lambda: 42_000)
    await screen._show_anew()
    await until_shown(evening.pilot, "Away: Ben (0:42)")
    assert evening.app.export_screenshot() == picture


async def test_picture_of_the_log_over_a_waiting_room(evening: Evening, picture: SnapshotAssertion) -> None:
    await evening.pilot.press("l")
    await until_shown(evening.pilot, "Ben sat down.")
    assert evening.app.export_screenshot() == picture


async def test_picture_of_the_question_before_one_leaves(app: WuerfelApp, picture: SnapshotAssertion) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(
            Confirm(
                "Leave the table?", "A bot plays on for you; Ben would have to do with that.", "leave", "stay"
            )
        )
        await until_shown(pilot, "Leave the table?")
        assert app.export_screenshot() == picture


async def test_who_comes_late_can_read_what_was_before(evening: Evening, party: Party) -> None:
    await evening.begin()
    await evening.ben.client.say("Good evening!")
    late = await party.client("Cleo", seats=0)
    app = WuerfelApp(evening.app.services, motion=False)
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(TableScreen(late))
        await until_shown(pilot, "Ben: Good evening!")
        await until_shown(pilot, "Game 1 is set up for Anna and")
