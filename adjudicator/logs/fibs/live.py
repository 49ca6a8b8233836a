"""The games of a FIBS session, from the lines that were written while they were played.

Source: ``docs/formats/fibs.md``, section "Lines".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.errors import Place
from adjudicator.logs.assembly import require_game_count
from adjudicator.logs.fibs.lines import Line, LineKind
from adjudicator.logs.fibs.plays import Direction, parse_fibs_play
from adjudicator.logs.fibs.seats import YOU, Seats
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.refusals import several_matches
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, Movement, RecordedResult, ResignRecord, RollRecord, Writing
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

_NOT_ECHOED = (
    "the log does not hold this play: FIBS shows players their own plays on the board only; "
    "send the list of moves (oldmoves) or the log of a watcher"
)
_OUTSIDE_GAMES = (
    LineKind.MATCH,
    LineKind.PAIR,
    LineKind.START,
    LineKind.OPENING,
    LineKind.ROLL,
    LineKind.DOUBLE,
    LineKind.RESUMED,
    LineKind.SCORE,
    LineKind.MATCH_WON,
    LineKind.DAMAGED,
)
"""Lines that say something, or begin a game, where no game is under way."""


def read_live_games(lines: Sequence[Line], seats: Seats) -> list[GameDraft]:
    """The games that these lines tell, in order.

    Raises: RecordError where a second match begins; TooLargeError beyond the limits.
    """
    reading = _LiveReading(seats)
    for line in lines:
        reading.take(line)
    reading.end_log()
    return reading.games


class _Thrown(NamedTuple):
    """Dice whose play is still to come; ``entered`` is the line with the play the own player entered."""

    side: Side
    dice: Dice
    place: Place
    is_opening: bool = False
    entered: Line | None = None


@dataclass
class _LiveReading:
    """The games so far. ``draft`` is the one under way, ``None`` between games.

    ``score``: the last score line, for the game that comes next.
    ``joined_late``: the session came to a game that was under way.
    """

    seats: Seats
    games: list[GameDraft] = field(default_factory=list)
    draft: GameDraft | None = None
    thrown: _Thrown | None = None
    directions: dict[Side, Direction] = field(default_factory=dict)
    score: Score | None = None
    joined_late: bool = False
    match_over: bool = False
    _handlers: Mapping[LineKind, Callable[[Line], None]] = field(init=False)

    def __post_init__(self) -> None:
        self._handlers = {
            LineKind.MATCH: self._start_match,
            LineKind.PAIR: self._start_match,
            LineKind.START: self._open,
            LineKind.OPENING: self._open,
            LineKind.RESUMED: self._resume,
            LineKind.SCORE: self._take_score,
            LineKind.BOARD: self._take_board,
            LineKind.MATCH_WON: self._end_match,
            LineKind.ROLL: self._roll,
            LineKind.PLAY: self._play,
            LineKind.OWN_PLAY: self._own_play,
            LineKind.REFUSAL: self._refuse,
            LineKind.CANNOT_MOVE: self._cannot_move,
            LineKind.DOUBLE: self._double,
            LineKind.TAKE: self._accept,
            LineKind.GIVES_UP: self._give_up,
            LineKind.ACCEPTS_RESIGNATION: self._accept_resignation,
            LineKind.WINS: self._win,
            LineKind.DAMAGED: self._break_off,
        }

    def take(self, line: Line) -> None:
        """Add what a line says."""
        if line.kind not in self._handlers:
            return
        if self.draft is None and line.kind not in _OUTSIDE_GAMES:
            return
        try:
            self._handlers[line.kind](line)
        except ValueError as error:
            self._end_roll(Writing.UNREAD)
            self._game(line).break_off(str(error), line.place)

    def _game(self, line: Line) -> GameDraft:
        """The game under way, or one that begins with that line."""
        return self._begin(line.place) if self.draft is None else self.draft

    def _break_off(self, line: Line) -> None:
        """A line that cannot be read: it belongs to a game until the match is over."""
        if self.draft is not None or not self.match_over:
            raise ValueError(f"{line.text[:60]!r} cannot be read")

    # --- games and scores

    def _begin(self, place: Place) -> GameDraft:
        if self.match_over:
            raise several_matches(place)
        require_game_count(len(self.games) + 1, place)
        draft = GameDraft(len(self.games) + 1, place, self.score)
        if self.joined_late:
            draft.break_off("the game began before the log, and nothing tells how", place)
        self.games.append(draft)
        self.draft, self.thrown, self.directions = draft, None, {}
        self.score, self.joined_late = None, False
        return draft

    def _open(self, line: Line) -> None:
        """A line with which a game begins, unless it has begun with another such line."""
        sides = [self.seats.side(name) for name in line.names]
        self.joined_late = False
        draft = self.draft
        if draft is None or draft.actions or draft.broken is not None or self.thrown is not None:
            self._end_game()
            self._begin(line.place)
        if line.kind is LineKind.OPENING and line.numbers[0] != line.numbers[1]:
            first = sides[0] if line.numbers[0] > line.numbers[1] else sides[1]
            self.thrown = _Thrown(first, Dice.of(*line.numbers), line.place, is_opening=True)

    def _end_game(self) -> None:
        self._end_roll(Writing.UNREAD)
        self.draft = None

    def end_log(self) -> None:
        """The log ends, the game under way with it."""
        if self.draft is not None:
            self._end_game()

    def _resume(self, _line: Line) -> None:
        self.joined_late = self.draft is None

    def _start_match(self, line: Line) -> None:
        """A match of the two players begins at nothing; one of others is news."""
        if all(name in self.seats for name in line.names):
            self.score = Score()

    def _end_match(self, _line: Line) -> None:
        self.match_over = True

    def _take_score(self, line: Line) -> None:
        self.score = self.seats.score(line.names, line.numbers[-2:])

    def _take_board(self, line: Line) -> None:
        """The score of a board, for a game that has none yet."""
        if self.draft is not None and self.draft.score is None:
            self.draft.score = self.seats.score(line.names, line.numbers[1:])

    # --- rolls and plays

    def _roll(self, line: Line) -> None:
        side, dice = self.seats.side(line.names[0]), Dice.of(*line.numbers)
        thrown = self.thrown
        if thrown is not None and thrown.is_opening and (thrown.side, set(thrown.dice)) == (side, set(dice)):
            self.thrown = thrown._replace(is_opening=False)
            return
        self._end_roll(Writing.UNREAD)
        self._game(line)
        self.thrown = _Thrown(side, dice, line.place)

    def _play(self, line: Line) -> None:
        self._add_play(self._thrown_by(self.seats.side(line.names[0])), line)

    def _own_play(self, line: Line) -> None:
        """A play that the own player enters stands until the server refuses it or the game goes on."""
        if self.thrown is not None and self.seats.white == YOU and self.thrown.side is Side.WHITE:
            self.thrown = self.thrown._replace(entered=line)

    def _refuse(self, _line: Line) -> None:
        if self.thrown is not None:
            self.thrown = self.thrown._replace(entered=None)

    def _cannot_move(self, line: Line) -> None:
        thrown = self._thrown_by(self.seats.side(line.names[0]))
        self._add_roll(thrown, Writing.CANNOT_MOVE)

    def _thrown_by(self, side: Side) -> _Thrown:
        if self.thrown is None or self.thrown.side is not side:
            raise ValueError(f"{side.label} plays without a roll")
        return self.thrown

    def _add_play(self, thrown: _Thrown, line: Line) -> None:
        try:
            movements, way = parse_fibs_play(line.text, self.directions.get(thrown.side))
        except ValueError as error:
            self._add_roll(thrown, Writing.UNREAD, unread=str(error))
        else:
            self.directions[thrown.side] = way
            self._add_roll(thrown, Writing.PLAY, movements)

    def _add_roll(
        self, thrown: _Thrown, writing: Writing, movements: tuple[Movement, ...] = (), unread: str = ""
    ) -> None:
        place = thrown.place
        if self.draft is not None:
            roll = RollRecord(thrown.side, thrown.dice, writing, movements, unread=unread, place=place)
            self.draft.add(roll)
        self.thrown = None

    def _end_roll(self, writing: Writing) -> None:
        """Add a roll whose play does not come any more."""
        if self.thrown is None:
            return
        if self.thrown.entered is not None:
            self._add_play(self.thrown, self.thrown.entered)
        else:
            self._add_roll(self.thrown, writing, unread=_NOT_ECHOED if writing is Writing.UNREAD else "")

    # --- the cube

    def _double(self, line: Line) -> None:
        self._end_roll(Writing.UNREAD)
        side = self.seats.side(line.names[0])
        self._game(line).add(CubeRecord(side, CubeAction.DOUBLE, place=line.place))

    def _accept(self, line: Line) -> None:
        """A double is accepted. The value of the cube belongs to the double, which is said before."""
        side, draft = self.seats.side(line.names[0]), self._game(line)
        last = draft.last
        if line.numbers and isinstance(last, CubeRecord) and last.action is CubeAction.DOUBLE:
            draft.correct_last(last._replace(value=line.numbers[0] or None))
        draft.add(CubeRecord(side, CubeAction.TAKE, place=line.place))

    # --- the end

    def _give_up(self, line: Line) -> None:
        """The answer to a double, or to nothing: then it is the game that is given up."""
        loser, draft = self.seats.side(line.names[0]), self._game(line)
        last = draft.last
        if isinstance(last, CubeRecord) and last.action is CubeAction.DOUBLE and last.side is loser.opponent:
            draft.add(CubeRecord(loser, CubeAction.DROP, place=line.place))
        else:
            self._end_roll(Writing.NOT_PLAYED)
            self._resign(loser, line)
        self._finish(line.names[1], line)

    def _resign(self, loser: Side, line: Line) -> None:
        draft = self._game(line)
        draft.add(ResignRecord(loser, draft.win_worth(line.numbers[0]), line.place))

    def _accept_resignation(self, line: Line) -> None:
        loser = self.seats.side(line.names[0]).opponent
        self._end_roll(Writing.NOT_PLAYED)
        self._resign(loser, line)
        self._finish(line.names[0], line)

    def _win(self, line: Line) -> None:
        self._end_roll(Writing.UNREAD)
        self._finish(line.names[0], line)

    def _finish(self, winner: str, line: Line) -> None:
        place = line.place
        self._game(line).result = RecordedResult(self.seats.side(winner), line.numbers[0], place)
        self._end_game()
