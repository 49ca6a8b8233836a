"""Who won a game of a .mat: the column of ``Wins``, or what tells it where the columns are lost.

Source: ``docs/formats/mat.md``, section "The end of a game".
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.errors import Place
from adjudicator.logs.mat.cells import Cell, CellKind
from adjudicator.rules.board import OFF
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import Action, CubeRecord, RecordedResult, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score, winner_between
from adjudicator.rules.sides import Side


class ResultCell(NamedTuple):
    """A cell that tells a result, its line, and the side of its column; ``None`` where nothing tells."""

    line: int
    cell: Cell
    side: Side | None


class FoundResult(NamedTuple):
    """The recorded result, ``None`` where there is none or nothing tells whose it is; and remarks on it."""

    result: RecordedResult | None
    remarks: tuple[Remark, ...] = ()


def find_result(
    ends: Sequence[ResultCell],
    actions: Sequence[Action],
    total: int,
    score: Score | None,
    next_score: Score | None,
) -> FoundResult:
    """The result that these cells of a game record; the first one, if they record two.

    ``total``: checkers a side. ``score`` and ``next_score``: the score lines of this game and the next.
    """
    wins = [cell for cell in ends if cell.cell.kind is CellKind.WINS]
    if not ends:
        return FoundResult(None)
    end = (wins or ends)[0]
    winner = end.side if wins or end.side is None else end.side.opponent
    if winner is None:
        winner = _winner_by_actions(actions, total)
    if winner is None and score is not None and next_score is not None:
        winner = winner_between(score, next_score)
    place = Place(line=end.line)
    if winner is None:
        detail = "a result is recorded, but nothing tells in which column"
        return FoundResult(None, (Remark(RemarkCode.ROW_IGNORED, detail, place=place),))
    result = RecordedResult(winner, end.cell.value or 0, place)
    return FoundResult(result, tuple(_check_others(result, wins[1:])))


def _check_others(result: RecordedResult, others: Iterable[ResultCell]) -> Iterable[Remark]:
    for other in others:
        if (other.side or result.winner, other.cell.value) != (result.winner, result.points):
            detail = "a second, different result; the first one is taken"
            yield Remark(RemarkCode.ROW_IGNORED, detail, place=Place(line=other.line))


def _winner_by_actions(actions: Sequence[Action], total: int) -> Side | None:
    """Who won by the record itself: the other side gave up, or all checkers are written as borne off."""
    last = actions[-1] if actions else None
    if isinstance(last, ResignRecord) or (isinstance(last, CubeRecord) and last.action is CubeAction.DROP):
        return last.side.opponent
    if isinstance(last, RollRecord) and last.writing is Writing.NOT_PLAYED:
        return last.side.opponent
    borne_off = {Side.WHITE: 0, Side.BLACK: 0}
    for action in actions:
        if isinstance(action, RollRecord):
            borne_off[action.side] += sum(movement.target == OFF for movement in action.movements)
    return next((side for side, count in borne_off.items() if count >= total), None)
