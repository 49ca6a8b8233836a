"""Solved tables kept between runs, in one file a finish."""

import contextlib
import logging
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.tables import SIZES, Tables, build_tables

TABLES_VERSION = 1
"""Raised with every change of what the tables hold; files of another version are not looked at."""

logger = logging.getLogger(__name__)


def load_tables(finish: Finish, cache_dir: Path | None) -> Tables:
    """The tables from ``cache_dir``, or solved now and kept there; ``None`` keeps nothing.

    A file that is damaged is replaced. A directory that cannot be written to costs the time to solve only.
    """
    if cache_dir is None:
        return build_tables(finish)
    path = cache_dir / f"modifier-tables-{TABLES_VERSION}-{finish.value}.npz"
    tables = read_tables(path)
    if tables is None:
        tables = build_tables(finish)
        try:
            save_tables(tables, path)
        except OSError as error:
            logger.warning("solved tables cannot be kept in %s: %s", cache_dir, error)
    return tables


def read_tables(path: Path) -> Tables | None:
    """The tables in a file, ``None`` where there is none or it is not sound (the archive holds checksums)."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = [archive[name] for name in Tables._fields]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        logger.warning("solved tables in %s are damaged and will be solved again: %s", path, error)
        return None
    for array, size in zip(arrays, SIZES, strict=True):
        if array.dtype != np.float64 or array.shape != (size,) or not _are_chances(array):
            logger.warning("solved tables in %s are not what they should be and will be solved again", path)
            return None
    return Tables(*arrays)


def _are_chances(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
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
