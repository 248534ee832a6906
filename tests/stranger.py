"""A stranger's client: written from docs/protocol.md and docs/games-on-the-wire.md, with nothing of ours.

It works on plain maps as they come off the wire, holds a replica of the table, and checks the dice of a game by what
each event draws. Whole games are played against it: where it goes astray, the two pages do.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgpack

from tests.stranger_games import DRAWS, EVENTS, NEW, Dice, Map


class Bent(Exception):
    """The dice, the secrets or the digests of a game are not what they should be."""


# --- the table ------------------------------------------------------------------------------------------------------


def fold(table: Map, entry: Map) -> None:
    """Carries a table on by an entry."""
    entry = deepcopy(entry)  # what it holds goes into the table, and changes there
    match entry["entry"]:
        case "joined":
            joined(table, entry)
        case "left":
            table["peers"] = [peer for peer in table["peers"] if peer["id"] != entry["peer"]]
            if table["phase"] in ("waiting", "over"):
                free_seats(table)
        case "lost":
            change_peer(table, entry, online=False, since=entry["now"])
        case "returned":
            change_peer(table, entry, online=True, since=entry["now"])
            for seat in table["seats"]:
                if seat is not None and seat["peer"] == entry["peer"]:
                    seat["stand_in"] = None
        case "readied":
            change_peer(table, entry, ready=entry["ready"])
        case "stoodin":
            if table["seats"][entry["seat"]] is not None:
                table["seats"][entry["seat"]]["stand_in"] = entry["level"]
        case "dealt":
            dealt(table, entry)
        case "committed":
            change_part(table, entry, "commitment")
        case "revealed":
            change_part(table, entry, "secret")
        case "began":
            table["phase"] = "playing"
            table["game_state"] = new_state(table)
            play(table, entry)
        case "acted" | "elapsed":
            play(table, entry)
        case "finished":
            table["phase"], table["outcome"] = "over", entry["outcome"]
            for seat in table["seats"]:
                if seat is not None:
                    seat["stand_in"] = None
            free_seats(table)
        case "said" | "invited":
            pass


def joined(table: Map, entry: Map) -> None:
    peer = {"id": entry["peer"], "name": entry["name"], "bot": entry["bot"]}
    table["peers"].append(peer | {"online": True, "since": entry["now"], "ready": False})
    for seat, name in zip(entry["seats"], entry["names"], strict=True):
        table["seats"][seat] = {"name": name, "peer": entry["peer"], "stand_in": None}


def dealt(table: Map, entry: Map) -> None:
    free = len(table["seats"]) - len(entry["seats"])
    parts = [(0, entry["commitment"]), *((peer, None) for peer in entry["contributors"])]
    table["seats"] = [*entry["seats"], *[None] * free]
    table["phase"] = "dealing"
    table["options"] = entry["options"]
    table["games"] += 1
    table["contributions"] = [{"peer": peer, "commitment": sha, "secret": None} for peer, sha in parts]
    table["game_state"] = table["outcome"] = None
    for peer in table["peers"]:
        peer["ready"] = False


def free_seats(table: Map) -> None:
    here = [peer["id"] for peer in table["peers"]]
    table["seats"] = [seat if seat is not None and seat["peer"] in here else None for seat in table["seats"]]


def change_peer(table: Map, entry: Map, **changes: Any) -> None:
    for peer in table["peers"]:
        if peer["id"] == entry["peer"]:
            peer.update(changes)


def change_part(table: Map, entry: Map, field: str) -> None:
    for part in table["contributions"]:
        if part["peer"] == entry["peer"]:
            part[field] = entry[field]


def play(table: Map, entry: Map) -> None:
    for event in entry["events"]:
        EVENTS[table["game"]](table["game_state"], event)
    if digest(table["game_state"]) != entry["digest"]:
        raise Bent(f"The digest after {entry} is another one.")


def new_state(table: Map) -> Map:
    seats = sum(seat is not None for seat in table["seats"])
    return NEW[table["game"]](seats, table["options"])


def digest(state: Map) -> bytes:
    return hashlib.sha256(msgpack.packb(state)).digest()[:8]


# --- the dice -------------------------------------------------------------------------------------------------------


def dice_of(secrets: list[bytes]) -> Dice:
    def stream() -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.digest(key, block.to_bytes(8, "big"), "sha256")
            block += 1

    def draw(n: int) -> int:
        width = 0
        while 256**width < n:
            width += 1
        while True:
            number = 0
            for _ in range(width):
                number = 256 * number + next(octets)
            if number < 256**width - 256**width % n:
                return number % n

    key = hashlib.sha256(b"".join(secrets)).digest()
    octets = stream()
    return draw


def check_game(table: Map, entries: list[Map]) -> list[tuple[str, int]]:
    """Throws every die of a game again, from `dealt` to `finished`. Returns the draws: the event, and from how many."""
    opened = next(entry["secret"] for entry in entries if entry["entry"] == "finished")
    table = deepcopy(table)
    throw = dice_of([])
    draws: list[tuple[str, int]] = []
    for entry in entries:
        state = table["game_state"]
        if entry["entry"] == "began":
            throw = dice_of(checked_secrets(table, opened))
            state = new_state(table)
        for event in entry.get("events", ()):
            state = checked_event(table["game"], state, event, throw, draws)
        fold(table, entry)
    return draws


def checked_event(game: str, state: Map, event: Map, throw: Dice, draws: list[tuple[str, int]]) -> Map:
    """The state after an event whose dice are right."""

    def dice(n: int) -> int:
        draws.append((event["is"], n))
        return throw(n)

    shown = DRAWS[game](state, event, dice)
    if any(event[field] != value for field, value in shown.items()):
        raise Bent(f"The dice of {event} are others.")
    state = deepcopy(state)
    EVENTS[game](state, deepcopy(event))
    return state


def checked_secrets(table: Map, opened: bytes) -> list[bytes]:
    table["contributions"][0]["secret"] = opened
    parts = [part for part in table["contributions"] if part["secret"] is not None]
    if any(hashlib.sha256(part["secret"]).digest() != part["commitment"] for part in parts):
        raise Bent("A secret is not the one that was committed to.")
    return [part["secret"] for part in parts]
