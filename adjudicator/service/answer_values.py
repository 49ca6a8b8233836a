"""First answers and the claims to give them: what an Idempotency-Key stands for."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a door, as far as it is given again: status, headers that matter, body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to give the first answer under an owner's Idempotency-Key, held since ``claimed_at``.

    ``fingerprint`` is the digest of the request: whatever of it makes it that very one.
    """

    owner: str
    key: str
    fingerprint: str
    claimed_at: datetime
