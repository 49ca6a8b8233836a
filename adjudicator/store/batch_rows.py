"""Batches and their members to rows and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from adjudicator.errors import Fault, Place
from adjudicator.happy_end.game import GameStatus
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    NewMember,
    Refusal,
    Tally,
)
from adjudicator.service.choice import Choice
from adjudicator.store.rows import pack
from adjudicator.store.tables import keepable


def batch_row(batch: Batch) -> dict[str, Any]:
    """A new batch as its row, without what becomes of it."""
    return {
        "id": batch.id,
        "owner": batch.owner,
        "name": batch.name,
        "choice": {**asdict(batch.choice), "format": batch.format_name},
        "status": batch.status.value,
        "members": batch.members,
        "settled": batch.settled,
        "faults": fault_rows(batch.faults),
        "received_at": batch.received_at,
        "fed_at": batch.received_at,
        "callback_url": batch.callback_url,
        "traceparent": batch.traceparent,
    }


def batch_value(row: sa.RowMapping) -> Batch:
    """The batch of a row."""
    chosen = dict(row["choice"])
    format_name = chosen.pop("format")
    return Batch(
        id=row["id"],
        owner=row["owner"],
        name=row["name"],
        choice=Choice(**chosen),
        format_name=format_name,
        status=BatchStatus(row["status"]),
        members=row["members"],
        settled=row["settled"],
        faults=_faults(row["faults"]),
        received_at=row["received_at"],
        finished_at=row["finished_at"],
        callback_url=row["callback_url"],
        traceparent=row["traceparent"],
    )


def member_row(batch_id: str, number: int, member: NewMember) -> dict[str, Any]:
    """A member as its row."""
    return {
        "batch_id": batch_id,
        "number": number,
        "name": member.name,
        "content": None if member.content is None else pack(member.content),
        "error": None if member.refusal is None else refusal_row(member.refusal),
    }


def member_value(row: sa.RowMapping) -> BatchMember:
    """The member of a row, joined with its adjudication."""
    error = None
    if row["error_code"] is not None:
        error = Refusal(row["error_code"], row["error_detail"])
    elif row["error"] is not None:
        error = _refusal(row["error"])
    return BatchMember(row["number"], row["name"], MemberStatus(row["state"]), row["adjudication_id"], error)


def refusal_row(refusal: Refusal) -> dict[str, Any]:
    """A refusal as JSON."""
    return {
        "code": refusal.code,
        "detail": keepable(refusal.detail),
        "faults": fault_rows(refusal.faults),
    }


def fault_rows(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """Faults as JSON, with what is known of their places."""
    return [
        {
            name: keepable(value) if isinstance(value, str) else value
            for name, value in {"reason": fault.reason, **fault.place._asdict()}.items()
            if value is not None
        }
        for fault in faults
    ]


def _refusal(fields: Mapping[str, Any]) -> Refusal:
    return Refusal(fields["code"], fields["detail"], _faults(fields["faults"]))


def _faults(rows: Sequence[Mapping[str, Any]]) -> tuple[Fault, ...]:
    return tuple(
        Fault(row["reason"], Place(**{name: value for name, value in row.items() if name != "reason"}))
        for row in rows
    )


def tally_value(rows: Sequence[tuple[Any, ...]]) -> Tally:
    """The tally of rows of members that stand alike: status, code, how many, and their sums."""
    members: dict[MemberStatus, int] = {}
    failures: dict[str, int] = {}
    games = dict.fromkeys([status.value for status in GameStatus], 0)
    changed_matches = changed_games = 0
    for state, code, count, changed, with_others, *by_status in rows:
        status = MemberStatus(state)
        members[status] = members.get(status, 0) + count
        if code is not None:
            failures[code] = failures.get(code, 0) + count
        changed_matches += changed
        changed_games += with_others
        for name, number in zip(games, by_status, strict=True):
            games[name] += number
    return Tally(members, changed_matches, games, changed_games, failures)
