"""What is sent and answered around keys."""

from marshmallow import Schema, fields, validate

from adjudicator.api.schemas import moment_field
from adjudicator.service.access import Scope
from adjudicator.service.keys import LONGEST_LABEL, LONGEST_LIFETIME, LONGEST_OVERLAP


def _seconds(least: int, most: float) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(min=least, max=int(most)))


class NewKeySchema(Schema):
    """The key that somebody wants."""

    label = fields.String(required=True, validate=validate.Length(min=1, max=LONGEST_LABEL))
    scopes = fields.List(
        fields.Enum(Scope, by_value=True), required=True, validate=validate.Length(min=1, max=len(Scope))
    )
    lifetime_s = _seconds(1, LONGEST_LIFETIME.total_seconds())


class RotationSchema(Schema):
    """How long the old key lives on."""

    overlap_s = _seconds(0, LONGEST_OVERLAP.total_seconds())


class KeySchema(Schema):
    """What is known of a key: neither its secret nor the digest of it."""

    id = fields.String()
    owner = fields.String()
    label = fields.String()
    scopes = fields.Function(lambda key: sorted(scope.value for scope in key.scopes))
    created_at = moment_field("created_at")
    expires_at = moment_field("expires_at")
    revoked_at = moment_field("revoked_at")
    last_used_at = moment_field("last_used_at")
    successor_id = fields.String()
