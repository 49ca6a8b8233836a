"""What every reader remarks on a whole log."""

from collections.abc import Iterator

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import CrawfordState
from adjudicator.rules.terms import terms_of_games


def check_log(log: MatchLog) -> Iterator[Remark]:
    """Remarks where games are left out, and where the first may or may not be the Crawford game."""
    expected = 1
    for game in log.games:
        if game.number != expected:
            detail = f"game {game.number} stands where game {expected} is expected"
            yield Remark(RemarkCode.GAME_MISSING, detail, place=game.place)
        expected = game.number + 1
    terms = terms_of_games(
        log.games[:1], match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby
    )
    for game, first in zip(log.games, terms, strict=False):
        if first.crawford is CrawfordState.UNKNOWN:
            score = f"{first.score.white}-{first.score.black}"
            detail = f"the log starts at {score}, and nothing in it tells whether that is the Crawford game"
            yield Remark(RemarkCode.CRAWFORD_UNKNOWN, detail, place=game.place)
