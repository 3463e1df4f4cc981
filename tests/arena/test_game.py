"""Single games: records, notation, verdicts, clocks and what is random about them."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from carcassonne import Game, Rules
from carcassonne.arena import game as arena_game
from carcassonne.arena.game import Played, Referee
from carcassonne.arena.notation import Scribe
from carcassonne.bots.random_bot import RandomBot
from carcassonne.core import layout
from carcassonne.core.game import CoreGame
from carcassonne.core.tables import CapacityError
from carcassonne.record import game_from_record, record_of
from carcassonne.tiles import DEFAULT_SETS
from tests.arena.helpers import reading, tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.arena.config import Entrant
    from carcassonne.bots import Roster
    from carcassonne.bots.base import AnyGame
    from carcassonne.moves import Move

STACK = ("BA/C", "BB/LCFc", "BA/C", "BA/Rr", "BA/CRr", "BA/RFr", "BB/CFR!", "BB/F.b", "BA/C") * 6


class Answers:
    """A bot of the user's own, that answers with a function."""

    name = "answers"

    def __init__(self, answer: Callable[[AnyGame], Any]) -> None:
        self._answer = answer

    def choose(self, game: AnyGame) -> Move:
        """Answer."""
        return self._answer(game)  # type: ignore[no-any-return]


class Follows(Answers):
    """The same, which follows the events and has to be closed."""

    def __init__(self, answer: Callable[[AnyGame], Any]) -> None:
        super().__init__(answer)
        self.told: list[str] = []
        self.seeds: list[int] = []
        self.closed = 0

    def begin(self, game: Game, player: str, clock: object) -> None:
        self.told.append(f"begin {player}")

    def tell(self, player: str, move: Move, events: object) -> None:
        self.told.append(f"{player} {move}")

    def finish(self, scores: dict[str, int]) -> None:
        self.told.append(f"finish {scores}")

    def reseed(self, seed: int) -> None:
        self.seeds.append(seed)

    def close(self) -> None:
        self.closed += 1


def first(game: AnyGame) -> Move:
    """The first legal move."""
    return game.legal_moves()[0]


def record(played: Played) -> dict[str, Any]:
    """The record of a line."""
    data = msgspec.json.decode(played.line)
    assert list(data) == ["game", "unit", "turn", "verdict", "record"]
    found: dict[str, Any] = data["record"]
    return found


def with_bot(monkeypatch: pytest.MonkeyPatch, bot: object) -> None:
    """Let the entrant `mine` be this bot."""

    def make(entrant: Entrant, seed: int, roster: Roster) -> object:
        return bot if entrant.name == "mine" else roster.make(entrant.code, seed=seed)

    monkeypatch.setattr(arena_game, "make_entrant", make)


MINE = {"bots": ["random", {"code": "random", "name": "mine"}], "games": 4}


# ------------------------------------------------------------------------------ notation


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(bazaar_mode="draft", bridge_max_per_tile=2, castle_same_turn=True)],
    ids=["auction", "draft"],
)
def test_texts_are_those_of_decode(players: int, rules: Rules) -> None:
    kinds = set()
    names = tuple("ABCDEF")[:players]
    scribes: dict[int, Scribe] = {}
    for seed in range(16):
        stack = list(STACK)
        random.Random(seed).shuffle(stack)
        game = CoreGame.new(names, rules=rules, stack=stack if seed % 2 else None, seed=seed)
        scribe = scribes.setdefault(seed % 2, Scribe(game.tables))
        rng = random.Random(seed)
        expected = []
        scribe.begin()
        while not game.is_over:
            move = rng.choice(game.move_numbers())
            expected.append(str(game.decode(move)))
            kinds.add(expected[-1].split()[0])
            scribe.note(game, game.engine.number(layout.PHASE), move)
            game.play_number(move)
        assert scribe.texts(game) == expected
        assert [str(move) for move in game.moves()] == expected
    bazaar = {"choose", "bid", "buy", "sell"} if rules.bazaar_mode == "auction" else {"take"}
    assert {"place", "bridge", "meeple", "pass", "castle", *bazaar} <= kinds


# ------------------------------------------------------------------------------ records


@pytest.mark.parametrize("sets", [DEFAULT_SETS[:1], DEFAULT_SETS], ids=["base", "expansion"])
@pytest.mark.parametrize("players", [2, 3])
def test_records_are_those_of_the_model(sets: tuple[str, ...], players: int) -> None:
    read = reading(bots=["random"] * players, players=players, tile_sets=list(sets), games=6)
    referee = Referee(read.tournament)
    stacks = set()
    for task in tasks_of(read.tournament):
        played = referee.play(task)
        data = record(played)
        game = game_from_record(data)
        assert record_of(game) == data
        assert list(record_of(game)) == list(data)
        assert tuple(game.scores.values()) == played.result.points
        assert game.players == played.result.bots
        assert len(game.moves) == played.result.moves
        assert len(played.seconds) == players
        assert 0 < sum(played.seconds) <= played.took
        stacks.add((task.deal, tuple(data["stack"])))
    assert len(stacks) == 6 // players


def test_a_game_too_large_for_the_core_is_played_on_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = reading(games=2, tile_counts={"BA/RFr": 1, "BA/C": 1, "BA/L": 0})
    on_core = [Referee(read.tournament).play(task).result for task in tasks_of(read.tournament)]

    def refuse(*_: object) -> None:
        raise CapacityError("no room")

    monkeypatch.setattr(arena_game, "Dealer", refuse)
    referee = Referee(read.tournament)
    played = [referee.play(task) for task in tasks_of(read.tournament)]
    assert [game.result.bots for game in played] == [result.bots for result in on_core]
    for game in played:
        assert record_of(game_from_record(record(game))) == record(game)


def test_the_order_of_playing_changes_nothing() -> None:
    read = reading(bots=["random", "random", "random"], games=4)
    tasks = tasks_of(read.tournament)
    forwards = {task: Referee(read.tournament).play(task) for task in tasks}
    referee = Referee(read.tournament)
    for task in tasks[::-1]:
        again = referee.play(task)
        assert (again.result, again.line) == (forwards[task].result, forwards[task].line)
    assert len({game.line.partition(b'"moves"')[2] for game in forwards.values()}) == len(tasks)


# ------------------------------------------------------------------------------ verdicts


def late(game: AnyGame) -> Move:
    time.sleep(0.03)
    return first(game)


def crash(game: AnyGame) -> Move:
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize("kind", [Answers, Follows], ids=["core", "model"])
@pytest.mark.parametrize(
    ("answer", "verdict", "time_"),
    [
        (crash, "crash", None),
        (lambda _: "jump", "illegal move", None),
        (late, "timeout", {"move": 0.01}),
    ],
)
def test_faults_forfeit_by_seat(
    monkeypatch: pytest.MonkeyPatch,
    kind: type[Answers],
    answer: Callable[[AnyGame], Any],
    verdict: str,
    time_: dict[str, float] | None,
) -> None:
    with_bot(monkeypatch, kind(answer))
    read = reading(**MINE, time=time_)
    referee = Referee(read.tournament)
    for task in tasks_of(read.tournament):
        played = referee.play(task)
        assert (played.result.verdict, played.result.culprit) == (verdict, 1 - task.turn)
        assert played.result.bots[1 - task.turn] == "mine"
        assert played.message
        assert not game_from_record(record(played)).is_over


@pytest.mark.parametrize("kind", [Answers, Follows], ids=["core", "model"])
def test_default_moves_are_counted_by_seat(
    monkeypatch: pytest.MonkeyPatch, kind: type[Answers]
) -> None:
    with_bot(monkeypatch, kind(crash))
    read = reading(**MINE, on_error="default-move")
    referee = Referee(read.tournament)
    for task in tasks_of(read.tournament):
        result = referee.play(task).result
        assert (result.verdict, result.culprit) == ("normal", None)
        assert result.defaulted[1 - task.turn] > 20
        assert result.defaulted[task.turn] == 0


@pytest.mark.parametrize("on_error", ["forfeit", "default-move"])
def test_a_built_in_bot_that_breaks_forfeits_too(
    monkeypatch: pytest.MonkeyPatch, on_error: str
) -> None:
    asked = []

    def choose(bot: RandomBot, game: CoreGame) -> int:
        asked.append(bot)
        if len(asked) == 50:
            raise ZeroDivisionError("by zero")
        return game.move_numbers()[-1]

    monkeypatch.setattr(RandomBot, "choose_number", choose)
    read = reading(games=2, on_error=on_error)
    played = Referee(read.tournament).play(tasks_of(read.tournament)[0])
    game = game_from_record(record(played))
    if on_error == "forfeit":
        assert (played.result.verdict, played.message) == ("crash", "ZeroDivisionError: by zero")
        assert played.result.moves == len(game.moves) == 49
        assert game.decision is not None
        assert game.decision.player == played.result.bots[played.result.culprit or 0]
    else:
        assert (played.result.verdict, sum(played.result.defaulted)) == ("normal", 1)
        assert game.is_over


def test_time_is_kept_for_built_in_bots_too() -> None:
    read = reading(bots=["random", "greedy"], games=2, time={"game": 1e-5})
    played = Referee(read.tournament).play(tasks_of(read.tournament)[0])
    assert played.result.verdict == "timeout"
    assert "for the game" in played.message


def test_own_bots_see_shuffled_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def peek(game: AnyGame) -> Move:
        seen.append(game.stack)
        return first(game)

    with_bot(monkeypatch, Answers(peek))
    read = reading(**MINE)
    played = Referee(read.tournament).play(tasks_of(read.tournament)[0])
    assert played.result.verdict == "normal"
    assert tuple(record(played)["stack"]) not in seen[:20]


def test_a_kept_bot_that_has_failed_begins_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Follows(crash)
    with_bot(monkeypatch, bot)
    read = reading(**MINE)
    referee = Referee(read.tournament)
    for count, task in enumerate(tasks_of(read.tournament), 1):
        assert referee.play(task).result.verdict == "crash"
        assert bot.closed == count
    assert bot.seeds == []
    referee.close()
    assert bot.closed == 4


def test_a_bot_that_must_be_closed_is_kept_and_told_its_seeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = Follows(first)
    with_bot(monkeypatch, bot)
    read = reading(**MINE)
    referee = Referee(read.tournament)
    tasks = tasks_of(read.tournament)
    for task in tasks:
        referee.play(task)
    assert len(set(bot.seeds)) == len(tasks) - 1
    assert bot.closed == 0
    referee.close()
    assert bot.closed == 1
    assert sum(text.startswith("begin mine") for text in bot.told) == len(tasks)
    assert sum(text.startswith("finish") for text in bot.told) == len(tasks)
