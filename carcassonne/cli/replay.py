"""`carcassonne replay`: show a saved game, up to any of its moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from carcassonne.errors import CarcassonneError
from carcassonne.files import write_text
from carcassonne.geometry import AXES, ROTATIONS, cell_text

if TYPE_CHECKING:
    from carcassonne.cli.screen import Screen
    from carcassonne.model.game import Game
    from carcassonne.moves import Move

__all__ = ["command"]

_KEYS: Final = {
    "n": "next", " ": "next", "\r": "next", "\n": "next", "\x1b[C": "next", "\x1b[B": "next",
    "p": "previous", "b": "previous", "\x1b[D": "previous", "\x1b[A": "previous",
    "t": "turn", "\x1b[6~": "turn",
    "g": "start", "\x1b[H": "start", "\x1b[1~": "start",
    "e": "end", "\x1b[F": "end", "\x1b[4~": "end",
    "q": "quit", "\x1b": "quit", "\x03": "quit", "\x04": "quit",
    "à\x4d": "next", "à\x50": "next", "à\x4b": "previous", "à\x48": "previous",
}  # fmt: skip
"""Keys and what they do; the last ones are arrows on Windows."""
_KEYS_HELP: Final = "n next   p previous   t next turn   g start   e end   q quit"


@click.command(name="replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--at",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the game after N moves, not its end.",
)
@click.option(
    "--step", is_flag=True, help="Go through the game with keys: n, p and arrows; q quits."
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PAGE",
    help="Write the whole game as one web page, with buttons, scores and auctions.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the board and the scores only.")
@click.option("--json", "as_json", is_flag=True, help="Print the position as a JSON object.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain ASCII characters.")
def command(
    file: Path, *, at: int | None, step: bool, html: Path | None, quiet: bool, as_json: bool,
    ascii_only: bool,
) -> None:  # fmt: skip
    """Show the game saved in FILE: turns, board and scores, at the end or after N moves.

    --html writes one page that needs neither server nor network: open it in any browser. With
    --at it opens after N moves instead of at the start.

    \b
    Examples:  carcassonne replay game.json
               carcassonne replay game.json --at 40
               carcassonne replay game.json --step
               carcassonne replay game.json --html game.html
    """
    from carcassonne.cli.screen import Screen, is_interactive  # noqa: PLC0415
    from carcassonne.record import load_game  # noqa: PLC0415

    if step and as_json:
        raise click.UsageError("--step and --json don't go together")
    if html is not None:
        _check_page(html, given={"--step": step, "--json": as_json, "--ascii": ascii_only})
    if step and not is_interactive():
        raise click.UsageError("--step needs an interactive terminal")
    viewer = _Viewer(load_game(file))
    if at is not None and at > viewer.last:
        raise CarcassonneError(f"{file}: can't show move {at}: the game has {viewer.last} moves")
    if html is not None:
        _write_page(viewer.game, file, html, at=at, quiet=quiet)
        return
    viewer.go_to(viewer.last if at is None and not step else at or 0)
    if as_json:
        click.echo(json.dumps(_position(file, viewer), indent=1, ensure_ascii=False))
        return
    screen = Screen(ascii_only=ascii_only)
    if step:
        _walk(viewer, screen)
        return
    if not quiet:
        _show_log(viewer.game, screen)
    _show_position(viewer, screen)


def _check_page(html: Path, *, given: dict[str, bool]) -> None:
    """See that the page's file has a fitting name, and that nothing else is asked for."""
    for name, wanted in given.items():
        if wanted:
            raise click.UsageError(f"--html and {name} don't go together")
    if html.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"--html {html}: the page's file name ends in .html")


def _write_page(game: Game, file: Path, html: Path, *, at: int | None, quiet: bool) -> None:
    from carcassonne.render.page import replay_page  # noqa: PLC0415 - only for pages

    page = replay_page(game, at=at, title=f"Carcassonne: {file.stem}")
    write_text(html, page)
    if not quiet:
        size = -(-len(page.encode()) // 1000)
        click.echo(f"{html}: written, {len(game.moves)} moves, {size} kB")


class _Viewer:
    """A game that is taken back and played again as the viewer goes to and fro."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: tuple[Move, ...] = game.moves
        self.was_stopped = game.was_stopped
        self.last = len(self.moves)
        self.at = self.last

    def go_to(self, number: int) -> None:
        """Go to the position after so many moves; a stopped game's end belongs to its last move."""
        number = max(0, min(number, self.last))
        back = self.at - number
        if back > 0:
            self.game.undo(back + self.game.was_stopped)
        for move in self.moves[self.at : number]:
            self.game.play(move)
        self.at = number
        if number == self.last and self.was_stopped and not self.game.is_over:
            self.game.stop()

    def next_turn(self) -> None:
        """Go on to the next placement, or to the end."""
        self.go_to(self.at + 1)
        while self.at < self.last and self.game.decision and self.game.decision.kind != "place":
            self.go_to(self.at + 1)


# ------------------------------------------------------------------------------ showing


def _show_log(game: Game, screen: Screen) -> None:
    from carcassonne.render.log import TurnLog  # noqa: PLC0415
    from carcassonne.render.text import auction_log  # noqa: PLC0415
    from carcassonne.render.words import start_scores  # noqa: PLC0415

    width = screen.text_width
    screen.show(TurnLog(start_scores(game), width=width).lines(game.events))
    auctions = auction_log(game.events, width=width)
    if auctions:
        screen.heading("Auctions")
        screen.show(auctions)


def _show_position(viewer: _Viewer, screen: Screen, *, features: bool = True) -> None:
    """The board, the scores, and whose decision is open or who won."""
    from carcassonne.render.text import (  # noqa: PLC0415
        feature_lines,
        final_lines,
        market_lines,
        score_lines,
    )

    game, width = viewer.game, screen.text_width
    screen.heading(f"After move {viewer.at} of {viewer.last}")
    screen.board(game, features=False)
    if game.is_over:
        screen.show(["", *final_lines(game, width=width)])
        return
    if features:
        screen.show(["", *feature_lines(game, width=width)])
    screen.show(["", *score_lines(game, width=width), *market_lines(game, width=width)])
    decision = game.decision
    if decision is not None:
        tile = f" {decision.tile}" if decision.tile else ""
        left = f"{game.stack_left} left in the stack"
        screen.show(f"{decision.player} decides: {decision.kind}{tile}; {left}")


def _walk(viewer: _Viewer, screen: Screen) -> None:
    """Go through the game by keys."""
    from carcassonne.render.text import event_lines  # noqa: PLC0415

    while True:
        click.clear()
        _show_position(viewer, screen, features=False)
        last = f"last move: {viewer.moves[viewer.at - 1]}" if viewer.at else "the start"
        screen.show(["", last])
        if viewer.at:
            start = _events_before(viewer)
            screen.show(event_lines(viewer.game.events[start:], width=screen.text_width))
        screen.show(_KEYS_HELP)
        action = _KEYS.get(_key(), "")
        if action == "quit":
            return
        if action == "turn":
            viewer.next_turn()
        elif action:
            steps = {"next": viewer.at + 1, "previous": viewer.at - 1, "start": 0}
            viewer.go_to(steps.get(action, viewer.last))


def _key() -> str:
    try:
        return click.getchar()
    except (EOFError, KeyboardInterrupt):
        return "q"


def _events_before(viewer: _Viewer) -> int:
    """How many events there were before the last move."""
    at = viewer.at
    viewer.go_to(at - 1)
    count = len(viewer.game.events)
    viewer.go_to(at)
    return count


# ------------------------------------------------------------------------------ for machines


def _position(file: Path, viewer: _Viewer) -> dict[str, Any]:
    """The position as plain data."""
    import msgspec  # noqa: PLC0415

    game = viewer.game
    decision = game.decision
    return {
        "file": str(file),
        "at": viewer.at,
        "moves": [str(move) for move in viewer.moves],
        "players": list(game.players),
        "over": game.is_over,
        "decision": None if decision is None else _words(msgspec.structs.asdict(decision)),
        "scores": game.scores,
        "winners": game.winners,
        "supply": game.supply,
        "stack_left": game.stack_left,
        "on_offer": list(game.on_offer),
        "hands": game.hands,
        "tiles": [
            {
                "tile": placement.tile.id,
                "cell": cell_text(cell),
                "rotation": ROTATIONS[placement.rotation],
                "bridges": [AXES[axis] for axis in placement.bridges],
            }
            for cell, placement in game.tiles.items()
        ],
        "meeples": [
            {"player": name, "at": str(node), "bridge": data["bridge"]}
            for node, data in game.graph().nodes(data=True)
            for name, count in data["meeples"].items()
            for _ in range(count)
        ],
        "castles": [
            {"at": str(castle.at), "owner": castle.owner, "occupied": castle.occupied}
            for castle in game.castles
        ],
        "events": [str(event) for event in game.events],
    }


def _words(decision: dict[str, Any]) -> dict[str, Any]:
    castle = decision["castle"]
    return {**decision, "castle": None if castle is None else str(castle)}
