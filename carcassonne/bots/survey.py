"""What laying a tile somewhere would do to everybody: a look ahead without playing.

A survey reads the game once, as every player may (tiles, features, supplies, how many tiles are
left, never their order), and then estimates placements by putting the features together that
would meet. That is some ten times faster than playing and taking back, and reveals nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.outlook import Known, Outlook
from carcassonne.geometry import AXIS_SIDES, DELTAS, SURROUNDING, facing_half
from carcassonne.moves import Address
from carcassonne.tiles import ABBEY, EMPTY, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.moves import BridgePlace
    from carcassonne.tiles import TileType, Variant

__all__ = ["Effect", "Option", "Survey", "weights"]


class Option(NamedTuple):
    """A place for a meeple: the points it will probably bring, and for how long it is gone."""

    worth: float
    lock: float


class Effect(NamedTuple):
    """What a placement changes: points by seat without a new meeple, and places for a meeple."""

    gains: list[float]
    options: list[Option]


class _Frame(NamedTuple):
    """What an open cell meets: edges, road or city at each side, field at each half-edge."""

    edges: tuple[int, ...]
    sides: list[Known | None]
    halves: list[Known | None]
    around: int
    cloisters: list[Known]


class _Group:
    """Segments of the new tile and the features beside it that would become one."""

    __slots__ = ("known", "matched", "segments")

    def __init__(self, segment: Segment, known: set[Known], matched: int) -> None:
        self.segments = [segment]
        self.known = known
        self.matched = matched


_NO_COUNTS: Final[dict[int, int]] = {}
_BRIDGES: Final = tuple(
    Segment(name, "road", (name,), sides)
    for name, sides in zip(("road.N", "road.E"), AXIS_SIDES, strict=True)
)
"""The road that a bridge adds to the tile under it, by axis."""


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

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = game.players
        self.seats = {name: seat for seat, name in enumerate(game.players)}
        self.tiles = game.tiles
        self.rules = game.rules
        self.outlook = Outlook(game.rules, game.stack_left, len(game.players))
        self.scores = list(game.scores.values())
        self.supply = game.supply
        self.castles = [castle for castle in game.castles if castle.occupied and castle.owner]
        self._known: dict[Address, Known] = {}
        self._frames: dict[Cell, _Frame] = {}
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
            else _NO_COUNTS
        )
        found = Known(
            view.kind, view.cells, view.open, view.points, view.pennants, counts, view.segments
        )
        outlook = self.outlook
        if view.kind in ("road", "city"):
            if self.rules.inns_enabled:
                found.doubled = self._is_doubled(view.segments)
            if view.kind == "city" and len(view.segments) == 1:
                piece = self.tiles[at.cell].variant.by_name[at.segment]
                found.cap = piece.castle_base
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

    def frame(self, cell: Cell) -> _Frame:
        """What an open cell meets."""
        found = self._frames.get(cell)
        if found is None:
            found = self._frames[cell] = self._look(cell)
        return found

    def _look(self, cell: Cell) -> _Frame:
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
            line = beside.at_side[side ^ 2]
            if line is not None:
                sides[side] = self.known(line)
            if farmers:
                for half in (2 * side, 2 * side + 1):
                    field = beside.at_half[facing_half(half)]
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
        return _Frame(tuple(edges), sides, halves, around, cloisters)

    def _all_cloisters(self) -> dict[Cell, Known]:
        if self._cloisters is None:
            self._cloisters = {}
            for cell, laid in self.tiles.items():
                if laid.tile.cloister:
                    found = self.known(Address(cell, "cloister"))
                    if found.open and (found.counts or self.castles):
                        self._cloisters[cell] = found
        return self._cloisters

    # -------------------------------------------------------------------------- placements

    def fits(self, tile: TileType) -> Iterator[tuple[Cell, int]]:
        """Cells and rotations where a tile would fit without a bridge."""
        for cell in self.game.open_cells():
            facing = self.frame(cell).edges
            for rotation in tile.rotations:
                edges = tile.variants[rotation].edges
                if all(
                    there in (EMPTY, here, ABBEY) or here == ABBEY
                    for here, there in zip(edges, facing, strict=True)
                ):
                    yield cell, rotation

    # -------------------------------------------------------------------------- worth

    def value(self, effect: Effect, seat: int, weight: list[float]) -> float:
        """What an effect is worth to a seat: differences of points, the best meeple included."""
        total = 0.0
        for gain, share in zip(effect.gains, weight, strict=True):
            if gain:
                total += gain * share
        return total + self.best_option(effect.options, seat)

    def best_option(self, options: list[Option], seat: int) -> float:
        """What the best place for a meeple is worth to a seat; 0 if it keeps its meeple."""
        in_supply = self.supply[self.players[seat]]["meeples"]
        if not in_supply:
            return 0.0
        cost = self.outlook.meeple_cost(in_supply)
        return max((worth - cost * lock for worth, lock in options), default=0.0)

    def option(self, there: Known) -> Option:
        """What a meeple on a free feature of the board as it lies will bring."""
        worth = there.worth
        small = there.kind == "city" and not there.open and len(there.segments) == 2
        if small and len(there.cells) == 2 and self._are_caps(there.segments):
            worth = max(worth, self.castle_worth(there.cells) - 1.0)
        return Option(worth, self.outlook.lock(there.kind, there.open))

    def _are_caps(self, segments: tuple[Address, ...]) -> bool:
        return all(
            self.tiles[node.cell].variant.by_name[node.segment].castle_base for node in segments
        )

    def castle_worth(self, cells: tuple[Cell, ...]) -> float:
        """What a castle built on two cells will probably get: from the likeliest feature on."""
        outlook = self.outlook
        found: set[Known] = set()
        free = 0
        for cell in castles_cells(cells):
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
        likely += [(0.4 * outlook.hope("road", 1), 4.0)] * free
        total, waiting = 0.0, 1.0
        for hope, points in sorted(likely, reverse=True):
            total += waiting * hope * points
            waiting *= 1.0 - hope
        return total

    def _full(self, there: Known) -> float:
        if there.kind == "cloister":
            return 9.0
        tiles = len(there.cells) + (there.open + 1) // 2
        return self.outlook.complete(there.kind, tiles, there.pennants, doubled=there.doubled)


def castles_cells(cells: tuple[Cell, ...]) -> set[Cell]:
    """The six cells around a castle on two cells (R-CASTLE-13)."""
    first, second = sorted(cells)
    sides = (0, 2) if first[1] == second[1] else (1, 3)
    return {
        *cells, *((x + DELTAS[side][0], y + DELTAS[side][1]) for x, y in cells for side in sides),
    }  # fmt: skip
