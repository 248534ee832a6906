"""The games of the stranger's client (stranger.py): new states, what each event does and draws, all on plain maps."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from typing import Any, TypeAlias

Map: TypeAlias = dict[str, Any]
Dice: TypeAlias = Callable[[int], int]

# --- Würfel Express -------------------------------------------------------------------------------------------------


def new_express(seats: int, options: Map) -> Map:
    return {
        "tracks": [{"rear": 1, "pieces": []} for _ in range(seats)],
        "display": [[2, 3, 4, 5, 6] for _ in range(6)],
        "turn": -1 if options["first"] is None else options["first"],
        "removed": [],
        "number": 0,
        "phase": "setup",
        "taken_back": 0,
        "rolls": 0,
        "dice": [],
        "gained": [],
        "robbed": [],
    }


def express(state: Map, event: Map) -> None:
    display, track = state["display"], state["tracks"][state["turn"]]
    match event["is"]:
        case "setup":
            for piece in event["removed"]:
                display[piece["colour"]].remove(piece["length"])
            state.update(removed=event["removed"], turn=event["first"], number=1, phase="start")
        case "tookback":
            for piece in event["pieces"]:
                track["pieces"].pop(0)
                track["rear"] += piece["length"]
                lay(display[piece["colour"]], piece["length"])
                state["taken_back"] += 1
        case "rolled":
            state["rolls"] += 1
            state["dice"] = event["dice"]
            state["phase"] = "rolling" if state["rolls"] < 3 else "gaining"
        case "stopped":
            state["phase"] = "gaining"
        case "took":
            display[event["colour"]].remove(event["length"])
            attach(state, event)
        case "stole":
            victim = state["tracks"][event["victim"]]
            victim["pieces"].pop(0)
            victim["rear"] += 0 if event["slid"] else event["length"]
            state["robbed"].append(event["victim"])
            attach(state, event)
        case "spared":
            pass
        case "returned":
            track["pieces"].pop()
            lay(display[event["colour"]], event["length"])
        case "slidback":
            track["rear"] -= event["spaces"]
        case "turnended":
            state.update(turn=event["next"], number=state["number"] + 1, phase="start", taken_back=0)
            state.update(rolls=0, dice=[], gained=[], robbed=[])


def lay(values: list[int], value: int) -> None:
    values.append(value)
    values.sort()


def attach(state: Map, event: Map) -> None:
    track = state["tracks"][state["turn"]]
    track["pieces"].append({"colour": event["colour"], "length": event["length"]})
    state["gained"].append(event["colour"])
    front = track["rear"] - 1 + sum(piece["length"] for piece in track["pieces"])
    state["phase"] = "over" if front >= 30 else "gaining"


def express_draws(state: Map, event: Map, dice: Dice) -> Map:
    match event["is"]:
        case "setup":
            seats = len(state["tracks"])
            choices = removals({2: 3, 3: 2}.get(seats, 0))
            removed = choices[dice(len(choices))] if seats < 4 else []
            return {"removed": removed, "first": dice(seats) if state["turn"] < 0 else state["turn"]}
        case "rolled":
            shown = state["dice"] or [0] * (7 - state["taken_back"])
            thrown = event["thrown"] if state["dice"] else range(len(shown))
            again = {index: dice(6) for index in thrown}
            return {
                "dice": [again.get(index, face) for index, face in enumerate(shown)],
                "thrown": list(thrown),
            }
        case _:
            return {}


def removals(each: int) -> list[list[Map]]:
    return [
        [
            *({"colour": colour, "length": 2} for colour in twos),
            *({"colour": colour, "length": 3} for colour in threes),
        ]
        for twos in combinations(range(6), each)
        for threes in combinations([colour for colour in range(6) if colour not in twos], each)
    ]


# --- Würfel Poker ---------------------------------------------------------------------------------------------------


def empty_board() -> list[list[Map]]:
    return [[{"dice": [], "filled": 0}, {"dice": [], "filled": 0}] for _ in range(3)]


def new_poker(seats: int, options: Map) -> Map:
    return {
        "either_side": options["either_side"],
        "starter": -1,
        "board": empty_board(),
        "placed": 0,
        "thrown": [],
        "offer": [],
        "points": [0, 0],
        "games": [],
    }


def poker(state: Map, event: Map) -> None:
    match event["is"]:
        case "opening":
            pass
        case "began":
            state.update(starter=event["seat"], board=empty_board(), placed=0)
        case "rolled":
            state.update(thrown=event["dice"], offer=list(event["dice"]))
        case "placed":
            state["placed"] += 1
            half = state["board"][event["row"]][event["side"]]
            half["dice"].append(event["die"])
            half["filled"] = state["placed"] if len(half["dice"]) == 3 else 0
            state["offer"].remove(event["die"])
            if not state["offer"]:
                state["thrown"] = []
        case "gamewon":
            winners = [row["seat"] for row in event["rows"]]
            played = {"starter": state["starter"], "board": deepcopy(state["board"]), "winners": winners}
            state["games"].append(played)
            state["points"] = event["points"]


def poker_draws(state: Map, event: Map, dice: Dice) -> Map:
    count = {"opening": 2, "rolled": 3}.get(event["is"], 0)
    return {"dice": [1 + dice(6) for _ in range(count)]} if count else {}


# --- Gigi Gacker am Würfelacker -------------------------------------------------------------------------------------


def new_gigi(seats: int, options: Map) -> Map:
    eaters = 3 if seats == 2 else seats
    pile = list(options["morsels"])
    if seats < 5:
        pile.remove(0)
    return {
        "seats": seats,
        "pile": pile,
        "start": -1 if options["first"] is None else options["first"],
        "dice": [[] for _ in range(eaters)],
        "aside": [[] for _ in range(eaters)],
        "used": [None] * eaters,
        "collected": [[] for _ in range(seats)],
        "gone": [] if seats == 5 else [0],
        "round": 0,
        "buffet": [],
        "turn": 1,
        "active": 0,
        "changed": False,
        "rolled": False,
    }


def gigi(state: Map, event: Map) -> None:
    seat = event.get("seat")
    match event["is"]:
        case "revealed":
            for morsel in event["buffet"]:
                state["pile"].remove(morsel)
            start = event["start"]
            state.update(buffet=event["buffet"], round=state["round"] + 1, turn=1, start=start, active=start)
        case "rolled":
            state["dice"][seat] = event["dice"]
            state["rolled"] = True
        case "kept":
            state["dice"][seat].remove(event["value"])
            state["aside"][seat].append(event["value"])
            pass_on(state)
        case "swapped":
            spend(state, event)
            row, first, second = state["buffet"], event["first"], event["second"]
            row[first], row[second] = row[second], row[first]
        case "reversed":
            spend(state, event)
            state["buffet"].reverse()
        case "used":
            state["collected"][seat].remove(event["morsel"])
            state["used"][seat] = event["morsel"]
            pass_on(state)
        case "chickenrolled":
            state["aside"][-1].append(event["value"])
        case "distributed":
            for award in event["awards"]:
                to = state["gone"] if award["seat"] is None else state["collected"][award["seat"]]
                lay(to, award["morsel"])
            for morsel in state["used"]:
                if morsel is not None:
                    lay(state["gone"], morsel)
            eaters = len(state["aside"])
            state.update(buffet=[], used=[None] * eaters)
            state.update(dice=[[] for _ in range(eaters)], aside=[[] for _ in range(eaters)])


def spend(state: Map, event: Map) -> None:
    state["collected"][event["seat"]].remove(event["morsel"])
    lay(state["gone"], event["morsel"])
    state["changed"] = True


def pass_on(state: Map) -> None:
    state["active"] = (state["active"] + 1) % state["seats"]
    state["turn"] += state["active"] == state["start"]
    state.update(changed=False, rolled=False)


def gigi_draws(state: Map, event: Map, dice: Dice) -> Map:
    match event["is"]:
        case "revealed":
            first = {"start": dice(state["seats"])} if state["start"] < 0 else {}
            pile = list(state["pile"])
            return first | {"buffet": [pile.pop(dice(len(pile))) for _ in state["aside"]]}
        case "rolled":
            return {"dice": [1 + dice(6) for _ in range(3 - len(state["aside"][event["seat"]]))]}
        case "chickenrolled":
            return {"value": 1 + dice(6)}
        case _:
            return {}


# --- Wurf & Weg -----------------------------------------------------------------------------------------------------


def player(card: int = -1, won: int = 0, hand: tuple[int, ...] = ()) -> Map:
    return {
        "card": card,
        "won": won,
        "hand": list(hand),
        "on_card": 0,
        "ready": False,
        "lands": None,
        "rolls": 0,
        "until": None,
    }


def new_wurf_weg(seats: int, options: Map) -> Map:
    return {
        "options": options,
        "phase": "new",
        "players": [player() for _ in range(seats)],
        "pile": list(range(18)),
        "air": [],
        "round": 0,
        "charm": -1,
        "depot": 0,
        "until": None,
        "caller": None,
    }


def wurf_weg(state: Map, event: Map) -> None:
    players = state["players"]
    mine = players[event["seat"]] if "seat" in event else {}
    match event["is"]:
        case "dealt":
            state["players"] = [player(card) for card in event["cards"]]
            state["pile"] = [card for card in state["pile"] if card not in event["cards"]]
        case "charm":
            state["players"] = [player(old["card"], old["won"], (-1, -1, -1)) for old in players]
            state.update(phase="ready", air=[], round=state["round"] + 1, charm=event["symbol"], depot=0)
            state.update(until=event["until"], caller=None)
        case "limitset":
            state["until"] = event["until"]
        case "readied":
            mine["ready"] = True
        case "countdown":
            state.update(phase="countdown", until=event["until"])
        case "go":
            state.update(phase="race", until=None)
        case "rolled":
            place = sum(players[seat]["lands"] <= event["lands"] for seat in state["air"])
            state["air"].insert(place, event["seat"])
            mine.update(hand=event["faces"], on_card=0, lands=event["lands"], until=None)
            mine["rolls"] = max(0, mine["rolls"] - 1)
        case "landed":
            state["air"].remove(event["seat"])
            mine.update(lands=None, until=event["until"])
        case "placed":
            placed(state, event)
        case "stop":
            state.update(phase="last", caller=event["seat"])
            for each in players:
                if each["hand"] or each["on_card"]:
                    each.update(rolls=3, until=event["until"] if each["lands"] is None else None)
        case "rewarded":
            for seat in event["seats"]:
                players[seat]["card"] = -1
                players[seat]["won"] += 1
            if not state["options"]["until_empty"] and max(each["won"] for each in players) >= 3:
                state["phase"] = "over"
        case "drew":
            mine["card"] = event["card"]
            state["pile"].remove(event["card"])
        case "pileexhausted":
            state["phase"] = "over"


def placed(state: Map, event: Map) -> None:
    mine = state["players"][event["seat"]]
    mine["hand"] = [face for face in mine["hand"] if face != event["symbol"]]
    if not mine["hand"] and not mine["on_card"]:
        mine["until"] = None
    if event["to"] == -1:
        state["depot"] += event["count"]
    else:
        state["players"][event["to"]]["on_card"] += event["count"]


def wurf_weg_draws(state: Map, event: Map, dice: Dice) -> Map:
    match event["is"]:
        case "dealt":
            pile = list(state["pile"])
            return {"cards": [pile.pop(dice(len(pile))) for _ in state["players"]]}
        case "charm":
            return {"symbol": dice(6)}
        case "rolled":
            mine = state["players"][event["seat"]]
            return {"faces": [dice(6) for _ in range(len(mine["hand"]) + mine["on_card"])]}
        case "drew":
            return {"card": state["pile"][dice(len(state["pile"]))]}
        case _:
            return {}


NEW: dict[str, Callable[[int, Map], Map]] = {
    "express": new_express,
    "poker": new_poker,
    "gigi": new_gigi,
    "wurf_weg": new_wurf_weg,
}
EVENTS: dict[str, Callable[[Map, Map], None]] = {
    "express": express,
    "poker": poker,
    "gigi": gigi,
    "wurf_weg": wurf_weg,
}
DRAWS: dict[str, Callable[[Map, Map, Dice], Map]] = {
    "express": express_draws,
    "poker": poker_draws,
    "gigi": gigi_draws,
    "wurf_weg": wurf_weg_draws,
}
