"""The authoritative table: who sits where, whose move it is, the log, the timers, the stand-ins. Sans-IO.

Whatever happens here is an entry appended to the log; the table itself is the fold of its log, as on every peer. Every
method takes `now`, whole milliseconds of the table's clock, and raises a `Refusal` for what is not to be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from wuerfel_tui import fair
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.core import IllegalAction, Refusal, Seat
from wuerfel_tui.record import (
    PEERS,
    Acted,
    AnyEntry,
    Began,
    Committed,
    Contribution,
    Dealt,
    Elapsed,
    Finished,
    Invited,
    Joined,
    Left,
    Log,
    Lost,
    PeerId,
    PeerInfo,
    Plain,
    Readied,
    Returned,
    Revealed,
    Said,
    StoodIn,
    TableState,
    digest,
    evolve,
    free_name,
    options_of,
    plain,
    seat_names,
)

PATIENCE = 60_000
"""How long a game waits for a lost player before a stand-in plays on, in milliseconds."""
GRACE = 20_000
"""How long a table keeps a place for somebody lost while nothing is at stake: no game is on, or not theirs."""
DEALING = 5_000
"""How long it waits for the peers' secrets; dice do without those that are late."""
LATELY = 64
"""So many states back a move is known to have been overtaken."""
STAND_IN = "easy"
"""The level at which stand-ins play."""


class NotAllowed(Refusal):
    """Not yours, or not now."""


class Malformed(Refusal):
    """Not an action of this game."""


class Table:
    """One table and its games, one after another.

    game: its key
    id: random, tells this table from all others
    options: of the game; defaults where it is None
    size: seats, within `rules.seats`; the most where it is None
    levels: of the bots that can be invited
    entropy: gives 32 random bytes for each game's secret
    notify: is called with the table as it was and the entry, once it is in the log
    Raises `ValueError` with a sentence for options or a size that do not fit.
    """

    def __init__(
        self,
        game: str,
        *,
        id: str,
        name: str,
        entropy: Callable[[], bytes],
        options: Plain | None = None,
        size: int | None = None,
        levels: Sequence[str] = (STAND_IN,),
        notify: Callable[[TableState, AnyEntry], None] | None = None,
    ) -> None:
        rules = GAMES[game]
        size = rules.seats[-1] if size is None else size
        chosen = msgspec.convert(options or {}, rules.Options)
        rules.new(size, chosen)  # refuses a size or options that do not fit, before anybody comes
        self.rules = rules
        # Through msgpack, so that these are the very values that a peer has: lists, not tuples.
        as_sent = msgspec.msgpack.decode(msgspec.msgpack.encode(chosen))
        self.state = TableState(id, name, game, as_sent, seats=(None,) * size)
        self._entropy, self._levels = entropy, tuple(levels)
        self._notify = notify
        self._log = Log(self.state)
        self._dealt_from = self._log.start
        self._tokens: dict[bytes, PeerId] = {}
        self._joined = 0
        self._bots_expected = 0
        self._secret = b""
        self._dice: fair.FairDice | None = None
        self._deal_by = 0
        self._lately: deque[tuple[int, Any]] = deque(maxlen=LATELY)

    # --- what a host needs to know ---------------------------------------------------------------------------------

    def status(self) -> Plain:
        """What a list of tables shows of this one."""
        state, keeper = self.state, self.state.keeper
        return {
            "table": state.id,
            "game": state.game,
            "name": state.name,
            "host": keeper.name if keeper else "",
            "seats": len(state.seats),
            "taken": len(state.taken),
            "state": "playing" if state.phase == "dealing" else state.phase,
        }

    @property
    def seq(self) -> int:
        return self._log.seq

    def entries(self, after: int) -> Sequence[Plain]:
        """The log's entries behind number `after`, which is not below `oldest()`."""
        return self._log.after(after)

    def oldest(self) -> int:
        """The number after which `entries` can go on."""
        return self._log.start[0]

    def base(self) -> tuple[int, Plain]:
        """The table as it stood where the kept log begins."""
        return self.oldest(), plain(self._log.start[1])

    def snapshot(self) -> tuple[int, Plain]:
        """The table as it stands."""
        return self.seq, plain(self.state)

    def seats_of(self, peer: PeerId) -> tuple[Seat, ...]:
        return self.state.seats_of(peer)

    # --- coming and going --------------------------------------------------------------------------------------------

    def join(self, name: str, seats: int, bot: str | None, token_hash: bytes, now: int) -> PeerId:
        """A newcomer, with so many seats (0: a spectator). Returns its number.

        name: cleaned; "Anna & Ben" names two seats; a name that is taken gets a number
        token_hash: SHA-256 of what will bring the peer back
        """
        if not name:
            raise NotAllowed("name", "A name needs at least one letter that can be seen.")
        free = [seat for seat, info in enumerate(self.state.seats) if info is None]
        if seats and self.state.phase in ("dealing", "playing"):
            raise NotAllowed("playing", "A game is on at this table; you can watch it, or wait for its end.")
        if seats > len(free):
            left = "no seat is" if not free else "one seat is" if len(free) == 1 else f"{len(free)} seats are"
            raise NotAllowed("full", f"This table is full: {left} free. You can watch.")
        self._make_room(now)
        if bot is not None:
            self.expect_no_bot()
        self._joined += 1
        self._tokens[token_hash] = self._joined
        taken = {*self.state.names, *(peer.name for peer in self.state.peers)}
        names = seat_names(name, seats, taken)
        whole = names[0] if seats == 1 else name if seats else free_name(name, taken)
        self._append(Joined(self._joined, whole, bot, tuple(free[:seats]), names, now))
        return self._joined

    def resume(self, token_hash: bytes, now: int) -> PeerId:
        """A peer that was here comes back to its seats."""
        peer = self._tokens.get(token_hash)
        if peer is None or not self._knows(peer):
            raise NotAllowed("token", "This table does not know you any more; join it anew.")
        if not self.state.peer(peer).online:
            self._append(Returned(peer, now))
        return peer

    def lost(self, peer: PeerId, now: int) -> None:
        """A peer's line broke."""
        if self.state.is_here(peer):
            self._append(Lost(peer, now))
            self._without_secret_of(peer, now)
            self._deal_if_all_ready(now)

    def leave(self, peer: PeerId, now: int) -> None:
        """A peer goes for good; bots play its seats to the end of the game."""
        if self._knows(peer):
            self._let_go(peer, "left", now)

    def remove(self, peer: PeerId, other: PeerId, now: int) -> None:
        """The keeper sends somebody away, while no game is on."""
        self._check_keeper(peer)
        self._check_no_game()
        if not self._knows(other):
            raise NotAllowed("unknown", "There is nobody of that number here.")
        self._let_go(other, "removed", now)

    def add_bot(self, peer: PeerId, level: str, now: int) -> None:
        """The keeper asks for a bot."""
        self._check_keeper(peer)
        self.invite(level)

    def invite(self, level: str) -> None:
        """The host asks for a bot."""
        self._check_no_game()
        if level not in self._levels:
            raise NotAllowed("level", f"There is no bot of that level; there are: {', '.join(self._levels)}.")
        if self.state.seats.count(None) <= self._bots_expected:
            raise NotAllowed("full", "This table is full: no seat is free.")
        self._bots_expected += 1
        self._append(Invited(level))

    def expect_no_bot(self) -> None:
        """One that was invited has come, or cannot come."""
        self._bots_expected = max(0, self._bots_expected - 1)

    def _make_room(self, now: int) -> None:
        """If very many are here, the first one that only watched and is lost is waited for no longer."""
        if len(self.state.peers) >= PEERS:
            gone = [peer for peer in self.state.peers if not peer.online and peer not in self.state.players]
            if not gone:
                raise NotAllowed("full", "Very many are at this table: nobody more can come in.")
            self._let_go(gone[0].id, "lost", now)

    def _let_go(self, peer: PeerId, why: Literal["left", "lost", "removed"], now: int) -> None:
        self._tokens = {token: owner for token, owner in self._tokens.items() if owner != peer}
        self._append(Left(peer, why))
        if self.state.phase == "playing":
            for seat in self.state.seats_of(peer):
                self._stand_in(seat)
        self._without_secret_of(peer, now)
        self._deal_if_all_ready(now)

    # --- before a game ----------------------------------------------------------------------------------------------

    def ready(self, peer: PeerId, ready: bool, now: int) -> None:
        """A peer's seats are ready for the (next) game, or not yet; when all are, it begins."""
        self._check_no_game()
        if not self.state.seats_of(peer):
            raise NotAllowed("no-seat", "Who only watches need not be ready.")
        if self.state.peer(peer).ready != ready:
            self._append(Readied(peer, ready))
        self._deal_if_all_ready(now)

    def start(self, peer: PeerId, now: int) -> None:
        """The keeper begins with those who are here, all of whom must be ready but the keeper."""
        self._check_keeper(peer)
        self._check_no_game()
        waited_for = [p.name for p in self.state.players if p.online and not p.ready and p.id != peer]
        if waited_for:
            raise NotAllowed("not-ready", f"Not ready yet: {', '.join(waited_for)}.")
        seats = [seat for seat in self.state.taken if self.state.is_here(seat.peer)]
        problem = self._problem_with(len(seats))
        if problem is not None:
            raise NotAllowed("seats", problem)
        self._deal(now)

    def _deal_if_all_ready(self, now: int) -> None:
        """Begins when every seat is taken (for the first game) by somebody who is ready (for every game)."""
        state = self.state
        present = [peer for peer in state.players if peer.online]
        if state.phase not in ("waiting", "over") or not all(peer.ready for peer in present):
            return
        if state.phase == "waiting" and None in state.seats:
            return
        if self._problem_with(sum(len(state.seats_of(peer.id)) for peer in present)) is None:
            self._deal(now)

    def _problem_with(self, seats: int) -> str | None:
        """Why a game cannot begin with so many seats: too few or too many, or the options want others."""
        try:
            self.rules.new(seats, options_of(self.state))
        except ValueError as error:
            return str(error)
        return None

    def _deal(self, now: int) -> None:
        """Fixes who plays and asks for the secrets."""
        self._dealt_from = (self.seq, self.state)
        self._secret = self._entropy()
        seats = tuple(seat for seat in self.state.taken if self.state.is_here(seat.peer))
        contributors = sorted({seat.peer for seat in seats})
        self._deal_by = now + DEALING
        self._append(Dealt(seats, self.state.options, fair.commitment(self._secret), tuple(contributors)))

    # --- dealing: the secrets ----------------------------------------------------------------------------------------

    def commit(self, peer: PeerId, commitment: bytes, now: int) -> None:
        """A peer's commitment for the coming dice."""
        part = self._part_of(peer)
        if part.commitment is not None:
            raise NotAllowed("committed", "You have committed to a secret already.")
        if self.state.is_any_revealed:
            raise NotAllowed("too-late", "Secrets are open already; the dice do without yours.")
        self._append(Committed(peer, commitment))

    def reveal(self, peer: PeerId, secret: bytes, now: int) -> None:
        """A peer's secret, once all have committed; with the last one the game begins."""
        part = self._part_of(peer)
        if part.commitment is None or not self.state.all_committed:
            raise NotAllowed("not-yet", "Secrets are revealed when all have committed.")
        if part.secret is not None:
            raise NotAllowed("revealed", "You have revealed your secret already.")
        if fair.commitment(secret) != part.commitment:
            raise NotAllowed("secret", "That is not the secret that you committed to.")
        self._append(Revealed(peer, secret))
        self._begin_if_all_revealed(now)

    def _part_of(self, peer: PeerId) -> Contribution:
        if self.state.phase == "dealing":
            for part in self.state.contributions:
                if part.peer == peer:
                    return part
        raise NotAllowed("not-now", "No secret is waited for.")

    def _without_secret_of(self, peer: PeerId, now: int) -> None:
        """The dice do without the secret of a peer that is gone."""
        if self.state.phase == "dealing":
            self._begin_if_all_revealed(now)

    def _begin_if_all_revealed(self, now: int) -> None:
        state = self.state
        still_to_come = (
            part for part in state.contributions if part.secret is None and state.is_here(part.peer)
        )
        if all(part.commitment is None and state.is_any_revealed for part in still_to_come):
            self._begin(now)

    def _begin(self, now: int) -> None:
        # Not at the deal itself: its entries had not gone out yet.
        self._log.forget_before(self._dealt_from)
        secrets = [part.secret for part in self.state.contributions if part.secret is not None]
        self._dice = fair.FairDice([self._secret, *secrets])
        state = self.rules.new(len(self.state.taken), options_of(self.state))
        events = tuple(self.rules.begin(state, self._dice))
        for event in events:
            state = self.rules.evolve(state, event)
        self._append(Began(events, now, digest(state)))
        for seat, info in enumerate(self.state.taken):
            if not self._knows(info.peer):
                self._stand_in(seat)
        self._finish_if_over()

    # --- a game ------------------------------------------------------------------------------------------------------

    def act(self, peer: PeerId, seat: Seat, action: Plain, seen: int, now: int) -> None:
        """A peer's move.

        seen: the last entry that the peer knew; a move that was legal then and is no more is refused as "overtaken"
        """
        if self.state.phase != "playing":
            raise NotAllowed("not-now", "No game is on.")
        if seat not in self.state.seats_of(peer):
            raise NotAllowed("not-yours", "That seat is not yours.")
        try:
            typed = msgspec.convert(action, self.rules.Action)
        except msgspec.ValidationError:
            raise Malformed("malformed", "That is not an action of this game.") from None
        try:
            self._act(seat, typed, now)
        except IllegalAction as refusal:
            if self._was_legal(seat, typed, seen):
                raise NotAllowed("overtaken", refusal.sentence) from None
            raise

    def _was_legal(self, seat: Seat, action: Any, seen: int) -> bool:
        """Whether the game allowed this when its sender looked: then others were faster, and nobody is to blame."""
        then = next((state for seq, state in reversed(self._lately) if seq <= seen), None)
        return seen < self.seq and then is not None and action in self.rules.legal(then, seat)

    def act_for(self, seat: Seat, action: Any, now: int) -> None:
        """A stand-in's move, typed as the game defines it."""
        if self.state.phase != "playing" or self.state.taken[seat].stand_in is None:
            raise NotAllowed("not-yours", "Nobody stands in for that seat.")
        self._act(seat, action, now)

    def stand_in(self, peer: PeerId, seat: Seat, now: int) -> None:
        """Somebody who plays asks that a bot plays on for a seat whose owner is away."""
        if self.state.phase != "playing" or not self.state.seats_of(peer):
            raise NotAllowed("not-now", "Only players can ask for a stand-in, while a game is on.")
        if seat >= len(self.state.taken) or not self._is_away(seat):
            raise NotAllowed("present", "Nobody is away from that seat.")
        self._stand_in(seat)

    def say(self, peer: PeerId, text: str, now: int) -> None:
        """A line of chat, cleaned."""
        if not text:
            raise NotAllowed("empty", "There is nothing to say in that.")
        self._append(Said(peer, text))

    def _act(self, seat: Seat, action: Any, now: int) -> None:
        self.elapse(now)
        state = self.state.game_state
        if self.state.phase != "playing":
            raise NotAllowed("not-now", "No game is on.")
        assert self._dice is not None
        events = tuple(self.rules.decide(state, seat, action, self._dice, now))
        for event in events:
            state = self.rules.evolve(state, event)
        self._append(Acted(seat, action, events, now, digest(state)))
        self._finish_if_over()

    def _stand_in(self, seat: Seat) -> None:
        if self.state.taken[seat].stand_in is None:
            self._append(StoodIn(seat, STAND_IN))

    def _is_away(self, seat: Seat) -> bool:
        return not self.state.is_here(self.state.taken[seat].peer)

    def _finish_if_over(self) -> None:
        outcome = self.rules.outcome(self.state.game_state)
        if outcome is not None:
            self._dice = None
            self._append(Finished(outcome, self._secret))

    # --- time --------------------------------------------------------------------------------------------------------

    def due(self) -> int | None:
        """When `elapse` must be called next; None if time does nothing."""
        times = [peer.since + self._patience(peer) for peer in self._missed]
        if self.state.phase == "dealing":
            times.append(self._deal_by)
        if self.state.phase == "playing":
            game = self.rules.due(self.state.game_state)
            times += [] if game is None else [game]
        return min(times, default=None)

    def elapse(self, now: int) -> None:
        """Does what is due by now."""
        for peer in self._missed:
            if now >= peer.since + self._patience(peer):
                self._miss_no_longer(peer, now)
        if self.state.phase == "dealing" and now >= self._deal_by:
            self._begin(now)
        self._elapse_game(now)

    @property
    def _missed(self) -> list[PeerInfo]:
        """Those whose line is lost and who are still waited for."""
        attended = {seat.peer for seat in self.state.taken if seat.stand_in is not None}
        return [peer for peer in self.state.peers if not peer.online and peer.id not in attended]

    def _patience(self, peer: PeerInfo) -> int:
        return PATIENCE if self._is_playing(peer) else GRACE

    def _miss_no_longer(self, peer: PeerInfo, now: int) -> None:
        if self._is_playing(peer):
            for seat in self.state.seats_of(peer.id):
                self._stand_in(seat)
        else:
            self._let_go(peer.id, "lost", now)

    def _is_playing(self, peer: PeerInfo) -> bool:
        return self.state.phase in ("dealing", "playing") and bool(self.state.seats_of(peer.id))

    def _elapse_game(self, now: int) -> None:
        while self.state.phase == "playing":
            state = self.state.game_state
            due = self.rules.due(state)
            if due is None or due > now:
                return
            assert self._dice is not None
            events = tuple(self.rules.elapse(state, self._dice, now))
            for event in events:
                state = self.rules.evolve(state, event)
            self._append(Elapsed(events, now, digest(state)))
            self._finish_if_over()

    # --- within ------------------------------------------------------------------------------------------------------

    def _append(self, entry: AnyEntry) -> None:
        before, self.state = self.state, evolve(self.state, entry)
        self._log.append(entry, self.state)
        self._lately.append((self.seq, self.state.game_state))
        if self._notify is not None:
            self._notify(before, entry)

    def _knows(self, peer: PeerId) -> bool:
        return any(info.id == peer for info in self.state.peers)

    def _check_keeper(self, peer: PeerId) -> None:
        keeper = self.state.keeper
        if keeper is None or keeper.id != peer:
            name = keeper.name if keeper else "nobody"
            raise NotAllowed("not-keeper", f"Only who looks after the table can do that: {name}.")

    def _check_no_game(self) -> None:
        if self.state.phase not in ("waiting", "over"):
            raise NotAllowed("not-now", "A game is on.")
