"""``/v1/webhooks``: who is told, with which secrets, what was told; telling it again."""

import json
from datetime import timedelta
from http import HTTPStatus

from flask import Blueprint, Response, request, url_for

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_json, answer_page
from adjudicator.api.bodies import read_options
from adjudicator.api.context import owner, webhooks
from adjudicator.api.idempotency import answered_once, keep_instead
from adjudicator.api.schemas import dump_known, parse_options, parse_parameters
from adjudicator.api.webhook_schemas import (
    DeliveriesQuerySchema,
    DeliverySchema,
    EndpointRequestSchema,
    EndpointSchema,
    NewSecretSchema,
    SecretRequestSchema,
    SecretSchema,
)
from adjudicator.service.access import Scope
from adjudicator.service.webhooks.values import Delivery

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks")


@blueprint.put("/endpoint")
@needs(Scope.ADMIN)
def put_endpoint() -> Response:
    """Sets where the owner is told of everything."""
    url = parse_options(EndpointRequestSchema(), read_options())["url"]
    return answer_json(dump_known(EndpointSchema(), webhooks().put_endpoint(owner(), url)))


@blueprint.get("/endpoint")
@needs(Scope.READ)
def show_endpoint() -> Response:
    """Where the owner is told of everything."""
    return answer_json(dump_known(EndpointSchema(), webhooks().endpoint(owner())))


@blueprint.delete("/endpoint")
@needs(Scope.ADMIN)
def delete_endpoint() -> Response:
    """Forgets it."""
    webhooks().delete_endpoint(owner())
    return Response(status=HTTPStatus.NO_CONTENT)


@blueprint.post("/secrets")
@needs(Scope.ADMIN)
@answered_once
def add_secret() -> Response:
    """A new secret, shown this once."""
    overlap_s = parse_options(SecretRequestSchema(), read_options())["overlap_s"]
    secret = webhooks().add_secret(owner(), timedelta(seconds=overlap_s))
    keep_instead(json.dumps(dump_known(SecretSchema(), secret)).encode())
    return answer_json(dump_known(NewSecretSchema(), secret), HTTPStatus.CREATED)


@blueprint.get("/secrets")
@needs(Scope.ADMIN)
def list_secrets() -> Response:
    """The secrets that sign now, without what is secret of them."""
    entries = [dump_known(SecretSchema(), secret) for secret in webhooks().secrets(owner())]
    return answer_json({"secrets": entries})


@blueprint.delete("/secrets/<secret_id:secret_id>")
@needs(Scope.ADMIN)
def delete_secret(secret_id: str) -> Response:
    """Has a secret sign nothing any more."""
    webhooks().delete_secret(secret_id, owner())
    return Response(status=HTTPStatus.NO_CONTENT)


@blueprint.post("/test")
@needs(Scope.ADMIN)
@answered_once
def ping() -> Response:
    """Sends an event to the endpoint that tells of nothing."""
    return _accepted(webhooks().ping(owner()))


@blueprint.get("/deliveries")
@needs(Scope.READ)
def list_deliveries() -> Response:
    """A page of deliveries, the latest first."""
    query = parse_parameters(DeliveriesQuerySchema(), request.args)
    page = webhooks().deliveries(
        owner(), status=query.get("status"), after=query.get("cursor"), most=query["limit"]
    )
    entries = [dump_known(DeliverySchema(), delivery) for delivery in page.entries]
    return answer_page("deliveries", entries, page.last)


@blueprint.get("/deliveries/<delivery_id:delivery_id>")
@needs(Scope.READ)
def show_delivery(delivery_id: str) -> Response:
    """The delivery as it stands."""
    return answer_json(dump_known(DeliverySchema(), webhooks().delivery(delivery_id, owner())))


@blueprint.post("/deliveries/<delivery_id:delivery_id>/replay")
@needs(Scope.ADMIN)
@answered_once
def replay(delivery_id: str) -> Response:
    """Has a delivery that has ended sent once more."""
    return _accepted(webhooks().replay(delivery_id, owner()))


def _accepted(delivery: Delivery) -> Response:
    answer = answer_json(dump_known(DeliverySchema(), delivery), HTTPStatus.ACCEPTED)
    answer.headers["Location"] = url_for("webhooks.show_delivery", delivery_id=delivery.id)
    return answer
