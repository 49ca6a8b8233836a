"""NDJSON: one match record a line."""

import json
from collections.abc import Iterator

from adjudicator.errors import Fault, Place, TooLargeError
from adjudicator.logs.archives.limits import Budget
from adjudicator.logs.archives.members import BadMember, Member
from adjudicator.logs.archives.sources import CHUNK, Source

_MARK = b"\xef\xbb\xbf"


def is_record_lines(source: Source, most_line_bytes: int) -> bool:
    """Whether content is JSON objects, one a line, and more than one: a single one is just a record.

    Looks ahead as far as the second line.
    """
    if not source.peek(4).removeprefix(_MARK).startswith(b"{"):
        return False
    count = CHUNK
    while b"\n" not in (ahead := source.peek(count)):
        if len(ahead) < count or count > most_line_bytes:
            return False
        count *= 2
    length = ahead.index(b"\n") + 1
    try:
        json.loads(ahead[:length].removeprefix(_MARK))
    except (ValueError, RecursionError):
        return False
    return source.peek(length + CHUNK)[length:].lstrip().startswith(b"{")


def line_members(source: Source, budget: Budget) -> Iterator[Member | BadMember]:
    """Every line that is not blank, as a member named ``line 1`` and so on.

    Raises: TooLargeError beyond the limits of the archive.
    """
    number = 0
    most = budget.limits.member_bytes
    while line := _read_line(source, most + 1):
        number += 1
        content = line.removeprefix(_MARK if number == 1 else b"").strip()
        if not content:
            continue
        budget.count_member()
        if len(line) > most and not line.endswith(b"\n"):
            _skip_line(source)
            fault = Fault("a line that is too long", Place(line=number))
            yield BadMember(
                f"line {number}", TooLargeError(f"The member has more than {most} bytes.", [fault])
            )
        else:
            yield Member(f"line {number}", content)


def _read_line(source: Source, most: int) -> bytes:
    """The next line with its end, or so many bytes of it; ``b""`` at the end."""
    parts: list[bytes] = []
    left = most
    while left > 0 and (data := source.read_some(min(left, CHUNK))):
        line, feed, rest = data.partition(b"\n")
        source.give_back(rest)
        parts.append(line + feed)
        left -= len(line + feed)
        if feed:
            break
    return b"".join(parts)


def _skip_line(source: Source) -> None:
    while data := source.read_some(CHUNK):
        _, feed, rest = data.partition(b"\n")
        if feed:
            source.give_back(rest)
            return
