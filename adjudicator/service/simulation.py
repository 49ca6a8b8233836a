"""Matches an engine plays against itself: our own examples, fixtures and load.

They are played by the ordinary rules, as people play, and are meant to be plausible, not strong: the engine
picks the plays, plain thresholds the cube actions.
"""

import random
from dataclasses import dataclass, field

from adjudicator.happy_end.equity import OutcomeWorths, outcome_worths
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Engine
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import Position, count_on_board
from adjudicator.rules.cube import Cube, CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import Play, legal_plays
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import CrawfordState, GameTerms, Score, win_against
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON

DOUBLES_FROM = 0.50
"""A side doubles from this normalised equity on: 75 % of a game without gammons."""

TAKES_UP_TO = 0.58
"""A double is taken up to this normalised equity of the side that doubles: 79 % without gammons."""

TOO_GOOD_FROM = 1.0
"""From here on a side plays on for the gammon."""


def simulate_match(engine: Engine, *, match_length: int, seed: str, white: str, black: str) -> MatchLog:
    """A whole match; the same engine build, length and seed give the same match.

    Raises: EngineFailureError, EngineUnavailableError.
    """
    chance = random.Random(seed)  # noqa: S311 - dice that can be thrown again
    games: list[GameRecord] = []
    score, crawford = Score(), _first_state(match_length)
    while max(score.white, score.black) < match_length:
        terms = GameTerms(match_length, score, crawford)
        game, result = _SimulatedGame(engine, terms, chance).play()
        games.append(GameRecord(len(games) + 1, game, result, score))
        score = score.plus(result.winner, result.points)
        crawford = _next_state(crawford, score, match_length)
    return MatchLog("jellyfish_mat", match_length, white, black, tuple(games))


def _first_state(match_length: int) -> CrawfordState:
    return CrawfordState.CRAWFORD if match_length == 1 else CrawfordState.BEFORE


def _next_state(state: CrawfordState, score: Score, match_length: int) -> CrawfordState:
    if state is not CrawfordState.BEFORE:
        return CrawfordState.AFTER
    return CrawfordState.CRAWFORD if max(score.white, score.black) == match_length - 1 else state


@dataclass
class _SimulatedGame:
    """A game under way. ``position`` is seen by ``side``, which is on roll with these ``chances``."""

    engine: Engine
    terms: GameTerms
    chance: random.Random
    side: Side = Side.WHITE
    position: Position = BACKGAMMON.start
    cube: Cube = field(default_factory=Cube)
    chances: Outcomes | None = None
    actions: list[Action] = field(default_factory=list)

    def play(self) -> tuple[tuple[Action, ...], RecordedResult]:
        """All actions of the game, and how it ended."""
        dice = self._open()
        result = self._take_turn(dice)
        while result is None:
            result = self._drop_or_play_on() or self._take_turn(self._throw())
        return tuple(self.actions), result

    def _throw(self) -> Dice:
        return Dice.of(self.chance.randint(1, 6), self.chance.randint(1, 6))

    def _open(self) -> Dice:
        """The opening roll: one die a side, thrown again while they are equal; the larger begins."""
        while True:
            white, black = self.chance.randint(1, 6), self.chance.randint(1, 6)
            if white != black:
                self.side = Side.WHITE if white > black else Side.BLACK
                return Dice.of(white, black)

    def _take_turn(self, dice: Dice) -> RecordedResult | None:
        play = self._strongest(legal_plays(self.position, dice))
        movements = tuple(Movement(step.source, step.target, step.hit) for step in play.steps)
        writing = Writing.PLAY if movements else Writing.CANNOT_MOVE
        self.actions.append(RollRecord(self.side, dice, writing, movements))
        if not count_on_board(play.result.own):
            points = self.terms.points_for(win_against(play.result.opponent), self.cube)
            return RecordedResult(self.side, points)
        self.position, self.side = play.result.swapped(), self.side.opponent
        return None

    def _strongest(self, plays: list[Play]) -> Play:
        """The play of the highest equity, the first of equals; remembers the opponent's chances."""
        for play in plays:
            if not count_on_board(play.result.own):
                return play
        outcomes = self.engine.evaluate([play.result for play in plays])
        worths = self._worths()
        best = max(range(len(plays)), key=lambda index: worths.equity(outcomes[index]))
        self.chances = outcomes[best].swapped()
        return plays[best]

    def _worths(self) -> OutcomeWorths:
        return outcome_worths(self.terms, self.cube, self.side)

    def _drop_or_play_on(self) -> RecordedResult | None:
        """Let the side on roll double if it wants to; the result if the other side drops."""
        if self.chances is None or not self._may_double():
            return None
        equity = self._worths().equity(self.chances)
        if not DOUBLES_FROM <= equity < TOO_GOOD_FROM:
            return None
        value, opponent = self.cube.value * 2, self.side.opponent
        self.actions.append(CubeRecord(self.side, CubeAction.DOUBLE, value))
        if equity > TAKES_UP_TO:
            self.actions.append(CubeRecord(opponent, CubeAction.DROP))
            return RecordedResult(self.side, self.cube.value)
        self.actions.append(CubeRecord(opponent, CubeAction.TAKE))
        self.cube = self.cube.taken_by(opponent, value)
        return None

    def _may_double(self) -> bool:
        """Whether the side on roll has the cube, may use it, and a larger one could help it."""
        return (
            self.terms.crawford is not CrawfordState.CRAWFORD
            and self.cube.may_double(self.side)
            and self.terms.away(self.side) > self.cube.value
        )
