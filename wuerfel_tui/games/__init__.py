"""The games of the house, by key."""

from wuerfel_tui.games.core import AnyRules
from wuerfel_tui.games.express import Express
from wuerfel_tui.games.gigi import Gigi
from wuerfel_tui.games.poker import Poker
from wuerfel_tui.games.wurf_weg import WurfWeg

GAMES: dict[str, AnyRules] = {
    "express": Express(),
    "poker": Poker(),
    "gigi": Gigi(),
    "wurf_weg": WurfWeg(),
}
