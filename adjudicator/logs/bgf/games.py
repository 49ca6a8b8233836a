"""One game of a .bgf file as a record.

Source: ``docs/formats/bgf.md``, section "Games".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from adjudicator.errors import Place
from adjudicator.logs.document_fields import (
    Fields,
    take_flag,
    take_list,
    take_number,
    take_numbers,
    take_object,
)
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.limits import MAX_STEPS
from adjudicator.logs.match_log import MatchLog
from adjudicator.notation.signed_counts import parse_signed_counts
from adjudicator.rules.board import BAR, OFF, Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    Action,
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

_NO_DIE = 7
"""What stands for the green die where no dice are played; the red one then says what happened."""
_POINTS = 24
_NONE = -1


class _Event(IntEnum):
    """What the red die says beside a green 7."""

    DOUBLE = 1
    TAKE = 2
    DROP = 3
    GAME_OVER = 4
    DANCE = 5
    RESIGN = 9


_EVENTS = {event.value: event for event in _Event}
_CUBE_ACTIONS = {
    _Event.DOUBLE: CubeAction.DOUBLE,
    _Event.TAKE: CubeAction.TAKE,
    _Event.DROP: CubeAction.DROP,
}


def read_game(game: object, place: Place, log: MatchLog) -> GameRecord:
    """The record of one game of this match; what cannot be read breaks it, and the winner is still taken.

    Raises: TooLargeError for a game of too many actions.
    """
    draft = GameDraft(place.game or 1, place)
    with _breaking(draft, place):
        fields = take_object(game, "a game")
        with _breaking(draft, place):
            _take_head(draft, fields, log)
        for index, entry in enumerate(take_list(fields, "moves")):
            where = Place(pointer=f"{place.pointer}/moves/{index}")
            with _breaking(draft, where):
                _take_entry(draft, take_object(entry, "an entry"), where)
        points = take_number(fields, "wonPoints", 0)
        if draft.result is not None and points:
            draft.result = RecordedResult(draft.result.winner, points, place)
    return draft.finished()


@contextmanager
def _breaking(draft: GameDraft, place: Place) -> Iterator[None]:
    """What is found impossible within it breaks the game there."""
    try:
        yield
    except ValueError as error:
        draft.break_off(str(error), place)


def start_position(initial: Fields, variant: Variant) -> Position | None:
    """The start of a game of that variant seen by white, ``None`` where it is not given.

    28 counts: the points as red counts them, green's checkers positive, red's negative, then the bars of
    green and red.

    Raises: ValueError for counts that make no position.
    """
    counts = take_numbers(initial, "points")
    if not counts:
        return None
    if len(counts) < _POINTS:
        raise ValueError(f"points has to have {_POINTS} counts and the bars, not {len(counts)}")
    green_bar, red_bar, *_ = (*map(abs, counts[_POINTS:]), 0, 0)
    return parse_signed_counts((-red_bar, *counts[_POINTS - 1 :: -1], green_bar), variant.checkers_per_side)


def _take_head(draft: GameDraft, game: Fields, log: MatchLog) -> None:
    draft.score = Score(take_number(game, "scoreGreen", 0), take_number(game, "scoreRed", 0))
    if log.match_length:
        draft.crawford = take_flag(game, "isCrawford")
    initial = take_object(game.get("initial") or {}, "initial")
    start = start_position(initial, log.variant)
    draft.start = None if start == log.variant.start else start
    cube = take_number(initial, "cube", 1)
    if cube != 1:
        raise ValueError(f"the game begins with the cube at {cube}")


def _take_entry(draft: GameDraft, fields: Fields, place: Place) -> None:
    """Add what an entry of the list of moves says; the end, which is no action, is the result so far."""
    side = _side(fields)
    if take_number(fields, "green") != _NO_DIE:
        draft.add(_roll(fields, side, place))
        return
    code = take_number(fields, "red")
    event = _EVENTS.get(code)
    if event is None:
        raise ValueError(f"something that is not known here: code {code}")
    if event is _Event.GAME_OVER:
        draft.result = RecordedResult(side, None, draft.place)
    else:
        draft.add(_action(event, fields, side, place))


def _roll(fields: Fields, side: Side, place: Place) -> RollRecord:
    dice = Dice.of(take_number(fields, "red"), take_number(fields, "green"))
    movements = _movements(fields)
    writing = Writing.PLAY if movements else Writing.NOTHING
    return RollRecord(side, dice, writing, movements, place=place)


def _action(event: _Event, fields: Fields, side: Side, place: Place) -> Action:
    if event is _Event.RESIGN:
        return ResignRecord(side, None, place)
    if event is _Event.DANCE:
        dice = Dice.of(_first_number(fields, "from"), _first_number(fields, "to"))
        return RollRecord(side, dice, Writing.CANNOT_MOVE, place=place)
    return CubeRecord(side, _CUBE_ACTIONS[event], place=place)


def _side(fields: Fields) -> Side:
    player = fields.get("player")
    if type(player) is not int or player not in (-1, 1):
        raise ValueError("player has to be -1, green, or 1, red")
    return Side.WHITE if player == -1 else Side.BLACK


def _first_number(fields: Fields, key: str) -> int:
    numbers = take_numbers(fields, key)
    if not numbers:
        raise ValueError(f"{key} is empty")
    return numbers[0]


def _movements(fields: Fields) -> tuple[Movement, ...]:
    """The movements of a play, in the mover's own points; -1 stands where there is none."""
    sources, targets = take_numbers(fields, "from"), take_numbers(fields, "to")
    if not len(sources) == len(targets) <= MAX_STEPS:
        raise ValueError(f"from and to have to be of the same length, at most {MAX_STEPS}")
    movements = []
    for source, target in zip(sources, targets, strict=True):
        if source == _NONE:
            break
        if not (OFF < source <= BAR and OFF <= target < BAR):
            raise ValueError(f"a step from {source} to {target}")
        movements.append(Movement(source, target))
    return tuple(movements)
