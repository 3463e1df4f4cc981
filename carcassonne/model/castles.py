"""Castles: which small cities may become one, their vicinity, and how they are paid.

Implements R-CASTLE-1 to R-CASTLE-32. Payment goes in waves (R-CASTLE-26): finished features
first, then castles that were paid in the wave before; within a wave every payout is fixed
before the first owner chooses, so no order of iteration can matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.errors import Violation
from carcassonne.events import CastleBuilt, Item
from carcassonne.geometry import Cell, neighbour
from carcassonne.model.state import Castle, Payout, changed

if TYPE_CHECKING:
    from carcassonne.model.features import Feature
    from carcassonne.model.state import State
    from carcassonne.moves import Address

__all__ = [
    "build",
    "candidates",
    "explain_castle",
    "is_small_city",
    "open_wave",
    "owner_of",
    "pay",
    "vicinity",
    "waits",
]


def vicinity(cells: frozenset[Cell]) -> frozenset[Cell]:
    """The six cells of a castle: its two tiles and the two on each long side (R-CASTLE-13)."""
    first, second = sorted(cells)
    sides = (0, 2) if first[1] == second[1] else (1, 3)
    return cells | {neighbour(cell, side) for cell in cells for side in sides}


def is_small_city(feature: Feature) -> bool:
    """Whether a city consists of exactly two segments on two tiles and is closed (R-CASTLE-2)."""
    return (
        feature.kind == "city"
        and feature.open == 0
        and len(feature.members) == 2
        and len(feature.cells) == 2
    )


def owner_of(state: State, feature: Feature) -> int | None:
    """Whose castle the city could become (R-CASTLE-5, R-CASTLE-6), or None."""
    leaders = feature.majority()
    if len(leaders) != 1:
        return None
    if state.rules.castle_follower_rule == "single_follower" and len(feature.followers) != 1:
        return None
    return leaders[0]


def explain_castle(state: State, feature: Feature) -> list[Violation]:
    """Every rule that keeps a city, as it stands now, from becoming a castle."""
    table, rules, features = state.table, state.rules, state.board.features
    name = str(features.name(feature))
    if state.castle_at(feature.members[0]) is not None:
        return [Violation("R-CASTLE-12", f"{name} is a castle already and stays one to the end")]
    found = []
    if not is_small_city(feature):
        what = "is not closed" if feature.open else "does not have two segments on two tiles"
        found.append(Violation("R-CASTLE-2", f"the {feature.kind} {name} {what}"))
    elif not all(features.pieces[node].castle_base for node in feature.members):
        found.append(
            Violation("R-CASTLE-3", f"a half of the city {name} is no plain half-round cap")
        )
    owner = owner_of(state, feature)
    if not feature.followers:
        found.append(Violation("R-CASTLE-6", f"no meeple stands in the city {name}"))
    elif owner is None:
        found.append(
            Violation(
                "R-CASTLE-5",
                f"{len(feature.followers)} meeples share the city {name} "
                f"(castle_follower_rule = {rules.castle_follower_rule})",
            )
        )
    else:
        if not table.castle_markers[owner]:
            found.append(
                Violation("R-CASTLE-1", f"{state.players[owner]} has no castle marker left")
            )
        if rules.castle_chooser == "active_player_only" and owner != table.active:
            found.append(
                Violation(
                    "R-CASTLE-4",
                    f"the city {name} is {state.players[owner]}'s, and only the active player "
                    "may build castles (castle_chooser = active_player_only)",
                )
            )
    return found


def build(state: State, node: Address) -> None:
    """Turn a small city into a castle: a marker on it, the meeple on the marker (R-CASTLE-8).

    It pays nothing by itself (R-CASTLE-9). Under `sole_majority` one meeple of the owner stays
    and all others go home.
    """
    table, features = state.table, state.board.features
    feature = features.of(node)
    owner = owner_of(state, feature)
    if owner is None:
        raise AssertionError(f"{node} has no single owner")
    keep = next(token for token in feature.followers if token[0] == owner)
    state.send_home(node, keep=(keep,))
    name = features.name(feature)
    cells = frozenset(feature.cells)
    table.castle_markers = changed(table.castle_markers, owner, -1)
    table.castles = (
        *table.castles,
        Castle(name, owner, tuple(feature.members), vicinity(cells), table.part),
    )
    for member in feature.members:
        features.rename(member, "castle")
    state.events.append(CastleBuilt(state.players[owner], name))


# ------------------------------------------------------------------------------ payment


def candidates(state: State, castle: Castle) -> list[Payout]:
    """The payouts of the current wave that reach a castle (R-CASTLE-16, 17, 25, 27)."""
    return [payout for payout in state.table.wave if payout.cells & castle.vicinity]


def waits(state: State, castle: Castle) -> bool:
    """Whether what is finished now can pay a castle: it is occupied and old enough."""
    old = castle.part < state.table.part or state.rules.castle_same_turn
    return old and state.is_occupied(castle)


def open_wave(state: State, wave: tuple[Payout, ...]) -> bool:
    """Take up a wave of payouts and queue the castles that it reaches; False if none.

    Owners clockwise from the active player, each owner's castles in the order in which they
    were built. Castles of this very placement wait for a later one (R-CASTLE-22, R-CASTLE-28).
    """
    table = state.table
    table.wave, table.next_wave = wave, ()
    seats = state.clockwise(table.active)
    queue = [
        index
        for index, castle in enumerate(table.castles)
        if index not in table.paid and waits(state, castle) and candidates(state, castle)
    ]
    table.unpaid = tuple(sorted(queue, key=lambda i: seats.index(table.castles[i].owner)))
    return bool(queue)


def pay(state: State, payout: Payout) -> None:
    """Pay the castle at the head of the queue the full points of a payout (R-CASTLE-18, 25)."""
    table = state.table
    index, *rest = table.unpaid
    castle = table.castles[index]
    rule = "R-CASTLE-25" if payout.by_castle else "R-CASTLE-18"
    what = f"{'castle' if payout.by_castle else 'feature'} {payout.at}"
    state.score(
        castle.owner, payout.points, rule, "castle", castle.at,
        (Item(what, 1, payout.points, rule),),
    )  # fmt: skip
    table.unpaid = tuple(rest)
    table.paid = (*table.paid, index)
    table.next_wave = (
        *table.next_wave,
        Payout(castle.at, payout.points, castle.cells, by_castle=True),
    )
