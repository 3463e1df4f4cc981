"""A game in words: features, castles, scores and the bazaar, as lists for terminals.

Everything comes from `Game`'s questions; what is worth how much is never worked out here. What
happened move by move is told by `carcassonne.render.log`.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Final

from carcassonne.events import Event, Score
from carcassonne.geometry import cell_text, reading_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.model.game import Game
    from carcassonne.views import CastleView, FeatureView

__all__ = [
    "columns",
    "counted",
    "feature_lines",
    "feature_text",
    "final_lines",
    "fitted",
    "flowed",
    "item_text",
    "listed",
    "market_lines",
    "numbered",
    "player_marks",
    "points_by_kind",
    "points_text",
    "score_lines",
    "start_scores",
    "wrapped",
]

_ORDER: Final = ("road", "city", "cloister", "field", "castle", "river")
_SOURCES: Final = ("road", "city", "cloister", "farm", "castle", "auction")
_LAST_COLUMN: Final = 14
_NARROW: Final = 50


# ------------------------------------------------------------------------------ small words


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def fitted(text: str, width: int) -> str:
    """A text cut or padded to exactly so many columns."""
    if columns(text) > width:
        while text and columns(text) > width - 1:
            text = text[:-1]
        text += "…"[:width]
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int, *, indent: int = 0, hang: int = 0) -> list[str]:
    """A text broken at spaces into lines that are never wider than `width`.

    Runs of spaces inside a line are kept; `hang` is the further indent of all lines but the
    first.
    """
    lines: list[str] = []
    line = " " * indent
    gap = ""
    for word, space in _words(text):
        start = " " * min(indent + hang, width // 2)
        if line.strip() and columns(line + gap + word) > width:
            lines.append(line)
            line, gap = start, ""
        line += gap + word
        while columns(line) > width:
            cut = len(line)
            while columns(line[:cut]) > width:
                cut -= 1
            lines.append(line[:cut])
            line = start + line[cut:]
        gap = space
    return [*lines, line] if line.strip() else lines


def flowed(entries: Iterable[str], width: int, *, gap: int = 3, hang: int = 0) -> list[str]:
    """Entries side by side, broken into lines only between them where that is possible."""
    lines: list[str] = []
    for entry in entries:
        if lines and columns(lines[-1]) + gap + columns(entry) <= width:
            lines[-1] += " " * gap + entry
        else:
            lines += wrapped(entry, width, indent=hang if lines else 0, hang=2)
    return lines


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the spaces behind it."""
    runs = ["".join(run) for _, run in groupby(text.lstrip(), key=lambda c: c == " ")]
    yield from zip(runs[::2], [*runs[1::2], ""], strict=False)


def listed(words: Iterable[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    *most, final = list(words) or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def numbered(words: Iterable[str]) -> str:
    """`1 this, 2 that`."""
    return ", ".join(f"{number} {word}" for number, word in enumerate(words, 1))


def counted(number: int, thing: str) -> str:
    """`1 tile`, `2 tiles`."""
    return f"{number} {thing}" if number == 1 else f"{number} {_plural(thing)}"


def _plural(thing: str) -> str:
    first, space, rest = thing.partition(" ")
    if first in ("open", "empty", "legal"):
        return f"{first} {_plural(rest)}"
    plural = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{plural}{space}{rest}"


def points_text(number: int) -> str:
    """`1 point`, `2 points`."""
    return counted(number, "point")


def item_text(what: str, count: int, each: int) -> str:
    """One line of a score: `3 tiles x 2`, `1 pennant`; what is named by itself stands alone."""
    if count == 1 and any(c.isdigit() or c == "/" for c in what):
        return what
    first, space, rest = what.partition(" ")
    if count == 1 and first.endswith("s"):
        first = f"{first[:-3]}y" if first.endswith("ies") else first[:-1]
    times = f" x {each}" if each != 1 else ""
    return f"{count} {first}{space}{rest}{times}"


def player_marks(players: Sequence[str]) -> dict[str, str]:
    """A capital letter for each player, from the name where it can be; no two are the same."""
    marks: dict[str, str] = {}
    for name in players:
        plain = unicodedata.normalize("NFKD", name).upper()
        letters = [c for c in plain if "A" <= c <= "Z"] + list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        marks[name] = next(c for c in letters if c not in marks.values())
    return marks


# ------------------------------------------------------------------------------ features


def feature_lines(game: Game, *, width: int = 80) -> list[str]:
    """Every occupied feature and every castle: where, how big, whose, what it would pay now."""
    features = [f for f in game.features() if f.meeples and f.kind != "castle"]
    features.sort(key=lambda f: (_ORDER.index(f.kind), reading_order(f.at.cell), f.at.segment))
    rows = [
        (f.kind, str(f.at), _size_text(f), f"{f.points:>3}", _holders(game, f)) for f in features
    ]
    castles = [("castle", str(c.at), *_castle_text(c)) for c in game.castles]
    return _table([*rows, *castles], width)


def _table(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Rows in columns, the last of which may go on below; as wrapped text where it is narrow."""
    if not rows:
        return []
    rows = [("feature", "at", "size", "now", "meeples"), *rows]
    wide = [max(columns(row[i]) for row in rows) for i in range(4)]
    start = sum(wide) + 8
    if start + _LAST_COLUMN > width:
        return [line for row in rows[1:] for line in wrapped(_sentence(row), width, hang=4)]
    lines = []
    for row in rows:
        head = "  ".join(fitted(row[i], wide[i]) for i in range(4))
        tail = wrapped(row[4], width - start)
        lines.append(f"{head}  {tail[0] if tail else ''}".rstrip())
        lines += [" " * start + more for more in tail[1:]]
    return lines


def _sentence(row: Sequence[str]) -> str:
    """A row of the table as running text."""
    kind, at, size, now, meeples = row
    points = f", {now.strip()} now" if now.strip() else ""
    return f"{kind} {at}: {size}{points}; {meeples}"


def _size_text(feature: FeatureView) -> str:
    """How big a feature is and where it can still grow."""
    if feature.kind == "cloister":
        return f"{9 - feature.open} of 9 tiles"
    if feature.kind == "field":
        return counted(feature.tiles, "tile")
    pennants = f", {counted(feature.pennants, 'pennant')}" if feature.pennants else ""
    ends = "complete" if feature.complete else f"{feature.open} open"
    return f"{counted(feature.tiles, 'tile')}{pennants}, {ends}"


def feature_text(feature: FeatureView) -> str:
    """A feature in a few words, as for someone who may put a meeple there."""
    kind = "farm" if feature.kind == "field" else feature.kind
    return f"{kind}: {_size_text(feature)}, {points_text(feature.points)} now"


def _holders(game: Game, feature: FeatureView) -> str:
    """Who stands there, on which bridges, and who would be paid."""
    most = max(feature.meeples.values())
    leaders = [name for name, count in feature.meeples.items() if count == most]
    counts = ", ".join(
        name if count == 1 else f"{name} x{count}" for name, count in feature.meeples.items()
    )
    graph = game.graph()
    bridges = [
        cell_text(node.cell)
        for node in feature.segments
        if graph.nodes[node]["bridge"] and graph.nodes[node]["meeples"]
    ]
    where = f" (on the bridge at {listed(bridges)})" if bridges else ""
    if len(leaders) == len(feature.meeples):
        share = ", each" if len(leaders) > 1 else ""
        return f"{counts}{where}{share}"
    return f"{counts}{where}, for {listed(leaders)}"


def _castle_text(castle: CastleView) -> tuple[str, str, str]:
    rows = groupby(sorted(castle.vicinity, key=reading_order), key=lambda cell: cell[1])
    first, *_, last = [list(cells) for _, cells in rows]
    around = f"around {cell_text(first[0])} to {cell_text(last[-1])}"
    if castle.occupied:
        return "waits", "", f"{castle.owner}; {around}"
    return "empty", "", f"{castle.owner or 'nobody'}, paid; {around}"


# ------------------------------------------------------------------------------ scores


def score_lines(game: Game, *, width: int = 80) -> list[str]:
    """Points and supplies as a table; an arrow marks who decides now."""
    marks = player_marks(game.players)
    decision = game.decision
    letters = 5 if width < _NARROW else 7
    titles = [title[:letters] for title in ("points", "meeples", "bridges", "castles")]
    name_width = _name_width(game.players, width - 4 - sum(len(title) + 2 for title in titles))
    lines = ["  ".join([f"    {fitted('player', name_width)}", *titles])]
    for name, supply in game.supply.items():
        arrow = ">" if decision and decision.player == name else " "
        found = (game.scores[name], supply["meeples"], supply["bridges"], supply["castles"])
        numbers = "  ".join(
            str(number).rjust(len(title)) for title, number in zip(titles, found, strict=True)
        )
        lines.append(f"{arrow} {marks[name]} {fitted(name, name_width)}  {numbers}")
    return lines


def _name_width(players: Iterable[str], most: int) -> int:
    return max(3, min(most, max(6, *(columns(name) for name in players))))


def points_by_kind(events: Iterable[Event], players: Sequence[str]) -> dict[str, dict[str, int]]:
    """Each player's points by what brought them: road, city, cloister, farm, castle, auction."""
    points = {name: dict.fromkeys(_SOURCES, 0) for name in players}
    for event in events:
        if isinstance(event, Score):
            points[event.player][event.feature] += event.points
    return points


def start_scores(game: Game) -> dict[str, int]:
    """The scores with which the game began: 0 unless it began from a position."""
    sums = points_by_kind(game.events, game.players)
    return {name: points - sum(sums[name].values()) for name, points in game.scores.items()}


def final_lines(game: Game, *, width: int = 80) -> list[str]:
    """Points by kind as a table, best player first, and who won."""
    start = start_scores(game)
    sources = list(_SOURCES)
    table = points_by_kind(game.events, game.players)
    if any(start.values()):
        sources.insert(0, "start")
    for name in game.players:
        table[name]["start"] = start[name]
    titles = [*sources, "total"]
    short = width < sum(len(t) + 2 for t in titles) + 8
    titles = [t[:4] for t in titles] if short else titles
    name_width = _name_width(game.players, width - sum(len(t) + 1 + (not short) for t in titles))
    gap = " " if short else "  "
    lines = [gap.join([fitted("player", name_width), *titles])]
    for name, total in sorted(game.scores.items(), key=lambda pair: -pair[1]):
        numbers = [*(table[name][source] for source in sources), total]
        cells = [str(n).rjust(len(t)) for n, t in zip(numbers, titles, strict=True)]
        lines.append(gap.join([fitted(name, name_width), *cells]))
    if game.winners:
        verb = "win" if len(game.winners) > 1 else "wins"
        share = " together" if len(game.winners) > 1 else ""
        points = points_text(max(game.scores.values()))
        lines += wrapped(f"{listed(game.winners)} {verb}{share} with {points}.", width)
    return lines


# ------------------------------------------------------------------------------ the bazaar


def market_lines(game: Game, *, width: int = 80) -> list[str]:
    """The bazaar as it stands: tiles on offer, the bid to beat, who holds what; or nothing."""
    decision = game.decision
    if not game.on_offer and not game.hands:
        return []
    lines = []
    if game.on_offer:
        lines += wrapped(f"on offer: {numbered(game.on_offer)}", width, hang=4)
    if decision and decision.high_bid is not None:
        lines += wrapped(f"bid for: {decision.tile}, {decision.high_bid} so far", width, hang=4)
    if game.hands:
        hands = ", ".join(f"{name} {tile}" for name, tile in game.hands.items())
        lines += wrapped(f"in hand: {hands}", width, hang=4)
    return lines
