"""Packed bytes unpacked piece by piece: deflate, gzip, bzip2, xz.

No call unpacks more than it was asked for, whatever the packed bytes say.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from adjudicator.logs.archives.limits import Budget
from adjudicator.logs.archives.members import broken_archive
from adjudicator.logs.archives.sources import CHUNK, Source

MAX_XZ_MEMORY = 80_000_000
"""Bytes that unpacking xz may take: the strongest preset takes 65 MB, a hostile header asks for 4 GB."""


class Packing(Enum):
    """How bytes are packed; the value is what the packed bytes begin with."""

    GZIP = b"\x1f\x8b"
    BZIP2 = b"BZh"
    XZ = b"\xfd7zXZ\0"
    DEFLATE = b""
    """Bare, as within a zip."""


def find_packing(beginning: bytes) -> Packing | None:
    """How content that begins so is packed; ``None`` where it is not.

    >>> find_packing(b"BZh91AY")
    <Packing.BZIP2: b'BZh'>
    """
    return next((one for one in Packing if one.value and beginning.startswith(one.value)), None)


class _Decompressor(Protocol):
    """What the three libraries have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Deflate:
    """zlib's decompressor, used like the other two."""

    def __init__(self, window_bits: int) -> None:
        self._inner = zlib.decompressobj(window_bits)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        unpacked = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        self.needs_input = not self._inner.unconsumed_tail and len(unpacked) < max_length
        return unpacked


_NEW: dict[Packing, Callable[[], _Decompressor]] = {
    Packing.GZIP: lambda: _Deflate(16 + zlib.MAX_WBITS),
    Packing.DEFLATE: lambda: _Deflate(-zlib.MAX_WBITS),
    Packing.BZIP2: bz2.BZ2Decompressor,
    Packing.XZ: lambda: lzma.LZMADecompressor(memlimit=MAX_XZ_MEMORY),
}


class Inflation:
    """What a source unpacks to. Several streams one after the other are one, as the tools have it.

    What follows that is no stream of the same kind, is left in the source.
    """

    def __init__(self, source: Source, packing: Packing, budget: Budget) -> None:
        self._source, self._packing, self._budget = source, packing, budget
        self._decompressor = _NEW[packing]()
        self._start = source.offset
        self._unpacked = 0
        self.is_over = False

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes; ``b""`` at the end only.

        Raises: RecordError for bytes that are broken or cut off; TooLargeError beyond the limits.
        """
        while not self.is_over:
            data = self._inflate(min(count, CHUNK))
            if self._decompressor.eof:
                self._go_on()
            if data:
                self._unpacked += len(data)
                self._budget.count_bytes(len(data))
                self._budget.check_ratio(self._unpacked, self._source.offset - self._start)
                return data
        return b""

    def _inflate(self, count: int) -> bytes:
        packed = self._source.read_some(CHUNK) if self._decompressor.needs_input else b""
        if not packed and self._decompressor.needs_input:
            raise broken_archive("the packed bytes are cut off", byte=self._source.offset)
        try:
            return self._decompressor.decompress(packed, count)
        except (zlib.error, OSError, EOFError, lzma.LZMAError) as error:
            raise broken_archive(
                f"the packed bytes cannot be read: {error}", byte=self._source.offset
            ) from error

    def _go_on(self) -> None:
        """After the end of one stream: the next one, if there is one."""
        self._source.give_back(len(self._decompressor.unused_data))
        magic = self._packing.value
        if magic and self._source.peek(len(magic)) == magic:
            self._decompressor = _NEW[self._packing]()
        else:
            self.is_over = True
