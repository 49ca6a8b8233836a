"""What the reader of .xg files takes, what it does not, and what it says where a file is odd or broken."""

import struct
import zlib
from collections.abc import Callable

import pytest

from adjudicator.errors import AdjudicatorError, RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs import packed_parts
from adjudicator.logs.limits import MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.xg.reader import is_xg, read_xg
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import replay
from adjudicator.rules.score import GameTerms, Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import board
from tests.xg_writer import cube_record, match_head, new_record, pack_records, points, roll_record

NIL_NIL = Score()
LOG = MatchLog("", 7, "Ann", "Bo", ())
START = BACKGAMMON.start
OPENING = RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY, (Movement(8, 5), Movement(6, 5)))
AFTER_OPENING = board(own={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, opponent={24: 2, 13: 5, 8: 3, 6: 5})


def game_head(
    number: int = 1, *, start: Position = START, score: Score = NIL_NIL, auto_doubles: int = 0
) -> bytes:
    record = new_record(1)
    struct.pack_into("<iiB", record, 12, score.white, score.black, 0)
    struct.pack_into("<26b", record, 21, *points(start))
    struct.pack_into("<i", record, 48, number)
    struct.pack_into("<i", record, 64, auto_doubles)
    return bytes(record)


def game_end(winner: int = 1, won: int = 1, termination: int = 1) -> bytes:
    record = new_record(4)
    struct.pack_into("<3i", record, 24, winner, won, termination)
    return bytes(record)


def opening(*, judged: int = 0, change: Callable[[bytearray], None] = lambda _: None) -> bytes:
    record = bytearray(roll_record(OPENING, START, AFTER_OPENING, judged=judged))
    change(record)
    return bytes(record)


def read(*records: bytes, log: MatchLog = LOG) -> MatchLog:
    return read_xg(pack_records([match_head(log), *records]))


def only_game(*records: bytes) -> GameRecord:
    (game,) = read(game_head(), *records).games
    return game


def test_a_play_is_read_with_its_hits_from_the_boards() -> None:
    hit_board = board(own={24: 2, 13: 5, 8: 3, 6: 5}, opponent={24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    roll = RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY, (Movement(8, 5), Movement(6, 5)))
    after = board(own={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, opponent={25: 1, 24: 1, 13: 5, 8: 3, 6: 5})
    (game,) = read(game_head(start=hit_board), roll_record(roll, hit_board, after)).games
    assert game.start == hit_board
    assert game.rolls[0].movements == (Movement(8, 5, hit=True), Movement(6, 5))


def test_no_step_and_an_unchanged_board_is_a_dance() -> None:
    roll = RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY)
    assert only_game(roll_record(roll, START, START)).rolls[0].writing is Writing.CANNOT_MOVE


def test_an_illegal_play_that_can_be_made_is_a_play() -> None:
    roll = RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY, (Movement(6, 5),))
    after = board(own={24: 2, 13: 5, 8: 3, 6: 4, 5: 1}, opponent={24: 2, 13: 5, 8: 3, 6: 5})
    (read_roll,) = only_game(roll_record(roll, START, after, judged=2)).rolls
    assert (read_roll.writing, read_roll.movements) == (Writing.PLAY, (Movement(6, 5),))


def test_an_illegal_play_of_too_many_pips_is_the_board_it_came_to() -> None:
    roll = RollRecord(Side.BLACK, Dice(2, 1), Writing.PLAY, (Movement(13, 7),))
    after = board(own={24: 2, 13: 4, 8: 3, 7: 1, 6: 5}, opponent={24: 2, 13: 5, 8: 3, 6: 5})
    game = only_game(roll_record(roll, START, after, judged=2))
    assert (game.rolls[0].writing, game.rolls[0].agreed) == (Writing.POSITION, after)
    replayed = replay(game, BACKGAMMON, GameTerms(7, Score()))
    assert [remark.code for remark in replayed.remarks] == [RemarkCode.POSITION_AGREED]
    assert replayed.turns[0].after == after


def test_steps_that_do_not_lead_to_the_board_keep_only_the_dice() -> None:
    (roll,) = only_game(roll_record(OPENING, START, START)).rolls
    assert (roll.writing, roll.dice, roll.movements) == (Writing.UNREAD, Dice(3, 1), ())
    assert roll.unread == "its steps do not lead to the board after it"


def test_a_board_set_by_hand_makes_the_play_before_it_unread() -> None:
    reply = RollRecord(Side.BLACK, Dice(2, 1), Writing.PLAY, (Movement(6, 4), Movement(6, 5)))
    after = board(own={24: 2, 13: 5, 8: 3, 6: 3, 5: 1, 4: 1}, opponent={24: 2, 13: 5, 8: 3, 6: 5})
    game = only_game(opening(), roll_record(reply, START, after))
    assert [roll.writing for roll in game.rolls] == [Writing.UNREAD, Writing.PLAY]
    assert "by hand" in game.rolls[0].unread


def test_a_board_set_by_hand_before_the_first_roll_breaks_the_game() -> None:
    other = board(own={6: 5}, opponent={6: 5})
    game = only_game(roll_record(RollRecord(Side.WHITE, Dice(2, 1), Writing.PLAY), other, other))
    assert game.broken is not None
    assert "is not the start of the game" in game.broken.reason
    assert game.rolls == ()


@pytest.mark.parametrize(
    ("take", "answers"),
    [(0, [CubeAction.DROP]), (1, [CubeAction.TAKE]), (2, [CubeAction.BEAVER]), (-1, [])],
)
def test_a_double_has_the_answer_that_is_written(take: int, answers: list[CubeAction]) -> None:
    game = only_game(opening(), bytes(cube_record(Side.BLACK, doubled=1, take=take, value=2)))
    double, *rest = [action for action in game.actions if isinstance(action, CubeRecord)]
    assert (double.side, double.action, double.value) == (Side.BLACK, CubeAction.DOUBLE, 4)
    assert [(action.side, action.action) for action in rest] == [(Side.WHITE, answer) for answer in answers]


@pytest.mark.parametrize(
    ("beaver", "raccoon", "more"),
    [
        (1, -1, []),
        (0, -1, [(Side.BLACK, CubeAction.DROP)]),
        (2, 1, [(Side.BLACK, CubeAction.DOUBLE), (Side.WHITE, CubeAction.TAKE)]),
        (2, 0, [(Side.BLACK, CubeAction.DOUBLE), (Side.WHITE, CubeAction.DROP)]),
    ],
)
def test_answers_to_a_beaver(beaver: int, raccoon: int, more: list[tuple[Side, CubeAction]]) -> None:
    record = cube_record(Side.BLACK, doubled=1, take=2)
    struct.pack_into("<2i", record, 24, beaver, raccoon)
    game = only_game(opening(), bytes(record))
    found = [(action.side, action.action) for action in game.actions if isinstance(action, CubeRecord)]
    assert found == [(Side.BLACK, CubeAction.DOUBLE), (Side.WHITE, CubeAction.BEAVER), *more]
    values = [action.value for action in game.actions if isinstance(action, CubeRecord)]
    assert values == [2, None, *([8, None] if beaver == 2 else [None] * len(more))]


def test_dice_thrown_and_not_played_are_a_roll() -> None:
    game = only_game(opening(), bytes(cube_record(Side.BLACK, dice="64")), game_end(1, 2, 102))
    assert (game.rolls[1].side, game.rolls[1].dice) == (Side.BLACK, Dice(6, 4))
    assert game.rolls[1].writing is Writing.NOT_PLAYED
    assert game.actions[-1] == ResignRecord(Side.BLACK, Win.GAMMON)


def test_two_rolls_for_one_break_the_game() -> None:
    game = only_game(bytes(cube_record(Side.WHITE, dice="64")), opening())
    assert game.broken is not None
    assert "two rolls are written for one: 6-4 and 3-1" in game.broken.reason


@pytest.mark.parametrize(
    ("termination", "last"),
    [
        (101, ResignRecord(Side.WHITE, Win.SINGLE)),
        (103, ResignRecord(Side.WHITE, Win.BACKGAMMON)),
        (104, ResignRecord(Side.WHITE, None)),
        (1, None),
        (1001, None),
    ],
)
def test_a_resignation_is_told_by_the_end_of_the_game(termination: int, last: ResignRecord | None) -> None:
    game = only_game(opening(), game_end(-1, 3, termination))
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (Side.BLACK, 3)
    assert (game.actions[-1] if len(game.actions) > 1 else None) == last


def test_a_game_without_an_end_has_no_result() -> None:
    assert only_game(opening()).result is None
    assert only_game(opening(), game_end(0, 0, 0)).result is None


def test_a_money_session_has_no_crawford_game_and_may_have_jacoby() -> None:
    log = read(game_head(), opening(), log=MatchLog("", 0, "Ann", "Bo", (), jacoby=True))
    assert (log.match_length, log.crawford, log.jacoby) == (0, False, True)
    assert log.games[0].crawford is None


def test_names_of_old_files_are_taken_as_western_with_a_remark() -> None:
    first = bytearray(match_head(MatchLog("", 7, "", "", ())))
    first[9:15] = b"\x05H\xe9zec"
    log = read_xg(pack_records([bytes(first), game_head(), opening()]))
    assert (log.white, log.black) == ("Hézec", "")
    assert [remark.code for remark in log.remarks] == [RemarkCode.ENCODING_GUESSED]


def test_a_cube_that_was_doubled_before_the_game_breaks_it() -> None:
    (game,) = read(game_head(auto_doubles=1), opening(), game_end()).games
    assert game.broken is not None
    assert "doubled 1 times before the game began" in game.broken.reason
    assert game.rolls == ()
    assert game.result is not None


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (game_head().replace(b"\5", b"\6"), "17 checkers on the board"),
        (game_head(-1), "a game number of -1"),
        (game_head(score=Score(2**31 - 1)), "a score of 2147483647"),
    ],
)
def test_a_head_of_a_game_that_cannot_be_breaks_its_game_alone(head: bytes, reason: str) -> None:
    first, second = read(head, opening(), game_end(-1, 2), game_head(2), opening(), game_end()).games
    assert first.broken is not None
    assert f"record 2 cannot be read: {reason}" in first.broken.reason
    assert (first.rolls, first.result) == ((), RecordedResult(Side.BLACK, 2))
    assert (second.number, second.broken, len(second.rolls)) == (2, None, 1)


def test_a_game_without_points_has_a_winner_and_no_points() -> None:
    assert only_game(opening(), game_end(1, 0)).result == RecordedResult(Side.WHITE, None)


def damage(place: int, value: bytes) -> Callable[[bytearray], None]:
    def change(record: bytearray) -> None:
        record[place : place + len(value)] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (damage(100, b"\7"), "a die shows 1 to 6, not 7"),
        (damage(64, b"\2"), "a player numbered 2"),
        (damage(68, b"\x30"), "a step from 48"),
        (damage(9 + 6, b"\6"), "16 checkers"),
        (damage(35 + 1, b"\x7f"), "checkers"),
        (damage(9 + 25, b"\xff"), "a bar holds the wrong side's checkers"),
        (damage(8, b"\x63"), "its kind, 99, is not known here"),
    ],
)
def test_a_record_that_cannot_be_breaks_its_game_alone(
    change: Callable[[bytearray], None], reason: str
) -> None:
    log = read(game_head(), opening(change=change), game_end(), game_head(2), opening(), game_end())
    first, second = log.games
    assert first.broken is not None
    assert reason in first.broken.reason
    assert "record 3" in first.broken.reason
    assert first.broken.place.game == 1
    assert first.result is not None
    assert second.broken is None


GOOD = pack_records([match_head(LOG), game_head(), opening(), game_end()])
NO_DIRECTORY = pack_records([match_head(LOG), game_head(), opening(), game_end()], directory=False)


def test_the_picture_and_the_directory_change_nothing() -> None:
    records = [match_head(LOG), game_head(), opening(), game_end()]
    assert read_xg(GOOD) == read_xg(NO_DIRECTORY) == read_xg(pack_records(records, picture=b"\xff\xd8" * 99))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "does not begin with RGMH"),
        (b"RGMH" + bytes(19), "does not begin with RGMH"),
        (GOOD[:8232], "cut short"),
        (NO_DIRECTORY[:-1], "cut short"),
        (NO_DIRECTORY[:-3], "cut short"),
        (NO_DIRECTORY[: 8232 + 40], "cut short"),
        (NO_DIRECTORY[:8232] + b"\0" + NO_DIRECTORY[8233:], "damaged"),
        (NO_DIRECTORY[:-1] + bytes([NO_DIRECTORY[-1] ^ 1]), "damaged"),
        (GOOD[:20] + struct.pack("<I", 2**32 - 1) + GOOD[24:], "cut short"),
        (NO_DIRECTORY[:8232] + zlib.compress(bytes(2559)), "record 1 ends before its 2560 bytes"),
        (NO_DIRECTORY[:8232] + zlib.compress(b""), "not the head of a match"),
        (pack_records([game_head()]), "not the head of a match"),
        (pack_records([match_head(LOG)] * 2), "game 1: a second match begins here"),
        (pack_records([match_head(LOG)]), "holds no game"),
        (pack_records([match_head(LOG), opening()]), "none has begun"),
        (pack_records([match_head(LOG), game_head(), game_end(), opening()]), "record 4 cannot be read"),
        (pack_records([bytes(2560)]), "mark of the format"),
    ],
)
def test_what_is_no_whole_file_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_xg(content)
    assert reason in str(caught.value)


def with_entry(**changed: int) -> bytes:
    """The good file with a directory that says something else of the records."""
    entry_fields = {"size": 0, "start": 0, "crc": 0} | changed
    _, _, _, index_size, files_size, _ = struct.unpack_from("<IiiiiI", GOOD, len(GOOD) - 36)
    base = len(GOOD) - 36 - index_size
    entry = bytearray(zlib.decompress(GOOD[base:-36]))
    for place, key in ((516, "size"), (520, "start"), (524, "crc")):
        if key in changed:
            struct.pack_into("<i", entry, place, entry_fields[key])
    index = zlib.compress(bytes(entry))
    return GOOD[:base] + index + struct.pack("<IiiiiI12x", 0, 1, 1, len(index), files_size, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (with_entry(crc=7), "its checksum is wrong"),
        (with_entry(size=2**31 - 1), "points outside"),
        (with_entry(size=-5), "points outside"),
        (with_entry(start=-9), "points outside"),
        (with_entry(size=20), "cut short"),
    ],
)
def test_a_directory_that_does_not_fit_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_xg(content)


def test_other_games_are_refused_by_name() -> None:
    first = bytearray(match_head(LOG))
    struct.pack_into("<i", first, 96, 3)
    with pytest.raises(UnsupportedVariantError, match="longgammon"):
        read_xg(pack_records([bytes(first), game_head()]))


def test_a_bomb_is_refused_before_it_is_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_parts, "MAX_INFLATED_BYTES", 100_000)
    bomb = NO_DIRECTORY[:8232] + zlib.compress(bytes(100_001), 9)
    with pytest.raises(TooLargeError, match="inflates to more than"):
        read_xg(bomb)


def test_too_many_games_or_rolls_are_refused() -> None:
    dance = roll_record(RollRecord(Side.WHITE, Dice(3, 1), Writing.PLAY), START, START)
    with pytest.raises(TooLargeError, match="too long"):
        read(game_head(), *[dance] * (MAX_ROLLS + 1))
    with pytest.raises(TooLargeError, match=str(MAX_GAMES)):
        read(*[game_head()] * (MAX_GAMES + 1))


def test_any_content_is_told_without_an_error() -> None:
    assert is_xg(GOOD)
    assert not is_xg(b"RGM")
    with pytest.raises(AdjudicatorError):
        read_xg(b"RGM")
