"""The tally of a match, HE-8."""

from dataclasses import replace

import pytest

from adjudicator.happy_end.adjudication import MatchAdjudication, Tally, adjudicate, full_identity
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import Action, GameRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from tests.boards import BLACK, WHITE, board, game, roll
from tests.opinions import EvenEngine, EvenEstimator


def standing(winner: Side | None, points: int = 1, score: Score | None = None) -> GameRecord:
    """A game resigned early: it stands."""
    return game([roll(WHITE, "31", "8/5 6/5")], winner=winner, points=points, score=score)


def played_out_for_white(recorded_winner: Side, score: Score | None = None) -> GameRecord:
    """A game that white wins in its playout, single, whatever is played."""
    actions: list[Action] = [roll(WHITE, "32", None), roll(BLACK, "43", None), roll(WHITE, "65", "5/off")]
    return game(actions, start=board({5: 1, 3: 1}, {6: 5}), winner=recorded_winner, score=score)


def impossible(winner: Side) -> GameRecord:
    """A game that cannot be replayed: unreadable."""
    return game([roll(WHITE, "31", "12/9 6/5")], winner=winner)


def numbered(records: tuple[GameRecord, ...]) -> tuple[GameRecord, ...]:
    return tuple(replace(record, number=number) for number, record in enumerate(records, start=1))


def match(length: int, *records: GameRecord) -> MatchAdjudication:
    log = MatchLog("test", length, "A", "B", numbered(records))
    return adjudicate(log, Ruleset(), EvenEngine(), EvenEstimator())


def test_he_8_1_a_standing_game_counts_its_recorded_points_and_a_played_out_game_its_value() -> None:
    found = match(7, standing(BLACK, 2), played_out_for_white(BLACK))
    assert found.recorded.score == Score(0, 3)
    assert found.adjudicated.score == Score(1, 2)


def test_he_8_1_the_match_is_won_by_whoever_first_reaches_its_length() -> None:
    found = match(3, standing(WHITE, 2), standing(BLACK, 2), standing(BLACK, 2))
    assert found.adjudicated == Tally(Score(2, 4), BLACK)


def test_he_8_1_games_after_that_are_surplus() -> None:
    found = match(2, played_out_for_white(BLACK), standing(WHITE), standing(BLACK), standing(BLACK))
    assert found.adjudicated == Tally(Score(2, 0), WHITE, surplus_games=(3, 4))
    assert found.recorded == Tally(Score(1, 2), BLACK, surplus_games=(4,))


def test_he_8_1_if_nobody_reaches_the_length_the_match_is_not_decided() -> None:
    found = match(2, standing(BLACK), played_out_for_white(BLACK))
    assert (found.recorded.winner, found.adjudicated.winner) == (BLACK, None)
    assert found.adjudicated.score == Score(1, 1)


def test_he_8_1_the_tally_starts_from_the_score_line_of_the_first_game() -> None:
    found = match(5, standing(WHITE, 1, Score(2, 3)), standing(BLACK, 2))
    assert found.adjudicated == Tally(Score(3, 5), BLACK)


def test_he_8_1_later_score_lines_do_not_move_the_tally() -> None:
    found = match(5, standing(WHITE, 1, Score(0, 0)), standing(BLACK, 2, Score(4, 0)))
    assert found.adjudicated.score == Score(1, 2)
    assert RemarkCode.SCORE_DOES_NOT_FOLLOW in [remark.code for remark in found.remarks]


def test_he_8_1_an_unreadable_game_counts_nothing_and_is_listed() -> None:
    found = match(5, impossible(WHITE), standing(BLACK, 2))
    assert found.adjudicated == Tally(Score(0, 2), None, not_counted=(1,))
    assert [game.status.value for game in found.games] == ["unreadable", "stands"]


def test_he_8_1_a_game_without_a_result_counts_nothing_and_is_listed() -> None:
    found = match(5, standing(None), standing(BLACK, 2))
    assert found.adjudicated == found.recorded == Tally(Score(0, 2), None, not_counted=(1,))
    assert [game.status.value for game in found.games] == ["no_result", "stands"]


def test_he_8_1_impossible_points_are_recorded_as_they_are_and_count_as_worked_out() -> None:
    """A server may give a forfeited match away with all the points still needed."""
    found = match(5, standing(BLACK, 5), standing(BLACK, 2))
    assert found.recorded == Tally(Score(0, 5), BLACK, surplus_games=(2,))
    assert found.adjudicated == Tally(Score(0, 3), None)
    assert (found.changed, found.points_changed) == (True, True)


def test_he_8_1_a_money_session_has_a_score_and_no_winner() -> None:
    found = match(0, standing(BLACK, 3), standing(WHITE, 2), played_out_for_white(BLACK))
    assert found.adjudicated == Tally(Score(3, 3), None)
    assert found.recorded == Tally(Score(2, 4), None)


def test_he_8_1_points_beyond_the_length_are_counted_in_full() -> None:
    assert match(3, standing(WHITE, 2), standing(WHITE, 3)).adjudicated.score == Score(5, 0)


def test_he_8_2_each_game_is_judged_at_its_recorded_score() -> None:
    found = match(5, played_out_for_white(BLACK, Score(0, 0)), played_out_for_white(BLACK, Score(0, 1)))
    assert [game.terms.score for game in found.games] == [Score(0, 0), Score(0, 1)]


@pytest.mark.parametrize(
    ("records", "changed", "points_changed"),
    [
        ((standing(BLACK), standing(BLACK)), False, False),
        ((standing(BLACK), standing(BLACK), played_out_for_white(WHITE)), False, False),
        ((played_out_for_white(BLACK), standing(BLACK)), True, True),
        ((played_out_for_white(BLACK), standing(BLACK), standing(BLACK)), False, True),
    ],
)
def test_he_8_3_changed_means_another_match_winner_points_changed_another_score(
    records: tuple[GameRecord, ...], changed: bool, points_changed: bool
) -> None:
    found = match(2, *records)
    assert (found.changed, found.points_changed) == (changed, points_changed)


def test_a_log_without_games_has_an_empty_tally() -> None:
    found = match(5)
    assert found.games == ()
    assert found.adjudicated == found.recorded == Tally(Score(), None)


def test_he_9_the_engine_s_identity_holds_all_that_decides_besides_it() -> None:
    identity = full_identity(EvenEngine.identity, EvenEstimator.identity)
    assert (identity.name, identity.version) == ("even", "1")
    assert identity.settings["tie_break"] == "even/1"
    assert "match_equity_table" in identity.settings
