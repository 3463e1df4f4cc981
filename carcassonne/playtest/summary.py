"""The results of an experiment in the terminal: sentences first, then tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.playtest.compare import cluster_interval, interval_of
from carcassonne.playtest.phrases import counted
from carcassonne.playtest.sentences import (
    amount,
    interval_text,
    multiplicity,
    short_interval,
    unit_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType
    from rich.table import Table

    from carcassonne.playtest.results import Results

__all__ = ["print_summary"]

_MOST_FINDINGS: Final = 10
_MOST_TILES: Final = 8
_WIDE: Final = 110
_CELL: Final = 22
_SHORT_CELL: Final = 13
_NAME: Final = 26
_UNIT: Final = 12
_GAP: Final = 2


def print_summary(results: Results, console: Console) -> None:
    """Print what an experiment has shown, as wide as the console is."""
    for part in _parts(results, console.width):
        console.print(part)


def _parts(results: Results, width: int) -> Iterator[RenderableType]:
    from rich.text import Text  # noqa: PLC0415 - loaded to print only

    yield Text(results.design.title, "bold")
    yield Text(
        f"{counted(results.games, 'game')}, {counted(results.statistics.units, 'stack order')}, "
        f"{counted(len(results.design.arms), 'arm')}"
    )
    for note in results.notes:
        yield Text(note, "dim")
    yield from _findings(results)
    heads = _heads(results, width)
    if heads != [arm.name for arm in results.design.arms]:
        yield from _legend(results, heads)
    yield from _means(results, heads, width)
    yield from _auctions(results, wide=width >= _WIDE)
    yield from _castles(results, heads, wide=width >= _WIDE)


def _heads(results: Results, width: int) -> list[str]:
    """What the arms are called over columns: their names, or numbers where those don't fit."""
    names = [arm.name for arm in results.design.arms]
    cell = _CELL if width >= _WIDE else _SHORT_CELL
    needed = _NAME + _UNIT + sum(max(len(name), cell) + 2 for name in names)
    if needed <= width or all(len(name) <= cell for name in names):
        return names
    return [f"arm {number}" for number in range(1, len(names) + 1)]


def _legend(results: Results, heads: list[str]) -> Iterator[RenderableType]:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    yield Text("Arms", "bold")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    for head, arm in zip(heads, results.design.arms, strict=True):
        grid.add_row(Text(head), Text(arm.name))
    yield grid
    yield Text("")


def _findings(results: Results) -> Iterator[RenderableType]:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    if not results.effects:
        return
    yield Text("\nWhat changed", "bold")
    found = results.findings
    grid = Table.grid(padding=(0, 1))
    for effect in found[:_MOST_FINDINGS]:
        grid.add_row(Text("*" if effect.holds else "-"), Text(results.sentence(effect)))
    yield grid
    if not found:
        yield Text("Nothing changes measurably.")
    if len(found) > _MOST_FINDINGS:
        yield Text(f"  and {len(found) - _MOST_FINDINGS} more, in the report", "dim")
    if any(effect.holds for effect in found):
        yield Text("* holds after Holm's correction", "dim")
    yield Text(multiplicity(results.effects) + "\n", "dim")


def _table(*heads: str, words: int = 1) -> Table:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, head in enumerate(heads):
        table.add_column(
            Text(head), justify="left" if i < words else "right",
            overflow="fold", no_wrap=i >= words,
        )  # fmt: skip
    return table


def _means(results: Results, heads: list[str], width: int) -> Iterator[RenderableType]:
    """Means by arm, in blocks of as many arms as fit side by side."""
    from rich.text import Text  # noqa: PLC0415

    for group, numbers in results.groups.items():
        rows = list(filter(lambda row: any(row[2:]), _rows(results, numbers, width)))
        if not rows:
            continue
        name, unit, *cells = (max(map(len, column)) for column in zip(*rows, strict=True))
        cell = max(*cells, *map(len, heads))
        fitting = max(1, (width - name - unit - _GAP) // (cell + _GAP))
        for start in range(0, len(heads), fitting):
            block = slice(start, start + fitting)
            table = _table("measure", "unit", *heads[block], words=2)
            for row in rows:
                shown = row[2:][block]
                if any(shown):
                    table.add_row(*(Text(cell) for cell in (*row[:2], *shown)))
            if table.row_count:
                yield Text(f"{group[:1].upper()}{group[1:]}: means with 95 % intervals", "bold")
                yield table


def _rows(results: Results, numbers: list[int], width: int) -> Iterator[list[str]]:
    """The measure, its unit and its mean in each arm, empty where it says nothing."""
    write = interval_text if width >= _WIDE else short_interval
    for i in numbers:
        measure = results.measures[i]
        intervals = [interval_of(arm.unit_values[i]) for arm in results.statistics.arms]
        cells = [write(interval, measure) if interval else "" for interval in intervals]
        yield [measure.name, unit_word(measure), *cells]


def _auctions(results: Results, *, wide: bool) -> Iterator[RenderableType]:
    from rich.text import Text  # noqa: PLC0415

    for plan, arm in zip(results.design.arms, results.statistics.arms, strict=True):
        bid_for = [(tile, found) for tile, found in arm.tiles.items() if found.price.count]
        if not bid_for:
            continue
        heads = ["tile", "bid for", "price", "earned", "earned less price"]
        if wide:
            heads += ["free", "own bid", "bought", "sold"]
        best = sorted(bid_for, key=lambda item: (-item[1].price.count, item[0]))
        yield Text(f"Auctions: {plan.name}, the tiles bid for most often", "bold")
        table = _table(*heads)
        for tile, found in best[:_MOST_TILES]:
            gain = cluster_interval(found.gain)
            text = amount(found.gain.mean, 1, signed=True)
            if gain is not None:
                low, high = (amount(value, 1, signed=True) for value in (gain.low, gain.high))
                text += f" ({low} to {high})"
            cells = [tile, f"{found.price.count:,}", amount(found.price.mean, 1),
                     amount(found.earned.mean, 1), text]  # fmt: skip
            if wide:
                cells += [f"{found.how.get(how, 0):,}" for how in heads[5:]]
            table.add_row(*(Text(cell) for cell in cells))
        yield table


def _castles(results: Results, names: list[str], *, wide: bool) -> Iterator[RenderableType]:
    from rich.text import Text  # noqa: PLC0415

    kinds = ["road", "city", "cloister", "castle", "never"]
    heads = ["arm", "castles", "paid", "gain", *(kinds if wide else ["never"])]
    table = _table(*heads)
    for name, arm in zip(names, results.statistics.arms, strict=True):
        castles = arm.castles
        total = castles.points.count
        if total:
            shares = [
                f"{100 * castles.paid_by.get(kind, 0) / total:.0f}"
                for kind in (kinds if wide else ["never"])
            ]
            cells = [name, f"{total:,}", amount(castles.points.mean, 1),
                     amount(castles.gain.mean, 1, signed=True), *shares]  # fmt: skip
            table.add_row(*(Text(cell) for cell in cells))
    if table.row_count:
        yield Text("Castles: points paid, gain over the small city, what paid (%)", "bold")
        yield table
