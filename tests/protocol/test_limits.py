"""How long one waits and how often one may ask, with a clock that is handed in."""

from __future__ import annotations

import pytest

from protocol.limits import Allowance, Doorkeeper, Pulse
from protocol.messages import Pong

# --- the heartbeat --------------------------------------------------------------------------------------------------


def test_a_line_is_dead_when_nothing_has_come_for_longer_than_the_patience() -> None:
    pulse = Pulse(now=100.0, patience=7.0)
    assert not pulse.is_dead(107.0)
    assert pulse.is_dead(107.1)
    pulse.hear(107.0)
    assert not pulse.is_dead(114.0)


def test_the_round_trip_is_the_shortest_of_the_last_eight() -> None:
    pulse = Pulse(0, 7)
    assert pulse.round_trip is None
    for second, delay in enumerate([0.01, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]):
        pulse.pong(Pong(pulse.ping(second).at), second + delay)
    assert pulse.round_trip == pytest.approx(0.01)
    pulse.pong(Pong(pulse.ping(8).at), 8.06)
    assert pulse.round_trip == pytest.approx(0.05)


def test_an_answer_counts_once_and_only_if_it_was_asked_for() -> None:
    pulse = Pulse(0, 7)
    at = pulse.ping(1.0).at
    pulse.pong(Pong(at + 1), 1.0)
    assert pulse.round_trip is None
    pulse.pong(Pong(at), 1.2)
    pulse.pong(Pong(at), 1.2)
    assert pulse.round_trip == pytest.approx(0.2)


def test_who_holds_answers_back_seems_no_farther_than_a_bound() -> None:
    pulse = Pulse(0, 7)
    pulse.pong(Pong(pulse.ping(1.0).at), 6.0)
    assert pulse.round_trip == Pulse.MAX_ROUND_TRIP


def test_pings_that_are_never_answered_are_forgotten() -> None:
    pulse = Pulse(0, 7)
    first = pulse.ping(0)
    for second in range(1, 100):
        pulse.ping(second)
    pulse.pong(Pong(first.at), 100)
    assert pulse.round_trip is None


# --- how often ------------------------------------------------------------------------------------------------------


def test_so_many_at_once_and_so_many_a_second() -> None:
    allowance = Allowance(rate=2, burst=3, now=0)
    assert [allowance.spend(0) for _ in range(4)] == [True, True, True, False]
    assert not allowance.spend(0.5), "what was asked in vain counts, too"
    assert allowance.spend(1.5)


def test_an_allowance_does_not_grow_beyond_its_burst() -> None:
    allowance = Allowance(rate=2, burst=3, now=0)
    assert [allowance.spend(1000) for _ in range(4)] == [True, True, True, False]


def test_asking_as_often_again_in_vain_is_a_flood() -> None:
    allowance = Allowance(rate=1, burst=3, now=0)
    for _ in range(6):
        allowance.spend(0)
    assert not allowance.is_exhausted
    allowance.spend(0)
    assert allowance.is_exhausted


# --- wrong PINs -----------------------------------------------------------------------------------------------------


def test_each_wrong_pin_makes_the_wait_longer_up_to_half_a_minute() -> None:
    keeper = Doorkeeper()
    now = 0.0
    waits: list[float] = []
    for _ in range(8):
        assert keeper.wait("10.0.0.1", now) == 0
        keeper.failed("10.0.0.1", now)
        waits.append(keeper.wait("10.0.0.1", now))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]


def test_other_addresses_do_not_wait() -> None:
    keeper = Doorkeeper()
    keeper.failed("10.0.0.1", 0)
    assert keeper.wait("10.0.0.2", 0) == 0


def test_the_right_pin_makes_good_for_the_wrong_ones() -> None:
    keeper = Doorkeeper()
    for _ in range(5):
        keeper.failed("10.0.0.1", 0)
    keeper.passed("10.0.0.1")
    keeper.failed("10.0.0.1", 100)
    assert keeper.wait("10.0.0.1", 100) == 1


def test_a_thousand_addresses_are_remembered_and_no_more() -> None:
    keeper = Doorkeeper()
    for number in range(Doorkeeper.REMEMBERED + 1):
        keeper.failed(f"address {number}", 0)
    assert keeper.wait("address 0", 0) == 0
    assert keeper.wait("address 1", 0) == 1
