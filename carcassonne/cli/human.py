"""A person at the terminal: the legal moves as a list, and an answer by number or notation.

Owns reading what is typed and showing what can be chosen. Which moves are legal, and why others
are not, the game says.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.errors import InvalidMove
from carcassonne.geometry import ROTATIONS, cell_text, reading_order
from carcassonne.moves import (
    Address,
    Bid,
    BuildCastle,
    Choose,
    Collect,
    Move,
    Pass,
    Place,
    PutMeeple,
    parse_move,
)
from carcassonne.render.blocks import tile_lines
from carcassonne.render.text import feature_lines, market_lines, score_lines, to_ascii
from carcassonne.render.words import counted, feature_text, flowed, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.cli.screen import Screen
    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game

__all__ = ["Command", "Person"]


class Command(NamedTuple):
    """Something other than a move that the person wants: undo, save or quit."""

    name: str
    argument: str = ""


_HELP: Final = (
    "a number           the move with that number (of a bid: so many points)",
    "place TILE X,Y R   any move in notation; of a placement X,Y R is enough, as in 1,0 r90",
    "pass               do nothing",
    "why MOVE           is that move legal, and if not, which rules does it break?",
    "moves              list the legal moves again",
    "board              show the board and what stands on it",
    "scores             show scores, supplies and the bazaar",
    "undo               take back your last move, unless a tile was revealed since",
    "save FILE          save the game so far",
    "quit               stop playing (and save, if --out was given)",
)
_SHORT: Final = {
    "?": "help", "h": "help", "m": "moves", "b": "board", "s": "scores", "u": "undo",
    "q": "quit", "exit": "quit",
}  # fmt: skip
_ASK: Final = {
    "place": "place {tile}",
    "bridge": "build a bridge?",
    "meeple": "put a meeple?",
    "castle": "turn a city into a castle?",
    "collect": "what pays the castle {castle}?",
    "choose": "choose a tile and open the bidding",
    "bid": "bid for {tile}? {high_bid} so far",
    "deal": "buy {tile} for {high_bid}, or sell it?",
    "take": "take a tile",
}


class Person:
    """Asks whoever sits at the terminal."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._shown = 0
        self._asked: tuple[int, object] | None = None
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - lets input() edit lines

    def decide(self, game: Game) -> Move | Command:
        """Show the open decision and read until there is a legal move or a command.

        Raises
        ------
        EOFError
            Nothing more can be read.
        """
        asked = (len(game.moves), game.decision)
        if asked != self._asked:
            self._show_table(game)
            self._show_moves(game)
        self._asked = asked
        while True:
            text = self._read(f"{self._question(game)} (? for help) > ")
            word, _, rest = text.partition(" ")
            name = _SHORT.get(word.lower(), word.lower())
            if name in ("undo", "quit") or (name == "save" and rest.strip()):
                return Command(name, rest.strip())
            if name in ("help", "moves", "board", "scores", "why", "save"):
                self._tell(game, name, rest.strip())
                continue
            move = self._move(game, text) if text else None
            if move and self._is_legal(game, move):
                return move

    def _read(self, prompt: str) -> str:
        """A line without spaces around it and with single ones inside."""
        shown = to_ascii(prompt) if self.screen.ascii_only else prompt
        try:
            return " ".join(input(shown).split())
        except UnicodeDecodeError:
            self.screen.show("  that can't be read: it is no text")
            return ""

    # -------------------------------------------------------------------------- showing

    def _question(self, game: Game) -> str:
        decision = game.decision
        if decision is None:
            return ""
        text = _ASK[decision.kind].format(
            tile=decision.tile, castle=decision.castle, high_bid=decision.high_bid
        )
        return f"{decision.player}, {text}"

    def _show_table(self, game: Game) -> None:
        """Show the board where it has changed: all of it, or what is around the new tile."""
        decision = game.decision
        if decision is None:
            return
        kind = decision.kind
        if kind == "place":
            self.screen.board(game, notes=_numbered_cells(game))
        elif kind in ("choose", "take") and self._shown != len(game.tiles):
            self.screen.board(game)
        elif kind in ("bridge", "meeple", "castle", "collect"):
            cell = list(game.tiles)[-1]
            notes: dict[Cell | Address, str] = {
                Address(cell, move.segment): str(number)
                for number, move in enumerate(game.legal_moves(), 1)
                if isinstance(move, PutMeeple)
            }
            self.screen.show("")
            self.screen.board(game, notes=notes, focus=cell)
        self._shown = len(game.tiles)
        if kind in ("place", "choose", "take"):
            self.screen.show("")
            self._show_scores(game)

    def _show_scores(self, game: Game) -> None:
        width = self.screen.text_width
        self.screen.show(score_lines(game, width=width))
        self.screen.show(market_lines(game, width=width))
        self.screen.show(f"{counted(game.stack_left, 'tile')} left in the stack")

    def _show_moves(self, game: Game) -> None:
        decision = game.decision
        if decision is None:
            return
        self.screen.show("")
        if decision.kind == "place":
            self._show_placements(game)
        elif decision.kind in ("choose", "take", "bid", "deal"):
            self._show_market(game)
        else:
            for number, move in enumerate(game.legal_moves(), 1):
                line = f"{number:>3}  {move}{_meaning(game, move)}"
                self.screen.show(wrapped(line, self.screen.text_width, indent=2, hang=7))

    def _show_placements(self, game: Game) -> None:
        """The tile in its rotations, and for each cell the numbers of the moves."""
        places: dict[Cell, list[str]] = {}
        turns: list[int] = []
        others = []
        for number, move in enumerate(game.legal_moves(), 1):
            if isinstance(move, Place):
                bridge = f" with bridge {move.bridge}" if move.bridge else ""
                text = f"{number} {ROTATIONS[move.rotation]}{bridge}"
                places.setdefault(move.cell, []).append(text)
                turns.append(move.rotation)
            else:
                others.append(f"{number} {move}")
        tile = game.box.tile(game.drawn or "")
        self._show_tiles([
            (ROTATIONS[turn], tile_lines(tile, turn)) for turn in sorted(set(turns))
        ])  # fmt: skip
        entries = [
            f"{cell_text(cell)}: {', '.join(places[cell])}"
            for cell in sorted(places, key=reading_order)
        ]
        self.screen.show(flowed([*entries, *others], self.screen.text_width, gap=4))

    def _show_tiles(self, tiles: Sequence[tuple[str, list[str]]]) -> None:
        """Tiles side by side under their titles."""
        if not tiles:
            return
        gap = 4
        wide = max(len(title) for title, _ in tiles)
        wide = max(wide, len(tiles[0][1][0])) + gap
        each = max(1, (self.screen.text_width - 2) // wide)
        for start in range(0, len(tiles), each):
            row = tiles[start : start + each]
            titles = "".join(title.ljust(wide) for title, _ in row)
            self.screen.show(f"  {titles}".rstrip())
            for line in zip(*(lines for _, lines in row), strict=True):
                self.screen.show(f"  {''.join(part.ljust(wide) for part in line)}".rstrip())

    def _show_market(self, game: Game) -> None:
        decision = game.decision
        if decision is None:
            return
        if decision.kind in ("bid", "deal"):
            tile = game.box.tile(decision.tile or "")
            self._show_tiles([(tile.id, tile_lines(tile))])
            return
        tiles = [game.box.tile(name) for name in game.on_offer]
        self._show_tiles([
            (f"{number} {tile.id}", tile_lines(tile)) for number, tile in enumerate(tiles, 1)
        ])  # fmt: skip

    # -------------------------------------------------------------------------- answering

    def _tell(self, game: Game, name: str, argument: str) -> None:
        """Commands that only show something."""
        if name == "help":
            self.screen.show(f"  {line}" for line in _HELP)
        elif name == "moves":
            self._show_moves(game)
        elif name == "board":
            self.screen.board(game, features=False)
            self.screen.show(["", *feature_lines(game, width=self.screen.text_width)])
        elif name == "scores":
            self._show_scores(game)
        elif name == "save":
            self.screen.show("  save where? Write: save FILE")
        else:
            self._why(game, argument)

    def _why(self, game: Game, text: str) -> None:
        if not text:
            self.screen.show("  why what? Write: why MOVE")
            return
        move = self._move(game, text)
        if move is None:
            return
        found = game.why_not(move)
        if found:
            self._refuse(f"'{move}' is not legal:", [str(violation) for violation in found])
        else:
            self.screen.show(wrapped(f"'{move}' is legal", self.screen.text_width, indent=2))

    def _is_legal(self, game: Game, move: Move) -> bool:
        found = game.why_not(move)
        if found:
            self._refuse(f"'{move}' is not legal:", [str(violation) for violation in found])
        return not found

    def _refuse(self, title: str, reasons: Sequence[str]) -> None:
        width = self.screen.text_width
        self.screen.show(wrapped(title, width, indent=2))
        for reason in reasons:
            self.screen.show(wrapped(reason, width, indent=4, hang=2))

    def _move(self, game: Game, text: str) -> Move | None:
        """The move that a text stands for, or None after saying what is wrong."""
        decision = game.decision
        if decision is None:
            return None
        words = text.split()
        if all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
            return self._numbered(game, decision.kind, [int(word) for word in words])
        if text.lower() == "p":
            return Pass()
        if decision.kind == "place" and "," in words[0]:
            text = f"place {game.drawn} {text}"
        try:
            return parse_move(text)
        except InvalidMove as error:
            self._refuse(str(error), [])
            return None

    def _numbered(self, game: Game, kind: str, numbers: list[int]) -> Move | None:
        """The move that one number (a tile and a bid: two) stands for."""
        moves = game.legal_moves()
        number = numbers[0]
        if kind == "choose":
            return self._choice(game, numbers)
        if len(numbers) > 1:
            self._refuse("one number is enough here", [])
        elif kind == "bid":
            return Bid(number)
        elif not 1 <= number <= len(moves):
            self._refuse(f"there is no move {number}; they are numbered 1 to {len(moves)}", [])
        else:
            return moves[number - 1]
        return None

    def _choice(self, game: Game, numbers: list[int]) -> Move | None:
        """A tile on offer and the opening bid, which is asked for if it is missing."""
        number, *bids = numbers
        if not 1 <= number <= len(game.on_offer):
            self._refuse(f"there is no tile {number} on offer", [])
            return None
        if not bids:
            text = self._read(f"opening bid for {game.on_offer[number - 1]} > ")
            if not (text.isascii() and text.isdigit() and len(text) < 6):
                self._refuse("a bid is a number of points, 0 or more", [])
                return None
            bids = [int(text)]
        return Choose(number, bids[0])


def _numbered_cells(game: Game) -> dict[Cell | Address, str]:
    """For each cell where the drawn tile may go, the numbers of its moves."""
    numbers: dict[Cell, list[int]] = {}
    for number, move in enumerate(game.legal_moves(), 1):
        if isinstance(move, Place):
            numbers.setdefault(move.cell, []).append(number)
    return {
        cell: f"{found[0]}-{found[-1]}" if len(found) > 1 else str(found[0])
        for cell, found in numbers.items()
    }


def _meaning(game: Game, move: Move) -> str:
    """What a move would be about, in brackets."""
    at = None
    if isinstance(move, PutMeeple):
        at = Address(list(game.tiles)[-1], move.segment)
    elif isinstance(move, BuildCastle):
        at = move.city
    elif isinstance(move, Collect):
        at = move.feature
    return f"  ({feature_text(game.feature(at))})" if at else ""
