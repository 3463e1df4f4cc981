"""A game move by move as plain values: what a page needs to show any of its positions.

The positions are asked of the model, which plays the game once from its start. Things on the
table get the steps from which and up to which they lie there just so; one that comes to look
otherwise, such as a tile whose cloister steps aside from a new bridge, is another thing from
then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.events import (
    BridgeBuilt,
    CastleBuilt,
    Event,
    FeatureCompleted,
    MeeplePlaced,
    MeepleReturned,
    Score,
    TilePlaced,
)
from carcassonne.render.auctions import Auction, AuctionLog
from carcassonne.render.curves import Point
from carcassonne.render.log import FINAL_RULES
from carcassonne.render.table import TablePicture, looks_of
from carcassonne.render.tile_svg import Drawer
from carcassonne.render.words import item_text, start_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.model.game import Game
    from carcassonne.moves import Address, Move
    from carcassonne.render.table import Part
    from carcassonne.views import Decision

__all__ = ["LAYERS", "Element", "Step", "Timeline", "Told", "timeline"]

LAYERS: Final = ("tiles", "castles", "bridges", "pieces")
"""What lies above what, from the table upwards."""

_DECIDES: Final = {
    "place": "places the tile",
    "bridge": "may build a bridge",
    "meeple": "may put down a meeple",
    "castle": "may build a castle",
    "collect": "may collect points for a castle",
    "choose": "chooses a tile and opens the bidding",
    "bid": "bids or passes",
    "deal": "buys or sells",
    "take": "takes a tile",
}


class ItemTold(msgspec.Struct, frozen=True):
    """One line of a score: in words, with its points and its rule."""

    text: str
    points: int
    rule: str


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event in words.

    Attributes
    ----------
    kind : str
        The name of the event's class.
    player : int
        The seat of whom it concerns; -1 for nobody in particular.
    at : tuple of float or None
        Where on the table it happened, in units of the board's picture.
    points, total, rule, items
        For a score: what it gave, what the player had then, by which rule, and what adds up to it.
    final : bool
        Whether the final scoring begins with it.
    """

    kind: str
    text: str
    player: int = -1
    at: Point | None = None
    points: int = 0
    total: int = 0
    rule: str = ""
    items: tuple[ItemTold, ...] = ()
    final: bool = False


class Open(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open decision: whose, which, in words, and the tile that it is about."""

    player: int
    kind: str
    text: str
    tile: str = ""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move, and the position after it; the first step is the start, without a move.

    Attributes
    ----------
    player, turn : int
        Who made the move (-1: nobody) and in which turn; turns are counted by the tiles laid.
    scores : tuple of int
        Points by seat.
    supply : tuple of tuple of int
        Meeples, bridges and castles left, by seat.
    box : tuple of int
        The westmost, northmost, eastmost and southmost cell with a tile.
    frame : tuple of int or None
        The cell of the tile laid last; `ring` is where a meeple was put with it.
    offer, hands
        The bazaar's tiles that nobody has yet, and those that players hold, with their seats.
    """

    move: str
    player: int
    turn: int
    events: tuple[Told, ...]
    scores: tuple[int, ...]
    supply: tuple[tuple[int, int, int], ...]
    box: tuple[int, int, int, int]
    stack: int
    frame: tuple[int, int] | None = None
    ring: Point | None = None
    decision: Open | None = None
    offer: tuple[str, ...] = ()
    hands: tuple[tuple[int, str], ...] = ()


class Element(msgspec.Struct):
    """A thing on the table; it lies there after the moves `first` to `end` - 1."""

    name: str
    markup: str
    first: int
    end: int


class Timeline(msgspec.Struct, frozen=True):
    """A whole game: its steps, its things by layer, its auctions; `drawer` has the definitions."""

    steps: tuple[Step, ...]
    layers: dict[str, list[Element]]
    auctions: tuple[Auction, ...]
    drawer: Drawer


def timeline(game: Game) -> Timeline:
    """Every position of a game, from its start to where it is now; the game isn't touched.

    A stopped game's final scoring belongs to its last move.
    """
    return _Walk(game).walk()


class _Walk:
    """Plays a game once more and notes everything on the way."""

    def __init__(self, game: Game) -> None:
        self.moves = game.moves
        self.stopped = game.was_stopped
        self.game = game.copy()
        self.seats = {name: seat for seat, name in enumerate(game.players)}
        self.scores = start_scores(game)
        self.drawer = Drawer()
        self.looks = looks_of(game)
        self.steps: list[Step] = []
        self.layers: dict[str, list[Element]] = {layer: [] for layer in LAYERS}
        self._lying: dict[str, dict[tuple[str, str], Element]] = {layer: {} for layer in LAYERS}
        self.auctions = AuctionLog(self.seats)
        self.turn = 0
        self.final = False
        self.frame: tuple[int, int] | None = None

    def walk(self) -> Timeline:
        """From the start, move by move."""
        past = len(self.moves) + self.stopped
        if past:
            self.game.undo(past)
        self._note("", -1, self.game.events)
        for number, move in enumerate(self.moves, 1):
            self._play(move, last=number == len(self.moves))
        for elements in self.layers.values():
            for element in elements:
                element.end = element.end or len(self.steps)
        return Timeline(tuple(self.steps), self.layers, self.auctions.done(), self.drawer)

    def _play(self, move: Move, *, last: bool) -> None:
        decision = self.game.decision
        if decision is None:
            raise AssertionError("a move was played, so a decision was open")
        if decision.kind == "place":
            self.turn = 1 + sum(isinstance(event, TilePlaced) for event in self.game.events)
        events = self.game.play(move)
        if last and self.stopped and not self.game.is_over:
            events += self.game.stop()
        self._note(str(move), self.seats[decision.player], events)

    def _note(self, move: str, player: int, events: Sequence[Event]) -> None:
        """The position that a move led to."""
        game, number = self.game, len(self.steps)
        picture = TablePicture(game, self.drawer, self.looks)
        tokens = list(picture.tokens())
        self._lay(number, "tiles", picture.tiles())
        self._lay(number, "castles", picture.castles())
        self._lay(number, "bridges", picture.bridges())
        self._lay(number, "pieces", (part for _, part in tokens))
        ring = None
        for event in events:
            if isinstance(event, TilePlaced):
                self.frame, ring = event.cell, None
            elif isinstance(event, MeeplePlaced):
                points = [p.at for token, p in tokens if token.at == event.at]
                ring = next(iter(points), None)
        for tile in (*game.on_offer, *game.hands.values()):
            self.drawer.lying(game.box.tile(tile))
        self.auctions.add(number, events)
        columns, rows = zip(*game.tiles, strict=True) if game.tiles else ((0,), (0,))
        supply = game.supply
        self.steps.append(
            Step(
                move=move,
                player=player,
                turn=self.turn,
                events=tuple(self._told(event, picture) for event in events),
                scores=tuple(game.scores.values()),
                supply=tuple((s["meeples"], s["bridges"], s["castles"]) for s in supply.values()),
                box=(min(columns), min(rows), max(columns), max(rows)),
                stack=game.stack_left,
                frame=self.frame,
                ring=ring,
                decision=self._open(game.decision),
                offer=game.on_offer,
                hands=tuple((self.seats[name], tile) for name, tile in game.hands.items()),
            )
        )

    def _lay(self, number: int, layer: str, parts: Iterable[Part]) -> None:
        """Note which things of a layer are new and which are there no more."""
        before = self._lying[layer]
        now: dict[tuple[str, str], Element] = {}
        for part in parts:
            key = (part.name, part.markup)
            element = before.pop(key, None)
            if element is None:
                element = Element(part.name, part.markup, number, 0)
                self.layers[layer].append(element)
            now[key] = element
        for gone in before.values():
            gone.end = number
        self._lying[layer] = now

    def _open(self, decision: Decision | None) -> Open | None:
        if decision is None:
            return None
        text = _DECIDES[decision.kind]
        if decision.castle is not None:
            text = f"{text} {decision.castle}"
        if decision.high_bid is not None and decision.high_bid >= 0:
            text = f"{text} ({decision.high_bid} so far)"
        if decision.tile is not None:
            self.drawer.lying(self.game.box.tile(decision.tile))
        return Open(self.seats[decision.player], decision.kind, text, decision.tile or "")

    # -------------------------------------------------------------------------- in words

    def _told(self, event: Event, picture: TablePicture) -> Told:
        kind = type(event).__name__
        name = getattr(event, "player", "")
        seat = self.seats.get(name, -1)
        at = _where(event, picture)
        if not isinstance(event, Score):
            return Told(kind, str(event), seat, at)
        self.scores[event.player] += event.points
        final = not self.final and event.rule in FINAL_RULES
        self.final = self.final or final
        where = f" at {event.at}" if event.at else ""
        return Told(
            kind=kind,
            text=f"{event.feature}{where}",
            player=seat,
            at=at,
            points=event.points,
            total=self.scores[event.player],
            rule=event.rule,
            items=tuple(
                ItemTold(item_text(i.what, i.count, i.each), i.points, i.rule) for i in event.items
            ),
            final=final,
        )


def _where(event: Event, picture: TablePicture) -> Point | None:
    """The point on the table that an event is about."""
    if isinstance(event, TilePlaced | BridgeBuilt):
        return (100 * event.cell[0] + 50, 100 * event.cell[1] + 50)
    if isinstance(event, MeeplePlaced | MeepleReturned | CastleBuilt | FeatureCompleted | Score):
        at: Address | None = event.at
        return None if at is None else picture.point_of(at)
    return None
