"""A table on the network: asyncio TCP around `session.py`. What the table is, the host does not know: it is handed one.

Everything happens in the order of arrival, in calls from the loop; nothing here waits for a peer.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from protocol.address import DEFAULT_PORT as DEFAULT_PORT
from protocol.address import best_addresses, format_address, is_ipv6, is_wildcard
from protocol.codec import OtherVersion, encode
from protocol.connection import Connection, describe
from protocol.errors import Malformed, NotAllowed, Unavailable
from protocol.limits import Doorkeeper, Limits
from protocol.listen import open_sockets
from protocol.messages import (
    PROTOCOL,
    Ask,
    Events,
    FromPeer,
    Greeting,
    Hello,
    Leave,
    Ping,
    Pong,
    Rejected,
    Remove,
    Request,
    Resync,
    Say,
    Snapshot,
    Status,
    Welcome,
)
from protocol.session import is_proved, stretch, version_sentence
from protocol.table import Table as Table
from protocol.table import carry_out

CHUNK = 256 * 1024
"""Longer backlogs of log entries go out in several frames."""
CHUNK_ENTRIES = 128
"""And so do more entries, whatever is in them: so many can be tried for their length."""
REMEMBERED_ANSWERS = 128
"""For each peer; an older request that comes again is answered without its entries."""
REMEMBERED_PEERS = 256
RESYNC_COST = 10
"""A snapshot counts as so many requests."""
SAY_COST = 5
"""And so does a line of chat, which goes to all."""
COSTS: dict[object, int] = {Resync: RESYNC_COST, Say: SAY_COST}
RETRY_AFTER_BUG = 1.0
TOO_FAST = ("too-fast", "Too many messages came at once.")

log = logging.getLogger(__name__)


class _Guest:
    """What the host keeps of a peer from one connection to the next."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.number = 0
        self.answers: OrderedDict[int, Rejected | tuple[int, int]] = OrderedDict()

    def answered(self, number: int, answer: Rejected | tuple[int, int]) -> None:
        """answer: the refusal, or the entries as (number before the first, how many)"""
        self.number = max(self.number, number)
        self.answers[number] = answer
        if len(self.answers) > REMEMBERED_ANSWERS:
            self.answers.popitem(last=False)


class Host:
    """Puts a table on the network.

    interfaces: IP addresses of this machine to listen on; "0.0.0.0" and "::" stand for all
    port: 0: any that is free; None: `DEFAULT_PORT` if it is free, else any
    on_change: called after the table's log has grown or somebody has come or gone
    clock: milliseconds since the table began; by default since the host was made

        host = Host(table, pin="0815")
        await host.start()  # Unavailable: port-taken, no-interface
        …
        await host.close()
    """

    def __init__(
        self,
        table: Table,
        *,
        pin: str | None = None,
        interfaces: Sequence[str] = ("127.0.0.1",),
        port: int | None = 0,
        on_change: Callable[[], None] | None = None,
        clock: Callable[[], int] | None = None,
        limits: Limits | None = None,
    ) -> None:
        began = time.monotonic()
        self.table = table
        self._pin = pin
        self._key: bytes | None = None
        self._salt = secrets.token_bytes(16)
        self._interfaces = tuple(interfaces)
        self._port = port
        self._on_change = on_change
        self._clock = clock or (lambda: int((time.monotonic() - began) * 1000))
        self._limits = limits or Limits()
        self._servers: list[asyncio.Server] = []
        self._connections: set[Connection] = set()
        self._guests: dict[int, _Guest] = {}
        self._doorkeeper = Doorkeeper()
        self._timer: asyncio.TimerHandle | None = None
        self._is_closing = False
        self._all_gone = asyncio.Event()

    async def start(self) -> None:
        """Listens from here on. Raises `Unavailable` if that cannot be."""
        if self._pin is not None:
            self._key = await asyncio.to_thread(stretch, self._pin, self._salt)
        loop = asyncio.get_running_loop()
        for sock in open_sockets(self._interfaces, self._port):
            server = await loop.create_server(lambda: Connection(self, self._limits), sock=sock)
            self._servers.append(server)
        if not self.addresses:  # it listens everywhere, and there is no address anywhere
            await self.close()
            raise Unavailable("no-interface", "This machine has no network to host a table on.")
        self._set_timer()

    async def close(self, code: str = "closed", sentence: str = "The host has closed this table.") -> None:
        """Says so to all and lets go of them, at the latest a second later."""
        self._is_closing = True
        self._stop_timer()
        for server in self._servers:
            server.close()
        for connection in tuple(self._connections):
            connection.part(code, sentence)
        if self._connections:
            await self._all_gone.wait()
        for server in self._servers:
            await server.wait_closed()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._servers[0].sockets[0].getsockname()[1]

    @property
    def addresses(self) -> tuple[str, ...]:
        """What a guest may type: "IP:PORT" or "[IPv6]:PORT"."""
        bound = [sock.getsockname()[:2] for server in self._servers for sock in server.sockets]
        everywhere = {is_ipv6(host): port for host, port in bound if is_wildcard(host)}
        found = [format_address(host, port) for host, port in bound if not is_wildcard(host)]
        found += [format_address(ip, everywhere[is_ipv6(ip)]) for ip in best_addresses(everywhere)]
        return tuple(found)

    @property
    def peers(self) -> tuple[int, ...]:
        """Who is connected now, in the order of coming."""
        return tuple(peer for peer, guest in self._guests.items() if guest.connection is not None)

    def status(self) -> Status:
        """What a list of tables shows of this one."""
        return Status(protocol=PROTOCOL, pin=self.needs_pin, **self.table.status())

    @property
    def needs_pin(self) -> bool:
        return self._pin is not None

    def rtt(self, peer: int) -> int | None:
        """Milliseconds to the peer and back; None while unknown. A peer can make it seem longer, up to a bound."""
        guest = self._guests.get(peer)
        if guest is None or guest.connection is None or guest.connection.pulse.round_trip is None:
            return None
        return round(guest.connection.pulse.round_trip * 1000)

    def do(self, call: Callable[[int], None]) -> None:
        """Lets the house itself act on the table; what comes of it is told to all.

        call: is given the table's clock; what it raises is raised here
        """
        try:
            call(self._clock())
        finally:
            self._changed()

    # --- from the connections ---------------------------------------------------------------------------------------

    def on_connected(self, connection: Connection) -> None:
        same = sum(other.address == connection.address for other in self._connections)
        self._connections.add(connection)
        if self._is_closing:
            connection.part("closed", "The host has closed this table.")
        elif len(self._connections) > self._limits.connections or same >= self._limits.per_address:
            connection.part("busy", "Too many are connected to this table already; try again later.")
        else:
            connection.say(Greeting(PROTOCOL, connection.nonce, self._salt, self.needs_pin))

    def on_message(self, connection: Connection, message: FromPeer | OtherVersion) -> None:
        try:
            self._hear(connection, message)
        except Exception:
            log.exception("A connection had to be closed because of a bug.")
            connection.part("internal", "Something went wrong in the host's program.")

    def on_fault(self, connection: Connection, fault: Malformed | NotAllowed) -> None:
        answers = fault.answers if isinstance(fault, NotAllowed) else None
        if answers is None or connection.peer is None:
            connection.part(fault.code, fault.sentence)
        elif connection.allowance.spend(asyncio.get_running_loop().time()):
            self._reject(connection, self._guests[connection.peer], answers, fault.code, fault.sentence)
        else:
            connection.part(*TOO_FAST)

    def on_drained(self, connection: Connection, owed: Sequence[int]) -> None:
        try:
            self._send_snapshot(connection)
            for number in owed:
                self._answer_again(connection, number)
        except Exception:
            log.exception("A connection had to be cut because of a bug.")
            connection.abort()

    def on_lost(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if self._is_closing:
            if not self._connections:
                self._all_gone.set()
            return
        if connection.peer is not None:
            peer, connection.peer = connection.peer, None
            self._guests[peer].connection = None
            self._guarded(lambda: self.table.lost(peer, self._clock()))
            self._changed()

    # --- what is said -----------------------------------------------------------------------------------------------

    def _hear(self, connection: Connection, message: FromPeer | OtherVersion) -> None:
        in_time = connection.allowance.spend(asyncio.get_running_loop().time(), COSTS.get(type(message), 1))
        answerable = isinstance(message, Request) and not connection.allowance.is_exhausted
        if not in_time and not answerable:
            connection.part(*TOO_FAST)
            return
        match message:
            case OtherVersion():
                connection.part("version", version_sentence(PROTOCOL, message.protocol))
            case Ask():
                connection.say(self.status())
            case Hello():
                self._admit(connection, message)
            case Ping():
                connection.say(Pong(message.at))
            case Pong():
                connection.pulse.pong(message, asyncio.get_running_loop().time())
            case Resync():
                self._send_snapshot(connection)
            case Leave():
                self._see_off(connection)
            case _:
                self._request(connection, message, in_time)

    def _admit(self, connection: Connection, hello: Hello) -> None:
        refusal = self._check_pin(connection, hello)
        if refusal is not None:
            connection.part(*refusal)
            return
        token = hello.token or secrets.token_bytes(32)
        token_hash = hashlib.sha256(token).digest()
        try:
            if hello.token is not None:
                peer = self.table.resume(token_hash, self._clock())
            else:
                peer = self.table.join(hello.name, hello.seats, hello.bot, token_hash, self._clock())
        except Exception as error:
            connection.part(*_refusal(error))
            self._changed()
            return
        self._welcome(connection, self._take_over(peer, connection), hello, token)
        self._changed()

    def _check_pin(self, connection: Connection, hello: Hello) -> tuple[str, str] | None:
        """None, or why not. Who has a token has shown the PIN before."""
        if self._key is None or hello.token is not None:
            return None
        now = asyncio.get_running_loop().time()
        wait = self._doorkeeper.wait(connection.address, now)
        if hello.proof is None:
            return "pin-needed", "This table asks for a PIN."
        if wait > 0:
            return "pin-wait", f"The PIN was wrong; wait {int(wait) + 1} s before the next try."
        if not is_proved(self._key, connection.nonce, hello.proof):
            self._doorkeeper.failed(connection.address, now)
            return "pin-wrong", "This is not the table's PIN."
        self._doorkeeper.passed(connection.address)
        return None

    def _take_over(self, peer: int, connection: Connection) -> _Guest:
        guest = self._guests.setdefault(peer, _Guest())
        if guest.connection is not None:
            guest.connection.peer = None
            guest.connection.part(
                "replaced", "Somebody came in on your seat from another place: you, we hope."
            )
        guest.connection = connection
        connection.peer = peer
        self._forget_some()
        return guest

    def _welcome(self, connection: Connection, guest: _Guest, hello: Hello, token: bytes) -> None:
        assert connection.peer is not None
        start: Snapshot | None = None
        has = hello.seq if hello.token is not None else None
        if has is not None and self.table.oldest() <= has <= self.table.seq:
            connection.sent = has
        else:
            start = Snapshot(*self.table.base())
            connection.sent = start.seq
        seats = self.table.seats_of(connection.peer)
        now = self._clock()
        connection.say(Welcome(connection.peer, seats, token, guest.number, start, self.table.seq, now))
        connection.welcomed()

    def _see_off(self, connection: Connection) -> None:
        assert connection.peer is not None
        peer, connection.peer = connection.peer, None
        self._guests.pop(peer, None)
        self._guarded(lambda: self.table.leave(peer, self._clock()))
        connection.hang_up()
        self._changed()

    def _request(self, connection: Connection, request: Request, in_time: bool) -> None:
        assert connection.peer is not None
        guest = self._guests[connection.peer]
        if request.number <= guest.number:
            self._answer_again(connection, request.number)
            return
        if not in_time:
            self._reject(connection, guest, request.number, "too-fast", "Not so fast, please.")
            return
        before = self.table.seq
        try:
            carry_out(self.table, connection.peer, request, self._clock())
        except Exception as error:
            self._reject(connection, guest, request.number, *_refusal(error))
        else:
            guest.answered(request.number, (before, self.table.seq - before))
            self._publish(connection, request.number)
            if isinstance(request, Remove):
                self._show_out(request.peer)
        self._changed()

    def _reject(self, connection: Connection, guest: _Guest, number: int, code: str, sentence: str) -> None:
        if number > guest.number:
            guest.answered(number, Rejected(number, code, sentence, self.table.seq))
        self._answer_again(connection, number)

    def _answer_again(self, connection: Connection, number: int) -> None:
        """The answer that a request had, with its entries if they are still kept."""
        if connection.peer is None:
            return
        answer = self._guests[connection.peer].answers.get(number)
        if isinstance(answer, Rejected):
            connection.say(answer, answers=number)
            return
        first, entries = self.table.seq + 1, ()
        if answer is not None and answer[1] and answer[0] >= self.table.oldest():
            first, entries = answer[0] + 1, tuple(self.table.entries(answer[0])[: answer[1]])
        connection.say(Events(first, entries, number), answers=number)

    def _show_out(self, peer: int) -> None:
        guest = self._guests.pop(peer, None)
        if guest is not None and guest.connection is not None:
            guest.connection.peer = None
            guest.connection.part("removed", "You were asked to leave this table.")

    # --- what all are told ------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """After anything that may have moved the table."""
        self._guarded(self._publish)
        self._set_timer()
        if self._on_change is not None:
            self._on_change()

    def _publish(self, asker: Connection | None = None, number: int | None = None) -> None:
        """Sends everybody the entries they have not got; the asker's copy says which request they answer."""
        shared: dict[int, list[tuple[Events, bytes]]] = {}
        for connection in tuple(self._connections):
            if connection.peer is None or not connection.is_inside:
                continue
            if connection.sent < self.table.oldest():
                self._send_snapshot(connection)
            answers = number if connection is asker else None
            if connection.sent == self.table.seq and answers is None:
                continue
            if connection.sent not in shared:
                shared[connection.sent] = _frames(connection.sent, self.table.entries(connection.sent))
            _tell(connection, shared[connection.sent], answers)
            connection.sent = self.table.seq

    def _send_snapshot(self, connection: Connection) -> None:
        snapshot = Snapshot(*self.table.snapshot())
        connection.sent = snapshot.seq
        connection.say(snapshot)

    # --- the table's time -------------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        self._stop_timer()
        if self._is_closing:
            return
        due = self.table.due()
        if due is not None:
            # Never at once: a table that is always due must not keep the loop to itself.
            self._call_later(max(0.001, (due - self._clock()) / 1000))

    def _call_later(self, delay: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(delay, self._elapse)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _elapse(self) -> None:
        if self._guarded(lambda: self.table.elapse(self._clock())):
            self._changed()
        else:
            self._call_later(RETRY_AFTER_BUG)

    def _guarded(self, call: Callable[[], None]) -> bool:
        """Whether a call went well that nobody waits for; a bug is logged and the table goes on."""
        try:
            call()
        except Exception:
            log.exception("The table failed.")
            return False
        return True

    def _forget_some(self) -> None:
        """Keeps the number of those who went and may come back within bounds."""
        away = [peer for peer, guest in self._guests.items() if guest.connection is None]
        for peer in away[: max(0, len(self._guests) - REMEMBERED_PEERS)]:
            del self._guests[peer]


def _refusal(error: Exception) -> tuple[str, str]:
    refusal = describe(error)
    if refusal is not None:
        return refusal
    log.error("The table failed.", exc_info=error)
    return "internal", "Something went wrong in the host's program; the table goes on."


def _frames(after: int, entries: Sequence[dict[str, Any]]) -> list[tuple[Events, bytes]]:
    """These entries in few frames that keep within `CHUNK`; one frame if there are none."""
    if len(entries) <= CHUNK_ENTRIES:
        events = Events(after + 1, tuple(entries))
        frame = encode(events)
        if len(frame) <= CHUNK or len(entries) <= 1:
            return [(events, frame)]
    half = len(entries) // 2
    return _frames(after, entries[:half]) + _frames(after + half, entries[half:])


def _tell(connection: Connection, frames: list[tuple[Events, bytes]], answers: int | None) -> None:
    *most, (last, frame) = frames
    for events, encoded in most:
        connection.say(events, encoded)
    if answers is None:
        connection.say(last, frame)
    else:
        connection.say(Events(last.first, last.entries, answers), answers=answers)
