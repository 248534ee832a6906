"""Addresses as people type them: `host:port`, `[IPv6]:port`, or a host alone."""

from __future__ import annotations

import ipaddress

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


def is_wildcard(host: str) -> bool:
    """Whether this stands for every interface: 0.0.0.0 or ::"""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def is_shareable(host: str) -> bool:
    """Whether the address means the same on another machine: loopback does not, nor what needs a scope."""
    return "%" not in host and not ipaddress.ip_address(host).is_loopback


def local_addresses(ipv6: bool) -> list[str]:
    """This machine's own addresses of one family, those that others can reach first, loopback last."""
    import ifaddr  # comes along with zeroconf; only who listens everywhere needs it

    found: list[str] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            if isinstance(ip.ip, str):
                if not ipv6:
                    found.append(ip.ip)
            elif ipv6:
                address, _, scope = ip.ip
                found.append(f"{address}%{adapter.name}" if scope else address)
    return sorted(dict.fromkeys(found), key=_reach)


def _reach(address: str) -> int:
    ip = ipaddress.ip_address(address)
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
