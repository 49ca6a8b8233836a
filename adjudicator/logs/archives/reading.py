"""Reads the members of an archive, whatever kind it is: the content decides, never its name.

Source: ``docs/formats/archives.md``.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

from adjudicator.errors import RecordError, TooLargeError, UnknownFormatError
from adjudicator.logs.archives.inflation import Inflation, find_packing
from adjudicator.logs.archives.limits import DEFAULT_LIMITS, ArchiveLimits, Budget, member_too_large
from adjudicator.logs.archives.members import BadMember, Member, refused
from adjudicator.logs.archives.record_lines import is_record_lines, line_members
from adjudicator.logs.archives.sources import CHUNK, Source
from adjudicator.logs.archives.tar_members import BLOCK, RECORD, TarReading, is_empty_tar, is_tar
from adjudicator.logs.archives.zip_members import BEGINNINGS, zip_members

_PACKED_SUFFIXES = (".gz", ".bz2", ".xz")
_ONLY_MEMBER = "content"
_BEGINNING_BYTES = 6


def read_archive(
    source: Source,
    limits: ArchiveLimits = DEFAULT_LIMITS,
    *,
    file_name: str | None = None,
    scratch: BinaryIO | None = None,
    is_lines: bool = False,
) -> Iterator[Member | BadMember]:
    """The members of an archive one after the other, while it is read; bad ones in their place.

    A zip, whose directory stands at its end, is kept aside in ``scratch``, an empty file of the caller's,
    where the source cannot be sought in. ``file_name`` names the only member of a gzip, bzip2 or xz of one
    file. ``is_lines``: somebody says it is NDJSON; then one line is enough, whatever it holds.

    Raises, when the first or a later member is asked for: UnknownFormatError where the content is no archive;
    RecordError where it is broken, with the byte and the member before it; TooLargeError beyond the limits.
    """
    budget = Budget(limits)
    if source.peek(4) in BEGINNINGS:
        yield from _without_nested(_zip_members(source, budget, scratch))
        return
    packing = find_packing(source.peek(_BEGINNING_BYTES))
    if packing is None:
        unpacked = Source(budget.counted(source.read_some))
    else:
        unpacked = Source(Inflation(source, packing, budget).read_some)
    if is_tar(unpacked.peek(BLOCK)) or (packing is not None and is_empty_tar(unpacked.peek(RECORD + 1))):
        yield from _without_nested(TarReading(unpacked, budget).members())
    elif is_lines or is_record_lines(unpacked, limits.member_bytes):
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
        raise member_too_large(limits.member_bytes)
    path = PurePath(file_name or _ONLY_MEMBER)
    return Member(path.stem if path.suffix.lower() in _PACKED_SUFFIXES else path.name, content)


def _zip_members(source: Source, budget: Budget, scratch: BinaryIO | None) -> Iterator[Member | BadMember]:
    file = source.file
    if file is None:
        if scratch is None:
            raise RecordError("A zip is read from its end: it cannot be taken as it comes.")
        _keep_aside(source, scratch, budget.limits.archive_bytes)
        file = scratch
    return zip_members(file, budget)


def _keep_aside(source: Source, scratch: BinaryIO, most: int) -> None:
    while data := source.read_some(CHUNK):
        scratch.write(data)
        if scratch.tell() > most:
            raise TooLargeError(f"The archive has more than {most} bytes.")
