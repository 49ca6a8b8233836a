"""What a match log holds and how far it can be followed, before any adjudication.

Nothing here needs an engine, and nothing a log may hold raises.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.errors import Fault
from adjudicator.happy_end.last_checker import ExactFinish, LastChecker, find_last_checker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.recorded import recorded_result
from adjudicator.happy_end.ruleset import Finish
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import Position
from adjudicator.rules.cube import Cube
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.record import Action, GameRecord, RollRecord
from adjudicator.rules.remarks import Remark
from adjudicator.rules.replay import ReplayedGame, ReplayedTurn, replay
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import check_scores, terms_of_games


@dataclass(frozen=True, slots=True)
class InspectedAction:
    """One action of a game. ``turn``: how many rolls of the game have been made with it.

    ``replayed`` is the roll as it was followed, ``None`` for another action and where the replay had ended.
    """

    action: Action
    turn: int
    replayed: ReplayedTurn | None


@dataclass(frozen=True, slots=True)
class InspectedGame:
    """One game. ``remarks`` are those of the reader, of the replay, and on the recorded result.

    ``last_checker`` is the last-checker position or the exact finish in its place, ``None`` where neither
    came. ``unreadable`` says where and why the game cannot be followed on.
    """

    record: GameRecord
    terms: GameTerms
    replayed: ReplayedGame
    last_checker: LastChecker | ExactFinish | None
    remarks: tuple[Remark, ...]
    unreadable: Fault | None

    def actions(self) -> Iterator[InspectedAction]:
        """All actions in order."""
        turns = {turn.number: turn for turn in self.replayed.turns}
        number = 0
        for action in self.record.actions:
            is_roll = isinstance(action, RollRecord)
            number += is_roll
            yield InspectedAction(action, number, turns.get(number) if is_roll else None)


@dataclass(frozen=True, slots=True)
class Inspection:
    """One file: its bytes and what they hold. ``remarks`` concern the log as a whole."""

    size: int
    sha256: str
    log_format: LogFormat
    log: MatchLog
    remarks: tuple[Remark, ...]
    games: tuple[InspectedGame, ...]

    def game(self, number: int) -> InspectedGame | None:
        """The first game of that number, ``None`` where there is none."""
        return next((game for game in self.games if game.record.number == number), None)


def inspect_log(content: bytes, log_format: LogFormat, finish: Finish = Finish.EXACT) -> Inspection:
    """Look into content of that format.

    Raises: what its reader raises.
    """
    log = log_format.read(content)
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    games = [
        _inspect_game(game, log, game_terms, finish)
        for game, game_terms in zip(log.games, terms, strict=True)
    ]
    return Inspection(
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        log_format=log_format,
        log=log,
        remarks=(*log.remarks, *check_scores(log.games)),
        games=tuple(games),
    )


def _inspect_game(record: GameRecord, log: MatchLog, terms: GameTerms, finish: Finish) -> InspectedGame:
    game = replay(record, log.variant, terms, legal_by=(ordinary_steps, modifier_steps(finish)))
    unread = None if game.ending.is_by_actions else record.broken
    return InspectedGame(
        record=record,
        terms=terms,
        replayed=game,
        last_checker=find_last_checker(game, finish),
        remarks=(*record.remarks, *game.remarks, *recorded_result(game).remarks),
        unreadable=game.broken or unread,
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A position within a game, seen by ``side``; its cube, and the side that rolls next or has rolled."""

    position: Position
    side: Side
    cube: Cube

    def checkers(self, side: Side) -> tuple[int, ...]:
        """That side's checkers, in its own numbering."""
        return self.position.own if side is self.side else self.position.opponent


def start_of(game: InspectedGame) -> Moment:
    """The start, seen by the side that makes the first roll; by white where nobody rolls."""
    rolls = game.record.rolls
    side = rolls[0].side if rolls else Side.WHITE
    start = game.replayed.start
    return Moment(start if side is Side.WHITE else start.swapped(), side, Cube())


def before_turn(turn: ReplayedTurn) -> Moment:
    """The position that the dice were thrown in, seen by the side that threw them."""
    return Moment(turn.before, turn.side, turn.cube)


def after_turn(turn: ReplayedTurn) -> Moment:
    """The position that the turn led to, seen by the side that rolls next."""
    return Moment(turn.after.swapped(), turn.side.opponent, turn.cube)
