"""What can go wrong on the wire, by kind. Every error has a `code` for the program and a `sentence` for the person.

The third kind, a move that is against the rules, comes from the game and passes through here as `Rejected`.
"""

from __future__ import annotations


class Fault(Exception):
    """Base of every error of this package."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class Malformed(Fault):
    """Bytes that are not a message.

    code: "frame-size" | "not-msgpack" | "not-a-message"
    """


class NotAllowed(Fault):
    """A message that may not be said now, or not by this one.

    answers: the number of the request, if `Rejected` can answer it and the connection lives on
    """

    def __init__(self, sentence: str, answers: int | None = None) -> None:
        super().__init__("not-allowed", sentence)
        self.answers = answers


class Unwelcome(Fault):
    """A peer does not get in: nobody there ("unreachable"), or refused with the host's own code and sentence."""


class Unavailable(Fault):
    """This machine cannot do it: "port-taken", "no-interface", "multicast"."""
