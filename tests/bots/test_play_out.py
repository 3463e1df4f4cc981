"""Playing games out: verdicts, default moves, and bots that do what they must not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from carcassonne import Game
from carcassonne.bots import Bot, BotError, make_bot
from carcassonne.bots.play import play_out
from carcassonne.moves import Move, Pass, Place, PutMeeple

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.bots.base import AnyGame
    from carcassonne.events import Event

NAMES = ["A", "B", "C"]


class Answers:
    """A bot that answers with a function."""

    name = "answers"

    def __init__(self, answer: Callable[[Game], Any]) -> None:
        self.answer = answer

    def choose(self, game: AnyGame) -> Move:
        """Answer with the function's result, whatever it is."""
        assert isinstance(game, Game)
        return self.answer(game)  # type: ignore[no-any-return]


class UnwritableMove(Move, frozen=True):
    """A move whose text can't be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def fail(game: Game) -> Move:
    """Raise as a broken bot does."""
    raise ZeroDivisionError("by zero")


def leave(game: Game) -> Move:
    """Try to end the program."""
    raise SystemExit(3)


def short_game(seed: int = 1) -> Game:
    """A game of a dozen tiles."""
    stack = ["BA/L", "BA/LR", "BA/Rr", "BA/RFr", "BA/RRR", "BA/C"] * 2
    return Game.new(NAMES, seed=seed, stack=stack)


def with_bot(answer: Callable[[Game], Any]) -> dict[str, Bot]:
    """Random bots, but for B."""
    bots: dict[str, Bot] = {name: make_bot("random", seed=4) for name in NAMES}
    bots["B"] = Answers(answer)
    return bots


FAULTS: list[tuple[Callable[[Game], Any], str, str]] = [
    (fail, "crash", "ZeroDivisionError: by zero"),
    (leave, "crash", "SystemExit: 3"),
    (lambda _: None, "illegal move", "NoneType"),
    (lambda _: 42, "illegal move", "int"),
    (lambda _: "jump", "illegal move", "'jump' is no move"),
    (lambda _: "place BA/L 40,40 r0", "illegal move", "illegal move"),
    (lambda _: Place("BA/L", (0, 0), 0), "illegal move", "illegal move"),
    (lambda _: Place("BA/L", (0, 0), 9), "illegal move", "bad parts"),
    (lambda _: PutMeeple(17), "illegal move", "is no move"),  # type: ignore[arg-type]
    (lambda _: UnwritableMove(), "illegal move", "bad parts"),
]


def test_a_game_without_faults_ends_normally() -> None:
    game = short_game()
    outcome = play_out(game, [make_bot("random", seed=i) for i in range(3)])
    assert game.is_over
    assert (outcome.verdict, outcome.culprit, outcome.message) == ("normal", None, "")
    assert list(outcome.winners) == game.winners
    assert outcome.scores == game.scores
    assert outcome.moves == len(game.moves)
    assert outcome.faults == ()


@pytest.mark.parametrize(("answer", "verdict", "words"), FAULTS)
def test_a_fault_forfeits_the_game_at_once(
    answer: Callable[[Game], Any], verdict: str, words: str
) -> None:
    game = short_game()
    outcome = play_out(game, with_bot(answer))
    assert not game.is_over
    assert (outcome.verdict, outcome.culprit) == (verdict, "B")
    assert words in outcome.message
    assert outcome.winners == ("A", "C")
    assert len(outcome.faults) == 1
    assert game.decision is not None
    assert game.decision.player == "B"


@pytest.mark.parametrize(("answer", "verdict", "words"), FAULTS)
def test_with_default_moves_the_game_goes_on_and_faults_are_counted(
    answer: Callable[[Game], Any], verdict: str, words: str
) -> None:
    game = short_game()
    first: list[bool] = []

    def judge(game: AnyGame, player: str, move: Move, events: tuple[Event, ...]) -> None:
        if player == "B":
            game.undo()
            first.append(move == game.legal_moves()[0])
            game.play(move)

    outcome = play_out(game, with_bot(answer), on_error="default-move", on_move=judge)
    assert game.is_over
    assert (outcome.verdict, outcome.culprit) == ("normal", None)
    assert list(outcome.winners) == game.winners
    assert len(outcome.faults) == len(first) > 3
    assert all(first)
    assert {(fault.player, fault.verdict) for fault in outcome.faults} == {("B", verdict)}
    assert words in str(outcome.faults[0])


def test_ctrl_c_passes_through() -> None:
    def stop(game: Game) -> Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_out(short_game(), with_bot(stop))


def spoil_by_playing(game: Game) -> Move:
    """Play a few moves on the game that was handed over."""
    for _ in range(3):
        if game.decision is not None:
            game.play(game.legal_moves()[0])
    return Pass()


def spoil_by_taking_back(game: Game) -> Move:
    """Take everything back."""
    game.undo(len(game.moves))
    return Pass()


def spoil_by_stopping(game: Game) -> Move:
    """End the game while winning."""
    if game.decision is not None and game.decision.kind == "place":
        game.stop()
    return Pass()


@pytest.mark.parametrize("spoil", [spoil_by_playing, spoil_by_taking_back, spoil_by_stopping])
@pytest.mark.parametrize("trusted", [False, True])
def test_a_bot_can_t_change_the_game(spoil: Callable[[Game], Move], *, trusted: bool) -> None:
    """Whether it is given a copy or the game itself, afterwards the game is as it was."""
    game = short_game()
    outcome = play_out(game, with_bot(spoil), trusted=trusted)
    twin = short_game()
    for move in game.moves:
        twin.play(move)
    assert outcome.verdict == "illegal move"
    assert outcome.culprit == "B"
    assert twin.fingerprint() == game.fingerprint()
    outcome = play_out(game, with_bot(spoil), trusted=trusted, on_error="default-move")
    assert game.is_over
    assert not game.was_stopped


def test_looking_at_the_stack_tells_a_bot_nothing() -> None:
    """A bot that isn't built in sees shuffled stacks, so it can't know what comes next."""
    seen: list[tuple[str, ...]] = []

    def peek(game: Game) -> Move:
        seen.append(game.stack)
        return game.legal_moves()[0]

    game = Game.new(NAMES, seed=3)
    play_out(game, with_bot(peek))
    assert len(seen) > 20
    assert sum(stack == game.stack for stack in seen[:20]) == 0


def test_a_game_goes_on_from_wherever_it_stands() -> None:
    game = short_game()
    game.play(game.legal_moves()[0])
    assert game.decision is not None
    half = game.decision.kind
    assert half in {"bridge", "meeple"}
    players: list[str] = []
    play_out(
        game,
        [make_bot("greedy") for _ in NAMES],
        on_move=lambda _game, player, _move, _events: players.append(player),
    )
    assert players[0] == "A"
    assert game.is_over


def test_bots_must_match_the_players() -> None:
    game = short_game()
    bot = make_bot("random")
    with pytest.raises(BotError, match="3 players"):
        play_out(game, [bot])
    with pytest.raises(BotError, match="player C has no bot"):
        play_out(game, {"A": bot, "B": bot})
    with pytest.raises(BotError, match="a bot for D"):
        play_out(game, {"A": bot, "B": bot, "C": bot, "D": bot})
    with pytest.raises(BotError, match="on_error"):
        play_out(game, [bot] * 3, on_error="ignore")  # type: ignore[arg-type]
