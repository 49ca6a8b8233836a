"""How a record is replayed, and what is remarked about it."""

from dataclasses import replace

import pytest

from adjudicator.errors import Fault, Place
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position, as_points
from adjudicator.rules.cube import Cube, CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.record import Action, CubeRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import Ending, ReplayedGame, replay
from adjudicator.rules.score import CrawfordState, GameTerms, Score, Win
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant
from tests.boards import BLACK, MONEY, WHITE, board, double, drop, game, resign, roll, take

START = BACKGAMMON.start
NONSENSE = Fault("a row of nonsense", Place(line=9))


def replayed(
    actions: list[Action],
    start: Position | None = None,
    *,
    variant: Variant = BACKGAMMON,
    terms: GameTerms = MONEY,
    stars_used: bool = True,
    has_result: bool = False,
    broken: Fault | None = None,
) -> ReplayedGame:
    record = game(actions, start=start, stars_used=stars_used, winner=WHITE if has_result else None)
    record = replace(record, broken=broken)
    return replay(record, variant, terms, legal_by=(ordinary_steps, modifier_steps(Finish.EXACT)))


def codes(found: ReplayedGame) -> list[RemarkCode]:
    return [remark.code for remark in found.remarks]


def after_last(found: ReplayedGame) -> dict[int, int]:
    return as_points(found.turns[-1].after.own)


# Plays


def test_a_record_is_replayed_from_the_variant_s_start() -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5")])
    assert after_last(found) == {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}
    assert as_points(replayed([roll(BLACK, "21", "24/22 23/22")], variant=NACKGAMMON).turns[0].after.own) == {
        24: 1,
        23: 1,
        22: 2,
        13: 4,
        8: 3,
        6: 4,
    }
    assert after_last(replayed([roll(WHITE, "21", "24/22 23/22")], variant=HYPERGAMMON)) == {22: 3}


def test_a_record_is_replayed_from_its_own_start_seen_by_white() -> None:
    start = board({6: 2, 5: 1}, {4: 3})
    found = replayed([roll(BLACK, "41", "4/off 4/3")], start)
    assert found.turns[0].before == start.swapped()
    assert found.turns[0].after == board({4: 1, 3: 1}, {6: 2, 5: 1})


def test_each_side_plays_in_its_own_numbering_on_the_board_the_other_left() -> None:
    found = replayed([roll(WHITE, "61", "13/7 8/7"), roll(BLACK, "62", "24/22 13/7")])
    assert codes(found) == []
    assert [turn.number for turn in found.turns] == [1, 2]
    assert found.turns[1].before.opponent == found.turns[0].after.own


def test_a_checker_that_is_hit_stands_on_the_bar() -> None:
    found = replayed(
        [roll(WHITE, "21", "13/11 6/5"), roll(BLACK, "31", "24/20*"), roll(WHITE, "21", "bar/23 24/23")]
    )
    assert codes(found) == []
    assert found.turns[1].after.opponent[25] == 1


def test_a_wrong_order_of_the_movements_is_no_fault() -> None:
    start = board({25: 1, 13: 2}, {6: 2})
    assert codes(replayed([roll(WHITE, "63", "13/7 bar/22")], start)) == []


def test_nothing_written_where_no_play_is_legal_is_no_remark() -> None:
    start = board({25: 1, 6: 2}, {1: 2, 6: 2, 5: 2})
    found = replayed([roll(WHITE, "65", "")], start)
    assert codes(found) == []
    assert found.turns[0].after == found.turns[0].before


def test_the_only_legal_play_left_out_is_made_with_a_remark() -> None:
    """Match logs 7; also in the last row."""
    start = board({25: 1, 6: 2}, {1: 2, 6: 2, 4: 2})
    found = replayed([roll(WHITE, "65", "")], start)
    assert codes(found) == [RemarkCode.PLAY_SUPPLIED]
    assert after_last(found) == {14: 1, 6: 2}


def test_nothing_written_where_several_plays_were_legal_moves_nothing_with_a_remark() -> None:
    found = replayed([roll(WHITE, "31", ""), roll(BLACK, "31", "8/5 6/5")])
    assert codes(found) == [RemarkCode.PLAY_OMITTED]
    assert found.turns[0].after == START
    assert found.remarks[0].turn == 1


def test_cannot_move_is_no_legal_play_and_moves_nothing_even_where_there_was_one() -> None:
    record = RollRecord(WHITE, Dice.of(6, 5), Writing.CANNOT_MOVE)
    blocked = board({25: 1, 6: 2}, {1: 2, 6: 2, 5: 2})
    assert codes(replayed([record], blocked)) == []
    one_play = board({25: 1, 6: 2}, {1: 2, 6: 2, 4: 2})
    found = replayed([record], one_play)
    assert codes(found) == [RemarkCode.PLAY_OMITTED]
    assert found.turns[0].after == one_play


def test_a_roll_thrown_and_not_played_is_a_turn_that_moves_nothing() -> None:
    found = replayed([roll(WHITE, "31", None), resign(WHITE)])
    assert codes(found) == []
    assert (len(found.turns), found.turns[0].after) == (1, START)


def test_with_stars_in_use_no_star_between_means_no_hit_there() -> None:
    """Match logs 6: 24/14 goes over 18, since a hit on 20 would have been starred."""
    start = board({24: 2}, {5: 1, 6: 2})
    found = replayed([roll(WHITE, "64", "24/14")], start)
    assert codes(found) == [RemarkCode.PATH_CHOSEN]
    assert as_points(found.turns[0].after.opponent) == {5: 1, 6: 2}
    starred = replayed([roll(WHITE, "64", "24/20*/14")], start)
    assert as_points(starred.turns[0].after.opponent) == {25: 1, 6: 2}


def test_with_stars_in_use_the_only_path_is_taken_though_its_hit_is_not_starred() -> None:
    start = board({24: 2}, {5: 1, 7: 2})
    found = replayed([roll(WHITE, "64", "24/14")], start)
    assert codes(found) == [RemarkCode.HIT_NOT_MARKED]
    assert as_points(found.turns[0].after.opponent) == {25: 1, 7: 2}


def test_a_hit_without_a_star_is_a_remark_and_a_hit() -> None:
    start = board({8: 2}, {22: 1, 6: 2})
    found = replayed([roll(WHITE, "54", "8/3 8/4")], start)
    assert codes(found) == [RemarkCode.HIT_NOT_MARKED]
    assert found.turns[0].after.opponent[25] == 1


def test_in_a_log_without_stars_a_hit_needs_none() -> None:
    start = board({8: 2}, {22: 1, 6: 2})
    found = replayed([roll(WHITE, "54", "8/3 8/4")], start, stars_used=False)
    assert codes(found) == []
    assert found.turns[0].after.opponent[25] == 1


def test_a_star_with_nothing_to_hit_is_a_remark() -> None:
    found = replayed([roll(WHITE, "31", "8/5* 6/5")])
    assert codes(found) == [RemarkCode.STAR_WITHOUT_HIT]


# Illegal plays


def test_an_illegal_play_stands_with_a_remark_and_the_replay_goes_on_from_where_it_led() -> None:
    """Match logs 12: the opponent did not object."""
    found = replayed([roll(WHITE, "62", "8/5 6/5"), roll(BLACK, "31", "8/5 6/5")])
    assert codes(found) == [RemarkCode.ILLEGAL_PLAY]
    assert as_points(found.turns[0].after.own) == {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}
    assert len(found.turns) == 2
    assert found.broken is None


def test_a_play_that_leaves_a_die_unplayed_which_could_be_played_is_half_a_play_and_stands() -> None:
    found = replayed([roll(WHITE, "31", "8/5")])
    assert codes(found) == [RemarkCode.HALF_PLAY]
    assert after_last(found) == {24: 2, 13: 5, 8: 2, 6: 5, 5: 1}


def test_a_play_with_the_smaller_die_where_the_larger_had_to_be_played_is_illegal_and_stands() -> None:
    start = board({24: 1, 10: 1}, {6: 2, 7: 2})
    found = replayed([roll(WHITE, "65", "10/5")], start)
    assert codes(found) == [RemarkCode.ILLEGAL_PLAY]
    assert after_last(found) == {24: 1, 5: 1}


@pytest.mark.parametrize("play", ["12/9", "13/10 13/7", "24/19"])
def test_a_play_that_cannot_be_made_at_all_ends_the_replay_of_the_game(play: str) -> None:
    """No checker there, more pips than the dice, point blocked."""
    found = replayed([roll(WHITE, "31", "8/5 6/5"), roll(BLACK, "41", play), roll(WHITE, "21", "6/3")])
    assert len(found.turns) == 1
    assert found.broken is not None
    assert (found.broken.place.game, found.broken.place.turn) == (1, 2)
    assert codes(found) == [RemarkCode.NOT_REPLAYED_AFTER]


def test_by_either_rules_legal_is_legal() -> None:
    """HE-5.5: by the modifier the 5 could not be played once 5/off left one checker."""
    start = board({5: 1, 3: 1}, {6: 2})
    assert codes(replayed([roll(WHITE, "65", "5/off")], start)) == []
    assert codes(replayed([roll(WHITE, "65", "5/off 3/off")], start)) == []


def test_by_either_rules_nothing_to_play_is_nothing_to_play() -> None:
    """HE-5.5: a frozen checker stays on 3 with a 6-5, of which the ordinary rules would make 3/off."""
    start = board({3: 1}, {6: 2, 5: 1})
    for dice in ("65", "21"):
        found = replayed([roll(WHITE, dice, ""), roll(BLACK, "64", "6/off 6/2")], start)
        assert codes(found) == []
        assert found.turns[0].after == start
        assert found.winner is None


def test_the_position_the_players_agreed_on_is_taken() -> None:
    """Match logs 11."""
    agreed = board({13: 2, 6: 3}, {6: 5})
    record = RollRecord(WHITE, Dice.of(6, 5), Writing.POSITION, agreed=agreed)
    found = replayed([record, roll(BLACK, "31", "6/3 6/5")])
    assert codes(found) == [RemarkCode.POSITION_AGREED]
    assert found.turns[1].before == agreed.swapped()


def test_an_agreed_position_that_cannot_be_read_ends_the_replay() -> None:
    record = RollRecord(WHITE, Dice.of(6, 5), Writing.UNREAD, unread="no point 'x'")
    found = replayed([record])
    assert found.broken is not None
    assert found.broken.reason == "the play for 6-5 cannot be read: no point 'x'"
    assert found.turns == ()


def test_what_cannot_be_read_after_the_end_of_a_game_is_a_remark() -> None:
    found = replayed([roll(WHITE, "21", "2/off 1/off")], board({2: 1, 1: 1}, {6: 5}), broken=NONSENSE)
    assert found.ending.is_by_actions
    assert [(remark.code, remark.place.line) for remark in found.remarks] == [(RemarkCode.ROW_IGNORED, 9)]


def test_where_the_replay_breaks_off_the_remark_names_the_turn() -> None:
    found = replayed(
        [roll(WHITE, "31", "8/5 6/5"), roll(BLACK, "64", "20/10"), roll(WHITE, "61", "13/7 8/7")]
    )
    assert [(remark.code, remark.turn) for remark in found.remarks] == [(RemarkCode.NOT_REPLAYED_AFTER, 2)]


def test_a_roll_thrown_and_not_played_is_a_remark_where_the_game_goes_on() -> None:
    """Match logs 7: it is often the last roll of the game, and then says nothing."""
    unplayed = RollRecord(WHITE, Dice.of(3, 1), Writing.NOT_PLAYED)
    assert codes(replayed([unplayed])) == []
    found = replayed([unplayed, roll(BLACK, "61", "13/7 8/7")])
    assert [(remark.code, remark.turn) for remark in found.remarks] == [(RemarkCode.PLAY_OMITTED, 1)]


def test_a_roll_thrown_and_not_played_where_nothing_could_be_played_is_no_remark() -> None:
    start = board({25: 1, 6: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    dances = RollRecord(WHITE, Dice.of(3, 1), Writing.NOT_PLAYED)
    assert codes(replayed([dances, roll(BLACK, "21", "6/4 6/5")], start)) == []


# Turns and ends


def test_a_side_that_rolls_out_of_turn_is_a_remark_and_its_play_is_made() -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5"), roll(WHITE, "61", "13/7 8/7")])
    assert codes(found) == [RemarkCode.SIDE_OUT_OF_TURN]
    assert len(found.turns) == 2


def test_bearing_the_last_checker_off_ends_the_game() -> None:
    start = board({2: 1, 1: 1}, {6: 2})
    found = replayed([roll(WHITE, "21", "2/off 1/off")], start)
    assert (found.ending, found.winner, found.points) == (Ending.BEAR_OFF, WHITE, 1)


@pytest.mark.parametrize(
    ("black", "points"),
    [({6: 14}, 1), ({6: 15}, 2), ({6: 14, 18: 1}, 2), ({6: 14, 19: 1}, 3), ({6: 14, 25: 1}, 3)],
)
def test_he_6_5_what_a_bear_off_is_worth(black: dict[int, int], points: int) -> None:
    start = board({2: 1, 1: 1}, black)
    assert replayed([roll(WHITE, "21", "2/off 1/off")], start).points == points


def test_a_roll_after_the_end_is_a_remark_and_is_not_replayed() -> None:
    start = board({2: 1, 1: 1}, {6: 2})
    found = replayed([roll(WHITE, "21", "2/off 1/off"), roll(BLACK, "61", "6/off 6/5"), double(WHITE)], start)
    assert codes(found) == [RemarkCode.ROLL_AFTER_END] * 2
    assert len(found.turns) == 1


def test_a_dropped_double_ends_the_game_at_the_cube_before_it() -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5"), double(BLACK), drop(WHITE)])
    assert (found.ending, found.winner, found.points) == (Ending.DROP, BLACK, 1)
    redoubled = replayed(
        [
            roll(WHITE, "31", "8/5 6/5"),
            double(BLACK),
            take(WHITE),
            roll(BLACK, "31", "8/5 6/5"),
            double(WHITE),
            drop(BLACK),
        ]
    )
    assert (redoubled.winner, redoubled.points) == (WHITE, 2)
    assert codes(found) == codes(redoubled) == []


@pytest.mark.parametrize(
    ("win", "points"), [(Win.SINGLE, 1), (Win.GAMMON, 2), (Win.BACKGAMMON, 3), (None, None)]
)
def test_a_resignation_ends_the_game_and_gives_what_it_says(win: Win | None, points: int | None) -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5"), resign(BLACK, win)])
    assert (found.ending, found.winner, found.points) == (Ending.RESIGNATION, WHITE, points)


def test_a_second_resignation_is_a_remark() -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5"), resign(BLACK), resign(BLACK)])
    assert codes(found) == [RemarkCode.DUPLICATE_RESIGNATION]
    assert found.winner is WHITE


def test_a_game_that_nothing_ends_is_open_or_cut_short_by_its_result() -> None:
    assert replayed([roll(WHITE, "31", "8/5 6/5")]).ending is Ending.OPEN
    assert replayed([roll(WHITE, "31", "8/5 6/5")], has_result=True).ending is Ending.CUT_SHORT


def test_he_6_5_with_jacoby_a_gammon_counts_only_once_the_cube_was_turned() -> None:
    jacoby = GameTerms(0, Score(), jacoby=True)
    start = board({2: 1, 1: 1}, {6: 15})
    last = roll(WHITE, "21", "2/off 1/off")
    assert replayed([last], start, terms=jacoby).points == 1
    turned: list[Action] = [roll(BLACK, "65", None), double(WHITE), take(BLACK), last]
    assert replayed(turned, start, terms=jacoby).points == 4


# The cube


def cube_after(actions: list[Action], terms: GameTerms = MONEY) -> Cube:
    return replayed([roll(WHITE, "31", "8/5 6/5"), *actions], terms=terms).cube


def cube_codes(actions: list[Action], terms: GameTerms = MONEY) -> list[RemarkCode]:
    return codes(replayed([roll(WHITE, "31", "8/5 6/5"), *actions], terms=terms))


def test_a_taken_double_gives_the_cube_at_twice_its_value_to_the_side_that_took() -> None:
    assert cube_after([double(BLACK), take(WHITE)]) == Cube(2, WHITE)
    assert cube_codes([double(BLACK, 2), take(WHITE)]) == []


def test_a_double_that_was_not_answered_before_the_next_roll_counts_as_taken_with_a_remark() -> None:
    actions: list[Action] = [double(BLACK), roll(BLACK, "31", "8/5 6/5")]
    assert cube_after(actions) == Cube(2, WHITE)
    assert cube_codes(actions) == [RemarkCode.CUBE_OUT_OF_TURN]


def test_a_double_that_nothing_answers_leaves_the_cube_where_it_was() -> None:
    assert cube_after([double(BLACK)]) == Cube()


def test_a_beaver_turns_the_cube_once_more_and_keeps_it() -> None:
    actions: list[Action] = [double(BLACK), CubeRecord(WHITE, CubeAction.BEAVER)]
    assert cube_after(actions) == Cube(4, WHITE)
    assert cube_codes(actions) == []


def test_a_double_by_the_side_that_is_not_on_roll_is_out_of_turn() -> None:
    assert cube_codes([double(WHITE), take(BLACK)]) == [RemarkCode.CUBE_OUT_OF_TURN]


def test_a_double_before_the_opening_roll_is_out_of_turn() -> None:
    actions: list[Action] = [double(WHITE), take(BLACK), roll(WHITE, "31", "8/5 6/5")]
    assert codes(replayed(actions)) == [RemarkCode.CUBE_OUT_OF_TURN]


def test_a_double_without_access_to_the_cube_is_out_of_turn() -> None:
    actions: list[Action] = [
        double(BLACK),
        take(WHITE),
        roll(BLACK, "31", "8/5 6/5"),
        roll(WHITE, "61", "13/7 8/7"),
    ]
    assert cube_codes([*actions, double(BLACK), take(WHITE)]) == [RemarkCode.CUBE_OUT_OF_TURN]


def test_a_take_or_drop_without_a_double_is_out_of_turn_and_a_take_changes_nothing() -> None:
    assert cube_codes([take(WHITE)]) == [RemarkCode.CUBE_OUT_OF_TURN]
    assert cube_after([take(WHITE)]) == Cube()
    assert cube_codes([drop(BLACK)]) == [RemarkCode.CUBE_OUT_OF_TURN]


def test_a_double_to_another_value_than_twice_the_cube_is_a_remark_and_is_kept() -> None:
    actions: list[Action] = [double(BLACK, 4), take(WHITE)]
    assert cube_codes(actions) == [RemarkCode.CUBE_VALUE_ODD]
    assert cube_after(actions) == Cube(4, WHITE)


def test_a_double_in_the_crawford_game_is_a_remark() -> None:
    crawford = GameTerms(5, Score(4, 2), CrawfordState.CRAWFORD)
    assert cube_codes([double(BLACK), take(WHITE)], crawford) == [RemarkCode.DOUBLE_IN_CRAWFORD]


def test_each_turn_knows_the_cube_at_its_roll() -> None:
    found = replayed([roll(WHITE, "31", "8/5 6/5"), double(BLACK), take(WHITE), roll(BLACK, "31", "8/5 6/5")])
    assert [turn.cube for turn in found.turns] == [Cube(), Cube(2, WHITE)]
