"""One game of an OGXM file as a record.

Source: ``docs/formats/ogxm.md``, section "Games".
"""

from itertools import zip_longest

from adjudicator.errors import NOWHERE, Place
from adjudicator.logs.game_draft import RACCOON, SET_BY_HAND, GameDraft
from adjudicator.logs.ogxm.match_values import MARKERS, OgxmAction, OgxmEntry, OgxmGame, OgxmStep
from adjudicator.notation.signed_counts import parse_signed_counts
from adjudicator.rules.board import BAR, OFF, Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

_CUBE_ACTIONS = {
    OgxmAction.DOUBLE: CubeAction.DOUBLE,
    OgxmAction.TAKE: CubeAction.TAKE,
    OgxmAction.DROP: CubeAction.DROP,
    OgxmAction.BEAVER: CubeAction.BEAVER,
    OgxmAction.RACCOON: RACCOON,
}
_RESIGNATIONS = (OgxmAction.RESIGN_GAME, OgxmAction.RESIGN_MATCH)


def read_game(game: OgxmGame, number: int, variant: Variant, score: Score | None) -> GameRecord:
    """The record of one game; what cannot be read of it breaks it, and its result is still taken.

    Raises: TooLargeError for too many rolls.
    """
    draft = GameDraft(number, score=score, crawford=game.crawford)
    if game.winner is not None:
        draft.result = RecordedResult(game.winner, game.points or None)
    if game.cube != 1:
        draft.break_off(f"the game begins with the cube at {game.cube}")
    place = NOWHERE
    try:
        if game.board is not None:
            _set_start(draft, _position(game.board, variant), variant)
        for entry, following in zip_longest(game.entries, game.entries[1:]):
            place = entry.place
            _take_entry(draft, entry, following, variant)
    except ValueError as error:
        draft.break_off(str(error), place)
    if game.broken:
        draft.break_off(game.broken)
    return draft.finished()


def _set_start(draft: GameDraft, start: Position, variant: Variant) -> None:
    draft.start = None if start == variant.start else start


def _position(board: tuple[int, ...], variant: Variant) -> Position:
    """The position seen by white; the file counts its points from the other end.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> _position((1, 2) + (0,) * 22 + (-2, 0), BACKGAMMON).own[24:]
    (2, 1)
    """
    return parse_signed_counts(board[::-1], variant.checkers_per_side)


def _take_entry(draft: GameDraft, entry: OgxmEntry, following: OgxmEntry | None, variant: Variant) -> None:
    """Add the action of an entry; ``following`` is the one after it.

    Raises: ValueError for one that says something impossible.
    """
    if entry.action == OgxmAction.SET_POSITION:
        _take_position(draft, entry, variant)
    elif entry.dice is not None and entry.action < OgxmAction.DOUBLE:
        draft.add(_roll(entry, entry.dice, following, draft.next_turn(entry.place)))
    elif entry.action in _CUBE_ACTIONS:
        action = _CUBE_ACTIONS[OgxmAction(entry.action)]
        draft.add(CubeRecord(entry.side, action, place=entry.place))
    elif entry.action in _RESIGNATIONS:
        draft.add(ResignRecord(entry.side, entry.win, entry.place))
    elif entry.action not in MARKERS:
        raise ValueError(f"something that is not known here: action {entry.action}")


def _take_position(draft: GameDraft, entry: OgxmEntry, variant: Variant) -> None:
    """An illegal play with what it came to, the start, or a board set by hand."""
    if entry.board is None:
        raise ValueError("a position is set, and is not given")
    board = _position(entry.board, variant)
    if entry.dice is not None:
        agreed = board if entry.side is Side.WHITE else board.swapped()
        place = draft.next_turn(entry.place)
        draft.add(RollRecord(entry.side, entry.dice, Writing.POSITION, agreed=agreed, place=place))
    elif not draft.unread_last_roll(SET_BY_HAND):
        _set_start(draft, board, variant)


def _roll(entry: OgxmEntry, dice: Dice, following: OgxmEntry | None, place: Place) -> RollRecord:
    """A roll: without steps it was not played if the side resigned then."""
    movements = tuple(_movement(entry.side, step) for step in entry.steps)
    if movements:
        writing = Writing.PLAY
    elif following is not None and following.side is entry.side and following.action in _RESIGNATIONS:
        writing = Writing.NOT_PLAYED
    else:
        writing = Writing.NOTHING
    return RollRecord(entry.side, dice, writing, movements, place=place)


def _movement(side: Side, step: OgxmStep) -> Movement:
    source = step.source if side is Side.BLACK else BAR - step.source
    if not OFF < source <= BAR:
        raise ValueError(f"a step from {step.source} by {side.label}")
    return Movement(source, max(OFF, source - step.pips))
