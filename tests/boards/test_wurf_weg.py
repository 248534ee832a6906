"""The board of Wurf & Weg: rounds by keys alone and by mouse alone, what is shown when."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tests.boards.race_stage import (
    CAT,
    CAT_COIN,
    CLOVER,
    CLOVER_PIG,
    COIN,
    FRESH,
    HAND,
    HORSESHOE,
    PACE,
    PIG,
    PIG_CAT,
    RULES,
    SMALL,
    Race,
    before_round,
    player,
    race,
    two,
)
from tests.boards.stage import click, text
from wuerfel_tui.boards.wurf_weg import pictures
from wuerfel_tui.bots import BOTS
from wuerfel_tui.games.core import Refusal
from wuerfel_tui.games.wurf_weg_parts import (
    Place,
    Ready,
    Roll,
)

# A round


async def test_a_round_by_keys_alone():
    on = Race(
        before_round(player(CLOVER_PIG, *FRESH), player(PIG_CAT, *FRESH), charm=COIN),
        *(CLOVER, COIN, HAND),
        *(PIG,),
        *(CAT, CAT, CAT, CAT, CAT) * 3,
        *(0, HORSESHOE),
    )
    async with on.run_test(size=SMALL) as pilot:
        assert on.band == "READY?"
        await pilot.press("space")
        on.play(1, Ready())
        assert on.band == "READY 3"
        on.wait(3000)
        assert on.band == "GO!"
        await pilot.press("space")
        on.wait(PACE)
        await pilot.press("down", "left", "space")
        on.wait(PACE)
        await pilot.press("right")
        assert on.band == "STOP!"
        for _ in range(3):
            on.play(1, Roll())
            on.wait(PACE)
        assert on.band == "ROUND 2 IS OVER"
        await pilot.press("enter")
        assert on.band == "READY?"
    assert [action for _, action in on.sent] == [
        Ready(),
        Roll(),
        Place(COIN),
        Place(CLOVER),
        Roll(),
        Place(PIG),
        Ready(),
    ]
    assert [each.won for each in on.truth.players] == [1, 0]
    assert on.notices == []


async def test_a_round_by_mouse_alone():
    on = Race(
        before_round(player(CLOVER_PIG, *FRESH), player(PIG_CAT, *FRESH), charm=COIN),
        *(CLOVER, COIN, PIG),
        *(CLOVER,),
    )
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, on.board.buttons, "ready")
        on.play(1, Ready())
        on.wait(3000)
        await click(pilot, on.board.buttons, "roll")
        on.wait(PACE)
        await click(pilot, on.board.charm, "CHARM")
        await click(pilot, on.board.cards[0], "P pig")
        await pilot.click(on.board.trays[0], offset=(1, 1))  # beside the dice: roll
        on.wait(PACE)
        await click(pilot, on.board.trays[0], "♣ C")
    assert [action for _, action in on.sent] == [
        Ready(),
        Roll(),
        Place(COIN),
        Place(PIG),
        Roll(),
        Place(CLOVER),
    ]
    assert on.band == "STOP!"


async def test_a_whole_game_by_keys_alone():
    """Anna sees everything at once; Ben is the easy bot, and each roll waits for the slower of the two."""
    rng = Random(5)
    on = Race(
        before_round(player(CLOVER_PIG, *FRESH, won=2), player(PIG_CAT, *FRESH, won=1), charm=COIN),
        slow=False,
    )
    on.dice = rng.randrange
    bot = BOTS["wurf_weg"]["easy"]
    async with on.run_test(size=SMALL) as pilot:
        while RULES.outcome(on.truth) is None:
            keys = {Ready(): "space", Roll(): "space", Place(on.truth.charm): "down"}
            card = on.board.cards[0].model
            if card is not None:
                keys = {Place(card.symbols[0]): "left", Place(card.symbols[1]): "right"} | keys
            mine = RULES.legal(on.truth, 0)
            if mine:
                await pilot.press(keys[mine[-1]])
            theirs = bot.choose(on.truth, 1, rng)
            if theirs is not None:
                on.play(1, theirs)
            on.wait(PACE if on.truth.air else 3000)
        assert on.band == "THE END"
        await pilot.press("space")
    assert on.notices == ["The game is over."]


# In real time: what is seen when (W9)


async def test_the_dice_tumble_at_the_press_and_lie_when_the_pace_has_passed_on_our_own_clock():
    on = Race(two(CLOVER, CAT, HAND), HAND, CLOVER, PIG, slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        assert on.tray() == ["/", "-", "\\"]  # nothing has reached the table
        on.reach()
        on.arrive()
        assert on.board.state.players[0].hand == (HAND, CLOVER, PIG)
        assert on.tray() == ["/", "-", "\\"]  # the faces have come and are not shown
        on.board.dice_lie(0)
        assert on.tray() == ["♣ C", "∞ P", "Ψ N"]  # without a word from the table


async def test_faces_that_come_later_than_the_pace_are_shown_as_they_come():
    on = Race(two(CLOVER), PIG, slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.board.dice_lie(0)
        assert on.tray() == ["/"]
        on.reach()
        on.arrive()
        assert on.tray() == ["∞ P"]


async def test_sending_and_rolling_go_out_at_once_without_an_answer_in_between():
    on = Race(two(CLOVER, COIN, HAND), slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("left", "down", "space")
        assert on.tray() == ["/"]
        assert on.dice_of("Ben") == "4 dice ●●●○"
    assert on.sent == [(0, Place(CLOVER)), (0, Place(COIN)), (0, Roll())]
    assert on.notices == []


async def test_a_key_that_was_too_early_for_the_tables_clock_is_sent_again_by_itself():
    on = Race(two(CLOVER, CAT), PIG, HAND, slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.reach()
        on.arrive()
        on.board.dice_lie(0)
        await pilot.press("right")
        on.reach()  # a moment before its dice lie at the table
        on.arrive()
        assert on.tray() == ["Ψ N"]  # on this screen it is done all the same
        on.wait(PACE)
        on.arrive()
        await pilot.pause()
        on.reach()
        on.arrive()
    assert on.sent == [(0, Roll()), (0, Place(PIG)), (0, Place(PIG))]
    assert on.truth.players[0].hand == (HAND,)


async def test_what_stop_has_overtaken_is_undone_without_a_word():
    on = Race(race(player(CLOVER_PIG, CLOVER, HAND), player(PIG_CAT, COIN), charm=COIN), slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("left")
        assert on.tray() == ["Ψ N"]
        on.play(1, Place(COIN))
        on.reach()
        on.arrive()
        assert on.band == "STOP!"
        assert on.tray() == ["♣ C", "Ψ N"]
    assert on.notices == []


@pytest.mark.parametrize(
    ("code", "quiet"), [("overtaken", True), ("tumbling", True), ("after-stop", True), ("not-yours", False)]
)
def test_only_what_time_or_others_overtook_is_refused_without_a_word(code: str, quiet: bool):
    assert Race(two(CLOVER)).board.is_quiet(Refusal(code, "No.")) is quiet


async def test_the_race_begins_on_our_own_clock_and_the_first_roll_need_not_wait_for_the_word():
    on = Race(replace(two(CLOVER), phase="countdown", until=13_000), CAT, slow=True)
    async with on.run_test(size=SMALL) as pilot:
        assert on.band == "READY 3"
        await pilot.press("space")
        assert on.notices == ["Not before the count-down has ended."]
        on.now = 11_999
        on.board.update()
        assert on.band == "READY 2"
        on.now = 13_000
        on.board.update()
        assert on.band == "GO!"
        await pilot.press("space")
        assert on.tray() == ["/"]
    assert on.sent == [(0, Roll())]


async def test_the_count_down_is_looked_at_by_itself_and_nothing_else_keeps_a_clock():
    on = Race(replace(two(CLOVER), phase="countdown", until=10_001))
    async with on.run_test(size=SMALL) as pilot:
        assert on.board.ticking
        on.now = 10_001
        while on.board.ticking:
            await pilot.pause(0.001)
        assert on.band == "GO!"


async def test_the_dice_lie_by_themselves_when_the_pace_has_passed():
    on = Race(two(CLOVER, CAT, pace=300), PIG, HAND)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        assert on.tray() == ["/", "-"]
        while on.board.hands[0].tumbling(on.board.state):
            await pilot.pause(0.001)
        assert on.tray() == ["∞ P", "Ψ N"]


async def test_dice_turn_while_they_tumble():
    on = Race(two(CLOVER, CAT), PIG, HAND, motion=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.board.turn_dice(0)
        assert on.tray() == ["-", "\\"]


def test_the_fewer_dice_the_more_pictures_of_the_tumble():
    assert [pictures(dice) for dice in range(1, 7)] == [2, 2, 1, 0, 0, 0]


async def test_a_roll_of_which_no_word_comes_is_given_up_so_that_it_can_be_made_again():
    on = Race(two(CLOVER, CAT), slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.board.dice_lie(0)
        await pilot.press("space")
        assert on.notices == ["Your dice are still tumbling."]
        on.board.give_up(0)
        assert on.tray() == ["♣ C", "▲ A"]
        await pilot.press("space")
    assert on.sent == [(0, Roll()), (0, Roll())]


async def test_without_motion_the_dice_are_hidden_all_the_same():
    on = Race(two(CLOVER, CAT), PIG, HAND, motion=False)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        assert on.tray() == ["/", "-"]
        on.wait(PACE)
        assert on.tray() == ["∞ P", "Ψ N"]


async def test_a_roll_made_for_us_shows_when_the_table_says_so():
    on = Race(race(player(CLOVER_PIG, HAND), player(PIG_CAT, COIN), charm=COIN, roll_limit=5000), CAT)
    async with on.run_test(size=SMALL):
        on.play(1, Place(COIN))
        on.wait(5000)
        assert on.tray() == ["/"]
        on.wait(PACE)
        assert on.tray() == ["▲ A"]
    assert "Anna has waited too long: 1 die rolled." in on.told


# What the others do


async def test_dice_that_come_to_our_card_say_from_whom_and_join_the_next_roll():
    three = race(
        player(CLOVER_PIG, HAND), player(PIG_CAT, CAT, CAT, HAND), player(CAT_COIN, CAT, HAND), charm=COIN
    )
    on = Race(three, *(CLOVER,) * 4)
    async with on.run_test(size=SMALL) as pilot:
        on.play(1, Place(CAT))
        on.play(2, Place(CAT))
        assert on.tray() == ["Ψ N", "+Ben", "+Ben", "+Cecili"]
        await pilot.press("space")
        on.wait(PACE)
        assert on.tray() == ["♣ C"] * 4


async def test_dice_that_come_while_ours_tumble_wait_for_the_roll_after():
    on = Race(race(player(CLOVER_PIG, HAND), player(PIG_CAT, CAT), charm=COIN), CLOVER, slow=True)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.reach()
        on.play(1, Place(CAT))
        on.arrive()
        assert on.tray() == ["/", "+Ben"]


async def test_others_dice_are_counted_and_tumble_until_they_have_landed():
    on = Race(race(player(CLOVER_PIG, HAND), player(PIG_CAT, CAT, HAND), charm=COIN), CAT, CAT)
    async with on.run_test(size=SMALL):
        assert on.dice_of("Ben") == "2 dice ●●"
        on.play(1, Roll())
        assert on.dice_of("Ben") == "2 dice ≈≈"
        on.wait(PACE)
        assert on.dice_of("Ben") == "2 dice ●●"
        on.play(1, Place(CAT))
        assert on.dice_of("Ben") == "called Stop"


async def test_neighbours_sit_where_their_keys_point_and_the_others_above():
    six = race(*(player(card, HAND) for card in range(6)), charm=COIN)
    on = Race(six, mine=(2,))
    async with on.run_test(size=SMALL):
        places = {
            panel.model.name: (panel.region.x, panel.region.y, panel.model.arrow) for panel in on.board.others
        }
        assert [places["Dieter"][2], places["Ben"][2]] == ["←", "→"]
        left, right = places["Dieter"][0], places["Ben"][0]
        assert left < right
        assert [places[name][0] for name in ("Elfriede", "Françoise", "Anna")] == [left, left, right]
        assert places["Elfriede"][1] < places["Dieter"][1]
        assert "← Dieter" in text(on.board.cards[0])
        assert "Ben →" in text(on.board.cards[0])


async def test_of_two_players_the_other_one_is_on_both_sides():
    on = Race(two(CLOVER, PIG, HAND))
    async with on.run_test(size=SMALL) as pilot:
        assert [panel.model.arrow for panel in on.board.others] == ["←→"]
        await pilot.press("left", "right")
    assert [on.truth.players[1].on_card, on.truth.players[0].hand] == [2, (HAND,)]


async def test_a_symbol_that_is_the_charm_sleeps_on_our_card():
    on = Race(two(CLOVER, charm=CLOVER))
    async with on.run_test(size=SMALL):
        card = on.board.cards[0].model
        assert card is not None
        assert card.asleep == (True, False)


async def test_after_stop_the_whole_card_sleeps_and_the_last_rolls_are_counted():
    on = Race(race(player(CLOVER_PIG, HAND), player(PIG_CAT, COIN), charm=COIN), CAT)
    async with on.run_test(size=SMALL) as pilot:
        on.play(1, Place(COIN))
        card = on.board.cards[0].model
        assert card is not None
        assert card.asleep == (True, True)
        assert "3 last rolls left" in text(on.board.lines[0])
        await pilot.press("space")
        on.wait(PACE)
        assert "2 last rolls left" in text(on.board.lines[0])


async def test_who_is_rid_of_all_dice_after_stop_is_told_so():
    on = Race(race(player(CLOVER_PIG, HAND), player(PIG_CAT, COIN), player(3, HAND), charm=COIN), COIN)
    async with on.run_test(size=SMALL) as pilot:
        on.play(1, Place(COIN))
        await pilot.press("space")
        on.wait(PACE)
        assert "You are rid of all your dice!" in text(on.board.trays[0])
        await pilot.press("space")
    assert on.notices == ["You are rid of all your dice."]


async def test_rewards_are_news_until_we_are_ready():
    on = Race(race(player(CLOVER_PIG, COIN), player(PIG_CAT, COIN), charm=COIN, pace=300), 0, 1, CAT)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("down")
        assert on.band == "ROUND 1 IS OVER"
        assert "Anna and Ben turned a card each face down." in on.board.band.model.sentence
        assert "New card" in text(on.board.trays[0])
        await pilot.press("space")
        assert on.band == "READY?"


async def test_marks_of_presence_stand_by_the_names():
    on = Race(race(*(player(card, HAND) for card in range(3)), charm=COIN))
    async with on.run_test(size=SMALL):
        on.board.set_presence(("", "bot", "away"))
        assert ["bot" in text(on.board.others[0]), "away" in text(on.board.others[1])] == [True, True]
