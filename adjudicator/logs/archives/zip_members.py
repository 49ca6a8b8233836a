"""The members of a zip: stored or deflated, in the order of its directory.

Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.4.
"""

import bisect
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from adjudicator.errors import AdjudicatorError
from adjudicator.logs.archives.inflation import Inflation, Packing
from adjudicator.logs.archives.limits import Budget
from adjudicator.logs.archives.members import BadMember, Member, NameCheck, is_left_by_system, refused
from adjudicator.logs.archives.sources import Source
from adjudicator.logs.archives.zip_directory import ZipEntry, read_directory

BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
"""What a zip begins with: a member, or the directory of none."""

_HEADER = struct.Struct("<4s5H3L2H")
_HEADER_MAGIC = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000


def zip_members(file: BinaryIO, budget: Budget) -> Iterator[Member | BadMember]:
    """All members of a zip that can be sought in.

    Raises: RecordError where the directory is broken; TooLargeError beyond the limits of the archive.
    """
    reading = _ZipReading(file, budget)
    for entry in read_directory(file):
        budget.count_member()
        if entry.name.endswith("/") or is_left_by_system(entry.name):
            continue
        try:
            yield Member(entry.name, reading.content_of(entry))
        except AdjudicatorError as error:
            budget.check_total()
            yield BadMember(entry.name, error)


class _ZipReading:
    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self._file, self._budget = file, budget
        self._names = NameCheck(budget.limits.name_bytes)
        self._taken: list[tuple[int, int]] = []

    def content_of(self, entry: ZipEntry) -> bytes:
        """The bytes of a member.

        Raises: RecordError, TooLargeError.
        """
        self._names.check(entry.name)
        if entry.mode and stat.S_IFMT(entry.mode) not in (0, stat.S_IFREG):
            raise refused("it is a symbolic link or a device; only files are read")
        if entry.flags & _ENCRYPTED_FLAGS:
            raise refused("it is encrypted")
        if entry.method not in (_STORED, _DEFLATED):
            raise refused(f"it is packed by method {entry.method}; stored and deflated members are read")
        self._budget.check_member_size(entry.size)
        start = self._start_of(entry)
        self._take_place(entry.offset, start + entry.packed_size)
        content = self._unpack(entry, start)
        if zlib.crc32(content) != entry.checksum:
            raise refused("its checksum is wrong")
        return content

    def _start_of(self, entry: ZipEntry) -> int:
        """Where its packed bytes begin, behind its own header."""
        self._file.seek(entry.offset)
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(_HEADER_MAGIC):
            raise refused(f"no header stands at byte {entry.offset}, where the directory says")
        name_length, extra_length = _HEADER.unpack(header)[-2:]
        return entry.offset + _HEADER.size + int(name_length) + int(extra_length)

    def _take_place(self, start: int, end: int) -> None:
        """Refuse bytes that belong to another member already: a bomb uses the same ones again and again."""
        index = bisect.bisect(self._taken, (start, end))
        neighbours = self._taken[max(0, index - 1) : index + 1]
        if any(other_start < end and start < other_end for other_start, other_end in neighbours):
            raise refused("it stands in the same bytes as another member")
        self._taken.insert(index, (start, end))

    def _unpack(self, entry: ZipEntry, start: int) -> bytes:
        self._file.seek(start)
        left = entry.packed_size

        def read_packed(count: int) -> bytes:
            nonlocal left
            data = self._file.read(min(count, left))
            left -= len(data)
            return data

        packed = Source(read_packed)
        if entry.method == _STORED:
            unpacked = Source(self._budget.counted(packed.read_some))
        else:
            unpacked = Source(Inflation(packed, Packing.DEFLATE, self._budget).read_some)
        content = unpacked.read(entry.size)
        if len(content) < entry.size:
            raise refused(f"it has {len(content)} bytes where the directory says {entry.size}")
        if unpacked.peek(1):
            raise refused(f"it has more bytes than the {entry.size} that the directory says")
        return content
