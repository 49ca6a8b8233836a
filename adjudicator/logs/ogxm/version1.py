"""The match in an OGXM file of version 1 (.gvab until 2026).

Every function raises ValueError, with the reason, for a section that says something impossible.

Source: ``docs/formats/ogxm.md``, section "Version 1".
"""

from adjudicator.errors import Place
from adjudicator.logs.assembly import check_game_count
from adjudicator.logs.match_log import MAX_ROLLS
from adjudicator.logs.ogxm.byte_reading import ByteReading
from adjudicator.logs.ogxm.container import Container
from adjudicator.logs.ogxm.match_values import DICE, OgxmGame, OgxmMatch, Ply, PlyAction, PlyStep, parse_side
from adjudicator.rules.dice import Dice
from adjudicator.rules.sides import Side

MAX_PLIES = 4 * MAX_ROLLS
_STANDARD_START = 0xFF
_HEAD_BYTES = 24


def parse_version1(container: Container) -> OgxmMatch:
    """The match in these sections."""
    head = ByteReading(container.only(b"MHDR"))
    match_length = head.unsigned(2)
    head.take(1)
    flags = head.unsigned(1)
    head.place = _HEAD_BYTES
    texts = [_text(head) for _ in range(4)]
    bodies = container.named(b"GAME")
    check_game_count(len(bodies))
    white, black, event, site = (text for text, _ in texts)
    return OgxmMatch(
        match_length=match_length,
        variant=0,
        white=white,
        black=black,
        crawford=bool(flags & 1),
        jacoby=bool(flags & 2),
        games=tuple(_game(body, index, match_length) for index, body in enumerate(bodies)),
        metadata={key: text for key, text in (("event", event), ("site", site)) if text},
        is_guessed=any(is_guessed for _, is_guessed in texts),
    )


def _text(head: ByteReading) -> tuple[str, bool]:
    """A text that states its length in one byte, and whether it is no UTF-8; the last ones may be missing."""
    if head.is_over:
        return "", False
    raw = head.take(head.unsigned(1))
    if b"\0" in raw:
        raise ValueError("a text with a zero byte")
    try:
        return raw.decode("utf-8"), False
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace"), True


def _game(body: bytes, index: int, match_length: int) -> OgxmGame:
    reading = ByteReading(body)
    reading.take(1)
    count, winner, points, flags = (reading.unsigned(size) for size in (2, 1, 1, 1))
    reading.take(2)
    board = None
    if body[reading.place : reading.place + 1] == bytes([_STANDARD_START]):
        reading.take(2)
    else:
        board = reading.board()
        reading.take(1)
    if count > MAX_PLIES:
        raise ValueError(f"game {index + 1} has {count} plies; at most {MAX_PLIES} are taken")
    plies: list[Ply] = []
    broken = ""
    try:
        while len(plies) < count:
            plies.append(_ply(reading, Place(game=index + 1)))
    except ValueError as error:
        broken = f"ply {len(plies) + 1} cannot be read: {error}"
    return OgxmGame(
        plies=tuple(plies),
        winner=parse_side(winner),
        points=points,
        board=board,
        crawford=bool(flags & 1) if match_length else None,
        broken=broken,
    )


def _ply(reading: ByteReading, place: Place) -> Ply:
    first = reading.unsigned(1)
    action = first & 0x1F
    side = Side.WHITE if first >> 5 & 1 else Side.BLACK
    if action == PlyAction.SET_POSITION:
        dice = None
        if first & 0x40:
            both = reading.unsigned(1)
            dice = Dice.of(both & 0x0F, both >> 4)
        return Ply(side, action, dice, board=reading.board(), place=place)
    if action < len(DICE):
        steps = reading.take(len(DICE[action].numbers))
        return Ply(side, action, DICE[action], tuple(map(parse_step, steps.rstrip(b"\0"))), place=place)
    return Ply(side, action, place=place)


def parse_step(byte: int) -> PlyStep:
    """A step in one byte: five bits for the point, three for the pips."""
    step = PlyStep(byte & 0x1F, byte >> 5)
    if step.source > 25 or not step.pips:
        raise ValueError(f"a step of {step.pips} pips from {step.source}")
    return step
