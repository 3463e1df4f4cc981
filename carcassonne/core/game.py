"""`CoreGame`: the model's verbs over the engine, by name and in the notation of moves.

Owns the way between numbers and names. For speed a bot can stay with numbers: `move_numbers`,
`play_number`, `undo`, `copy`, `playout`; `decode` and `encode` translate single moves. The rules
behind a refusal are the model's to explain (`carcassonne.core_link.to_model`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.core import layout
from carcassonne.core.engine import Engine, Shared
from carcassonne.core.tables import Tables
from carcassonne.errors import CarcassonneError, IllegalMove, PositionError, Violation
from carcassonne.geometry import DELTAS, Cell, reading_order
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
    parse_address,
    parse_move,
)
from carcassonne.rules import Rules
from carcassonne.seats import MEEPLES, check_players, leaders, require_rules
from carcassonne.tile_types import FEATURE_KINDS
from carcassonne.tiles import DEFAULT_SETS, TileBox
from carcassonne.views import CastleView, Decision, FeatureView

if TYPE_CHECKING:
    import random
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    from carcassonne.tile_types import TileType
    from carcassonne.tiles import TileSet

__all__ = ["CoreGame", "Origin", "shared_for"]

_BRIDGE_NAMES: Final = (("road.N", "road.S"), ("road.E", "road.W"))
_RULES: Final = {
    "place": "R-BASE-5", "bridge": "R-BRIDGE-22", "meeple": "R-BASE-8", "castle": "R-CASTLE-2",
    "collect": "R-CASTLE-21", "choose": "R-BAZAAR-7", "bid": "R-BAZAAR-9", "deal": "R-BAZAAR-11",
    "take": "R-BAZAAR-27", "over": "R-BASE-20",
}  # fmt: skip

_Past = tuple[int, "_Past"] | None
"""Moves since the origin, newest first; copies share what is behind them."""


class Origin(msgspec.Struct, frozen=True):
    """Where a game began: a position (None: the start tile), and the moves made elsewhere since."""

    given: dict[str, Any] | None = None
    moves: tuple[Move, ...] = ()


_shared: dict[tuple[object, ...], tuple[Tables, Shared]] = {}


def shared_for(  # noqa: PLR0913 - all that makes a kind of game
    box: TileBox,
    rules: Rules,
    players: int,
    *,
    stack: int,
    laid: int = 1,
    reach: int = 0,
    castles: int | None = None,
    animals: int = 0,
    bridges: bool = True,
) -> tuple[Tables, Shared]:
    """The tables of a kind of game, built once for all that are alike.

    Raises
    ------
    CarcassonneError
        The tiles are more than the core holds.
    """
    tiles = laid + stack
    if castles is None:
        castles = min(players * rules.supply(players, expansion_8=box.has_expansion_8)[1], tiles)
    types = tuple(box.types.values())
    key = (tuple(map(id, types)), rules, players, tiles, stack, reach, castles, animals, bridges)
    known = _shared.get(key)
    if known is None:
        tables = Tables(box, rules, players, tiles=tiles, reach=reach, bridges=bridges)
        known = (tables, Shared(tables, tables.places(stack, castles, animals)))
        if len(_shared) >= 32:
            _shared.pop(next(iter(_shared)))
        _shared[key] = known
    return known


class CoreGame:
    """A game of Carcassonne on the core. Made by `CoreGame.new` or from a model game."""

    __slots__ = ("_first", "_origin", "_past", "box", "engine", "players", "rules", "tables")

    def __init__(
        self,
        players: tuple[str, ...],
        tables: Tables,
        engine: Engine,
        *,
        origin: Origin,
    ) -> None:
        self.players = players
        self.tables = tables
        self.rules: Rules = tables.rules
        self.box: TileBox = tables.box
        self.engine = engine
        self._origin = origin
        self._first: Engine = engine.copy()
        self._past: _Past = None

    @classmethod
    def new(
        cls,
        players: Sequence[str],
        *,
        seed: int = 0,
        rules: Rules | None = None,
        tile_sets: Sequence[str | Path | TileSet] = DEFAULT_SETS,
        tile_counts: Mapping[str, int] | None = None,
        stack: Sequence[str] | None = None,
    ) -> CoreGame:
        """Start a game, just as `Game.new`: the same seed gives the same stack.

        Raises
        ------
        CarcassonneError
            Bad names, sets or counts, a set whose special rules are not there, or one that is
            too large for the core.
        """
        box = TileBox.load(tile_sets, counts=tile_counts)
        return cls.of_box(players, rules=rules or Rules(), box=box, seed=seed, stack=stack)

    @classmethod
    def of_box(
        cls,
        players: Sequence[str],
        *,
        rules: Rules,
        box: TileBox,
        seed: int = 0,
        stack: Sequence[str] | None = None,
    ) -> CoreGame:
        """As `CoreGame.new`, with tile sets that are loaded already."""
        names = check_players(players)
        if stack is None:
            require_rules(box)
            tiles = box.stack()
            from random import Random  # noqa: PLC0415 - the import of the core stays quick

            Random(seed).shuffle(tiles)
        else:
            tiles = [box.tile(name) for name in stack]
        tables, engine = cls.unbegun(len(names), rules, box, tiles)
        engine.begin()
        return cls(names, tables, engine, origin=Origin())

    @staticmethod
    def unbegun(
        players: int, rules: Rules, box: TileBox, tiles: Sequence[TileType]
    ) -> tuple[Tables, Engine]:
        """The engine of a game whose start tile lies and whose first tile is not drawn yet."""
        start = box.start
        if start is None:
            raise PositionError(
                "the tile sets have no start tile; add 'base' or a set with `start = 1`"
            )
        bridges, markers = rules.supply(players, expansion_8=box.has_expansion_8)
        tables, shared = shared_for(box, rules, players, stack=len(tiles), bridges=bridges > 0)
        engine = Engine(shared)
        numbers = {name: i for i, name in enumerate(box.types)}
        engine.set_up([numbers[tile.id] for tile in tiles], bridges, markers, MEEPLES)
        engine.lay(0, 0, 4 * numbers[start.id])
        return tables, engine

    # -------------------------------------------------------------------------- questions

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and everything is scored."""
        return bool(self.engine.number(layout.PHASE) == layout.OVER)

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        number = self.engine.number
        phase = number(layout.PHASE)
        if phase == layout.OVER:
            return None
        tile = number(layout.TILE)
        castle = None
        bidding = phase in (layout.BID, layout.DEAL)
        if bidding:
            tile = number(layout.OFFER + number(layout.LOT))
        elif phase == layout.COLLECT:
            castle = self._castle_name(number(self._at("unpaid")))
        return Decision(
            kind=layout.PHASES[phase],
            player=self.players[number(layout.DECIDER)],
            tile=self._id(tile),
            castle=castle,
            high_bid=number(layout.HIGH_BID) if bidding else None,
        )

    @property
    def decider(self) -> str | None:
        """Who has to decide; None when the game is over."""
        number = self.engine.number
        return None if number(layout.PHASE) == layout.OVER else self.players[number(layout.DECIDER)]

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.players[self.engine.number(layout.ACTIVE)]

    @property
    def scores(self) -> dict[str, int]:
        """Points by player."""
        return self._row(layout.SCORE)

    @property
    def winners(self) -> list[str]:
        """Everyone with the most points once the game is over (R-BASE-25); empty before."""
        return leaders(self.scores) if self.is_over else []

    @property
    def supply(self) -> dict[str, dict[str, int]]:
        """Pieces left in each player's supply: meeples, bridges, castles."""
        number = self.engine.number
        return {
            name: {
                "meeples": number(layout.SUPPLY + seat),
                "bridges": number(layout.BRIDGES_LEFT + seat),
                "castles": number(layout.MARKERS + seat),
            }
            for seat, name in enumerate(self.players)
        }

    @property
    def drawn(self) -> str | None:
        """The id of the tile to be placed."""
        number = self.engine.number
        return self._id(number(layout.TILE)) if number(layout.PHASE) == layout.PLACE else None

    @property
    def stack_left(self) -> int:
        """How many tiles the stack still holds."""
        number = self.engine.number
        return int(number(layout.STACK_SIZE) - number(layout.NEXT_TILE))

    @property
    def stack(self) -> tuple[str, ...]:
        """The whole draw order, tiles drawn already included. No player may look at it."""
        types, number, at = self.tables.types, self.engine.number, self._at("stack")
        return tuple(types[number(at + k)].id for k in range(number(layout.STACK_SIZE)))

    @property
    def unseen(self) -> dict[str, int]:
        """The tiles left in the stack by id, without their order; public knowledge."""
        left = self.stack[self.engine.number(layout.NEXT_TILE) :]
        return dict(sorted(Counter(left).items()))

    @property
    def discarded(self) -> tuple[str, ...]:
        """Tiles set aside, in order, declined ones too."""
        types, number, at = self.tables.types, self.engine.number, self._at("aside")
        return tuple(types[number(at + k)].id for k in range(number(layout.ASIDE)))

    @property
    def on_offer(self) -> tuple[str, ...]:
        """The bazaar's tiles that nobody has yet, also the one being bid for."""
        types, number = self.tables.types, self.engine.number
        return tuple(types[number(layout.OFFER + k)].id for k in range(number(layout.ON_OFFER)))

    @property
    def hands(self) -> dict[str, str]:
        """Who holds which tile of the bazaar still to be placed."""
        types = self.tables.types
        return {n: types[k].id for n, k in self._row(layout.HAND).items() if k >= 0}

    @property
    def in_round(self) -> bool:
        """Whether a bazaar is open: its tiles are being handed out or placed (R-BAZAAR-19)."""
        return bool(self.engine.number(layout.IN_ROUND))

    @property
    def high_bid(self) -> int | None:
        """The bid to beat, or None when nothing is bid for."""
        bid = int(self.engine.number(layout.HIGH_BID))
        return bid if bid >= 0 else None

    @property
    def was_stopped(self) -> bool:
        """Whether the game was ended by `stop` instead of an empty stack."""
        return bool(self.engine.number(layout.STOPPED))

    @property
    def castles(self) -> list[CastleView]:
        """The castles, in the order in which they were built."""
        return [self._castle(k) for k in range(self.engine.number(layout.CASTLES))]

    @property
    def tiles(self) -> dict[Cell, tuple[str, int]]:
        """The tiles on the board by cell, each with its rotation, in the order of laying."""
        number, var = self.engine.number, self._at("var")
        return {
            self._cell_of(i): (self.tables.types[number(var + i) >> 2].id, number(var + i) & 3)
            for i in range(number(layout.LAID))
        }

    @property
    def bridges(self) -> list[BridgePlace]:
        """The bridges on the board, by the tiles they are on in the order of laying."""
        number, at = self.engine.number, self._at("bridge")
        return [
            BridgePlace(self._cell_of(i), axis)
            for i in range(number(layout.LAID))
            for axis in (0, 1)
            if number(at + i) >> axis & 1
        ]

    def board_key(self) -> Hashable:
        """A value that is the same only while the same lies on the board and in the supplies."""
        number = self.engine.number
        first, last = self._at("var"), self._at("stack")
        header = (layout.LAID, layout.NEXT_TILE, *range(layout.SUPPLY, layout.OFFER))
        block = self.engine.snapshot()
        width = len(block) // self.engine.shared.places["size"]
        return (tuple(map(number, header)), block[first * width : last * width])

    def payout(self, at: Address) -> int:
        """What the open decision's castle would collect from a feature or castle (R-CASTLE-21)."""
        number, wave = self.engine.number, self._at("wave")
        root = self._root(self._segment(at))
        for k in range(number(layout.WAVE)):
            place = wave + layout.PAYOUT_SIZE * k
            if number(place + layout.PAYOUT_ROOT) == root:
                return int(number(place + layout.PAYOUT_POINTS))
        return 0

    def open_cells(self) -> list[Cell]:
        """Empty cells that touch a tile."""
        number, at = self.engine.number, self._at("fcell")
        return sorted(self._open_cell(number(at + f)) for f in self._frontier())

    def features(self) -> list[FeatureView]:
        """Every feature on the board."""
        return [self._feature(root) for root in self.engine.roots()]

    def feature(self, at: Address | str) -> FeatureView:
        """The feature that a segment belongs to: what it would pay, who holds it, open ends.

        Raises
        ------
        PositionError
            There is no such segment.
        """
        return self._feature(self._root(self._segment(at)))

    def worth(self, at: Address | str) -> int:
        """What a feature would pay now, in points; see `FeatureView.points`."""
        return int(self.engine.worth(self._root(self._segment(at))))

    def holders(self, at: Address | str) -> dict[str, int]:
        """Who has how many meeples on a feature."""
        root = self._root(self._segment(at))
        return self._folk(self.engine.number(self._at("folk") + root))

    def fits(self, tile: str, *, with_bridge: bool = False) -> list[Place]:
        """The distinct ways to lay a tile now, drawn or not."""
        kind = list(self.box.types).index(self.box.tile(tile).id)
        found = [self._decode_place(move, kind) for move in self.engine.fits(kind, with_bridge)]
        return sorted(found, key=lambda move: (move.cell, move.rotation))

    # -------------------------------------------------------------------------- moves

    def move_numbers(self) -> list[int]:
        """Every distinct possibility of the open decision once, as numbers: the fast listing."""
        return self.engine.moves()

    def legal_moves(self) -> list[Move]:
        """Every distinct possibility of the open decision once, as values."""
        return [self.decode(number) for number in self.engine.moves()]

    def decode(self, move: int) -> Move:
        """The value of a number that `move_numbers` lists now."""
        phase = self.engine.number(layout.PHASE)
        if move == layout.DECLINE:
            return Decline()
        if move == layout.PASS:
            return Pass()
        if phase == layout.PLACE:
            return self._decode_place(move, self.engine.number(layout.TILE))
        if phase == layout.BRIDGE:
            return BuildBridge(BridgePlace(self._cell_of(move >> 1), move & 1))
        if phase == layout.MEEPLE:
            return PutMeeple(self._segment_name(self._placed * self.tables.stride + move))
        if phase == layout.CASTLE:
            return BuildCastle(self._name(move))
        if phase == layout.COLLECT:
            return Collect(self._name(move))
        if phase == layout.CHOOSE:
            return Choose((move >> 20) + 1, move & 0xFFFFF)
        if phase == layout.BID:
            return Bid(move)
        if phase == layout.DEAL:
            return Sell() if move == layout.SELL else Buy()
        return Take(move + 1)

    def encode(self, move: Move | str) -> int:
        """The number of a move of the open decision, under any of its names.

        Raises
        ------
        IllegalMove
            The move is not legal now.
        InvalidMove
            The text is no move.
        """
        value = parse_move(move) if isinstance(move, str) else move
        number = self._encode(value)
        if number is None or not self._is_legal(value, number):
            phase = layout.PHASES[self.engine.number(layout.PHASE)]
            text = f"it is no legal move of the open decision '{phase}'"
            raise IllegalMove(str(move), (Violation(_RULES[phase], text),))
        return number

    def play(self, move: Move | str) -> None:
        """Make a move of the open decision and walk on to the next one.

        Raises
        ------
        IllegalMove
            The move is not legal now; nothing has changed.
        InvalidMove
            The text is no move.
        """
        self.play_number(self.encode(move))

    def play_number(self, move: int) -> None:
        """Make a move that `move_numbers` lists now. Nothing is checked."""
        self.engine.play(move)
        self._past = (move, self._past)

    def undo(self, moves: int = 1) -> None:
        """Take back the last moves, exactly: back to where this game was made or copied.

        Raises
        ------
        CarcassonneError
            There are not that many moves; nothing has changed.
        """
        done = 0
        while done < moves and self._past is not None and self.engine.undo():
            self._past = self._past[1]
            done += 1
        if done < moves:
            raise CarcassonneError(f"can't take back {moves} moves: only {done} could be")

    def stop(self) -> None:
        """End the game here with the final scoring; only while a tile is to be placed.

        Raises
        ------
        CarcassonneError
            Another decision is open.
        """
        phase = self.engine.number(layout.PHASE)
        if phase != layout.PLACE:
            raise CarcassonneError(
                "a game can be stopped only at a 'place' decision; "
                f"'{layout.PHASES[phase]}' is open"
            )
        self.engine.stop()
        self._past = (_STOP, self._past)

    def copy(self) -> CoreGame:
        """An equal game that shares nothing that changes; it can be taken back to here."""
        twin = CoreGame.__new__(CoreGame)
        twin.players, twin.tables, twin.rules = self.players, self.tables, self.rules
        twin.box, twin._origin = self.box, self._origin  # noqa: SLF001 - a twin
        twin._past, twin._first = self._past, self._first  # noqa: SLF001 - a twin
        twin.engine = self.engine.copy()
        return twin

    def shuffled(self, rng: random.Random) -> CoreGame:
        """A copy with the unseen part of the stack shuffled: what a player can know."""
        twin = self.copy()
        number, at = twin.engine.number, self._at("stack")
        places = range(at + number(layout.NEXT_TILE), at + number(layout.STACK_SIZE))
        unseen = sorted((number(place) for place in places), key=lambda k: self.tables.types[k].id)
        rng.shuffle(unseen)
        for place, tile in zip(places, unseen, strict=True):
            twin.engine.set_number(place, tile)
        return twin

    def playout(self, rng: random.Random, *, cheap: bool = False) -> dict[str, int]:
        """The scores of a random end of this game, which itself stays as it is.

        Parameters
        ----------
        cheap
            Bids modelled by what the tile earns at once, castles built, meeples kept: uniform
            bids drown every other signal.
        """
        twin = self.copy()
        twin.engine.playout(rng.getrandbits(64), int(cheap))
        return twin.scores

    def numbers_since(self, earlier: CoreGame) -> list[int] | None:
        """The moves made since a copy was taken, as numbers; None if this did not go on from it.

        Only moves that were made on the core are known as numbers.
        """
        found: list[int] = []
        past = self._past
        while past is not earlier._past:
            if past is None or past[0] == _STOP:
                return None
            found.append(past[0])
            past = past[1]
        return found[::-1] if self._first is earlier._first else None

    @property
    def move_count(self) -> int:
        """How many moves were made, those before this game came to the core included."""
        return len(self._origin.moves) + sum(1 for number in self._numbers() if number != _STOP)

    @property
    def origin(self) -> Origin:
        """Where the game began."""
        return self._origin

    def moves(self) -> tuple[Move, ...]:
        """The moves so far, under the names that listings use."""
        twin = self.copy()
        twin.engine = self._first.copy()
        at = self._at("stack")
        for place in range(at, at + self.engine.number(layout.STACK_SIZE)):
            twin.engine.set_number(place, self.engine.number(place))
        found = list(self._origin.moves)
        for number in list(self._numbers())[::-1]:
            if number != _STOP:
                found.append(twin.decode(number))
                twin.engine.play(number)
        return tuple(found)

    # -------------------------------------------------------------------------- inside

    def _at(self, name: str) -> int:
        place: int = self.engine.shared.places[name]
        return place

    @property
    def _placed(self) -> int:
        return int(self.engine.number(layout.PLACED))

    def _id(self, tile: int) -> str | None:
        return self.tables.types[tile].id if tile >= 0 else None

    def _row(self, at: int) -> dict[str, int]:
        number = self.engine.number
        return {name: number(at + seat) for seat, name in enumerate(self.players)}

    def _numbers(self) -> Iterator[int]:
        past = self._past
        while past is not None:
            yield past[0]
            past = past[1]

    def _frontier(self) -> range:
        return range(1, self.engine.number(layout.FRONTIER) + 1)

    def _cell_of(self, i: int) -> Cell:
        places, number = self.engine.shared.places, self.engine.number
        return (number(places["px"] + i), number(places["py"] + i))

    def _open_cell(self, cell: int) -> Cell:
        """The coordinates of an empty cell beside a tile, from that tile's."""
        board, number = self._at("board"), self.engine.number
        for dx, dy in DELTAS:
            step = dx + self.tables.across * dy
            laid = number(board + ((cell + step) & (self.tables.cells - 1)))
            if laid < 0:
                x, y = self._cell_of(-1 - laid)
                return (x - dx, y - dy)
        raise AssertionError("an open cell has a neighbour")

    # segments and names

    def _segment_name(self, s: int) -> str:
        i, local = divmod(s, self.tables.stride)
        if local >= self.tables.segments:
            return _BRIDGE_NAMES[local - self.tables.segments][0]
        variant = self.engine.number(self._at("var") + i)
        return self.tables.types[variant >> 2].variants[variant & 3].segments[local].name

    def _address(self, s: int) -> Address:
        return Address(self._cell_of(s // self.tables.stride), self._segment_name(s))

    def _name(self, s: int) -> Address:
        """The segment that names a feature: the first one in its lowest cell (y, then x)."""
        return self._address(min(self.engine.members(s), key=self._name_key))

    def _name_key(self, s: int) -> tuple[tuple[int, int], tuple[int, ...]]:
        i, local = divmod(s, self.tables.stride)
        cell = reading_order(self._cell_of(i))
        if local >= self.tables.segments:
            axis = local - self.tables.segments
            return (cell, (axis, axis + 2))
        variant = self.engine.number(self._at("var") + i)
        piece = self.tables.types[variant >> 2].variants[variant & 3].segments[local]
        return (cell, piece.sides or piece.halves)

    def _root(self, s: int) -> int:
        return int(self.engine.number(self._at("root") + s))

    def find(self, at: Address) -> int | None:
        """The number of a segment, by any of its names."""
        cell = self.engine.cell(*at.cell)
        laid = self.engine.number(self._at("board") + cell)
        if laid >= 0 or self._cell_of(-1 - laid) != at.cell:
            return None
        return self._find_on(-1 - laid, at.segment)

    def _find_on(self, i: int, name: str) -> int | None:
        first = i * self.tables.stride
        number = self.engine.number
        variant = number(self._at("var") + i)
        segments = self.tables.types[variant >> 2].variants[variant & 3].segments
        for local, piece in enumerate(segments):
            if name in piece.names:
                return first + local
        for axis in (0, 1):
            if number(self._at("bridge") + i) >> axis & 1 and name in _BRIDGE_NAMES[axis]:
                return first + self.tables.segments + axis
        return None

    def _segment(self, at: Address | str) -> int:
        address = parse_address(at) if isinstance(at, str) else at
        s = self.find(address)
        if s is None:
            raise PositionError(f"there is no segment {address}")
        return s

    def _folk(self, word: int) -> dict[str, int]:
        return {
            name: word >> 4 * seat & 15
            for seat, name in enumerate(self.players)
            if word >> 4 * seat & 15
        }

    def _feature(self, root: int) -> FeatureView:
        engine, stride = self.engine, self.tables.stride
        number, data, at = engine.number, self.tables.data, self.tables.at
        places = engine.shared.places
        members = engine.members(root)
        rows = [number(places["var"] + s // stride) * stride + s % stride for s in members]
        kind = FEATURE_KINDS[data[at["kind"] + rows[0]]]
        folk = number(places["folk"] + root)
        is_castle = bool(folk & layout.CASTLE_FLAG)
        cells = sorted({self._cell_of(s // stride) for s in members}, key=reading_order)
        ends = number(places["ends"] + root) >> 16
        complete = kind in ("road", "city") and ends == 0
        if kind == "cloister":
            ends = number(places["around"] + root // stride) - 1
            complete = ends == 0
        return FeatureView(
            at=self._name(root),
            kind="castle" if is_castle else kind,
            tiles=len(cells),
            open=ends,
            complete=complete and not is_castle,
            points=engine.worth(root),
            pennants=sum(data[at["flags"] + row] & 255 for row in rows),
            meeples=self._folk(folk),
            cells=tuple(cells),
            segments=tuple(self._address(s) for s in members),
        )

    def _castle_name(self, k: int) -> Address:
        return self._name(self.engine.number(self._at("castles") + layout.CASTLE_SIZE * k))

    def _castle(self, k: int) -> CastleView:
        number = self.engine.number
        at = self._at("castles") + layout.CASTLE_SIZE * k
        root, owner = number(at), number(at + layout.CASTLE_OWNER)
        members = self.engine.members(root)
        cells = sorted((self._cell_of(s // self.tables.stride) for s in members), key=reading_order)
        (x, _), (x2, _) = cells
        long = ((1, 0), (-1, 0)) if x == x2 else ((0, 1), (0, -1))
        near = {(a + dx, b + dy) for a, b in cells for dx, dy in ((0, 0), *long)}
        return CastleView(
            at=self._name(root),
            owner=self.players[owner] if owner >= 0 else "",
            occupied=bool(number(self._at("folk") + root) & layout.MEEPLES),
            vicinity=tuple(sorted(near, key=reading_order)),
            cells=tuple(cells),
        )

    # moves to numbers and back

    def _decode_place(self, move: int, tile: int) -> Place:
        cell, rotation, how = move >> 4, move >> 2 & 3, move & 3
        where = self._open_cell(cell)
        bridge = None
        if how:
            side = self.engine.clash(cell, 4 * tile + rotation)
            dx, dy = DELTAS[side]
            at = where if how == 1 else (where[0] + dx, where[1] + dy)
            bridge = BridgePlace(at, side & 1)
        return Place(self.tables.types[tile].id, where, rotation, bridge)

    def _encode(self, move: Move) -> int | None:
        """The number of a move; None where what it names is not there."""
        phase = self.engine.number(layout.PHASE)
        if layout.PHASES[phase] != move.kind:
            return layout.PASS if isinstance(move, Pass) else None
        match move:
            case Decline():
                return layout.DECLINE
            case Place():
                how = 0 if move.bridge is None else 1 if move.bridge.cell == move.cell else 2
                return int(self.engine.cell(*move.cell)) << 4 | move.rotation << 2 | how
            case BuildBridge():
                at = self.engine.number(self._at("board") + self.engine.cell(*move.place.cell))
                if at >= 0 or self._cell_of(-1 - at) != move.place.cell:
                    return None
                return int(2 * (-1 - at) + move.place.axis)
            case PutMeeple():
                s = self._find_on(self._placed, move.segment)
                return None if s is None else s % self.tables.stride
            case BuildCastle() | Collect():
                s = self.find(move.city if isinstance(move, BuildCastle) else move.feature)
                return None if s is None else self._root(s)
        return _encode_bazaar(move)

    def _is_legal(self, move: Move, number: int) -> bool:
        """Whether a move that exists may be made now: listed, an equal rotation or a higher bid."""
        engine = self.engine
        decider = engine.number(layout.DECIDER)
        if isinstance(move, Place):
            tile = engine.number(layout.TILE)
            kind = self.tables.types[tile]
            if move.tile not in (kind.id, kind.letter):
                return False
            listed = number & ~12 | kind.same_as[move.rotation] << 2
            twin = Place(kind.id, move.cell, kind.same_as[move.rotation], move.bridge)
            return listed in engine.moves() and self.decode(listed) == twin
        if isinstance(move, Choose):
            on_offer = engine.number(layout.ON_OFFER)
            top = engine.top_bid(decider, True)  # noqa: FBT003 - compiled
            return 1 <= move.number <= on_offer and move.bid <= top
        if isinstance(move, Bid):
            top = engine.top_bid(decider, False)  # noqa: FBT003 - compiled
            return bool(engine.number(layout.HIGH_BID) < move.points <= top)
        return number in engine.moves()

    def __repr__(self) -> str:
        decision = self.decision
        what = f"{decision.player} to {decision.kind}" if decision else "over"
        return f"<CoreGame: {self.scores}, {self.engine.number(layout.LAID)} tiles, {what}>"


def _encode_bazaar(move: Move) -> int | None:
    match move:
        case Choose():
            return (move.number - 1) << 20 | move.bid
        case Bid():
            return move.points
        case Buy():
            return layout.BUY
        case Sell():
            return layout.SELL
        case Take():
            return move.number - 1
    return None


_STOP: Final = -3
"""The mark of `stop` among the moves."""
