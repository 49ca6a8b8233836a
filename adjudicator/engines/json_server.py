"""A server of JSON that is trusted no further than its answers can be checked."""

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import HTTPError

from adjudicator.errors import EngineFailureError

CONNECT_LIMIT_S = 2.0
ANSWER_LIMIT_S = 4.0
PAUSES_S = (0.1, 0.5)
"""Before the second and the third try."""
LONGEST_ANSWER = 65536

_PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same question may be answered."""


class _PassingError(Exception):
    """What another try may mend."""


class JsonServer:
    """Asks one server by GET, over a connection that is kept from question to question.

    Redirects are not followed, no proxy and no password file of the environment is used, and no answer is
    read further than ``LONGEST_ANSWER``. What goes wrong is told to callers of the service, so that the
    address, which is nobody's business, is left out.

    ``limit_s`` is for one answer, ``pauses_s`` stand between the tries.

    Raises: ValueError for what is no address of a server.
    """

    def __init__(
        self, url: str, limit_s: float = ANSWER_LIMIT_S, pauses_s: Sequence[float] = PAUSES_S
    ) -> None:
        self._url = check_address(url)
        self._limit_s = limit_s
        self._pauses_s = pauses_s
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers = {"Accept": "application/json", "Accept-Encoding": "identity"}

    def get(self, path: str, parameters: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The JSON object at that path; asked again after each pause where the fault may pass.

        Raises: EngineFailureError.
        """
        for pause_s in self._pauses_s:
            with contextlib.suppress(_PassingError):
                return self._get(path, parameters)
            time.sleep(pause_s)
        try:
            return self._get(path, parameters)
        except _PassingError as error:
            raise EngineFailureError(str(error)) from error

    def close(self) -> None:
        """Let go of the connection; a later question makes another."""
        self._session.close()

    def _get(self, path: str, parameters: Mapping[str, int] | None) -> dict[str, Any]:
        end = time.monotonic() + self._limit_s
        try:
            with self._session.get(
                f"{self._url}/{path}",
                params=parameters,
                timeout=(CONNECT_LIMIT_S, self._limit_s),
                allow_redirects=False,
                stream=True,
            ) as response:
                body = _read(response, end)
        except (requests.RequestException, HTTPError, OSError) as error:
            raise _PassingError(f"the server does not answer: {_reason(error)}") from error
        if response.status_code != requests.codes.ok:
            kind = _PassingError if response.status_code in _PASSING else EngineFailureError
            raise kind(f"the server answered with status {response.status_code}{_message(body)}")
        content = _parse(body)
        if not isinstance(content, dict):
            raise EngineFailureError(f"the server answered no JSON object: {body[:80]!r}")
        return content


def check_address(url: str) -> str:
    """That address of a server, without a slash at its end.

    >>> check_address("http://127.0.0.1:8082/")
    'http://127.0.0.1:8082'

    Raises: ValueError for what is none, or holds a password, a query or a fragment.
    """
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "The address of an engine's server has the form http://HOST:PORT, with a path at most: "
            "no password, no query."
        )
    return url.rstrip("/")


def _read(response: requests.Response, end: float) -> bytes:
    """What the server sends, piece by piece as it comes: a slow one is given up in time.

    Raises: EngineFailureError for more than can be an answer, or too slow a one.
    """
    body = b""
    while chunk := response.raw.read1(LONGEST_ANSWER):
        body += chunk
        if len(body) > LONGEST_ANSWER:
            raise EngineFailureError(f"the server's answer is longer than {LONGEST_ANSWER} bytes")
        if time.monotonic() > end:
            raise EngineFailureError("the server's answer took too long")
    return body


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(body: bytes) -> str:
    """What the server says about its refusal, if it says so in the way of this interface."""
    content = _parse(body)
    message = content.get("message") if isinstance(content, dict) else None
    return f": {message[:200]}" if isinstance(message, str) else ""


def _reason(error: Exception) -> str:
    """The kind of the fault, or of its cause: the texts are long and hold addresses of objects."""
    cause = error.args[0] if error.args else ""
    inner = getattr(cause, "reason", None)
    return type(inner or error).__name__
