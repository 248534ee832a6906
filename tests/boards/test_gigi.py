"""The board of Gigi Gacker: turns by keys alone and by mouse alone, and what is shown before it is done."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tests.boards.gigi_stage import (
    NAMES,
    SMALL,
    buffet,
    click_morsel,
    eats,
    pips,
    rolled,
    row,
    shown,
    stage,
    words,
)
from tests.boards.stage import Stage, click, text
from tests.games.gigi_tables import RULES, second_turn, table, third_turn
from wuerfel_tui.boards.gigi import GigiBoard
from wuerfel_tui.games.gigi import Keep, Options, Reverse, Roll, State, Swap, Use
from wuerfel_tui.simulate import dice_of

# Whole turns


async def test_a_first_turn_by_keys_alone():
    on = stage(table(), *pips(2, 6, 4))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "2", "enter")
    assert on.sent == [(0, Roll()), (0, Keep(6))]
    assert on.told == ["Anna rolls 2, 6 and 4.", "Anna sets a 6 aside: 6 in all."]


async def test_a_first_turn_by_mouse_alone():
    on = stage(table(), *pips(2, 6, 4))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).buttons, "roll three dice")
        await pilot.click(shown(on).dice.views[2])
        assert on.sent == [(0, Roll())]  # one click only shows what would come of it
        await pilot.click(shown(on).dice.views[2])
    assert on.sent == [(0, Roll()), (0, Keep(4))]


async def test_a_second_turn_by_keys_alone():
    on = stage(second_turn(1, 5), *pips(3, 3))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("s", "4", "1", "right", "enter")
        await pilot.press("space", "down", "enter")
    assert on.sent == [(0, Swap(0, 3, 5)), (0, Roll()), (0, Keep(3))]


async def test_a_second_turn_by_mouse_alone():
    on = stage(second_turn(1, 5), *pips(3, 3))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).buttons, "swap")
        await click_morsel(pilot, on, "Anna", 1)
        await click(pilot, shown(on).buffet, "place 4")
        await click(pilot, shown(on).buffet, "place 2")
        await click(pilot, shown(on).buttons, "swap 2 and 4")
        await click(pilot, shown(on).list, "roll both again")
        await click(pilot, shown(on).list, "roll both again")
        await click(pilot, shown(on).list, "set aside")
        await click(pilot, shown(on).buttons, "set the 3 aside")
    assert on.sent == [(0, Swap(1, 3, 5)), (0, Roll()), (0, Keep(3))]


async def test_the_buffet_is_turned_around_by_its_entry_or_its_key():
    for keys in (["r", "enter"], ["5", "enter"], ["up", "enter"], ["2", "r", "enter"], ["s", "r", "enter"]):
        on = stage(second_turn(1, 5))
        async with on.run_test(size=SMALL) as pilot:
            await pilot.press(*keys)
        assert on.sent == [(0, Reverse(1))]


async def test_a_third_turn_by_keys_alone():
    for keys, action in (
        (["1", "enter"], Keep(1)),
        (["space"], Roll()),
        (["2", "enter"], Roll()),
        (["m", "enter"], Use(-2)),
        (["m", "m", "enter"], Use(4)),
        (["m", "m", "m", "enter"], Use(-2)),
        (["4", "enter"], Use(4)),
    ):
        on = stage(third_turn(-2, 4), *pips(6))
        async with on.run_test(size=SMALL) as pilot:
            await pilot.press(*keys)
        assert on.sent == [(0, action)]


async def test_a_third_turn_by_mouse_alone():
    on = stage(third_turn(-2, 4))
    async with on.run_test(size=SMALL) as pilot:
        await click_morsel(pilot, on, "Anna", 0)
        assert on.sent == []
        await click_morsel(pilot, on, "Anna", 0)
    assert on.sent == [(0, Use(-2))]


@pytest.mark.parametrize("seats", [2, 5])
async def test_a_whole_game_by_keys_alone(seats: int):
    dice = dice_of(Random(seats))
    state = RULES.new(seats, Options())
    for event in RULES.begin(state, dice):
        state = RULES.evolve(state, event)
    board = GigiBoard(NAMES[:seats], tuple(range(seats)), state, False)
    on = Stage(board, dice)
    async with on.run_test(size=SMALL) as pilot:
        while RULES.actors(board.state):
            for key in keys_for(board.state):
                on.simulate_key(key)
            await pilot.pause()
        assert "The last buffet is eaten" in text(board.list)
        assert board.prompt == "The game is over."
    assert on.notices == []
    kinds = {type(action) for _, action in on.sent}
    assert kinds == {Roll, Keep, Swap, Reverse, Use}


def keys_for(state: State) -> list[str]:
    """A way through the turn that comes by everything."""
    odd, morsels = state.round % 2, state.collected[state.active]
    if state.rolled:
        return ["1", "enter"]
    if state.turn == 2 and morsels and not odd and not state.changed:
        return ["s", "1", "2", "enter"] if state.active else ["r", "enter"]
    if state.turn == 3 and morsels and odd:
        return ["m", "enter"]
    return ["space"] if odd or state.turn == 1 else ["down", "enter"]


async def test_two_people_at_one_keyboard_act_one_after_the_other():
    on = stage(table((3, 1, 4), seats=2), *pips(1, 2, 3), *pips(4, 5, 6), mine=(0, 1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "1", "enter", "space")
    assert on.sent == [(0, Roll()), (0, Keep(1)), (1, Roll())]


# What is chosen is shown before it is done


async def test_nothing_is_chosen_at_first_so_that_an_enter_too_many_does_nothing():
    on = stage(second_turn(1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        assert row(on, "Anna") == ["▸~", "Anna", "you", "6", "·", "·", "2", "5", "6", "1", "3", "1", "1"]
        await pilot.press(
            "4", "enter", "enter"
        )  # the entry that leads to the places; no two are chosen there
        assert buffet(on) == [3, 1, 4, 2]
    assert on.sent == []
    assert on.notices == ["Nothing is chosen yet: digits or arrows choose, Enter confirms."] * 2


async def test_a_die_is_shown_set_aside_with_the_total_and_everybodys_place():
    aside = ((), (5,), (4,), (1,))
    on = stage(rolled(2, 6, 4, aside=aside))
    async with on.run_test(size=SMALL) as pilot:
        assert eats(on) == ["Ben", "Cecilia", "Dieter", "Anna"]
        await pilot.press("3")
        assert row(on, "Anna") == words("▸~ Anna you ▸ 4 · · 2 6 0→4 4→2 1 0")
        assert row(on, "Cecilia")[-4:] == ["4", "2→3", "4", "0"]
        assert eats(on) == ["Ben", "Anna", "Cecilia", "Dieter"]
        assert [die.word for die in shown(on).dice.dice] == ["", "", "aside"]
        await pilot.press("escape")
        assert eats(on) == ["Ben", "Cecilia", "Dieter", "Anna"]
    assert on.sent == []


async def test_every_die_in_the_list_has_what_would_come_of_it():
    on = stage(second_turn())
    async with on.run_test(size=SMALL):
        listed = text(shown(on).list)
        assert " 2  set aside     8 · place 1 · gets 3" in listed
        assert " 5  set aside    11 · place 1 · gets 3" in listed


async def test_a_swap_is_shown_as_it_would_lie_and_taken_back_step_by_step():
    on = stage(second_turn(-1, 2))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("s", "3")
        assert buffet(on) == [3, 1, 4, 2]
        assert "▸place 3" in text(shown(on).buffet)
        await pilot.press("1")
        assert buffet(on) == [4, 1, 3, 2]
        assert "1 was 3" in text(shown(on).buffet)
        assert "3 was 4" in text(shown(on).buffet)
        assert row(on, "Anna")[-5:] == ["1", "4", "1→2", "-1", "2"]  # the place, what it gets, worms, morsels
        assert "you get 4, not 3" in text(shown(on).list)
        await pilot.press("backspace")
        assert buffet(on) == [3, 1, 4, 2]
        assert "Swap two places" in text(shown(on).list)
        await pilot.press("escape")
        assert "Anna's second turn" in text(shown(on).list)
    assert on.sent == []


async def test_the_same_digit_again_lets_a_place_go():
    on = stage(second_turn(-1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("s", "3", "3", "1", "2", "enter")
    assert on.sent == [(0, Swap(0, 1, -1))]


async def test_a_new_first_place_lets_the_chosen_pair_go():
    on = stage(second_turn(-1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("s", "1", "2", "4")
        await click(pilot, shown(on).list, "1 and 2")
        assert buffet(on) == [1, 3, 4, 2]
    assert on.sent == []


async def test_a_reversal_is_shown_as_it_would_lie_even_where_nothing_looks_different():
    on = stage(second_turn(-1, buffet=(2, 3, 3, 2)))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("r")
        assert buffet(on) == [2, 3, 3, 2]
        assert [tile.was for tile in shown(on).buffet.tiles] == [2, 3, 3, 2]
        await pilot.press("r")
        assert [tile.was for tile in shown(on).buffet.tiles] == [None] * 4
    assert on.sent == []


async def test_the_middle_of_the_buffet_stays_when_it_is_turned_around():
    state = msgspec.structs.replace(
        second_turn(1),
        seats=3,
        buffet=(5, 0, 2),
        dice=((2, 5), (), ()),
        aside=((6,), (), ()),
        used=(None,) * 3,
    )
    on = stage(msgspec.structs.replace(state, collected=((1,), (), ())))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("r")
        assert buffet(on) == [2, 0, 5]
        assert [tile.was for tile in shown(on).buffet.tiles] == [5, None, 2]


async def test_the_cheapest_morsel_is_spent_unless_another_is_chosen():
    on = stage(second_turn(-1, 2, 2, 5))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("r")
        for key, spent in (("right", 2), ("m", 5), ("right", -1), ("left", 5), ("left", 2)):
            await pilot.press(key)
            assert shown(on).guests.guests[0].leaving == spent
        await pilot.press("enter")
    assert on.sent == [(0, Reverse(2))]


async def test_a_morsel_is_shown_in_place_of_the_last_die():
    on = stage(third_turn(-2))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("m")
        assert row(on, "Anna") == words("▸~ Anna you 6 5 ▸-2 1 11→9 1 3 -2→0 -2")
        assert [die.word for die in shown(on).dice.dice] == ["out", "aside", "aside"]
        assert "9 · place 1 · gets 3" in text(shown(on).list)


async def test_what_each_fall_of_the_last_die_would_bring_is_said():
    aside = ((1, 1), (1, 2), (1, 5), (1, 1))
    on = stage(msgspec.structs.replace(third_turn(), aside=aside))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("2")
        said = " ".join(text(shown(on).list).split())
        assert "It counts as it falls. 1-3: place 2, gets 1; 4-6: place 1, gets 3." in said


async def test_a_click_on_a_morsel_of_the_buffet_begins_a_swap():
    on = stage(second_turn(1))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).buffet, "place 3")
        await click(pilot, shown(on).buffet, "place 3")
        await click(pilot, shown(on).buffet, "place 1")
        await click(pilot, shown(on).buffet, "place 2")
        await pilot.press("enter")
    assert on.sent == [(0, Swap(0, 1, 1))]
