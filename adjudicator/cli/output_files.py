"""Files that a command writes: whole or not at all, and never over another unless that is wanted."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import click

from adjudicator.errors import ConfigurationError, RequestError

_LONGEST_STEM = 80
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


force_option = click.option("--force", is_flag=True, help="Replace files that exist.")
"""The option by which it is wanted that files are replaced."""


def make_folder(folder: Path) -> None:
    """Make a folder to write to, with those above it, where it is not there yet.

    Raises: ConfigurationError where it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be made: {error.strerror or error}") from error


def require_free(files: Iterable[Path], *, may_replace: bool) -> None:
    """Let pass only files that ``write_output`` may write, before the work whose outcome goes there.

    Raises: RequestError for the first that exists and may not be replaced.
    """
    for file in files:
        if not may_replace and os.path.exists(file):  # noqa: PTH110 - no error: writing gives the reason
            raise _taken(file)


def write_output(file: Path, content: bytes, *, may_replace: bool) -> None:
    """Write a file that is there with all its content, or not there.

    Raises: RequestError where it exists and may not be replaced; ConfigurationError where it cannot be
    written.
    """
    try:
        if may_replace:
            _replace(file, content)
            return
        file.touch(exist_ok=False)
        with _removed_on_failure(file):
            _replace(file, content)
    except FileExistsError as error:
        raise _taken(file) from error
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written: {error.strerror or error}") from error


def _taken(file: Path) -> RequestError:
    return RequestError(f"{file} exists already; --force replaces it")


def _replace(file: Path, content: bytes) -> None:
    part = file.with_name(f".{os.getpid()}.part")
    with _removed_on_failure(part):
        part.write_bytes(content)
        part.replace(file)


@contextlib.contextmanager
def _removed_on_failure(file: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        raise


class OutputNames:
    """Names for files that follow from names somebody else gave: plain ones, and never the same twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name_for(self, name: str, suffix: str) -> str:
        """A file name of letters, digits and ``_.-``, with folders as a part of it.

        >>> names = OutputNames()
        >>> names.name_for("2024/a b.sgf", ".mat"), names.name_for("../2024/a b.txt", ".mat")
        ('2024_a_b.mat', '2024_a_b-2.mat')
        """
        path = PurePosixPath(name)
        stem = _NOT_IN_NAMES.sub("_", str(path.with_suffix("")) if path.name else "").strip("._-")
        stem = stem[:_LONGEST_STEM] or "match"
        number, found = 1, stem
        while found.lower() in self._taken:
            number += 1
            found = f"{stem}-{number}"
        self._taken.add(found.lower())
        return found + suffix
