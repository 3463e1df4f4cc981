"""The experiments of `carcassonne playtest`: design, run, and what is written of the results."""

from __future__ import annotations

import json
import shlex
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from carcassonne.cli.options import read_rule_flags, split_bots
from carcassonne.farm.executor import make_executor, require_cluster
from carcassonne.farm.interrupts import Interrupts
from carcassonne.folder import FolderError
from carcassonne.playtest.design_file import load_design, parse_factor
from carcassonne.playtest.examples import choose_examples, save_examples
from carcassonne.playtest.game import measures_of, work_of
from carcassonne.playtest.results import Results
from carcassonne.playtest.run import run_playtest
from carcassonne.playtest.store import LabStore
from carcassonne.playtest.summary import print_summary
from carcassonne.playtest.target import parse_until
from carcassonne.record import record_head

if TYPE_CHECKING:
    from typing import Self

    from carcassonne.playtest.design import Design
    from carcassonne.playtest.run import Outcome

__all__ = ["run_lab"]

_INTERRUPTED = 130


def run_lab(keys: dict[str, Any], *, jobs: int, progress: bool, as_json: bool) -> int:
    """Run an experiment and show what came out; returns the exit code.

    Parameters
    ----------
    keys
        The options of the command by name.

    Raises
    ------
    CarcassonneError
        The design, a folder or a file won't do.
    """
    out: Path | None = keys["out"]
    if keys["resume"] and out is None:
        raise click.UsageError("--resume needs --out DIR")
    if keys["report"] is not None and keys["report"].suffix.lower() != ".html":
        raise click.UsageError(f"--report {keys['report']}: must end in .html")
    if keys["cluster"] is not None:
        require_cluster(keys["cluster"])
    with tempfile.TemporaryDirectory(prefix="carcassonne-playtest-") as passing:
        folder = out or Path(passing) / "playtest"
        with closing(_open_store(keys, folder)) as store:
            outcome = _play(store, keys, jobs=jobs, progress=progress)
            if not outcome.is_finished and out is not None:
                words = shlex.join(["carcassonne", "playtest", "--out", str(out), "--resume"])
                click.echo(f"{outcome.note} Go on with:\n{words}", err=True)
                return _INTERRUPTED
            _show(store, outcome, keys, as_json=as_json)
    return 0 if outcome.is_finished else _INTERRUPTED


def _open_store(keys: dict[str, Any], folder: Path) -> LabStore:
    flags = _flags(keys)
    asked = keys["file"] is not None or bool(flags)
    if not keys["resume"]:
        if not asked:
            raise click.UsageError("say what to compare: FILE.toml or --factor NAME=LEVEL,LEVEL")
        design = load_design(keys["file"], flags=flags)
        work_of(design).open().close()  # bots, tiles and measures are there
        if design.until:
            parse_until(design.until).pick([taken.measure for taken in measures_of(design)])
        return LabStore.create(folder, design, _tiles_of(design))
    store = LabStore.resume(folder, _tiles_of)
    try:
        if asked:
            store.require(load_design(keys["file"], flags=flags))
    except BaseException:
        store.close()
        raise
    return store


def _tiles_of(design: Design) -> Any:
    """What the tile sets of a design hold now, as plain data."""
    heads = [record_head(arm.rules, arm.box()) for arm in design.arms]
    return json.loads(json.dumps(heads))


def _flags(keys: dict[str, Any]) -> dict[str, Any]:
    """The flags that were given, in the form of the file."""
    plain = ("title", "games", "seed", "players", "until")
    flags = {name: keys[name] for name in plain if keys[name] is not None}
    codes, files = split_bots(keys["bots_or_files"])
    if codes or keys["bots"]:
        flags["bots"] = [*codes, *keys["bots"]]
    if files:
        flags["bot_files"] = files
    flags |= read_rule_flags(keys)
    if keys["factors"]:
        flags["factors"] = _factors(keys["factors"])
    if keys["measures"]:
        flags["measures"] = [str(path) for path in keys["measures"]]
    return flags


def _factors(texts: tuple[str, ...]) -> dict[str, list[object]]:
    """The factors that flags describe, each once."""
    found: dict[str, list[object]] = {}
    for text in texts:
        name, levels = parse_factor(text)
        if name in found:
            raise click.UsageError(
                f"--factor {name} is given twice: write all its levels into one, {name}=LEVEL,…"
            )
        found[name] = levels
    return found


def _play(store: LabStore, keys: dict[str, Any], *, jobs: int, progress: bool) -> Outcome:
    with (
        _Bar(store.design.games, shown=progress) as bar,
        Interrupts(bar.note) as interrupts,
    ):
        return run_playtest(
            store,
            lambda: make_executor(
                work_of(store.design),
                jobs=jobs,
                cluster=keys["cluster"],
                on_note=bar.note,
                what="stack order",
            ),
            bar,
            is_interrupted=lambda: interrupts.pressed,
            seconds=keys["seconds"],
        )


def _show(store: LabStore, outcome: Outcome, keys: dict[str, Any], *, as_json: bool) -> None:
    """Write and print what came out."""
    report: Path | None = keys["report"]
    results = Results(store.design, outcome.statistics, notes=[outcome.note])
    written = _export(store, results, keys)
    if report is not None:
        try:
            _report(store, outcome, report)
        except OSError as error:
            raise FolderError(f"{report}: can't be written: {error.strerror or error}") from None
        written.append(report)
    if as_json:
        click.echo(json.dumps(results.to_data(), indent=1, ensure_ascii=False))
        return
    print_summary(results, Console(highlight=False))
    for path in written:
        click.echo(f"{path}: written")


def _report(store: LabStore, outcome: Outcome, report: Path) -> None:
    """Write the report and the replays beside it."""
    from carcassonne.playtest.report import write_report  # noqa: PLC0415

    measures = list(outcome.statistics.measures)
    names = [measure.name for measure in measures]
    histogram = outcome.statistics.arms[0].histograms[names.index("winning_score")]
    chosen = choose_examples(store.rows(), measures, histogram.median)
    examples = save_examples(
        store.design, chosen, report.absolute().with_name(f"{report.stem}-games")
    )
    write_report(Results(store.design, outcome.statistics, examples, [outcome.note]), report)


def _export(store: LabStore, results: Results, keys: dict[str, Any]) -> list[Path]:
    from carcassonne.playtest.export import Exporter  # noqa: PLC0415

    written: list[Path] = []
    for form in ("csv", "parquet"):
        folder: Path | None = keys[form]
        if folder is not None:
            with Exporter(folder, results.design, results.measures, form) as exporter:
                exporter.add(store.rows())
                written += exporter.close()
    return written


class _Bar:
    """A progress bar with the time left, on a terminal; nothing anywhere else."""

    def __init__(self, units: int, *, shown: bool) -> None:
        self._console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("stack orders"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[games]:,} games"), TimeRemainingColumn(),
            console=self._console, transient=True, disable=not shown,
        )  # fmt: skip
        self._task = self._progress.add_task("", total=units, games=0)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, units: int, games: int) -> None:
        """So many whole units and games are saved."""
        self._progress.update(self._task, completed=units, games=games)

    def note(self, text: str) -> None:
        """Print a sentence above the bar."""
        self._console.print(text, style="yellow", highlight=False)
