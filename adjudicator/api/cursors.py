"""Cursors of listings: where the next page begins, as a word that callers hand back and need not read."""

import base64
import binascii
from datetime import datetime

from adjudicator.errors import Fault, Place, RequestError

LONGEST_CURSOR = 200


def format_cursor(moment: datetime, entry_id: str) -> str:
    """The cursor after the entry with that moment, aware of its zone, and id."""
    return base64.urlsafe_b64encode(f"{moment.isoformat()} {entry_id}".encode()).decode().rstrip("=")


def parse_cursor(text: str) -> tuple[datetime, str]:
    """The moment and the id of the entry after which the page begins.

    >>> parse_cursor(format_cursor(datetime.fromisoformat("2026-11-29T10:00:00Z"), "a1"))
    (datetime.datetime(2026, 11, 29, 10, 0, tzinfo=datetime.timezone.utc), 'a1')

    Raises: RequestError for what this service never gave as a cursor.
    """
    try:
        padded = text[:LONGEST_CURSOR] + "=" * (-len(text) % 4)
        written = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
        moment, entry_id = written.split(" ")
        parsed = datetime.fromisoformat(moment)
    except (binascii.Error, ValueError) as error:
        raise _no_cursor() from error
    if parsed.tzinfo is None:
        raise _no_cursor()
    return parsed, entry_id


def _no_cursor() -> RequestError:
    faults = [Fault("Not a cursor that a listing gave.", Place(parameter="cursor"))]
    return RequestError("The options of this request are wrong.", faults)
