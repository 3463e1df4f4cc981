"""`carcassonne play`: a game between bots and people, told as it happens.

Owns whose turn it is to be asked, taking back, saving and what is printed. Ctrl-C and the end of
the input leave the game so far saved where `--out` says.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from carcassonne.cli.numbers import FiniteRange
from carcassonne.cli.options import GameSetup, bots_option, game_options, split_codes
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

    from carcassonne.bots import Bot
    from carcassonne.cli.human import Person
    from carcassonne.cli.screen import Screen
    from carcassonne.events import Event
    from carcassonne.model.game import Game

__all__ = ["command"]

_HUMAN: Final = "human"
_LONGEST_WAIT: Final = 3600.0
_BETWEEN_TURNS: Final = ("place", "choose", "take")
"""Decisions before which nothing of a turn or of a lot is still to come."""


class _QuitError(Exception):
    """A person has had enough."""


class _ForfeitError(Exception):
    """A bot raised an error or answered no legal move."""


@click.command(name="play")
@click.option(
    "--players", "codes", default="random,greedy", show_default=True, metavar="CODE,...",
    help="Who plays, 2 to 6 in turn order: bots by their codes, and human.",
)  # fmt: skip
@bots_option
@click.option("--names", metavar="NAME,...", help="Names of the players, in the same order.")
@game_options
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Save the game as a .json file."
)
@click.option("-q", "--quiet", is_flag=True, help="Print the final table only.")
@click.option("--json", "as_json", is_flag=True, help="Print the result and the record as JSON.")
@click.option("--step", is_flag=True, help="Show the board after each turn and wait for a key.")
@click.option(
    "--delay", type=FiniteRange(0, _LONGEST_WAIT), metavar="SECONDS",
    help="Show the board after each turn and wait so long.",
)  # fmt: skip
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain ASCII characters.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    codes: str,
    bot_files: tuple[Path, ...],
    names: str | None,
    setup: GameSetup,
    out: Path | None,
    quiet: bool,
    as_json: bool,
    **look: Any,
) -> None:
    """Play a game between bots, people, or both, and watch it.

    Turns are told as they happen, then come the auctions, the board and the points. A person
    (human) gets the legal moves as a numbered list and answers with a number or a move in
    notation; ? explains the rest.

    \b
    Examples:  carcassonne play
               carcassonne play --players human,greedy --names Ann,Bot --out game.json
               carcassonne play --players greedy,greedy,random --seed 7 --option bazaar_max_bid=10
    """
    kinds = split_codes(codes)
    if _HUMAN in kinds and as_json:
        raise click.UsageError("--json is for games between bots")
    seats = _seats(kinds, bot_files, names, setup.seed)
    table = _Table(
        setup.new_game(list(seats)), seats, seed=setup.seed, quiet=quiet or as_json, **look
    )
    if out is not None and not os.access(out.absolute().parent, os.W_OK):
        raise CarcassonneError(f"{out}: can't be written: the folder is missing or protected")
    code = _play_and_save(table, out)
    if not as_json and table.game.is_over:
        table.show_end()
    if as_json:
        codes_by_name = dict(zip(seats, kinds, strict=True))
        click.echo(json.dumps(_result(table, setup, codes_by_name), indent=1, ensure_ascii=False))
    ctx.exit(code)


def _seats(
    kinds: Sequence[str], bot_files: Sequence[Path], names: str | None, seed: int
) -> dict[str, Bot | None]:
    """Players by name in turn order, each with its bot; None is a person."""
    from carcassonne.bots import Roster  # noqa: PLC0415 - bots load only to play

    if not 2 <= len(kinds) <= 6:
        raise click.UsageError(f"a game has 2 to 6 players, not {len(kinds)}")
    chosen = [name.strip() for name in names.split(",")] if names else _names(kinds)
    if len(chosen) != len(kinds):
        raise click.UsageError(f"{len(kinds)} players need as many names, not {len(chosen)}")
    if len(set(chosen)) < len(chosen):
        raise click.UsageError("the players' names must be different")
    roster = Roster(bot_files)
    seats: dict[str, Bot | None] = {}
    for seat, (name, kind) in enumerate(zip(chosen, kinds, strict=True)):
        own_seed = random.Random(f"{seed} seat {seat}").getrandbits(32)
        seats[name] = None if kind == _HUMAN else roster.make(kind, seed=own_seed)
    return seats


def _names(kinds: Sequence[str]) -> list[str]:
    """Names made from the codes, numbered where several are the same."""
    words = [kind.partition(":")[0].capitalize() or "?" for kind in kinds]
    return [
        word if words.count(word) == 1 else f"{word}{words[:i].count(word) + 1}"
        for i, word in enumerate(words)
    ]


def _play_and_save(table: _Table, out: Path | None) -> int:
    """Play as far as it goes, save, and answer the exit code."""
    code = 0
    try:
        table.play()
    except (KeyboardInterrupt, click.Abort):
        code = 130
        click.echo("\nInterrupted.", err=True)
    except EOFError:
        click.echo("\nThe input has ended.", err=True)
    except _QuitError:
        pass
    except _ForfeitError as error:
        code = 1
        click.echo(f"Error: {error}", err=True)
    finally:
        if out is not None:
            with _undisturbed():
                table.save(out)
    if out is None and table.game.moves and not table.game.is_over:
        click.echo("The game was not finished, and not saved.", err=True)
    return code


def _result(table: _Table, setup: GameSetup, codes: Mapping[str, str]) -> dict[str, Any]:
    """What `--json` prints."""
    from carcassonne.record import record_of  # noqa: PLC0415
    from carcassonne.render.words import points_by_kind  # noqa: PLC0415

    game = table.game
    points = points_by_kind(game.events, game.players)
    return {
        "players": [
            {"name": name, "code": code, "score": game.scores[name], "points": points[name]}
            for name, code in codes.items()
        ],
        "seed": setup.seed,
        "over": game.is_over,
        "moves": len(game.moves),
        "scores": game.scores,
        "winners": game.winners,
        "record": record_of(game),
    }


class _Table:
    """A game being played: who is asked, and what is told."""

    def __init__(
        self,
        game: Game,
        seats: Mapping[str, Bot | None],
        *,
        seed: int,
        quiet: bool,
        step: bool,
        delay: float | None,
        ascii_only: bool,
    ) -> None:
        from carcassonne.bots.followers import Followers  # noqa: PLC0415
        from carcassonne.cli.screen import Screen  # noqa: PLC0415
        from carcassonne.render.log import TurnLog  # noqa: PLC0415

        self.game = game
        self._random = random.Random(seed)
        self._followers = Followers(seats)
        self.seats = seats
        self.quiet = quiet
        self.step = step
        self.delay = delay
        self.screen: Screen = Screen(ascii_only=ascii_only)
        self.log = TurnLog(game.scores, width=self.screen.text_width)
        self._untold: list[Event] = list(game.events)
        self._person: Person | None = None

    # -------------------------------------------------------------------------- playing

    def play(self) -> None:
        """Ask for moves until the game is over."""
        self._followers.begin(self.game, {})
        try:
            self._go_on()
        finally:
            self._followers.finish(self.game.scores)
            for bot in self.seats.values():
                close = getattr(bot, "close", None)
                if close is not None:
                    close()

    def _go_on(self) -> None:
        while (decision := self.game.decision) is not None:
            bot = self.seats[decision.player]
            if bot is None:
                self._tell()
                self._ask_person(decision.player)
            else:
                self._ask_bot(decision.player, bot)
            now = self.game.decision
            if now is None or now.kind in _BETWEEN_TURNS:
                self._tell()

    def _ask_bot(self, player: str, bot: Bot) -> None:
        from carcassonne.bots.base import BotFault  # noqa: PLC0415
        from carcassonne.bots.table import is_built_in, table_of  # noqa: PLC0415

        try:
            self._followers.require_sound(player)
            answer = table_of(self.game).ask(bot, None if is_built_in(bot) else self._random)
            self._play(player, str(answer))
        except (BotFault, CarcassonneError) as error:
            raise _ForfeitError(f"{player} forfeits the game: {error}") from error

    def _play(self, player: str, move: str) -> None:
        with _undisturbed():
            events = self.game.play(move)
            self._untold += events
        self._followers.tell(player, self.game.moves[-1], events)

    def _ask_person(self, player: str) -> None:
        from carcassonne.cli.human import Command, Person  # noqa: PLC0415

        if self._person is None:
            self._person = Person(self.screen)
        answer = self._person.decide(self.game)
        if not isinstance(answer, Command):
            self._play(player, str(answer))
        elif answer.name == "undo":
            self._undo()
        elif answer.name == "save":
            try:
                self.save(Path(answer.argument))
            except CarcassonneError as error:
                self.screen.show(str(error))
        else:
            raise _QuitError

    def _undo(self) -> None:
        """Take back the last move of a person and what bots answered, if no tile was revealed."""
        twin = self.game.copy()
        moves = list(twin.moves)
        count = 0
        while twin.can_undo_at_table:
            twin.undo()
            count += 1
            decision = twin.decision
            if decision is not None and self.seats[decision.player] is None:
                with _undisturbed():
                    self.game.undo(count)
                self._followers.finish(self.game.scores)
                self._followers.begin(self.game, {})
                self.log.start_over(self.game.events)
                taken = ", ".join(str(move) for move in moves[-count:])
                self.screen.show(f"taken back: {taken}")
                return
        self.screen.show("nothing can be taken back: a tile has been revealed since")

    def save(self, path: Path) -> None:
        """Save the game so far."""
        from carcassonne.record import save_game  # noqa: PLC0415

        save_game(self.game, path)
        if not self.quiet:
            self.screen.show(f"saved: {path}")

    # -------------------------------------------------------------------------- telling

    def _tell(self) -> None:
        """Print what has happened since the last time."""
        lines = self.log.lines(self._untold)
        self._untold = []
        if self.quiet or not lines:
            return
        self.screen.show(lines)
        if (self.step or self.delay is not None) and not self.game.is_over:
            self.screen.board(self.game, features=False)
            if self.step:
                click.pause()
            elif self.delay:
                time.sleep(self.delay)

    def show_end(self) -> None:
        """The auctions, the board, and who got how many points for what."""
        from carcassonne.render.text import auction_log, final_lines  # noqa: PLC0415

        screen, game = self.screen, self.game
        if not self.quiet:
            auctions = auction_log(game.events, width=screen.text_width)
            if auctions:
                screen.heading("Auctions")
                screen.show(auctions)
            screen.heading("The board at the end")
            screen.board(game, features=False)
            screen.heading("Points")
        screen.show(final_lines(game, width=screen.text_width))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until something that must not be cut in half is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        pressed.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
