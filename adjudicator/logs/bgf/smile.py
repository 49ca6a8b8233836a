"""Smile, the binary form of JSON that BGBlitz writes.

Source: the Smile format specification, version 1.0; ``docs/formats/bgf.md``, section "Smile".
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MAX_VALUES = 1_000_000
"""A document of more values is refused; a match of seven games has 84,000, nearly all of them analysis."""
MAX_DEPTH = 32
"""Deeper nesting is refused; BGBlitz nests eight levels deep."""

_MAGIC = b":)\n"
_SHARES_NAMES, _SHARES_VALUES = 0x01, 0x02
_MAX_SHARED = 1024
_MAX_SHARED_BYTES = 64
_END_OF_TEXT = b"\xfc"
_LITERALS: dict[int, Any] = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
_ENDS = {0xFA: 0xFB, 0xF8: 0xF9}
"""What an object and an array begin and end with."""
_END_OF_OBJECT, _NO_END = 0xFB, -1
_TEXT_SIZES = {token: token - 0x40 + 1 for token in range(0x40, 0x80)} | {
    token: token - 0x80 + 2 for token in range(0x80, 0xC0)
}
"""Bytes of a short text by its token: ASCII of 1 to 64, or Unicode of 2 to 65."""
_PLAIN_SIZES = dict.fromkeys([*_LITERALS, *range(0xC0, 0xE0)], 0) | {0x28: 5, 0x29: 10}
"""Bytes behind the token of every other value that is always as long."""
_SIZES = _PLAIN_SIZES | _TEXT_SIZES
_NAMED_SIZES = dict.fromkeys(range(0x40, 0x80), 0) | dict.fromkeys(range(0x30, 0x34), 1)
"""Bytes behind the token of a name that is given by its number."""


class SmileError(ValueError):
    """What is no Smile, with the byte where it is seen."""


def parse_smile(content: bytes, dropped: frozenset[str] = frozenset()) -> Any:
    """The value of a Smile document: as JSON would give it, numbers beyond 64 bits and bytes as ``None``.

    The values of names in ``dropped`` are passed over: only what is needed to find their end is looked at.

    Raises: SmileError for content that is no Smile, or beyond ``MAX_VALUES`` or ``MAX_DEPTH``.

    >>> parse_smile(bytes([0x3A, 0x29, 0x0A, 0x01, 0xFA, 0x80, 0x61, 0xC4, 0xFB]))
    {'a': 2}
    """
    if not content.startswith(_MAGIC) or len(content) < 4:
        raise SmileError("it does not begin with the mark of Smile")
    features = content[3]
    if features >> 4:
        raise SmileError(f"it is written in version {features >> 4} of Smile; 0 is known")
    parser = _Parser(
        content,
        dropped,
        names=_Shared(is_used=bool(features & _SHARES_NAMES)),
        texts=_Shared(is_used=bool(features & _SHARES_VALUES)),
    )
    return parser.value(parser.byte())


@dataclass
class _Shared:
    """The short texts seen so far, which later ones may name by number; cleared when it is full."""

    is_used: bool
    texts: list[str] = field(default_factory=list)

    def add(self, text: str, size: int) -> str:
        if self.is_used and size <= _MAX_SHARED_BYTES:
            if len(self.texts) == _MAX_SHARED:
                self.texts.clear()
            self.texts.append(text)
        return text


@dataclass
class _Parser:
    """The content with the place in it."""

    content: bytes
    dropped: frozenset[str]
    names: _Shared
    texts: _Shared
    place: int = 4
    values: int = 0

    def value(self, token: int, depth: int = 0) -> Any:
        """The value that begins with this token, which has been read."""
        self._count(depth)
        if 0x40 <= token <= 0xBF:
            return self._short_text(token)
        if 0xC0 <= token <= 0xDF:
            return _from_zigzag(token & 0x1F)
        if token == 0xFA:
            return self._object(depth)
        if token == 0xF8:
            return self._array(depth)
        if token in _LITERALS:
            return _LITERALS[token]
        return self._rare(token)

    def _count(self, depth: int) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            raise SmileError(f"it holds more than {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            raise SmileError(f"it is nested more than {MAX_DEPTH} levels deep")

    def byte(self) -> int:
        """The next byte."""
        if self.place >= len(self.content):
            raise self._error("it is cut short")
        self.place += 1
        return self.content[self.place - 1]

    def _rare(self, token: int) -> Any:
        if token in (0x24, 0x25):
            return _from_zigzag(self._number())
        if token in (0x28, 0x29):
            return self._fraction(is_double=token == 0x29)
        if token in (0xE0, 0xE4):
            return self._long_text()
        if 0x01 <= token <= 0x1F:
            return self._look_up(self.texts, token - 1)
        if 0xEC <= token <= 0xEF:
            return self._look_up(self.texts, (token & 3) << 8 | self.byte())
        if token == 0xFD:
            self._take(self._number())
        elif token in (0x26, 0xE8):
            self._take(-(-self._number() * 8 // 7))
        elif token == 0x2A:
            self._number()
            self._take(-(-self._number() * 8 // 7))
        else:
            raise self._error(f"no value begins with the byte {token:#04x}")
        return None

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while True:
            token = self.byte()
            if token == 0xFB:
                return members
            name = self._name(token)
            if name in self.dropped:
                self._pass_over(depth + 1)
                continue
            value = self.value(self.byte(), depth + 1)
            if name in members:
                raise self._error(f"the name {name[:40]!r} is given twice")
            members[name] = value

    def _pass_over(self, depth: int) -> None:
        """Go behind the next value without building it; texts behind it may still name those within it.

        Nine tenths of a file are passed over: hence one loop, with calls only for what is rare.
        """
        content, place, ends = self.content, self.place, [_NO_END]
        sizes = _PLAIN_SIZES if self.texts.is_used else _SIZES
        is_name = False
        while place < len(content):
            token = content[place]
            place += 1
            if is_name and token != _END_OF_OBJECT:
                known = _NAMED_SIZES.get(token)
                place = self._behind(self._name, token, place) if known is None else place + known
                is_name = False
                continue
            if token == ends[-1]:
                ends.pop()
            elif token in sizes and self.values < MAX_VALUES:
                self.values += 1
                place += sizes[token]
            elif token in _ENDS:
                self._count(depth + len(ends) - 1)
                ends.append(_ENDS[token])
            else:
                place = self._behind(self.value, token, place)
            if len(ends) == 1:
                self.place = place
                return
            is_name = ends[-1] == _END_OF_OBJECT
        self.place = len(content)
        raise self._error("it is cut short")

    def _behind(self, read: Callable[[int], object], token: int, place: int) -> int:
        """The place behind what is read of this token, which ends at ``place``."""
        self.place = place
        read(token)
        return self.place

    def _array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        while True:
            token = self.byte()
            if token == 0xF9:
                return items
            items.append(self.value(token, depth + 1))

    def _name(self, token: int) -> str:
        if 0x80 <= token <= 0xF7:
            size = (token & 0x3F) + 1 if token < 0xC0 else token - 0xC0 + 2
            return self.names.add(self._text(size), size)
        if 0x40 <= token <= 0x7F:
            return self._look_up(self.names, token - 0x40)
        if 0x30 <= token <= 0x33:
            return self._look_up(self.names, (token & 3) << 8 | self.byte())
        if token == 0x34:
            return self._long_text()
        if token == 0x20:
            return ""
        raise self._error(f"no name begins with the byte {token:#04x}")

    def _short_text(self, token: int) -> str:
        size = _TEXT_SIZES[token]
        return self.texts.add(self._text(size), size)

    def _long_text(self) -> str:
        end = self.content.find(_END_OF_TEXT, self.place)
        if end < 0:
            raise self._error("a text does not end")
        text = self._text(end - self.place)
        self.place += 1
        return text

    def _text(self, size: int) -> str:
        start = self.place
        try:
            return self._take(size).decode("utf-8")
        except UnicodeDecodeError:
            self.place = start
            raise self._error("a text is not UTF-8") from None

    def _look_up(self, shared: _Shared, index: int) -> str:
        if index >= len(shared.texts):
            raise self._error("a text is named by a number that was not given")
        return shared.texts[index]

    def _number(self) -> int:
        """Seven bits a byte, the last byte marked and of six."""
        number = 0
        for _ in range(11):
            byte = self.byte()
            if byte & 0x80:
                return number << 6 | byte & 0x3F
            number = number << 7 | byte
        raise self._error("a number of more than 64 bits")

    def _fraction(self, *, is_double: bool) -> float:
        """IEEE 754 in seven bits a byte, the highest first."""
        bits = 0
        for byte in self._take(10 if is_double else 5):
            bits = bits << 7 | byte & 0x7F
        packed = bits & (1 << (64 if is_double else 32)) - 1
        value: float = struct.unpack(
            ">d" if is_double else ">f", packed.to_bytes(8 if is_double else 4, "big")
        )[0]
        return value

    def _take(self, count: int) -> bytes:
        end = self.place + count
        if end > len(self.content):
            raise self._error("it is cut short")
        taken = self.content[self.place : end]
        self.place = end
        return taken

    def _error(self, reason: str) -> SmileError:
        return SmileError(f"{reason} (byte {self.place})")


def _from_zigzag(number: int) -> int:
    """Signs are folded in: 0, -1, 1, -2, 2.

    >>> _from_zigzag(3), _from_zigzag(4)
    (-2, 2)
    """
    return number >> 1 ^ -(number & 1)
