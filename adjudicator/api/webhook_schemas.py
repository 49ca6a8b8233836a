"""The shapes of webhooks at this door."""

from marshmallow import Schema, fields, validate

from adjudicator.api.schemas import PageSchema, moment_field
from adjudicator.service.webhooks.service import DEFAULT_OVERLAP
from adjudicator.service.webhooks.values import DeliveryStatus, EventType

LONGEST_OVERLAP_S = 30 * 24 * 3600


class EndpointRequestSchema(Schema):
    """Where an owner wants to be told; what a URL may be is the service's to say."""

    url = fields.String(required=True)


class SecretRequestSchema(Schema):
    """For how long the secrets before a new one count beside it."""

    overlap_s = fields.Integer(
        strict=True,
        load_default=int(DEFAULT_OVERLAP.total_seconds()),
        validate=validate.Range(0, LONGEST_OVERLAP_S),
    )


class DeliveriesQuerySchema(PageSchema):
    """Which deliveries, and which page of them."""

    status = fields.Enum(DeliveryStatus, by_value=True)


class EndpointSchema(Schema):
    """Where an owner is told of everything."""

    url = fields.String()
    created_at = moment_field("created_at")
    disabled_at = moment_field("disabled_at")
    disabled_because = fields.String()


class SecretSchema(Schema):
    """A secret, but for what is secret of it."""

    id = fields.String()
    created_at = moment_field("created_at")
    expires_at = moment_field("expires_at")


class NewSecretSchema(SecretSchema):
    """A secret as it is shown once."""

    secret = fields.String(attribute="text")


class DeliverySchema(Schema):
    """What is told one receiver of one event, and what has become of it."""

    id = fields.String()
    event = fields.Enum(EventType, by_value=True)
    payload = fields.Dict()
    url = fields.String()
    to_endpoint = fields.Boolean()
    status = fields.Enum(DeliveryStatus, by_value=True)
    attempts = fields.Integer(attribute="attempt")
    created_at = moment_field("created_at")
    due_at = moment_field("due_at")
    tried_at = moment_field("tried_at")
    ended_at = moment_field("ended_at")
    answered = fields.Integer()
    error = fields.String()
