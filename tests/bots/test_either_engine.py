"""The same bots play the same games on the model and on the core."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

import pytest

from carcassonne import Game, Rules
from carcassonne.bots import make_bot
from carcassonne.bots.base import BotError, BotFault, CoreBot
from carcassonne.bots.clock import Clock, TimeControl
from carcassonne.bots.play import play_out
from carcassonne.bots.random_bot import RandomBot
from carcassonne.core import layout
from carcassonne.core.engine import Dice
from carcassonne.core.game import CoreGame
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from carcassonne.bots.base import AnyGame
    from carcassonne.events import Event
    from carcassonne.moves import Move

STACK = ("BA/L", "BA/LR", "BA/C", "MB/Crr", "BA/Rr", "BA/CccR", "BA/RFr", "BA/Cc+", "BA/L") * 3
RULES = [
    Rules(),
    Rules(bazaar_mode="draft", bridge_max_per_tile=2),
    Rules.preset("new_edition"),
    Rules(bazaar_mode="off", castle_multi_choice="max"),
]


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
@pytest.mark.parametrize("players", [2, 3, 6])
def test_greedy_plays_the_same_game_on_either_engine(players: int, rules: Rules) -> None:
    names = tuple("ABCDEF")[:players]
    box = list(Game.new(names, seed=players).stack)[:34]
    games: list[AnyGame] = [
        Game.new(names, rules=rules, stack=box),
        CoreGame.new(names, rules=rules, stack=box),
    ]
    texts: list[list[str]] = [[], []]
    outcomes = []
    for game, moves in zip(games, texts, strict=True):
        bots = [make_bot("greedy", seed=seat) for seat in range(players)]

        def note(
            _: AnyGame, player: str, move: Move, events: tuple[Event, ...], moves: list[str] = moves
        ) -> None:
            moves.append(f"{player} {move}")

        outcomes.append(play_out(game, bots, on_move=note))
    assert texts[0] == texts[1]
    assert outcomes[0] == outcomes[1]
    assert len(texts[0]) > 30


@pytest.mark.parametrize("players", [2, 4])
def test_rolling_a_game_out_is_the_game_that_random_bots_play(players: int) -> None:
    """`roll_out` decides as the bots do one by one, counts what they list, and keeps notes."""
    games = [CoreGame.new(list("ABCDEF"[:players]), seed=7) for _ in range(2)]
    bots = [RandomBot(seed=seat) for seat in range(players)]
    decisions = listed = 0
    while not games[0].is_over:
        listed += games[0].engine.count_moves()
        decisions += 1
        games[0].play_number(bots[games[0].engine.number(layout.DECIDER)].choose_number(games[0]))
    told = games[1].engine.start_notes()
    counts = games[1].engine.roll_out([RandomBot(seed=seat).dice for seat in range(players)])
    assert (counts >> 32, counts & 0xFFFF_FFFF) == (decisions, listed)
    assert games[1].scores == games[0].scores
    assert games[1].tiles == games[0].tiles
    assert len(told) > 80


def test_dice_are_fair_and_their_own() -> None:
    dice, same, other = Dice(5), Dice(5), Dice(6)
    drawn = [dice.below(7) for _ in range(7000)]
    assert drawn == [same.below(7) for _ in range(7000)]
    assert drawn != [other.below(7) for _ in range(7000)]
    assert all(850 < drawn.count(face) < 1150 for face in range(7))
    assert {Dice(seed).below(1) for seed in (0, 2**64 - 1)} == {0}


class Peeks:
    """Plays what it would play if the stack it sees were the true one."""

    name = "peeks"

    def __init__(self) -> None:
        self.seen: list[tuple[str, ...]] = []

    def choose(self, game: AnyGame) -> Move:
        """Look at the order, spoil the game that was handed over, answer the first move."""
        self.seen.append(game.stack)
        move = game.legal_moves()[0]
        game.play(move)
        return move


@pytest.mark.parametrize("trusted", [None, True, False])
def test_the_core_hands_copies_to_bots_that_are_not_its_own(*, trusted: bool | None) -> None:
    game = CoreGame.new(("A", "B"), seed=3)
    truth = game.stack
    peeking = Peeks()
    outcome = play_out(game, [make_bot("random"), peeking], trusted=trusted)
    assert outcome.verdict == "normal"
    assert outcome.scores == game.scores
    assert outcome.moves == game.move_count
    assert len(peeking.seen) > 20
    as_it_is = sum(stack == truth for stack in peeking.seen[:20])
    assert as_it_is == (20 if trusted else 0)


class Wrong:
    """Answers anything but a move of the game, or raises."""

    name = "wrong"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, game: AnyGame) -> Move:
        """Answer what it was made with."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (None, "illegal move"),
        ("jump", "illegal move"),
        ("place BA/L 40,40 r0", "illegal move"),
        (ValueError("no"), "crash"),
        (BotFault("flood", "too much"), "flood"),
    ],
)
@pytest.mark.parametrize("engine", [Game, CoreGame])
def test_faults_have_the_same_verdicts_on_either_engine(
    engine: type[Game | CoreGame], answer: object, verdict: str
) -> None:
    game = engine.new(("A", "B"), seed=1)
    outcome = play_out(game, [make_bot("random"), Wrong(answer)])
    assert (outcome.verdict, outcome.culprit, outcome.winners) == (verdict, "B", ("A",))
    game = engine.new(("A", "B"), seed=1)
    outcome = play_out(game, [make_bot("random"), Wrong(answer)], on_error="default-move")
    assert outcome.verdict == "normal"
    assert {fault.verdict for fault in outcome.faults} == {verdict}
    assert game.is_over


class Ticks:
    """A time that goes on by so many seconds whenever it is asked for."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.parametrize("engine", [Game, CoreGame])
def test_who_takes_too_long_forfeits(engine: type[Game | CoreGame]) -> None:
    bots = [make_bot("random"), make_bot("random")]
    slow = Clock(TimeControl(move=2.0), now=Ticks(3.0))
    quick = Clock(TimeControl(move=2.0), now=Ticks(1.0))
    outcome = play_out(engine.new(("A", "B"), seed=1), bots, clocks={"A": quick, "B": slow})
    assert (outcome.verdict, outcome.culprit) == ("timeout", "B")
    assert "3 seconds" in outcome.message
    assert quick.used > 0


def test_a_game_clock_runs_out_and_increments_help() -> None:
    clock = Clock(TimeControl(game=3.5), now=Ticks(1.0))
    for _ in range(3):
        clock.start()
        assert clock.stop() is None
    clock.start()
    assert clock.left == pytest.approx(0.5 - 1)
    assert "3.5 seconds for the game" in str(clock.stop())
    clock = Clock(TimeControl(game=3.5, increment=1.0), now=Ticks(1.0))
    for _ in range(50):
        clock.start()
        assert clock.stop() is None
    assert clock.game_left == 3.5
    assert Clock(TimeControl()).left is None


@pytest.mark.parametrize(
    "bad",
    [{"move": 0.0}, {"game": -1.0}, {"move": float("nan")}, {"increment": 1.0}],
    ids=str,
)
def test_bad_time_controls_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(CarcassonneError, match="time"):
        TimeControl(**bad)


class Follows(Wrong):
    """A bot that is told what happens."""

    def __init__(self) -> None:
        super().__init__(None)
        self.log: list[str] = []
        self.random = random.Random(1)

    def begin(self, game: Game, player: str, clock: Clock | None) -> None:
        """Note it."""
        self.log.append(f"begin {player}")

    def tell(self, player: str, move: Move, events: tuple[Event, ...]) -> None:
        """Note it."""
        self.log.append(f"{player} {move}")

    def finish(self, scores: dict[str, int]) -> None:
        """Note it."""
        self.log.append(f"finish {sorted(scores)}")

    def choose(self, game: AnyGame) -> Move:
        """Any move."""
        return self.random.choice(game.legal_moves())


def test_listeners_are_told_everything_and_need_the_model() -> None:
    follows = Follows()
    game = Game.new(("A", "B"), seed=1)
    outcome = play_out(game, [follows, make_bot("random")])
    assert follows.log[0] == "begin A"
    assert follows.log[-1] == "finish ['A', 'B']"
    assert len(follows.log) == outcome.moves + 2
    with pytest.raises(BotError, match="needs the model"):
        play_out(CoreGame.new(("A", "B"), seed=1), [follows, make_bot("random")])
    assert isinstance(make_bot("random"), CoreBot)
    assert not isinstance(make_bot("greedy"), CoreBot)


@pytest.mark.parametrize("method", ["begin", "tell", "finish"])
@pytest.mark.parametrize("on_error", ["forfeit", "default-move"])
def test_a_listener_that_breaks_while_it_is_told_something_has_made_a_fault(
    method: str, on_error: Literal["forfeit", "default-move"], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs that bot its game, or its moves; never the program."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    follows = Follows()
    monkeypatch.setattr(follows, method, fail)
    outcome = play_out(
        Game.new(("A", "B"), seed=1), [make_bot("random"), follows], on_error=on_error
    )
    if method == "finish":
        assert outcome.faults == ()
        return
    assert (outcome.verdict, outcome.culprit) == (
        ("crash", "B") if on_error == "forfeit" else ("normal", None)
    )
    assert {(fault.player, fault.verdict) for fault in outcome.faults} == {("B", "crash")}
    assert "ZeroDivisionError: by zero" in outcome.faults[0].message
