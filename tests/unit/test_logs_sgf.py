"""GNU Backgammon's SGF: what every property means, and what damage does."""

import pytest

from adjudicator.errors import RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs.limits import MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.logs.sgf.trees import MAX_VALUE_LENGTH
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import HYPERGAMMON, NACKGAMMON

WHITE, BLACK = Side
INFO = "MI[length:5][game:0][ws:0][bs:0]"


def _tree(nodes: str, root: str = "", info: str = INFO, players: str = "PW[Ann]PB[Bo]") -> str:
    return f"(;FF[4]GM[6]{info}{players}{root}\n{nodes})\n"


def _log(text: str) -> MatchLog:
    return read_log(text.encode())


def _game(nodes: str, root: str = "") -> GameRecord:
    (game,) = _log(_tree(nodes, root)).games
    return game


def _broken(game: GameRecord) -> str:
    assert game.broken is not None
    return str(game.broken)


# --- roots


def test_the_root_tells_players_length_number_and_score() -> None:
    log = _log(_tree(";W[31hefe]", info="MI[length:7][game:2][ws:3][bs:5]"))
    assert (log.format, log.match_length, log.white, log.black) == ("gnubg_sgf", 7, "Ann", "Bo")
    assert (log.games[0].number, log.games[0].score) == (3, Score(3, 5))
    assert RemarkCode.GAME_MISSING in [remark.code for remark in log.remarks]


def test_without_match_information_it_is_a_money_session() -> None:
    log = _log(_tree(";W[31hefe]", info="", root="RU[Jacoby]"))
    assert (log.match_length, log.jacoby, log.crawford, log.games[0].score) == (0, True, False, None)


@pytest.mark.parametrize(
    ("rules", "log_says", "game_says"),
    [
        ("", False, None),
        ("RU[NoCube]", False, None),
        ("RU[Crawford]", True, False),
        ("RU[Crawford:CrawfordGame]", True, True),
    ],
)
def test_the_rules_say_whether_this_is_the_crawford_game(
    rules: str, log_says: bool, game_says: bool | None
) -> None:
    log = _log(_tree(";W[31hefe]", rules))
    assert (log.crawford, log.games[0].crawford) == (log_says, game_says)


@pytest.mark.parametrize(
    ("rule", "variant"), [("Crawford:Nackgammon", NACKGAMMON), ("Hypergammon3", HYPERGAMMON)]
)
def test_the_rules_name_the_game(rule: str, variant: object) -> None:
    assert _log(_tree(";W[31hefe]", f"RU[{rule}]")).variant is variant


@pytest.mark.parametrize("rule", ["Hypergammon1", "Hypergammon2", "Tabula"])
def test_a_game_that_is_not_known_is_refused_by_name(rule: str) -> None:
    with pytest.raises(UnsupportedVariantError, match=rule):
        _log(_tree(";W[31hefe]", f"RU[{rule}]"))


@pytest.mark.parametrize(("game", "name"), [("GM[1]", "Go"), ("", "Go"), ("GM[3]", "chess")])
def test_sgf_of_another_game_is_refused_by_its_name(game: str, name: str) -> None:
    with pytest.raises(UnsupportedVariantError, match=name):
        _log(f"(;FF[4]{game};B[aa])")


def test_trees_of_other_games_beside_those_of_backgammon_are_left_out_with_a_remark() -> None:
    log = _log("(;GM[1];B[aa])\n" + _tree(";W[31hefe]"))
    assert len(log.games) == 1
    assert [(remark.code, remark.place.line) for remark in log.remarks] == [(RemarkCode.PART_IGNORED, 1)]


@pytest.mark.parametrize(
    ("result", "winner", "points"), [("W+1", WHITE, 1), ("b+16", BLACK, 16), ("W+2T", WHITE, 2)]
)
def test_the_result_is_winner_and_points(result: str, winner: Side, points: int) -> None:
    game = _game(";W[31hefe]", f"RE[{result}]")
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (winner, points)
    assert not any(isinstance(action, ResignRecord) for action in game.actions)


@pytest.mark.parametrize("result", ["", "RE[]", "RE[?]", "RE[Void]"])
def test_a_game_without_a_result_is_unfinished(result: str) -> None:
    assert (_game(";W[31hefe]", result).result, _game(";W[31hefe]", result).remarks) == (None, ())


@pytest.mark.parametrize(("result", "winner"), [("W+", WHITE), ("B+R", BLACK), ("W+Time", WHITE)])
def test_a_result_without_points_still_tells_the_winner(result: str, winner: Side) -> None:
    game = _game(";W[31hefe]", f"RE[{result}]")
    assert game.result is not None
    assert (game.result.winner, game.result.points, game.remarks) == (winner, None, ())


@pytest.mark.parametrize("result", ["W+x", "Ann"])
def test_a_result_that_cannot_be_read_is_left_out_with_a_remark(result: str) -> None:
    game = _game(";W[31hefe]", f"RE[{result}]")
    assert game.result is None
    assert [remark.code for remark in game.remarks] == [RemarkCode.PART_IGNORED]


@pytest.mark.parametrize(
    ("points", "win"),
    [(2, Win.SINGLE), (4, Win.GAMMON), (6, Win.BACKGAMMON), (1, None), (5, None), (8, None)],
)
def test_a_resignation_gives_the_kind_of_win_that_its_points_are_worth(points: int, win: Win | None) -> None:
    game = _game(";W[31hefe]\n;B[double]\n;W[take]", f"RE[W+{points}R]")
    last = game.actions[-1]
    assert isinstance(last, ResignRecord)
    assert (last.side, last.win) == (BLACK, win)


def test_a_match_length_that_is_no_number_is_refused() -> None:
    with pytest.raises(RecordError, match="length:x"):
        _log(_tree(";W[31hefe]", info="MI[length:x]"))


def test_a_score_that_is_no_number_is_left_out_with_a_remark() -> None:
    game = _log(_tree(";W[31hefe]", info="MI[length:3][ws:x][bs:0]")).games[0]
    assert (game.score, [remark.code for remark in game.remarks]) == (None, [RemarkCode.PART_IGNORED])


@pytest.mark.parametrize("info", ["MI[length:7][game:1]", "MI[length:0][game:1]"])
def test_games_of_two_match_lengths_are_two_matches(info: str) -> None:
    with pytest.raises(RecordError, match="more than one match"):
        _log(_tree(";W[31hefe]") + _tree(";W[31hefe]", info=info))


def test_games_of_two_variants_are_two_matches() -> None:
    with pytest.raises(RecordError, match="more than one match"):
        _log(_tree(";W[31hefe]") + _tree(";W[31hefe]", "RU[Nackgammon]", info="MI[length:5][game:1]"))


@pytest.mark.parametrize("players", ["PW[Bo]PB[Ann]", "PW[Ann]PB[Cy]"])
def test_of_a_game_of_other_players_nothing_is_read(players: str) -> None:
    info = "MI[length:5][game:1][ws:1][bs:0]"
    log = _log(_tree(";W[31hefe]") + _tree(";W[31hefe]", "RE[W+1]", info=info, players=players))
    assert log.games[0].broken is None
    assert "players are not those" in _broken(log.games[1])
    assert (log.games[1].actions, log.games[1].result) == ((), None)


# --- nodes


def test_points_count_from_whites_home_for_both() -> None:
    white, black = _game(";W[61yxgz];B[61yarz]").rolls
    assert white.movements == black.movements == (Movement(25, 24), Movement(7, 0))


def test_a_play_that_goes_upwards_is_not_read_and_keeps_its_dice() -> None:
    roll = _game(";W[31efgh]").rolls[0]
    assert (roll.dice, roll.writing) == (Dice(3, 1), Writing.UNREAD)
    assert "downwards" in roll.unread


@pytest.mark.parametrize("play", ["31hefeh", "31hehehehehe", "31h1", "31zz", "31éa"])
def test_letters_that_are_no_play_keep_the_dice(play: str) -> None:
    roll = _game(f";W[{play}]").rolls[0]
    assert (roll.dice, roll.writing, bool(roll.unread)) == (Dice(3, 1), Writing.UNREAD, True)


@pytest.mark.parametrize("value", ["", "3", "71", "ab", "doubles"])
def test_a_node_that_is_no_roll_breaks_the_game_with_line_and_turn(value: str) -> None:
    game = _game(f";W[31hefe]\n;B[{value}]\n;W[21hefe]")
    assert [roll.side for roll in game.rolls] == [WHITE]
    assert _broken(game).startswith("line 3, game 1, turn 2: ")


def test_two_plays_in_one_node_break_the_game() -> None:
    assert "two plays" in _broken(_game(";W[31hefe]B[21]"))


def test_a_roll_without_letters_is_a_blank() -> None:
    assert _game(";W[66]").rolls[0].writing is Writing.NOTHING


def test_dice_thrown_and_not_played_are_a_roll_of_their_own() -> None:
    game = _game(";W[31hefe]\n;PL[B]DI[65]", "RE[W+1R]")
    assert [(roll.side, roll.dice, roll.writing) for roll in game.rolls][1:] == [
        (BLACK, Dice(6, 5), Writing.NOT_PLAYED)
    ]
    assert isinstance(game.actions[-1], ResignRecord)


def test_dice_thrown_and_then_played_are_one_roll() -> None:
    assert len(_game(";PL[W]DI[31]\n;W[31hefe]").rolls) == 1


@pytest.mark.parametrize("following", [";W[32hefe]", ";B[31]", ";W[double]"])
def test_dice_thrown_and_not_those_played_are_two_rolls(following: str) -> None:
    first = _game(f";PL[W]DI[31]\n{following}").actions[0]
    assert isinstance(first, RollRecord)
    assert (first.side, first.writing) == (WHITE, Writing.NOT_PLAYED)


def test_dice_without_a_side_belong_to_the_other_side_than_the_last_roll() -> None:
    assert [roll.side for roll in _game(";W[31hefe];DI[21]").rolls] == [WHITE, BLACK]
    assert "nothing tells by whom" in _broken(_game(";DI[21]"))


def _cube(game: GameRecord) -> list[tuple[Side, CubeAction]]:
    return [(action.side, action.action) for action in game.actions if isinstance(action, CubeRecord)]


def test_a_double_right_after_a_double_is_a_beaver_and_needs_no_answer() -> None:
    game = _game(";W[31hefe];B[double];W[double];B[take];B[42]", "RE[B+8R]")
    assert _cube(game) == [(BLACK, CubeAction.DOUBLE), (WHITE, CubeAction.BEAVER)]
    last = game.actions[-1]
    assert isinstance(last, ResignRecord)
    assert last.win is Win.GAMMON


def test_a_third_double_in_a_row_breaks_the_game() -> None:
    assert "raccoon" in _broken(_game(";B[double];W[double];B[double]"))


def test_a_double_by_the_same_side_again_is_a_double() -> None:
    game = _game(";B[double];B[double];W[drop]")
    assert _cube(game) == [(BLACK, CubeAction.DOUBLE)] * 2 + [(WHITE, CubeAction.DROP)]


def test_automatic_doubles_break_the_game() -> None:
    assert "CV[2]" in _broken(_game(";W[31hefe]", "CV[2]"))


@pytest.mark.parametrize("cube", ["CV[1]", "CP[c]", "CV[1]CP[c]"])
def test_a_cube_that_says_nothing_new_is_passed_over(cube: str) -> None:
    assert _game(f";{cube};W[31hefe]").broken is None


@pytest.mark.parametrize("cube", ["CV[4]", "CP[w]", "CP[c]", "CP[x]", "CV[x]"])
def test_a_cube_that_no_double_brought_about_breaks_the_game(cube: str) -> None:
    played = ";W[double];B[take]"
    assert _game(f"{played};CV[2]CP[b]").broken is None
    assert "sets a cube" in _broken(_game(f"{played};{cube}"))


SET_UP = ";PL[B]AE[a:y]AW[a:b][y]AB[x][x][y]"


def test_a_board_that_is_set_up_before_the_first_roll_is_the_start() -> None:
    game = _game(f"{SET_UP};B[21]")
    white, black = checkers_from({1: 1, 2: 1, 25: 1}, 15), checkers_from({1: 2, 25: 1}, 15)
    assert (game.start, game.broken) == (Position(white, black), None)


def test_a_board_that_is_set_up_later_breaks_the_game() -> None:
    assert "in mid-game" in _broken(_game(f";W[31hefe]{SET_UP}"))


@pytest.mark.parametrize(
    "set_up", [";AE[a:y]AW[a]AB[a]", ";AW[f]", ";AW[zz]", ";AE[y:a]", ";AB[a:]", ";AW[é]"]
)
def test_a_board_that_cannot_be_breaks_the_game(set_up: str) -> None:
    assert _broken(_game(f"{set_up};W[31hefe]"))


def test_analysis_and_comments_are_passed_over() -> None:
    game = _game(";W[31hefe]A[0][hefe E ver 3 0.5]DA[E ver 3 2C 1]LU[+0.1]GB[1]BM[1]C[so: (;W[66\\])]")
    assert (len(game.rolls), game.broken, game.remarks) == (1, None, ())


# --- trees


def test_only_the_main_line_is_read_and_the_rest_remarked_on() -> None:
    game = _game(";W[31hefe]\n(;B[42];W[11])\n(;B[66](;W[22])(;W[33]))")
    assert [roll.dice for roll in game.rolls] == [Dice(3, 1), Dice(4, 2), Dice(1, 1)]
    assert [(remark.code, remark.place.line) for remark in game.remarks] == [(RemarkCode.PART_IGNORED, 4)]


def test_branches_nest_as_deep_as_they_like() -> None:
    game = _game("(;W[31hefe]" * 900 + ")" * 900)
    assert len(game.rolls) == 900


def test_escapes_are_undone() -> None:
    log = _log(_tree(";W[31hefe]", players=r"PW[A\]n\\n]PB[B\:o]"))
    assert (log.white, log.black) == (r"A]n\n", "B:o")


def test_small_letters_in_names_mean_nothing() -> None:
    assert _log("(;FileFormat[3]GaMe[6]PlayerWhite[Ann]PlayerBlack[Bo];W[31hefe])").white == "Ann"


def test_a_game_that_is_not_closed_is_broken_and_the_next_goes_on() -> None:
    second = _tree(";W[42hdfd]", info="MI[length:5][game:1][ws:0][bs:0]")
    log = _log(_tree(";W[31hefe]").replace("])\n", "]\n") + second)
    assert [len(game.rolls) for game in log.games] == [1, 1]
    assert "not closed" in _broken(log.games[0])
    assert log.games[1].broken is None


def test_a_value_without_an_end_breaks_the_last_game_only() -> None:
    log = _log(_tree(";W[31hefe]") + _tree(";W[42hdfd]\n;B[31", info="MI[length:5][game:1]").rstrip(")\n"))
    assert log.games[0].broken is None
    assert [roll.dice for roll in log.games[1].rolls] == [Dice(4, 2)]
    assert _broken(log.games[1]).startswith("line 5, game 2, turn 2: ")


@pytest.mark.parametrize("junk", ["x ", "!?", "abc", "][", "C"])
def test_text_between_the_properties_breaks_the_game_after_what_stands_before_it(junk: str) -> None:
    game = _game(f";W[31hefe]\n;B[42]{junk}\n;W[11]")
    assert game.broken is not None
    assert game.broken.place.line == 3


def test_text_outside_of_trees_is_left_out_with_a_remark() -> None:
    log = _log(_tree(";W[31hefe]") + "bye!\n")
    assert [(remark.code, remark.place.line) for remark in log.remarks] == [(RemarkCode.PART_IGNORED, 3)]


def test_the_charset_that_the_file_names_is_taken() -> None:
    text = _tree(";W[31hefe]", "CA[ISO-8859-2]", players="PW[Zoł]PB[Bo]")
    log = read_log(text.encode("iso-8859-2"))
    assert (log.white, log.remarks) == ("Zoł", ())


def test_bytes_that_are_not_in_the_charset_named_are_guessed_with_a_remark() -> None:
    log = read_log(_tree(";W[31hefe]", "CA[UTF-8]", players="PW[Zoé]PB[Bo]").encode("latin-1"))
    assert [remark.code for remark in log.remarks] == [RemarkCode.ENCODING_GUESSED]


def test_a_file_without_a_tree_is_refused() -> None:
    with pytest.raises(RecordError, match="holds no game"):
        read_log(b"hello", format_name="gnubg_sgf")


@pytest.mark.parametrize(
    "text",
    [
        _tree(f";C[{'x' * (MAX_VALUE_LENGTH + 1)}]"),
        _tree(";W[31]" * (MAX_ROLLS + 1)),
        _tree(";W[double];B[take]" * (2 * MAX_ROLLS + 1)),
        _tree(";W[31]") * (MAX_GAMES + 1),
    ],
    ids=["value", "rolls", "cube actions", "games"],
)
def test_beyond_the_limits_a_file_is_refused(text: str) -> None:
    with pytest.raises(TooLargeError):
        _log(text)
