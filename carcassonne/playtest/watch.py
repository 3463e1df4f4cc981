"""A game that is watched: everything that must hold is checked after every move.

The checks of `carcassonne.playtest.invariants` look at one moment; those here try things out:
take back, copy, save, refuse, ask bots, play the same on the core.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Final

from carcassonne.bots import make_bot
from carcassonne.core.tables import CapacityError
from carcassonne.errors import CarcassonneError, IllegalMove, RecordError
from carcassonne.events import Score, TilePlaced
from carcassonne.playtest.broken import Broken, require
from carcassonne.playtest.invariants import check_features, check_listing, check_table
from carcassonne.playtest.ledger import Ledger
from carcassonne.playtest.listings import is_legal
from carcassonne.playtest.near_moves import aliases, garbage
from carcassonne.record import game_from_record, record_of
from carcassonne.rule_register import is_rule
from carcassonne.selftest import Difference, compare_engines, core_twin

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from carcassonne.core.game import CoreGame
    from carcassonne.events import Event
    from carcassonne.model.game import Game
    from carcassonne.moves import Move
    from carcassonne.playtest.setups import Setup
    from carcassonne.views import Decision

__all__ = ["CHECKS", "Watch"]

CHECKS: Final = {
    "play": 1.0,
    "events": 1.0,
    "table": 1.0,
    "listing": 1.0,
    "features": 0.35,
    "core": 1.0,
    "undo": 0.15,
    "refusals": 0.15,
    "bots": 0.04,
    "copies": 0.04,
    "record": 0.03,
}
"""Every check, with the share of decisions at which it is made in a fuzzed game."""

_FOLLOWED: Final = frozenset(("events", "table", "features", "listing", "refusals"))
"""The checks that need a ledger."""
_AUCTION: Final = ("choose", "bid", "deal")


class Watch:
    """A game under its invariants.

    Parameters
    ----------
    only
        The checks to make, all of `CHECKS` by default.
    rng
        Decides which checks are made when; None: every check at every decision.

    Attributes
    ----------
    doing : str
        The check that is being made; `play` between checks.
    quiet : bool
        Whether moves are followed only, without the checks after each.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        only: Collection[str] = tuple(CHECKS),
        rng: random.Random | None = None,
    ) -> None:
        self._setup = setup
        self._only = frozenset(only)
        self._rng = rng
        self._ledger: Ledger | None = None
        self._core: CoreGame | None = None
        self._start: tuple[object, ...] = ()
        self.doing = "play"
        self.quiet = False

    def begin(self) -> Game:
        """Begin the game, to be played by `play` only, and check how it begins.

        Raises
        ------
        Broken
            Something does not hold.
        """
        self.game: Game = self._setup.begin()
        if self._only & _FOLLOWED:
            self.doing = "events"
            self._ledger = Ledger(self.game)
        if "core" in self._only:
            self.doing = "core"
            self._core = self._twin()
        self.doing = "copies"
        self._start = self.game.fingerprint()
        self.check()
        return self.game

    def _twin(self) -> CoreGame | None:
        try:
            return core_twin(self.game)
        except CapacityError:
            return None

    def _due(self, check: str) -> bool:
        """Whether a check is to be made now; says that it is."""
        if check not in self._only or self.quiet:
            return False
        if self._rng is not None and self._rng.random() >= CHECKS[check]:
            return False
        self.doing = check
        return True

    def _dice(self) -> random.Random:
        """What decides on the things to try; at the same move always the same without `rng`."""
        return random.Random(len(self.game.moves)) if self._rng is None else self._rng

    # ---------------------------------------------------------------------- playing

    def play(self, move: Move) -> None:
        """Make a move and check all that must hold after it.

        Raises
        ------
        Broken
            Something does not hold.
        """
        game, decision = self.game, self.game.decision
        undone = self._due("undo")
        before = game.fingerprint() if undone else ()
        total = sum(game.scores.values())
        self.doing = "play"
        events = self._make(move)
        if undone:
            self.doing = "undo"
            self._take_back(move, before, events)
        if self._core is not None:
            self.doing = "core"
            self._play_core(self._core, move)
        if self._ledger is not None and decision is not None:
            self.doing = "events"
            self._ledger.enter(decision, move, events)
            self._check_auction(decision, total, events)
        self.check()

    def _make(self, move: Move) -> tuple[Event, ...]:
        try:
            return self.game.play(move)
        except IllegalMove as error:
            raise Broken("listed-moves-play", str(error), error.rules[0]) from error

    def _play_core(self, core: CoreGame, move: Move) -> None:
        try:
            core.play(move)
        except CarcassonneError as error:
            raise Broken("engines-agree", f"the model plays '{move}', the core: {error}") from error

    def _check_auction(self, decision: Decision, total: int, events: tuple[Event, ...]) -> None:
        if decision.kind not in _AUCTION or self.game.is_over:
            return
        gone = sum(e.points for e in events if isinstance(e, Score) and e.rule == "R-BAZAAR-12")
        change = sum(self.game.scores.values()) - total
        text = f"the sum of the scores changes by {change}, paid to nobody are {-gone}"
        require(change == gone, "auction-sum", text)

    def check(self) -> None:
        """Check what must hold at this decision.

        Raises
        ------
        Broken
            Something does not hold.
        """
        game, ledger, decision = self.game, self._ledger, self.game.decision
        if ledger is not None:
            self.doing = "events"
            ledger.rest(decision.kind if decision else None)
            looks: dict[str, Callable[[Game, Ledger], None]] = {
                "table": check_table, "listing": check_listing, "features": check_features,
            }  # fmt: skip
            for name, look in looks.items():
                if self._due(name):
                    look(game, ledger)
            if self._due("refusals"):
                self._refuse(ledger)
        if self._core is not None and self._due("core"):
            self._compare()
        for name, probe in (("copies", self._copy), ("record", self._save), ("bots", self._ask)):
            if self._due(name):
                probe()
        self.doing = "play"

    def finish(self) -> None:
        """Check once more at the end: everything is taken back and played again.

        Raises
        ------
        Broken
            The game is not the same as before.
        """
        self._rng = None
        self.check()
        if "undo" not in self._only or not self.game.moves:
            return
        self.doing = "undo"
        game, after, moves = self.game, self.game.fingerprint(), self.game.moves
        for _ in moves:
            game.undo()
        text = "the game taken back to its start is not what it was there"
        require(game.fingerprint() == self._start, "undo", text)
        for move in moves:
            game.play(move)
        text = "the game taken back and played again is not what it was"
        require(game.fingerprint() == after, "undo", text)

    # ---------------------------------------------------------------------- trying things out

    def _take_back(self, move: Move, before: tuple[object, ...], events: tuple[Event, ...]) -> None:
        game = self.game
        after = game.fingerprint()
        game.undo()
        text = f"'{move}' taken back leaves {_changes(before, game.fingerprint())} changed"
        require(game.fingerprint() == before, "undo", text)
        again = game.play(move)
        require(again == events, "undo", f"'{move}' made again leads to other events")
        text = f"'{move}' made again leaves {_changes(after, game.fingerprint())} changed"
        require(game.fingerprint() == after, "undo", text)

    def _refuse(self, ledger: Ledger) -> None:
        """Legal moves are accepted, also under other names, all others refused by a rule."""
        game, rng = self.game, self._dice()
        before = game.fingerprint()
        listed = list(game.legal_moves())
        for move in listed:
            found = game.why_not(move)
            text = f"'{move}' is listed and refused: {'; '.join(map(str, found))}"
            require(not found, "refusals", text, found[0].rule if found else "")
        for move in rng.sample(listed, min(3, len(listed))):
            self._rename(rng, move)
        for _ in range(10 if self._rng else 60):
            self._try(ledger, garbage(rng, game))
        require(game.fingerprint() == before, "refusals", "a refused move has changed the game")

    def _rename(self, rng: random.Random, move: Move) -> None:
        game = self.game
        other = aliases(rng, game, move)
        found = game.why_not(str(other))
        text = f"'{move}' is listed, but as '{other}' refused: {'; '.join(map(str, found))}"
        require(not found, "names", text)
        name = str(game.canonical(other))
        require(name == str(move), "names", f"'{other}' is '{name}' instead of '{move}'")
        one, twin = game.copy(), game.copy()
        events = _but_rotation(one.play(move))
        same = events == _but_rotation(twin.play(str(other)))
        require(same, "names", f"'{move}' and '{other}' lead to different events")

    def _try(self, ledger: Ledger, move: Move) -> None:
        game = self.game
        found = game.why_not(move)
        legal = is_legal(ledger, game.decision, move)
        says = "; ".join(map(str, found)) or "legal"
        rule = found[0].rule if found else ""
        text = f"'{move}' is {'legal' if legal else 'not legal'}, but the game says: {says}"
        require(legal == (not found), "refusals", text, rule)
        unknown = [violation for violation in found if not is_rule(violation.rule)]
        require(not unknown, "refusals", f"'{move}' is refused by unknown rules: {unknown}")
        if legal:
            return
        try:
            game.play(move)
        except IllegalMove as error:
            require(error.violations == tuple(found), "refusals", f"'{move}': other reasons")
            return
        raise Broken("refusals", f"'{move}' is refused by why_not and played by play", rule)

    def _copy(self) -> None:
        """A copy goes its own way and back to the start; the game does not notice."""
        game, rng = self.game, self._dice()
        before = game.fingerprint()
        twin = game.copy()
        require(twin.fingerprint() == before, "copies", "a copy is not equal to the game")
        if twin.decision is not None and twin.decision.kind == "place":
            twin.stop()
            require(twin.is_over, "copies", "a game that was stopped is not over")
            twin.undo()
        for _ in range(rng.randint(0, 6)):
            if not twin.is_over:
                twin.play(rng.choice(twin.legal_moves()))
        text = "what is played on a copy changes the game"
        require(game.fingerprint() == before, "copies", text)
        if twin.moves:
            twin.undo(len(twin.moves))
        text = "a copy taken back to the start is not what the game was there"
        require(twin.fingerprint() == self._start, "copies", text)
        require(game.fingerprint() == before, "copies", "taking a copy back changes the game")

    def _save(self) -> None:
        record = record_of(self.game)
        try:
            loaded = game_from_record(json.loads(json.dumps(record)))
        except RecordError as error:
            raise Broken("record", f"the saved game does not load: {error}") from error
        text = "the loaded game is not what was saved"
        require(loaded.fingerprint() == self.game.fingerprint(), "record", text)
        require(record_of(loaded) == record, "record", "the loaded game is saved otherwise")

    def _compare(self) -> None:
        core = self._core
        if core is None:
            return
        full = self._rng is None or self._rng.random() < 0.05 or self.game.is_over
        try:
            compare_engines(self.game, core, full=full)
        except Difference as difference:
            raise Broken("engines-agree", str(difference)) from difference

    def _ask(self) -> None:
        """Ask the built-in bots, whoever decides."""
        game = self.game
        if game.is_over:
            return
        before = game.fingerprint()
        for code in ("random", "greedy"):
            move = make_bot(code, seed=len(game.moves)).choose(game)
            found = game.why_not(move)
            text = f"{code} answers '{move}': {'; '.join(map(str, found))}"
            require(not found, "bots", text, found[0].rule if found else "")
        require(game.fingerprint() == before, "bots", "a bot has changed the game")


_PARTS: Final = (
    "scores, supplies or the turn", "events", "the stack", "features", "segments", "joints",
    "tiles", "open cells",
)  # fmt: skip
"""What the parts of a fingerprint are about."""


def _changes(before: tuple[object, ...], after: tuple[object, ...]) -> str:
    """Which parts of two fingerprints differ."""
    pairs = zip(_PARTS, before, after, strict=True)
    return " and ".join(name for name, one, other in pairs if one != other) or "nothing"


def _but_rotation(events: tuple[Event, ...]) -> list[Event]:
    """Events without the rotation of a placement, which a symmetric tile leaves open."""
    return [event for event in events if not isinstance(event, TilePlaced)]
