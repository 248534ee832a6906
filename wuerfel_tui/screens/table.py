"""The table: one frame for all games, around a waiting room, a board, or the results."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from textual import on, work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from protocol.messages import Rejected
from wuerfel_tui.boards import BOARDS
from wuerfel_tui.boards.core import Board
from wuerfel_tui.client import Client, LinkChange, Reset, Step
from wuerfel_tui.record import Began, Finished, Said, TableState
from wuerfel_tui.screens.presence import banner, marks, missing
from wuerfel_tui.screens.results import Results
from wuerfel_tui.screens.telling import name_of, tell
from wuerfel_tui.screens.waiting import SettingUp, WaitingRoom
from wuerfel_tui.widgets.foot import KeyLine
from wuerfel_tui.widgets.quiet import QuietScreen
from wuerfel_tui.widgets.status import StatusLines
from wuerfel_tui.widgets.story import ChatPanel, LogPanel
from wuerfel_tui.widgets.title import TitleLine
from wuerfel_tui.wording import listed

if TYPE_CHECKING:
    from wuerfel_tui.app import WuerfelApp

Body: TypeAlias = Board | SettingUp | WaitingRoom | Results

CATCHING_UP = 8
"""A board that is so many moves behind skips to the end: nobody can follow so much at once."""


class TableScreen(QuietScreen):
    """A place at a table, from the waiting room to the results and round again.

    client: one's own; this screen goes through its updates
    addresses: that guests can type, if they are known here
    pin: of the table, if it was set up here
    practice: whether nobody else is to come, so that nobody needs a waiting room
    """

    app: WuerfelApp

    AUTO_FOCUS = ""
    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "stand_in", "stand-in"),
        Binding("v", "board", "board"),
        Binding("question_mark", "rules", "rules", key_display="?"),
        Binding("h", "hint", "hint"),
        Binding("l", "panel('log')", "log"),
        Binding("c", "panel('chat')", "chat"),
        Binding("q", "leave", "leave"),
        Binding("escape", "back", "back"),
    ]

    def __init__(
        self,
        client: Client,
        addresses: Sequence[str] = (),
        pin: str | None = None,
        practice: bool = False,
    ) -> None:
        super().__init__()
        self.client = client
        self.addresses = tuple(addresses)
        self.pin = pin
        self.practice = practice
        self.body: Body | None = None
        self.board: Board | None = None
        self.is_ticking = False
        self._ticking: Timer | None = None
        self._reason = ""
        self._is_leaving = False

    # --- the frame ---------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TitleLine()
        with Horizontal(id="middle"):
            yield Vertical(id="main")
            with Vertical(id="side"):
                yield LogPanel(id="log")
                yield ChatPanel(id="chat")
        yield StatusLines()
        yield KeyLine()

    async def on_mount(self) -> None:
        self.app.client = self.client
        self._ticking = self.set_interval(1, self._show_status, pause=True)
        self._tell_history()
        await self._show_anew()
        self.follow()

    def on_unmount(self) -> None:
        self.app.client = None

    @property
    def table(self) -> TableState:
        return self.client.table

    def say(self, sentence: str) -> None:
        """One line, for a while."""
        self.query_one(StatusLines).show_notice(sentence)

    # --- what comes from the table -----------------------------------------------------------------------------------

    @work(exclusive=True, group="updates")
    async def follow(self) -> None:
        """Shows everything that happens, until the table is left or closed."""
        async for update in self.client.updates():
            match update:
                case Step():
                    await self._show_step(update)
                case Reset():
                    await self._show_anew()
                case LinkChange(link, _, sentence):
                    self._reason = sentence if link == "closed" else ""
                    self._show_status()
        self._reason = self._reason or "This table is closed."
        self._show_closed()

    def on_screen_resume(self) -> None:
        if self.client.link == "closed":
            self._show_closed()

    def _show_closed(self) -> None:
        """There is nothing to wait for any more; a game and its results can still be looked at."""
        if self._is_leaving:
            return
        if isinstance(self.body, Board):
            self.body.disabled = True
        elif not isinstance(self.body, Results) and self.app.screen is self:
            self._is_leaving = True
            self.app.say_in_lobby(self._reason)
            self.dismiss()
            return
        self._side.remove_class("-chat")
        self._show_table()

    def _tell_history(self) -> None:
        """What happened before we came, or came back."""
        log, chat = self.query_one(LogPanel).lines, self.query_one(ChatPanel).lines
        narrate = BOARDS[self.table.game].narrate
        log.add([Content(line) for step in self.client.history for line in tell(step, narrate)])
        for step in self.client.history:
            if isinstance(step.entry, Said):
                chat.add([_line_of_chat(name_of(step.after, step.entry.peer), step.entry.text)])

    async def _show_step(self, step: Step) -> None:
        narrate = BOARDS[step.after.game].narrate
        self.query_one(LogPanel).lines.add(map(Content, tell(step, narrate)))
        if step.after.game_state != step.before.game_state or step.after.phase != step.before.phase:
            self.query_one(StatusLines).move_on()
        match step.entry:
            case Said(peer, text):
                self._hear(name_of(step.after, peer), text)
            case Began():
                await self._show_board(step.after)
            case Finished():
                await self._show_results(step)
            case _ if self.board is not None and step.after.phase == "playing":
                self._show_on_board(self.board, step)
        self._show_table()

    def _show_on_board(self, board: Board, step: Step) -> None:
        events = getattr(step.entry, "events", ())
        if not events:
            board.set_presence(marks(step.after))
        elif self._moves_behind(step) == 0:
            board.show(step.after.game_state, events, getattr(step.entry, "seat", None))
        elif self._moves_behind(step) < CATCHING_UP:
            board.show(step.after.game_state)

    def _moves_behind(self, step: Step) -> int:
        """How many moves have come already that are not shown yet."""
        later = self.client.seq - step.seq
        return sum(hasattr(step.entry, "events") for step in self.client.history[-later:]) if later else 0

    async def _show_anew(self) -> None:
        """The whole table, where nothing tells what happened before."""
        self.query_one(StatusLines).move_on()
        match self.table.phase:
            case "playing":
                await self._show_board(self.table)
            case "over" if self.table.outcome is not None and len(self.table.taken) == len(
                self.table.outcome.places
            ):
                await self._put(Results(self.client, self.table.names))
            case _ if self.practice:
                await self._put(SettingUp())
            case _:
                await self._put(WaitingRoom(self.client, self.addresses, self.pin))
        self._show_table()

    async def _show_board(self, table: TableState) -> None:
        board = BOARDS[table.game](table.names, self.client.seats, table.game_state, self.app.motion)
        board.clock = self.client.clock
        await self._put(board)
        board.set_presence(marks(table))
        self.watch(board, "prompt", self._show_lines)

    async def _show_results(self, step: Step) -> None:
        names = step.before.names
        numbers = BOARDS[step.after.game].numbers(self.client.history, names)
        await self._put(Results(self.client, names, numbers, self.board is not None), behind=self.board)

    async def _put(self, body: Body, behind: Board | None = None) -> None:
        """Another body into the frame; a board behind it is out of sight until it is asked for."""
        main = self.query_one("#main")
        stays_in_panel = self._side.has_focus_within
        await main.mount(body)
        if not stays_in_panel:
            body.focus(scroll_visible=False)
        for child in list(main.children):
            if child is behind:
                child.display = False
            elif child is not body:
                await child.remove()
        self.body = body
        self.board = body if isinstance(body, Board) else behind

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _show_table(self) -> None:
        """Whatever depends on the table alone."""
        if isinstance(self.body, WaitingRoom | Results):
            self.body.show_table()
        self._show_lines()
        self.refresh_bindings()

    def _show_lines(self) -> None:
        """The title and what is under the board."""
        self.query_one(TitleLine).show(self._title(), self._turn())
        self._show_status()

    def _title(self) -> Content:
        table = self.table
        heading = self.board.heading if self.board is not None and table.phase == "playing" else ""
        parts = [(table.rules.title, "bold"), f" · {table.name}", f" · {heading}" if heading else ""]
        return Content.assemble(*parts)

    def _turn(self) -> Content:
        table, mine = self.table, self.client.seats
        watching = "" if mine else "watching · "
        if self.client.link == "closed":
            return Content("closed")
        if isinstance(self.body, SettingUp):
            return Content("")
        if table.phase != "playing":
            text = {"waiting": "before the game", "dealing": "the dice are made", "over": "the game is over"}
            return Content(watching + text[table.phase])
        if self.board is not None and self.board.standing is not None:
            return Content(watching + self.board.standing)
        actors = table.rules.actors(table.game_state)
        if len(mine) == 1 and mine[0] in actors:
            return Content.styled("your move", "bold")
        names = [table.taken[seat].name for seat in actors]
        text = f"{names[0]} to move" if len(names) == 1 else "all at once"
        return Content.styled(watching + text, "bold" if set(mine) & set(actors) else "")

    def _show_status(self) -> None:
        """The prompt, and who or what is missing; the clock ticks only while somebody is away."""
        status = self.query_one(StatusLines)
        status.show_prompt(self._prompt())
        status.show_banner(self._banner())
        ticks = self.client.link == "up" and bool(missing(self.table))
        if self._ticking is not None and ticks != self.is_ticking:
            self.is_ticking = ticks
            (self._ticking.resume if ticks else self._ticking.pause)()

    def _prompt(self) -> str:
        if self.client.link == "closed":
            return "q: back to the lobby"
        if self.table.phase == "dealing" and not isinstance(self.body, SettingUp):
            return "Everybody adds a secret to the dice, so that nobody can bend them."
        return self.body.prompt if self.body is not None else ""

    def _banner(self) -> str:
        match self.client.link:
            case "closed":
                return self._reason or "This table is closed."
            case "lost":
                return "The line to the table is lost. Trying to get it back; your seat is kept."
            case _:
                return banner(self.client)

    def _hear(self, name: str, text: str) -> None:
        chat = self.query_one(ChatPanel)
        chat.lines.add([_line_of_chat(name, text)])
        if not self._is_open("chat"):
            self.query_one(StatusLines).show_notice(f"{name}: {text}", "$key", of_position=False)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """As ever; but where there is little room for keys, a board names its own, and the last line the rest."""
        bindings = super().active_bindings
        if self.has_class("-wide"):
            return bindings
        for key, active in bindings.items():
            if isinstance(active.node, Board):
                bindings[key] = active._replace(binding=replace(active.binding, show=False))
        return bindings

    # --- what is done ------------------------------------------------------------------------------------------------

    @work(group="requests")
    async def ask(self, request: Coroutine[Any, Any, Rejected | None]) -> None:
        """Asks the table for something, and says why not."""
        rejected = await request
        if rejected is not None:
            self.say(rejected.sentence)

    @on(Board.Chosen)
    def act(self, message: Board.Chosen) -> None:
        self.query_one(StatusLines).move_on()
        self._send(message)

    @work(group="requests")
    async def _send(self, chosen: Board.Chosen) -> None:
        """At once, whatever else is not answered yet: in a race nobody waits for a line."""
        for action in chosen.actions:
            rejected = await self.client.act(chosen.seat, action)
            if rejected is not None:
                self._show_rejection(rejected)
                return

    def _show_rejection(self, rejected: Rejected) -> None:
        if self.board is not None:
            self.board.rejected(rejected)
            if self.board.is_quiet(rejected):
                return
        self.say(rejected.sentence)

    @on(Board.Notice)
    def refused(self, message: Board.Notice) -> None:
        if message.sentence:
            self.say(message.sentence)
        else:
            self.query_one(StatusLines).move_on()

    @on(WaitingRoom.Asked)
    @on(Results.Asked)
    def asked(self, message: WaitingRoom.Asked | Results.Asked) -> None:
        self.ask(message.request)

    @on(ChatPanel.Said)
    def speak(self, message: ChatPanel.Said) -> None:
        self.ask(self.client.say(message.text))

    def action_stand_in(self) -> None:
        for seat, _, _ in missing(self.table)[:1]:
            self.ask(self.client.stand_in(seat))

    def action_hint(self) -> None:
        if isinstance(self.body, Board):
            self.query_one(StatusLines).show_notice(self.body.hint(), "$key")

    def action_rules(self) -> None:
        from wuerfel_tui.screens.rules import RulesScreen

        self.app.push_screen(RulesScreen(self.table.game))

    def action_board(self) -> None:
        """From the results to the last position of the board, and back."""
        if self.board is not None and isinstance(self.body, Results):
            self.board.display = not self.board.display
            self.body.display = not self.board.display

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that mean nothing just now are not shown."""
        match action:
            case "stand_in":
                return bool(self.client.seats) and bool(missing(self.table))
            case "board":
                return isinstance(self.body, Results) and self.board is not None
            case "hint":
                return isinstance(self.body, Board) and self.client.link != "closed"
            case "panel" if parameters == ("chat",):
                return self.client.link != "closed"
            case "back":
                return bool(self.query("#side.-log, #side.-chat, #side:focus-within"))
            case _:
                return True

    # --- panels ------------------------------------------------------------------------------------------------------

    def _is_open(self, name: str) -> bool:
        return self.has_class("-wide") or self._side.has_class(f"-{name}")

    @property
    def _side(self) -> Vertical:
        return self.query_one("#side", Vertical)

    def action_panel(self, name: str) -> None:
        """Opens a panel and goes there; from there, back to the game."""
        if self._is_open(name) and self.query_one(f"#{name}").has_focus_within:
            self.action_back()
            return
        self._side.set_class(name == "log", "-log").set_class(name == "chat", "-chat")
        self.call_after_refresh(self._focus_panel, name)

    def _focus_panel(self, name: str) -> None:
        place = self.query_one(ChatPanel).field if name == "chat" else self.query_one(LogPanel).lines
        place.focus(scroll_visible=False)

    def action_back(self) -> None:
        """Closes what lies over the board, and goes back to it."""
        self._side.remove_class("-log", "-chat")
        if self.body is not None:
            self.body.focus(scroll_visible=False)

    # --- leaving -----------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="leaving")
    async def action_leave(self) -> None:
        """Back to the lobby; asked once if it costs others the game."""
        from wuerfel_tui.screens.dialogs import Confirm

        if others := self._others_who_play():
            text = f"A bot plays on for you; {listed(others)} would have to do with that."
            if not await self.app.push_screen_wait(Confirm("Leave the table?", text, "leave", "stay")):
                return
        if not self._is_leaving:
            self._is_leaving = True
            await self.client.leave()
            self.dismiss()

    def _others_who_play(self) -> list[str]:
        """The people whose game it is as well as ours."""
        if (
            self.client.link == "closed"
            or not self.client.seats
            or self.table.phase not in ("dealing", "playing")
        ):
            return []
        others = [peer for peer in self.table.players if peer.id != self.client.peer]
        return [peer.name for peer in others if peer.bot is None and peer.online]


def _line_of_chat(name: str, text: str) -> Content:
    return Content.assemble((f"{name}: ", "bold $key"), text)
