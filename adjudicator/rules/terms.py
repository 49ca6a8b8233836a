"""What each game of a match is played for: the score before it and its place to the Crawford game."""

from collections.abc import Sequence

from adjudicator.rules.record import CubeRecord, GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import CrawfordState, GameTerms, Score
from adjudicator.rules.sides import Side


def terms_of_games(
    games: Sequence[GameRecord], *, match_length: int, crawford: bool, jacoby: bool
) -> list[GameTerms]:
    """The terms of every game, in order: at its score line, or where there is none at the score that follows.

    ``crawford`` and ``jacoby`` say whether the match is played with these rules.

    Source: HE-6.5, HE-8.2; match logs 4.
    """
    terms: list[GameTerms] = []
    state = CrawfordState.AFTER if match_length and not crawford else CrawfordState.BEFORE
    for game, score in zip(games, scores_of_games(games), strict=True):
        if match_length and crawford:
            state = _crawford_state(game, score, match_length, state, is_first=not terms)
        terms.append(GameTerms(match_length, score, state, jacoby=jacoby and not match_length))
    return terms


def scores_of_games(games: Sequence[GameRecord]) -> list[Score]:
    """The score before every game: its score line, or where there is none what the game before it led to."""
    scores: list[Score] = []
    following = Score()
    for game in games:
        score = game.score or following
        scores.append(score)
        following = score if game.result is None else score.plus(game.result.winner, game.result.points or 0)
    return scores


def check_scores(games: Sequence[GameRecord]) -> tuple[Remark, ...]:
    """A remark for every game whose score line does not follow from the game before it."""
    remarks: list[Remark] = []
    expected: Score | None = None
    for game, score in zip(games, scores_of_games(games), strict=True):
        if expected is not None and score != expected:
            detail = (
                f"game {game.number}: the score line says {score.white}-{score.black}, "
                f"after the game before it is {expected.white}-{expected.black}"
            )
            remarks.append(Remark(RemarkCode.SCORE_DOES_NOT_FOLLOW, detail, place=game.place))
        result = game.result
        if result is None or result.points is None:
            expected = None
        else:
            expected = score.plus(result.winner, result.points)
    return tuple(remarks)


def _crawford_state(
    game: GameRecord, score: Score, match_length: int, before: CrawfordState, *, is_first: bool
) -> CrawfordState:
    """The state of a game, given the state of the game before it (BEFORE for the first of the log)."""
    if game.crawford is not None:
        return _declared_state(score, match_length, is_crawford=game.crawford)
    if match_length - max(score.white, score.black) != 1 or match_length == 1:
        return before if before is not CrawfordState.UNKNOWN else CrawfordState.AFTER
    if before is not CrawfordState.BEFORE:
        return CrawfordState.AFTER
    behind = min(score.white, score.black)
    if not is_first or not behind:
        return CrawfordState.CRAWFORD
    if behind == match_length - 1 or any(isinstance(action, CubeRecord) for action in game.actions):
        return CrawfordState.AFTER
    return CrawfordState.UNKNOWN


def _declared_state(score: Score, match_length: int, *, is_crawford: bool) -> CrawfordState:
    if is_crawford:
        return CrawfordState.CRAWFORD
    is_one_away = match_length - max(score.of(side) for side in Side) == 1
    return CrawfordState.AFTER if is_one_away and match_length > 1 else CrawfordState.BEFORE
