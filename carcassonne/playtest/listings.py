"""What ought to be legal: every decision's listing, and the word on any single move.

Both are found by trying everything on the recounted board of a `Ledger`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.moves import (
    Address,
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Collect,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)
from carcassonne.playtest.broken import require
from carcassonne.playtest.recount import looks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from carcassonne.playtest.ledger import Ledger
    from carcassonne.playtest.recount import Spot
    from carcassonne.views import Decision

__all__ = ["expected_moves", "is_legal"]


def expected_moves(ledger: Ledger, decision: Decision) -> set[Move]:
    """The listing that a decision ought to have.

    Raises
    ------
    Broken
        The decision itself is wrong.
    """
    return set(_LISTERS[decision.kind](ledger, decision.player))


def _place(ledger: Ledger, player: str) -> Iterator[Move]:
    if ledger.tile is None:
        return
    tile = ledger.types[ledger.tile]
    shown = [looks(tile, rotation) for rotation in range(4)]
    for cell, rotation, bridge in ledger.placements(player):
        if shown.index(shown[rotation]) == rotation:
            yield Place(tile.id, cell, rotation, bridge)
    if ledger.may_decline(player):
        yield Decline()


def _bridge(ledger: Ledger, _: str) -> Iterator[Move]:
    yield from map(BuildBridge, ledger.free_bridges())
    yield Pass()


def _meeple(ledger: Ledger, _: str) -> Iterator[Move]:
    yield from (PutMeeple(name) for _, name in ledger.free_spots())
    yield Pass()


def _castle(ledger: Ledger, player: str) -> Iterator[Move]:
    owner, cities = ledger.castle_choices()
    require(owner == player, "who-decides", f"{player} is asked for {owner}'s castle", "R-CASTLE-4")
    yield from (BuildCastle(Address(*found.at)) for found in cities)
    yield Pass()


def _collect(ledger: Ledger, player: str) -> Iterator[Move]:
    castle, payouts = ledger.next_castle()
    text = f"{player} is asked about {castle.owner}'s castle"
    require(castle.owner == player, "who-decides", text, "R-CASTLE-21")
    choice = len({paying.points for paying in payouts}) > 1
    choice = choice and ledger.rules.castle_multi_choice == "player"
    require(choice, "something-to-decide", "all that reaches the castle is the same", "R-CASTLE-21")
    yield from (Collect(Address(*_named(ledger, paying.spot))) for paying in payouts)


def _named(ledger: Ledger, spot: Spot) -> Spot:
    return ledger.board.feature(spot).at


def _choose(ledger: Ledger, player: str) -> Iterator[Move]:
    for number in range(len(ledger.offer)):
        yield from (Choose(number + 1, bid) for bid in ledger.listed_bids(player))


def _bid(ledger: Ledger, player: str) -> Iterator[Move]:
    turn = ledger.bidders[:1]
    require(turn == [player], "who-decides", f"{player} bids, not {turn}", "R-BAZAAR-8")
    yield from map(Bid, ledger.listed_bids(player))
    yield Pass()


def _deal(ledger: Ledger, player: str) -> Iterator[Move]:
    text = f"{player} is asked to deal, not {ledger.chooser}"
    require(player == ledger.chooser, "who-decides", text, "R-BAZAAR-11")
    can = ledger.rules.bazaar_allow_negative or ledger.scores[player] >= ledger.high
    require(can, "something-to-decide", f"{player} can't buy and is asked", "R-BAZAAR-18")
    yield from (Buy(), Sell())


def _take(ledger: Ledger, player: str) -> Iterator[Move]:
    text = f"{player} takes, not {ledger.turn}"
    require(player == ledger.turn, "who-decides", text, "R-BAZAAR-27")
    yield from (Take(number + 1) for number in range(len(ledger.offer)))


_LISTERS: Final[dict[str, Callable[[Ledger, str], Iterator[Move]]]] = {
    "place": _place,
    "bridge": _bridge,
    "meeple": _meeple,
    "castle": _castle,
    "collect": _collect,
    "choose": _choose,
    "bid": _bid,
    "deal": _deal,
    "take": _take,
}


def is_legal(ledger: Ledger, decision: Decision | None, move: Move) -> bool:
    """Whether a move, under any of its names, ought to be accepted now."""
    if decision is None:
        return False
    kind, player = decision.kind, decision.player
    if isinstance(move, Pass):
        return kind in ("bridge", "meeple", "castle", "bid")
    if move.kind != kind:
        return False
    if isinstance(move, Place):
        return _may_place(ledger, player, move)
    if isinstance(move, Decline):
        return ledger.may_decline(player)
    if isinstance(move, PutMeeple):
        return ledger.board.find(ledger.placed, move.segment) in ledger.free_spots()
    if isinstance(move, BuildCastle | Collect):
        return _may_name(ledger, move)
    if isinstance(move, Choose):
        return 1 <= move.number <= len(ledger.offer) and ledger.may_bid(player, move.bid)
    if isinstance(move, Bid):
        return ledger.may_bid(player, move.points)
    return move in expected_moves(ledger, decision)


def _may_name(ledger: Ledger, move: BuildCastle | Collect) -> bool:
    """Whether a castle can be built on, or collect from, the feature that a move names."""
    at = move.city if isinstance(move, BuildCastle) else move.feature
    spot = ledger.board.find(at.cell, at.segment)
    if spot is None:
        return False
    if isinstance(move, BuildCastle):
        return any(spot in found.pieces for found in ledger.castle_choices()[1])
    return _named(ledger, spot) in [_named(ledger, p.spot) for p in ledger.next_castle()[1]]


def _may_place(ledger: Ledger, player: str, move: Place) -> bool:
    drawn = ledger.tile
    if drawn is None or ledger.letters.get(move.tile, move.tile) != drawn:
        return False
    if move.cell not in ledger.board.open_cells():
        return False
    ways = ledger.board.ways(
        ledger.types[drawn],
        move.cell,
        move.rotation,
        bridge=ledger.supply[player]["bridges"] > 0,
        most=ledger.rules.bridge_max_per_tile,
    )
    return move.bridge in ways
