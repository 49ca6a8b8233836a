"""Boards, dice and records that read like the rule they test."""

from collections.abc import Iterable, Mapping

from adjudicator.notation.play_text import format_play, parse_play
from adjudicator.rules.board import Checkers, Position, as_points, checkers_from
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, legal_plays, ordinary_steps
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import GameTerms, Score, Win
from adjudicator.rules.sides import Side

WHITE, BLACK = Side.WHITE, Side.BLACK

MONEY = GameTerms(match_length=0, score=Score())


def side(points: Mapping[int, int], total: int = 15) -> Checkers:
    """One side's checkers by its own points, 25 the bar; the rest of ``total`` is off."""
    return checkers_from(points, total)


def board(own: Mapping[int, int], opponent: Mapping[int, int], total: int = 15) -> Position:
    """A position, each side in its own numbering."""
    return Position(side(own, total), side(opponent, total))


def dice(text: str) -> Dice:
    """``"63"`` is a 6 and a 3."""
    return Dice.of(int(text[0]), int(text[1]))


def results(position: Position, roll: str, die_steps: DieSteps = ordinary_steps) -> set[Position]:
    """Where the legal plays of a roll lead."""
    return {play.result for play in legal_plays(position, dice(roll), die_steps)}


def own_results(position: Position, roll: str, die_steps: DieSteps = ordinary_steps) -> list[dict[int, int]]:
    """The mover's occupied points after each of the legal plays, the furthest back first."""
    owns = {result.own for result in results(position, roll, die_steps)}
    return [as_points(own) for own in sorted(owns, key=lambda own: own[::-1], reverse=True)]


def plays_as_text(position: Position, roll: str, die_steps: DieSteps = ordinary_steps) -> dict[str, Position]:
    """The legal plays of a roll as people write them, each step by itself, with where they lead."""
    return {format_play(play.steps): play.result for play in legal_plays(position, dice(roll), die_steps)}


def roll(player: Side, text: str, play: str | None = None, *, row: int | None = None) -> RollRecord:
    """A roll and its play; ``""`` is a blank, ``None`` a roll thrown and not played."""
    writing = Writing.NOT_PLAYED if play is None else Writing.PLAY if play else Writing.NOTHING
    return RollRecord(player, dice(text), writing, parse_play(play or ""), row=row)


def double(player: Side, value: int | None = None, *, row: int | None = None) -> CubeRecord:
    """A double, or redouble, to ``value``."""
    return CubeRecord(player, CubeAction.DOUBLE, value, row=row)


def take(player: Side, *, row: int | None = None) -> CubeRecord:
    """A take."""
    return CubeRecord(player, CubeAction.TAKE, row=row)


def drop(player: Side, *, row: int | None = None) -> CubeRecord:
    """A drop."""
    return CubeRecord(player, CubeAction.DROP, row=row)


def resign(player: Side, win: Win | None = None) -> ResignRecord:
    """A resignation of a single game, a gammon, a backgammon, or of what is not said."""
    return ResignRecord(player, win)


def game(
    actions: Iterable[Action],
    *,
    start: Position | None = None,
    winner: Side | None = None,
    points: int = 1,
    score: Score | None = None,
    crawford: bool | None = None,
    stars_used: bool = True,
    number: int = 1,
) -> GameRecord:
    """The record of a game; ``start`` is seen by white, ``winner`` ``None`` leaves it without a result."""
    return GameRecord(
        number=number,
        actions=tuple(actions),
        result=None if winner is None else RecordedResult(winner, points),
        score=score,
        start=start,
        crawford=crawford,
        stars_used=stars_used,
    )
