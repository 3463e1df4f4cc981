"""The books of a game: what lies, stands and belongs to whom, and what ought to follow from it.

`Books` answers from the recounted board and its own lists what is complete, worth, free and
allowed. What happened is entered by `carcassonne.playtest.ledger`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from carcassonne.moves import BridgePlace
from carcassonne.playtest.recount import STEPS, Cell, Recount, Spot, around, beside, long_sides
from carcassonne.seats import MEEPLES

if TYPE_CHECKING:
    from carcassonne.model.game import Game
    from carcassonne.playtest.recount import Found

__all__ = ["Books", "Castle", "Paying"]


class Castle(NamedTuple):
    """A castle as the ledger knows it."""

    spots: frozenset[Spot]
    owner: str
    near: frozenset[Cell]
    part: int

    @property
    def cells(self) -> frozenset[Cell]:
        """Its two cells."""
        return frozenset(cell for cell, _ in self.spots)


class Paying(NamedTuple):
    """Something finished that can pay a castle."""

    spot: Spot
    points: int
    cells: frozenset[Cell]
    rule: str


class Books:
    """A game's pieces and turns as they should be; made from a game that has just begun."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.players = game.players
        self.types = game.box.types
        self.letters = {t.letter: t.id for t in self.types.values() if t.letter}
        self.board = Recount()
        for cell, placement in game.tiles.items():
            self.board.lay(placement.tile, cell, placement.rotation)
            for axis in placement.bridges:
                self.board.build(BridgePlace(cell, axis))
        self.began_tiles = Counter(tile.id for tile, _ in self.board.laid.values())
        self.left = len(game.stack)
        self.set_aside: list[str] = []
        self.over = False
        self._stand(game)
        self._supply(game)
        self._begin_turns(game)
        self._begin_bazaar()

    def _stand(self, game: Game) -> None:
        """What stands on the table at the start."""
        self.standing = [
            (name, (node.cell, node.segment))
            for node, data in game.graph().nodes(data=True)
            for name, count in data["meeples"].items()
            for _ in range(count)
        ]
        self.castles = [
            Castle(
                frozenset((s.cell, s.segment) for s in game.feature(castle.at).segments),
                castle.owner,
                long_sides(castle.cells),
                0,
            )
            for castle in game.castles
        ]

    def _supply(self, game: Game) -> None:
        """Scores and supplies at the start, and how many pieces of each kind there are in all."""
        full = 3 if len(self.players) <= 4 else 2
        if not game.box.has_expansion_8:
            full = 0
        usual = (self.rules.bridges_per_player, self.rules.castles_per_player)
        bridges, castles = (full if number is None else number for number in usual)
        here = Counter(name for name, _ in self.standing)
        built = Counter(castle.owner for castle in self.castles)
        given = game.given or {}
        self.supply = {
            name: {
                "meeples": MEEPLES - here[name],
                "bridges": bridges,
                "castles": max(0, castles - built[name]),
                **{k: v for k, v in given.get("supply", {}).get(name, {}).items() if v is not None},
            }
            for name in self.players
        }
        self.all_pieces = {
            name: {
                "meeples": own["meeples"] + here[name], "castles": own["castles"] + built[name],
            }
            for name, own in self.supply.items()
        }  # fmt: skip
        self.all_bridges = sum(own["bridges"] for own in self.supply.values())
        self.all_bridges += sum(map(len, self.board.bridges.values()))
        self.began_at = {name: given.get("scores", {}).get(name, 0) for name in self.players}
        self.scores = dict(self.began_at)

    def _begin_turns(self, game: Game) -> None:
        self.turn = (game.given or {}).get("active") or self.players[0]
        self.tile: str | None = None
        self.placed: Cell | None = None
        self.placer = ""
        self.part = 0
        self.built_bridge = False
        self.passed: set[str] = set()
        self.market_due = False

    def _begin_bazaar(self) -> None:
        self.in_round = False
        self.leader = ""
        self.offer: list[str] = []
        self.hands: dict[str, str] = {}
        self.round: list[str] = []
        self.last_chooser = ""
        self.chooser = ""
        self.lot = -1
        self.high = -1
        self.high_bidder = ""
        self.bidders: list[str] = []

    # ---------------------------------------------------------------------- seats

    def clockwise(self, first: str) -> list[str]:
        """Everybody in turn order from one on."""
        at = self.players.index(first)
        return [*self.players[at:], *self.players[:at]]

    def after(self, name: str) -> str:
        """Who comes next."""
        return self.clockwise(name)[1] if len(self.players) > 1 else name

    def on(self, found: Found) -> Counter[str]:
        """Whose meeples stand on a feature."""
        return Counter(name for name, spot in self.standing if spot in found.pieces)

    def leaders(self, found: Found) -> set[str]:
        """Who has the most meeples on a feature (R-BASE-16)."""
        counts = self.on(found)
        return {name for name in counts if counts[name] == max(counts.values())}

    def castle_at(self, spot: Spot) -> Castle | None:
        """The castle over a piece."""
        return next((c for c in self.castles if spot in c.spots), None)

    def is_complete(self, found: Found) -> bool:
        """Whether a feature is complete and no castle."""
        if found.kind not in ("road", "city", "cloister") or found.open:
            return False
        return self.castle_at(next(iter(found.pieces))) is None

    def completed_now(self) -> list[Found]:
        """Complete features on the tile just placed, cloisters also beside it."""
        if self.placed is None:
            return []
        spots = [(self.placed, p.name) for p in self.board.pieces(self.placed)]
        spots += [(c, "cloister") for c in around(self.placed) if self.board.find(c, "cloister")]
        found = {id(f): f for f in map(self.board.feature, spots)}
        return [f for f in found.values() if self.is_complete(f)]

    def small_city(self, found: Found) -> str | None:
        """Whose castle a city could become now, or None (R-CASTLE-1 to 6)."""
        pieces = found.pieces.values()
        if found.kind != "city" or found.open or len(pieces) != 2 or len(found.cells) != 2:
            return None
        leaders, count = self.leaders(found), self.on(found).total()
        if not all(p.cap for p in pieces) or len(leaders) != 1:
            return None
        if self.rules.castle_follower_rule == "single_follower" and count != 1:
            return None
        owner = leaders.pop()
        if self.rules.castle_chooser == "active_player_only" and owner != self.turn:
            return None
        return owner if self.supply[owner]["castles"] else None

    def castle_choices(self) -> tuple[str, list[Found]]:
        """Who decides on castles now, and on which cities (R-CASTLE-4)."""
        open_: dict[str, list[Found]] = {}
        for found in self.completed_now():
            owner = self.small_city(found)
            if owner is not None and owner not in self.passed:
                open_.setdefault(owner, []).append(found)
        for name in self.clockwise(self.turn):
            if name in open_:
                return name, open_[name]
        return "", []

    def worth(self, found: Found) -> tuple[int, str]:
        """What a road, city or cloister pays now, and by which rule."""
        pieces, rules = list(found.pieces.values()), self.rules
        done = found.open == 0
        tiles = len(found.cells)
        if found.kind == "cloister":
            return 9 - found.open, "R-BASE-15" if done else "R-BASE-21"
        if found.kind == "road":
            count = len(pieces) if rules.road_count_mode == "segments" else tiles
            inn = rules.inns_enabled and any(p.inn for p in pieces)
            each = (2 if done else 0) if inn else 1
            return count * each, "R-BASE-13" if done else "R-BASE-21"
        if done and tiles == 2:
            tiny = rules.tiny_city_points
            pennant = 2 if tiny == 4 else rules.tiny_city_pennant_points
            return tiny + pennant * found.pennants, "R-BASE-26"
        cathedral = rules.inns_enabled and any(p.cathedral for p in pieces)
        each = 2 if done else 1
        if cathedral:
            each = 3 if done else 0
        return each * (tiles + found.pennants), "R-BASE-14" if done else "R-BASE-21"

    def farm_worth(self, found: Found) -> int:
        """What a field pays its majority (R-BASE-22, R-CASTLE-33)."""
        cities: dict[int, Found] = {}
        for (cell, _), piece in found.pieces.items():
            for name in piece.touches:
                city = self.board.feature((cell, name))
                if city.open == 0:
                    cities[id(city)] = city
        castles = sum(self.castle_at(city.at) is not None for city in cities.values())
        each, each_castle = self.rules.farm_points_per_city, self.rules.castle_farm_points
        return (len(cities) - castles) * each + castles * each_castle

    def placements(self, player: str) -> set[tuple[Cell, int, BridgePlace | None]]:
        """Every way to lay the tile drawn."""
        if self.tile is None:
            return set()
        return self.board.placements(
            self.types[self.tile],
            bridge=self.supply[player]["bridges"] > 0,
            most=self.rules.bridge_max_per_tile,
        )

    def may_decline(self, player: str) -> bool:
        """Whether every placement needs a bridge (R-BRIDGE-11)."""
        ways = self.placements(player)
        return self.rules.bridge_decline_discards and all(bridge for _, _, bridge in ways)

    def free_bridges(self) -> set[BridgePlace]:
        """Where the player who has just placed may build (R-BRIDGE-2, 3, 22, 23)."""
        rules = self.rules
        if self.placed is None or self.built_bridge or rules.bridge_requires_road_contact:
            return set()
        if not self.supply[self.placer]["bridges"]:
            return set()
        cells = [self.placed]
        if rules.bridge_adjacent_mode == "any_adjacent":
            cells += [beside(self.placed, side) for side in STEPS]
        places = [BridgePlace(cell, axis) for cell in cells for axis in (0, 1)]
        return {p for p in places if self.board.can_bridge(p, rules.bridge_max_per_tile)}

    def free_spots(self) -> set[Spot]:
        """Where the player who has just placed may put a meeple (R-BASE-8, R-BRIDGE-19)."""
        if self.placed is None or not self.supply[self.placer]["meeples"]:
            return set()
        kinds = {"road", "city", "cloister"} | ({"field"} if self.rules.farmers else set())
        spots = [(self.placed, piece.name) for piece in self.board.pieces(self.placed)]
        return {
            spot
            for spot in spots
            if self.board.feature(spot).kind in kinds and not self.on(self.board.feature(spot))
        }

    def without_tile(self, first: str) -> list[str]:
        """Who has no tile of the bazaar yet, in turn order."""
        return [name for name in self.clockwise(first) if name not in self.hands]

    def limit(self, player: str) -> int | None:
        """The highest bid of a player (R-BAZAAR-18)."""
        limits = [] if self.rules.bazaar_max_bid is None else [self.rules.bazaar_max_bid]
        if not self.rules.bazaar_allow_negative:
            limits.append(self.scores[player])
        return min(limits) if limits else None

    def may_bid(self, player: str, points: int) -> bool:
        """Whether a bid is allowed now (R-BAZAAR-9)."""
        limit = self.limit(player)
        if self.high < 0:
            return points >= 0 and (limit is None or points <= max(0, limit))
        return points > self.high and (limit is None or points <= limit)

    def listed_bids(self, player: str) -> list[int]:
        """The bids that a listing shows."""
        return [n for n in range(max(20, self.high + 10) + 1) if self.may_bid(player, n)]

    def must_open(self) -> bool:
        """Whether the turn ends with a bazaar (R-BAZAAR-5, R-BAZAAR-31)."""
        enough = self.left >= len(self.players) or not self.rules.bazaar_skip_if_short
        on = self.rules.bazaar_mode != "off" and self.market_due
        return on and self.left > 0 and enough
