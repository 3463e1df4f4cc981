"""`carcassonne bot-check`: what it says of bots that behave, and of each mock that doesn't."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from carcassonne.bots import make_bot
from carcassonne.bots.play import play_out
from carcassonne.bots.trial import BOT, SPARRING, TRIALS, SparringBot
from carcassonne.cli.bot_check import command

if TYPE_CHECKING:
    from click.testing import Result

    from carcassonne.bots import Bot
    from carcassonne.bots.base import AnyGame
    from carcassonne.bots.trial import Trial
    from carcassonne.moves import Move

ROOT = Path(__file__).parents[2]
KINDS = {"place", "bridge", "meeple", "castle", "collect", "choose", "bid", "deal", "take"}


class Witness:
    """A bot that notes the kinds of decision that it was asked."""

    name = "witness"

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.kinds: set[str] = set()

    def choose(self, game: AnyGame) -> Move:
        """Answer as the bot would."""
        assert game.decision is not None
        self.kinds.add(game.decision.kind)
        return self.bot.choose(game)


def check(path: str, *options: str) -> Result:
    """Run the command on a script."""
    words = [sys.executable, "-S", str(ROOT / path)]
    return CliRunner().invoke(command, [shlex.join(words), *options])


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.title)
def test_a_trial_puts_its_decisions_to_any_bot(trial: Trial) -> None:
    bots = [make_bot("greedy"), *(make_bot("random", seed=seed) for seed in range(5))]
    for bot in bots:
        witness = Witness(bot)
        sparring = SparringBot(trial.script)
        outcome = play_out(trial.game(), {BOT: witness, SPARRING: sparring}, trusted=True)
        assert outcome.verdict == "normal", outcome.message
        assert set(trial.kinds) <= witness.kinds


def test_the_trials_have_every_kind_of_decision() -> None:
    assert {kind for trial in TRIALS for kind in trial.kinds} == KINDS


def test_the_example_passes() -> None:
    done = check("examples/bot.py")
    assert done.exit_code == 0, done.output
    assert "✗" not in done.output
    assert "sent" not in done.output
    assert "✓ hello      counter 1.0" in done.output
    assert done.output.endswith("all 10 steps passed\n")


def test_a_command_may_be_written_as_a_code() -> None:
    words = shlex.join([sys.executable, "-S", str(ROOT / "tests/bots/mocks/good.py")])
    done = CliRunner().invoke(command, [f"cmd:{words}"])
    assert done.exit_code == 0, done.output


def test_verbose_shows_what_was_said() -> None:
    done = check("tests/bots/mocks/good.py", "-v")
    assert done.exit_code == 0, done.output
    assert 'sent   {"type":"hello"' in done.output
    assert 'got    {"name": "mock", "version": "1"}' in done.output


def test_json_has_every_step() -> None:
    done = check("tests/bots/mocks/good.py", "--json")
    data = json.loads(done.output)
    assert data["passed"]
    assert {kind for step in data["steps"] for kind in step["decisions"]} == KINDS
    names = [step["name"] for step in data["steps"]]
    assert names == ["start", "hello", *(f"game {n}" for n in range(1, 7)), "quit", "exit code"]


FAILURES: list[tuple[str, tuple[str, ...], str, str]] = [
    ("no_such_file", (), "hello", "crash"),
    ("crash_at_start", (), "hello", "crash"),
    ("crash_mid_game", (), "game 1", "crash"),
    ("stall", ("--time", "0.1"), "game 1", "timeout"),
    ("garbage", (), "game 1", "garbage"),
    ("binary_garbage", (), "game 1", "garbage"),
    ("endless_line", (), "game 1", "flood"),
    ("illegal_move", (), "game 1", "illegal move"),
    ("memory_hog", ("--memory", "256"), "game 1", "crash"),
    ("ignores_quit", (), "quit", "timeout"),
    ("speaks_out_of_turn", (), "game 1", "flood"),
    ("last_words", (), "quit", "flood"),
]


@pytest.mark.parametrize(("name", "options", "step", "verdict"), FAILURES)
def test_what_went_wrong_is_named(
    name: str, options: tuple[str, ...], step: str, verdict: str
) -> None:
    done = check(f"tests/bots/mocks/{name}.py", "--json", *options)
    assert done.exit_code == 1
    steps: list[dict[str, Any]] = json.loads(done.output)["steps"]
    first = next(one for one in steps if not one["passed"])
    assert (first["name"], first["verdict"]) == (step, verdict)
    assert first["sent"].startswith('{"type":')


def test_what_a_bot_wrote_is_printed() -> None:
    done = check("tests/bots/mocks/crash_mid_game.py")
    assert done.exit_code == 1
    assert "✗ game 1     crash: a dozen tiles: it exited with code 1" in done.output
    assert 'sent   {"type":"decide"' in done.output
    assert "got    no answer" in done.output
    assert done.output.count("print(1 // 0)") == 1
    assert done.output.count("stderr as above") == 5
    assert done.output.endswith("6 of 10 steps failed\n")


def test_garbage_is_printed_without_harm() -> None:
    done = check("tests/bots/mocks/binary_garbage.py")
    assert done.exit_code == 1
    assert "\\x08" in done.output
    assert "\x08" not in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bot 'unclosed"], "can't be read"),
        ([""], "must name a program"),
        (["bot", "--time", "nan"], "is no number"),
        (["bot", "--memory", "1"], "--memory"),
    ],
)
def test_wrong_usage_is_one_line(words: list[str], message: str) -> None:
    done = CliRunner().invoke(command, words)
    assert done.exit_code != 0
    assert message in done.output + str(done.exception)


def test_a_missing_command_fails_to_start() -> None:
    done = CliRunner().invoke(command, ["no-such-bot"])
    assert done.exit_code == 1
    assert "✗ start      crash: it can't be started: there is no command 'no-such-bot'" in (
        done.output
    )
