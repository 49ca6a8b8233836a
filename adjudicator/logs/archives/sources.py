"""Bytes that come one after the other, from a file, a pipe or a decompressor."""

from collections.abc import Callable
from typing import BinaryIO

CHUNK = 65_536
"""Bytes asked for at once."""


class Source:
    """Bytes read forward only, with a look ahead; ``offset`` counts what was given out.

    ``read_some`` gives up to so many bytes, ``b""`` at the end only: the ``read`` of a binary stream.
    ``file`` is the stream where it can be sought in, else ``None``.
    """

    def __init__(self, read_some: Callable[[int], bytes], file: BinaryIO | None = None) -> None:
        self._read_some = read_some
        self._buffer = b""
        self._at = 0  # so much of the buffer was given out; it stays, to be given back
        self.file = file
        self.offset = 0

    @classmethod
    def of(cls, stream: BinaryIO) -> "Source":
        """What a binary stream gives from here on; the stream stays the caller's to close.

        Of a pipe it takes what is there (``read1``), and does not wait for more than it needs.
        """
        read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        return cls(read_some, stream if stream.seekable() else None)

    def peek(self, count: int) -> bytes:
        """The next bytes without taking them; fewer at the end only."""
        if len(self._buffer) - self._at < count:
            parts = [self._buffer[self._at :]]
            missing = count - len(parts[0])
            while missing > 0 and (data := self._read_some(CHUNK)):
                parts.append(data)
                missing -= len(data)
            self._buffer, self._at = b"".join(parts), 0
        return self._buffer[self._at : self._at + count]

    def read(self, count: int) -> bytes:
        """The next bytes; fewer at the end only."""
        data = self.peek(count)
        self._take(len(data))
        return data

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes, as they come; ``b""`` at the end only."""
        self._refill()
        data = self._buffer[self._at : self._at + count]
        self._take(len(data))
        return data

    def give_back(self, count: int) -> None:
        """Put back the last bytes of what ``read_some`` gave last."""
        self._take(-count)

    def skip(self, count: int) -> int:
        """Take bytes and forget them; how many there were, fewer at the end only."""
        left = count
        while left and (data := self.read_some(min(left, CHUNK))):
            left -= len(data)
        return count - left

    def read_line(self, most: int) -> bytes:
        """The next line with its line feed, or so many bytes of it; ``b""`` at the end."""
        parts: list[bytes] = []
        while most > 0 and self._refill():
            end = self._buffer.find(b"\n", self._at, self._at + most) + 1
            parts.append(self._buffer[self._at : end or self._at + most])
            most -= len(parts[-1])
            self._take(len(parts[-1]))
            if end:
                break
        return b"".join(parts)

    def _refill(self) -> bool:
        """Have something in the buffer; whether there is."""
        if self._at == len(self._buffer):
            self._buffer, self._at = self._read_some(CHUNK), 0
        return bool(self._buffer)

    def _take(self, count: int) -> None:
        self._at += count
        self.offset += count
