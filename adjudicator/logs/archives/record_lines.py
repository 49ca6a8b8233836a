"""NDJSON: one match record a line."""

import json
from collections.abc import Iterator

from adjudicator.errors import Place
from adjudicator.logs.archives.limits import Budget, member_too_large
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
    if not source.peek(length + CHUNK)[length:].lstrip().startswith(b"{"):
        return False
    try:
        json.loads(ahead[:length].removeprefix(_MARK))
    except (ValueError, RecursionError):
        return False
    return True


def line_members(source: Source, budget: Budget) -> Iterator[Member | BadMember]:
    """Every line that is not blank, as a member named ``line 1`` and so on; blank ones count as entries too.

    Raises: TooLargeError beyond the limits of the archive.
    """
    number = 0
    most = budget.limits.member_bytes
    while line := source.read_line(most + 1):
        number += 1
        budget.count_member()
        content = line.removeprefix(_MARK if number == 1 else b"").strip()
        if len(line) > most and not line.endswith(b"\n"):
            while (rest := source.read_line(CHUNK)) and not rest.endswith(b"\n"):
                pass
            error = member_too_large(most, "a line that is too long", Place(line=number))
            yield BadMember(f"line {number}", error)
        elif content:
            yield Member(f"line {number}", content)
