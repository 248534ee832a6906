"""One form for a table: every field has a sensible value, and Enter sets it up from wherever one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from wuerfel_tui.bots import BOTS
from wuerfel_tui.games import GAMES
from wuerfel_tui.screens.options import TextField, YesNoField, convert_options, option_fields
from wuerfel_tui.screens.people import name_problem
from wuerfel_tui.services import seats_for
from wuerfel_tui.setup import Setup, login_name
from wuerfel_tui.widgets.foot import KeyLine
from wuerfel_tui.widgets.picker import Pick, Picker
from wuerfel_tui.widgets.press import Press
from wuerfel_tui.widgets.quiet import QuietScreen
from wuerfel_tui.widgets.title import TitleLine

if TYPE_CHECKING:
    from wuerfel_tui.app import WuerfelApp

HELP = {
    "game": "Which game is played. ? shows its rules.",
    "person": "The name that the others see. Two people at this keyboard: Anna & Ben.",
    "table": "What others see in their list, and what they type: wuerfel join …",
    "seats": "How many can sit down, you and the bots included.",
    "bots": "Seats that bots take at once; more can be added while you wait.",
    "level": "How well they play.",
    "pin": "Guests have to know it; empty for a table that is open to everybody on this network.",
    "first": "Who begins.",
    "more": "How this game is played here.",
}


class Row(Horizontal):
    """A label and its field."""

    def __init__(self, label: str, field: Widget, *, id: str | None = None, classes: str = "") -> None:
        super().__init__(id=id, classes=classes)
        self.label, self.field = label, field

    def compose(self) -> ComposeResult:
        yield Static(Content(self.label), classes="label")
        yield self.field


class HostFormScreen(QuietScreen):
    """Host a table on this network, or play on this machine alone.

    private: the latter: fewer fields, bots on all other seats
    """

    app: WuerfelApp

    CSS_PATH = "host_form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "set it up", priority=True),
        Binding("up", "app.focus_previous", "fields", key_display="↑↓", priority=True),
        Binding("down", "app.focus_next", show=False, priority=True),
        Binding("question_mark", "rules", "rules", key_display="?"),
        Binding("escape", "dismiss", "back"),
    ]

    def __init__(self, private: bool = False) -> None:
        super().__init__()
        self.private = private

    # --- the form ----------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        person = self.app.settings.name or login_name()
        # Of long titles the beginning, so that all are on one line.
        games = [Pick(key, rules.title.partition(" am ")[0]) for key, rules in GAMES.items()]
        yield TitleLine("Play here against bots" if self.private else "Host a table")
        with VerticalScroll(id="form", can_focus=False):
            yield Row("Game", Picker(games, self.app.settings.game, id="game"))
            yield Row("Your name", text_field("person", person))
            if not self.private:
                yield Row("Table", text_field("table", table_name(person)))
            yield Row("Players" if self.private else "Seats", Picker([Pick(0, "")], id="seats"))
            if not self.private:
                yield Row("Bots", Picker([Pick(0, "")], id="bots"))
            yield Row("They play", Picker([Pick("", "")], id="level"))
            if not self.private:
                yield Row("PIN", text_field("pin", "", "none"))
            yield Row("Begins", Picker([Pick(None, "")], id="first"), id="first-row")
            yield Row(
                "Rules", Picker([Pick(False, "as usual"), Pick(True, "change")], id="more"), id="more-row"
            )
            yield Vertical(id="options")
        yield Static(id="help", markup=False)
        with Horizontal(id="buttons"):
            yield Press("Enter", "play" if self.private else "set it up", id="yes")
            yield Press("Esc", "back", id="no")
        yield Static(id="notice", markup=False)
        yield KeyLine()

    async def on_mount(self) -> None:
        await self.follow_game()
        self.query_one("#game").focus()

    @on(Picker.Changed, "#game")
    async def follow_game(self) -> None:
        """Another game has other seats, bots and options."""
        rules = GAMES[self._value("game")]
        most = rules.seats[-1]
        self._picker("seats").offer([Pick(count, str(count)) for count in rules.seats], min(4, most))
        levels = [level for level in BOTS[rules.key] if level != "random"] + ["random"]
        self._picker("level").offer([Pick(level, level) for level in levels], "easy")
        fields = option_fields(rules)
        options = self.query_one("#options")
        await options.remove_children()
        await options.mount_all(Row(field.label, field.widget(), classes="option") for field in fields)
        self.query_one("#more-row").display = bool(fields)
        self.query_one("#first-row").display = "first" in rules.Options.__struct_fields__
        self.follow_more()
        self.follow_seats()

    @on(Picker.Changed, "#seats")
    def follow_seats(self) -> None:
        """Bots and the one who begins are among those who sit there."""
        seats, people = self._value("seats"), self._people()
        if not self.private:
            counts = range(max(0, seats - people) + 1)
            bots = min(self._value("bots"), counts[-1])
            self._picker("bots").offer([Pick(count, str(count or "none")) for count in counts], bots)
        names = [part.strip() for part in self._text("person").replace("&", ",").split(",")]
        labels = [
            names[seat] if seat < min(people, len(names)) else f"seat {seat + 1}" for seat in range(seats)
        ]
        begins = [Pick(None, "the dice say"), *(Pick(seat, label) for seat, label in enumerate(labels))]
        self._picker("first").offer(begins, self._value("first"))

    @on(Picker.Changed, "#more")
    def follow_more(self) -> None:
        self.query_one("#options").display = self._value("more")

    @on(Input.Changed, "#person")
    def follow_person(self) -> None:
        if not self.private and self._table_is_ours:
            self.query_one("#table", Input).value = table_name(self._text("person"))
        self.follow_seats()

    _table_is_ours = True
    """Whether the table's name is still the one that we made up."""

    @on(Input.Changed, "#table")
    def keep_table(self, event: Input.Changed) -> None:
        self._table_is_ours = event.value == table_name(self._text("person"))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        widget = event.widget
        help = (
            widget.field.help if isinstance(widget, YesNoField | TextField) else HELP.get(widget.id or "", "")
        )
        self.query_one("#help", Static).update(Content(help))

    # --- what is in it -----------------------------------------------------------------------------------------------

    def _picker(self, id: str) -> Picker:
        return self.query_one(f"#{id}", Picker)

    def _value(self, id: str) -> Any:
        return self._picker(id).value

    def _text(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def _people(self) -> int:
        return seats_for(self._text("person"))

    def setup(self) -> Setup:
        """The table that is wanted; `ValueError` with a sentence if it cannot be."""
        rules, seats, person = GAMES[self._value("game")], self._value("seats"), self._text("person")
        if problem := name_problem(person):
            raise ValueError(problem)
        people = self._people()
        if people > seats:
            raise ValueError(f"{people} people do not fit on {seats} seats.")
        options = convert_options(rules, seats, dict(self._options()))
        common = Setup(rules.key, "Practice", size=seats, level=self._value("level"), options=options)
        if self.private:
            return replace(common, bots=seats - people, interfaces=("127.0.0.1",), announced=False)
        return replace(
            common,
            name=self._text("table") or table_name(person),
            bots=self._value("bots"),
            pin=self._text("pin") or None,
            interfaces=self.app.services.interfaces,
        )

    def _options(self) -> Iterator[tuple[str, Any]]:
        if self.query_one("#first-row").display and self._value("first") is not None:
            yield "first", self._value("first")
        if self._value("more"):
            for row in self.query("Row.option").results(Row):
                if isinstance(row.field, YesNoField | TextField):
                    yield row.field.field.name, row.field.read()

    # --- the ways on -------------------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """One line, until the next."""
        self.query_one("#notice", Static).update(Content(sentence))

    def action_submit(self) -> None:
        try:
            setup = self.setup()
        except ValueError as error:
            self.say(str(error))
            return
        self.app.remember(name=self._text("person"), game=setup.game)
        self.app.host(setup)

    @on(Button.Pressed, "#yes")
    def pressed_yes(self) -> None:
        self.action_submit()

    @on(Button.Pressed, "#no")
    def pressed_no(self) -> None:
        self.dismiss()

    def action_rules(self) -> None:
        from wuerfel_tui.screens.rules import RulesScreen

        self.app.push_screen(RulesScreen(self._value("game")))


def text_field(id: str, value: str, hint: str = "") -> Input:
    field = Input(value, placeholder=hint, id=id, compact=True)
    field.cursor_blink = False  # nothing is written while nothing happens
    return field


def table_name(person: str) -> str:
    first = person.replace("&", ",").split(",")[0].strip()
    return f"{first}'s table" if first else "The table"
