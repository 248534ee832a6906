"""The check of the dice: an honest log passes, and whatever is bent is found."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.tables import Room
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import Outcome
from wuerfel_tui.record import Acted, Began, Committed, Finished, Revealed
from wuerfel_tui.verify import BentDice, check


@pytest.fixture
def room() -> Room:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    room.play_out()
    return room


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_honest_game_passes_for_every_peer(game: str) -> None:
    room = Room(game, size=2, seed=7)
    room.begin("Anna", "Ben")
    room.play_out()
    for mine in [None, *room.secrets.items()]:
        check(room.start, room.typed, mine)


def test_bent_dice_are_found(room: Room) -> None:
    log = room.typed
    index = next(
        i for i, entry in enumerate(log) if isinstance(entry, Acted) and hasattr(entry.events[0], "dice")
    )
    rolled = log[index].events[0]
    bent = replace(rolled, dice=tuple((face + 1) % 6 for face in rolled.dice))
    log[index] = replace(log[index], events=(bent, *log[index].events[1:]))
    with pytest.raises(BentDice, match="same secrets"):
        check(room.start, log)


def test_a_bent_beginning_is_found(room: Room) -> None:
    log = room.typed
    index = next(i for i, entry in enumerate(log) if isinstance(entry, Began))
    set_up = log[index].events[0]
    log[index] = replace(log[index], events=(replace(set_up, first=1 - set_up.first),))
    with pytest.raises(BentDice):
        check(room.start, log)


def test_a_secret_chosen_afterwards_is_found(room: Room) -> None:
    log = room.typed
    log[-1] = replace(log[-1], secret=b"!" * 32)
    with pytest.raises(BentDice, match="committed"):
        check(room.start, log)


def test_a_secret_that_was_left_out_is_found_by_its_owner(room: Room) -> None:
    with pytest.raises(BentDice, match="left out"):
        check(room.start, room.typed, (1, b"?" * 32))
    without = [entry for entry in room.typed if not (isinstance(entry, Revealed) and entry.peer == 1)]
    with pytest.raises(BentDice):
        check(room.start, without, (1, room.secrets[1]))


def test_a_commitment_after_an_open_secret_is_found(room: Room) -> None:
    log = room.typed
    late = next(entry for entry in reversed(log) if isinstance(entry, Committed))
    log.remove(late)
    log.insert(1 + max(i for i, entry in enumerate(log) if isinstance(entry, Revealed)), late)
    with pytest.raises(BentDice, match="open already"):
        check(room.start, log)


def test_a_move_for_a_seat_that_there_is_not_is_found(room: Room) -> None:
    log = room.typed
    index = next(i for i, entry in enumerate(log) if isinstance(entry, Acted))
    log[index] = replace(log[index], seat=7)
    with pytest.raises(BentDice, match="seat"):
        check(room.start, log)


def test_a_wrong_winner_is_found(room: Room) -> None:
    log = room.typed
    last = log[-1]
    assert isinstance(last, Finished)
    assert last.outcome is not None
    log[-1] = replace(last, outcome=Outcome(last.outcome.places[::-1], "because"))
    with pytest.raises(BentDice, match="outcome"):
        check(room.start, log)


def test_a_game_without_its_end_cannot_be_checked(room: Room) -> None:
    with pytest.raises(BentDice, match="not revealed"):
        check(room.start, room.typed[:-1])
