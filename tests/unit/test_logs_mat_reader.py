"""The dialects and oddities of .mat files, one test each."""

import pytest

from adjudicator.errors import RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs.assembly import OTHER_PLAYERS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import HYPERGAMMON, NACKGAMMON

SEATS = " Ann : 0                       Bo : 0"
ROW = "  1) 31: 8/5 6/5                  64: 24/14"
NACK_TEXT = "1;0;1;0;1;Ann;Bo;0;0;0;1;0;0;-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0;6;4;"


def _log(*lines: str) -> MatchLog:
    return read_log("\n".join(lines).encode())


def _game(*rows: str) -> GameRecord:
    return _log("7 point match", "", " Game 1", SEATS, *rows).games[0]


def _codes(log: MatchLog) -> list[RemarkCode]:
    return [remark.code for remark in log.remarks]


# Head


def test_seats_come_from_the_score_line_and_not_from_the_head() -> None:
    log = _log(
        '; [Player 1 "Bo"]', '; [Player 2 "Ann"]', '; [MATCH  id "7"] ', "7 point match", "Game 1", SEATS, ROW
    )  # fmt: skip
    assert (log.white, log.black) == ("Ann", "Bo")
    assert log.metadata == {"player 1": "Bo", "player 2": "Ann", "match id": "7"}


def test_without_a_score_line_the_names_are_those_of_the_head() -> None:
    log = _log('; [Player 1 "Ann"]', '; [Player 2 "Bo"]', "7 point match", " Game 1", ROW)
    assert (log.white, log.black, log.games[0].score) == ("Ann", "Bo", None)
    assert len(log.games[0].rolls) == 2


@pytest.mark.parametrize(
    ("seats", "white", "black", "score"),
    [
        (" a : 1                   b : 2", "a", "b", Score(1, 2)),
        (" a: 1                    b: 2   ", "a", "b", Score(1, 2)),
        (" a : 1 b : 2", "a", "b", Score(1, 2)),
        (" 12 : 0                  34 : 5", "12", "34", Score(0, 5)),
        (" a : 0                     : 0", "a", "", Score()),
        (" : 0                     b : 0", "", "b", Score()),
        (" a b c : 0               O'Neil & d : 0", "a b c", "O'Neil & d", Score()),
        (" x: 5 : 1                y : 7 : 2", "x: 5", "y : 7", Score(1, 2)),
        (" name,1666 : 1           b,1500 : 0", "name,1666", "b,1500", Score(1, 0)),
        (" averyveryverylongname : 0Bob : 3", "averyveryverylongname", "Bob", Score(0, 3)),
        (" 1) x : 0                y : 0", "1) x", "y", Score()),
        (" Ann                     Bo", "Ann", "Bo", None),
    ],
)
def test_names_may_hold_anything(seats: str, white: str, black: str, score: Score | None) -> None:
    log = _log("7 point match", "", " Game 1", seats, ROW)
    assert (log.white, log.black, log.games[0].score) == (white, black, score)


@pytest.mark.parametrize("title", [" Game 1", "Game 1", "Game 1  ", "game 1"])
def test_the_title_of_a_game_has_several_forms(title: str) -> None:
    assert len(_log("0 point match", title, SEATS, ROW).games) == 1


def test_crawford_is_on_unless_the_head_says_off() -> None:
    assert _log("7 point match", "Game 1", SEATS).crawford
    assert not _log('; [Crawford "Off"]', "7 point match", "Game 1", SEATS).crawford


def test_a_match_to_0_is_a_money_session_with_jacoby_if_the_head_says_so() -> None:
    plain = _log("0 point match", "Game 1", SEATS)
    assert (plain.match_length, plain.crawford, plain.jacoby) == (0, False, False)
    assert _log('; [Jacoby "On"]', "0 point match", "Game 1", SEATS).jacoby
    assert not _log('; [Jacoby "On"]', "7 point match", "Game 1", SEATS).jacoby


def test_one_game_to_16_on_the_one_server_is_money_with_jacoby() -> None:
    log = _log('; [Site "BackgammonGalaxy"]', "16 point match", "Game 1", SEATS, ROW)
    assert (log.match_length, log.jacoby, log.crawford, _codes(log)) == (
        0,
        True,
        False,
        [RemarkCode.MONEY_AS_16],
    )


@pytest.mark.parametrize(
    "lines",
    [
        ('; [Site "Elsewhere"]', "16 point match", "Game 1", SEATS),
        ('; [Site "BackgammonGalaxy"]', "15 point match", "Game 1", SEATS),
        ('; [Site "BackgammonGalaxy"]', "16 point match", "Game 1", SEATS, "Game 2", SEATS),
    ],
)
def test_any_other_match_to_16_is_one(lines: tuple[str, ...]) -> None:
    assert _log(*lines).match_length > 0


def test_a_log_that_starts_one_point_away_may_not_tell_whether_it_starts_with_the_crawford_game() -> None:
    log = _log("7 point match", "Game 4", " Ann : 6                       Bo : 2", ROW)
    assert _codes(log) == [RemarkCode.GAME_MISSING, RemarkCode.CRAWFORD_UNKNOWN]
    assert log.first_score == Score(6, 2)
    assert log.games[0].crawford is None


@pytest.mark.parametrize(
    ("length", "score", "rows"),
    [
        (7, "Ann : 3                       Bo : 2", [ROW]),
        (7, "Ann : 6                       Bo : 0", [ROW]),
        (7, "Ann : 6                       Bo : 6", [ROW]),
        (7, "Ann : 6                       Bo : 2", [ROW, "  2)  Doubles => 2                 Drops"]),
        (1, "Ann : 0                       Bo : 0", [ROW]),
        (0, "Ann : 6                       Bo : 2", [ROW]),
    ],
)
def test_a_log_whose_score_or_cube_tells_of_the_crawford_game_has_no_remark_on_it(
    length: int, score: str, rows: list[str]
) -> None:
    assert _codes(_log(f"{length} point match", "Game 1", f" {score}", *rows)) == []


def test_a_match_without_the_crawford_rule_has_no_remark_on_the_crawford_game() -> None:
    log = _log('; [Crawford "Off"]', "7 point match", "Game 1", " Ann : 6                 Bo : 2", ROW)
    assert _codes(log) == []


def test_a_left_out_game_is_remarked() -> None:
    log = _log("7 point match", "Game 1", SEATS, "Game 3", SEATS)
    assert [remark.detail for remark in log.remarks] == ["game 3 stands where game 2 is expected"]


@pytest.mark.parametrize("name", ["NackGammon", "Nack gammon"])
def test_the_head_names_the_variant(name: str) -> None:
    assert _log(f'; [Variation "{name}"]', "0 point match", "Game 1", SEATS).variant is NACKGAMMON


def test_hypergammon_has_two_names() -> None:
    assert _log('; [Variation "Hyper-Backgammon"]', "0 point match", "Game 1", SEATS).variant is HYPERGAMMON


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(
        UnsupportedVariantError, match="'Tavla' is not known here; known: backgammon"
    ) as caught:
        _log('; [Site "x"]', '; [Variation "Tavla"]', "7 point match", "Game 1", SEATS)
    assert caught.value.faults[0].place.line == 2


def test_no_length_no_game_or_two_matches_are_no_record() -> None:
    with pytest.raises(RecordError, match="no line that gives the match length"):
        _log("Game 1", SEATS, ROW)
    with pytest.raises(RecordError, match="a head but no game"):
        _log('; [Site "x"]', "7 point match", "")
    with pytest.raises(RecordError, match="more than one match") as caught:
        _log("7 point match", "Game 1", SEATS, "9 point match", "Game 1", SEATS)
    assert caught.value.faults[0].place.line == 4


# Cells


def test_dice_are_kept_as_thrown() -> None:
    assert _game("  1) 13: 8/5 6/5").rolls[0].dice == Dice(1, 3)


@pytest.mark.parametrize(
    ("text", "writing"),
    [
        ("", Writing.NOTHING),
        ("   ", Writing.NOTHING),
        ("Cannot Move", Writing.CANNOT_MOVE),
        ("cannot move", Writing.CANNOT_MOVE),
        ("????", Writing.NOT_PLAYED),
        ("???", Writing.NOT_PLAYED),
        ("Concedes", Writing.NOT_PLAYED),
        ("8/5 6/5", Writing.PLAY),
    ],
)
def test_what_stands_after_the_dice(text: str, writing: Writing) -> None:
    assert _game(f"  1) 31: {text}").rolls[0].writing is writing


def test_conceding_after_the_dice_is_a_resignation_too() -> None:
    actions = _game("  1) 31: Concedes").actions
    assert actions[1:] == (ResignRecord(Side.WHITE, place=actions[1].place),)


def test_conceding_in_the_other_column_leaves_the_roll_as_it_is() -> None:
    roll, resignation = _game("  1) 31:                           Concedes").actions
    assert roll.side is Side.WHITE
    assert roll in _game("  1) 31:").actions
    assert isinstance(resignation, ResignRecord)
    assert resignation.side is Side.BLACK


def test_dice_of_00_are_no_roll() -> None:
    game = _game(ROW, "  2) 00: ????", "                                  Wins 1 point")
    assert len(game.rolls) == 2
    assert game.result is not None
    assert game.broken is None


def test_dice_of_00_cannot_be_played() -> None:
    broken = _game("  1) 00: 8/5 6/5").broken
    assert broken is not None
    assert "dice that were never thrown" in broken.reason


@pytest.mark.parametrize(
    ("word", "action", "value"),
    [
        ("Doubles => 2", CubeAction.DOUBLE, 2),
        ("Redoubles to 4", CubeAction.DOUBLE, 4),
        ("Doubles", CubeAction.DOUBLE, None),
        ("Beavers", CubeAction.BEAVER, None),
        ("Takes", CubeAction.TAKE, None),
        ("Drops", CubeAction.DROP, None),
        ("Passes", CubeAction.DROP, None),
    ],
)
def test_words_of_the_cube(word: str, action: CubeAction, value: int | None) -> None:
    game = _game(f"  1)  {word}")
    assert [(cube.action, cube.value) for cube in game.actions if isinstance(cube, CubeRecord)] == [
        (action, value)
    ]


def test_an_impossible_value_is_kept_as_recorded() -> None:
    result = _game(ROW, "      Wins 4016 point").result
    assert result is not None
    assert result.points == 4016


def test_of_two_different_results_the_first_is_taken_with_a_remark() -> None:
    game = _game(ROW, "      Wins 1 point", "      Wins 2 point")
    assert game.result is not None
    assert game.result.points == 1
    assert [remark.place.line for remark in game.remarks] == [7]


@pytest.mark.parametrize("star", ["*", "\N{FULLWIDTH ASTERISK}", "\N{ASTERISK OPERATOR}"])
def test_stars_are_in_use_if_any_game_of_the_log_has_one(star: str) -> None:
    with_star = ["7 point match", "Game 1", SEATS, f"  1) 31: 8/5{star} 6/5", "Game 2", SEATS, ROW]
    assert [game.stars_used for game in _log(*with_star).games] == [True, True]
    assert not _game(ROW).stars_used


# Illegal plays


def test_an_illegal_play_carries_the_position_seen_by_its_mover() -> None:
    counts = "-1;" + "0;" * 5 + "3;" + "0;" * 14 + "-2;0;0;0;" + "2;"
    text = f"7;0;0;0;0;Bo;Ann;0;0;0;1;0;{counts}6;1;"
    game = _game(f"  1) 31: Illegal play ({text}) 61: 13/7 8/7")
    roll, following = game.rolls
    assert roll.writing is Writing.POSITION
    assert roll.agreed is not None
    assert (roll.agreed.own[25], roll.agreed.own[4]) == (1, 2)
    assert (roll.agreed.opponent[6], roll.agreed.opponent[25]) == (3, 2)
    assert following.movements == (Movement(13, 7), Movement(8, 7))


def test_the_names_in_an_illegal_play_can_say_that_it_is_seen_by_its_mover() -> None:
    counts = "0;" * 6 + "3;" + "0;" * 19
    by_mover = _game(f"  1) 31: Illegal play (7;0;0;0;0;Ann;Bo;0;0;0;1;0;{counts}6;1;)").rolls[0].agreed
    by_other = _game(f"  1) 31: Illegal play (7;0;0;0;0;?;?;0;0;0;1;0;{counts}6;1;)").rolls[0].agreed
    assert by_mover is not None
    assert by_other is not None
    assert by_mover.own[6] == 3
    assert by_other.own[6] == 0


def test_an_illegal_play_whose_position_cannot_be_read_is_still_a_roll() -> None:
    game = _game("  1) 31: Illegal play (25;0;1;)      64: 24/14")
    assert (game.rolls[0].writing, game.rolls[0].agreed) == (Writing.UNREAD, None)
    assert game.rolls[0].unread.startswith("the position of an illegal play: ")


def test_a_start_of_nackgammon_written_as_an_illegal_play_is_no_roll() -> None:
    game = [" Game 1", SEATS, f"  1)                               12: Illegal play ({NACK_TEXT})", ROW]
    log = _log("1 point match", *game)
    assert log.variant is NACKGAMMON
    assert [(roll.dice, roll.row) for roll in log.games[0].rolls] == [(Dice(3, 1), 1), (Dice(6, 4), 1)]
    shared = _log("1 point match", " Game 1", SEATS, f"  1) 12: Illegal play ({NACK_TEXT}) 61: 13/7 8/7", ROW)
    assert [roll.row for roll in shared.games[0].rolls] == [1, 2, 2]


# What cannot be read


def test_a_play_that_cannot_be_read_keeps_its_dice_for_the_series() -> None:
    game = _game("  1) 31: 8/x 6/5                  64: 24/14", "  2) 52: 13/8 24/22")
    assert [roll.writing for roll in game.rolls] == [Writing.UNREAD, Writing.PLAY, Writing.PLAY]
    assert game.broken is None
    assert game.rolls[0].place.line == 5
    assert "'8/x': there is no point 'x'" in game.rolls[0].unread


@pytest.mark.parametrize(
    "row", ["  2) 7", "  2) 71: 8/1", "  2) 3", "  2) Doub", "  2) hello 31: 8/5", "24/18 13/11"]
)
def test_a_row_that_cannot_be_read_breaks_its_game_and_no_other(row: str) -> None:
    log = _log("7 point match", " Game 1", SEATS, ROW, row, ROW, "      Wins 1 point", " Game 2", SEATS, ROW)
    first, second = log.games
    assert first.broken is not None
    assert (first.broken.place.line, first.broken.place.game) == (5, 1)
    assert (len(first.rolls), first.result is None) == (2, False)
    assert (second.broken, len(second.rolls)) == (None, 2)


@pytest.mark.parametrize(
    "others", [" Bo : 0                        Ann : 0", " Ann : 1                 Cy : 0"]
)
def test_of_a_game_of_other_players_or_in_each_others_columns_nothing_is_read(others: str) -> None:
    log = _log("7 point match", " Game 1", SEATS, ROW, " Game 2", others, ROW, " Game 3", SEATS, ROW)
    assert [game.broken and game.broken.reason for game in log.games] == [None, OTHER_PLAYERS, None]
    assert (log.games[1].actions, log.games[1].place.line) == ((), 5)


@pytest.mark.parametrize(
    "seats", [" : 0                 : 0", " Ann : 0             : 0", "Ann (1650) : 0     Bo : 0"]
)
def test_names_that_are_missing_cut_or_rated_are_no_other_players(seats: str) -> None:
    log = _log("7 point match", " Game 1", SEATS, ROW, " Game 2", seats, ROW)
    assert [game.broken for game in log.games] == [None, None]


def test_other_text_between_the_rows_is_remarked_and_passed_over() -> None:
    game = _game(ROW, "See the video of this game", "  2) 52: 13/8 24/22")
    assert (game.broken, len(game.rolls)) == (None, 3)
    assert [remark.detail for remark in game.remarks] == ["not read: 'See the video of this game'"]


WINS = "                                  Wins 1 point"


@pytest.mark.parametrize(
    "footer",
    [
        "Exported 11/29/2026",
        "Played on 24/11/26 in room 7",
        "24/11/2026",
        "24/11",
        "21:30",
        "  21:30   29.11.2026",
        "http://example.org/board/24/18",
        "Ann: 24/18 13/11 was better",
        "Doubles",
        "Final score 7/5",
        "Game over",
        "Ann wins 1 point",
    ],
)
def test_a_footer_behind_the_result_leaves_the_game_as_it_is(footer: str) -> None:
    game, plain = _game(ROW, WINS, "", footer), _game(ROW, WINS)
    assert (game.broken, game.actions, game.result) == (None, plain.actions, plain.result)
    assert [remark.detail for remark in game.remarks] == [f"not read: {footer.strip()!r}"]
    assert [(remark.code, remark.place.line) for remark in game.remarks] == [(RemarkCode.ROW_IGNORED, 8)]


def test_a_footer_may_stand_behind_every_game() -> None:
    footer = "Exported 11/29/2026"
    log = _log("7 point match", " Game 1", SEATS, ROW, WINS, footer, " Game 2", SEATS, ROW, WINS, footer)
    assert [(game.broken, len(game.rolls), len(game.remarks)) for game in log.games] == [(None, 2, 1)] * 2


@pytest.mark.parametrize("words", ["(24/11/2026)", "and the match!", "by resignation", "24/11"])
def test_text_behind_a_result_in_its_own_line_is_passed_over(words: str) -> None:
    game = _game(ROW, f"{WINS} {words}")
    assert (game.broken, game.result) == (None, _game(ROW, WINS).result)
    assert [remark.code for remark in game.remarks] == [RemarkCode.ROW_IGNORED]


@pytest.mark.parametrize(
    "aside", ["Played on 11/29/2026", "https://example.org/blog/0/b", "Bo: good luck", "a draw, 1/2 each"]
)
def test_dates_addresses_and_chat_between_the_rows_are_no_plays(aside: str) -> None:
    game = _game(aside, ROW, aside, "  2) 52: 13/8 24/22")
    assert (game.broken, len(game.rolls)) == (None, 3)
    assert [remark.detail for remark in game.remarks] == [f"not read: {aside!r}"] * 2


@pytest.mark.parametrize("row", ["  2) 31: 8/5", "  2) Doubles", "  2) 7", "  2) see 24/11"])
def test_a_numbered_row_behind_the_result_is_still_a_row(row: str) -> None:
    game = _game(ROW, WINS, row)
    assert (game.broken is not None) or len(game.actions) == 3


def test_a_log_whose_games_are_all_broken_still_reads() -> None:
    log = _log("7 point match", " Game 1", SEATS, "  1) ??", " Game 2", SEATS, "  1) 99: 8/5")
    assert all(game.broken is not None for game in log.games)


def test_empty_rows_unfinished_games_and_games_without_a_roll_are_kept() -> None:
    log = _log("7 point match", "Game 1", SEATS, "  1)", "   ", "Game 2", SEATS, ROW)
    assert [(len(game.rolls), game.result) for game in log.games] == [(0, None), (2, None)]


def test_every_roll_knows_its_line() -> None:
    assert [roll.place.line for roll in _game(ROW, "", ROW).rolls] == [5, 5, 7, 7]


# Limits


def test_too_many_games_rolls_or_letters_are_refused() -> None:
    with pytest.raises(TooLargeError, match="more than 1000 games"):
        _log("7 point match", *["Game 1"] * 1001)
    with pytest.raises(TooLargeError, match="more than 1000 rolls"):
        _game(*[ROW] * 2501)
    with pytest.raises(TooLargeError, match="4097 characters"):
        _game(" " * 4097)


@pytest.mark.parametrize(
    "piece", ["31: ", "Illegal play (", "12: Illegal play (;", ": 0 ", "1) ", '; [x "', " "]
)
def test_hostile_text_takes_no_more_than_linear_time(piece: str) -> None:
    """Were it quadratic, this would take hours."""
    line = (piece * 4096)[:4096]
    log = _log("7 point match", "Game 1", *[line] * 200)
    assert len(log.games) == 1


def test_a_game_whose_title_cannot_be_read_gives_no_roll_to_the_game_before() -> None:
    text = """ 5 point match

 Game 1
 Ann : 0                           Bo : 0
  1) 31: 8/5 6/5                    62: 24/18 13/11
  2)  Resigns
                                      Wins 1 point

 Gmae 2
 Ann : 0                           Bo : 1
  1) 42: 8/4 6/4                    65: 24/13
  2) 55: 8/3(2) 6/1(2)
      Wins 1 point

 Game 3
 Ann : 1                           Bo : 1
  1) 64: 24/14
"""
    log = read_log(text.encode())
    assert [(game.number, len(game.rolls)) for game in log.games] == [(1, 2), (3, 1)]
    codes = [remark.code for remark in log.games[0].remarks]
    assert RemarkCode.PART_IGNORED in codes
    assert [remark.code for remark in log.remarks] == [RemarkCode.GAME_MISSING]
