"""What each game is played for: its score, and its place to the Crawford game."""

import pytest

from adjudicator.rules.cube import Cube
from adjudicator.rules.record import Action, GameRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import CrawfordState, GameTerms, Score, Win, win_against
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import check_scores, scores_of_games, terms_of_games
from tests.boards import BLACK, WHITE, double, drop, game, roll, side

BEFORE, CRAWFORD, AFTER, UNKNOWN = (
    CrawfordState.BEFORE,
    CrawfordState.CRAWFORD,
    CrawfordState.AFTER,
    CrawfordState.UNKNOWN,
)


def at(*scores: tuple[int, int], cube_in_first: bool = False) -> list[GameRecord]:
    """Games that begin at those scores, each won by whoever has more in the next one."""
    cube: list[Action] = [double(BLACK), drop(WHITE)] if cube_in_first else []
    records = []
    for number, (white, black) in enumerate(scores):
        following = scores[number + 1] if number + 1 < len(scores) else (white + 1, black)
        winner = WHITE if following[0] > white else BLACK
        points = following[0] - white + following[1] - black
        records.append(
            game(
                [roll(WHITE, "31", None), *cube] if number == 0 else [],
                score=Score(white, black),
                winner=winner,
                points=points,
            )
        )
    return records


def states(records: list[GameRecord], length: int, *, crawford: bool = True) -> list[CrawfordState]:
    terms = terms_of_games(records, match_length=length, crawford=crawford, jacoby=False)
    return [one.crawford for one in terms]


def test_the_first_game_in_which_a_side_needs_one_point_is_the_crawford_game() -> None:
    assert states(at((0, 0), (2, 0), (4, 0), (4, 1), (4, 3)), 5) == [BEFORE, BEFORE, CRAWFORD, AFTER, AFTER]


def test_a_second_side_that_comes_to_need_one_point_gives_no_second_crawford_game() -> None:
    assert states(at((0, 0), (4, 0), (4, 4)), 5) == [BEFORE, CRAWFORD, AFTER]


def test_a_match_to_one_point_has_no_crawford_game() -> None:
    assert states(at((0, 0)), 1) == [BEFORE]


def test_a_money_session_has_no_crawford_game() -> None:
    assert states(at((0, 0), (4, 0), (5, 0)), 0) == [BEFORE] * 3


def test_without_the_crawford_rule_every_game_is_as_one_after_it() -> None:
    assert states(at((0, 0), (4, 0), (4, 1)), 5, crawford=False) == [AFTER] * 3


def test_a_log_that_starts_in_mid_match_with_a_side_one_point_away_leaves_it_unknown() -> None:
    """Match logs 4. The games after it are past the Crawford game whichever it was."""
    assert states(at((4, 2), (4, 3)), 5) == [UNKNOWN, AFTER]


def test_a_log_that_starts_in_mid_match_with_nobody_one_point_away_is_before_it() -> None:
    assert states(at((3, 2), (4, 2), (4, 3)), 5) == [BEFORE, CRAWFORD, AFTER]


def test_a_log_that_starts_one_point_away_against_nothing_starts_with_the_crawford_game() -> None:
    """Had the Crawford game been played and not ended the match, the other side had won it."""
    assert states(at((4, 0), (4, 1)), 5) == [CRAWFORD, AFTER]


def test_a_log_that_starts_with_both_sides_one_point_away_is_past_the_crawford_game() -> None:
    """No game takes both there at once: the Crawford game was the first with one of them there."""
    assert states(at((4, 4)), 5) == [AFTER]


def test_a_cube_turned_in_the_first_game_of_such_a_log_tells_it_is_past_the_crawford_game() -> None:
    assert states(at((4, 2), (4, 3), cube_in_first=True), 5) == [AFTER, AFTER]


def test_what_the_log_says_of_a_game_counts_more_than_the_score() -> None:
    declared = [game([], score=Score(4, 2), crawford=True), game([], score=Score(4, 3), crawford=False)]
    assert states(declared, 5) == [CRAWFORD, AFTER]
    assert states([game([], score=Score(4, 2), crawford=False)], 5) == [AFTER]
    assert states([game([], score=Score(1, 2), crawford=False)], 5) == [BEFORE]


def test_he_8_2_each_game_is_at_its_score_line() -> None:
    terms = terms_of_games(at((0, 0), (2, 0), (2, 1)), match_length=5, crawford=True, jacoby=False)
    assert [one.score for one in terms] == [Score(0, 0), Score(2, 0), Score(2, 1)]


def test_without_a_score_line_a_game_is_at_the_score_that_follows() -> None:
    records = [game([], winner=WHITE, points=2), game([]), game([], winner=BLACK), game([])]
    assert scores_of_games(records) == [Score(0, 0), Score(2, 0), Score(2, 0), Score(2, 1)]


def test_a_score_line_that_does_not_follow_is_a_remark() -> None:
    records = [
        game([], score=Score(0, 0), winner=WHITE, points=2),
        game([], score=Score(1, 0), winner=WHITE, points=1, number=2),
        game([], score=Score(2, 0), number=3),
        game([], score=Score(3, 0), number=4),
    ]
    remarks = check_scores(records)
    assert [remark.code for remark in remarks] == [RemarkCode.SCORE_DOES_NOT_FOLLOW]
    assert "game 2" in remarks[0].detail


def test_he_6_5_jacoby_holds_in_money_games_only() -> None:
    money = terms_of_games(at((0, 0)), match_length=0, crawford=True, jacoby=True)
    match = terms_of_games(at((0, 0)), match_length=5, crawford=True, jacoby=True)
    assert (money[0].jacoby, match[0].jacoby) == (True, False)


@pytest.mark.parametrize("win", Win)
def test_he_6_5_a_win_counts_its_kind_times_the_cube_not_capped(win: Win) -> None:
    assert GameTerms(3, Score(2, 2)).points_for(win, Cube(4, WHITE)) == 4 * win


@pytest.mark.parametrize("win", Win)
def test_he_6_5_with_jacoby_and_a_centred_cube_every_win_is_single(win: Win) -> None:
    jacoby = GameTerms(0, Score(), jacoby=True)
    assert jacoby.points_for(win, Cube()) == 1
    assert jacoby.points_for(win, Cube(2, BLACK)) == 2 * win
    assert GameTerms(0, Score(), jacoby=False).points_for(win, Cube()) == win


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        ({6: 14}, Win.SINGLE),
        ({25: 1, 6: 13}, Win.SINGLE),
        ({6: 15}, Win.GAMMON),
        ({18: 1, 6: 14}, Win.GAMMON),
        ({19: 1, 6: 14}, Win.BACKGAMMON),
        ({24: 1, 6: 14}, Win.BACKGAMMON),
        ({25: 1, 6: 14}, Win.BACKGAMMON),
    ],
)
def test_he_6_5_gammon_with_none_borne_off_backgammon_with_one_in_the_winner_s_home_or_on_the_bar(
    loser: dict[int, int], win: Win
) -> None:
    assert win_against(side(loser)) is win


def test_a_side_that_has_reached_the_length_counts_as_one_point_away() -> None:
    """HE-8.2: games after the match was won are looked at too."""
    terms = GameTerms(3, Score(4, 1))
    assert [terms.away(one) for one in Side] == [1, 2]
