"""Mutations that know what they change: lines and columns of text, what is packed in binary files.

Plain mutation of bytes rarely gives another whole row, and never another whole compressed stream.
"""

import random
import re
import zlib
from collections.abc import Callable
from typing import TypeAlias

Bytewise: TypeAlias = Callable[[bytes, int], bytes]
"""Mutates bytes without knowing what they are; the number is the most there may be afterwards."""

_NUMBER = re.compile(rb"[0-9]+")
_CELL = re.compile(rb"\S+(?: \S+)*")
_WORD = re.compile(rb"[^\s,:;/(){}\[\]\"]+")
_ZLIB_OR_GZIP = zlib.MAX_WBITS | 32
_PACKED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
_MOST_INFLATED = 1_000_000


def mutate(content: bytes, most: int, seed: int, bytewise: Bytewise) -> bytes:
    """The content changed a little: by its rows, cells or numbers, in what it has packed, or byte by byte."""
    chance = random.Random(seed)
    packed = _find_packed(content)
    if packed is not None and chance.random() < 0.7:
        changed = _mutate_packed(content, packed, chance, bytewise)
    elif b"\0" not in content[:256] and b"\n" in content and chance.random() < 0.7:
        changed = _mutate_lines(content, chance)
    else:
        changed = bytewise(content, most)
    return changed if 0 < len(changed) <= most else bytewise(content[:most], most)


def _mutate_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                first, last = sorted((at, other))
                lines[first:first] = lines[first : last + 1]
            case 4:
                lines[at] = _swap(_CELL, lines[at], lines[at], chance)
            case 5:
                lines[at] = _swap(_CELL, lines[at], lines[other], chance)
            case 6:
                lines[at] = _swap(_WORD, lines[at], lines[other], chance)
            case 7:
                lines[at] = _renumber(lines[at], chance)
            case _:
                lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        if not lines:
            return content
    return b"\n".join(lines)


def _swap(part: re.Pattern[bytes], line: bytes, other: bytes, chance: random.Random) -> bytes:
    """The line with one of its parts replaced by one of the other line's."""
    own, others = list(part.finditer(line)), list(part.finditer(other))
    if not own or not others:
        return line
    old, new = chance.choice(own), chance.choice(others)
    return line[: old.start()] + new[0] + line[old.end() :]


def _renumber(line: bytes, chance: random.Random) -> bytes:
    numbers = list(_NUMBER.finditer(line))
    if not numbers:
        return line
    old = chance.choice(numbers)
    new = chance.choice((0, 1, 2, 6, 7, 15, 16, 24, 25, 26, 64, 99, 1000, int(old[0][:9]) + 1))
    return line[: old.start()] + str(new).encode() + line[old.end() :]


_Packed: TypeAlias = tuple[int, int, bytes, bool]
"""Where a compressed stream begins and ends, what it holds, and whether it is gzip."""


def _find_packed(content: bytes) -> _Packed | None:
    """The first stream of some size that inflates whole."""
    for match in _PACKED.finditer(content):
        stream = zlib.decompressobj(_ZLIB_OR_GZIP)
        try:
            inner = stream.decompress(content[match.start() :], _MOST_INFLATED)
        except zlib.error:
            continue
        if stream.eof and len(inner) > 8:
            return match.start(), len(content) - len(stream.unused_data), inner, match[0][0] == 0x1F
    return None


def _mutate_packed(content: bytes, packed: _Packed, chance: random.Random, bytewise: Bytewise) -> bytes:
    start, end, inner, is_gzip = packed
    size = 64
    at = chance.randrange(len(inner))
    if chance.random() < 0.5:
        window = inner[at : at + size]
        inner = (
            inner[:at]
            + bytewise(window, 2 * size)[: len(window)].ljust(len(window), b"\0")
            + inner[at + size :]
        )
    else:
        inner = bytewise(inner, len(inner) + size)
    packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | (16 if is_gzip else 0))
    return content[:start] + packer.compress(inner) + packer.flush() + content[end:]
