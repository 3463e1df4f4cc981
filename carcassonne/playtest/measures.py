"""The measures of a playtest: what is taken of every game, each defined here and nowhere else.

A measure is a function of the `Facts` of a game with a docstring, under `measure`; None says
that it means nothing in this game. A file of one's own (`load_measures`) defines more of them:

    from carcassonne.playtest.measures import measure

    @measure("points", group="scores")
    def runner_up(game):
        "The second-best score."
        return sorted(game.scores)[-2]
"""

from __future__ import annotations

import inspect
import math
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from carcassonne.errors import CarcassonneError
from carcassonne.playtest.facts import KINDS
from carcassonne.playtest.rows import Measure
from carcassonne.playtest.sums import LARGEST
from carcassonne.user_code import line_of, load_module, what_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from carcassonne.playtest.facts import Facts

    Value = float | None
    Function = Callable[[Facts], Value]

__all__ = ["MeasureError", "Taken", "load_measures", "measure", "measures_for", "take"]


class MeasureError(CarcassonneError):
    """A file of measures that holds none, or a measure that fails."""


class Taken(NamedTuple):
    """A measure and the function that takes it of a game.

    Attributes
    ----------
    path : str
        The file of one's own that defines it; empty: none. What it gives is checked.
    """

    measure: Measure
    function: Function
    path: str = ""


_MARK: Final = "carcassonne_measure"
_LONGEST_VALUE: Final = 40


def measure(
    unit: str, *, group: str = "", distribution: bool = False
) -> Callable[[Function], Function]:
    """Make a function of a game's facts a measure; its name and docstring are the measure's.

    Parameters
    ----------
    unit
        What its values count, such as points or share.
    group
        The heading under which reports list it.
    distribution
        Whether its values are whole numbers whose histogram is kept.
    """

    def mark(function: Function) -> Function:
        about = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        name: str = function.__name__
        setattr(function, _MARK, Measure(name, unit, about, group, distribution))
        return function

    return mark


# ------------------------------------------------------------------------------ scores


@measure("points", group="scores")
def score(game: Facts) -> Value:
    """Points of a player at the end, on average over the players."""
    return sum(game.scores) / game.players


@measure("points", group="scores", distribution=True)
def winning_score(game: Facts) -> Value:
    """The winner's points."""
    return max(game.scores)


@measure("points", group="scores", distribution=True)
def margin(game: Facts) -> Value:
    """The best player's lead over the second; 0 if several share the win."""
    if game.players == 1:
        return None
    first, second = sorted(game.scores)[:-3:-1]
    return first - second


@measure("share", group="scores")
def first_seat_wins(game: Facts) -> Value:
    """The first player's share of the win."""
    return 1 / len(game.winners) if 0 in game.winners else 0.0


@measure("points", group="scores")
def first_seat_lead(game: Facts) -> Value:
    """The first player's lead over the average of the others."""
    if game.players == 1:
        return None
    others = sum(game.scores) - game.scores[0]
    return game.scores[0] - others / (game.players - 1)


# ------------------------------------------------------------------------------ course of the game


@measure("moves", group="course of the game")
def decisions(game: Facts) -> Value:
    """Decisions taken by all players together."""
    return game.moves


@measure("moves", group="course of the game")
def decisions_per_turn(game: Facts) -> Value:
    """Decisions a turn."""
    return game.moves / game.turns if game.turns else None


@measure("moves", group="course of the game")
def branching(game: Facts) -> Value:
    """The number of legal moves a decision."""
    return game.listed / game.moves if game.moves else None


@measure("turns", group="course of the game")
def length(game: Facts) -> Value:
    """Turns of the game."""
    return game.turns


@measure("changes", group="course of the game")
def lead_changes(game: Facts) -> Value:
    """Changes of the lead, counted at the beginning of turns."""
    return game.leads


@measure("points", group="course of the game", distribution=True)
def comeback(game: Facts) -> Value:
    """The most points by which the later winner was behind at the beginning of a turn."""
    return game.deficit


@measure("meeples", group="course of the game")
def meeples_idle(game: Facts) -> Value:
    """Meeples in a player's supply, on average over the turns."""
    return sum(game.idle) / (game.turns * game.players) if game.turns else None


@measure("tiles", group="course of the game")
def unplaceable_tiles(game: Facts) -> Value:
    """Tiles set aside because they fitted nowhere (R-BASE-6)."""
    return game.unplaceable


@measure("tiles", group="course of the game")
def declined_tiles(game: Facts) -> Value:
    """Tiles that would have needed a bridge and were declined (R-BRIDGE-11)."""
    return game.declined


# ------------------------------------------------------------------------------ bridges


@measure("bridges", group="bridges")
def bridges_built(game: Facts) -> Value:
    """Bridges built by all players together."""
    return game.bridges


@measure("share", group="bridges")
def bridges_on_own_tile(game: Facts) -> Value:
    """The share of bridges on the tile just placed instead of a neighbour (R-BRIDGE-2)."""
    return game.own_bridges / game.bridges if game.bridges else None


@measure("share", group="bridges")
def bridges_forced(game: Facts) -> Value:
    """The share of bridges without which the tile would not have fitted (R-BRIDGE-8)."""
    return game.forced_bridges / game.bridges if game.bridges else None


@measure("roads", group="bridges")
def roads_over_bridges(game: Facts) -> Value:
    """Roads completed by players with meeples on them that lead over a bridge."""
    return game.bridged_roads


# ------------------------------------------------------------------------------ castles


@measure("castles", group="castles")
def castles_built(game: Facts) -> Value:
    """Castles built by all players together."""
    return len(game.castles)


@measure("share", group="castles")
def castles_unpaid(game: Facts) -> Value:
    """The share of castles that nothing ever paid."""
    if not game.castles:
        return None
    return sum(castle.paid is None for castle in game.castles) / len(game.castles)


@measure("turns", group="castles")
def castle_wait(game: Facts) -> Value:
    """Turns from building a castle to its pay, on average over those that were paid."""
    waits = [castle.paid - castle.built for castle in game.castles if castle.paid is not None]
    return sum(waits) / len(waits) if waits else None


@measure("points", group="castles")
def castle_pay(game: Facts) -> Value:
    """What a castle is paid (0 where nothing ever pays it)."""
    if not game.castles:
        return None
    return sum(castle.points for castle in game.castles) / len(game.castles)


@measure("points", group="castles")
def castle_gain(game: Facts) -> Value:
    """What a castle brings more than scoring the small city at once would have."""
    if not game.castles:
        return None
    gains = [castle.points - castle.small_city for castle in game.castles]
    return sum(gains) / len(gains)


# ------------------------------------------------------------------------------ auctions


def _bid_for(game: Facts) -> list[Any]:
    return [row for row in game.auctions if row.how != "free"]


@measure("tiles", group="auctions")
def auctions_held(game: Facts) -> Value:
    """Tiles that were bid for."""
    return len(_bid_for(game))


@measure("points", group="auctions")
def opening_bid(game: Facts) -> Value:
    """The chooser's opening bid, on average over the tiles bid for."""
    rows = _bid_for(game)
    return sum(row.opening for row in rows) / len(rows) if rows else None


@measure("points", group="auctions")
def auction_price(game: Facts) -> Value:
    """What a tile bid for costs."""
    rows = _bid_for(game)
    return sum(row.price for row in rows) / len(rows) if rows else None


@measure("share", group="auctions")
def auctions_sold(game: Facts) -> Value:
    """The share of outbid tiles that the chooser sold instead of buying."""
    rows = [row for row in game.auctions if row.how in ("bought", "sold")]
    return sum(row.how == "sold" for row in rows) / len(rows) if rows else None


@measure("points", group="auctions")
def auction_profit(game: Facts) -> Value:
    """What a tile bid for earned its buyer in the turn of its placing, less its price."""
    rows = _bid_for(game)
    return sum(row.earned - row.price for row in rows) / len(rows) if rows else None


@measure("points", group="auctions")
def points_left_game(game: Facts) -> Value:
    """Points paid to nobody: own bids of choosers whom nobody outbid (R-BAZAAR-12)."""
    return game.left


# ------------------------------------------------------------------------------ families


def _points_by_kind() -> list[Taken]:
    def taker(row: int) -> Function:
        return lambda game: sum(game.by_kind[row]) / game.players

    plurals = {kind: "cities" if kind == "city" else f"{kind}s" for kind in KINDS}
    found = [
        Taken(
            Measure(f"points_{kind}", "points", f"Points of a player from {plurals[kind]}.",
                    "points by kind"),
            taker(row),
        )
        for row, kind in enumerate(KINDS)
    ]  # fmt: skip
    about = "Points that a player {} at the bazaar."
    found.append(
        Taken(
            Measure("points_auction_paid", "points", about.format("pays"), "points by kind"),
            lambda game: sum(game.paid) / game.players,
        )
    )
    found.append(
        Taken(
            Measure("points_auction_received", "points", about.format("receives"),
                    "points by kind"),
            lambda game: sum(game.received) / game.players,
        )
    )  # fmt: skip
    return found


def _by_seat(players: int) -> list[Taken]:
    def score_of(seat: int) -> Function:
        return lambda game: game.scores[seat] if seat < game.players else None

    def wins_of(seat: int) -> Function:
        def wins(game: Facts) -> Value:
            if seat >= game.players:
                return None
            return 1 / len(game.winners) if seat in game.winners else 0.0

        return wins

    found = []
    for seat in range(players):
        name = f"seat {seat + 1}"
        found += [
            Taken(
                Measure(f"score_seat_{seat + 1}", "points", f"Points of {name}.", "seats",
                        distribution=True),
                score_of(seat),
            ),
            Taken(
                Measure(f"wins_seat_{seat + 1}", "share", f"The share of the win of {name}.",
                        "seats"),
                wins_of(seat),
            ),
        ]  # fmt: skip
    return found


def _by_bot(labels: Sequence[str], averaged: Collection[str]) -> list[Taken]:
    def score_of(label: str) -> Function:
        def points(game: Facts) -> Value:
            own = [p for bot, p in zip(game.bots, game.scores, strict=True) if bot == label]
            return sum(own) / len(own) if own else None

        return points

    def wins_of(label: str) -> Function:
        def wins(game: Facts) -> Value:
            if label not in game.bots:
                return None
            shares = sum(game.bots[seat] == label for seat in game.winners)
            return shares / len(game.winners) / game.bots.count(label)

        return wins

    def margin_of(label: str) -> Function:
        def lead(game: Facts) -> Value:
            own = [p for bot, p in zip(game.bots, game.scores, strict=True) if bot == label]
            rest = [p for bot, p in zip(game.bots, game.scores, strict=True) if bot != label]
            return sum(own) / len(own) - max(rest) if own and rest else None

        return lead

    found = []
    for label in labels:
        word = "".join(sign if sign.isalnum() else "_" for sign in label).strip("_")
        found += [
            Taken(
                Measure(f"score_{word}", "points", f"Points of the bot {label}.", "bots",
                        distribution=label not in averaged),
                score_of(label),
            ),
            Taken(
                Measure(f"wins_{word}", "share", f"The share of the win of a bot {label}.", "bots"),
                wins_of(label),
            ),
            Taken(
                Measure(f"margin_{word}", "points",
                        f"Points of the bot {label} less its best rival's.", "bots"),
                margin_of(label),
            ),
        ]  # fmt: skip
    return found


def _marked(functions: Iterable[object]) -> list[Taken]:
    return [
        Taken(getattr(function, _MARK), function)  # type: ignore[arg-type]  # marked by `measure`
        for function in functions
        if isinstance(getattr(function, _MARK, None), Measure)
    ]


_OWN: Final = _marked(list(globals().values()))


def measures_for(
    players: int,
    bots: Sequence[str],
    more: Sequence[Taken] = (),
    *,
    averaged: Collection[str] = (),
) -> tuple[Taken, ...]:
    """Every measure of a playtest.

    Parameters
    ----------
    players
        The most players that any arm has.
    bots
        The labels of all bots, each once; with a single one the measures by bot are left out.
    more
        Measures of one's own.
    averaged
        The bots that sit in several seats of some arm: their scores are averages, which needn't
        be whole numbers.

    Raises
    ------
    MeasureError
        Two measures have the same name.
    """
    by_bot = _by_bot(bots, averaged) if len(bots) > 1 else []
    found = (*_OWN, *_points_by_kind(), *_by_seat(players), *by_bot, *more)
    names: set[str] = set()
    for taken in found:
        if taken.measure.name in names:
            raise MeasureError(f"there are two measures called {taken.measure.name!r}")
        names.add(taken.measure.name)
    return found


def take(measures: Sequence[Taken], game: Facts, where: str = "") -> tuple[Value, ...]:
    """The values of all measures of a game, in their order.

    Parameters
    ----------
    where
        Which game it is, for messages: `stack order 3, arm 'usual'`.

    Raises
    ------
    MeasureError
        A measure failed or gave something that is no number, naming its file.
    """
    values: list[Value] = []
    add = values.append
    taken = measures[0]
    try:
        for taken in measures:
            add(taken.function(game))
    except (Exception, SystemExit) as error:
        module = sys.modules.get(taken.function.__module__)
        at = line_of(error, getattr(module, "__file__", None) or "") if taken.path else ""
        raise MeasureError(f"{_head(taken, where, at)} failed: {what_failed(error)}") from error
    for i, taken in enumerate(measures):
        if taken.path:
            values[i] = _checked(values[i], taken, where)
    return tuple(values)


def _head(taken: Taken, where: str, at: str = "") -> str:
    """The beginning of a message about a measure: its file, its name and the game."""
    file = f"{taken.path}{at}: " if taken.path else ""
    return f"{file}measure {taken.measure.name!r}{f' ({where})' if where else ''}"


def _checked(value: object, taken: Taken, where: str) -> Value:
    """What a measure of one's own gave, as a plain number; True counts as 1."""
    if value is None:
        return None
    problem = ""
    if not isinstance(value, int | float):
        problem = f"{type(value).__name__} {_short(value)}: it must give a number or None"
    elif not -LARGEST <= value <= LARGEST:  # nan is caught too
        big = isinstance(value, int) or math.isfinite(value)
        shown = "a number beyond 10^18" if big else repr(float(value))
        problem = f"{shown}: it must give an ordinary number or None"
    elif taken.measure.distribution and value != int(value):
        problem = f"{value!r}: with distribution = True it must give whole numbers"
    if problem:
        raise MeasureError(f"{_head(taken, where)} gave {problem}")
    return int(value) if isinstance(value, int) else float(value)  # type: ignore[arg-type]


def _short(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 - somebody else's object
        return ""
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def load_measures(path: str | Path) -> list[Taken]:
    """The measures that a Python file defines with `measure`; the file is run for that.

    Raises
    ------
    MeasureError
        Naming the file, and the line where it fails.
    """
    module = load_module(path, "measures", MeasureError)
    found = _marked(value for value in vars(module).values() if inspect.isfunction(value))
    found = [taken for taken in found if taken.function.__module__ == module.__name__]
    if not found:
        raise MeasureError(
            f"{path}: there is no measure in it: a measure is a function of a game's facts "
            'under @measure("points")'
        )
    for taken in found:
        if not taken.measure.about:
            raise MeasureError(
                f"{path}: measure {taken.measure.name!r} needs a docstring that says what it is"
            )
    return [taken._replace(path=str(path)) for taken in found]
