"""The board of Würfel Poker: what it shows before a choice and after it, between games, in motion, and in any room."""

from __future__ import annotations

import pytest

from tests.boards.poker_stage import (
    SMALL,
    captions,
    dice,
    firsts,
    ghosts,
    middle,
    panel,
    players,
    shown,
    stage,
)
from tests.boards.poker_tables import LAST_DIE, ONE_GAME, table
from tests.boards.stage import Stage, falling, text
from wuerfel_tui.boards.poker import PokerBoard, arrangement
from wuerfel_tui.games.poker import Place, Roll
from wuerfel_tui.widgets.canvas import Picture

# What is shown


@pytest.mark.parametrize(
    ("row", "left", "right", "between"),
    [
        ("|", "empty · can be anything", "empty · can be anything", "1 open"),
        (
            "4 |",
            "single 4 · at best triple of 4",
            "empty · can be anything",
            "1 ◂ Anna leads single beats empty row",
        ),
        ("4 | 4", "single 4 · at best triple of 4", "single 4 · at best triple of 4", "1 level"),
        (
            "54 | 62",
            "single 5 · at best straight 6-5-4",
            "single 6 · at best pair of 6",
            "1 Ben leads ▸ single: 6 beats 5",
        ),
        ("44 | 621", "pair of 4 · at best triple of 4", "single 6", "1 ◂ Anna wins whatever comes"),
        ("22 | 665", "pair of 2 · at best triple of 2", "pair of 6", "1 Ben leads ▸ pair: 6 beats 2"),
        ("664 | 665", "pair of 6", "pair of 6", "1 Ben wins ▸ pair: third die 5 beats 4"),
    ],
)
async def test_a_row_says_what_it_is_what_it_can_become_and_who_leads(
    row: str, left: str, right: str, between: str
):
    rest = -sum(map(str.isdigit, row)) % 3
    on = stage(table(row, "|", "1" * rest + "|"))
    async with on.run_test(size=SMALL):
        assert captions(on, 0) == [left, right]
        assert middle(on, 0) == between


async def test_the_chosen_row_shows_the_die_as_a_ghost_and_the_ranking_that_it_would_give():
    on = stage(table("44 | 554", "6 |", "|", offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        assert middle(on, 0) == "1 Ben leads ▸ pair: 5 beats 4"
        await pilot.press("1")
        assert ghosts(on) == {(0, 0): 4}
        assert captions(on, 0) == ["→ triple of 4", "pair of 5"]
        assert middle(on, 0) == "▸1 ◂ Anna wins triple beats pair"


async def test_the_list_says_for_every_row_what_the_die_would_make_of_it():
    on = stage(table("44 | 554", "6 |", "|", offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        assert panel(on) == [
            "Anna places one of the three",
            "1 triple of 4 Anna wins",
            "2 single 6 Anna leads",
            "3 single 4 Anna leads",
            "That would leave 2 and 1 to Ben.",
        ]
        await pilot.press("right")
        assert panel(on)[1] == "1 pair of 4 Ben wins"
        assert panel(on)[-1] == "That would leave 4 and 1 to Ben."


async def test_a_full_row_is_called_full_in_the_list():
    on = stage(table("123 | 6", "4 | 6", "|", offer="421"))
    async with on.run_test(size=SMALL):
        assert panel(on)[1] == "1 full Anna leads"


async def test_whose_choice_it_is_stands_in_the_list_in_the_prompt_and_above_the_board():
    on = stage(table("4 |", "|", "|", thrown="421", offer="21", turn=1))
    async with on.run_test(size=SMALL):
        assert panel(on)[0] == "Ben places one of the two left"
        assert on.board.prompt == "Ben: Choose · left/right: die · 1-3 or up/down: row"
        assert players(on) == "Anna ····· 0 : 0 ····· ▸ Ben"


async def test_the_side_that_has_lost_a_row_lies_flat():
    on = stage(table("664 | 665", "|", "|"))
    async with on.run_test(size=SMALL):
        assert [(space.row, space.side) for space in firsts(on) if space.half.lost] == [(0, 0)]


async def test_the_die_that_came_last_is_marked_until_the_next():
    on = stage(table(offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "enter", "2", "enter")
        assert [(space.row, space.side) for space in firsts(on) if space.half.fresh] == [(1, 1)]


async def test_who_waits_reads_what_happened_last():
    on = stage(table(offer="421"), mine=(0,))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "enter")
        assert panel(on)[0] == "Ben places one of the two left"
        assert "Anna puts the 4 in row 1: single 4." in " ".join(panel(on))


# Between the games (P5)


async def test_the_full_board_stays_until_somebody_throws_for_the_next_game():
    on = stage(LAST_DIE, "654")
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        assert on.board.heading == "game 1 is over"
        assert [middle(on, row) for row in range(3)] == [
            "1 ◂ Anna wins triple beats single",
            "2 ◂ Anna wins straight beats single",
            "3 ◂ Anna wins triple beats pair",
        ]
        assert panel(on) == ["Anna wins game 1, 3 rows to 0", "Game 1: Anna 3, Ben 0. Ben begins game 2."]
        assert on.board.prompt == "Ben: Space throws the dice for game 2"
        await pilot.press("space")
        assert on.board.heading == "game 2, round 1 of 6"
        assert middle(on, 0) == "1 open"
    assert on.sent == [(0, Place(6, 2, 0)), (1, Roll())]


async def test_the_points_of_every_game_stand_between_the_names():
    on = stage(table("4 | 6", "5 |", "|", points=(2, 1), games=ONE_GAME))
    async with on.run_test(size=SMALL):
        assert players(on) == "▸ Anna ●● ··· 2 : 1 ● ···· Ben"
        assert panel(on) == ["Anna throws the dice", "Game 1: Anna 2, Ben 1."]


async def test_the_end_shows_the_points_of_the_match_and_takes_no_more_keys():
    rows = "444 | 621", "123 | 124", "66 | 554"
    on = stage(table(*rows, offer="6", thrown="654", points=(2, 1), games=ONE_GAME))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "space", "1")
        assert panel(on) == [
            "Anna wins the match, 5 points to 1",
            "Game 1: Anna 2, Ben 1. Game 2: Anna 3, Ben 0.",
        ]
        assert on.board.prompt == "The match is over."
        assert middle(on, 2) == "3 ◂ Anna wins triple beats pair"
        assert dice(on) == []
    assert on.notices == ["The game is over."] * 2


# Motion


async def test_dice_tumble_and_land_and_keys_work_meanwhile():
    on = stage(table(), "452", motion=True)
    async with on.run_test(size=SMALL) as pilot:
        space = shown(on).rows.spaces[2][0][0]
        on.play(0, Roll())
        assert shown(on).dice.progress < 1
        await pilot.press("3", "enter")
        on.play(1, Place(5, 0, 1))
        assert shown(on).rows.spaces[0][1][0].progress < 1
        await pilot.wait_for_animation()
        assert (shown(on).dice.progress, space.progress) == (1, 1)
        assert text(space).count("●") == 4
    assert on.sent == [(0, Place(4, 2, 0))]


async def test_nothing_moves_without_motion():
    on = stage(table(), "452", motion=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "3", "enter")
        assert (shown(on).dice.progress, shown(on).rows.spaces[2][0][0].progress) == (1, 1)


# Room


async def test_80_by_20_holds_everything():
    on = stage(table("54 | 54", "65 |", "|", offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1")
        board = shown(on)
        assert captions(on, 0) == ["→ pair of 4", "single 5 · at best straight 6-5-4"]
        assert board.rows.region.bottom <= board.dice.region.y
        assert all(die.region.bottom <= board.buttons.region.y for die in board.dice.views)
        assert board.buttons.region.bottom == 20
        assert len(panel(on)) == 5


def test_more_room_makes_the_dice_larger():
    assert arrangement(20) == (14, 4)
    assert arrangement(28) == (20, 6)
    assert arrangement(36) == (27, 6)


@pytest.mark.parametrize("size", [(80, 20), (80, 36), (120, 44)])
async def test_pictures_lie_beside_each_other_at_any_size(size: tuple[int, int]):
    on = stage(table("54 | 54", "65 |", "|", offer="421"))
    async with on.run_test(size=size):
        regions = [picture.region for picture in shown(on).query(Picture)]
        assert all(on.screen.region.contains_region(region) for region in regions)
        overlaps = [
            (one, other)
            for index, one in enumerate(regions)
            for other in regions[:index]
            if one.overlaps(other)
        ]
        assert overlaps == []


@pytest.mark.parametrize("size", [(80, 20), (80, 36), (120, 44)])
async def test_ascii_signs_are_enough(size: tuple[int, int]):
    on = stage(table("44 | 6", "664 | 665", "|", offer="421"), ascii=True)
    async with on.run_test(size=size) as pilot:
        await pilot.press("1")
        assert text(shown(on)).isascii()


async def test_long_names_in_wide_letters_are_cut_to_their_place():
    names = ("山田太郎さんです山田太郎さんです", "Anna-Lena von und zu Hohenstein")
    on = Stage(PokerBoard(names, (0, 1), table("44 | 6", "|", "|", offer="421"), False), falling(()))
    async with on.run_test(size=SMALL):
        pictures = [shown(on).rows.players, shown(on).list, *shown(on).rows.middles]
        assert all(
            picture.render_line(y).cell_length == picture.size.width
            for picture in pictures
            for y in range(picture.size.height)
        )
        assert players(on) == "▸ 山田太郎さんです山田太郎… ····· 0 : 0 ····· Anna-Lena von und zu Hohen…"
        assert panel(on)[-1] == "That would leave 2 and 1 to Anna-Lena von…."


async def test_marks_of_presence_stand_by_the_names():
    on = stage(table(), mine=(0,))
    async with on.run_test(size=SMALL):
        assert players(on) == "▸ Anna you ····· 0 : 0 ····· Ben"
        on.board.set_presence(("away", "bot"))
        assert players(on) == "▸ Anna away ····· 0 : 0 ····· Ben bot"


async def test_the_easy_bot_gives_the_advice():
    on = stage(LAST_DIE)
    async with on.run_test(size=SMALL):
        assert on.board.hint() == "Put the 6 in row 3: triple of 6. There Anna wins it: triple beats pair."


async def test_the_digit_of_a_row_is_a_key_in_brackets_and_no_die():
    on = stage(table(offer="421"))
    async with on.run_test(size=SMALL):
        assert "[1]" in text(shown(on).rows.spaces[0][0][0])
