"""What a .mat says of single games being the Crawford game: in its head, since rows have no place for it.

Written by us, where a log of another format says it: ``; [Crawford Games "2 no, 3 yes"]``.

Source: ``docs/formats/mat.md``, section "Head".
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from adjudicator.logs.mat.header import CRAWFORD_GAMES
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import GameRecord

_STATED = re.compile(r"(?P<number>[0-9]{1,9}) (?P<word>yes|no)", re.IGNORECASE)


def format_crawford_games(games: Sequence[GameRecord]) -> str:
    """What is said of the games, by number; ``""`` where nothing is, or numbers do not tell games apart."""
    if len({game.number for game in games}) < len(games):
        return ""
    said = [(game.number, game.crawford) for game in games if game.crawford is not None]
    return ", ".join([f"{number} {'yes' if is_crawford else 'no'}" for number, is_crawford in said])


def with_stated_crawford(log: MatchLog) -> MatchLog:
    """The log, its games knowing what its head says of them."""
    text = log.metadata.get(CRAWFORD_GAMES)
    if text is None:
        return log
    stated = {
        int(match["number"]): match["word"].lower() == "yes"
        for match in map(_STATED.fullmatch, text.split(", "))
        if match
    }
    return replace(log, games=tuple(replace(game, crawford=stated.get(game.number)) for game in log.games))
