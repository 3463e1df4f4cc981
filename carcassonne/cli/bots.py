"""`carcassonne bots`: which bots there are, and what their codes take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from carcassonne.cli.options import bots_option

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from carcassonne.bots.parameters import Parameter
    from carcassonne.bots.roster import BotKind

__all__ = ["command"]


@click.command(name="bots")
@bots_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list for machines.")
def command(bot_files: tuple[Path, ...], *, as_json: bool) -> None:
    """List the bots: their codes, what they do and the parameters they take.

    A code is a name with parameters behind colons, the first of them without its name if you
    like. Bots of your own come from a file, or from an installed package with entry points
    in the group carcassonne.bots.

    \b
    Examples:  carcassonne bots
               carcassonne play --players greedy,mine:depth=2 --bots mine.py
    """
    from carcassonne.bots import Roster  # noqa: PLC0415 - bots load only to be listed

    kinds = Roster(bot_files).kinds.values()
    if as_json:
        click.echo(json.dumps([_data(kind) for kind in kinds], indent=1, ensure_ascii=False))
    else:
        _print_table(kinds)


def _data(kind: BotKind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "about": kind.about,
        "where": kind.where,
        "parameters": [
            {
                "name": parameter.name,
                "about": parameter.about,
                "kind": parameter.kind,
                "default": parameter.default,
                "choices": list(parameter.choices),
            }
            for parameter in kind.parameters
        ],
    }


def _print_table(kinds: Iterable[BotKind]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False, leading=1)
    table.add_column("code", no_wrap=True, style="bold")
    table.add_column("what it does, and its parameters", overflow="fold")
    for kind in kinds:
        text = Text(kind.about)
        for parameter in kind.parameters:
            text.append(f"\n{parameter.name}", "bold")
            text.append(f"  {_words(parameter)}")
        if kind.where != "built in":
            text.append(f"\n{kind.where}", "dim")
        table.add_row(kind.name, text)
    Console(highlight=False).print(table)


def _words(parameter: Parameter) -> str:
    words = [parameter.about, parameter.wanted]
    if parameter.default is not None:
        words.append(f"default {parameter.text_of(parameter.default)}")
    return "; ".join(word for word in words if word)
