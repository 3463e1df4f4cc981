"""`carcassonne check`: run scenario files and say what is not as expected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import click

from carcassonne.errors import CarcassonneError
from carcassonne.rule_register import rule
from carcassonne.scenario import ScenarioResult, find_scenarios, run_file

__all__ = ["command"]


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, an object a file.")
@click.option("-q", "--quiet", is_flag=True, help="Print failures and the last line only.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], *, as_json: bool, quiet: bool) -> None:
    """Run the scenario files (*.toml) that PATHS name; folders are searched.

    Exit code 0: all as expected; 1: something was not; 2: a file could not be read.

    \b
    Example:  carcassonne check tests/scenarios
    """
    reports: list[dict[str, Any]] = []
    for path in find_scenarios(paths):
        try:
            result = run_file(path)
        except CarcassonneError as error:
            reports.append({"file": str(path), "passed": False, "error": str(error)})
            if not as_json:
                click.echo(f"ERROR  {path}\n       {error}", err=True)
            continue
        reports.append(_report(path, result))
        if as_json:
            continue
        if not result.passed:
            _print_failure(path, result)
        elif not quiet:
            click.echo(f"ok     {path}: {result.title}")
    if as_json:
        click.echo(json.dumps(reports, indent=1, ensure_ascii=False))
    else:
        _print_total(reports)
    if any("error" in report for report in reports):
        ctx.exit(2)
    ctx.exit(0 if all(report["passed"] for report in reports) else 1)


def _report(path: Path, result: ScenarioResult) -> dict[str, Any]:
    return {
        "file": str(path),
        "title": result.title,
        "rules": list(result.rules),
        "passed": result.passed,
        "failures": [
            {
                "step": failure.step,
                "key": failure.key,
                "expected": failure.expected,
                "found": failure.found,
                "rules": list(failure.rules),
            }
            for failure in result.failures
        ],
    }


def _print_failure(path: Path, result: ScenarioResult) -> None:
    from carcassonne.render.text import board_text  # noqa: PLC0415 - only when something failed

    click.echo(f"FAILED {path}: {result.title}")
    for failure in result.failures:
        click.echo(f"  step {failure.step}, {failure.key}")
        click.echo(f"    expected: {failure.expected}")
        click.echo(f"    found:    {failure.found}")
    if result.game is not None:
        width = min(100, shutil.get_terminal_size().columns)
        click.echo(board_text(result.game, width=width))
    named = dict.fromkeys(name for failure in result.failures for name in failure.rules if name)
    for name in named:
        click.echo(f"  {name}: {rule(name).text}")


def _print_total(reports: list[dict[str, Any]]) -> None:
    passed = sum(report["passed"] for report in reports)
    errors = sum("error" in report for report in reports)
    failed = len(reports) - passed - errors
    noun = "scenario" if len(reports) == 1 else "scenarios"
    line = f"{len(reports)} {noun}: {passed} as expected, {failed} not"
    if errors:
        line += f", {errors} could not be read"
    click.echo(line)
