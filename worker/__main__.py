"""``python -m worker``: one worker process, set by the environment (see ``docs/operations.md``)."""

import sys

from adjudicator.bootstrap import require_service
from adjudicator.config import load_settings
from adjudicator.errors import ConfigurationError
from adjudicator.processes.log import start_logging
from worker.process import WorkerProcess

WRONG_USE = 2


def main() -> None:
    """Works until asked to end. Leaves with 2 and a sentence where the settings cannot work."""
    try:
        settings = load_settings()
        start_logging(settings.log_level, settings.log_format)
        require_service(settings)
        process = WorkerProcess(settings)
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(WRONG_USE)
    process.run()


if __name__ == "__main__":
    main()
