"""The use case behind Idempotency-Key: a request made twice is carried out once and answered alike."""

import hashlib
import logging
from datetime import datetime, timedelta

from adjudicator.errors import AnswerPendingError, IdempotencyKeyReusedError, StoreUnavailableError
from adjudicator.service.access_ports import AnswerStore
from adjudicator.service.answer_values import Answer, Claim
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.identifiers import canonical_json

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(hours=24)
CLAIM_LEASE = timedelta(seconds=90)
"""After so long without an answer whoever claimed a key is dead: a request takes 20 s to arrive, waits 30 s
for its result, and is cut off by the server not much later."""
CLEARED_EVERY = timedelta(minutes=1)
MOST_CLEARED = 1_000
FIRST_FAILURE = 500
"""From this status on an answer is none: the request may be made again."""


class AnswerService:
    """What the doors and the worker call; safe to share between threads."""

    def __init__(
        self, store: AnswerStore, *, kept_for: timedelta = KEPT_FOR, clock: Clock = utc_clock
    ) -> None:
        self._store = store
        self._kept_for = kept_for
        self._clock = clock
        self._cleared_at: datetime | None = None

    def claim(self, owner: str, key: str, fingerprint: str) -> Claim | Answer:
        """The claim for whoever is the first with this key, else the answer that the first one got.

        Raises: AnswerPendingError, IdempotencyKeyReusedError, StoreUnavailableError.
        """
        now = self._clock()
        claim = Claim(owner, key, fingerprint, now)
        standing = self._store.claim(claim, lost_before=now - CLAIM_LEASE, kept_since=now - self._kept_for)
        if standing is None:
            return claim
        if standing.fingerprint != fingerprint:
            raise IdempotencyKeyReusedError(
                f"The Idempotency-Key {key!r} was sent with another request before: take a new one."
            )
        if standing.answer is None:
            raise AnswerPendingError("Ask again in a moment; it is being carried out.")
        return standing.answer

    def settle(self, claim: Claim, answer: Answer) -> None:
        """Keeps what the first one was answered, refusals too; after a failure the key is free again.

        A database that is away then is no reason to withhold the answer: the claim ends by itself.
        """
        try:
            if answer.status >= FIRST_FAILURE:
                self._store.release(claim)
            elif not self._store.keep(claim, answer):
                logger.warning("The answer under %r took too long and is not kept", claim.key)
        except StoreUnavailableError as error:
            logger.warning("The answer under %r is not kept: %s", claim.key, error)

    def release(self, claim: Claim) -> None:
        """Has the key be free again: there is no answer. Of a database that is away see ``settle``."""
        try:
            self._store.release(claim)
        except StoreUnavailableError as error:
            logger.warning("The key %r is not free yet: %s", claim.key, error)

    def clear_old(self) -> int:
        """The reconciler's step, looked at once a minute: forgets what was kept for long enough.

        Raises: StoreUnavailableError.
        """
        now = self._clock()
        if self._cleared_at is not None and timedelta(0) <= now - self._cleared_at < CLEARED_EVERY:
            return 0
        cleared = self._store.clear(before=now - self._kept_for, limit=MOST_CLEARED)
        if cleared < MOST_CLEARED:
            self._cleared_at = now
        return cleared


def fingerprint(method: str, target: str, content_type: str, body_sha256: str) -> str:
    """The digest of a request, 64 hexadecimal digits; ``target`` is the path with the query."""
    return hashlib.sha256(canonical_json([method, target, content_type, body_sha256])).hexdigest()
