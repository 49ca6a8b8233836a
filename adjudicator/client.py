"""A client of the service, for Python programs: sends records, waits, and fetches what came of them.

>>> client = Client("https://adjudicator.example", key="adj_...")
>>> client.address
'https://adjudicator.example'

Everything the service answers is handed on as the JSON values that ``openapi.yaml`` describes. What can be
asked again without harm is asked again while the service is away or busy: reads as they are, submissions
under an Idempotency-Key of their own.
"""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import IO, Any, TypeAlias
from urllib.parse import quote

import requests

Document: TypeAlias = dict[str, Any]

ANY_RECORD = "application/octet-stream"
"""The media type of a record in whatever format; the service finds out."""

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
ENDED = frozenset({"done", "failed"})


class ClientError(Exception):
    """What keeps a client from what it asked for.

    ``rest_s``: after so many seconds the same may go well, ``None`` where asking again is of no use.
    """

    rest_s: float | None = None


class UnreachableError(ClientError):
    """The service does not answer, or with something that is not its own."""

    rest_s = 0.0


class NotInTimeError(ClientError):
    """The service is still at it."""


class RefusedError(ClientError):
    """The service answered with a problem document (RFC 9457), kept as ``problem``.

    Asking again is of use where the answer has a Retry-After: the service is busy, or away for a while.
    """

    def __init__(self, problem: Mapping[str, Any], rest_s: float | None = None) -> None:
        self.problem, self.rest_s = dict(problem), rest_s
        faults = [f"\n  {_place(fault)}{fault['reason']}" for fault in self.faults]
        super().__init__(f"{self.status} {self.code}: {problem.get('detail', '')}{''.join(faults)}")

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(self.problem["status"])

    @property
    def code(self) -> str:
        """The code by which programs go; docs/errors.md lists them."""
        return str(self.problem["code"])

    @property
    def faults(self) -> list[Document]:
        """Everything that was wrong, each with its ``reason`` and place; empty where the detail says all."""
        return list(self.problem.get("errors", []))


def _place(fault: Mapping[str, Any]) -> str:
    """Where a fault is, before its reason.

    >>> _place({"reason": "no such die", "line": 3, "game": 1})
    'line 3, game 1: '
    """
    known = ", ".join(f"{name} {value}" for name, value in fault.items() if name != "reason")
    return f"{known}: " if known else ""


class Client:
    """One service at ``address``, spoken to with ``key``; not to be shared between threads.

    ``answer_s`` is how long one answer may take, ``patience_s`` for how long what can be asked again is
    asked again. ``session`` is for those who need proxies or certificates of their own.

    Raises everywhere: RefusedError, UnreachableError.
    """

    def __init__(
        self,
        address: str,
        *,
        key: str | None = None,
        answer_s: float = 60.0,
        patience_s: float = 60.0,
        session: requests.Session | None = None,
    ) -> None:
        self.address = address.rstrip("/")
        self._session = session or requests.Session()
        self._answer_s = answer_s
        self._patience_s = patience_s
        if key is not None:
            self._session.headers["Authorization"] = f"Bearer {key}"

    def submit(
        self,
        record: bytes,
        *,
        media_type: str = ANY_RECORD,
        wait_s: int = 0,
        idempotency_key: str | None = None,
        **options: str | float,
    ) -> Document:
        """Sends a match record; where its adjudication stands, or the result if it came within ``wait_s``.

        ``options`` are those of the query: ``ruleset``, ``engine``, ``finish``, ``format``...
        """
        headers = {"Content-Type": media_type, "Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        if wait_s:
            headers["Prefer"] = f"wait={wait_s}"
        return self._document("POST", "/v1/matches", params=options, data=record, headers=headers)

    def adjudicate_again(self, match_id: str, **options: str | float) -> Document:
        """Has a kept match adjudicated by other options, or a failed one once more; where that stands."""
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        path = f"/v1/matches/{match_id}/adjudications"
        return self._document("POST", path, json=options, headers=headers)

    def adjudication(self, adjudication_id: str) -> Document:
        """The result of an adjudication, or where it stands while there is none."""
        return self._document("GET", f"/v1/adjudications/{adjudication_id}")

    def result(self, adjudication_id: str, *, limit_s: float = 60.0) -> bytes:
        """The bytes of a result, once it is done, as the service keeps them.

        Raises: NotInTimeError; ClientError where the adjudication failed.
        """
        deadline, pause_s = time.monotonic() + limit_s, FIRST_PAUSE_S
        while True:
            answer = self._answer("GET", f"/v1/adjudications/{adjudication_id}")
            state = _parsed(answer)
            if state["status"] == "done":
                return answer.content
            if state["status"] in ENDED:
                error = state["error"]
                raise ClientError(f"{adjudication_id} failed: {error['code']}: {error['detail']}")
            if time.monotonic() + pause_s > deadline:
                raise NotInTimeError(f"{adjudication_id} is still {state['status']} after {limit_s:g} s")
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.5, 2.0)

    def adjudications(self, **wanted: str) -> Iterator[Document]:
        """All adjudications that are wanted (``player``, ``status``, ``changed``...), latest first."""
        return self._entries("/v1/adjudications", "adjudications", wanted)

    def match(self, match_id: str) -> Document:
        """What is known of a match."""
        return self._document("GET", f"/v1/matches/{match_id}")

    def record(self, match_id: str) -> bytes:
        """The record of a match as it was sent."""
        return self._answer("GET", f"/v1/matches/{match_id}/record").content

    def submit_batch(
        self,
        archive: bytes | IO[bytes],
        *,
        media_type: str = ANY_RECORD,
        idempotency_key: str | None = None,
        **options: str | float,
    ) -> Document:
        """Sends an archive (zip, tar, tar.gz or NDJSON of records), a file piece by piece; the batch.

        A file is sent once: what is read of it is gone, should the service be away.
        """
        headers = {"Content-Type": media_type, "Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        arguments = {"params": options, "data": archive, "headers": headers}
        if isinstance(archive, bytes):
            return self._document("POST", "/v1/batches", **arguments)
        return _parsed(self._asked_once("POST", "/v1/batches", **arguments))

    def batch(self, batch_id: str) -> Document:
        """How a batch stands: ``status``, ``counts`` of its members, ``estimated_end``."""
        return self._document("GET", f"/v1/batches/{batch_id}")

    def batch_summary(self, batch_id: str) -> Document:
        """What a batch came to so far, in numbers."""
        return self._document("GET", f"/v1/batches/{batch_id}/summary")

    def batch_results(self, batch_id: str, *, limit_s: float = 3600.0) -> Iterator[Document]:
        """The results of a batch, one a member in the order of the archive, as they come in.

        Raises: NotInTimeError where the next one does not come within ``limit_s``.
        """
        cursor, is_complete = "0", False
        deadline, pause_s = time.monotonic() + limit_s, FIRST_PAUSE_S
        while not is_complete:
            before = cursor
            for line in self._result_lines(batch_id, cursor):
                cursor = line["cursor"]
                if "member" in line:
                    yield line
                else:
                    is_complete = line["complete"]
            if cursor != before:
                deadline, pause_s = time.monotonic() + limit_s, FIRST_PAUSE_S
            elif not is_complete:
                if time.monotonic() > deadline:
                    raise NotInTimeError(f"{batch_id} has no further result after {limit_s:g} s")
                time.sleep(pause_s)
                pause_s = min(pause_s * 2, 2.0)

    def erase_player(self, name: str) -> tuple[int, int]:
        """Erases a player's name everywhere; how many matches were redacted, and how many deleted."""
        redacted = deleted = 0
        while True:
            done = self._document("DELETE", f"/v1/players/{quote(name, safe='')}")
            redacted, deleted = redacted + done["redacted"], deleted + done["deleted"]
            if not done["left"]:
                return redacted, deleted

    def is_ready(self) -> bool:
        """Whether the service can take matches now."""
        try:
            return self._session.get(f"{self.address}/readyz", timeout=self._answer_s).ok
        except requests.RequestException:
            return False

    def _result_lines(self, batch_id: str, cursor: str) -> Iterator[Document]:
        """The lines of one stream; where it breaks off the rest is missing."""
        path = f"/v1/batches/{batch_id}/results"
        with self._answer("GET", path, params={"cursor": cursor}, stream=True) as answer:
            try:
                for line in answer.iter_lines():
                    yield json.loads(line)
            except (requests.RequestException, ValueError):
                return

    def _entries(self, path: str, name: str, wanted: Mapping[str, str]) -> Iterator[Document]:
        query = dict(wanted)
        while True:
            page = self._document("GET", path, params=query)
            yield from page[name]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def _document(self, method: str, path: str, **arguments: Any) -> Document:
        return _parsed(self._answer(method, path, **arguments))

    def _answer(self, method: str, path: str, **arguments: Any) -> requests.Response:
        """The answer of the service that is no problem; asked again while it is away or busy."""
        deadline, pause_s = time.monotonic() + self._patience_s, FIRST_PAUSE_S
        while True:
            try:
                return self._asked_once(method, path, **arguments)
            except ClientError as error:
                if error.rest_s is None:
                    raise
                rest_s = max(pause_s, error.rest_s)
                if time.monotonic() + rest_s > deadline:
                    raise
            time.sleep(rest_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _asked_once(self, method: str, path: str, **arguments: Any) -> requests.Response:
        try:
            answer = self._session.request(
                method, self.address + path, timeout=self._answer_s, allow_redirects=False, **arguments
            )
        except requests.RequestException as error:
            raise UnreachableError(f"{self.address} does not answer: {error}") from error
        if answer.is_redirect or not answer.ok:
            raise _refusal(answer)
        return answer


def _refusal(answer: requests.Response) -> ClientError:
    """The error that an answer stands for."""
    after = answer.headers.get("Retry-After", "")
    try:
        return RefusedError(json.loads(answer.content), float(after) if after.isdecimal() else None)
    except (ValueError, TypeError, KeyError):
        return UnreachableError(f"{answer.url} answered {answer.status_code}, and not as the service does")


def _parsed(answer: requests.Response) -> Document:
    try:
        document: Document = json.loads(answer.content)
    except ValueError as error:
        raise UnreachableError(f"{answer.url} answered with something that is no JSON") from error
    return document
