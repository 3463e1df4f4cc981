"""What is printed on a tile, and the four ways in which it can lie.

Owns tile types as values. Where they are read from, and how many there are in a game, is the
concern of `carcassonne.tile_files` and `carcassonne.tiles`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ABBEY",
    "CITY",
    "EDGE_KINDS",
    "EMPTY",
    "FEATURE_KINDS",
    "FIELD",
    "RIVER",
    "ROAD",
    "Segment",
    "TileType",
    "Variant",
]

EDGE_KINDS: Final = ("", "field", "road", "city", "river", "abbey")
"""Names of the edge codes; code 0 stands for the edge of an empty cell."""
EMPTY, FIELD, ROAD, CITY, RIVER, ABBEY = range(6)

FEATURE_KINDS: Final = ("road", "city", "cloister", "field", "river")


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of road, city, field, river or a cloister on a tile as it lies.

    Attributes
    ----------
    name : str
        Its name in listings: the first side clockwise from N, or the first half-edge from NL.
    kind : str
        One of `FEATURE_KINDS`.
    names : tuple of str
        All accepted names, `name` first.
    sides : tuple of int
        Sides that a road, city or river covers.
    halves : tuple of int
        Half-edges that a field covers; empty for an inner field.
    castle_base : bool
        Whether the segment can be half of a castle (R-CASTLE-3).
    touches : tuple of str
        Names of the city segments of the same tile that a field adjoins (R-BASE-22).
    openings : int
        Sides (of a field: half-edges) through which the segment can go on.
    """

    name: str
    kind: str
    names: tuple[str, ...]
    sides: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    pennants: int = 0
    inn: bool = False
    cathedral: bool = False
    goods: str = ""
    castle_base: bool = False
    tunnel: bool = False
    touches: tuple[str, ...] = ()
    openings: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "openings", len(self.halves or self.sides))


class Variant:
    """A tile type in one of its four rotations.

    Attributes
    ----------
    edges : tuple of int
        Edge codes (`EDGE_KINDS`) of the sides N, E, S, W.
    segments : tuple of Segment
        In listing order: roads, cities, cloister, fields, rivers.
    at_side, at_half : tuple of (Segment or None)
        The road, city or river at each side; the field at each half-edge.
    by_name : dict
        Every accepted name to its segment.
    free_axes : tuple of bool
        For NS and EW, whether both printed edges are field edges (R-BRIDGE-5).
    """

    __slots__ = ("at_half", "at_side", "by_name", "edges", "free_axes", "rotation", "segments")

    def __init__(self, rotation: int, edges: tuple[int, ...], segments: Iterable[Segment]) -> None:
        self.rotation = rotation
        self.edges = edges
        order = {kind: i for i, kind in enumerate(FEATURE_KINDS)}
        self.segments = tuple(
            sorted(segments, key=lambda s: (order[s.kind], (s.sides or s.halves or (9,))[0]))
        )
        at_side: list[Segment | None] = [None] * 4
        at_half: list[Segment | None] = [None] * 8
        self.by_name: dict[str, Segment] = {}
        for segment in self.segments:
            for side in segment.sides:
                at_side[side] = segment
            for half in segment.halves:
                at_half[half] = segment
            for name in segment.names:
                self.by_name[name] = segment
        self.at_side = tuple(at_side)
        self.at_half = tuple(at_half)
        self.free_axes = tuple(edges[axis] == FIELD and edges[axis + 2] == FIELD for axis in (0, 1))


@dataclass(frozen=True)
class TileType:
    """A kind of tile: its printed facts and its four rotations. Compares by identity of the id."""

    id: str
    letter: str
    count: int
    start: int
    bazaar: bool
    cloister: bool
    in_stack: bool
    set_name: str
    variants: tuple[Variant, ...] = field(repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def memory(self) -> tuple[dict[int, Any], dict[int, Any]]:
        """Answers that boards have worked out for this type by signature; never a ruling.

        Without and with a bridge in hand.
        """
        return ({}, {})

    @cached_property
    def same_as(self) -> tuple[int, ...]:
        """For each rotation the lowest one that looks just the same, as printed."""
        looks = [
            (v.edges, frozenset(Counter(_plain(s) for s in v.segments).items()))
            for v in self.variants
        ]
        return tuple(looks.index(look) for look in looks)

    @cached_property
    def rotations(self) -> tuple[int, ...]:
        """The rotations that look different, lowest of each kind."""
        return tuple(sorted(set(self.same_as)))


def _plain(segment: Segment) -> tuple[object, ...]:
    """A segment without the numbering of inner fields, for comparing looks."""
    return (
        segment.kind, segment.sides, segment.halves, segment.pennants, segment.inn,
        segment.cathedral, segment.goods, segment.castle_base, segment.tunnel,
        frozenset(segment.touches),
    )  # fmt: skip
