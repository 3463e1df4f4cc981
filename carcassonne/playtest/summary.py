"""The results of an experiment in the terminal: sentences first, then tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.playtest.compare import cluster_interval, interval_of
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


def print_summary(results: Results, console: Console) -> None:
    """Print what an experiment has shown, as wide as the console is."""
    for part in _parts(results, console.width):
        console.print(part)


def _parts(results: Results, width: int) -> Iterator[RenderableType]:
    from rich.text import Text  # noqa: PLC0415 - loaded to print only

    yield Text(results.design.title, "bold")
    yield Text(
        f"{results.games:,} games, {results.statistics.units:,} stack orders, "
        f"{len(results.design.arms)} arms"
    )
    for note in results.notes:
        yield Text(note, "dim")
    yield from _findings(results)
    yield from _means(results, width)
    yield from _auctions(results, wide=width >= _WIDE)
    yield from _castles(results, wide=width >= _WIDE)


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


def _means(results: Results, width: int) -> Iterator[RenderableType]:
    """Means by arm, in blocks of as many arms as fit side by side."""
    from rich.text import Text  # noqa: PLC0415

    arms = list(zip(results.design.arms, results.statistics.arms, strict=True))
    wide = width >= _WIDE
    names = max(len(measure.name) for measure in results.measures) if results.measures else 0
    cell = (_CELL if wide else _SHORT_CELL) + 2
    fitting = max(1, (width - min(names, _NAME) - _UNIT) // cell)
    write = interval_text if wide else short_interval
    for group, numbers in results.groups.items():
        for start in range(0, len(arms), fitting):
            block = arms[start : start + fitting]
            head = f"{group[:1].upper()}{group[1:]}: means with 95 % intervals"
            table = _table("measure", "unit", *(plan.name for plan, _ in block), words=2)
            for column in table.columns[2:]:
                column.no_wrap = False
            for i in numbers:
                measure = results.measures[i]
                cells = [
                    write(interval, measure) if interval else ""
                    for interval in (interval_of(arm.unit_values[i]) for _, arm in block)
                ]
                if any(cells):
                    row = (measure.name, unit_word(measure), *cells)
                    table.add_row(*(Text(cell) for cell in row))
            if table.row_count:
                yield Text(head, "bold")
                yield table


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


def _castles(results: Results, *, wide: bool) -> Iterator[RenderableType]:
    from rich.text import Text  # noqa: PLC0415

    kinds = ["road", "city", "cloister", "castle", "never"]
    heads = ["arm", "castles", "paid", "gain", *(kinds if wide else ["never"])]
    table = _table(*heads)
    for plan, arm in zip(results.design.arms, results.statistics.arms, strict=True):
        castles = arm.castles
        total = castles.points.count
        if total:
            shares = [
                f"{100 * castles.paid_by.get(kind, 0) / total:.0f}"
                for kind in (kinds if wide else ["never"])
            ]
            cells = [plan.name, f"{total:,}", amount(castles.points.mean, 1),
                     amount(castles.gain.mean, 1, signed=True), *shares]  # fmt: skip
            table.add_row(*(Text(cell) for cell in cells))
    if table.row_count:
        yield Text("Castles: points paid, gain over the small city, what paid (%)", "bold")
        yield table
