"""The table: who sits where, whose move it is, and what everybody is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.tables import Room, token_hash
from wuerfel_tui.fair import commitment
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import Refusal
from wuerfel_tui.record import (
    KEPT,
    PEERS,
    Acted,
    Dealt,
    Finished,
    Invited,
    Joined,
    Left,
    StoodIn,
    evolve,
    plain,
    table_from,
)
from wuerfel_tui.table import DEALING, GRACE, PATIENCE, Table


def refused(code: str, call: Callable[..., Any], *args: Any) -> str:
    with pytest.raises(Refusal) as caught:
        call(*args)
    assert caught.value.code == code
    return caught.value.sentence


# --- coming and going ---


def test_who_joins_gets_the_first_free_seats() -> None:
    room = Room(size=4)
    anna, both = room.join("Anna"), room.join("Ben & Cleo", seats=2)
    assert room.state.seats_of(anna) == (0,)
    assert room.state.seats_of(both) == (1, 2)
    assert room.state.names == ("Anna", "Ben", "Cleo")


def test_two_at_one_keyboard_under_one_name_are_numbered() -> None:
    room = Room(size=4)
    room.join("Anna", seats=2)
    assert room.state.names == ("Anna", "Anna 2")


def test_a_name_that_is_taken_gets_a_number() -> None:
    room = Room(size=4)
    for _ in range(3):
        room.table.join("Anna", 1, None, room.rng.randbytes(32), 0)
    assert room.state.names == ("Anna", "Anna 2", "Anna 3")


def test_a_name_of_nothing_is_refused() -> None:
    assert "name" in refused("name", Room().join, "")


def test_a_full_table_says_so_and_lets_people_watch() -> None:
    room = Room(size=2)
    room.join("Anna")
    assert "one seat is free" in refused("full", room.join, "Ben & Cleo", 2)
    room.join("Ben")
    assert "no seat is free" in refused("full", room.join, "Cleo")
    assert room.state.seats_of(room.join("Cleo", seats=0)) == ()


def test_nobody_sits_down_in_the_middle_of_a_game() -> None:
    room = Room(size=3)
    room.join("Anna")
    room.join("Ben")
    room.table.ready(2, True, 0)
    room.table.start(1, 0)
    refused("playing", room.join, "Cleo")


def test_while_waiting_a_lost_seat_is_kept_for_a_moment_only() -> None:
    room = Room(size=2)
    anna = room.join("Anna")
    room.table.lost(anna, 5)
    room.table.resume(token_hash("Anna"), 6)
    room.table.lost(anna, 7)
    assert room.table.due() == 7 + GRACE
    room.table.elapse(7 + GRACE - 1)
    assert room.state.names == ("Anna",)
    room.table.elapse(7 + GRACE)
    assert room.state.taken == ()
    refused("token", room.table.resume, token_hash("Anna"), 8 + GRACE)


def test_a_lost_spectator_is_not_waited_for_long() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    watcher = room.join("Cleo", seats=0)
    room.table.lost(watcher, room.now)
    room.table.elapse(room.now + GRACE)
    assert [peer.name for peer in room.state.peers] == ["Anna", "Ben"]


def test_in_a_game_a_lost_player_comes_back_to_the_seat() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    room.table.lost(1, 50)
    assert not room.state.peer(1).online
    assert room.table.resume(token_hash("Anna"), 60) == 1
    assert room.state.peer(1).online
    assert room.state.seats_of(1) == (0,)


def test_the_seat_of_who_stays_away_is_played_on_by_a_bot_until_the_return() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    room.table.lost(1, room.now)
    assert room.table.due() == room.now + PATIENCE
    room.table.elapse(room.now + PATIENCE - 1)
    assert room.state.taken[0].stand_in is None
    room.table.elapse(room.now + PATIENCE)
    assert room.state.taken[0].stand_in == "easy"
    room.table.resume(token_hash("Anna"), room.now + PATIENCE + 1)
    assert room.state.taken[0].stand_in is None


def test_a_player_may_ask_for_a_stand_in_at_once_but_only_for_who_is_away() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    refused("present", room.table.stand_in, 2, 0, room.now)
    refused("present", room.table.stand_in, 2, 7, room.now)
    room.table.lost(1, room.now)
    watcher = room.join("Cleo", seats=0)
    refused("not-now", room.table.stand_in, watcher, 0, room.now)
    room.table.stand_in(2, 0, room.now)
    assert room.state.taken[0].stand_in == "easy"


def test_a_stand_in_plays_only_the_seat_it_stands_in_for() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    peer, seat = room.actor()
    action = room.table.rules.legal(room.state.game_state, seat)[0]
    refused("not-yours", room.table.act_for, seat, action, room.now)
    room.table.leave(peer, room.now)
    before = room.table.seq
    room.table.act_for(seat, action, room.now)
    assert isinstance(room.typed[before - room.table.oldest()], Acted)


def test_who_leaves_a_game_is_played_on_for_and_the_seat_is_free_after_it() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    room.table.leave(1, room.now)
    assert room.state.taken[0].stand_in == "easy"
    while room.state.phase == "playing":
        seat = room.table.rules.actors(room.state.game_state)[0]
        action = room.rng.choice(room.table.rules.legal(room.state.game_state, seat))
        if seat == 0:
            room.table.act_for(seat, action, room.now)
        else:
            room.table.act(2, seat, msgspec.to_builtins(action), room.table.seq, room.now)
    assert room.state.names == ("Ben",)


# --- the keeper ---


def test_the_first_person_with_a_seat_looks_after_the_table() -> None:
    room = Room(size=4)
    room.join("Watcher", seats=0)
    room.join("Robo", bot="easy")
    anna, ben = room.join("Anna"), room.join("Ben")
    assert room.state.keeper == room.state.peer(anna)
    assert "Anna" in refused("not-keeper", room.table.start, ben, 0)
    room.table.leave(anna, 0)
    assert room.state.keeper == room.state.peer(ben)


def test_the_keeper_invites_bots_of_a_level_that_there_is() -> None:
    room = Room(size=2)
    anna = room.join("Anna")
    room.table.add_bot(anna, "easy", 0)
    assert room.notified[-1] == Invited("easy")
    assert "random, easy" in refused("level", room.table.add_bot, anna, "grandmaster", 0)
    room.join("Ben")
    refused("full", room.table.add_bot, anna, "easy", 0)


def test_no_more_bots_are_invited_than_there_are_seats_for() -> None:
    room = Room(size=3)
    anna = room.join("Anna")
    room.table.add_bot(anna, "easy", 0)
    room.table.add_bot(anna, "easy", 0)
    refused("full", room.table.add_bot, anna, "easy", 0)
    room.join("Ada", bot="easy")
    refused("full", room.table.add_bot, anna, "easy", 0)
    room.table.expect_no_bot()  # the other one found no way in
    room.table.add_bot(anna, "easy", 0)


def test_lost_spectators_make_room_when_very_many_are_here() -> None:
    room = Room(size=2)
    anna = room.join("Anna")
    watchers = [room.join(f"Watcher {number}", seats=0) for number in range(PEERS - 1)]
    refused("full", room.table.join, "Ben", 1, None, token_hash("Ben"), room.now)
    room.table.lost(anna, room.now)
    room.table.lost(watchers[1], room.now)
    room.table.lost(watchers[0], room.now)
    room.join("Ben")
    here = {peer.id for peer in room.state.peers}
    assert len(here) == PEERS
    assert anna in here, "her seat is kept for her"
    assert watchers[0] not in here
    assert watchers[1] in here
    refused("token", room.table.resume, token_hash("Watcher 0"), room.now)


def test_however_many_come_and_go_a_table_keeps_no_more_of_them() -> None:
    room = Room(size=2)
    room.join("Anna")
    for number in range(3 * KEPT):
        room.table.leave(room.join(f"Watcher {number}", seats=0), room.now)
    assert room.table._tokens == {token_hash("Anna"): 1}
    kept = room.table.entries(room.table.oldest())
    assert KEPT <= len(kept) < 2 * KEPT
    table = room.start
    for entry in room.typed:
        table = evolve(table, entry)
    assert table == room.state


def test_the_keeper_can_send_somebody_away_until_a_game_begins() -> None:
    room = Room(size=3)
    room.begin("Anna", "Ben", "Cleo")
    refused("not-now", room.table.remove, 1, 2, 0)
    room = Room(size=3)
    anna, ben = room.join("Anna"), room.join("Ben")
    refused("unknown", room.table.remove, anna, 77, 0)
    room.table.remove(anna, ben, 0)
    assert room.notified[-1] == Left(ben, "removed")


# --- beginning ---


def test_a_game_begins_when_every_seat_is_taken_and_ready() -> None:
    room = Room(size=2)
    room.join("Anna")
    room.table.ready(1, True, 0)
    assert room.state.phase == "waiting"
    room.join("Ben")
    assert room.state.phase == "waiting"
    room.table.ready(2, True, 0)
    assert room.state.phase == "dealing"


def test_the_keeper_begins_with_free_seats_once_the_others_are_ready() -> None:
    room = Room(size=6)
    room.join("Anna")
    assert "2 to 6" in refused("seats", room.table.start, 1, 0)
    room.join("Ben")
    assert "Ben" in refused("not-ready", room.table.start, 1, 0)
    room.table.ready(2, True, 0)
    room.table.start(1, 0)
    room.exchange_secrets()
    assert len(room.state.game_state.tracks) == 2


def test_who_only_watches_is_never_ready() -> None:
    room = Room(size=2)
    refused("no-seat", room.table.ready, room.join("Cleo", seats=0), True, 0)


def test_secrets_are_revealed_only_when_all_have_committed() -> None:
    room = Room(size=2)
    room.join("Anna")
    room.join("Ben")
    room.all_ready()
    secret = b"a" * 32
    refused("not-yet", room.table.reveal, 1, secret, 0)
    room.table.commit(1, commitment(secret), 0)
    refused("not-yet", room.table.reveal, 1, secret, 0)
    refused("committed", room.table.commit, 1, commitment(secret), 0)
    room.table.commit(2, commitment(b"b" * 32), 0)
    refused("secret", room.table.reveal, 1, b"x" * 32, 0)
    room.table.reveal(1, secret, 0)
    refused("revealed", room.table.reveal, 1, secret, 0)
    assert room.state.phase == "dealing"
    room.table.reveal(2, b"b" * 32, 0)
    assert room.state.phase == "playing"
    refused("not-now", room.table.commit, 1, commitment(secret), 0)


def test_nobody_commits_to_a_secret_when_another_one_is_open() -> None:
    room = Room(size=3)
    for name in ("Anna", "Ben", "Cleo"):
        room.join(name)
    room.all_ready()
    for peer in (1, 2):
        room.table.commit(peer, commitment(bytes([peer]) * 32), 0)
    room.table.lost(3, 0)
    room.table.reveal(1, b"\x01" * 32, 0)
    room.table.resume(token_hash("Cleo"), 0)
    refused("too-late", room.table.commit, 3, commitment(b"c" * 32), 0)
    assert room.state.phase == "dealing"
    room.table.reveal(2, b"\x02" * 32, 0)
    assert room.state.phase == "playing"  # without waiting for Cleo's


def test_no_game_begins_that_the_options_do_not_fit() -> None:
    room = Room(size=4, first=3)
    for name in ("Anna", "Ben", "Cleo", "Dora"):
        room.join(name)
    room.all_ready()
    room.exchange_secrets()
    room.play_out()
    room.table.leave(4, 0)
    room.all_ready()
    assert room.state.phase == "over"
    assert "Seat 3" in refused("seats", room.table.start, 1, 0)


def test_the_dice_do_without_a_secret_that_does_not_come() -> None:
    room = Room(size=2)
    room.join("Anna")
    room.join("Ben")
    room.all_ready()
    assert room.table.due() == room.now + DEALING
    room.table.elapse(room.now + DEALING - 1)
    assert room.state.phase == "dealing"
    room.table.elapse(room.now + DEALING)
    assert room.state.phase == "playing"


def test_who_leaves_while_secrets_are_exchanged_is_not_waited_for() -> None:
    room = Room(size=3)
    for name in ("Anna", "Ben", "Cleo"):
        room.join(name)
    room.all_ready()
    for peer in (1, 2):
        room.table.commit(peer, commitment(bytes([peer]) * 32), 0)
    room.table.leave(3, 0)
    for peer in (1, 2):
        room.table.reveal(peer, bytes([peer]) * 32, 0)
    assert room.state.phase == "playing"
    assert room.state.taken[2].stand_in == "easy"


# --- playing ---


def test_a_move_is_refused_with_its_kind() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    peer, seat = room.actor()
    other = 3 - peer
    act, seq = room.table.act, room.table.seq
    assert refused("malformed", act, peer, seat, {"do": "dance"}, seq, 0)
    assert refused("not-yours", act, other, seat, {"do": "roll"}, seq, 0)
    assert refused("not-your-turn", act, other, 1 - seat, {"do": "roll"}, seq, 0)


def test_a_move_that_another_move_overtook_is_refused_as_such() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    peer, seat = room.actor()
    seen = room.table.seq
    room.table.act(peer, seat, {"do": "roll"}, seen, room.now)
    refused("overtaken", room.table.act, peer, seat, {"do": "roll"}, seen, room.now)
    with pytest.raises(Refusal) as caught:
        room.table.act(peer, seat, {"do": "roll"}, room.table.seq, room.now)
    assert caught.value.code != "overtaken"


def test_nobody_moves_before_the_game() -> None:
    room = Room(size=2)
    refused("not-now", room.table.act, room.join("Anna"), 0, {"do": "roll"}, 0, 0)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_whole_game_is_the_fold_of_its_log(game: str) -> None:
    room = Room(game, size=GAMES[game].seats[0])
    room.begin(*"ABCDEF"[: GAMES[game].seats[0]])
    room.play_out()
    table = room.start
    for entry in room.typed:
        table = evolve(table, entry)
    assert table == room.state
    assert table_from(room.table.snapshot()[1]) == room.state
    assert isinstance(room.typed[0], Dealt)
    assert isinstance(room.typed[-1], Finished)


def test_the_log_is_numbered_without_gaps_and_kept_from_the_start_of_the_game() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    oldest = room.table.oldest()
    assert oldest == 4  # two joined, two readied
    entries = room.table.entries(oldest)
    assert len(entries) == room.table.seq - oldest
    assert entries[0]["entry"] == "dealt"
    assert list(room.table.entries(room.table.seq)) == []
    assert plain(room.notified[-1]) == entries[-1]


def test_after_a_game_the_same_people_play_again_when_all_are_ready() -> None:
    room = Room(size=4)
    room.begin_early("Anna", "Ben")
    room.play_out()
    assert room.state.phase == "over"
    room.all_ready()
    room.exchange_secrets()
    assert room.state.phase == "playing"
    assert room.state.games == 2


def test_a_newcomer_takes_a_free_seat_between_two_games() -> None:
    room = Room(size=3)
    room.begin_early("Anna", "Ben")
    room.play_out()
    room.join("Cleo")
    room.all_ready()
    room.exchange_secrets()
    assert len(room.state.game_state.tracks) == 3


def test_what_people_say_is_in_the_log() -> None:
    room = Room()
    anna = room.join("Anna", seats=0)
    room.table.say(anna, "Hello!", 0)
    assert room.table.entries(0)[-1] == {"entry": "said", "peer": anna, "text": "Hello!"}
    refused("empty", room.table.say, anna, "", 0)


def test_the_status_says_what_a_list_of_tables_shows() -> None:
    room = Room(size=2)
    room.join("Anna")
    assert room.table.status() == {
        "table": "table-1",
        "game": "express",
        "name": "Kitchen",
        "host": "Anna",
        "seats": 2,
        "taken": 1,
        "state": "waiting",
    }


@pytest.mark.parametrize(
    ("size", "options"), [(1, {}), (7, {}), (2, {"first": 2}), (2, {"first": -1}), (2, {"x": 1})]
)
def test_a_size_or_options_that_do_not_fit_are_refused_before_anybody_comes(
    size: int, options: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Table("express", id="t", name="K", entropy=lambda: b"", options=options, size=size)


def test_joining_and_standing_in_are_told_to_all() -> None:
    room = Room(size=2)
    room.begin("Anna", "Ben")
    room.table.leave(1, 0)
    kinds = [type(entry) for entry in room.notified]
    assert kinds.count(Joined) == 2
    assert kinds[-2:] == [Left, StoodIn]
