"""Dice that every peer can check.

Before the first die the host and every peer commit to a secret (its SHA-256); when all have committed the peers reveal
theirs, while the host's stays sealed until the end of the game. The dice are a stream keyed by all the secrets. At the
end the host reveals too, and whoever kept the log can throw every die again.

This proves that nobody bent the dice. It does not stop a host that reads its own memory from looking ahead.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

SECRET_BYTES = 32


def commitment(secret: bytes) -> bytes:
    """What is shown of a secret before it is revealed: its SHA-256."""
    return hashlib.sha256(secret).digest()


class FairDice:
    """The dice of one game: `dice(n)` is the next even draw from `range(n)`.

    secrets: of all who took part, the host's first, then the peers' by their ids; 32 bytes each

    The key is the SHA-256 of the secrets one after the other. Block i of the stream is the HMAC-SHA256, under this key,
    of i as eight bytes (big-endian, from 0). A draw takes as many bytes as n needs, as a big-endian number; a number
    that is not below the greatest multiple of n is thrown away and the next one is taken.
    """

    def __init__(self, secrets: Iterable[bytes]) -> None:
        self._key = hashlib.sha256(b"".join(secrets)).digest()
        self._blocks = 0
        self._stream = b""
        self._used = 0

    def __call__(self, n: int) -> int:
        if n < 1:
            raise ValueError("A die has at least one side.")
        width = ((n - 1).bit_length() + 7) // 8
        limit = 256**width // n * n
        while True:
            number = int.from_bytes(self._take(width), "big")
            if number < limit:
                return number % n

    def _take(self, count: int) -> bytes:
        while len(self._stream) - self._used < count:
            block = hmac.digest(self._key, self._blocks.to_bytes(8, "big"), "sha256")
            self._stream = self._stream[self._used :] + block
            self._used = 0
            self._blocks += 1
        self._used += count
        return self._stream[self._used - count : self._used]
