"""The lobby: the tables on this network, and the ways to one.

The games, the network and the other screens are imported once the first frame stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from wuerfel_tui.widgets.foot import KeyLine
from wuerfel_tui.widgets.listing import Listing
from wuerfel_tui.widgets.logo import WordOnDice
from wuerfel_tui.widgets.title import TitleLine

if TYPE_CHECKING:
    from protocol.discovery import FoundTable
    from wuerfel_tui.app import WuerfelApp

PATIENCE = 1.5
"""Seconds of looking around after which an empty list says that nobody is hosting."""

ACTIONS = {
    "host": (
        "Host a table",
        "h",
        "One form, and the table stands. Others see it in their lobby, or type its address.",
    ),
    "play": (
        "Play here against bots",
        "p",
        "A table on this machine alone: nobody needs to be found, nobody waits.",
    ),
    "address": (
        "Type an address",
        "a",
        "For a table that the list does not show: its host sees the address to type.",
    ),
}
EMPTY_HOUSE = "nobody at home"
STATES = {"waiting": "waiting", "playing": "playing", "over": "between games"}

HEADER = ("Game", "Table", "Host", "Seats", "State")
SEARCHING = "Looking for tables on this network…\n"  # as many lines as the next, so that nothing moves
NOBODY = (
    "Nobody is hosting a table yet. New ones appear here by themselves.\n"
    "Some networks do not carry the news: then type the address of a table."
)


class Rows(Listing):
    """One of the two lists: a first click shows what a row is, a second one opens it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "open", key_display="Enter")]

    class Passed(Message):
        """The cursor goes on beyond an end of the list.

        down: beyond the last row, else beyond the first
        """

        def __init__(self, rows: Rows, down: bool) -> None:
            super().__init__()
            self.rows, self.down = rows, down

    def action_cursor_up(self) -> None:
        if self.highlighted == 0:
            self.post_message(self.Passed(self, down=False))
        else:
            super().action_cursor_up()

    def action_cursor_down(self) -> None:
        if self.highlighted == self.option_count - 1:
            self.post_message(self.Passed(self, down=True))
        else:
            super().action_cursor_down()

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        index = event.style.meta.get("option")
        if index is None:
            return
        again = index == self.highlighted or self.options[index].id in ACTIONS
        self.highlighted = index
        if again:
            self.action_select()


class Tables(Rows):
    """As many as there is room for above the other ways on; the rest is scrolled to."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        room = container.height - len(ACTIONS)
        return min(super().get_content_height(container, viewport, width), max(1, room))


class Lobby(Screen[None]):
    """Where the program opens, and where everybody comes back to."""

    app: WuerfelApp

    DEFAULT_CLASSES = "-normal -medium"  # of 80 by 24: most terminals need not be styled twice
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", "watch", show=False),  # named where a table is described
        Binding("h", "open('host')", "host"),
        Binding("p", "open('play')", "play here"),
        Binding("a", "open('address')", "address"),
        Binding("n", "name", "name", tooltip="What the others call you"),
        Binding("question_mark", "rules", "rules", key_display="?"),
        Binding("t", "app.next_theme", "colours", tooltip="Dark, light, or the terminal's own"),
        Binding("q", "app.quit", "quit"),
        Binding("tab,shift+tab", "other_list", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, FoundTable] = {}
        self._looking: Worker[None] | None = None
        self._patience: Timer | None = None
        self._touched = False
        self._why_empty = SEARCHING

    def compose(self) -> ComposeResult:
        yield TitleLine("Würfel")
        yield WordOnDice("WÜRFEL", "a dice table for the terminal", id="logo")
        yield Static(explained(SEARCHING), id="heading")
        with Vertical(id="lists"):
            yield Tables(id="rows")
            yield Rows(*action_rows(), id="actions")
        yield Static(action_preview("host"), id="preview")
        yield Static(id="notice")
        yield KeyLine()

    def on_mount(self) -> None:
        self._choose(self._actions, 0)

    @property
    def _tables(self) -> Rows:
        return self.query_one("#rows", Rows)

    @property
    def _actions(self) -> Rows:
        return self.query_one("#actions", Rows)

    @property
    def chosen(self) -> str | None:
        """The table or the way that the cursor is on."""
        rows = self._tables if self._tables.highlighted is not None else self._actions
        option = rows.highlighted_option
        return option.id if option else None

    def _choose(self, rows: Rows, index: int) -> None:
        """One cursor for both lists."""
        rows.highlighted = index
        rows.focus(scroll_visible=False)

    @on(Rows.Passed)
    def go_on(self, message: Rows.Passed) -> None:
        rows = self._actions if message.rows is self._tables or not self.found else self._tables
        self._choose(rows, 0 if message.down else rows.option_count - 1)

    def action_other_list(self) -> None:
        if self.found:
            self._choose(self._actions if self._tables.highlighted is not None else self._tables, 0)

    # --- looking around ----------------------------------------------------------------------------------------------

    def on_screen_resume(self) -> None:
        self._touched = False
        self.call_after_refresh(self._begin_to_look)

    def on_screen_suspend(self) -> None:
        if self._looking is not None and not isinstance(self.app.screen, ModalScreen):
            self._looking.cancel()

    def _begin_to_look(self) -> None:
        if self.is_current and (self._looking is None or self._looking.is_finished):
            self._looking = self.look_around()

    @work(exclusive=True)
    async def look_around(self) -> None:
        from protocol.errors import Fault

        self._explain(SEARCHING)
        if self._patience is not None:
            self._patience.stop()
        self._patience = self.set_timer(PATIENCE, self._give_up_searching)
        try:
            async for tables in self.app.services.browse():
                self.show_tables(tables)
        except Fault as fault:
            self._explain(f"{fault.sentence}\nType the address of a table.")

    def _give_up_searching(self) -> None:
        if self._why_empty == SEARCHING:
            self._explain(NOBODY)

    def _explain(self, text: str) -> None:
        self._why_empty = text
        if not self.found:
            self.query_one("#heading", Static).update(explained(text))

    def show_tables(self, tables: Sequence[FoundTable]) -> None:
        """The tables there are now."""
        first = not self.found and bool(tables)
        self.found = {table.id: table for table in sorted(tables, key=lambda table: not table.host)}
        self._fill()
        # The first table is what most people came for; who has begun to choose is left alone.
        if first and not self._touched:
            self._choose(self._tables, 0)

    def on_key(self) -> None:
        self._touched = True

    # --- what is shown -----------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        if self.found:
            self.call_after_refresh(self._fill)  # the list knows its new width then

    def _fill(self) -> None:
        rows, chosen = self._tables, self._tables.highlighted_option
        texts = [table_cells(table) for table in self.found.values()]
        widths = columns(
            [row[0] for row in (HEADER, *texts)], max(40, self._actions.scrollable_content_region.width - 2)
        )
        tables = [Option(cells(row, widths), id=key) for key, row in zip(self.found, texts, strict=True)]
        rows.set_options(tables)
        rows.display = bool(tables)
        ids = [option.id for option in tables]
        if chosen is not None and tables:
            rows.highlighted = ids.index(chosen.id) if chosen.id in ids else 0
        elif chosen is not None:
            self._choose(self._actions, 0)
        heading = cells(HEADER, widths).stylize("bold $key") if tables else explained(self._why_empty)
        self.query_one("#heading", Static).update(heading)

    @on(OptionList.OptionHighlighted)
    def show_preview(self, event: OptionList.OptionHighlighted) -> None:
        key = event.option_id or ""
        for rows in (self._tables, self._actions):
            if rows is not event.option_list:
                rows.highlighted = None
        table = self.found.get(key)
        content = table_preview(table) if table else action_preview(key)
        preview = self.query_one("#preview", Static)
        if content != preview.content:
            preview.update(content)

    def say(self, sentence: str) -> None:
        """One line, until the next."""
        self.query_one("#notice", Static).update(Content(sentence))

    # --- the ways on -------------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def opened(self, event: OptionList.OptionSelected) -> None:
        self.action_open(event.option_id)

    def action_open(self, key: str | None = None) -> None:
        self.say("")
        if key == "address":
            self.app.join("")
        elif key in ACTIONS:
            from wuerfel_tui.screens.host_form import HostFormScreen

            self.app.push_screen(HostFormScreen(private=key == "play"))
        elif key in self.found:
            self._join(self.found[key])

    def action_watch(self) -> None:
        chosen = self.chosen
        if chosen in self.found:
            self._join(self.found[chosen], seats=0)
        else:
            self.say("Watching needs a table: choose one of the list, or type an address.")

    def _join(self, table: FoundTable, seats: int | None = None) -> None:
        self.app.join(table.addresses, seats)

    def action_name(self) -> None:
        self.app.ask_name()

    def action_rules(self) -> None:
        from wuerfel_tui.games import GAMES
        from wuerfel_tui.screens.rules import RulesScreen

        table = self.found.get(self.chosen or "")
        known = table.game if table and table.game in GAMES else next(iter(GAMES))
        self.app.push_screen(RulesScreen(known))


# --- rows and previews ----------------------------------------------------------------------------------------------


def explained(text: str) -> Content:
    """In place of tables, why there are none."""
    return Content.assemble(("Tables on this network", "bold $key"), "\n", (text, "$quiet"), "\n")


def columns(titles: Sequence[str], width: int) -> tuple[int, ...]:
    """The widths of game, table, host, seats and state: titles whole where there is room, the rest for the names."""
    seats, state, least = 7, 14, 24
    game = min(max(len(text) for text in titles) + 2, width - seats - state - least)
    rest = width - game - seats - state
    host = min(max(rest * 2 // 5, len(EMPTY_HOUSE) + 1), rest // 2)
    return game, rest - host, host, seats, state


def cells(texts: Sequence[str], widths: Sequence[int]) -> Content:
    return Content("").join(
        Content(text).truncate(width - 1, ellipsis=True, pad=True) + " "
        for text, width in zip(texts, widths, strict=True)
    )


def table_cells(table: FoundTable) -> tuple[str, ...]:
    state = STATES.get(table.state, table.state) + (", PIN" if table.pin else "")
    return title(table.game), table.name, table.host or EMPTY_HOUSE, f"{table.taken}/{table.seats}", state


def action_rows() -> list[Option]:
    """A row for each way on, with its key."""
    return [
        Option(Content.assemble(label.ljust(26), (key, "bold")), id=name)
        for name, (label, key, _) in ACTIONS.items()
    ]


def table_preview(table: FoundTable) -> Content:
    """Everything about a table, and what Enter does there."""
    from protocol.messages import PROTOCOL

    free = table.seats - table.taken
    seats = "●" * table.taken + "○" * free
    left = "no seat is free" if not free else "one seat is free" if free == 1 else f"{free} seats are free"
    does = "Enter: sit down   w: watch" if free and table.state != "playing" else "w: watch"
    if table.protocol != PROTOCOL:
        does = "It is of another version of this program, and so cannot be joined from here."
    pin = "   asks for a PIN" if table.pin else ""
    return Content.assemble(
        (table.name, "bold $key"),
        ("   hosted by " if table.host else f"   {EMPTY_HOUSE}", "$quiet"),
        table.host,
        "\n",
        title(table.game),
        "\n",
        (seats, "$key"),
        f"  {left}{pin}",
        "\n",
        ("  ".join(table.addresses[:2]), "$quiet"),
        "\n",
        (does, "bold"),
    )


def action_preview(key: str) -> Content:
    label, letter, text = ACTIONS[key]
    return Content.assemble((label, "bold $key"), "\n", text, "\n", (f"Enter or {letter}", "bold"))


def title(game: str) -> str:
    """The game's title; for one that is not known here, its key."""
    from wuerfel_tui.games import GAMES

    return GAMES[game].title if game in GAMES else game
