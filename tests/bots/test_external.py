"""Bots that are commands: those that behave, and one mock for each way not to."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game, Rules
from carcassonne.bots import Bot, BotError, make_bot, protocol
from carcassonne.bots.base import BotFault, Listener
from carcassonne.bots.clock import Clock, TimeControl
from carcassonne.bots.external import Ending, ExternalBot, close_all
from carcassonne.bots.play import play_out
from carcassonne.bots.process import MOST_UNREAD, ChildProcess
from carcassonne.bots.wards import wards
from carcassonne.core.game import CoreGame
from carcassonne.moves import Move
from carcassonne.record import game_from_record, record_of
from tests.strategies import examples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROOT = Path(__file__).parents[2]
MOCKS = Path(__file__).parent / "mocks"
EXAMPLE = [sys.executable, "-S", str(ROOT / "examples" / "bot.py")]
STACK = ["BA/L", "BA/LR", "BA/Rr", "BA/RFr", "BA/RRR", "BA/C"] * 2


class Mock(NamedTuple):
    """What a mock must come to: verdict, words of the message, its options, its clock."""

    verdict: str
    words: str
    options: Mapping[str, Any] = MappingProxyType({})
    seconds: float | None = None


FAULTY = {
    "crash_at_start": Mock("crash", "it exited with code 1; it wrote: no licence found"),
    "crash_mid_game": Mock("crash", "it exited with code 1; it wrote: ZeroDivisionError"),
    "exit_mid_game": Mock("crash", "it exited with code 0"),
    "stall_at_start": Mock("timeout", "it has 0.3 s to start", {"startup": 0.3}),
    "stall": Mock("timeout", "it gave no answer in time (it has 0.3 s for a move)", seconds=0.3),
    "stall_hard": Mock("timeout", "without a clock the limit is 0.3 s", {"patience": 0.3}),
    "late_flood": Mock("timeout", "it gave no answer in time", seconds=0.3),
    "never_reads": Mock("timeout", "it gave no answer in time", seconds=0.3),
    "garbage": Mock("garbage", "'I play place BA/L"),
    "wrong_type": Mock("garbage", "Expected `str`, got `int`"),
    "wrong_id": Mock("garbage", "it answered question 2, not question 1"),
    "binary_garbage": Mock("garbage", "is no answer like"),
    "endless_line": Mock("flood", "over 64 KiB"),
    "gigabytes_stdout": Mock("flood", "a line that nobody asked for"),
    "gigabytes_stderr": Mock("flood", "4 MiB to its standard error"),
    "speaks_out_of_turn": Mock("flood", "a line that nobody asked for: 'noted'"),
    "illegal_move": Mock("illegal move", "R-BASE-5"),
    "closes_stdin": Mock("crash", "it closed its standard input"),
    "closes_stdin_late": Mock("crash", "it closed its standard input"),
    "closes_stdout": Mock("crash", "it closed its standard output"),
    "forks": Mock("crash", "it exited with code 7"),
    "memory_hog": Mock("crash", "MemoryError", {"memory": 256}),
    "cpu_hog": Mock("timeout", "it used up its 1 s of processor time", {"cpu": 1}),
}
HARMLESS = ("good", "chatty", "ignores_quit", "leaves_group", "last_words")


def mock_command(name: str, token: str = "") -> list[str]:
    """The command of a mock; a token makes its processes known from all others."""
    return [sys.executable, "-S", str(MOCKS / f"{name}.py"), token]


def short_game(**options: Any) -> Game:
    """A game of a dozen tiles."""
    return Game.new(["A", "B"], stack=STACK, **options)


def alive(token: str) -> list[str]:
    """Processes with a token among their arguments, zombies aside (they have none)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if token.encode() in words:
            found.append(path.parent.name)
    return found


def open_files() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - Path.iterdir keeps one open longer


@pytest.fixture
def token(tmp_path: Path) -> Iterator[str]:
    """An argument for the processes of a test, none of which may be left after it."""
    wards().new_mark()  # this process keeps the pipe to its reaper
    files = open_files()
    yield str(tmp_path)
    deadline = time.monotonic() + 10
    while alive(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.01)  # a kill takes a moment to be carried out
    assert alive(str(tmp_path)) == []
    assert open_files() == files


def play_mock(name: str, token: str, on_error: Literal["forfeit", "default-move"]) -> Any:
    """A game against a mock: its record after loading it again, the outcome, and the bot."""
    mock = FAULTY.get(name, Mock("normal", ""))
    game = short_game()
    clocks = {"B": Clock(TimeControl(move=mock.seconds))} if mock.seconds else {}
    options = {"quit_grace": 0.2, **mock.options}
    with ExternalBot(mock_command(name, token), name=name, **options) as bot:
        bots: dict[str, Bot] = {"A": make_bot("random", seed=1), "B": bot}
        outcome = play_out(game, bots, on_error=on_error, clocks=clocks)
    assert game_from_record(record_of(game)).fingerprint() == game.fingerprint()
    return game, outcome


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_costs_the_game_by_its_verdict(name: str, token: str) -> None:
    started = time.monotonic()
    game, outcome = play_mock(name, token, "forfeit")
    assert (outcome.verdict, outcome.culprit) == (FAULTY[name].verdict, "B")
    assert FAULTY[name].words in outcome.message
    assert "\n" not in outcome.message
    assert outcome.winners == ("A",)
    assert outcome.moves == len(game.moves)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("name", FAULTY)
def test_with_default_moves_the_game_goes_on_without_it(name: str, token: str) -> None:
    started = time.monotonic()
    game, outcome = play_mock(name, token, "default-move")
    assert game.is_over
    assert outcome.verdict == "normal"
    assert len(outcome.faults) > 3
    assert {(fault.player, fault.verdict) for fault in outcome.faults} == {
        ("B", FAULTY[name].verdict)
    }
    assert FAULTY[name].words in outcome.faults[0].message
    assert time.monotonic() - started < 30  # a stall is waited for once, not at each decision


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_fault(name: str, token: str) -> None:
    game, outcome = play_mock(name, token, "forfeit")
    assert (outcome.verdict, outcome.faults) == ("normal", ())
    assert game.is_over


def test_there_is_a_mock_for_each_file() -> None:
    names = {path.stem for path in MOCKS.glob("*.py")} - {"_good"}
    assert names == {*FAULTY, *HARMLESS}


def test_a_missing_command_is_a_crash() -> None:
    outcome = play_out(short_game(), [ExternalBot("no-such-bot -x"), make_bot("random")])
    assert outcome.verdict == "crash"
    assert outcome.message == "it can't be started: there is no command 'no-such-bot'"


@pytest.mark.parametrize(("mode", "words"), [(0o644, "is not executable"), (0o755, "Exec format")])
def test_a_file_that_is_no_program_is_a_crash(tmp_path: Path, mode: int, words: str) -> None:
    (tmp_path / "bot").write_text("no program")
    (tmp_path / "bot").chmod(mode)
    outcome = play_out(short_game(), [ExternalBot([str(tmp_path / "bot")]), make_bot("random")])
    assert outcome.verdict == "crash"
    assert "it can't be started" in outcome.message
    assert words in outcome.message


# ------------------------------------------------------------------------------ those that behave


def test_the_example_beats_random_bots(token: str) -> None:
    """One process serves several games."""
    points = [0, 0]
    with ExternalBot([*EXAMPLE, token], seed=5) as bot:
        for seed in range(3):
            game = Game.new(["A", "B"], seed=seed, rules=Rules(bazaar_mode="off"))
            bots = [bot, make_bot("random", seed=seed)]
            outcome = play_out(game, bots if seed % 2 == 0 else bots[::-1])
            assert outcome.verdict == "normal", outcome.message
            points[0] += game.scores["AB"[seed % 2]]
            points[1] += game.scores["BA"[seed % 2]]
        assert len(alive(token)) == 1
        assert bot.about == protocol.HelloAnswer("counter", "1.0")
        ending = bot.close()
    assert ending == Ending(left=True, code=0)
    assert points[0] > 1.5 * points[1]


def test_the_example_knows_every_rule(token: str) -> None:
    """Six seats; markets, castles and bridges in plenty."""
    rules = Rules(castles_per_player=5, bridges_per_player=5, bazaar_max_bid=3)
    names = ["A", "B", "C", "D", "E", "F"]
    game = Game.new(names, seed=3, rules=rules)
    bots: dict[str, Bot] = {name: make_bot("random", seed=ord(name)) for name in names[1:]}
    with ExternalBot([*EXAMPLE, token]) as bot:
        outcome = play_out(game, {"A": bot, **bots})
        assert (outcome.verdict, bot.stderr_tail) == ("normal", [])


def test_the_same_seed_plays_the_same_game(token: str) -> None:
    records = []
    for _ in range(2):
        with ExternalBot([*EXAMPLE, token]) as one, ExternalBot([*EXAMPLE, token]) as two:
            game = short_game()
            play_out(game, [one, two])
            records.append(record_of(game))
    assert records[0] == records[1]


@pytest.mark.system
def test_a_bot_in_javascript(token: str) -> None:
    """The README's other language; needs node."""
    script = str(Path(__file__).parent / "bot.js")
    node = shutil.which("node")
    assert node, "install node to run this test"
    with ExternalBot([node, script, token], seed=2) as bot:
        for seed in (1, 2):
            game = Game.new(["A", "B"], seed=seed)
            outcome = play_out(game, [bot, make_bot("random", seed=1)])
            assert outcome.verdict == "normal", outcome.message
        assert bot.close() == Ending(left=True, code=0)


def test_a_broken_bot_is_started_afresh_for_the_next_game(token: str) -> None:
    with ExternalBot(mock_command("crash_mid_game", token)) as bot:
        for _ in range(2):
            outcome = play_out(short_game(), [bot, make_bot("random")])
            assert outcome.verdict == "crash"
            assert outcome.faults[0].move > 1


def test_a_bot_that_never_starts_is_not_tried_for_ever(token: str) -> None:
    sent: list[str] = []

    def count(way: str, line: bytes) -> None:
        sent.append(way)

    with ExternalBot(mock_command("crash_at_start", token), trace=count) as bot:
        for _ in range(6):
            outcome = play_out(short_game(), [bot, make_bot("random")])
            assert outcome.verdict == "crash"
    assert len(sent) == 3
    assert "it failed to start 3 times" in outcome.message


def test_an_illegal_move_keeps_the_process(token: str) -> None:
    """It is in step: its answer has come."""
    with ExternalBot(mock_command("illegal_move", token)) as bot:
        play_out(short_game(), [bot, make_bot("random")], on_error="default-move")
        assert len(alive(token)) == 1


def test_a_bot_that_ignores_quit_is_waited_for_once(token: str) -> None:
    started = time.monotonic()
    bot = ExternalBot(mock_command("ignores_quit", token), quit_grace=0.5)
    for _ in range(2):
        play_out(short_game(), [bot, make_bot("random")])
        ending = bot.close()
        assert ending is not None
        assert ending == Ending(left=False, code=-9)
    assert bot.close() is None
    assert time.monotonic() - started < 30


def test_bots_that_ignore_quit_are_waited_for_together(token: str) -> None:
    bots = [ExternalBot(mock_command("ignores_quit", token), quit_grace=1.5) for _ in range(4)]
    for bot in bots:
        bot.start()
    started = time.monotonic()
    close_all(bots)
    assert alive(token) == []
    assert time.monotonic() - started < 5  # one by one it would be 7.2 seconds


def test_bots_can_be_closed_without_waiting(token: str) -> None:
    bots = [ExternalBot(mock_command("ignores_quit", token), quit_grace=60) for _ in range(2)]
    for bot in bots:
        bot.start()
    started = time.monotonic()
    close_all(bots, at_once=True)
    assert alive(token) == []
    assert time.monotonic() - started < 30


KEEPER = """
import os, sys, time
sys.path.insert(0, {root!r})
from carcassonne import Game
from carcassonne.bots import make_bot
from carcassonne.bots.external import ExternalBot
from carcassonne.bots.play import play_out
bots = [ExternalBot({command!r}), ExternalBot({command!r})]
play_out(Game.new(["A", "B"], stack={stack!r}), bots)
if {fork}:
    if os.fork() == 0:
        time.sleep(20)  # it holds the pipe to the reaper open
print("played", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("fork", [False, True])
def test_bots_end_with_a_killed_keeper(token: str, *, fork: bool) -> None:
    command = mock_command("leaves_group", token)
    script = KEEPER.format(root=str(ROOT), command=command, stack=STACK, fork=fork)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as keeper:  # noqa: S603
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == b"played\n"
        assert len(alive(token)) == 14  # two bots, six children, six in groups of their own
        keeper.kill()
        keeper.stdout.close()
    # the fixture sees them go


def test_a_killed_reaper_is_replaced(token: str) -> None:
    with ExternalBot(mock_command("good", token)) as one:
        one.start()
        keep = wards()
        first = keep.reaper
        assert first is not None
        os.kill(first, signal.SIGKILL)
        until = time.monotonic() + 10
        while keep.reaper == first and time.monotonic() < until:
            time.sleep(0.01)
        with ExternalBot(mock_command("good", token)) as two:
            two.start()
            assert keep.reaper not in (None, first)


def test_a_forgotten_bot_is_ended_with_its_keeper(token: str) -> None:
    bot = ExternalBot(mock_command("stall_hard", token))
    bot.start()
    assert len(alive(token)) == 1
    del bot


def test_ctrl_c_does_not_wait_for_a_bot(token: str) -> None:
    started = time.monotonic()

    def interrupted() -> None:
        with ExternalBot(mock_command("ignores_quit", token), quit_grace=60) as bot:
            bot.start()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - started < 30


def test_writing_to_a_deaf_bot_never_blocks(token: str) -> None:
    """What it leaves unread is bounded."""
    child = ChildProcess(mock_command("stall_at_start", token))
    for _ in range(40):
        child.send(b"x" * (MOST_UNREAD // 20))
    with pytest.raises(BotFault, match="doesn't read its input") as fault:
        child.ask(b"well?", time.perf_counter() + 60)
    assert fault.value.verdict == "timeout"
    child.end(0)


def test_a_processor_limit_is_for_each_game(token: str) -> None:
    """So each game has a process of its own."""
    hellos: list[bytes] = []

    def note(way: str, line: bytes) -> None:
        if b'"hello"' in line:
            hellos.append(line)

    with ExternalBot(mock_command("good", token), cpu=60, memory=512, trace=note) as bot:
        for _ in range(2):
            assert play_out(short_game(), [bot, make_bot("random")]).verdict == "normal"
            assert alive(token) == []
    assert len(hellos) == 2


# ------------------------------------------------------------------------------ at the table


def test_it_is_a_listener_of_the_model() -> None:
    bot = ExternalBot("true", name="t")
    assert isinstance(bot, Listener)
    assert (bot.name, repr(bot)) == ("t", "<ExternalBot: t>")
    with pytest.raises(BotError, match="it needs the model"):
        play_out(CoreGame.new(["A", "B"]), [bot, make_bot("random")])
    with pytest.raises(BotError, match="needs a game on the model"):
        bot.choose(CoreGame.new(["A", "B"]))


def test_one_bot_at_two_seats_is_refused() -> None:
    bot = ExternalBot("no-such-bot")
    with pytest.raises(BotError, match="make one for each"):
        play_out(short_game(), [bot, bot])


def test_it_can_be_asked_outside_a_game(token: str) -> None:
    """It is told the table first, whatever is open."""
    game = Game.new(["A", "B"], seed=2)
    rng = random.Random(2)
    with ExternalBot([*EXAMPLE, token]) as bot:
        for _ in range(40):
            assert bot.choose(game) in game.legal_moves()
            game.play(rng.choice(game.legal_moves()))


BAD_OPTIONS: list[dict[str, Any]] = [
    {"command": ""},
    {"command": "bot 'unclosed"},
    {"command": []},
    {"command": "bot", "memory": 1},
    {"command": "bot", "memory": "2"},
    {"command": "bot", "cpu": 0},
    {"command": "bot", "cpu": 1.5},
    {"command": "bot", "startup": 0},
    {"command": "bot", "patience": float("nan")},
    {"command": "bot", "quit_grace": True},
]


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_bad_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(BotError, match=[*options][-1]):
        ExternalBot(**options)


# ------------------------------------------------------------------------------ what is sent


def sent_in(game: Game, token: str) -> list[bytes]:
    """All lines that a bot is sent in a game that it plays by first moves on both seats."""
    lines: list[bytes] = []

    def note(way: str, line: bytes) -> None:
        if way == "sent":
            lines.append(line)

    with (
        ExternalBot(mock_command("good", token), trace=note) as bot,
        ExternalBot(mock_command("good", token)) as other,
    ):
        assert play_out(game, [bot, other]).verdict == "normal"
    return lines


def keys_of(data: object) -> set[str]:
    """Every key in nested data."""
    if isinstance(data, dict):
        return {*data, *(key for value in data.values() for key in keys_of(value))}
    return {key for item in data for key in keys_of(item)} if isinstance(data, list) else set()


@pytest.mark.parametrize("moves", [0, 31])
def test_the_order_of_the_stack_is_not_told(moves: int, token: str) -> None:
    """Games that differ in it alone send the same bytes until a tile is revealed."""
    first = Game.new(["A", "B"], seed=11)
    rng = random.Random(11)
    for _ in range(moves):
        first.play(rng.choice(first.legal_moves()))
    second = first.shuffled(random.Random(5))
    assert first.stack != second.stack
    lines = [sent_in(game, token) for game in (first, second)]
    same = next(n for n, (a, b) in enumerate(zip(*lines, strict=False)) if a != b)
    messages = [json.loads(one[same]) for one in lines]
    assert {message["type"] for message in messages} == {"event"}
    assert messages[0]["move"] == messages[1]["move"]
    for a, b in zip(*(message["details"] for message in messages), strict=False):
        if a != b:
            assert {a["event"], b["event"]} <= {"TileDrawn", "MarketOpened"}
            break
    else:
        pytest.fail("the events differ, but none of them")
    for line in lines[0]:
        assert not {"stack", "given"} & keys_of(json.loads(line))


def test_the_seed_of_a_bot_tells_nothing_of_another() -> None:
    """It is not the number that the bot was made with, which others may share."""
    sent: list[bytes] = []
    command = mock_command("good")
    with ExternalBot(command, seed=7, trace=lambda *entry: sent.append(entry[1])) as bot:
        bot.begin(short_game(), "A", None)
    told = json.loads(sent[2])["seed"]
    assert told != 7
    assert 0 <= told < 2**48


def test_new_game_says_all_that_is_known() -> None:
    game = Game.new(["A", "B"], seed=11, tile_counts={"BA/L": 2})
    rng = random.Random(3)
    while not game.in_round:
        game.play(rng.choice(game.legal_moves()))
    clock = Clock(TimeControl(move=2, game=60, increment=1))
    line = protocol.encode(protocol.new_game_message(game, "B", clock, number=4, seed=9))
    message = json.loads(line)
    assert message["type"] == "new_game"
    assert line.startswith(b'{"type":"new_game",')
    assert message["rules"] == game.rules.to_data()
    assert [one["name"] for one in message["tile_sets"]] == ["base", "bridges_castles_bazaars"]
    assert message["tile_sets"][0]["copies"] == 1
    assert message["tile_counts"]["BA/L"] == 2
    assert (message["players"], message["seat"], message["player"]) == (["A", "B"], 1, "B")
    assert message["clock"] == {"move": 2, "game": 60, "increment": 1}
    table = message["table"]
    assert len(table["tiles"]) == len(game.tiles)
    assert table["on_offer"] == list(game.on_offer)
    assert table["scores"] == game.scores
    assert table["supply"] == game.supply
    assert list(table["unseen"]) == sorted(table["unseen"])
    assert sum(table["unseen"].values()) == game.stack_left


def test_every_key_is_written_down() -> None:
    """The page on the protocol names each message, each key and each event."""
    text = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
    game = Game.new(["A", "B"])
    words = {protocol.PROTOCOL}
    for message in (
        protocol.Hello("1"),
        protocol.new_game_message(game, "A", None, number=1, seed=1),
        protocol.EventMessage("A", "pass", []),
        protocol.decide_message(game, 1, left=None, game_left=None),
        protocol.GameOverMessage({}),
        protocol.Quit(),
    ):
        data = json.loads(protocol.encode(message))
        words |= {data["type"], *data, *data.get("table", {}), *data.get("decision", {})}
    for event in protocol.EVENTS:
        words |= {event.__name__, *event.__struct_fields__}
    for verdict in ("crash", "illegal move", "timeout", "garbage", "flood"):
        words.add(verdict)
    missing = [
        word for word in sorted(words) if f"`{word}`" not in text and f'"{word}"' not in text
    ]
    assert missing == []


# ------------------------------------------------------------------------------ what comes back

_T = TypeVar("_T")


def result_of(read: Callable[[], _T], verdicts: tuple[str, ...]) -> _T | None:
    """What a parser reads; None for a fault of one of the verdicts, with a message of one line."""
    fault = None
    try:
        return read()
    except BotFault as error:
        fault = error
    assert fault.verdict in verdicts
    assert str(fault).isprintable()
    assert len(str(fault)) < 1000
    return None


answers = (
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["move", "id", "x"]) | st.text(), inner, max_size=4)
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode())
    | st.text(max_size=80).map(lambda text: json.dumps({"move": text}).encode())
    | st.from_regex(r"(place|meeple|bid|choose|castle) [ -~]{0,30}").map(
        lambda text: json.dumps({"move": text, "id": 3}, ensure_ascii=False).encode()
    )
)


@settings(max_examples=examples(300))
@given(line=answers)
def test_any_answer_is_a_move_or_a_named_fault(line: bytes) -> None:
    found = result_of(lambda: protocol.read_answer(line, 3), ("garbage", "illegal move"))
    if found is not None:
        assert Move.parse(str(found)) == found
        assert msgspec.json.decode(line)["move"].split() == str(found).split()


@settings(max_examples=examples(100))
@given(line=answers)
def test_any_hello_is_a_name_or_a_named_fault(line: bytes) -> None:
    found = result_of(lambda: protocol.read_hello(line), ("garbage",))
    if found is not None:
        assert found.name
        assert (found.name + found.version).isprintable()
        assert len(found.name + found.version) <= 120


@pytest.mark.parametrize(
    "line",
    [
        b'{"move": "pass"}',
        b' {"id": 3, "move": "pass", "value": [1.5, null]} \r',
        b'{"move": "pass", "id": null}',
    ],
)
def test_answers_may_say_more(line: bytes) -> None:
    assert str(protocol.read_answer(line, 3)) == "pass"


def test_blanks_around_words_are_no_fault() -> None:
    line = b'{"move": "  place BA/Rr  1,-1 r90 "}'
    assert str(protocol.read_answer(line, 3)) == "place BA/Rr 1,-1 r90"


@pytest.mark.parametrize(
    ("line", "version"),
    [
        (b'{"name": "n"}', ""),
        (b'{"name": "n", "version": null}', ""),
        (b'{"name": "n", "version": 2}', "2"),
        (b'{"name": "n", "version": 1.5}', "1.5"),
        (b'{"name": "n", "version": "1.5b"}', "1.5b"),
    ],
)
def test_a_version_may_be_left_out_or_be_a_number(line: bytes, version: str) -> None:
    assert protocol.read_hello(line) == protocol.HelloAnswer("n", version)


@pytest.mark.parametrize(
    "line",
    [b'{"move": "\\ud800"}', b'{"move": "pass", "x": "\\udc00"}', b'{"move": "\xff"}'],
)
def test_what_is_no_text_is_said_to_be(line: bytes) -> None:
    with pytest.raises(BotFault, match="it is not valid Unicode") as fault:
        protocol.read_answer(line, 3)
    assert fault.value.verdict == "garbage"


@pytest.mark.parametrize("line", [b"[" * 60_000, b'{"move":' * 8000, b'{"move": "\\ud800"}'])
def test_what_breaks_parsers_is_garbage(line: bytes) -> None:
    with pytest.raises(BotFault) as fault:
        protocol.read_answer(line, 3)
    assert fault.value.verdict in ("garbage", "illegal move")


def test_a_bot_that_is_kept_gets_the_seed_of_each_game() -> None:
    """What it is sent depends on the game's seed alone, not on the games before."""
    sent: list[int] = []

    def note(direction: str, line: bytes) -> None:
        data = json.loads(line) if direction == "sent" else {}
        if data.get("type") == "new_game":
            sent.append(data["seed"])

    with ExternalBot(EXAMPLE, seed=3, trace=note) as bot:
        for seed in (3, 4, 3):
            bot.reseed(seed)
            play_out(short_game(), [bot, make_bot("random")])
    assert sent[0] == sent[2] != sent[1]
