"""`carcassonne explain`: what is legal and why not, what is where, where points came from."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.cli.screen import Screen
    from carcassonne.explain import (
        FeatureExplanation,
        GameExplanation,
        ItemLine,
        MoveExplanation,
        PositionExplanation,
        ScoreLine,
        TurnExplanation,
        Value,
    )
    from carcassonne.explain_castles import CastleExplanation, Payer
    from carcassonne.model.game import Game

__all__ = ["command"]


@click.command(name="explain")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves, not at the end."
)
@click.option(
    "--move", "moves", multiple=True, metavar="MOVE", help="Judge a move. Can be repeated."
)
@click.option("--position", "what", flag_value="position", help="Explain the position.")
@click.option(
    "--turn", "what", flag_value="turn", help="Explain every point of the last turn played."
)
@click.option("--game", "what", flag_value="game", help="Explain every point of the game so far.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def command(
    ctx: click.Context, file: Path, *, at: int | None, moves: tuple[str, ...], what: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Explain the saved game or scenario in FILE by its rules.

    With --move: whether the move is legal, or all the rules that it breaks. Else the position:
    the open decision with its legal moves, each feature with its tiles, open ends, meeples and
    what it pays, each castle with what could still pay it. For a game that is over, or with
    --game or --turn: every point, with its items and rules.

    Exit code 0: done, and every --move is legal; 1: a --move is illegal; 2: bad input.

    \b
    Examples:  carcassonne explain game.json --at 40
               carcassonne explain case.toml --move "place BA/L 2,0 r0"
               carcassonne explain game.json --game
    """
    from carcassonne.cli.tables import load_table  # noqa: PLC0415 - the engine loads only to run

    if moves and what:
        raise click.UsageError(f"--move and --{what} don't go together")
    game = load_table(file, at)
    if moves:
        judged, wrong = _judge(game, moves)
        if as_json:
            _print_json(file, {"moves": judged, "errors": wrong})
        else:
            _show_moves(judged)
        for text in wrong:
            click.echo(f"Error: --move {text}", err=True)
        ctx.exit(2 if wrong else 0 if all(one.legal for one in judged) else 1)
    _explain(game, what or ("game" if game.is_over else "position"), file, as_json=as_json)


def _judge(game: Game, moves: Iterable[str]) -> tuple[list[MoveExplanation], list[str]]:
    """The judgments of what are moves, and what is wrong with the texts that are none."""
    from carcassonne.errors import InvalidMove  # noqa: PLC0415
    from carcassonne.explain import explain_move  # noqa: PLC0415

    judged, wrong = [], []
    for text in moves:
        try:
            judged.append(explain_move(game, text.strip()))
        except InvalidMove as error:
            wrong.append(str(error))
    return judged, wrong


def _explain(game: Game, what: str, file: Path, *, as_json: bool) -> None:
    from carcassonne.explain import (  # noqa: PLC0415
        explain_game,
        explain_position,
        explain_turn,
    )

    if what == "position":
        position = explain_position(game)
        if as_json:
            _print_json(file, {"position": position})
        else:
            _show_position(position, game)
        return
    if what == "turn":
        turn = explain_turn(game)
        if as_json:
            _print_json(file, {"turn": turn})
        elif turn is None:
            click.echo("No turn has been played yet.")
        else:
            _show_points([turn], _screen())
        return
    explained = explain_game(game)
    if as_json:
        _print_json(file, {"game": explained})
    else:
        _show_game(explained)


def _print_json(file: Path, data: dict[str, object]) -> None:
    import msgspec  # noqa: PLC0415

    plain = msgspec.to_builtins({"file": str(file), **data})
    click.echo(json.dumps(plain, indent=1, ensure_ascii=False))


def _screen() -> Screen:
    from carcassonne.cli.screen import Screen  # noqa: PLC0415

    return Screen()


def _wrap(screen: Screen, text: str, *, indent: int = 0, hang: int = 2) -> None:
    from carcassonne.render.words import wrapped  # noqa: PLC0415

    screen.show(wrapped(text, screen.text_width, indent=indent, hang=hang))


# ------------------------------------------------------------------------------ moves


def _show_moves(judged: Sequence[MoveExplanation]) -> None:
    screen = _screen()
    for i, one in enumerate(judged):
        if i:
            screen.show("")
        whose = f" ({one.player} decides: {one.decision})" if one.player else ""
        _wrap(screen, f"{one.move}: {'legal' if one.legal else 'illegal'}{whose}")
        if one.passed:
            _wrap(screen, f"after {', then '.join(one.passed)} decision is passed", indent=2)
        for reason in one.violations:
            _wrap(screen, f"- {reason.message} ({reason.rule})", indent=2)
        for text in one.follows:
            _wrap(screen, f"- {text}", indent=2)
    _show_rules(screen, (reason.rule for one in judged for reason in one.violations))


def _show_rules(screen: Screen, ids: Iterable[str]) -> None:
    """The texts of the rules that were cited, each once, in their order."""
    from carcassonne.rule_register import register  # noqa: PLC0415

    cited = set(ids)
    if not cited:
        return
    screen.heading("Rules")
    for name, entry in register().items():
        if name in cited:
            _wrap(screen, f"{name}: {entry.text}", hang=4)


# ------------------------------------------------------------------------------ positions


def _show_position(position: PositionExplanation, game: Game) -> None:
    from carcassonne.render.words import counted, score_lines  # noqa: PLC0415

    screen = _screen()
    screen.board(game, features=False)
    screen.show("")
    played = counted(position.moves_played, "move")
    _wrap(screen, f"After {played}, {counted(position.stack, 'tile')} left in the stack")
    screen.show(score_lines(game, width=screen.text_width))
    _show_decision(position, game, screen)
    shown = [f for f in position.features if f.kind not in ("castle", "river")]
    occupied = [f for f in shown if f.meeples or f.barns]
    others = [f for f in shown if not (f.meeples or f.barns)]
    open_ones = [f for f in others if not f.complete and f.kind != "field"]
    fields = [f for f in others if f.kind == "field"]
    done = [f for f in others if f.complete]
    if occupied:
        screen.heading("Occupied features")
        for feature in occupied:
            _show_feature(feature, screen, over=position.over)
    if position.castles:
        screen.heading("Castles")
        for castle in position.castles:
            _show_castle(castle, screen)
    if open_ones:
        screen.heading("Free features that are not complete")
        for feature in open_ones:
            _show_feature(feature, screen, over=position.over)
    if fields:
        screen.heading("Free fields (at: points to a farmer as it lies)")
        _flow(screen, [f"{f.at}: {f.now.points}" for f in fields])
    if done:
        screen.heading("Complete (at: what it was worth)")
        _flow(screen, [f"{f.kind} {f.at}: {f.now.points}" for f in done])


def _flow(screen: Screen, entries: Sequence[str]) -> None:
    from carcassonne.render.words import flowed  # noqa: PLC0415

    screen.show(flowed(entries, screen.text_width, gap=3))


def _bids(position: PositionExplanation, game: Game) -> Iterator[str]:
    """The bids in a few words; the listing of them ends somewhere, what is legal may not."""
    from carcassonne.render.words import listed  # noqa: PLC0415

    moves = [move.split(" ") for move in position.legal_moves if move != "pass"]
    bids = [int(words[-1]) for words in moves]
    if bids:
        low, high = min(bids), max(bids)
        numbers = listed(dict.fromkeys(words[1] for words in moves), "or")
        start, between = "bid", " "
        if position.decision == "choose":
            start, between = f"choose {numbers} with a bid", " of "
        beyond = " ".join([*moves[-1][:-1], str(high + 1)])
        if not game.why_not(beyond):
            yield f"{start}{between}{low} or more (the list shows up to {high})"
        else:
            yield f"{start}{between}{low}" + (f" to {high}" if high > low else "")
    if "pass" in position.legal_moves:
        yield "pass"


def _show_decision(position: PositionExplanation, game: Game, screen: Screen) -> None:
    from carcassonne.render.words import counted  # noqa: PLC0415

    if position.over:
        screen.heading("The game is over")
        return
    about = f" {position.about}" if position.about else ""
    what = f"{position.player} decides: {position.decision}{about}"
    if position.decision in ("choose", "bid"):
        screen.heading(what)
        for text in _bids(position, game):
            _wrap(screen, text, hang=4)
        return
    screen.heading(f"{what} ({counted(len(position.legal_moves), 'legal move')})")
    if position.decision != "place":
        _flow(screen, position.legal_moves)
        return
    for cell, ways in _placements(position.legal_moves):
        _wrap(screen, f"{cell}: {', '.join(ways)}" if ways else cell, indent=2, hang=4)


def _placements(moves: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Placements by cell, each with its rotations and bridges; `decline` stands alone."""
    from carcassonne.geometry import parse_cell, reading_order  # noqa: PLC0415

    def row(move: str) -> tuple[int, int]:
        words = move.split(" ")
        cell = parse_cell(words[2]) if len(words) > 2 else None
        return reading_order(cell) if cell else (100_000, 0)

    for _, group in groupby(sorted(moves, key=lambda m: (row(m), m)), key=row):
        texts = [move.split(" ") for move in group]
        if len(texts[0]) < 3:
            yield texts[0][0], []
        else:
            yield texts[0][2], [" ".join(words[3:]) for words in texts]


def _show_feature(feature: FeatureExplanation, screen: Screen, *, over: bool) -> None:
    held = feature.meeples or feature.barns
    worth = "" if held else f"; worth {_sum(feature.now)}"
    _wrap(screen, f"{feature.kind} {feature.at}: {_size(feature)}{worth}", hang=4)
    if feature.dead:
        cells = _cells(feature.dead)
        _wrap(screen, f"cannot be completed: no tile left fits on {cells}", indent=2, hang=4)
    if held:
        _wrap(screen, _majority(feature), indent=2, hang=4)
        _wrap(screen, _worth(feature, over=over), indent=2, hang=4)


def _size(feature: FeatureExplanation) -> str:
    from carcassonne.render.words import counted  # noqa: PLC0415

    size = [counted(feature.tiles, "tile")]
    if feature.pennants:
        size.append(counted(feature.pennants, "pennant"))
    if feature.complete:
        size.append("complete")
    elif feature.kind == "cloister":
        size = [f"{8 - feature.open} of 8 cells around it filled, open: {_cells(feature.needs)}"]
    elif feature.kind != "field":
        size.append(f"{counted(feature.open, 'open end')} at {_cells(feature.needs)}")
    return ", ".join(size)


def _cells(cells: Sequence[str]) -> str:
    return "  ".join(cells)


def _majority(feature: FeatureExplanation) -> str:
    from carcassonne.render.words import counted, listed  # noqa: PLC0415

    winners = feature.majority
    if feature.barns:
        owners = " and ".join(
            f"{counted(n, 'barn')} of {name}" for name, n in feature.barns.items()
        )
        return f"{owners}: the field pays {listed(winners) or 'nobody'} (R-CASTLE-33)"
    if len(feature.meeples) == 1:
        ((name, count),) = feature.meeples.items()
        return f"{counted(count, 'meeple')} of {name}, who has the majority"
    there = ", ".join(f"{name} {n}" for name, n in feature.meeples.items())
    if len(winners) == 1:
        return f"meeples: {there}; {winners[0]} has the majority (R-BASE-16)"
    return f"meeples: {there}; {listed(winners)} are equal and get all of it each (R-BASE-16)"


def _worth(feature: FeatureExplanation, *, over: bool) -> str:
    if feature.kind == "field":
        paid = feature.now if over else feature.at_end
        return f"at the end {_sum(paid)}"
    if feature.complete or feature.at_end != feature.now:
        return f"worth {_sum(feature.now)}"
    text = f"now and at the end {_sum(feature.at_end)}"
    done = feature.completed
    if done is not None and done.points != feature.now.points and not (feature.dead or over):
        text += f"; completed as it stands {_sum(done)}"
    return text


def _sum(value: Value) -> str:
    """`8 = 3 tiles x 2 + 1 pennant x 2 (R-BASE-14)`: a rule that all items share is named once."""
    if not value.items:
        return f"{value.points} ({value.rule})" if value.rule else str(value.points)
    return f"{value.points} = {_items(value.items)}"


def _items(items: Sequence[ItemLine]) -> str:
    rules = {item.rule for item in items}
    if len(rules) == 1:
        return f"{' + '.join(map(_item, items))} ({items[0].rule})"
    return " + ".join(f"{_item(item)} ({item.rule})" for item in items)


def _item(item: ItemLine) -> str:
    from carcassonne.render.words import item_text  # noqa: PLC0415

    return item_text(item.what, item.count, item.each)


_CASTLE_STATES: Final = {
    "waiting": "waiting to be paid",
    "paid": "paid and empty",
    "paid_now": "paid just now; its meeple goes home at the end of the turn (R-CASTLE-30)",
    "never_paid": "never paid; its meeple was removed at the end (R-CASTLE-31)",
}


def _show_castle(castle: CastleExplanation, screen: Screen) -> None:
    whose = f"of {castle.owner}" if castle.owner else "of nobody"
    _wrap(screen, f"castle {castle.at} {whose}: {_CASTLE_STATES[castle.state]}", hang=4)
    _wrap(screen, f"vicinity: {_cells(castle.vicinity)} (R-CASTLE-13)", indent=2, hang=4)
    if castle.state != "waiting":
        return
    now = [payer for payer in castle.payers if payer.points is not None]
    sure = [payer for payer in now if payer.rule != "R-CASTLE-11"]
    if sure:
        text = "it takes what is finished now and cannot wait (R-CASTLE-15, R-CASTLE-20)"
        if len(now) > 1:
            text = "it takes one of those finished now and cannot wait (R-CASTLE-20, R-CASTLE-21)"
        _wrap(screen, f"{text}:", indent=2, hang=4)
    for payer in castle.payers:
        _wrap(screen, f"- {_payer(payer)} ({payer.rule})", indent=2)
    if castle.empty_cells and not sure:
        cells = _cells(castle.empty_cells)
        _wrap(screen, f"- what is laid on {cells} and completed later", indent=2)
    if not castle.payers and not castle.empty_cells:
        _wrap(screen, "nothing can pay it any more", indent=2)


def _payer(payer: Payer) -> str:
    from carcassonne.render.words import points_text  # noqa: PLC0415

    text = f"the {payer.kind} {payer.at}"
    if payer.points is not None:
        unless = ", unless it becomes a castle" if payer.rule == "R-CASTLE-11" else ""
        return f"{text} for {points_text(payer.points)}{unless}"
    if payer.kind == "castle":
        return f"{text} pays it when it is paid itself"
    if payer.needs:
        text += f", which needs {_cells(payer.needs)}"
    if payer.dead:
        text += f": no tile left fits on {_cells(payer.dead)}"
    return text


# ------------------------------------------------------------------------------ points

_TABLE_START: Final = 2


def _show_points(turns: Sequence[TurnExplanation], screen: Screen) -> None:
    for turn in turns:
        screen.heading(f"Turn {turn.number}, {turn.player}" if turn.number else "Final scoring")
        for text in turn.events:
            _wrap(screen, text, indent=_TABLE_START)
        if not turn.scores:
            _wrap(screen, "no points", indent=_TABLE_START)
        for line in turn.scores:
            _show_score(line, screen)
    _show_rules(
        screen,
        (
            rule
            for turn in turns
            for line in turn.scores
            for rule in (line.rule, *(item.rule for item in line.items))
        ),
    )


def _show_score(line: ScoreLine, screen: Screen) -> None:
    where = f" {line.at}" if line.at else ""
    text = f"{line.player} {line.points:+d} (now {line.total}) for the {line.feature}{where}"
    if not line.items:
        text += f" ({line.rule})"
    else:
        named = any(item.rule == line.rule for item in line.items)
        text += f"{'' if named else f' ({line.rule})'}: {_items(line.items)}"
    _wrap(screen, text, indent=_TABLE_START, hang=4)


def _show_game(explained: GameExplanation) -> None:
    from carcassonne.render.words import counted, listed, points_text  # noqa: PLC0415

    screen = _screen()
    paying = [turn for turn in explained.turns if turn.scores]
    played = max((turn.number for turn in explained.turns), default=0)
    quiet = len([turn for turn in explained.turns if turn.number and not turn.scores])
    _wrap(
        screen,
        f"{counted(played, 'turn')}, {quiet} of them without points, which are left out here",
    )
    _show_points(paying, screen)
    screen.heading("Sums")
    for name, total in explained.scores.items():
        kinds: dict[str, int] = {}
        for turn in explained.turns:
            for line in turn.scores:
                if line.player == name:
                    kinds[line.feature] = kinds.get(line.feature, 0) + line.points
        parts = [f"{points:+d} {kind}" for kind, points in kinds.items()]
        start = explained.start[name]
        _wrap(screen, f"{name}: {' '.join([str(start), *parts])} = {total}", hang=4)
    if explained.winners:
        best = points_text(max(explained.scores.values()))
        verb = "win" if len(explained.winners) > 1 else "wins"
        _wrap(screen, f"{listed(explained.winners)} {verb} with {best} (R-BASE-25).")
