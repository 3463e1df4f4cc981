"""`carcassonne odds`: the tiles left, what fits where, and what can still be completed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from carcassonne.cli.pictures import check_suffix, write_picture
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from carcassonne.cli.screen import Screen
    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.moves import Address
    from carcassonne.odds import CellOdds, FeatureOdds, PositionOdds, TileCount

__all__ = ["command"]

_DRAWS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60)
_LONGEST_FRACTION: Final = 24
_COLUMN: Final = 36


@click.command(name="odds")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves, not at the end."
)
@click.option(
    "--feature",
    "features",
    multiple=True,
    metavar='"X,Y SEGMENT"',
    help="The chance to complete this feature. Can be repeated.",
)
@click.option(
    "--draws", type=click.IntRange(min=0), metavar="K", help="The chance within K draws only."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PICTURE",
    help="Draw the board with the counts on it, as .svg or .png.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def command(
    file: Path, *, at: int | None, features: tuple[str, ...], draws: int | None,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Count what the tiles left can do in the saved game or scenario FILE. All counts are exact.

    Tiles left are those in the stack, whose order nobody knows, and those in hand: the tile to be
    placed and the bazaar's. For each open cell: how many of them fit there as the board lies,
    without a bridge, and with one. A cell is dead if nothing left fits, not even with a bridge.

    --feature: the chance that a road, city or cloister can be completed directly, with one tile
    into each cell that it needs (its open ends; the empty cells around a cloister) and no open
    end left. It is the share of all sets of K tiles from the stack that, together with the tiles
    in hand, hold the tiles for it, each used once. Whoever draws them counts; nobody is supposed
    to lay them elsewhere, to spoil the cells, or to let the feature grow first.

    \b
    Examples:  carcassonne odds game.json --at 40
               carcassonne odds game.json --at 40 --feature "0,0 road.E"
               carcassonne odds game.json --at 40 --out odds.svg
    """
    if out is not None:
        check_suffix("--out", out)
    from carcassonne.cli.tables import load_table  # noqa: PLC0415 - the engine loads only to run
    from carcassonne.odds import feature_odds, position_odds  # noqa: PLC0415

    game = load_table(file, at)
    if draws is not None and draws > game.stack_left:
        raise CarcassonneError(f"{file}: --draws {draws}: the stack has {game.stack_left} tiles")
    found = [(feature_odds(game, f), feature_odds(game, f, bridges=True)) for f in features]
    odds = position_odds(game)
    if out is not None:
        _draw(game, odds, out)
    if as_json:
        click.echo(json.dumps(_data(file, game, odds, found), indent=1, ensure_ascii=False))
        return
    from carcassonne.cli.screen import Screen  # noqa: PLC0415

    screen = Screen()
    if found:
        for pair in found:
            _show_feature(game, pair, draws, screen)
    else:
        _show_position(game, odds, screen)
    if out is not None:
        screen.show(f"{out}: written")


# ------------------------------------------------------------------------------ the position


def _note(cell: CellOdds) -> str:
    """`12`, or `10-12` where a bridge makes more fit."""
    if cell.fit == cell.fit_with_bridge:
        return str(cell.fit)
    return f"{cell.fit}-{cell.fit_with_bridge}"


def _notes(odds: PositionOdds) -> dict[Cell, str]:
    from carcassonne.geometry import parse_cell  # noqa: PLC0415

    return {where: _note(cell) for cell in odds.cells if (where := parse_cell(cell.cell))}


def _draw(game: Game, odds: PositionOdds, out: Path) -> None:
    from carcassonne.render.svg import board_svg  # noqa: PLC0415

    write_picture(out, board_svg(game, overlay=_notes(odds)))


def _show_position(game: Game, odds: PositionOdds, screen: Screen) -> None:
    from carcassonne.render.words import counted, flowed, wrapped  # noqa: PLC0415

    width = screen.text_width
    notes: dict[Cell | Address, str] = {}
    notes.update(_notes(odds).items())
    screen.board(game, notes=notes, features=False)
    hand = sum(count.in_hand for count in odds.tiles)
    screen.heading(f"Tiles left: {odds.stack} in the stack, {hand} in hand")
    entries = [_tile_text(count) for count in odds.tiles]
    screen.show(flowed(entries, width))
    screen.heading("Open cells: how many of the tiles left fit there")
    screen.show(_cell_table(odds.cells, width))
    dead = [cell.cell for cell in odds.cells if cell.dead]
    bridges = ", ".join(f"{name} {number}" for name, number in odds.bridges.items())
    screen.show("")
    text = f"{counted(len(dead), 'dead cell')}: {'  '.join(dead)}" if dead else "no dead cells"
    screen.show(wrapped(text, width, hang=4))
    screen.show(wrapped(f"bridges left: {bridges}", width, hang=4))


def _tile_text(count: TileCount) -> str:
    """`5 BA/RFr (1 of them in hand)`."""
    text = f"{count.stack + count.in_hand} {count.tile}"
    if not count.in_hand:
        return text
    return f"{text} ({count.in_hand} of them in hand)" if count.stack else f"{text} (in hand)"


def _cell_table(cells: Sequence[CellOdds], width: int) -> list[str]:
    rows = [
        (
            cell.cell,
            " ".join(f"{side}:{kind}" for side, kind in cell.edges.items()),
            str(cell.fit),
            "dead" if cell.dead else str(cell.fit_with_bridge),
        )
        for cell in cells
    ]
    head = ("cell", "meets", "fit", "with bridge")
    wide = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
    lines = []
    for cell, edges, fit, bridged in [head, *rows]:
        numbers = f"{fit.rjust(wide[2])}  {bridged.rjust(wide[3])}"
        room = width - wide[0] - len(numbers) - 4
        shown = edges if len(edges) <= room else edges[: room - 1] + "…"
        lines.append(f"{cell.ljust(wide[0])}  {shown.ljust(min(wide[1], room))}  {numbers}")
    return lines


# ------------------------------------------------------------------------------ features


def _show_feature(
    game: Game, pair: tuple[FeatureOdds, FeatureOdds], draws: int | None, screen: Screen
) -> None:
    from carcassonne.render.words import counted, wrapped  # noqa: PLC0415

    bare, bridged = pair
    width = screen.text_width
    screen.heading(f"{bare.kind} {bare.at}")
    if bare.complete:
        screen.show("is complete")
        return
    for name, odds in (("without bridges", bare), ("with bridges", bridged)):
        needs = [
            cell if number is None else f"{cell} ({counted(number, 'tile')})"
            for cell, number in odds.needs.items()
        ]
        screen.show(wrapped(f"{name} it needs a tile on {', '.join(needs)}", width, hang=4))
    if bare.dead:
        cells = "  ".join(bare.dead)
        screen.show(wrapped(f"it can't be completed: nothing left fits on {cells}", width, hang=4))
        return
    if not bare.counted:
        screen.show("too many ways to count: it needs too many tiles")
        return
    if not any((*bare.chances, *bridged.chances)):
        text = (
            "no tiles left can complete it with one tile in each of these cells; it would have to "
            "grow first"
        )
        screen.show(wrapped(text, width, hang=4))
        return
    _show_chances(game, pair, draws, screen)


def _show_chances(
    game: Game, pair: tuple[FeatureOdds, FeatureOdds], draws: int | None, screen: Screen
) -> None:
    from carcassonne.render.words import counted, wrapped  # noqa: PLC0415

    last = game.stack_left
    share = last // len(game.players)
    shown = (
        [draws] if draws is not None else sorted({k for k in (*_DRAWS, share, last) if k <= last})
    )
    same = pair[0].chances == pair[1].chances
    screen.show(["", "draws  chance" if same else f"draws  {'without bridges'.ljust(_COLUMN)}with"])
    for k in shown:
        texts = [_chance_text(odds.chance(k)) for odds in pair[: 1 if same else 2]]
        if 7 + _COLUMN * len(texts) > screen.text_width:
            texts = [text.partition(" =")[0] for text in texts]
        screen.show(f"{k:>5}  {''.join(text.ljust(_COLUMN) for text in texts)}".rstrip())
    if draws is None:
        text = (
            f"{counted(last, 'tile')} to draw in all, about {share} of them by each player if no "
            "bazaar comes between"
        )
        screen.show(["", *wrapped(text, screen.text_width)])


def _chance_text(chance: Fraction | None) -> str:
    """`12.5 % = 1/8`; never rounded to impossible or certain."""
    if chance is None:
        return "not counted"
    percent = f"{100 * float(chance):.1f}"
    if percent == "0.0" and chance:
        percent = "< 0.1"
    if percent == "100.0" and chance != 1:
        percent = "> 99.9"
    exact = str(chance)
    return f"{percent} % = {exact}" if len(exact) <= _LONGEST_FRACTION else f"{percent} %"


# ------------------------------------------------------------------------------ for machines


def _data(
    file: Path, game: Game, odds: PositionOdds, found: Sequence[tuple[FeatureOdds, FeatureOdds]]
) -> dict[str, Any]:
    import msgspec  # noqa: PLC0415

    plain = msgspec.to_builtins(odds)
    for cell, shown in zip(odds.cells, plain["cells"], strict=True):
        shown["dead"] = cell.dead
    return {
        "file": str(file),
        "moves_played": len(game.moves),
        **plain,
        "features": [
            {
                "at": bare.at,
                "kind": bare.kind,
                "complete": bare.complete,
                "dead": list(bare.dead),
                "without_bridges": _feature_data(bare),
                "with_bridges": _feature_data(bridged),
            }
            for bare, bridged in found
        ],
    }


def _feature_data(odds: FeatureOdds) -> dict[str, Any]:
    """`chances`: for each number of draws the exact fraction; `percent`: rounded."""
    return {
        "needs": odds.needs,
        "counted": odds.counted,
        "chances": [str(chance) for chance in odds.chances],
        "percent": [round(100 * float(chance), 4) for chance in odds.chances],
    }
