"""FIBS logs: lines of play as players and watchers see them, lists of moves, and what damage does."""

import pytest

from adjudicator.errors import RecordError, TooLargeError
from adjudicator.logs.limits import MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side

WHITE, BLACK = Side
WATCHED = "ann and bob start a 5 point match."
PLAYED = "** You are now playing a 5 point match with bob"


def _log(*lines: str) -> MatchLog:
    return read_log("\n".join(lines).encode(), format_name="fibs")


def _game(*lines: str, head: str = WATCHED) -> GameRecord:
    (game,) = _log(head, "ann rolled 1, bob rolled 1" if head is WATCHED else "", *lines).games
    return game


def _broken(game: GameRecord) -> str:
    assert game.broken is not None
    return str(game.broken)


def _rolls(game: GameRecord) -> list[tuple[Side, Dice, Writing]]:
    return [(roll.side, roll.dice, roll.writing) for roll in game.rolls]


def _cube(game: GameRecord) -> list[tuple[Side, CubeAction, int | None]]:
    cubes = [action for action in game.actions if isinstance(action, CubeRecord)]
    return [(cube.side, cube.action, cube.value) for cube in cubes]


def _points(game: GameRecord) -> tuple[Side, int | None] | None:
    return None if game.result is None else (game.result.winner, game.result.points)


# --- directions


def test_a_play_upwards_is_counted_from_the_other_end() -> None:
    game = _game("ann rolls 6 and 4.", "ann moves 12-18 1-5 .")
    assert game.rolls[0].movements == (Movement(13, 7), Movement(24, 20))


def test_each_side_has_its_own_direction() -> None:
    game = _game("ann rolls 3 and 1.", "ann moves 8-5 6-5 .", "bob rolls 3 and 1.", "bob moves 17-20 19-20 .")
    assert [roll.movements for roll in game.rolls] == [(Movement(8, 5), Movement(6, 5))] * 2


@pytest.mark.parametrize(
    ("play", "movement"),
    [
        ("bar-20", Movement(25, 20)),
        ("bar-5", Movement(25, 20)),
        ("3-off", Movement(3, 0)),
        ("22-off", Movement(3, 0)),
    ],
)
def test_bar_and_off_tell_the_direction_by_their_end_of_the_board(play: str, movement: Movement) -> None:
    assert _game("ann rolls 5 and 3.", f"ann moves {play} .").rolls[0].movements == (movement,)


def test_a_play_against_the_direction_of_the_player_is_not_read_and_keeps_its_dice() -> None:
    game = _game("ann rolls 3 and 1.", "ann moves 8-5 6-5 .", "ann rolls 2 and 1.", "ann moves 5-8 .")
    assert (game.rolls[1].dice, game.rolls[1].writing) == (Dice(2, 1), Writing.UNREAD)
    assert "the other way" in game.rolls[1].unread


@pytest.mark.parametrize(
    "play", ["8-8", "bar-12", "12-off", "0-3", "30-3", "8-5-3", "8/5", "x-3", "1-2 " * 5, "."]
)
def test_a_play_that_is_none_keeps_its_dice(play: str) -> None:
    roll = _game("ann rolls 3 and 1.", f"ann moves {play} .").rolls[0]
    assert (roll.dice, roll.writing, bool(roll.unread)) == (Dice(3, 1), Writing.UNREAD, True)


def test_directions_are_told_anew_in_each_game() -> None:
    first, second = _log(
        WATCHED,
        "ann rolls 3 and 1.",
        "ann moves 8-5 6-5 .",
        "ann wins the game and gets 1 point.",
        "ann rolls 3 and 1.",
        "ann moves 17-20 19-20 .",
    ).games
    assert first.rolls[0].movements == second.rolls[0].movements


# --- rolls and plays


def test_the_opening_dice_are_the_roll_of_whoever_threw_more() -> None:
    game = _log(
        WATCHED, "ann rolled 3, bob rolled 5", "bob makes the first move.", "bob moves 1-6 1-4 ."
    ).games[0]
    assert _rolls(game) == [(BLACK, Dice(3, 5), Writing.PLAY)]


def test_opening_dice_that_a_line_says_again_are_one_roll() -> None:
    game = _log(WATCHED, "ann rolled 3, bob rolled 5", "bob rolls 5 and 3.", "bob moves 1-6 1-4 .").games[0]
    assert len(game.rolls) == 1


def test_equal_opening_dice_are_thrown_again() -> None:
    log = _log(WATCHED, "ann rolled 3, bob rolled 3", "ann rolled 6, bob rolled 1", "ann can't move.")
    assert [_rolls(game) for game in log.games] == [[(WHITE, Dice(6, 1), Writing.CANNOT_MOVE)]]


def test_a_player_who_cannot_move_has_no_legal_play() -> None:
    assert _rolls(_game("bob rolls 6 and 6.", "bob can't move.")) == [
        (BLACK, Dice(6, 6), Writing.CANNOT_MOVE)
    ]


@pytest.mark.parametrize(
    "entered", ["move 8-5 6-5", "m 8 5 6 5", "> m 8-5 6-5", "The only possible move is 8-5 6-5 ."]
)
def test_the_own_play_is_what_was_entered_or_forced(entered: str) -> None:
    game = _game("You roll 3 and 1.", entered, "bob rolls 6 and 6.", head=PLAYED)
    assert game.rolls[0].movements == (Movement(8, 5), Movement(6, 5))


def test_the_last_own_play_that_the_server_does_not_refuse_counts() -> None:
    lines = ["You roll 3 and 1.", "m 8-4 6-5", "** You can't move 4 pips.", "m 8-5 6-5", "bob rolls 6 and 6."]
    assert _game(*lines, head=PLAYED).rolls[0].movements == (Movement(8, 5), Movement(6, 5))
    refused = _game(*lines[:3], lines[4], head=PLAYED)
    assert refused.rolls[0].writing is Writing.UNREAD


def test_an_own_play_that_is_not_in_the_log_keeps_its_dice_and_says_what_to_send() -> None:
    roll = _game("You roll 3 and 1.", "bob rolls 6 and 6.", head=PLAYED).rolls[0]
    assert (roll.side, roll.dice, roll.writing) == (WHITE, Dice(3, 1), Writing.UNREAD)
    assert "oldmoves" in roll.unread


def test_a_roll_before_a_resignation_was_not_played() -> None:
    game = _game("ann rolls 3 and 1.", "bob accepts and wins 2 points.")
    assert _rolls(game) == [(WHITE, Dice(3, 1), Writing.NOT_PLAYED)]


# --- cube and ends


def test_an_accepted_double_has_the_value_that_the_cube_then_shows() -> None:
    game = _game("ann doubles. Type 'accept' or 'reject'.", "bob accepts the double.  The cube shows 2.")
    assert _cube(game) == [(WHITE, CubeAction.DOUBLE, 2), (BLACK, CubeAction.TAKE, None)]


def test_the_own_cube_actions_are_those_of_white() -> None:
    game = _game(
        "You double. Please wait for bob to accept or reject.",
        "bob accepts the double. The cube shows 2.",
        "bob doubles. Type 'accept' or 'reject'.",
        "You give up. bob wins 2 points.",
        head=PLAYED,
    )
    assert [(side, action) for side, action, _ in _cube(game)] == [
        (WHITE, CubeAction.DOUBLE),
        (BLACK, CubeAction.TAKE),
        (BLACK, CubeAction.DOUBLE),
        (WHITE, CubeAction.DROP),
    ]
    assert _points(game) == (BLACK, 2)


def test_messages_run_together_are_two() -> None:
    game = _game(
        "ann doubles.", "bob accepts the double. The cube shows 2.ann rolls 6 and 5.", "ann can't move."
    )
    assert _rolls(game) == [(WHITE, Dice(6, 5), Writing.CANNOT_MOVE)]


def test_giving_up_without_a_double_is_a_resignation() -> None:
    game = _game("ann rolls 3 and 1.", "ann gives up. bob wins 2 points.")
    last = game.actions[-1]
    assert isinstance(last, ResignRecord)
    assert (last.side, last.win, _points(game)) == (WHITE, Win.GAMMON, (BLACK, 2))


def test_a_resignation_counts_only_when_it_is_accepted() -> None:
    offer = "ann wants to resign. You will win 1 point. Type 'accept' or 'reject'."
    refused = _game(
        "bob rolls 3 and 1.", "bob can't move.", offer, "You reject. The game continues.", head=PLAYED
    )
    assert not any(isinstance(action, ResignRecord) for action in refused.actions)
    lines = ["bob rolls 3 and 1.", "bob can't move.", offer, "You accept and win 1 point."]
    accepted = _game(*lines, head=PLAYED)
    assert isinstance(accepted.actions[-1], ResignRecord)
    assert (accepted.actions[-1].side, _points(accepted)) == (BLACK, (WHITE, 1))


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("ann wins the game and gets 2 points.", (WHITE, 2)),
        ("bob wins the game and gets 1 point. Sorry.", (BLACK, 1)),
    ],
)
def test_the_result_is_who_wins_how_many_points(line: str, points: tuple[Side, int]) -> None:
    assert _points(_game("ann rolls 3 and 1.", "ann moves 8-5 6-5 .", line)) == points


def test_a_game_that_nobody_ends_has_no_result() -> None:
    assert (
        _points(_game("ann rolls 3 and 1.", "ann moves 8-5 6-5 .", "bob logs out. The game was saved."))
        is None
    )


# --- players, scores, matches


def test_white_is_you_and_gets_the_name_of_the_score_line() -> None:
    log = _log(
        PLAYED,
        "bob rolls 3 and 1.",
        "bob moves 1-4 1-2 .",
        "You win the game and get 2 points. Congratulations!",
        "score in 5 point match: bob-0 anna-2",
        "Starting a new game with bob.",
        "You roll 2 and 1.",
    )
    assert (log.white, log.black, log.match_length) == ("anna", "bob", 5)
    assert [game.score for game in log.games] == [Score(0, 0), Score(2, 0)]


def test_for_a_watcher_white_is_whoever_is_named_first() -> None:
    log = _log(
        "score in 5 point match: ann-1 bob-0", "bob rolls 3 and 1.", "bob can't move.", "ann rolls 1 and 1."
    )
    assert (log.white, log.black, log.games[0].score) == ("bob", "ann", Score(0, 1))


@pytest.mark.parametrize(
    ("line", "length"),
    [
        (WATCHED, 5),
        ("ann and bob start an unlimited match.", 0),
        ("score in 3 point match: ann-1 bob-0", 3),
        ("score in unlimited match: ann-1 bob-0", 0),
        ("board:ann:bob:7:2:1:0:-2:0:0:0:0:5", 7),
        ("board:ann:bob:9999:2:1:0:-2:0:0:0:0:5", 0),
        ("ann wins the 9 point match 9-4 .", 9),
    ],
)
def test_several_lines_tell_the_length_of_the_match(line: str, length: int) -> None:
    log = _log("ann rolls 3 and 1.", "ann can't move.", "bob rolls 2 and 1.", line)
    assert (log.match_length, log.crawford) == (length, length > 0)


def test_a_board_gives_the_score_that_no_line_gave() -> None:
    log = _log("ann rolls 3 and 1.", "board:bob:ann:7:2:1:0:-2:0:0:0:0:5", "ann can't move.")
    assert log.games[0].score == Score(1, 2)


def test_a_log_without_a_match_length_is_refused() -> None:
    with pytest.raises(RecordError, match="length of the match"):
        _log("ann rolls 3 and 1.")


@pytest.mark.parametrize(
    "line",
    [
        "Starting a new game with carl.",
        "** You are now playing a 3 point match with carl",
        "score in 3 point match: ann-1 bob-0",
    ],
)
def test_another_opponent_or_length_is_another_match(line: str) -> None:
    lines = [PLAYED.replace("bob", "ann"), "Starting a new game with ann.", "ann rolls 3 and 1."]
    with pytest.raises(RecordError, match="more than one match"):
        _log(*lines, line.replace("bob", "You"))


def test_a_game_after_the_match_was_won_is_another_match() -> None:
    with pytest.raises(RecordError, match="more than one match"):
        _log(
            WATCHED,
            "ann rolls 3 and 1.",
            "ann wins the game and gets 5 points.",
            "ann wins the 5 point match 5-0 .",
            "bob rolls 3 and 1.",
        )


def test_chat_and_news_are_passed_over() -> None:
    game = _game(
        "ann rolls 3 and 1.",
        "13 bob ann rolls 6 and 6.",
        "carl shouts: bob rolls 6 and 6.",
        "carl wins a 9 point match against dan  9-4 .",
        "carl and dan start a 3 point match.",
        "Type 'join' if you want to play the next game, type 'leave' if you don't.",
        "ann moves 8-5 6-5 .",
    )
    assert (len(game.rolls), game.broken, game.remarks) == (1, None, ())


def test_prompts_and_clock_times_before_a_line_are_passed_over() -> None:
    game = _game("[12:34:56] > ann rolls 3 and 1.", "12:35 ann moves 8-5 6-5 .")
    assert _rolls(game) == [(WHITE, Dice(3, 1), Writing.PLAY)]


# --- damage


@pytest.mark.parametrize(
    "line",
    [
        "bob rolls 6 and 7.",
        "bob rolls 6.",
        "bob accepts the double by mistake",
        "bob wins the game and gets x points.",
    ],
)
def test_a_line_of_play_that_cannot_be_read_breaks_its_game_and_the_next_goes_on(line: str) -> None:
    first, second = _log(
        WATCHED,
        "ann rolls 3 and 1.",
        "ann moves 8-5 6-5 .",
        line,
        "bob rolls 2 and 1.",
        "ann wins the game and gets 1 point.",
        "score in 5 point match: ann-1 bob-0",
        "bob rolls 3 and 1.",
        "bob moves 17-20 19-20 .",
    ).games
    assert [roll.dice for roll in first.rolls] == [Dice(3, 1)]
    assert _broken(first).startswith("line 4, game 1, turn 2: ")
    assert (_points(first), second.broken, len(second.rolls)) == ((WHITE, 1), None, 1)


def test_a_play_without_a_roll_breaks_the_game() -> None:
    game = _game("ann rolls 3 and 1.", "ann moves 8-5 6-5 .", "bob moves 17-20 19-20 .")
    assert "plays without a roll" in _broken(game)


def test_a_play_of_the_other_side_keeps_the_dice_that_were_thrown() -> None:
    game = _game("ann rolls 3 and 1.", "bob moves 17-20 19-20 .")
    assert _rolls(game) == [(WHITE, Dice(3, 1), Writing.UNREAD)]
    assert game.broken is not None


def test_a_third_player_breaks_the_game() -> None:
    game = _game("ann rolls 3 and 1.", "ann can't move.", "carl rolls 6 and 6.")
    assert "'carl' is neither" in _broken(game)


@pytest.mark.parametrize(
    "line", ["You are now playing with bob. Your running match was loaded.", "You're now watching bob."]
)
def test_a_game_that_began_before_the_log_is_broken(line: str) -> None:
    lines = ["board:ann:bob:5:0:0:0", line, "ann rolls 3 and 1.", "ann moves 8-5 6-5 ."]
    assert "began before the log" in _broken(_log(*lines).games[0])


# --- lists of moves

LIST = ["Score is 0-0 in a 5 point match.", "ann is X - bob is O"]


def test_a_list_tells_rolls_and_cube_actions() -> None:
    game = _log(
        *LIST, "X: (3 1) 8-5 6-5", "O: doubles", "X: accepts", "O: (6 6) can't move", "X: (2 1)"
    ).games[0]
    assert _rolls(game) == [
        (WHITE, Dice(3, 1), Writing.PLAY),
        (BLACK, Dice(6, 6), Writing.CANNOT_MOVE),
        (WHITE, Dice(2, 1), Writing.NOTHING),
    ]
    assert _cube(game) == [(BLACK, CubeAction.DOUBLE, None), (WHITE, CubeAction.TAKE, None)]


def test_the_points_of_a_listed_game_are_what_the_score_grows_by() -> None:
    second = [
        "Score is 2-0 in a 5 point match.",
        LIST[1],
        "O: (3 1) 17-20 19-20",
        "O: doubles",
        "X: rejects",
        "O: wins",
    ]
    log = _log(*LIST, "X: (3 1) 8-5 6-5", "X: wins", *second, "score in 5 point match: bob-1 ann-2")
    assert [_points(game) for game in log.games] == [(WHITE, 2), (BLACK, 1)]
    assert [remark.code for remark in log.games[0].remarks] == [RemarkCode.RESULT_FROM_SCORE]


def test_a_score_by_which_both_sides_have_grown_tells_no_points() -> None:
    log = _log(*LIST, "X: (3 1) 8-5 6-5", "X: wins", "score in 5 point match: ann-2 bob-1")
    assert _points(log.games[0]) == (WHITE, None)


def test_without_a_score_after_it_a_listed_game_has_a_winner_and_no_points() -> None:
    game = _log(*LIST, "X: (3 1) 8-5 6-5", "X: wins").games[0]
    assert (_points(game), game.remarks) == ((WHITE, None), ())


def test_sides_of_a_list_are_told_by_name() -> None:
    second = ["Score is 0-2 in a 5 point match.", "bob is X - ann is O", "X: (3 1) 17-20 19-20"]
    log = _log(*LIST, "X: (3 1) 8-5 6-5", "X: wins", *second)
    assert (log.white, log.games[1].rolls[0].side, log.games[1].score) == ("ann", BLACK, Score(2, 0))


def test_a_list_score_the_wrong_way_round_is_turned_with_a_remark() -> None:
    log = _log(
        *LIST, "X: (3 1) 8-5 6-5", "X: wins", "Score is 0-2 in a 5 point match.", LIST[1], "X: (2 1) 8-5"
    )
    assert (log.games[1].score, _points(log.games[0])) == (Score(2, 0), (WHITE, 2))
    assert [remark.code for remark in log.games[1].remarks] == [RemarkCode.SCORE_TURNED]


@pytest.mark.parametrize(
    ("answer", "resigned"), [("X: accepts", True), ("X: rejects", False), ("X: wins", True)]
)
def test_a_listed_resignation_needs_its_answer(answer: str, resigned: bool) -> None:
    game = _log(*LIST, "X: (3 1) 8-5 6-5", "O: wants to resign", answer).games[0]
    assert any(isinstance(action, ResignRecord) for action in game.actions) is resigned
    assert _cube(game) == []


def test_a_list_asked_for_in_mid_game_is_the_beginning_of_a_later_one() -> None:
    log = _log(*LIST, "X: (3 1) 8-5 6-5", *LIST, "X: (3 1) 8-5 6-5", "O: (6 6) can't move")
    assert [(game.number, len(game.rolls)) for game in log.games] == [(1, 2)]
    assert [remark.code for remark in log.games[0].remarks] == [RemarkCode.PART_IGNORED]


def test_a_log_with_lists_is_read_by_its_lists() -> None:
    log = _log(PLAYED, "You roll 3 and 1.", "bob wins the game and gets 1 point.", *LIST, "X: (3 1) 8-5 6-5")
    assert [_rolls(game) for game in log.games] == [[(WHITE, Dice(3, 1), Writing.PLAY)]]


@pytest.mark.parametrize("line", ["O: (7 1) 17-20", "O: foo", "Q: (3 1) 1-2", "O (3 1) 1-2", "O: (31) 1-2"])
def test_a_listed_line_that_cannot_be_read_breaks_its_game(line: str) -> None:
    game = _log(*LIST, "X: (3 1) 8-5 6-5", line, "X: (2 1) 8-5").games[0]
    assert len(game.rolls) == 1
    assert _broken(game).startswith("line 4, game 1, turn 2: ")


@pytest.mark.parametrize("head", ["ann is X - carl is O", "ann is X - ann is O"])
def test_a_list_of_other_players_is_a_broken_game(head: str) -> None:
    first, second = _log(*LIST, "X: (3 1) 8-5 6-5", LIST[0], head, "X: (3 2) 8-5 6-5", "X: wins").games
    assert first.broken is None
    assert "players are not those" in _broken(second)
    assert (second.actions, second.result) == ((), None)


# --- limits


@pytest.mark.parametrize(
    "lines",
    [
        [WATCHED] + ["ann rolls 3 and 1."] * (MAX_ROLLS + 2),
        [WATCHED] + ["ann rolls 3 and 1.", "ann wins the game and gets 1 point."] * (MAX_GAMES + 1),
        [*LIST] + ["X: (3 1) 8-5"] * (MAX_ROLLS + 1),
        LIST * (MAX_GAMES + 1),
    ],
    ids=["rolls", "games", "listed rolls", "listed games"],
)
def test_beyond_the_limits_a_log_is_refused(lines: list[str]) -> None:
    with pytest.raises(TooLargeError):
        _log(*lines)


def test_a_log_without_a_game_is_refused() -> None:
    with pytest.raises(RecordError, match="holds no game"):
        _log("hello", WATCHED)
