"""What may be done now, and why not: legal moves and refusals of every decision.

Listings and refusals ask the same questions of the board, the bridges, the castles and the
bazaar; a move is legal exactly when `violations` finds nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.errors import TileError, Violation
from carcassonne.geometry import cell_text, neighbour
from carcassonne.model import bazaar, bridges, castles, turns
from carcassonne.model.scoring import is_complete
from carcassonne.moves import (
    Address,
    Bid,
    BridgePlace,
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.geometry import Cell
    from carcassonne.model.features import Feature
    from carcassonne.model.state import State
    from carcassonne.tile_types import TileType

__all__ = ["canonical", "legal_moves", "placements", "violations"]

_PASS: Final = Pass()


# ------------------------------------------------------------------------------ listings


def legal_moves(state: State) -> list[Move]:
    """Every distinct possibility of the open decision once, in a fixed order."""
    lister = _LISTERS.get(state.table.phase)
    return lister(state) if lister else []


def _list_place(state: State) -> list[Move]:
    table = state.table
    tile = table.tile
    if tile is None:
        return []
    in_hand = table.bridges[table.active] > 0
    found: list[Move] = [*placements(state, tile, bridge_in_hand=in_hand)]
    if table.may_decline:
        found.append(Decline())
    return found


def placements(
    state: State, tile: TileType, *, bridge_in_hand: bool, cell: Cell | None = None
) -> list[Place]:
    """The distinct ways to lay a tile, with the bridge that each needs (R-BASE-5, R-BRIDGE-8).

    Anywhere, or in one cell only.
    """
    name = tile.id
    found: list[Place] = []
    board = state.board
    if cell is None:
        groups = board.placements(tile, bridge_in_hand=bridge_in_hand, listed=True)
    else:
        groups = [([cell], board.fits(tile, cell, bridge_in_hand=bridge_in_hand, listed=True))]
    for cells, fits in groups:
        for rotation, how, axis in fits:
            for where in cells:
                bridge = None if how < 0 else BridgePlace(_bridged_cell(where, how), axis)
                found.append(Place(name, where, rotation, bridge))
    return found


def _bridged_cell(cell: tuple[int, int], how: int) -> tuple[int, int]:
    """The cell whose tile takes the bridge of a fit: the new tile's own, or a neighbour's."""
    if how > 3:
        return cell
    return neighbour(cell, how)


def _list_bridge(state: State) -> list[Move]:
    return [*(BuildBridge(place) for place in bridges.free_places(state)), _PASS]


def _list_meeple(state: State) -> list[Move]:
    return [*(PutMeeple(node.segment) for node in turns.free_segments(state)), _PASS]


def _list_castle(state: State) -> list[Move]:
    table = state.table
    mine = [BuildCastle(name) for seat, name in table.small_cities if seat == table.decider]
    return [*mine, _PASS]


def _list_collect(state: State) -> list[Move]:
    castle = state.table.castles[state.table.unpaid[0]]
    return [Collect(payout.at) for payout in castles.candidates(state, castle)]


def _list_choose(state: State) -> list[Move]:
    bids = bazaar.listed_bids(state, state.table.decider)
    return [Choose(i + 1, bid) for i in range(len(state.table.offer)) for bid in bids]


def _list_bid(state: State) -> list[Move]:
    return [*(Bid(points) for points in bazaar.listed_bids(state, state.table.decider)), _PASS]


def _list_deal(state: State) -> list[Move]:
    return [Buy(), Sell()] if bazaar.can_buy(state) else [Sell()]


def _list_take(state: State) -> list[Move]:
    return [Take(i + 1) for i in range(len(state.table.offer))]


_LISTERS: Final[dict[str, Callable[[State], list[Move]]]] = {
    "place": _list_place,
    "bridge": _list_bridge,
    "meeple": _list_meeple,
    "castle": _list_castle,
    "collect": _list_collect,
    "choose": _list_choose,
    "bid": _list_bid,
    "deal": _list_deal,
    "take": _list_take,
}

# ------------------------------------------------------------------------------ refusals

_PHASE_RULES: Final = {
    "place": "R-BASE-4",
    "bridge": "R-BRIDGE-21",
    "meeple": "R-BASE-4",
    "castle": "R-CASTLE-2",
    "collect": "R-CASTLE-21",
    "choose": "R-BAZAAR-7",
    "bid": "R-BAZAAR-8",
    "deal": "R-BAZAAR-11",
    "take": "R-BAZAAR-27",
}
"""The rule that says when a kind of decision is due."""

_NO_PASS: Final = {
    "place": ("R-BASE-7", "a tile that can be placed must be placed"),
    "collect": ("R-CASTLE-20", "the castle must take one of the finished features"),
    "choose": ("R-BAZAAR-7", "the chooser cannot pass, but may open with 0"),
    "deal": ("R-BAZAAR-11", "the chooser must buy or sell"),
    "take": ("R-BAZAAR-27", "a tile must be taken"),
}


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that a move breaks now; empty if it is legal."""
    phase = state.table.phase
    if phase == "over":
        return [Violation("R-BASE-20", "the game is over"), *_late(state, move)]
    if isinstance(move, Pass):
        if phase in _NO_PASS:
            return [Violation(*_NO_PASS[phase])]
        return []
    if move.kind != phase:
        return [_out_of_turn(state, move), *_late(state, move)]
    return _CHECKS[phase](state, move)


def _out_of_turn(state: State, move: Move) -> Violation:
    table = state.table
    player = state.players[table.decider]
    return Violation(
        _PHASE_RULES[move.kind],
        f"the open decision is {player}'s '{table.phase}', {_not_that(move)}",
    )


def _not_that(move: Move) -> str:
    """Buying and selling are one decision, which nobody knows by its name."""
    if isinstance(move, Buy | Sell):
        return f"and '{move}' answers a 'deal': to buy or sell after the bids"
    return f"not '{move.kind}'"


def _late(state: State, move: Move) -> list[Violation]:
    """What else is wrong with a move whose decision is not open: why it was not asked."""
    table = state.table
    if isinstance(move, BuildBridge):
        return bridges.explain_free_bridge(state, move.place) if table.placed else []
    if isinstance(move, PutMeeple):
        return _late_meeple(state, move)
    if isinstance(move, BuildCastle):
        return _late_castle(state, move)
    if isinstance(move, Collect):
        return _late_collect(state, move)
    if isinstance(move, Bid | Choose | Take):
        return _late_auction(state, move)
    return []


def _late_collect(state: State, move: Collect) -> list[Violation]:
    """Why a feature pays no castle, whoever is to decide."""
    feature = _payout_of(state, move)
    if feature is None:
        laid = state.board.tiles.get(move.feature.cell)
        what = f"{laid.tile.id} has no such segment" if laid else "no tile lies there"
        return [Violation("R-CASTLE-16", f"{move.feature} is no feature: {what}")]
    found = []
    name, kind = state.board.features.name(feature), feature.kind
    if state.castle_at(feature.members[0]) is None and not is_complete(state.board, feature):
        found.append(Violation("R-CASTLE-15", f"the {kind} {name} is not finished"))
    waiting = [castle for castle in state.table.castles if state.is_occupied(castle)]
    if not waiting:
        found.append(Violation("R-CASTLE-15", "no castle waits to be paid"))
    elif not any(castle.vicinity & {*feature.cells} for castle in waiting):
        rule = "R-CASTLE-17" if kind == "cloister" else "R-CASTLE-16"
        text = f"no tile of the {kind} {name} lies in the vicinity of a castle that waits"
        found.append(Violation(rule, text))
    return found


def _late_auction(state: State, move: Bid | Choose | Take) -> list[Violation]:
    """What is wrong with a bid or a choice of a tile, whoever is to decide."""
    table, rules = state.table, state.rules
    auction = not isinstance(move, Take)
    found = []
    if auction and rules.bazaar_mode != "auction":
        text = f"there is no auction (bazaar_mode = {rules.bazaar_mode})"
        found.append(Violation("R-BAZAAR-27", text))
    elif auction and table.phase == "deal":
        player = state.players[table.chooser]
        found.append(Violation("R-BAZAAR-10", f"{player} chose the tile and never bids again"))
    if not table.offer:
        found.append(Violation("R-BAZAAR-4", "no market is open, so no tile is on offer"))
    elif not isinstance(move, Bid):
        found += _check_number(state, move.number, _PHASE_RULES[move.kind])
    elif table.high_bid < 0:
        found.append(Violation("R-BAZAAR-7", "nobody has chosen a tile to bid for"))
    else:
        found += _check_raise(state, move)
    if isinstance(move, Take):
        return found
    points = move.points if isinstance(move, Bid) else move.bid
    if rules.bazaar_max_bid is not None and points > rules.bazaar_max_bid:
        text = f"nobody may bid more than {rules.bazaar_max_bid} (bazaar_max_bid), not {points}"
        found.append(Violation("R-BAZAAR-18", text))
    return found


def _late_meeple(state: State, move: PutMeeple) -> list[Violation]:
    table = state.table
    if table.placed is None:
        return []
    found = [] if table.no_meeple is None else [table.no_meeple]
    if table.no_meeple is not None and table.phase != "bridge":
        player = state.players[table.placer]
        if table.meeples[table.placer]:
            text = f"{player}'s meeples came home after placing; they can be used next turn"
            found.append(Violation("R-BASE-11", text))
    if table.phase in ("bridge", "castle", "collect"):
        found += _check_meeple(state, move)
    return found


def _late_castle(state: State, move: BuildCastle) -> list[Violation]:
    node = state.board.find(move.city)
    if node is None:
        return [_no_segment(state, move.city)]
    feature = state.board.features.of(node)
    for name, refusals in state.table.castle_refusals:
        if state.board.features.of(name) is feature:
            return list(refusals)
    found = castles.explain_castle(state, feature)
    now = state.table.phase in _SETTLING and state.table.placed in feature.cells
    if not now and castles.is_small_city(feature) and state.castle_at(node) is None:
        name = state.board.features.name(feature)
        text = f"the city {name} was completed before, not by the tile just placed"
        found.insert(0, Violation("R-CASTLE-2", text))
    return found


_SETTLING: Final = ("bridge", "meeple", "castle", "collect")
"""The decisions between the placing of a tile and the end of what it completed."""


def _check_place(state: State, move: Move) -> list[Violation]:
    tile = state.table.tile
    if tile is None:
        return []
    if isinstance(move, Decline):
        return _check_decline(state, tile)
    if not isinstance(move, Place):
        return []
    found = []
    try:
        named = state.box.tile(move.tile)
        unknown = ""
    except TileError as error:
        named, unknown = None, f"; {error}"
    if named != tile:
        shown = named.id if named else move.tile
        text = f"the tile to be placed is {tile.id}, not {shown}{unknown}"
        found.append(Violation("R-BASE-4", text))
        if named is None:
            return found
    in_hand = state.table.bridges[state.table.active] > 0
    for rotation, how, axis in state.board.fits(named or tile, move.cell, bridge_in_hand=in_hand):
        mend = None if how < 0 else BridgePlace(_bridged_cell(move.cell, how), axis)
        if rotation == move.rotation and mend == move.bridge:
            return found
    return found + bridges.explain_placement(
        state, named or tile, move.cell, move.rotation, move.bridge
    )


def _check_decline(state: State, tile: TileType) -> list[Violation]:
    if state.table.may_decline:
        return []
    if state.rules.bridge_decline_discards:
        text = f"{tile.id} fits without a bridge and must be placed"
    else:
        text = "a tile may not be declined (bridge_decline_discards = false)"
    return [Violation("R-BRIDGE-11", text)]


def _check_bridge(state: State, move: Move) -> list[Violation]:
    if not isinstance(move, BuildBridge) or move.place in bridges.free_places(state):
        return []
    return bridges.explain_free_bridge(state, move.place)


def _check_meeple(state: State, move: Move) -> list[Violation]:
    table = state.table
    if not isinstance(move, PutMeeple) or table.placed is None:
        return []
    placement = state.board.tiles[table.placed]
    node = placement.find(move.segment)
    where = f"{cell_text(table.placed)} {move.segment}"
    if node is None:
        here = f"{placement.tile.id} on {cell_text(table.placed)} has no {move.segment}"
        found = [Violation("R-BASE-8", f"{here} (a meeple goes on the tile just placed)")]
        if move.segment.startswith("road.") and _bridge_beside(state, move.segment):
            text = "the bridge stands on a neighbouring tile, not on the tile just placed"
            found.append(Violation("R-BRIDGE-19", text))
        return found
    found = []
    feature = state.board.features.of(node)
    if feature.kind == "river":
        found.append(Violation("R-BASE-8", f"{where} is a river, which holds no meeple"))
    if feature.kind == "field" and not state.rules.farmers:
        found.append(Violation("R-BASE-8", "no meeples on fields (farmers = false)"))
    if feature.barns:
        found.append(Violation("R-BASE-8", f"a barn stands on the field of {where}"))
    if feature.followers:
        names = sorted({state.players[seat] for seat, _ in feature.followers})
        text = f"the {feature.kind} of {where} is taken by {' and '.join(names)}"
        found.append(Violation("R-BASE-8", text))
        if state.board.features.graph.nodes[node]["bridge"]:
            found.append(Violation("R-BRIDGE-19", f"the bridge's whole road is not free: {text}"))
    if not table.meeples[table.active]:
        player = state.players[table.active]
        found.append(Violation("R-BASE-8", f"{player} has no meeple in the supply"))
    return found


def _bridge_beside(state: State, name: str) -> bool:
    """Whether a bridge with a segment of this name stands on a tile beside the one placed."""
    placed = state.table.placed
    if placed is None:
        return False
    for side in range(4):
        beside = state.board.tiles.get(neighbour(placed, side))
        if beside is not None and beside.bridges and beside.find(name) is not None:
            return True
    return False


def _no_segment(state: State, address: Address) -> Violation:
    laid = state.board.tiles.get(address.cell)
    what = f"{laid.tile.id} there has no {address.segment}" if laid else "no tile lies there"
    return Violation("R-CASTLE-2", f"{address} is no city: {what}")


def _check_castle(state: State, move: Move) -> list[Violation]:
    table = state.table
    if not isinstance(move, BuildCastle):
        return []
    node = state.board.find(move.city)
    if node is None:
        return [_no_segment(state, move.city)]
    feature = state.board.features.of(node)
    for seat, name in table.small_cities:
        if state.board.features.of(name) is feature:
            if seat == table.decider:
                return []
            owner, decider = state.players[seat], state.players[table.decider]
            text = f"the city {name} is {owner}'s; it is {decider} who decides now"
            return [Violation("R-CASTLE-4", text)]
    found = _late_castle(state, move)
    if not found:
        text = f"{move.city} was not completed by the tile just placed, or its owner passed"
        found = [Violation("R-CASTLE-2", text)]
    return found


def _payout_of(state: State, move: Collect) -> Feature | None:
    node = state.board.find(move.feature)
    return None if node is None else state.board.features.of(node)


def _check_collect(state: State, move: Move) -> list[Violation]:
    if not isinstance(move, Collect):
        return []
    castle = state.table.castles[state.table.unpaid[0]]
    feature = _payout_of(state, move)
    features = state.board.features
    payouts = castles.candidates(state, castle)
    if feature is not None and any(features.of(p.at) is feature for p in payouts):
        return []
    offered = ", ".join(f"{p.at} for {p.points}" for p in payouts)
    text = f"{move.feature} does not pay the castle {castle.at} now; on offer are {offered}"
    return [Violation("R-CASTLE-21", text), *_late_collect(state, move)]


def _check_number(state: State, number: int, rule: str) -> list[Violation]:
    count = len(state.table.offer)
    if 1 <= number <= count:
        return []
    return [Violation(rule, f"there is no tile {number} on offer; name one from 1 to {count}")]


def _check_choose(state: State, move: Move) -> list[Violation]:
    if not isinstance(move, Choose):
        return []
    return [
        *_check_number(state, move.number, "R-BAZAAR-7"),
        *_check_limit(state, move.bid, opening=True),
    ]


def _check_limit(state: State, points: int, *, opening: bool) -> list[Violation]:
    seat = state.table.decider
    limit = bazaar.highest_bid(state, seat, opening=opening)
    if limit is None or points <= limit:
        return []
    player = state.players[seat]
    return [
        Violation("R-BAZAAR-18", f"{player} may bid at most {max(limit, 0)} here, not {points}")
    ]


def _check_bid(state: State, move: Move) -> list[Violation]:
    if not isinstance(move, Bid):
        return []
    return _check_raise(state, move) + _check_limit(state, move.points, opening=False)


def _check_raise(state: State, move: Bid) -> list[Violation]:
    current = state.table.high_bid
    if move.points > current:
        return []
    text = f"a bid must be higher than {current}, so at least {current + 1}"
    return [Violation("R-BAZAAR-9", text)]


def _check_deal(state: State, move: Move) -> list[Violation]:
    if isinstance(move, Buy) and not bazaar.can_buy(state):
        player = state.players[state.table.decider]
        text = f"{player} cannot pay {state.table.high_bid} (bazaar_allow_negative = false)"
        return [Violation("R-BAZAAR-18", text)]
    return []


def _check_take(state: State, move: Move) -> list[Violation]:
    return _check_number(state, move.number, "R-BAZAAR-27") if isinstance(move, Take) else []


_CHECKS: Final[dict[str, Callable[[State, Move], list[Violation]]]] = {
    "place": _check_place,
    "bridge": _check_bridge,
    "meeple": _check_meeple,
    "castle": _check_castle,
    "collect": _check_collect,
    "choose": _check_choose,
    "bid": _check_bid,
    "deal": _check_deal,
    "take": _check_take,
}

# ------------------------------------------------------------------------------ names


def canonical(state: State, move: Move) -> Move:
    """The move under the names that listings use, whatever names it was written with.

    Names that mean nothing here are left as they are.
    """
    board = state.board
    if isinstance(move, Place):
        tile = state.box.types.get(move.tile) or state.table.tile
        if tile is None or move.tile not in (tile.id, tile.letter):
            return move
        return Place(tile.id, move.cell, tile.same_as[move.rotation], move.bridge)
    if isinstance(move, PutMeeple):
        placed = state.table.placed
        node = board.tiles[placed].find(move.segment) if placed else None
        return PutMeeple(node.segment) if node else move
    if isinstance(move, BuildCastle | Collect):
        address = move.city if isinstance(move, BuildCastle) else move.feature
        node = board.find(address)
        if node is None:
            return move
        name = board.features.name(board.features.of(node))
        return BuildCastle(name) if isinstance(move, BuildCastle) else Collect(name)
    return move
