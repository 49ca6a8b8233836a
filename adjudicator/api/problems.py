"""Errors as answers: problem details (RFC 9457) for everything that goes wrong at this door.

One table says which HTTP status a class of the error family means. A test fails if a class is missing from
it, and another if a code is not explained in ``docs/api.md``.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, request
from werkzeug.exceptions import ClientDisconnected, HTTPException, RequestEntityTooLarge, RequestTimeout

from adjudicator import errors
from adjudicator.api.bodies import MULTIPART
from adjudicator.api.content_coding import TAKEN
from adjudicator.api.context import request_id
from adjudicator.api.observation import route_template
from adjudicator.errors import MOST_FAULTS

log = logging.getLogger(__name__)

PROBLEM_MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:adjudicator:problem:"
RETRY_AFTER_S = 5
ASK_AGAIN_S = 1
REALM = "adjudicator"

STATUS: Mapping[type[errors.AdjudicatorError], int] = {
    errors.AdjudicatorError: 500,
    errors.RecordError: 422,
    errors.UnknownFormatError: 422,
    errors.UnsupportedVariantError: 422,
    errors.TooLargeError: 413,
    errors.RequestError: 400,
    errors.AddressRefusedError: 422,
    errors.ConflictError: 409,
    errors.UnsupportedMediaTypeError: 415,
    errors.NotFoundError: 404,
    errors.UnauthenticatedError: 401,
    errors.InsufficientScopeError: 403,
    errors.RateLimitedError: 429,
    errors.AnswerPendingError: 409,
    errors.IdempotencyKeyReusedError: 422,
    errors.InputUnavailableError: 500,
    errors.RulesetUnavailableError: 503,
    errors.EngineUnavailableError: 503,
    errors.EngineFailureError: 503,
    errors.StoreUnavailableError: 503,
    errors.QueueUnavailableError: 503,
    errors.BusyError: 503,
    errors.ConfigurationError: 500,
}

HTTP_PROBLEMS: Mapping[int, tuple[str, str]] = {
    400: (errors.RequestError.code, errors.RequestError.title),
    404: (errors.NotFoundError.code, errors.NotFoundError.title),
    405: ("method_not_allowed", "This method is not possible here"),
    408: ("request_timeout", "The request took too long to arrive"),
    413: (errors.TooLargeError.code, errors.TooLargeError.title),
    414: ("uri_too_long", "The address is too long"),
    415: (errors.UnsupportedMediaTypeError.code, errors.UnsupportedMediaTypeError.title),
    431: ("headers_too_large", "The headers are too large"),
    500: ("internal_error", "An error of this service"),
}
"""Code and title of what goes wrong outside the error family, by HTTP status."""

NOT_READY = "not_ready"
AWAY = "Send the request again later; the log of the service has more under this request id."
"""All that a caller is told of a database or queue that is away: where it stands is none of its business."""
SLOW = "The request did not arrive in time; send it again, in one go."


def problem_codes() -> frozenset[str]:
    """Every code that an answer of this service can carry."""
    told = {kind.code for kind, status in STATUS.items() if status != HTTPStatus.INTERNAL_SERVER_ERROR}
    return frozenset({*told, *(code for code, _ in HTTP_PROBLEMS.values()), NOT_READY})


def status_of(kind: type[errors.AdjudicatorError]) -> int:
    """The HTTP status of a class of errors, that of its nearest base where it is not listed itself.

    >>> status_of(errors.NotFoundError)
    404
    """
    return next(STATUS[base] for base in kind.__mro__ if base in STATUS)


def format_fault(fault: errors.Fault) -> dict[str, Any]:
    """One entry of ``errors``: the reason, and of the place what is known.

    >>> format_fault(errors.Fault("no such point", errors.Place(line=3, game=1)))
    {'reason': 'no such point', 'line': 3, 'game': 1}
    """
    place = {name: value for name, value in fault.place._asdict().items() if value is not None}
    return {"reason": fault.reason, **place}


def format_problem(
    status: int, code: str, title: str, detail: str, *, instance: str, request_id: str
) -> dict[str, Any]:
    """The members that every problem document has; ``instance`` is the path that was asked for."""
    return {
        "type": TYPE_PREFIX + code,
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance,
        "code": code,
        "request_id": request_id,
    }


def answer_problem(
    status: int,
    code: str,
    title: str,
    detail: str,
    *,
    faults: Sequence[errors.Fault] = (),
    headers: Iterable[tuple[str, str]] = (),
    **more: Any,
) -> Response:
    """The answer for one problem; ``more`` are further members of the document."""
    document = format_problem(
        status, code, title, detail, instance=quote(request.path), request_id=request_id()
    )
    if faults:
        document["errors"] = [format_fault(fault) for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        document["errors_left_out"] = len(faults) - MOST_FAULTS
    answer = Response(json.dumps(document | more), status, content_type=PROBLEM_MEDIA_TYPE)
    for name, value in headers:
        answer.headers.set(name, value)
    return answer


def register_problems(app: Flask) -> None:
    """Make every exception that reaches this door a problem document."""
    app.register_error_handler(errors.AdjudicatorError, _answer_error)
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(Exception, _answer_unexpected)


def _answer_error(error: errors.AdjudicatorError) -> Response:
    status = status_of(type(error))
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return _answer_unexpected(error)
    if status > HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("request %s: %s %s: %s", request_id(), request.method, route_template(), error)
    is_away = error.transient and status > HTTPStatus.INTERNAL_SERVER_ERROR
    detail = AWAY if is_away else error.detail
    headers = _headers_for(error)
    return answer_problem(status, error.code, error.title, detail, faults=error.faults, headers=headers)


def _headers_for(error: errors.AdjudicatorError) -> Iterable[tuple[str, str]]:
    if isinstance(error, errors.RateLimitedError):
        yield "Retry-After", str(error.retry_after_s)
    elif isinstance(error, errors.AnswerPendingError):
        yield "Retry-After", str(ASK_AGAIN_S)
    elif error.transient:
        yield "Retry-After", str(RETRY_AFTER_S)
    if isinstance(error, errors.UnsupportedMediaTypeError):
        yield "Accept-Encoding", TAKEN
    if isinstance(error, errors.UnauthenticatedError):
        yield "WWW-Authenticate", _challenge(**({"error": "invalid_token"} if error.key_was_sent else {}))
    if isinstance(error, errors.InsufficientScopeError):
        yield "WWW-Authenticate", _challenge(error="insufficient_scope", scope=error.scope)


def _challenge(**parameters: str) -> str:
    """What a key is to be sent as, and what was wrong with the one sent (RFC 6750, section 3)."""
    named = {"realm": REALM, **parameters}
    return "Bearer " + ", ".join(f'{name}="{text}"' for name, text in named.items())


def _answer_http_error(error: HTTPException) -> Response:
    status = HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    code, title = HTTP_PROBLEMS.get(status, (status.name.lower(), status.phrase))
    headers = [pair for pair in error.get_headers(request.environ) if pair[0] != "Content-Type"]
    return answer_problem(status, code, title, _explain(error), headers=headers)


def _explain(error: HTTPException) -> str:
    if isinstance(error, RequestEntityTooLarge):
        return _explain_too_large()
    if isinstance(error, RequestTimeout):
        return SLOW
    if isinstance(error, ClientDisconnected):
        return "The body broke off before its end."
    if error.code == HTTPStatus.NOT_FOUND:
        return "There is nothing at this address; /openapi.yaml lists what there is."
    if error.code == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.method} is not possible here; the Allow header lists what is."
    return error.description or HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR).description


def _explain_too_large() -> str:
    """Why reading the body stopped: of a form, also before its end."""
    most = request.max_content_length
    if request.mimetype == MULTIPART and (request.content_length or 0) <= (most or 0):
        return (
            f"The form has more than {request.max_form_parts} parts, or a part without a file name of more "
            f"than {request.max_form_memory_size} bytes, or more than {most} bytes in all."
        )
    return f"The body is longer than the {most} bytes that are taken here."


def _answer_unexpected(error: Exception) -> Response:
    log.error("request %s: %s %s failed", request_id(), request.method, route_template(), exc_info=error)
    detail = "The request is not to blame; the log of the service has more under this request id."
    return answer_problem(500, *HTTP_PROBLEMS[500], detail)
