"""Saved games of JCloisterZone, played again on our model.

Its file is a list of messages, one for each thing that a player did. They are walked through
with a game of ours: what we ask and it doesn't is passed, what it asks and we don't is skipped,
anything else that doesn't fit is an error that names the message. Where the file doesn't tell the
draw order, the stack is worked out from the placements; tiles that nobody placed come last, in
the order of the tile files.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final, NoReturn

import msgspec

from carcassonne.community.jcz_setup import FARTHEST, Message, Save, Setting
from carcassonne.community.jcz_tiles import parse_location
from carcassonne.errors import CarcassonneError, IllegalMove, RecordError
from carcassonne.events import MarketOpened, TileDrawn, TileSetAside, TileTaken
from carcassonne.files import convert, read_text
from carcassonne.geometry import HALVES, SIDES, Cell, neighbour
from carcassonne.moves import (
    Address,
    Bid,
    BridgePlace,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from carcassonne.events import Event
    from carcassonne.model.game import Game

__all__ = ["game_from_jcz", "load_jcz"]

_ROTATIONS: Final = {"R0": 0, "R90": 1, "R180": 2, "R270": 3}
_FEATURES: Final = {
    "Road": "road", "City": "city", "Castle": "city", "Field": "field", "Farm": "field",
    "Monastery": "cloister", "Cloister": "cloister",
}  # fmt: skip
_OPTIONAL: Final = ("bridge", "meeple", "castle")
_MOST_WALKS: Final = 500


def load_jcz(path: str | Path) -> Game:
    """Load a saved game of JCloisterZone; see `game_from_jcz`.

    Raises
    ------
    RecordError
        Naming the file and the key, element or message that is wrong.
    """
    return game_from_jcz(read_text(path, RecordError), str(path))


def game_from_jcz(text: str, where: str = "saved game") -> Game:
    """Play a saved game of JCloisterZone again, given as the text of its file.

    Returns
    -------
    Game
        With all its moves; it ends where the file ends.

    Raises
    ------
    RecordError
        Naming `where` and the key, the element that this program doesn't know, or the number
        (from 1) and type of the message that doesn't fit.
    """
    try:
        save = convert(json.loads(text), Save)
    except json.JSONDecodeError as error:
        raise RecordError(
            f"{where}: line {error.lineno}, column {error.colno}: is no JSON: {error.msg}"
        ) from None
    except msgspec.ValidationError as error:
        raise RecordError(f"{where}: is no saved game of JCloisterZone: {error}") from None
    except (RecursionError, ValueError):
        raise RecordError(
            f"{where}: is no saved game: nested too deeply or a number too long"
        ) from None
    try:
        table = Setting(save)
        order = table.first_order()
        for _ in range(_MOST_WALKS):
            walk = _Walk(table, order)
            try:
                return walk.to_the_end()
            except _OtherOrderError as better:
                order = better.order
    except CarcassonneError as error:
        raise RecordError(f"{where}: {error}") from None
    raise RecordError(f"{where}: no draw order fits its placements")


class _OtherOrderError(Exception):
    """The walk has found out that the tiles came in another order."""

    def __init__(self, order: list[str]) -> None:
        self.order = order
        super().__init__()


# ------------------------------------------------------------------------------ the walk


class _Walk:
    """One walk through the messages with a game of a given draw order.

    `slots` say where in the stack a tile came from: the tile drawn, the tiles on offer, the tiles
    in hands. A placement of another tile than expected shows that two of them must be swapped.
    """

    def __init__(self, table: Setting, order: list[str]) -> None:
        self.table = table
        self.order = order
        self.game = table.game(order)
        self.number, self.message = 0, Message("")
        self.turn_open = False
        self.acted = False
        self.next_slot = 0
        self.slot = 0
        self.market: list[int] = []
        self.offer: list[int] = []
        self.lot, self.leader = -1, 0
        self.hands: dict[str, int] = {}
        self.picks: list[int] = []
        self._note(self.game.events)

    def fail(self, text: str) -> NoReturn:
        """Stop at the message that is being read."""
        raise RecordError(f"message {self.number} ({self.message.type}): {text}")

    def to_the_end(self) -> Game:
        """Read every message."""
        for number, message in enumerate(self.table.messages, 1):
            self.number, self.message = number, message
            read = _READERS.get(message.type)
            if read is None:
                self.fail("a message of this type is unknown")
            read(self)
        if not self.turn_open:
            self.pass_optional()
            self.take()
        return self.game

    @property
    def kind(self) -> str:
        """The kind of the open decision, `over` at the end."""
        decision = self.game.decision
        return decision.kind if decision else "over"

    def play(self, move: Move) -> None:
        """Make a move of the game, as the player of the message where it names one."""
        try:
            events = self.game.play(move)
        except IllegalMove as error:
            self.fail(str(error))
        self._note(events)

    def _note(self, events: Sequence[Event]) -> None:
        """Follow tiles from the stack into the market and the hands."""
        for event in events:
            if isinstance(event, TileDrawn):
                self.slot, self.next_slot = self.next_slot, self.next_slot + 1
            elif isinstance(event, MarketOpened):
                end = self.next_slot + len(event.tiles)
                self.market = list(range(self.next_slot, end))
                self.offer, self.hands, self.next_slot = list(self.market), {}, end
                self.picks, self.leader = [], self.table.names.index(event.player)
            elif isinstance(event, TileTaken):
                slot = self.lot if self.lot in self.offer else self.offer[0]
                self.offer.remove(slot)
                self.hands[event.player] = slot
                if not self.offer and self.game.rules.bazaar_mode == "auction":
                    self._check_market(dict(self.hands))
            elif isinstance(event, TileSetAside):
                self.hands.pop(event.player, None)

    def _check_market(self, owners: dict[str, int]) -> None:
        """Once everybody has a tile of the market: find which one, by what they place."""
        names = self.table.names
        coming = (
            message.payload.get("tileId")
            for message in self.table.messages[self.number :]
            if message.type == "PLACE_TILE"
        )
        wanted = {}
        for turn in range(len(names)):
            tile = next(coming, None)
            if tile is not None:
                wanted[owners[names[(self.leader + 1 + turn) % len(names)]]] = tile
        have = Counter(self.order[slot] for slot in wanted)
        if min(self.market) < len(self.table.known) or have != Counter(wanted.values()):
            return
        if any(self.order[slot] != tile for slot, tile in wanted.items()):
            order = list(self.order)
            for slot, tile in wanted.items():
                order[slot] = tile
            raise _OtherOrderError(order)

    # ---------------------------------------------------------------------- steps

    def check_player(self) -> None:
        """The player of the message must be the one who decides."""
        seat, decision = self.message.player, self.game.decision
        if seat is None or decision is None:
            return
        if not 0 <= seat < len(self.table.names):
            self.fail(f"there is no player {seat}")
        if self.table.names[seat] != decision.player:
            self.fail(
                f"it is {decision.player}'s {decision.kind} decision, not one of "
                f"{self.table.names[seat]}"
            )

    def pass_optional(self, but: str = "") -> None:
        """Pass what the file doesn't mention, up to a decision of a kind."""
        while self.kind in _OPTIONAL and self.kind != but:
            self.play(Pass())

    def need(self, *kinds: str) -> str:
        """The open decision must be of one of these kinds and the message's player's."""
        if self.kind not in kinds:
            decision = self.game.decision
            open_now = f"{decision.player}'s {decision.kind} is open" if decision else "it is over"
            self.fail(f"doesn't fit the game, where {open_now}")
        self.check_player()
        return self.kind

    def take(self) -> None:
        """Without an auction: take the tile that was picked before."""
        while self.kind == "take" and self.picks:
            slot = self.picks.pop(0)
            self.lot = slot
            self.play(Take(self.offer.index(slot) + 1))

    def cell(self, value: object) -> Cell:
        """A position of the payload."""
        match value:
            case [int(x), int(y)] if max(abs(x), abs(y)) <= FARTHEST:
                return (int(x), int(y))
        return self.fail(f"position {value!r} must be two numbers, x and y")

    def text(self, key: str) -> str:
        """A text of the payload."""
        value = self.message.payload.get(key)
        return value if isinstance(value, str) else self.fail(f"{key}: {value!r} must be a text")

    def pointer(self) -> tuple[Cell, str, tuple[str, ...]]:
        """Where a piece goes: the cell, the kind of feature (or nothing) and the places."""
        pointer = self.message.payload.get("pointer")
        if not isinstance(pointer, dict):
            self.fail("pointer: is missing")
        feature = pointer.get("feature")
        if feature is not None and not (isinstance(feature, str) and feature in _FEATURES):
            self.fail(f"feature {feature!r} is unknown")
        location = pointer.get("location")
        try:
            places = parse_location(location if isinstance(location, str) else "")
        except ValueError:
            self.fail(f"location {location!r} is unknown")
        kind = _FEATURES[feature] if isinstance(feature, str) else ""
        return self.cell(pointer.get("position")), kind, places

    # ---------------------------------------------------------------------- messages

    def place_tile(self) -> None:
        """Lay the tile, with the bridge that it needs: the file leaves that to be seen."""
        self.pass_optional()
        self.take()
        self.need("place")
        tile, rotation = self.text("tileId"), _ROTATIONS.get(self.text("rotation"))
        cell = self.cell(self.message.payload.get("position"))
        if rotation is None:
            self.fail(f"rotation {self.text('rotation')!r} is none of {', '.join(_ROTATIONS)}")
        if tile not in self.table.box.types:
            self.fail(f"tile {tile!r} is unknown")
        slot = self.hands.pop(self.game.active, self.slot)
        if self.game.drawn != tile:
            self._swap(slot, tile)
        self.play(self._placement(tile, cell, rotation))
        self.turn_open, self.acted = True, False

    def _swap(self, slot: int, tile: str) -> NoReturn:
        if slot < len(self.table.known):
            self.fail(f"places {tile}, but the draw order says {self.game.drawn}")
        if tile not in self.order[slot:]:
            self.fail(f"places {tile}, but no more of them are left")
        order = list(self.order)
        order.insert(slot, order.pop(order.index(tile, slot)))
        raise _OtherOrderError(order)

    def _placement(self, tile: str, cell: Cell, rotation: int) -> Place:
        plain = Place(tile, cell, rotation)
        if not self.game.why_not(plain):
            return plain
        spots = [(cell, 0), (cell, 1), *((neighbour(cell, side), side & 1) for side in range(4))]
        for where, axis in spots:
            mended = Place(tile, cell, rotation, BridgePlace(where, axis))
            if not self.game.why_not(mended):
                return mended
        return plain

    def deploy_meeple(self) -> None:
        """Put a meeple on the tile just placed."""
        piece = self.message.payload.get("meepleId", "0.small.1")
        if not isinstance(piece, str) or piece.split(".")[1:2] != ["small"]:
            self.fail(f"meeple {piece!r} is of an unknown kind")
        self.pass_optional(but="meeple")
        self.need("meeple")
        cell, kind, places = self.pointer()
        placed = next(reversed(self.game.tiles))
        if cell != placed:
            self.fail(f"a meeple goes on the tile just placed, {placed[0]},{placed[1]}")
        names = [self._segment(cell, kind, place) for place in places]
        found = {self.game.canonical(PutMeeple(name)) for name in names}
        if len(found) > 1:
            self.fail(f"the places {' '.join(places)} belong to different features")
        self.play(PutMeeple(names[0]))
        self.acted = True

    def _segment(self, cell: Cell, kind: str, place: str) -> str:
        """Our name of a place; older files leave the kind of feature out."""
        laid = self.game.tiles[cell]
        names = laid.tile.variants[laid.rotation].by_name
        if kind == "cloister" or place == "cloister":
            return "cloister"
        if not kind:
            inside = place in HALVES or place.startswith("inner")
            kind = "field" if inside else "city" if f"city.{place}" in names else "road"
        return f"{kind}.{place}"

    def place_token(self) -> None:
        """Build a bridge or a castle."""
        token = self.text("token")
        cell, _, places = self.pointer()
        if token == "BRIDGE":  # noqa: S105 - a piece of the game
            if places not in (("N", "S"), ("E", "W")):
                self.fail("a bridge goes NS or WE")
            self.need("bridge")
            self.play(BuildBridge(BridgePlace(cell, SIDES.index(places[0]))))
        elif token == "CASTLE":  # noqa: S105
            self.pass_optional(but="castle")
            while self.kind == "castle" and not self._is_theirs():
                self.play(Pass())
            self.need("castle")
            self.play(BuildCastle(Address(cell, f"city.{places[0]}")))
            self.acted = True
        else:
            self.fail(f"token {token!r} is unknown")

    def _is_theirs(self) -> bool:
        seat, decision = self.message.player, self.game.decision
        names = self.table.names
        return seat is None or decision is None or names[seat : seat + 1] == [decision.player]

    def pass_(self) -> None:
        """No piece, no bid, or a tile set aside; also where we don't ask."""
        if not self.turn_open:
            self.pass_optional()
        if self.kind == "bid":
            self.need("bid")
            self.play(Pass())
        elif self.turn_open:
            if self.kind in ("bridge", "meeple"):
                self.check_player()
                self.pass_optional(but="castle")
            elif self.kind == "castle" and self.acted and self._is_theirs():
                self.play(Pass())
            self.acted = True
        elif self.kind == "place" and self.slot < len(self.table.known):
            self.need("place")
            self.play(Decline())
        elif self.kind in ("choose", "deal", "take"):
            self.need("bid")

    def commit(self) -> None:
        """The end of a turn; what is still open is passed before the next message."""
        self.turn_open = False

    def bazaar_bid(self) -> None:
        """Choose a tile of the market, or bid for the one chosen."""
        self.pass_optional()
        self.turn_open = False
        index, price = (self.message.payload.get(key) for key in ("supplyIndex", "price"))
        for key, value in (("supplyIndex", index), ("price", price)):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 9999:
                self.fail(f"{key}: {value!r} must be a number from 0 to 9999")
        if not (isinstance(index, int) and isinstance(price, int)) or index >= len(self.market):
            self.fail(f"there is no tile number {index} in the market")
        slot = self.market[index]
        if self.kind == "place" and not self.offer and slot in self.hands.values() and not price:
            return  # the last tile, which we hand over without a question
        if self.game.rules.bazaar_mode == "draft":
            self._pick(slot)
        elif self.need("choose", "bid") == "choose":
            if slot not in self.offer:
                self.fail(f"tile number {index} is no longer on offer")
            self.lot = slot
            self.play(Choose(self.offer.index(slot) + 1, price))
        elif slot != self.lot:
            self.fail(f"bids for tile number {index}, which is not up for auction")
        else:
            self.play(Bid(price))

    def _pick(self, slot: int) -> None:
        """Remember who will take what: all pick before anybody places."""
        if self.kind != "take" or slot in self.picks:
            self.need("choose")
        self.picks.append(slot)
        if len(self.picks) == len(self.market) - 1:
            taken = [*self.picks, *(slot for slot in self.market if slot not in self.picks)]
            names = self.table.names
            seats = (names[(self.leader + 1 + i) % len(names)] for i in range(len(names)))
            self._check_market(dict(zip(seats, taken, strict=True)))

    def buy_or_sell(self) -> None:
        """The chooser buys the tile, or sells it to the highest bidder."""
        value = self.text("value")
        if value not in ("BUY", "SELL"):
            self.fail(f"value {value!r} is neither BUY nor SELL")
        self.need("deal")
        self.play(Buy() if value == "BUY" else Sell())


_READERS: Final = {
    "PLACE_TILE": _Walk.place_tile,
    "DEPLOY_MEEPLE": _Walk.deploy_meeple,
    "PLACE_TOKEN": _Walk.place_token,
    "PASS": _Walk.pass_,
    "COMMIT": _Walk.commit,
    "BAZAAR_BID": _Walk.bazaar_bid,
    "BAZAAR_BUY_OR_SELL": _Walk.buy_or_sell,
}
