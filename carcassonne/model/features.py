"""Features on the board: a networkx graph of segments, and what its components hold.

Nodes are segments (`Address`), edges join segments of neighbouring tiles; a feature is a
connected component. A record of each component (`Feature`) is kept beside the graph, so that
open ends and meeples need no search; it is a cache of the graph and nothing more. Every change
can be taken back through the journal. Which features score, and what, is not decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

import networkx as nx

from carcassonne.geometry import reading_order
from carcassonne.moves import Address

if TYPE_CHECKING:
    from carcassonne.geometry import Cell
    from carcassonne.tiles import Segment

__all__ = ["Feature", "FeatureGraph", "Journal", "Token"]

Token = tuple[int, Address]
"""A piece on the board: the seat of its owner and the segment it stands on."""

Journal = list[tuple[Any, ...]]
"""What takes each change back, newest last: a function and its arguments after the board.

Entries hold no board themselves, so that a game holds no circle of references.
"""

_NOBODY: Final[MappingProxyType[str, int]] = MappingProxyType({})
_NOTHING: Final[MappingProxyType[str, Any]] = MappingProxyType({})


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
    followers, pigs, barns : tuple of Token
        Pieces on it. The meeple of a castle stands on the city under it.
    """

    __slots__ = ("barns", "followers", "kind", "members", "open", "pigs")

    def __init__(self, kind: str, members: list[Address], open_ends: int) -> None:
        self.kind = kind
        self.members = members
        self.open = open_ends
        self.followers: tuple[Token, ...] = ()
        self.pigs: tuple[Token, ...] = ()
        self.barns: tuple[Token, ...] = ()

    @property
    def cells(self) -> set[Cell]:
        """The cells of its tiles."""
        return {node.cell for node in self.members}

    def majority(self) -> list[int]:
        """Seats with the most followers, lowest first; empty if nobody is there (R-BASE-16)."""
        counts: dict[int, int] = {}
        for seat, _ in self.followers:
            counts[seat] = counts.get(seat, 0) + 1
        if not counts:
            return []
        most = max(counts.values())
        return sorted(seat for seat, count in counts.items() if count == most)


class _ReadOnlyNodes(Mapping[Address, Mapping[str, Any]]):
    """The attributes of a graph's nodes, to be read only."""

    def __init__(self, nodes: dict[Address, dict[str, Any]]) -> None:
        self._nodes = nodes

    def __getitem__(self, node: Address) -> Mapping[str, Any]:
        return MappingProxyType(self._nodes[node])

    def __iter__(self) -> Iterator[Address]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


class SegmentGraph(nx.Graph):  # type: ignore[type-arg]  # nx.Graph takes no parameters at run time
    """A graph whose nodes and edges are added one by one without networkx's general checks.

    Both methods do what `add_node` and `add_edge` do for a new node or edge, and forget what
    networkx may have cached of the graph.
    """

    _node: dict[Address, dict[str, Any]]
    _adj: dict[Address, dict[Address, MappingProxyType[str, Any]]]
    __networkx_cache__: dict[str, Any]

    def add_segment(self, node: Address, attributes: dict[str, Any]) -> None:
        """Add a node that is not there yet."""
        self._node[node] = attributes
        self._adj[node] = {}
        self.__networkx_cache__.clear()

    def read_only(self) -> nx.Graph[Address]:
        """A live view through which nothing can be changed, attributes included."""
        view: Any = self.copy(as_view=True)
        view._node = _ReadOnlyNodes(self._node)  # noqa: SLF001 - of a graph of this very class
        frozen: nx.Graph[Address] = view
        return frozen

    def add_joint(self, a: Address, b: Address) -> bool:
        """Add an edge between two nodes; False if it is there already."""
        neighbours = self._adj[a]
        if b in neighbours:
            return False
        neighbours[b] = self._adj[b][a] = _NOTHING
        self.__networkx_cache__.clear()
        return True


class FeatureGraph:
    """The graph and the record of its components."""

    def __init__(self, players: tuple[str, ...], journal: Journal) -> None:
        self.graph = SegmentGraph()
        self.pieces: dict[Address, Segment] = {}
        self._of: dict[Address, Feature] = {}
        self._players = players
        self._journal = journal

    def copy(self, journal: Journal) -> FeatureGraph:
        """An equal graph that shares nothing that can change."""
        twin = FeatureGraph(self._players, journal)
        twin.pieces = dict(self.pieces)
        for node, data in self.graph.nodes(data=True):
            twin.graph.add_segment(node, data.copy())
        for a, b in self.graph.edges:
            twin.graph.add_joint(a, b)
        for feature in self.all():
            other = Feature(feature.kind, list(feature.members), feature.open)
            other.followers, other.pigs = feature.followers, feature.pigs
            other.barns = feature.barns
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
        self.graph.add_segment(
            node,
            {
                "cell": node.cell,
                "kind": piece.kind,
                "segment": piece.name,
                "meeples": _NOBODY,
                "bridge": bridge,
            },
        )
        self.pieces[node] = piece
        self._of[node] = Feature(piece.kind, [node], piece.openings)
        self._journal.append((_remove, node))

    def remove(self, node: Address) -> None:
        """Remove a segment that stands alone."""
        self.graph.remove_node(node)
        del self.pieces[node]
        del self._of[node]

    def join(self, a: Address, b: Address) -> None:
        """Join two segments that meet; both lose an open end (R-BASE-9)."""
        one, other = self._of[a], self._of[b]
        fresh = self.graph.add_joint(a, b)
        if one is other:
            one.open -= 2
            self._journal.append((_unjoin_loop, a, b, fresh))
            return
        if len(one.members) < len(other.members):
            one, other = other, one
        before = (one.open, len(one.members), one.followers, one.pigs, one.barns)
        self._journal.append((_unjoin, a, b, one, other, before))
        one.open += other.open - 2
        one.members += other.members
        if other.followers:
            one.followers += other.followers
        if other.pigs or other.barns:
            one.pigs += other.pigs
            one.barns += other.barns
        for node in other.members:
            self._of[node] = one

    def unjoin(
        self,
        a: Address,
        b: Address,
        one: Feature,
        other: Feature,
        before: tuple[int, int, tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]],
    ) -> None:
        """Take back a join of two features."""
        self.graph.remove_edge(a, b)
        one.open, size, one.followers, one.pigs, one.barns = before
        del one.members[size:]
        for node in other.members:
            self._of[node] = other

    def close(self, node: Address) -> None:
        """Close one open end without joining anything (an abbey stands there)."""
        self._of[node].open -= 1
        self._journal.append((_reopen, node))

    def put(self, node: Address, seat: int) -> None:
        """Put a meeple on a segment."""
        feature = self._of[node]
        self._journal.append((_put_back, feature, feature.followers))
        self.set_followers(feature, (*feature.followers, (seat, node)))

    def keep_only(self, feature: Feature, kept: tuple[Token, ...]) -> list[Token]:
        """Take all meeples off a feature but those kept; returns the ones that go home."""
        gone = list(feature.followers)
        for token in kept:
            gone.remove(token)
        if gone:
            self._journal.append((_put_back, feature, feature.followers))
            self.set_followers(feature, kept)
        return gone

    def set_followers(self, feature: Feature, followers: tuple[Token, ...]) -> None:
        """Change who stands on a feature, and what the graph says of it."""
        for _, node in feature.followers:
            self.graph.nodes[node]["meeples"] = _NOBODY
        feature.followers = followers
        for node in {node for _, node in followers}:
            names = Counter(self._players[seat] for seat, where in followers if where == node)
            self.graph.nodes[node]["meeples"] = MappingProxyType(dict(names))

    def add_animal(self, node: Address, seat: int, *, barn: bool) -> None:
        """Put a pig or a barn on a field (positions only; never taken back)."""
        feature = self._of[node]
        if barn:
            feature.barns += ((seat, node),)
        else:
            feature.pigs += ((seat, node),)

    def rename(self, node: Address, kind: str) -> None:
        """Change what the graph calls a segment: a city under a castle is a castle."""
        self._journal.append((_rename_back, node, self.graph.nodes[node]["kind"]))
        self.graph.nodes[node]["kind"] = kind


# ------------------------------------------------------------------------------ taking back


class _Holder(Protocol):
    """What a journal is played back on: the board that holds the graph."""

    features: FeatureGraph


def _remove(board: _Holder, node: Address) -> None:
    board.features.remove(node)


def _unjoin_loop(board: _Holder, a: Address, b: Address, fresh: bool) -> None:
    board.features.of(a).open += 2
    if fresh:
        board.features.graph.remove_edge(a, b)


def _unjoin(board: _Holder, *arguments: Any) -> None:
    board.features.unjoin(*arguments)


def _reopen(board: _Holder, node: Address) -> None:
    board.features.of(node).open += 1


def _put_back(board: _Holder, feature: Feature, followers: tuple[Token, ...]) -> None:
    board.features.set_followers(feature, followers)


def _rename_back(board: _Holder, node: Address, kind: str) -> None:
    board.features.graph.nodes[node]["kind"] = kind
