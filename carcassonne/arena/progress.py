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

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from rich.console import RenderableType

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.results import GameResult

__all__ = ["LiveView", "live_table"]

_PAUSE: Final = 0.25
_SHARE: Final = 20
"""Showing takes at most one part in so many of the time."""


def live_table(bots: Sequence[str], results: Sequence[GameResult]) -> RenderableType:
    """The scores so far: a win counts 1, shared between those who are level."""
    score = dict.fromkeys(bots, 0.0)
    played = dict.fromkeys(bots, 0)
    points = dict.fromkeys(bots, 0)
    faults = dict.fromkeys(bots, 0)
    for game in results:
        ranked = list(game.points)
        if game.culprit is not None:
            faults[game.bots[game.culprit]] += 1
            ranked[game.culprit] = min(ranked) - 1
            winners = [seat for seat in range(len(ranked)) if seat != game.culprit]
        else:
            winners = [seat for seat, number in enumerate(ranked) if number == max(ranked)]
        for seat, bot in enumerate(game.bots):
            played[bot] += 1
            points[bot] += game.points[seat]
        for seat in winners:
            score[game.bots[seat]] += 1 / len(winners)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("games", "score", "%", "points a game", "forfeits"):
        table.add_column(name, justify="right")
    share = {bot: score[bot] / played[bot] if played[bot] else 0.0 for bot in bots}
    for bot in sorted(bots, key=lambda bot: (-share[bot], bots.index(bot))):
        mean = f"{points[bot] / played[bot]:.1f}" if played[bot] else ""
        table.add_row(
            bot, f"{played[bot]:,}", f"{score[bot]:,.1f}", f"{100 * share[bot]:.1f}", mean,
            str(faults[bot] or ""),
        )  # fmt: skip
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
        """Show the table, if that is due."""
        start = time.monotonic()
        if not self._shown or start < self._next:
            return
        self._bar.update(self._task, completed=len(results))
        table = live_table(self._tournament.labels, results)
        self._live.update(Group(self._bar.get_renderable(), table), refresh=True)
        took = time.monotonic() - start
        self._next = start + max(_PAUSE, _SHARE * took)
