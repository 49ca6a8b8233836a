"""Solved values under the modifier, kept between runs in one file a finish and version."""

import contextlib
import logging
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.tables import SIZES, TABLES_VERSION, Tables, build_tables

logger = logging.getLogger(__name__)


def load_tables(finish: Finish, folder: Path) -> Tables:
    """The tables from a file in ``folder``, or solved now and kept there.

    Of several processes one solves, the others wait for it. A file that is damaged is replaced. A folder that
    cannot be written to costs the time to solve only.
    """
    path = tables_path(finish, folder)
    tables = read_tables(path)
    if tables is not None:
        return tables
    try:
        with _one_process(path.with_suffix(".lock")):
            return read_tables(path) or _solve_and_save(finish, path)
    except OSError as error:
        logger.warning("solved tables cannot be kept in %s: %s", folder, error)
        return build_tables(finish)


def _solve_and_save(finish: Finish, path: Path) -> Tables:
    tables = build_tables(finish)
    try:
        save_tables(tables, path)
    except OSError as error:
        logger.warning("solved tables cannot be kept in %s: %s", path.parent, error)
    return tables


@contextlib.contextmanager
def _one_process(path: Path) -> Iterator[None]:
    """Waits until no other process is in here with the same file; the system ends the lock with its holder.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield  # solving twice costs seconds only
        return
    import fcntl  # noqa: PLC0415 - not there on Windows

    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def tables_path(finish: Finish, folder: Path) -> Path:
    """Where the tables of a finish are kept."""
    return folder / f"modifier-tables-{TABLES_VERSION}-{finish.value}.npz"


def read_tables(path: Path) -> Tables | None:
    """The tables in a file, ``None`` where there is none or it is not sound (the archive holds checksums)."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = [archive[name] for name in Tables._fields]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        logger.warning("solved tables in %s are damaged and will be solved again: %s", path, error)
        return None
    if not all(_is_sound(array, size) for array, size in zip(arrays, SIZES, strict=True)):
        logger.warning("solved tables in %s are not what they should be and will be solved again", path)
        return None
    return Tables(*arrays)


def _is_sound(array: NDArray[np.float64], size: int) -> bool:
    """Whether an array holds so many chances, give or take the last bits of a sum."""
    if array.dtype != np.float64 or array.shape != (size,):
        return False
    return bool(array.min() >= 0.0 and array.max() <= 1.0 + 1e-9)


def save_tables(tables: Tables, path: Path) -> None:
    """Put the tables into a file, whole or not at all.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **tables._asdict())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
