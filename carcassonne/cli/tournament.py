"""`carcassonne tournament`: bots meet, many times."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carcassonne.cli.options import (
    bots_or_files_option,
    read_rule_flags,
    rule_options,
    split_bots,
)
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from carcassonne.arena.config import Tournament
    from carcassonne.arena.results import GameResult
    from carcassonne.arena.store import Store

__all__ = ["command"]

_KEYS = (
    click.option(
        "--bot", "bots", multiple=True, metavar="CODE",
        help="A bot by its code; to be repeated. Default: one of each built-in bot.",
    ),
    bots_or_files_option,
    click.option("--games", type=int, help="Games of each pairing or table.  [default: 10]"),
    click.option(
        "--format", "format_", metavar="FORMAT",
        help="round-robin, gauntlet (the first bot against the others), swiss or knockout.",
    ),
    click.option("--players", type=int, help="Seats of a table, 2 to 6.  [default: 2]"),
    click.option("--rounds", type=int, help="Rounds of a Swiss tournament."),
    click.option("--seed", type=int, help="Decides all that is random.  [default: 0]"),
    *rule_options,
    click.option(
        "--time", "time_", metavar="KEY=SECONDS,...",
        help="Time of each bot: move=1, or game=60,increment=0.5.",
    ),
    click.option(
        "--sprt", metavar="ELO0,ELO1",
        help="Stop when two bots are told apart, as 0,20; or elo0=0,elo1=20,alpha=0.01,beta=0.01.",
    ),
    click.option(
        "--on-error", metavar="WHAT", help="A bot's fault: forfeit (default) or default-move."
    ),
    click.option("--title", metavar="TEXT", help="Stands over the tables."),
    click.option("--records/--no-records", default=None, help="Save the games' moves, or not."),
)  # fmt: skip


def _keys(function: Any) -> Any:
    for option in reversed(_KEYS):
        function = option(function)
    return function


@click.command(name="tournament")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
    help="The folder for results and games.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on where the tournament in DIR stopped.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
    help="Processes to spread the games over.",
)  # fmt: skip
@click.option("--cluster", metavar="ray[:ADDRESS]", help="Spread them over a Ray cluster instead.")
@_keys
@click.option("-q", "--quiet", is_flag=True, help="Print the final table only.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as a JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    file: Path | None,
    out: Path,
    resume: bool,
    jobs: int,
    cluster: str | None,
    quiet: bool,
    as_json: bool,
    **keys: Any,
) -> None:
    """Let bots meet, many times, and see who is better.

    FILE.toml says what is played: bots, games (for each pairing or table), seed, format, players,
    rounds, tile_sets, tile_counts, preset, title, on_error, records, and the tables [options],
    [time] and [sprt]. Flags win over it. Seats rotate over the same stack, so games come in pairs,
    or in as many as there are seats.

    Results, times and records are saved in DIR as games end. Ctrl-C lets running games end, a
    second one stops at once; --resume goes on, also after a crash.

    \b
    Examples:  carcassonne tournament --out results
               carcassonne tournament cup.toml --out cup --jobs 4
               carcassonne tournament --out duel --bots greedy,random --games 200
    """
    from carcassonne.arena.game import work_of  # noqa: PLC0415
    from carcassonne.arena.progress import LiveView  # noqa: PLC0415 - loaded to run only
    from carcassonne.arena.run import run_tournament  # noqa: PLC0415
    from carcassonne.arena.schedule import schedule_of  # noqa: PLC0415
    from carcassonne.farm.executor import make_executor, require_cluster  # noqa: PLC0415

    if cluster is not None:
        require_cluster(cluster)
    flags = _flags(keys)
    broken_off = False
    with closing(_open_store(file, out, flags, resume=resume)) as store:
        tournament = store.tournament
        planned = schedule_of(tournament).planned
        done = len(store.results())
        with LiveView(tournament, planned, done, quiet=quiet or as_json) as view:
            try:
                finished = run_tournament(
                    store,
                    lambda: make_executor(
                        work_of(tournament), jobs=jobs, cluster=cluster, on_note=view.note
                    ),
                    view,
                )
            except KeyboardInterrupt:  # the second one
                finished, broken_off = False, True
        results = store.results()
        endings = _endings(store, results) if finished else {}
    if broken_off:
        _tell_how_to_go_on(out, len(results), planned)
        ctx.exit(130)
    if as_json:
        data = _to_data(tournament, planned, results, finished=finished) | endings
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        _print(out, endings)
    if not finished:
        _tell_how_to_go_on(out, len(results), planned)
        ctx.exit(130)


def _tell_how_to_go_on(out: Path, saved: int, planned: int) -> None:
    click.echo(
        f"Interrupted: {saved:,} of {planned:,} games are saved. Go on with:  "
        f"carcassonne tournament --out {shlex.quote(str(out))} --resume",
        err=True,
    )


def _open_store(file: Path | None, out: Path, flags: dict[str, Any], *, resume: bool) -> Store:
    from carcassonne.arena.config import read_tournament  # noqa: PLC0415
    from carcassonne.arena.store import Store  # noqa: PLC0415

    if not resume:
        reading = read_tournament(file, flags)
        for note in reading.notes:
            click.echo(note, err=True)
        return Store.create(out, reading)
    store = Store.resume(out)
    try:
        if file is not None or flags:
            base = store.keys if file is None else None
            store.require(read_tournament(file, flags, base=base).tournament)
    except CarcassonneError:
        store.close()
        raise
    return store


def _flags(keys: dict[str, Any]) -> dict[str, Any]:
    """The keys that were given as flags, in the form of the file."""
    given = {key.rstrip("_"): value for key, value in keys.items() if value not in (None, ())}
    codes, files = split_bots(given.pop("bots_or_files", ()))
    if codes or "bots" in given:
        given["bots"] = [*codes, *given.get("bots", ())]
    if files:
        given["bot_files"] = files
    given |= read_rule_flags(given)
    if "sprt" in given and "=" not in given["sprt"]:
        elo0, comma, elo1 = given["sprt"].partition(",")
        if not comma:
            raise click.UsageError(f"--sprt {elo0}: two numbers are wanted, as in 0,20")
        given["sprt"] = f"elo0={elo0},elo1={elo1}"
    for key in ("time", "sprt"):
        if key in given:
            given[key] = _numbers(f"--{key}", given[key])
    return given


def _numbers(flag: str, text: str) -> dict[str, float]:
    """Read `key=number,...`."""
    found: dict[str, float] = {}
    for part in text.split(","):
        key, _, value = part.partition("=")
        if key.strip() in found:
            raise click.UsageError(f"{flag}: {key.strip()} is given twice")
        try:
            found[key.strip()] = float(value)
        except ValueError:
            raise click.UsageError(
                f"{flag}: {part!r} must be written KEY=NUMBER, several with commas between"
            ) from None
    return found


def _to_data(
    tournament: Tournament, planned: int, results: list[GameResult], *, finished: bool
) -> dict[str, Any]:
    import msgspec  # noqa: PLC0415

    return {
        "tournament": msgspec.to_builtins(tournament),
        "planned": planned,
        "finished": finished,
        "results": [msgspec.to_builtins(result) for result in results],
    }


def _endings(store: Store, results: list[GameResult]) -> dict[str, str]:
    """What a finished tournament has decided besides its table."""
    from carcassonne.arena.schedule import champion_of  # noqa: PLC0415

    found = {"champion": champion_of(store.tournament, results), "sprt_verdict": store.verdict}
    return {key: value for key, value in found.items() if value is not None}


def _print(out: Path, endings: dict[str, str]) -> None:
    from carcassonne.arena.standings import standings  # noqa: PLC0415 - loaded only to print
    from carcassonne.arena.store import read_results  # noqa: PLC0415
    from carcassonne.arena.tables import standings_text  # noqa: PLC0415
    from carcassonne.cli.screen import Screen  # noqa: PLC0415

    screen = Screen()
    found = standings(read_results(out))
    screen.show(standings_text(found, screen.width, colour=screen.colour))
    if "champion" in endings:
        click.echo(f"{endings['champion']} has won the knockout.")
