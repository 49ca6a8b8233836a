"""``/v1/batches``: take an archive, tell how it stands, hand out its results, cancel it."""

import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, request, url_for

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_json, answer_page
from adjudicator.api.archive_body import RECORD_LINES, open_archive
from adjudicator.api.batch_schemas import (
    BatchMemberSchema,
    BatchSchema,
    CursorSchema,
    MembersSchema,
)
from adjudicator.api.callbacks import take_callback_url
from adjudicator.api.context import batches, begin_transfer, owner, traceparent
from adjudicator.api.idempotency import FirstAnswer, LateClaim
from adjudicator.api.long_body import long_body
from adjudicator.api.schemas import PageSchema, SubmissionSchema, parse_parameters
from adjudicator.errors import AdjudicatorError
from adjudicator.service.access import Scope
from adjudicator.service.batch_statistics import format_tally
from adjudicator.service.batch_values import Batch, BatchStatus, MemberStatus, Progress
from adjudicator.service.choice import Choice
from adjudicator.service.clock import format_time
from adjudicator.service.result_lines import format_cursor

log = logging.getLogger(__name__)

blueprint = Blueprint("batches", __name__, url_prefix="/v1/batches")

ASK_AGAIN_S = 2
MEMBERS_A_PAGE = 200


@blueprint.post("")
@needs(Scope.SUBMIT)
def submit() -> Response:
    """Takes in an archive of match records; what is in it is read later."""
    parameters = parse_parameters(SubmissionSchema(), request.args)
    callback_url = take_callback_url(parameters)
    try:
        with LateClaim() as claim:
            batch = _receive(parameters, callback_url, claim)
            answer = answer_json(_format(batch), HTTPStatus.ACCEPTED)
            answer.headers["Location"] = url_for("batches.show", batch_id=batch.id)
            answer.headers["Retry-After"] = str(ASK_AGAIN_S)
            return claim.settle(answer)
    except FirstAnswer as first:
        return first.answer


def _receive(parameters: dict[str, Any], callback_url: str | None, claim: LateClaim) -> Batch:
    format_name = parameters.pop("format", None)
    end_transfer = begin_transfer(owner())
    try:
        with long_body():
            archive = open_archive(batches().limits.archive_bytes)
            return batches().receive(
                archive.read_some,
                choice=Choice.of(parameters),
                owner=owner(),
                name=archive.name,
                format_name=format_name,
                is_lines=archive.is_lines,
                callback_url=callback_url,
                traceparent=traceparent(),
                confirm=lambda: claim.make(archive.sha256),
            )
    finally:
        end_transfer()


@blueprint.get("")
@needs(Scope.READ)
def index() -> Response:
    """The owner's batches, the latest first."""
    query = parse_parameters(PageSchema(), request.args)
    page = batches().batches(owner(), after=query.get("cursor"), most=query["limit"])
    return answer_page("batches", [_format(batch) for batch in page.entries], page.last)


@blueprint.get("/<batch_id:batch_id>")
@needs(Scope.READ)
def show(batch_id: str) -> Response:
    """How a batch stands."""
    return _answer_progress(batches().progress(batch_id, owner()))


@blueprint.delete("/<batch_id:batch_id>")
@needs(Scope.SUBMIT)
def cancel(batch_id: str) -> Response:
    """Cancels a batch."""
    return _answer_progress(batches().cancel(batch_id, owner()))


@blueprint.get("/<batch_id:batch_id>/members")
@needs(Scope.READ)
def members(batch_id: str) -> Response:
    """How the members of a batch stand."""
    parameters = parse_parameters(MembersSchema(), request.args)
    page = batches().members(
        batch_id, owner(), after=parameters["cursor"], limit=MEMBERS_A_PAGE, status=parameters["status"]
    )
    entries = BatchMemberSchema().dump(page, many=True)
    cursor = format_cursor(page[-1].number) if len(page) == MEMBERS_A_PAGE else None
    return answer_json({"members": [_without_gaps(entry) for entry in entries], "next_cursor": cursor})


@blueprint.get("/<batch_id:batch_id>/results")
@needs(Scope.READ)
def results(batch_id: str) -> Response:
    """The results of a batch, a line a member, up to the first member that has not ended."""
    after = parse_parameters(CursorSchema(), request.args)["cursor"]
    lines = batches().results(batch_id, owner(), after=after)
    end_transfer = begin_transfer(owner())
    answer = Response(_until_broken(lines), content_type=RECORD_LINES)
    answer.call_on_close(end_transfer)
    return answer


@blueprint.get("/<batch_id:batch_id>/summary")
@needs(Scope.READ)
def summary(batch_id: str) -> Response:
    """What a batch came to so far."""
    tally = batches().tally(batch_id, owner())
    return answer_json({"schema": "batch-summary/1", "id": batch_id, **format_tally(tally)})


def _until_broken(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines; where they break off the last one, that says how to go on, is missing."""
    try:
        yield from lines
    except AdjudicatorError as error:
        log.warning("The results break off: %s", error)


def _answer_progress(progress: Progress) -> Response:
    document = _format(progress.batch)
    document["counts"] = {status.value: progress.counts.get(status, 0) for status in MemberStatus}
    document["rate_per_s"] = round(progress.rate_per_s, 3)
    if progress.estimated_end is not None:
        document["estimated_end"] = format_time(progress.estimated_end)
    answer = answer_json(document)
    if progress.batch.status in {BatchStatus.RECEIVING, BatchStatus.RUNNING}:
        answer.headers["Retry-After"] = str(ASK_AGAIN_S)
    return answer


def _format(batch: Batch) -> dict[str, Any]:
    return _without_gaps(BatchSchema().dump(batch))


def _without_gaps(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if value is not None}
