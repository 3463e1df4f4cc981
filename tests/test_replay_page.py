"""The page of a game: whole, self-contained, harmless, small, and the same as the game."""

from __future__ import annotations

import json
import random
import re
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game
from carcassonne.cli import cli, main
from carcassonne.events import GameOver, Score, TilePlaced, TileTaken
from carcassonne.playtest.steering import steered
from carcassonne.record import record_text, save_game
from carcassonne.render.chart import scale_of
from carcassonne.render.page import replay_page
from carcassonne.render.timeline import LAYERS
from carcassonne.rule_register import register
from carcassonne.scenario import run_text
from tests.strategies import castle_yard, examples, random_setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVIL = "</script><b>&\"'"


def played(players: int, seed: int, *, steps: int = 10_000, **options: Any) -> Game:
    """A game in which castles and bridges are sought."""
    names = [f"Player{number}" for number in range(1, players + 1)]
    game = Game.new(names, seed=seed, **options)
    rng = random.Random(seed)
    while not game.is_over and len(game.moves) < steps:
        game.play(steered(rng, game))
    return game


class Page(HTMLParser):
    """What a browser sees: elements with attributes, the things on the board, texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.things: list[tuple[str, int, int, bool]] = []
        self.names: list[str] = []
        self.scripts: list[str] = []
        self._layer = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.data: dict[str, Any] = json.loads(self.scripts[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        self._open.append(tag)
        if tag == "g" and found.get("id") in LAYERS:
            self._layer = found["id"] or ""
        if tag == "g" and "data-from" in found:
            first, end = int(found["data-from"] or 0), int(found["data-to"] or 0)
            self.things.append((self._layer, first, end, found.get("class") != "off"))
            self.names.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts.append(data)
        elif self._open and self._open[-1] == "title" and self.names and not self.names[-1]:
            self.names[-1] = data

    def lying(self, layer: str, step: int) -> list[str]:
        """The names of what lies there after a move."""
        return sorted(
            name
            for name, (own, first, end, _) in zip(self.names, self.things, strict=True)
            if own == layer and first <= step < end
        )


class Expected(NamedTuple):
    """What the game says to a step."""

    tiles: list[str]
    bridges: int
    castles: int
    pieces: list[str]
    game: Game


def positions(game: Game) -> Iterator[Expected]:
    """The game at each of its steps, played anew."""
    twin = game.copy()
    if game.moves:
        twin.undo(len(game.moves) + game.was_stopped)
    for number in range(len(game.moves) + 1):
        if number:
            twin.play(game.moves[number - 1])
        if number == len(game.moves) and game.was_stopped and not twin.is_over:
            twin.stop()
        yield Expected(
            sorted(
                f"{x},{y} {laid.tile.id} r{90 * laid.rotation}"
                for (x, y), laid in twin.tiles.items()
            ),
            sum(len(laid.bridges) for laid in twin.tiles.values()),
            len(twin.castles),
            sorted(f"{token.player}: {token.kind} on {token.at}" for token in twin.tokens()),
            twin,
        )


def compare(game: Game) -> Page:
    """See that the page shows what the game says, at every step."""
    page = Page(replay_page(game))
    steps = page.data["steps"]
    assert [step["move"] for step in steps] == ["", *map(str, game.moves)]
    for number, (step, expected) in enumerate(zip(steps, positions(game), strict=True)):
        twin = expected.game
        assert page.lying("tiles", number) == expected.tiles
        assert page.lying("pieces", number) == expected.pieces
        assert len(page.lying("bridges", number)) == expected.bridges
        assert len(page.lying("castles", number)) == expected.castles
        assert step["scores"] == list(twin.scores.values())
        assert step["supply"] == [list(supply.values()) for supply in twin.supply.values()]
        assert step["stack"] == twin.stack_left
        assert step.get("offer", []) == list(twin.on_offer)
        hands = {twin.players[seat]: tile for seat, tile in step.get("hands", [])}
        assert hands == twin.hands
        decision = step.get("decision")
        if twin.decision is None:
            assert decision is None
        else:
            assert decision["kind"] == twin.decision.kind
            assert twin.players[decision["player"]] == twin.decision.player
            assert decision.get("tile") == twin.decision.tile
    told = [event for step in steps for event in step["events"]]
    assert [event["kind"] for event in told] == [type(event).__name__ for event in game.events]
    return page


# ------------------------------------------------------------------------------ what it shows


@pytest.mark.parametrize(("players", "seed"), [(1, 2), (2, 5), (6, 3)])
def test_every_step_is_the_game_at_that_step(players: int, seed: int) -> None:
    """Tiles, pieces, bridges, castles, scores, supplies and decisions, from start to end."""
    game = played(players, seed)
    page = compare(game)
    told = [event for step in page.data["steps"] for event in step["events"]]
    scores = [event for event in game.events if isinstance(event, Score)]
    for event, shown in zip(scores, (e for e in told if e["kind"] == "Score"), strict=True):
        assert shown.get("points", 0) == event.points
        assert shown["rule"] == event.rule
        assert sum(item["points"] for item in shown.get("items", ())) in (event.points, 0)
    assert sum(event.get("final", False) for event in told) == 1
    assert isinstance(game.events[-1], GameOver)


@settings(max_examples=examples(12))
@given(seed=st.integers(0, 100_000))
def test_any_game_is_the_same_on_its_page(seed: int) -> None:
    """From new and from given positions, by any rules, unfinished, stopped or at its end."""
    rng = random.Random(seed)
    setup = castle_yard(rng) if seed % 3 == 0 else random_setup(rng, stack_size=12)
    game = setup.game()
    for _ in range(rng.randrange(50)):
        if not game.is_over:
            game.play(steered(rng, game))
    if seed % 2 and game.decision is not None and game.decision.kind == "place":
        game.stop()
    compare(game)


def test_a_game_from_a_position_with_pigs_and_without_moves() -> None:
    """One step; a castle, a bridge and a pig of the position are there."""
    run = run_text("""
    title = "a position"
    [given]
    tiles = ["BA/L 0,0 r0", "BA/C 1,0 r180", "BA/C 1,1 r0"]
    bridges = ["0,0 NS"]
    castles = ["A 1,0 city.S"]
    pigs = ["B 0,0 field.NL"]
    stack = ["BA/L"]
    """)
    assert run.game is not None
    page = compare(run.game)
    assert [len(page.lying(layer, 0)) for layer in LAYERS] == [3, 1, 1, 2]


def test_a_bridge_makes_the_cloister_step_aside_from_then_on() -> None:
    """A thing that comes to look otherwise is another thing; the tile is there all the time."""
    game = Game.new(["A", "B"], stack=["BA/L", "BA/RFr", "BA/L"])
    game.play("place BA/L 0,1 r0")
    game.play("bridge 0,1 EW")
    game.play("pass")
    page = compare(game)
    spans = [(f, e) for (_, f, e, _), n in zip(page.things, page.names, strict=True)
             if n.startswith("0,1 BA/L")]  # fmt: skip
    assert spans == [(1, 2), (2, 4)]


def test_without_the_expansion_its_pieces_are_left_out() -> None:
    assert Page(replay_page(played(2, 1, steps=9))).data["expansion"] is True
    plain = Page(replay_page(played(2, 1, steps=9, tile_sets=["base"])))
    assert plain.data["expansion"] is False
    assert plain.data["auctions"] == []


def test_auctions_are_told_bid_by_bid() -> None:
    """Each taken tile is a lot with its buyer and price; bids point at their steps."""
    game = played(4, 8)
    data = Page(replay_page(game)).data
    lots = [lot for auction in data["auctions"] for lot in auction["lots"]]
    taken = [event for event in game.events if isinstance(event, TileTaken)]
    assert len(taken) > 4
    assert [(lot["tile"], lot["price"], game.players[lot["buyer"]]) for lot in lots] == [
        (event.tile, event.price, event.player) for event in taken
    ]
    for lot in lots:
        for bid in lot["bids"]:
            step = data["steps"][bid["step"]]
            assert step["player"] == bid["player"]
            assert step["move"].split()[0] in ("choose", "bid", "pass")
            if bid["points"] is not None:
                assert step["move"].endswith(f"bid {bid['points']}")


def test_turns_are_counted_by_tiles() -> None:
    game = played(3, 8)
    steps = Page(replay_page(game)).data["steps"]
    assert steps[-1]["turn"] == sum(isinstance(event, TilePlaced) for event in game.events)
    assert [step["turn"] for step in steps] == sorted(step["turn"] for step in steps)


def test_every_cited_rule_has_its_text() -> None:
    """Whatever id stands in the page can be asked for."""
    data = Page(replay_page(played(2, 5))).data
    cited = set(re.findall(r"R-[A-Z]+-\d+", json.dumps([data["steps"], data["auctions"]])))
    assert len(cited) > 5
    assert data["rules"] == {name: register()[name].text for name in sorted(cited)}


def test_the_chart_has_room_for_every_score() -> None:
    for scores in ([[0, 0]], [[0, 0], [-53, 75]], [[0, 0], [3, 0]], [[0], [99_999]], [[-2], [-7]]):
        scale = scale_of(scores)
        assert scale.low <= min(0, *map(min, scores))
        assert max(0, *map(max, scores)) <= scale.high
        assert scale.low < scale.high
        assert 2 <= len(scale.lines) <= 9
        assert 0 in scale.lines


# ------------------------------------------------------------------------------ as a file


@pytest.mark.parametrize("players", [2, 6])
def test_the_page_of_a_full_game_is_small_and_reproducible(players: int) -> None:
    """Under 3 MB, the same bytes each time, also in a game that was loaded."""
    game = played(players, 3)
    assert len(game.tiles) > 70
    page = replay_page(game)
    assert len(page.encode()) < 3_000_000
    assert page == replay_page(game)
    moves = game.moves
    replay_page(game)
    assert game.moves == moves


def test_nothing_is_loaded_from_anywhere() -> None:
    """No address but those inside the page; the policy forbids anything else."""
    text = replay_page(played(2, 5, steps=60))
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "style", "action")
            if name.endswith("href"):
                assert value is not None
                assert value.startswith("#")
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in text.replace("url(#tile-edge)", "")
    assert "@import" not in text
    policy = next(a["content"] for t, a in page.elements if t == "meta" and "content" in a
                  and a.get("http-equiv") == "Content-Security-Policy")  # fmt: skip
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_names_and_titles_do_no_harm() -> None:
    """A player called like an end of script stays a name, on the board and in the data."""
    game = Game.new([EVIL, "{{policy}}", "Ünï-☃"], seed=2)
    for _ in range(20):
        game.play(game.legal_moves()[0])
    text = replay_page(game, title=f"x{EVIL} {{{{ data }}}}")
    page = Page(text)
    assert [player["name"] for player in page.data["players"]] == list(game.players)
    assert any(name.startswith(EVIL) for name in page.names)
    tags = {tag for tag, _ in page.elements}
    assert "b" not in tags
    assert text.count("<script") == text.count("</script>") == 2
    assert len(page.scripts) == 2


# ------------------------------------------------------------------------------ the command


@pytest.fixture
def record(tmp_path: Path) -> Path:
    save_game(played(2, 4, steps=40), tmp_path / "game.json")
    return tmp_path / "game.json"


def test_the_command_writes_the_page(record: Path, tmp_path: Path) -> None:
    """One line says what was written; `--at` opens it elsewhere."""
    out = tmp_path / "game.html"
    result = CliRunner().invoke(cli, ["replay", str(record), "--html", str(out)])
    text = out.read_text(encoding="utf-8")
    size = -(-len(text.encode()) // 1000)
    assert result.output == f"{out}: written, 40 moves, {size} kB\n"
    assert Page(text).data["at"] == 0
    result = CliRunner().invoke(cli, ["replay", str(record), "--html", str(out), "--at", "7", "-q"])
    assert result.output == ""
    page = Page(out.read_text(encoding="utf-8"))
    assert page.data["at"] == 7
    for _, first, end, shown in page.things:
        assert shown == (first <= 7 < end)
    assert record.read_text(encoding="utf-8") == record_text(played(2, 4, steps=40))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--html", "-"], "ends in .html"),
        (["--html", "/dev/null"], "ends in .html"),
        (["--html", "game.png"], "ends in .html"),
        (["--html", "no/such/folder.html"], "can't be written"),
        (["--html", "p.html", "--json"], "together"),
        (["--html", "p.html", "--step"], "together"),
        (["--html", "p.html", "--ascii"], "together"),
        (["--html", "p.html", "--at", "41"], "has 40 moves"),
    ],
)
def test_wrong_use_is_an_error_and_writes_nothing(
    record: Path, arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(record.parent)
    monkeypatch.setattr(sys, "argv", ["carcassonne", "replay", str(record), *arguments])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert says in printed.err
    assert [path.name for path in record.parent.iterdir()] == ["game.json"]
