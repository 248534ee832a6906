"""Würfel Poker, ruling by ruling (P1 to P5): given this board and these dice, then exactly this."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from wuerfel_tui.games.core import IllegalAction, Outcome
from wuerfel_tui.games.poker import (
    EMPTY_BOARD,
    AnyAction,
    AnyEvent,
    Began,
    Board,
    GameWon,
    Half,
    Opening,
    Options,
    Pips,
    Place,
    Placed,
    Played,
    Poker,
    Roll,
    Rolled,
    Row,
    RowWon,
    State,
    leader,
    possible,
    reason,
    winner,
    with_die,
)

RULES = Poker()
HUGE = 10**5000  # more digits than Python is willing to print


def pips(text: str) -> Pips:
    return tuple(map(int, text))


def half(text: str, filled: int = 18) -> Half:
    return Half(pips(text), filled if len(text) == 3 else 0)


def row(left: str, right: str) -> Row:
    return half(left), half(right)


def board(first: tuple[str, str], second: tuple[str, str], third: tuple[str, str]) -> Board:
    return row(*first), row(*second), row(*third)


def state(
    on_board: Board = EMPTY_BOARD,
    *,
    starter: int = 0,
    thrown: str = "",
    offer: str = "",
    points: tuple[int, int] = (0, 0),
    games: tuple[Played, ...] = (),
    either_side: bool = False,
) -> State:
    placed = sum(len(side.dice) for row in on_board for side in row)
    return State(either_side, starter, on_board, placed, pips(thrown), pips(offer), points, games)


def falling(*dice: int) -> Callable[[int], int]:
    """Dice that fall as told; a further throw fails."""
    left = iter(dice)

    def throw(faces: int) -> int:
        die = next(left, None)
        assert die is not None, "a die too many was thrown"
        assert faces == 6
        return die - 1

    return throw


def after(state: State, *events: AnyEvent) -> State:
    for event in events:
        state = RULES.evolve(state, event)
    return state


def decide(state: State, seat: int, action: AnyAction, *dice: int) -> list[AnyEvent]:
    return list(RULES.decide(state, seat, action, falling(*dice), 0))


def act(state: State, seat: int, action: AnyAction, *dice: int) -> State:
    return after(state, *decide(state, seat, action, *dice))


def refusal(state: State, seat: int, action: AnyAction) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        decide(state, seat, action)
    return refused.value


# P1: the opening throw


def test_the_higher_die_begins():
    new = RULES.new(2, Options())

    assert RULES.begin(new, falling(3, 5)) == [Opening((3, 5)), Began(1)]
    assert RULES.begin(new, falling(6, 1)) == [Opening((6, 1)), Began(0)]


def test_equal_opening_dice_are_thrown_again_and_every_throw_is_told():
    events = RULES.begin(RULES.new(2, Options()), falling(2, 2, 6, 6, 4, 1))

    assert events == [Opening((2, 2)), Opening((6, 6)), Opening((4, 1)), Began(0)]


def test_nobody_acts_before_the_opening_throw():
    new = RULES.new(2, Options())

    assert RULES.actors(new) == ()
    assert RULES.legal(new, 0) == ()
    assert refusal(new, 0, Roll()).code == "not-begun"


def test_after_the_opening_throw_the_starter_throws_the_first_dice():
    begun = after(RULES.new(2, Options()), Opening((3, 5)), Began(1))

    assert (begun.active, begun.turn, begun.round) == (1, 1, 1)
    assert RULES.actors(begun) == (1,)
    assert RULES.legal(begun, 1) == (Roll(),)
    assert RULES.legal(begun, 0) == ()


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_a_game_for_two(seats: int):
    with pytest.raises(ValueError, match="for 2 players"):
        RULES.new(seats, Options())


# P2: a round


def test_a_round_is_one_throw_and_three_placements_the_opponents_in_between():
    start = state(starter=1)

    rolled = act(start, 1, Roll(), 6, 2, 2)
    assert (rolled.thrown, rolled.offer, rolled.turn) == ((6, 2, 2), (6, 2, 2), 1)

    first = act(rolled, 1, Place(2, 0, 1))
    assert (first.thrown, first.offer, first.turn) == ((6, 2, 2), (6, 2), 0)

    second = act(first, 0, Place(6, 2, 0))
    assert (second.offer, second.turn) == ((2,), 1)

    third = act(second, 1, Place(2, 0, 1))
    assert (third.thrown, third.offer) == ((), ())
    assert third.board == board(("", "22"), ("", ""), ("6", ""))


def test_the_next_round_belongs_to_the_other_player():
    one_round = state(board(("1", "2"), ("3", ""), ("", "")))

    assert (one_round.round, one_round.active, one_round.turn) == (2, 1, 1)
    assert decide(one_round, 1, Roll(), 4, 5, 6) == [Rolled(1, (4, 5, 6))]


def test_equal_dice_on_offer_are_one_choice():
    rolled = state(thrown="441", offer="441")

    assert RULES.legal(rolled, 0) == (
        Place(4, 0, 0),
        Place(4, 1, 0),
        Place(4, 2, 0),
        Place(1, 0, 0),
        Place(1, 1, 0),
        Place(1, 2, 0),
    )


def test_a_full_row_is_no_choice():
    rolled = state(board(("1", "421"), ("", "65"), ("", "")), thrown="235", offer="235")

    assert RULES.legal(rolled, 0) == tuple(Place(die, row, 0) for die in (2, 3, 5) for row in (0, 1, 2))
    assert RULES.legal(after(rolled, Placed(0, 2, 0, 0)), 1) == (
        Place(3, 1, 1),
        Place(3, 2, 1),
        Place(5, 1, 1),
        Place(5, 2, 1),
    )


def test_a_half_remembers_the_order_of_its_dice_and_when_it_was_filled():
    two = row("64", "")

    assert with_die(two, 0, 5, 11) == (Half((6, 4, 5), 11), Half())
    assert with_die(two, 1, 5, 11) == (Half((6, 4)), Half((5,)))


# P3: whose side


def test_dice_go_on_ones_own_side_only():
    rolled = state(thrown="123", offer="123")

    assert RULES.legal(rolled, 0) == tuple(Place(die, row, 0) for die in (1, 2, 3) for row in (0, 1, 2))
    assert refusal(rolled, 0, Place(1, 0, 1)).code == "not-your-side"


def test_in_the_variant_dice_go_on_any_free_space_of_either_side():
    rolled = state(board(("111", "65"), ("", ""), ("", "4")), thrown="115", offer="15", either_side=True)

    assert RULES.legal(rolled, 0) == tuple(
        Place(die, row, side) for die in (1, 5) for side, row in [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    )
    assert act(rolled, 0, Place(1, 0, 1)).board[0] == (half("111"), Half((6, 5, 1), 7))


# P4: how rows rank, in play (test_poker_rows.py has the ranking itself)


def test_in_the_variant_a_tie_goes_to_the_side_that_was_full_first_not_to_who_placed():
    crossed = board(("44", "44"), ("1", ""), ("", "1"))
    tied = state(crossed, starter=1, thrown="255", offer="255", either_side=True)
    tied = act(tied, 1, Place(5, 0, 0))
    tied = act(tied, 0, Place(5, 0, 1))

    assert leader(tied.board[0]) == 0
    assert reason(tied.board[0]) == "same pair, full first"


def test_rulebook_example_whichever_of_5_and_6_player_2_takes_player_1_has_an_answer():
    lying = board(("45", "43"), ("22", "6"), ("1", "1"))
    dilemma = state(lying, starter=0, thrown="526", offer="526")

    took_5 = act(dilemma, 1, Place(5, 0, 1))
    assert leader(took_5.board[0]) == 1
    assert leader(act(took_5, 0, Place(6, 0, 0)).board[0]) == 0  # straight 6-5-4 beats 5-4-3

    took_6 = act(dilemma, 1, Place(6, 1, 1))
    answered = act(took_6, 0, Place(2, 1, 0)).board[1]
    assert leader(answered) == 0
    assert winner(answered) is None
    assert possible(answered[1].dice)[1] == (6, 6, 6)


# P5: points, games, match


def before_last_die(
    left_wins: int, *, starter: int = 0, points: tuple[int, int] = (0, 0), played: int = 0
) -> tuple[State, int, Place]:
    """A board with one space left and the die for it, in a game that comes to `left_wins` rows for the left."""
    halves = [["666", "111"] if n < left_wins else ["111", "666"] for n in range(3)]
    last = 1 - starter  # who throws in the sixth round
    die = halves[2][last][0]
    halves[2][last] = halves[2][last][:2]
    games = (Played(0, EMPTY_BOARD, (0, 0, 0)),) * played
    first, second, third = ((left, right) for left, right in halves)
    full_but_one = board(first, second, third)
    before = state(full_but_one, starter=starter, thrown="22" + die, offer=die, points=points, games=games)
    return before, last, Place(int(die), 2, last)


def test_rulebook_example_two_rows_to_one():
    before = state(
        board(("551", "442"), ("661", "234"), ("33", "261")),
        starter=1,
        thrown="341",
        offer="1",
    )

    assert decide(before, 0, Place(1, 2, 0)) == [
        Placed(0, 1, 2, 0),
        GameWon(
            0,
            (RowWon(0, "pair: 5 beats 4"), RowWon(1, "straight beats pair"), RowWon(0, "pair beats single")),
            (2, 1),
        ),
        Began(1),
    ]


@pytest.mark.parametrize(
    ("left_wins", "seat_won", "points"), [(0, 1, (0, 3)), (1, 1, (1, 2)), (3, 0, (3, 0))]
)
def test_every_row_is_a_point_and_two_rows_win_the_game(
    left_wins: int, seat_won: int, points: tuple[int, int]
):
    before, seat, action = before_last_die(left_wins)

    won = decide(before, seat, action)[1]

    assert isinstance(won, GameWon)
    assert (won.seat, won.points) == (seat_won, points)


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize(("left_wins", "loser"), [(1, 0), (2, 1)])
def test_who_lost_a_game_begins_the_next_on_an_empty_board(starter: int, left_wins: int, loser: int):
    before, seat, action = before_last_die(left_wins, starter=starter)

    assert decide(before, seat, action)[-1] == Began(loser)

    now = act(before, seat, action)
    assert (now.starter, now.turn, now.round, now.placed) == (loser, loser, 1, 0)
    assert now.board == EMPTY_BOARD
    assert now.points == (left_wins, 3 - left_wins)
    assert RULES.actors(now) == (loser,)


def test_a_finished_game_is_kept_with_its_board_for_those_who_look_back():
    before, seat, action = before_last_die(2, starter=1)
    full = after(before, Placed(seat, action.die, action.row, action.side)).board

    assert act(before, seat, action).games == (Played(1, full, (0, 0, 1)),)


def test_the_full_board_stands_until_the_next_game_begins():
    before, seat, action = before_last_die(2)
    placed, won, began = decide(before, seat, action)
    between = after(before, placed, won)

    assert between.placed == 18
    assert RULES.actors(between) == ()
    assert refusal(between, 0, Roll()).code == "game-over"
    assert after(between, began).placed == 0


@pytest.mark.parametrize(
    ("points", "played", "left_wins", "outcome"),
    [
        ((3, 0), 1, 2, Outcome((1, 2), "5 points to 1 after two games.")),
        ((0, 3), 1, 0, Outcome((2, 1), "6 points to 0 after two games.")),
        ((4, 2), 2, 0, Outcome((2, 1), "5 points to 4 after three games.")),
        ((4, 2), 2, 1, Outcome((1, 2), "5 points to 4 after three games.")),
        ((3, 3), 2, 3, Outcome((1, 2), "6 points to 3 after three games.")),
    ],
)
def test_the_match_ends_after_the_game_that_brings_five_points(
    points: tuple[int, int], played: int, left_wins: int, outcome: Outcome
):
    before, seat, action = before_last_die(left_wins, points=points, played=played)
    assert RULES.outcome(before) is None

    events = decide(before, seat, action)
    end = after(before, *events)

    assert [type(event) for event in events] == [Placed, GameWon]
    assert RULES.outcome(end) == outcome
    assert RULES.actors(end) == ()
    assert end.placed == 18
    assert refusal(end, end.turn, Roll()).code == "game-over"


@pytest.mark.parametrize(("points", "left_wins"), [((2, 1), 2), ((3, 0), 1), ((3, 0), 0)])
def test_four_points_are_not_enough(points: tuple[int, int], left_wins: int):
    before, seat, action = before_last_die(left_wins, points=points, played=1)

    assert RULES.outcome(act(before, seat, action)) is None


# What is not a move

EARLY = state()
CHOICE = state(board(("421", "11"), ("6", ""), ("", "")), starter=0, thrown="443", offer="443")
SECOND = state(board(("421", "11"), ("6", ""), ("4", "")), starter=0, thrown="453", offer="53")
VARIANT = msgspec.structs.replace(CHOICE, either_side=True)


@pytest.mark.parametrize(
    ("board", "seat", "action", "code", "sentence"),
    [
        (EARLY, 1, Roll(), "not-your-turn", "It is the other player who throws the dice now."),
        (CHOICE, 1, Place(4, 2, 1), "not-your-turn", "It is the other player who chooses a die now."),
        (SECOND, 0, Place(5, 1, 0), "not-your-turn", "It is the other player who chooses a die now."),
        (CHOICE, 7, Place(4, 2, 7), "not-your-turn", "It is the other player who chooses a die now."),
        (EARLY, 0, Place(4, 0, 0), "roll-first", "There are no dice on offer yet: roll first."),
        (
            CHOICE,
            0,
            Roll(),
            "already-rolled",
            "The dice of this round are thrown already: place one of them.",
        ),
        (CHOICE, 0, Place(5, 1, 0), "no-such-die", "There is no 5 among the dice of this round."),
        (CHOICE, 0, Place(0, 1, 0), "no-such-die", "A die shows 1 to 6."),
        (SECOND, 1, Place(4, 1, 1), "die-gone", "No 4 is left on offer: it has been placed already."),
        (CHOICE, 0, Place(4, 3, 0), "no-such-row", "The board has three rows."),
        (CHOICE, 0, Place(4, -1, 0), "no-such-row", "The board has three rows."),
        (CHOICE, 0, Place(4, 1, 2), "no-such-side", "The board has two sides."),
        (CHOICE, 0, Place(4, 1, -1), "no-such-side", "The board has two sides."),
        (CHOICE, 0, Place(4, 1, 1), "not-your-side", "At this table dice go on one's own side only."),
        (CHOICE, 0, Place(4, 0, 0), "row-full", "That row is full on this side."),
        (VARIANT, 0, Place(4, 0, 0), "row-full", "That row is full on this side."),
    ],
)
def test_what_is_not_a_move_is_refused_with_its_reason(
    board: State, seat: int, action: AnyAction, code: str, sentence: str
):
    refused = refusal(board, seat, action)

    assert (refused.code, refused.sentence) == (code, sentence)


@pytest.mark.parametrize("number", [-1, HUGE, -HUGE], ids=["negative", "huge", "hugely negative"])
def test_absurd_numbers_are_refused_like_any_other(number: int):
    assert refusal(VARIANT, number, Place(4, 1, 0)).code == "not-your-turn"
    assert refusal(VARIANT, 0, Place(number, 1, 0)).code == "no-such-die"
    assert refusal(VARIANT, 0, Place(4, number, 0)).code == "no-such-row"
    assert refusal(VARIANT, 0, Place(4, 1, number)).code == "no-such-side"


# The wire

BY_PAIR = RowWon(0, "pair beats single")


@pytest.mark.parametrize(
    ("action", "wire"),
    [
        (Roll(), {"do": "roll"}),
        (Place(4, 0, 1), {"do": "place", "die": 4, "row": 0, "side": 1}),
    ],
)
def test_actions_on_the_wire(action: AnyAction, wire: dict[str, object]):
    assert msgspec.to_builtins(action) == wire
    assert msgspec.convert(wire, RULES.Action) == action


@pytest.mark.parametrize(
    ("event", "wire"),
    [
        (Opening((3, 5)), {"is": "opening", "dice": (3, 5)}),
        (Began(1), {"is": "began", "seat": 1}),
        (Rolled(1, (4, 4, 2)), {"is": "rolled", "seat": 1, "dice": (4, 4, 2)}),
        (Placed(0, 4, 2, 1), {"is": "placed", "seat": 0, "die": 4, "row": 2, "side": 1}),
        (
            GameWon(0, (BY_PAIR, BY_PAIR, BY_PAIR), (3, 0)),
            {
                "is": "gamewon",
                "seat": 0,
                "rows": ({"seat": 0, "why": "pair beats single"},) * 3,
                "points": (3, 0),
            },
        ),
    ],
)
def test_events_on_the_wire(event: AnyEvent, wire: dict[str, object]):
    assert msgspec.to_builtins(event) == wire
    assert msgspec.convert(wire, RULES.Event) == event


def test_a_table_that_chooses_nothing_plays_on_own_sides() -> None:
    rules = Poker()
    state = rules.new(2, Options())
    for event in (Opening((5, 3)), Began(0), Rolled(0, (1, 2, 3))):
        state = rules.evolve(state, event)
    assert {action.side for action in rules.legal(state, 0)} == {0}


def test_the_last_round_stays_the_sixth_when_the_board_is_full() -> None:
    before, seat, action = before_last_die(2, points=(3, 0), played=1)
    assert act(before, seat, action).round == 6
