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
@click.pass_context
def command(ctx: click.Context, /, *, bot_files: tuple[Path, ...], as_json: bool) -> None:
    """List the bots: their codes, what they do and the parameters they take.

    A code is a name with parameters behind colons, the first of them without its name if you
    like. Bots of your own come from a file, or from an installed package with entry points
    in the group carcassonne.bots. Exit code 1: one of those in a file can't be made.

    \b
    Examples:  carcassonne bots
               carcassonne play --players greedy,mine:depth=2 --bots mine.py
    """
    from carcassonne.bots import Roster  # noqa: PLC0415 - bots load only to be listed

    roster = Roster(bot_files)
    listed = [(kind, kind.fault) for kind in roster.kinds.values()]
    if as_json:
        data = [_data(kind, fault) for kind, fault in listed]
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        _print_table(listed)
    ctx.exit(int(any(fault and kind.where in roster.files for kind, fault in listed)))


def _data(kind: BotKind, fault: str) -> dict[str, Any]:
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
                "required": parameter.required,
            }
            for parameter in kind.parameters
        ],
        "fault": fault or None,
    }


def _print_table(listed: Iterable[tuple[BotKind, str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False, leading=1)
    table.add_column("code", no_wrap=True, style="bold")
    table.add_column("what it does, and its parameters", overflow="fold")
    for kind, fault in listed:
        text = Text(kind.about)
        for parameter in kind.parameters:
            text.append(f"\n{parameter.name}", "bold")
            text.append(f"  {_words(parameter)}")
        if not kind.is_built_in:
            text.append(f"\n{kind.where}", "dim")
        if fault:
            text.append(f"\n{fault}", "red")
        table.add_row(kind.name, text)
    Console(highlight=False).print(table)


def _words(parameter: Parameter) -> str:
    words = [parameter.about, parameter.wanted]
    if parameter.required:
        words.append("must be given")
    if parameter.default is not None:
        words.append(f"default {parameter.text_of(parameter.default)}")
    return "; ".join(word for word in words if word)
