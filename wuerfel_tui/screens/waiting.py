"""The waiting room: who is there, who is ready, and how others come."""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Button, Static
from textual.widgets.option_list import Option

from protocol.messages import Rejected
from wuerfel_tui.bots import BOTS
from wuerfel_tui.client import Client
from wuerfel_tui.record import PeerId, PeerInfo, TableState
from wuerfel_tui.screens.dialogs import Confirm
from wuerfel_tui.screens.presence import keeps
from wuerfel_tui.services import guest_lines
from wuerfel_tui.widgets.listing import Listing
from wuerfel_tui.widgets.picker import Pick, Picker
from wuerfel_tui.widgets.press import Press
from wuerfel_tui.wording import listed

if TYPE_CHECKING:
    from wuerfel_tui.app import WuerfelApp


class SeatList(Listing):
    """Everybody at the table, by seat. The cursor chooses among those who can be sent away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "confirm", "ready"),
        Binding("up", "cursor_up", "who", key_display="↑↓"),
        Binding("down", "cursor_down", "who", show=False),
    ]

    class Confirmed(Message):
        """Enter: not about the chosen row, but about oneself."""

    _rows: tuple[tuple[str, Content], ...] = ()
    _choice: str | None = None
    """The row that was chosen by hand."""

    @property
    def peer(self) -> PeerId | None:
        """Of the chosen row."""
        chosen = self.highlighted_option
        return None if chosen is None else _peer_of(chosen.id or "")

    @property
    def can_choose(self) -> bool:
        return any(not option.disabled for option in self.options)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.can_choose if action in ("cursor_up", "cursor_down") else True

    def action_confirm(self) -> None:
        self.post_message(self.Confirmed())

    def action_cursor_up(self) -> None:
        super().action_cursor_up()
        self._choose()

    def action_cursor_down(self) -> None:
        super().action_cursor_down()
        self._choose()

    def on_click(self, event: events.Click) -> None:
        """A click chooses somebody; it does not say that one is ready, as Enter does."""
        event.prevent_default()
        index = event.style.meta.get("option")
        if index is not None and not self.options[index].disabled:
            self.highlighted = index
            self._choose()

    def _choose(self) -> None:
        chosen = self.highlighted_option
        self._choice = chosen.id if chosen is not None else None

    def show(self, rows: Sequence[tuple[str, Content]], offered: Collection[PeerId]) -> None:
        """Rows with their ids, and whose can be chosen. The last of these is, until another is chosen by hand."""
        before, self._rows = self._rows, tuple(rows)
        options = [Option(content, id=key, disabled=_peer_of(key) not in offered) for key, content in rows]
        looks = [(option.id, option.disabled) for option in options]
        if looks != [(option.id, option.disabled) for option in self.options]:
            self.set_options(options)
            self.highlighted = self._first_choice()
            return
        for (key, content), (_, shown) in zip(rows, before, strict=True):
            if not content.is_same(shown):
                self.replace_option_prompt(key, content)

    def _first_choice(self) -> int | None:
        free = [index for index, option in enumerate(self.options) if not option.disabled]
        by_hand = [index for index in free if self.options[index].id == self._choice]
        seated = [index for index in free if (self.options[index].id or "").count("-") == 2]
        return next(reversed(by_hand or seated or free), None)

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        mark = next(iter(strip), None)
        if mark is None or y + self.scroll_offset.y != self.highlighted:  # each row is one line
            return strip
        return Strip.join([Strip([Segment("▸", mark.style)]), strip.crop(1)])


def _peer_of(row: str) -> PeerId | None:
    """Whom a row of the list is about; None for a free seat."""
    kind, _, rest = row.partition("-")
    return int(rest.split("-")[0]) if kind == "peer" else None


class SettingUp(Static, can_focus=True):
    """In place of a waiting room where nobody is waited for: bots sit down, and the game begins."""

    prompt = ""

    def __init__(self) -> None:
        super().__init__("Setting up…")


class WaitingRoom(Vertical, can_focus=False):
    """Before the first game. Who looks after the table may start, add bots and send somebody away.

    addresses: that guests can type; the name alone is shown if there are none
    pin: of the table, if it was set up here
    """

    app: WuerfelApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", "start"),
        Binding("a", "add_bot", "add bot", show=False),  # named by its button; there is no room for all
        Binding("x", "remove", "send away"),
        Binding("left", "level(-1)", show=False),
        Binding("right", "level(1)", show=False),
    ]

    class Asked(Message):
        """A request of the client's, to be made."""

        def __init__(self, request: Coroutine[Any, Any, Rejected | None]) -> None:
            super().__init__()
            self.request = request

    def __init__(self, client: Client, addresses: Sequence[str], pin: str | None = None) -> None:
        super().__init__()
        self.client = client
        self.addresses = addresses
        self.pin = pin

    def compose(self) -> ComposeResult:
        levels = sorted(BOTS[self.client.table.game])  # easy comes before random
        yield Static("At this table", classes="heading")
        yield SeatList(id="seats", markup=False)
        with Horizontal(id="do"):
            yield Press("Enter", "I am ready", id="ready")
            yield Press("s", "start with those who are here", id="start")
        with Horizontal(id="keep"):
            yield Press("a", "add a bot", id="add")
            yield Picker([Pick(level, level) for level in levels], id="level")
            yield Press("x", "send away", id="remove")
        yield Static("How others come", id="how", classes="heading")
        yield Static(self._how_others_come(), id="others", markup=False)

    def focus(self, scroll_visible: bool = True) -> WaitingRoom:
        self.query_one(SeatList).focus(scroll_visible)
        return self

    def _how_others_come(self) -> Content:
        lines = guest_lines(self.client.table.name, self.addresses)[:4]
        if not self.pin:
            return Content.assemble(
                ("From their lobby, where this table is listed; or they type", "$quiet"),
                *(("\n" + line, "bold") for line in lines),
            )
        # A PIN that a shell would not take as it is, is asked for at the door.
        option = f" --pin {self.pin}" if self.pin.isalnum() else ""
        return Content.assemble(
            ("From their lobby, where this table is listed, with the ", "$quiet"),
            (f"PIN {self.pin}", "bold $key"),
            ("; or they type", "$quiet"),
            *(("\n" + line + option, "bold") for line in lines),
        )

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Who and what is waited for."""
        table = self.client.table
        me_too = bool(self.client.seats) and not self._me_ready
        others = [peer for peer in table.players if peer.id != self.client.peer]
        waits = ["you (Enter: ready)"] * me_too
        waits += [peer.name for peer in others if peer.online and not peer.ready]
        waits += [f"{peer.name} (away)" for peer in others if not peer.online]
        if free := table.seats.count(None):
            waits.append(f"{free} more player{'s' * (free > 1)}")
        return f"We wait for {listed(waits)}." if waits else "All are here and ready."

    @property
    def _me_ready(self) -> bool:
        return any(peer.ready for peer in self.client.table.peers if peer.id == self.client.peer)

    def show_table(self) -> None:
        """The table as it is now."""
        keeper = keeps(self.client)
        seats = self.query_one(SeatList)
        seats.show(seat_rows(self.client.table, self.client.peer), self._others() if keeper else set())
        ready = self.query_one("#ready", Press)
        ready.say("not ready after all" if self._me_ready else "I am ready")
        ready.display = bool(self.client.seats)
        self.query_one("#start").display = self.query_one("#keep").display = keeper
        has_room = None in self.client.table.seats
        self.query_one("#add").display = self.query_one("#level").display = has_room
        self.query_one("#remove").display = seats.can_choose

    def _others(self) -> set[PeerId]:
        return {peer.id for peer in self.client.table.peers} - {self.client.peer}

    # --- what is done ------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Most is for who looks after the table."""
        if action == "remove" and not self.query_one(SeatList).can_choose:
            return False
        return action not in ("start", "add_bot", "remove") or keeps(self.client)

    @on(Button.Pressed, "#ready")
    @on(SeatList.Confirmed)
    def action_ready(self) -> None:
        self.post_message(self.Asked(self.client.ready(not self._me_ready)))

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        self.post_message(self.Asked(self.client.start()))

    @on(Button.Pressed, "#add")
    def action_add_bot(self) -> None:
        self.post_message(self.Asked(self.client.add_bot(self.query_one(Picker).value)))

    @on(Button.Pressed, "#remove")
    def action_remove(self) -> None:
        chosen = self.query_one(SeatList).peer
        if chosen in self._others():
            self._send_away(self.client.table.peer(chosen))

    @work(exclusive=True)
    async def _send_away(self, peer: PeerInfo) -> None:
        """A person is not sent away by a slip of a finger."""
        if peer.bot is None:
            question = Confirm(f"Send {peer.name} away?", "The seat is free again then.", "send away", "no")
            if not await self.app.push_screen_wait(question):
                return
        self.post_message(self.Asked(self.client.remove(peer.id)))

    def action_level(self, by: int) -> None:
        self.query_one(Picker).action_step(by)


def seat_rows(table: TableState, me: int) -> list[tuple[str, Content]]:
    """A row for each seat and each spectator. Ids name the peer that would be sent away."""
    here = {peer.id: peer for peer in table.peers}
    rows: list[tuple[str, Content]] = []
    for seat, info in enumerate(table.seats):
        number = f"{seat + 1}"
        if info is None:
            rows.append((f"free-{seat}", Content.assemble((number, "dim"), "  ", ("free", "dim"))))
            continue
        peer = here.get(info.peer)  # None: gone for good, while the dice are made
        about, state = (_about(peer, table, me), _state(peer)) if peer else ("", "gone")
        rows.append((f"peer-{info.peer}-{seat}", _row(number, info.name, about, state)))
    for peer in table.peers:
        if not table.seats_of(peer.id):
            you = "you, watching" if peer.id == me else "watching"
            rows.append((f"peer-{peer.id}", _row(" ", peer.name, you, "")))
    return rows


def _row(number: str, name: str, about: str, state: str) -> Content:
    return Content.assemble(
        (number, "dim"),
        "  ",
        Content(name).truncate(24, ellipsis=True, pad=True),
        "  ",
        about.ljust(26),
        "  ",
        (state, "bold"),
    )


def _about(peer: PeerInfo, table: TableState, me: int) -> str:
    if peer.bot:
        return f"bot, {peer.bot}"
    keeps = "looks after the table" if table.keeper == peer else ""
    return " · ".join(part for part in ("you" if peer.id == me else "", keeps) if part)


def _state(peer: PeerInfo) -> str:
    return "away" if not peer.online else "ready" if peer.ready else "not ready yet"
