"""What every reader remarks on a whole log."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import CrawfordState
from adjudicator.rules.terms import scores_of_games


def check_log(log: MatchLog) -> Iterator[Remark]:
    """Remarks where games are missing or too many, and where scores and Crawford game cannot be so."""
    yield from _check_numbers(log.games)
    yield from _check_scores_written(log.games)
    if log.match_length:
        yield from _check_length(log)
    yield from _check_crawford(log)


def _check_numbers(games: Sequence[GameRecord]) -> Iterator[Remark]:
    expected = 1
    for game in games:
        if game.number != expected:
            detail = f"game {game.number} stands where game {expected} is expected"
            yield Remark(RemarkCode.GAME_MISSING, detail, place=game.place)
        expected = game.number + 1


def _check_scores_written(games: Sequence[GameRecord]) -> Iterator[Remark]:
    """Games without a score line in a log that has them; a log without any is of another kind.

    Nothing is said of a game of which nothing is read at all.
    """
    if all(game.score is None for game in games):
        return
    for game, score in zip(games, scores_of_games(games), strict=True):
        if game.score is None and (game.actions or game.broken is None):
            detail = f"game {game.number} has no score line; {score.white}-{score.black} is counted up to it"
            yield Remark(RemarkCode.SCORE_MISSING, detail, place=game.place)


def _check_length(log: MatchLog) -> Iterator[Remark]:
    """Games after the one that decides the match by the record, else scores that nobody plays on at."""
    decided_by: int | None = None
    for game, score in zip(log.games, scores_of_games(log.games), strict=True):
        if decided_by is not None:
            detail = f"game {game.number} stands after game {decided_by}, which decides the match"
            yield Remark(RemarkCode.GAME_AFTER_MATCH, detail, place=game.place)
        elif max(score.white, score.black) >= log.match_length:
            detail = (
                f"game {game.number} begins at {score.white}-{score.black} in a match to {log.match_length}"
            )
            yield Remark(RemarkCode.SCORE_TOO_HIGH, detail, place=game.place)
        result = game.result
        if decided_by is None and result is not None:
            after = score.plus(result.winner, result.points or 0)
            decided_by = game.number if after.of(result.winner) >= log.match_length else None


def _check_crawford(log: MatchLog) -> Iterator[Remark]:
    """A first game that may or may not be the Crawford game, and games said to be what they are not."""
    silent = log
    if any(game.crawford is not None for game in log.games):
        silent = replace(log, games=tuple(replace(game, crawford=None) for game in log.games))
    for game, terms in zip(log.games, silent.terms(), strict=True):
        if game.crawford is None:
            if terms.crawford is CrawfordState.UNKNOWN:
                score = f"{terms.score.white}-{terms.score.black}"
                detail = (
                    f"the log starts at {score}, and nothing in it tells whether that is the Crawford game"
                )
                yield Remark(RemarkCode.CRAWFORD_UNKNOWN, detail, place=game.place)
        elif terms.crawford is not CrawfordState.UNKNOWN and game.crawford != (
            terms.crawford is CrawfordState.CRAWFORD
        ):
            said = "the" if game.crawford else "not the"
            detail = f"game {game.number} is said to be {said} Crawford game, and by the scores it is not so"
            yield Remark(RemarkCode.CRAWFORD_DIFFERS, detail, place=game.place)
