"""Saved games: what is saved is loaded exactly; what is damaged is refused in one line."""

from __future__ import annotations

import copy
import json
import random
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game, Rules
from carcassonne.errors import RecordError
from carcassonne.playtest.steering import steered
from carcassonne.position import from_position
from carcassonne.record import game_from_record, load_game, record_of, save_game
from tests.strategies import Setup, examples, random_setup, setups, to_json

if TYPE_CHECKING:
    from pathlib import Path


def play_some(game: Game, rng: random.Random, most: int) -> Game:
    """Play up to a number of moves."""
    for _ in range(most):
        if game.is_over:
            break
        game.play(steered(rng, game))
    return game


def sample_games() -> list[Game]:
    """A game under way, one that is over, one stopped, one from a position."""
    rng = random.Random(4)
    under_way = play_some(random_setup(rng, stack_size=20).game(), rng, 30)
    over = play_some(random_setup(rng, stack_size=8).game(), rng, 1000)
    stopped = random_setup(rng, stack_size=8).game()
    play_some(stopped, rng, 4)
    while stopped.decision is not None and stopped.decision.kind != "place":
        play_some(stopped, rng, 1)
    if not stopped.is_over:
        stopped.stop()
    given = {
        "tiles": ["BA/RCr 0,0 r0", "BA/C 0,-1 r180", "BA/L 1,2 r0"],
        "bridges": ["1,2 EW"],
        "meeples": ["A 0,0 road.E", "B 0,0 field.SL"],
        "castles": ["B 0,0 city.N"],
        "pigs": ["B 0,0 field.SL"],
        "scores": {"A": 10},
        "supply": {"A": {"bridges": 5}},
        "active": "B",
        "stack": ["BA/L", "BA/LR", "BB/F.b", "BA/C", "BA/Rr", "BA/RFr"],
    }
    position = play_some(from_position(["A", "B"], given), rng, 12)
    return [under_way, over, stopped, position]


GAMES = sample_games()


@pytest.mark.parametrize("game", GAMES, ids=["under way", "over", "stopped", "from a position"])
def test_a_saved_game_is_loaded_exactly(game: Game, tmp_path: Path) -> None:
    """By data and by file, again and again: the same state and the same record."""
    record = record_of(game)
    assert to_json(record) == record
    path = tmp_path / "game.json"
    save_game(game, path)
    for loaded in (game_from_record(record), game_from_record(to_json(record)), load_game(path)):
        assert loaded.fingerprint() == game.fingerprint()
        assert record_of(loaded) == record
        assert loaded.moves == game.moves
        assert list(map(str, loaded.legal_moves())) == list(map(str, game.legal_moves()))
    again = tmp_path / "again.json"
    save_game(load_game(path), again)
    assert again.read_bytes() == path.read_bytes()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["again.json", "game.json"]


@given(setup=setups(), seed=st.integers(0, 2**32), most=st.integers(0, 25))
@settings(max_examples=examples(40))
def test_any_game_is_saved_and_loaded(setup: Setup, seed: int, most: int) -> None:
    """Any options, sets (own ones embedded), counts and stacks."""
    game = play_some(setup.game(), random.Random(seed), most)
    record = record_of(game)
    loaded = game_from_record(json.loads(json.dumps(record)))
    assert loaded.fingerprint() == game.fingerprint()
    assert record_of(loaded) == record
    while loaded.moves:
        loaded.undo()
    assert loaded.fingerprint() == setup.game().fingerprint()


def load_or_refuse(path: Path) -> Game | None:
    """The game, or None if it is refused as it should be: one line that names the file."""
    message = ""
    started = time.monotonic()
    try:
        return load_game(path)
    except RecordError as error:
        message = str(error)
    assert time.monotonic() - started < 30
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return None


def read_or_refuse(data: object) -> Game | None:
    """As `load_or_refuse`, for plain data."""
    message = ""
    try:
        return game_from_record(data, "mine")
    except RecordError as error:
        message = str(error)
    assert message.startswith("mine: ")
    assert "\n" not in message
    return None


def agrees(game: Game, data: Any) -> bool:
    """Whether a game that was loaded is what the record says."""
    return (
        list(map(str, game.moves)) == data["moves"]
        and game.scores == data["result"]["scores"]
        and list(game.stack) == [game.box.tile(name).id for name in data["stack"]]
        and game.players == tuple(data["players"])
    )


@pytest.mark.parametrize("game", GAMES, ids=["under way", "over", "stopped", "from a position"])
def test_cut_files_are_refused(game: Game, tmp_path: Path) -> None:
    """A file that was cut anywhere is no game."""
    path = tmp_path / "game.json"
    save_game(game, path)
    whole = path.read_bytes()
    rng = random.Random(2)
    for length in {0, 1, len(whole) - 2, *(rng.randrange(len(whole) - 1) for _ in range(25))}:
        path.write_bytes(whole[:length])
        assert load_or_refuse(path) is None


@pytest.mark.parametrize("game", GAMES, ids=["under way", "over", "stopped", "from a position"])
def test_flipped_bytes_are_refused_or_harmless(game: Game, tmp_path: Path) -> None:
    """One byte changed: one clear `RecordError`, or a game that agrees with the file."""
    path = tmp_path / "game.json"
    save_game(game, path)
    whole = path.read_bytes()
    rng = random.Random(7)
    for _ in range(examples(60)):
        data = bytearray(whole)
        at = rng.randrange(len(data))
        data[at] = rng.choice([data[at] ^ (1 << rng.randrange(8)), rng.randrange(32, 127)])
        path.write_bytes(bytes(data))
        loaded = load_or_refuse(path)
        if loaded is not None:
            assert agrees(loaded, json.loads(bytes(data)))


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 10**40, 1.5, float("nan"), float("inf"), "", "A", "pass", "place",
    "\n", "\x00", "\ud800", "base", "base*3", "base*0", "../x.toml", "/etc/passwd", "BA/L",
    "no/such", "0,0 NS", "A 0,0 road.E", "9" * 4000, [], {}, [[]], {"A": 1}, {"set": {}},
    ["A", "A"], ["A"],
    {"set": {"format": "carcassonne-tiles/1"}, "copies": 0}, "first_edition", "auction", "draft",
)  # fmt: skip
"""Values that belong somewhere else."""


def edited(rng: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """A copy of a record with one thing changed by hand."""
    other = copy.deepcopy(data)
    spots: list[tuple[Any, Any]] = []

    def walk(node: Any, depth: int) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            spots.extend([(node, key)] * max(1, 12 - 5 * depth))
            if isinstance(node[key], dict | list):
                walk(node[key], depth + 1)

    walk(other, 0)
    node, key = rng.choice(spots)
    what = rng.randrange(5)
    if what == 0:
        del node[key]
    elif what == 1 and isinstance(node, list):
        node.insert(key, node[rng.randrange(len(node))])
    elif what == 1:
        node[rng.choice(["extra", "", "a\nb", "given", "tile_counts", "stopped"])] = rng.choice(ODD)
    elif what == 2 and isinstance(node, list):
        i = rng.randrange(len(node))
        node[i], node[key] = node[key], node[i]
    else:
        node[key] = copy.deepcopy(rng.choice(ODD))
    return other


@pytest.mark.parametrize("game", GAMES, ids=["under way", "over", "stopped", "from a position"])
def test_edited_records_are_refused_or_replay_to_what_they_say(game: Game) -> None:
    """Keys dropped, added, swapped, replaced: `RecordError`, or a game that agrees."""
    rng = random.Random(11)
    record = record_of(game)
    for _ in range(examples(150)):
        data = edited(rng, record)
        loaded = read_or_refuse(data)
        if loaded is not None:
            assert agrees(loaded, data)


@pytest.mark.parametrize(
    "data",
    [
        None, 3, "x", [], {}, {"format": 1}, {"format": "carcassonne-game/1"}, {3: 4},
        {"format": "carcassonne-game/2"}, {"format": "carcassonne-tiles/1"},
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused(data: object) -> None:
    """Other data than a record, down to no table at all."""
    assert read_or_refuse(data) is None


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "[]", "{", "[" * 100_000, '{"a":' * 50_000, "NaN", "1" * 5000, '"\\ud800"',
        '{"format": "carcassonne-game/1", "format": "x"}', "\ufeff{}", "\x00", "{'format': 1}",
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_odd_files_are_refused(text: str, tmp_path: Path) -> None:
    """Texts that are JSON or nearly, but no game."""
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    assert load_or_refuse(path) is None


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """A missing file, a folder, and bytes that are no text."""
    assert load_or_refuse(tmp_path / "nowhere.json") is None
    assert load_or_refuse(tmp_path) is None
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"format": "\xe9"}')
    assert load_or_refuse(path) is None
    with pytest.raises(RecordError):
        load_game("a\0b.json")


def test_refusals_name_the_move_or_the_key() -> None:
    """A tampered move, score, winner, player or option is found and named."""
    record = record_of(GAMES[1])

    def refused(change: dict[str, Any]) -> str:
        with pytest.raises(RecordError) as error:
            game_from_record({**record, **change}, "mine")
        return str(error.value)

    moves = list(record["moves"])
    assert "move 1:" in refused({"moves": ["fly", *moves[1:]]})
    assert "move 2:" in refused({"moves": [moves[0], "take 9", *moves[2:]]})
    assert f"move {len(moves) + 1}:" in refused({"moves": [*moves, "pass"]})
    assert "result" in refused({"moves": moves[:-1]})
    first = record["players"][0]
    scores = {**record["result"]["scores"], first: 1000}
    assert "result" in refused({"result": {**record["result"], "scores": scores}})
    assert "winners" in refused({"result": {**record["result"], "winners": []}})
    assert "players" in refused({"players": 3})
    assert "moves" in refused({"moves": [1]})
    assert "tiny" in refused({"rules": {"tiny": 3}})
    assert "tiny_city_points" in refused({"rules": {"tiny_city_points": "x"}})
    assert "nowhere" in refused({"tile_sets": ["nowhere"]})
    assert "no/such" in refused({"stack": ["no/such"]})
    assert "another version" in refused({"format": "carcassonne-game/99"})
    assert "own.toml" in refused({"tile_sets": ["own.toml"]})


def test_an_unfinished_auction_is_saved_and_loaded() -> None:
    """A record may end in the middle of a turn or of a bidding."""
    stack = ("BB/F.b", "BA/L", "BA/LR", "BA/C", "BA/Rr")
    game = Setup(("A", "B", "C"), Rules(), stack=stack).game()
    seen = set()
    rng = random.Random(0)
    while game.decision is not None:
        seen.add(game.decision.kind)
        loaded = game_from_record(to_json(record_of(game)))
        assert loaded.fingerprint() == game.fingerprint()
        assert loaded.decision == game.decision
        game.play(steered(rng, game))
    assert {"place", "meeple", "choose", "bid"} <= seen
