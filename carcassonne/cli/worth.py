"""`carcassonne worth`: what tiles on offer or the best placements are worth, by playouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carcassonne.cli.core_form import core_form
from carcassonne.cli.tables import load_table
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.compare import Interval
    from carcassonne.playtest.worth import MoveWorth, TileWorth

__all__ = ["command"]


@click.command(name="worth")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="Go to after N moves.")
@click.option(
    "--playouts", type=click.IntRange(min=2), default=400, show_default=True,
    help="Shuffles of the unseen tiles to play out.",
)  # fmt: skip
@click.option(
    "--moves", "most", type=click.IntRange(1, 200), default=8, show_default=True,
    help="So many placements, the best by the heuristic.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="Decides all that is random.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def command(
    file: Path, *, at: int | None, playouts: int, most: int, seed: int, as_json: bool
) -> None:
    """Say what tiles on offer, or the best placements of a drawn tile, are worth.

    FILE is a record or a scenario; the decision that is open at its end, or after N moves, is
    valued by playing the game out many times, every alternative over the same shuffles. In an
    auction: for each tile and player the points by which its lead over the mean of its rivals
    grows when it has this tile for nothing instead of another one, and the highest price that is
    no worse than leaving the tile to a rival.

    \b
    Examples:  carcassonne worth auction.toml
               carcassonne worth game.json --at 40 --playouts 2000
    """
    from carcassonne.playtest.worth import (  # noqa: PLC0415 - the engines load only to run
        KINDS,
        worth_of_moves,
        worth_of_offer,
    )

    core_form()
    game = load_table(file, at)
    decision = game.decision
    if decision is None or decision.kind not in KINDS:
        kind = "over" if decision is None else f"at the decision {decision.kind!r}"
        raise CarcassonneError(
            f"{file}: the game is {kind}; tiles are valued at {', '.join(KINDS)} (see --at)"
        )
    if not as_json:
        click.echo(f"{decision.player} decides: {decision.kind}; {playouts:,} playouts")
    data: dict[str, Any] = {"decision": decision.kind, "player": decision.player}
    if decision.kind in ("place", "take"):
        moves = worth_of_moves(game, playouts=playouts, seed=seed, most=most)
        data["moves"] = [
            {"move": m.move, "lead": _data(m.lead), "behind": m.behind and _data(m.behind)}
            for m in moves
        ]
        if not as_json:
            _show_moves(moves)
    else:
        tiles = worth_of_offer(game, playouts=playouts, seed=seed)
        data["tiles"] = [
            {"tile": t.tile, "player": t.player, "gain": _data(t.gain), "bid": t.bid} for t in tiles
        ]
        if not as_json:
            _show_tiles(tiles)
    if as_json:
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))


def _data(interval: Interval) -> dict[str, float]:
    return {name: round(getattr(interval, name), 3) for name in ("mean", "low", "high")}


def _range(interval: Interval) -> str:
    return f"{interval.mean:+.1f} ({interval.low:+.1f} to {interval.high:+.1f})"


def _show(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, title in enumerate(titles):
        table.add_column(title, justify="left" if number == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)


def _show_moves(moves: Sequence[MoveWorth]) -> None:
    rows = [
        (m.move, _range(m.lead), "" if m.behind is None else f"{-m.behind.mean:+.1f} ± "
         f"{m.behind.half_width:.1f}")
        for m in moves
    ]  # fmt: skip
    _show(("move", "lead at the end, 95 %", "against the best"), rows)


def _show_tiles(tiles: Sequence[TileWorth]) -> None:
    rows = [(t.tile, t.player, _range(t.gain), str(t.bid)) for t in tiles]
    _show(("tile", "for", "gain in points, 95 %", "bid up to"), rows)
