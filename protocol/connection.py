"""One accepted connection of a host: its session, what is still to be sent, its heartbeat.

Nothing here waits: the loop calls in, and all that goes out is bounded. What a peer does not take off the line piles
up first in the transport (64 KiB), then here; past the limit it all gives way to one snapshot, and if even that is not
read the line is cut. So a slow peer costs the table nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections import deque
from collections.abc import Sequence
from typing import Protocol, cast

from protocol.codec import OtherVersion
from protocol.errors import Fault, Malformed, NotAllowed
from protocol.limits import Allowance, Limits, Pulse
from protocol.messages import FromPeer, Message
from protocol.session import State, host_session

HIGH_WATER = 64 * 1024
LAST_WORD = 1.0
"""Seconds that a closing connection has to read why."""


class Owner(Protocol):
    """What a connection reports to."""

    def on_connected(self, connection: Connection) -> None: ...

    def on_message(self, connection: Connection, message: FromPeer | OtherVersion) -> None: ...

    def on_fault(self, connection: Connection, fault: Malformed | NotAllowed) -> None: ...

    def on_drained(self, connection: Connection, owed: Sequence[int]) -> None:
        """The peer reads again, after its backlog was given up: it needs a snapshot and these answers."""
        ...

    def on_lost(self, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    """One accepted connection.

    peer: who it is, once welcomed; None before, and again when another connection has taken over
    sent: the last log entry that was sent on it, or queued
    address: where it comes from, without the port
    """

    def __init__(self, owner: Owner, limits: Limits) -> None:
        self.peer: int | None = None
        self.sent = 0
        self.address = ""
        self.nonce = secrets.token_bytes(32)
        self._owner = owner
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._session = host_session()
        self.pulse = Pulse(self._loop.time(), limits.patience)
        self.allowance = Allowance(limits.rate, limits.burst, self._loop.time())
        self._backlog: deque[tuple[bytes, int | None]] = deque()
        self._backlog_size = 0
        self._owed: list[int] = []
        self._is_paused = False
        self._is_behind = False
        self._is_catching_up = False
        self._unread = 0
        self._moved = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    # --- from the loop ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=HIGH_WATER)
        name = transport.get_extra_info("peername")
        self.address = name[0] if name else ""
        line = transport.get_extra_info("socket")
        with contextlib.suppress(OSError):  # the peer may have gone already
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.send_buffer)
        self._timer = self._loop.call_later(self._limits.handshake, self._handshake_is_over)
        self._owner.on_connected(self)

    def data_received(self, data: bytes) -> None:
        self.pulse.hear(self._loop.time())
        self._session.feed(data)
        while True:
            try:
                message = self._session.next()
            except (Malformed, NotAllowed) as fault:
                self._owner.on_fault(self, fault)
                continue
            if message is None:
                return
            self._owner.on_message(self, message)

    def pause_writing(self) -> None:
        self._is_paused = True
        self._unread = self._transport.get_write_buffer_size()
        self._moved = self._loop.time()

    def resume_writing(self) -> None:
        self._is_paused = False
        if self._is_behind:
            owed, self._owed = self._owed, []
            self._is_behind = False
            self._is_catching_up = True
            self._owner.on_drained(self, owed)
        while self._backlog and not self._is_paused:
            frame, _ = self._backlog.popleft()
            self._backlog_size -= len(frame)
            self._transport.write(frame)
        if not self._is_paused:
            self._is_catching_up = False

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._backlog.clear()
        self._owner.on_lost(self)

    # --- to the peer ------------------------------------------------------------------------------------------------

    @property
    def is_inside(self) -> bool:
        """Welcomed, and still there."""
        return self._session.state in (State.SEATED, State.WATCHING)

    def say(self, message: Message, frame: bytes | None = None, answers: int | None = None) -> None:
        """Says a message as soon as the peer takes it, or a snapshot in its place if that takes too long.

        frame: the message, already encoded
        answers: the request that it answers, which is answered even then
        """
        self._queue(self._session.send(message, frame), answers)

    def welcomed(self) -> None:
        """From now on the line is watched."""
        self._beat()

    def part(self, code: str, sentence: str) -> None:
        """Says why, and ends the connection; a peer that does not read is not waited for."""
        if self._transport.is_closing():
            return
        self._transport.write(self._session.part(code, sentence))
        self.hang_up()

    def hang_up(self) -> None:
        """Ends the connection when the peer has read what was written so far, or a second later."""
        self._backlog.clear()
        self._stop_timer()
        self._transport.close()
        self._timer = self._loop.call_later(LAST_WORD, self._transport.abort)

    def abort(self) -> None:
        """Ends the connection at once."""
        self._transport.abort()

    # --- by itself --------------------------------------------------------------------------------------------------

    def _queue(self, frame: bytes, answers: int | None) -> None:
        if self._transport.is_closing():
            return
        if self._is_behind:
            self._owe(answers)
        elif not self._is_paused:
            self._transport.write(frame)
        else:
            self._backlog.append((frame, answers))
            self._backlog_size += len(frame)
            self._bound_backlog()

    def _bound_backlog(self) -> None:
        limits = self._limits
        if len(self._backlog) <= limits.backlog_frames and self._backlog_size <= limits.backlog_bytes:
            return
        if self._is_catching_up:
            self.abort()  # it had its snapshot
            return
        for _, answers in self._backlog:
            self._owe(answers)
        self._backlog.clear()
        self._backlog_size = 0
        self._is_behind = True

    def _owe(self, answers: int | None) -> None:
        if answers is None:
            return
        self._owed.append(answers)
        if len(self._owed) > self._limits.backlog_frames:
            self.abort()  # it asks and asks, and does not read

    def _handshake_is_over(self) -> None:
        seconds = self._limits.handshake
        if self._transport.is_closing():
            self.abort()  # it closed its end, and does not read what is left for it
        else:
            self.part("too-slow", f"The greetings were not over within {seconds:g} seconds.")

    def _beat(self) -> None:
        self._stop_timer()
        now = self._loop.time()
        if self.pulse.is_dead(now) or self._is_stalled(now):
            self.abort()
            return
        if not self._is_paused:
            self.say(self.pulse.ping(now))
        self._timer = self._loop.call_later(self._limits.heartbeat, self._beat)

    def _is_stalled(self, now: float) -> bool:
        """Whether the peer has taken nothing off the line for too long."""
        unread = self._transport.get_write_buffer_size()
        if not self._is_paused or unread < self._unread:
            self._unread = unread
            self._moved = now
        return now - self._moved > self._limits.stall

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def describe(error: Exception) -> tuple[str, str] | None:
    """The code and sentence of a refusal, whoever raised it; None if the error is none, but a bug."""
    code, sentence = getattr(error, "code", None), getattr(error, "sentence", None)
    if isinstance(error, Fault) or (isinstance(code, str) and isinstance(sentence, str)):
        return str(code)[:40], str(sentence)[:400]
    return None
