"""How many requests are taken in a time: counted apart for each owner and each kind of request."""

import logging
import math
import re
import time
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from adjudicator.errors import QueueUnavailableError
from adjudicator.service.access_ports import RateCounter

logger = logging.getLogger(__name__)

OFF = "off"
WINDOWS_S = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
MOST_REQUESTS = 10_000_000
REST_S = 5.0
"""For so long nothing is counted after the counter did not answer."""

_RATE = re.compile(rf"([1-9][0-9]{{0,7}})/({'|'.join(WINDOWS_S)})", re.ASCII)


class Rate(NamedTuple):
    """So many requests in a window of so many seconds."""

    requests: int
    window_s: int


def parse_rate(text: str) -> Rate | None:
    """The rate in a setting, ``None`` for no limit.

    >>> parse_rate("600/minute")
    Rate(requests=600, window_s=60)
    >>> parse_rate("off") is None
    True

    Raises: ValueError that says what a good value is.
    """
    if text == OFF:
        return None
    found = _RATE.fullmatch(text)
    if found is None or int(found[1]) > MOST_REQUESTS:
        raise ValueError(
            f"a number of requests from 1 to {MOST_REQUESTS} in a time, such as 600/minute, or off"
        )
    return Rate(int(found[1]), WINDOWS_S[found[2]])


class Kind(Enum):
    """What is counted apart. ``REFUSED_KEYS`` goes by the address of the peer, the others by the owner."""

    SUBMISSIONS = "submissions"
    READS = "reads"
    REFUSED_KEYS = "refused-keys"


REFUSED_KEYS = Rate(60, 60)
"""How many wrong keys of one address are looked at as such."""


class Allowance(NamedTuple):
    """Where a caller stands: of ``rate`` so many are left for so many seconds; below zero it is too much."""

    kind: Kind
    rate: Rate
    left: int
    reset_s: int

    @property
    def is_exceeded(self) -> bool:
        """Whether this request is one too many."""
        return self.left < 0


class RateLimits:
    """What the doors call; safe to share between threads.

    Where the counter is away there is no limit: better too many requests than none. Windows are fixed, so
    around the turn of one there may be twice as many.
    """

    def __init__(
        self, counter: RateCounter, rate: Rate | None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._counter = counter
        self._rate = rate
        self._clock = clock
        self._rests_until = -math.inf

    def count(self, kind: Kind, who: str) -> Allowance | None:
        """Counts a request; ``None`` where there is no limit (for now)."""
        if self._rate is None or self._clock() < self._rests_until:
            return None
        rate = REFUSED_KEYS if kind is Kind.REFUSED_KEYS else self._rate
        try:
            count = self._counter.count(f"{kind.value}/{who}", rate.window_s)
        except QueueUnavailableError as error:
            self._rests_until = self._clock() + REST_S
            logger.warning("Requests are not limited for now: %s", error)
            return None
        return Allowance(kind, rate, rate.requests - count.number, max(1, math.ceil(count.left_s)))

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""
        self._counter.close()
