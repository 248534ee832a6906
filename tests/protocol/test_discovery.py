"""Finding tables, with real mDNS on the loopback interface."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from secrets import token_hex
from typing import Any

import msgspec
import pytest
from zeroconf import ServiceInfo

from protocol.discovery import (
    SERVICE,
    Announcement,
    Browser,
    FoundTable,
    _by_id,
    open_zeroconf,
    read_announcement,
)
from protocol.errors import Unavailable
from protocol.host import Host
from protocol.messages import PROTOCOL
from tests.protocol.conftest import Net
from tests.protocol.counter import CounterTable

LOOPBACK = ["127.0.0.1"]


class Named(CounterTable):
    """A table that no other test of this machine has: they all share one loopback interface."""

    def __init__(self, name: str = "Kitchen") -> None:
        super().__init__()
        self.id, self.name = token_hex(8), name

    def status(self) -> dict[str, Any]:
        return {**super().status(), "table": self.id, "name": self.name}


class House:
    """What a test of discovery needs, and its end."""

    def __init__(self, net: Net, stack: AsyncExitStack, browser: Browser) -> None:
        self.net = net
        self._stack = stack
        self._browser = browser
        self._ids: set[str] = set()

    async def host(self, table: Named, **options: Any) -> Host:
        self._ids.add(table.id)
        return await self.net.host(table, **options)

    async def announce(self, host: Host) -> Announcement:
        announcement = Announcement(host.addresses, host.status(), interfaces=LOOPBACK)
        return await self._stack.enter_async_context(announcement)

    async def seen(self, is_right: Callable[[list[FoundTable]], bool]) -> list[FoundTable]:
        """This test's own tables in the list, as soon as they are right."""
        async for tables in self._browser.changes():
            own = [table for table in tables if table.id in self._ids]
            if is_right(own):
                return own
        raise AssertionError


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """MDNS waits for slow networks before it takes a name for free, and repeats itself; the loopback needs neither."""
    monkeypatch.setattr("zeroconf._core._PROBE_RANDOM_DELAY_INTERVAL", (1, 2), raising=False)
    monkeypatch.setattr("zeroconf._core._CHECK_TIME", 20, raising=False)
    monkeypatch.setattr("zeroconf._core._REGISTER_TIME", 20, raising=False)
    monkeypatch.setattr("zeroconf._core._UNREGISTER_TIME", 10, raising=False)


@pytest.fixture
async def house(net: Net) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(Browser(LOOPBACK, ask_every=0.1))
        yield House(net, stack, browser)


def is_one(tables: list[FoundTable]) -> bool:
    return len(tables) == 1


def is_none(tables: list[FoundTable]) -> bool:
    return not tables


async def test_a_table_is_found_with_all_that_a_list_shows(house: House) -> None:
    table = Named("Kitchen")
    host = await house.host(table, pin="0815")
    await house.announce(host)
    assert await house.seen(is_one) == [
        FoundTable(
            id=table.id,
            name="Kitchen",
            game="counter",
            host="Anna",
            seats=4,
            taken=0,
            state="playing",
            pin=True,
            addresses=host.addresses,
            protocol=PROTOCOL,
        )
    ]


async def test_what_changes_at_the_table_changes_in_the_list(house: House) -> None:
    host = await house.host(Named())
    await house.announce(host)
    await house.seen(is_one)
    await house.net.guest(host, seats=2)
    await house.seen(lambda tables: [table.taken for table in tables] == [2])


async def test_a_table_that_is_withdrawn_disappears(house: House) -> None:
    host = await house.host(Named())
    announcement = await house.announce(host)
    await house.seen(is_one)
    await announcement.stop()
    await house.seen(is_none)


async def test_a_table_whose_host_is_killed_disappears_though_nobody_withdraws_it(house: House) -> None:
    host = await house.host(Named())
    await house.announce(host)
    await house.seen(is_one)
    await host.close()
    await house.seen(is_none)


async def test_a_table_that_is_back_at_its_address_is_shown_again(house: House) -> None:
    table = Named()
    first = await house.host(table)
    await house.announce(first)
    await house.seen(is_one)
    port = first.port
    await first.close()
    await house.seen(is_none)
    await house.host(table, port=port)
    await house.seen(is_one)


async def test_a_table_that_moves_to_another_port_is_found_there(house: House) -> None:
    table = Named()
    first = await house.host(table)
    announcement = await house.announce(first)
    await house.seen(is_one)
    await first.close()
    await announcement.stop()
    second = await house.host(table)
    await house.announce(second)
    await house.seen(lambda tables: [table.addresses for table in tables] == [second.addresses])


async def test_two_tables_of_one_name_are_two_rows(house: House) -> None:
    for table in (Named("Kitchen"), Named("Kitchen")):
        await (await house.announce(await house.host(table))).announced()
    tables = await house.seen(lambda tables: len(tables) == 2)
    assert [table.name for table in tables] == ["Kitchen", "Kitchen"]


async def test_a_table_with_several_addresses_is_one_row(house: House) -> None:
    host = await house.host(Named(), interfaces=["127.0.0.1", "::1"])
    await house.announce(host)
    await house.seen(lambda tables: [table.addresses for table in tables] == [host.addresses])


async def test_where_another_table_stands_now_the_old_one_is_not_shown(house: House) -> None:
    old, new = Named("Attic"), Named("Cellar")
    gone = await house.host(old)
    announcement = await house.announce(gone)
    await announcement.announced()
    port = gone.port
    await gone.close()
    host = await house.host(new, port=port)
    await house.announce(host)
    await house.seen(lambda tables: [table.id for table in tables] == [new.id])


async def test_a_change_is_announced(house: House, net: Net) -> None:
    table = Named()
    host = await house.host(table)
    announcement = await house.announce(host)
    await announcement.announced()
    table.seats = 6
    announcement.update(host.status())
    zeroconf = await open_zeroconf(LOOPBACK)
    name = announcement._info().name

    async def seats() -> int:
        info = await zeroconf.async_get_service_info(SERVICE, name)
        found = read_announcement(info) if info is not None else None
        return found.seats if found is not None else 0

    try:
        while await seats() != 6:
            await zeroconf.zeroconf.async_wait(50)  # until the next announcement is heard
    finally:
        await zeroconf.async_close()


async def test_stopping_before_the_network_knows_leaves_nothing_behind(net: Net) -> None:
    host = await net.host()
    announcement = Announcement(host.addresses, host.status(), interfaces=LOOPBACK)
    announcement.start()
    await announcement.stop()
    await announcement.stop()


async def test_a_browser_that_is_stopped_while_it_asks_leaves_nothing_behind(house: House) -> None:
    await house.announce(await house.host(Named()))
    async with Browser(LOOPBACK, ask_every=0.001) as browser:
        async for tables in browser.changes():
            if tables:
                break


@pytest.mark.parametrize("interface", ["203.0.113.1", "no-address"])
async def test_an_interface_that_is_not_there_is_told_so(net: Net, interface: str) -> None:
    with pytest.raises(Unavailable) as caught:
        await Browser([interface]).start()
    assert caught.value.code == "no-interface"
    host = await net.host()
    async with Announcement(host.addresses, host.status(), interfaces=[interface]) as announcement:
        with pytest.raises(Unavailable) as caught:
            await announcement.announced()
        assert caught.value.code == "no-interface"


async def test_a_machine_that_cannot_do_multicast_is_told_so(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("zeroconf._core.create_sockets", fail)
    for interfaces in (LOOPBACK, None):
        with pytest.raises(Unavailable) as caught:
            await Browser(interfaces).start()
        assert caught.value.code == "multicast"
        assert "addresses still work" in caught.value.sentence


async def test_a_machine_without_any_network_is_told_so(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [])
    with pytest.raises(Unavailable) as caught:
        await Browser().start()
    assert caught.value.code == "no-interface"


# --- announcements --------------------------------------------------------------------------------------------------


def info(properties: Any, port: int = 4711, addresses: list[str] | None = None) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"x.{SERVICE}",
        port=port,
        properties=properties,
        parsed_addresses=addresses or ["192.168.1.7"],
    )


def test_an_announcement_is_foreign_text() -> None:
    found = read_announcement(
        info(
            {
                "id": "i\x1bd",
                "name": "Kit\nchen\u202e" + "x" * 200,
                "host": b"\xff\x00",
                "seats": "9" * 9,
                "taken": "-1",
            }
        )
    )
    assert found is not None
    assert found.id == "id"
    assert found.name == "Kit chen" + "x" * 52
    assert found.host == "\ufffd"
    assert (found.seats, found.taken, found.protocol, found.pin) == (0, 0, 0, False)


@pytest.mark.parametrize(
    "said",
    [
        info({}),
        info({"name": "Kitchen"}),
        info({"id": ""}),
        info({"id": "id-1"}, port=0),
        info(b"\xff\xff\xff"),
    ],
)
def test_an_announcement_that_says_too_little_is_none(said: ServiceInfo) -> None:
    assert read_announcement(said) is None


def test_a_table_under_two_announcements_is_one_row_with_the_addresses_of_both() -> None:
    found = read_announcement(info({"id": "1", "name": "Kitchen"}))
    assert found is not None
    moved = msgspec.structs.replace(found, addresses=("192.168.1.8:4711", "192.168.1.7:4711"))
    assert _by_id([found, moved]) == (moved,)


def test_ipv4_comes_first_and_what_needs_a_scope_last() -> None:
    found = read_announcement(
        info({"id": "1"}, addresses=["fe80::1", "2001:db8::1", "192.168.1.7", "192.168.1.7"])
    )
    assert found is not None
    assert found.addresses == ("192.168.1.7:4711", "[2001:db8::1]:4711", "[fe80::1]:4711")


@pytest.mark.parametrize("name", ["Mr. X's table.", "骰" * 60, "a" * 100, "...", "", "x\x00y"])
async def test_any_name_can_be_announced(net: Net, name: str) -> None:
    host = await net.host(Named(name))
    announcement = Announcement(host.addresses, host.status(), interfaces=LOOPBACK)
    said = announcement._info()
    assert len(said.name.removesuffix(f".{SERVICE}").encode()) <= 56
    found = read_announcement(said)
    assert found is not None
    assert found.addresses == host.addresses
