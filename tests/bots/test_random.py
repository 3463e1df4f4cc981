"""The random bot, and how bots are made from codes."""

from __future__ import annotations

from collections import Counter

import pytest

from carcassonne import Game
from carcassonne.bots import BotError, bot_codes, make_bot
from carcassonne.bots.play import play_out
from carcassonne.errors import CarcassonneError


def played(seed: int, bot_seed: int) -> list[str]:
    """The moves of a game between two random bots."""
    game = Game.new(["A", "B"], seed=seed)
    play_out(game, [make_bot("random", seed=bot_seed), make_bot("random", seed=bot_seed + 1)])
    return [str(move) for move in game.moves]


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    assert played(1, 5) == played(1, 5)
    assert played(1, 5) != played(1, 6)


def test_every_legal_move_is_as_likely_as_any_other() -> None:
    game = Game.new(["A", "B"], stack=["BA/Rr", "BA/L"])
    bot = make_bot("random", seed=3)
    moves = game.legal_moves()
    counts = Counter(str(bot.choose(game)) for _ in range(200 * len(moves)))
    assert set(counts) == {str(move) for move in moves}
    assert min(counts.values()) > 120
    assert max(counts.values()) < 280


def test_choosing_leaves_the_game_as_it_was() -> None:
    game = Game.new(["A", "B", "C"], seed=2)
    bot = make_bot("random")
    for _ in range(60):
        before = game.fingerprint()
        move = bot.choose(game)
        assert game.fingerprint() == before
        game.play(move)


def test_every_code_listed_makes_a_bot_of_that_name() -> None:
    assert {"random", "greedy"} <= set(bot_codes())
    for code, about in bot_codes().items():
        assert about
        if code != "cmd":
            assert make_bot(code, seed=1).name == code
    assert make_bot("cmd:python bot.py:x", seed=1).name == "python bot.py:x"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("gredy", ["'gredy'", "did you mean greedy", "random, greedy"]),
        ("Random", ["'Random'", "did you mean random"]),
        ("", ["''", "random, greedy"]),
        ("zzz", ["'zzz'", "random, greedy"]),
        ("greedy:depth=2", ["'depth'", "greedy takes no parameters"]),
        ("random:", ["''", "no parameters"]),
        ("cmd", ["must say which program"]),
        ("cmd: ", ["must say which program"]),
    ],
)
def test_unknown_codes_and_parameters_are_refused_by_name(code: str, words: list[str]) -> None:
    with pytest.raises(BotError) as refused:
        make_bot(code)
    assert isinstance(refused.value, CarcassonneError)
    for word in words:
        assert word in str(refused.value)
