"""``/v1/matches``: take a record, tell what is known of it, hand it out, adjudicate it again."""

from flask import Blueprint, Response, request

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_bytes, answer_json, answer_submission
from adjudicator.api.bodies import read_options, read_upload
from adjudicator.api.callbacks import call_back, take_callback_url
from adjudicator.api.context import owner, service, traceparent
from adjudicator.api.idempotency import answered_once
from adjudicator.api.schemas import (
    AgainSchema,
    JsonOptionsSchema,
    MatchSchema,
    SubmissionSchema,
    dump_known,
    parse_options,
    parse_parameters,
)
from adjudicator.errors import Fault, Place, RequestError
from adjudicator.logs.reading import FORMATS
from adjudicator.service.access import Scope
from adjudicator.service.choice import Choice

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches")

SUBMISSION = SubmissionSchema()


@blueprint.post("")
@needs(Scope.SUBMIT)
@answered_once
def submit() -> Response:
    """Keeps one match record and queues its adjudication."""
    parameters = parse_parameters(SUBMISSION, request.args)
    callback_url = take_callback_url(parameters)
    format_name = parameters.pop("format", None)
    upload = read_upload()
    adjudication = service().submit(
        upload.content,
        choice=Choice.of(parameters),
        owner=owner(),
        file_name=upload.file_name,
        format_name=format_name or upload.format_name,
        traceparent=traceparent(),
    )
    call_back(adjudication, callback_url)
    return answer_submission(adjudication)


@blueprint.get("/<match_id:match_id>")
@needs(Scope.READ)
def show(match_id: str) -> Response:
    """What is known of a match."""
    return answer_json(dump_known(MatchSchema(), service().match(match_id, owner())))


@blueprint.get("/<match_id:match_id>/record")
@needs(Scope.READ)
def record(match_id: str) -> Response:
    """The record as it came, to be saved and never to be rendered."""
    kept = service().record(match_id, owner())
    answer = answer_bytes(kept.content, kept.media_type)
    suffix = FORMATS[kept.format].suffixes[0] if kept.format in FORMATS else ".bin"
    answer.headers["Content-Disposition"] = f"attachment; filename={match_id}{suffix}"
    return answer


@blueprint.post("/<match_id:match_id>/adjudications")
@needs(Scope.SUBMIT)
@answered_once
def adjudicate_again(match_id: str) -> Response:
    """Queues another adjudication; each option stands in the query or in the body."""
    parameters = parse_parameters(AgainSchema(), request.args)
    callback_url = take_callback_url(parameters)
    options = parse_options(JsonOptionsSchema(), read_options())
    if twice := parameters.keys() & options.keys():
        faults = [
            Fault("Given in the query and in the body.", Place(parameter=name)) for name in sorted(twice)
        ]
        raise RequestError("Each option can be given once.", faults)
    choice = Choice.of(parameters | options)
    adjudication = service().adjudicate_again(
        match_id, choice=choice, owner=owner(), traceparent=traceparent()
    )
    call_back(adjudication, callback_url)
    return answer_submission(adjudication)
