"""gunicorn's log as part of the log of this program.

Its own log of requests stays off: ``adjudicator.api.observation`` writes a line for each.
"""

from typing import Any

from gunicorn.glogging import Logger

from adjudicator.config import load_settings
from adjudicator.processes.log import start_logging


class ServiceLogger(Logger):  # type: ignore[misc]
    """Hands on what gunicorn says to the log that ``start_logging`` sets up, and writes nothing itself."""

    def setup(self, cfg: Any) -> None:
        """Starts the log of the process in which gunicorn starts, before it forks."""
        settings = load_settings()
        start_logging(settings.log_level, settings.log_format)
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
