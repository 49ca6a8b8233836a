"""The last step of every reader: what is settled over a whole log, whatever its format."""

import re
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from adjudicator.errors import Fault, Place, RecordError, TooLargeError
from adjudicator.logs.limits import MAX_ACTIONS, MAX_GAMES, MAX_MATCH_LENGTH, MAX_ROLLS
from adjudicator.logs.log_checks import check_log
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import GameRecord


def assemble_log(log: MatchLog) -> MatchLog:
    """The log with what holds for logs of every format, and with the remarks on it as a whole.

    Games are told whether the log marks hits at all, unless the reader knows that it does not; the Crawford
    rule is of matches only, Jacoby of money sessions. The remarks it has stay first.

    Raises: RecordError for a log without games; TooLargeError beyond the limits.
    """
    if not log.games:
        raise RecordError("The log holds no game.")
    if log.match_length > MAX_MATCH_LENGTH:
        raise TooLargeError(f"A match to {log.match_length} points: at most {MAX_MATCH_LENGTH} are taken.")
    require_game_count(len(log.games))
    for game in log.games:
        require_action_count(len(game.actions), len(game.rolls), game.place)
    is_match = log.match_length > 0
    log = replace(log, crawford=is_match and log.crawford, jacoby=not is_match and log.jacoby)
    if any(game.stars_used for game in log.games) and not any(map(_marks_hits, log.games)):
        log = replace(log, games=tuple(replace(game, stars_used=False) for game in log.games))
    return replace(log, remarks=(*log.remarks, *check_log(log)))


def require_game_count(count: int, place: Place | None = None) -> None:
    """Readers that can tell early call this before they build the games.

    Raises: TooLargeError for more than ``MAX_GAMES`` games.
    """
    if count > MAX_GAMES:
        fault = Fault("one too many", place or Place(game=MAX_GAMES + 1))
        raise TooLargeError(f"The log holds more than {MAX_GAMES} games.", [fault])


def require_action_count(actions: int, rolls: int, place: Place) -> None:
    """Readers that can tell early call this action by action; ``place`` is the game's, or the action's.

    Raises: TooLargeError for more than ``MAX_ROLLS`` rolls or ``MAX_ACTIONS`` actions in one game.
    """
    if rolls > MAX_ROLLS:
        raise TooLargeError("A game of the log is too long.", [Fault(f"more than {MAX_ROLLS} rolls", place)])
    if actions > MAX_ACTIONS:
        fault = Fault(f"more than {MAX_ACTIONS} actions", place)
        raise TooLargeError("A game of the log is too long.", [fault])


OTHER_PLAYERS = "the players are not those of the first game, or have changed seats"
"""Why a game is foreign by the names of its players."""

_IN_BRACKETS = re.compile(r"(?<=\S)\s*[(\[][^()\[\]]*[)\]]$")


def are_others(names: tuple[str, str], first: tuple[str, str]) -> bool:
    """Whether a game between players of these names, white first, is not one between the ``first`` two.

    Said only where all four names are given. A name may be cut, in other letters, or have a rating in
    brackets behind it: it is the same if one of both begins with the other.

    >>> are_others(("bob", "Ann"), ("Ann", "Bob")), are_others(("ann (1650)", "Bo"), ("Ann (1648)", "Bob"))
    (True, False)
    """
    if names == first or not all((*names, *first)):
        return False
    plain, first_plain = (tuple(map(_plain_name, pair)) for pair in (names, first))
    if plain == first_plain[::-1] != first_plain:
        return True
    return not all(
        one.startswith(other) or other.startswith(one) for one, other in zip(plain, first_plain, strict=True)
    )


def _plain_name(name: str) -> str:
    return _IN_BRACKETS.sub("", name).casefold()


def foreign_game(number: int, place: Place, reason: str = OTHER_PLAYERS) -> GameRecord:
    """A game that is not of this match, as other players play it: it counts for nobody.

    Nothing of it is kept but that it is there, and why it is not read.
    """
    place = place._replace(game=number)
    return GameRecord(number, (), broken=Fault(reason, place), place=place)


def _marks_hits(game: GameRecord) -> bool:
    movements = chain.from_iterable([roll.movements for roll in game.rolls])
    return any(map(attrgetter("hit"), movements))  # a log without stars is looked through to its end
