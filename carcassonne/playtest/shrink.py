"""Makes a failing game short: the shortest record found that still fails in the same way.

Delta debugging in passes, each of which tries simpler games and keeps one when the same
invariant still breaks: a later beginning, fewer turns, a shorter stack, fewer things on the
table, fewer players and tiles, options back to their defaults, simpler moves. What is shorter is
decided by `Case.size`. The work is bounded by a number of moves played, not by a clock, so the
result is the same on every machine.
"""

from __future__ import annotations

import re
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from carcassonne.moves import Bid, Choose, Pass, Place, parse_move
from carcassonne.playtest.replay import Fault, Trial, replay
from carcassonne.position_writer import position_of, turn_start
from carcassonne.rules import PRESETS, Rules
from carcassonne.tiles import DEFAULT_SETS, TileBox, tile_set_from_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from carcassonne.moves import Move
    from carcassonne.playtest.setups import Setup
    from carcassonne.tiles import TileSet

__all__ = ["BUDGET", "Case", "shrink"]

BUDGET: Final = 8000
"""How many moves are played at most to shrink one game."""

_CELL: Final = re.compile(r"-?[0-9]+,-?[0-9]+")
_LISTS: Final = ("tiles", "meeples", "castles", "bridges")


class Case(NamedTuple):
    """A game that fails.

    Attributes
    ----------
    moves : tuple of Move
        Up to the one after which, or in which, it fails.
    entered : bool
        Whether the last move was accepted; else it is the move that fails.
    """

    setup: Setup
    moves: tuple[Move, ...]
    drawn: tuple[int, ...]
    fault: Fault
    entered: bool

    @property
    def size(self) -> tuple[int, ...]:
        """What is to be made small, the most telling first; compared from left to right.

        Moves, and half as heavy the things on the table; tiles in the stack; players; options
        that are changed; other details of the table; tile types; how complicated the moves are.
        """
        setup = self.setup
        given = setup.given or {}
        things = sum(len(given.get(key, ())) for key in _LISTS)
        details = len(given) + len(given.get("scores", ())) + len(given.get("supply", ()))
        types = sum(len(tile_set.tiles) for tile_set, _ in setup.box.sets)
        types += sum(copies for _, copies in setup.box.sets) + len(setup.box.changed)
        far = sum(map(_distance, given.get("tiles", ())))
        return (
            2 * len(self.moves) + things,
            len(setup.stack),
            len(setup.players),
            len(_changed_options(setup.rules)),
            details,
            types,
            far + sum(map(_weight, self.moves)),
        )


def _distance(laid: str) -> int:
    """How far from the middle a tile of a position lies."""
    x, y = laid.split()[1].split(",")
    return abs(int(x)) + abs(int(y))


def _weight(move: Move) -> int:
    """How complicated a move is."""
    if isinstance(move, Pass):
        return 0
    if isinstance(move, Place):
        x, y = move.cell
        return 1 + abs(x) + abs(y) + (5 if move.bridge else 0)
    points = move.bid if isinstance(move, Choose) else move.points if isinstance(move, Bid) else 0
    return 2 + min(points, 100)


def _changed_options(rules: Rules) -> list[str]:
    usual = Rules()
    return [
        name for name in rules.__struct_fields__ if getattr(rules, name) != getattr(usual, name)
    ]


def shrink(
    setup: Setup, moves: Sequence[Move], fault: Fault, *, budget: int = BUDGET
) -> Case | None:
    """Find the smallest game that fails in the same way.

    Parameters
    ----------
    budget
        How many moves may be played.

    Returns
    -------
    Case or None
        None: the game does not fail again, so there is nothing to go by.
    """
    return _Shrinker(fault, budget).run(setup, moves)


class _Shrinker:
    def __init__(self, fault: Fault, budget: int) -> None:
        self.fault = fault
        self.left = budget
        self.best: Case

    def run(self, setup: Setup, moves: Sequence[Move]) -> Case | None:
        trial = replay(setup, moves, only=(self.fault.check,))
        if not self.fault.is_like(trial.fault):
            return None
        self.best = self._case(setup, trial)
        passes = (
            self._later_start, self._fewer_turns, self._shorter_stack, self._less_given,
            self._fewer_players, self._usual_rules, self._fewer_tiles, self._simpler_moves,
        )  # fmt: skip
        size: tuple[int, ...] = ()
        while self.best.size != size and self.left > 0:
            size = self.best.size
            for simplify in passes:
                simplify()
        return self.best

    def _case(self, setup: Setup, trial: Trial) -> Case:
        fault = trial.fault or self.fault
        return Case(setup, tuple(trial.moves), tuple(trial.drawn), fault, trial.entered)

    def _try(self, setup: Setup, moves: Sequence[Move]) -> bool:
        """Take a simpler game if it fails in the same way."""
        if self.left <= 0:
            return False
        trial = replay(setup, moves, only=(self.fault.check,))
        self.left -= 1 + len(trial.moves)
        if not self.fault.is_like(trial.fault):
            return False
        case = self._case(setup, trial)
        if case.size >= self.best.size:
            return False
        self.best = case
        return True

    # ---------------------------------------------------------------------- passes

    def _later_start(self) -> None:
        """Begin from the position at the start of a turn, the last one first."""
        best = self.best
        ends = range(len(best.moves) - 1, 0, -1)
        tried = set[int]()
        for end in (*ends[:12], *ends[12::8]):
            found = _position_before(best, end)
            if found is None or found[1] in tried:
                continue
            setup, start = found
            tried.add(start)
            if self._try(setup, best.moves[start:]):
                return

    def _fewer_turns(self) -> None:
        """Leave out tiles of the stack, with the moves of their turns: many, then few."""
        size = len(self.best.setup.stack)
        while size:
            at = 0
            while at < len(self.best.setup.stack):
                if not self._without_tiles(at, at + size):
                    at += size
            size //= 2

    def _without_tiles(self, start: int, end: int) -> bool:
        best = self.best
        stack = best.setup.stack
        gone = range(start + 1, min(end, len(stack)) + 1)
        moves = [m for m, drawn in zip(best.moves, best.drawn, strict=True) if drawn not in gone]
        return self._try(changed(best.setup, stack=stack[:start] + stack[end:]), moves)

    def _shorter_stack(self) -> None:
        """Leave the tiles at the stack's end away, which no move has drawn."""
        setup, moves = self.best.setup, self.best.moves
        for length in range(self.best.drawn[-1] if moves else 0, len(setup.stack)):
            if self._try(changed(setup, stack=setup.stack[:length]), moves):
                return

    def _less_given(self) -> None:
        """Take things off the table of a position, and the details that are as usual."""
        self._to_middle()
        self._try(changed(self.best.setup, given=None), self.best.moves)
        for key in ("scores", "supply", "active", "stack"):
            self._without_key(key)
        for key in ("bridges", "castles", "meeples", "tiles"):
            self._without_key(key)
            at = 0
            while at < len((self.best.setup.given or {}).get(key, ())):
                if not self._without_item(key, at):
                    at += 1

    def _to_middle(self) -> None:
        """Shift the table so that its first tile lies at 0,0."""
        given = self.best.setup.given
        if not given or not given.get("tiles"):
            return
        x, y = map(int, given["tiles"][0].split()[1].split(","))
        moved = {
            key: [_shifted(text, x, y) for text in value] if key in _LISTS else value
            for key, value in given.items()
        }
        moves = [parse_move(_shifted(str(move), x, y)) for move in self.best.moves]
        self._try(changed(self.best.setup, given=moved), moves)

    def _without_key(self, key: str) -> None:
        given = self.best.setup.given or {}
        if key in given and key != "tiles":
            rest = {name: value for name, value in given.items() if name != key}
            self._try(changed(self.best.setup, given=rest), self.best.moves)

    def _without_item(self, key: str, at: int) -> bool:
        """Without one thing, and without what lies or stands on it."""
        given: dict[str, Any] = dict(self.best.setup.given or {})
        item = given[key][at]
        given[key] = [other for i, other in enumerate(given[key]) if i != at]
        if key == "tiles":
            cell = item.split()[1]
            for pieces in _LISTS[1:]:
                kept = [text for text in given.get(pieces, ()) if cell not in text.split()]
                given[pieces] = kept
        return self._try(changed(self.best.setup, given=given), self.best.moves)

    def _fewer_players(self) -> None:
        """Send players home, the last first, and whatever is theirs."""
        for gone in reversed(self.best.setup.players):
            setup = self.best.setup
            players = tuple(name for name in setup.players if name != gone)
            if players:
                given = _without_player(setup.given, gone)
                self._try(changed(setup, players=players, given=given), self.best.moves)

    def _usual_rules(self) -> None:
        """Set options back: all of them, then one by one."""
        for name in PRESETS:
            self._try(changed(self.best.setup, rules=Rules.preset(name)), self.best.moves)
        for name in _changed_options(self.best.setup.rules):
            rules = msgspec.structs.replace(self.best.setup.rules, **{name: getattr(Rules(), name)})
            self._try(changed(self.best.setup, rules=rules), self.best.moves)

    def _fewer_tiles(self) -> None:
        """Use the usual sets, or fewer of them; leave made-up tiles out that don't occur."""
        for box in _simpler_boxes(self.best.setup):
            self._try(changed(self.best.setup, box=box), self.best.moves)

    def _simpler_moves(self) -> None:
        """Pass instead, bid less, place without a bridge or nearer; from the end."""
        for at in range(len(self.best.moves) - 1, -1, -1):
            if at >= len(self.best.moves):
                continue
            for move in _simpler(self.best.moves[at]):
                moves = self.best.moves
                if self._try(self.best.setup, [*moves[:at], move, *moves[at + 1 :]]):
                    break


def _shifted(text: str, x: int, y: int) -> str:
    """A move, or a line of a position, with its cells moved by so much to north and west."""
    words = text.split(" ")
    for at, word in enumerate(words):
        if _CELL.fullmatch(word):
            column, row = map(int, word.split(","))
            words[at] = f"{column - x},{row - y}"
    return " ".join(words)


def _position_before(case: Case, end: int) -> tuple[Setup, int] | None:
    """The position at the start of the turn of a move, and the number of that move."""
    try:
        game = case.setup.begin()
        for move in case.moves[:end]:
            game.play(move)
        start = turn_start(game)
        if len(game.moves) > start:
            game.undo(len(game.moves) - start)
        given = dict(position_of(game).data["given"])
    except Exception:  # noqa: BLE001 - an engine with a fault: the game keeps its beginning
        return None
    stack = tuple(given.pop("stack"))
    return changed(case.setup, given=given, stack=stack), start


def _without_player(given: dict[str, Any] | None, gone: str) -> dict[str, Any] | None:
    if given is None:
        return None
    kept: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            kept[key] = {name: entry for name, entry in value.items() if name != gone}
        elif key in ("meeples", "castles"):
            kept[key] = [text for text in value if text.split()[0] != gone]
        elif value != gone:
            kept[key] = value
    return kept


def _simpler_boxes(setup: Setup) -> Iterator[TileBox]:
    box = setup.box
    yield TileBox.load(DEFAULT_SETS)
    yield TileBox.load(DEFAULT_SETS[:1])
    if box.changed:
        yield TileBox.of(box.sets)
    yield TileBox.of([(tile_set, 1) for tile_set, _ in box.sets])
    for at in range(len(box.sets)):
        if len(box.sets) > 1:
            yield TileBox.of([pair for i, pair in enumerate(box.sets) if i != at])
    laid = [text.split()[0] for text in (setup.given or {}).get("tiles", ())]
    used = {*setup.stack, *laid}
    small = [(_only(tile_set, used), copies) for tile_set, copies in box.sets]
    yield TileBox.of([(tile_set, copies) for tile_set, copies in small if tile_set is not None])


def _only(tile_set: TileSet, used: set[str]) -> TileSet | None:
    """A made-up set with the tiles that are used; None if there are none."""
    if tile_set.shipped:
        return tile_set
    data = tile_set.to_data()
    tiles = [tile for tile in data["tile"] if tile["id"] in used]
    return tile_set_from_data({**data, "tile": tiles}, "own") if tiles else None


def _simpler(move: Move) -> Iterator[Move]:
    if isinstance(move, Pass):
        return
    if isinstance(move, Place):
        if move.bridge:
            yield Place(move.tile, move.cell, move.rotation, None)
        return
    if isinstance(move, Choose) and move.bid:
        yield Choose(move.number, 0)
    if isinstance(move, Bid) and move.points > 1:
        yield Bid(1)
    yield Pass()
