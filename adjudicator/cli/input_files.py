"""Files that a command line names."""

import sys
from pathlib import Path

from adjudicator.errors import NotFoundError

STANDARD_INPUT = Path("-")


def read_input(file: Path) -> bytes:
    """The bytes of the file, of standard input for ``-``.

    Raises: NotFoundError that says why it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if file == STANDARD_INPUT else file.read_bytes()
    except OSError as error:
        raise NotFoundError(f"cannot be read: {error.strerror or error}") from error
