"""What a bot reads of a game beyond the verbs that both engines share, from either engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.core import layout
from carcassonne.events import BidMade, Score, TileChosen
from carcassonne.model.board import Placement
from carcassonne.model.game import Game
from carcassonne.moves import Bid, Buy, Choose, Pass, Sell

if TYPE_CHECKING:
    from collections.abc import Hashable

    from carcassonne.bots.base import AnyGame
    from carcassonne.geometry import Cell
    from carcassonne.moves import Address

__all__ = ["board_key", "lot_state", "move_count", "payout_of", "placements"]

_BAZAAR_MOVES = (Choose, Bid, Buy, Sell, Pass)


def move_count(game: AnyGame) -> int:
    """How many moves were made."""
    return len(game.moves) if isinstance(game, Game) else game.move_count


def placements(game: AnyGame) -> dict[Cell, Placement]:
    """The tiles on the board by cell, in the order of laying; not to be changed."""
    if isinstance(game, Game):
        return game.tiles
    found = {}
    for cell, (name, rotation) in game.tiles.items():
        found[cell] = Placement(game.box.types[name], cell, rotation)
    for place in game.bridges:
        found[place.cell].add_bridge(place.axis)
    return found


def board_key(game: AnyGame) -> Hashable:
    """What the board and the supplies follow from; the moves of a bazaar leave it the same."""
    if not isinstance(game, Game):
        return game.board_key()
    moves = game.moves
    count = len(moves)
    while count and isinstance(moves[count - 1], _BAZAAR_MOVES):
        count -= 1
    return moves[:count]


def lot_state(game: AnyGame) -> tuple[str, str]:
    """Who chose the tile being bid for, and whose bid is the highest (R-BAZAAR-7, R-BAZAAR-9)."""
    if not isinstance(game, Game):
        number = game.engine.number
        return (
            game.players[number(layout.CHOOSER)],
            game.players[number(layout.HIGH_BIDDER)],
        )
    bidder = ""
    for event in reversed(game.events):
        if isinstance(event, BidMade) and not bidder:
            bidder = event.player
        if isinstance(event, TileChosen):
            return event.player, bidder or event.player
    raise AssertionError("a tile was chosen")


def payout_of(game: AnyGame, at: Address) -> int:
    """What a castle may collect from a finished feature or a castle just paid (R-CASTLE-25)."""
    if not isinstance(game, Game):
        return game.payout(at)
    view = game.feature(at)
    if view.kind != "castle":
        return view.points
    for event in reversed(game.events):
        if isinstance(event, Score) and event.feature == "castle" and event.at == view.at:
            return event.points
    return 0
