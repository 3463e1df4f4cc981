"""What features are worth, itemised by rule: completed, at the end, and farms.

Pure functions of the board; who moves points and when is decided by the turn steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from carcassonne.events import Item
from carcassonne.moves import Address

if TYPE_CHECKING:
    from carcassonne.model.board import Board
    from carcassonne.model.features import Feature
    from carcassonne.rules import Rules

__all__ = ["Worth", "farm_cities", "farm_owners", "farm_worth", "is_complete", "worth"]


class Worth(NamedTuple):
    """Points with the rule that grants them and the items that add up to them."""

    points: int
    rule: str
    items: tuple[Item, ...]


def _sum(rule: str, *items: Item) -> Worth:
    kept = tuple(item for item in items if item.count)
    return Worth(sum(item.points for item in kept), rule, kept)


def is_complete(board: Board, feature: Feature) -> bool:
    """Whether a road, city or cloister is complete (R-BASE-12, 14, 15); fields never are.

    A castle is a complete city to this question; callers that know the castles ask them first.
    """
    if feature.kind in ("road", "city"):
        return feature.open == 0
    if feature.kind == "cloister":
        return board.surrounded(feature.members[0].cell) == 8
    return False


def worth(board: Board, feature: Feature, rules: Rules, *, completed: bool = False) -> Worth:
    """What a road, city or cloister pays: as completed if it is or shall be, else as at the end.

    Completed: R-BASE-13, R-BASE-14 (of two tiles R-BASE-26), R-BASE-15. At the end: R-BASE-21.
    """
    done = completed or is_complete(board, feature)
    if feature.kind == "road":
        return _road(board, feature, rules, done=done)
    if feature.kind == "city":
        return _city(board, feature, rules, done=done)
    return _cloister(board, feature, done=done)


def _road(board: Board, feature: Feature, rules: Rules, *, done: bool) -> Worth:
    rule = "R-BASE-13" if done else "R-BASE-21"
    pieces = board.features.pieces
    if rules.road_count_mode == "segments":
        count, what = len(feature.members), "segments"
    else:
        count, what = len(feature.cells), "tiles"
    each = 1
    if rules.inns_enabled and any(pieces[node].inn for node in feature.members):
        each = 2 if done else 0
        what += " of a road with an inn"
    return _sum(rule, Item(what, count, each, rule))


def _city(board: Board, feature: Feature, rules: Rules, *, done: bool) -> Worth:
    pieces = board.features.pieces
    tiles = len(feature.cells)
    pennants = sum(pieces[node].pennants for node in feature.members)
    if done and tiles == 2:
        return _tiny_city(pennants, rules)
    each, what, rule = (2, "tiles", "R-BASE-14") if done else (1, "tiles", "R-BASE-21")
    if rules.inns_enabled and any(pieces[node].cathedral for node in feature.members):
        each, what = (3 if done else 0), "tiles of a city with a cathedral"
    return _sum(rule, Item(what, tiles, each, rule), Item("pennants", pennants, each, rule))


def _tiny_city(pennants: int, rules: Rules) -> Worth:
    """A completed city of two tiles; with 4 points it is a city like any other (R-BASE-26, 27)."""
    rule = "R-BASE-26"
    each = 2 if rules.tiny_city_points == 4 else rules.tiny_city_pennant_points
    return _sum(
        rule,
        Item("city of two tiles", 1, rules.tiny_city_points, rule),
        Item("pennants", pennants, each, "R-BASE-27"),
    )


def _cloister(board: Board, feature: Feature, *, done: bool) -> Worth:
    tiles = 9 if done else 1 + board.surrounded(feature.members[0].cell)
    rule = "R-BASE-15" if done else "R-BASE-21"
    return _sum(rule, Item("tiles in and around", tiles, 1, rule))


# ------------------------------------------------------------------------------ farms


def farm_cities(board: Board, field: Feature) -> list[Feature]:
    """The completed cities, castles among them, that adjoin a field, each once (R-BASE-22, 24)."""
    features = board.features
    found: dict[int, Feature] = {}
    for node in field.members:
        for name in features.pieces[node].touches:
            city = features.of(Address(node.cell, name))
            if city.open == 0:
                found[id(city)] = city
    return list(found.values())


def farm_owners(field: Feature) -> list[int]:
    """The seats that a field pays: owners of barns, else the majority of farmers (R-CASTLE-33)."""
    if field.barns:
        return sorted({seat for seat, _ in field.barns})
    return field.majority()


def farm_worth(
    board: Board, field: Feature, rules: Rules, castle_nodes: frozenset[Address], seat: int | None
) -> Worth:
    """What a field pays a seat (None: somebody without a pig) at the end.

    3 for each completed city (R-BASE-22), 4 for each castle, each one more for the owner of a
    pig or a barn on the field (R-CASTLE-33).
    """
    cities = farm_cities(board, field)
    castles = sum(1 for city in cities if city.members[0] in castle_nodes)
    pig = any(owner == seat for owner, _ in field.pigs)
    bonus = 1 if field.barns or pig else 0
    note = (" with a barn" if field.barns else " with a pig") if bonus else ""
    return _sum(
        "R-BASE-22",
        Item("cities" + note, len(cities) - castles, rules.farm_points_per_city + bonus,
             "R-BASE-22"),
        Item("castles" + note, castles, rules.castle_farm_points + bonus, "R-CASTLE-33"),
    )  # fmt: skip
