"""Tables on the local network: announced and found by mDNS, and asked over TCP whether they are still there.

mDNS never tells that a host was killed, and says little; so every table found is asked what stands there every two
seconds. What it says of itself is shown; the announcement only says where to ask.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.address import best_addresses, format_address, parse_address
from protocol.errors import Unavailable, Unwelcome
from protocol.line import SHOWN_WIDTH, ask
from protocol.listen import check_interfaces
from protocol.messages import Status
from protocol.text import clean_line

if TYPE_CHECKING:  # 70 ms: imported where it is used
    from zeroconf import ServiceInfo, ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE = "_wuerfel._tcp.local."

ASK_EVERY = 2.0
"""Seconds between two questions to a table."""
ASK_PATIENCE = 1.2
"""Seconds for the answer; asked twice, a table that is gone disappears after 2 + 2 × 1.2 s at the latest."""
RESOLVE_PATIENCE = 3.0
MAX_SERVICES = 200
"""A network that announces more than this is not to be trusted."""
MAX_ADDRESSES = 8
NO_NETWORK = "This machine has no network to find tables on."

_NAME_BYTES = 56
"""Of the 63 that mDNS allows, without the number that a clash appends."""
_VALUE_BYTES = 200
"""Of the 255 that mDNS allows for key and value."""

log = logging.getLogger(__name__)


class FoundTable(msgspec.Struct, frozen=True):
    """A table on the network.

    id: the same whatever its address
    state: "waiting" | "playing" | "over"
    addresses: where it is, the best one first; for `Peer`
    protocol: its version; a table of another version is shown as its announcement describes it
    """

    id: str
    name: str
    game: str
    host: str
    seats: int
    taken: int
    state: str
    pin: bool
    addresses: tuple[str, ...]
    protocol: int


class Announcement:
    """Tells the network of a table, until it is stopped.

    addresses: where the table listens (`Host.addresses`)
    status: what it is (`Host.status`)
    interfaces: this machine's IP addresses to speak on; None: all

        async with Announcement(host.addresses, host.status()) as announcement:
            announcement.update(host.status())
    """

    def __init__(
        self, addresses: Sequence[str], status: Status, *, interfaces: Sequence[str] | None = None
    ) -> None:
        self._where = [parse_address(address) for address in addresses]
        self._status = status
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._mark = hashlib.sha256(status.table.encode()).hexdigest()[:16]
        self._name = f"{_instance(status.name, self._mark)}.{SERVICE}"
        self._changed = asyncio.Event()
        self._announced: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Announcement:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def start(self) -> None:
        """Begins to announce; that takes about a second, in the background."""
        self._announced = asyncio.get_running_loop().create_future()
        # Whether anybody waits for it or not, it is no error that nobody has seen.
        self._announced.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._task = asyncio.create_task(self._run(self._announced))

    def update(self, status: Status) -> None:
        """What the table is now."""
        if status != self._status:
            self._status = status
            self._changed.set()

    async def announced(self) -> None:
        """Returns when the network knows of the table. Raises `Unavailable` ("no-interface", "multicast")."""
        assert self._announced is not None, "start() comes first"
        await asyncio.shield(self._announced)

    async def stop(self) -> None:
        """Withdraws the announcement; takes a quarter of a second."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._announced is not None:
            self._announced.cancel()
        if self._zeroconf is not None:
            zeroconf, self._zeroconf = self._zeroconf, None
            await zeroconf.async_close()

    async def _run(self, announced: asyncio.Future[None]) -> None:
        try:
            self._zeroconf = await open_zeroconf(self._interfaces)
            registry: Any = self._zeroconf  # half typed
            info = self._info()
            await (await registry.async_register_service(info, allow_name_change=True))
            self._name = info.name
            announced.set_result(None)
            while True:
                await self._changed.wait()
                self._changed.clear()
                # Three repetitions in half a second; changes meanwhile make one more.
                await (await registry.async_update_service(self._info()))
        except Exception as error:
            problem = _problem(error)
            if announced.done():
                log.warning("The table is no longer announced: %s", problem)
            else:
                announced.set_exception(problem)

    def _info(self) -> ServiceInfo:
        from zeroconf import ServiceInfo

        status = self._status
        return ServiceInfo(
            SERVICE,
            self._name,
            port=self._where[0][1],
            properties=_properties(status),
            # Not the machine's name: two tables of one machine must not mix their addresses.
            server=f"wuerfel-{self._mark}.local.",
            parsed_addresses=[host.partition("%")[0] for host, _ in self._where],
        )


class Browser:
    """Looks for tables on the network until it is stopped.

    interfaces: this machine's IP addresses to look on; None: all

        async with Browser() as browser:  # Unavailable: no-interface, multicast
            async for tables in browser.changes():
                ...
    """

    def __init__(self, interfaces: Sequence[str] | None = None, *, ask_every: float = ASK_EVERY) -> None:
        self._interfaces = interfaces
        self._ask_every = ask_every
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._watchers: dict[str, asyncio.Task[None]] = {}
        self._pokes: dict[str, asyncio.Event] = {}
        self._alive: dict[str, FoundTable] = {}
        self._changed = asyncio.Event()
        self.tables: tuple[FoundTable, ...] = ()
        """Those that are there now, by name."""

    async def __aenter__(self) -> Browser:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Begins to look. Raises `Unavailable` ("no-interface", "multicast") if this machine cannot."""
        self._zeroconf = await open_zeroconf(self._interfaces)
        from zeroconf import DNSQuestionType
        from zeroconf.asyncio import AsyncServiceBrowser

        # Answers for all (QM): one for this program alone might go to another one that shares the port.
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, SERVICE, handlers=[self._on_service], question_type=DNSQuestionType.QM
        )

    async def changes(self) -> AsyncIterator[tuple[FoundTable, ...]]:
        """The tables now, and again whenever something about them has changed."""
        while True:
            changed = self._changed
            yield self.tables
            await changed.wait()

    async def stop(self) -> None:
        """Stops looking."""
        watchers = tuple(self._watchers.values())
        self._watchers.clear()
        for task in watchers:
            task.cancel()
        if watchers:
            await asyncio.wait(watchers)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _on_service(
        self, zeroconf: Any, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change.name == "Removed":
            self._forget(name)
        elif name in self._watchers:
            self._pokes[name].set()
        elif len(self._watchers) < MAX_SERVICES:
            self._pokes[name] = asyncio.Event()
            self._watchers[name] = asyncio.create_task(self._watch(name, self._pokes[name]))

    async def _watch(self, name: str, poke: asyncio.Event) -> None:
        """Asks after one announced table, again and again, and at once when its announcement changes."""
        best = ""
        while True:
            poke.clear()
            announced = await self._resolve(name)
            found = await _find(announced, best) if announced is not None else None
            best = found.addresses[0] if found is not None else ""
            self._show(name, found)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._ask_every):
                    await poke.wait()

    async def _resolve(self, name: str) -> FoundTable | None:
        """What the announcement says."""
        from zeroconf import DNSQuestionType
        from zeroconf.asyncio import AsyncServiceInfo

        assert self._zeroconf is not None
        info = AsyncServiceInfo(SERVICE, name)
        zeroconf = self._zeroconf.zeroconf
        if await info.async_request(zeroconf, RESOLVE_PATIENCE * 1000, DNSQuestionType.QM):
            return read_announcement(info)
        return None

    def _show(self, name: str, found: FoundTable | None) -> None:
        if name not in self._watchers:
            return
        if found is None:
            self._alive.pop(name, None)
        else:
            self._alive[name] = found
        self._publish()

    def _forget(self, name: str) -> None:
        task = self._watchers.pop(name, None)
        if task is not None:
            task.cancel()
            del self._pokes[name]
        self._alive.pop(name, None)
        self._publish()

    def _publish(self) -> None:
        tables = _by_id(self._alive.values())
        if tables != self.tables:
            self.tables = tables
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()


async def open_zeroconf(interfaces: Sequence[str] | None) -> AsyncZeroconf:
    """Multicast DNS on these interfaces. Raises `Unavailable` ("no-interface", "multicast")."""
    # Not on the loop: other things happen there.
    await asyncio.to_thread(__import__, "zeroconf.asyncio")
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    if interfaces is not None:
        check_interfaces(interfaces)
    elif not best_addresses((True, False)):
        raise Unavailable("no-interface", NO_NETWORK)
    zeroconf: AsyncZeroconf | None = None
    try:
        if interfaces is not None:
            zeroconf = AsyncZeroconf(interfaces=list(interfaces))
        else:
            try:
                zeroconf = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
            except OSError:  # a machine without IPv6
                zeroconf = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)
        await zeroconf.zeroconf.async_wait_for_start()
        if not zeroconf.zeroconf.engine.senders:
            raise Unavailable("no-interface", NO_NETWORK)
    except BaseException as error:
        if zeroconf is not None:
            await zeroconf.async_close()
        raise _problem(error) if isinstance(error, Exception) else error from None
    return zeroconf


def read_announcement(info: AsyncServiceInfo | ServiceInfo) -> FoundTable | None:
    """What an announcement says, cleaned; None if it says too little."""
    said = {key.decode(errors="replace"): _text(value) for key, value in info.properties.items()}
    addresses = _sorted_addresses(info.parsed_scoped_addresses(), info.port or 0)
    if not said.get("id") or not addresses:
        return None
    return FoundTable(
        id=said["id"],
        name=said.get("name", ""),
        game=said.get("game", ""),
        host=said.get("host", ""),
        seats=_number(said.get("seats", "")),
        taken=_number(said.get("taken", "")),
        state=said.get("state", ""),
        pin=said.get("pin") == "1",
        addresses=addresses,
        protocol=_number(said.get("v", "")),
    )


async def _find(announced: FoundTable, best: str) -> FoundTable | None:
    """The table as it describes itself, asked up to twice; None if it does not answer, or another stands there now.

    best: the address that answered last time
    """
    addresses = sorted(announced.addresses, key=lambda address: address != best)
    for address in (*addresses, *addresses):
        try:
            status = await ask(address, ASK_PATIENCE / len(addresses))
        except Unwelcome as refusal:
            if refusal.code in ("version", "busy"):
                return announced
            continue
        if status.table == announced.id:
            return _described(status, tuple(dict.fromkeys((address, *announced.addresses))))
    return None


def _described(status: Status, addresses: tuple[str, ...]) -> FoundTable:
    return FoundTable(
        id=status.table,
        name=status.name,
        game=status.game,
        host=status.host,
        seats=status.seats,
        taken=status.taken,
        state=status.state,
        pin=status.pin,
        addresses=addresses,
        protocol=status.protocol,
    )


def _by_id(found: Iterable[FoundTable]) -> tuple[FoundTable, ...]:
    rows: dict[str, FoundTable] = {}
    for table in found:
        other = rows.get(table.id)
        if other is not None:
            addresses = tuple(dict.fromkeys((*table.addresses, *other.addresses)))
            table = msgspec.structs.replace(table, addresses=addresses)
        rows[table.id] = table
    return tuple(sorted(rows.values(), key=lambda table: (table.name.casefold(), table.id)))


def _properties(status: Status) -> dict[str, str]:
    """The TXT record; `docs/protocol.md` lists it."""
    said = {
        "v": str(status.protocol),
        "id": status.table,
        "game": status.game,
        "name": status.name,
        "host": status.host,
        "seats": str(status.seats),
        "taken": str(status.taken),
        "state": status.state,
        "pin": str(int(status.pin)),
    }
    return {key: _cut(value, _VALUE_BYTES) for key, value in said.items()}


def _instance(name: str, mark: str) -> str:
    """A name for the announcement.

    With a part of its own for every table: two programs on one machine cannot always hear that a name is taken already,
    since only one of them gets what is sent to the machine's mDNS port.
    """
    # A dot would end it.
    shown = _cut(clean_line(name.replace(".", " "), SHOWN_WIDTH), _NAME_BYTES - 7).strip()
    return f"{shown} {mark[:6]}".strip()


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _text(value: bytes | None) -> str:
    return clean_line((value or b"").decode(errors="replace"), SHOWN_WIDTH)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0


def _sorted_addresses(ips: Sequence[str], port: int) -> tuple[str, ...]:
    """IPv4 first, since it is easier to type, and what needs a scope last."""
    if not 0 < port < 65536:
        return ()
    unscoped = [(ipaddress.ip_address(ip), ip) for ip in dict.fromkeys(ips)]
    unscoped.sort(key=lambda pair: (pair[0].is_link_local, pair[0].version))
    return tuple(format_address(ip, port) for _, ip in unscoped)[:MAX_ADDRESSES]


def _problem(error: Exception) -> Unavailable:
    if isinstance(error, Unavailable):
        return error
    log.info("mDNS is not possible.", exc_info=error)
    return Unavailable(
        "multicast",
        "Tables cannot be announced or found on this network (no multicast); addresses still work.",
    )
