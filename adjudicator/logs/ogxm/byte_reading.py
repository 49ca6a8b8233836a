"""Numbers and texts taken one after the other from the bytes of a section.

Every method raises ValueError where the bytes do not hold what is asked for.
"""

import struct
from dataclasses import dataclass
from typing import NamedTuple

from adjudicator.logs.limits import MAX_TEXT_LENGTH


class Record(NamedTuple):
    """The fields of a record that states its length, and a mask of those it has."""

    reading: "ByteReading"
    mask: int

    def has(self, bit: int) -> bool:
        """Whether the optional field of that number is there."""
        return bool(self.mask >> bit & 1)


@dataclass
class ByteReading:
    """Bytes with a place in them."""

    content: bytes
    place: int = 0

    @property
    def is_over(self) -> bool:
        """Whether all bytes are taken."""
        return self.place >= len(self.content)

    def take(self, count: int) -> bytes:
        """The next bytes.

        >>> ByteReading(b"abc").take(2)
        b'ab'
        """
        end = self.place + count
        if end > len(self.content):
            raise ValueError(f"it ends at byte {len(self.content)}, within a value")
        taken = self.content[self.place : end]
        self.place = end
        return taken

    def unsigned(self, size: int) -> int:
        """A number in that many bytes, the lowest first.

        >>> ByteReading(bytes([1, 1])).unsigned(2)
        257
        """
        return int.from_bytes(self.take(size), "little")

    def number(self, bits: int = 32) -> int:
        """A number in seven bits a byte, the lowest first.

        >>> ByteReading(bytes([0x81, 0x01])).number()
        129
        """
        number = 0
        for shift in range(0, bits, 7):
            byte = self.unsigned(1)
            number |= (byte & 0x7F) << shift
            if not byte & 0x80:
                if number >> bits or (shift and not byte):
                    raise ValueError(f"a number of {bits} bits is badly written at byte {self.place - 1}")
                return number
        raise ValueError(f"a number of more than {bits} bits at byte {self.place - 1}")

    def text(self) -> str:
        """A text in UTF-8 that states its length as a number."""
        size = self.number()
        if size > MAX_TEXT_LENGTH:
            raise ValueError(f"a text of {size} bytes; at most {MAX_TEXT_LENGTH} are taken")
        raw = self.take(size)
        if b"\0" in raw:
            raise ValueError("a text with a zero byte")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("a text that is not UTF-8") from None

    def board(self) -> tuple[int, ...]:
        """26 signed counts."""
        return struct.unpack("<26b", self.take(26))

    def record(self) -> Record:
        """A record, taken whole."""
        reading = ByteReading(self.take(self.number()))
        return Record(reading, reading.number(64))
