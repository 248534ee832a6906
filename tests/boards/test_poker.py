"""The board of Würfel Poker: a game by keys alone, a round by mouse alone, how to choose, what is refused and why."""

from __future__ import annotations

from random import Random

import pytest

from tests.boards.poker_stage import NAMES, SMALL, captions, dice, ghosts, keys, panel, shown, stage
from tests.boards.poker_tables import LAST_DIE, played, table
from tests.boards.stage import Stage, click, text
from wuerfel_tui.boards.poker import PokerBoard
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.games.poker import Place, Poker, Roll, State

RULES = Poker()


# A match


async def test_a_whole_game_that_decides_the_match_by_keys_alone():
    won = (played("444 | 621", "123 | 124", "661 | 654", winners=(0, 0, 0)),)
    on = Stage(PokerBoard(NAMES, (0, 1), table(turn=1, points=(3, 0), games=won), False), Random(1).randrange)
    async with on.run_test(size=SMALL) as pilot:
        while on.board.state.points == (3, 0):
            await pilot.press("space", *["down", "enter"] * 3)
    assert len(on.sent) == 6 + 18
    assert RULES.outcome(on.board.state) == Outcome((1, 2), "5 points to 1 after two games.")


async def test_a_round_by_mouse_alone():
    on = stage(table(), "452")
    async with on.run_test(size=SMALL) as pilot:
        board = shown(on)
        await click(pilot, board.buttons, "throw three dice")
        for die, row, side in [(1, 2, 0), (2, 0, 1), (0, 2, 0)]:
            await pilot.click(board.dice.views[die])
            await pilot.click(board.rows.spaces[row][side][2])
            await click(pilot, board.buttons, "put the")
    assert [action for _, action in on.sent] == [Roll(), Place(5, 2, 0), Place(2, 0, 1), Place(4, 2, 0)]


async def test_a_round_between_two_keyboards():
    on = stage(table(), "452", mine=(0,))
    async with on.run_test(size=SMALL) as pilot:
        assert on.board.prompt == "Space throws the dice"
        await pilot.press("space", "right", "3", "enter")
        assert on.board.prompt == "Ben chooses a die and a row."
        on.play(1, Place(4, 0, 1))
        await pilot.press("2", "enter")
        assert on.board.prompt == "Ben throws the dice."
    assert on.sent == [(0, Roll()), (0, Place(5, 2, 0)), (0, Place(2, 1, 0))]


# Choosing


async def test_at_first_a_die_is_chosen_and_no_row_so_that_an_enter_too_many_places_nothing():
    on = stage(table("44 | 6", "|", "|", offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        assert dice(on) == ["[4]", "2", "1"]
        assert ghosts(on) == {}
        await pilot.press("enter")
    assert on.sent == []
    assert on.notices == ["Which row? 1-3, or up and down, choose one."]


async def test_every_space_that_a_digit_would_fill_bears_the_digit():
    on = stage(table("44 | 6", "123 | 6", "| 55", offer="421"))
    async with on.run_test(size=SMALL):
        assert keys(on) == {(0, 0, 2): "1", (2, 0, 0): "3"}


async def test_left_and_right_choose_among_different_dice_on_offer():
    on = stage(table("4 |", "|", "|", thrown="144", offer="14"))
    seen: list[list[str]] = []
    async with on.run_test(size=SMALL) as pilot:
        for key in ("right", "right", "left"):
            await pilot.press(key)
            seen.append(dice(on))
    assert seen == [["1", "gone", "[4]"], ["[1]", "gone", "4"], ["1", "gone", "[4]"]]


async def test_up_and_down_choose_among_rows_that_have_a_space():
    on = stage(table("123 | 6", "4 | 6", "|", offer="421"))
    seen: list[dict[tuple[int, int], int]] = []
    async with on.run_test(size=SMALL) as pilot:
        for key in ("up", "up", "up", "down"):
            await pilot.press(key)
            seen.append(ghosts(on))
    assert seen == [{(2, 0): 4}, {(1, 0): 4}, {(2, 0): 4}, {(1, 0): 4}]


async def test_another_die_stays_in_the_chosen_row():
    on = stage(table(offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("2", "left", "enter")
    assert on.sent == [(0, Place(1, 1, 0))]


@pytest.mark.parametrize("key", ["backspace", "escape"])
async def test_a_chosen_row_can_be_taken_back(key: str):
    on = stage(table(offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("2", key)
        assert ghosts(on) == {}
        await pilot.press("enter")
    assert on.sent == []


async def test_what_alone_is_possible_is_chosen_already():
    on = stage(LAST_DIE)
    async with on.run_test(size=SMALL) as pilot:
        assert ghosts(on) == {(2, 0): 6}
        assert on.board.prompt == "Anna: Enter puts the 6 in row 3: nothing else is possible"
        await pilot.press("enter")
    assert on.sent == [(0, Place(6, 2, 0))]


async def test_the_first_click_on_a_half_shows_and_the_second_places():
    on = stage(table(offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        space = shown(on).rows.spaces[1][0][0]
        await pilot.click(space)
        assert (ghosts(on), on.sent) == ({(1, 0): 4}, [])
        await pilot.click(space)
    assert on.sent == [(0, Place(4, 1, 0))]


async def test_rows_can_be_clicked_in_the_list_too():
    on = stage(table("44 | 6", "|", "|", offer="421"))
    async with on.run_test(size=SMALL) as pilot:
        for _ in range(2):
            await click(pilot, shown(on).list, "triple of 4")
    assert on.sent == [(0, Place(4, 0, 0))]


async def test_of_equal_dice_a_click_on_any_means_the_same():
    on = stage(table(offer="244"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.click(shown(on).dice.views[2])
        assert dice(on) == ["2", "[4]", "4"]


# Either side (P3)


async def test_with_either_side_s_goes_to_the_other_side_and_back():
    on = stage(table("44 | 6", "|", "|", offer="421", either_side=True))
    async with on.run_test(size=SMALL) as pilot:
        assert on.board.prompt.endswith(" · S: other side")
        await pilot.press("1", "s")
        assert ghosts(on) == {(0, 1): 4}
        assert captions(on, 0) == ["pair of 4 · at best triple of 4", "→ single 6 · at best straight 6-5-4"]
        assert panel(on)[0] == "Anna places one of the three on Ben's side"
        await pilot.press("s")
        assert ghosts(on) == {(0, 0): 4}
        await click(pilot, shown(on).buttons, "Ben's side")
        await pilot.press("enter")
    assert on.sent == [(0, Place(4, 0, 1))]


async def test_a_row_that_is_full_on_the_other_side_is_chosen_no_longer():
    on = stage(table("44 | 665", "6 |", "|", offer="421", either_side=True))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "s")
        assert ghosts(on) == {}
        assert keys(on) == {(1, 1, 0): "2", (2, 1, 0): "3"}


async def test_with_either_side_a_full_side_leaves_the_other():
    on = stage(table("444 | 6", "123 | 6", "661 |", thrown="654", offer="5", either_side=True))
    async with on.run_test(size=SMALL) as pilot:
        assert set(keys(on)) == {(0, 1, 1), (1, 1, 1), (2, 1, 0)}
        await pilot.press("s")
    assert on.notices == ["That side has no free space left."]


async def test_with_either_side_clicks_place_on_the_other():
    on = stage(table("44 | 6", "|", "|", offer="421", either_side=True))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.click(shown(on).rows.spaces[0][1][2])
        await pilot.click(shown(on).rows.captions[0][1])
    assert on.sent == [(0, Place(4, 0, 1))]


# Refused keys say why

CHOOSING = table("123 | 6", "4 | 6", "|", offer="421")


@pytest.mark.parametrize(
    ("state", "keys", "reason"),
    [
        (table(turn=1), "space", "It is Ben's turn."),
        (table(), "enter", "There is nothing to place yet: Space throws the dice."),
        (table(), "1", "There are no dice on offer yet: roll first."),
        (table(), "left", "There is nothing to choose yet: Space throws the dice."),
        (table(), "s", "There is nothing to choose yet: Space throws the dice."),
        (CHOOSING, "space", "The dice of this round are thrown already: place one of them."),
        (CHOOSING, "1", "That row is full on this side."),
        (CHOOSING, "4", "The board has three rows."),
        (CHOOSING, "s", "At this table dice go on one's own side only."),
        (CHOOSING, "backspace", "Nothing is chosen, and what has been placed stays."),
        (table("4 | 2", "|", "|", thrown="421", offer="1"), "right", "It is the last die of the round."),
        (table(offer="444"), "left", "The dice that are left are alike."),
        (table("123 | 6", "444 | 6", "| 1", offer="421"), "3 down", "No other row has a free space."),
    ],
)
async def test_a_refused_key_says_why(state: State, keys: str, reason: str):
    on = stage(state, mine=(0,))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press(*keys.split())
    assert on.sent == []
    assert on.notices == [reason]


async def test_a_refused_click_says_why():
    on = stage(table("44 | 66", "3 |", "| 5", thrown="421", offer="421", turn=0))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.click(shown(on).rows.spaces[0][1][0])
        await pilot.press("1", "enter")
        await pilot.click(shown(on).dice.views[0])
        await pilot.click(shown(on).rows.spaces[0][0][0])
    assert on.notices == [
        "At this table dice go on one's own side only.",
        "That die is gone: it has been placed already.",
        "At this table dice go on one's own side only.",
    ]


async def test_who_watches_sees_all_and_does_nothing():
    on = stage(table("44 | 6", "|", "|", offer="421"), mine=())
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "1", "enter", "s")
        assert text(shown(on).buttons).strip() == ""
        assert keys(on) == {}
        assert on.board.prompt == "Anna chooses a die and a row."
    assert on.sent == []
    assert on.notices == ["You are watching."] * 4


async def test_a_second_key_waits_for_the_answer_to_the_first():
    on = stage(table(), answers=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "space")
        assert on.sent == [(0, Roll())]
        on.reject()
        await pilot.press("space")
    assert on.sent == [(0, Roll())] * 2
    assert on.notices == ["The table has not answered yet."]


async def test_what_was_chosen_is_dropped_when_the_table_says_no():
    on = stage(table(offer="421"), answers=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("right", "2", "enter")
        on.reject()
        assert (ghosts(on), dice(on)) == ({}, ["[4]", "2", "1"])
