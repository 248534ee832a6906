"""The program with a face: which screens there are, in which colours, and how it is left."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.theme import Theme

from wuerfel_tui.departure import leave_on_signals, terminal_attributes
from wuerfel_tui.screens.lobby import Lobby
from wuerfel_tui.services import Services
from wuerfel_tui.theme import TERMINAL, THEMES, felt

if TYPE_CHECKING:
    from wuerfel_tui.client import Client
    from wuerfel_tui.setup import Guest, Setup


KEY_NAMES = {"enter": "Enter", "space": "Space", "backspace": "Backspace", "escape": "Esc", "tab": "Tab"}
"""As they are printed on keyboards, not as signs that some fonts lack."""


class WuerfelApp(App[None]):
    """The whole program.

    services: what the screens need of the world outside
    start: a table to join or to host at once; None: the lobby
    motion: whether anything may move; also off where TEXTUAL_ANIMATIONS is none
    ascii: whether to do with ASCII characters; also chosen where the locale is not UTF-8
    """

    TITLE = "wuerfel"
    CSS_PATH = "styles.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-medium"), (34, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", "Leave", show=False, priority=True),
        Binding("t", "next_theme", "Colours", show=False),
    ]

    def __init__(
        self,
        services: Services,
        *,
        start: Guest | Setup | None = None,
        motion: bool = True,
        ascii: bool = False,
    ) -> None:
        # The terminal's own colours are the only ones that NO_COLOR can take away without a rest of grey.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.services = services
        self.settings = services.load_settings()
        for dark in (True, False):
            self.register_theme(Theme(**felt(dark)))
        # Before anything is shown: a theme that changes later has all style sheets read again.
        self.set_reactive(App.theme, self._first_theme())
        self.stylesheet.set_variables(self.get_css_variables())
        self.start = start
        self.ascii = ascii or not speaks_utf8(os.environ)
        self.motion = motion and self.animation_level != "none"
        if not motion:
            self.animation_level = "none"
        self.client: Client | None = None
        self._filters_for_ascii: list[LineFilter] = []
        self._terminal = terminal_attributes()  # as it is before Textual sets it its own way

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return TERMINAL

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._filters_for_ascii]

    def get_key_display(self, binding: Binding) -> str:
        return binding.key_display or KEY_NAMES.get(binding.key) or super().get_key_display(binding)

    def get_default_screen(self) -> Lobby:
        return Lobby()

    def on_mount(self) -> None:
        if self.ascii:
            from wuerfel_tui.widgets.plain import AsciiFilter

            self._filters_for_ascii.append(AsciiFilter())
            self.add_class("-ascii")
        if not self.is_headless:
            leave_on_signals(self.exit, self._terminal)
        if self.start is not None:
            self.call_after_refresh(self._open, self.start)

    def _first_theme(self) -> str:
        asked = os.environ.get("TEXTUAL_THEME", self.settings.theme)
        if self.no_color or self.console.color_system not in ("256", "truecolor"):
            return asked if asked.startswith("ansi-") else "ansi-dark"
        return asked if asked in self.available_themes else "felt-dark"

    def _open(self, start: Guest | Setup) -> None:
        from wuerfel_tui.setup import Guest

        if not isinstance(start, Guest):
            self.host(start)
            return
        if start.name:
            self.remember(name=start.name)
        # One seat is what is asked for by default: the name may still say two.
        self.join(start.table, None if start.seats == 1 else start.seats, start.pin)

    # --- settings ----------------------------------------------------------------------------------------------------

    def action_next_theme(self) -> None:
        at = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(at + 1) % len(THEMES)]
        self.remember(theme=self.theme)

    def remember(self, **changes: str) -> None:
        """Keeps a setting; a folder that cannot be written is worth a word, no more."""
        settings = self.settings._replace(**changes)
        if settings == self.settings:
            return
        self.settings = settings
        try:
            self.services.save_settings(settings)
        except OSError as error:
            reason = error.strerror or "the folder cannot be written"
            self.notify(f"This is not remembered for next time: {reason}.", markup=False)

    # --- tables ------------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="door")
    async def join(
        self, where: str | Sequence[str] | None, seats: int | None = None, pin: str | None = None
    ) -> None:
        """Goes to a table, asking on the way for what is missing; arguments as for `Services.join`."""
        from wuerfel_tui.screens.door import come_in

        await come_in(self, where, seats, pin)

    @work(exclusive=True, group="door")
    async def host(self, setup: Setup) -> None:
        """Sets a table up and goes there."""
        from wuerfel_tui.screens.door import set_up

        await set_up(self, setup)

    @work(exclusive=True, group="door")
    async def ask_name(self) -> None:
        """Asks who sits at this keyboard."""
        from wuerfel_tui.screens.door import ask_name

        await ask_name(self)

    def say(self, sentence: str) -> None:
        """One line on the screen that is open, until the next."""
        say = getattr(self.screen, "say", None)
        if say is not None:
            say(sentence)

    def say_in_lobby(self, sentence: str) -> None:
        """The same for whoever comes back there."""
        lobby = self.screen_stack[0]
        if isinstance(lobby, Lobby):
            lobby.say(sentence)

    # --- the end -----------------------------------------------------------------------------------------------------

    async def action_quit(self) -> None:
        """Leaves the table, if there is one, and the program."""
        if self.client is not None:
            with contextlib.suppress(Exception):  # whatever the line says: we are leaving
                await asyncio.wait_for(self.client.leave(), 1)
        self.exit()


def run(start: Guest | Setup | None, *, interfaces: Sequence[str], motion: bool, ascii_only: bool) -> int:
    """Opens the screens; the exit code when they are closed."""
    services = Services(interfaces)
    log_to_file(services.home / "wuerfel.log")
    app = WuerfelApp(services, start=start, motion=motion, ascii=ascii_only)
    app.run()
    return app.return_code or 0


def log_to_file(path: Path) -> None:
    """What goes wrong is written there, for whoever looks for a mistake; on stderr it would spoil the screen."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.FileHandler(path, encoding="utf-8", delay=True)
    except OSError:
        handler = logging.NullHandler()
    logging.basicConfig(handlers=[handler], format="%(asctime)s %(name)s: %(message)s")


def speaks_utf8(environ: Mapping[str, str]) -> bool:
    """Whether the locale promises a terminal that knows more than ASCII; where nothing is said, yes."""
    if os.name == "nt":
        return True
    named = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "C.UTF-8"
    # Python itself sets LC_CTYPE to C.UTF-8 where the locale is plain C (PEP 538); what LANG says counts then.
    if named == "C.UTF-8" and not environ.get("LC_ALL"):
        named = environ.get("LANG") or named
    return named.replace("-", "").lower().endswith("utf8") or "utf8@" in named.replace("-", "").lower()
