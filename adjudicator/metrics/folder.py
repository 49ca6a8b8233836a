"""The folder in which the processes of one service count, each in files of its own."""

from pathlib import Path

from adjudicator.errors import ConfigurationError

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""By this variable of its environment a process knows the folder; it is the Prometheus client's."""


def make_empty(folder: Path) -> None:
    """Makes the folder, or removes what an earlier service counted there.

    Raises: ConfigurationError.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left_over in folder.glob("*.db"):
            left_over.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigurationError(f"The folder {folder} for metrics cannot be made: {error}") from error
