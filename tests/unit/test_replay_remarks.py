"""The finer cases of what is remarked: paths, open doubles, and what could still be lost."""

import pytest

from adjudicator.happy_end.recorded import recorded_result
from adjudicator.logs.log_checks import check_log
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import Action, CubeRecord, GameRecord, Movement, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import replay
from adjudicator.rules.score import GameTerms, Score, Win, most_lost
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import BLACK, MONEY, WHITE, board, dice, double, game, resign, roll, take

OPENING = roll(WHITE, "31", "8/5 6/5")
MATCH = GameTerms(5, Score())
JACOBY = GameTerms(0, Score(), jacoby=True)


def remarks(
    actions: list[Action],
    start: Position | None = None,
    *,
    terms: GameTerms = MATCH,
    winner: Side | None = None,
    points: int = 1,
    stars_used: bool = True,
) -> list[tuple[RemarkCode, int | None]]:
    """The remarks of the replay, each with its turn."""
    record = game(actions, start=start, winner=winner, points=points, stars_used=stars_used)
    return [(one.code, one.turn) for one in replay(record, BACKGAMMON, terms).remarks]


# Paths


def long_way(*movements: tuple[int, int, bool]) -> RollRecord:
    return RollRecord(WHITE, dice("64"), Writing.PLAY, tuple(Movement(*one) for one in movements))


@pytest.mark.parametrize(
    ("black", "stars_used", "codes"),
    [
        ({6: 2}, True, []),
        ({5: 1, 6: 2}, True, [RemarkCode.PATH_CHOSEN]),
        ({5: 1, 6: 2}, False, [RemarkCode.PATH_CHOSEN]),
        ({5: 1, 7: 2}, True, [RemarkCode.HIT_NOT_MARKED]),
        ({5: 1, 7: 2}, False, []),
        ({5: 1, 7: 1}, True, [RemarkCode.PATH_CHOSEN, RemarkCode.HIT_NOT_MARKED]),
    ],
)
def test_a_path_is_chosen_only_where_another_leads_elsewhere(
    black: dict[int, int], stars_used: bool, codes: list[RemarkCode]
) -> None:
    """24/14 goes over 18, black's 7, or over 20, black's 5."""
    found = remarks([long_way((24, 14, False))], board({24: 2}, black), stars_used=stars_used)
    assert [code for code, _ in found] == codes


def test_a_path_that_is_written_is_not_chosen() -> None:
    start = board({24: 2}, {5: 1, 6: 2})
    assert remarks([long_way((24, 20, True), (20, 14, False))], start) == []
    assert remarks([long_way((24, 18, False), (18, 14, False))], start) == []


def test_without_stars_the_path_of_the_larger_die_is_taken() -> None:
    record = game([long_way((24, 14, False))], start=board({24: 2}, {7: 1, 6: 2}), stars_used=False)
    found = replay(record, BACKGAMMON, MATCH)
    assert found.turns[0].after.opponent[25] == 1
    assert "the larger die is played first" in found.remarks[0].detail


# Half plays


def test_a_doublet_of_which_three_steps_are_played_is_half_a_play() -> None:
    assert remarks([OPENING, roll(BLACK, "22", "13/11(2) 6/4")]) == [(RemarkCode.HALF_PLAY, 2)]


def test_a_play_that_bears_the_last_checker_off_is_never_half() -> None:
    assert remarks([roll(WHITE, "66", "2/off 1/off")], board({2: 1, 1: 1}, {6: 2})) == []


# The cube


@pytest.mark.parametrize("winner", [None, BLACK])
def test_a_double_that_is_open_where_the_record_stops_is_a_remark(winner: Side | None) -> None:
    assert remarks([OPENING, double(BLACK)], winner=winner) == [(RemarkCode.CUBE_OUT_OF_TURN, 1)]


def test_a_double_answered_by_a_resignation_is_no_remark() -> None:
    assert remarks([OPENING, double(BLACK), resign(WHITE, Win.SINGLE)]) == []


def test_a_double_before_the_answer_to_the_last_is_out_of_turn() -> None:
    actions: list[Action] = [OPENING, double(BLACK), double(BLACK), take(WHITE), roll(BLACK, "62", None)]
    assert remarks(actions) == [(RemarkCode.CUBE_OUT_OF_TURN, 1)]


@pytest.mark.parametrize(("terms", "count"), [(MONEY, 0), (MATCH, 1)])
def test_a_beaver_is_for_money_only(terms: GameTerms, count: int) -> None:
    beaver = CubeRecord(WHITE, CubeAction.BEAVER)
    actions: list[Action] = [OPENING, double(BLACK), beaver, roll(BLACK, "62", None)]
    assert remarks(actions, terms=terms) == [(RemarkCode.CUBE_OUT_OF_TURN, 1)] * count


# What could still be lost


@pytest.mark.parametrize(
    ("loser", "winner", "most"),
    [
        ({6: 14}, {6: 2}, Win.SINGLE),
        ({25: 1, 6: 13}, {6: 2}, Win.SINGLE),
        ({6: 15}, {6: 2}, Win.GAMMON),
        ({18: 1, 6: 14}, {6: 2}, Win.GAMMON),
        ({18: 1, 6: 14}, {8: 2}, Win.BACKGAMMON),
        ({19: 1, 6: 14}, {4: 2}, Win.BACKGAMMON),
        ({25: 1, 6: 14}, {1: 2}, Win.BACKGAMMON),
    ],
)
def test_he_6_5_what_can_still_be_lost(loser: dict[int, int], winner: dict[int, int], most: Win) -> None:
    """Nothing comes back from off; what is past the opponent and out of its home board stays so."""
    assert most_lost(board(loser, winner)) is most


@pytest.mark.parametrize(
    ("black", "win", "is_odd"),
    [
        ({6: 14}, Win.SINGLE, False),
        ({6: 14}, Win.GAMMON, True),
        ({6: 15}, Win.GAMMON, False),
        ({6: 15}, Win.BACKGAMMON, True),
        ({6: 14, 19: 1}, Win.BACKGAMMON, False),
    ],
)
def test_a_resignation_of_more_than_can_be_lost_is_a_remark(
    black: dict[int, int], win: Win, is_odd: bool
) -> None:
    """Said by the resignation itself, by the result alone, and by a result that nothing explains."""
    start = board({6: 3}, black)
    turn = roll(WHITE, "31", "6/3 6/5")
    expected = [(RemarkCode.RESIGNATION_TOO_HIGH, 1)] if is_odd else []
    assert remarks([turn, resign(BLACK, win)], start, winner=WHITE, points=win) == expected
    assert remarks([turn, resign(BLACK)], start, winner=WHITE, points=win) == expected
    short = remarks([turn], start, winner=WHITE, points=win)
    assert [one for one in short if one[0] is not RemarkCode.FINISH_MISSING] == expected


def test_points_that_no_game_gives_are_left_to_the_adjudication() -> None:
    assert remarks([OPENING, resign(BLACK)], winner=WHITE, points=4) == []


def test_with_jacoby_and_a_centred_cube_no_gammon_can_be_given_up() -> None:
    gammon = resign(BLACK, Win.GAMMON)
    assert remarks([OPENING, gammon], terms=JACOBY) == [(RemarkCode.RESIGNATION_TOO_HIGH, 1)]
    turned: list[Action] = [OPENING, double(BLACK), take(WHITE), roll(BLACK, "62", "24/18 13/11"), gammon]
    assert remarks(turned, terms=JACOBY) == []


# Points, openings, rolls


@pytest.mark.parametrize(("points", "count"), [(2, 0), (3, 1), (4, 0), (6, 0), (7, 0)])
def test_the_points_of_a_resignation_are_a_multiple_of_the_cube(points: int, count: int) -> None:
    """7 are impossible with the cube on 2, and said to be so."""
    actions: list[Action] = [OPENING, double(BLACK), take(WHITE), roll(BLACK, "62", None), resign(WHITE)]
    found = recorded_result(replay(game(actions, winner=BLACK, points=points), BACKGAMMON, MATCH))
    assert [one.code for one in found.remarks].count(RemarkCode.POINTS_DIFFER) == count


def test_a_doublet_is_odd_as_the_opening_of_a_whole_game_only() -> None:
    assert remarks([roll(WHITE, "11", "8/7(2) 6/5(2)")]) == [(RemarkCode.OPENING_DOUBLET, 1)]
    assert remarks([roll(WHITE, "11", "8/7(2) 6/5(2)")], BACKGAMMON.start) == []
    assert remarks([OPENING, roll(BLACK, "11", "8/7(2) 6/5(2)")]) == []


def test_a_side_that_rolls_the_second_roll_too_is_out_of_turn() -> None:
    assert remarks([OPENING, roll(WHITE, "62", "24/18 13/11")]) == [(RemarkCode.SIDE_OUT_OF_TURN, 2)]


# The log as a whole


def log_codes(*games: GameRecord, length: int = 5, crawford: bool = True) -> list[RemarkCode]:
    return [one.code for one in check_log(MatchLog("", length, "", "", games, crawford=crawford))]


def test_games_after_the_deciding_one_are_remarked_one_by_one() -> None:
    won = game([], winner=WHITE, points=5)
    more = [game([], number=2), game([], number=3)]
    assert log_codes(won, *more) == [RemarkCode.GAME_AFTER_MATCH] * 2
    assert log_codes(won, *more, length=0) == []


@pytest.mark.parametrize(("white", "count"), [(4, 0), (5, 1), (9, 1)])
def test_nobody_plays_on_at_a_score_that_ends_the_match(white: int, count: int) -> None:
    declared = game([], score=Score(white, 1), crawford=False)
    assert log_codes(declared).count(RemarkCode.SCORE_TOO_HIGH) == count


@pytest.mark.parametrize(
    ("score", "said", "count"),
    [((4, 0), True, 0), ((4, 0), False, 1), ((3, 0), True, 1), ((3, 0), False, 0), ((4, 2), True, 0)],
)
def test_a_game_is_the_crawford_game_by_the_scores(score: tuple[int, int], said: bool, count: int) -> None:
    """At 4-2 the first game of a log may be it or not."""
    assert log_codes(game([], score=Score(*score), crawford=said)) == [RemarkCode.CRAWFORD_DIFFERS] * count


def test_without_the_rule_no_game_is_the_crawford_game() -> None:
    declared = game([], score=Score(4, 0), crawford=True)
    assert log_codes(declared, crawford=False) == [RemarkCode.CRAWFORD_DIFFERS]
