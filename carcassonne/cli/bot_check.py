"""`carcassonne bot-check`: whether a bot keeps to the protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from carcassonne.cli.numbers import FiniteRange
from carcassonne.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.bots.checkup import Step

__all__ = ["command"]

_INDENT: Final = " " * 13
_LONGEST: Final = 1000


@click.command(name="bot-check")
@click.argument("bot", metavar="CMD")
@click.option(
    "--time",
    "seconds",
    type=FiniteRange(0.01, 3600),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="The most that a decision may take.",
)
@click.option(
    "--memory", type=click.IntRange(min=8), metavar="MIB", help="Limit the memory of each process."
)
@click.option(
    "--cpu",
    type=click.IntRange(min=1),
    metavar="SECONDS",
    help="Limit the processor time of each game.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show messages of steps that passed, too.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    bot: str,
    seconds: float,
    memory: int | None,
    cpu: int | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Walk the bot that the command CMD starts through the protocol, step by step.

    CMD may be written as the bot's code, too: cmd:COMMAND.

    It is started, says hello, plays short games that put every kind of decision to it, and is
    told to quit. For each step that fails, what was sent, what came back and what the bot wrote
    to its standard error are printed. The protocol: docs/bot-protocol.md

    Exit code 0: all is well; 1: something was wrong.

    \b
    Example:  carcassonne bot-check 'python3 examples/bot.py'
    """  # fmt: skip
    from carcassonne.bots.checkup import check_bot  # noqa: PLC0415 - the engine loads only to run

    bot = bot.strip().removeprefix("cmd:")  # as the bot's code has it
    screen = Screen()
    steps: list[Step] = []
    for step in check_bot(bot, seconds=seconds, memory=memory, cpu=cpu):
        if not as_json:
            told = bool(step.stderr) and any(step.stderr == before.stderr for before in steps)
            _show(screen, step, verbose=verbose, told=told)
        steps.append(step)
    failed = sum(not step.passed for step in steps)
    if as_json:
        data: dict[str, Any] = {"command": bot, "passed": not failed, "steps": steps}
        click.echo(json.dumps(msgspec.to_builtins(data), indent=1, ensure_ascii=False))
    elif failed:
        screen.show(f"{failed} of {len(steps)} steps failed")
    else:
        screen.show(f"all {len(steps)} steps passed")
    ctx.exit(1 if failed else 0)


def _show(screen: Screen, step: Step, *, verbose: bool, told: bool) -> None:
    """Print a step; `told`: an earlier one has shown the same standard error."""
    mark, colour = ("✓", "green") if step.passed else ("✗", "red")
    if screen.ascii_only:
        mark = "ok" if step.passed else "NO"
    marked = click.style(mark, fg=colour) if screen.colour else mark
    verdict = "" if step.passed else f"{step.verdict}: "
    width = max(20, screen.text_width - len(_INDENT) - 1)
    text = click.wrap_text(verdict + step.text, width=width).splitlines()
    _lines(screen, f"{marked} {step.name:<10} ", text)
    if step.passed and not verbose:
        return
    if step.sent:
        _lines(screen, f"{_INDENT}sent   ", [_cut(step.sent)])
        _lines(screen, f"{_INDENT}got    ", [_cut(step.got) if step.got else "no answer"])
    if step.stderr:
        shown = ["as above"] if told else [_cut(line) for line in step.stderr]
        _lines(screen, f"{_INDENT}stderr ", shown)


def _lines(screen: Screen, head: str, lines: Sequence[str]) -> None:
    """Print lines behind a head, all in one column; what is too long is cut into pieces."""
    indent = len(click.unstyle(head))
    width = max(20, screen.text_width - indent)
    for line in lines:
        for start in range(0, max(1, len(line)), width):
            screen.show(head + line[start : start + width])
            head = " " * indent


def _cut(text: str) -> str:
    """A message as it can be printed: without what terminals act on, and not without end."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:_LONGEST])
    return f"{shown} ... ({len(text)} characters)" if len(text) > _LONGEST else shown
