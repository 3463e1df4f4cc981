"""`carcassonne medina`: score the Medinas of Alhambra, or simulate games of purchases.

Owns reading the arguments and printing; all rules are in `carcassonne.alhambra`. The first word
that is no option decides: `simulate`, or else the number of a scoring round.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carcassonne.alhambra.buyers import BUYERS, Tally, find_buyer, played_games
from carcassonne.alhambra.data import TileSet, default_tiles, load_tiles
from carcassonne.alhambra.market import DEFAULT_FITS
from carcassonne.alhambra.medina import (
    OPTION_VALUES,
    PENALTIES,
    MedinaError,
    MedinaOptions,
    MedinaScore,
    PlayerScore,
    in_words,
    score_medinas,
)

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

    from carcassonne.alhambra.market import PurchaseGame

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  carcassonne medina 3 A= B= C=3,5 D=2,4,8
  carcassonne medina 3 A= B= C=3,5 D=2,4,8 --json
  carcassonne medina 2 A= B=4 --option medina_zero_pool=all
  carcassonne medina 1 A= B=4 --total A=2 --total B=0 \\
      --option medina_allow_negative_total=false
  carcassonne medina simulate --games 50 --buyers wary,shunner
"""
_SIMULATE_EXAMPLES = """\b
Examples:
  carcassonne medina simulate --games 200 --seed 7 --players 4
  carcassonne medina simulate --buyers wary,shunner,collector --json
"""
_EXAMPLE = "carcassonne medina 3 A= B= C=3,5 D=2,4,8"
_MAX_GAMES = 1_000_000
_SEATS = 3
_INTERRUPTED = 130


class _WrongUsageError(click.ClickException):
    """Wrong usage or unreadable input, told in one line without the usage text."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class _OneLineCommand(click.Command):
    """A command whose usage errors are one line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise _WrongUsageError(error.format_message()) from None


class _RoundOrSimulate(click.Group):
    """A group that takes a round and players where the name of a subcommand would stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise _WrongUsageError(f"no round is given; try: {_EXAMPLE} (more with --help)")
        position = self._first_word(args)
        name = args[position] if position < len(args) else ""
        if name == "simulate":
            return super().parse_args(ctx, [name, *args[:position], *args[position + 1 :]])
        if "--help" in args:
            return super().parse_args(ctx, ["--help"])
        return super().parse_args(ctx, ["score", *args])

    def _first_word(self, args: Sequence[str]) -> int:
        """Find the first argument that is neither an option nor an option's value."""
        options = [param for sub in self.commands.values() for param in sub.params]
        valued = {
            name
            for option in options
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        position = 0
        while position < len(args) and args[position].startswith("-") and args[position] != "--":
            position += 2 if args[position] in valued else 1
        return position

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "ROUND PLAYER=[PRICE,...]... [OPTIONS]")
        formatter.write_usage(ctx.command_path, "simulate [OPTIONS]", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = [
            record
            for param in self.commands["score"].get_params(ctx)
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx))
        ]
        with formatter.section("Options"):
            formatter.write_dl(records)
        _write_rule_options(formatter)
        self.format_commands(ctx, formatter)


_OPTION_HELP = {
    "medina_zero_pool": "Players without a Medina share the penalties of the places they take, or"
    " all of the round.",
    "medina_final_tie": "Equal numbers and equally dear dearest Medinas: compare the next dearest,"
    " then share the places; or share at once.",
    "medina_allow_negative_total": "Whether a loss may take a total below 0; if not, give totals.",
}


def _write_rule_options(formatter: click.HelpFormatter) -> None:
    with formatter.section("Rule options (the default first)"):
        formatter.write_dl(
            [
                (name, f"{' | '.join(values)}. {_OPTION_HELP[name]}")
                for name, values in OPTION_VALUES.items()
            ],
            col_max=28,
        )


_rule_options = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="A rule where the texts leave a choice (below); may be repeated.",
)
_tiles_option = click.option(
    "--tiles",
    "tiles_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A file with the prices of all tiles, of the form of alhambra_medina.toml.",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@click.group("medina", cls=_RoundOrSimulate, epilog=_EXAMPLES, no_args_is_help=False)
def command() -> None:
    """Score the Medinas of Alhambra (Queenie 2) in round 1, 2 or 3.

    Each PLAYER is a name, then = and the prices of the Medinas that the player has built: A=
    for none, A=3,5 for two. Two to six players; Medinas in a reserve don't count. The table
    says for each player what is lost and by which rules (read them with `carcassonne rules`).

    `simulate` plays many games of purchases and shows how the penalties fall out.
    """


# ---------------------------------------------------------------------------- one scoring


@command.command("score", cls=_OneLineCommand, hidden=True)
@click.argument("number", metavar="ROUND")
@click.argument("players", metavar="PLAYER=[PRICE,...]", nargs=-1)
@_rule_options
@click.option(
    "--total",
    "totals",
    metavar="PLAYER=POINTS",
    multiple=True,
    help="A player's total before the Medinas are scored; may be repeated.",
)
@_tiles_option
@_json_option
def _score(
    *,
    number: str,
    players: tuple[str, ...],
    options: tuple[str, ...],
    totals: tuple[str, ...],
    tiles_file: Path | None,
    as_json: bool,
) -> None:
    """Score one round."""
    try:
        score = score_medinas(
            _read_round(number),
            _read_players(players),
            options=MedinaOptions.parse(options),
            totals=_read_totals(totals),
        )
        if tiles_file is not None:
            prices = (price for player in score.players for price in player.medinas)
            load_tiles(tiles_file).check_built(prices)
    except MedinaError as error:
        raise _WrongUsageError(str(error)) from None
    if as_json:
        click.echo(json.dumps(score.points))
    else:
        _print_score(score)


def _read_round(text: str) -> int:
    numbers = {str(number): number for number in PENALTIES}
    if text not in numbers:
        raise MedinaError(f"there is no round {text!r}: it is 1, 2 or 3 (or 'simulate')")
    return numbers[text]


def _read_players(texts: Iterable[str]) -> dict[str, list[int]]:
    """Read `C=3,5`; prices are checked further where they are scored."""
    built: dict[str, list[int]] = {}
    for text in texts:
        name, equals, prices = text.partition("=")
        if not equals:
            raise MedinaError(
                f"{text!r} is no player: write {text}= without Medinas, {text}=3,5 with two"
                if text.isalnum()
                else f"{text!r} is no player: write a name, =, and prices with commas between"
            )
        if name in built:
            raise MedinaError(f"player {name!r} is given twice")
        built[name] = [_read_price(name, price) for price in prices.split(",")] if prices else []
    return built


def _read_price(name: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise MedinaError(f"player {name!r}: {text!r} is no price (a whole number, as in 3,5)")
    return int(text)


def _read_totals(texts: Iterable[str]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for text in texts:
        name, _, points = text.rpartition("=")
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", points) or not name:
            raise MedinaError(f"--total {text!r}: write PLAYER=POINTS, as in A=12")
        if name in totals:
            raise MedinaError(f"--total: player {name!r} is given twice")
        totals[name] = int(points)
    return totals


def _print_score(score: MedinaScore) -> None:
    """Print a row for each player, with the reasons."""
    from rich.text import Text  # noqa: PLC0415

    costs = ", ".join(map(str, PENALTIES[score.round]))
    places = "worst place costs" if score.round == 1 else "worst places cost"
    _console().print(
        f"Medinas, scoring round {score.round}: the {places} {costs}.",
        markup=False,
        highlight=False,
    )
    has_totals = any(player.total is not None for player in score.players)
    table = _table("player", "Medinas", "points", *(["total"] if has_totals else []), "why")
    for player in score.players:
        row = [player.player, ", ".join(map(str, player.medinas)) or "none", str(player.points)]
        if has_totals:
            row.append("?" if player.total is None else str(player.total))
        table.add_row(*(Text(_printable(cell)) for cell in [*row, _reasons(player)]))
    _console().print(table)
    _print_options(score.options)


def _reasons(player: PlayerScore) -> str:
    return "\n".join(map(str, player.items))


def _print_options(options: MedinaOptions) -> None:
    """Name the options that aren't at their default."""
    changed = [
        f"{name}={value}"
        for name, value in options.as_texts().items()
        if value != OPTION_VALUES[name][0]
    ]
    if changed:
        _console().print(f"With {in_words(changed)}.", markup=False, highlight=False)


# ---------------------------------------------------------------------------- many games


class _SimulateCommand(_OneLineCommand):
    """The command that lists the buyers in its help."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        _write_rule_options(formatter)
        with formatter.section("Buyers"):
            formatter.write_dl([(name, buyer.__doc__ or "") for name, buyer in BUYERS.items()])


@command.command("simulate", cls=_SimulateCommand, epilog=_SIMULATE_EXAMPLES)
@click.option(
    "--games",
    type=click.IntRange(1, _MAX_GAMES),
    default=100,
    show_default=True,
    help="How many games.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed, the same games."
)
@click.option(
    "--players",
    type=click.IntRange(2, 6),
    help=f"How many players; by default as many as buyers, or {_SEATS}.",
)
@click.option(
    "--buyers",
    metavar="NAME[,NAME...]",
    default="wary",
    show_default=True,
    help="Who buys: one name for all, or one for each player.",
)
@click.option(
    "--fits",
    type=click.FloatRange(0, 1),
    default=DEFAULT_FITS,
    show_default=True,
    help="How likely a bought tile can be built at once and needn't go to the reserve.",
)
@_rule_options
@_tiles_option
@_json_option
def _simulate(
    *,
    games: int,
    seed: int,
    players: int | None,
    buyers: str,
    fits: float,
    options: tuple[str, ...],
    tiles_file: Path | None,
    as_json: bool,
) -> None:
    """Play many games of purchases and show how the Medina penalties fall out.

    A game is one of Alhambra without walls and paths: players take money, buy tiles from the
    market of four spaces, build them or keep them in reserve; three scoring rounds.
    """
    try:
        names = _read_buyers(buyers, players)
        rules = MedinaOptions.parse(options)
        tiles = load_tiles(tiles_file) if tiles_file is not None else default_tiles()
        tally = Tally(names)
        played = played_games(games, names, seed=seed, tiles=tiles, options=rules, fits=fits)
        complete = _count(tally, played, games)
    except MedinaError as error:
        raise _WrongUsageError(str(error)) from None
    if as_json:
        click.echo(json.dumps(_as_json(tally, seed, fits, rules, tiles), indent=2))
    elif tally.games:
        _print_tally(tally, seed, fits)
        _print_options(rules)
        if tiles.note:
            _console().print(_printable(tiles.note), markup=False)
    if not complete:
        click.echo(f"interrupted: {tally.games} of {games} games are counted", err=True)
        sys.exit(_INTERRUPTED)


def _read_buyers(text: str, players: int | None) -> list[str]:
    names = text.split(",")
    for name in names:
        find_buyer(name)
    if len(names) == 1:
        return names * (players or _SEATS)
    if players is not None and players != len(names):
        raise MedinaError(f"{len(names)} buyers are named for {players} players")
    return names


def _count(tally: Tally, played: Iterator[PurchaseGame], games: int) -> bool:
    """Count the games behind a progress bar; say whether all were played, or Ctrl-C came."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    hidden = not (sys.stderr.isatty() and sys.stdout.isatty())
    shown = track(
        played,
        "games",
        games,
        console=Console(stderr=True),
        transient=True,
        disable=hidden,
    )
    try:
        for game in shown:
            tally.add(game)
    except KeyboardInterrupt:
        return False
    return True


def _as_json(
    tally: Tally, seed: int, fits: float, rules: MedinaOptions, tiles: TileSet
) -> dict[str, Any]:
    return {
        "games": tally.games,
        "seed": seed,
        "fits": fits,
        "options": rules.as_texts(),
        "note": tiles.note,
        "players": tally.players(),
        "losses": {
            str(number): {str(points): counts[points] for points in sorted(counts, reverse=True)}
            for number, counts in tally.losses.items()
        },
    }


def _print_tally(tally: Tally, seed: int, fits: float) -> None:
    _console().print(
        f"{_games(tally.games)} of purchases, seed {seed}, fits {fits:g}; means a game.",
        markup=False,
        highlight=False,
    )
    players = _table(
        "player", "Medinas built", "Medina points", "other points", "total", "first", right=5
    )
    for player in tally.players():
        rounds = player["rounds"]
        players.add_row(
            f"P{player['seat']} {player['buyer']}",
            " / ".join(f"{scored['medinas']:.1f}" for scored in rounds),
            " / ".join(f"{scored['points']:.1f}" for scored in rounds),
            f"{player['buildings']:.1f}",
            f"{player['total']:.1f}",
            str(player["first_places"]),
        )
    _console().print(players)
    _console().print(
        "How often Medinas cost a player so much, by scoring round:", markup=False, highlight=False
    )
    losses = _table("points", *(f"round {number}" for number in tally.losses), right=4)
    for points in sorted(set().union(*tally.losses.values()), reverse=True):
        losses.add_row(str(points), *(_share(counts, points) for counts in tally.losses.values()))
    _console().print(losses)


def _share(counts: Counter[int], points: int) -> str:
    return f"{counts[points] / counts.total():.1%}" if counts[points] else "-"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _table(*columns: str, right: int = 0) -> Table:
    """Make a table without frame; the last `right` columns hold numbers."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(columns):
        is_number = index >= len(columns) - right
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    return table


def _printable(text: str) -> str:
    """Write characters that the output can't show as escapes."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _console() -> Console:
    from rich.console import Console  # noqa: PLC0415

    return Console(highlight=False)
