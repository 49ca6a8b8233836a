"""The web application: routes over the use cases."""

from flask import Flask, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from adjudicator.api.access import register_access, require_stated_access
from adjudicator.api.bodies import MOST_RECORD_BYTES
from adjudicator.api.context import attach_meter, attach_services, attach_transfers, attach_waiting_room
from adjudicator.api.headers import register_headers
from adjudicator.api.observation import register_observation
from adjudicator.api.problems import register_problems
from adjudicator.api.routes import (
    adjudications,
    batches,
    catalogue,
    keys,
    matches,
    operations,
    players,
    webhooks,
)
from adjudicator.bootstrap import build_services, open_meter
from adjudicator.config import KEYS_OPEN, Settings, load_settings
from adjudicator.service.meter import ShownMeter
from adjudicator.service.services import Services

MULTIPART_OVERHEAD_BYTES = 64 * 1024
"""What the framing of a multipart body may add to the largest record."""


class MatchIdConverter(BaseConverter):
    """What can be the id of a match; anything else in its place is an address where nothing is."""

    regex = "m[a-z2-7]{25}"


class AdjudicationIdConverter(BaseConverter):
    """What can be the id of an adjudication."""

    regex = "a[a-z2-7]{25}"


class BatchIdConverter(BaseConverter):
    """What can be the id of a batch."""

    regex = "b[a-z2-7]{25}"


class KeyIdConverter(BaseConverter):
    """What can be the id of a key."""

    regex = "k[a-z2-7]{25}"


class DeliveryIdConverter(BaseConverter):
    """What can be the id of a webhook's delivery."""

    regex = "msg_[a-z2-7]{25}"


class SecretIdConverter(BaseConverter):
    """What can be the id of a webhook secret."""

    regex = "s[a-z2-7]{25}"


def create_app(
    services: Services | None = None,
    settings: Settings | None = None,
    meter: ShownMeter | None = None,
) -> Flask:
    """The application over ``services``; what is not given comes from the environment's settings.

    ``meter`` is what the service counts with, if it does.

    Raises: ConfigurationError.
    """
    settings = settings or load_settings()
    settings.require_guarded_door()
    app = Flask(__name__, static_folder=None)
    app.config[MOST_RECORD_BYTES] = settings.most_record_bytes
    app.config["MAX_CONTENT_LENGTH"] = settings.most_record_bytes + MULTIPART_OVERHEAD_BYTES
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    app.url_map.converters |= {
        "match_id": MatchIdConverter,
        "adjudication_id": AdjudicationIdConverter,
        "batch_id": BatchIdConverter,
        "key_id": KeyIdConverter,
        "delivery_id": DeliveryIdConverter,
        "secret_id": SecretIdConverter,
    }
    meter = meter or open_meter()
    attach_meter(app, meter)
    attach_services(app, services or build_services(settings, meter=meter))
    attach_waiting_room(app, settings.threads // 2)
    attach_transfers(app, settings.threads // 4)
    register_observation(app)
    app.before_request(_refuse_doubled_slash)
    register_problems(app)
    register_headers(app)
    register_access(app, is_open=settings.keys == KEYS_OPEN)
    for resource in (matches, adjudications, batches, players, webhooks, keys, catalogue, operations):
        app.register_blueprint(resource.blueprint)
    require_stated_access(app)
    return app


def _refuse_doubled_slash() -> None:
    """Werkzeug takes several slashes at the beginning for one; who guards a path by its name may not."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound
