"""The last step of every reader: what is settled over a whole log, whatever its format."""

from dataclasses import replace

from adjudicator.errors import Fault, Place, RecordError, TooLargeError
from adjudicator.logs.log_checks import check_log
from adjudicator.logs.match_log import MAX_GAMES, MAX_ROLLS, MatchLog
from adjudicator.rules.record import GameRecord


def assemble_log(log: MatchLog) -> MatchLog:
    """The log with its games told whether it marks hits at all, and with the remarks on it as a whole.

    The remarks it has stay first.

    Raises: RecordError for a log without games; TooLargeError beyond ``MAX_GAMES`` or ``MAX_ROLLS``.
    """
    if not log.games:
        raise RecordError("The log holds no game.")
    check_game_count(len(log.games))
    for game in log.games:
        check_roll_count(len(game.rolls), game.place)
    stars_used = any(map(_marks_hits, log.games))
    games = tuple(replace(game, stars_used=stars_used) for game in log.games)
    return replace(log, games=games, remarks=(*log.remarks, *check_log(log)))


def check_game_count(count: int, place: Place | None = None) -> None:
    """Readers that can tell early call this before they build the games.

    Raises: TooLargeError for more than ``MAX_GAMES`` games.
    """
    if count > MAX_GAMES:
        fault = Fault("one too many", place or Place(game=MAX_GAMES + 1))
        raise TooLargeError(f"The log holds more than {MAX_GAMES} games.", [fault])


def check_roll_count(count: int, place: Place) -> None:
    """Readers that can tell early call this roll by roll; ``place`` is the game's, or the roll's.

    Raises: TooLargeError for more than ``MAX_ROLLS`` rolls in one game.
    """
    if count > MAX_ROLLS:
        raise TooLargeError("A game of the log is too long.", [Fault(f"more than {MAX_ROLLS} rolls", place)])


def _marks_hits(game: GameRecord) -> bool:
    for roll in game.rolls:  # plain loops: a log without stars is looked through to its end
        for movement in roll.movements:
            if movement.hit:
                return True
    return False
