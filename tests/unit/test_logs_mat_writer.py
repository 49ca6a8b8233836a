"""The .mat that is written: what it looks like, and what it cannot hold."""

from dataclasses import replace

import pytest

from adjudicator.errors import NOWHERE
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
from adjudicator.rules.score import Score, Win
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


def _rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip()[:1].isdigit() and ")" in line]


def test_a_row_begins_where_the_log_began_one_and_where_there_is_no_room() -> None:
    actions = (
        RollRecord(WHITE, Dice(3, 1), Writing.NOTHING, row=1),
        RollRecord(BLACK, Dice(2, 1), Writing.NOTHING, row=2),
        RollRecord(WHITE, Dice(4, 1), Writing.NOTHING, row=3),
        RollRecord(BLACK, Dice(5, 1), Writing.NOTHING, row=3),
        RollRecord(BLACK, Dice(6, 1), Writing.NOTHING, row=4),
    )
    text = format_mat(replace(LOG, games=(replace(FIRST, actions=actions),)))
    assert _rows_of(text) == [
        "  1) 31:",
        "  2)                                  21:",
        "  3) 41:                              51:",
        "  4)                                  61:",
    ]
    (game,) = read_log(text.encode()).games
    assert [roll.row for roll in game.rolls] == [1, 2, 3, 3, 4]


def test_what_a_resignation_gives_and_a_beaver_offers_is_written() -> None:
    actions = (
        RollRecord(WHITE, Dice(3, 1), Writing.NOTHING),
        CubeRecord(BLACK, CubeAction.DOUBLE, 2),
        CubeRecord(WHITE, CubeAction.BEAVER, 4),
        RollRecord(BLACK, Dice(2, 1), Writing.NOT_PLAYED),
        ResignRecord(BLACK, Win.GAMMON),
        ResignRecord(WHITE, Win.BACKGAMMON),
    )
    text = format_mat(replace(LOG, games=(replace(FIRST, actions=actions),)))
    assert _rows_of(text) == [
        "  1) 31:                               Doubles => 2",
        "  2)  Beavers => 4                    21: Concedes gammon",
        "  3)  Resigns backgammon",
    ]
    (game,) = read_log(text.encode()).games
    assert [
        action._replace(place=NOWHERE) for action in game.actions if isinstance(action, ResignRecord)
    ] == [
        ResignRecord(BLACK, Win.GAMMON),
        ResignRecord(WHITE, Win.BACKGAMMON),
    ]


def test_names_keep_their_runs_of_blanks_behind_a_wider_gap() -> None:
    white, black = "a : 1" + " " * 50 + "b", "c" + " " * 45 + ": 2  d"
    read = read_log(format_mat(replace(LOG, white=white, black=black)).encode())
    assert (read.white, read.black) == (white, black)


def test_what_is_said_of_games_being_the_crawford_game_stands_in_the_head() -> None:
    games = (replace(FIRST, crawford=False), SECOND, replace(SECOND, number=3, crawford=True))
    text = format_mat(replace(LOG, games=games))
    assert '; [Crawford Games "1 no, 3 yes"]' in text
    assert [game.crawford for game in read_log(text.encode()).games] == [False, None, True]


def test_a_head_line_that_no_reader_would_take_is_left_out() -> None:
    text = format_mat(replace(LOG, metadata={"note": "x" * 5000, "site": "y"}))
    assert read_log(text.encode()).metadata == {"site": "y", "crawford": "On"}


def test_a_winner_without_points_has_no_place_in_a_mat() -> None:
    silent = replace(FIRST, result=RecordedResult(WHITE, None))
    with pytest.raises(ValueError, match="nothing says how many points game 1 brought"):
        format_mat(replace(LOG, games=(silent,)))
