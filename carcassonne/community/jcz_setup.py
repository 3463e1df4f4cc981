"""What a saved game of JCloisterZone says before its first message: players, options, tiles.

Owns the form of the file and how its sets, elements and rules become our tile sets and options;
whatever this program lacks is refused by name. The messages are walked in `jcz_game`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from carcassonne.errors import RecordError
from carcassonne.model.game import Game
from carcassonne.position import build_position
from carcassonne.rules import Rules
from carcassonne.tiles import EXPANSION_8, TileBox

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FARTHEST", "Message", "Save", "Setting"]

_SETS: Final = {"basic": "base", "bridges-castles-and-bazaars": EXPANSION_8}
_ELEMENTS: Final = ("small-follower", "farmers", "bridge", "castle", "bazaar", "inn", "cathedral")
_RULES: Final = {
    "princess-action", "fairy-placement", "dragon-move", "wagon-move", "barn-placement",
    "bazaar-no-auction", "hill-tiebreaker", "espace-variant", "gq11-pig-herd",
    "tunnelize-other-expansions", "more-tunnel-tokens", "festival-return", "keep-monasteries",
    "labyrinth-variant", "little-buildings-scoring", "king-and-robber-scoring",
    "king-and-robber-baron-scoring", "tiny-city-scoring", "coc-final-scoring", "count-move",
    "inn-and-cathedral-final-scoring", "vineyards-for-garden", "robbers-son-action",
    "meteorite-impact",
}  # fmt: skip
"""Rules that its files state; all but three are about elements that are refused anyway."""
_END: Final = "#END"
FARTHEST: Final = 9999

_Number = Annotated[int, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]


class _Laid(msgspec.Struct):
    tile: str
    x: _Number = 0
    y: _Number = 0
    rotation: Annotated[int, msgspec.Meta(ge=0, le=270)] = 0


class _Setup(msgspec.Struct):
    sets: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]]
    elements: dict[str, bool | int | float | str | None] = {}
    rules: dict[str, bool | int | float | str | None] = {}
    start: list[_Laid] = []
    tiles: dict[str, int] | None = None


class _Player(msgspec.Struct):
    name: str | None = None


class _Annotations(msgspec.Struct, rename="camel"):
    draw_order: list[str] = []
    end_turn: Annotated[int, msgspec.Meta(ge=0, le=FARTHEST)] | None = None


class Message(msgspec.Struct):
    """One thing that a player did; players are counted from 0."""

    type: str
    payload: dict[str, Any] = {}
    player: int | None = None


class Save(msgspec.Struct, rename="camel"):
    """The file, as far as it matters here; its other keys are passed over."""

    setup: _Setup
    players: list[_Player]
    replay: list[Message]
    game_annotations: _Annotations = msgspec.field(default_factory=_Annotations)


class Setting:
    """What the file says before its first message: players, rules, tiles."""

    def __init__(self, save: Save) -> None:
        self.messages = save.replay
        self.names = _names(save.players)
        self.box = _box(save.setup)
        self.rules = _rules(save.setup, len(save.players))
        self.given = self._given(save.setup)
        order, self.limit = list(save.game_annotations.draw_order), save.game_annotations.end_turn
        if order and order[-1] == _END:
            order.pop()
            self.limit = len(order) if self.limit is None else self.limit
        self.known = order

    def _given(self, setup: _Setup) -> dict[str, Any] | None:
        """A position where the start is not the usual one; None for the usual start."""
        laid = [f"{self.box.tile(one.tile).id} {_lies(one)}" for one in setup.start]
        start = self.box.start
        usual = start is not None and laid in ([], [f"{start.id} 0,0 r0"])
        meeples = setup.elements.get("small-follower", 0)
        if isinstance(meeples, bool) or not isinstance(meeples, int) or not 0 <= meeples <= 99:
            raise RecordError(f"setup.elements: small-follower: {meeples!r} is no number of pieces")
        given: dict[str, Any] = {} if usual else {"tiles": laid}
        if meeples != 7:
            given["supply"] = {name: {"meeples": meeples} for name in self.names}
        return given or None

    def first_order(self) -> list[str]:
        """The stack as far as it is known: draw order, placements, then the tiles left over."""
        rest = Counter(self.box.counts)
        if self.given and "tiles" in self.given:
            rest.subtract(text.split(" ")[0] for text in self.given["tiles"])
        elif self.box.start is not None:
            rest[self.box.start.id] -= 1
        order = [self.box.tile(name).id for name in self.known]
        rest.subtract(order)
        before = Counter(order)
        for number, message in enumerate(self.messages, 1):
            tile = message.payload.get("tileId")
            if message.type != "PLACE_TILE" or not isinstance(tile, str):
                continue
            if before[tile] > 0:
                before[tile] -= 1
                continue
            if tile not in self.box.types:
                raise RecordError(f"message {number} (PLACE_TILE): tile {tile!r} is unknown")
            order.append(tile)
            rest[tile] -= 1
        for tile, count in rest.items():
            if count < 0 and not self.known:
                raise RecordError(
                    f"replay: {self.box.counts[tile] - count} of {tile} are placed or drawn, "
                    f"but there are only {self.box.counts[tile]}"
                )
        order += [tile for tile, count in rest.items() for _ in range(count)]
        return order if self.limit is None else order[: self.limit]

    def game(self, order: Sequence[str]) -> Game:
        """A new game with a draw order."""
        if self.given is None:
            return Game.of_box(self.names, rules=self.rules, box=self.box, stack=order)
        stack = [self.box.tile(name) for name in order]
        return build_position(self.names, self.given, rules=self.rules, box=self.box, stack=stack)


def _lies(one: _Laid) -> str:
    """Where a start tile lies; a rotation is a number of quarter turns or of degrees."""
    turns = one.rotation if one.rotation < 4 else one.rotation / 90
    if turns not in range(4):
        raise RecordError(f"setup.start: rotation: {one.rotation} must be 0, 1, 2 or 3")
    return f"{one.x},{one.y} r{90 * int(turns)}"


def _names(players: list[_Player]) -> list[str]:
    """Names as we write them: without spaces, each once."""
    names: list[str] = []
    for number, player in enumerate(players, 1):
        plain = "".join(c if c.isprintable() else " " for c in player.name or "")
        base = "_".join(plain.split())[:36] or f"Player{number}"
        name, copy = base, 2
        while name in names:
            name, copy = f"{base}_{copy}", copy + 1
        names.append(name)
    return names


def _box(setup: _Setup) -> TileBox:
    sets: list[str] = []
    for name, copies in setup.sets.items():
        plain = name.partition(":")[0]
        if not copies:
            continue
        if plain not in _SETS:
            raise RecordError(f"setup.sets: tile set {name!r} is unknown")
        sets.append(_SETS[plain] if copies == 1 else f"{_SETS[plain]}*{copies}")
    return TileBox.load(sorted(sets), counts=setup.tiles)


def _rules(setup: _Setup, players: int) -> Rules:
    """Our options for its elements and rules."""
    elements = {name: value for name, value in setup.elements.items() if value}
    for name, value in elements.items():
        if name not in _ELEMENTS:
            raise RecordError(f"setup.elements: element {name!r} is unknown")
        if name != "small-follower" and value not in (True, 1):
            raise RecordError(f"setup.elements: {name}: {value!r} must be 1 or true")
    for name in setup.rules:
        if name not in _RULES:
            raise RecordError(f"setup.rules: rule {name!r} is unknown")
    inns = "inn" in elements or "cathedral" in elements
    if inns and setup.rules.get("inn-and-cathedral-final-scoring") not in (None, "zero"):
        raise RecordError("setup.rules: inn-and-cathedral-final-scoring: only 'zero' is known")
    tiny = str(setup.rules.get("tiny-city-scoring") or "4")
    if tiny not in ("2", "4"):
        raise RecordError(f"setup.rules: tiny-city-scoring: {tiny!r} is neither '4' nor '2'")
    pieces = 3 if players <= 4 else 2
    auction = "draft" if setup.rules.get("bazaar-no-auction") else "auction"
    return Rules(
        tiny_city_points=int(tiny),
        inns_enabled=inns,
        bridges_per_player=pieces if "bridge" in elements else 0,
        castles_per_player=pieces if "castle" in elements else 0,
        bridge_adjacent_mode="placed_only",
        castle_multi_choice="max",
        bazaar_mode=auction if "bazaar" in elements and players > 1 else "off",  # type: ignore[arg-type]
        farmers="farmers" in elements,
    )
