"""Adjudicates a match: every game on its own, then the tally (HE-8)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat

from adjudicator.happy_end import match_equity
from adjudicator.happy_end.game import GameAdjudication, MakeJudge, adjudicate_game
from adjudicator.happy_end.game_result import GameResult
from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.ports import Engine, EngineIdentity, Estimator
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.remarks import Remark
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import check_scores


@dataclass(frozen=True, slots=True)
class Tally:
    """The score after all games that count, and the winner if one side reached the length.

    ``surplus_games`` are the numbers of the games after the match was won, ``not_counted`` of those before
    that without a result. A money session has no winner.
    """

    score: Score
    winner: Side | None
    surplus_games: tuple[int, ...] = ()
    not_counted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchAdjudication:
    """An adjudicated match: what was read, by which ruleset and engine, every game, and both tallies."""

    log: MatchLog
    ruleset: Ruleset
    engine: EngineIdentity
    games: tuple[GameAdjudication, ...]
    remarks: tuple[Remark, ...]
    recorded: Tally
    adjudicated: Tally

    @property
    def changed(self) -> bool:
        """Whether the adjudicated games give the match to another winner than the recorded ones (HE-8.3)."""
        return self.recorded.winner is not self.adjudicated.winner

    @property
    def points_changed(self) -> bool:
        """Whether the adjudicated score is another than the recorded one (HE-8.3)."""
        return self.recorded.score != self.adjudicated.score


def adjudicate(
    log: MatchLog,
    ruleset: Ruleset,
    engine: Engine,
    estimator: Estimator,
    cross_engines: Sequence[Engine] = (),
) -> MatchAdjudication:
    """Adjudicate a match; nothing a log may hold raises.

    ``cross_engines`` are asked about every choice besides, and decide nothing.

    Raises: EngineFailureError, EngineUnavailableError.
    """
    identity = full_identity(engine.identity, estimator.identity, [cross.identity for cross in cross_engines])
    return adjudicate_with(log, ruleset, identity, engine_judges(engine, estimator, cross_engines))


def engine_judges(
    engine: Engine, estimator: Estimator, cross_engines: Sequence[Engine]
) -> Iterator[MakeJudge]:
    """What makes the judge of each game, for any number of games: the same engines judge all."""
    return repeat(partial(EngineJudge, engine, estimator, cross_engines=cross_engines))


def full_identity(
    engine: EngineIdentity, tie_break: str, cross_checks: Sequence[EngineIdentity] = ()
) -> EngineIdentity:
    """The engine's identity with all that decides, or is asked, besides it: part of every result.

    ``tie_break`` is the identity of the estimator.

    Source: HE-7.6, HE-9.
    """
    settings = {**engine.settings, "tie_break": tie_break, "match_equity_table": match_equity.NAME}
    return EngineIdentity(engine.name, engine.version, settings, tuple(cross_checks))


def adjudicate_with(
    log: MatchLog, ruleset: Ruleset, engine: EngineIdentity, judges: Iterable[MakeJudge]
) -> MatchAdjudication:
    """Adjudicate a match with judges of any make, under the given engine identity.

    ``judges`` make that of each game, in the order of the log; there may be more of them.
    """
    games = tuple(
        adjudicate_game(record, log.variant, terms, ruleset, make_judge)
        for record, terms, make_judge in zip(log.games, log.terms(), judges, strict=False)
    )
    return MatchAdjudication(
        log=log,
        ruleset=ruleset,
        engine=engine,
        games=games,
        remarks=(*log.remarks, *check_scores(log.games)),
        recorded=_tally(log, [(game.record.number, game.recorded) for game in games]),
        adjudicated=_tally(log, [(game.record.number, game.adjudicated) for game in games]),
    )


def _tally(log: MatchLog, results: Sequence[tuple[int, GameResult | None]]) -> Tally:
    """The tally from the first game's score line on; a game without a result counts nothing (HE-8.1)."""
    score = log.first_score
    winner: Side | None = None
    surplus: list[int] = []
    not_counted: list[int] = []
    for number, result in results:
        if winner is not None:
            surplus.append(number)
        elif result is None:
            not_counted.append(number)
        else:
            score = score.plus(result.winner, result.points)
            if log.match_length and score.of(result.winner) >= log.match_length:
                winner = result.winner
    return Tally(score, winner, tuple(surplus), tuple(not_counted))
