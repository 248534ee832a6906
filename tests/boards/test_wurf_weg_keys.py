"""The keys of Wurf & Weg: what is refused and why, two people at one keyboard, who only watches."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.boards.race_stage import (
    CAT,
    CLOVER,
    CLOVER_PIG,
    COIN,
    FRESH,
    HAND,
    PACE,
    PIG,
    PIG_CAT,
    SMALL,
    Race,
    before_round,
    player,
    race,
    two,
)
from tests.boards.stage import click, named, text
from wuerfel_tui.games.wurf_weg_parts import (
    BLANK,
    Place,
    Ready,
    Roll,
    State,
)

# Refused keys say why

RACING = two(CLOVER, HAND)
WAITING = before_round(player(CLOVER_PIG, *FRESH), player(PIG_CAT, *FRESH), charm=COIN)
STOPPED = replace(
    RACING,
    phase="last",
    caller=1,
    players=(replace(RACING.players[0], rolls=3, until=99_999), replace(RACING.players[1], hand=())),
)


@pytest.mark.parametrize(
    ("state", "keys", "reason"),
    [
        (RACING, "right", "None of your dice shows the pig."),
        (RACING, "down", "None of your dice shows the coin."),
        (RACING, "up", "Left and right go to the neighbours, down to the depot."),
        (RACING, "2", "The hand is neither the charm nor on your card: roll it again."),
        (RACING, "5", "There is no die 5 to be placed."),
        (RACING, "enter", "Space rolls."),
        (RACING, "backspace", "There is nothing to take back."),
        (two(CLOVER, charm=CLOVER), "left", "The clover is the charm: it goes to the depot."),
        (two(BLANK, BLANK), "1", "There is no die 1 to be placed."),
        (WAITING, "left", "The round has not begun: everybody has to be ready."),
        (WAITING, "space space", "You are ready already; the others are not."),
        (WAITING, "space enter", "You are ready already; the others are not."),
        (STOPPED, "left", "After Stop only the charm counts, and it leaves by itself."),
        (replace(RACING, phase="over"), "space", "The game is over."),
    ],
)
async def test_a_refused_key_says_why(state: State, keys: str, reason: str):
    on = Race(state)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press(*keys.split())
    assert on.notices == [reason]


@pytest.mark.parametrize("key", ["space", "left", "1"])
async def test_while_the_dice_tumble_nothing_can_be_done_with_them(key: str):
    on = Race(two(CLOVER, HAND), CLOVER, HAND)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space", key)
    assert on.sent == [(0, Roll())]
    assert on.notices == ["Your dice are still tumbling."]


# Who sits here


async def test_two_people_at_one_keyboard_race_with_keys_of_their_own():
    on = Race(
        race(player(CLOVER_PIG, CLOVER, HAND), player(PIG_CAT, CAT, HAND, COIN), charm=COIN),
        *(PIG,),
        *(HAND, HAND),
        mine=(0, 1),
    )
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("left", "space", "s", "d", "w")
        assert [on.tray(0), on.tray(1)] == [["/", "+Ben"], ["/", "-"]]
    assert on.sent == [(0, Place(CLOVER)), (0, Roll()), (1, Place(COIN)), (1, Place(CAT)), (1, Roll())]


async def test_two_people_at_one_keyboard_are_ready_one_by_one_or_together():
    on = Race(WAITING, mine=(0, 1))
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("w")
        assert on.band == "READY?"
        await pilot.press("enter")
        assert on.band == "READY 3"
    assert on.sent == [(1, Ready()), (0, Ready())]


async def test_each_half_of_the_screen_is_clicked_for_its_own_seat():
    on = Race(
        race(player(CLOVER_PIG, CLOVER, HAND), player(PIG_CAT, CAT, HAND, COIN), charm=COIN), mine=(0, 1)
    )
    async with on.run_test(size=SMALL) as pilot:
        await click(pilot, on.board.cards[1], "A cat")
        await click(pilot, on.board.charm, "CHARM")
        await click(pilot, on.board.trays[0], "♣ C")
    assert on.sent == [(1, Place(CAT)), (1, Place(COIN)), (0, Place(CLOVER))]


async def test_with_one_seat_the_other_keys_do_the_same():
    on = Race(two(CLOVER, COIN, HAND), PIG)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("a", "s", "w")
    assert [action for _, action in on.sent] == [Place(CLOVER), Place(COIN), Roll()]


async def test_who_watches_sees_everybodys_dice_and_does_nothing():
    on = Race(two(CLOVER, CAT), PIG, PIG, mine=())
    async with on.run_test(size=SMALL) as pilot:
        assert "♣ C  ▲ A" in text(on.board.others[0])
        on.play(0, Roll())
        assert "∞ P  ∞ P" not in text(on.board.others[0])
        on.wait(PACE)
        assert "∞ P  ∞ P" in text(on.board.others[0])
        await pilot.press("space", "left", "enter", "w", "a")
        assert text(on.board.buttons).strip() == ""
    assert on.sent == []
    assert on.notices == ["You are watching."] * 5


async def test_where_the_table_places_for_everybody_it_is_seen_as_the_dice_land():
    on = Race(two(CLOVER, CAT, auto_place=True), PIG, HAND)
    async with on.run_test(size=SMALL) as pilot:
        await pilot.press("space")
        on.wait(PACE)
        assert on.tray() == ["Ψ N"]
        assert on.board.prompt == "Space rolls; what belongs somewhere goes there by itself."


async def test_the_keys_below_are_those_that_do_something():
    on = Race(WAITING, mine=(0, 1))
    async with on.run_test(size=SMALL) as pilot:
        assert named(on) == {"roll", "ready"}
        await pilot.press("enter")
        assert named(on) == {"roll"}


async def test_the_title_says_how_it_stands():
    on = Race(WAITING)
    async with on.run_test(size=SMALL) as pilot:
        assert (on.board.heading, on.board.standing) == ("round 2", "0 of 2 ready")
        await pilot.press("space")
        assert on.board.standing == "1 of 2 ready"
        assert on.board.hint() == "You are ready: wait for the others."
