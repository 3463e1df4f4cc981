"""Games of a playtest to look at: the median, the closest and the most lopsided one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.files import write_text
from carcassonne.playtest.game import Lab
from carcassonne.playtest.results import Example
from carcassonne.record import save_game
from carcassonne.render.page import replay_page
from carcassonne.render.svg import board_svg

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from carcassonne.playtest.design import Design
    from carcassonne.playtest.rows import GameRow, Measure

__all__ = ["choose_examples", "save_examples"]

"""The folder of records and replays, within that of the playtest."""
_SCORE: Final = "winning_score"
_MARGIN: Final = "margin"
_TITLES: Final = {
    "median": "The median game",
    "closest": "The closest game",
    "lopsided": "The most lopsided game",
}


def choose_examples(
    rows: Iterable[GameRow], measures: list[Measure], median: float
) -> dict[str, GameRow]:
    """The games to look at, of the first arm; the earliest of several that would do.

    Parameters
    ----------
    rows
        All games, in their order.
    measures
        In the order of the rows' values.
    median
        The median of the winning scores.
    """
    names = [measure.name for measure in measures]
    score, margin = names.index(_SCORE), names.index(_MARGIN)
    best: dict[str, tuple[float, GameRow]] = {}

    def offer(name: str, badness: float, row: GameRow) -> None:
        if name not in best or badness < best[name][0]:
            best[name] = (badness, row)

    for row in rows:
        if row.arm:
            continue
        points, lead = row.values[score], row.values[margin]
        if points is not None:
            offer("median", abs(points - median), row)
        if lead is not None:
            offer("closest", lead, row)
            offer("lopsided", -lead, row)
    return {name: best[name][1] for name in _TITLES if name in best}


def save_examples(design: Design, chosen: dict[str, GameRow], folder: Path) -> list[Example]:
    """Play the chosen games again; save each as a record and as a page.

    Parameters
    ----------
    folder
        For the files; it stands beside the report.

    Raises
    ------
    CarcassonneError
        A file can't be written.
    """
    if not chosen:
        return []
    lab = Lab(design)
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, row in chosen.items():
        game = lab.replay(row.arm, row.unit, row.turn)
        title = _TITLES[name]
        save_game(game, folder / f"{name}.json")
        page = replay_page(game, title=title)
        write_text(folder / f"{name}.html", page)
        bots = design.arms[row.arm].seating(row.turn)
        scores = ", ".join(
            f"{player} ({bot}) {points}"
            for (player, points), bot in zip(game.scores.items(), bots, strict=True)
        )
        arm = design.arms[row.arm].name
        caption = f"{arm}, unit {row.unit}, {len(game.tiles)} tiles: {scores}."
        found.append(Example(title, caption, board_svg(game), f"{folder.name}/{name}.html"))
    return found
