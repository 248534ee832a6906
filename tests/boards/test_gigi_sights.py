"""The board of Gigi Gacker: what stays in sight, what moves, and that there is room for all of it."""

from __future__ import annotations

import msgspec
import pytest

from tests.boards.gigi_stage import LARGE, NAMES, SMALL, buffet, eats, pips, row, shown, stage, words
from tests.boards.stage import Stage, falling, text
from tests.games.gigi_tables import RULES, played, second_turn, table, third_turn
from wuerfel_tui.boards.gigi import GigiBoard, rows
from wuerfel_tui.boards.gigi_view import pile
from wuerfel_tui.games.gigi import Keep, Options, Reverse, Roll, Swap

# The last round stays in sight


async def test_who_got_what_is_shown_until_somebody_rolls():
    last = table(
        (4, -1, 6),
        3,
        dice=((), (), (2,)),
        aside=((6, 6, 5), (1, 2, 3), (6, 4)),
        turn=3,
        active=2,
        pile=(0, 1, 2, 3, 4, 5),
    )
    on = stage(last, 5, 4, 3, *pips(1, 1, 1), mine=(0, 1, 2))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "enter")
        assert buffet(on) == [5, 4, 3]
        assert eats(on) == [""] * 3
        assert row(on, "Round 1")[:2] == ["Round", "1"]
        assert row(on, "Cecilia") == words("Cecilia 6 4 2 12 2 -1 -1 -1")
        assert [guest.gets for guest in shown(on).guests.guests] == [4, 6, -1]
        assert [guest.place for guest in shown(on).guests.guests] == [(1, 1), (3, 3), (2, 2)]
        assert "Anna (17) gets 4, Cecilia (12) gets -1" in " ".join(text(shown(on).list).split())
        await pilot.press("space")
        assert [guest.name for guest in shown(on).guests.guests] == ["Ben", "Cecilia", "Anna"]
        assert [guest.place for guest in shown(on).guests.guests] == [None] * 3
        assert "begins" in row(on, "aside")
    assert on.sent == [(2, Keep(2)), (1, Roll())]


async def test_a_state_that_comes_anew_brings_no_result_of_another_round():
    state = played(3, 1)[-1].state
    on = stage(table((1, 2, 3), 3))
    async with on.run_test(size=SMALL):
        on.board.show(state)
        assert shown(on).result is None


async def test_an_end_that_comes_anew_shows_no_dice():
    on = stage(table((1, 2, 3), 3, pile=()))
    async with on.run_test(size=SMALL):
        on.board.show(played(3, 1)[-1].state)
        assert all((guest.left, guest.total) == ((), None) for guest in shown(on).guests.guests)
        assert "·" not in text(shown(on).guests)


async def test_the_end_ranks_everybody():
    last = table(
        (4, -1, 6),
        3,
        dice=((), (), (2,)),
        aside=((6, 6, 5), (1, 2, 3), (6, 4)),
        collected=((2,), (-2, 2), (5,)),
        turn=3,
        active=2,
        pile=(),
    )
    on = stage(last, mine=(2,))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "enter")
        listed = text(shown(on).list)
        assert [line.split()[:2] for line in listed.split("\n")[1:4]] == [
            ["1.", "Ben"],
            ["2.", "Anna"],
            ["3.", "Cecilia"],
        ]
        assert "6 worms · 3 morsels" in listed
        assert "No morsels are left." in text(shown(on).buffet)
        await pilot.press("space")
    assert on.notices == ["The game is over."]


# Two players: the robo chicken (G7)


async def test_the_robo_chicken_is_a_third_row_that_collects_nothing():
    aside = ((6,), (5,), (3,))
    on = stage(table((4, 0, 5), 2, dice=((1, 2), (3, 4), ()), aside=aside, turn=2))
    async with on.run_test(size=SMALL):
        assert row(on, "Robo chicken") == words("Robo chicken 3 · · 3 3 5")
        assert eats(on) == ["Anna", "Ben", "Robo chicken"]


# What can still come (G1)


async def test_the_pile_is_counted_by_worth_and_our_mix_is_named_as_ours():
    state = RULES.new(5, Options())
    for event in RULES.begin(state, falling([0, *[0] * 5])):
        state = RULES.evolve(state, event)
    on = stage(state)
    async with on.run_test(size=SMALL):
        assert buffet(on) == [-2, -2, -1, -1, 0]
        assert shown(on).buffet.pile.counts == (0, 0, 1, 3, 4, 4, 3, 3, 2)
        seen = text(shown(on).buffet)
        assert " 20 " in seen
        assert "our own mix of morsels" in seen


async def test_a_mix_of_the_table_is_not_called_ours():
    state = RULES.new(5, Options(morsels=(0,) * 12 + (6,) * 13))
    on = stage(msgspec.structs.replace(state, start=0))
    async with on.run_test(size=SMALL):
        assert "this table's own mix" in text(shown(on).buffet)


@pytest.mark.parametrize("seats", range(2, 6))
def test_no_morsel_is_lost_from_sight_in_a_whole_game(seats: int):
    assert {pile(step.state).note for step in played(seats, 7)} == {"our own mix of morsels"}


# Motion


async def test_dice_tumble_and_land_and_keys_work_meanwhile():
    on = stage(table(), *pips(2, 6, 4), motion=True)
    async with on.run_test(size=SMALL) as pilot:
        for key in ("space", "2"):
            on.simulate_key(key)
            await pilot.pause()
            assert shown(on).dice.progress < 1
            assert shown(on).guests.progress < 1
        await pilot.wait_for_animation()
        assert [view.die.face for view in shown(on).dice.views if view.die] == list("264")
        assert row(on, "Anna")[4:9] == ["6", "·", "·", "2", "4"]


async def test_a_last_die_tumbles_where_it_is_set_aside():
    on = stage(third_turn(), *pips(5), motion=True)
    async with on.run_test(size=SMALL) as pilot:
        on.play(0, Roll())
        assert shown(on).guests.thrown == {("aside", 0, 2)}
        assert shown(on).guests.progress < 1
        await pilot.wait_for_animation()
        assert row(on, "Anna")[2:6] == ["you", "6", "5", "5"]


async def test_the_morsels_of_others_changes_move_and_arrive():
    for action, seats in ((Swap(0, 2, 1), [4, 1, 3, 2]), (Reverse(1), [2, 4, 1, 3])):
        on = stage(second_turn(1), mine=(3,), motion=True)
        async with on.run_test(size=SMALL) as pilot:
            on.play(0, action)
            assert shown(on).buffet.progress < 1
            await pilot.wait_for_animation()
            assert [int(word) for word in text(shown(on).buffet).split("\n")[2].split()[1:5]] == seats


async def test_nothing_moves_without_motion():
    on = stage(table(), *pips(2, 6, 4))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        board = shown(on)
        assert (board.dice.progress, board.guests.progress, board.buffet.progress) == (1, 1, 1)


# Room


@pytest.mark.parametrize("seats", range(2, 6))
async def test_80_by_20_holds_everything_for_any_number_of_players(seats: int):
    step = next(step for step in played(seats, 3) if step.state.round == 4 and step.state.turn == 2)
    on = stage(step.state, mine=(step.state.active,))
    async with on.run_test(size=SMALL):
        board = shown(on)
        lines = text(board.guests)
        assert all(name[:6] in lines for name in NAMES[:seats])
        assert ("Robo chicken" in lines) == (seats == 2)
        assert all(tile.who[:6] in text(board.buffet) for tile in board.buffet.tiles)
        assert all(f"{worms:>2}" in lines for morsels in step.state.collected for worms in morsels)
        assert board.dice.views[0].region.height == 6
        assert board.dice.region.bottom <= 19
        assert "roll both again" in text(board.list)
        assert "Space" in text(board.buttons)


@pytest.mark.parametrize("seats", range(2, 6))
async def test_all_collected_morsels_are_in_sight_at_the_end(seats: int):
    state = played(seats, 11)[-1].state
    on = stage(state)
    async with on.run_test(size=SMALL):
        assert "…" not in text(shown(on).guests)


def test_more_room_makes_morsels_and_rows_larger():
    assert rows(5, 20) == (5, 1)
    assert rows(4, 20) == (5, 1)
    assert rows(3, 20) == (5, 2)
    assert rows(5, 36) == (9, 3)
    assert rows(3, 36) == (9, 3)


@pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
async def test_ascii_signs_are_enough(size: tuple[int, int]):
    on = stage(second_turn(-1, 4), ascii=True)
    async with on.run_test(size=size) as pilot:
        await pilot.press("s", "1", "2")
        board = shown(on)
        assert all(
            text(picture).isascii() for picture in (board.buffet, board.guests, board.dice, board.buttons)
        )


async def test_names_are_not_markup_and_keep_the_columns_in_place():
    names = ("[b]山田太郎さんです", "Ben", "Cecilia", "Dieter")
    on = Stage(GigiBoard(names, (0,), second_turn(), False), falling(()))
    async with on.run_test(size=SMALL):
        assert "[b]山" in text(shown(on).guests)
        strips = [shown(on).guests.render_line(y) for y in range(shown(on).guests.size.height)]
        assert {strip.cell_length for strip in strips} == {80}


async def test_marks_of_presence_stand_by_the_names():
    on = stage(second_turn())
    async with on.run_test(size=SMALL) as pilot:
        on.board.set_presence(("", "bot", "away", "stand-in"))
        await pilot.pause()
        assert row(on, "Ben")[1] == "bot"
        assert row(on, "Cecilia")[1] == "away"
        assert row(on, "Dieter")[1].startswith("sta")


async def test_the_title_says_how_far_the_game_is():
    on = stage(second_turn())
    async with on.run_test(size=SMALL):
        assert on.board.heading == "round 1 of 2"


async def test_the_easy_bot_gives_the_advice():
    on = stage(table())
    async with on.run_test(size=SMALL):
        assert on.board.hint() == "Roll."
