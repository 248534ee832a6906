"""How rows rank in Würfel Poker (P4), and what boards and bots ask about a row."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations, product

import pytest

from wuerfel_tui.games.poker import Half, Pips, Row, leader, name, possible, rank, reason, winner, with_die


def pips(text: str) -> Pips:
    return tuple(map(int, text))


def half(text: str, filled: int = 18) -> Half:
    return Half(pips(text), filled if len(text) == 3 else 0)


def row(left: str, right: str) -> Row:
    return half(left), half(right)


WEAKEST_TO_STRONGEST = """
    421 431 521 531 532 541 542 621 631 632 641 642 643 651 652 653
    112 113 114 115 116 221 223 224 225 226 331 332 334 335 336
    441 442 443 445 446 551 552 553 554 556 661 662 663 664 665
    321 432 543 654
    111 222 333 444 555 666
"""
LADDER = WEAKEST_TO_STRONGEST.split()
"""All 56 rows, written down by hand: the rules' ordering must come to the same."""


def test_there_are_56_different_rows():
    assert len(LADDER) == 56
    assert {tuple(sorted(pips(text))) for text in LADDER} == set(
        combinations_with_replacement(range(1, 7), 3)
    )


@pytest.mark.parametrize("left_first", [True, False])
def test_of_all_56_by_56_pairs_the_stronger_row_wins_and_of_identical_ones_the_one_that_was_full_first(
    left_first: bool,
):
    filled = (7, 12) if left_first else (12, 7)
    for (mine, left), (yours, right) in product(enumerate(LADDER), repeat=2):
        left_wins = left_first if mine == yours else mine > yours
        facing = (half(left, filled[0]), half(right, filled[1]))
        assert leader(facing) == winner(facing) == (0 if left_wins else 1), (left, right)


def test_the_space_within_a_row_does_not_matter():
    for text in LADDER:
        assert {rank(pips("".join(order))) for order in permutations(text)} == {rank(pips(text))}


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("444", "333"),
        ("654", "432"),
        ("432", "231"),
        ("334", "221"),
        ("443", "442"),
        ("651", "643"),
        ("111", "654"),  # three of a kind > straight
        ("231", "665"),  # straight > pair
        ("112", "653"),  # pair > single
    ],
)
def test_rulebook_pairs_of_rows(stronger: str, weaker: str):
    assert leader(row(stronger, weaker)) == 0
    assert leader(row(weaker, stronger)) == 1


def test_the_rulebooks_single_5_4_3_is_a_straight_and_beats_6_2_1():
    assert name(pips("543")) == "straight 5-4-3"
    assert leader(row("621", "543")) == 1


@pytest.mark.parametrize("text", ["612", "561"])
def test_no_straight_wraps_around(text: str):
    assert name(pips(text)) == "single 6"


def test_1_2_3_is_the_lowest_straight():
    assert leader(row("123", "234")) == 1


def test_rulebook_example_a_pair_of_5_leads_over_a_pair_of_4_until_another_4_comes():
    before = row("44", "5")
    now = with_die(before, 1, 5, 9)

    assert leader(before) == 0
    assert (leader(now), reason(now)) == (1, "pair: 5 beats 4")
    assert [die for die in range(1, 7) if leader(with_die(now, 0, die, 10)) == 0] == [4]


# What boards say about a row


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("", "empty row"),
        ("3", "single 3"),
        ("26", "single 6"),
        ("44", "pair of 4"),
        ("414", "pair of 4"),
        ("465", "straight 6-5-4"),
        ("222", "triple of 2"),
        ("216", "single 6"),
    ],
)
def test_names(text: str, called: str):
    assert name(pips(text)) == called


@pytest.mark.parametrize(
    ("left", "right", "side", "why"),
    [
        ("", "", None, "level"),
        ("35", "53", None, "level"),
        ("4", "", 0, "single beats empty row"),
        ("44", "621", 0, "pair beats single"),
        ("443", "442", 0, "pair: third die 3 beats 2"),
        ("44", "443", 1, "pair: third die 3 beats none"),
        ("643", "651", 1, "single: second die 5 beats 4"),
        ("653", "652", 0, "single: third die 3 beats 2"),
        ("123", "654", 1, "straight: 6 beats 3"),
        ("666", "555", 0, "triple: 6 beats 5"),
    ],
)
def test_who_leads_a_row_as_it_stands_and_why(left: str, right: str, side: int | None, why: str):
    assert (leader(row(left, right)), reason(row(left, right))) == (side, why)


@pytest.mark.parametrize(
    ("text", "worst", "best"),
    [
        ("", "124", "666"),
        ("6", "612", "666"),
        ("3", "314", "333"),
        ("35", "351", "354"),
        ("16", "162", "166"),
        ("44", "441", "444"),
        ("421", "421", "421"),
    ],
)
def test_what_a_row_can_still_become(text: str, worst: str, best: str):
    assert possible(pips(text)) == (pips(worst), pips(best))


def test_a_row_is_won_early_when_one_side_wins_whatever_comes_and_only_then():
    hands = ["".join(hand) for size in range(4) for hand in combinations_with_replacement("123456", size)]
    ends = {
        hand: [step for step, text in enumerate(LADDER) if not Counter(hand) - Counter(text)]
        for hand in hands
    }
    for left, right in product(hands, repeat=2):
        winners: set[int] = set()
        for mine, yours in product(ends[left], ends[right]):
            if mine != yours:
                winners.add(0 if mine > yours else 1)
            elif len(left) == 3 or len(right) == 3:  # full first; the left one if both are full
                winners.add(0 if len(left) == 3 else 1)
            else:
                winners |= {0, 1}
        assert winner((half(left, 3), half(right, 9))) == (winners.pop() if len(winners) == 1 else None)


def test_a_row_can_be_won_by_who_is_behind_as_it_stands():
    behind = row("3", "421")

    assert leader(behind) == 1
    assert winner(behind) == 0
