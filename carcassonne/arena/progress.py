"""What is shown while a tournament runs: how far it is, and the table so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from carcassonne.arena.live import live_column
from carcassonne.arena.standings import standings
from carcassonne.arena.store import with_results
from carcassonne.arena.tables import number, percent, span, sprt_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from rich.console import RenderableType

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.live import OpenSkillColumn
    from carcassonne.arena.results import GameResult
    from carcassonne.arena.standings import Standings

__all__ = ["LiveView", "live_table"]

_PAUSE: Final = 0.25
_SHARE: Final = 20
"""Showing takes at most one part in so many of the time."""
_NARROW: Final = 70
_SHORTEST_NAME: Final = 12
_RESAMPLES: Final = 200
"""Fewer than for the final table: it is soon painted over."""


def live_table(found: Standings, column: OpenSkillColumn | None, width: int = 80) -> RenderableType:
    """The standings so far, with the column that moves game by game where there is room."""
    if width < _NARROW:
        column = None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    longest = max((len(line.bot) for line in found.bots), default=1)
    table.add_column("bot", overflow="fold", min_width=min(longest, _SHORTEST_NAME))
    names = ["games", "score %", "Elo", "95 %"] + ["OpenSkill"] * bool(column)
    for name in (*names, "forfeits"):
        table.add_column(name, justify="right", no_wrap=True)
    for line in found.bots:
        table.add_row(
            line.bot, f"{line.games:,}", percent(line.share), number(line.elo, 0, sign=True),
            span(line.low, line.high, 0), *([column.text(line.bot)] if column else []),
            str(sum(line.forfeits.values()) or ""),
        )  # fmt: skip
    if found.hypotheses and found.sprt:
        return Group(table, sprt_text(found.hypotheses, found.sprt))
    return table


class LiveView:
    """A progress bar and the table, on a terminal; nothing anywhere else."""

    def __init__(self, tournament: Tournament, planned: int, done: int, *, quiet: bool) -> None:
        self._tournament = tournament
        self._console = Console(stderr=True)
        self._shown = self._console.is_terminal and not quiet
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console, expand=True,
        )  # fmt: skip
        self._task = self._bar.add_task("games", total=planned, completed=done)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._next = 0.0
        self._next_table = 0.0
        self._table: RenderableType = ""
        self._column = live_column(tournament.labels) if self._shown else None
        self._counted = 0

    def __enter__(self) -> Self:
        if self._shown:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._live.stop()

    def note(self, text: str) -> None:
        """Print a sentence above the table."""
        self._console.print(text, style="yellow", highlight=False)

    def update(self, results: Sequence[GameResult]) -> None:
        """Show the bar and the table, if that is due."""
        start = time.monotonic()
        if not self._shown or start < self._next:
            return
        self._next = start + _PAUSE
        self._bar.update(self._task, completed=len(results))
        if start >= self._next_table:
            self._table = self._tabulate(results)
            took = time.monotonic() - start
            self._next_table = start + max(_PAUSE, _SHARE * took)
        self._live.update(Group(self._bar.get_renderable(), self._table), refresh=True)

    def _tabulate(self, results: Sequence[GameResult]) -> RenderableType:
        if self._column is not None:
            for result in results[self._counted :]:
                self._column.add(result)
        self._counted = len(results)
        stored = with_results(self._tournament, results, finished=False)
        found = standings(stored, resamples=_RESAMPLES)
        return live_table(found, self._column, self._console.width)
