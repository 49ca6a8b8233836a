"""What a command line's paths stand for."""

import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from adjudicator.cli import input_files
from adjudicator.cli.input_files import BadInput, InputFile, count_inputs, read_input, read_inputs
from adjudicator.errors import AdjudicatorError, InputUnavailableError, TooLargeError


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "season.zip"
    with zipfile.ZipFile(file, "w") as writing:
        writing.writestr("b.mat", b"second")
        writing.writestr("../a.mat", b"first")
        writing.writestr("2024/c.mat", b"third")
    return file


def _names(paths: list[Path]) -> list[str]:
    return [record.name for record in read_inputs(paths)]


def test_a_member_is_named_behind_its_archive_and_a_bad_one_stops_nobody(archive: Path) -> None:
    first, second, third = read_inputs([archive])
    assert first == InputFile(f"{archive}!b.mat", "b.mat", b"second")
    assert isinstance(second, BadInput)
    assert (second.name, second.error.code) == (f"{archive}!../a.mat", "unreadable_record")
    assert third == InputFile(f"{archive}!2024/c.mat", "2024/c.mat", b"third")
    assert count_inputs([archive]) is None


def test_a_folder_stands_for_its_files_in_order(tmp_path: Path) -> None:
    for name in ("b.mat", "a/z.mat", "a/y.mat", ".DS_Store"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert _names([tmp_path]) == [str(tmp_path / name) for name in ("a/y.mat", "a/z.mat", "b.mat")]
    assert count_inputs([tmp_path, tmp_path / "b.mat"]) == 4


def test_what_is_missing_or_empty_is_said_in_its_place(tmp_path: Path, archive: Path) -> None:
    missing, empty, folder = tmp_path / "missing", tmp_path / "empty.zip", tmp_path / "folder"
    folder.mkdir()
    with zipfile.ZipFile(empty, "w"):
        pass
    *bad, first = list(read_inputs([missing, empty, folder, archive]))[:4]
    assert all(isinstance(one, BadInput) and isinstance(one.error, InputUnavailableError) for one in bad)
    assert [(one.name, one.error.detail) for one in bad if isinstance(one, BadInput)] == [
        (str(missing), "This cannot be read: No such file or directory."),
        (str(empty), "This archive holds no file."),
        (str(folder), "This folder holds no file."),
    ]
    assert first.name == f"{archive}!b.mat"


def test_a_broken_archive_gives_what_stands_before_and_is_named(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as writing:
        for name in ("a.mat", "b.mat"):
            writing.addfile(tarfile.TarInfo(name))
    (file := tmp_path / "a.tar").write_bytes(out.getvalue()[:700])
    first, second = read_inputs([file])
    assert first == InputFile(f"{file}!a.mat", "a.mat", b"")
    assert isinstance(second, BadInput)
    assert "broken at byte" in second.error.detail


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.mat"
    with file.open("wb") as stream:
        stream.truncate(10_000_000_000)
    with pytest.raises(TooLargeError, match="more than 64000000 bytes"):
        read_input(file)
    (bad,) = read_inputs([file])
    assert isinstance(bad, BadInput)
    assert isinstance(bad.error, TooLargeError)


def test_of_the_only_file_that_is_read_the_name_is_said_too(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    with pytest.raises(InputUnavailableError) as raised:
        read_input(missing)
    assert raised.value.detail == f"{missing}: This cannot be read: No such file or directory."


def test_a_pipe_without_end_is_read_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MOST_FILE_BYTES", 1000)
    reading, writing = os.pipe()
    os.write(writing, b"x" * 1001)
    with os.fdopen(reading, "r") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(TooLargeError):
            read_input(Path("-"))
    os.close(writing)


def test_a_folder_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    (locked := tmp_path / "locked").mkdir(mode=0)
    try:
        list(locked.iterdir())
    except PermissionError:
        (bad,) = read_inputs([tmp_path])
        assert isinstance(bad, BadInput)
        assert isinstance(bad.error, AdjudicatorError)
    else:
        pytest.skip("this user may read every folder")
