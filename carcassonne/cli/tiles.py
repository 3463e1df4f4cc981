"""`carcassonne tiles`: list, count and validate tile sets, the user's own too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from carcassonne.cli.pictures import check_suffix, write_picture
from carcassonne.geometry import SIDES
from carcassonne.tiles import EDGE_KINDS, TileBox, shipped_sets

if TYPE_CHECKING:
    from carcassonne.tiles import Segment, TileSet, TileType

__all__ = ["command"]


@click.command(name="tiles")
@click.argument("sets", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print an object a set.")
@click.option(
    "--sheet", type=click.Path(path_type=Path, dir_okay=False), metavar="PICTURE",
    help="Draw the tiles with their counts into a .svg or .png file.",
)  # fmt: skip
def command(sets: tuple[str, ...], *, as_json: bool, sheet: Path | None) -> None:
    """Validate tile SETS and list what they hold; without SETS, those that are shipped.

    SETS are names (base, bridges_castles_bazaars, ...) or paths of your own .toml files, which
    are checked together: ids must be unique across them. The head of base.toml explains how a
    tile is written.

    \b
    Example:  carcassonne tiles base
              carcassonne tiles base my_tiles.toml
              carcassonne tiles base --sheet base.svg
    """
    if sheet is not None:
        check_suffix("--sheet", sheet)
    box = TileBox.load(list(sets or shipped_sets()))
    if sheet is not None:
        from carcassonne.render.sheet import sheet_svg  # noqa: PLC0415 - only to draw

        write_picture(sheet, sheet_svg(box))
        if not as_json:
            click.echo(f"{sheet}: written")
            return
    if as_json:
        click.echo(json.dumps([_set_data(tile_set, copies) for tile_set, copies in box.sets]))
    elif sets:
        for tile_set, copies in box.sets:
            _print_set(tile_set, copies)
        drawn = len(box.stack())
        start = f"; {box.start.id} is the start tile" if box.start else "; no start tile"
        click.echo(f"valid: {_plural(drawn, 'tile')} to draw together{start}")
    else:
        _print_overview(box)


_EDGE_LETTERS: Final = {
    kind: "W" if kind == "river" else kind[0].upper() for kind in EDGE_KINDS if kind
}
"""A river's edge is W for water, as R is a road's."""
_NOUNS: Final = {
    "pennants": "pennant", "cloisters": "cloister", "bazaars": "bazaar", "inns": "inn",
    "cathedrals": "cathedral", "castle_halves": "castle half",
}  # fmt: skip


def _plural(count: int, noun: str) -> str:
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun[:-1]}ves" if noun.endswith("half") else f"{count} {noun}s"


def _totals(tile_set: TileSet) -> dict[str, int]:
    """How many tiles, types and printed things a set has."""
    totals = {
        "tiles": tile_set.size, "types": len(tile_set.tiles), "pennants": 0, "cloisters": 0,
        "bazaars": 0, "inns": 0, "cathedrals": 0, "castle_halves": 0,
    }  # fmt: skip
    for tile in tile_set.tiles:
        segments = tile.variants[0].segments
        totals["pennants"] += tile.count * sum(s.pennants for s in segments)
        totals["cloisters"] += tile.count * tile.cloister
        totals["bazaars"] += tile.count * tile.bazaar
        totals["inns"] += tile.count * sum(s.inn for s in segments)
        totals["cathedrals"] += tile.count * sum(s.cathedral for s in segments)
        totals["castle_halves"] += tile.count * sum(s.castle_base for s in segments)
    return totals


def _set_data(tile_set: TileSet, copies: int) -> dict[str, Any]:
    return {
        "name": tile_set.name,
        "title": tile_set.title,
        "copies": copies,
        "needs": list(tile_set.needs),
        **_totals(tile_set),
        "list": [
            {
                "id": tile.id,
                "letter": tile.letter or None,
                "count": tile.count,
                "start": tile.start,
                "edges": [EDGE_KINDS[edge] for edge in tile.variants[0].edges],
                "segments": [s.name for s in tile.variants[0].segments],
                "bazaar": tile.bazaar,
                "in_stack": tile.in_stack,
            }
            for tile in tile_set.tiles
        ],
    }


def _print_overview(box: TileBox) -> None:
    from rich.console import Console  # noqa: PLC0415 - rich is loaded only to print
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("set", no_wrap=True)
    table.add_column("tiles", justify="right")
    table.add_column("types", justify="right")
    table.add_column("what it is")
    for tile_set, _ in box.sets:
        note = f"\nnot playable yet; it lacks {', '.join(tile_set.needs)}" if tile_set.needs else ""
        totals = _totals(tile_set)
        name = tile_set.name
        table.add_row(name, str(totals["tiles"]), str(totals["types"]), tile_set.title + note)
    Console().print(table)
    click.echo("\nAll sets are valid. 'carcassonne tiles base' lists the tiles of one.")


def _print_set(tile_set: TileSet, copies: int) -> None:
    from rich.console import Console  # noqa: PLC0415 - rich is loaded only to print
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    totals = _totals(tile_set)
    kinds = [
        _plural(count, _NOUNS[name])
        for name, count in totals.items()
        if count and name not in ("tiles", "types")
    ]
    times = f", taken {copies} times" if copies > 1 else ""
    head = f"{_plural(totals['tiles'], 'tile')}, {_plural(totals['types'], 'type')}{times}"
    used = {EDGE_KINDS[edge] for tile in tile_set.tiles for edge in tile.variants[0].edges}
    legend = ", ".join(f"{letter} {kind}" for kind, letter in _EDGE_LETTERS.items() if kind in used)
    table = Table(
        title=escape(f"{tile_set.title} ({tile_set.name})"),
        caption=escape("; ".join([head, ", ".join(kinds)]) + f"\nedges: {legend}"),
        title_justify="left",
        caption_justify="left",
        box=None,
        pad_edge=False,
        header_style="bold",
    )
    table.add_column("id", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("n", justify="right")
    table.add_column("N E S W", no_wrap=True)
    table.add_column("what is on it")
    for tile in tile_set.tiles:
        edges = " ".join(_EDGE_LETTERS[EDGE_KINDS[edge]] for edge in tile.variants[0].edges)
        table.add_row(escape(tile.id), tile.letter, str(tile.count), edges, escape(_contents(tile)))
    Console().print(table)
    if tile_set.needs:
        click.echo(f"not playable yet; it lacks {', '.join(tile_set.needs)}")
    click.echo()


def _contents(tile: TileType) -> str:
    parts = ["bazaar"] if tile.bazaar else []
    parts += [_segment(s) for s in tile.variants[0].segments if s.kind != "field"]
    fields = sum(s.kind == "field" for s in tile.variants[0].segments)
    parts.append("no field" if not fields else _plural(fields, "field"))
    if tile.start:
        parts.append("start tile")
    if not tile.in_stack:
        parts.append("not in the stack")
    return ", ".join(parts)


def _segment(segment: Segment) -> str:
    words = [segment.kind, "".join(SIDES[side] for side in segment.sides)]
    if segment.pennants:
        words.append("+" * segment.pennants)
    words += [f"({name})" for name in ("inn", "cathedral", "tunnel") if getattr(segment, name)]
    if segment.goods:
        words.append(f"({segment.goods})")
    if segment.kind == "city" and len(segment.sides) == 1 and not segment.castle_base:
        words.append("(no castle)")
    return " ".join(filter(None, words))
