"""Somebody at a table, seen from their own program: comes in, asks, hears what happens, finds back after an outage."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from protocol.codec import TO_HOST, check, encode
from protocol.errors import Fault, Malformed, NotAllowed, Unwelcome
from protocol.limits import Limits
from protocol.line import Line, LineLost, connect, not_a_table
from protocol.line import ask as ask
from protocol.messages import (
    PROTOCOL,
    Closing,
    Events,
    FromPeer,
    Hello,
    Leave,
    Refused,
    Rejected,
    Request,
    Resync,
    Snapshot,
    Welcome,
)
from protocol.session import TRANSITIONS, State, prove, stretch

QUEUE = 256
"""Messages kept for a program that does not take them; then the line is not read any more, and the host copes."""
UNANSWERED = 64
"""Requests under way at once."""
LAST_WORD = 1.0
"""Seconds for `Leave` to get out."""

# What may be over in a moment; any other refusal is final.
_PASSING = ("unreachable", "busy", "too-slow", "pin-wait")

log = logging.getLogger(__name__)


class Link(msgspec.Struct, frozen=True):
    """The line is lost, and the peer tries to find back; or it is back, and a `Welcome` follows."""

    state: Literal["lost", "back"]
    sentence: str


Incoming: TypeAlias = Welcome | Events | Snapshot | Link | Closing


class Peer:
    """One's place at a table.

    address: where the table is: "host:port", "[IPv6]:port", a host alone, or several of these for the same table
    seats: how many are wanted; 0: to watch
    bot: the level, if a bot plays here
    token: of an earlier connection, to have its seats again
    retry_for: seconds to try to find back after an outage

        peer = Peer("192.168.1.7:9731", name="Anna")
        welcome = await peer.open()
        async for message in peer.messages():
            ...

    Requests may be made at any time, also while the line is lost: they are sent when it is back, and each is done once.
    """

    def __init__(
        self,
        address: str | Sequence[str],
        *,
        name: str,
        seats: int = 1,
        bot: str | None = None,
        pin: str | None = None,
        token: bytes | None = None,
        retry_for: float = 120.0,
        limits: Limits | None = None,
    ) -> None:
        self._addresses = (address,) if isinstance(address, str) else tuple(address)
        self._hello = Hello(PROTOCOL, name, seats, bot, token)
        self._pin = pin
        self._keys: dict[bytes, bytes] = {}
        self._retry_for = retry_for
        self._limits = limits or Limits()
        self._line: Line | None = None
        self._task: asyncio.Task[None] | None = None
        self._queue: asyncio.Queue[Incoming | None] = asyncio.Queue(QUEUE)
        self._unanswered: OrderedDict[int, tuple[Request, asyncio.Future[Rejected | None]]] = OrderedDict()
        self._number = 0
        self._is_watching = False
        self._is_closed = False
        self._awaits_snapshot = False
        self.seq = 0
        """The last log entry that was handed on."""

    async def open(self) -> Welcome:
        """Comes in. Raises `Unwelcome` with the reason if that cannot be."""
        self._line, welcome = await self._enter()
        self._note(welcome)
        self._task = asyncio.create_task(self._run())
        return welcome

    async def messages(self) -> AsyncIterator[Incoming]:
        """What comes in, in order and without gaps, until the place at the table is given up or taken away.

        Events: log entries that were not handed on yet
        Snapshot: the whole table, in place of entries that were missed
        Link: the line is lost, or back
        Welcome: after the line is back; the first one is what `open` returned
        Closing: the last message, unless one closes the peer oneself
        """
        while (message := await self._queue.get()) is not None:
            yield message
        self._queue.put_nowait(None)  # for who asks again

    async def request(self, kind: type[Request], **fields: Any) -> Rejected | None:
        """Asks for something: `await peer.request(Say, text="Hello")`. None when it is done, or why it is not.

        The entries that came of it are handed on by `messages` before this returns.
        """
        number = self._number + 1
        request = kind(number=number, **fields)
        refusal = self._check(request)
        if refusal is not None:
            return Rejected(number, refusal.code, refusal.sentence, self.seq)
        self._number = number
        answer: asyncio.Future[Rejected | None] = asyncio.get_running_loop().create_future()
        self._unanswered[number] = (request, answer)
        if self._line is not None:
            self._line.say(request)
        return await answer

    def resync(self) -> None:
        """Asks for the whole table, because what one made of it is out of step. Until it comes, no entries come."""
        if self._line is not None and not self._awaits_snapshot:
            self._line.say(Resync())
        self._awaits_snapshot = True

    async def close(self, leave: bool = True) -> None:
        """Ends it all. leave: for good; otherwise the seats are kept, as after a lost connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        line, self._line = self._line, None
        if line is not None:
            if leave:
                with contextlib.suppress(NotAllowed):  # the host was faster
                    line.say(Leave())
            await line.close(LAST_WORD)
        self._finish()
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    @property
    def round_trip(self) -> float | None:
        """Seconds to the host and back; None while unknown."""
        return self._line.pulse.round_trip if self._line is not None else None

    # --- coming in --------------------------------------------------------------------------------------------------

    async def _enter(self) -> tuple[Line, Welcome]:
        line = await connect(self._addresses, self._limits)
        try:
            async with asyncio.timeout(self._limits.handshake):
                return line, await self._knock(line)
        except BaseException as error:
            await line.close()
            if isinstance(error, OSError):
                raise Unwelcome("unreachable", "The table did not let one in; the line broke.") from None
            if isinstance(error, Malformed | NotAllowed):
                raise not_a_table(error) from None
            raise

    async def _knock(self, line: Line) -> Welcome:
        proof = await self._proof(line)
        try:
            line.say(msgspec.structs.replace(self._hello, proof=proof))
        except Malformed as fault:  # a name without end, eleven seats
            raise Unwelcome(fault.code, fault.sentence) from None
        while True:
            match await line.next():
                case Welcome() as welcome:
                    return welcome
                case Refused() as refused:
                    raise Unwelcome(refused.code, refused.sentence)
                case _:
                    pass

    async def _proof(self, line: Line) -> bytes | None:
        greeting = line.greeting
        if not greeting.pin or self._pin is None:
            return None
        if greeting.salt not in self._keys:
            self._keys = {greeting.salt: await asyncio.to_thread(stretch, self._pin, greeting.salt)}
        return prove(self._keys[greeting.salt], greeting.nonce)

    def _note(self, welcome: Welcome) -> None:
        self._hello = msgspec.structs.replace(self._hello, token=welcome.token)
        self._is_watching = not welcome.seats
        if welcome.start is not None:
            self.seq = welcome.start.seq
            self._awaits_snapshot = False
        if not self._unanswered:
            self._number = welcome.number

    # --- being there ------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            closing = await self._listen()
            while closing is None:
                closing = await self._find_back() or await self._listen()
        except Exception:
            log.exception("The connection to the table had to be given up because of a bug.")
            closing = Closing("internal", "Something went wrong in this program.")
        self._finish()
        await self._drop_line()
        await self._queue.put(closing)
        await self._queue.put(None)

    async def _listen(self) -> Closing | None:
        """Hears what comes in. Returns the end, or None when the line is lost."""
        assert self._line is not None
        try:
            while True:
                message = await self._line.next()
                match message:
                    case Closing():
                        return message
                    case Events():
                        await self._take(message)
                    case Snapshot():
                        self.seq = message.seq
                        self._awaits_snapshot = False
                        await self._queue.put(message)
                    case Rejected():
                        self._answered(message.answers, message)
                    case _:
                        pass
        except OSError as error:
            await self._drop_line()
            await self._queue.put(Link("lost", _why(error)))
            return None
        except Fault as fault:
            return Closing(fault.code, fault.sentence)

    async def _take(self, events: Events) -> None:
        """Hands on the entries that are new, then the answer that they bear."""
        known = self.seq + 1 - events.first
        if known < 0:
            self.resync()
        elif known < len(events.entries) and not self._awaits_snapshot:
            new = Events(self.seq + 1, events.entries[known:], events.answers)
            self.seq += len(new.entries)
            await self._queue.put(new)
        if events.answers is not None:
            self._answered(events.answers, None)

    def _answered(self, number: int, rejected: Rejected | None) -> None:
        _, answer = self._unanswered.pop(number, (None, None))
        if answer is not None and not answer.done():
            answer.set_result(rejected)

    def _check(self, request: Request) -> Fault | None:
        """None, or why the host would not take this."""
        state = State.WATCHING if self._is_watching else State.SEATED
        if self._is_closed or self._task is None:
            return Fault("closed", "The table is gone.")
        if type(request) not in TRANSITIONS[state]:
            return NotAllowed("You are watching: this is for those who have a seat.")
        if len(self._unanswered) >= UNANSWERED:
            return Fault("too-fast", "The table has not answered what was asked before.")
        try:
            check(encode(request, TO_HOST), FromPeer)
        except Malformed as fault:
            return fault
        return None

    # --- finding back -----------------------------------------------------------------------------------------------

    async def _find_back(self) -> Closing | None:
        """Comes in again and repeats what was not answered. Returns the end if that cannot be."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._retry_for
        delay = self._limits.retry_first
        while True:
            await asyncio.sleep(delay)
            delay = min(delay * 2, self._limits.retry_longest)
            seq = None if self._awaits_snapshot else self.seq
            self._hello = msgspec.structs.replace(self._hello, seq=seq)
            try:
                line, welcome = await self._enter()
                break
            except Unwelcome as error:
                if error.code not in _PASSING:
                    return Closing(error.code, error.sentence)
                if loop.time() > until:
                    return Closing("lost", f"The table was not to be reached again: {error.sentence}")
        self._line = line
        self._note(welcome)
        self._repeat(welcome)
        await self._queue.put(Link("back", "The line is back."))
        await self._queue.put(welcome)
        return None

    def _repeat(self, welcome: Welcome) -> None:
        assert self._line is not None
        if self._unanswered and next(iter(self._unanswered)) > welcome.number + 1:
            # A host that was started again does not know them, and numbers that it does not expect end the connection.
            self._give_up("lost", "The host was started again; what was asked last may not have been done.")
            self._number = welcome.number
        for request, _ in self._unanswered.values():
            self._line.say(request)
        if self._awaits_snapshot:
            self._line.say(Resync())

    async def _drop_line(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    def _give_up(self, code: str, sentence: str) -> None:
        for number in tuple(self._unanswered):
            self._answered(number, Rejected(number, code, sentence, self.seq))

    def _finish(self) -> None:
        self._is_closed = True
        self._give_up("closed", "The table is gone.")


def _why(error: OSError) -> str:
    """In words; the system's own are for programmers."""
    return str(error) if isinstance(error, LineLost) else "The connection broke."
