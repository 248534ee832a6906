"""What all boards are drawn with: the canvas sends only what changed, and every colour can be read."""

from __future__ import annotations

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.geometry import Region, Size

from tests.boards.stage import text
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.choices import Choice, Choices
from wuerfel_tui.widgets.dice import DiceRow, Die, die_size
from wuerfel_tui.widgets.palette import ASCII, LETTERS, UNICODE, Depth, Look

GREEN, RED = Style(color="white", bgcolor="green"), Style(color="black", bgcolor="red")


def canvas(*words: tuple[int, int, str, Style]) -> Canvas:
    drawn = Canvas(10, 3, GREEN)
    for x, y, word, style in words:
        drawn.text(x, y, word, style)
    return drawn


# The canvas


def test_only_what_changed_is_repainted():
    before = canvas((1, 0, "abc", GREEN), (1, 2, "abc", GREEN))
    after = canvas((1, 0, "axc", GREEN), (1, 2, "xby", GREEN))
    assert after.changes(before) == [Region(2, 0, 1, 1), Region(1, 2, 3, 1)]
    assert after.changes(after) == []


def test_a_change_of_style_alone_is_a_change():
    assert canvas((0, 1, "a", RED)).changes(canvas((0, 1, "a", GREEN))) == [Region(0, 1, 1, 1)]


def test_what_does_not_fit_is_cut_off():
    drawn = canvas((8, 0, "abc", GREEN), (-1, 1, "abc", GREEN), (0, 7, "abc", GREEN))
    assert [drawn.strip(y).text for y in range(3)] == ["        ab", "bc        ", "          "]


def test_wide_letters_take_two_cells_and_are_never_cut_in_half():
    drawn = canvas((7, 0, "山田", GREEN), (0, 1, "山", GREEN))
    assert drawn.strip(0).cell_length == 10
    assert drawn.strip(0).text == "       山 "
    assert [x for x in range(4) if drawn.cells[1][x][0] == ""] == [1]


def test_a_mark_without_width_joins_its_letter():
    assert canvas((0, 0, "e\u0301a", GREEN)).strip(0).text == "e\u0301a        "


def test_blanks_join_their_neighbours_whatever_their_ink():
    bold = Style(color="white", bgcolor="green", bold=True)
    assert len(list(canvas((2, 0, "a", bold), (5, 0, "b", bold)).strip(0))) == 1
    assert len(list(canvas((2, 0, "a", RED)).strip(0))) == 3


class Counter(Picture):
    """Draws a number, and counts how often a line was asked for."""

    number = 1
    lines = 0

    def draw(self, canvas: Canvas, look: Look) -> None:
        canvas.text(0, 0, str(self.number), look.style("text"))

    def render_line(self, y: int):
        self.lines += 1
        return super().render_line(y)


class Shows(App[None]):
    def __init__(self, *pictures: Picture | DiceRow) -> None:
        super().__init__()
        self.pictures = pictures

    def compose(self) -> ComposeResult:
        yield from self.pictures


async def test_nothing_is_drawn_where_nothing_changed():
    counter = Counter()
    async with Shows(counter).run_test(size=(20, 5)) as pilot:
        counter.lines = 0
        counter.repaint()
        await pilot.pause()
        assert counter.lines == 0
        counter.number = 2
        counter.repaint()
        await pilot.pause()
        assert counter.lines == 1


async def test_another_theme_repaints_in_its_colours():
    counter = Counter()
    async with Shows(counter).run_test(size=(20, 5)) as pilot:
        before = counter.render_line(0)
        pilot.app.theme = "textual-light"
        await pilot.pause()
        assert counter.render_line(0) != before


# Colours


def contrast(look: Look, ink: str, on: str) -> float:
    one, other = sorted(_brightness(look.css(name)) for name in (ink, on))
    return (other + 0.05) / (one + 0.05)


def _brightness(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [part / 255 for part in Color.parse(colour).rgb]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


GROUNDS = ("ivory", "wood", "select", *LETTERS)
PAIRS = [
    *(
        (ink, on)
        for on in ("felt", "lane")
        for ink in ("text", "muted", "accent", "warn", *(f"{c}~" for c in LETTERS))
    ),
    *((f"{on}.", on) for on in GROUNDS),
    *((f"{on}-", on) for on in ("ivory", "wood", "select")),
]


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("depth", ["true", "256"])
@pytest.mark.parametrize(("ink", "on"), PAIRS)
def test_every_ink_can_be_read_on_its_ground(depth: Depth, dark: bool, ink: str, on: str):
    assert contrast(Look(depth, dark, UNICODE), ink, on) >= 4.5


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("depth", ["true", "256", "16"])
def test_six_colours_are_six_colours_and_none_is_that_of_the_choice(depth: Depth, dark: bool):
    look = Look(depth, dark, UNICODE)
    assert len({look.css(name) for name in (*LETTERS, "select", "felt")}) == 8


@pytest.mark.parametrize("dark", [True, False])
def test_without_colour_solid_things_are_reversed_and_have_no_colour(dark: bool):
    style = Look("none", dark, UNICODE).style("R.", "R")
    assert (style.reverse, style.color, style.bgcolor) == (True, None, None)


def test_ascii_signs_are_ascii_and_every_sign_is_one_cell():
    assert all(sign.isascii() for sign in ASCII if isinstance(sign, str))
    for glyphs in (ASCII, UNICODE):
        assert all(len(sign) == 1 for sign in glyphs if isinstance(sign, str))


# Dice


def test_dice_are_as_large_as_the_space_allows():
    assert die_size("RYGBLW", 7, Size(46, 4)) == Size(5, 3)
    assert die_size("RYGBLW", 7, Size(80, 6)) == Size(9, 5)
    assert die_size("123456", 3, Size(46, 4)) == Size(7, 3)


async def test_pips_lie_as_on_any_die():
    row = DiceRow(2, "123456", motion=False)
    row.show([Die("5"), Die("6")])
    async with Shows(row).run_test(size=(40, 4)):
        lines = [line.split("  ") for line in text(row).split("\n")]
        assert "\n".join(text(row.views[0]).split("\n")[:3]) == " ●   ●  \n   ●    \n ●   ●  "
        assert text(row.views[1]).split("\n")[:3] == [" ●   ●  "] * 3
        assert lines


async def test_dice_that_are_not_there_are_not_drawn():
    row = DiceRow(3, "RYGBLW", motion=False)
    row.show([Die("R", "R"), Die("", state="gone")])
    async with Shows(row).run_test(size=(40, 4)):
        assert "R" in text(row.views[0])
        assert "·" in text(row.views[1])
        assert text(row.views[2]).strip() == ""


# The list


async def test_a_long_list_follows_its_cursor():
    listed = Choices()
    listed.show("Which?", [Choice(f"number {n}") for n in range(20)], 15, "A sentence about it.")
    async with Shows(listed).run_test(size=(30, 6)):
        shown = text(listed)
        assert "number 15" in shown
        assert "A sentence" in shown
        assert "number 1\n" not in shown


@pytest.mark.parametrize("depth", ["16", "own"])
@pytest.mark.parametrize("dark", [True, False])
def test_of_sixteen_colours_red_is_red_and_what_is_kept_or_chosen_is_not(depth: Depth, dark: bool):
    look = Look(depth, dark, UNICODE)

    def sent(ink: str, ground: str = "lane") -> tuple[int | None, int | None]:
        style = look.style(ink, ground)
        assert style.color
        assert style.bgcolor
        colours = (style.color, style.bgcolor)
        ink_sent, ground_sent = (colour.downgrade(ColorSystem.STANDARD).number for colour in colours)
        return ink_sent, ground_sent

    reds, magentas = (1, 9), (5, 13)
    assert sent("R.", "R")[1] in reds
    assert sent("R~")[0] in reds
    assert sent("select.", "select")[1] in magentas
    assert sent("accent")[0] in magentas
