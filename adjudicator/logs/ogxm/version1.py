"""The match in an OGXM file of version 1 (.gvab until 2026).

Every function raises ValueError, with the reason, for a section that says something impossible.

Source: ``docs/formats/ogxm.md``, section "Version 1".
"""

from collections.abc import Iterator

from adjudicator.errors import Place
from adjudicator.logs.ogxm.byte_reading import ByteReading
from adjudicator.logs.ogxm.container import Container
from adjudicator.logs.ogxm.match_values import (
    DICE,
    OgxmAction,
    OgxmEntry,
    OgxmGame,
    OgxmMatch,
    OgxmStep,
    read_games,
    take_entries,
    winner_of,
)
from adjudicator.rules.dice import Dice
from adjudicator.rules.sides import Side

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
    white, black, event, site = (text for text, _ in texts)
    return OgxmMatch(
        match_length=match_length,
        variant=0,
        white=white,
        black=black,
        crawford=bool(flags & 1),
        jacoby=bool(flags & 2),
        games=read_games(
            container.named(b"GAME"), lambda body, number: _game(body, number, is_match=match_length > 0)
        ),
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


def _game(body: bytes, number: int, *, is_match: bool) -> OgxmGame:
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
    entries, broken = take_entries(_entries(reading, count, Place(game=number)), number)
    return OgxmGame(
        entries=entries,
        winner=winner_of(winner),
        points=points,
        board=board,
        crawford=bool(flags & 1) if is_match else None,
        broken=broken,
    )


def _entries(reading: ByteReading, count: int, place: Place) -> Iterator[OgxmEntry]:
    for _ in range(count):
        yield _entry(reading, place)


def _entry(reading: ByteReading, place: Place) -> OgxmEntry:
    first = reading.unsigned(1)
    action = first & 0x1F
    side = Side.WHITE if first >> 5 & 1 else Side.BLACK
    if action == OgxmAction.SET_POSITION:
        dice = None
        if first & 0x40:
            both = reading.unsigned(1)
            dice = Dice.of(both & 0x0F, both >> 4)
        return OgxmEntry(side, action, dice, board=reading.board(), place=place)
    if action < len(DICE):
        steps = reading.take(len(DICE[action].numbers))
        return OgxmEntry(side, action, DICE[action], tuple(map(step_in, steps.rstrip(b"\0"))), place=place)
    return OgxmEntry(side, action, place=place)


def step_in(byte: int) -> OgxmStep:
    """The step in one byte: five bits for the point, three for the pips."""
    step = OgxmStep(byte & 0x1F, byte >> 5)
    if step.source > 25 or not step.pips:
        raise ValueError(f"a step of {step.pips} pips from {step.source}")
    return step
