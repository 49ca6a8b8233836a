"""The directory at the end of a zip: what its members are and where they stand.

Read entry by entry, so that a directory of any size takes no memory.

Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from adjudicator.logs.archives.members import broken_archive, clean_name, decode_name

_END = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_LOCATOR = struct.Struct("<4sLQL")
_LOCATOR_MAGIC = b"PK\x06\x07"
_END_64 = struct.Struct("<4sQ2H2L4Q")
_END_64_MAGIC = b"PK\x06\x06"
_ENTRY = struct.Struct("<4s6H3L5H2L")
_ENTRY_MAGIC = b"PK\x01\x02"
_MAX_COMMENT_BYTES = 65_535
_FULL_32 = 0xFFFF_FFFF
_ZIP64_FIELD = 1
_UTF_8_FLAG = 0x800


class ZipEntry(NamedTuple):
    """One entry. ``offset`` is the place of its header in the file; ``mode`` its Unix file type."""

    name: str
    flags: int
    method: int
    checksum: int
    packed_size: int
    size: int
    mode: int
    offset: int


class _Directory(NamedTuple):
    """Where the directory stands, and by how much all offsets are off: content may stand before a zip."""

    start: int
    size: int
    shift: int


def read_directory(file: BinaryIO) -> Iterator[ZipEntry]:
    """The entries of a zip in their order.

    Raises: RecordError where the directory is missing or broken, at that entry.
    """
    directory = _find_directory(file)
    place, end = directory.start, directory.start + directory.size
    last: str | None = None
    while place < end:
        file.seek(place)
        fixed = file.read(_ENTRY.size)
        if len(fixed) < _ENTRY.size or not fixed.startswith(_ENTRY_MAGIC):
            raise broken_archive("an entry of its directory cannot be read", byte=place, member=last)
        fields = _ENTRY.unpack(fixed)
        lengths = fields[10:13]
        variable = file.read(sum(lengths))
        if len(variable) < sum(lengths):
            raise broken_archive("its directory is cut off", byte=place, member=last)
        entry = _entry(fields, variable, directory.shift)
        yield entry
        last = entry.name
        place += _ENTRY.size + sum(lengths)


def _find_directory(file: BinaryIO) -> _Directory:
    length = file.seek(0, 2)
    tail_start = max(0, length - _END.size - _MAX_COMMENT_BYTES)
    file.seek(tail_start)
    tail = file.read(_END.size + _MAX_COMMENT_BYTES)
    found = tail.rfind(_END_MAGIC)
    if found < 0 or len(tail) - found < _END.size:
        raise broken_archive("the directory at its end is missing; was the file cut off?", byte=length)
    end = tail_start + found
    _, disk, _, _, _, size, offset, _ = _END.unpack_from(tail, found)
    if disk not in (0, 0xFFFF):
        raise broken_archive("it is one part of several", byte=end)
    large = _find_zip64(file, end)
    if large is not None:
        end, size, offset = large
    start = end - size
    if start < 0 or offset > start:
        raise broken_archive("the directory at its end says a place outside the file", byte=end)
    return _Directory(start, size, start - offset)


def _find_zip64(file: BinaryIO, end: int) -> tuple[int, int, int] | None:
    """Place, directory size and directory offset by the large end record; ``None`` where there is none."""
    if end < _LOCATOR.size + _END_64.size:
        return None
    file.seek(end - _LOCATOR.size)
    if not file.read(_LOCATOR.size).startswith(_LOCATOR_MAGIC):
        return None
    place = end - _LOCATOR.size - _END_64.size
    file.seek(place)
    record = file.read(_END_64.size)
    if not record.startswith(_END_64_MAGIC):
        raise broken_archive("the large directory at its end cannot be read", byte=place)
    *_, size, offset = _END_64.unpack(record)
    return place, size, offset


def _entry(fields: tuple[int, ...], variable: bytes, shift: int) -> ZipEntry:
    _, made_by, _, flags, method, _, _, checksum, packed_size, size, name_length, extra_length, *_ = fields
    attributes, offset = fields[-2:]
    packed_size, size, offset = _large_numbers(
        variable[name_length : name_length + extra_length], packed_size, size, offset
    )
    raw = variable[:name_length]
    name = raw.decode("utf-8", "replace") if flags & _UTF_8_FLAG else decode_name(raw, fallback="cp437")
    mode = attributes >> 16 if made_by >> 8 == _UNIX else 0
    return ZipEntry(clean_name(name), flags, method, checksum, packed_size, size, mode, offset + shift)


_UNIX = 3


def _large_numbers(extra: bytes, packed_size: int, size: int, offset: int) -> tuple[int, int, int]:
    """The numbers of an entry, those that have no room in 32 bits from its extra field."""
    large = _extra_field(extra, _ZIP64_FIELD)
    numbers = []
    for number in (size, packed_size, offset):
        if number == _FULL_32 and len(large) >= 8:
            number, large = int.from_bytes(large[:8], "little"), large[8:]  # noqa: PLW2901 - what it stands for
        numbers.append(number)
    return numbers[1], numbers[0], numbers[2]


def _extra_field(extra: bytes, wanted: int) -> bytes:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == wanted:
            return extra[4 : 4 + length]
        extra = extra[4 + length :]
    return b""
