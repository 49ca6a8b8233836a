"""The floor of submissions: the same server, doing nothing but keep a record and queue its adjudication.

``bench.http`` has gunicorn run this application with the settings of a service.
"""

import secrets

from flask import Flask, Response, request

from adjudicator.bootstrap import queue_address
from adjudicator.config import load_settings
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.jobs.queue import TicketQueue
from adjudicator.service.clock import utc_clock
from adjudicator.service.values import Adjudication, Match, Status, Ticket
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore

ENGINE = EngineIdentity("floor", "1", {})


def create_app() -> Flask:
    settings = load_settings()
    store = MatchStore(Database(settings.database_address()))
    queue = TicketQueue(queue_address(settings))
    app = Flask(__name__)

    @app.post("/v1/matches")
    def submit() -> Response:
        content, name, now = request.get_data(), secrets.token_hex(12), utc_clock()
        match = Match(
            id=f"m{name}",
            owner="floor",
            sha256=name,
            format="match_record",
            media_type="application/json",
            file_name=None,
            variant="backgammon",
            match_length=7,
            white="white",
            black="black",
            received_at=now,
        )
        adjudication = Adjudication(
            id=f"a{name}",
            match_id=match.id,
            owner="floor",
            ruleset=DEFAULT_RULESET,
            engine=ENGINE,
            status=Status.QUEUED,
            attempt=1,
            submitted_at=now,
        )
        store.keep(match, content, adjudication, last_attempt=1)
        queue.put(Ticket(adjudication.id, 1))
        return Response(status=202)

    return app
