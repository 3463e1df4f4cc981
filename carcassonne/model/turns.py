"""Turn order: small steps that fall through or wait for a player (section by section R-BASE-4).

A step changes the state and answers the name of the next step, or None where a player has to
decide; `answer` applies a legal move to the open decision and walks on. The order is: take a
tile, place it (with its bridge), optional bridge, optional meeple, castles, scoring, castles'
pay in waves, meeples home, bazaar, next player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.errors import Violation
from carcassonne.events import (
    FeatureCompleted,
    GameOver,
    Item,
    MeeplePlaced,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TurnSkipped,
)
from carcassonne.model import bazaar, bridges, castles, scoring
from carcassonne.model.state import Payout, changed
from carcassonne.moves import (
    Address,
    BuildBridge,
    BuildCastle,
    Collect,
    Decline,
    Move,
    Place,
    PutMeeple,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.model.board import Placement
    from carcassonne.model.features import Feature
    from carcassonne.model.state import State

__all__ = ["answer", "free_segments", "just_completed", "run", "stop_game"]


# ------------------------------------------------------------------------------ taking a tile


def begin_turn(state: State) -> str | None:
    """A normal turn, or the end of the game when the stack is empty (R-BASE-20)."""
    if state.left == 0:
        return "finish_game"
    table = state.table
    table.tile, table.from_hand = None, False
    return "find_place"


def find_place(state: State) -> str | None:
    """Draw until a tile can be placed, setting aside those that can't (R-BASE-6)."""
    table = state.table
    while True:
        tile = table.tile
        if tile is None:
            if state.left == 0:
                return "no_tile"
            tile = state.stack[table.next_tile]
            table.next_tile += 1
            state.events.append(TileDrawn(state.players[table.active], tile.id))
        in_hand = table.bridges[table.active] > 0
        somehow, bare = state.board.ways_to_fit(tile, bridge_in_hand=in_hand)
        if somehow:
            table.tile = tile
            table.may_decline = not bare and state.rules.bridge_decline_discards
            table.phase, table.decider = "place", table.active
            return None
        table.tile = tile
        if tile.bazaar and state.rules.bazaar_on_set_aside and not table.in_round:
            table.market_due = True
        _set_aside(state, "R-BASE-6")
        if table.from_hand and state.rules.bazaar_unplaceable == "lose_turn":
            return "no_tile"


def _set_aside(state: State, rule: str) -> None:
    table = state.table
    if table.tile is None:
        raise AssertionError("there is no tile to set aside")
    table.set_aside = (*table.set_aside, table.tile)
    state.events.append(TileSetAside(state.players[table.active], table.tile.id, rule))
    table.tile = None


def no_tile(state: State) -> str | None:
    """A turn without a tile: skipped in a round (R-BAZAAR-26), else nothing is left to draw."""
    table = state.table
    if table.in_round:
        state.events.append(TurnSkipped(state.players[table.active], "R-BAZAAR-26"))
    return "end_turn"


# ------------------------------------------------------------------------------ placing


def answer_place(state: State, move: Move) -> str | None:
    """Lay the tile with its bridge, or decline it (R-BRIDGE-8, R-BRIDGE-11)."""
    table = state.table
    if isinstance(move, Decline):
        _set_aside(state, "R-BRIDGE-11")
        if table.from_hand and state.rules.bazaar_unplaceable == "lose_turn":
            return "no_tile"
        return "find_place"
    tile = table.tile
    if not isinstance(move, Place) or tile is None:
        raise AssertionError("a place decision has a tile")
    table.part += 1
    table.placed, table.placer = move.cell, table.active
    table.bridge_built = False
    table.no_meeple = None
    table.castle_refusals = ()
    table.tile = None
    if tile.bazaar and not table.in_round:
        table.market_due = True
    player = state.players[table.active]
    state.events.append(TilePlaced(player, tile.id, move.cell, move.rotation))
    state.board.lay(tile, move.cell, move.rotation)
    if move.bridge is not None:
        bridges.build(state, move.bridge)
    return "offer_bridge"


def offer_bridge(state: State) -> str | None:
    """An optional bridge comes before the meeple (R-BRIDGE-21)."""
    if not bridges.free_places(state):
        return "offer_meeple"
    state.table.phase, state.table.decider = "bridge", state.table.active
    return None


def answer_bridge(state: State, move: Move) -> str | None:
    """Build the bridge, or none."""
    if isinstance(move, BuildBridge):
        bridges.build(state, move.place)
    return "offer_meeple"


def free_segments(state: State) -> list[Address]:
    """Segments of the tile just placed whose feature nobody holds (R-BASE-8, R-BRIDGE-19)."""
    table, features = state.table, state.board.features
    if table.placed is None:
        return []
    found = []
    for node in state.board.tiles[table.placed].nodes.values():
        feature = features.of(node)
        if feature.followers or feature.barns or feature.kind == "river":
            continue
        if feature.kind == "field" and not state.rules.farmers:
            continue
        found.append(node)
    return found


def offer_meeple(state: State) -> str | None:
    """One meeple on the tile or bridge just placed (R-BASE-8, R-BRIDGE-20)."""
    table = state.table
    player = state.players[table.active]
    if not table.meeples[table.active]:
        table.no_meeple = Violation("R-BASE-8", f"{player} has no meeple in the supply")
        return "complete_features"
    if not free_segments(state):
        table.no_meeple = Violation("R-BASE-8", "no segment of the tile just placed is free")
        return "complete_features"
    table.phase, table.decider = "meeple", table.active
    return None


def answer_meeple(state: State, move: Move) -> str | None:
    """Put the meeple, or none."""
    table = state.table
    if isinstance(move, PutMeeple) and table.placed is not None:
        node = state.board.tiles[table.placed].find(move.segment)
        if node is None:
            raise AssertionError(f"{move.segment} was checked")
        table.meeples = changed(table.meeples, table.active, -1)
        state.board.features.put(node, table.active)
        state.events.append(MeeplePlaced(state.players[table.active], node))
    return "complete_features"


# ------------------------------------------------------------------------------ completions


def just_completed(state: State) -> list[Feature]:
    """What the tile placed last has completed, by the board as it lies (R-BASE-12 to 15)."""
    board = state.board
    features = board.features
    if state.table.placed is None:
        raise AssertionError("a tile was placed")
    placement = board.tiles[state.table.placed]
    done: dict[int, Feature] = {}
    for node in placement.nodes.values():
        feature = features.of(node)
        if feature.open == 0 and feature.kind in ("road", "city"):
            done[id(feature)] = feature
    if board.cloisters:
        for cell in _cloisters_around(state, placement):
            done[-1 - len(done)] = features.of(board.cloisters[cell])
    return list(done.values())


def complete_features(state: State) -> str | None:
    """Find what this placement completed, and the small cities among it (R-BASE-12 to 15)."""
    table = state.table
    features = state.board.features
    done = just_completed(state)
    if not done:
        return "end_turn"
    named = [(features.name(feature), feature) for feature in done]
    table.finished = tuple(name for name, _ in named)
    small = [(name, f) for name, f in named if castles.is_small_city(f)]
    if not small:
        return "score_features"
    eligible, refusals = [], []
    for name, feature in small:
        violations = castles.explain_castle(state, feature)
        owner = castles.owner_of(state, feature)
        if violations or owner is None:
            refusals.append((name, tuple(violations)))
        else:
            eligible.append((owner, name))
    seats = state.clockwise(table.active)
    table.small_cities = tuple(sorted(eligible, key=lambda pair: seats.index(pair[0])))
    table.castle_refusals = tuple(refusals)
    return "offer_castle"


def _cloisters_around(state: State, placement: Placement) -> list[tuple[int, int]]:
    """Cells of cloisters that the tile just placed completes, its own included."""
    board = state.board
    x, y = placement.cell
    return [
        cell
        for cell in board.cloisters
        if abs(cell[0] - x) <= 1 and abs(cell[1] - y) <= 1 and board.surrounded(cell) == 8
    ]


def offer_castle(state: State) -> str | None:
    """Owners clockwise from the active player decide on their small cities (R-CASTLE-4, 35)."""
    table = state.table
    pairs = table.small_cities
    table.small_cities = tuple(pair for pair in pairs if table.castle_markers[pair[0]])
    for owner, name in pairs:
        if not table.castle_markers[owner]:
            text = f"{state.players[owner]} has no castle marker left"
            refusal = (name, (Violation("R-CASTLE-1", text),))
            table.castle_refusals = (*table.castle_refusals, refusal)
    if not table.small_cities:
        return "score_features"
    table.phase, table.decider = "castle", table.small_cities[0][0]
    return None


def answer_castle(state: State, move: Move) -> str | None:
    """Convert one city; a pass leaves the owner's other cities to be scored."""
    table = state.table
    if isinstance(move, BuildCastle):
        node = state.board.find(move.city)
        if node is None:
            raise AssertionError(f"{move.city} was checked")
        name = state.board.features.name(state.board.features.of(node))
        castles.build(state, name)
        table.small_cities = tuple(pair for pair in table.small_cities if pair[1] != name)
        table.finished = tuple(other for other in table.finished if other != name)
    else:
        owner = table.decider
        table.small_cities = tuple(pair for pair in table.small_cities if pair[0] != owner)
    return "offer_castle"


def score_features(state: State) -> str | None:
    """Pay the majorities of all completed features, then look at the castles (R-BASE-16, 18)."""
    table, features = state.table, state.board.features
    payouts = []
    for name in table.finished:
        feature = features.of(name)
        value = scoring.worth(state.board, feature, state.rules)
        winners = feature.majority()
        names = tuple(state.players[seat] for seat in winners)
        state.events.append(FeatureCompleted(feature.kind, name, value.points, names))
        for seat in winners:
            state.score(seat, value.points, value.rule, feature.kind, name, value.items)
        payouts.append(Payout(name, value.points, frozenset(feature.cells), by_castle=False))
    if table.castles and castles.open_wave(state, tuple(payouts)):
        return "pay_castles"
    return "send_home"


def pay_castles(state: State) -> str | None:
    """Pay the castles of this wave; an owner chooses where payouts differ (R-CASTLE-21)."""
    table = state.table
    while table.unpaid:
        castle = table.castles[table.unpaid[0]]
        payouts = castles.candidates(state, castle)
        best = max(payouts, key=lambda payout: payout.points)
        differ = any(payout.points != best.points for payout in payouts)
        if differ and state.rules.castle_multi_choice == "player":
            table.phase, table.decider = "collect", castle.owner
            return None
        castles.pay(state, best)
    if castles.open_wave(state, table.next_wave):
        return "pay_castles"
    return "send_home"


def answer_collect(state: State, move: Move) -> str | None:
    """The owner takes one of the payouts."""
    if not isinstance(move, Collect):
        raise TypeError("a collect decision takes a collect move")
    castle = state.table.castles[state.table.unpaid[0]]
    node = state.board.find(move.feature)
    features = state.board.features
    for payout in castles.candidates(state, castle):
        if node is not None and features.of(node) is features.of(payout.at):
            castles.pay(state, payout)
            break
    return "pay_castles"


def send_home(state: State) -> str | None:
    """Meeples of scored features and paid castles go home, not earlier (R-BASE-17, R-CASTLE-30)."""
    table = state.table
    for name in table.finished:
        state.send_home(name)
    for index in table.paid:
        state.send_home(table.castles[index].at)
    table.finished, table.paid, table.wave, table.next_wave = (), (), (), ()
    return "end_turn"


# ------------------------------------------------------------------------------ the end of a turn


def end_turn(state: State) -> str | None:
    """Open the bazaar that is due, go on with its round, or pass clockwise (R-BAZAAR-2, 21)."""
    table = state.table
    if table.in_round:
        return "round_next"
    if table.market_due and state.rules.bazaar_mode != "off":
        return "open_market"
    return "next_player"


def next_player(state: State) -> str | None:
    """The player to the left comes next (R-BASE-4, R-BAZAAR-20)."""
    table = state.table
    table.active = (table.active + 1) % len(state.players)
    table.market_due = False
    return "begin_turn"


def finish_game(state: State) -> str | None:
    """Final scoring of all that is unfinished, farms last (R-BASE-20 to 25, R-CASTLE-31)."""
    table, features = state.table, state.board.features
    table.tile = None
    castle_nodes = state.castle_nodes
    fields = []
    standing = [(features.name(f), f) for f in features.all() if f.followers or f.barns]
    for name, feature in sorted(standing, key=lambda pair: _final_order(pair[0])):
        if feature.kind == "field":
            fields.append((name, feature))
        elif feature.members[0] in castle_nodes:
            seat = feature.followers[0][0]
            state.score(
                seat, 0, "R-CASTLE-31", "castle", name, (Item("castle", 1, 0, "R-CASTLE-31"),)
            )
            state.send_home(name)
        else:
            value = scoring.worth(state.board, feature, state.rules)
            for seat in feature.majority():
                state.score(seat, value.points, value.rule, feature.kind, name, value.items)
    if state.rules.farmers:
        for name, field in fields:
            for seat in scoring.farm_owners(field):
                value = scoring.farm_worth(state.board, field, state.rules, castle_nodes, seat)
                state.score(seat, value.points, value.rule, "farm", name, value.items)
    table.phase, table.decider = "over", -1
    best = max(table.scores)
    winners = tuple(n for n, s in zip(state.players, table.scores, strict=True) if s == best)
    state.events.append(GameOver(dict(zip(state.players, table.scores, strict=True)), winners))
    return None


def _final_order(name: Address) -> tuple[int, int, str]:
    return (name.cell[1], name.cell[0], name.segment)


# ------------------------------------------------------------------------------ walking

_STEPS: Final[dict[str, Callable[[State], str | None]]] = {
    step.__name__: step
    for step in (
        begin_turn, find_place, no_tile, offer_bridge, offer_meeple, complete_features,
        offer_castle, score_features, pay_castles, send_home, end_turn, next_player, finish_game,
        bazaar.open_market, bazaar.next_lot, bazaar.next_bidder, bazaar.start_round,
        bazaar.round_next, bazaar.draft_next,
    )
}  # fmt: skip

_ANSWERS: Final[dict[str, Callable[[State, Move], str | None]]] = {
    "place": answer_place,
    "bridge": answer_bridge,
    "meeple": answer_meeple,
    "castle": answer_castle,
    "collect": answer_collect,
    "choose": bazaar.answer_choose,
    "bid": bazaar.answer_bid,
    "deal": bazaar.answer_deal,
    "take": bazaar.answer_take,
}


def run(state: State, step: str | None) -> None:
    """Walk from a step to the next decision or the end of the game."""
    while step is not None:
        step = _STEPS[step](state)


def answer(state: State, move: Move) -> None:
    """Apply a legal move to the open decision and walk on."""
    run(state, _ANSWERS[state.table.phase](state, move))


def stop_game(state: State) -> None:
    """End the game here: final scoring. For positions that are only to be counted out."""
    run(state, "finish_game")
