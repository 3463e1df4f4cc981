"""The page of a game, opened from its file and driven in headless Chromium.

Needs the extra `browser` and Debian's chromium (`apt-get install chromium`).
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from carcassonne import Game
from carcassonne.playtest.steering import steered
from carcassonne.record import save_game
from carcassonne.rule_register import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.system

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
MOST_MS = 20.0
DESKTOP, PHONE = (1400, 900), (360, 640)

SHOWN = """layer => [...document.querySelectorAll(`#${layer} > g`)]
    .filter(node => getComputedStyle(node.querySelector("use")).visibility === "visible")
    .map(node => node.querySelector("title").textContent).sort()"""
STEPS = """async ([forward, frames, count]) => {
    const button = document.querySelector(`[data-do="${forward ? "on" : "back"}"]`);
    const start = performance.now();
    let own = 0;
    for (let i = 0; i < count; i += 1) {
        const before = performance.now();
        button.click();
        own += performance.now() - before;
        if (frames) await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    }
    return [own, performance.now() - start];
}"""


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game of three with castles, bridges and bazaars."""
    game = Game.new(["Ann", "Bob", "</script><b>"], seed=9)
    rng = random.Random(9)
    while not game.is_over:
        game.play(steered(rng, game))
    assert game.castles
    assert any(laid.bridges for laid in game.tiles.values())
    assert len(game.moves) > 120
    return game


@pytest.fixture(scope="module")
def address(game: Game, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the page that the command wrote can be opened."""
    from click.testing import CliRunner

    from carcassonne.cli import cli

    folder = tmp_path_factory.mktemp("page")
    save_game(game, folder / "game.json")
    words = ["replay", str(folder / "game.json"), "--html", str(folder / "game.html")]
    assert CliRunner().invoke(cli, words).exit_code == 0
    return (folder / "game.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM.exists(), f"{CHROMIUM} is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield found
        found.close()


class Viewer:
    """A page in the browser, with everything that went wrong in it."""

    def __init__(self, browser: Any, size: tuple[int, int], **options: Any) -> None:
        viewport = {"width": size[0], "height": size[1]}
        self.context = browser.new_context(viewport=viewport, **options)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> None:
        self.page.goto(address)

    @property
    def at(self) -> int:
        """The step that the page says it shows."""
        return int(str(self.page.inner_text("#where")).split()[1])

    def shown(self, layer: str) -> list[str]:
        found: list[str] = self.page.evaluate(SHOWN, layer)
        return found

    def text(self, selector: str) -> list[str]:
        found: list[str] = self.page.locator(selector).all_inner_texts()
        return found

    def names(self) -> list[str]:
        """The names on the cards; each is two parts, of which only the first may be cut."""
        return [text.replace("\n", "") for text in self.text(".card .name")]

    def until(self, true: str) -> None:
        """Wait for an expression; from outside, as the page's policy forbids `eval` in it."""
        for _ in range(500):
            if self.page.evaluate(true):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{true} did not come true")

    def press(self, *keys: str) -> int:
        """Press keys one after the other; the answer is the step then."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.at

    def click(self, action: str) -> int:
        self.page.click(f'[data-do="{action}"]')
        return self.at


@pytest.fixture
def desktop(browser: Any, address: str) -> Iterator[Viewer]:
    """The page on a large screen; after the test nothing may have gone wrong."""
    yield from _view(browser, address, DESKTOP)


@pytest.fixture
def phone(browser: Any, address: str) -> Iterator[Viewer]:
    """The same on a small one, with touch."""
    yield from _view(browser, address, PHONE, has_touch=True, is_mobile=True)


def _view(browser: Any, address: str, size: tuple[int, int], **options: Any) -> Iterator[Viewer]:
    viewer = Viewer(browser, size, **options)
    viewer.open(address)
    yield viewer
    assert viewer.faults == []
    assert viewer.requests == [address]
    viewer.context.close()


def turn_starts(game: Game) -> list[int]:
    """The steps between turns: a tile is to be placed; both ends too."""
    twin = game.copy()
    twin.undo(len(game.moves))
    found = []
    for number in range(len(game.moves) + 1):
        if number:
            twin.play(game.moves[number - 1])
        decision = twin.decision
        if number == 0 or decision is None or decision.kind == "place":
            found.append(number)
    return found


def test_the_board_is_that_of_the_game_at_any_step(desktop: Viewer, game: Game) -> None:
    """Tiles, meeples, bridges, castles and scores; forwards, backwards and far away."""
    last = len(game.moves)
    for step in (0, 1, 30, last // 2, last // 2 + 1, last - 1, last, 12):
        desktop.page.evaluate("step => { location.hash = `#${step}`; }", step)
        desktop.until(f"document.getElementById('slider').value === '{step}'")
        twin = game.copy()
        if step < last:
            twin.undo(last - step)
        assert desktop.at == step
        assert desktop.shown("tiles") == sorted(
            f"{x},{y} {laid.tile.id} r{90 * laid.rotation}" for (x, y), laid in twin.tiles.items()
        )
        assert desktop.shown("pieces") == sorted(
            f"{token.player}: {token.kind} on {token.at}" for token in twin.tokens()
        )
        bridges = sum(len(laid.bridges) for laid in twin.tiles.values())
        assert len(desktop.shown("bridges")) == bridges
        assert len(desktop.shown("castles")) == len(twin.castles)
        assert desktop.text(".card .points") == [str(n) for n in twin.scores.values()]
        assert desktop.names() == list(twin.players)
        open_ = desktop.page.inner_text("#open")
        assert (twin.decision.player if twin.decision else "is over") in open_


def test_keys_step_by_moves_turns_and_to_the_ends(desktop: Viewer, game: Game) -> None:
    last, turns = len(game.moves), turn_starts(game)
    assert desktop.at == 0
    assert desktop.press("ArrowRight", "ArrowRight", "ArrowRight") == 3
    assert desktop.press("ArrowLeft") == 2
    assert desktop.press("Home", "ArrowLeft") == 0
    assert desktop.press("ArrowDown") == turns[1]
    assert desktop.press("PageDown") == turns[2]
    assert desktop.press("ArrowUp") == turns[1]
    assert desktop.press("End", "ArrowRight") == last
    assert desktop.press("PageUp") == turns[-2]
    desktop.page.focus("#slider")
    assert desktop.press("Home", "ArrowRight") == 1


def test_buttons_slider_and_playing(desktop: Viewer, game: Game) -> None:
    """Each button does what it says; playing goes on by itself and stops when asked."""
    last, turns = len(game.moves), turn_starts(game)
    assert desktop.click("on") == 1
    assert desktop.click("turn-on") == next(t for t in turns if t > 1)
    before = desktop.at
    assert desktop.click("turn-back") == max(t for t in turns if t < before)
    assert desktop.click("last") == last
    assert desktop.page.get_attribute('[data-do="on"]', "aria-disabled") == "true"
    assert desktop.click("back") == last - 1
    assert desktop.click("first") == 0
    desktop.page.fill("#slider", "77")
    assert desktop.at == 77
    desktop.press("Space")
    desktop.until("document.getElementById('slider').value === '79'")
    assert desktop.page.get_attribute('[data-do="play"]', "aria-pressed") == "true"
    halted = desktop.click("play")
    desktop.page.wait_for_timeout(1000)
    assert desktop.at == halted


def test_the_address_opens_at_a_move_and_follows(
    desktop: Viewer, address: str, browser: Any
) -> None:
    desktop.press("ArrowRight", "ArrowRight")
    desktop.until("location.hash === '#2'")
    other = Viewer(browser, DESKTOP)
    other.open(f"{address}#40")
    assert other.at == 40
    other.open(f"{address}#no")
    assert other.at == 40
    other.context.close()
    for wrong in ("#99999", "#-3", "#x"):
        other = Viewer(browser, DESKTOP)
        other.open(address + wrong)
        assert 0 <= other.at <= int(str(other.page.get_attribute("#slider", "max")))
        assert other.faults == []
        other.context.close()


def test_the_chart_and_the_lists_jump(desktop: Viewer, game: Game) -> None:
    """A click on the chart, on a bid of the auction log, on a row of all moves."""
    last = len(game.moves)
    box = desktop.page.locator("#chart").bounding_box()
    desktop.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    assert abs(desktop.at - last / 2) <= 1
    desktop.page.click('[data-tab="auctions"]')
    bid = desktop.page.locator("#auctions .bid").nth(1)
    step = int(bid.get_attribute("data-jump"))
    bid.click()
    assert desktop.at == step
    assert str(game.moves[step - 1]).split()[0] in ("choose", "bid", "pass")
    assert desktop.page.locator(".lot.now").count() == 1
    desktop.page.click('[data-tab="moves"]')
    desktop.page.click("#moves .row >> nth=5")
    assert desktop.at == 5
    assert str(game.moves[4]) in desktop.text("#moves .row.now")[0]


def test_scores_are_explained_and_rules_tell_their_text(desktop: Viewer, game: Game) -> None:
    """The last step lists every score with its items; a rule's sentence comes by hover and key."""
    desktop.press("End")
    shown = "\n".join(desktop.text("#turn .move.now"))
    assert "Final scoring" in shown
    for name, points in game.scores.items():
        assert f"{name} {points}" in shown
    button = desktop.page.locator("#turn .move.now .rule").first
    name = button.inner_text()
    assert desktop.page.locator("#tip").is_hidden()
    button.hover()
    assert desktop.page.inner_text("#tip") == f"{name} {rule(name).text}"
    desktop.page.mouse.move(5, 500)
    assert desktop.page.locator("#tip").is_hidden()
    button.focus()
    assert desktop.page.locator("#tip").is_visible()
    desktop.page.keyboard.press("Escape")
    assert desktop.page.locator("#tip").is_hidden()


def test_the_board_is_zoomed_and_moved_and_fitted_again(desktop: Viewer) -> None:
    def view() -> list[float]:
        return list(map(float, str(desktop.page.get_attribute("#board", "viewBox")).split()))

    desktop.press("End")
    fitted = view()
    box = desktop.page.locator("#board").bounding_box()
    desktop.page.mouse.move(box["x"] + 200, box["y"] + 200)
    desktop.page.mouse.wheel(0, -300)
    desktop.until(f"board.viewBox.baseVal.width < {fitted[2] - 1}")
    zoomed = view()
    desktop.page.mouse.down()
    desktop.page.mouse.move(box["x"] + 300, box["y"] + 260, steps=4)
    desktop.page.mouse.up()
    moved = view()
    assert moved[2:] == zoomed[2:]
    assert moved[0] < zoomed[0]
    assert moved[1] < zoomed[1]
    desktop.press("ArrowLeft")
    assert view() == moved
    desktop.click("fit")
    desktop.press("ArrowRight")
    assert view() == fitted


def test_a_phone_shows_everything(phone: Viewer, game: Game) -> None:
    """No sideways scrolling; board and controls in sight, large enough for a thumb."""
    for tab in ("scores", "auctions", "moves", "turn"):
        phone.page.tap(f'[data-tab="{tab}"]')
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert phone.page.locator(f"#{tab}").is_visible()
    for action in ("first", "turn-back", "back", "play", "on", "turn-on", "last"):
        box = phone.page.locator(f'[data-do="{action}"]').bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert PHONE[1] / 2 < box["y"]
        assert box["y"] + box["height"] <= PHONE[1]
        assert min(box["width"], box["height"]) >= 40
    board = phone.page.locator("#board").bounding_box()
    assert board["width"] >= 340
    assert board["height"] >= 200
    phone.page.tap('[data-do="last"]')
    assert phone.at == len(game.moves)
    assert len(phone.shown("tiles")) == len(game.tiles)
    phone.page.tap("#turn .rule >> nth=0")
    assert phone.page.locator("#tip").is_visible()
    tip = phone.page.locator("#tip").bounding_box()
    assert tip["x"] >= 0
    assert tip["x"] + tip["width"] <= PHONE[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_scheme_has_its_colours(browser: Any, address: str, scheme: str) -> None:
    """Text on its ground has a contrast of at least 4.5 to 1."""
    viewer = Viewer(browser, DESKTOP, color_scheme=scheme)
    viewer.open(address)
    style = "getComputedStyle(document.querySelector('%s')).%s"
    ink = _light(viewer.page.evaluate(style % ("body", "color")))
    table = _light(viewer.page.evaluate(style % ("body", "backgroundColor")))
    paper = _light(viewer.page.evaluate(style % ("aside", "backgroundColor")))
    assert (table > 0.5) == (scheme == "light")
    for ground in (table, paper):
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5
    assert viewer.faults == []
    viewer.context.close()


def _light(colour: str) -> float:
    """The relative luminance of `rgb(…)`."""
    parts = [int(n) / 255 for n in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_stepping_is_quick(desktop: Viewer, capsys: pytest.CaptureFixture[str]) -> None:
    """200 steps, forwards and back, take less than 20 ms each, if not at every moment."""
    rounds = [desktop.page.evaluate(STEPS, [way, False, 50])[0] / 50 for way in (1, 0, 1, 0)]
    own = sum(rounds) / len(rounds)
    drawn = sum(desktop.page.evaluate(STEPS, [way, True, 40])[1] for way in (True, False)) / 80
    with capsys.disabled():
        print(f"\na step takes {own:.2f} ms, with its frame drawn in software {drawn:.1f} ms")
    assert min(own, *rounds) < MOST_MS


@pytest.mark.parametrize("size", [(360, 640), (500, 640), (1400, 900)])
def test_names_captions_and_the_bazaar_have_their_room(
    browser: Any, address: str, size: tuple[int, int]
) -> None:
    """No name is cut at its end, the caption lies above the board, the strip does not scroll."""
    viewer = Viewer(browser, size)
    viewer.open(address)
    viewer.press("End")
    inside = """[...document.querySelectorAll(".card")].every((card) => {
      const end = card.querySelector(".end").getBoundingClientRect();
      const points = card.querySelector(".points").getBoundingClientRect();
      return end.width > 0 && end.right <= points.left + 1;
    })"""
    assert viewer.page.evaluate(inside)
    where = viewer.page.locator("#where").bounding_box()
    board = viewer.page.locator("#board").bounding_box()
    assert where["y"] + where["height"] <= board["y"] + 1
    wide = "[open.scrollWidth, open.clientWidth]".replace("open", "document.querySelector('#open')")
    for _ in range(60):
        scrolled, room = viewer.page.evaluate(wide)
        assert scrolled <= room
        viewer.press("ArrowLeft")
    viewer.context.close()
