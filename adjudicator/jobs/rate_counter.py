"""The port of the rate counter over the library ``limits``: on the queue server, or in this process."""

import time

import redis
from limits.storage import MemoryStorage, RedisStorage, Storage

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.service.access_ports import Count

ANSWER_S = 0.25
"""How long an answer may take: no request waits longer to be counted."""

PREFIX = "adjudicator:rates"


class WindowCounter:
    """Keeps the ``RateCounter`` port; see there for its promises. Safe to share between threads."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @classmethod
    def at(cls, url: str) -> "WindowCounter":
        """The counter that all processes with the queue server at this URL share.

        Raises: ConfigurationError for a URL that cannot be read.
        """
        try:
            return cls(
                RedisStorage(url, key_prefix=PREFIX, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S)
            )
        except ValueError as error:
            raise ConfigurationError(f"ADJUDICATOR_REDIS_URL cannot be read: {error}") from error

    @classmethod
    def in_process(cls) -> "WindowCounter":
        """A counter of this process alone."""
        return cls(MemoryStorage())

    def count(self, name: str, window_s: int) -> Count:
        """See ``RateCounter.count``."""
        try:
            number = self._storage.incr(name, window_s)
            return Count(number, self._storage.get_expiry(name) - time.time())
        except redis.RedisError as error:
            raise QueueUnavailableError(f"The counter of requests does not answer: {error}") from error

    def close(self) -> None:
        """See ``RateCounter.close``."""
        if isinstance(self._storage, RedisStorage):
            self._storage.storage.close()
