"""What the tiles left can still do: exact counts, and exact chances as fractions.

The tiles left are those in the stack, whose order nobody knows, and those in hand: the tile to be
placed and the bazaar's. For each open cell it is counted how many of them fit there as the board
lies. For a feature the question is whether it can be completed *directly*: one tile into each
cell that it needs (a road's or city's open ends, the empty cells around a cloister), all of them
together leaving no open end. The chance of that within the next K draws is the share of the
sets of K tiles from the stack that, together with the tiles in hand, hold such a tile for every
cell, each tile used once. It says nothing of who draws them and whether anybody wants to lay them
there, and it leaves out longer ways: growing first and being completed later.

The model answers what fits and what is complete; this module only counts.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from carcassonne.errors import CarcassonneError
from carcassonne.geometry import (
    SIDES,
    Cell,
    cell_text,
    neighbour,
    opposite,
    reading_order,
    surrounding,
)
from carcassonne.tiles import EDGE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.model.game import Game
    from carcassonne.moves import Address, Place
    from carcassonne.views import FeatureView

__all__ = [
    "CellOdds",
    "FeatureOdds",
    "PositionOdds",
    "TileCount",
    "dead_cells",
    "feature_odds",
    "open_ends",
    "position_odds",
    "tiles_left",
]

_MOST_CELLS: Final = 8
_MOST_STEPS: Final = 8_000
"""So many placements are tried before the ways to complete a feature are called too many."""
_MOST_WORK: Final = 400_000
"""So many wants are looked at before counting is given up."""
_FEW_WANTS: Final = 150


class TileCount(msgspec.Struct, frozen=True):
    """How many tiles of a type are left: in the stack, and in somebody's hand or on offer."""

    tile: str
    stack: int
    in_hand: int


class CellOdds(msgspec.Struct, frozen=True):
    """An open cell and the tiles left that fit there, in any rotation.

    Attributes
    ----------
    edges : dict
        The kind of edge that meets the cell, by the side of the cell.
    fit, fit_with_bridge : int
        Tiles that fit as the board lies; those too that fit with one bridge, as for a player who
        has one.
    types : dict
        The tiles that fit without a bridge, by id.
    """

    cell: str
    edges: dict[str, str]
    fit: int
    fit_with_bridge: int
    types: dict[str, int]

    @property
    def dead(self) -> bool:
        """Whether nothing that is left fits, not even with a bridge."""
        return self.fit_with_bridge == 0


class PositionOdds(msgspec.Struct, frozen=True):
    """The tiles left and the open cells; `bridges` says who has how many bridges."""

    stack: int
    tiles: tuple[TileCount, ...]
    cells: tuple[CellOdds, ...]
    bridges: dict[str, int]


class FeatureOdds(msgspec.Struct, frozen=True):
    """Whether a feature can still be completed, and how likely that is.

    Attributes
    ----------
    needs : dict
        The cells that it needs, each with the number of tiles left that can lie there in some way
        of completing it directly (None where that was not counted). If a cell is dead, no way
        completes it: then each has the number of tiles that fit there by itself.
    dead : tuple of str
        Cells that it needs and where nothing that is left fits, not even with a bridge: it can't
        be completed any more.
    counted : bool
        Whether the ways were few enough to count; if not, there are no chances.
    chances : tuple of Fraction
        For 0, 1, 2, ... draws up to the whole stack: the chance that the tiles for completing it
        directly are there.
    with_bridges : bool
        Whether bridges were allowed.
    """

    at: str
    kind: str
    complete: bool
    needs: dict[str, int | None] = {}
    dead: tuple[str, ...] = ()
    counted: bool = True
    chances: tuple[Fraction, ...] = ()
    with_bridges: bool = False

    def chance(self, draws: int) -> Fraction | None:
        """The chance within so many draws; None where it was not counted."""
        return self.chances[min(draws, len(self.chances) - 1)] if self.chances else None


# ------------------------------------------------------------------------------ tiles and cells


def tiles_left(game: Game) -> list[TileCount]:
    """The tiles left by type, in the order of the tile sets."""
    stack, hand = game.unseen, _in_hand(game)
    return [
        TileCount(name, stack.get(name, 0), hand[name])
        for name in game.box.types
        if name in stack or name in hand
    ]


def _in_hand(game: Game) -> Counter[str]:
    drawn = [game.drawn] if game.drawn else []
    return Counter([*drawn, *game.on_offer, *game.hands.values()])


def position_odds(game: Game) -> PositionOdds:
    """The tiles left, and for each open cell how many of them fit (R-BASE-5, R-BRIDGE-8)."""
    left = tiles_left(game)
    bare = {count.tile: {place.cell for place in game.fits(count.tile)} for count in left}
    some = _has_bridges(game)
    bridged = {
        count.tile: {place.cell for place in game.fits(count.tile, with_bridge=some)}
        for count in left
    }
    cells = []
    for cell in sorted(game.open_cells(), key=reading_order):
        types = {c.tile: c.stack + c.in_hand for c in left if cell in bare[c.tile]}
        more = sum(c.stack + c.in_hand for c in left if cell in bridged[c.tile])
        cells.append(
            CellOdds(cell_text(cell), _edges_around(game, cell), sum(types.values()), more, types)
        )
    bridges = {name: pieces["bridges"] for name, pieces in game.supply.items()}
    return PositionOdds(game.stack_left, tuple(left), tuple(cells), bridges)


def _edges_around(game: Game, cell: Cell) -> dict[str, str]:
    found = {}
    for side in range(4):
        beyond = game.tiles.get(neighbour(cell, side))
        if beyond is not None:
            found[SIDES[side]] = EDGE_KINDS[beyond.edges[opposite(side)]]
    return found


def _has_bridges(game: Game) -> bool:
    """Whether anybody has a bridge left."""
    return any(pieces["bridges"] for pieces in game.supply.values())


def dead_cells(game: Game) -> set[Cell]:
    """The open cells where nothing that is left fits, not even with a bridge of anybody's."""
    some = _has_bridges(game)
    alive = {
        place.cell
        for count in tiles_left(game)
        for place in game.fits(count.tile, with_bridge=some)
    }
    return set(game.open_cells()) - alive


def open_ends(game: Game, feature: FeatureView) -> list[Cell]:
    """The empty cells that a feature needs or could grow into, each once, in reading order."""
    tiles = game.tiles
    if feature.kind == "cloister":
        return [cell for cell in surrounding(feature.at.cell) if cell not in tiles]
    found = set()
    for node in feature.segments:
        laid = tiles[node.cell]
        for side in range(4):
            beyond = neighbour(node.cell, side)
            if beyond in tiles:
                continue
            if feature.kind == "field":
                meets = node in (laid.at_half(2 * side), laid.at_half(2 * side + 1))
            else:
                meets = laid.at_side(side) == node
            if meets:
                found.add(beyond)
    return sorted(found, key=reading_order)


# ------------------------------------------------------------------------------ features


class _TooManyError(Exception):
    """There are more ways than are worth counting."""


def feature_odds(game: Game, at: Address | str, *, bridges: bool = False) -> FeatureOdds:
    """Whether and how likely a road, city or cloister can be completed directly.

    Parameters
    ----------
    bridges
        Allow placements that need a bridge, altogether as many as all players have left.

    Raises
    ------
    CarcassonneError
        There is no such segment, or it is no road, city or cloister.
    """
    view = game.feature(at)
    if view.kind not in ("road", "city", "cloister"):
        raise CarcassonneError(
            f"{view.at} is a {view.kind}; only roads, cities and cloisters are completed"
        )
    odds = FeatureOdds(str(view.at), view.kind, view.complete, with_bridges=bridges)
    never, surely = (
        tuple(Fraction(chance) for _ in range(game.stack_left + 1)) for chance in (0, 1)
    )
    if view.complete:
        return replace(odds, chances=surely)
    cells = open_ends(game, view)
    dead = dead_cells(game)
    hopeless = tuple(cell_text(cell) for cell in cells if cell in dead)
    if hopeless:
        fitting = _fitting(game, cells, bridges=bridges and _has_bridges(game))
        return replace(odds, needs=fitting, dead=hopeless, chances=never)
    try:
        ways = _ways(game, view, cells, bridges=bridges)
        chances = _chances(game, ways)
    except _TooManyError:
        return replace(odds, needs=dict.fromkeys(map(cell_text, cells)), counted=False)
    needs: dict[str, int | None] = {}
    for i, cell in enumerate(cells):
        kinds = {kind for way in ways for kind in way[i]}
        counts = (c.stack + c.in_hand for c in tiles_left(game) if c.tile in kinds)
        needs[cell_text(cell)] = sum(counts)
    return replace(odds, needs=needs, chances=chances)


def _fitting(game: Game, cells: Iterable[Cell], *, bridges: bool) -> dict[str, int | None]:
    """How many tiles left fit on each cell by itself; None where no tile lies beside it yet."""
    open_cells = set(game.open_cells())
    left = tiles_left(game)
    found: dict[str, int | None] = {}
    for cell in cells:
        fit = [c for c in left if game.fits(c.tile, with_bridge=bridges, cell=cell)]
        number = sum(c.stack + c.in_hand for c in fit)
        found[cell_text(cell)] = number if cell in open_cells else None
    return found


_Way = tuple[frozenset[str], ...]
"""A way to complete a feature: for each cell that it needs, the tiles that can lie there so."""


class _Search:
    """Lays tiles into the needed cells, one after the other, in all ways that differ."""

    def __init__(self, game: Game, view: FeatureView, cells: Sequence[Cell], bridges: int) -> None:
        self.game = game
        self.view = view
        self.cells = list(cells)
        self.bridges = bridges
        self.with_bridges = bridges > 0
        self.types = [count.tile for count in tiles_left(game)]
        self.steps = 0
        self.found: set[_Way] = set()

    def run(self, chosen: dict[Cell, frozenset[str]]) -> None:
        """Fill the next cell that touches a tile, in every way that looks different from here."""
        if len(chosen) == len(self.cells):
            if self.game.feature(self.view.at).complete:
                self.found.add(tuple(chosen[cell] for cell in self.cells))
            return
        open_cells = set(self.game.open_cells())
        cell = next(c for c in self.cells if c not in chosen and c in open_cells)
        for place, kinds in self._options(cell):
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise _TooManyError
            self.bridges -= place.bridge is not None
            with self.game.supposing(place):
                if self.bridges >= 0 and self._stays_inside():
                    self.run({**chosen, cell: frozenset(kinds)})
            self.bridges += place.bridge is not None

    def _stays_inside(self) -> bool:
        """Whether the feature still needs none but the given cells."""
        if self.view.kind == "cloister":
            return True
        view = self.game.feature(self.view.at)
        return set(open_ends(self.game, view)) <= set(self.cells)

    def _options(self, cell: Cell) -> Iterator[tuple[Place, list[str]]]:
        """The ways to fill a cell: one placement for all that are the same to the feature."""
        groups: dict[object, tuple[Place, list[str]]] = {}
        for name in self.types:
            for place in self.game.fits(name, cell=cell, with_bridge=self.bridges > 0):
                _, kinds = groups.setdefault(self._look(place), (place, []))
                if name not in kinds:
                    kinds.append(name)
        yield from groups.values()

    def _look(self, place: Place) -> object:
        """What of a placement matters: edges towards other needed cells, and what joins what."""
        variant = self.game.box.types[place.tile].variants[place.rotation]
        inner = tuple(
            variant.edges[side] if neighbour(place.cell, side) in self.cells else 0
            for side in range(4)
        )
        joined = tuple(
            piece.name if piece is not None and piece.kind == self.view.kind else ""
            for piece in variant.at_side
        )
        edges = variant.edges if self.with_bridges else ()
        return (inner, joined, place.bridge, edges)


def _ways(game: Game, view: FeatureView, cells: Sequence[Cell], *, bridges: bool) -> list[_Way]:
    """Every way to complete a feature with one tile into each cell.

    Raises
    ------
    _TooManyError
        There are too many.
    """
    if len(cells) > _MOST_CELLS:
        raise _TooManyError
    most = sum(pieces["bridges"] for pieces in game.supply.values()) if bridges else 0
    search = _Search(game, view, cells, most)
    search.run({})
    return sorted(search.found, key=lambda way: [sorted(kinds) for kinds in way])


# ------------------------------------------------------------------------------ counting

_Wants = frozenset[tuple[int, ...]]
"""Alternatives: each says how many tiles of which classes are still wanted, as a sorted tuple."""


def _chances(game: Game, ways: Sequence[_Way]) -> tuple[Fraction, ...]:
    """The chance for 0, 1, 2, ... draws that some way's tiles are all there.

    Tiles that serve the same cells in the same ways are one class. The classes are gone through
    one by one, and for each the number of tiles drawn of it; what is still wanted then is all
    that matters of what was drawn before. `counts[wants][k]` is in how many sets of k tiles
    exactly those wants are left.
    """
    classes = _classes(ways)
    stack, hand = game.unseen, _in_hand(game)
    number = {kind: i for i, kinds in enumerate(classes) for kind in kinds}
    wants = _wanted(ways, number)
    for kind, count in hand.items():
        if kind in number:
            wants = _less(wants, number[kind], count)
    sizes = [sum(stack.get(kind, 0) for kind in kinds) for kinds in classes]
    total = game.stack_left
    counts: dict[_Wants, list[int]] = {wants: [1]}
    work = 0
    for i, size in enumerate(sizes):
        after: dict[_Wants, list[int]] = {}
        for left, numbers in counts.items():
            work += len(left) * (size + 1)
            if work > _MOST_WORK:
                raise _TooManyError
            for drawn in range(size + 1):
                rest = _minimal(_settled(left, i, drawn))
                _add(after.setdefault(rest, []), numbers, drawn, comb(size, drawn))
        counts = after
    good = counts.get(_DONE, [])
    others = total - sum(sizes)
    favourable = [
        sum(good[k - j] * comb(others, j) for j in range(k + 1) if 0 <= k - j < len(good))
        for k in range(total + 1)
    ]
    return tuple(Fraction(favourable[k], comb(total, k)) for k in range(total + 1))


_DONE: Final[_Wants] = frozenset([()])


def _classes(ways: Sequence[_Way]) -> list[list[str]]:
    """The tiles that take part, in groups that are interchangeable."""
    groups = sorted({kinds for way in ways for kinds in way}, key=sorted)
    found: dict[tuple[int, ...], list[str]] = {}
    for kind in sorted({kind for kinds in groups for kind in kinds}):
        member = tuple(i for i, kinds in enumerate(groups) if kind in kinds)
        found.setdefault(member, []).append(kind)
    return list(found.values())


def _wanted(ways: Iterable[_Way], number: dict[str, int]) -> _Wants:
    found: set[tuple[int, ...]] = set()
    for way in ways:
        choices = [sorted({number[kind] for kind in kinds}) for kinds in way]
        for choice in product(*choices):
            found.add(tuple(sorted(choice)))
            if len(found) > _MOST_STEPS:
                raise _TooManyError
    return frozenset(found)


def _less(wants: _Wants, which: int, count: int) -> _Wants:
    """What is wanted when some tiles of a class are there already."""
    found = set()
    for want in wants:
        rest = list(want)
        for _ in range(min(count, want.count(which))):
            rest.remove(which)
        found.add(tuple(rest))
    return frozenset(found)


def _settled(wants: _Wants, which: int, drawn: int) -> _Wants:
    """What is wanted of later classes when exactly so many of a class are drawn."""
    return frozenset(
        tuple(one for one in want if one != which) for want in wants if want.count(which) <= drawn
    )


def _minimal(wants: _Wants) -> _Wants:
    """The wants without those that contain another one, where they are few; only for speed."""
    if () in wants:
        return _DONE
    if len(wants) > _FEW_WANTS:
        return wants
    kept: list[tuple[tuple[int, ...], Counter[int]]] = []
    for want in sorted(wants, key=len):
        counter = Counter(want)
        if not any(other <= counter for _, other in kept if other.total() < len(want)):
            kept.append((want, counter))
    return frozenset(want for want, _ in kept)


def _add(sums: list[int], numbers: Sequence[int], shift: int, factor: int) -> None:
    """Add a multiple of a polynomial, shifted."""
    sums.extend([0] * (len(numbers) + shift - len(sums)))
    for k, number in enumerate(numbers):
        sums[k + shift] += factor * number
