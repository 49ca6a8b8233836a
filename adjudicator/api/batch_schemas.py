"""What query parameters about batches may be, and the shape of the answers."""

import re
from typing import Any

from marshmallow import Schema, ValidationError, fields

from adjudicator.api.schemas import moment_field
from adjudicator.service.batch_values import BatchStatus, MemberStatus
from adjudicator.service.choice import Choice
from adjudicator.service.result_lines import format_faults, format_refusal

NUMBER = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)
NO_CURSOR = "This is no cursor that was given here."


class NumberCursor(fields.Field[int]):
    """The place behind a member of a batch, as ``result_lines.format_cursor`` writes it."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not (isinstance(value, str) and NUMBER.fullmatch(value)):
            raise ValidationError(NO_CURSOR)
        return int(value)


class CursorSchema(Schema):
    """From which member of a batch on."""

    cursor = NumberCursor(load_default=0)


class MembersSchema(CursorSchema):
    """Which members of a batch."""

    status = fields.Enum(MemberStatus, by_value=True, load_default=None)


class BatchSchema(Schema):
    """A batch, without its members."""

    schema = fields.Constant("batch/1")
    id = fields.String()
    status = fields.Enum(BatchStatus, by_value=True)
    name = fields.String()
    options = fields.Function(lambda batch: _format_choice(batch.choice, batch.format_name))
    members = fields.Integer()
    faults = fields.Function(lambda batch: format_faults(batch.faults))
    received_at = moment_field("received_at")
    finished_at = moment_field("finished_at")


def _format_choice(choice: Choice, format_name: str | None) -> dict[str, Any]:
    """The options as they were sent, the engine named."""
    named = {
        "ruleset": choice.ruleset,
        "engine": choice.engine,
        "cross_check": choice.cross_check,
        "format": format_name,
    }
    return {name: value for name, value in named.items() if value is not None} | dict(choice.options)


class BatchMemberSchema(Schema):
    """How a member of a batch stands."""

    member = fields.Integer(attribute="number")
    name = fields.String()
    status = fields.Enum(MemberStatus, by_value=True)
    adjudication_id = fields.String()
    error = fields.Function(lambda member: None if member.error is None else format_refusal(member.error))
