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
        self._ahead = b""
        self.file = file
        self.offset = 0

    @classmethod
    def of(cls, stream: BinaryIO) -> "Source":
        """What a binary stream gives from here on; the stream stays the caller's to close."""
        return cls(stream.read, stream if stream.seekable() else None)

    def peek(self, count: int) -> bytes:
        """The next bytes without taking them; fewer at the end only."""
        if len(self._ahead) < count:
            parts = [self._ahead]
            missing = count - len(self._ahead)
            while missing > 0 and (data := self._read_some(min(missing, CHUNK))):
                parts.append(data)
                missing -= len(data)
            self._ahead = b"".join(parts)
        return self._ahead[:count]

    def read(self, count: int) -> bytes:
        """The next bytes; fewer at the end only."""
        data = self.peek(count)
        self._ahead = self._ahead[len(data) :]
        self.offset += len(data)
        return data

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes, as they come; ``b""`` at the end only."""
        if self._ahead:
            count = min(count, len(self._ahead))
            data, self._ahead = self._ahead[:count], self._ahead[count:]
        else:
            data = self._read_some(count)
        self.offset += len(data)
        return data

    def give_back(self, data: bytes) -> None:
        """Put bytes back that were taken last."""
        self._ahead = data + self._ahead
        self.offset -= len(data)

    def skip(self, count: int) -> int:
        """Take bytes and forget them; how many there were, fewer at the end only."""
        left = count
        while left and (data := self.read_some(min(left, CHUNK))):
            left -= len(data)
        return count - left
