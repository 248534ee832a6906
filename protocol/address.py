"""Addresses as people type them: `host:port`, `[IPv6]:port`, or a host alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Container

from protocol.errors import Unwelcome

DEFAULT_PORT = 9731
"""Where a table stands if nobody chose another port and this one is free."""


def parse_address(text: str) -> tuple[str, int]:
    """The host and the port; `DEFAULT_PORT` if none is given. `Unwelcome` ("bad-address") if it is neither.

    >>> parse_address("kitchen.local:4711"), parse_address("[::1]:4711"), parse_address("fe80::1%eth0")
    (('kitchen.local', 4711), ('::1', 4711), ('fe80::1%eth0', 9731))
    """
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise _bad(text)
        return _checked(text, host, rest[1:] if rest else None)
    if text.count(":") > 1:  # IPv6 without a port needs no brackets
        return _checked(text, text, None)
    host, colon, port = text.partition(":")
    return _checked(text, host, port if colon else None)


def format_address(host: str, port: int) -> str:
    """What `parse_address` takes apart.

    >>> format_address("127.0.0.1", 4711), format_address("::1", 4711)
    ('127.0.0.1:4711', '[::1]:4711')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_ipv6(host: str) -> bool:
    """Whether this is an IPv6 address, with or without a scope."""
    return ":" in host


def is_ip(host: str) -> bool:
    """Whether this is an IP address rather than a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_wildcard(host: str) -> bool:
    """Whether this stands for every interface: 0.0.0.0 or ::"""
    return is_ip(host) and ipaddress.ip_address(host).is_unspecified


def best_addresses(families: Container[bool]) -> list[str]:
    """This machine's own addresses by which others reach it best.

    families: True for IPv6, False for IPv4
    Those that mean the same everywhere; else those that need a scope; else, without any network, loopback.
    """
    import ifaddr  # comes along with zeroconf; only who listens everywhere needs it

    own = [_scoped(ip.ip, adapter.name) for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    usable = [host for host in dict.fromkeys(own) if is_ipv6(host) in families]
    return [host for host in usable if _distance(host) == min(map(_distance, usable))]


def _scoped(ip: str | tuple[str, int, int], adapter: str) -> str:
    if isinstance(ip, str):
        return ip
    address, _, scope = ip
    return f"{address}%{adapter}" if scope else address


def _distance(host: str) -> int:
    ip = ipaddress.ip_address(host)
    return 2 if ip.is_loopback else 1 if ip.is_link_local else 0


def _checked(text: str, host: str, port: str | None) -> tuple[str, int]:
    if not host or any(char.isspace() or not char.isprintable() for char in host):
        raise _bad(text)
    if port is None:
        return host, DEFAULT_PORT
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 65536):
        raise _bad(text)
    return host, int(port)


def _bad(text: str) -> Unwelcome:
    return Unwelcome(
        "bad-address",
        f"{text[:80]!a} is no address; write it like 192.168.1.7:{DEFAULT_PORT} or kitchen.local.",
    )
