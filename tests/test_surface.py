"""The Python surface refuses what it can't take, with an error that is a ValueError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from carcassonne import Game, Rules
from carcassonne.errors import CarcassonneError, InvalidMove, RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

BAD: dict[str, Callable[[Any], object]] = {
    "rules by name": lambda any_: Game.new(["A", "B"], rules=any_("new_edition")),
    "rules not checked": lambda any_: Rules(bazaar_mode=any_("x")),
    "rules of another type": lambda any_: Rules(tiny_city_points=any_("q")),
    "seed as text": lambda any_: Game.new(["A", "B"], seed=any_("x")),
    "seed as a fraction": lambda any_: Game.new(["A", "B"], seed=any_(1.5)),
    "no move": lambda any_: Game.new(["A", "B"]).play(any_(None)),
    "a number as a move": lambda any_: Game.new(["A", "B"]).why_not(any_(3)),
    "undo by text": lambda any_: Game.new(["A", "B"]).undo(any_("x")),
}


@pytest.mark.parametrize("what", BAD)
def test_wrong_arguments_are_clear_errors(what: str) -> None:
    """One line, and never an AttributeError or TypeError."""
    with pytest.raises(CarcassonneError) as error:
        BAD[what](lambda value: value)
    assert "\n" not in str(error.value)


def test_errors_say_which_kind() -> None:
    """Options are RulesErrors, moves are InvalidMoves, and both are ValueErrors."""
    assert issubclass(RulesError, ValueError)
    assert issubclass(InvalidMove, ValueError)


def test_the_graph_can_only_be_read() -> None:
    """Neither nodes nor their attributes nor edges can be changed through the view."""
    game = Game.new(["A", "B"], seed=1)
    game.play(game.legal_moves()[0])
    before = game.fingerprint()
    graph: Any = game.graph()
    node = next(iter(graph.nodes))
    edge = next(iter(graph.edges))
    changes: list[Callable[[], object]] = [
        lambda: graph.nodes[node].__setitem__("kind", "city"),
        lambda: graph.nodes[node]["meeples"].__setitem__("A", 9),
        lambda: graph.edges[edge].__setitem__("weight", 1),
    ]
    for change in changes:
        with pytest.raises((TypeError, AttributeError)):
            change()
    assert game.fingerprint() == before


def test_a_refusal_names_every_broken_rule() -> None:
    """Also where the cell alone would be enough to refuse the move."""
    game = Game.new(["A", "B"], tile_sets=["base"], stack=["BA/L", "BA/L"])
    rules = [v.rule for v in game.why_not("place BA/L 0,0 r0 bridge 0,0 EW")]
    assert rules == ["R-BASE-5", "R-BRIDGE-10", "R-BRIDGE-5", "R-BRIDGE-5"]
    rules = [v.rule for v in game.why_not("place BA/L 5,5 r0 bridge 0,0 EW")]
    assert {"R-BASE-5", "R-BRIDGE-10", "R-BRIDGE-3", "R-BRIDGE-8"} <= set(rules)
