"""The container of an .xg file: head, picture, compressed records, directory.

Source: ``docs/formats/xg.md``, section "Container".
"""

import struct
import zlib
from typing import NamedTuple

from adjudicator.errors import RecordError
from adjudicator.logs.packed_parts import inflate
from adjudicator.logs.refusals import cut_short, damaged

XG_FILE = ".xg file"
"""What the file is called where it is refused."""
MAGIC = b"RGMH"
_RECORD_BYTES = 2560
_RECORDS_NAME = b"temp.xg"

_HEAD = struct.Struct("<4sIIqI")
"""Magic, version, size of the head, where the picture begins behind it, size of the picture."""
_TRAILER = struct.Struct("<IiiiiI12x")
"""Checksum, number of files, version, size of the directory, size of the files, whether it is compressed."""
_ENTRY = struct.Struct("<256p256piiiIBB2x")
"""Name, path, size, size as stored, where it begins, CRC-32, 0 if compressed, level."""


class _Stored(NamedTuple):
    """Where the records are stored; ``crc`` is that of the inflated bytes, ``None`` where none is given."""

    start: int
    end: int
    is_compressed: bool = True
    crc: int | None = None


def unpack_records(content: bytes) -> list[bytes]:
    """The records of an .xg file, 2,560 bytes each.

    Raises: RecordError for a file that is damaged or cut short; TooLargeError for one that inflates beyond
    the limit.
    """
    stored = _find_records(content)
    packed = memoryview(content)[stored.start : stored.end]
    records = inflate(packed, XG_FILE) if stored.is_compressed else bytes(packed)
    if stored.crc is not None and zlib.crc32(records) != stored.crc:
        raise damaged(XG_FILE, "its checksum is wrong")
    if len(records) % _RECORD_BYTES:
        reason = f"record {len(records) // _RECORD_BYTES + 1} ends before its {_RECORD_BYTES} bytes do"
        raise damaged(XG_FILE, reason)
    return [records[start : start + _RECORD_BYTES] for start in range(0, len(records), _RECORD_BYTES)]


def _find_records(content: bytes) -> _Stored:
    """Where the records are: as the directory says, or behind the picture in a file without one."""
    if len(content) < _HEAD.size or content[:4] != MAGIC:
        raise RecordError("This is no .xg file: it does not begin with RGMH and a head.")
    _, _, head_size, picture_start, picture_size = _HEAD.unpack_from(content)
    start = head_size + picture_start + picture_size
    if not _HEAD.size <= start < len(content):
        raise cut_short(XG_FILE)
    trailer_start = len(content) - _TRAILER.size
    if trailer_start > start:
        _, count, _, directory_size, files_size, is_compressed = _TRAILER.unpack_from(content, trailer_start)
        directory_start = trailer_start - directory_size
        if start + files_size == directory_start and directory_size > 0 and files_size > 0:
            packed = memoryview(content)[directory_start:trailer_start]
            directory = inflate(packed, f"directory of the {XG_FILE}") if is_compressed else bytes(packed)
            return _look_up(directory, count, start, directory_start)
    return _Stored(start, len(content))


def _look_up(directory: bytes, count: int, start: int, end: int) -> _Stored:
    if len(directory) != count * _ENTRY.size:
        raise damaged(XG_FILE, "its directory is not as long as it says")
    for name, _, _, size, offset, crc, is_plain, _ in _ENTRY.iter_unpack(directory):
        if name == _RECORDS_NAME:
            if offset < 0 or size < 0 or start + offset + size > end:
                raise damaged(XG_FILE, "its directory points outside the file")
            return _Stored(start + offset, start + offset + size, not is_plain, crc)
    raise damaged(XG_FILE, "its directory names no temp.xg, which holds the match")
