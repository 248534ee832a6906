"""What holds for the whole program: colours, characters, motion, settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.screens.inn import Inn, found, shown, until, until_shown
from wuerfel_tui.app import WuerfelApp, speaks_utf8
from wuerfel_tui.services import Services, Settings, seats_for
from wuerfel_tui.widgets.plain import ascii_like


@pytest.mark.parametrize(
    ("environment", "theme"),
    [
        ({}, "felt-dark"),
        ({"COLORTERM": "", "TERM": "xterm-256color"}, "felt-dark"),
        ({"COLORTERM": "", "TERM": "xterm"}, "ansi-dark"),
        ({"NO_COLOR": "1"}, "ansi-dark"),
        ({"TEXTUAL_THEME": "ansi-light"}, "ansi-light"),
        ({"TEXTUAL_THEME": "no-such-theme"}, "felt-dark"),
    ],
)
async def test_the_colours_suit_the_terminal(
    inn: Inn, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], theme: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    app = WuerfelApp(inn)
    async with app.run_test():
        assert app.theme == theme


async def test_no_color_leaves_no_colour(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    inn.on_network(found())
    app = WuerfelApp(inn)
    async with app.run_test() as pilot:
        await until_shown(pilot, "Kitchen")
        styles = [
            segment.style
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style
        ]
        assert not any(style.color and not style.color.is_default for style in styles)
        assert not any(style.bgcolor and not style.bgcolor.is_default for style in styles)
        assert any(style.reverse for style in styles)  # the chosen row


async def test_ascii_is_nothing_but_ascii(inn: Inn, picture: SnapshotAssertion) -> None:
    inn.on_network(found("Großmutters Küche", host="骰子"))
    app = WuerfelApp(inn, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Grosmutters Kuche" in shown(app))
        assert shown(app).isascii()
        assert app.export_screenshot() == picture


def test_a_character_is_replaced_by_one_as_wide() -> None:
    assert ascii_like("╭─ Würfel · 骰 ▸●○ ─╮") == "+- Wurfel . ?? >*o -+"
    assert ascii_like("🎲é̈…") == "??e."


@pytest.mark.parametrize(
    ("environment", "answer"),
    [
        ({}, True),
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.utf8@euro"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, False),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, False),  # Python itself has set the former
    ],
)
def test_the_locale_says_whether_there_is_more_than_ascii(environment: dict[str, str], answer: bool) -> None:
    assert speaks_utf8(environment) is answer


def test_motion_is_off_by_argument_or_environment(inn: Inn) -> None:
    assert WuerfelApp(inn).motion is True
    assert WuerfelApp(inn, motion=False).motion is False
    assert WuerfelApp(inn, motion=False).animation_level == "none"


# --- settings ---


def test_settings_are_kept_and_forgiving(tmp_path: Path) -> None:
    services = Services(home=tmp_path / "new")
    assert services.load_settings() == Settings()
    services.save_settings(Settings("Anna & Ben", "felt-light", "gigi"))
    assert services.load_settings() == Settings("Anna & Ben", "felt-light", "gigi")
    (tmp_path / "new" / "settings.json").write_text('{"name": "Cleo", "later": 1}')
    assert services.load_settings() == Settings("Cleo")
    for rubbish in ("", "[1]", '"x"', "{", '{"name": {}}'):
        (tmp_path / "new" / "settings.json").write_text(rubbish)
        services.load_settings()


@pytest.mark.parametrize(
    ("name", "seats"), [("Anna", 1), ("Anna & Ben", 2), ("Anna, Ben", 2), ("Anna &", 1), ("", 1)]
)
def test_a_name_says_how_many_sit_there(name: str, seats: int) -> None:
    assert seats_for(name) == seats
