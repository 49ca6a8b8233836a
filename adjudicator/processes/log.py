"""The log of a process."""

import logging
import time

TALKATIVE = ("alembic", "rq")
"""What logs at the level of information that concerns nobody."""


def start_logging(level: str) -> None:
    """Sends the log of this process to standard error, one line a record with its time in UTC."""
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(process)d %(name)s: %(message)s")
    formatter.datefmt = "%Y-%m-%dT%H:%M:%S"
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
