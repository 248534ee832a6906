"""A registered game is whole: docs/adding-a-game.md lists what belongs to it, and nothing of that may be missing."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from wuerfel_tui.boards import BOARDS
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games import GAMES

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_its_bots(game: str) -> None:
    assert {"random", "easy"} <= set(BOTS[game])


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_its_board(game: str) -> None:
    assert BOARDS[game].key == game == GAMES[game].key


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_rules_page_that_tells_its_keys(game: str) -> None:
    page = (files("wuerfel_tui") / "rules" / f"{game}.md").read_text("utf-8")
    assert page.startswith(f"# {GAMES[game].title}\n")
    assert "## Keys" in page


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_golden_playthrough(game: str) -> None:
    assert (ROOT / "tests" / "games" / "playthroughs" / f"{game}.txt").is_file()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", ["80x24", "120x40"])
def test_a_game_has_its_pictures(game: str, size: str) -> None:
    assert (ROOT / "screenshots" / f"{game}-{size}.svg").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_a_games_rulings_are_written_down(game: str) -> None:
    assert f"\n## {GAMES[game].title}" in (ROOT / "docs" / "rulings.md").read_text("utf-8")
