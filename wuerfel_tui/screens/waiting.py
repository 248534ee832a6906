"""The waiting room: who is there, who is ready, and how others come."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from protocol.messages import Rejected
from wuerfel_tui.bots import BOTS
from wuerfel_tui.client import Client
from wuerfel_tui.record import PeerInfo, TableState
from wuerfel_tui.screens.presence import keeps
from wuerfel_tui.services import guest_lines
from wuerfel_tui.widgets.listing import Listing
from wuerfel_tui.widgets.picker import Pick, Picker
from wuerfel_tui.widgets.press import Press
from wuerfel_tui.wording import listed


class WaitingRoom(Vertical, can_focus=False):
    """Before the first game. Who looks after the table may start, add bots and send somebody away.

    addresses: that guests can type; the name alone is shown if there are none
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", "start"),
        Binding("a", "add_bot", "add bot"),
        Binding("x", "remove", "send away"),
        Binding("left", "level(-1)", show=False),
        Binding("right", "level(1)", show=False),
    ]

    class Asked(Message):
        """A request of the client's, to be made."""

        def __init__(self, request: Coroutine[Any, Any, Rejected | None]) -> None:
            super().__init__()
            self.request = request

    def __init__(self, client: Client, addresses: Sequence[str]) -> None:
        super().__init__()
        self.client = client
        self.addresses = addresses

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
        return Content.assemble(
            ("From their lobby, where this table is listed; or they type", "$quiet"),
            *(("\n" + line, "bold") for line in lines),
        )

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Who and what is waited for."""
        table = self.client.table
        me_too = bool(self.client.seats) and not self._me_ready
        others = [peer for peer in table.players if peer.online and peer.id != self.client.peer]
        waits = ["you (Enter: ready)"] * me_too + [peer.name for peer in others if not peer.ready]
        if free := table.seats.count(None):
            waits.append(f"{free} more player{'s' * (free > 1)}")
        return f"We wait for {listed(waits)}." if waits else "All are here and ready."

    @property
    def _me_ready(self) -> bool:
        return any(peer.ready for peer in self.client.table.peers if peer.id == self.client.peer)

    def show_table(self) -> None:
        """The table as it is now."""
        self.query_one(SeatList).show(seat_rows(self.client.table, self.client.peer))
        ready = self.query_one("#ready", Press)
        ready.say("not ready after all" if self._me_ready else "I am ready")
        ready.display = bool(self.client.seats)
        self.query_one("#start").display = self.query_one("#keep").display = keeps(self.client)
        self.query_one("#add").disabled = None not in self.client.table.seats

    # --- what is done ------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Most is for who looks after the table."""
        return action not in ("start", "add_bot", "remove") or keeps(self.client)

    @on(Button.Pressed, "#ready")
    @on(OptionList.OptionSelected)
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
        chosen = self.query_one(SeatList).highlighted_option
        if chosen is not None and chosen.id and chosen.id.startswith("peer-"):
            self.post_message(self.Asked(self.client.remove(int(chosen.id.split("-")[1]))))

    def action_level(self, by: int) -> None:
        self.query_one(Picker).action_step(by)


class SeatList(Listing):
    """Everybody at the table, by seat."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "ready")]

    _rows: tuple[tuple[str, Content], ...] = ()

    def on_click(self, event: events.Click) -> None:
        """A click chooses somebody; it does not say that one is ready, as Enter does."""
        event.prevent_default()
        index = event.style.meta.get("option")
        if index is not None:
            self.highlighted = index

    def show(self, rows: Sequence[tuple[str, Content]]) -> None:
        """Rows with their ids; the cursor stays where it is."""
        before, self._rows = self._rows, tuple(rows)
        if [key for key, _ in before] != [key for key, _ in rows]:
            at = self.highlighted or 0
            self.set_options([Option(content, id=key) for key, content in rows])
            self.highlighted = min(at, len(rows) - 1)
            return
        for (key, content), (_, shown) in zip(rows, before, strict=True):
            if not content.is_same(shown):
                self.replace_option_prompt(key, content)


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
