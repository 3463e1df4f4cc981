"""Features on the board: a networkx graph of segments, and what its components hold.

Nodes are segments (`Address`), edges join segments of neighbouring tiles; a feature is a
connected component. A record of each component (`Feature`) is kept beside the graph, so that
open ends and meeples need no search; it is a cache of the graph and nothing more. Every change
can be taken back through the journal. Which features score, and what, is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from carcassonne.geometry import reading_order
from carcassonne.moves import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from carcassonne.geometry import Cell
    from carcassonne.tiles import Segment

__all__ = ["Feature", "FeatureGraph", "Journal", "Token"]

Journal = list[tuple["Callable[..., None]", tuple[object, ...]]]
"""What takes each change back: functions with their arguments, newest last."""

Token = tuple[int, Address]
"""A piece on the board: the seat of its owner and the segment it stands on."""


class Feature:
    """A connected component of segments.

    Attributes
    ----------
    kind : str
        road, city, cloister, field or river.
    members : list of Address
        Its segments, bridges included.
    open : int
        Sides (of a field: half-edges) at which the feature can still grow; 0 for a cloister.
    followers, pigs, barns : list of Token
        Pieces on it. The meeple of a castle stands on the city under it.
    """

    __slots__ = ("barns", "followers", "kind", "members", "open", "pigs")

    def __init__(self, kind: str, members: list[Address], open_ends: int) -> None:
        self.kind = kind
        self.members = members
        self.open = open_ends
        self.followers: list[Token] = []
        self.pigs: list[Token] = []
        self.barns: list[Token] = []

    @property
    def cells(self) -> set[Cell]:
        """The cells of its tiles."""
        return {node.cell for node in self.members}

    def majority(self) -> list[int]:
        """Seats with the most followers, lowest seat first; empty if nobody is there (R-BASE-16)."""
        counts: dict[int, int] = {}
        for seat, _ in self.followers:
            counts[seat] = counts.get(seat, 0) + 1
        if not counts:
            return []
        most = max(counts.values())
        return sorted(seat for seat, count in counts.items() if count == most)


class FeatureGraph:
    """The graph and the record of its components."""

    def __init__(self, players: tuple[str, ...], journal: Journal) -> None:
        self.graph: nx.Graph[Address] = nx.Graph()
        self.pieces: dict[Address, Segment] = {}
        self._of: dict[Address, Feature] = {}
        self._players = players
        self._journal = journal

    def copy(self, journal: Journal) -> FeatureGraph:
        """An equal graph that shares nothing that can change."""
        twin = FeatureGraph(self._players, journal)
        twin.pieces = dict(self.pieces)
        twin.graph.add_nodes_from(
            (node, {**data, "meeples": dict(data["meeples"])})
            for node, data in self.graph.nodes(data=True)
        )
        twin.graph.add_edges_from(self.graph.edges)
        for feature in self.all():
            other = Feature(feature.kind, list(feature.members), feature.open)
            other.followers = list(feature.followers)
            other.pigs = list(feature.pigs)
            other.barns = list(feature.barns)
            for node in feature.members:
                twin._of[node] = other
        return twin

    # -------------------------------------------------------------------------- questions

    def __contains__(self, node: Address) -> bool:
        return node in self._of

    def of(self, node: Address) -> Feature:
        """The feature that a segment belongs to."""
        return self._of[node]

    def all(self) -> list[Feature]:
        """Every feature once, in the order in which their first segments were laid."""
        return list({id(f): f for f in self._of.values()}.values())

    def name(self, feature: Feature) -> Address:
        """The segment that names a feature: the first one in its lowest cell (y, then x)."""
        if len(feature.members) == 1:
            return feature.members[0]
        return min(feature.members, key=self._name_key)

    def _name_key(self, node: Address) -> tuple[tuple[int, int], tuple[int, ...]]:
        piece = self.pieces[node]
        return (reading_order(node.cell), piece.sides or piece.halves)

    # -------------------------------------------------------------------------- changes

    def add(self, node: Address, piece: Segment, *, bridge: bool = False) -> None:
        """Add a segment as a feature of its own."""
        self.graph.add_node(
            node,
            cell=node.cell,
            kind=piece.kind,
            segment=node.segment,
            meeples={},
            bridge=bridge,
        )
        self.pieces[node] = piece
        self._of[node] = Feature(piece.kind, [node], piece.openings)
        self._journal.append((self._remove, (node,)))

    def _remove(self, node: Address) -> None:
        self.graph.remove_node(node)
        del self.pieces[node]
        del self._of[node]

    def join(self, a: Address, b: Address) -> None:
        """Join two segments that meet; both lose an open end (R-BASE-9)."""
        one, other = self._of[a], self._of[b]
        fresh = not self.graph.has_edge(a, b)
        if fresh:
            self.graph.add_edge(a, b)
        if one is other:
            one.open -= 2
            self._journal.append((self._unjoin_loop, (a, b, fresh)))
            return
        if len(one.members) < len(other.members):
            one, other = other, one
        kept = (one.open, len(one.members), len(one.followers), len(one.pigs), len(one.barns))
        one.open += other.open - 2
        one.members += other.members
        if other.followers:
            one.followers += other.followers
        if other.pigs or other.barns:
            one.pigs += other.pigs
            one.barns += other.barns
        for node in other.members:
            self._of[node] = one
        self._journal.append((self._unjoin, (a, b, one, other, kept)))

    def _unjoin_loop(self, a: Address, b: Address, fresh: bool) -> None:  # noqa: FBT001
        self._of[a].open += 2
        if fresh:
            self.graph.remove_edge(a, b)

    def _unjoin(
        self, a: Address, b: Address, one: Feature, other: Feature, kept: tuple[int, ...]
    ) -> None:
        self.graph.remove_edge(a, b)
        one.open, members, followers, pigs, barns = kept
        del one.members[members:]
        del one.followers[followers:]
        del one.pigs[pigs:]
        del one.barns[barns:]
        for node in other.members:
            self._of[node] = other

    def close(self, node: Address) -> None:
        """Close one open end without joining anything (an abbey stands there)."""
        self._of[node].open -= 1
        self._journal.append((self._reopen, (node,)))

    def _reopen(self, node: Address) -> None:
        self._of[node].open += 1

    def put(self, node: Address, seat: int) -> None:
        """Put a meeple on a segment."""
        self._of[node].followers.append((seat, node))
        self._count(node, seat, 1)
        self._journal.append((self._lift, (node, seat)))

    def _lift(self, node: Address, seat: int) -> None:
        self._of[node].followers.pop()
        self._count(node, seat, -1)

    def keep_only(self, feature: Feature, kept: list[Token]) -> list[Token]:
        """Take all meeples off a feature but those kept; returns the ones that go home."""
        before = feature.followers
        gone = list(before)
        for token in kept:
            gone.remove(token)
        feature.followers = list(kept)
        for seat, node in gone:
            self._count(node, seat, -1)
        self._journal.append((self._put_back, (feature, before, gone)))
        return gone

    def _put_back(self, feature: Feature, before: list[Token], gone: Iterable[Token]) -> None:
        feature.followers = before
        for seat, node in gone:
            self._count(node, seat, 1)

    def _count(self, node: Address, seat: int, change: int) -> None:
        meeples = self.graph.nodes[node]["meeples"]
        name = self._players[seat]
        meeples[name] = meeples.get(name, 0) + change
        if not meeples[name]:
            del meeples[name]

    def add_animal(self, node: Address, seat: int, *, barn: bool) -> None:
        """Put a pig or a barn on a field (positions only; never taken back)."""
        feature = self._of[node]
        (feature.barns if barn else feature.pigs).append((seat, node))

    def rename(self, node: Address, kind: str) -> None:
        """Change what the graph calls a segment: a city under a castle is a castle."""
        data = self.graph.nodes[node]
        self._journal.append((self._rename_back, (node, data["kind"])))
        data["kind"] = kind

    def _rename_back(self, node: Address, kind: str) -> None:
        self.graph.nodes[node]["kind"] = kind
