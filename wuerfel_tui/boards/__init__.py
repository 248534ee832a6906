"""The boards of the house: `BOARDS[game]`."""

from wuerfel_tui.boards.core import Board
from wuerfel_tui.boards.express import ExpressBoard
from wuerfel_tui.boards.gigi import GigiBoard
from wuerfel_tui.boards.poker import PokerBoard
from wuerfel_tui.boards.wurf_weg import WurfWegBoard

BOARDS: dict[str, type[Board]] = {
    "express": ExpressBoard,
    "poker": PokerBoard,
    "gigi": GigiBoard,
    "wurf_weg": WurfWegBoard,
}
