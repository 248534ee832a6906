"""The board of Gigi Gacker: what is refused, with its reason."""

from __future__ import annotations

import msgspec
import pytest

from tests.boards.gigi_stage import SMALL, buffet, click_morsel, rolled, shown, stage
from tests.boards.stage import click, text
from tests.games.gigi_tables import second_turn, table, third_turn
from wuerfel_tui.games.gigi import Reverse, State


@pytest.mark.parametrize(
    ("state", "keys", "reason"),
    [
        (table(active=1), "space", "It is Ben's turn."),
        (rolled(1, 2, 3), "space", "One roll a turn"),
        (rolled(1, 2, 3), "9", "There is no choice 9."),
        (rolled(1, 2, 3), "backspace", "cannot be taken back"),
        (rolled(1, 2, 3), "s", "A morsel changes the buffet on the second turn"),
        (rolled(1, 2, 3), "m", "A morsel changes the buffet on the second turn"),
        (second_turn(), "s", "costs a morsel, and you have none"),
        (second_turn(), "r", "costs a morsel, and you have none"),
        (second_turn(1), "m", "S swaps two places, R turns it around"),
        (second_turn(1), "r m", "You have no other morsel to spend."),
        (second_turn(1), "s 5", "The buffet has 4 places."),
        (second_turn(1), "s 3 enter", "Place 3 needs another place"),
        (second_turn(1), "r space", "The buffet is not changed yet"),
        (second_turn(1), "s space", "The buffet is not changed yet"),
        (msgspec.structs.replace(second_turn(1), changed=True), "r", "once a turn only"),
        (msgspec.structs.replace(second_turn(1), rolled=True), "s", "spent before the roll"),
        (third_turn(1), "r", "stands for the last die on the third"),
        (third_turn(), "m", "You have no morsel to count"),
        (third_turn(), "enter", "Nothing is chosen yet"),
    ],
)
async def test_a_refused_key_says_why(state: State, keys: str, reason: str):
    on = stage(state)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press(*keys.split())
    assert on.sent == []
    assert len(on.notices) == 1
    assert reason in on.notices[0]


@pytest.mark.parametrize(
    ("state", "picture", "words", "reason"),
    [
        (table(), "buffet", "place 2", "A morsel changes the buffet on the second turn"),
        (second_turn(), "buffet", "place 2", "you have none"),
        (third_turn(4), "buffet", "place 2", "stands for the last die on the third"),
    ],
)
async def test_a_refused_click_says_why(state: State, picture: str, words: str, reason: str):
    on = stage(state)
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, getattr(on.board, picture), words)
    assert on.sent == []
    assert len(on.notices) == 1
    assert reason in on.notices[0]


async def test_dice_that_cannot_be_chosen_say_why():
    on = stage(table())
    async with on.run_test(size=SMALL) as pilot:
        await pilot.click(shown(on).dice.views[0])
    assert on.notices == ["The round begins with a roll of three dice."]
    on = stage(second_turn())
    async with on.run_test(size=SMALL) as pilot:
        await pilot.click(shown(on).dice.views[2])
    assert on.notices == ["None of the dice in front of you shows that."]


async def test_morsels_that_cannot_be_spent_say_why():
    state = msgspec.structs.replace(second_turn(1), collected=((1,), (5,), (), ()))
    for now, name, reason in (
        (state, "Ben", "That morsel is not yours to spend now."),
        (msgspec.structs.replace(state, rolled=True), "Anna", "A morsel is spent before the roll."),
    ):
        on = stage(now, mine=(0, 1))
        async with on.run_test(size=SMALL) as pilot:
            await click_morsel(pilot, on, name, 0)
        assert on.notices == [reason]


async def test_who_watches_sees_all_and_does_nothing():
    on = stage(second_turn(1), mine=())
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "s", "r", "m", "enter")
        assert text(shown(on).buttons).strip() == ""
        assert on.board.prompt == "Anna plays the second turn."
        assert "roll both again" in text(shown(on).list)
    assert on.sent == []
    assert on.notices == ["You are watching."] * 5


async def test_what_was_pending_is_gone_when_the_table_says_no():
    on = stage(second_turn(1), answers=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("r", "enter", "enter")
        assert buffet(on) == [2, 4, 1, 3]
        on.reject()
        assert buffet(on) == [3, 1, 4, 2]
    assert on.sent == [(0, Reverse(1))]
    assert on.notices == ["The table has not answered yet."]
