"""Results of many matches as NDJSON: a line a member, in the order of the archive.

Source: ``openapi.yaml``, schemas ``BatchResultLine`` and ``BatchResultsEnd``.
"""

from collections.abc import Sequence
from typing import Any

from adjudicator.errors import Fault
from adjudicator.service.batch_values import BatchMember, Refusal
from adjudicator.service.identifiers import canonical_json


def format_line(member: BatchMember, result: bytes | None) -> bytes:
    r"""One member with its line feed; the bytes of its result stand in it as they are kept.

    >>> from adjudicator.service.batch_values import MemberStatus
    >>> format_line(BatchMember(3, "c.mat", MemberStatus.DONE, "a1"), b'{"id":"a1"}').decode()
    '{"adjudication_id":"a1","cursor":"3","member":3,"name":"c.mat","status":"done","result":{"id":"a1"}}\n'
    """
    fields: dict[str, Any] = {
        "cursor": format_cursor(member.number),
        "member": member.number,
        "name": member.name,
        "status": member.status.value,
    }
    if member.adjudication_id is not None:
        fields["adjudication_id"] = member.adjudication_id
    if member.error is not None:
        fields["error"] = format_refusal(member.error)
    line = canonical_json(fields)
    if result is not None:
        line = b'%s,"result":%s}' % (line[:-1], result)
    return line + b"\n"


def format_end(last: int, *, is_complete: bool) -> bytes:
    r"""The last line: after which member to go on, and whether there is more to come.

    >>> format_end(3, is_complete=False)
    b'{"complete":false,"cursor":"3"}\n'
    """
    return canonical_json({"cursor": format_cursor(last), "complete": is_complete}) + b"\n"


def format_cursor(number: int) -> str:
    """The place behind the member of that number, 0 before the first."""
    return str(number)


def format_refusal(refusal: Refusal) -> dict[str, Any]:
    """Why there is no result, as it leaves the service."""
    told: dict[str, Any] = {"code": refusal.code, "detail": refusal.detail}
    if refusal.faults:
        told["errors"] = format_faults(refusal.faults)
    return told


def format_faults(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """Faults with what is known of their places, as in problem documents."""
    return [
        {"reason": fault.reason}
        | {name: value for name, value in fault.place._asdict().items() if value is not None}
        for fault in faults
    ]
