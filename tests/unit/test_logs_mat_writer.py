"""The .mat that is written: what it looks like, and what it cannot hold."""

from dataclasses import replace

import pytest

from adjudicator.logs.mat.writer import format_mat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import Position
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
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON

WHITE, BLACK = Side
FIRST = GameRecord(
    1,
    (
        RollRecord(BLACK, Dice(3, 1), Writing.PLAY, (Movement(8, 5), Movement(6, 5, hit=True))),
        RollRecord(WHITE, Dice(6, 6), Writing.CANNOT_MOVE),
        CubeRecord(BLACK, CubeAction.DOUBLE, 2),
        CubeRecord(WHITE, CubeAction.DROP),
    ),
    RecordedResult(BLACK, 1),
)
SECOND = GameRecord(
    2,
    (
        RollRecord(WHITE, Dice(2, 1), Writing.PLAY, (Movement(25, 23), Movement(1, 0))),
        RollRecord(BLACK, Dice(5, 4), Writing.NOT_PLAYED),
        ResignRecord(BLACK),
    ),
    RecordedResult(WHITE, 2),
)
LOG = MatchLog("", 2, "Ann", "Bo", (FIRST, SECOND), metadata={"match id": "7"})

TEXT = """\
; [Match Id "7"]
; [Crawford "On"]

 2 point match

 Game 1
 Ann : 0                               Bo : 0
  1)                                  31: 8/5 6/5*
  2) 66: Cannot Move                   Doubles => 2
  3)  Drops
                                      Wins 1 point

 Game 2
 Ann : 0                               Bo : 1
  1) 21: bar/23 1/off                 54: Concedes
      Wins 2 points and the match
"""


def test_a_log_is_written_in_two_columns_with_the_score_counted_up() -> None:
    assert format_mat(LOG) == TEXT


def test_a_recorded_score_goes_before_the_counted_one() -> None:
    text = format_mat(replace(LOG, games=(FIRST, replace(SECOND, score=Score(0, 5)))))
    assert " Ann : 0                               Bo : 5" in text


def test_another_variant_is_named_in_the_head() -> None:
    text = format_mat(replace(LOG, variant=NACKGAMMON, match_length=0, jacoby=True))
    assert '; [Variation "Nackgammon"]\n; [Jacoby "On"]' in text
    assert read_log(text.encode()).variant is NACKGAMMON


def test_line_breaks_in_names_become_blanks() -> None:
    log = replace(LOG, white="An\nn  ; x\t", metadata={"event": "a\r\nb"})
    read = read_log(format_mat(log).encode())
    assert (read.white, read.metadata["event"]) == ("An n  ; x", "a b")


def test_a_game_with_a_start_of_its_own_cannot_be_written() -> None:
    start = Position(BACKGAMMON.start_checkers, NACKGAMMON.start_checkers)
    with pytest.raises(ValueError, match="game 1 has a start position of its own"):
        format_mat(replace(LOG, games=(replace(FIRST, start=start),)))
