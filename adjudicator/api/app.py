"""The web application: routes over the use cases."""

from flask import Flask
from werkzeug.routing import BaseConverter

from adjudicator.api.bodies import MOST_RECORD_BYTES
from adjudicator.api.context import attach_services, attach_waiting_room
from adjudicator.api.headers import register_headers
from adjudicator.api.problems import register_problems
from adjudicator.api.routes import adjudications, catalogue, matches, operations, players
from adjudicator.bootstrap import build_services
from adjudicator.config import Settings, load_settings
from adjudicator.service.services import Services

MULTIPART_OVERHEAD_BYTES = 64 * 1024
"""What the framing of a multipart body may add to the largest record."""


class MatchIdConverter(BaseConverter):
    """What can be the id of a match; anything else in its place is an address where nothing is."""

    regex = "m[a-z2-7]{25}"


class AdjudicationIdConverter(BaseConverter):
    """What can be the id of an adjudication."""

    regex = "a[a-z2-7]{25}"


def create_app(services: Services | None = None, settings: Settings | None = None) -> Flask:
    """The application over ``services``; what is not given comes from the environment's settings.

    Raises: ConfigurationError.
    """
    settings = settings or load_settings()
    app = Flask(__name__, static_folder=None)
    app.config[MOST_RECORD_BYTES] = settings.most_record_bytes
    app.config["MAX_CONTENT_LENGTH"] = settings.most_record_bytes + MULTIPART_OVERHEAD_BYTES
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    app.url_map.converters |= {"match_id": MatchIdConverter, "adjudication_id": AdjudicationIdConverter}
    attach_services(app, services or build_services(settings))
    attach_waiting_room(app, settings.threads // 2)
    register_problems(app)
    register_headers(app)
    for resource in (matches, adjudications, players, catalogue, operations):
        app.register_blueprint(resource.blueprint)
    return app
