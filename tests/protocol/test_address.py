"""Addresses as people type them."""

from __future__ import annotations

from typing import Any

import ifaddr
import pytest

from protocol.address import DEFAULT_PORT, best_addresses, format_address, is_wildcard, parse_address
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


@pytest.mark.parametrize(
    ("own", "families", "best"),
    [
        (["127.0.0.1", "192.168.1.7", ("::1", 0, 0), ("fe80::1", 0, 2)], (True, False), ["192.168.1.7"]),
        (
            ["192.168.1.7", "10.0.0.7", ("2001:db8::1", 0, 0)],
            (True, False),
            ["192.168.1.7", "10.0.0.7", "2001:db8::1"],
        ),
        (["127.0.0.1", "192.168.1.7", ("2001:db8::1", 0, 0)], (True,), ["2001:db8::1"]),
        (["127.0.0.1", ("::1", 0, 0), ("fe80::1", 0, 2)], (True, False), ["fe80::1%eth0"]),
        (["127.0.0.1", ("::1", 0, 0)], (True, False), ["127.0.0.1", "::1"]),
        (["127.0.0.1", "169.254.1.1"], (False,), ["169.254.1.1"]),
        ([], (True, False), []),
    ],
)
def test_the_best_addresses_are_those_that_others_reach(
    own: list[Any], families: tuple[bool, ...], best: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ips = [ifaddr.IP(ip, 24, "eth0") for ip in own]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [ifaddr.Adapter("eth0", "eth0", ips)])
    assert best_addresses(families) == best


def test_this_machine_has_an_address() -> None:
    assert best_addresses((False,))
