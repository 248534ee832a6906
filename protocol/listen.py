"""Sockets to listen on, or a sentence why not."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Sequence

from protocol.address import DEFAULT_PORT, is_ipv6, is_wildcard
from protocol.errors import Unavailable

ATTEMPTS = 8
"""To find a port that is free on every interface."""

_NO_SUCH_INTERFACE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.ENODEV, errno.EINVAL)


def open_sockets(interfaces: Sequence[str], port: int | None) -> list[socket.socket]:
    """Listening sockets on one port of all these interfaces.

    interfaces: IP addresses of this machine; "0.0.0.0" and "::" stand for all
    port: 0: any that is free; None: `DEFAULT_PORT` if it is free, else any
    Raises `Unavailable` ("port-taken", "port-forbidden", "no-interface").
    """
    if port is None:
        try:
            return _open_all(interfaces, DEFAULT_PORT)
        except Unavailable as error:
            if error.code == "no-interface":
                raise
            port = 0
    for _ in range(ATTEMPTS - 1 if port == 0 else 0):
        try:
            return _open_all(interfaces, port)
        except Unavailable as error:
            # The port that was free on the first interface is taken on another.
            if error.code != "port-taken":
                raise
    return _open_all(interfaces, port)


def check_interfaces(interfaces: Sequence[str]) -> None:
    """Raises `Unavailable` ("no-interface") unless all of these are addresses of this machine."""
    for interface in interfaces:
        _open(interface, 0).close()


def _open_all(interfaces: Sequence[str], port: int) -> list[socket.socket]:
    opened: list[socket.socket] = []
    missing: Unavailable | None = None
    try:
        for interface in interfaces:
            try:
                opened.append(_open(interface, port))
            except Unavailable as error:
                # A machine without IPv6 (or IPv4) listens everywhere on what it has.
                if error.code != "no-interface" or not is_wildcard(interface):
                    raise
                missing = error
                continue
            port = opened[-1].getsockname()[1]
    except BaseException:
        _close_all(opened)
        raise
    if not opened:
        raise missing or Unavailable("no-interface", "There is no network interface to listen on.")
    return opened


def _open(interface: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if is_ipv6(interface) else socket.AF_INET
    sock: socket.socket | None = None
    try:
        flags = socket.AI_NUMERICHOST | socket.AI_PASSIVE
        where = socket.getaddrinfo(interface, port, family, socket.SOCK_STREAM, 0, flags)[0][4]
        sock = socket.socket(family, socket.SOCK_STREAM)
        _set_options(sock, family)
        sock.bind(where)
        sock.listen(100)
        sock.setblocking(False)
    except (OSError, UnicodeError) as error:
        if sock is not None:
            sock.close()
        raise _why(error, interface, port) from None
    return sock


def _set_options(sock: socket.socket, family: int) -> None:
    if os.name == "posix":  # elsewhere the option lets two programs share a port
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)


def _why(error: OSError | UnicodeError, interface: str, port: int) -> Unavailable:
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, socket.gaierror | UnicodeError) or number in _NO_SUCH_INTERFACE:
        return Unavailable("no-interface", f"This machine has no network interface {interface[:80]!a}.")
    if number == errno.EADDRINUSE:
        return Unavailable("port-taken", f"Port {port} is taken; choose another or leave it out.")
    if number == errno.EACCES:
        return Unavailable("port-forbidden", f"Port {port} is not for everybody; choose one above 1023.")
    return Unavailable(
        "no-interface", f"One cannot listen on {interface[:80]!a}: {os.strerror(number or 0)}."
    )


def _close_all(sockets: Sequence[socket.socket]) -> None:
    for sock in sockets:
        sock.close()
