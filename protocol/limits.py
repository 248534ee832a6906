"""How long one waits, how much one keeps, how often one may ask. Sans-IO: clocks are handed in, in seconds."""

from __future__ import annotations

from collections import OrderedDict, deque

import msgspec

from protocol.messages import Ping, Pong


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of a host or a peer; tests shorten the times.

    heartbeat: seconds between two pings
    patience: seconds without a word after which a line is dead; found at most one heartbeat later
    handshake: seconds from connecting to Welcome
    connections, per_address: open at once
    backlog_frames, backlog_bytes: kept for a peer that reads slowly, before a snapshot takes their place
    send_buffer: bytes that the system may hold for a peer; they are beyond recall, so few
    stall: seconds in which a peer with a backlog must read something
    rate, burst: requests per second in the long run, and at once
    retry_first, retry_longest: seconds between two attempts to reconnect, growing from one to the other
    """

    heartbeat: float = 2.0
    patience: float = 7.0
    handshake: float = 5.0
    connections: int = 64
    per_address: int = 32
    backlog_frames: int = 256
    backlog_bytes: int = 1024 * 1024
    send_buffer: int = 128 * 1024
    stall: float = 10.0
    rate: float = 50.0
    burst: int = 100
    retry_first: float = 0.2
    retry_longest: float = 3.0


class Pulse:
    """The heartbeat of one connection, seen from one end: is the other side there, and how far away?

    The other side can answer late but not early: only the clocks of pings that are under way count, each once.
    """

    MAX_ROUND_TRIP = 0.3
    """A peer that holds its answers back to seem far away gains no more than this, in seconds."""

    def __init__(self, now: float, patience: float) -> None:
        self._patience = patience
        self._heard = now
        self._under_way: OrderedDict[int, float] = OrderedDict()
        self._samples: deque[float] = deque(maxlen=8)

    def hear(self, now: float) -> None:
        """Something came, whatever it was."""
        self._heard = now

    def is_dead(self, now: float) -> bool:
        """Nothing has come for too long."""
        return now - self._heard > self._patience

    def ping(self, now: float) -> Ping:
        """The next ping to send."""
        at = int(now * 1000)
        self._under_way[at] = now
        if len(self._under_way) > 8:
            self._under_way.popitem(last=False)
        return Ping(at)

    def pong(self, answer: Pong, now: float) -> None:
        """An answer to a ping; anything else is ignored."""
        sent = self._under_way.pop(answer.at, None)
        if sent is not None:
            self._samples.append(min(now - sent, self.MAX_ROUND_TRIP))

    @property
    def round_trip(self) -> float | None:
        """Seconds there and back: the shortest of the last few, since only delays come by chance."""
        return min(self._samples, default=None)


class Allowance:
    """How often one connection may ask: so many at once, and so many a second in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._counted = now

    def spend(self, now: float, cost: float = 1) -> bool:
        """Counts a request. False: too fast, it is not to be done."""
        self._left = min(self._burst, self._left + (now - self._counted) * self._rate) - cost
        self._counted = now
        return self._left >= 0

    @property
    def is_exhausted(self) -> bool:
        """As much again was asked in vain: that is a flood, not haste."""
        return self._left < -self._burst


class Doorkeeper:
    """Makes whoever gives wrong PINs wait, longer each time, by address."""

    FIRST = 1.0
    LONGEST = 30.0
    REMEMBERED = 1024
    """Addresses at most; the one that has been quiet for longest is forgotten."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str, now: float) -> float:
        """The seconds for which this address is not listened to; 0 if it is."""
        _, until = self._failures.get(address, (0, now))
        return max(0.0, until - now)

    def failed(self, address: str, now: float) -> None:
        """A wrong PIN came from there."""
        count, _ = self._failures.pop(address, (0, now))
        delay = min(self.FIRST * 2 ** min(count, 10), self.LONGEST)
        self._failures[address] = (count + 1, now + delay)
        if len(self._failures) > self.REMEMBERED:
            self._failures.popitem(last=False)

    def passed(self, address: str) -> None:
        """The right PIN came from there."""
        self._failures.pop(address, None)
