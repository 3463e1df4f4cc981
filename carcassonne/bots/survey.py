"""The table as a bot sees it at one decision, with what the features there will probably be worth.

A survey reads what every player may read: tiles, features, supplies, how many tiles are left,
never their order. It asks the game about a feature once and remembers the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.outlook import Known, Outlook
from carcassonne.bots.sight import placements
from carcassonne.geometry import AXIS_SIDES, DELTAS, SURROUNDING, facing_half, neighbour
from carcassonne.moves import Address
from carcassonne.tiles import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from carcassonne.bots.base import AnyGame
    from carcassonne.geometry import Cell
    from carcassonne.tiles import TileType

__all__ = ["NO_COUNTS", "Frame", "Survey", "castle_cells", "weights"]


class Frame(NamedTuple):
    """What an open cell meets: edges, road or city at each side, field at each half-edge."""

    edges: tuple[int, ...]
    sides: list[Known | None]
    halves: list[Known | None]
    around: int
    cloisters: list[Known]


NO_COUNTS: Final[dict[int, int]] = {}


def weights(scores: list[int], seat: int) -> list[float]:
    """How much a point of each player counts for a seat: 1 for its own, -1 for all rivals together.

    With several rivals, half of that is spread evenly and half is for whoever leads them.
    """
    rivals = [other for other in range(len(scores)) if other != seat]
    result = [0.0] * len(scores)
    result[seat] = 1.0
    if rivals:
        best = max(scores[other] for other in rivals)
        leaders = [other for other in rivals if scores[other] == best]
        for other in rivals:
            result[other] = -0.5 / len(rivals)
        for other in leaders:
            result[other] -= 0.5 / len(leaders)
    return result


class Survey:
    """A game as it looks at one decision."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.players = game.players
        self.seats = {name: seat for seat, name in enumerate(game.players)}
        self.tiles = placements(game)
        self.rules = game.rules
        self.outlook = Outlook(game.rules, game.stack_left, len(game.players))
        self.scores = list(game.scores.values())
        self.supply = game.supply
        self.meeple_costs = [
            self.outlook.meeple_cost(self.supply[name]["meeples"])
            if self.supply[name]["meeples"]
            else None
            for name in self.players
        ]
        self.castles = [castle for castle in game.castles if castle.occupied and castle.owner]
        self._known: dict[Address, Known] = {}
        self._frames: dict[Cell, Frame] = {}
        self._cloisters: dict[Cell, Known] | None = None

    # -------------------------------------------------------------------------- what lies there

    def known(self, at: Address) -> Known:
        """The feature of a segment."""
        found = self._known.get(at)
        if found is None:
            found = self._ask(at)
            for segment in found.segments:
                self._known[segment] = found
        return found

    def _ask(self, at: Address) -> Known:
        view = self.game.feature(at)
        counts = (
            {self.seats[name]: count for name, count in view.meeples.items()}
            if view.meeples
            else NO_COUNTS
        )
        found = Known(view.kind, view.cells, view.open)
        found.points, found.pennants = view.points, view.pennants
        found.counts, found.segments = counts, view.segments
        outlook = self.outlook
        if view.kind in ("road", "city"):
            if self.rules.inns_enabled:
                found.doubled = self._is_doubled(view.segments)
            if view.kind == "city" and len(view.segments) == 1:
                (node,) = view.segments
                found.cap = self.tiles[node.cell].variant.by_name[node.segment].castle_base
            found.worth = (
                float(view.points)
                if view.complete
                else outlook.feature(
                    view.kind, view.tiles, view.pennants, view.open, doubled=found.doubled
                )
            )
        elif view.kind == "cloister":
            found.worth = outlook.cloister(8 - view.open)
        elif view.kind == "field" and self.rules.farmers:
            found.worth = view.points + (outlook.field_growth() if view.open else 0.0)
        return found

    def _is_doubled(self, segments: tuple[Address, ...]) -> bool:
        for node in segments:
            piece = self.tiles[node.cell].variant.by_name.get(node.segment)
            if piece is not None and (piece.inn or piece.cathedral):
                return True
        return False

    def frame(self, cell: Cell) -> Frame:
        """What an open cell meets."""
        found = self._frames.get(cell)
        if found is None:
            found = self._frames[cell] = self._look(cell)
        return found

    def _look(self, cell: Cell) -> Frame:
        x, y = cell
        tiles = self.tiles
        edges = [EMPTY] * 4
        sides: list[Known | None] = [None] * 4
        halves: list[Known | None] = [None] * 8
        farmers = self.rules.farmers
        for side, (dx, dy) in enumerate(DELTAS):
            beside = tiles.get((x + dx, y + dy))
            if beside is None:
                continue
            edges[side] = beside.edges[side ^ 2]
            line = beside.at_side(side ^ 2)
            if line is not None:
                sides[side] = self.known(line)
            if farmers:
                for half in (2 * side, 2 * side + 1):
                    field = beside.at_half(facing_half(half))
                    if field is not None:
                        halves[half] = self.known(field)
        around = 0
        cloisters = []
        places = self._all_cloisters()
        for dx, dy in SURROUNDING:
            near = (x + dx, y + dy)
            if near in tiles:
                around += 1
                if near in places:
                    cloisters.append(places[near])
        return Frame(tuple(edges), sides, halves, around, cloisters)

    def _all_cloisters(self) -> dict[Cell, Known]:
        if self._cloisters is None:
            self._cloisters = {}
            for cell, laid in self.tiles.items():
                if laid.tile.cloister:
                    found = self.known(Address(cell, "cloister"))
                    if found.open and (found.counts or self.castles):
                        self._cloisters[cell] = found
        return self._cloisters

    def is_small_city(self, there: Known) -> bool:
        """Whether a feature could become a castle, meeples aside (R-CASTLE-2, R-CASTLE-3)."""
        return (
            there.kind == "city"
            and not there.open
            and len(there.segments) == len(there.cells) == 2
            and all(
                self.tiles[node.cell].variant.by_name[node.segment].castle_base
                for node in there.segments
            )
        )

    def fits(self, tile: TileType) -> Iterator[tuple[Cell, int]]:
        """Cells and rotations where a tile would fit without a bridge."""
        for move in self.game.fits(tile.id):
            yield move.cell, move.rotation

    # -------------------------------------------------------------------------- worth

    def castle_worth(self, cells: tuple[Cell, ...]) -> float:
        """What a castle built on two cells will probably get: from the likeliest feature on."""
        outlook = self.outlook
        found: set[Known] = set()
        free = 0
        for cell in castle_cells(cells):
            laid = self.tiles.get(cell)
            if laid is None:
                free += 1
                continue
            for node in laid.nodes.values():
                if not node.segment.startswith("field"):
                    there = self.known(node)
                    if there.open and there.kind in ("road", "city", "cloister"):
                        found.add(there)
        likely = [(outlook.hope(there.kind, there.open), self._full(there)) for there in found]
        likely += [(0.5 * outlook.hope("road", 1), 5.0)] * free
        total, waiting = 0.0, 1.0
        for hope, points in sorted(likely, reverse=True):
            total += waiting * hope * points
            waiting *= 1.0 - hope
        return total

    def _full(self, there: Known) -> float:
        if there.kind == "cloister":
            return 9.0
        tiles = len(there.cells) + there.open
        return self.outlook.complete(there.kind, tiles, there.pennants, doubled=there.doubled)


def castle_cells(cells: tuple[Cell, ...]) -> set[Cell]:
    """The six cells around a castle on two cells (R-CASTLE-13)."""
    first, second = sorted(cells)
    sides = AXIS_SIDES[0] if first[1] == second[1] else AXIS_SIDES[1]
    return {*cells, *(neighbour(cell, side) for cell in cells for side in sides)}
