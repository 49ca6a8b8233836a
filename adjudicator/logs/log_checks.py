"""What every reader remarks on a whole log."""

from collections.abc import Iterator

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.remarks import Remark, RemarkCode


def check_log(log: MatchLog) -> Iterator[Remark]:
    """Remarks where games are left out, and where what went before the first game is not known."""
    expected = 1
    for game in log.games:
        if game.number != expected:
            detail = f"game {game.number} stands where game {expected} is expected"
            yield Remark(RemarkCode.GAME_MISSING, detail, place=game.place)
        expected = game.number + 1
    score = log.first_score
    if log.match_length and log.crawford and (score.white or score.black) and log.games[0].crawford is None:
        detail = (
            f"the log starts in mid-match, at {score.white}-{score.black}: "
            "whether the Crawford game has been played is not in it"
        )
        yield Remark(RemarkCode.CRAWFORD_UNKNOWN, detail, place=log.games[0].place)
