"""What the use cases around keys, first answers and rates ask of the outside."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from adjudicator.service.access import Key
from adjudicator.service.answer_values import Answer, Claim


class KeyStore(Protocol):
    """Keeps keys. Every method is one transaction. ``owner`` ``None`` stands for all of them.

    Raises everywhere: StoreUnavailableError.
    """

    def keep(self, key: Key) -> None:
        """Keeps a new key."""

    def key(self, key_id: str, owner: str | None = None) -> Key | None:
        """The key of that id, ``None`` where that owner has none."""

    def keys(self, owner: str | None = None) -> Sequence[Key]:
        """All keys, in the order in which they were made."""

    def has_keys(self) -> bool:
        """Whether there ever was a key."""

    def revoke(self, key_id: str, *, owner: str | None, at: datetime) -> Key | None:
        """Ends a key for good and gives it as it then stands; one revoked before keeps its time."""

    def rotate(self, old_id: str, new: Key, *, until: datetime) -> bool:
        """Keeps a new key in place of an old one, which ends then at the latest.

        Changes nothing and says so where the old one is revoked or was rotated before.
        """

    def touch(self, uses: Mapping[str, datetime]) -> None:
        """Notes when keys were last used; never back in time."""

    def require_ready(self) -> None:
        """As ``Store.require_ready``."""

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""


class Standing(NamedTuple):
    """What stands under an Idempotency-Key: which request, and its answer, ``None`` while there is none."""

    fingerprint: str
    answer: Answer | None


class AnswerStore(Protocol):
    """Keeps first answers. Every method is one transaction.

    A claim is fenced by its time: who lost it to another changes nothing any more, and is told.

    Raises everywhere: StoreUnavailableError.
    """

    def claim(self, claim: Claim, *, lost_before: datetime, kept_since: datetime) -> Standing | None:
        """Takes the key for a request; ``None`` where it was free, else what stands in its way.

        Free is also a key that was claimed before ``lost_before`` and has no answer, since whoever was at it
        is dead; and one claimed before ``kept_since``.
        """

    def keep(self, claim: Claim, answer: Answer) -> bool:
        """Keeps the answer to the request that holds this claim."""

    def release(self, claim: Claim) -> bool:
        """Gives a claim back, so that the request can be made again."""

    def clear(self, *, before: datetime, limit: int) -> int:
        """Forgets at most so many keys that were claimed before that moment; how many it were."""

    def forget(self, owner: str) -> int:
        """Forgets all answers of that owner; how many it were. What is still being answered goes on."""


class Count(NamedTuple):
    """How many there were in a window of time, this one included, and in how many seconds it ends."""

    number: int
    left_s: float


class RateCounter(Protocol):
    """Counts in windows of time, over all processes of a service.

    Raises everywhere: QueueUnavailableError.
    """

    def count(self, name: str, window_s: int) -> Count:
        """Counts one more under that name. The first opens a window, which ends by itself."""

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""
