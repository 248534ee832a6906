"""What brings somebody back to their seat after the program was killed: tokens on disk, one for each table and name.

A token belongs to one running program at a time: it is locked while that program lives, and the system drops the lock
when the program ends, however it ends. Two people who share a home folder and a name thus never take each other's seat.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

KEPT_FOR = 24 * 3600
"""Seconds after which a table is surely over."""
SAME_NAME = 8
"""How many of one name may sit at one table from this home folder."""
TOKEN_BYTES = 32
"""Of the tokens that our hosts give."""


class Keepsake:
    """The token for one table and name, and the lock on it.

    token: of an earlier run; None if there is none
    """

    def __init__(self, path: Path, lock: FileLock) -> None:
        self._path = path
        self._lock = lock

    @property
    def token(self) -> bytes | None:
        try:
            token = bytes.fromhex(self._path.read_text("ascii"))
        except (OSError, ValueError):
            return None
        return token if len(token) == TOKEN_BYTES else None  # not half of one, from a full disk

    def keep(self, token: bytes) -> None:
        """Remembers it; without a folder to write to, one cannot come back after a kill, and that is all."""
        with suppress(OSError):
            self._path.touch(mode=0o600)
            self._path.write_text(token.hex(), "ascii")

    def forget(self) -> None:
        """The seat is given up."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def release(self) -> None:
        """From now on another program may come back to the seat."""
        self._lock.release()


def claim(folder: Path, table: str, name: str) -> Keepsake | None:
    """The keepsake for this table and name that no other running program holds; None if the folder cannot be written.

    One with a token comes first: a seat that waits for somebody is not left for a new one.
    """
    keys = [_key(table, name, number) for number in range(SAME_NAME)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        for key in sorted(keys, key=lambda key: not (folder / f"{key}.token").exists()):
            lock = FileLock(folder / f"{key}.lock")
            with suppress(Timeout):
                lock.acquire(timeout=0)
                return Keepsake(folder / f"{key}.token", lock)
    except (OSError, NotImplementedError):  # some file systems know no locks
        pass
    return None


def _key(table: str, name: str, number: int) -> str:
    return hashlib.sha256(f"{table}\n{name}\n{number}".encode()).hexdigest()[:32]


def _sweep(folder: Path) -> None:
    """Removes what is left of tables that are long over."""
    for lock in folder.glob("*.lock"):
        token = lock.with_suffix(".token")
        with suppress(OSError, Timeout):
            last = max(path.stat().st_mtime for path in (lock, token) if path.exists())
            if time.time() - last > KEPT_FOR:
                with FileLock(lock, timeout=0):
                    token.unlink(missing_ok=True)
                    lock.unlink()
