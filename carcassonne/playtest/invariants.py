"""What holds at every decision of every game: a game watched with all its invariants.

`Watch` plays a game and raises `Broken` at the first thing that is not as it should be. The
checks are independent of each other and named in `CHECKS`; a game can be watched by some only.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import networkx as nx

from carcassonne.events import Score
from carcassonne.playtest.broken import Broken, require
from carcassonne.playtest.listings import expected_moves

if TYPE_CHECKING:
    from carcassonne.model.game import Game
    from carcassonne.playtest.ledger import Ledger
    from carcassonne.playtest.recount import Found
    from carcassonne.views import Decision, FeatureView

__all__ = ["check_features", "check_listing", "check_table"]

_TURN: Final = ("place", "bridge", "meeple", "castle", "collect")


def _same(invariant: str, what: str, game: object, recount: object, rule: str = "") -> None:
    """Require that the game says what the recount says."""
    if game != recount:
        text = f"{what}: the game says {_short(game)}, the recount {_short(recount)}"
        raise Broken(invariant, text, rule)


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 300 else text[:297] + "..."


def _differing(one: dict[Any, Any], other: dict[Any, Any]) -> list[Any]:
    """The keys under which two tables differ."""
    missing = object()
    return [k for k in {**one, **other} if one.get(k, missing) != other.get(k, missing)]


# ------------------------------------------------------------------------------ features


def check_features(game: Game, ledger: Ledger) -> None:
    """Check that features and graph are those of the recount, all numbers equal.

    Raises
    ------
    Broken
        Naming the feature and what is wrong about it.
    """
    recounted = {found.at: found for found in ledger.board.features()}
    views = {(view.at.cell, view.at.segment): view for view in game.features()}
    odd = sorted(views.keys() ^ recounted.keys())
    require(not odd, "features", f"features that are not in both accounts: {odd[:6]}")
    for at, view in views.items():
        _check_feature(game, ledger, view, recounted[at])
    _check_graph(game, ledger)


def _check_feature(game: Game, ledger: Ledger, view: FeatureView, found: Found) -> None:
    castle = ledger.castle_at(found.at)
    what = f"the {found.kind} at {view.at}"
    kind = "castle" if castle else found.kind
    _same("features", f"{what}, kind", view.kind, kind)
    _same("features", f"{what}, cells", sorted(view.cells), sorted(found.cells))
    _same("features", f"{what}, tiles", view.tiles, len(found.cells))
    pieces = sorted((node.cell, node.segment) for node in view.segments)
    _same("features", f"{what}, segments", pieces, sorted(found.pieces))
    _same("features", f"{what}, pennants", view.pennants, found.pennants)
    _same("open-ends", f"{what}, open ends", view.open, found.open)
    _same("open-ends", f"{what}, complete", view.complete, ledger.is_complete(found))
    _same("feature-meeples", f"{what}, meeples", view.meeples, dict(ledger.on(found)))
    points, rule = 0, ""
    if found.kind == "field":
        points, rule = ledger.farm_worth(found) if game.rules.farmers else 0, "R-BASE-22"
    elif not castle and found.kind != "river":
        points, rule = ledger.worth(found)
    _same("feature-worth", f"{what}, points", view.points, points, rule)


def _check_graph(game: Game, ledger: Ledger) -> None:
    graph = game.graph()
    parts = {
        frozenset((node.cell, node.segment) for node in part)
        for part in nx.connected_components(graph)
    }
    wanted = {frozenset(found.pieces) for found in ledger.board.features()}
    odd = [sorted(part) for part in parts ^ wanted]
    require(not odd, "graph", f"components that are not in both accounts: {_short(odd)}")
    for node, data in graph.nodes(data=True):
        spot = (node.cell, node.segment)
        piece = ledger.board.feature(spot).pieces[spot]
        here = Counter(name for name, where in ledger.standing if where == spot)
        kind = "castle" if ledger.castle_at(spot) else piece.kind
        wanted_data = (node.cell, node.segment, kind, piece.bridge, dict(here))
        data_here = tuple(data[key] for key in ("cell", "segment", "kind", "bridge"))
        _same("graph", f"node {node}", (*data_here, dict(data["meeples"])), wanted_data)


# ------------------------------------------------------------------------------ the table


def check_table(game: Game, ledger: Ledger) -> None:
    """Check that nothing was lost or made up: pieces, tiles, points, turns.

    Raises
    ------
    Broken
        Naming what is wrong.
    """
    decision = game.decision
    ledger.rest(decision.kind if decision else None)
    _check_scores(game, ledger)
    _check_board(game, ledger)
    _check_pieces(game, ledger)
    _check_tiles(game, ledger)
    _check_castles(game, ledger)
    _same("who-decides", "the game is over", game.is_over, ledger.over)
    if decision is not None and decision.kind in _TURN and not ledger.settled:
        _same("who-decides", "the turn", game.active, ledger.turn)
    if decision is not None and decision.kind in ("place", "bridge", "meeple", "take"):
        _same("who-decides", decision.kind, decision.player, ledger.turn)


def _check_scores(game: Game, ledger: Ledger) -> None:
    sums = dict(ledger.began_at)
    for event in game.events:
        if isinstance(event, Score):
            sums[event.player] += event.points
    _same("scores-are-sums", "scores and the sums of their events", game.scores, sums)
    _same("scores-are-sums", "scores", game.scores, ledger.scores)


def _check_board(game: Game, ledger: Ledger) -> None:
    board = ledger.board
    tiles = {c: (p.tile.id, p.rotation, set(p.bridges)) for c, p in game.tiles.items()}
    laid = {
        cell: (tile.id, rotation, set(board.bridges.get(cell, ())))
        for cell, (tile, rotation) in board.laid.items()
    }
    for cell in _differing(tiles, laid):
        _same("board", f"what lies on {cell}", tiles.get(cell), laid.get(cell))
    clashes = board.clashes()
    require(not clashes, "edges-match", f"edges that clash: {', '.join(clashes)}")
    _same("open-cells", "open cells", sorted(game.open_cells()), sorted(board.open_cells()))


def _check_pieces(game: Game, ledger: Ledger) -> None:
    supply = game.supply
    _same("pieces-kept", "supplies", supply, ledger.supply)
    meeples = Counter(view.player for view in game.tokens() if view.kind == "meeple")
    owners = Counter(castle.owner for castle in game.castles)
    for name, total in ledger.all_pieces.items():
        own = supply[name]
        least = min(own.values())
        require(least >= 0, "pieces-kept", f"{name} has fewer than no pieces: {own}")
        _same("pieces-kept", f"{name}'s meeples", own["meeples"] + meeples[name], total["meeples"])
        castles = own["castles"] + owners[name]
        _same("pieces-kept", f"{name}'s castles", castles, total["castles"], "R-CASTLE-1")
    bridges = sum(len(placement.bridges) for placement in game.tiles.values())
    bridges += sum(own["bridges"] for own in supply.values())
    _same("pieces-kept", "bridges", bridges, ledger.all_bridges, "R-BRIDGE-1")


def _check_tiles(game: Game, ledger: Ledger) -> None:
    drawn = [] if game.drawn is None else [game.drawn]
    unseen = Counter(game.unseen)
    loose = Counter([*game.discarded, *game.hands.values(), *game.on_offer, *drawn])
    laid = Counter(placement.tile.id for placement in game.tiles.values())
    every = Counter(game.stack) + ledger.began_tiles
    _same("tiles-kept", "all tiles", _sorted(unseen + loose + laid), _sorted(every))
    _same("tiles-kept", "the stack's tiles", game.stack_left, ledger.left)
    _same("tiles-kept", "the stack's tiles by id", game.stack_left, unseen.total())
    _same("tiles-kept", "tiles set aside", list(game.discarded), ledger.set_aside, "R-BASE-6")
    _same("tiles-kept", "tiles on offer", list(game.on_offer), ledger.offer, "R-BAZAAR-4")
    _same("tiles-kept", "tiles in hands", game.hands, ledger.hands, "R-BAZAAR-19")
    _same("tiles-kept", "the tile drawn", game.drawn, ledger.tile)


def _sorted(tiles: Counter[str]) -> list[tuple[str, int]]:
    return sorted(tiles.items())


def _check_castles(game: Game, ledger: Ledger) -> None:
    here = [(c.owner, set(c.cells), set(c.vicinity), c.occupied) for c in game.castles]
    known = [
        (
            castle.owner, set(castle.cells), set(castle.near),
            any(spot in castle.spots for _, spot in ledger.standing),
        )
        for castle in ledger.castles
    ]  # fmt: skip
    _same("castles", "owner, cells, vicinity and meeple of all castles", here, known)


# ------------------------------------------------------------------------------ what is legal


def check_listing(game: Game, ledger: Ledger) -> None:
    """Check that the listing of the open decision is what trying everything finds, each once.

    Raises
    ------
    Broken
        Naming the moves that are missing or too many.
    """
    decision = game.decision
    listed = list(game.legal_moves())
    if decision is None:
        require(not listed, "legal-moves", "the game is over, but moves are listed")
        return
    expected = expected_moves(ledger, decision)
    missing = sorted(map(str, expected.difference(listed)))
    wrong = sorted(map(str, set(listed) - expected))
    text = f"for '{decision.kind}', missing: {_list(missing)}; not legal: {_list(wrong)}"
    require(not missing and not wrong, "legal-moves", text, _rule_of(missing or wrong))
    twice = [text for text, count in Counter(map(str, listed)).items() if count > 1]
    require(not twice, "legal-moves", f"listed twice: {_list(twice)}")
    require(listed, "something-to-decide", f"nothing is listed for '{decision.kind}'")
    if decision.kind == "place":
        _check_placements(game, ledger, decision)
    elif decision.kind in ("bridge", "meeple", "bid"):
        text = f"{decision.player} is asked for '{decision.kind}' and can only pass"
        require(len(listed) > 1, "something-to-decide", text)


def _check_placements(game: Game, ledger: Ledger, decision: Decision) -> None:
    ways = ledger.placements(decision.player)
    _same("placements", "ways to place the tile", game.placements(), len(ways))
    cells = sorted({cell for cell, _, _ in ways})
    _same("placements", "cells for the tile", sorted(game.legal_cells()), cells)
    twice = len(ways) - len({(cell, rotation) for cell, rotation, _ in ways})
    require(not twice, "placements", f"{twice} placements can be mended by two bridges each")


_RULES: Final = {
    "place": "R-BASE-5",
    "decline": "R-BRIDGE-11",
    "bridge": "R-BRIDGE-22",
    "meeple": "R-BASE-8",
    "castle": "R-CASTLE-2",
    "collect": "R-CASTLE-21",
    "choose": "R-BAZAAR-7",
    "bid": "R-BAZAAR-9",
    "buy": "R-BAZAAR-11",
    "sell": "R-BAZAAR-11",
    "take": "R-BAZAAR-27",
}
"""The rule that says what may be done, by the first word of a move."""


def _rule_of(moves: list[str]) -> str:
    if not moves:
        return ""
    word, _, rest = moves[0].partition(" ")
    return "R-BRIDGE-8" if word == "place" and " bridge " in rest else _RULES.get(word, "")


def _list(moves: list[str]) -> str:
    more = f" and {len(moves) - 4} more" if len(moves) > 4 else ""
    return ", ".join(f"'{text}'" for text in moves[:4]) + more if moves else "nothing"
