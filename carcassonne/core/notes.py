"""What the core notes of a game while it is played, if it is asked to (`Engine.start_notes`).

A note is a tuple of numbers that begins with its code. Seats count from 0, tiles are numbers of
`Tables.types`, kinds of features those of `FEATURE_KINDS`, with `CASTLE_KIND` for a castle.

    TURN      seat, tile, from_hand, supply      a tile is about to be placed; meeples in supply,
                                                 ten bits a seat, so that they can be added
    SCORE     seat, kind, points, final, bridged a feature pays one of its majority; at the end of
                                                 the game? a road over a bridge?
    CASTLE    owner, number, points              built, instead of so many points for the city
    PAY       number, kind, points, owner        a castle is paid by a feature or another castle
    BRIDGE    seat, own, forced                  built: on the tile just placed? for its placement?
    LOT       chooser, tile, bid                 the bidding for a tile opens
    PRICE     buyer, seller, tile, price, how    it is settled; seller -1: nobody is paid
    ASIDE     tile, from_hand                    a tile fits nowhere
    DECLINED  seat, tile                         a tile was declined (R-BRIDGE-11)
    PUT       seat, kind                         a meeple is put on a feature
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ASIDE", "BOUGHT", "BRIDGE", "CASTLE", "CASTLE_KIND", "DECLINED", "FREE", "HOW", "LOT",
    "OWN_BID", "PAY", "PRICE", "PUT", "SCORE", "SOLD", "TURN", "Note",
]  # fmt: skip

Note = tuple[int, ...]

TURN: Final = 0
SCORE: Final = 1
CASTLE: Final = 2
PAY: Final = 3
BRIDGE: Final = 4
LOT: Final = 5
PRICE: Final = 6
ASIDE: Final = 7
DECLINED: Final = 8
PUT: Final = 9

CASTLE_KIND: Final = 5

FREE: Final = 0
OWN_BID: Final = 1
BOUGHT: Final = 2
SOLD: Final = 3
HOW: Final = ("free", "own bid", "bought", "sold")
"""How a tile of the bazaar found its owner: without bidding, for the chooser's own bid to nobody,
bought by the chooser from the highest bidder, or sold to them."""
