"""Writes a match as an .xg file, after the published record structure; for tests of its reader."""

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import BAR, Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import CubeRecord, GameRecord, ResignRecord, RollRecord, Writing
from adjudicator.rules.replay import ReplayedGame, replay
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import scores_of_games, terms_of_games
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON

RECORD = 2560
HEAD = 8232
_SIGN = {Side.WHITE: 1, Side.BLACK: -1}
_VARIATIONS = {BACKGAMMON: 0, NACKGAMMON: 1, HYPERGAMMON: 2}


def xg_bytes(log: MatchLog, *, picture: bytes = b"", directory: bool = True) -> bytes:
    """The file; all games have to replay to their end."""
    return pack_records(list(xg_records(log)), picture=picture, directory=directory)


def pack_records(records: Iterable[bytes], *, picture: bytes = b"", directory: bool = True) -> bytes:
    """The container around these records."""
    plain = b"".join(records)
    packed = zlib.compress(plain)
    head = struct.pack("<4sIIqI", b"RGMH", 1, HEAD, 0, len(picture)).ljust(HEAD, b"\0")
    content = head + picture + packed
    if not directory:
        return content
    entry = pascal("temp.xg", 256) + pascal("", 256)
    entry += struct.pack("<iiiIBB2x", len(plain), len(packed), 0, zlib.crc32(plain), 0, 2)
    index = zlib.compress(entry)
    return content + index + struct.pack("<IiiiiI12x", 0, 1, 1, len(index), len(packed), 1)


def xg_records(log: MatchLog) -> Iterator[bytes]:
    """The records of the match, 2,560 bytes each."""
    yield match_head(log)
    scores = scores_of_games(log.games)
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    for game, score, term in zip(log.games, scores, terms, strict=True):
        replayed = replay(game, log.variant, term)
        assert replayed.broken is None
        game_head = new_record(1)
        struct.pack_into("<iiB", game_head, 12, score.white, score.black, bool(game.crawford))
        struct.pack_into("<26b", game_head, 21, *points(replayed.start))
        struct.pack_into("<i", game_head, 48, game.number)
        yield bytes(game_head)
        yield from _actions(game, replayed)
        if game.result is not None:
            yield game_end(game)
    yield bytes(new_record(5))


def match_head(log: MatchLog) -> bytes:
    """The first record."""
    record = new_record(0)
    length = log.match_length or 99999
    struct.pack_into("<ii4B", record, 92, length, _VARIATIONS[log.variant], log.crawford, log.jacoby, 0, 0)
    struct.pack_into("<ii", record, 552, 30, 0x494C4D44)
    metadata = log.metadata
    for place, text in ((880, log.white), (1138, log.black), (622, metadata.get("event", ""))):
        wide = text.encode("utf-16-le")[:256]
        record[place : place + len(wide)] = wide
    return bytes(record)


def new_record(kind: int) -> bytearray:
    """An empty record of that kind."""
    record = bytearray(RECORD)
    record[8] = kind
    return record


def pascal(text: str, size: int) -> bytes:
    """A text behind its length, filled up."""
    return (bytes([len(text)]) + text.encode("ascii")).ljust(size, b"\0")


def points(position: Position) -> list[int]:
    """26 counts as one side sees them."""
    return [
        (position.own[point] if point else 0) - (position.opponent[BAR - point] if point < BAR else 0)
        for point in range(BAR + 1)
    ]


def game_end(game: GameRecord) -> bytes:
    """The last record of a game with a result."""
    assert game.result is not None
    record = new_record(4)
    last = game.actions[-1] if game.actions else None
    kind = 1
    if isinstance(last, CubeRecord) and last.action is CubeAction.DROP:
        kind = 0
    elif isinstance(last, ResignRecord):
        kind = 100 + (last.win or 4)
    struct.pack_into("<3i", record, 24, _SIGN[game.result.winner], game.result.points, kind)
    return bytes(record)


def roll_record(roll: RollRecord, before: Position, after: Position, *, judged: int = 0) -> bytes:
    """A roll with its play; ``before`` is seen by white, ``after`` by the mover."""
    record = new_record(3)
    struct.pack_into("<26b", record, 9, *points(before))
    struct.pack_into("<26b", record, 35, *points(after))
    struct.pack_into("<i", record, 64, _SIGN[roll.side])
    steps = [number - 1 for part in roll.movements for number in (part.source, part.target)]
    struct.pack_into("<8i", record, 68, *steps, *[-1] * (8 - len(steps)))
    struct.pack_into("<2i", record, 100, *roll.dice)
    struct.pack_into("<i", record, 2480, judged)
    return bytes(record)


def cube_record(
    side: Side, *, doubled: int = 0, take: int = -1, value: int = 1, dice: str = "77"
) -> bytearray:
    """A cube decision of that side."""
    record = new_record(2)
    level = value.bit_length() - 1
    struct.pack_into("<6i", record, 12, _SIGN[side], doubled, take, -1, -1, level)
    record[208:211] = b"\2" + dice.encode("ascii")
    return record


def _actions(game: GameRecord, replayed: ReplayedGame) -> Iterator[bytes]:
    """Cube decisions before every roll, as the program writes them, and the rolls."""
    turns = iter(replayed.turns)
    value = 1
    doubled: CubeRecord | None = None
    for action, following in pairwise([*game.actions, None]):
        assert action is not None
        if isinstance(action, CubeRecord):
            if action.action is CubeAction.DOUBLE:
                doubled = action
                continue
            assert doubled is not None
            took = action.action is CubeAction.TAKE
            dice = following.dice if took and isinstance(following, RollRecord) else None
            yield bytes(
                cube_record(doubled.side, doubled=1, take=int(took), value=value, dice=_dice_text(dice))
            )
            value *= 2
        elif isinstance(action, RollRecord):
            turn = next(turns)
            if doubled is None:
                yield bytes(cube_record(action.side, value=value, dice=_dice_text(action.dice)))
            doubled = None
            if action.writing is not Writing.NOT_PLAYED:
                white = turn.before if action.side is Side.WHITE else turn.before.swapped()
                yield roll_record(action, white, turn.after)


def _dice_text(dice: Iterable[int] | None) -> str:
    return "77" if dice is None else "".join(map(str, dice))
