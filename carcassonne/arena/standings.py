"""Standings: everything that the results of a tournament say, as one value.

All figures follow from the results alone, so they are the same whatever order the games ended
in, however many processes played them and however long that took.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations
from statistics import fmean, pvariance
from typing import TYPE_CHECKING, Any

import msgspec

from carcassonne.arena.elo import EloEstimate, estimate
from carcassonne.arena.figures import BotLine, Mean, PairLine, SeatLine
from carcassonne.arena.pentanomial import ScoreCounts, comparisons, count_units
from carcassonne.arena.ratings import RESAMPLES, RatingList, rate
from carcassonne.arena.results import leading, units
from carcassonne.arena.sprt import Sprt, SprtRun, SprtState
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.results import GameResult, StoredTournament, Unit

__all__ = ["Standings", "standings"]

_DIGITS = 6


class Standings(msgspec.Struct, frozen=True):
    """The standings of a tournament.

    Attributes
    ----------
    title : str
        What the tournament is called.
    players : int
        Seats at a table.
    finished : bool
        Whether nothing is left to play.
    planned : int
        Games of the schedule; 0 where that is unknown.
    games, units, complete_units, moves : int
        What was played, and counts.
    forfeits : dict
        Forfeited games by verdict.
    bots : tuple of BotLine
        The best first.
    pairs : tuple of PairLine
        In the order of entry; only bots that met.
    seats : tuple of SeatLine
        By seat.
    first_seat_elo : EloEstimate or None
        At tables of two: how many Elo the first seat is worth.
    hypotheses : tuple of float or None
        The two hypotheses of the sequential test in Elo.
    sprt : SprtState or None
        With two bots: where the test between the first and the second stands.
    """

    title: str
    players: int
    finished: bool
    planned: int
    games: int
    units: int
    complete_units: int
    moves: int
    forfeits: dict[str, int]
    bots: tuple[BotLine, ...]
    pairs: tuple[PairLine, ...]
    seats: tuple[SeatLine, ...]
    first_seat_elo: EloEstimate | None
    hypotheses: tuple[float, float] | None
    sprt: SprtState | None

    def to_data(self) -> dict[str, Any]:
        """Plain values for JSON: nothing that depends on timing, six digits behind the point.

        What is infinite or unknown is None.
        """
        data: dict[str, Any] = _plain(msgspec.to_builtins(self))
        return data

    def to_rows(self) -> list[list[str | int | float | None]]:
        """A table for CSV: a heading, then a row a bot; head-to-head scores come last."""
        labels = [line.bot for line in self.bots]
        verdicts = sorted(self.forfeits)
        names = [name for name in BotLine.__struct_fields__ if name != "forfeits"]
        scores = self.scores()
        rows: list[list[str | int | float | None]] = [
            [*names, *(f"forfeits: {v}" for v in verdicts), *(f"score against {b}" for b in labels)]
        ]
        for line in self.bots:
            own = [_plain(getattr(line, name)) for name in names]
            faults = [line.forfeits.get(verdict, 0) for verdict in verdicts]
            rows.append(
                [*own, *faults, *(_plain(scores.get((line.bot, other))) for other in labels)]
            )
        return rows

    def scores(self) -> dict[tuple[str, str], float]:
        """Head-to-head scores, 0 to 1, by bot and rival, both ways round."""
        found: dict[tuple[str, str], float] = {}
        for pair in self.pairs:
            found[pair.first, pair.second] = pair.score
            found[pair.second, pair.first] = 1 - pair.score
        return found


def standings(
    tournament: StoredTournament,
    *,
    anchor: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Standings:
    """Work out the standings.

    Where a sequential test between two bots has decided, the games after the deciding unit count
    for nothing: which of them were still played is a matter of timing.

    Parameters
    ----------
    anchor
        The bot whose Elo is to be 0; without one, the mean is.
    resamples, seed
        For the intervals, see `rate`.

    Raises
    ------
    CarcassonneError
        The results don't belong together: bots that were not entered, a game twice, tables of
        another size.
    """
    _check(tournament)
    all_units = units(tournament.results)
    sprt = Sprt(*tournament.sprt, *tournament.sprt_errors) if tournament.sprt else None
    state = None
    if sprt and len(tournament.bots) == 2:
        run = SprtRun(sprt, *tournament.bots)
        state = run.follow(all_units)
        if run.decided_at is not None:
            all_units = [unit for unit in all_units if unit.number <= run.decided_at]
    games = [game for unit in all_units for game in unit.results]
    ratings = rate(all_units, tournament.bots, anchor=anchor, resamples=resamples, seed=seed)
    return Standings(
        title=tournament.title,
        players=tournament.players,
        finished=tournament.finished,
        planned=tournament.planned,
        games=len(games),
        units=len(all_units),
        complete_units=sum(unit.complete for unit in all_units),
        moves=sum(game.moves for game in games),
        forfeits=_verdicts(games),
        bots=_bot_lines(games, tournament.bots, ratings),
        pairs=_pair_lines(all_units, tournament.bots, sprt),
        seats=_seat_lines(_fair(all_units), tournament.players),
        first_seat_elo=_first_seat_elo(_fair(all_units)) if tournament.players == 2 else None,
        hypotheses=tournament.sprt,
        sprt=state,
    )


def _check(tournament: StoredTournament) -> None:
    entered = set(tournament.bots)
    if len(entered) < len(tournament.bots):
        raise CarcassonneError(f"{tournament.title}: two bots bear the same label")
    for game in tournament.results:
        where = f"{tournament.title}: unit {game.unit}, turn {game.turn}"
        if len(game.bots) != tournament.players:
            raise CarcassonneError(
                f"{where}: {len(game.bots)} bots at a table of {tournament.players}"
            )
        for bot in game.bots:
            if bot not in entered:
                raise CarcassonneError(f"{where}: no bot {bot!r} was entered")


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _verdicts(games: Iterable[GameResult]) -> dict[str, int]:
    return dict(sorted(Counter(game.verdict for game in games if game.forfeited).items()))


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


# ---- bots


def _bot_lines(
    games: Iterable[GameResult], bots: Sequence[str], ratings: RatingList
) -> tuple[BotLine, ...]:
    taken: dict[str, list[tuple[GameResult, int]]] = {bot: [] for bot in bots}
    for game in games:
        for seat, bot in enumerate(game.bots):
            taken[bot].append((game, seat))
    rated = ratings.ratings
    order = sorted(
        bots, key=lambda bot: (bot not in rated, -rated[bot].elo if bot in rated else 0.0)
    )
    return tuple(
        _bot_line(bot, rank, taken[bot], ratings, order[rank] if rank < len(order) else None)
        for rank, bot in enumerate(order, start=1)
    )


def _bot_line(
    bot: str,
    rank: int,
    taken: Sequence[tuple[GameResult, int]],
    ratings: RatingList,
    following: str | None,
) -> BotLine:
    outcomes = Counter(game.outcome(seat) for game, seat in taken)
    ended = [(game, seat) for game, seat in taken if not game.forfeited]
    rating = ratings.ratings.get(bot)
    return BotLine(
        rank=rank if rating else None,
        bot=bot,
        games=len(taken),
        wins=outcomes["win"],
        draws=outcomes["draw"],
        losses=outcomes["loss"],
        share=_mean([game.share(seat) for game, seat in taken]),
        points=_mean([game.points[seat] for game, seat in ended]),
        margin=_mean([game.margin(seat) for game, seat in ended]),
        forfeits=_verdicts(game for game, seat in taken if game.culprit == seat),
        defaulted=sum(game.defaulted[seat] for game, seat in taken if game.defaulted),
        elo=rating.elo if rating else None,
        low=rating.low if rating else None,
        high=rating.high if rating else None,
        los=ratings.superiority(bot, following) if following else None,
    )


# ---- pairs of bots


def _pair_lines(
    all_units: list[Unit], bots: Sequence[str], sprt: Sprt | None
) -> tuple[PairLine, ...]:
    entry = {bot: number for number, bot in enumerate(bots)}
    shared: defaultdict[tuple[int, int], list[Unit]] = defaultdict(list)
    for unit in all_units:
        for pair in combinations(sorted({entry[bot] for bot in unit.bots}), 2):
            shared[pair].append(unit)
    in_order = len(leading(all_units))
    return tuple(
        _pair_line(met, bots[i], bots[j], sprt, in_order) for (i, j), met in sorted(shared.items())
    )


def _pair_line(
    met: list[Unit], first: str, second: str, sprt: Sprt | None, in_order: int
) -> PairLine:
    halves = Counter(
        half for unit in met for game in unit.results for half in comparisons(game, first, second)
    )
    singles = ScoreCounts.of_games(wins=halves[2], draws=halves[1], losses=halves[0])
    counts = count_units(met, first, second)
    whole = counts is not None and counts.count > 1
    difference = (counts if counts and whole else singles).estimate()
    state = None
    if sprt:
        run = SprtRun(sprt, first, second)
        for unit in met:
            if unit.number < in_order:
                run.take(unit)
        state = run.state
    return PairLine(
        first=first,
        second=second,
        games=singles.count,
        wins=halves[2],
        draws=halves[1],
        losses=halves[0],
        score=singles.mean,
        units=counts.count if counts else 0,
        cells=counts.cells if counts else (),
        by_units=whole,
        elo=difference.elo,
        low=difference.low,
        high=difference.high,
        error=difference.error,
        los=difference.los,
        margin=Mean.of([margin for unit in met for margin in _margin(unit, first, second)]),
        sprt=state,
    )


def _margin(unit: Unit, first: str, second: str) -> list[float]:
    """The mean margin of a unit's games that were played to the end, if there are any."""
    found = [
        own - other
        for game in unit.results
        if not game.forfeited
        for bot, own in zip(game.bots, game.points, strict=True)
        if bot == first
        for rival, other in zip(game.bots, game.points, strict=True)
        if rival == second
    ]
    return [fmean(found)] if found else []


# ---- seats


def _fair(all_units: Iterable[Unit]) -> list[Unit]:
    """The units that say something about seats: every bot sat everywhere and played on."""
    return [unit for unit in all_units if unit.complete and not unit.forfeited]


def _seat_lines(fair: Sequence[Unit], players: int) -> tuple[SeatLine, ...]:
    return tuple(
        SeatLine(
            seat=seat + 1,
            share=Mean.of([_seat_share(unit, seat) for unit in fair]),
            advantage=Mean.of([_seat_advantage(unit, seat) for unit in fair]),
            points=_mean([game.points[seat] for unit in fair for game in unit.results]),
        )
        for seat in range(players)
    )


def _seat_share(unit: Unit, seat: int) -> float:
    return fmean(game.share(seat) for game in unit.results)


def _seat_advantage(unit: Unit, seat: int) -> float:
    return fmean(
        game.points[seat] - (sum(game.points) - game.points[seat]) / (unit.players - 1)
        for game in unit.results
    )


def _first_seat_elo(fair: Sequence[Unit]) -> EloEstimate | None:
    shares = [_seat_share(unit, 0) for unit in fair]
    return estimate(fmean(shares), pvariance(shares), len(shares)) if shares else None
