"""The bots of the house: `BOTS[game][level]`."""

from typing import Any

from wuerfel_tui.bots import express, gigi, poker, wurf_weg
from wuerfel_tui.bots.core import Bot, RandomBot
from wuerfel_tui.games import GAMES
from wuerfel_tui.games.express import Express
from wuerfel_tui.games.gigi import Gigi
from wuerfel_tui.games.poker import Poker
from wuerfel_tui.games.wurf_weg import WurfWeg

BOTS: dict[str, dict[str, Bot[Any, Any]]] = {
    "express": {"random": RandomBot(GAMES["express"]), "easy": express.Easy(Express())},
    "poker": {"random": RandomBot(GAMES["poker"]), "easy": poker.Easy(Poker())},
    "gigi": {"random": RandomBot(GAMES["gigi"]), "easy": gigi.Easy(Gigi())},
    "wurf_weg": {"random": wurf_weg.AtRandom(WurfWeg()), "easy": wurf_weg.Easy(WurfWeg())},
}
