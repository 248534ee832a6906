"""The board of Würfel Express: whole turns by keys alone and by mouse alone, what is shown before, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.boards.stage import Stage, click, falling, named, text
from tests.games.express_tables import LETTERS, faces, table, track
from wuerfel_tui.boards.express import ExpressBoard, rows
from wuerfel_tui.games.express_parts import (
    GREEN,
    RED,
    WHITE,
    EndTurn,
    Reroll,
    Roll,
    State,
    Steal,
    Stop,
    Take,
    TakeBack,
)

NAMES = ("Anna", "Ben", "Cecilia", "Dieter", "Elfriede", "Françoise")
SMALL = (80, 20)


def board(state: State, mine: tuple[int, ...] = (0,), motion: bool = False) -> ExpressBoard:
    return ExpressBoard(NAMES[: len(state.tracks)], mine, state, motion)


def stage(state: State, dice: str = "", **options: Any) -> Stage:
    """Anna's board, unless somebody else is said to sit here; the dice fall like these letters."""
    return Stage(board(state, **options), falling(faces(dice)))


def shown(on: Stage) -> ExpressBoard:
    assert isinstance(on.board, ExpressBoard)
    return on.board


def words(on: Stage) -> list[str]:
    """What is written under the dice."""
    return [die.word for die in shown(on).dice.dice]


# A turn


async def test_a_turn_by_keys_alone():
    on = stage(table("Y2", "B3 L2", "W3"), "RRGBLWY" + "RG" + "R")
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        await pilot.press("1", "2", "3", "5", "7", "space")  # keeps R R G L Y
        await pilot.press("4", "6", "7", "space")  # keeps the new R and G too, lets Y go
        await pilot.press("down", "enter", "e")  # takes the green piece, and leaves the red one
    assert on.sent == [
        (0, Roll()),
        (0, Reroll((3, 5))),
        (0, Reroll((6,))),
        (0, Take(GREEN, 2)),
        (0, EndTurn()),
    ]
    assert shown(on).state.turn == 1


async def test_a_turn_by_mouse_alone():
    on = stage(table("Y2", "B3 L2", "W3"), "RRGBLWY" + "RG")
    async with on.run_test(size=SMALL) as pilot:
        tables = shown(on)
        await click(pilot, tables.buttons, "roll 7")
        for index in (0, 1, 2, 4, 6):
            await pilot.click(tables.dice.views[index])
        await click(pilot, tables.buttons, "roll 2 again")
        await click(pilot, tables.buttons, "stop here")
        await click(pilot, tables.list, "G2")
        assert on.sent[-1] == (0, Stop())  # one click only shows what would come of it
        await click(pilot, tables.list, "G2")
        await click(pilot, tables.buttons, "end the turn")
    assert on.sent == [(0, Roll()), (0, Reroll((3, 5))), (0, Stop()), (0, Take(GREEN, 2)), (0, EndTurn())]


async def test_two_people_at_one_keyboard_act_one_after_the_other():
    on = stage(table("R2", "Y2"), "GGGGGGR" + "BBBBBBB", mine=(0, 1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "enter", "enter", "space")
    assert on.sent == [(0, Roll()), (0, Stop()), (0, Take(GREEN, 6)), (1, Roll())]


async def test_arrows_and_enter_pick_dice_and_escape_leaves_them():
    on = stage(table("Y2", "B3", dice="RRGBLWY", rolls=1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press(
            "right", "enter", "right", "right", "enter", "left", "left", "left", "left", "enter"
        )
        assert words(on) == ["kept", "roll", "kept", "roll", "roll", "roll", "kept"]
        assert on.board.prompt.endswith("Enter: let die 7 go")
        await pilot.press("escape")
        assert on.board.prompt.endswith("Enter stops here")
        await pilot.press("enter")
    assert on.sent == [(0, Stop())]


async def test_what_is_kept_stays_kept_in_the_next_roll_and_new_dice_are_not():
    on = stage(table("Y2", "B3", dice="RRGBLWY", rolls=1), "RRRRR")
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("1", "2", "space")
        assert words(on) == ["kept", "kept", "roll", "roll", "roll", "roll", "roll"]


# Taking back (E4)


async def test_taking_back_is_shown_before_it_is_sent_and_can_be_undone():
    on = stage(table("R2 G3 B4", "Y2"), "WWWWWW")
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("backspace", "backspace", "escape")
        assert on.sent == []
        lane = shown(on).tracks.lanes[0]
        assert (lane.track, lane.leaving) == (track("G3 B4", rear=3), ((1, track("R2").pieces[0]),))
        assert [die.state for die in shown(on).dice.dice] == [""] * 6 + ["gone"]
        assert "Space takes 1 back and rolls 6 dice" in on.board.prompt
        await pilot.press("space")
    assert on.sent == [(0, TakeBack(1)), (0, Roll())]
    assert on.board.state.dice == faces("WWWWWW")


async def test_the_last_piece_cannot_be_taken_back():
    on = stage(table("R2 G3", "Y2"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("backspace", "backspace")
    assert on.notices == ["At least one piece must stay."]


async def test_a_click_on_ones_rearmost_piece_takes_it_back():
    on = stage(table("R2 G3", "Y2"), "WWWWWW")
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).tracks, "R2")
        await click(pilot, shown(on).buttons, "roll 6")
    assert on.sent == [(0, TakeBack(1)), (0, Roll())]


# What is shown before it is done (E6, E8, E9)


async def test_a_gain_stands_as_a_ghost_at_the_front_and_leaves_the_display():
    on = stage(table("Y2", "B3 L2", dice="RRRGGWW", missing="G2"))
    async with on.run_test(size=SMALL):
        board = shown(on)
        assert (board.tracks.lanes[0].track, board.tracks.lanes[0].ghosts) == (track("Y2 R3"), 1)
        assert board.rack.leaving == track("R3").pieces[0]
        assert "2→5" in text(board.tracks)
        assert words(on) == ["R3", "R3", "R3", "", "", "", ""]
        assert "Anna would take the red 3-piece" in text(board.list)


async def test_a_theft_shows_how_the_victim_would_slide_back():
    on = stage(table("Y2", "R2 L3", "W6", dice="RRGGBBW", missing="G2 G3 R3"))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).list, "steal from Ben")
        victim = shown(on).tracks.lanes[1]
        assert (victim.track, victim.was) == (track("L3"), 5)
        assert "5→3" in text(shown(on).tracks)
        await pilot.press("enter")
    assert on.sent == [(0, Steal(1))]


async def test_a_theft_from_who_is_furthest_back_moves_only_their_rear():
    on = stage(table("Y4", "R2 L2", "W6", dice="RRGGBBW"))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).list, "steal from Ben")
        victim = shown(on).tracks.lanes[1]
        assert (victim.track, victim.leaving) == (track("L2", rear=3), ((1, track("R2").pieces[0]),))
        assert victim.track.front == victim.was


async def test_display_and_tracks_can_be_clicked_to_gain():
    on = stage(table("Y4", "R2 L2", "W6", dice="RRGGBBW"))
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, shown(on).rack, "B2")
        await click(pilot, shown(on).rack, "R3")
        await click(pilot, shown(on).tracks, "R2")
        await click(pilot, shown(on).tracks, "W6")
        await pilot.press("enter")
    assert on.notices == [
        "Too few dice show red for a piece of that length.",
        "A track of fewer than two pieces cannot be stolen from.",
    ]
    assert on.sent == [(0, Steal(1))]


async def test_while_rolling_the_list_says_what_stopping_would_gain():
    on = stage(table("Y4", "R2 L2", "W6", dice="RRGGBBW", rolls=1))
    async with on.run_test(size=SMALL):
        assert [choice.chip for choice in shown(on).list.choices] == ["G2", "B2", "R2"]
        assert shown(on).list.cursor is None


async def test_stopping_with_nothing_to_gain_is_asked_again():
    on = stage(table("Y4 L3", "W2", dice="RGBYLYW", rolls=1))
    async with on.run_test(size=SMALL) as pilot:
        assert "light\n blue 3-piece" in "\n".join(line.rstrip() for line in text(shown(on).list).split("\n"))
        await pilot.press("enter")
        assert on.sent == []
        assert on.notices == ["Nothing to gain: your light blue 3-piece goes back. Enter again stops."]
        await pilot.press("enter")
    assert on.sent == [(0, Stop())]
    assert on.board.state.tracks[0] == track("Y4")


async def test_a_digit_in_between_takes_the_asking_back():
    on = stage(table("Y4 L3", "W2", dice="RGBYLYW", rolls=1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "1", "enter")
    assert on.sent == []
    assert len(on.notices) == 2


async def test_the_asking_goes_when_the_turn_has_passed():
    on = stage(table("Y4 L3", "W2", dice="RGBYLYW", rolls=1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        assert on.notice.endswith("Enter again stops.")
        await pilot.press("enter")
        assert on.notice == ""


async def test_the_keys_below_are_those_that_do_something_and_the_others_still_say_why():
    on = stage(table("Y4 L3", "W2", dice="RGBYLYW", rolls=1), mine=(0,))
    async with on.run_test(size=SMALL) as pilot:
        assert named(on) == {"roll", "confirm"}
        await pilot.press("backspace", "e")
        assert len(on.notices) == 2
        await pilot.press("enter", "enter")
        assert named(on) == set()
        await pilot.press("space")
        assert on.notice == "It is Ben's turn."


async def test_the_dice_stay_where_they_fell_when_a_turn_ends_by_itself():
    on = stage(table("Y4 L3", "W2", dice="RGBYLYW", rolls=2), "RLWLBGY")
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        assert on.board.state.turn == 1
        assert [die.face for die in shown(on).dice.dice] == list("RLWLBGY")


async def test_the_end_shows_who_won_and_takes_no_more_keys():
    on = stage(table(track("Y4", rear=24), "W2", dice="RRRBBBW"))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "space")
        assert "The finish is reached" in text(shown(on).list)
    assert on.told == ["Anna takes the red 3-piece and reaches space 30: the finish."]
    assert on.notices == ["The game is over."]


# Refused keys say why


@pytest.mark.parametrize(
    ("state", "keys", "reason"),
    [
        (table("Y2", "W2", turn=1), "space", "It is Ben's turn."),
        (table("Y2", "W2", dice="RRGBLWY", rolls=1), "8", "There are 7 dice."),
        (table("Y2", "W2", dice="RRG", rolls=1), "1 2 3 space", "All dice are kept: a digit lets one go"),
        (table("Y2 R2", "W2", dice="RRGBLWY", rolls=1), "backspace", "only before the first roll"),
        (table("Y2", "W2", dice="RRGBLWY", rolls=1), "e", "The rolls are not over"),
        (table("Y2", "W2", dice="RRGGLWY"), "e", "A piece can be gained, so at least one must be."),
        (table("Y2", "W2", dice="RRGGLWY"), "space", "The last roll is made: choose what to gain."),
        (table("Y2", "W2", dice="RRGGLWY"), "9", "There is no choice 9."),
        (table("Y2", "W2"), "backspace", "There is no piece to take back."),
    ],
)
async def test_a_refused_key_says_why(state: State, keys: str, reason: str):
    on = stage(state)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press(*keys.split())
    assert on.sent == []
    assert len(on.notices) == 1
    assert reason in on.notices[0]


async def test_who_watches_sees_all_and_does_nothing():
    on = stage(table("Y2", "W2", dice="RRGGLWY", rolls=2), mine=())
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "1", "enter")
        assert text(shown(on).buttons).strip() == ""
        assert on.board.prompt == "Anna is rolling: roll 2."
    assert on.sent == []
    assert on.notices == ["You are watching."] * 3


async def test_a_second_key_waits_for_the_answer_to_the_first():
    on = Stage(board(table("Y2", "W2")), falling(()), answers=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", "space")
        assert on.sent == [(0, Roll())]
        on.reject()
        await pilot.press("space")
    assert on.sent == [(0, Roll()), (0, Roll())]
    assert on.notices == ["The table has not answered yet."]


async def test_what_was_pending_is_gone_when_the_table_says_no():
    on = Stage(board(table("Y2 R3", "W2")), falling(()), answers=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("backspace", "space")
        on.reject()
        assert shown(on).tracks.lanes[0].track == track("Y2 R3")


# Motion


async def test_dice_tumble_and_land_and_keys_work_meanwhile():
    on = stage(table("Y2", "W2"), "RRGBLWY" + "RRRRR", motion=True)
    async with on.run_test(size=SMALL) as pilot:
        for key in ("space", "1", "2", "space"):
            on.simulate_key(key)
            await pilot.pause()
            assert shown(on).dice.progress < 1
        await pilot.wait_for_animation()
        assert shown(on).dice.progress == 1
        assert [view.die.face for view in shown(on).dice.views if view.die] == list("RRRRRRR")
    assert on.sent == [(0, Roll()), (0, Reroll((2, 3, 4, 5, 6)))]


async def test_a_stolen_piece_moves_and_arrives():
    on = stage(table("Y4", "R2 L3", "W6", dice="RRGGBBW"), motion=True)
    async with on.run_test(size=SMALL) as pilot:
        on.play(0, Steal(1))
        assert shown(on).tracks.progress < 1
        await pilot.wait_for_animation()
        lines = text(shown(on).tracks).split("\n")
        assert "Y4" in lines[1]
        assert "R2" in lines[1]


async def test_nothing_moves_without_motion():
    on = stage(table("Y2", "W2"), "RRGBLWY", motion=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        assert (shown(on).dice.progress, shown(on).tracks.progress) == (1, 1)


async def test_nothing_moves_where_the_environment_forbids_it():
    on = stage(table("Y4", "R2 L3", "W6", dice="RRGGBBW"), motion=True)
    async with on.run_test(size=SMALL):
        on.animation_level = "none"
        on.play(0, Steal(1))
        assert shown(on).tracks.progress == 1


# Room


@pytest.mark.parametrize("seats", range(2, 7))
async def test_80_by_20_holds_everything_for_any_number_of_players(seats: int):
    tracks = ["R2 G3", "Y2 B2", "L2", "W2 R3", "Y3", "G4"][:seats]
    on = stage(table(*tracks, dice="BBLLWWR", rolls=1))
    async with on.run_test(size=SMALL):
        board = shown(on)
        assert all(name in text(board.tracks) for name in NAMES[:seats])
        assert "30" in text(board.tracks)
        assert all(str(length) in text(board.rack) for length in range(3, 7))
        assert all(die.region.bottom <= 19 for die in board.dice.views)
        assert "stop here" in text(board.buttons)
        assert "W2" in text(board.list)
        assert board.tracks.region.bottom <= board.rack.region.y


def test_more_room_makes_tracks_and_dice_larger():
    assert rows(6, 20) == (1, 4)
    assert rows(4, 20) == (2, 4)
    assert rows(2, 20) == (3, 4)
    assert rows(6, 36) == (3, 6)


@pytest.mark.parametrize("size", [(80, 20), (84, 36), (160, 45)])
async def test_ascii_signs_are_enough(size: tuple[int, int]):
    on = Stage(board(table("R2 G3", "Y2 B2", "L2", dice="BBLLWWR")), falling(()), ascii=True)
    async with on.run_test(size=size):
        pictures = [shown(on).tracks, shown(on).rack, shown(on).dice, shown(on).buttons]
        assert all(text(picture).isascii() for picture in pictures)


async def test_a_name_in_wide_letters_keeps_the_track_in_its_place():
    on = Stage(ExpressBoard(("山田太郎さんです", "Ben"), (0,), table("R2", "Y2"), False), falling(()))
    async with on.run_test(size=SMALL):
        strips = [shown(on).tracks.render_line(y) for y in range(shown(on).tracks.size.height)]
        assert {strip.cell_length for strip in strips} == {80}
        assert "…" in text(shown(on).tracks)


async def test_a_piece_beyond_the_finish_leaves_the_number_free():
    on = stage(table(track("Y5", rear=24), "W2", dice="RRRRRBW"))
    async with on.run_test(size=SMALL) as pilot:
        assert "28→33" in text(shown(on).tracks)
        await pilot.press("enter")
        assert "33" in text(shown(on).tracks)


async def test_marks_of_presence_stand_by_the_names():
    on = stage(table("R2", "Y2", "G2", "B2", "L2", "W2"))
    async with on.run_test(size=SMALL) as pilot:
        on.board.set_presence(("", "bot", "away", "stand-in", "", ""))
        await pilot.pause()
        lines = text(shown(on).tracks).split("\n")
        assert [line.split()[1] for line in lines[2:5]] == ["bot", "away", "stand"]


async def test_the_easy_bot_gives_the_advice():
    on = stage(table("Y2", "W2", dice="RRRRRRR"))
    async with on.run_test(size=SMALL):
        assert on.board.hint() == "Take the red 6-piece."


def test_the_letters_of_the_board_are_those_of_the_rules():
    assert [LETTERS[colour] for colour in (RED, GREEN, WHITE)] == ["R", "G", "W"]
