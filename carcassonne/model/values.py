"""What any feature is worth as it lies, and whom it would pay: scoring as an answer to questions.

The numbers are `carcassonne.model.scoring`'s; nothing is paid here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.events import Item
from carcassonne.model import castles, scoring, turns
from carcassonne.model.scoring import Worth
from carcassonne.views import FinishedView

if TYPE_CHECKING:
    from carcassonne.model.features import Feature
    from carcassonne.model.state import Castle, State

__all__ = ["finished_for", "winners_of", "worth_of"]


def worth_of(state: State, feature: Feature, *, completed: bool = False) -> Worth:
    """What a feature is worth: as completed if it is, else as at the end.

    A field is worth what it pays its majority (R-BASE-22), a castle nothing (R-CASTLE-31). With
    `completed`, a road, city or cloister counts as if it had no open end (R-BASE-13 to 15).
    """
    if state.castle_at(feature.members[0]) is not None:
        return Worth(0, "R-CASTLE-31", (Item("castle", 1, 0, "R-CASTLE-31"),))
    if feature.kind == "river":
        return Worth(0, "", ())
    if feature.kind == "field":
        return _farm(state, feature)
    return scoring.worth(state.board, feature, state.rules, completed=completed)


def _farm(state: State, feature: Feature) -> Worth:
    if not state.rules.farmers:
        return Worth(0, "R-BASE-22", ())
    seats: list[int | None] = [*scoring.farm_owners(feature)]
    return max(
        (
            scoring.farm_worth(state.board, feature, state.rules, state.castle_nodes, seat)
            for seat in seats or [None]
        ),
        key=lambda worth: worth.points,
    )


def winners_of(state: State, feature: Feature) -> list[int]:
    """The seats that a feature would pay (R-BASE-16; barns: R-CASTLE-33)."""
    if feature.kind == "field":
        return scoring.farm_owners(feature) if state.rules.farmers else []
    return feature.majority()


def finished_for(state: State, castle: Castle) -> list[FinishedView] | None:
    """What is finished and not settled yet and may pay a castle (R-CASTLE-15, R-CASTLE-21).

    None for a castle that has been paid while its meeple waits to go home (R-CASTLE-30). While
    optional decisions are open it is what the tile just placed has completed.
    """
    table = state.table
    index = table.castles.index(castle)
    if index in table.paid:
        return None
    if not castles.waits(state, castle):
        return []
    if table.phase == "collect":
        payouts = castles.candidates(state, castle) if index in table.unpaid else []
        return [FinishedView(payout.at, payout.points, sure=True) for payout in payouts]
    if table.phase not in ("bridge", "meeple", "castle"):
        return []
    features = state.board.features
    found = []
    for feature in turns.just_completed(state):
        if state.castle_at(feature.members[0]) is None and castle.vicinity & {*feature.cells}:
            points = scoring.worth(state.board, feature, state.rules).points
            name = features.name(feature)
            pending = table.phase != "castle" or name in {at for _, at in table.small_cities}
            sure = not (pending and castles.is_small_city(feature))
            found.append(FinishedView(name, points, sure))
    return found
