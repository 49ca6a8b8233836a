"""The container of an OGXM file: head, sections, checksum.

Source: ``docs/formats/ogxm.md``, section "Container".
"""

import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from adjudicator.errors import RecordError, TooLargeError
from adjudicator.logs.ogxm.byte_reading import ByteReading
from adjudicator.logs.refusals import damaged

OGXM_FILE = "OGXM file"
"""What the file is called where it is refused."""
MAGIC = b"OGXM"
MAX_SECTIONS = 10_000
"""More sections are refused; a file has one a game and a few for each analysis."""

_CRITICAL = 1
_CHECKSUM = b"CSUM"
_CRC32, _SHA256 = 0, 1
_KNOWN = {
    1: frozenset(b"MHDR GAME ANAL EVAL ALTS CUBE GVAN SIGN CLCK VIDO CSUM".split()),
    2: frozenset(b"MTCH GAME ANAL DECS SIGN CLCK VIDO ANNO MSIG CSUM".split()),
}


class Section(NamedTuple):
    """One part of the file: a name of four letters, and what it holds."""

    name: bytes
    body: bytes


class Container(NamedTuple):
    """The parts of a file of that version (1 or 2), in order."""

    version: int
    sections: tuple[Section, ...]

    def named(self, name: bytes) -> list[bytes]:
        """What every section of that name holds."""
        return [section.body for section in self.sections if section.name == name]

    def only(self, name: bytes) -> bytes:
        """What the one section of that name holds.

        Raises: ValueError if there is none, or more than one.
        """
        bodies = self.named(name)
        if len(bodies) != 1:
            raise ValueError(f"{len(bodies)} sections {name.decode()} instead of one")
        return bodies[0]


class _Layout(NamedTuple):
    """How a version frames its sections; ``ending`` is how many bytes the end marker takes."""

    head: struct.Struct
    section: struct.Struct
    ending: int


_LAYOUTS = {
    1: _Layout(struct.Struct("<4sHHHHII"), struct.Struct("<4sIHxx"), 8),
    2: _Layout(struct.Struct("<4sHHHHI"), struct.Struct("<4sIB"), 4),
}
_NEWEST_READER = {1: (1, 3), 2: (2, 2)}


def open_container(content: bytes) -> Container:
    """The sections of an OGXM file, its checksum checked where it has one.

    Raises: RecordError for a file that is damaged, cut short, or asks for a newer reader; TooLargeError for
    one of too many sections.
    """
    if len(content) < 12 or content[:4] != MAGIC:
        raise RecordError("This is no OGXM file: it does not begin with OGXM and a head.")
    version, _, *reader = struct.unpack_from("<HHHH", content, 4)
    if version not in _LAYOUTS or tuple(reader) > _NEWEST_READER[version]:
        needed = f"{version} for readers of version {reader[0]}.{reader[1]}"
        raise RecordError(f"The OGXM file is of version {needed}; known are 1.3 and 2.2.")
    layout = _LAYOUTS[version]
    if len(content) < layout.head.size + layout.ending:
        raise damaged(OGXM_FILE, "it ends within its head")
    size = layout.head.unpack_from(content)[5]
    if size != len(content) and (size or version > 1):
        raise damaged(OGXM_FILE, f"it says that it has {size} bytes, and has {len(content)}")
    if content[len(content) - layout.ending :][:4] != b"END!":
        raise damaged(OGXM_FILE, "it does not end with its end marker")
    return Container(version, tuple(_sections(content, layout, version)))


def _sections(content: bytes, layout: _Layout, version: int) -> Iterator[Section]:
    place, end = layout.head.size, len(content) - layout.ending
    for _ in range(MAX_SECTIONS):
        if place == end:
            return
        body_start = place + layout.section.size
        if body_start > end:
            raise damaged(OGXM_FILE, f"a section begins at byte {place} and does not fit")
        name, size, flags = layout.section.unpack_from(content, place)
        if body_start + size > end:
            raise damaged(OGXM_FILE, f"the section at byte {place} claims {size} bytes, which do not fit")
        if name not in _KNOWN[version] and flags & _CRITICAL:
            raise RecordError(f"The OGXM file needs a newer reader: section {name!r} is not known here.")
        body = content[body_start : body_start + size]
        if name == _CHECKSUM:
            _require_sum(content[:place], body, version)
        yield Section(name, body)
        place = body_start + size
    raise TooLargeError(f"The OGXM file has more than {MAX_SECTIONS} sections.")


def _require_sum(covered: bytes, body: bytes, version: int) -> None:
    try:
        algorithm, digest = _parse_sum(body, version)
    except ValueError as error:
        raise damaged(OGXM_FILE, f"its checksum cannot be read: {error}") from error
    if algorithm == _CRC32 and digest != zlib.crc32(covered).to_bytes(4, "little"):
        raise damaged(OGXM_FILE, "its checksum is wrong")
    if algorithm == _SHA256 and digest != hashlib.sha256(covered).digest():
        raise damaged(OGXM_FILE, "its checksum is wrong")


def _parse_sum(body: bytes, version: int) -> tuple[int, bytes]:
    """The algorithm and the sum."""
    if version == 1:
        reading = ByteReading(body)
        return reading.unsigned(4), reading.take(4)
    record = ByteReading(body).record()
    return record.reading.number(), record.reading.take(record.reading.number())
