"""One game of a .bgf file as a record.

Source: ``docs/formats/bgf.md``, section "Games".
"""

from dataclasses import dataclass, field
from enum import IntEnum

from adjudicator.errors import Fault, Place
from adjudicator.logs.assembly import check_roll_count
from adjudicator.logs.document_fields import (
    Fields,
    take_flag,
    take_list,
    take_number,
    take_numbers,
    take_object,
)
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import BAR, OFF, Position, checkers_from
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

NO_DIE = 7
"""What stands for the green die where no dice are played; the red one then says what happened."""
MAX_STEPS = 4
_NONE = -1


class _Event(IntEnum):
    """What the red die says beside a green 7."""

    DOUBLE = 1
    TAKE = 2
    DROP = 3
    GAME_OVER = 4
    DANCE = 5
    RESIGN = 9


_CUBE_ACTIONS = {
    _Event.DOUBLE: CubeAction.DOUBLE,
    _Event.TAKE: CubeAction.TAKE,
    _Event.DROP: CubeAction.DROP,
}


def read_game(game: Fields, log: MatchLog, place: Place) -> GameRecord:
    """The record of one game of this match; its result has no points where the file gives none.

    Raises: ValueError for a game whose head cannot be read; TooLargeError for one of too many rolls.
    """
    score = Score(take_number(game, "scoreGreen", 0), take_number(game, "scoreRed", 0))
    initial = take_object(game.get("initial") or {}, "initial")
    start = parse_start(initial, log.variant) or log.variant.start
    points = take_number(game, "wonPoints", 0)
    reading = _GameReading(place)
    if take_number(initial, "cube", 1) != 1:
        reading.break_off(f"the game begins with the cube at {initial['cube']}", place)
    for index, move in enumerate(take_list(game, "moves")):
        reading.take(move, Place(pointer=f"{place.pointer}/moves/{index}"))
    return GameRecord(
        number=place.game or 1,
        actions=tuple(reading.actions),
        result=None if reading.winner is None else RecordedResult(reading.winner, points, place),
        score=score,
        start=None if start == log.variant.start else start,
        crawford=take_flag(game, "isCrawford") if log.match_length else None,
        broken=reading.broken,
        place=place,
    )


def parse_start(initial: Fields, variant: Variant) -> Position | None:
    """The start of a game of that variant seen by white, ``None`` where it is not given.

    28 counts: the points as red counts them, green's checkers positive, red's negative, then the bars of
    green and red.

    Raises: ValueError for counts that make no position.
    """
    counts = take_numbers(initial, "points")
    if not counts:
        return None
    green = {BAR - point: count for point, count in enumerate(counts[:24], start=1) if count > 0}
    red = {point: -count for point, count in enumerate(counts[:24], start=1) if count < 0}
    bars = [abs(count) for count in (*counts[24:26], 0, 0)]
    total = variant.checkers_per_side
    return Position(checkers_from(green | {BAR: bars[0]}, total), checkers_from(red | {BAR: bars[1]}, total))


@dataclass
class _GameReading:
    """The record under way; once ``broken``, only the winner is still taken."""

    place: Place
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    winner: Side | None = None
    broken: Fault | None = None

    def break_off(self, reason: str, place: Place) -> None:
        """Read no more actions of this game; the first reason stays."""
        if self.broken is None:
            where = Place(pointer=place.pointer, game=self.place.game, turn=self.rolls or None)
            self.broken = Fault(reason, where)

    def take(self, move: object, place: Place) -> None:
        """Add the action of an entry of the list of moves."""
        try:
            fields = take_object(move, "a move")
            side = _side(fields)
            if take_number(fields, "green") != NO_DIE:
                self._take_roll(fields, side, place)
            else:
                self._take_event(fields, side, place)
        except ValueError as error:
            self.break_off(str(error), place)

    def _take_event(self, fields: Fields, side: Side, place: Place) -> None:
        event = _event(take_number(fields, "red"))
        if event is _Event.GAME_OVER:
            self.winner = side
        elif self.broken is not None:
            return
        elif event is _Event.RESIGN:
            self.actions.append(ResignRecord(side, None, place))
        elif event is _Event.DANCE:
            dice = Dice.of(_first_number(fields, "from"), _first_number(fields, "to"))
            self._add_roll(RollRecord(side, dice, Writing.CANNOT_MOVE, place=place))
        else:
            self.actions.append(CubeRecord(side, _CUBE_ACTIONS[event], place=place))

    def _take_roll(self, fields: Fields, side: Side, place: Place) -> None:
        if self.broken is not None:
            return
        dice = Dice.of(take_number(fields, "red"), take_number(fields, "green"))
        movements = _movements(fields)
        writing = Writing.PLAY if movements else Writing.NOTHING
        self._add_roll(RollRecord(side, dice, writing, movements, place=place))

    def _add_roll(self, roll: RollRecord) -> None:
        self.rolls += 1
        check_roll_count(self.rolls, self.place)
        self.actions.append(roll)


def _side(fields: Fields) -> Side:
    player = fields.get("player")
    if type(player) is not int or player not in (-1, 1):
        raise ValueError("player has to be -1, green, or 1, red")
    return Side.WHITE if player == -1 else Side.BLACK


def _event(code: int) -> _Event:
    try:
        return _Event(code)
    except ValueError:
        raise ValueError(f"something that is not known here: code {code}") from None


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
