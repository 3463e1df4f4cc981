"""The game as its users see it: play, take back, copy, ask.

`Game` puts names on seats and guards the state; the rules are in the modules beside it.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from carcassonne.errors import CarcassonneError, IllegalMove, PositionError, RulesError, Violation
from carcassonne.events import Event, MarketOpened, TileDrawn
from carcassonne.model import display, legality, turns, values
from carcassonne.model.setup import empty_state
from carcassonne.model.state import State, Table
from carcassonne.model.views import (
    LegalMoves,
    fingerprint,
    view_castle,
    view_decision,
    view_feature,
    view_supply,
    view_tokens,
)
from carcassonne.moves import Address, Move, Place, as_move, parse_address
from carcassonne.rules import Rules
from carcassonne.seats import check_players, check_seed, leaders, require_rules
from carcassonne.tiles import DEFAULT_SETS, TileBox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import networkx as nx

    from carcassonne.geometry import Cell
    from carcassonne.model.board import Fit, Placement
    from carcassonne.model.features import Feature
    from carcassonne.model.scoring import Worth
    from carcassonne.tiles import TileSet, TileType
    from carcassonne.views import CastleView, Decision, FeatureView, FinishedView, TokenView

    StateMaker = Callable[[tuple[TileType, ...]], State]

__all__ = ["Game"]


class _Past(msgspec.Struct, frozen=True, gc=False):
    """A move that was played (None: the game was stopped), and the way back before it."""

    move: Move | None
    table: Table
    journal: int | None
    events: int


class Game:
    """A game of Carcassonne on the reference model.

    Made by `Game.new`, from a position (`carcassonne.position`) or from a saved record
    (`carcassonne.record`). A game is its rules, its stack order and its moves.
    """

    def __init__(
        self,
        make: StateMaker,
        stack: tuple[TileType, ...],
        *,
        given: dict[str, Any] | None = None,
        state: State | None = None,
        past: list[_Past] | None = None,
    ) -> None:
        self._make = make
        self._stack = stack
        self._state = make(stack) if state is None else state
        self._past = past or []
        self._listed: list[Move] | None = None
        self._given = given

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
    ) -> Game:
        """Start a game: the start tile lies at 0,0 and the first tile is drawn.

        Parameters
        ----------
        players
            One to six different names, in turn order.
        seed
            Decides the order of the stack; the same seed gives the same game everywhere.
        rules
            The options; `Rules()`, the first edition, by default.
        tile_sets
            Names or paths; `"base*2"` stands for two copies.
        tile_counts
            Single counts changed, by tile id.
        stack
            An explicit draw order of tile ids instead of a shuffled stack.

        Raises
        ------
        CarcassonneError
            Bad names, sets or counts, or a set whose special rules are not there.
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
    ) -> Game:
        """As `Game.new`, with tile sets that are loaded already."""
        names = check_players(players)
        check_seed(seed)
        if not isinstance(rules, Rules):
            raise RulesError(f"rules must be made by Rules.preset, not {rules!r}")
        start = box.start
        if start is None:
            raise PositionError(
                "the tile sets have no start tile; add 'base' or a set with `start = 1`"
            )
        if stack is None:
            require_rules(box)
            tiles = box.stack()
            random.Random(seed).shuffle(tiles)
        else:
            tiles = [box.tile(name) for name in stack]

        def make(order: tuple[TileType, ...]) -> State:
            state = empty_state(rules, names, box, order)
            state.board.lay(start, (0, 0), 0)
            state.journal.clear()
            turns.run(state, "begin_turn")
            return state

        return cls(make, tuple(tiles))

    # -------------------------------------------------------------------------- questions

    @property
    def rules(self) -> Rules:
        """The options of this game."""
        return self._state.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names in turn order."""
        return self._state.players

    @property
    def box(self) -> TileBox:
        """The tile sets."""
        return self._state.box

    @property
    def given(self) -> dict[str, Any] | None:
        """The position that the game began from, as a scenario's table; None for a new game."""
        return copy.deepcopy(self._given)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and everything is scored."""
        return self._state.table.phase == "over"

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        return view_decision(self._state)

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.players[self._state.table.active]

    @property
    def scores(self) -> dict[str, int]:
        """Points by player."""
        return dict(zip(self.players, self._state.table.scores, strict=True))

    @property
    def winners(self) -> list[str]:
        """Everyone with the most points once the game is over (R-BASE-25); empty before."""
        return leaders(self.scores) if self.is_over else []

    @property
    def supply(self) -> dict[str, dict[str, int]]:
        """Pieces left in each player's supply: meeples, bridges, castles."""
        return view_supply(self._state)

    @property
    def drawn(self) -> str | None:
        """The id of the tile to be placed."""
        tile = self._state.table.tile
        return tile.id if tile and self._state.table.phase == "place" else None

    @property
    def stack_left(self) -> int:
        """How many tiles the stack still holds."""
        return self._state.left

    @property
    def stack(self) -> tuple[str, ...]:
        """The whole draw order, tiles drawn already included. No player may look at it."""
        return tuple(tile.id for tile in self._stack)

    @property
    def unseen(self) -> dict[str, int]:
        """The tiles left in the stack by id, without their order; public knowledge."""
        left = self._stack[self._state.table.next_tile :]
        return dict(sorted(Counter(tile.id for tile in left).items()))

    @property
    def discarded(self) -> tuple[str, ...]:
        """Tiles set aside, in order, declined ones too."""
        return tuple(tile.id for tile in self._state.table.set_aside)

    @property
    def on_offer(self) -> tuple[str, ...]:
        """The bazaar's tiles that nobody has yet, also the one being bid for."""
        return tuple(tile.id for tile in self._state.table.offer)

    @property
    def hands(self) -> dict[str, str]:
        """Who holds which tile of the bazaar still to be placed."""
        hands = self._state.table.hands
        return {self.players[seat]: tile.id for seat, tile in enumerate(hands) if tile}

    @property
    def in_round(self) -> bool:
        """Whether a bazaar is open: its tiles are being handed out or placed (R-BAZAAR-19)."""
        return self._state.table.in_round

    @property
    def high_bid(self) -> int | None:
        """The bid to beat, or None when nothing is bid for."""
        bid = self._state.table.high_bid
        return bid if bid >= 0 else None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, as they were written."""
        return tuple(past.move for past in self._past if past.move is not None)

    @property
    def was_stopped(self) -> bool:
        """Whether the game was ended by `stop` instead of an empty stack."""
        return bool(self._past) and self._past[-1].move is None

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far."""
        return tuple(self._state.events)

    @property
    def tiles(self) -> dict[Cell, Placement]:
        """The tiles on the board by cell, in the order of laying; not to be changed."""
        return dict(self._state.board.tiles)

    @property
    def castles(self) -> list[CastleView]:
        """The castles, in the order in which they were built."""
        return [view_castle(self._state, castle) for castle in self._state.table.castles]

    def finished_for(self, castle: CastleView) -> list[FinishedView] | None:
        """What is finished now, not settled yet, and may pay a castle (R-CASTLE-15, R-CASTLE-21).

        Returns
        -------
        list of FinishedView or None
            None for a castle that was paid just now and whose meeple still has to go home.
        """
        state = self._state
        own = next(one for one in state.table.castles if one.at == castle.at)
        return values.finished_for(state, own)

    def tokens(self) -> list[TokenView]:
        """Every meeple, pig and barn on the board: by cell, segment, kind and seat."""
        return view_tokens(self._state)

    def features(self) -> list[FeatureView]:
        """Every feature on the board."""
        return [view_feature(self._state, f) for f in self._state.board.features.all()]

    def feature(self, at: Address | str) -> FeatureView:
        """The feature that a segment belongs to, named by any of its names.

        Raises
        ------
        PositionError
            There is no such segment.
        """
        return view_feature(self._state, self._feature(at))

    def _feature(self, at: Address | str) -> Feature:
        address = parse_address(at) if isinstance(at, str) else at
        node = self._state.board.find(address)
        if node is None:
            laid = self._state.board.tiles.get(address.cell)
            what = f"{laid.tile.id} there has none" if laid else "no tile lies there"
            raise PositionError(f"there is no segment {address}: {what}")
        return self._state.board.features.of(node)

    def worth(self, at: Address | str, *, completed: bool = False) -> Worth:
        """What a feature is worth as it lies, itemised; see `FeatureView.points`.

        Parameters
        ----------
        completed
            As if a road, city or cloister were completed with the tiles that it has.

        Raises
        ------
        PositionError
            There is no such segment.
        """
        return values.worth_of(self._state, self._feature(at), completed=completed)

    def winners_of(self, at: Address | str) -> list[str]:
        """Who would be paid for a feature as it lies (R-BASE-16); empty if nobody.

        Raises
        ------
        PositionError
            There is no such segment.
        """
        seats = values.winners_of(self._state, self._feature(at))
        return [self.players[seat] for seat in seats]

    def segments(self, cell: Cell) -> list[Address]:
        """The segments of the tile on a cell, its bridges included."""
        placement = self._state.board.tiles.get(cell)
        return list(placement.nodes.values()) if placement else []

    def open_cells(self) -> list[Cell]:
        """Empty cells that touch a tile."""
        return [cell for cell, _ in self._state.board.signatures()]

    def graph(self) -> nx.Graph[Address]:
        """The live graph of segments, as a read-only view.

        Nodes are addresses with the attributes `cell`, `kind` (castle for a city under a
        castle), `segment`, `meeples` (player to number) and `bridge`; edges join segments of
        neighbouring tiles. A feature is a connected component.
        """
        return self._state.board.features.graph.read_only()

    def legal_moves(self) -> LegalMoves:
        """Every distinct possibility of the open decision, in a fixed order; empty at the end."""
        if self._listed is None:
            self._listed = legality.legal_moves(self._state)
        return LegalMoves(self._listed, lambda move: not self.why_not(move))

    def placements(self) -> int:
        """How many cells, rotations and bridges a `place` decision accepts, all rotations."""
        return sum(len(cells) * len(fits) for cells, fits in self._places())

    def legal_cells(self) -> list[Cell]:
        """The cells where the drawn tile may legally go, sorted."""
        return sorted({cell for cells, _ in self._places() for cell in cells})

    def _places(self) -> list[tuple[list[Cell], tuple[Fit, ...]]]:
        table = self._state.table
        if table.phase != "place" or table.tile is None:
            return []
        in_hand = table.bridges[table.active] > 0
        return self._state.board.placements(table.tile, bridge_in_hand=in_hand, listed=False)

    def fits(
        self, tile: str, *, with_bridge: bool = False, cell: Cell | None = None
    ) -> list[Place]:
        """The distinct ways to lay a tile now, drawn or not, as moves; cells in order.

        Parameters
        ----------
        tile
            An id or letter.
        with_bridge
            Count the ways that need a bridge too, as for a player who has one (R-BRIDGE-8).
        cell
            Only the ways to lay it there.

        Raises
        ------
        TileError
            No loaded set has such a tile.
        """
        moves = legality.placements(
            self._state, self.box.tile(tile), bridge_in_hand=with_bridge, cell=cell
        )
        return sorted(moves, key=lambda move: (move.cell, move.rotation))

    def why_not(self, move: Move | str, *, player: str | None = None) -> list[Violation]:
        """Every rule that a move breaks now; empty if it is legal.

        Parameters
        ----------
        player
            Who wants to make the move; only the decider may. None: the decider.

        Raises
        ------
        InvalidMove
            The text is no move.
        """
        value = as_move(move)
        found = legality.violations(self._state, value)
        decision = self.decision
        if player is not None and decision is not None and player != decision.player:
            text = f"it is {decision.player} who decides now, not {player}"
            found.insert(0, Violation("R-BASE-4", text))
        return found

    def canonical(self, move: Move | str) -> Move:
        """The move under the names that listings use."""
        value = as_move(move)
        return legality.canonical(self._state, value)

    def explain(self, move: Move | str | None = None) -> str:
        """The rules behind a move, or behind what happened last and what is to be decided."""
        if move is not None:
            found = self.why_not(move)
            return "\n".join(map(str, found)) or f"'{move}' is legal"
        start = self._past[-1].events if self._past else 0
        lines = [str(event) for event in self._state.events[start:]]
        decision = self.decision
        if decision is not None:
            count = len(self.legal_moves())
            lines.append(f"{decision.player} decides: {decision.kind} ({count} moves listed)")
        return "\n".join(lines)

    def fingerprint(self) -> tuple[object, ...]:
        """A comparable value of the whole state; equal states have equal fingerprints."""
        return fingerprint(self._state)

    # -------------------------------------------------------------------------- changes

    def play(self, move: Move | str, *, player: str | None = None) -> tuple[Event, ...]:
        """Make a move of the open decision and walk on to the next one.

        Returns
        -------
        tuple of Event
            What happened, itemised.

        Raises
        ------
        IllegalMove
            Naming every rule that the move breaks; nothing has changed.
        InvalidMove
            The text is no move.
        """
        value = as_move(move)
        state = self._state
        found = (
            legality.violations(state, value)
            if player is None
            else self.why_not(value, player=player)
        )
        if found:
            raise IllegalMove(str(move), tuple(found))
        start = self._remember(value)
        turns.answer(state, value)
        return tuple(state.events[start:])

    def stop(self) -> tuple[Event, ...]:
        """End the game here with the final scoring; only while a tile is to be placed.

        Raises
        ------
        CarcassonneError
            Another decision is open.
        """
        state = self._state
        if state.table.phase != "place":
            raise CarcassonneError(
                f"a game can be stopped only at a 'place' decision; '{state.table.phase}' is open"
            )
        start = self._remember(None)
        turns.stop_game(state)
        return tuple(state.events[start:])

    def _remember(self, move: Move | None) -> int:
        state = self._state
        start = len(state.events)
        self._past.append(_Past(move, state.table, len(state.journal), start))
        state.table = copy.copy(state.table)
        self._listed = None
        return start

    def undo(self, moves: int = 1) -> None:
        """Take back the last moves, exactly; any number, back to the start.

        Raises
        ------
        CarcassonneError
            There are not that many moves; nothing has changed.
        """
        if not isinstance(moves, int) or not 1 <= moves <= len(self._past):
            raise CarcassonneError(
                f"can't take back {moves!r} moves: {len(self._past)} have been played"
            )
        target = self._past[-moves]
        kept = self._past[:-moves]
        if target.journal is None:
            self._replay(kept)
        else:
            state = self._state
            state.unwind(target.journal)
            state.table = target.table
            del state.events[target.events :]
        self._past = kept
        self._listed = None

    @contextmanager
    def supposing(self, place: Place) -> Iterator[None]:
        """Suppose that a tile lay in a cell where it fits; the block sees features and fits so.

        Nothing is played: scores, decisions and supplies stay as they are, and afterwards the
        board is as before. Blocks can be nested.
        """
        board, length = self._state.board, len(self._state.journal)
        listed, self._listed = self._listed, None
        board.lay(self.box.tile(place.tile), place.cell, place.rotation)
        if place.bridge is not None:
            board.build_bridge(place.bridge)
        try:
            yield
        finally:
            self._state.unwind(length)
            self._listed = listed

    def _replay(self, kept: list[_Past]) -> None:
        """Build the state afresh from the start: for moves made before this game was copied."""
        state = self._make(self._stack)
        for index, past in enumerate(kept):
            if past.move is None:
                raise AssertionError("nothing can be played after a stop")
            before = _Past(past.move, state.table, len(state.journal), len(state.events))
            state.table = copy.copy(state.table)
            turns.answer(state, past.move)
            kept[index] = before
        self._state = state

    @property
    def can_undo_at_table(self) -> bool:
        """Whether the last move may be taken back at the table: it revealed no tile."""
        if not self._past:
            return False
        start = self._past[-1].events
        shown = self._state.events[start:]
        return not any(isinstance(event, TileDrawn | MarketOpened) for event in shown)

    def copy(self) -> Game:
        """An equal game that shares nothing; it can be taken back to the start as well."""
        return self._twin(self._stack)

    def shuffled(self, rng: random.Random) -> Game:
        """A copy with the unseen part of the stack shuffled: what a player can know."""
        seen = self._state.table.next_tile
        unseen = sorted(self._stack[seen:], key=lambda tile: tile.id)
        rng.shuffle(unseen)
        return self._twin((*self._stack[:seen], *unseen))

    def _twin(self, stack: tuple[TileType, ...]) -> Game:
        twin = self._state.copy(stack)
        past = [structs.replace(one, journal=None) for one in self._past]
        return Game(self._make, stack, given=self._given, state=twin, past=past)

    def _repr_svg_(self) -> str | None:
        """The board as a picture, for notebooks."""
        return display.picture_of(self)

    def __repr__(self) -> str:
        decision = self.decision
        what = f"{decision.player} to {decision.kind}" if decision else "over"
        return f"<Game: {self.scores}, {len(self._state.board.tiles)} tiles, {what}>"
