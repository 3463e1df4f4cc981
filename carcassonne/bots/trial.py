"""Short games that put every kind of decision to a bot, whatever it plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from carcassonne.bots.base import BotError
from carcassonne.model.game import Game
from carcassonne.moves import Pass, parse_move
from carcassonne.position import from_position
from carcassonne.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.bots.base import AnyGame
    from carcassonne.moves import Move

__all__ = ["BOT", "SPARRING", "TRIALS", "SparringBot", "Trial"]

BOT: Final = "Bot"
SPARRING: Final = "Sparring"


class SparringBot:
    """Plays a script, and after it what brings on decisions of others.

    Parameters
    ----------
    script
        Moves for its first decisions.
    """

    name = "sparring"

    def __init__(self, script: tuple[str, ...] = ()) -> None:
        self._script = list(script)

    def choose(self, game: AnyGame) -> Move:
        """The script's next move, no thanks, or the least that is more than nothing."""
        if not isinstance(game, Game) or game.decision is None:
            raise BotError("sparring needs a game on the model that is not over")
        if self._script:
            return parse_move(self._script.pop(0))
        moves = game.legal_moves()
        if game.decision.kind in ("bridge", "meeple", "castle"):
            return Pass()
        return moves[0] if str(moves[0]) != "pass" else moves[1]


class Trial(NamedTuple):
    """A short game: what it is, the decisions that it leads to, its table, how sparring begins."""

    title: str
    kinds: tuple[str, ...]
    given: Mapping[str, Any]
    script: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()

    def game(self) -> Game:
        """The game, which is the same every time."""
        rules = Rules.from_data(dict(self.options))
        return from_position([BOT, SPARRING], self.given, rules=rules)


_DOZEN: Final = ("BA/L", "BA/LR", "BA/Rr", "BA/RFr", "BA/RRR", "BA/C") * 2
_MARKET: Final = ("place BB/F.b 0,1 r0",)

TRIALS: Final = (
    Trial("a dozen tiles", ("place", "meeple"), {"stack": list(_DOZEN)}),
    Trial(
        "cloisters and bridges",
        ("place", "bridge", "meeple"),
        {"tiles": ["BA/L 0,0 r0"], "stack": ["BA/L"] * 4},
    ),
    Trial(
        "a small city",
        ("castle", "place", "meeple"),
        {
            "tiles": ["BA/RCr 0,0 r0"],
            "meeples": [f"{BOT} 0,0 city.N"],
            "stack": ["BA/C", "BA/RRR", "BA/RFr", "BA/L"],
            "active": SPARRING,
        },
        ("place BA/C 0,-1 r180",),
    ),
    Trial(
        "a castle beside a road and a city",
        ("collect", "place", "meeple"),
        {
            "tiles": [
                "BA/RCr 0,0 r0", "BA/C 0,-1 r180", "BA/RRR -1,0 r0",
                "BA/CFc.1 2,0 r0", "BA/CFc.1 3,0 r0", "BA/C 4,0 r270",
            ],
            "castles": [f"{BOT} 0,0 city.N"],
            "stack": ["BB/CFR!", "BA/L", "BA/RFr"],
            "active": SPARRING,
        },
        ("place BB/CFR! 1,0 r180",),
    ),
    Trial(
        "two bazaars with auctions",
        ("choose", "deal", "bid", "place", "meeple"),
        {
            "tiles": ["BA/RCr 0,0 r0"],
            "stack": ["BB/F.b", "BA/L", "BA/RFr", "BB/F.b", "BA/L", "BA/RRR", "BA/C", "BA/L"],
            "active": SPARRING,
        },
        _MARKET,
    ),
    Trial(
        "a bazaar without an auction",
        ("take", "place", "meeple"),
        {
            "tiles": ["BA/RCr 0,0 r0"],
            "stack": ["BB/F.b", "BA/L", "BA/RFr", "BA/L"],
            "active": SPARRING,
        },
        _MARKET,
        (("bazaar_mode", "draft"),),
    ),
)  # fmt: skip
"""Whatever a bot answers, each trial puts all of its `kinds` to it."""
