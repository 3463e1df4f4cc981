"""Games from the model to the core and back, at any point.

`from_model` reads the model's state as it is, also in the middle of an auction or of a castle's
choice; `to_model` replays the game on the model, so that what comes back has its whole history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.core import layout
from carcassonne.core.engine import Engine
from carcassonne.core.game import CoreGame, Origin, shared_for
from carcassonne.core.tables import MOST_MEEPLES, CapacityError
from carcassonne.model.game import Game
from carcassonne.position import build_position

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.geometry import Cell
    from carcassonne.model.features import Feature
    from carcassonne.model.state import Payout, State
    from carcassonne.moves import Address
    from carcassonne.tile_types import TileType

__all__ = ["from_model", "to_model"]


def to_model(game: CoreGame) -> Game:
    """The same game on the model, with all its moves, events and the way back to its start."""
    origin = game.origin
    if origin.given is None:
        twin = Game.of_box(game.players, rules=game.rules, box=game.box, stack=game.stack)
    else:
        stack = [game.box.tile(name) for name in game.stack]
        twin = build_position(
            game.players, origin.given, rules=game.rules, box=game.box, stack=stack
        )
    for move in game.moves():
        twin.play(move)
    if game.was_stopped:
        twin.stop()
    return twin


def from_model(game: Game) -> CoreGame:
    """The same game on the core; it can be taken back to here.

    Raises
    ------
    CapacityError
        The game is larger than the core holds.
    """
    return _Reader(game).read()


class _Reader:
    """Copies the state of one model game into an engine, number by number."""

    def __init__(self, game: Game) -> None:
        self.game = game
        state = game._state  # noqa: SLF001 - the two engines meet here
        self.state: State = state
        self.numbers = {name: i for i, name in enumerate(state.box.types)}
        laid = state.board.tiles
        tables, shared = shared_for(
            state.box,
            state.rules,
            len(state.players),
            stack=len(state.stack),
            laid=len(laid),
            reach=_reach(list(laid), len(state.stack)),
            castles=self._most_castles(len(laid) + len(state.stack)),
            animals=sum(len(f.pigs) + len(f.barns) for f in state.board.features.all()),
            bridges=state.board.may_bridge or any(p.bridges for p in laid.values()),
        )
        self.tables = tables
        self.places: dict[str, int] = shared.places
        self.engine = Engine(shared)

    def _most_castles(self, tiles: int) -> int:
        table = self.state.table
        return min(len(table.castles) + sum(table.castle_markers), tiles)

    def read(self) -> CoreGame:
        """The whole game."""
        self._lay()
        self._header()
        self._completions()
        self._bazaar()
        self.engine.forget()
        origin = Origin(self.game.given, self.game.moves)
        core = CoreGame(self.game.players, self.tables, self.engine, origin=origin)
        if self.game.was_stopped:
            self._set(layout.STOPPED, 1)
        return core

    def _set(self, place: int, value: int | None) -> None:
        self.engine.set_number(place, -1 if value is None else int(value))

    def _row(self, count_at: int | None, place: int, values: Iterable[int]) -> None:
        """Write a row of numbers, and how many there are."""
        row = list(values)
        for k, value in enumerate(row):
            self._set(place + k, value)
        if count_at is not None:
            self._set(count_at, len(row))

    def _tile(self, tile: TileType | None) -> int:
        return -1 if tile is None else self.numbers[tile.id]

    # -------------------------------------------------------------------------- the board

    def _lay(self) -> None:
        state, engine = self.state, self.engine
        engine.set_up([self._tile(t) for t in state.stack], 0, 0, 0)
        self._set(layout.MAY_BRIDGE, state.board.may_bridge)
        self._check_meeples()
        for placement in state.board.tiles.values():
            engine.lay(*placement.cell, 4 * self.numbers[placement.tile.id] + placement.rotation)
        for i, placement in enumerate(state.board.tiles.values()):
            for axis in placement.bridges:
                engine.build_bridge(i, axis)
        self.order = {cell: i for i, cell in enumerate(state.board.tiles)}
        for feature in state.board.features.all():
            self._pieces(feature)
        for castle in state.table.castles:
            engine.add_castle(self._root(castle.nodes[0]), castle.owner, castle.part)

    def _check_meeples(self) -> None:
        state = self.state
        standing = [0] * len(state.players)
        for feature in state.board.features.all():
            for seat, _ in feature.followers:
                standing[seat] += 1
        for seat, name in enumerate(state.players):
            count = standing[seat] + state.table.meeples[seat]
            if count > MOST_MEEPLES:
                raise CapacityError(
                    f"{name} has {count} meeples; the core holds at most {MOST_MEEPLES} each"
                )

    def _pieces(self, feature: Feature) -> None:
        """Open ends (an abbey closes a bridge only if it came later), meeples, animals."""
        engine = self.engine
        ends = self.places["ends"] + self._root(feature.members[0])
        self._set(ends, feature.open * layout.OPEN_END + len(feature.members))
        for seat, node in feature.followers:
            engine.put_meeple(self._segment(node), seat)
        for barn, tokens in enumerate((feature.pigs, feature.barns)):
            for seat, node in tokens:
                count = engine.number(layout.ANIMALS)
                segment = self._segment(node)
                self._row(None, self.places["animals"] + 3 * count, (segment, seat, barn))
                self._set(layout.ANIMALS, count + 1)
        if feature.barns:
            root = self.places["folk"] + self._root(feature.members[0])
            self._set(root, engine.number(root) | layout.BARN_FLAG)

    def _segment(self, node: Address) -> int:
        i = self.order[node.cell]
        placement = self.state.board.tiles[node.cell]
        first = i * self.tables.stride
        for local, piece in enumerate(placement.variant.segments):
            if piece.name == node.segment:
                return first + local
        return first + self.tables.segments + ("road.N", "road.E").index(node.segment)

    def _root(self, node: Address) -> int:
        return int(self.engine.number(self.places["root"] + self._segment(node)))

    # -------------------------------------------------------------------------- the table

    def _header(self) -> None:
        table = self.state.table
        placed = None if table.placed is None else self.order[table.placed]
        for place, value in (
            (layout.PHASE, layout.PHASES.index(table.phase)),
            (layout.DECIDER, table.decider),
            (layout.ACTIVE, table.active),
            (layout.TILE, self._tile(table.tile)),
            (layout.FROM_HAND, table.from_hand),
            (layout.MAY_DECLINE, table.may_decline),
            (layout.PLACED, placed),
            (layout.PLACER, table.placer),
            (layout.PART, table.part),
            (layout.RINGED, table.part),
            (layout.BRIDGE_BUILT, table.bridge_built),
            (layout.MARKET_DUE, table.market_due),
            (layout.NEXT_TILE, table.next_tile),
        ):
            self._set(place, value)
        for at, row in (
            (layout.SCORE, table.scores),
            (layout.SUPPLY, table.meeples),
            (layout.BRIDGES_LEFT, table.bridges),
            (layout.MARKERS, table.castle_markers),
        ):
            self._row(None, at, row)
        aside = [self._tile(tile) for tile in table.set_aside]
        self._row(layout.ASIDE, self.places["aside"], aside)

    def _completions(self) -> None:
        table, places = self.state.table, self.places
        finished = [self._root(node) for node in table.finished]
        self._row(layout.FINISHED, places["finished"], finished)
        small: list[int] = []
        for seat, node in table.small_cities:
            small += (seat, self._root(node))
        self._row(None, places["small"], small)
        self._set(layout.SMALL, len(table.small_cities))
        self._payouts(layout.WAVE, places["wave"], table.wave)
        self._payouts(layout.NEXT_WAVE, places["next_wave"], table.next_wave)
        self._row(layout.UNPAID, places["unpaid"], table.unpaid)
        self._row(layout.PAID, places["paid"], table.paid)

    def _payouts(self, count_at: int, place: int, payouts: Sequence[Payout]) -> None:
        row: list[int] = []
        for payout in payouts:
            row += (self._root(payout.at), payout.points, payout.by_castle)
        self._row(None, place, row)
        self._set(count_at, len(payouts))

    def _bazaar(self) -> None:
        table = self.state.table
        for place, value in (
            (layout.IN_ROUND, table.in_round),
            (layout.LEADER, table.leader),
            (layout.LAST_CHOOSER, table.last_chooser),
            (layout.CHOOSER, table.chooser),
            (layout.LOT, table.lot),
            (layout.HIGH_BID, table.high_bid),
            (layout.HIGH_BIDDER, table.high_bidder),
            (layout.HANDS_OUT, bool(table.hands)),
        ):
            self._set(place, value)
        self._row(layout.ON_OFFER, layout.OFFER, [self._tile(tile) for tile in table.offer])
        self._row(None, layout.HAND, [self._tile(tile) for tile in table.hands])
        self._row(layout.BIDDERS, layout.BIDDER, table.bidders)
        self._row(layout.QUEUED, layout.QUEUE, table.round_queue)


def _reach(cells: list[Cell], stack: int) -> int:
    """How many steps the farthest two tiles can come to lie apart."""
    sums = [x + y for x, y in cells]
    differences = [x - y for x, y in cells]
    apart: Any = max(max(sums) - min(sums), max(differences) - min(differences))
    return int(apart) + stack
