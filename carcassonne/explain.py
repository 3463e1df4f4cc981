"""The rules desk's answers: why a move is legal or not, what is where, where points came from.

Everything is asked of the model and given back as plain values of texts and numbers, ready for a
machine or for printing; every number has its items, every ruling its rule id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.events import (
    Event,
    FeatureCompleted,
    GameOver,
    Item,
    MeepleReturned,
    Score,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TurnSkipped,
)
from carcassonne.explain_castles import CastleExplanation, explain_castle
from carcassonne.geometry import cell_text, reading_order
from carcassonne.moves import Pass, parse_move
from carcassonne.odds import dead_cells, open_ends
from carcassonne.scenario import OPTIONAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.errors import Violation
    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.model.scoring import Worth
    from carcassonne.views import FeatureView

__all__ = [
    "CastleExplanation",
    "FeatureExplanation",
    "GameExplanation",
    "MoveExplanation",
    "PositionExplanation",
    "TurnExplanation",
    "explain_game",
    "explain_move",
    "explain_position",
    "explain_turn",
]

# ------------------------------------------------------------------------------ moves


class Reason(msgspec.Struct, frozen=True):
    """A rule that a move breaks, with a sentence that names cells, edges and pieces."""

    rule: str
    message: str


class MoveExplanation(msgspec.Struct, frozen=True):
    """Whether a move is legal, and if not every rule that it breaks.

    Attributes
    ----------
    player, decision : str
        Who decides what when the move is judged; empty when the game is over.
    passed : tuple of str
        The optional decisions that were open and are passed before the move is due.
    violations : tuple of Reason
        Empty if the move is legal.
    follows : tuple of str
        What a legal move brings about at once: completions, scores, castles, meeples that come
        home. Tiles drawn next are no part of it.
    """

    move: str
    legal: bool
    player: str
    decision: str
    passed: tuple[str, ...]
    violations: tuple[Reason, ...]
    follows: tuple[str, ...]


def explain_move(game: Game, text: str) -> MoveExplanation:
    """Judge a move in a position; nothing is changed.

    Optional decisions (bridge, meeple, castle) that stand open before the decision that the move
    answers are passed for it, as in scenarios.

    Raises
    ------
    InvalidMove
        The text is no move.
    """
    move = parse_move(text)
    twin = game.copy()
    passed: list[str] = []
    first: list[Violation] = []
    own: list[Violation] = []
    while True:
        found = twin.why_not(move)
        decision = twin.decision
        if not found:
            break
        first = first or found
        if decision is not None and decision.kind == move.kind:
            own = own or found
        settled = bool(own) and move.kind != "castle"
        if decision is None or decision.kind not in OPTIONAL or settled or isinstance(move, Pass):
            break
        passed.append(f"{decision.player}'s {decision.kind}")
        twin.play("pass")
    if found:
        decision, passed = game.decision, []
    violations = tuple(Reason(v.rule, v.message) for v in dict.fromkeys(own or first))
    events = twin.play(move) if not found else ()
    return MoveExplanation(
        move=text,
        legal=not found,
        player=decision.player if decision else "",
        decision=decision.kind if decision else "",
        passed=tuple(passed),
        violations=violations if found else (),
        follows=tuple(str(event) for event in events if not isinstance(event, _UNTOLD)),
    )


_UNTOLD: Final = (TileDrawn, TileSetAside, TilePlaced)

# ------------------------------------------------------------------------------ positions


class ItemLine(msgspec.Struct, frozen=True):
    """One line of a score: `count` things at `each` points by a rule."""

    what: str
    count: int
    each: int
    points: int
    rule: str


class Value(msgspec.Struct, frozen=True):
    """Points with the rule that grants them and the items that add up to them."""

    points: int
    rule: str
    items: tuple[ItemLine, ...]


class FeatureExplanation(msgspec.Struct, frozen=True):
    """A feature as it lies.

    Attributes
    ----------
    open : int
        Open ends; `needs` are the empty cells that they face, and `dead` those of them that no
        tile left fits, so that it can't be completed any more.
    barns : dict
        Barns on a field by player: they alone are paid for it, at the end (R-CASTLE-33).
    majority : tuple of str
        Whom it would pay; several share, and each gets all of it.
    now : Value
        What it would pay as it lies: as completed if it is, else as at the end.
    completed : Value or None
        What it would pay completed with the tiles that it has; None for fields and castles.
    at_end : Value
        What it still pays at the end of the game as it lies; nothing where nobody stands.
    """

    at: str
    kind: str
    tiles: int
    cells: tuple[str, ...]
    open: int
    needs: tuple[str, ...]
    dead: tuple[str, ...]
    complete: bool
    pennants: int
    meeples: dict[str, int]
    barns: dict[str, int]
    majority: tuple[str, ...]
    now: Value
    completed: Value | None
    at_end: Value


class PositionExplanation(msgspec.Struct, frozen=True):
    """A position: the open decision with its legal moves, every feature, every castle."""

    moves_played: int
    over: bool
    player: str
    decision: str
    about: str
    legal_moves: tuple[str, ...]
    scores: dict[str, int]
    supply: dict[str, dict[str, int]]
    stack: int
    features: tuple[FeatureExplanation, ...]
    castles: tuple[CastleExplanation, ...]


_ORDER: Final = ("road", "city", "cloister", "field", "castle", "river")


def explain_position(game: Game) -> PositionExplanation:
    """The open decision with its legal moves, and what every feature and castle is worth."""
    decision = game.decision
    about = ""
    if decision is not None:
        details = [
            decision.tile,
            None if decision.castle is None else f"castle {decision.castle}",
            None if decision.high_bid is None else f"bid so far {decision.high_bid}",
        ]
        about = ", ".join(filter(None, details))
    dead = dead_cells(game)
    views = sorted(
        game.features(), key=lambda f: (_ORDER.index(f.kind), reading_order(f.at.cell), str(f.at))
    )
    needs = {str(view.at): open_ends(game, view) for view in views}
    barns = _barns(game)
    return PositionExplanation(
        moves_played=len(game.moves),
        over=game.is_over,
        player=decision.player if decision else "",
        decision=decision.kind if decision else "",
        about=about,
        legal_moves=tuple(map(str, game.legal_moves())),
        scores=game.scores,
        supply=game.supply,
        stack=game.stack_left,
        features=tuple(_explain_feature(game, v, needs[str(v.at)], dead, barns) for v in views),
        castles=tuple(explain_castle(game, c, views, needs, dead) for c in game.castles),
    )


def _barns(game: Game) -> dict[str, dict[str, int]]:
    """Barns by the name of their field and by player."""
    found: dict[str, dict[str, int]] = {}
    for token in game.tokens():
        if token.kind == "barn":
            owners = found.setdefault(str(game.feature(token.at).at), {})
            owners[token.player] = owners.get(token.player, 0) + 1
    return found


def _explain_feature(
    game: Game,
    view: FeatureView,
    needs: Sequence[Cell],
    dead: set[Cell],
    barns: dict[str, dict[str, int]],
) -> FeatureExplanation:
    winners = game.winners_of(view.at)
    now = _value(game.worth(view.at))
    finishable = view.kind in ("road", "city", "cloister")
    return FeatureExplanation(
        at=str(view.at),
        kind=view.kind,
        tiles=view.tiles,
        cells=_texts(view.cells),
        open=view.open,
        needs=_texts(needs),
        dead=_texts(cell for cell in needs if finishable and cell in dead),
        complete=view.complete,
        pennants=view.pennants,
        meeples=view.meeples,
        barns=barns.get(str(view.at), {}),
        majority=tuple(winners),
        now=now,
        completed=_value(game.worth(view.at, completed=True)) if finishable else None,
        at_end=now if winners and not game.is_over else Value(0, now.rule, ()),
    )


def _value(worth: Worth) -> Value:
    return Value(worth.points, worth.rule, _items(worth.items))


def _items(items: Iterable[Item]) -> tuple[ItemLine, ...]:
    return tuple(ItemLine(i.what, i.count, i.each, i.points, i.rule) for i in items)


def _texts(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(map(cell_text, cells))


# ------------------------------------------------------------------------------ points


class ScoreLine(msgspec.Struct, frozen=True):
    """Points that a player got or paid, with items that add up to them; `total` is what it made."""

    player: str
    points: int
    rule: str
    feature: str
    at: str
    items: tuple[ItemLine, ...]
    total: int


class TurnExplanation(msgspec.Struct, frozen=True):
    """A turn, or the final scoring (`number` 0): what happened, and every point of it.

    Attributes
    ----------
    events : tuple of str
        What happened, in order, without the scores and the tiles drawn.
    before, after : dict
        The scores; they differ by the sum of `scores`.
    """

    number: int
    player: str
    events: tuple[str, ...]
    scores: tuple[ScoreLine, ...]
    before: dict[str, int]
    after: dict[str, int]


class GameExplanation(msgspec.Struct, frozen=True):
    """A game so far: every turn, with the scores that it began with and those that it has now."""

    over: bool
    start: dict[str, int]
    turns: tuple[TurnExplanation, ...]
    scores: dict[str, int]
    winners: tuple[str, ...]


def explain_game(game: Game) -> GameExplanation:
    """Every point of a game, turn by turn: they add up to the scores."""
    scores = game.scores
    for event in game.events:
        if isinstance(event, Score):
            scores[event.player] -= event.points
    start = dict(scores)
    turns = []
    number = 0
    for final, events in _parts(game.events):
        number += not final
        turns.append(_explain_part(events, scores, 0 if final else number))
        scores = dict(turns[-1].after)
    return GameExplanation(game.is_over, start, tuple(turns), game.scores, tuple(game.winners))


def explain_turn(game: Game, number: int | None = None) -> TurnExplanation | None:
    """A turn by its number from 1, by default the last one in which a tile was laid.

    Returns
    -------
    TurnExplanation or None
        None if there is no such turn.
    """
    turns = [turn for turn in explain_game(game).turns if turn.number]
    wanted = len(turns) if number is None else number
    return next((turn for turn in turns if turn.number == wanted), None)


_OPENING: Final = (TileDrawn, TileSetAside, TilePlaced, TurnSkipped)
_CLOSING: Final = (TilePlaced, TurnSkipped)


def _parts(events: Sequence[Event]) -> list[tuple[bool, list[Event]]]:
    """The events by turns, and those of the final scoring at the end.

    A turn begins with a draw or, in a bazaar's round, with the tile in hand; an auction belongs
    to the turn of its market (R-BAZAAR-2). Tiles drawn for a turn that is still to be played
    are left out.
    """
    parts: list[tuple[bool, list[Event]]] = []
    completed: set[object] = set()
    open_turn: list[Event] = []
    for event in events:
        last = parts[-1] if parts else None
        if last is not None and last[0]:
            last[1].append(event)
        elif _is_final(event, completed):
            if last is not None:
                last[1].extend(open_turn)
            parts.append((True, [event]))
        elif isinstance(event, _CLOSING):
            parts.append((False, [*open_turn, event]))
            open_turn, completed = [], set()
        elif isinstance(event, _OPENING):
            open_turn.append(event)
        elif last is not None:
            last[1].extend([*open_turn, event])
            open_turn = []
        if isinstance(event, FeatureCompleted):
            completed.add(event.at)
    return parts


_IN_TURN: Final = ("R-CASTLE-18", "R-CASTLE-25", "R-BAZAAR-11", "R-BAZAAR-12")


def _is_final(event: Event, completed: set[object]) -> bool:
    """Whether an event belongs to the final scoring: a score of nothing just completed."""
    if isinstance(event, Score):
        return event.rule not in _IN_TURN and event.at not in completed
    return isinstance(event, GameOver)


def _explain_part(events: Sequence[Event], before: dict[str, int], number: int) -> TurnExplanation:
    after = dict(before)
    lines, told = [], []
    for event in events:
        if isinstance(event, Score):
            after[event.player] += event.points
            where = "" if event.at is None else str(event.at)
            lines.append(
                ScoreLine(
                    event.player, event.points, event.rule, event.feature, where,
                    _items(event.items), after[event.player],
                )
            )  # fmt: skip
        elif not isinstance(event, TileDrawn | GameOver | MeepleReturned):
            told.append(str(event))
    return TurnExplanation(number, _player(events), tuple(told), tuple(lines), dict(before), after)


def _player(events: Iterable[Event]) -> str:
    for event in events:
        if isinstance(event, TilePlaced | TurnSkipped):
            return event.player
    return ""
