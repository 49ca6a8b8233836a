"""A breaker: what keeps failing is left alone for a while, so that it costs no more than a refusal."""

import time
from collections.abc import Callable

from adjudicator.errors import EngineFailureError


class Circuit:
    """Counts failures in a row; after ``limit`` of them nothing is let pass for ``rest_s``.

    Then it is tried again: a success ends the count, a failure begins another rest.
    """

    def __init__(self, limit: int, rest_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._rest_s = rest_s
        self._clock = clock
        self._failures = 0
        self._rests_until = 0.0
        self._last = ""

    def check(self) -> None:
        """Let pass unless resting.

        Raises: EngineFailureError with what went wrong last, and for how long nothing is tried.
        """
        left = self._rests_until - self._clock()
        if self._failures >= self._limit and left > 0:
            raise EngineFailureError(
                f"The engine failed {self._failures} times in a row and is left alone for another "
                f"{left:.0f} s; last: {self._last}",
                rest_s=left,
            )

    def succeeded(self) -> None:
        """Forget all failures."""
        self._failures = 0

    def failed(self, reason: str) -> None:
        """Count one more failure."""
        self._failures += 1
        self._rests_until = self._clock() + self._rest_s
        self._last = reason
