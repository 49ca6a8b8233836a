"""What the reader of OGXM files takes, what it does not, and what it says where a file is odd or broken."""

import copy
import hashlib
import json
import struct
import zlib
from typing import Any

import pytest

from adjudicator.errors import Place, RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs.limits import MAX_ACTIONS, MAX_GAMES, MAX_ROLLS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.ogxm.container import MAX_SECTIONS
from adjudicator.logs.ogxm.reader import is_ogxm, read_ogxm
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from tests.boards import board
from tests.ogxm_codecs import write_gvab, write_gvab1
from tests.ogxm_writer import board_of, color

Json = dict[str, Any]

OPENING = {
    "color": 1,
    "action_id": 2,
    "d1": 1,
    "d2": 3,
    "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
}
"""White's 8/5 6/5."""
REPLY = {
    "color": 0,
    "action_id": 8,
    "d1": 2,
    "d2": 4,
    "moves": [{"from": 8, "pips": 4}, {"from": 6, "pips": 2}],
}
AFTER_OPENING = board(own={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, opponent={24: 2, 13: 5, 8: 3, 6: 5})


def document_of(*entries: Json, **changed: Any) -> Json:
    game = {"game_index": 0, "winner": 0, "points_won": 1, "plies": list(entries)}
    head = {"match_length": 7, "player_white": "Ann", "player_black": "Bo", "crawford": True}
    return head | {"games": [game]} | changed


def gva(document: Any) -> bytes:
    return json.dumps(document).encode()


def read(*entries: Json, **changed: Any) -> MatchLog:
    return read_ogxm(gva(document_of(*entries, **changed)))


def only_game(*entries: Json) -> GameRecord:
    (game,) = read(*entries).games
    return game


def entry(side: Side, action: int, **more: Any) -> Json:
    return {"color": color(side), "action_id": action, **more}


VERSION_1 = write_gvab1(document_of(OPENING, REPLY))
VERSION_2 = write_gvab(document_of(OPENING, REPLY))
JSON = gva(document_of(OPENING, REPLY))


@pytest.mark.parametrize("content", [VERSION_1, VERSION_2, JSON, b"\xef\xbb\xbf \n" + JSON])
def test_every_form_is_recognised_and_tells_the_same(content: bytes) -> None:
    assert is_ogxm(content)
    log = read_ogxm(content)
    assert (log.white, log.black, log.match_length, log.crawford) == ("Ann", "Bo", 7, True)
    first, second = log.games[0].rolls
    assert (first.side, sorted(first.dice), first.movements) == (
        Side.WHITE,
        [1, 3],
        (Movement(8, 5), Movement(6, 5)),
    )
    assert (second.side, set(second.movements)) == (Side.BLACK, {Movement(8, 4), Movement(6, 4)})
    assert log.games[0].result is not None
    assert (log.games[0].result.winner, log.games[0].result.points) == (Side.WHITE, 1)


@pytest.mark.parametrize("side", list(Side))
def test_both_sides_enter_and_bear_off_by_their_own_points(side: Side) -> None:
    bar, two = (0, 23) if side is Side.WHITE else (25, 2)
    steps = [{"from": bar, "pips": 4}, {"from": two, "pips": 6}]
    (roll,) = only_game(entry(side, 17, d1=4, d2=6, moves=steps)).rolls
    assert roll.movements == (Movement(25, 21), Movement(2, 0))


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("write", [gva, write_gvab1])
def test_an_illegal_play_is_the_board_it_came_to(side: Side, write: Any) -> None:
    after = AFTER_OPENING if side is Side.WHITE else AFTER_OPENING.swapped()
    set_position = entry(side, 31, d1=6, d2=5, set_position=board_of(after))
    (roll,) = read_ogxm(write(document_of(set_position))).games[0].rolls
    assert (roll.side, sorted(roll.dice), roll.writing) == (side, [5, 6], Writing.POSITION)
    assert roll.agreed == AFTER_OPENING


def test_the_side_of_an_illegal_play_in_version_2_is_the_next_one() -> None:
    """So the writer of that version turns it, and the reader turns it back."""
    set_position = entry(Side.BLACK, 31, d1=6, d2=5, set_position=board_of(AFTER_OPENING))
    (roll,) = read_ogxm(write_gvab(document_of(set_position))).games[0].rolls
    assert (roll.side, roll.agreed) == (Side.BLACK, AFTER_OPENING.swapped())


def test_a_position_before_the_first_roll_is_the_start() -> None:
    game = only_game(entry(Side.WHITE, 31, set_position=board_of(AFTER_OPENING)), REPLY)
    assert (game.start, len(game.rolls)) == (AFTER_OPENING, 1)


def test_a_position_set_later_makes_the_play_before_it_unread() -> None:
    game = only_game(OPENING, entry(Side.BLACK, 31, set_position=board_of(AFTER_OPENING)), REPLY)
    assert [roll.writing for roll in game.rolls] == [Writing.UNREAD, Writing.PLAY]
    assert "by hand" in game.rolls[0].unread


def test_cube_actions() -> None:
    entries = [
        entry(Side.BLACK, 21),
        entry(Side.WHITE, 32),
        entry(Side.BLACK, 33),
        entry(Side.WHITE, 22),
        entry(Side.BLACK, 23),
    ]
    actions = [action for action in only_game(OPENING, *entries).actions if isinstance(action, CubeRecord)]
    assert [(action.side, action.action) for action in actions] == [
        (Side.BLACK, CubeAction.DOUBLE),
        (Side.WHITE, CubeAction.BEAVER),
        (Side.BLACK, CubeAction.DOUBLE),
        (Side.WHITE, CubeAction.TAKE),
        (Side.BLACK, CubeAction.DROP),
    ]


@pytest.mark.parametrize(("value", "win"), [(None, None), (2, Win.GAMMON), ("backgammon", Win.BACKGAMMON)])
def test_a_resignation_after_a_roll_that_was_not_played(value: Any, win: Win | None) -> None:
    thrown = REPLY | {"moves": []}
    game = only_game(OPENING, thrown, entry(Side.BLACK, 27, resign_value=value), entry(Side.WHITE, 26))
    assert game.rolls[1].writing is Writing.NOT_PLAYED
    last = game.actions[-1]
    assert isinstance(last, ResignRecord)
    assert (last.side, last.win) == (Side.BLACK, win)


def test_a_roll_without_steps_is_blank() -> None:
    assert only_game(OPENING, REPLY | {"moves": []}, OPENING).rolls[1].writing is Writing.NOTHING


def test_a_game_that_nobody_has_won_has_no_result() -> None:
    document = document_of(OPENING)
    document["games"][0]["winner"] = 255
    assert read_ogxm(gva(document)).games[0].result is None


def test_the_score_at_the_start_is_kept_and_so_is_a_crawford_game_before_it() -> None:
    document = document_of(OPENING, score_start=[6, 3], crawford_before_start=True)
    for content in (gva(document), write_gvab(document)):
        assert read_ogxm(content).games[0].score == Score(6, 3)
    assert read_ogxm(write_gvab(document)).games[0].crawford is False


@pytest.mark.parametrize("key", ["initial_cube_value", "auto_doubles"])
def test_a_cube_turned_before_the_game_breaks_it(key: str) -> None:
    document = document_of(OPENING)
    document["games"][0][key] = 2
    for content in (gva(document), write_gvab(document)):
        (game,) = read_ogxm(content).games
        assert game.broken is not None
        assert "begins with the cube at" in game.broken.reason
        assert game.rolls == ()


@pytest.mark.parametrize("variant", [3, 9, "longgammon", "acey"])
def test_other_games_are_refused(variant: Any) -> None:
    with pytest.raises(UnsupportedVariantError, match="not known here"):
        read(OPENING, variant=variant)


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (REPLY | {"d1": 9}, "a die shows 1 to 6"),
        (REPLY | {"d1": 1}, "is the roll 2-4, and 1-4 is written"),
        (REPLY | {"color": 2}, "color has to be"),
        (REPLY | {"action_id": None}, "action_id has to be"),
        (REPLY | {"moves": [{"from": 26, "pips": 1}]}, "a step from 26"),
        (REPLY | {"moves": [{"from": 0, "pips": 1}]}, "a step from 0 by black"),
        (REPLY | {"moves": [{"from": 3}]}, "pips has to be"),
        (REPLY | {"moves": 3}, "moves has to be a list"),
        (entry(Side.WHITE, 37), "action 37"),
        (entry(Side.WHITE, 36, cube_value=4), "action 36"),
        (entry(Side.WHITE, 31), "is not given"),
        (entry(Side.WHITE, 31, set_position=[1]), "a board has 26 counts, not 1"),
        (entry(Side.WHITE, 31, set_position=[0] * 24 + [16, 0]), "16 checkers"),
        (entry(Side.WHITE, 31, set_position=[0] * 25 + [1]), "a bar holds the wrong side's checkers"),
    ],
)
def test_an_entry_that_cannot_be_breaks_its_game_alone(odd: Json, reason: str) -> None:
    document = document_of(OPENING, odd, OPENING)
    document["games"].append(copy.deepcopy(document_of(OPENING)["games"][0]))
    broken, whole = read_ogxm(gva(document)).games
    assert broken.broken is not None
    assert reason in broken.broken.reason
    assert broken.broken.place.game == 1
    assert len(broken.rolls) == 1
    assert (whole.broken, len(whole.rolls)) == (None, 1)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"winner": "white"}, "winner has to be a whole number"),
        ({"points_won": 10**10}, "points_won has to be a whole number"),
        ({"initial_board": [0] * 24 + [16, 0]}, "16 checkers on the board"),
        ({"plies": 3}, "plies has to be a list"),
    ],
)
def test_a_head_of_a_game_that_cannot_be_breaks_its_game_alone(changed: Json, reason: str) -> None:
    document = document_of(OPENING)
    whole = document["games"][0]
    document["games"] = [whole | changed, whole]
    broken, second = read_ogxm(gva(document)).games
    assert broken.broken is not None
    assert reason in broken.broken.reason
    assert broken.broken.place.game == 1
    assert (second.broken, len(second.rolls)) == (None, 1)


@pytest.mark.parametrize("body", [b"", b"\1", b"\x05\x02"])
def test_a_section_of_a_game_that_cannot_be_breaks_its_game_alone(body: bytes) -> None:
    broken, whole = read_ogxm(version2(MATCH, (b"GAME", body, 1), GAME)).games
    assert broken.broken is not None
    assert "the head of the game cannot be read" in broken.broken.reason
    assert whole.broken is None


def resized(content: bytes) -> bytes:
    """Version 2 with the size it has."""
    return content[:12] + struct.pack("<I", len(content)) + content[16:]


def version2(*sections: tuple[bytes, bytes, int]) -> bytes:
    body = b"".join(name + struct.pack("<IB", len(part), flags) + part for name, part, flags in sections)
    return resized(b"OGXM" + struct.pack("<HHHHI", 2, 0, 2, 0, 0) + body + b"END!")


MATCH = (b"MTCH", b"\x03\x00\x05\x00", 1)
GAME = (b"GAME", b"\x01\x00", 1)


SCORE_TOO_HIGH = (b"MTCH", b"\x09\x10\x05\x00\xff\xff\xff\xff\x0f\x00", 1)
"""Ten bytes from the mask on: score_start is field 4, a pair."""


def test_a_file_of_hand_is_read() -> None:
    """MTCH: three bytes long, no optional field, 5 points, backgammon. GAME: one byte, nothing, then entries.

    The entry 0x05 is 1-6 by white; 0x31 is a step of one pip from point 17, 0xD3 six from 19.
    """
    content = version2(MATCH, (b"GAME", b"\x01\x00" + bytes([0x05, 0x31, 0xD3]), 1))
    (roll,) = read_ogxm(content).games[0].rolls
    assert (roll.side, roll.dice) == (Side.WHITE, Dice(1, 6))
    assert roll.movements == (Movement(8, 7), Movement(6, 0))


@pytest.mark.parametrize("algorithm", [0, 1])
def test_a_checksum_that_does_not_fit_is_refused(algorithm: int) -> None:
    covered = resized(version2(MATCH, GAME, (b"CSUM", b"", 1)))[: -4 - 9]
    for right in (True, False):
        size = len(covered) + 9 + (4 if algorithm == 0 else 32) + 4 + 4
        head = covered[:12] + struct.pack("<I", size) + covered[16:]
        digest = zlib.crc32(head).to_bytes(4, "little") if algorithm == 0 else hashlib.sha256(head).digest()
        record = bytes([0, algorithm, len(digest)]) + (digest if right else bytes(len(digest)))
        body = bytes([len(record)]) + record
        content = head + b"CSUM" + struct.pack("<IB", len(body), 1) + body + b"END!"
        if right:
            assert len(read_ogxm(content).games) == 1
        else:
            with pytest.raises(RecordError, match="its checksum is wrong"):
                read_ogxm(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"OGXM", "does not begin with OGXM and a head"),
        (b"OGXM\3\0" + VERSION_2[6:], "of version 3"),
        (b"OGXM\0\0" + VERSION_2[6:], "of version 0"),
        (VERSION_2[:8] + b"\2\0\3\0" + VERSION_2[12:], "readers of version 2.3"),
        (VERSION_1[:8] + b"\1\0\4\0" + VERSION_1[12:], "readers of version 1.4"),
        (VERSION_2[:14], "within its head"),
        (VERSION_1[:-1], "bytes, and has"),
        (VERSION_2[:-1], "bytes, and has"),
        (VERSION_2 + b"\0", "bytes, and has"),
        (VERSION_2[:-4] + b"END?", "end marker"),
        (VERSION_1[:-8] + b"END?\0\0\0\0", "end marker"),
        (VERSION_1[:40] + bytes([VERSION_1[40] ^ 1]) + VERSION_1[41:], "its checksum is wrong"),
        (version2(), "0 sections MTCH instead of one"),
        (version2(MATCH, MATCH), "2 sections MTCH instead of one"),
        (version2(MATCH), "holds no game"),
        (version2(MATCH, (b"WXYZ", b"", 1)), "needs a newer reader"),
        (resized(version2(MATCH)[:-4] + b"GAME" + b"END!"), "does not fit"),
        (resized(version2(MATCH)[:-4] + b"GAME\xff\xff\xff\xff\1" + b"END!"), "claims 4294967295 bytes"),
        (version2((b"MTCH", b"\x09\x00", 1)), "within a value"),
        (version2((b"MTCH", b"\xff\xff\xff\xff\xff\x01", 1)), "32 bits"),
        (version2((b"MTCH", b"\x05\x01\x05\x00\x01\xff", 1)), "a text that is not UTF-8"),
        (version2((b"MTCH", b"\x06\x01\x05\x00\xff\xff\x7f", 1)), "a text of 2097151 bytes"),
        (version2(MATCH, (b"CSUM", b"\x01", 1)), "checksum cannot be read"),
        (version2((b"MTCH", b"\x05\x01\x05\x00\x01\x00", 1)), "a text with a zero byte"),
        (write_gvab1(document_of(OPENING, player_white="A\0")), "a text with a zero byte"),
        (gva(document_of(player_black="\ud800")), "player_black holds a character that cannot be stored"),
        (gva(document_of(match_length=-1)), "match_length"),
        (gva(document_of(player_white=[])), "player_white"),
        (version2(SCORE_TOO_HIGH, GAME), "a score or win of 4294967295 points"),
        (gva(document_of(score_start=[1])), "score_start"),
        (gva([]), "the match has to be an object"),
        (gva({}), "holds no game"),
        (JSON[:-1], "is no JSON"),
        (b'{"plies": NaN, "action_id": 1}', "ambiguous"),
        (b'{"plies":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_whole_file_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_ogxm(content)
    assert reason in str(caught.value)


def test_a_section_that_a_reader_may_pass_over_is_passed_over() -> None:
    assert len(read_ogxm(version2(MATCH, (b"WXYZ", b"abc", 0), GAME)).games) == 1


def test_the_order_of_match_and_games_means_nothing() -> None:
    assert read_ogxm(version2(GAME, MATCH)) == read_ogxm(version2(MATCH, GAME))


def test_an_entry_that_is_cut_breaks_its_game() -> None:
    (game,) = read_ogxm(version2(MATCH, (b"GAME", b"\x01\x00" + bytes([0x05, 0x31]), 1))).games
    assert game.broken is not None
    assert "entry 1 cannot be read" in game.broken.reason


def test_names_that_are_not_unicode_are_guessed_in_version_1_with_a_remark() -> None:
    place = VERSION_1.index(b"Ann")
    damaged = bytearray(VERSION_1)
    damaged[place + 1] = 0xE9
    crc_place = damaged.index(b"CSUM")
    damaged[crc_place + 16 : crc_place + 20] = zlib.crc32(damaged[:crc_place]).to_bytes(4, "little")
    log = read_ogxm(bytes(damaged))
    assert log.white == "Aén"
    assert [remark.code for remark in log.remarks] == [RemarkCode.ENCODING_GUESSED]


def test_too_many_sections_games_rolls_or_entries_are_refused() -> None:
    with pytest.raises(TooLargeError, match="sections"):
        read_ogxm(version2(*[(b"VIDO", b"", 0)] * (MAX_SECTIONS + 1)))
    with pytest.raises(TooLargeError, match=str(MAX_GAMES)):
        read_ogxm(version2(MATCH, *[GAME] * (MAX_GAMES + 1)))
    with pytest.raises(TooLargeError, match="too long"):
        read(*[OPENING] * (MAX_ROLLS + 1))
    with pytest.raises(TooLargeError, match="at most 99999"):
        read_ogxm(version2((b"MTCH", b"\x07\x00\xff\xff\xff\xff\x0f\x00", 1), GAME))
    with pytest.raises(TooLargeError, match="actions"):
        read(*[entry(Side.WHITE, 30)] * (MAX_ACTIONS + 1))


def test_places_point_into_the_json() -> None:
    game = only_game(OPENING)
    assert game.rolls[0].place == Place(pointer="/games/0/plies/0", game=1, turn=1)
    assert isinstance(game.rolls[0], RollRecord)
