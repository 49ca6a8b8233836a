"""Replays the record of a game under its rules, and remarks what is odd about it.

A broken log is normal input: what breaks a rule is a remark and the replay goes on from where the play led;
only a play that cannot be made at all ends the replay of that game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from adjudicator.errors import NOWHERE, Fault, Place
from adjudicator.rules.board import Position, count_on_board
from adjudicator.rules.cube import Cube, CubeAction
from adjudicator.rules.cube_replay import CubeReplay
from adjudicator.rules.dice import Dice
from adjudicator.rules.play_replay import ReplayedPlay, had_to_play, replay_roll
from adjudicator.rules.plays import DieSteps, ordinary_steps
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import GameTerms, Win, most_lost, win_against
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant


class Ending(Enum):
    """How a recorded game ended."""

    BEAR_OFF = "bear_off"
    DROP = "drop"
    RESIGNATION = "resignation"
    CUT_SHORT = "cut_short"
    """A result is recorded, and nothing in the record brings it about: resigned, timed out, or stopped."""
    OPEN = "open"
    """No result."""

    @property
    def is_by_actions(self) -> bool:
        """Whether the record's actions bring the end about, so that nothing more can belong to the game."""
        return self not in (Ending.CUT_SHORT, Ending.OPEN)


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One roll as replayed. ``number`` counts the rolls of the game from 1.

    ``before`` and ``after`` are seen by ``side``, ``movements`` are as written (or as supplied), ``cube`` is
    the cube when the dice were thrown.
    """

    number: int
    side: Side
    dice: Dice
    before: Position
    movements: tuple[Movement, ...]
    after: Position
    cube: Cube


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """What became of a record.

    ``start`` is seen by white. ``turns`` end where the game did or where the replay broke: ``broken`` then
    says why. ``winner`` and ``win`` are worked out from the record's actions, ``None`` where they do not
    tell; ``win`` is what it counts as. ``cube`` is the cube at the end.
    """

    record: GameRecord
    start: Position
    turns: tuple[ReplayedTurn, ...]
    ending: Ending
    winner: Side | None
    win: Win | None
    cube: Cube
    remarks: tuple[Remark, ...]
    broken: Fault | None

    @property
    def points(self) -> int | None:
        """What the game counts by its own actions, ``None`` where they do not tell (HE-6.5)."""
        return None if self.win is None else self.win * self.cube.value


def replay(
    game: GameRecord,
    variant: Variant,
    terms: GameTerms,
    *,
    legal_by: Sequence[DieSteps] = (ordinary_steps,),
) -> ReplayedGame:
    """Replay a game; never raises for anything a record may hold.

    A play, or to make none, is legal if one of ``legal_by`` allows it; the first of them also tells which
    play was left out where nothing is written.

    Source: HE-5.5; spec of match logs 6, 7, 11, 12.
    """
    replaying = _Replaying(game, terms, legal_by, game.start or variant.start)
    for action in game.actions:
        replaying.take(action)
    return replaying.finished(variant)


@dataclass
class _Replaying:
    """The replay under way. ``board`` is seen by white; ``ending`` is set once the game is over."""

    game: GameRecord
    terms: GameTerms
    legal_by: Sequence[DieSteps]
    board: Position
    turns: list[ReplayedTurn] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    rolls: int = 0
    due: Side | None = None
    cube: CubeReplay = field(default_factory=CubeReplay)
    ending: Ending | None = None
    winner: Side | None = None
    win: Win | None = None
    resigned: ResignRecord | None = None
    unplayed: RollRecord | None = None
    broken: Fault | None = None

    def take(self, action: Action) -> None:
        """Replay one more action."""
        if isinstance(action, RollRecord):
            self.rolls += 1
            if self._goes_on(action.side, action.place, "a roll"):
                self._take_roll(action)
        elif isinstance(action, CubeRecord):
            if self._goes_on(action.side, action.place, "a cube action"):
                self._take_cube(action)
        else:
            self._take_resignation(action)

    def _goes_on(self, side: Side, place: Place, what: str) -> bool:
        if self.ending is not None:
            self._remark(RemarkCode.ROLL_AFTER_END, f"{what} by {side.label} after the game had ended", place)
        return self.ending is None and self.broken is None

    def _take_roll(self, roll: RollRecord) -> None:
        if self.rolls == 1 and self.game.start is None and roll.dice.is_doublet:
            detail = f"the game opens with {roll.dice}; equal dice are thrown again"
            self._remark(RemarkCode.OPENING_DOUBLET, detail, roll.place)
        if self.due is not None and roll.side is not self.due:
            self._remark(
                RemarkCode.SIDE_OUT_OF_TURN,
                f"{roll.side.label} rolled, {self.due.label} was on roll",
                roll.place,
            )
        self.remarks += self.cube.before_roll(roll.side, roll.place, self.rolls)
        self.due = roll.side.opponent
        before = self.board if roll.side is Side.WHITE else self.board.swapped()
        self._remark_unplayed(roll, before)
        played = replay_roll(roll, before, self.legal_by, stars_used=self.game.stars_used)
        for code, detail in played.remarks:
            self._remark(code, detail, roll.place)
        if played.after is None:
            self.broken = Fault(
                played.reason,
                Place(roll.place.file, roll.place.line, roll.place.pointer, self.game.number, self.rolls),
            )
            return
        self._add_turn(roll, before, played, played.after)

    def _remark_unplayed(self, roll: RollRecord, before: Position) -> None:
        """A roll thrown and not played ends a game; where the game goes on a play of it is missing."""
        unplayed, self.unplayed = self.unplayed, None
        if unplayed is not None:
            detail = f"{unplayed.dice} was thrown and not played, and the game went on"
            self.remarks.append(Remark(RemarkCode.PLAY_OMITTED, detail, self.rolls - 1, unplayed.place))
        if roll.writing is Writing.NOT_PLAYED and had_to_play(roll, before, self.legal_by):
            self.unplayed = roll

    def _add_turn(self, roll: RollRecord, before: Position, played: ReplayedPlay, after: Position) -> None:
        self.turns.append(
            ReplayedTurn(self.rolls, roll.side, roll.dice, before, played.movements, after, self.cube.cube)
        )
        self.board = after if roll.side is Side.WHITE else after.swapped()
        if not count_on_board(after.own):
            self._end(Ending.BEAR_OFF, roll.side, win_against(after.opponent))

    def _take_cube(self, action: CubeRecord) -> None:
        self.remarks += self.cube.take(action, self.due, self.rolls, self.terms)
        if action.action is CubeAction.DROP:
            self._end(Ending.DROP, action.side.opponent, Win.SINGLE)

    def _take_resignation(self, action: ResignRecord) -> None:
        if self.ending is not None:
            self._remark(
                RemarkCode.DUPLICATE_RESIGNATION,
                f"{action.side.label} resigned after the game had ended",
                action.place,
            )
        elif self.broken is None:
            self.resigned = action
            self._end(Ending.RESIGNATION, action.side.opponent, action.win)

    def _end(self, ending: Ending, winner: Side, win: Win | None) -> None:
        self.ending, self.winner = ending, winner
        self.win = None if win is None else self.terms.counted_win(win, self.cube.cube)

    def _remark(self, code: RemarkCode, detail: str, place: Place = NOWHERE) -> None:
        self.remarks.append(Remark(code, detail, self.rolls or None, place))

    def _check_end(self) -> None:
        """What is odd about the end of a game that was followed to its end."""
        if not self.rolls:
            self._remark(RemarkCode.NO_ROLLS, "the game holds no roll", self.game.place)
        if self.ending in (Ending.OPEN, Ending.CUT_SHORT):
            self.remarks += self.cube.at_end(self.rolls)
        result = self.game.result
        if self.resigned is not None and self.resigned.win is not None:
            given = self.resigned.win * self.cube.cube.value
            self._check_given(self.resigned.side, given, self.resigned.place)
        elif (
            result is not None
            and result.points is not None
            and (
                self.ending is Ending.CUT_SHORT
                or (self.ending is Ending.RESIGNATION and self.winner is result.winner)
            )
        ):
            self._check_given(result.winner.opponent, result.points, result.place)

    def _check_given(self, loser: Side, points: int, place: Place) -> None:
        """Remark points of a loser that gave up beyond what it could still lose.

        More than three times the cube is another matter: no game gives that (HE-8.1).
        """
        cube = self.cube.cube
        most = self.terms.points_for(
            most_lost(self.board if loser is Side.WHITE else self.board.swapped()), cube
        )
        if most < points <= Win.BACKGAMMON * cube.value:
            detail = f"{loser.label} gives up {points} points and could lose {most} at most"
            self._remark(RemarkCode.RESIGNATION_TOO_HIGH, detail, place)

    def finished(self, variant: Variant) -> ReplayedGame:
        """The replayed game after the last action."""
        if self.ending is None:
            self.ending = Ending.OPEN if self.game.result is None else Ending.CUT_SHORT
        if self.broken is None and (self.game.broken is None or self.ending.is_by_actions):
            self._check_end()
        if self.game.broken is not None and self.ending.is_by_actions:
            detail = f"not read, after the game had ended: {self.game.broken.reason}"
            self.remarks.append(Remark(RemarkCode.ROW_IGNORED, detail, None, self.game.broken.place))
        if self.broken is not None:
            detail = f"cannot be replayed from here: {self.broken.reason}"
            place = self.broken.place
            self.remarks.append(Remark(RemarkCode.NOT_REPLAYED_AFTER, detail, place.turn, place))
        return ReplayedGame(
            record=self.game,
            start=self.game.start or variant.start,
            turns=tuple(self.turns),
            ending=self.ending,
            winner=self.winner,
            win=self.win,
            cube=self.cube.cube,
            remarks=tuple(self.remarks),
            broken=self.broken,
        )
