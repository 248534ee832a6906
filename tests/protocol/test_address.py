"""Addresses as people type them."""

from __future__ import annotations

import pytest

from protocol.address import (
    DEFAULT_PORT,
    format_address,
    is_shareable,
    is_wildcard,
    local_addresses,
    parse_address,
)
from protocol.errors import Unwelcome


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.7:4711", "192.168.1.7", 4711),
        ("192.168.1.7", "192.168.1.7", DEFAULT_PORT),
        (" kitchen.local ", "kitchen.local", DEFAULT_PORT),
        ("[::1]:4711", "::1", 4711),
        ("[fe80::1%eth0]:4711", "fe80::1%eth0", 4711),
        ("[::1]", "::1", DEFAULT_PORT),
        ("::1", "::1", DEFAULT_PORT),
    ],
)
def test_an_address_is_a_host_and_maybe_a_port(text: str, host: str, port: int) -> None:
    assert parse_address(text) == (host, port)
    assert parse_address(format_address(host, port)) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        ":4711",
        "a:b",
        "a:0",
        "a:65536",
        "a:" + "9" * 5000,
        "a:٣",
        "a b:1",
        "[::1",
        "[::1]4711",
        "a\x1b:1",
        "[]:1",
    ],
)
def test_anything_else_is_told_so(text: str) -> None:
    with pytest.raises(Unwelcome) as caught:
        parse_address(text)
    assert caught.value.code == "bad-address"
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 250


def test_a_wildcard_stands_for_every_interface() -> None:
    assert [is_wildcard(host) for host in ("0.0.0.0", "::", "127.0.0.1", "kitchen")] == [
        True,
        True,
        False,
        False,
    ]


def test_this_machine_knows_its_own_addresses() -> None:
    assert "127.0.0.1" in local_addresses(ipv6=False)
    assert local_addresses(ipv6=False)[-1] == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "shareable"),
    [
        ("192.168.1.7", True),
        ("2001:db8::1", True),
        ("127.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
    ],
)
def test_loopback_and_scoped_addresses_mean_nothing_elsewhere(host: str, shareable: bool) -> None:
    assert is_shareable(host) is shareable
