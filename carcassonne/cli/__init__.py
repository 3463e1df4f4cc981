"""The command line: one module a command, loaded when it is used.

`main` turns every `CarcassonneError` into one line on standard error and exit code 2.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

import click

from carcassonne.errors import CarcassonneError

__all__ = ["cli", "main"]

_COMMANDS: Final = {
    "bench": "Measure how many games a second this machine plays.",
    "bot-check": "Walk a bot through the protocol, and say what goes wrong.",
    "bots": "List the bots and their parameters.",
    "check": "Run scenario files: is every ruling as expected?",
    "convert": "Convert files of JCloisterZone: saved games, tile sets.",
    "diff": "Name the first difference between two games or positions.",
    "explain": "Say what is legal and why not, what pays whom, by which rule.",
    "games": "Find the games of a tournament, for replay.",
    "medina": "Score the Medina tiles of Alhambra.",
    "odds": "Count the tiles left: what fits where, what can still be completed.",
    "perft": "Count the sequences of moves of a game, on either engine.",
    "play": "Play a game between bots and people.",
    "playtest": "Ask what a rule, a tile or a bot does to the game; fuzzing.",
    "position": "Write a game at any move as a scenario.",
    "render": "Draw a board.",
    "replay": "Show a saved game.",
    "rules": "Look up the numbered rules.",
    "selftest": "Play games on both engines side by side and compare.",
    "standings": "Print or export the standings of a tournament.",
    "tiles": "List, count and validate tile sets.",
    "tournament": "Let bots meet, many times, and see who is better.",
    "worth": "Say what tiles on offer, or placements, are worth.",
}


class _LazyGroup(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"carcassonne.cli.{cmd_name.replace('-', '_')}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            known = ", ".join(_COMMANDS)
            ctx.fail(f"there is no command {args[0]!r}; the commands are {known}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from carcassonne.core import FORM  # noqa: PLC0415
        from carcassonne.version import VERSION  # noqa: PLC0415

        click.echo(f"carcassonne {VERSION} (engines: model, pure Python; core, {FORM})")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and exit.",
)  # fmt: skip
def cli() -> None:
    """Carcassonne with Bridges, Castles & Bazaars.

    \b
    Watch a whole game:      carcassonne play
    Check rulings:           carcassonne check tests/scenarios
    Help on a command:       carcassonne play --help
    """


def main() -> None:
    """Run the command line and exit: 0 done, 1 the checked thing failed, 2 bad input."""
    try:
        status = cli.main(standalone_mode=False, prog_name="carcassonne")
    except CarcassonneError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Aborted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        click.echo(f"Error: {error.strerror or error}", err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
