"""bgammon.org matches: what every line means, and what damage does."""

import pytest

from adjudicator.errors import RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs.limits import MAX_ACTIONS, MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side

WHITE, BLACK = Side
HEAD = "i 1702738670 ann bo 5 0 0 1 1 0"


def _log(*lines: str) -> MatchLog:
    return read_log("\n".join(lines).encode(), format_name="bgammon_match")


def _game(*lines: str, head: str = HEAD) -> GameRecord:
    (game,) = _log(head, *lines).games
    return game


def _broken(game: GameRecord) -> str:
    assert game.broken is not None
    return str(game.broken)


def _points(game: GameRecord) -> tuple[Side, int | None] | None:
    return None if game.result is None else (game.result.winner, game.result.points)


def test_the_first_line_of_a_game_tells_players_length_and_score() -> None:
    log = _log("bgammon-replay 00000024", "i 1702738670 ann bo 7 2 3 2 1 0", "1 r 3-1 8/5 6/5")
    assert (log.format, log.white, log.black, log.match_length) == ("bgammon_match", "ann", "bo", 7)
    assert (log.games[0].score, log.metadata, log.remarks) == (Score(2, 3), {"started": "1702738670"}, ())


def test_there_is_no_crawford_rule() -> None:
    assert not _log(HEAD, "1 r 3-1 8/5 6/5").crawford


@pytest.mark.parametrize("beginning", ["bgammon-replay 00000024\n" + HEAD, HEAD])
def test_a_match_is_told_by_its_table_or_its_first_line(beginning: str) -> None:
    assert read_log(f"{beginning}\n1 r 3-1 8/5 6/5\n".encode()).format == "bgammon_match"


def test_both_players_count_points_as_player_1_does() -> None:
    game = _game("1 r 6-1 bar/24 7/1", "2 r 6-1 bar/1 18/24")
    assert [roll.movements for roll in game.rolls] == [(Movement(25, 24), Movement(7, 1))] * 2


def test_bearing_off_is_off_for_both() -> None:
    game = _game("1 r 6-1 6/off 1/off", "2 r 6-1 19/off 24/off")
    assert [roll.movements for roll in game.rolls] == [(Movement(6, 0), Movement(1, 0))] * 2


def test_a_roll_without_steps_is_a_blank() -> None:
    roll = _game("2 r 4-4").rolls[0]
    assert (roll.side, roll.dice, roll.writing) == (BLACK, Dice(4, 4), Writing.NOTHING)


@pytest.mark.parametrize(("taken", "answer"), [("1", CubeAction.TAKE), ("0", CubeAction.DROP)])
def test_a_double_stands_with_its_value_and_its_answer(taken: str, answer: CubeAction) -> None:
    double, reply = _game(f"2 d 2 {taken}").actions
    assert isinstance(double, CubeRecord)
    assert isinstance(reply, CubeRecord)
    assert (double.side, double.action, double.value) == (BLACK, CubeAction.DOUBLE, 2)
    assert (reply.side, reply.action) == (WHITE, answer)


def test_a_game_played_out_is_written_by_its_kind_and_counts_with_its_cube() -> None:
    head = "i 1 ann bo 9 0 0 1 2 0"
    assert _points(_game("1 r 3-1 8/5 6/5", head=head)) == (WHITE, 2)
    assert _points(_game("1 d 2 1", "2 d 4 1", "1 r 3-1 8/5 6/5", head=head)) == (WHITE, 8)


def test_a_dropped_double_is_written_by_its_cube() -> None:
    assert _points(_game("1 d 2 1", "2 r 3-1", "2 d 4 0", head="i 1 ann bo 9 0 0 2 2 0")) == (BLACK, 2)


def test_a_game_given_up_is_written_by_its_cube_and_is_a_single_one() -> None:
    game = _game("1 d 2 1", "1 r 3-1 8/5 6/5", "2 t", head="i 1 ann bo 9 0 0 1 2 0")
    last = game.actions[-1]
    assert isinstance(last, ResignRecord)
    assert (last.side, last.win, _points(game)) == (BLACK, Win.SINGLE, (WHITE, 2))


def test_winner_0_is_no_result() -> None:
    assert _points(_game("1 r 3-1 8/5 6/5", head="i 1 ann bo 9 0 0 0 0 0")) is None


@pytest.mark.parametrize(("variant", "name"), [("1", "acey-deucey"), ("2", "tabula"), ("7", "variant 7")])
def test_another_variant_is_refused_by_name(variant: str, name: str) -> None:
    with pytest.raises(UnsupportedVariantError, match=name):
        _log(f"i 1 ann bo 5 0 0 1 1 {variant}", "1 r 3-1 8/5 6/5")


def test_a_table_of_more_games_than_there_are_is_remarked_on() -> None:
    log = _log("bgammon-replay 00000048", "bgammon-replay 00000099", HEAD, "1 r 3-1 8/5 6/5")
    assert [remark.code for remark in log.remarks] == [RemarkCode.GAME_MISSING]


@pytest.mark.parametrize(
    "line", ["1 r 7-1 8/1", "3 r 3-1", "1 x", "1 r 3-1-2 8/5", "1 d 2", "1 d 2 2", "hello", "1 r 31", "1  t"]
)
def test_a_line_that_cannot_be_read_breaks_its_game_and_the_next_goes_on(line: str) -> None:
    first, second = _log(HEAD, "1 r 3-1 8/5 6/5", line, "1 r 6-6", HEAD, "2 r 5-5").games
    assert [roll.dice for roll in first.rolls] == [Dice(3, 1)]
    assert _broken(first).startswith("line 3, game 1, turn 2: ")
    assert (len(second.rolls), second.broken) == (1, None)


@pytest.mark.parametrize(
    "play", ["8/5/6", "5/8", "0/1", "25/3", "8-5", "8/5 6/5 4/3 3/2 2/1", "none", "6/bar"]
)
def test_a_play_that_cannot_be_read_keeps_its_dice(play: str) -> None:
    roll = _game(f"1 r 3-1 {play}").rolls[0]
    assert (roll.dice, roll.writing, bool(roll.unread)) == (Dice(3, 1), Writing.UNREAD, True)


@pytest.mark.parametrize("head", ["i 1 ann bo 5 0 0 1 1", "i x ann bo 5 0 0 1 1 0", "i 1 ann bo 5 0 0 3 1 0"])
def test_a_first_line_that_cannot_be_read_breaks_its_game(head: str) -> None:
    first, second = _log(head, "1 r 3-1 8/5 6/5", HEAD, "1 r 3-1 8/5 6/5").games
    assert "first line" in _broken(first)
    assert (first.actions, second.broken) == ((), None)


def test_a_turn_before_the_first_game_is_a_broken_game() -> None:
    first, second = _log("1 r 3-1 8/5 6/5", "2 r 1-1", HEAD, "1 r 3-1 8/5 6/5").games
    assert "before the first line" in _broken(first)
    assert second.broken is None


@pytest.mark.parametrize("names", ["bo ann", "ann cy"])
def test_a_game_of_other_players_is_broken(names: str) -> None:
    first, second = _log(HEAD, "1 r 3-1 8/5 6/5", f"i 1 {names} 5 1 0 1 1 0", "1 r 3-1 8/5 6/5").games
    assert first.broken is None
    assert "players are not those" in _broken(second)
    assert (second.actions, second.result) == ((), None)


def test_another_match_length_is_another_match() -> None:
    with pytest.raises(RecordError, match="more than one match"):
        _log(HEAD, "1 r 3-1 8/5 6/5", "i 1 ann bo 7 1 0 1 1 0")


def test_a_file_without_a_game_is_refused() -> None:
    with pytest.raises(RecordError, match="holds no game"):
        _log("bgammon-replay 00000024")


@pytest.mark.parametrize(
    "lines",
    [
        [HEAD] + ["1 r 3-1"] * (MAX_ROLLS + 1),
        [HEAD] * (MAX_GAMES + 1),
        [HEAD] + ["1 d 2 1"] * (MAX_ACTIONS // 2 + 1),
    ],
    ids=["rolls", "games", "doubles"],
)
def test_beyond_the_limits_a_file_is_refused(lines: list[str]) -> None:
    with pytest.raises(TooLargeError):
        _log(*lines)
