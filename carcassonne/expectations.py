"""What a scenario can expect of a game, and where a game differs from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from carcassonne.errors import PositionError, TileError
from carcassonne.events import Event, Score
from carcassonne.geometry import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.model.game import Game

__all__ = ["Expect", "Mismatch", "compare", "describe"]


Kind = Literal[
    "place", "bridge", "meeple", "castle", "collect", "choose", "bid", "deal", "take", "over"
]
_Count = Annotated[int, msgspec.Meta(ge=0)]
_Cell = Annotated[str, msgspec.Meta(pattern="^(0|-?[1-9][0-9]{0,3}),(0|-?[1-9][0-9]{0,3})$")]


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the tables; keys that are left out are not checked."""


class ExpectFeature(_Form):
    """One entry of `features`."""

    at: str
    tiles: int | None = None
    open: int | None = None
    complete: bool | None = None
    points: int | None = None
    pennants: int | None = None
    meeples: dict[str, int] | None = None


class ExpectCastle(_Form):
    """One entry of `castle`."""

    at: str
    owner: str | None = None
    occupied: bool | None = None
    vicinity: list[_Cell] | None = None


class ExpectEvent(_Form):
    """One entry of `events`."""

    player: str | None = None
    points: int | None = None
    rule: str | None = None


class Expect(_Form):
    """The `expect` table of a step."""

    scores: dict[str, int] | None = None
    meeples: dict[str, int] | None = None
    bridges: dict[str, int] | None = None
    castles: dict[str, int] | None = None
    decision: Kind | None = None
    player: str | None = None
    active: str | None = None
    drawn: str | None = None
    stack: _Count | None = None
    discarded: list[str] | None = None
    on_offer: list[str] | None = None
    hands: dict[str, str] | None = None
    high_bid: int | None = None
    winners: list[str] | None = None
    features: list[ExpectFeature] | None = None
    joined: list[tuple[str, str]] | None = None
    apart: list[tuple[str, str]] | None = None
    castle: list[ExpectCastle] | None = None
    placements: _Count | None = None
    cells: list[_Cell] | None = None
    events: list[ExpectEvent] | None = None

    def player_names(self) -> Iterator[tuple[str, str]]:
        """Every player that the table names, with the key."""
        for key in ("scores", "meeples", "bridges", "castles", "hands"):
            for name in getattr(self, key) or {}:
                yield key, name
        for key in ("player", "active"):
            if getattr(self, key) is not None:
                yield key, getattr(self, key)
        for name in self.winners or []:
            yield "winners", name
        for feature in self.features or []:
            for name in feature.meeples or {}:
                yield "features", name
        for castle in self.castle or []:
            if castle.owner:
                yield "castle", castle.owner
        for event in self.events or []:
            if event.player is not None:
                yield "events", event.player

    def tile_names(self) -> Iterator[tuple[str, str]]:
        """Every tile that the table names, with the key."""
        if self.drawn:
            yield "drawn", self.drawn
        for key in ("discarded", "on_offer"):
            for name in getattr(self, key) or []:
                yield key, name
        for name in (self.hands or {}).values():
            yield "hands", name

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Every segment that the table names, with the key."""
        for feature in self.features or []:
            yield "features", feature.at
        for castle in self.castle or []:
            yield "castle", castle.at
        for key, pairs in (("joined", self.joined), ("apart", self.apart)):
            for pair in pairs or []:
                yield from ((key, at) for at in pair)


class Mismatch(NamedTuple):
    """A key whose value is not the expected one."""

    key: str
    expected: str
    found: str


def describe(value: object) -> str:
    """A value in the words of a scenario file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {describe(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(describe(item) for item in value) + "]"
    return "nothing" if value is None else str(value)


def compare(game: Game, expect: Expect, events: Sequence[Event]) -> list[Mismatch]:
    """Where a game differs from what is expected; `events` are those of the last play."""
    found: list[Mismatch] = []
    found += _compare_players(game, expect)
    found += _compare_plain(game, expect)
    for feature in expect.features or []:
        found += _compare_feature(game, feature)
    for pairs, key in ((expect.joined, "joined"), (expect.apart, "apart")):
        for first, second in pairs or []:
            found += _compare_pair(game, key, first, second)
    for castle in expect.castle or []:
        found += _compare_castle(game, castle)
    for event in expect.events or []:
        found += _compare_event(event, events)
    return found


def _compare_players(game: Game, expect: Expect) -> Iterator[Mismatch]:
    supply = game.supply
    tables = {"scores": game.scores}
    for key in ("meeples", "bridges", "castles"):
        tables[key] = {name: pieces[key] for name, pieces in supply.items()}
    for key, table in tables.items():
        wanted: dict[str, int] | None = getattr(expect, key)
        if wanted is not None and any(table[name] != value for name, value in wanted.items()):
            shown = {name: table[name] for name in wanted}
            yield Mismatch(key, describe(wanted), describe(shown))


def _compare_plain(game: Game, expect: Expect) -> Iterator[Mismatch]:
    decision = game.decision
    actual: dict[str, Any] = {
        "decision": decision.kind if decision else "over",
        "player": decision.player if decision else None,
        "active": None if game.is_over else game.active,
        "drawn": game.drawn or "",
        "stack": game.stack_left,
        "discarded": list(game.discarded),
        "on_offer": list(game.on_offer),
        "hands": game.hands,
        "high_bid": game.high_bid,
        "winners": sorted(game.winners),
        "placements": game.placements(),
        "cells": sorted({cell_text(cell) for cell in game.legal_cells()}),
    }
    for key, value in actual.items():
        wanted = getattr(expect, key)
        if wanted is not None and _plain(game, key, wanted) != value:
            yield Mismatch(key, describe(wanted), describe(value))


def _plain(game: Game, key: str, wanted: Any) -> Any:
    """An expected value with full tile ids, and sorted where the order says nothing."""
    if key in ("winners", "cells"):
        return sorted(wanted)
    if key == "drawn":
        return _tile(game, wanted)
    if key in ("discarded", "on_offer"):
        return [_tile(game, name) for name in wanted]
    if key == "hands":
        return {player: _tile(game, name) for player, name in wanted.items()}
    return wanted


def _tile(game: Game, name: str) -> str:
    try:
        return game.box.tile(name).id
    except TileError:
        return name


def _compare_feature(game: Game, wanted: ExpectFeature) -> Iterator[Mismatch]:
    try:
        view = game.feature(wanted.at)
    except PositionError as error:
        yield Mismatch(f"features ({wanted.at})", "a feature", str(error))
        return
    for key in ("tiles", "open", "complete", "points", "pennants", "meeples"):
        value, actual = getattr(wanted, key), getattr(view, key)
        if value is not None and value != actual:
            yield Mismatch(f"features ({wanted.at}) {key}", describe(value), describe(actual))


def _compare_pair(game: Game, key: str, first: str, second: str) -> Iterator[Mismatch]:
    try:
        same = game.feature(first).at == game.feature(second).at
    except PositionError as error:
        yield Mismatch(key, f"{first} and {second}", str(error))
        return
    if same != (key == "joined"):
        what = "one feature" if same else "two features"
        yield Mismatch(key, f"{first} and {second} {key}", what)


def _compare_castle(game: Game, wanted: ExpectCastle) -> Iterator[Mismatch]:
    key = f"castle ({wanted.at})"
    try:
        at = game.feature(wanted.at).at
    except PositionError as error:
        yield Mismatch(key, "a castle", str(error))
        return
    view = next((castle for castle in game.castles if castle.at == at), None)
    if view is None:
        yield Mismatch(key, "a castle", "no castle there")
        return
    actual: dict[str, Any] = {
        "owner": view.owner,
        "occupied": view.occupied,
        "vicinity": sorted(cell_text(cell) for cell in view.vicinity),
    }
    for name, value in actual.items():
        expected = getattr(wanted, name)
        if isinstance(expected, list):
            expected = sorted(expected)
        if expected is not None and expected != value:
            yield Mismatch(f"{key} {name}", describe(expected), describe(value))


def _compare_event(wanted: ExpectEvent, events: Iterable[Event]) -> Iterator[Mismatch]:
    scores = [event for event in events if isinstance(event, Score)]
    for event in scores:
        if (
            wanted.player in (None, event.player)
            and wanted.points in (None, event.points)
            and wanted.rule in (None, event.rule)
        ):
            return
    shown = [f"{e.player} {e.points:+d} {e.rule}" for e in scores]
    values = {k: v for k, v in msgspec.structs.asdict(wanted).items() if v is not None}
    yield Mismatch("events", describe(values), describe(shown) if shown else "no score events")
