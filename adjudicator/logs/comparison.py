"""What two readings of one match differ in: the same match, told in another format, differs in nothing.

Remarks and places are no part of a match: each reading makes its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from adjudicator.errors import Fault, Place
from adjudicator.logs.mat.header import RULE_KEYS
from adjudicator.logs.match_log import MatchLog
from adjudicator.notation.play_text import format_play
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord, RollRecord, rows_of_game
from adjudicator.rules.replay import replay
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import scores_of_games

_OFFERS = (CubeAction.DOUBLE, CubeAction.BEAVER)
"""The cube actions whose value says what the cube comes to; an answer only repeats it."""
_MAX_SHOWN_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise in the second reading; ``fault`` says where and what.

    ``is_grave``: it is another match then. What is not grave does not reach an adjudication, but for rows
    with ``numbering`` by move.
    """

    fault: Fault
    is_grave: bool


def compare_logs(log: MatchLog, other: MatchLog) -> Iterator[Difference]:
    """Everything that is otherwise in ``other``."""
    for name, before, after in (
        ("the game", log.variant.name, other.variant.name),
        ("the match length", log.match_length, other.match_length),
        ("the Crawford rule", log.crawford, other.crawford),
        ("the Jacoby rule", log.jacoby, other.jacoby),
        ("the number of games", len(log.games), len(other.games)),
    ):
        if before != after:
            yield _difference(name, before, after, is_grave=True)
    for side in Side:
        before, after = log.player(side), other.player(side)
        if before != after:
            is_grave = before.split() != after.split()
            yield _difference(f"the name of {side.label}", before, after, is_grave=is_grave)
    yield from _compare_metadata(log, other)
    scores = zip(scores_of_games(log.games), scores_of_games(other.games), strict=False)
    for game, another, (score, other_score) in zip(log.games, other.games, scores, strict=False):
        place = Place(game=game.number)
        if score != other_score:
            before, after = (f"{one.white}-{one.black}" for one in (score, other_score))
            yield _difference("the score before it", before, after, is_grave=True, place=place)
        yield from _compare_games(game, another, place)
    yield from _compare_broken(log, other)


def _compare_metadata(log: MatchLog, other: MatchLog) -> Iterator[Difference]:
    for key in sorted(log.metadata.keys() | other.metadata.keys()):
        before, after = log.metadata.get(key), other.metadata.get(key)
        if before != after and key not in RULE_KEYS:  # the rules themselves are compared
            yield _difference(f"the header value {key!r}", before, after, is_grave=False)


def _compare_games(game: GameRecord, other: GameRecord, place: Place) -> Iterator[Difference]:
    for name, before, after in (
        ("its number", game.number, other.number),
        ("its start position", game.start, other.start),
        ("its winner", game.result and game.result.winner.label, other.result and other.result.winner.label),
        ("its points", game.result and game.result.points, other.result and other.result.points),
        ("whether it marks hits", game.stars_used, other.stars_used),
    ):
        if before != after:
            yield _difference(name, before, after, is_grave=True, place=place)
    if game.crawford != other.crawford:
        name = "what is said of it being the Crawford game"
        yield _difference(name, game.crawford, other.crawford, is_grave=False, place=place)
    yield from _compare_actions(game.actions, other.actions, place)
    if rows_of_game(game.actions) != rows_of_game(other.actions):
        reason = "the rows of its transcript are otherwise, which matters to numbering by move only"
        yield Difference(Fault(reason, place), is_grave=False)


def _compare_broken(log: MatchLog, other: MatchLog) -> Iterator[Difference]:
    """Games that could not be read to their end, and that would look whole: what is missing would be silent.

    What cannot be read behind the end of a game is no part of it.
    """
    for game, another, terms in zip(log.games, other.games, log.terms(), strict=False):
        if game.broken is None or another.broken is not None:
            continue
        is_over = replay(game, log.variant, terms).ending.is_by_actions
        what = "not kept, it stands behind the end" if is_over else "cannot be read on, and would look whole"
        place = game.broken.place._replace(game=game.number)
        yield Difference(Fault(f"{what}: {game.broken.reason}", place), is_grave=not is_over)


def _compare_actions(
    actions: Sequence[Action], others: Sequence[Action], place: Place
) -> Iterator[Difference]:
    turn = 0
    for action, other in zip_longest(actions, others):
        turn += isinstance(action, RollRecord)
        where = Place(game=place.game, turn=turn or None)
        before, after = _describe(action), _describe(other)
        if before != after:
            yield _difference("the action", before, after, is_grave=True, place=where)
            return
        yield from _compare_details(action, other, where)


def _describe(action: Action | None) -> str | None:
    """All of an action that its side did, as one text; ``None`` for none."""
    if action is None:
        return None
    if isinstance(action, ResignRecord):
        return f"{action.side.label} resigns"
    if isinstance(action, CubeRecord):
        offered = f" to {action.value}" if action.value is not None and action.action in _OFFERS else ""
        return f"{action.side.label} {action.action.value}{offered}"
    played = format_play(action.movements) if action.agreed is None else str(action.agreed)
    return f"{action.side.label} {action.dice} {action.writing.value} {played}".rstrip()


def _compare_details(action: Action | None, other: Action | None, place: Place) -> Iterator[Difference]:
    """What a resignation gives; and what changes no game: the value of an answer, why a play is unread."""
    details: tuple[str, Any, Any] | None = None
    if isinstance(action, ResignRecord) and isinstance(other, ResignRecord):
        details = "what the resignation gives", _label(action), _label(other)
    elif isinstance(action, CubeRecord) and isinstance(other, CubeRecord):
        details = f"the value named with the {action.action.value}", action.value, other.value
    elif isinstance(action, RollRecord) and isinstance(other, RollRecord):
        details = "why the play cannot be read", action.unread or None, other.unread or None
    if details is not None and details[1] != details[2]:
        yield _difference(*details, is_grave=isinstance(action, ResignRecord), place=place)


def _label(resignation: ResignRecord) -> str | None:
    return None if resignation.win is None else resignation.win.label


def _difference(
    name: str, before: object, after: object, *, is_grave: bool, place: Place | None = None
) -> Difference:
    reason = f"{name} is {_shown(before)}, and would be {_shown(after)}"
    return Difference(Fault(reason, place or Place()), is_grave)


def _shown(value: object) -> str:
    if value is None:
        return "not told"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}..."
