"""Laws of conversion: the same match in every format, and no difference that goes unnoticed."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.logs.comparison import compare_logs
from adjudicator.logs.conversion import TARGETS, convert_log
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    Writing,
)
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from tests.property.test_logs_laws import bare, logs

JSON, MAT = TARGETS["json"], TARGETS["mat"]


@given(logs(starts=False))
def test_a_match_told_in_turn_as_mat_and_record_stays_the_same(log: MatchLog) -> None:
    contents = []
    for target in (MAT, JSON, MAT, JSON):
        contents.append(convert_log(log, target).content)
        log = read_log(contents[-1])
    first, *others = (bare(read_log(content)) for content in contents)
    assert others == [first] * 3
    assert contents[:2] == contents[2:]


@given(logs(starts=True))
def test_a_match_told_as_a_record_loses_nothing_but_why_a_play_is_unread(log: MatchLog) -> None:
    conversion = convert_log(log, JSON)
    assert bare(read_log(conversion.content)) == log
    assert conversion.losses == ()


@given(st.data())
def test_two_readings_that_differ_anywhere_are_told_apart(data: st.DataObject) -> None:
    log = data.draw(logs(starts=True).filter(lambda log: any(game.actions for game in log.games)))
    changed = data.draw(st.sampled_from([_with_other_head, _with_other_game, _with_other_actions]))(log, data)
    assert not list(compare_logs(log, log))
    assert list(compare_logs(log, changed))
    assert list(compare_logs(changed, log))


def _with_other_head(log: MatchLog, data: st.DataObject) -> MatchLog:
    others = (
        replace(log, white=f"{log.white}x"),
        replace(log, black=f"{log.black} "),
        replace(log, match_length=log.match_length + 1),
        replace(log, crawford=not log.crawford),
        replace(log, jacoby=not log.jacoby),
        replace(log, metadata={**log.metadata, "site": "another"}),
        replace(log, games=log.games[:-1]),
    )
    return data.draw(st.sampled_from(others))


def _with_other_game(log: MatchLog, data: st.DataObject) -> MatchLog:
    index = data.draw(st.integers(0, len(log.games) - 1))
    game = log.games[index]
    score, result = game.score or Score(), game.result
    others = (
        replace(game, number=game.number + 1),
        replace(game, score=Score(score.white + 1, score.black)),
        replace(game, score=Score(score.white, score.black + 1)),
        replace(game, start=log.variant.start if game.start is None else None),
        replace(game, crawford=not game.crawford),
        replace(game, result=RecordedResult(Side.WHITE, 1 if result is None else (result.points or 0) + 1)),
        replace(
            game,
            result=RecordedResult(Side.WHITE, 1)
            if result is None
            else replace(result, winner=result.winner.opponent),
        ),
    )
    return _with_game(log, index, data.draw(st.sampled_from(others)))


def _with_other_actions(log: MatchLog, data: st.DataObject) -> MatchLog:
    index = data.draw(st.sampled_from([index for index, game in enumerate(log.games) if game.actions]))
    game = log.games[index]
    at = data.draw(st.integers(0, len(game.actions) - 1))
    before, action, after = game.actions[:at], game.actions[at], game.actions[at + 1 :]
    others: tuple[tuple[Action, ...], ...] = (
        (*before, *after),
        (*before, action, action, *after),
        (*before, action._replace(side=action.side.opponent), *after),
        (*before, _otherwise(action), *after),
    )
    return _with_game(log, index, replace(game, actions=data.draw(st.sampled_from(others))))


def _otherwise(action: Action) -> Action:
    if isinstance(action, ResignRecord):
        return action._replace(win=Win.GAMMON if action.win is not Win.GAMMON else None)
    if isinstance(action, CubeRecord):
        other = CubeAction.TAKE if action.action is CubeAction.DROP else CubeAction.DROP
        return action._replace(action=other, value=None)
    if action.writing is Writing.PLAY:
        first, *rest = action.movements
        return action._replace(movements=(Movement(first.source, first.target, not first.hit), *rest))
    return action._replace(dice=Dice(action.dice.first % 6 + 1, action.dice.second))


def _with_game(log: MatchLog, index: int, game: GameRecord) -> MatchLog:
    return replace(log, games=(*log.games[:index], game, *log.games[index + 1 :]))
