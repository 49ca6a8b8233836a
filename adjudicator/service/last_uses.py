"""When keys were last used: written beside the requests, never in their way."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from adjudicator.errors import StoreUnavailableError
from adjudicator.service.access_ports import KeyStore

logger = logging.getLogger(__name__)

Run: TypeAlias = Callable[[Callable[[], None]], None]
"""Has something done, now or beside."""

LONGEST_WAIT_S = 5.0


class LastUses:
    """The last uses of keys, to the minute; each key is written once a minute at most.

    What the database does not take is let go of: the next minute brings another. Safe to share between
    threads. ``run`` does the writing, by default in a thread of its own, of which there is one at most.
    """

    def __init__(self, store: KeyStore, run: Run | None = None) -> None:
        self._store = store
        self._run = run or self._start
        self._lock = threading.Lock()
        self._minutes: dict[str, datetime] = {}
        self._unwritten: dict[str, datetime] = {}
        self._is_writing = False
        self._thread: threading.Thread | None = None

    def note(self, key_id: str, at: datetime) -> None:
        """Takes note of a use."""
        minute = at.replace(second=0, microsecond=0)
        with self._lock:
            if self._minutes.get(key_id) == minute:
                return
            self._minutes[key_id] = self._unwritten[key_id] = minute
            if self._is_writing:
                return
            self._is_writing = True
        self._run(self._write)

    def close(self) -> None:
        """Waits a little for what is being written."""
        if self._thread is not None:
            self._thread.join(LONGEST_WAIT_S)

    def _start(self, write: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=write, name="last uses of keys", daemon=True)
        self._thread.start()

    def _write(self) -> None:
        while uses := self._taken():
            try:
                self._store.touch(uses)
            except StoreUnavailableError as error:
                logger.warning("The last use of %d keys is not noted: %s", len(uses), error)

    def _taken(self) -> dict[str, datetime]:
        with self._lock:
            uses, self._unwritten = self._unwritten, {}
            self._is_writing = bool(uses)
            return uses
