"""The rules of a game, to be read."""

from __future__ import annotations

from importlib.resources import files
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Markdown

from wuerfel_tui.widgets.foot import KeyLine
from wuerfel_tui.widgets.title import TitleLine


class RulesScreen(Screen[None]):
    """The rules page of one game; the others are a key away.

    game: its key
    """

    CSS_PATH = "rules.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next_game", "next game", priority=True),
        Binding("escape,q,question_mark", "dismiss", "back", key_display="Esc"),
    ]

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        yield TitleLine()
        with VerticalScroll(id="page"):
            yield Markdown(rules_page(self.game), open_links=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self._show_title()

    def _show_title(self) -> None:
        from wuerfel_tui.games import GAMES

        self.query_one(TitleLine).show(
            Content.assemble((GAMES[self.game].title, "bold"), " · rules"), Content("")
        )

    async def action_next_game(self) -> None:
        from wuerfel_tui.games import GAMES

        keys = list(GAMES)
        at = keys.index(self.game) if self.game in keys else -1
        self.game = keys[(at + 1) % len(keys)]
        await self.query_one(Markdown).update(rules_page(self.game))
        self.query_one("#page").scroll_home(animate=False)
        self._show_title()


def rules_page(game: str) -> str:
    """The Markdown of a game's rules; a word instead if there is none."""
    page = files("wuerfel_tui") / "rules" / f"{game}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else "There is no page for this game."
