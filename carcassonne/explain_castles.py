"""The rules desk's answers about castles: whose they are, and what pays them now or later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.events import Score
from carcassonne.geometry import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.views import CastleView, FeatureView

__all__ = ["CastleExplanation", "Payer", "explain_castle"]


class Payer(msgspec.Struct, frozen=True):
    """A feature, or another castle, that can pay a castle, by which rule.

    Attributes
    ----------
    needs, dead : tuple of str
        The cells that it needs to be completed, and those of them that no tile left fits.
    points : int or None
        What it pays if it is finished in the turn that is being settled; None if it could only
        be finished later.
    """

    at: str
    kind: str
    rule: str
    needs: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    points: int | None = None


class CastleExplanation(msgspec.Struct, frozen=True):
    """A castle: its vicinity, whose it is, and what pays it.

    Attributes
    ----------
    state : str
        `waiting` to be paid; `paid`, its meeple gone home; `paid_now`, its meeple goes home at
        the end of the turn; `never_paid`, its meeple was removed at the end (R-CASTLE-31).
    empty_cells : tuple of str
        The empty cells of the vicinity, where further features can come.
    payers : tuple of Payer
        Empty for a castle that waits for nothing. If something is finished just now, only that:
        it may not be waited for more (R-CASTLE-15, R-CASTLE-20, R-CASTLE-21).
    """

    at: str
    owner: str
    occupied: bool
    state: str
    cells: tuple[str, ...]
    vicinity: tuple[str, ...]
    empty_cells: tuple[str, ...]
    payers: tuple[Payer, ...]


_FINISHING: Final = ("road", "city", "cloister")


def explain_castle(
    game: Game,
    castle: CastleView,
    views: Sequence[FeatureView],
    needs: dict[str, list[Cell]],
    dead: set[Cell],
) -> CastleExplanation:
    """Explain one of a game's castles.

    Parameters
    ----------
    views, needs
        All features, and the empty cells that each needs, by name.
    dead
        Cells where no tile left fits.
    """
    payers: list[Payer] = []
    state = _state(game, castle)
    if state == "waiting":
        payers = _payers_now(game, castle)
        if not any(payer.rule != "R-CASTLE-11" for payer in payers):
            payers += _payers_later(game, castle, views, needs, dead)
    return CastleExplanation(
        at=str(castle.at),
        owner=castle.owner,
        occupied=castle.occupied,
        state=state,
        cells=_texts(castle.cells),
        vicinity=_texts(castle.vicinity),
        empty_cells=_texts(cell for cell in castle.vicinity if cell not in game.tiles),
        payers=tuple(payers),
    )


def _state(game: Game, castle: CastleView) -> str:
    if castle.occupied:
        return "paid_now" if game.finished_for(castle) is None else "waiting"
    for event in game.events:
        if isinstance(event, Score) and event.rule == "R-CASTLE-31" and event.at == castle.at:
            return "never_paid"
    return "paid"


def _rule(kind: str) -> str:
    rules = {"cloister": "R-CASTLE-17", "castle": "R-CASTLE-25"}
    return rules.get(kind, "R-CASTLE-16")


def _payers_now(game: Game, castle: CastleView) -> list[Payer]:
    """What is finished in the turn being settled; a small city that may become a castle too."""
    payers = []
    for found in game.finished_for(castle) or ():
        kind = game.feature(found.at).kind
        rule = _rule(kind) if found.sure else "R-CASTLE-11"
        payers.append(Payer(str(found.at), kind, rule, points=found.points))
    return payers


def _payers_later(
    game: Game,
    castle: CastleView,
    views: Sequence[FeatureView],
    needs: dict[str, list[Cell]],
    dead: set[Cell],
) -> list[Payer]:
    around = set(castle.vicinity)
    payers = []
    for view in views:
        if view.kind not in _FINISHING or view.complete or around.isdisjoint(view.cells):
            continue
        cells = needs[str(view.at)]
        lost = _texts(cell for cell in cells if cell in dead)
        payers.append(Payer(str(view.at), view.kind, _rule(view.kind), _texts(cells), lost))
    payers += [
        Payer(str(other.at), "castle", _rule("castle"))
        for other in game.castles
        if other.at != castle.at and other.occupied and not around.isdisjoint(other.cells)
    ]
    return payers


def _texts(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(map(cell_text, cells))
