"""Where two games differ: the facts of a game as plain values, and the first that is not equal.

Owns what counts as the same position: rules, tile sets and players, what lies and stands where,
castles in the order in which they were built, scores, supplies, the rest of the stack, and the
open decision with its legal moves. How a game came to be is compared move by move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.geometry import AXES, ROTATIONS, cell_text, reading_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from carcassonne.model.game import Game

__all__ = ["Difference", "all_differences", "first_difference", "state_facts"]

_BETWEEN: Final = "; "
"""What stands between the entries of a long list in a fact."""


class Difference(msgspec.Struct, frozen=True):
    """Something that is not the same in two games.

    Attributes
    ----------
    key : str
        What it is: `rules tiny_city_points`, `move 12`, `tile on 1,0`, `score of A`.
    first, second : str
        How it is in the one game and in the other; `nothing` where it is missing.
    """

    key: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.key}: {self.first} in the first, {self.second} in the second"


def first_difference(one: Game, other: Game) -> Difference | None:
    """The first difference of two games, None if there is none.

    In this order: rules, tile sets, players, where they began, stack, moves under the names
    that listings use, then the table as it is now. Games that began from different positions,
    or one from a position and one not, are compared by their tables alone.
    """
    return next(all_differences(one, other), None)


def all_differences(one: Game, other: Game) -> Iterator[Difference]:
    """Every difference, the most telling first; see `first_difference`."""
    yield from _compare_tables(_setup_facts(one), _setup_facts(other))
    if one.given == other.given:
        yield from _compare_lists("stack, tile", one.stack, other.stack)
        yield from _compare_lists("move", canonical_moves(one), canonical_moves(other))
        if one.was_stopped != other.was_stopped:
            first, second = ("stopped" if g.was_stopped else "not stopped" for g in (one, other))
            yield Difference("end", first, second)
    yield from _compare_tables(state_facts(one), state_facts(other))


def canonical_moves(game: Game) -> list[str]:
    """The moves so far under the names that listings use."""
    twin = game.copy()
    moves = twin.moves
    if moves or twin.was_stopped:
        twin.undo(len(moves) + twin.was_stopped)
    names = []
    for move in moves:
        names.append(str(twin.canonical(move)))
        twin.play(move)
    return names


def _compare_lists(key: str, one: Sequence[str], other: Sequence[str]) -> Iterator[Difference]:
    for i in range(max(len(one), len(other))):
        first = one[i] if i < len(one) else "nothing"
        second = other[i] if i < len(other) else "nothing"
        if first != second:
            yield Difference(f"{key} {i + 1}", first, second)


def _compare_tables(one: Mapping[str, str], other: Mapping[str, str]) -> Iterator[Difference]:
    for key in dict.fromkeys([*one, *other]):
        first, second = one.get(key, "nothing"), other.get(key, "nothing")
        if first == second:
            continue
        if _BETWEEN in first or _BETWEEN in second:
            yield _list_difference(key, first.split(_BETWEEN), second.split(_BETWEEN))
        else:
            yield Difference(key, first, second)


def _list_difference(key: str, one: Sequence[str], other: Sequence[str]) -> Difference:
    """The first entries in which two long lists differ."""
    at = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    first, second = (rest[at] if at < len(rest) else "nothing" for rest in (one, other))
    return Difference(f"{key}, entry {at + 1}", first, second)


# ------------------------------------------------------------------------------ facts


def _setup_facts(game: Game) -> dict[str, str]:
    """Rules, tile sets and players."""
    facts = {f"rules {key}": _text(value) for key, value in game.rules.to_data().items()}
    for tile_set, copies in game.box.sets:
        data = "as shipped" if tile_set.shipped else repr(tile_set.to_data())
        facts[f"tile set {tile_set.name}"] = f"{copies} x {data}"
    for tile, count in game.box.counts.items():
        facts[f"count of {tile}"] = str(count)
    facts["players"] = ", ".join(game.players)
    return facts


def state_facts(game: Game) -> dict[str, str]:
    """The table as it is now, as texts by key; equal tables have equal facts.

    Left out is what no later move depends on: the events so far, the tiles set aside, the order
    in which tiles were laid, on which half of its city a castle's meeple stands, and whose an
    emptied castle was.
    """
    return {
        **_board_facts(game),
        **_piece_facts(game),
        **_player_facts(game),
        **_decision_facts(game),
    }


def _board_facts(game: Game) -> dict[str, str]:
    facts = {}
    tiles = game.tiles
    for cell in sorted(tiles, key=reading_order):
        laid = tiles[cell]
        turn = ROTATIONS[laid.tile.same_as[laid.rotation]]
        facts[f"tile on {cell_text(cell)}"] = f"{laid.tile.id} {turn}"
    for cell in sorted(tiles, key=reading_order):
        if tiles[cell].bridges:
            axes = " and ".join(AXES[axis] for axis in sorted(tiles[cell].bridges))
            facts[f"bridge on {cell_text(cell)}"] = axes
    for feature in sorted(game.features(), key=lambda f: (reading_order(f.at.cell), str(f.at))):
        pieces = [f"{count} of {name}" for name, count in sorted(feature.meeples.items())]
        facts[f"{feature.kind} {feature.at}"] = ", ".join(
            [f"{feature.tiles} tiles", f"{feature.open} open", f"worth {feature.points}", *pieces]
        )
    return facts


def _piece_facts(game: Game) -> dict[str, str]:
    facts = {}
    castles = {castle.at for castle in game.castles}
    feature_of = {node: f.at for f in game.features() for node in f.segments}
    meeples: dict[str, list[str]] = {}
    for node, data in game.graph().nodes(data=True):
        if data["meeples"] and feature_of[node] not in castles:
            meeples[str(node)] = [f"{n} of {name}" for name, n in sorted(data["meeples"].items())]
    for where in sorted(meeples):
        facts[f"meeples on {where}"] = ", ".join(meeples[where])
    for number, castle in enumerate(game.castles, 1):
        holder = castle.owner if castle.occupied else "emptied"
        facts[f"castle {number}"] = f"{castle.at}, {holder}"
    for key in ("pigs", "barns"):
        for text in sorted((game.given or {}).get(key, ())):
            facts[f"{key} {text}"] = "there"
    return facts


def _player_facts(game: Game) -> dict[str, str]:
    facts = {f"score of {name}": str(points) for name, points in game.scores.items()}
    for name, pieces in game.supply.items():
        for piece, count in pieces.items():
            facts[f"{piece} of {name}"] = str(count)
    return facts


def _decision_facts(game: Game) -> dict[str, str]:
    left = game.stack[len(game.stack) - game.stack_left :]
    facts = {"rest of the stack": _BETWEEN.join(left) or "empty"}
    decision = game.decision
    if decision is None:
        return {**facts, "decision": "over", "winners": ", ".join(sorted(game.winners))}
    facts["whose turn"] = game.active
    facts["bazaar"] = "open" if game.in_round else "closed"
    facts["on offer"] = ", ".join(game.on_offer) or "none"
    facts["in hand"] = ", ".join(f"{name} {tile}" for name, tile in game.hands.items()) or "none"
    details = [decision.tile, decision.castle, decision.high_bid]
    shown = " ".join(str(value) for value in details if value is not None)
    facts["decision"] = f"{decision.player} {decision.kind} {shown}".strip()
    facts["legal moves"] = _BETWEEN.join(sorted(map(str, game.legal_moves())))
    return facts


def _text(value: Any) -> str:
    """A value as rules files write it."""
    return "none" if value is None else str(value).lower()
