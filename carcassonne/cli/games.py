"""`carcassonne games`: the games of a tournament, found by what happened in them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.results import GameResult

__all__ = ["command"]

_VERDICTS: Final = (
    "normal", "forfeit", "crash", "illegal move", "timeout", "garbage", "flood",
)  # fmt: skip
_SORTS: Final = ("game", "moves", "margin", "points")


class _Found(NamedTuple):
    """A game of the list."""

    game: int
    result: GameResult
    message: str

    @property
    def margin(self) -> int:
        """By how many points the first was ahead of the second."""
        first, second, *_ = sorted(self.result.points, reverse=True)
        return first - second

    @property
    def points(self) -> int:
        """The most points."""
        return max(self.result.points)

    @property
    def moves(self) -> int:
        """Its length."""
        return self.result.moves

    def to_data(self) -> dict[str, Any]:
        """What `--json` prints."""
        result = self.result
        culprit = None if result.culprit is None else result.bots[result.culprit]
        return {
            "game": self.game, "unit": result.unit, "turn": result.turn,
            "bots": list(result.bots), "points": list(result.points), "verdict": result.verdict,
            "culprit": culprit, "message": self.message, "moves": result.moves,
            "margin": self.margin, "defaulted": list(result.defaulted),
        }  # fmt: skip


@click.command(name="games")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--bot", "bots", multiple=True, metavar="NAME",
    help="Games with this bot; given again, with all of them.",
)  # fmt: skip
@click.option("--won-by", metavar="NAME", help="Games that this bot won alone.")
@click.option(
    "--verdict", type=click.Choice(_VERDICTS),
    help="How the game ended; forfeit: by any fault.",
)  # fmt: skip
@click.option("--min-moves", type=click.IntRange(min=0), help="The shortest length, in moves.")
@click.option("--max-moves", type=click.IntRange(min=0), help="The greatest length.")
@click.option("--min-margin", type=click.IntRange(min=0), help="Points between first and second.")
@click.option("--max-margin", type=click.IntRange(min=0), help="At most so many.")
@click.option("--sort", type=click.Choice(_SORTS), default="game", show_default=True)
@click.option("--reverse", is_flag=True, help="The greatest first.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=20, show_default=True,
    help="Games to list; 0: all.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.option(
    "--save", nargs=2, type=(click.IntRange(min=0), click.Path(dir_okay=False, path_type=Path)),
    metavar="GAME FILE", help="Save the record of a game for carcassonne replay.",
)  # fmt: skip
def command(
    folder: Path,
    *,
    sort: str,
    reverse: bool,
    limit: int,
    as_json: bool,
    save: tuple[int, Path] | None,
    **wanted: Any,
) -> None:
    """Find games of the tournament in DIR: by bot, verdict, length or margin of points.

    \b
    Examples:  carcassonne games results --bot greedy --sort margin
               carcassonne games results --verdict forfeit
               carcassonne games results --save 17 game.json
    """
    from carcassonne.arena.schedule import game_number  # noqa: PLC0415 - loaded to run only
    from carcassonne.arena.store import (  # noqa: PLC0415
        RECORDS,
        read_messages,
        read_results,
    )

    if save is not None:
        _save(folder / RECORDS, *save)
        return
    stored = read_results(folder)
    named = [*wanted["bots"], *filter(None, [wanted["won_by"]])]
    for name in named:
        if name not in stored.bots:
            known = ", ".join(stored.bots)
            raise CarcassonneError(f"{folder}: has no bot {name!r}; bots are {known}")
    messages = read_messages(folder)
    found = [
        _Found(number, result, messages.get(number, ""))
        for result in stored.results
        for number in [game_number(result.unit, result.turn, stored.players)]
    ]
    found = [game for game in found if _is_wanted(game, **wanted)]
    found.sort(key=lambda game: (getattr(game, sort), game.game), reverse=reverse)
    shown = found[: limit or None]
    if as_json:
        click.echo(json.dumps([game.to_data() for game in shown], indent=1, ensure_ascii=False))
        return
    _print(shown)
    click.echo(f"{len(shown):,} of {len(found):,} games" + (
        "" if len(shown) == len(found) else "; --limit 0 lists all"
    ))  # fmt: skip


def _save(records: Path, number: int, path: Path) -> None:
    from carcassonne.arena.lines import find_record  # noqa: PLC0415
    from carcassonne.files import write_text  # noqa: PLC0415

    if not records.exists():
        raise CarcassonneError(f"{records}: there are no records of this tournament")
    record = find_record(records, number)
    write_text(path, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    click.echo(f"saved: {path}")


def _is_wanted(
    game: _Found,
    *,
    bots: tuple[str, ...],
    won_by: str | None,
    verdict: str | None,
    **ranges: int | None,
) -> bool:
    result = game.result
    ending = (result.verdict, "normal" if result.culprit is None else "forfeit")
    return (
        all(bot in result.bots for bot in bots)
        and won_by in (None, _winner(result))
        and (verdict is None or verdict in ending)
        and _is_within(game, ranges)
    )


def _winner(result: GameResult) -> str | None:
    """The bot that won alone; a forfeit of two has a winner, one of more has several."""
    seats: Iterable[int] = range(len(result.bots))
    if result.culprit is not None:
        seats = [seat for seat in seats if seat != result.culprit]
        return result.bots[seats[0]] if len(seats) == 1 else None
    best = max(result.points)
    first = [seat for seat in seats if result.points[seat] == best]
    return result.bots[first[0]] if len(first) == 1 else None


def _is_within(game: _Found, ranges: dict[str, int | None]) -> bool:
    """Whether length and margin lie in the ranges asked for, if they are."""
    for name in ("moves", "margin"):
        least, most = ranges[f"min_{name}"], ranges[f"max_{name}"]
        value = getattr(game, name)
        if (least is not None and value < least) or (most is not None and value > most):
            return False
    return True


def _print(games: Sequence[_Found]) -> None:
    from rich.console import Console  # noqa: PLC0415 - rich is loaded only to print
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", justify="right")
    table.add_column("bots and points, by seat", overflow="fold")
    for name in ("margin", "moves"):
        table.add_column(name, justify="right")
    table.add_column("verdict", overflow="fold")
    for game in games:
        result = game.result
        seats = ", ".join(
            f"{bot} {points}" for bot, points in zip(result.bots, result.points, strict=True)
        )
        verdict = result.verdict
        if result.culprit is not None:
            verdict += f" by {result.bots[result.culprit]}: {game.message}"
        elif any(result.defaulted):
            verdict += f", {sum(result.defaulted)} by default"
        cells = (str(game.game), seats, str(game.margin), str(game.moves), verdict)
        table.add_row(*map(Text, cells))
    Console(width=None if sys.stdout.isatty() else 120).print(table)
