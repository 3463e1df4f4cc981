"""Where each number of a game lies: the header's places, phases and special moves, by name.

The first `HEAD` numbers of a game's block are single numbers and short rows with fixed places;
`engine.py` explains the rest of the block. Seats are numbers in turn order, -1 is nobody; tiles
are numbers of types, -1 is none.
"""

from __future__ import annotations

from typing import Final

PHASES: Final = (
    "place", "bridge", "meeple", "castle", "collect", "choose", "bid", "deal", "take", "over",
)  # fmt: skip
PLACE, BRIDGE, MEEPLE, CASTLE, COLLECT, CHOOSE, BID, DEAL, TAKE, OVER = range(10)

PASS: Final = -1
DECLINE: Final = -2
BUY: Final = 0
SELL: Final = 1

SEATS: Final = 6
LISTED: Final = 20
"""Listings show bids up to here, or ten more than the highest bid."""
MARK: Final = -1
"""The place that a mark of the log names."""
SHORT_SHIFT: Final = 12
"""A short note of the log: place << 12 | what stood there + 1."""
SHORT_OLD: Final = (1 << SHORT_SHIFT) - 1
SHORT_PLACE: Final = 1 << 19
LONG: Final = -(1 << 20)
"""A long note is what stood there, then this number minus the place."""

# the open decision and the turn
PHASE: Final = 0
DECIDER: Final = 1
ACTIVE: Final = 2
TILE: Final = 3
FROM_HAND: Final = 4
MAY_DECLINE: Final = 5
PLACED: Final = 6
"""The number of the placement laid last, -1 before the first."""
PLACER: Final = 7
PART: Final = 8
BRIDGE_BUILT: Final = 9
MARKET_DUE: Final = 10
# how many there are of each thing that grows
LAID: Final = 11
FRONTIER: Final = 12
NEXT_TILE: Final = 13
STACK_SIZE: Final = 14
ASIDE: Final = 15
CASTLES: Final = 16
FINISHED: Final = 17
SMALL: Final = 18
WAVE: Final = 19
NEXT_WAVE: Final = 20
UNPAID: Final = 21
PAID: Final = 22
# the bazaar
IN_ROUND: Final = 23
LEADER: Final = 24
LAST_CHOOSER: Final = 25
CHOOSER: Final = 26
LOT: Final = 27
HIGH_BID: Final = 28
HIGH_BIDDER: Final = 29
ON_OFFER: Final = 30
BIDDERS: Final = 31
QUEUED: Final = 32
HANDS_OUT: Final = 33
"""Whether the round's hands exist (a row of -1 without a bazaar)."""
ANIMALS: Final = 34
MAY_BRIDGE: Final = 35
STOPPED: Final = 36
RINGED: Final = 37
"""The placement (`PART`) that last completed the ring around an older cloister."""
# rows of one number a seat
SCORE: Final = 40
SUPPLY: Final = 46
BRIDGES_LEFT: Final = 52
MARKERS: Final = 58
OFFER: Final = 64
HAND: Final = 70
BIDDER: Final = 76
QUEUE: Final = 82
HEAD: Final = 88

# numbers of one castle (see `engine.py`)
CASTLE_SIZE: Final = 9
CASTLE_ROOT, CASTLE_OWNER, CASTLE_PART, CASTLE_CELLS = 0, 1, 2, 3
# numbers of one payout
PAYOUT_SIZE: Final = 3
PAYOUT_ROOT, PAYOUT_POINTS, PAYOUT_CASTLE = 0, 1, 2

OPEN_CELL: Final = (1 << 16) - 1
"""The number in the frontier within an empty cell's number on the board."""
RING_SHIFT: Final = 16
"""Above it eight bits: bit k if a cloister lies at the cell's offset minus `SURROUNDING[k]`."""
CLOSING: Final = 1 << 12
"""What meets at a side: an edge that closes whatever it meets (an abbey's)."""
CASTLE_FLAG: Final = 1 << 24
BARN_FLAG: Final = 1 << 25
MEEPLES: Final = CASTLE_FLAG - 1
"""The meeples of a feature's word: four bits a seat."""
OPEN_END: Final = 1 << 16
"""One open end in a feature's second word; below lies the number of its segments."""
