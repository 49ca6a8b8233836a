"""Solved tables are kept between runs, and a file that is not sound is solved again."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.tables import SIZES, Tables
from adjudicator.store.value_tables import load_tables, read_tables, save_tables, tables_path
from tests.solved import solved_tables

EXACT = Finish.EXACT


def same(one: Tables, other: Tables) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tables_path(EXACT, tmp_path)
    save_tables(solved_tables(EXACT), path)
    return path


def test_sizes_are_those_of_the_tables() -> None:
    assert tuple(len(array) for array in solved_tables(EXACT)) == SIZES


def test_kept_tables_come_back_bit_by_bit(kept: Path) -> None:
    tables = read_tables(kept)
    assert tables is not None
    assert same(tables, solved_tables(EXACT))


def test_kept_tables_are_read_and_not_solved_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, solved = kept.stat().st_mtime_ns, solved_tables(EXACT)
    monkeypatch.delattr("adjudicator.store.value_tables._solve_and_save")
    assert same(load_tables(EXACT, kept.parent), solved)
    assert kept.stat().st_mtime_ns == before


def test_nothing_but_the_file_itself_is_left_behind(kept: Path) -> None:
    assert list(kept.parent.iterdir()) == [kept]


def test_a_cache_directory_is_made(tmp_path: Path) -> None:
    path = tables_path(EXACT, tmp_path / "deep" / "down")
    save_tables(solved_tables(EXACT), path)
    assert read_tables(path) is not None


def test_no_file_is_no_tables(tmp_path: Path) -> None:
    assert read_tables(tables_path(EXACT, tmp_path)) is None


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def one_byte_changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def of_another_size(path: Path) -> None:
    arrays = {name: array[:-1] for name, array in solved_tables(EXACT)._asdict().items()}
    np.savez(path, **arrays)


def without_an_array(path: Path) -> None:
    arrays = solved_tables(EXACT)._asdict()
    del arrays["escape"]
    np.savez(path, **arrays)


def of_other_numbers(path: Path) -> None:
    arrays = {name: array + 1.0 for name, array in solved_tables(EXACT)._asdict().items()}
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    "damage", [cut_short, emptied, one_byte_changed, of_another_size, without_an_array, of_other_numbers]
)
def test_a_damaged_file_is_no_tables(kept: Path, damage: object, caplog: pytest.LogCaptureFixture) -> None:
    assert callable(damage)
    damage(kept)
    assert read_tables(kept) is None
    assert "solved again" in caplog.text


SOLVE = """
import sys, time
from pathlib import Path
from adjudicator.happy_end.ruleset import Finish
from adjudicator.store import value_tables
solve = value_tables.build_tables
def say_and_solve(finish):
    print("solved", flush=True)
    return solve(finish)
value_tables.build_tables = say_and_solve
value_tables.load_tables(Finish.EXACT, Path(sys.argv[1]))
"""


def test_of_processes_that_start_at_once_one_solves_and_the_others_wait(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SOLVE, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    said = b"".join(process.communicate(timeout=60)[0] for process in running)
    assert said.split() == [b"solved"]
    assert [process.returncode for process in running] == [0] * 3


def test_a_damaged_file_is_replaced(kept: Path) -> None:
    cut_short(kept)
    assert same(load_tables(EXACT, kept.parent), solved_tables(EXACT))
    repaired = read_tables(kept)
    assert repaired is not None
    assert same(repaired, solved_tables(EXACT))


def test_a_place_that_cannot_be_written_to_costs_time_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "a file, not a directory"
    file.write_text("in the way")
    assert same(load_tables(EXACT, file), solved_tables(EXACT))
    assert "cannot be kept" in caplog.text
