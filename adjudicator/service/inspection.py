"""What a match log holds and how far it can be followed, before any adjudication.

Nothing here needs an engine, and nothing a log may hold raises.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.happy_end.following import FollowedGame, follow_game
from adjudicator.happy_end.ruleset import Finish
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import detect_format
from adjudicator.rules.record import Action, RollRecord
from adjudicator.rules.remarks import Remark
from adjudicator.rules.replay import ReplayedTurn
from adjudicator.rules.terms import check_scores
from adjudicator.service.identifiers import record_digest


@dataclass(frozen=True, slots=True)
class InspectedAction:
    """One action of a game. ``turn``: how many rolls of the game have been made with it.

    ``replayed`` is the roll as it was followed, ``None`` for another action and where the replay had ended.
    """

    action: Action
    turn: int
    replayed: ReplayedTurn | None


@dataclass(frozen=True, slots=True)
class Inspection:
    """One file: its bytes and what they hold. ``remarks`` concern the log as a whole."""

    size: int
    sha256: str
    log_format: LogFormat
    log: MatchLog
    remarks: tuple[Remark, ...]
    games: tuple[FollowedGame, ...]

    def game(self, number: int) -> FollowedGame | None:
        """The first game of that number, ``None`` where there is none."""
        return next((game for game in self.games if game.record.number == number), None)


def inspect_log(content: bytes, finish: Finish = Finish.EXACT) -> Inspection:
    """Look into content; ``finish`` is the one that last-checker positions are found by.

    Raises: UnknownFormatError, and what the reader of its format raises.
    """
    log_format = detect_format(content)
    log = log_format.read(content)
    terms = log.terms()
    return Inspection(
        size=len(content),
        sha256=record_digest(content),
        log_format=log_format,
        log=log,
        remarks=(*log.remarks, *check_scores(log.games)),
        games=tuple(
            follow_game(record, log.variant, game_terms, finish)
            for record, game_terms in zip(log.games, terms, strict=True)
        ),
    )


def actions_of(game: FollowedGame) -> Iterator[InspectedAction]:
    """All actions of a game in order."""
    turns = {turn.number: turn for turn in game.replayed.turns}
    number = 0
    for action in game.record.actions:
        is_roll = isinstance(action, RollRecord)
        number += is_roll
        yield InspectedAction(action, number, turns.get(number) if is_roll else None)
