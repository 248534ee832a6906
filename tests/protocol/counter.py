"""A small table for the wire's tests: people add to a number, and an alarm can be set."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def evolve(state: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """What everybody at the table makes of an entry."""
    return {
        **state,
        "total": state["total"] + entry.get("added", 0),
        "said": state["said"] + ("said" in entry),
    }


START: dict[str, Any] = {"total": 0, "said": 0}


class CounterTable:
    """keep: entries that stay in the log; older ones live on in the base only."""

    def __init__(self, seats: int = 4, keep: int = 100_000) -> None:
        self.seats = seats
        self.keep = keep
        self.log: list[dict[str, Any]] = []
        self.dropped = 0
        self.base_state = START
        self.state = START
        self.tokens: dict[bytes, int] = {}
        self.names: dict[int, str] = {}
        self.owned: dict[int, tuple[int, ...]] = {}
        self.alarm: int | None = None
        self.came = 0

    @property
    def seq(self) -> int:
        return self.dropped + len(self.log)

    def _note(self, **entry: Any) -> None:
        self.log.append(entry)
        self.state = evolve(self.state, entry)
        while len(self.log) > self.keep:
            self.base_state = evolve(self.base_state, self.log.pop(0))
            self.dropped += 1

    def status(self) -> dict[str, Any]:
        taken = sum(map(len, self.owned.values()))
        return {
            "table": "t1",
            "game": "counter",
            "name": "Kitchen",
            "host": "Anna",
            "seats": self.seats,
            "taken": taken,
            "state": "playing",
        }

    def join(self, name: str, seats: int, bot: str | None, token_hash: bytes, now: int) -> int:
        taken = {seat for owned in self.owned.values() for seat in owned}
        free = [seat for seat in range(self.seats) if seat not in taken]
        if len(free) < seats:
            raise Refusal("full", "No seat is free.")
        self.came += 1
        self.tokens[token_hash] = self.came
        self.names[self.came] = name
        self.owned[self.came] = tuple(free[:seats])
        self._note(joined=self.came, name=name)
        return self.came

    def resume(self, token_hash: bytes, now: int) -> int:
        if token_hash not in self.tokens:
            raise Refusal("unknown-token", "Nobody left a seat under this token.")
        peer = self.tokens[token_hash]
        self._note(returned=peer)
        return peer

    def seats_of(self, peer: int) -> tuple[int, ...]:
        return self.owned[peer]

    def act(self, peer: int, seat: int, action: dict[str, Any], seen: int, now: int) -> None:
        if seat not in self.owned[peer]:
            raise Refusal("not-your-seat", "That is somebody else's seat.")
        match action:
            case {"add": int(added)} if added > 0:
                self._note(added=added, seat=seat)
            case {"pad": int(size)}:
                self._note(added=1, pad="x" * size)
            case {"many": int(count)}:
                for _ in range(count):
                    self._note(added=1)
            case {"alarm": int(delay)}:
                self.alarm = now + delay
            case {"nothing": True}:
                pass
            case {"bug": True}:
                raise ZeroDivisionError("a bug of the table")
            case _:
                raise Refusal("illegal", "One can only add.")

    def ready(self, peer: int, ready: bool, now: int) -> None:
        self._note(ready=peer)

    def start(self, peer: int, now: int) -> None:
        self._note(started=peer)

    def add_bot(self, peer: int, level: str, now: int) -> None:
        self._note(bot=level)

    def remove(self, peer: int, other: int, now: int) -> None:
        self._note(removed=other)
        self._forget(other)

    def stand_in(self, peer: int, seat: int, now: int) -> None:
        self._note(stood_in=seat)

    def say(self, peer: int, text: str, now: int) -> None:
        self._note(said=text, by=peer)

    def commit(self, peer: int, commitment: bytes, now: int) -> None:
        self._note(committed=commitment)

    def reveal(self, peer: int, secret: bytes, now: int) -> None:
        self._note(revealed=secret)

    def leave(self, peer: int, now: int) -> None:
        self._note(left=peer)
        self._forget(peer)

    def lost(self, peer: int, now: int) -> None:
        self._note(lost=peer)

    def due(self) -> int | None:
        return self.alarm

    def elapse(self, now: int) -> None:
        if self.alarm is not None and now >= self.alarm:
            self.alarm = None
            self._note(rang=True)

    def entries(self, after: int) -> list[dict[str, Any]]:
        assert after >= self.dropped
        return self.log[after - self.dropped :]

    def oldest(self) -> int:
        return self.dropped

    def snapshot(self) -> tuple[int, dict[str, Any]]:
        return self.seq, self.state

    def base(self) -> tuple[int, dict[str, Any]]:
        return self.dropped, self.base_state

    def _forget(self, peer: int) -> None:
        self.tokens = {token: who for token, who in self.tokens.items() if who != peer}
        self.owned.pop(peer, None)
