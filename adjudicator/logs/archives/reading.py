"""Reads the members of an archive, whatever kind it is: the content decides, never its name.

Source: ``docs/formats/archives.md``.
"""

import tempfile
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO, cast

from adjudicator.errors import TooLargeError, UnknownFormatError
from adjudicator.logs.archives.inflation import Inflation, find_packing
from adjudicator.logs.archives.limits import DEFAULT_LIMITS, ArchiveLimits, Budget
from adjudicator.logs.archives.members import BadMember, Member, refused
from adjudicator.logs.archives.record_lines import is_record_lines, line_members
from adjudicator.logs.archives.sources import CHUNK, Source
from adjudicator.logs.archives.tar_members import BLOCK, TarReading, is_tar
from adjudicator.logs.archives.zip_members import BEGINNINGS, zip_members

_KEPT_IN_MEMORY = 1_000_000
_PACKED_SUFFIXES = (".gz", ".bz2", ".xz")
_ONLY_MEMBER = "content"
_LONGEST_BEGINNING = 6


def read_archive(
    source: Source, limits: ArchiveLimits = DEFAULT_LIMITS, *, file_name: str | None = None
) -> Iterator[Member | BadMember]:
    """The members of an archive one after the other, while it is read; bad ones in their place.

    A zip, whose directory stands at its end, is kept aside in a temporary file where the source cannot be
    sought in. ``file_name`` names the only member of a gzip, bzip2 or xz of one file.

    Raises, when the first or a later member is asked for: UnknownFormatError where the content is no archive;
    RecordError where it is broken, with the byte and the member before it; TooLargeError beyond the limits.
    """
    budget = Budget(limits)
    if source.peek(4) in BEGINNINGS:
        yield from _without_nested(_zip_members(source, budget))
        return
    packing = find_packing(source.peek(_LONGEST_BEGINNING))
    if packing is None:
        unpacked = Source(budget.counted(source.read_some))
    else:
        unpacked = Source(Inflation(source, packing, budget).read_some)
    if is_tar(unpacked.peek(BLOCK)):
        yield from _without_nested(TarReading(unpacked, budget).members())
    elif is_record_lines(unpacked, limits.member_bytes):
        yield from line_members(unpacked, budget)
    elif packing is not None:
        yield from _without_nested(iter([_only_member(unpacked, limits, file_name)]))
    else:
        raise UnknownFormatError("This is no archive: neither zip, tar, gzip, bzip2, xz nor NDJSON.")


def begins_archive(source: Source, limits: ArchiveLimits = DEFAULT_LIMITS) -> bool:
    """Whether an archive comes; looks ahead, as far as a second line where NDJSON may come."""
    return _is_container(source.peek(BLOCK)) or is_record_lines(source, limits.member_bytes)


def _is_container(beginning: bytes) -> bool:
    return beginning[:4] in BEGINNINGS or find_packing(beginning) is not None or is_tar(beginning)


def _without_nested(members: Iterator[Member | BadMember]) -> Iterator[Member | BadMember]:
    for member in members:
        if isinstance(member, Member) and _is_container(member.content[:BLOCK]):
            yield BadMember(member.name, refused("an archive within an archive is not opened"))
        else:
            yield member


def _only_member(unpacked: Source, limits: ArchiveLimits, file_name: str | None) -> Member:
    content = unpacked.read(limits.member_bytes + 1)
    if len(content) > limits.member_bytes:
        raise TooLargeError(f"It unpacks to more than {limits.member_bytes} bytes.")
    path = PurePath(file_name or _ONLY_MEMBER)
    return Member(path.stem if path.suffix.lower() in _PACKED_SUFFIXES else path.name, content)


def _zip_members(source: Source, budget: Budget) -> Iterator[Member | BadMember]:
    if source.file is not None:
        yield from zip_members(source.file, budget)
        return
    most = budget.limits.archive_bytes
    with tempfile.SpooledTemporaryFile(_KEPT_IN_MEMORY) as kept:
        while data := source.read_some(CHUNK):
            kept.write(data)
            if kept.tell() > most:
                raise TooLargeError(f"The archive has more than {most} bytes.")
        yield from zip_members(cast("BinaryIO", kept), budget)
