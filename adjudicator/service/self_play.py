"""Matches that an engine plays against itself: our own examples, fixtures and load.

They are played by the ordinary rules, and are meant to look like matches of people rather than to be strong:
the engine picks the plays, plain thresholds the cube actions, and some losers give up.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from adjudicator.happy_end.equity import OutcomeWorths, outcome_worths
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Engine
from adjudicator.logs.mat.reader import FORMAT_NAME
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
    ResignRecord,
    RollRecord,
    Writing,
    rows_of,
)
from adjudicator.rules.score import CrawfordState, GameTerms, Win, win_against
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import terms_of_games
from adjudicator.rules.variants import BACKGAMMON, Variant


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players handle the cube and lost games, by the chances before the roll, without the cube.

    A side doubles from ``doubles_from`` of its normalised equity up (0.40 are 70 % of a game without gammons)
    until it is ``too_good_from``, where it plays on for the gammon; after the Crawford game the side behind
    doubles as soon as it can. A double is taken up to ``takes_up_to`` of the doubler's equity (0.58: 79 %).
    In that share of games a side resigns what it loses anyway: where any better end than a single game,
    gammon or backgammon has less than ``resigns_below`` of chance. After ``patience_rolls`` whoever is to
    roll gives up a single game, so that two silly players do not play for ever.
    """

    doubles_from: float = 0.40
    takes_up_to: float = 0.58
    too_good_from: float = 1.0
    resigns_below: float = 0.002
    resigning_share: float = 0.35
    patience_rolls: int = 500


USUAL_HABITS = Habits()


def simulate_match(
    engine: Engine,
    *,
    match_length: int,
    seed: int | str,
    variant: Variant = BACKGAMMON,
    white: str = "White",
    black: str = "Black",
    habits: Habits = USUAL_HABITS,
) -> MatchLog:
    """A whole match, with the Crawford rule; the same arguments and engine build give the same match.

    The engine has to know the variant. Raises: ValueError unless ``match_length`` is positive,
    EngineFailureError, EngineUnavailableError.
    """
    if match_length < 1:
        raise ValueError(f"a match is played to 1 point or more, not to {match_length}")
    chance = random.Random(seed)  # noqa: S311 - dice that can be thrown again
    games: list[GameRecord] = []
    for number, terms in enumerate(_terms(match_length, games), start=1):
        resigning = chance.random() < habits.resigning_share
        game = _Game(engine, terms, chance, habits, resigning, variant.start)
        result = game.play()
        games.append(GameRecord(number, _with_rows(game.actions), result, terms.score))
    return MatchLog(
        FORMAT_NAME, match_length, white, black, tuple(games), variant, metadata={"seed": str(seed)}
    )


def _terms(match_length: int, games: list[GameRecord]) -> Iterator[GameTerms]:
    """What each game to come is played for, until the last of ``games`` decides the match."""
    while True:
        following = GameRecord(len(games) + 1, ())
        *_, terms = terms_of_games(
            [*games, following], match_length=match_length, crawford=True, jacoby=False
        )
        if max(terms.score.white, terms.score.black) >= match_length:
            return
        yield terms


def _with_rows(actions: Sequence[Action]) -> tuple[Action, ...]:
    """The actions, each with the row of the transcript that it stands in."""
    rows = rows_of(action.side for action in actions)
    return tuple(
        action if isinstance(action, ResignRecord) else action._replace(row=row)
        for action, row in zip(actions, rows, strict=True)
    )


_Result: TypeAlias = RecordedResult | None


@dataclass
class _Game:
    """A game under way. ``position`` is seen by ``side``, which is on roll with these ``chances``."""

    engine: Engine
    terms: GameTerms
    chance: random.Random
    habits: Habits
    resigning: bool
    position: Position
    side: Side = Side.WHITE
    cube: Cube = field(default_factory=Cube)
    chances: Outcomes | None = None
    rolls: int = 0
    actions: list[Action] = field(default_factory=list)

    def play(self) -> RecordedResult:
        """Play to the end; the result."""
        result = self._turn(self._opening_roll())
        while result is None:
            result = self._resign() or self._double() or self._turn(self._roll())
        return result

    # --- rolling and playing

    def _roll(self) -> Dice:
        return Dice.of(self.chance.randint(1, 6), self.chance.randint(1, 6))

    def _opening_roll(self) -> Dice:
        """One die a side, thrown again while they are equal; the larger begins."""
        while True:
            white, black = self.chance.randint(1, 6), self.chance.randint(1, 6)
            if white != black:
                self.side = Side.WHITE if white > black else Side.BLACK
                return Dice.of(white, black)

    def _turn(self, dice: Dice) -> _Result:
        self.rolls += 1
        play = self._strongest(legal_plays(self.position, dice))
        movements = tuple(Movement(step.source, step.target, step.hit) for step in play.steps)
        writing = Writing.PLAY if movements else Writing.CANNOT_MOVE
        self.actions.append(RollRecord(self.side, dice, writing, movements))
        if not count_on_board(play.result.own):
            return self._won(self.side, win_against(play.result.opponent))
        self.position, self.side = play.result.swapped(), self.side.opponent
        return None

    def _strongest(self, plays: list[Play]) -> Play:
        """The play of the highest equity, the first of equals; remembers the opponent's chances after it."""
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

    # --- the cube

    def _double(self) -> _Result:
        """Let the side on roll double if it wants to; the result if the other side drops."""
        if self.chances is None or not self._may_double():
            return None
        equity = self._worths().equity(self.chances)
        if not self._wants_to_double(equity):
            return None
        value, opponent = self.cube.value * 2, self.side.opponent
        self._turn_cube(self.side, CubeAction.DOUBLE, value)
        if equity > self.habits.takes_up_to:
            self._turn_cube(opponent, CubeAction.DROP)
            return RecordedResult(self.side, self.cube.value)
        self._turn_cube(opponent, CubeAction.TAKE)
        self.cube = self.cube.taken_by(opponent, value)
        return None

    def _may_double(self) -> bool:
        """Whether the side on roll has the cube, may use it, and a larger one could help it."""
        return (
            self.terms.crawford is not CrawfordState.CRAWFORD
            and self.cube.may_double(self.side)
            and self.terms.away(self.side) > self.cube.value
        )

    def _wants_to_double(self, equity: float) -> bool:
        nothing_to_lose = self.terms.away(self.side.opponent) == 1
        return nothing_to_lose or self.habits.doubles_from <= equity < self.habits.too_good_from

    def _turn_cube(self, side: Side, action: CubeAction, value: int | None = None) -> None:
        self.actions.append(CubeRecord(side, action, value))

    # --- the end

    def _resign(self) -> _Result:
        """Let the side on roll give up what it loses anyway, if it is of that kind, or lose patience."""
        win = self._lost_anyway(self.chances) if self.chances is not None and self.resigning else None
        if self.rolls >= self.habits.patience_rolls:
            win = Win.SINGLE
        if win is None:
            return None
        self.actions.append(ResignRecord(self.side, win))
        return self._won(self.side.opponent, win)

    def _lost_anyway(self, chances: Outcomes) -> Win | None:
        """What the side on roll loses whatever it throws, ``None`` while that is open."""
        little = self.habits.resigns_below
        if chances.lose_gammon < little:
            return Win.SINGLE if chances.win < little else None
        if chances.lose_backgammon < little:
            return Win.GAMMON if 1 - chances.lose_gammon < little else None
        return Win.BACKGAMMON if 1 - chances.lose_backgammon < little else None

    def _won(self, winner: Side, win: Win) -> RecordedResult:
        return RecordedResult(winner, self.terms.points_for(win, self.cube))
