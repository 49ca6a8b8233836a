"""A queue server for tests."""

import time

import redis

from adjudicator.jobs.embedded import EmbeddedQueue
from adjudicator.jobs.queue import connect


def wait_ready(queue: EmbeddedQueue, limit_s: float = 10.0) -> None:
    """Returns once the server answers."""
    deadline = time.monotonic() + limit_s
    with connect(queue.url) as client:
        while True:
            try:
                client.ping()
            except redis.RedisError:
                assert time.monotonic() < deadline, "the queue server does not answer"
                time.sleep(0.02)
            else:
                return
