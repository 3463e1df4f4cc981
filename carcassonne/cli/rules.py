"""`carcassonne rules`: read what the numbered rules say.

Owns the listing only; the texts are the rule register's.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from carcassonne.rule_register import RuleEntry, UnknownRule, register, rules_under

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["command"]


class _WrongNameError(click.ClickException):
    """Wrong usage, told in one line without the usage text."""

    exit_code = 2


_EXAMPLES = """\b
Examples:
  carcassonne rules R-BRIDGE-9
  carcassonne rules R-CASTLE --needs
"""


@click.command("rules", epilog=_EXAMPLES)
@click.argument("names", metavar="[RULE]...", nargs=-1)
@click.option("--needs", is_flag=True, help="Only rules that need pieces this game doesn't have.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list for machines.")
def command(names: tuple[str, ...], *, needs: bool, as_json: bool) -> None:
    """List the numbered rules: what each says, its source and the options that change it.

    RULE is the id of a rule or the name of a group (R-BASE, R-BRIDGE, R-CASTLE, R-BAZAAR,
    R-MEDINA); without any, all rules are listed.
    """
    entries = _chosen(names)
    if needs:
        entries = [entry for entry in entries if entry.needs]
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=2))
    elif entries:
        _print_table(entries)
    else:
        click.echo("None of these rules needs pieces that this game doesn't have.")


def _chosen(names: Sequence[str]) -> list[RuleEntry]:
    """Find the named rules, in the order of naming and each once; without names, all."""
    if not names:
        return list(register().values())
    try:
        return list(dict.fromkeys(entry for name in names for entry in rules_under(name)))
    except UnknownRule as error:
        raise _WrongNameError(str(error)) from None


def _print_table(entries: Sequence[RuleEntry]) -> None:
    """Print a row for each rule; sources and options go below the text, so that all fits."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False, leading=1)
    table.add_column("rule", no_wrap=True, style="bold")
    table.add_column("what it says")
    for entry in entries:
        table.add_row(entry.id, Text.assemble(entry.text, ("\n" + _notes(entry), "dim")))
    Console(highlight=False).print(table)


def _notes(entry: RuleEntry) -> str:
    """Source, options and missing pieces, a line each."""
    notes = [entry.source]
    if entry.options:
        notes.append(f"options: {', '.join(entry.options)}")
    if entry.needs:
        notes.append(f"needs: {entry.needs}")
    return "\n".join(notes)
