"""Standings as one HTML page that needs nothing else: no network, no script."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Final

from carcassonne.arena.charts import Bar, interval_chart
from carcassonne.arena.tables import number, percent, sprt_text, summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.figures import BotLine, Mean, PairLine, SeatLine
    from carcassonne.arena.standings import Standings

__all__ = ["page"]

_MOST_PAIRS_CHARTED: Final = 30


def page(standings: Standings) -> str:
    """The page: ratings, head-to-head scores, margins, seats, forfeits and all tables."""
    sections = [
        _section("Elo with 95 % intervals", _ratings(standings.bots)),
        _section("Head to head", _matrix(standings), _MATRIX_NOTE),
        _section("What a seat is worth", _seats(standings.seats), _SEATS_NOTE),
        _section("Forfeits", _forfeits(standings)),
        _section("Margins in points with 95 % intervals", _margins(standings.pairs)),
        _section("Standings", _bot_table(standings.bots), _BOTS_NOTE, wide=True),
        _section("Pairings", _pair_table(standings), _PAIRS_NOTE, wide=True),
    ]
    template = Template((files(__package__) / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(standings.title),
        summary="\n".join(f"<p>{escape(line)}</p>" for line in summary(standings)),
        sections="\n".join(section for section in sections if section),
    )


_MATRIX_NOTE: Final = (
    "Score in percent of the bot on the left against the one above: wins and half the draws."
)
_SEATS_NOTE: Final = (
    "Share of the wins in percent by seat, over complete units without a forfeited game; the line"
    " is where seats don't matter."
)
_BOTS_NOTE: Final = (
    "LOS: likelihood that the bot is stronger than the next. Points and margin (own points less"
    " the best rival's) are means of the games played to the end."
)
_PAIRS_NOTE: Final = (
    "Counts: complete units by the score of the first bot, the lowest first (for pairs the"
    " pentanomial counts). Margin: a mean over units."
)


def _section(title: str, body: str, note: str = "", *, wide: bool = False) -> str:
    if not body:
        return ""
    kind = ' class="all"' if wide else ""
    foot = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section{kind}><h2>{escape(title)}</h2>{body}{foot}</section>"


def _ratings(bots: Iterable[BotLine]) -> str:
    bars = []
    for line in bots:
        if line.elo is None:
            continue
        span = "" if line.low is None else f" ({number(line.low, 0)} … {number(line.high, 0)})"
        text = f"{number(line.elo, sign=True)}{span}"
        bars.append(Bar(line.bot, text, line.elo, line.low, line.high))
    return interval_chart("Elo of each bot with its 95 % interval", bars) if bars else ""


def _matrix(standings: Standings) -> str:
    scores = standings.scores()
    if not scores:
        return ""
    labels = [line.bot for line in standings.bots if line.rank is not None]
    head = "".join(f'<th title="{escape(b)}">{escape(b)}</th>' for b in labels)
    rows = [
        f"<tr>{_name(bot)}" + "".join(_heat(scores.get((bot, other))) for other in labels) + "</tr>"
        for bot in labels
    ]
    return _wrap("heat", f"<tr><th></th>{head}</tr>", rows)


def _heat(score: float | None) -> str:
    if score is None:
        return "<td></td>"
    kind = "win" if score > 0.5 else "loss"
    return (
        f'<td class="{kind}" style="--depth:{130 * abs(score - 0.5):.0f}%">{percent(score, 0)}</td>'
    )


def _margins(pairs: Sequence[PairLine]) -> str:
    bars = [
        _mean_bar(f"{pair.first} – {pair.second}", pair.margin)  # noqa: RUF001
        for pair in pairs
        if pair.margin.mean is not None
    ]
    if not 0 < len(bars) <= _MOST_PAIRS_CHARTED:
        return ""
    return interval_chart("Mean margin of each pairing with its 95 % interval", bars)


def _mean_bar(label: str, mean: Mean, factor: float = 1.0, *, sign: bool = True) -> Bar:
    value, error = (mean.mean or 0.0) * factor, mean.error
    text = number(value, sign=sign)
    if error is None:
        return Bar(label, text, value)
    error *= factor
    return Bar(label, f"{text} ± {number(error)}", value, value - error, value + error)


def _seats(seats: Sequence[SeatLine]) -> str:
    bars = [
        _mean_bar(
            f"seat {line.seat}{' (first to move)' if line.seat == 1 else ''}",
            line.share, 100, sign=False,
        )
        for line in seats
        if line.share.mean is not None
    ]  # fmt: skip
    if not bars:
        return ""
    return interval_chart("Share of the wins by seat, in percent", bars, base=100 / len(seats))


def _forfeits(standings: Standings) -> str:
    at_fault = [line for line in standings.bots if line.forfeits or line.defaulted]
    if not at_fault:
        return "<p>No game was forfeited.</p>" if standings.games else ""
    verdicts = list(standings.forfeits)
    rows = [
        _row(
            [line.bot],
            [*(str(line.forfeits.get(v, 0)) for v in verdicts), str(line.defaulted)],
        )
        for line in at_fault
    ]
    return _wrap("", _head(["bot"], [*verdicts, "default moves"]), rows)


def _bot_table(bots: Iterable[BotLine]) -> str:
    head = ["rank", "Elo", "95 %", "LOS %", "games", "W", "D", "L", "share %", "points", "margin"]
    rows = [
        _row([line.bot], [
            "" if line.rank is None else str(line.rank), number(line.elo, sign=True),
            "" if line.low is None else f"{number(line.low)} … {number(line.high)}",
            percent(line.los), *map(str, (line.games, line.wins, line.draws, line.losses)),
            percent(line.share), number(line.points), number(line.margin, sign=True),
        ])
        for line in bots
    ]  # fmt: skip
    return _wrap("", _head(["bot"], head), rows) if rows else ""


def _pair_table(standings: Standings) -> str:
    head = ["games", "W", "D", "L", "counts", "Elo", "±", "LOS %", "margin", "±"]
    tested = standings.hypotheses is not None
    rows = [
        _row([pair.first, pair.second], [
            *map(str, (pair.games, pair.wins, pair.draws, pair.losses)),
            " ".join(map(str, pair.cells)), number(pair.elo, sign=True), number(pair.error),
            percent(pair.los), number(pair.margin.mean, sign=True), number(pair.margin.error),
            *([_test(standings, pair)] if tested else []),
        ])
        for pair in standings.pairs
    ]  # fmt: skip
    if not rows:
        return ""
    return _wrap("", _head(["bot", "against"], [*head, *["sequential test"] * tested]), rows)


def _test(standings: Standings, pair: PairLine) -> str:
    if standings.hypotheses is None or pair.sprt is None:
        return ""
    return sprt_text(standings.hypotheses, pair.sprt)


def _name(text: str) -> str:
    return f'<th class="name" scope="row" title="{escape(text)}">{escape(text)}</th>'


def _head(names: Iterable[str], numbers: Iterable[str]) -> str:
    left = "".join(f'<th class="name">{escape(name)}</th>' for name in names)
    return f"<tr>{left}{''.join(f'<th>{escape(name)}</th>' for name in numbers)}</tr>"


def _row(names: Sequence[str], cells: Iterable[str]) -> str:
    first, *others = names
    texts = "".join(f'<th class="name">{escape(name)}</th>' for name in others)
    return f"<tr>{_name(first)}{texts}{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _wrap(kind: str, head: str, rows: Iterable[str]) -> str:
    return (
        f'<div class="scroll"><table class="{kind}"><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
