"""Words that every sentence of the program needs."""

from __future__ import annotations

from collections.abc import Iterable


def listed(things: Iterable[object]) -> str:
    """What belongs together, in a sentence.

    >>> listed(["a"]), listed("ab"), listed([1, 2, 3])
    ('a', 'a and b', '1, 2 and 3')
    """
    texts = [str(thing) for thing in things]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 piece`, `2 pieces`; many: where an s is not enough."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"
