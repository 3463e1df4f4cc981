"""What tiles on offer, or moves, are worth: by playouts to the end over shared shuffles.

The value of a game to a player is its lead: its points less the mean of its rivals'. Every
alternative is played out over the same shuffles of the unseen tiles, by the heuristic of the
search bots, so that differences are sharp. Nothing here looks at the true order.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.searching import veiled
from carcassonne.core import layout, notes
from carcassonne.core.judge import Judge
from carcassonne.core_link import from_model
from carcassonne.errors import CarcassonneError
from carcassonne.playtest.compare import Interval, interval_of
from carcassonne.playtest.sums import Moments, on_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.core.engine import Engine
    from carcassonne.core.game import CoreGame
    from carcassonne.model.game import Game

__all__ = [
    "KINDS", "Lot", "MoveWorth", "TileWorth", "WorthError", "lot_of", "worth_of_moves",
    "worth_of_offer",
]  # fmt: skip

KINDS: Final = ("place", "take", "choose", "bid", "deal")
"""The decisions at which something can be valued."""

_NOISE: Final = 1.0
_ALL: Final = 1 << 30
_BAZAAR: Final = (layout.CHOOSE, layout.BID, layout.DEAL)
_CHOICES: Final = (layout.PLACE, layout.TAKE, layout.BID, layout.DEAL)
_WIDEST: Final = 12
"""So many moves, the best by the heuristic, are played out."""


class WorthError(CarcassonneError):
    """A position at which there is nothing to value."""


class TileWorth(NamedTuple):
    """What a tile on offer means to a player.

    Attributes
    ----------
    tile, player : str
    gain : Interval
        Lead of the player that has the tile for nothing, less its lead with another tile on offer,
        in points.
    bid : int
        The highest price at which buying is no worse than leaving the tile to a rival: what is
        paid to a rival counts for the rival too.
    """

    tile: str
    player: str
    gain: Interval
    bid: int


class Lot(NamedTuple):
    """The tile that is bid for: its number on offer from 1 on, and the bid that stands."""

    number: int
    tile: str
    chooser: str
    bid: int
    bidder: str


class MoveWorth(NamedTuple):
    """What a move means to the one who decides.

    Attributes
    ----------
    move : str
        In notation.
    lead : Interval
        Its lead at the end of the game.
    behind : Interval or None
        How far this is behind the best move, over the same shuffles; None for the best.
    """

    move: str
    lead: Interval
    behind: Interval | None


def lot_of(game: Game) -> Lot | None:
    """The lot of a game; None where nobody bids or deals."""
    core = from_model(game)
    number = core.engine.number
    if number(layout.PHASE) not in (layout.BID, layout.DEAL):
        return None
    lot = number(layout.LOT)
    return Lot(
        lot + 1,
        core.tables.types[number(layout.OFFER + lot)].id,
        core.players[number(layout.CHOOSER)],
        number(layout.HIGH_BID),
        core.players[number(layout.HIGH_BIDDER)],
    )


def worth_of_offer(game: Game, *, playouts: int = 400, seed: int = 0) -> list[TileWorth]:
    """What each tile on offer is worth to each player who may still get it.

    Parameters
    ----------
    game
        With an auction open: the decision is choose, bid or deal.
    playouts
        Shuffles; each is played out once for every way to turn the tiles round the players.

    Raises
    ------
    WorthError
        No auction is open.
    """
    core = from_model(game)
    engine = veiled(core)
    number = engine.number
    if number(layout.PHASE) not in _BAZAAR:
        raise WorthError("no auction is open: there is no offer to value")
    seats = [s for s in range(len(core.players)) if number(layout.HAND + s) < 0]
    tiles = [number(layout.OFFER + k) for k in range(number(layout.ON_OFFER))]
    boards = []
    for turn in range(len(seats)):
        wants = {seat: tiles[(k + turn) % len(seats)] for k, seat in enumerate(seats)}
        board = _handed_out(engine, wants)
        if board is not None:
            boards.append((wants, board, Judge(core.tables, board)))
    rng = random.Random(seed)
    leads: dict[tuple[int, int], list[list[float]]] = {}
    for k in range(playouts):
        shuffle, noise = rng.getrandbits(63), rng.getrandbits(63)
        for wants, board, judge in boards:
            scores = _play_out(board, judge, shuffle, noise, len(core.players))
            for seat, tile in wants.items():
                rows = leads.setdefault((tile, seat), [[] for _ in range(playouts)])
                rows[k].append(_lead(scores, seat))
    return [
        _tile_worth(core, tile, seat, leads)
        for tile in dict.fromkeys(tiles)
        for seat in seats
        if (tile, seat) in leads and any((other, seat) in leads for other in tiles if other != tile)
    ]


def _handed_out(engine: Engine, wants: dict[int, int]) -> Engine | None:
    """The table once every seat has the tile that it wants, with the scores as they were.

    None if the auction has gone too far for that.
    """
    board = engine.copy()
    number = board.number
    rows = range(layout.SCORE, layout.SCORE + layout.SEATS)
    scores = [number(place) for place in rows]
    happened = board.start_notes()
    while number(layout.PHASE) in _BAZAAR:
        move = _towards(board, wants)
        if move is None:
            return None
        board.play(move)
    for code, *note in happened:
        if code == notes.PRICE and wants[note[0]] != note[2]:
            return None
    for place, score in zip(rows, scores, strict=True):
        board.set_number(place, score)
    return board.copy()


def _towards(board: Engine, wants: dict[int, int]) -> int | None:
    """A move that brings the tile at stake to who wants it; None if there is none."""
    number = board.number
    moves = board.moves()
    phase, decider = number(layout.PHASE), number(layout.DECIDER)
    wanted = wants[decider]
    if phase == layout.CHOOSE:
        cheapest = (m for m in moves if number(layout.OFFER + (m >> 20)) == wanted)
        return min(cheapest, default=None)
    is_wanted = number(layout.OFFER + number(layout.LOT)) == wanted
    if phase == layout.BID:
        chooser_wants_it = wants[number(layout.CHOOSER)] == number(
            layout.OFFER + number(layout.LOT)
        )
        raising = [m for m in moves if m >= 0]
        return min(raising) if is_wanted and not chooser_wants_it and raising else layout.PASS
    move = layout.BUY if is_wanted else layout.SELL
    return move if move in moves else None


def _play_out(board: Engine, judge: Judge, shuffle: int, noise: int, players: int) -> list[int]:
    """The final scores over one shuffle; the board is as it was afterwards, but for the stack."""
    board.shuffle(shuffle)
    judge.note_unseen()
    judge.sow(noise, _NOISE)
    played = judge.play_turns(_ALL)
    scores = [board.number(layout.SCORE + seat) for seat in range(players)]
    for _ in range(played):
        board.undo()
    return scores


def _lead(scores: Sequence[int], seat: int) -> float:
    others = len(scores) - 1
    return scores[seat] - (sum(scores) - scores[seat]) / others if others else scores[seat]


def _tile_worth(
    core: CoreGame, tile: int, seat: int, leads: dict[tuple[int, int], list[list[float]]]
) -> TileWorth:
    others = [rows for (other, who), rows in leads.items() if who == seat and other != tile]
    moments = Moments()
    for k, mine in enumerate(leads[tile, seat]):
        rest = [value for rows in others for value in rows[k]]
        moments.add(on_grid(sum(mine) / len(mine) - sum(rest) / len(rest)))
    gain = _interval(moments)
    rivals = len(core.players) - 1
    price = gain.mean / (1 + 1 / rivals) if rivals else gain.mean
    return TileWorth(core.tables.types[tile].id, core.players[seat], gain, max(0, int(price)))


def _interval(moments: Moments) -> Interval:
    return interval_of(moments) or Interval(moments.mean, moments.mean, moments.mean, moments.count)


def worth_of_moves(
    game: Game, *, playouts: int = 400, seed: int = 0, most: int = _WIDEST
) -> list[MoveWorth]:
    """What the best placements, the tiles of a draft, or bids, buying and selling are worth.

    Parameters
    ----------
    game
        With a tile to be placed or taken, or a bid or a deal to be made.
    most
        So many moves, the best by the heuristic, are played out; with bids passing, too, and
        always both buying and selling. How rivals answer is up to the heuristic.

    Returns
    -------
    list of MoveWorth
        The best first.

    Raises
    ------
    WorthError
        It is another decision.
    """
    core = from_model(game)
    engine = veiled(core)
    if engine.number(layout.PHASE) not in _CHOICES:
        raise WorthError("no tile is to be placed or taken, and no bid or deal to be made")
    decider = engine.number(layout.DECIDER)
    judge = Judge(core.tables, engine)
    judge.note_unseen()
    rated = sorted(judge.rated(), key=lambda pair: -pair[1])
    phase = engine.number(layout.PHASE)
    if phase in _BAZAAR:
        most = max(most, 2)
    moves = [move for move, _ in rated[:most]]
    if phase == layout.BID and layout.PASS not in moves:
        moves.append(layout.PASS)
    rng = random.Random(seed)
    leads: dict[int, list[float]] = {move: [] for move in moves}
    boards = []
    for move in moves:
        board = engine.copy()
        board.play(move)
        board.forget()
        boards.append((move, board, Judge(core.tables, board)))
    for _ in range(playouts):
        shuffle, noise = rng.getrandbits(63), rng.getrandbits(63)
        for move, board, watching in boards:
            scores = _play_out(board, watching, shuffle, noise, len(core.players))
            leads[move].append(_lead(scores, decider))
    ranked = sorted(moves, key=lambda move: -sum(leads[move]))
    best = ranked[0]
    return [
        MoveWorth(
            str(core.decode(move)),
            _mean(leads[move]),
            None
            if move == best
            else _mean([a - b for a, b in zip(leads[best], leads[move], strict=True)]),
        )
        for move in ranked
    ]


def _mean(values: Sequence[float]) -> Interval:
    moments = Moments()
    for value in values:
        moments.add(on_grid(value))
    return _interval(moments)
