"""Statistics of many adjudicated matches: the same numbers of a batch and of a file of results."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.happy_end.game import GameStatus
from adjudicator.service.batch_values import MemberStatus, Tally

SHARE_DIGITS = 6


def format_tally(tally: Tally) -> dict[str, Any]:
    """The numbers and shares as they leave the service; a share of nothing is ``None``.

    Shares of matches are of those that are done, shares of games of those that were adjudicated: played out,
    standing or undecided.

    Source: ``openapi.yaml``, schema ``BatchSummary``.
    """
    done = tally.members.get(MemberStatus.DONE, 0)
    games = {status.value: tally.games.get(status.value, 0) for status in GameStatus}
    adjudicated = sum(games[status.value] for status in ADJUDICATED)
    return {
        "matches": {
            "total": sum(tally.members.values()),
            "by_status": {status.value: tally.members.get(status, 0) for status in MemberStatus},
            "changed": tally.changed_matches,
            "changed_share": _share(tally.changed_matches, done),
        },
        "games": {
            "total": sum(games.values()),
            "by_status": games,
            "changed": tally.changed_games,
            "changed_share": _share(tally.changed_games, adjudicated),
            "played_out_share": _share(games[GameStatus.PLAYED_OUT.value], adjudicated),
        },
        "failures": dict(sorted(tally.failures.items())),
    }


ADJUDICATED = (GameStatus.PLAYED_OUT, GameStatus.STANDS, GameStatus.UNDECIDED)


def tally_lines(lines: Iterable[Mapping[str, Any]]) -> Tally:
    """What parsed lines of results (``result_lines``) come to; those that are about no member do not count.

    Raises: KeyError, TypeError, ValueError, AttributeError for a line that is none of them.
    """
    members: Counter[MemberStatus] = Counter()
    games: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    changed_matches = changed_games = 0
    for line in lines:
        if "member" not in line:
            continue
        members[MemberStatus(line["status"])] += 1
        if "error" in line:
            failures[line["error"]["code"]] += 1
        if "result" in line:
            changed_matches += line["result"]["match_result"]["changed"]
            games.update(GameStatus(game["status"]).value for game in line["result"]["games"])
            changed_games += sum(game["changed"] for game in line["result"]["games"])
    return Tally(members, changed_matches, games, changed_games, failures)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, SHARE_DIGITS) if whole else None
