"""What tiles and placements are worth: the obvious ones are found, and the order is never seen."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from carcassonne import Game, Rules
from carcassonne.cli import cli
from carcassonne.playtest.worth import WorthError, lot_of, worth_of_moves, worth_of_offer
from carcassonne.record import load_game, save_game
from carcassonne.scenario import run_file

if TYPE_CHECKING:
    from pathlib import Path

CITY = """
title = "One tile closes a city of A's"
players = ["A", "B"]
[given]
tiles = ["BA/RCr 0,0 r0"]
meeples = ["A 0,0 city.N"]
supply = { A = { castles = 0 } }
stack = [{stack}]
"""


def table(folder: Path, stack: str) -> Game:
    """A position with a city that waits for its other half."""
    path = folder / "city.toml"
    path.write_text(CITY.replace("{stack}", stack) + "[[steps]]\nallow = []\n", encoding="utf-8")
    game = run_file(path).game
    assert game is not None
    return game


def test_closing_a_city_is_the_best_placement(tmp_path: Path) -> None:
    game = table(tmp_path, '"BA/C", "BA/L"')
    best, *others = worth_of_moves(game, playouts=30)
    assert best.move.startswith("place BA/C 0,-1 r180")
    assert best.behind is None
    assert all(other.behind is not None and other.behind.mean >= 0 for other in others)


def opened(seed: int, players: int = 2) -> Game:
    """A game at the first choice of a bazaar."""
    game = Game.new(tuple("ABCDEF")[:players], seed=seed)
    rng = random.Random(seed)
    while game.decision is not None and game.decision.kind != "choose":
        game.play(rng.choice(game.legal_moves()))
    assert game.decision is not None
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gains_of_a_player_sum_up_to_nothing(players: int) -> None:
    """Having one tile instead of another: over all different tiles that evens out."""
    for seed in range(8):
        game = opened(seed, players)
        if len(set(game.on_offer)) == len(game.on_offer) == players:
            break
    found = worth_of_offer(game, playouts=20)
    assert {worth.tile for worth in found} == set(game.on_offer)
    for player in game.players:
        gains = [worth.gain.mean for worth in found if worth.player == player]
        assert len(gains) == players
        assert sum(gains) == pytest.approx(0, abs=1e-6)
    for worth in found:
        assert 0 <= worth.bid <= max(0.0, worth.gain.mean)
        assert worth.gain.low <= worth.gain.mean <= worth.gain.high


def test_the_true_order_is_never_seen() -> None:
    game = opened(3)
    twin = game.shuffled(random.Random(9))
    assert twin.stack != game.stack
    assert worth_of_offer(game, playouts=10, seed=5) == worth_of_offer(twin, playouts=10, seed=5)


def test_late_in_an_auction_only_what_can_still_be_is_valued() -> None:
    game = opened(3, 3)
    game.play(game.legal_moves()[0])
    while game.decision is not None and game.decision.kind == "bid":
        found = worth_of_offer(game, playouts=4)
        assert found
        game.play("pass")
    with pytest.raises(WorthError, match="no tile is to be placed"):
        worth_of_moves(opened(3))


def test_a_draft_s_tiles_are_valued_as_moves() -> None:
    game = Game.new(("A", "B", "C"), seed=2, rules=Rules(bazaar_mode="draft"))
    rng = random.Random(1)
    while game.decision is not None and game.decision.kind != "take":
        game.play(rng.choice(game.legal_moves()))
    found = worth_of_moves(game, playouts=5)
    assert {worth.move for worth in found} == {str(move) for move in game.legal_moves()}
    with pytest.raises(WorthError, match="no auction is open"):
        worth_of_offer(game)


def test_a_high_price_is_left_to_the_rival() -> None:
    """At 60 points a tile is sold; against a bid of 60 nobody raises."""
    game = opened(3)
    assert lot_of(game) is None
    chooser, rival = "AB" if game.decision and game.decision.player == "A" else "BA"
    outbid = game.copy()
    outbid.play("choose 2 bid 60")
    lot = lot_of(outbid)
    assert lot is not None
    assert (lot.number, lot.tile, lot.chooser, lot.bid, lot.bidder) == (
        2, game.on_offer[1], chooser, 60, chooser
    )  # fmt: skip
    for most in (1, 5):
        found = worth_of_moves(outbid, playouts=10, most=most)
        assert found[0].move == "pass"
        assert len(found) == max(most, 2)
    game.play("choose 1 bid 0")
    found = worth_of_moves(game, playouts=10, most=3)
    assert "pass" in [worth.move for worth in found]
    game.play("bid 60")
    lot = lot_of(game)
    assert lot is not None
    assert (lot.number, lot.bid, lot.bidder) == (1, 60, rival)
    best, other = worth_of_moves(game, playouts=10, most=1)
    assert (best.move, other.move) == ("sell", "buy")
    assert other.behind is not None
    assert other.behind.low > 0
    twin = game.shuffled(random.Random(4))
    assert worth_of_moves(twin, playouts=10) == worth_of_moves(game, playouts=10)


def test_the_command_tells_the_lot_and_what_to_do(tmp_path: Path) -> None:
    game = opened(3)
    game.play("choose 1 bid 0")
    save_game(game, tmp_path / "bid.json")
    game.play("bid 60")
    save_game(game, tmp_path / "deal.json")
    for kind, options in (("bid", {"pass"}), ("deal", {"buy", "sell"})):
        words = ["worth", str(tmp_path / f"{kind}.json"), "--playouts", "6"]
        run = CliRunner().invoke(cli, words)
        assert run.exit_code == 0, run.output
        lot = lot_of(load_game(tmp_path / f"{kind}.json"))
        assert lot is not None
        assert f"the lot: {lot.tile}, tile 1 on offer" in run.stdout
        assert f"the bid that stands: {lot.bid} by {lot.bidder}" in run.stdout
        assert f"{lot.tile} (lot)" in run.stdout
        assert not re.search(r"(?<![\w/,])-\d", run.stdout)
        assert "\N{MINUS SIGN}" in run.stdout
        data = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
        assert data["lot"] == lot._asdict()
        assert options <= {move["move"] for move in data["moves"]}
        assert data["suggestion"] == data["moves"][0]["move"]
        assert f"the playouts suggest: {data['suggestion']}" in run.stdout
        assert ("may be as good" in run.stdout) == (not data["clear"])
        assert all(set(move["lead"]) == {"mean", "low", "high"} for move in data["moves"])
    assert data["suggestion"] == "sell"


def test_what_can_t_be_valued_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "design.toml"
    path.write_text('title = "x"\ngames = 5\n[factors]\nplayers = [2, 3]\n', encoding="utf-8")
    run = CliRunner().invoke(cli, ["worth", str(path)])
    assert f"{path}: is no saved game and no scenario" in str(run.exception)
    assert "'games'" in str(run.exception)
    run = CliRunner().invoke(cli, ["worth", str(path), "--playouts", "99999999999999999999"])
    assert run.exit_code == 2
    assert "2<=x<=100000" in run.output


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    game = opened(3)
    path = tmp_path / "g.json"
    save_game(game, path)
    words = ["worth", str(path), "--playouts", "6"]
    run = CliRunner().invoke(cli, words)
    assert run.exit_code == 0, run.output
    assert "bid up to" in run.stdout
    data = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert data["decision"] == "choose"
    assert len(data["tiles"]) == 4
    assert data == json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    data = json.loads(CliRunner().invoke(cli, [*words, "--at", "0", "--json"]).stdout)
    assert data["moves"][0]["behind"] is None
