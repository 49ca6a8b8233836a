"""When a delivery that failed is tried again: the schedule of Standard Webhooks."""

import hashlib
from datetime import timedelta

PAUSES = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""Between two attempts; after the last of them it is given up."""

JITTER = 0.2
"""How much longer a pause is made at most, so that what failed together does not come back together."""

LONGEST_RETRY_AFTER = timedelta(hours=24)


def next_pause(delivery_id: str, tries: int, retry_after_s: float | None = None) -> timedelta | None:
    """The pause after that many tries, never shorter than the receiver asks for; ``None``: no more.

    >>> next_pause("msg_a", 10) is None
    True
    >>> next_pause("msg_a", 1, retry_after_s=3600)
    datetime.timedelta(seconds=3600)
    """
    if tries > len(PAUSES):
        return None
    pause = PAUSES[tries - 1] * (1 + JITTER * _share(f"{delivery_id}.{tries}"))
    wanted = min(timedelta(seconds=max(retry_after_s or 0.0, 0.0)), LONGEST_RETRY_AFTER)
    return max(pause, wanted)


def _share(text: str) -> float:
    """A number from 0 up to 1 that follows from the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32
