"""The ``Prefer`` header (RFC 7240), of which ``wait`` is heeded."""

import re
from collections.abc import Iterable

LONGEST_WAIT_S = 30
_WAIT = re.compile(r'wait\s*=\s*"?(\d+)"?\s*(?:;.*)?', re.ASCII | re.IGNORECASE)


def parse_wait_s(headers: Iterable[str]) -> int:
    """For how long the caller would like to wait, in whole seconds; 0 where it does not say or not clearly.

    Of several the first counts, and nobody waits longer than ``LONGEST_WAIT_S``.

    >>> parse_wait_s(["respond-async, wait=10"])
    10
    >>> parse_wait_s(["wait=3600"]), parse_wait_s(["wait=soon"]), parse_wait_s([])
    (30, 0, 0)
    """
    for preference in ",".join(headers).split(","):
        if found := _WAIT.fullmatch(preference.strip()):
            # a few digits are enough to tell that it is too long, and ``int`` refuses thousands of them
            return min(int(found[1].lstrip("0")[:9] or 0), LONGEST_WAIT_S)
    return 0
