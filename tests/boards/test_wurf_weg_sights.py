"""How the board of Wurf & Weg looks in every phase, on a small and a large screen, with any number of players."""

from __future__ import annotations

from unicodedata import east_asian_width

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion
from textual.geometry import Region

from tests.boards.race_stage import (
    CAT,
    CLOVER,
    CLOVER_PIG,
    COIN,
    HAND,
    HORSESHOE,
    NAMES,
    PIG,
    SMALL,
    Race,
    player,
)
from tests.boards.stage import text
from wuerfel_tui.boards.wurf_weg import WurfWegBoard
from wuerfel_tui.games.wurf_weg_parts import BLANK, SYMBOLS, Options, Roll, State
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.lucky import LUCKY
from wuerfel_tui.widgets.palette import ASCII, UNICODE, Look
from wuerfel_tui.widgets.race import Dice, Tray, die_width

LARGE = (80, 36)
"""Beside the log, in a terminal of 120 by 40."""

PLAYERS = (
    player(CLOVER_PIG, CLOVER, PIG, CAT, won=1),
    player(4, PIG, CAT, on_card=1),
    player(8, CAT, CAT, won=2),
    player(9, HAND, HAND, HAND, HAND),
    player(13, HORSESHOE, won=1),
    player(17, PIG, CAT, COIN),
)


def state(phase: str, count: int = 6, **changes: object) -> State:
    table = State(Options(), "race", PLAYERS[:count], (16,), round=2, charm=HORSESHOE, depot=2)
    return replace(table, phase=phase, **changes)


def unrolled(count: int = 6) -> tuple[object, ...]:
    return tuple(replace(each, hand=(BLANK,) * 3, on_card=0) for each in PLAYERS[:count])


READY = state("ready", players=unrolled(), until=70_000, depot=0)
COUNTDOWN = state("countdown", players=unrolled(), until=12_500, depot=0)
RACE = state("race")
LAST = state(
    "last",
    caller=1,
    players=(
        replace(PLAYERS[0], rolls=3, until=25_000),
        replace(PLAYERS[1], hand=(), on_card=0),
        *(replace(each, rolls=2, until=25_000) for each in PLAYERS[2:]),
    ),
)
RID = replace(LAST, players=(replace(PLAYERS[0], hand=()), *LAST.players[1:]))
OVER = state("over", players=(replace(PLAYERS[0], won=3, hand=()), *PLAYERS[1:]))


def picture(board: WurfWegBoard) -> str:
    """The whole board as text, without blanks at the ends of its lines."""
    rows = [[" "] * board.size.width for _ in range(board.size.height)]
    for child in board.query(Picture):
        at = child.region.offset - board.region.offset
        for y in range(child.size.height):
            for x, char in enumerate(child.render_line(y).text):
                rows[at.y + y][at.x + x] = char
    return "\n".join("".join(row).rstrip() for row in rows)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize(
    "phase",
    [
        pytest.param(READY, id="ready"),
        pytest.param(COUNTDOWN, id="countdown"),
        pytest.param(RACE, id="race"),
        pytest.param(LAST, id="last"),
        pytest.param(RID, id="rid"),
        pytest.param(OVER, id="over"),
    ],
)
async def test_every_phase(phase: State, size: tuple[int, int], snapshot: SnapshotAssertion):
    on = Race(phase)
    async with on.run_test(size=size):
        assert picture(on.board) == snapshot


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_rewards(size: tuple[int, int], snapshot: SnapshotAssertion):
    on = Race(replace(READY, round=1))
    async with on.run_test(size=size):
        ben = replace(READY.players[1], won=1)
        on.board.show(replace(READY, players=(READY.players[0], ben, *READY.players[2:])))
        assert picture(on.board) == snapshot


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_tumbling_with_dice_on_the_card(size: tuple[int, int], snapshot: SnapshotAssertion):
    on = Race(RACE, slow=True)
    async with on.run_test(size=size) as pilot:
        await pilot.press("space")
        me = replace(RACE.players[0], on_card=1)
        on.board.show(replace(RACE, players=(me, *RACE.players[1:])))
        assert picture(on.board) == snapshot


@pytest.mark.parametrize("mine", [(), (0, 1)], ids=["watching", "two at one keyboard"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_others_who_sit_here(size: tuple[int, int], mine: tuple[int, ...], snapshot: SnapshotAssertion):
    on = Race(RACE, mine=mine)
    async with on.run_test(size=size):
        assert picture(on.board) == snapshot


async def test_plain_characters_are_enough(snapshot: SnapshotAssertion):
    on = Race(RACE, ascii=True)
    async with on.run_test(size=SMALL):
        names = "".join(NAMES)
        drawn = picture(on.board).split("\n")[:-1]  # the keys below are made plain on their way out
        assert set("".join(drawn)) - set(names) <= set(map(chr, range(128)))
        assert "\n".join(drawn) == snapshot


# Room


@pytest.mark.parametrize("mine", [(), (0,), (0, 1)])
@pytest.mark.parametrize("size", [SMALL, LARGE, (80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("count", range(2, 7))
async def test_nothing_overlaps_and_all_is_on_the_board(
    count: int, size: tuple[int, int], mine: tuple[int, ...]
):
    on = Race(state("race", count), mine=mine)
    async with on.run_test(size=size):
        regions = [child.region for child in on.board.query(Picture)]
        whole = Region(0, 0, *size)
        assert all(whole.contains_region(region) and region.area for region in regions)
        assert not any(a.overlaps(b) for i, a in enumerate(regions) for b in regions[:i])
        drawn = picture(on.board)
        assert all(name[:5] in drawn for name in on.board.names)


async def test_wide_letters_in_names_keep_everything_in_its_place():
    names = ("Anna", "山田太郎山田太郎山田太郎", "Ben")
    board = WurfWegBoard(names, (0,), state("race", 3), False)
    on = Race(state("race", 3))
    on.board = board
    async with on.run_test(size=SMALL):
        for child in board.query(Picture):
            assert {child.render_line(y).cell_length for y in range(child.size.height)} == {child.size.width}


@pytest.mark.parametrize(
    ("dice", "width", "height", "columns"),
    [
        (3, 34, 3, 8),
        (4, 34, 3, 8),
        (5, 34, 3, 6),
        (8, 34, 3, 4),
        (10, 34, 3, 3),
        (16, 34, 3, 2),
        (6, 80, 7, 12),
    ],
)
def test_dice_are_as_large_as_their_number_allows(dice: int, width: int, height: int, columns: int):
    assert die_width(dice, width, height) == columns


# Symbols


def test_every_symbol_differs_in_sign_letter_colour_and_picture():
    for part in ("sign", "plain", "letter", "colour", "pixels"):
        assert len({getattr(symbol, part) for symbol in LUCKY}) == len(SYMBOLS)
    assert [symbol.name.lower() for symbol in LUCKY] == list(SYMBOLS)


def test_every_sign_takes_one_cell():
    signs = [sign for symbol in LUCKY for sign in (symbol.sign, symbol.plain, symbol.letter)]
    assert [cell_len(sign) for sign in signs] == [1] * len(signs)
    assert not {east_asian_width(sign) for sign in signs} & {"W", "F"}
    assert all(symbol.plain.isascii() for symbol in LUCKY)


def test_every_picture_fills_its_square():
    for symbol in LUCKY:
        assert [len(row) for row in symbol.pixels] == [10] * 10
        assert set("".join(symbol.pixels)) == {"#", "."}


# What a roll sends


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_roll_changes_one_row_of_a_small_screen(count: int, glyphs: object):
    look = Look("true", True, glyphs)  # type: ignore[arg-type]

    def drawn(dice: Dice) -> Canvas:
        tray = Tray(0)
        tray.model = dice
        canvas = Canvas(34, 3, look.style("text"))
        tray.draw(canvas, look)
        return canvas

    lying, tumbling, landed = (
        Dice((CLOVER,) * count, slots=count),
        Dice(tumbling=count, slots=count),
        Dice((HAND,) * count, slots=count),
    )
    for before, after in ((lying, tumbling), (tumbling, landed)):
        assert [region.y for region in drawn(after).changes(drawn(before))] == [1]


async def test_while_we_roll_nothing_else_on_the_screen_changes():
    on = Race(RACE, *(CAT,) * 3)
    async with on.run_test(size=SMALL) as pilot:
        others = [child for child in on.board.query(Picture) if child is not on.board.trays[0]]
        before, prompt = [text(child) for child in others], on.board.prompt
        await pilot.press("space")
        assert isinstance(on.sent[0][1], Roll)
        assert [text(child) for child in others] == before
        on.wait(700)
        assert [text(child) for child in others] == before
        assert on.board.prompt == prompt


async def test_a_picture_goes_on_showing_changes_when_only_its_style_was_looked_at_anew():
    on = Race(RACE)
    async with on.run_test(size=SMALL) as pilot:
        on.board.band.notify_style_update()
        on.board.show(LAST)
        await pilot.pause()
        assert "T&#160;O&#160;P" in on.export_screenshot()
