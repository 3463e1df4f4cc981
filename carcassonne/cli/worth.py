"""`carcassonne worth`: what tiles on offer or the best placements are worth, by playouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from carcassonne.cli.core_form import core_form
from carcassonne.cli.tables import load_table
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.compare import Interval
    from carcassonne.playtest.worth import Lot, MoveWorth, TileWorth

__all__ = ["command"]

_MOST_PLAYOUTS: Final = 100_000


@click.command(name="worth")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="Go to after N moves.")
@click.option(
    "--playouts", type=click.IntRange(2, _MOST_PLAYOUTS), default=400, show_default=True,
    help="Shuffles of the unseen tiles to play out.",
)  # fmt: skip
@click.option(
    "--moves", "most", type=click.IntRange(1, 200), default=8, show_default=True,
    help="So many placements or bids, the best by the heuristic.",
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
    no worse than leaving the tile to a rival. Where a bid, or buying or selling, is decided, each
    of these is valued too, rivals answering by the heuristic of the search bots.

    \b
    Examples:  carcassonne worth auction.toml
               carcassonne worth game.json --at 40 --playouts 2000
    """
    from carcassonne.playtest.worth import (  # noqa: PLC0415 - the engines load only to run
        KINDS,
        lot_of,
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
    lot = lot_of(game)
    if lot is not None:
        data["lot"] = lot._asdict()
        if not as_json:
            _show_lot(lot)
    if decision.kind != "choose":
        moves = worth_of_moves(game, playouts=playouts, seed=seed, most=most)
        data["moves"] = [
            {"move": m.move, "lead": _data(m.lead), "behind": m.behind and _data(m.behind)}
            for m in moves
        ]
        data["suggestion"] = moves[0].move
        data["clear"] = not _rivals(moves)
        if not as_json:
            _show_moves(moves)
    if decision.kind not in ("place", "take"):
        tiles = worth_of_offer(game, playouts=playouts, seed=seed)
        data["tiles"] = [
            {"tile": t.tile, "player": t.player, "gain": _data(t.gain), "bid": t.bid} for t in tiles
        ]
        if not as_json:
            _show_tiles(tiles, lot)
    if as_json:
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))


def _data(interval: Interval) -> dict[str, float]:
    return {name: round(getattr(interval, name), 3) for name in ("mean", "low", "high")}


def _range(interval: Interval) -> str:
    return f"{_signed(interval.mean)} ({_signed(interval.low)} to {_signed(interval.high)})"


def _signed(value: float) -> str:
    from carcassonne.playtest.sentences import amount  # noqa: PLC0415 - loaded to run only

    return amount(value, 1, signed=True)


def _rivals(moves: Sequence[MoveWorth]) -> list[str]:
    """The moves that may be as good as the best one."""
    return [m.move for m in moves if m.behind is not None and m.behind.low <= 0]


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


def _show_lot(lot: Lot) -> None:
    stands = f"the bid that stands: {lot.bid} by {lot.bidder}"
    click.echo(
        f"the lot: {lot.tile}, tile {lot.number} on offer, chosen by {lot.chooser}; {stands}"
    )


def _show_moves(moves: Sequence[MoveWorth]) -> None:
    rows = [
        (m.move, _range(m.lead), "" if m.behind is None else f"{_signed(-m.behind.mean)} ± "
         f"{m.behind.half_width:.1f}")
        for m in moves
    ]  # fmt: skip
    _show(("move", "lead at the end, 95 %", "against the best"), rows)
    rivals = _rivals(moves)
    doubt = f"; but {' or '.join(rivals)} may be as good" if rivals else ""
    click.echo(f"the playouts suggest: {moves[0].move}{doubt}")


def _show_tiles(tiles: Sequence[TileWorth], lot: Lot | None) -> None:
    rows = [
        (f"{t.tile} (lot)" if lot and t.tile == lot.tile else t.tile, t.player, _range(t.gain),
         str(t.bid))
        for t in tiles
    ]  # fmt: skip
    _show(("tile", "for", "gain in points, 95 %", "bid up to"), rows)
