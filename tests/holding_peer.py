"""`python -m tests.holding_peer SPEED ADDRESS NAME MOVES` plays as `join --bot easy` does, but not to the end.

Bots among themselves are done in no time: this is how a test catches somebody in the middle of a game. Prints `seated`
and, instead of the next move, `holding`; from then on it does nothing but keep its line, until it is killed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from random import Random
from typing import Any

from tests.hurried import hurry
from wuerfel_tui import lines
from wuerfel_tui.autoplay import Autoplayer
from wuerfel_tui.client import join
from wuerfel_tui.services import kept_seats


async def hold(address: str, name: str, moves: int) -> None:
    client = await join(address, name, bot="easy", kept_in=kept_seats())
    say(lines.seated(client.table, client.seats))
    left = moves

    async def send(seat: int, action: Any) -> bool:
        nonlocal left
        left -= 1
        if left == -1:
            say({"event": "holding"})
        if left < 0:
            await asyncio.Event().wait()
        return await client.act(seat, action) is None

    player = Autoplayer("easy", send, Random())
    client.in_background(client.ready())
    async for _ in client.updates():
        player.watch(client.table, client.seats)


def say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    _, speed, address, name, moves = sys.argv
    hurry(int(speed))
    asyncio.run(hold(address, name, int(moves)))
