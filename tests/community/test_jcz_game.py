"""Saved games of JCloisterZone play again on our model, and what we lack is refused by name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game
from carcassonne.cli import cli
from carcassonne.cli import main as cli_main
from carcassonne.community.jcz_game import game_from_jcz, load_jcz
from carcassonne.errors import RecordError
from carcassonne.geometry import HALVES, SIDES
from carcassonne.moves import (
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)
from carcassonne.random_games import POOLS
from carcassonne.record import game_from_text, load_game, record_text
from tests.strategies import examples

SAMPLES = Path(__file__).parent / "samples"
ELEMENTS = {"small-follower": 7, "farmers": True, "bridge": 1, "castle": 1, "bazaar": True}
SETS = {"basic:1": 1, "bridges-castles-and-bazaars:1": 1}
BRIDGE, CASTLE, TOWER = ({"token": name} for name in ("BRIDGE", "CASTLE", "TOWER_PIECE"))
FEATURES = {"road": "Road", "city": "City", "field": "Field", "cloister": "Monastery"}


# ------------------------------------------------------------------------------ their messages


def saved(
    messages: list[dict[str, Any]],
    *,
    players: int = 2,
    draw: list[str] | None = None,
    **setup: Any,
) -> str:
    """A save file of messages."""
    data = {
        "appVersion": "5.12.0",
        "setup": {
            "sets": SETS,
            "elements": ELEMENTS,
            "rules": {},
            "timer": None,
            "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
            **setup,
        },
        "players": [{"name": f"P {i}", "slot": i} for i in range(players)],
        "replay": messages,
        "gameAnnotations": {} if draw is None else {"drawOrder": draw, "endTurn": len(draw)},
    }
    return json.dumps(data)


def message(kind: str, player: int | None = None, **payload: Any) -> dict[str, Any]:
    """One message."""
    seat = {} if player is None else {"player": player}
    return {"type": kind, "payload": payload, **seat, "clock": 1}


def pointer(game: Game, cell: tuple[int, int], name: str) -> dict[str, Any]:
    """Their name of a segment."""
    laid = game.tiles[cell]
    segment = laid.tile.variants[laid.rotation].by_name.get(name)
    kind = name.partition(".")[0]
    if segment is None:
        location = "NS" if name[-1] in "NS" else "WE"
    elif kind == "cloister":
        location = "I"
    elif kind == "field":
        location = ".".join(HALVES[half] for half in segment.halves) or "I"
    else:
        location = "".join(SIDES[side] for side in segment.sides)
    return {"position": list(cell), "location": location, "feature": FEATURES[kind]}


class Exporter:
    """Writes a game of ours as their messages, phase by phase as their program would."""

    def __init__(self, game: Game) -> None:
        self.moves = list(game.moves)
        self.game = game.copy()
        if self.moves:
            self.game.undo(len(self.moves))
        self.messages: list[dict[str, Any]] = []
        self.placed = False
        self.market: list[str] = []
        self.left: list[int] = []
        self.lot = -1

    def run(self) -> list[dict[str, Any]]:
        for number, move in enumerate(self.moves):
            decision = self.game.decision
            assert decision is not None
            if decision.kind in ("place", "choose", "take"):
                self.commit()
            self.write(number, move, decision.kind, self.game.players.index(decision.player))
            before = self.game.stack_left
            self.game.play(move)
            if self.game.on_offer and not self.left:
                self.left = list(range(len(self.game.on_offer)))
                assert self.game.stack_left < before
            if not self.game.on_offer:
                self.left = []
        decision = self.game.decision
        if decision is None or decision.kind in ("place", "choose", "take"):
            self.commit()
        return self.messages

    def commit(self) -> None:
        if self.placed:
            self.messages.append(message("COMMIT", random=0.5))
            self.placed = False

    def write(self, number: int, move: Move, kind: str, seat: int) -> None:
        say = self.messages.append
        cell = next(reversed(self.game.tiles))
        match move:
            case Place():
                rotation = f"R{move.rotation * 90}"
                say(message("PLACE_TILE", seat, tileId=move.tile, rotation=rotation,
                            position=list(move.cell)))  # fmt: skip
                self.placed = True
            case BuildBridge():
                location = ("NS", "WE")[move.place.axis]
                where = {"position": list(move.place.cell), "location": location, "feature": "Road"}
                say(message("PLACE_TOKEN", seat, **BRIDGE, pointer=where))
            case PutMeeple():
                where = pointer(self.game, cell, move.segment)
                say(message("DEPLOY_MEEPLE", seat, pointer=where, meepleId=f"{seat}.small.1"))
            case BuildCastle():
                where = pointer(self.game, move.city.cell, move.city.segment)
                say(message("PLACE_TOKEN", seat, **CASTLE, pointer=where))
            case Choose():
                self.lot = self.left.pop(move.number - 1)
                say(message("BAZAAR_BID", seat, supplyIndex=self.lot, price=move.bid))
            case Bid():
                say(message("BAZAAR_BID", seat, supplyIndex=self.lot, price=move.points))
            case Buy() | Sell():
                say(message("BAZAAR_BUY_OR_SELL", seat, value=str(move).upper()))
            case Take():
                if len(self.game.on_offer) == len(self.game.players):
                    self.picks(number, seat)
                self.left.pop(move.number - 1)
            case Decline():
                say(message("PASS", seat))
            case Pass() if kind != "bridge":
                say(message("PASS", seat))

    def picks(self, number: int, seat: int) -> None:
        """Without an auction all pick before the first tile of the round is laid."""
        left = list(self.left)
        for move in self.moves[number:]:
            if isinstance(move, Take) and len(left) > 1:
                pick = left.pop(move.number - 1)
                self.messages.append(message("BAZAAR_BID", seat, supplyIndex=pick, price=0))
                seat = (seat + 1) % len(self.game.players)


def played(seed: int, *, players: int, draft: bool, pool: str, size: int) -> Game:
    """A random game under their rules that builds every castle and bids often."""
    rng = random.Random(seed)
    rules = {"bazaar-no-auction": True} if draft else {}
    rules_of = game_from_jcz(saved([], players=players, rules=rules)).rules
    names = [f"P_{i}" for i in range(players)]
    stack = [rng.choice(POOLS[pool]) for _ in range(size)] if pool else None
    if pool:
        left = dict(game_from_jcz(saved([])).unseen)
        drawn = game_from_jcz(saved([])).drawn
        assert drawn is not None
        left[drawn] = left.get(drawn, 0) + 1
        kept = []
        for tile in stack or []:
            if left.get(tile):
                left[tile] -= 1
                kept.append(tile)
        stack = kept
    game = Game.new(names, rules=rules_of, seed=seed, stack=stack)
    while game.decision:
        moves = list(game.legal_moves())
        eager = [move for move in moves if isinstance(move, BuildCastle | Bid | BuildBridge)]
        game.play(rng.choice(eager if eager and rng.random() < 0.6 else moves))
    return game


def export(game: Game, **setup: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The messages of a game, and what else its file says."""
    draft = game.rules.bazaar_mode == "draft"
    rules = {"bazaar-no-auction": True} if draft else {}
    return Exporter(game).run(), {"players": len(game.players), "rules": rules, **setup}


games = st.builds(
    played,
    st.integers(0, 10_000),
    players=st.integers(1, 6),
    draft=st.booleans(),
    pool=st.sampled_from(["", *sorted(POOLS)]),
    size=st.integers(1, 30),
)


# ------------------------------------------------------------------------------ properties


@settings(max_examples=examples(40), deadline=None)
@given(games)
def test_export_and_convert_is_the_same_game(game: Game) -> None:
    """With the draw order in the file: the same moves, stack, scores, and a record that loads."""
    messages, head = export(game)
    again = game_from_jcz(saved(messages, draw=list(game.stack), **head))
    assert list(map(str, again.moves)) == list(map(str, game.moves))
    assert again.stack == game.stack
    assert again.scores == game.scores
    assert again.is_over
    assert game_from_text(record_text(again)).scores == game.scores


whole_games = st.builds(
    played,
    st.integers(0, 10_000),
    players=st.integers(2, 6),
    draft=st.booleans(),
    pool=st.just(""),
    size=st.just(0),
)


@settings(max_examples=examples(12), deadline=None)
@given(whole_games)
def test_order_is_found_from_placements(game: Game) -> None:
    """Without a draw order: the same moves, whatever market gave a tile to whom."""
    if game.discarded:
        return
    messages, head = export(game)
    again = game_from_jcz(saved(messages, **head))
    moves = list(map(str, again.moves))
    assert moves[: len(game.moves)] == list(map(str, game.moves))
    assert again.stack[: len(game.stack)] == game.stack


@settings(max_examples=examples(30), deadline=None)
@given(games, st.randoms(use_true_random=False))
def test_unfinished_file_is_the_beginning_of_the_game(game: Game, rng: random.Random) -> None:
    """Cut anywhere, the file gives the moves so far."""
    messages, head = export(game)
    cut = rng.randint(0, len(messages))
    again = game_from_jcz(saved(messages[:cut], draw=list(game.stack), **head))
    moves = list(map(str, again.moves))
    assert moves == list(map(str, game.moves))[: len(moves)]


@settings(max_examples=examples(60), deadline=None)
@given(games, st.randoms(use_true_random=False))
def test_damaged_files_are_refused_or_read_but_never_break(game: Game, rng: random.Random) -> None:
    """Messages lost, doubled or moved: one clear error, or a game that replays."""
    messages, head = export(game)
    for _ in range(3):
        if not messages:
            return
        here = rng.randrange(len(messages))
        there = rng.randrange(len(messages))
        action = rng.randrange(3)
        if action == 0:
            del messages[here]
        elif action == 1:
            messages.insert(there, messages[here])
        else:
            messages[here], messages[there] = messages[there], messages[here]
    try:
        again = game_from_jcz(saved(messages, draw=list(game.stack), **head), "x.jcz")
    except RecordError as error:
        again, refusal = None, str(error)
    if again is None:
        assert refusal.startswith("x.jcz: ")
    else:
        assert game_from_text(record_text(again)).scores == again.scores


# ------------------------------------------------------------------------------ samples


def test_sample_game_converts_and_replays(tmp_path: Path) -> None:
    """The command writes a record; its moves are the sample's, by our names."""
    out = tmp_path / "game.json"
    done = CliRunner().invoke(cli, ["convert", str(SAMPLES / "small.jcz"), "--out", str(out)])
    assert done.exit_code == 0, done.output
    game = load_game(out)
    assert [str(move) for move in game.moves] == (
        (SAMPLES / "small.moves").read_text(encoding="utf-8").splitlines()
    )
    assert game.rules.tiny_city_points == 4
    assert game.rules.castle_multi_choice == "max"
    assert game.rules.bridge_adjacent_mode == "placed_only"


def test_sample_holds_what_it_should() -> None:
    """Bridge, castle, auction with buying and selling, farmer."""
    moves = [str(move) for move in load_jcz(SAMPLES / "small.jcz").moves]
    for start in ("bridge ", "castle ", "choose ", "bid ", "buy", "sell", "meeple field."):
        assert any(move.startswith(start) for move in moves), start
    assert any(" bridge " in move for move in moves if move.startswith("place "))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dragon.jcz", "element 'dragon' is unknown"),
        ("cut.jcz", "is no JSON"),
        ("misfit.jcz", "message 2 (DEPLOY_MEEPLE)"),
    ],
)
def test_samples_that_are_refused(name: str, words: str, tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch,
                                  capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    """One line that names the file and what is wrong; exit code 2; nothing is written."""
    out = tmp_path / "out.json"
    monkeypatch.setattr(
        "sys.argv", ["carcassonne", "convert", str(SAMPLES / name), "--out", str(out)]
    )
    with pytest.raises(SystemExit) as stop:
        cli_main()
    assert stop.value.code == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert name in printed
    assert words in printed
    assert not out.exists()


# ------------------------------------------------------------------------------ the setup


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"sets": {"basic:1": 1, "the-tower": 1}}, "tile set 'the-tower'"),
        ({"elements": {**ELEMENTS, "tower": 1}}, "element 'tower'"),
        ({"elements": {**ELEMENTS, "bridge": 2}}, "bridge: 2"),
        ({"elements": {**ELEMENTS, "small-follower": True}}, "small-follower"),
        ({"rules": {"new-rule": True}}, "rule 'new-rule'"),
        ({"rules": {"tiny-city-scoring": "3"}}, "tiny-city-scoring"),
        ({"elements": {**ELEMENTS, "inn": True},
          "rules": {"inn-and-cathedral-final-scoring": "ignore"}}, "only 'zero'"),
        ({"start": [{"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}]}, "RI/s"),
        ({"sets": {}}, "tile_sets"),
        ({"sets": 3}, "$.setup.sets"),
    ],
)  # fmt: skip
def test_unknown_setups_are_named(setup: dict[str, Any], words: str) -> None:
    """What this program lacks is refused by name."""
    with pytest.raises(RecordError, match=r"^g: .*") as refused:
        game_from_jcz(saved([], **setup), "g")
    assert words in str(refused.value)


def test_options_are_mapped() -> None:
    """Elements and rules become options; an element that is off is no element."""
    elements = {"small-follower": 7, "inn": True, "bazaar": True, "dragon": False, "tower": 0}
    rules = {"bazaar-no-auction": True, "tiny-city-scoring": "2", "wagon-move": "C2"}
    found = game_from_jcz(saved([], elements=elements, rules=rules, players=5)).rules
    assert found.tiny_city_points == 2
    assert found.bazaar_mode == "draft"
    assert (found.bridges_per_player, found.castles_per_player) == (0, 0)
    assert found.inns_enabled
    assert not found.farmers
    assert game_from_jcz(saved([], players=5)).rules.castles_per_player == 2
    assert game_from_jcz(saved([], players=1)).rules.bazaar_mode == "off"


def test_other_starts_are_positions() -> None:
    """Another start or number of meeples becomes a position; its record loads."""
    start = [{"tile": "BA/C", "x": 2, "y": -1, "rotation": 1}]
    elements = {**ELEMENTS, "small-follower": 5}
    place = message("PLACE_TILE", 0, tileId="BA/C", rotation="R270", position=[3, -1])
    text = saved([place, message("COMMIT", 0)], start=start, elements=elements, draw=["BA/C"])
    game = game_from_jcz(text)
    assert game.given is not None
    assert game.given["tiles"] == ["BA/C 2,-1 r90"]
    assert game.supply["P_0"]["meeples"] == 5
    assert game_from_text(record_text(game)).moves == game.moves


def test_names_become_ours() -> None:
    """Spaces go, equal names are told apart, nobody is called Player."""
    data = json.loads(saved([], players=4))
    data["players"] = [{"name": "Ann Lee"}, {"name": "Ann Lee"}, {"name": ""}, {"slot": 3}]
    players = game_from_jcz(json.dumps(data)).players
    assert players == ("Ann_Lee", "Ann_Lee_2", "Player3", "Player4")


# ------------------------------------------------------------------------------ messages

PLACE = message("PLACE_TILE", 0, tileId="BA/C", rotation="R180", position=[0, -1])


def deploy(location: str, *, feature: str | None = "City", **changed: Any) -> dict[str, Any]:
    """A meeple on the tile of `PLACE`."""
    where = {"position": [0, -1], "location": location}
    if feature:
        where["feature"] = feature
    return message("DEPLOY_MEEPLE", 0, **{"pointer": where, "meepleId": "0.small.1", **changed})


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (deploy("S", meepleId="0.big.1"), "meeple '0.big.1'"),
        (deploy("X"), "location 'X'"),
        (deploy("S", feature="Tower"), "feature 'Tower'"),
        (deploy("N"), "illegal move"),
        (deploy("S.NL"), "location"),
        (deploy("S", pointer=3), "pointer"),
        (deploy("S", pointer={"position": [9, 9], "location": "S"}), "the tile just placed, 0,-1"),
        (deploy("S", pointer={"position": "x", "location": "S"}), "position 'x'"),
        (message("PLACE_TOKEN", 0, **TOWER, pointer={"position": [0, -1],
                 "location": "S"}), "token 'TOWER_PIECE'"),
        (message("PLACE_TOKEN", 0, **BRIDGE, pointer={"position": [0, -1],
                 "location": "N"}), "NS or WE"),
        (message("MOVE_NEUTRAL_FIGURE", 0), "MOVE_NEUTRAL_FIGURE"),
        (message("BAZAAR_BID", 1, supplyIndex=0, price=1), "no tile number 0"),
        (message("BAZAAR_BID", 1, supplyIndex=0, price=-1), "price: -1"),
        (message("BAZAAR_BUY_OR_SELL", 1, value="KEEP"), "'KEEP'"),
        (message("PLACE_TILE", 0, tileId="BA/C", rotation="R0", position=[5, 5]), "P_1's place"),
        (message("PLACE_TILE", 1, tileId="BA/C", rotation="R45", position=[5, 5]), "'R45'"),
        (message("PLACE_TILE", 1, tileId="TO/X", rotation="R0", position=[5, 5]), "TO/X"),
        (message("PLACE_TILE", 1, tileId="BA/C", rotation="R0", position=[5, 5]), "R-BASE-5"),
        (message("PLACE_TILE", 7, tileId="BA/C", rotation="R0", position=[5, 5]), "no player 7"),
    ],
)  # fmt: skip
def test_messages_that_do_not_fit_are_named(bad: dict[str, Any], words: str) -> None:
    """Number, type and reason."""
    with pytest.raises(RecordError) as refused:
        game_from_jcz(saved([PLACE, bad]), "g")
    assert f"g: message 2 ({bad['type']}): " in str(refused.value)
    assert words in str(refused.value)


def test_draw_order_binds() -> None:
    """A placement of another tile than drawn is refused."""
    with pytest.raises(RecordError, match=r"message 1 .*places BA/C, but the draw order says BA/L"):
        game_from_jcz(saved([PLACE], draw=["BA/L"]))


def test_older_files_leave_feature_and_player_out() -> None:
    """Places are enough to find the feature; without players the turn order tells."""
    place = {**PLACE}
    del place["player"]
    for location, segment in (("S", "city.S"), ("NL.NR.EL.ER.WL.WR", "field.NL")):
        meeple = deploy(location, feature=None)
        del meeple["player"]
        game = game_from_jcz(saved([place, meeple, message("COMMIT")]))
        assert f"meeple {segment}" in map(str, game.moves)


def test_stack_ends_with_the_tiles_left_in_file_order() -> None:
    """What nobody drew is there, so the game can go on."""
    game = game_from_jcz(saved([PLACE, deploy("S"), message("COMMIT", 0)]))
    whole = Game.new(["P_0", "P_1"], seed=1)
    assert sorted(game.stack) == sorted(whole.stack)
    assert game.stack[0] == "BA/C"
    order = {tile: place for place, tile in enumerate(game.box.types)}
    assert list(game.stack[1:]) == sorted(game.stack[1:], key=order.__getitem__)


def test_castle_of_another_player_before_the_commit() -> None:
    """Castles are asked of their owners, also where their turn it is not."""
    steps = [
        message("PLACE_TILE", 0, tileId="BA/RCr", rotation="R0", position=[1, 0]),
        message("DEPLOY_MEEPLE", 0, meepleId="0.small.1",
                pointer={"position": [1, 0], "location": "N", "feature": "City"}),
        message("COMMIT", 0),
        message("PLACE_TILE", 1, tileId="BA/C", rotation="R180", position=[1, -1]),
        message("PASS", 1),
        message("PLACE_TOKEN", 0, **CASTLE,
                pointer={"position": [1, -1], "location": "S", "feature": "City"}),
        message("COMMIT", 0),
    ]  # fmt: skip
    game = game_from_jcz(saved(steps))
    assert [str(move) for move in game.moves][-2:] == ["pass", "castle 1,-1 city.S"]
    assert game.castles[0].owner == "P_0"
