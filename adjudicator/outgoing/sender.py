"""Sends webhooks: one signed POST each, by Standard Webhooks."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import requests
from standardwebhooks import Webhook
from urllib3.exceptions import HTTPError

from adjudicator.errors import AddressRefusedError
from adjudicator.outgoing.dialling import Deadline, DialledAdapter, Dialler, Resolver, resolve
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.values import Answer, Message

USER_AGENT = "adjudicator-webhooks/1"
MOST_ANSWER_BYTES = 4096
"""So much of an answer's body is read, for the receiver's sake; nothing is kept of it."""

ASK_LATER = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
SECONDS = re.compile(r"\d{1,9}", re.ASCII)
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class SendLimits:
    """Seconds: to connect (an address), for one read, and for everything together."""

    connect_s: float = 5.0
    read_s: float = 10.0
    total_s: float = 15.0


DEFAULT_LIMITS = SendLimits()


class WebhookSender:
    """Keeps the ``Sender`` port; safe to share between threads.

    ``verify`` is the file of certificates that receivers are trusted by, ``True`` for the usual ones.
    Nothing else comes from the environment: no proxy, no password.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        limits: SendLimits = DEFAULT_LIMITS,
        resolver: Resolver = resolve,
        verify: str | bool = True,
    ) -> None:
        self._policy = policy
        self._limits = limits
        self._resolver = resolver
        self._verify = verify

    def send(self, message: Message) -> Answer:
        """See ``Sender.send``."""
        with Deadline(self._limits.total_s) as deadline:
            try:
                return self._post(message, deadline)
            except AddressRefusedError as error:
                return Answer(None, f"{error}.")
            except (requests.RequestException, HTTPError, OSError, ValueError) as error:
                return Answer(None, self._explain(error, deadline))

    def _post(self, message: Message, deadline: Deadline) -> Answer:
        dialler = Dialler(self._policy, self._resolver, deadline, self._limits.connect_s)
        with requests.Session() as session:
            session.trust_env = False
            session.verify = self._verify
            for scheme in ("https://", "http://"):
                session.mount(scheme, DialledAdapter(dialler))
            answer = session.post(
                message.url,
                data=message.body,
                headers=_headers(message),
                timeout=(self._limits.connect_s, self._limits.read_s),
                allow_redirects=False,
                stream=True,
            )
            with answer:
                deadline.left_s()  # what was cut off looks like a head at its end
                _read_some(answer)
                return Answer(answer.status_code, None, _retry_after_s(answer, message.sent_at))

    def _explain(self, error: Exception, deadline: Deadline) -> str:
        """What went wrong, for people: the innermost reason says it best."""
        if deadline.is_over:
            return f"It took longer than {self._limits.total_s:g} s altogether."
        if isinstance(error, requests.Timeout | TimeoutError):
            return "The receiver took too long to answer."
        kind = "TLS" if isinstance(error, requests.exceptions.SSLError) else "The connection"
        return f"{kind} failed: {_innermost(error)}"[:LONGEST_REASON]


def sign(message: Message) -> str:
    """The value of ``webhook-signature``: one signature a secret, parted by spaces."""
    body = message.body.decode()
    return " ".join(
        Webhook(secret).sign(message.id, message.sent_at.astimezone(UTC), body) for secret in message.secrets
    )


def _headers(message: Message) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "webhook-id": message.id,
        "webhook-timestamp": str(int(message.sent_at.timestamp())),
        "webhook-signature": sign(message),
    }
    return headers if message.traceparent is None else headers | {"traceparent": message.traceparent}


def _read_some(answer: requests.Response) -> None:
    """Takes the beginning of the body: a receiver that is cut off in its answer may think it failed.

    The status says it all; what goes wrong from here on changes nothing.
    """
    raw: Any = answer.raw
    with suppress(HTTPError, OSError):
        raw.read(MOST_ANSWER_BYTES, decode_content=False)


def _retry_after_s(answer: requests.Response, now: datetime) -> float | None:
    """The seconds of ``Retry-After``, written as such or as a date; ``None`` where it does not say."""
    text = answer.headers.get("Retry-After", "").strip()
    if answer.status_code not in ASK_LATER or not text:
        return None
    if SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()


def _innermost(error: BaseException) -> str:
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(reason).split())
