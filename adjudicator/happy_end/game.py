"""Adjudicates one game of a match (HE-2)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from adjudicator.errors import Fault
from adjudicator.happy_end.following import FollowedGame, follow_game
from adjudicator.happy_end.game_result import GameResult
from adjudicator.happy_end.hinges import Hinge, Hinges, find_hinges
from adjudicator.happy_end.last_checker import ExactFinish, LastChecker
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.playout import Playout, play_out
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.happy_end.series import dice_series
from adjudicator.happy_end.strongest_play import Judge
from adjudicator.notation.play_text import format_play
from adjudicator.rules.cube import Cube
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.replay import Ending
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

MakeJudge: TypeAlias = Callable[[GameTerms, Cube], Judge]
"""Makes the judge of a game's plays, for its terms and the cube of its last-checker position."""


class GameStatus(Enum):
    """What became of a game (HE-9)."""

    PLAYED_OUT = "played_out"
    """From its last-checker position on; the playout's winner has won it."""
    STANDS = "stands"
    """There is nothing to play out: the recorded result counts."""
    UNDECIDED = "undecided"
    """The playout never ends: the recorded result counts."""
    NO_RESULT = "no_result"
    """It is not over, and there is nothing to play out."""
    UNREADABLE = "unreadable"
    """It cannot be replayed to its end: nothing counts."""


class Clause(Enum):
    """The clause a game's status rests on (HE-9)."""

    PLAYED_OUT_OR_STANDS = "HE-2.2"
    NO_RESULT = "HE-2.4"
    EXACT_IN_THE_SAME_TURN = "HE-5.2"
    UNDECIDED = "HE-6.6"


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A playout, the turns its end hung on, and white's chances at its start, had the dice been fresh."""

    playout: Playout
    hinges: Hinges
    white_chances: Outcomes


@dataclass(frozen=True, slots=True)
class GameAdjudication:
    """One adjudicated game.

    ``recorded`` is the result as written, ``adjudicated`` the one that counts; both may be ``None``.
    ``played`` is there where the game was played out, ended or not. ``unreadable`` says where and why it
    could not be read; ``clause`` is ``None`` only then.
    """

    record: GameRecord
    terms: GameTerms
    status: GameStatus
    clause: Clause | None
    ending: Ending
    recorded: GameResult | None
    adjudicated: GameResult | None
    remarks: tuple[Remark, ...]
    played: PlayedOut | None = None
    unreadable: Fault | None = None

    @property
    def changed(self) -> bool:
        """Whether a playout has given the game to another winner than the recorded one (HE-8.3)."""
        return self.status is GameStatus.PLAYED_OUT and _winner(self.adjudicated) != _winner(self.recorded)

    @property
    def points_changed(self) -> bool:
        """Whether the game counts other points than recorded, which no unreadable one does (HE-8.3)."""
        return self.unreadable is None and _points(self.adjudicated) != _points(self.recorded)


def _winner(result: GameResult | None) -> Side | None:
    return None if result is None else result.winner


def _points(result: GameResult | None) -> int | None:
    return None if result is None else result.points


def adjudicate_game(
    record: GameRecord, variant: Variant, terms: GameTerms, ruleset: Ruleset, make_judge: MakeJudge
) -> GameAdjudication:
    """Adjudicate one game; nothing a record may hold raises.

    Raises: EngineFailureError, EngineUnavailableError.
    Source: HE-2.
    """
    game = follow_game(record, variant, terms, ruleset.finish)
    adjudicating = _Adjudicating(game)
    if isinstance(game.reached, ExactFinish):
        return adjudicating.standing(Clause.EXACT_IN_THE_SAME_TURN)
    if game.reached is not None and game.unread is None:
        return adjudicating.played_out(game.reached, ruleset, make_judge)
    if game.unreadable is not None:
        return adjudicating.unreadable(game.unreadable)
    return adjudicating.standing(Clause.PLAYED_OUT_OR_STANDS)


@dataclass(frozen=True, slots=True)
class _Adjudicating:
    """A followed game on its way to its status."""

    game: FollowedGame

    def played_out(self, start: LastChecker, ruleset: Ruleset, make_judge: MakeJudge) -> GameAdjudication:
        """The game played out from its last-checker position; its recorded result if that never ends."""
        series = dice_series(self.game.record, ruleset.numbering)
        judge = make_judge(self.game.terms, start.cube)
        playout = play_out(start, series, ruleset, judge)
        played = PlayedOut(playout, find_hinges(playout, ruleset), _white_chances(start, judge))
        close = tuple(
            _remark_close(playout, hinge)
            for hinge in played.hinges.found
            if hinge.is_close(ruleset.indifference)
        )
        if playout.winner is None or playout.win is None:
            detail = "position, player and place in the dice series came back: nobody would ever finish"
            undecided = Remark(RemarkCode.UNDECIDED, detail)
            counted = self.game.recorded.counted
            return self._adjudicated(
                GameStatus.UNDECIDED, Clause.UNDECIDED, counted, undecided, *close, played=played
            )
        win = self.game.terms.counted_win(playout.win, start.cube)
        result = GameResult(playout.winner, win * start.cube.value, win)
        return self._adjudicated(
            GameStatus.PLAYED_OUT, Clause.PLAYED_OUT_OR_STANDS, result, *close, played=played
        )

    def standing(self, clause: Clause) -> GameAdjudication:
        """The game as recorded; without a result it has none (HE-2.4)."""
        if self.game.recorded.counted is None:
            return self._adjudicated(GameStatus.NO_RESULT, Clause.NO_RESULT, None)
        return self._adjudicated(GameStatus.STANDS, clause, self.game.recorded.counted)

    def unreadable(self, fault: Fault) -> GameAdjudication:
        """The game that could not be read as far as the procedure needs it; it counts nothing (HE-8.1)."""
        return self._adjudicated(GameStatus.UNREADABLE, None, None, unreadable=fault)

    def _adjudicated(
        self,
        status: GameStatus,
        clause: Clause | None,
        adjudicated: GameResult | None,
        *remarks: Remark,
        played: PlayedOut | None = None,
        unreadable: Fault | None = None,
    ) -> GameAdjudication:
        return GameAdjudication(
            record=self.game.record,
            terms=self.game.terms,
            status=status,
            clause=clause,
            ending=self.game.replayed.ending,
            recorded=self.game.recorded.written,
            adjudicated=adjudicated,
            remarks=(*self.game.remarks, *remarks),
            played=played,
            unreadable=unreadable,
        )


def _white_chances(start: LastChecker, judge: Judge) -> Outcomes:
    of_opponent = judge.chances(start.position.swapped())
    return of_opponent if start.on_roll is Side.BLACK else of_opponent.swapped()


def _remark_close(playout: Playout, hinge: Hinge) -> Remark:
    turn = playout.turns[hinge.turn - 1]
    taken, other = (format_play(play.steps) for play in (turn.strongest.play, hinge.alternative))
    detail = (
        f"the end may hang on a close choice: in turn {hinge.turn} of the playout {turn.side.label} plays "
        f"{taken}, and {other} is as good within the indifference"
    )
    return Remark(RemarkCode.CLOSE_CHOICE, detail)
