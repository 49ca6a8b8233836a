"""What a command line names as input: files, folders, archives, standard input.

A folder stands for the files in it, an archive for its members: each is named as if it were a file,
``season.zip!2024/a.mat``.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from adjudicator.cli.console import progress_bar
from adjudicator.errors import AdjudicatorError, InputUnavailableError, TooLargeError
from adjudicator.logs.archives.limits import DEFAULT_LIMITS
from adjudicator.logs.archives.members import Member, is_left_by_system
from adjudicator.logs.archives.reading import begins_archive, read_archive
from adjudicator.logs.archives.sources import Source

STANDARD_INPUT = Path("-")
MOST_FILE_BYTES = 64_000_000
"""A larger file is refused before it is read, unless it is an archive."""
_KEPT_IN_MEMORY = 1_000_000
"""Bytes of a zip from a pipe; a larger one is kept on disk while it is read."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """One record to work on: its name, that of the archive before it, and its bytes.

    ``short_name`` is its name within the folder or archive that was named, or else its own.
    """

    name: str
    short_name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class BadInput:
    """What could not be had, and why; what comes after it can. The names are as those of a record."""

    name: str
    short_name: str
    error: AdjudicatorError


def read_inputs(paths: Iterable[Path]) -> Iterator[InputFile | BadInput]:
    """All records that the paths stand for, one after the other; bad ones in their place."""
    for path in paths:
        try:
            files = _files_of(path)
        except AdjudicatorError as error:
            yield BadInput(str(path), path.name, error)
            continue
        for file in files:
            short_name = file.name if file == path else file.relative_to(path).as_posix()
            try:
                yield from _records_in(file, short_name)
            except AdjudicatorError as error:
                yield BadInput(str(file), short_name, error)


def read_inputs_with_progress(paths: Sequence[Path], label: str) -> Iterator[InputFile | BadInput]:
    """As ``read_inputs``, with a bar that moves on as each record is done with."""
    with progress_bar(label, count_inputs(paths)) as advance:
        for record in read_inputs(paths):
            yield record
            advance()


def require_file(record: InputFile | BadInput) -> InputFile:
    """The record, if it could be had.

    Raises: AdjudicatorError, why it could not.
    """
    if isinstance(record, BadInput):
        raise record.error
    return record


def count_inputs(paths: Iterable[Path]) -> int | None:
    """How many records ``read_inputs`` will come to; ``None`` where an archive or a pipe hides it."""
    count = 0
    for path in paths:
        try:
            files = _files_of(path)
            if any(map(_is_archive, files)):
                return None
            count += len(files)
        except AdjudicatorError:
            count += 1
    return count


def _is_archive(file: Path) -> bool:
    """Whether a file is an archive, as far as that can be told without using it up."""
    if file == STANDARD_INPUT or not file.is_file():
        return False
    with _opened(file) as stream:
        return begins_archive(Source.of(stream))


def read_input(file: Path) -> bytes:
    """The bytes of the file, of standard input for ``-``, as they are.

    Raises: InputUnavailableError that says which file cannot be read and why; TooLargeError beyond
    ``MOST_FILE_BYTES``.
    """
    try:
        with _opened(file) as stream:
            return _read_whole(stream, Source.of(stream))
    except AdjudicatorError as error:
        raise type(error)(f"{file}: {error.detail}", error.faults) from error


def _records_in(file: Path, short_name: str) -> Iterator[InputFile | BadInput]:
    with _opened(file) as stream:
        source = Source.of(stream)
        if not begins_archive(source):
            yield InputFile(str(file), short_name, _read_whole(stream, source))
            return
        _check_size(stream, DEFAULT_LIMITS.archive_bytes)
        is_empty = True
        with SpooledTemporaryFile(_KEPT_IN_MEMORY) as kept:  # takes a zip that comes through a pipe
            for member in read_archive(source, file_name=file.name, scratch=cast("BinaryIO", kept)):
                is_empty = False
                name = f"{file}!{member.name}"
                if isinstance(member, Member):
                    yield InputFile(name, member.name, member.content)
                else:
                    yield BadInput(name, member.name, member.error)
        if is_empty:
            raise InputUnavailableError("This archive holds no file.")


def _files_of(path: Path) -> list[Path]:
    """The path itself, or the files in the folder and those below it, in the order of their names.

    Raises: InputUnavailableError for a folder that cannot be read or holds no file.
    """
    if path == STANDARD_INPUT or not path.is_dir():
        return [path]
    try:
        files = [Path(folder, name) for folder, _, names in os.walk(path, onerror=_raise) for name in names]
    except OSError as error:
        raise _unreadable(error) from error
    wanted = [file for file in files if not is_left_by_system(file.relative_to(path).as_posix())]
    files = sorted(file for file in wanted if file.is_file())
    if not files:
        raise InputUnavailableError("This folder holds no file.")
    return files


def _raise(error: OSError) -> None:
    raise error


def _unreadable(error: OSError) -> InputUnavailableError:
    return InputUnavailableError(f"This cannot be read: {error.strerror or error}.")


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    """The file open for reading; what goes wrong with it while it is read is told too."""
    try:
        if file == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            with file.open("rb") as stream:
                yield stream
    except OSError as error:
        raise _unreadable(error) from error


def _read_whole(stream: BinaryIO, source: Source) -> bytes:
    _check_size(stream, MOST_FILE_BYTES)
    content = source.read(MOST_FILE_BYTES + 1)
    if len(content) > MOST_FILE_BYTES:
        raise _too_large(MOST_FILE_BYTES)
    return content


def _check_size(stream: BinaryIO, most: int) -> None:
    """Refuse a file by the size it says, before it is read; a pipe says none."""
    try:
        size = os.fstat(stream.fileno()).st_size
    except OSError:
        return
    if size > most:
        raise _too_large(most)


def _too_large(most: int) -> TooLargeError:
    return TooLargeError(f"This has more than {most} bytes; no match log has.")
