"""Start positions that a .mat announces, in the only way it can: by an "illegal play" in the first row.

DailyGammon begins each game of nackgammon with ``12: Illegal play (...)`` whose position is the start. Nobody
threw these dice, so they are no roll.

Source: ``docs/formats/mat.md``, section "Illegal plays".
"""

from dataclasses import replace

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import Action, GameRecord, ResignRecord, RollRecord, Writing
from adjudicator.rules.variants import VARIANTS


def with_announced_starts(log: MatchLog) -> MatchLog:
    """The log with such first rows turned into starts; its variant is theirs if all its games have it."""
    games = tuple(_with_announced_start(game, log) for game in log.games)
    if all(game is known for game, known in zip(games, log.games, strict=True)):
        return log
    starts = {game.start for game in games if game.actions}
    for variant in VARIANTS.values():
        if starts == {variant.start}:
            return replace(log, variant=variant, games=tuple(replace(game, start=None) for game in games))
    return replace(log, games=games)


def _with_announced_start(game: GameRecord, log: MatchLog) -> GameRecord:
    first = game.actions[0] if game.actions else None
    if not isinstance(first, RollRecord) or first.writing is not Writing.POSITION or first.agreed is None:
        return game
    starts = [variant.start for variant in VARIANTS.values() if variant is not log.variant]
    if first.agreed not in starts:
        return game
    rest = game.actions[1:]
    shares_row = any(_row(action) == first.row for action in rest)
    actions = rest if shares_row else tuple(_one_row_up(action) for action in rest)
    return replace(game, actions=actions, start=first.agreed)


def _row(action: Action) -> int | None:
    return None if isinstance(action, ResignRecord) else action.row


def _one_row_up(action: Action) -> Action:
    if isinstance(action, ResignRecord) or action.row is None:
        return action
    return action._replace(row=action.row - 1)
