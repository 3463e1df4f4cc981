"""Standings as text for a terminal."""

from __future__ import annotations

import math
from io import StringIO
from typing import TYPE_CHECKING, Final

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from carcassonne.arena.figures import BotLine, Mean, PairLine
    from carcassonne.arena.sprt import SprtState
    from carcassonne.arena.standings import Standings

__all__ = ["number", "percent", "span", "sprt_text", "standings_text", "summary"]

_WIDE: Final = 120
"""From this width on every column is shown."""

_NARROW: Final = 76
"""Below this width only the columns are shown that matter most."""

_SHORTEST_NAME: Final = 12

_GAP: Final = 2


def number(value: float | None, digits: int = 1, *, sign: bool = False) -> str:
    """A number as it is to be read: a dash for none, `∞` for what has no end."""
    if value is None or math.isnan(value):
        return "–"  # noqa: RUF001 - the dash of tables
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value + 0.0:{'+' if sign else ''}.{digits}f}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share, 0 to 1, in percent."""
    return number(None if share is None else 100 * share, digits)


def standings_text(standings: Standings, width: int, *, colour: bool = False) -> str:
    """The standings as lines no longer than `width` characters."""
    out = StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None,
        highlight=False, emoji=False, markup=False, legacy_windows=False,
    )  # fmt: skip
    console.print(Text(standings.title, style="bold"))
    for line in summary(standings):
        console.print(line)
    if standings.bots:
        console.print()
        console.print(_bots(standings, width))
    if standings.pairs:
        console.print()
        console.print(_pairs(standings, width))
    if standings.seats and standings.seats[0].share.mean is not None:
        console.print()
        console.print(_seats(standings, width))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def summary(standings: Standings) -> list[str]:
    """How much was played, and what was decided; a sentence each."""
    s = standings
    of = f" of {s.planned:,}" if s.planned and s.planned != s.games else ""
    unit = "pair" if s.players == 2 else "rotation"
    whole = f"{s.complete_units:,} complete {unit}{'s' * (s.complete_units != 1)}"
    state = "finished" if s.finished else "running, or broken off"
    seats = f"tables of {s.players}"
    lines = [f"{s.games:,}{of} games, {whole} at {seats}; {state}"]
    if s.forfeits:
        total = sum(s.forfeits.values())
        kinds = ", ".join(f"{count} {verdict}" for verdict, count in s.forfeits.items())
        lines.append(f"{total:,} {'game' if total == 1 else 'games'} forfeited: {kinds}")
    if s.first_seat_elo and s.seats:
        lines.append(
            f"the first seat is worth {number(s.first_seat_elo.elo, sign=True)} Elo"
            f" (95 %: {span(s.first_seat_elo.low, s.first_seat_elo.high)})"
        )
    if len(s.pairs) == 1 and s.pairs[0].units:
        pair = s.pairs[0]
        counts = " ".join(map(str, pair.cells))
        name = "pentanomial counts" if s.players == 2 else "counts of rotations by score"
        lines.append(f"{name} of {pair.first} against {pair.second}: {counts}")
    if s.hypotheses and s.sprt:
        lines.append(f"sequential test, {sprt_text(s.hypotheses, s.sprt)}")
    return lines


def sprt_text(hypotheses: tuple[float, float], state: SprtState) -> str:
    """A sequential test in words: hypotheses, ratio, bounds and decision."""
    elo0, elo1 = hypotheses
    decision = f"{state.accepted} accepted" if state.accepted else "undecided"
    return (
        f"H0 {elo0:g} Elo, H1 {elo1:g} Elo: LLR {state.llr:.2f}"
        f" ({state.lower:.2f}, {state.upper:.2f}), {decision} after {state.units} units"
    )


def _table(
    title: str, text: list[str], numbers: list[str], rows: list[list[str]], width: int
) -> Table:
    """A table whose numbers are whole and whose texts share what room is left."""
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
        pad_edge=False, padding=(0, 1), collapse_padding=True, show_edge=False,
    )  # fmt: skip
    columns = list(zip(*rows, strict=True))[len(text) :]
    needed = [
        max(cell_len(cell) for cell in (name, *column))
        for name, column in zip(numbers, columns, strict=True)
    ]
    room = (width - sum(needed) - _GAP * (len(text) + len(numbers))) // len(text)
    for name in text:
        table.add_column(name, overflow="fold", max_width=max(room, _SHORTEST_NAME))
    for name, least in zip(numbers, needed, strict=True):
        table.add_column(name, justify="right", no_wrap=True, min_width=least)
    for row in rows:
        table.add_row(*row)
    return table


def span(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval as it is to be read; a dash for none."""
    if low is None or high is None or math.isnan(low):
        return number(None)
    dots = " … " if digits else "…"
    return f"{number(low, digits, sign=True)}{dots}{number(high, digits, sign=True)}"


def _bots(standings: Standings, width: int) -> Table:
    cells = [_bot_cells(line, 1 if width >= _WIDE else 0) for line in standings.bots]
    names = list(cells[0])
    if width < _WIDE:
        names.remove("points")
        for fault in ("forfeits", "defaults"):
            if all(cell[fault] == "0" for cell in cells):
                names.remove(fault)
    if width < _NARROW:
        names = [name for name in names if name not in ("LOS %", "W", "D", "L", "margin")]
    rows = [
        [line.bot, *(cell[name] for name in names)]
        for line, cell in zip(standings.bots, cells, strict=True)
    ]
    table = _table("Standings", ["bot"], names, rows, width)
    if "defaults" in names:
        table.caption = "defaults: faults that a default move made good"
        table.caption_justify = "left"
    return table


def _bot_cells(line: BotLine, digits: int) -> dict[str, str]:
    """All that can be shown of a bot, by heading."""
    return {
        "Elo": number(line.elo, digits, sign=True),
        "95 %": span(line.low, line.high, digits),
        "LOS %": percent(line.los),
        "games": str(line.games),
        "W": str(line.wins), "D": str(line.draws), "L": str(line.losses),
        "share %": percent(line.share),
        "points": number(line.points),
        "margin": number(line.margin, sign=True),
        "forfeits": str(sum(line.forfeits.values())),
        "defaults": str(line.defaulted),
    }  # fmt: skip


def _pairs(standings: Standings, width: int) -> Table:
    wide = width >= _WIDE
    narrow = width < _NARROW
    paired = standings.players == 2 and wide
    names = ["games", "W", "D", "L", "Elo", "±"]
    names += [] if narrow else ["LOS %", "margin", "±"]
    names += ["pentanomial"] * paired + ["LLR"] * bool(standings.hypotheses)
    rows = []
    digits = 1 if wide or len(standings.pairs) == 1 else 0
    for pair in standings.pairs:
        row = [
            pair.first, pair.second, *map(str, (pair.games, pair.wins, pair.draws, pair.losses)),
            number(pair.elo, digits, sign=True), number(pair.error, digits),
        ]  # fmt: skip
        row += [] if narrow else [percent(pair.los), *_mean(pair.margin)]
        row += [" ".join(map(str, pair.cells))] * paired
        row += [_llr(pair)] * bool(standings.hypotheses)
        rows.append(row)
    return _table("Head to head", ["bot", "against"], names, rows, width)


def _llr(pair: PairLine) -> str:
    if not pair.sprt:
        return number(None)
    return number(pair.sprt.llr, 2) + (f" {pair.sprt.accepted}" if pair.sprt.accepted else "")


def _mean(mean: Mean) -> tuple[str, str]:
    return number(mean.mean, sign=True), number(mean.error)


def _seats(standings: Standings, width: int) -> Table:
    rows = [
        [
            str(line.seat), percent(line.share.mean), percent(line.share.error),
            number(line.points), *_mean(line.advantage),
        ]
        for line in standings.seats
    ]  # fmt: skip
    names = ["share %", "±", "points", "ahead by", "±"]
    return _table("Seats", ["seat"], names, rows, width)
