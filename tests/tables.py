"""A table driven without a network: people by name, their secrets kept for them, a clock that is a number."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import msgspec

from wuerfel_tui import fair
from wuerfel_tui.record import AnyEntry, TableState, entry_from, table_from
from wuerfel_tui.table import Table


class Room:
    """One table with its people.

    now: the table's clock, moved by hand
    typed: every entry since the kept log began, as a peer reads it
    """

    def __init__(self, game: str = "express", size: int | None = None, seed: int = 1, **options: Any) -> None:
        self.rng = Random(seed)
        self.now = 1000
        self.notified: list[AnyEntry] = []
        self.table = Table(
            game,
            id="table-1",
            name="Kitchen",
            entropy=lambda: self.rng.randbytes(32),
            options=options,
            size=size,
            levels=("random", "easy"),
            notify=lambda _, entry: self.notified.append(entry),
        )
        self.secrets: dict[int, bytes] = {}

    @property
    def state(self) -> TableState:
        return self.table.state

    def join(self, name: str, seats: int = 1, bot: str | None = None) -> int:
        return self.table.join(name, seats, bot, token_hash(name), self.now)

    def all_ready(self) -> None:
        for peer in self.state.players:
            self.table.ready(peer.id, True, self.now)

    def exchange_secrets(self) -> None:
        contributors = [part.peer for part in self.state.contributions[1:]]
        for peer in contributors:
            self.secrets[peer] = self.rng.randbytes(32)
            self.table.commit(peer, fair.commitment(self.secrets[peer]), self.now)
        for peer in contributors:
            self.table.reveal(peer, self.secrets[peer], self.now)

    def begin(self, *names: str) -> None:
        for name in names:
            self.join(name)
        self.all_ready()
        self.exchange_secrets()

    def begin_early(self, *names: str) -> None:
        """The first of them begins, though seats are free."""
        keeper, *others = [self.join(name) for name in names]
        for peer in others:
            self.table.ready(peer, True, self.now)
        self.table.start(keeper, self.now)
        self.exchange_secrets()

    def actor(self) -> tuple[int, int]:
        """Who may act: the peer and its seat."""
        seat = self.table.rules.actors(self.state.game_state)[0]
        return self.state.taken[seat].peer, seat

    def act(self) -> None:
        """Somebody whose turn it is does something, or time does."""
        seats = self.table.rules.actors(self.state.game_state)
        choices = [
            (seat, action) for seat in seats for action in self.table.rules.legal(self.state.game_state, seat)
        ]
        if not choices:
            due = self.table.due()
            assert due is not None
            self.now = due
            self.table.elapse(due)
            return
        seat, action = self.rng.choice(choices)
        owner = self.state.taken[seat].peer
        self.table.act(owner, seat, msgspec.to_builtins(action), self.table.seq, self.now)

    def play_out(self) -> None:
        while self.state.phase == "playing":
            self.act()

    @property
    def typed(self) -> list[AnyEntry]:
        return [entry_from(entry, self.table.rules) for entry in self.table.entries(self.table.oldest())]

    @property
    def start(self) -> TableState:
        return table_from(self.table.base()[1])


def token_hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
