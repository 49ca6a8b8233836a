"""``Idempotency-Key`` (draft-ietf-httpapi-idempotency-key-header): a request sent again is answered alike."""

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Self

from flask import Response, current_app, g, request

from adjudicator.api.bodies import keep_body
from adjudicator.api.context import owner, services
from adjudicator.errors import Fault, Place, RequestError
from adjudicator.service.answer_values import Answer, Claim
from adjudicator.service.answers import fingerprint
from adjudicator.service.identifiers import record_digest

P = ParamSpec("P")

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST_KEY = 255
KEPT_HEADERS = (
    "Content-Type",
    "Location",
    "Retry-After",
    "ETag",
    "Preference-Applied",
    "Cache-Control",
    "Accept-Encoding",
)
_BARE = re.compile(r"[A-Za-z0-9._~:+/=-]+", re.ASCII)
_QUOTED = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])+)"', re.ASCII)


def answered_once(view: Callable[P, Response]) -> Callable[P, Response]:
    """Answer a request that is sent again under its key as the first time, errors of the sender included.

    What went wrong in the service is not kept, nor is what never came to the view: a body that broke off, a
    caller that is not let in.
    """

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Response:
        key = parse_idempotency_key(request.headers.get(HEADER))
        if key is None:
            return view(*args, **kwargs)
        standing = services().answers.claim(owner(), key, _fingerprint(record_digest(keep_body())))
        if isinstance(standing, Answer):
            return _replayed(standing)
        return _first(standing, lambda: view(*args, **kwargs))

    return answer


def parse_idempotency_key(sent: str | None) -> str | None:
    r"""The key in the header, ``None`` where there is none.

    The draft wants it in quotes, most clients leave them out: both are the same key.

    >>> parse_idempotency_key('"order 17"'), parse_idempotency_key("order-17")
    ('order 17', 'order-17')

    Raises: RequestError.
    """
    if sent is None:
        return None
    text = sent.strip()
    found = _QUOTED.fullmatch(text)
    key = re.sub(r"\\(.)", r"\1", found[1]) if found else text
    if len(key) > LONGEST_KEY or not (found or _BARE.fullmatch(text)):
        reason = f'One key of 1 to {LONGEST_KEY} characters is expected, in quotes: "order-17".'
        raise RequestError(f"The header {HEADER} cannot be read.", [Fault(reason, Place(parameter=HEADER))])
    return key


class FirstAnswer(Exception):  # noqa: N818 - it is no error
    """Raised in place of carrying out a request again: ``answer`` is what the first one got."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class LateClaim:
    """The claim of a request whose body is too long to be read before it is carried out.

    What it is refused for before its body has come is not kept. Used with ``with``: whatever is raised before
    there is an answer leaves the key free again.
    """

    def __init__(self) -> None:
        self._key = parse_idempotency_key(request.headers.get(HEADER))
        self._claim: Claim | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._claim is not None:
            services().answers.release(self._claim)

    def make(self, body_sha256: str) -> None:
        """Claims the key, if one was sent, for this request, of which the whole body has come.

        Raises: FirstAnswer; AnswerPendingError, IdempotencyKeyReusedError, StoreUnavailableError.
        """
        if self._key is None:
            return
        standing = services().answers.claim(owner(), self._key, _fingerprint(body_sha256))
        if isinstance(standing, Answer):
            raise FirstAnswer(_replayed(standing))
        self._claim = standing

    def settle(self, answer: Response) -> Response:
        """The answer, kept for whoever sends the request again."""
        if self._claim is not None:
            _settle(self._claim, answer)
            self._claim = None
        return answer


def keep_instead(body: bytes) -> None:
    """Let this body be kept of the answer to come: one without the secret that is shown once."""
    g.body_to_keep = body


def _fingerprint(body_sha256: str) -> str:
    target = request.full_path.removesuffix("?")
    return fingerprint(request.method, target, request.mimetype, body_sha256)


def _first(claim: Claim, view: Callable[[], Response]) -> Response:
    try:
        answer = view()
    except Exception as error:  # noqa: BLE001 - the handlers of this door make an answer of every error
        answer = current_app.make_response(current_app.handle_user_exception(error))
    _settle(claim, answer)
    return answer


def _settle(claim: Claim, answer: Response) -> None:
    body = g.get("body_to_keep", answer.get_data())
    headers = tuple((name, answer.headers[name]) for name in KEPT_HEADERS if name in answer.headers)
    services().answers.settle(claim, Answer(answer.status_code, headers, body))


def _replayed(kept: Answer) -> Response:
    answer = Response(kept.body, kept.status)
    for name, text in kept.headers:
        answer.headers[name] = text
    answer.headers[REPLAYED] = "true"
    return answer
