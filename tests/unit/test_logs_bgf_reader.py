"""What the reader of .bgf files takes, what it does not, and what it says where a file is odd or broken."""

import gzip
from typing import Any

import pytest

from adjudicator.errors import Place, RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs import packed_parts
from adjudicator.logs.bgf import smile
from adjudicator.logs.bgf.reader import is_bgf, read_bgf
from adjudicator.logs.limits import MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import GameRecord, Movement, RecordedResult, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant
from tests.bgf_writer import DANCE, GAME_OVER, RESIGN, entry, event, pack_document, points
from tests.boards import board
from tests.smile_writer import smile_bytes

Json = dict[str, Any]

OVER = event(Side.WHITE, GAME_OVER)
OPENING = entry(RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY, (Movement(8, 5), Movement(6, 5))))


def game_of(*entries: Json, variant: Variant = BACKGAMMON, **changed: Any) -> Json:
    initial = {"cube": 1, "cubeOwner": 0, "points": points(variant.start)}
    return {
        "scoreGreen": 0,
        "scoreRed": 0,
        "wonPoints": 1,
        "initial": initial,
        "moves": list(entries),
    } | changed


def document_of(*games: Any, **changed: Any) -> Json:
    head = {"matchlen": 7, "useCrawford": True, "nameGreen": "Ann", "nameRed": "Bo"}
    return head | {"finalGreen": 1, "finalRed": 0, "games": list(games)} | changed


def read(*games: Any, **changed: Any) -> MatchLog:
    return read_bgf(pack_document(document_of(*games, **changed)))


def only_game(*entries: Json, **changed: Any) -> GameRecord:
    (game,) = read(game_of(*entries, **changed)).games
    return game


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("use_smile", [True, False])
def test_the_head_says_how_the_rest_is_packed(compress: bool, use_smile: bool) -> None:
    content = pack_document(document_of(game_of(OPENING)), compress=compress, use_smile=use_smile)
    assert is_bgf(content)
    log = read_bgf(content)
    assert (log.white, log.black, len(log.games[0].rolls)) == ("Ann", "Bo", 1)


def test_a_dance_has_its_dice_where_other_plays_have_points() -> None:
    dance = event(Side.BLACK, DANCE) | {"from": [6, -1, -1, -1], "to": [4, -1, -1, -1]}
    roll = only_game(OPENING, dance).rolls[1]
    assert (roll.side, roll.dice, roll.writing) == (Side.BLACK, Dice(6, 4), Writing.CANNOT_MOVE)


def test_a_roll_without_steps_is_blank() -> None:
    assert only_game(OPENING | {"from": [-1] * 4, "to": [-1] * 4}).rolls[0].writing is Writing.NOTHING


def test_a_resignation_does_not_say_what_it_gives() -> None:
    game = only_game(OPENING, event(Side.BLACK, RESIGN), event(Side.WHITE, GAME_OVER))
    assert game.actions[1] == ResignRecord(Side.BLACK, None, Place(pointer="/games/0/moves/1"))
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (Side.WHITE, 1)


def test_points_that_are_not_written_follow_from_the_scores_with_a_remark() -> None:
    first = game_of(OPENING, event(Side.BLACK, GAME_OVER), wonPoints=0)
    second = game_of(OPENING, event(Side.BLACK, GAME_OVER), wonPoints=0, scoreRed=2)
    games = read(first, second, finalGreen=0, finalRed=6).games
    assert [game.result and (game.result.winner, game.result.points) for game in games] == [
        (Side.BLACK, 2),
        (Side.BLACK, 4),
    ]
    assert [remark.code for game in games for remark in game.remarks] == [RemarkCode.RESULT_FROM_SCORE] * 2


@pytest.mark.parametrize(("final_green", "final_red"), [(0, 0), (1, 1), (0, -0)])
def test_scores_that_do_not_tell_a_winner_give_no_result(final_green: int, final_red: int) -> None:
    log = read(game_of(OPENING, wonPoints=0), finalGreen=final_green, finalRed=final_red)
    assert log.games[0].result is None


def test_a_result_that_the_scores_contradict_stands_as_written() -> None:
    log = read(game_of(OPENING, event(Side.WHITE, GAME_OVER), wonPoints=2), finalGreen=0, finalRed=1)
    result = log.games[0].result
    assert result is not None
    assert (result.winner, result.points) == (Side.WHITE, 2)


@pytest.mark.parametrize("variant", [BACKGAMMON, NACKGAMMON, HYPERGAMMON])
def test_the_start_tells_the_game(variant: Variant) -> None:
    log = read(game_of(OPENING, variant=variant), gameMode=9)
    assert (log.variant, log.games[0].start) == (variant, None)


def test_a_start_of_its_own_is_kept() -> None:
    start = board(own={25: 1, 6: 5, 3: 2}, opponent={25: 2, 4: 3})
    game = only_game(OPENING, initial={"points": points(start)})
    assert game.start == start


@pytest.mark.parametrize(
    ("changed", "kind"),
    [({"egyptian": True}, "the Egyptian rule"), ({"points": [0] * 28}, "mode 3")],
)
def test_other_games_are_refused_by_name(changed: Json, kind: str) -> None:
    game = game_of(OPENING)
    game["initial"] |= changed
    with pytest.raises(UnsupportedVariantError, match=kind):
        read(game, gameMode=3)


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (OPENING | {"red": 8}, "a die shows 1 to 6"),
        (OPENING | {"player": 0}, "player has to be -1, green, or 1, red"),
        (OPENING | {"from": [26, -1, -1, -1]}, "a step from 26"),
        (OPENING | {"to": [-2, -1, -1, -1]}, "a step from 8 to -2"),
        (OPENING | {"from": [8] * 5, "to": [5] * 5}, "at most 4"),
        (OPENING | {"from": [8]}, "same length"),
        (OPENING | {"from": "8"}, "from has to be a list"),
        (OPENING | {"from": [None]}, "list of whole numbers"),
        (OPENING | {"green": None}, "green has to be a whole number"),
        (event(Side.WHITE, 6), "code 6"),
        (event(Side.WHITE, DANCE) | {"from": []}, "from is empty"),
        ({}, "player has to be"),
        (None, "an entry has to be an object"),
    ],
)
def test_an_entry_that_cannot_be_breaks_its_game_alone(odd: Any, reason: str) -> None:
    broken, whole = read(game_of(OPENING, odd, OPENING, OVER), game_of(OPENING, OVER, scoreGreen=1)).games
    assert broken.broken is not None
    assert reason in broken.broken.reason
    assert broken.broken.place == Place(pointer="/games/0/moves/1", game=1, turn=2)
    assert (len(broken.rolls), broken.result is not None) == (1, True)
    assert whole.broken is None


@pytest.mark.parametrize(
    ("odd", "reason", "winner"),
    [
        (3, "a game has to be an object, not 3", None),
        (None, "a game has to be an object", None),
        (game_of(OPENING, moves=3), "moves has to be a list", None),
        (game_of(OVER, scoreRed=-1), "scoreRed has to be a whole number", Side.WHITE),
        (game_of(OVER, wonPoints=-1), "wonPoints has to be a whole number", Side.WHITE),
        (game_of(OVER, initial=7), "initial has to be an object", Side.WHITE),
        (game_of(OVER, initial={"points": [3] * 28}), "75 checkers on the board", Side.WHITE),
        (
            game_of(OVER, initial={"points": [1]}),
            "points has to have 24 counts and the bars, not 1",
            Side.WHITE,
        ),
    ],
)
def test_a_game_whose_head_cannot_be_read_is_broken_alone(odd: Any, reason: str, winner: Side | None) -> None:
    broken, whole = read(odd, game_of(OPENING, OVER)).games
    assert broken.broken is not None
    assert reason in broken.broken.reason
    assert broken.broken.place == Place(pointer="/games/0", game=1, turn=1)
    assert (broken.result and broken.result.winner) is winner
    assert (whole.broken, len(whole.rolls)) == (None, 1)


def test_points_that_nothing_tells_are_not_told() -> None:
    log = read(game_of(OPENING, OVER, wonPoints=0), finalGreen=0, finalRed=0)
    assert log.games[0].result == RecordedResult(Side.WHITE, None, Place(pointer="/games/0", game=1))


def test_a_cube_turned_before_the_game_breaks_it() -> None:
    game = game_of(OPENING, event(Side.WHITE, GAME_OVER))
    game["initial"]["cube"] = 4
    (found,) = read(game).games
    assert found.broken is not None
    assert "begins with the cube at 4" in found.broken.reason
    assert (found.rolls, found.result is not None) == ((), True)


GOOD = pack_document(document_of(game_of(OPENING)))
HEAD = GOOD[: GOOD.index(b"\n") + 1]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "first line is not a JSON object"),
        (b'{"format":"BGX"}\n', "first line is not a JSON object"),
        (b"[" * 2000, "first line is not a JSON object"),
        (b"[" * 1000, "first line is not a JSON object"),
        (HEAD, "cut short"),
        (HEAD + b"\x1f\x8b", "cut short"),
        (GOOD[:-9], "cut short"),
        (GOOD[:-8] + bytes([GOOD[-8] ^ 1]) + GOOD[-7:], "damaged"),
        (HEAD + gzip.compress(b"{}"), "does not begin with the mark of Smile"),
        (HEAD + gzip.compress(smile_bytes([])), "the match has to be an object"),
        (HEAD + gzip.compress(smile_bytes({})), "holds no game"),
        (pack_document(document_of()), "holds no game"),
        (pack_document(document_of(matchlen=-1)), "matchlen has to be a whole number"),
        (pack_document(document_of(matchlen=10**10)), "matchlen has to be a whole number"),
        (pack_document(document_of(nameGreen="x" * 5000)), "5000 characters"),
        (pack_document(document_of(nameGreen=7)), "nameGreen has to be text"),
        (pack_document(document_of(nameGreen="a\0")), "nameGreen holds a character that cannot be stored"),
        (pack_document(document_of(event="\ud800"), use_smile=False), "event holds a character that cannot"),
        (pack_document(document_of(useCrawford=1)), "useCrawford has to be true or false"),
        (HEAD.replace(b"true", b"false") + b"[[", "is no JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(content: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_bgf(content)
    assert reason in str(caught.value)


def test_a_bomb_is_refused_before_it_is_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_parts, "MAX_INFLATED_BYTES", 100_000)
    with pytest.raises(TooLargeError, match="inflates to more than"):
        read_bgf(HEAD + gzip.compress(bytes(100_001)))


def test_too_many_games_rolls_or_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match="too long"):
        read(game_of(*[OPENING] * (MAX_ROLLS + 1)))
    with pytest.raises(TooLargeError, match=str(MAX_GAMES)):
        read(*[{}] * (MAX_GAMES + 1))
    monkeypatch.setattr(smile, "MAX_VALUES", 20)
    with pytest.raises(RecordError, match="more than 20 values"):
        read(game_of(OPENING))


def test_the_score_is_the_one_before_the_game() -> None:
    game = only_game(OPENING, scoreGreen=2, scoreRed=5, isCrawford=True)
    assert (game.score, game.crawford) == (Score(2, 5), True)
