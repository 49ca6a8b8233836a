"""What the record itself says about a game's end, against what its actions bring about (HE-2, HE-8.1)."""

from dataclasses import dataclass

from adjudicator.errors import Place
from adjudicator.happy_end.game_result import GameResult
from adjudicator.rules.board import count_on_board
from adjudicator.rules.record import GameRecord, RecordedResult
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.replay import Ending, ReplayedGame
from adjudicator.rules.score import Win

FINISH_CHECKERS = 4
"""A winner with so many checkers left or fewer was stopped just before bearing them off (match logs 10)."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded result, and the same as it counts in the tally.

    Both ``None`` where there is none. They differ only where the record's points are impossible (HE-8.1).
    """

    written: GameResult | None
    counted: GameResult | None
    remarks: tuple[Remark, ...]


def recorded_result(game: ReplayedGame) -> Recorded:
    """The recorded result of a game, with remarks where the replay comes to another one.

    Without a written result the game's own end gives it, if it has one.

    Source: HE-2.2, HE-2.4, HE-8.1; match logs 9, 10.
    """
    if game.record.result is None:
        return _without_written(game)
    written = game.record.result
    if written.points is None:
        return _without_points(game, written)
    remarks = [*_check_winner(game, written), *_check_points(game, written), *_check_finish(game, written)]
    result = GameResult(written.winner, written.points, _kind_of(game, written))
    if 1 <= written.points <= Win.BACKGAMMON * game.cube.value:
        return Recorded(result, result, tuple(remarks))
    counted = _worked_out(game, written)
    detail = (
        f"{written.points} points cannot be won with the cube on {game.cube.value}; {counted.points} count"
    )
    remarks.append(Remark(RemarkCode.POINTS_IMPOSSIBLE, detail, place=written.place))
    return Recorded(result, counted, tuple(remarks))


def _without_points(game: ReplayedGame, written: RecordedResult) -> Recorded:
    counted = _worked_out(game, written)
    detail = f"the record does not say how many points {written.winner.label} won; {counted.points} count"
    missing = Remark(RemarkCode.POINTS_MISSING, detail, place=written.place)
    return Recorded(counted, counted, (*_check_winner(game, written), *_check_finish(game, written), missing))


def _without_written(game: ReplayedGame) -> Recorded:
    if game.winner is None:
        return Recorded(None, None, _check_unfinished(game))
    win = game.win or Win.SINGLE
    result = GameResult(game.winner, win * game.cube.value, win)
    detail = f"no result is written; the {_said(game.ending)} gives {game.winner.label} {result.points}"
    return Recorded(
        result, result, (Remark(RemarkCode.RESULT_MISSING, detail, place=_where_it_stops(game.record)),)
    )


def _check_unfinished(game: ReplayedGame) -> tuple[Remark, ...]:
    """A game that stops; of one that cannot be read to its end that is said already."""
    if game.broken is not None or game.record.broken is not None:
        return ()
    detail = "no result is written, and the record stops before the game ends"
    turn = len(game.record.rolls) or None
    return (Remark(RemarkCode.GAME_UNFINISHED, detail, turn, _where_it_stops(game.record)),)


def _where_it_stops(record: GameRecord) -> Place:
    return record.actions[-1].place if record.actions else record.place


def _said(ending: Ending) -> str:
    return {Ending.BEAR_OFF: "last checker borne off", Ending.DROP: "dropped double"}.get(
        ending, "resignation"
    )


def _check_winner(game: ReplayedGame, written: RecordedResult) -> list[Remark]:
    if game.winner in (None, written.winner):
        return []
    other = written.winner.opponent.label
    detail = f"the record names {written.winner.label}, the {_said(game.ending)} gives {other}"
    return [Remark(RemarkCode.WINNER_DIFFERS, detail, place=written.place)]


def _check_points(game: ReplayedGame, written: RecordedResult) -> list[Remark]:
    if game.points is None:
        return _check_multiple(game, written)
    if game.points == written.points:
        return []
    detail = f"the record says {written.points}, by the rules it is {game.points}"
    return [Remark(RemarkCode.POINTS_DIFFER, detail, place=written.place)]


def _check_multiple(game: ReplayedGame, written: RecordedResult) -> list[Remark]:
    """Where nothing tells the kind of the win, it is a whole one all the same."""
    value = game.cube.value
    if written.points is None or not written.points % value or written.points > Win.BACKGAMMON * value:
        return []
    detail = f"the record says {written.points}, which is no multiple of the cube at {value}"
    return [Remark(RemarkCode.POINTS_DIFFER, detail, place=written.place)]


def _check_finish(game: ReplayedGame, written: RecordedResult) -> list[Remark]:
    if game.ending is not Ending.CUT_SHORT or not game.turns:
        return []
    last = game.turns[-1]
    checkers = last.after.own if last.side is written.winner else last.after.opponent
    left = count_on_board(checkers)
    if left > FINISH_CHECKERS:
        return []
    detail = f"the record stops with {left} of the winner's checkers on the board"
    return [Remark(RemarkCode.FINISH_MISSING, detail, last.number, written.place)]


def _kind_of(game: ReplayedGame, written: RecordedResult) -> Win | None:
    """The kind of the recorded win: the game's end tells it, or else the points do."""
    if game.winner is written.winner and game.win is not None:
        return game.win
    times, rest = divmod(written.points or 0, game.cube.value)
    return Win(times) if not rest and Win.SINGLE <= times <= Win.BACKGAMMON else None


def _worked_out(game: ReplayedGame, written: RecordedResult) -> GameResult:
    """What the game gives of itself; a game that was cut short gives no more than a single win."""
    win = game.win if game.win is not None and game.winner is written.winner else Win.SINGLE
    return GameResult(written.winner, win * game.cube.value, win)
