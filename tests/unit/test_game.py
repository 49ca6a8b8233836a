"""What becomes of one game: played out, stands, undecided, no result, unreadable (HE-2, HE-5, HE-8.1)."""

from dataclasses import replace

import pytest

from adjudicator.errors import Fault, Place
from adjudicator.happy_end.game import Clause, GameAdjudication, GameStatus, adjudicate_game
from adjudicator.happy_end.game_result import GameResult
from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.happy_end.strongest_play import Judge
from adjudicator.rules.cube import Cube
from adjudicator.rules.record import Action, GameRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import Ending
from adjudicator.rules.score import CrawfordState, GameTerms, Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import BLACK, MONEY, WHITE, board, double, drop, game, resign, roll, take
from tests.opinions import EvenEngine, EvenEstimator

JACOBY = GameTerms(0, Score(), jacoby=True)

TO_ONE: list[Action] = [roll(WHITE, "32", None), roll(BLACK, "43", None), roll(WHITE, "65", "5/off")]
"""White comes down to one checker on 3. Roll number 11 of three rolls names roll 2: black uses 4-3,
white 6-5, black 3-2, and white's 4-3 bears the 3 off, long before black is done."""


def adjudicated(record: GameRecord, terms: GameTerms = MONEY) -> GameAdjudication:
    def judge_for(terms: GameTerms, cube: Cube) -> Judge:
        return EngineJudge(EvenEngine(), EvenEstimator(), terms, cube)

    return adjudicate_game(record, BACKGAMMON, terms, Ruleset(), judge_for)


def white_to_one(
    *more: Action, black: dict[int, int] | None = None, winner: Side | None = WHITE, points: int = 1
) -> GameRecord:
    """A game from white's 5 and 3 and black's many, in which white comes down to one, and more happens."""
    start = board({5: 1, 3: 1}, black or {6: 5})
    return game([*TO_ONE, *more], start=start, winner=winner, points=points)


def codes(found: GameAdjudication) -> list[RemarkCode]:
    return [remark.code for remark in found.remarks]


def opening(*more: Action, winner: Side | None = WHITE, points: int = 1) -> GameRecord:
    return game([roll(WHITE, "31", "8/5 6/5"), *more], winner=winner, points=points)


# Played out


def test_he_2_2_a_game_in_which_a_side_had_one_checker_left_is_played_out() -> None:
    found = adjudicated(white_to_one())
    assert (found.status, found.clause) == (GameStatus.PLAYED_OUT, Clause.PLAYED_OUT_OR_STANDS)
    assert found.played is not None
    assert found.played.playout.start.point == 3
    assert found.played.hinges.is_forced is True
    assert found.adjudicated == GameResult(WHITE, 1, Win.SINGLE)


def test_he_2_3_it_is_played_out_whatever_the_way_it_finished() -> None:
    by_exact_roll = white_to_one(roll(BLACK, "21", "6/4 6/5"), roll(WHITE, "31", "3/off"))
    assert adjudicated(by_exact_roll).ending is Ending.BEAR_OFF
    by_drop = white_to_one(double(BLACK), drop(WHITE), winner=BLACK)
    by_resignation = white_to_one(resign(BLACK, Win.SINGLE))
    for record in (by_exact_roll, by_drop, by_resignation):
        assert adjudicated(record).status is GameStatus.PLAYED_OUT


def test_he_2_4_a_game_broken_off_after_that_moment_is_played_out_though_it_has_no_result() -> None:
    found = adjudicated(white_to_one(winner=None))
    assert found.status is GameStatus.PLAYED_OUT
    assert found.recorded is None
    assert found.adjudicated == GameResult(WHITE, 1, Win.SINGLE)


def test_he_5_1_a_play_that_cannot_be_made_after_that_moment_only_gives_its_dice() -> None:
    found = adjudicated(white_to_one(roll(BLACK, "64", "20/10")))
    assert found.status is GameStatus.PLAYED_OUT
    assert RemarkCode.NOT_REPLAYED_AFTER in codes(found)
    assert found.played is not None
    assert found.played.playout.series.roll_number == 10
    assert len(found.played.playout.series.rolls) == 4


def test_he_6_5_the_value_counts_times_the_cube_at_the_position_not_capped_by_the_match() -> None:
    actions: list[Action] = [*TO_ONE[:2], double(WHITE), take(BLACK), TO_ONE[2]]
    record = game(actions, start=board({5: 1, 3: 1}, {8: 15}), winner=WHITE, points=1)
    found = adjudicated(record, GameTerms(2, Score(1, 1), CrawfordState.AFTER))
    assert found.played is not None
    assert found.played.playout.start.cube == Cube(2, BLACK)
    assert found.adjudicated == GameResult(WHITE, 4, Win.GAMMON)


def test_he_6_3_a_cube_turned_after_the_position_is_not_counted() -> None:
    record = white_to_one(double(BLACK), take(WHITE), black={8: 15}, points=4)
    assert adjudicated(record).adjudicated == GameResult(WHITE, 2, Win.GAMMON)


def test_he_6_5_a_gammon_counts_twice_and_with_jacoby_and_a_centred_cube_once() -> None:
    record = white_to_one(black={8: 15})
    assert adjudicated(record, MONEY).adjudicated == GameResult(WHITE, 2, Win.GAMMON)
    assert adjudicated(record, JACOBY).adjudicated == GameResult(WHITE, 1, Win.SINGLE)


def test_he_6_5_with_jacoby_and_a_turned_cube_a_gammon_counts() -> None:
    actions: list[Action] = [*TO_ONE[:2], double(WHITE), take(BLACK), TO_ONE[2]]
    record = game(actions, start=board({5: 1, 3: 1}, {8: 15}), winner=WHITE, points=1)
    result = adjudicated(record, JACOBY).adjudicated
    assert result == GameResult(WHITE, 4, Win.GAMMON)


# Stands


def test_he_2_2_a_game_that_ended_before_any_side_had_one_checker_stands() -> None:
    dropped = opening(double(BLACK), drop(WHITE), winner=BLACK)
    resigned = opening(resign(BLACK, Win.GAMMON), points=2)
    cut_short = opening(winner=BLACK, points=2)
    endings = []
    for record in (dropped, resigned, cut_short):
        found = adjudicated(record)
        assert (found.status, found.clause) == (GameStatus.STANDS, Clause.PLAYED_OUT_OR_STANDS)
        assert found.adjudicated == found.recorded
        assert found.played is None
        endings.append(found.ending)
    assert endings == [Ending.DROP, Ending.RESIGNATION, Ending.CUT_SHORT]


def test_he_2_2_a_missing_finish_is_not_supplied() -> None:
    """Match logs 10: the server stopped with four checkers left; the game stands, with a remark."""
    record = game([roll(WHITE, "65", "6/off 5/off")], start=board({6: 2, 5: 2, 4: 2}, {6: 9}), winner=WHITE)
    found = adjudicated(record)
    assert found.status is GameStatus.STANDS
    assert codes(found) == [RemarkCode.FINISH_MISSING]


def test_he_5_2_a_game_that_ended_under_the_modifier_in_the_same_turn_stands() -> None:
    record = game([roll(WHITE, "53", "5/off 3/off")], start=board({5: 1, 3: 1}, {6: 5}), winner=WHITE)
    found = adjudicated(record)
    assert (found.status, found.clause) == (GameStatus.STANDS, Clause.EXACT_IN_THE_SAME_TURN)
    assert found.adjudicated == GameResult(WHITE, 1, Win.SINGLE)
    assert not found.changed


# No result, undecided, unreadable


def test_he_2_4_a_game_broken_off_before_that_moment_has_no_result() -> None:
    found = adjudicated(opening(winner=None))
    assert (found.status, found.clause) == (GameStatus.NO_RESULT, Clause.NO_RESULT)
    assert found.adjudicated is None
    assert not found.changed


def test_a_game_without_any_roll_stands_or_has_no_result() -> None:
    assert adjudicated(game([], winner=WHITE)).status is GameStatus.STANDS
    assert adjudicated(game([])).status is GameStatus.NO_RESULT


def undecided(winner: Side | None) -> GameAdjudication:
    """White frozen on 3 and black on 1 after its first play, and nothing but 6-5 was ever thrown."""
    actions: list[Action] = [roll(BLACK, "65", None), roll(WHITE, "65", "5/off")]
    return adjudicated(game(actions, start=board({5: 1, 3: 1}, {2: 1, 1: 1}), winner=winner))


def test_he_6_6_a_game_that_nobody_will_ever_finish_is_undecided_and_its_recorded_result_stands() -> None:
    found = undecided(WHITE)
    assert (found.status, found.clause) == (GameStatus.UNDECIDED, Clause.UNDECIDED)
    assert found.adjudicated == found.recorded == GameResult(WHITE, 1, Win.SINGLE)
    assert RemarkCode.UNDECIDED in codes(found)
    assert (found.changed, found.points_changed) == (False, False)


def test_he_6_6_an_undecided_game_without_a_recorded_result_has_none() -> None:
    found = undecided(None)
    assert found.status is GameStatus.UNDECIDED
    assert found.adjudicated is None


def test_an_impossible_play_before_that_moment_makes_the_game_unreadable() -> None:
    found = adjudicated(opening(roll(BLACK, "64", "20/10")))
    assert (found.status, found.clause) == (GameStatus.UNREADABLE, None)
    assert found.unreadable is not None
    assert found.unreadable.place.turn == 2
    assert found.adjudicated is None


def test_a_game_that_the_reader_could_not_read_to_its_end_is_unreadable() -> None:
    """Its last roll, and so its roll number, is not known, whatever came before."""
    found = adjudicated(replace(white_to_one(), broken=Fault("a row of nonsense")))
    assert found.status is GameStatus.UNREADABLE
    assert (found.changed, found.points_changed) == (False, False)


def test_of_two_faults_the_one_that_stands_first_in_the_record_is_named() -> None:
    """The replay breaks at a play that was read, and so before what could not be read."""
    record = opening(roll(BLACK, "64", "20/10"), winner=None)
    found = adjudicated(replace(record, broken=Fault("a row of nonsense", Place(line=9))))
    assert found.unreadable is not None
    assert (found.unreadable.place.turn, found.unreadable.place.line) == (2, None)


def test_he_5_2_an_exact_finish_stands_whatever_of_the_record_cannot_be_read_after_it() -> None:
    actions: list[Action] = [roll(WHITE, "53", "5/off 3/off")]
    record = game(actions, start=board({5: 1, 3: 1}, {8: 15}), winner=WHITE, points=1)
    found = adjudicated(replace(record, broken=Fault("a row of nonsense")))
    assert (found.status, found.clause) == (GameStatus.STANDS, Clause.EXACT_IN_THE_SAME_TURN)
    assert found.adjudicated == GameResult(WHITE, 1, Win.GAMMON)


# What the record says of its result


def test_he_8_1_points_beyond_three_times_the_cube_count_as_worked_out_with_a_remark() -> None:
    found = adjudicated(opening(resign(BLACK, Win.GAMMON), points=4016))
    assert RemarkCode.POINTS_IMPOSSIBLE in codes(found)
    assert found.recorded is not None
    assert found.recorded.points == 4016
    assert found.adjudicated == GameResult(WHITE, 2, Win.GAMMON)


def test_he_8_1_of_a_game_cut_short_impossible_points_count_as_the_cube() -> None:
    actions: list[Action] = [double(BLACK), take(WHITE), roll(BLACK, "31", "8/5 6/5")]
    found = adjudicated(opening(*actions, points=7))
    assert found.adjudicated == GameResult(WHITE, 2, Win.SINGLE)


@pytest.mark.parametrize("points", [1, 2, 3])
def test_he_8_1_up_to_three_times_the_cube_the_recorded_points_count(points: int) -> None:
    found = adjudicated(opening(points=points))
    assert found.adjudicated == GameResult(WHITE, points, Win(points))
    assert RemarkCode.POINTS_IMPOSSIBLE not in codes(found)


def test_he_8_1_no_points_at_all_are_impossible() -> None:
    found = adjudicated(opening(points=0))
    assert found.adjudicated == GameResult(WHITE, 1, Win.SINGLE)


def test_a_value_clamped_to_the_match_length_is_kept_and_the_difference_is_a_remark() -> None:
    """Match logs 9."""
    found = adjudicated(opening(resign(BLACK, Win.BACKGAMMON), points=2))
    assert codes(found) == [RemarkCode.POINTS_DIFFER]
    assert found.adjudicated is not None
    assert found.adjudicated.points == 2


def test_a_result_against_the_game_s_own_end_stands_with_a_remark() -> None:
    found = adjudicated(opening(resign(BLACK), winner=BLACK))
    assert codes(found) == [RemarkCode.WINNER_DIFFERS]
    assert found.adjudicated is not None
    assert found.adjudicated.winner is BLACK


def test_a_game_whose_own_end_tells_the_result_needs_no_result_line() -> None:
    found = adjudicated(opening(double(BLACK), drop(WHITE), winner=None))
    assert (found.status, codes(found)) == (GameStatus.STANDS, [RemarkCode.RESULT_MISSING])
    assert found.adjudicated == GameResult(BLACK, 1, Win.SINGLE)


# Changed


def test_he_8_3_changed_means_another_winner() -> None:
    assert adjudicated(white_to_one(winner=BLACK)).changed is True
    assert adjudicated(white_to_one(winner=WHITE, points=2)).changed is False


def test_he_8_3_points_changed_means_other_points() -> None:
    assert adjudicated(white_to_one(points=2)).points_changed is True
    assert adjudicated(white_to_one(points=1)).points_changed is False
