"""Answers that are no problem: documents, results, records."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from flask import Response, request, url_for
from marshmallow import Schema

from adjudicator.api.context import owner, service, waiting_place
from adjudicator.api.preferences import parse_wait_s
from adjudicator.api.schemas import MatchInBriefSchema, StateSchema, dump_known
from adjudicator.service.listing import Entry
from adjudicator.service.pages import Mark, Page, format_cursor
from adjudicator.service.values import Adjudication, Status

ASK_AGAIN_S = 1
STATE = StateSchema()
ENDED = frozenset({Status.DONE, Status.FAILED})
READING = frozenset({"GET", "HEAD"})
FIRST_PAUSE_S = 0.01
LONGEST_PAUSE_S = 0.25


def answer_json(document: Mapping[str, Any], status: int = 200) -> Response:
    """A JSON document made here."""
    return Response(json.dumps(document), status, content_type="application/json")


def answer_list(name: str, schema: Schema, entries: Sequence[Mapping[str, Any]]) -> Response:
    """A list of entries, under its name: there is room beside it for more."""
    return answer_json({name: schema.dump(entries, many=True)})


def answer_page(name: str, entries: Sequence[Mapping[str, Any]], last: Mark | None) -> Response:
    """A page of a listing, with the way to the next as a member and as a link."""
    cursor = None if last is None else format_cursor(last)
    answer = answer_json({name: entries, "next_cursor": cursor})
    if cursor is not None:
        query = urlencode(request.args.to_dict() | {"cursor": cursor})
        answer.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
    return answer


def answer_listing(page: Page[Entry]) -> Response:
    """A page of adjudications: where each stands, of which match, and whether the winner changes."""
    entries = [
        {
            **_state(entry.adjudication),
            "schema": "adjudication-entry/1",
            "match": MatchInBriefSchema().dump(entry.match),
            "changed": entry.adjudication.changed,
        }
        for entry in page.entries
    ]
    return answer_page("adjudications", entries, page.last)


def answer_bytes(content: bytes, content_type: str) -> Response:
    """Bytes as they are kept, under a strong ETag; 304 for a caller that has them already.

    The other preconditions of HTTP are not looked at: nothing here is ever changed or read in parts.
    """
    tag = hashlib.sha256(content).hexdigest()
    answer = Response(content, content_type=content_type)
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = "private, no-cache"
    if request.method in READING and request.if_none_match.contains_weak(tag):
        answer.status_code = HTTPStatus.NOT_MODIFIED
        answer.set_data(b"")
    return answer


def answer_adjudication(adjudication: Adjudication) -> Response:
    """The result of an adjudication, or where it stands while there is none."""
    if adjudication.status is Status.DONE:
        return answer_bytes(service().result(adjudication.id, owner()), "application/json")
    answer = answer_json(_state(adjudication))
    if adjudication.status not in ENDED:
        answer.headers["Retry-After"] = str(ASK_AGAIN_S)
    return answer


def answer_submission(adjudication: Adjudication) -> Response:
    """200 and the outcome if the caller waits and it comes in time, else 202 and where it will be.

    So a caller that does not wait always has the same answer, whether the outcome is there already or not.
    A waiting caller holds a thread of the door. Where too many do already, the answer comes at once.
    """
    wait_s = parse_wait_s(request.headers.getlist("Prefer"))
    if wait_s and adjudication.status not in ENDED:
        with waiting_place() as has_place:
            if has_place:
                adjudication = _await_end(adjudication, wait_s)
            else:
                wait_s = 0
    if wait_s and adjudication.status in ENDED:
        answer = answer_adjudication(adjudication)
    else:
        answer = answer_json(_state(adjudication), HTTPStatus.ACCEPTED)
        answer.headers["Retry-After"] = str(ASK_AGAIN_S)
    if wait_s:
        answer.headers["Preference-Applied"] = f"wait={wait_s}"
    answer.headers["Location"] = url_for("adjudications.show", adjudication_id=adjudication.id)
    return answer


def _state(adjudication: Adjudication) -> dict[str, Any]:
    return dump_known(STATE, adjudication)


def _await_end(adjudication: Adjudication, wait_s: float) -> Adjudication:
    """The adjudication once it has ended, or as it stands when the time is over."""
    deadline = time.monotonic() + wait_s
    pause_s = FIRST_PAUSE_S
    while adjudication.status not in ENDED and (left_s := deadline - time.monotonic()) > 0:
        time.sleep(min(pause_s, left_s))
        pause_s = min(pause_s * 1.5, LONGEST_PAUSE_S)
        adjudication = service().adjudication(adjudication.id, owner())
    return adjudication
