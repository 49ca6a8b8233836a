"""What a command writes is whole or not there, and never over another file unless that is wanted."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import group
from adjudicator.cli.output_files import make_folder, require_free, write_output
from adjudicator.errors import ConfigurationError, RequestError


def test_a_file_that_exists_is_replaced_only_where_that_is_wanted(tmp_path: Path) -> None:
    (file := tmp_path / "a.mat").write_bytes(b"old")
    with pytest.raises(RequestError, match="exists already; --force replaces it"):
        write_output(file, b"new", may_replace=False)
    assert file.read_bytes() == b"old"
    write_output(file, b"new", may_replace=True)
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (folder := tmp_path / "a.mat").mkdir()
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_output(folder, b"new", may_replace=True)
    assert list(tmp_path.iterdir()) == [folder]


def test_files_are_asked_for_before_the_work_begins(tmp_path: Path) -> None:
    (taken := tmp_path / "b.mat").touch()
    require_free([tmp_path / "a.mat", tmp_path / "no folder" / "a.mat"], may_replace=False)
    require_free([taken], may_replace=True)
    with pytest.raises(RequestError, match=r"b\.mat exists already"):
        require_free([tmp_path / "a.mat", taken], may_replace=False)


def test_a_folder_is_made_with_those_above_it_or_the_reason_is_said(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be made: "):
        make_folder(tmp_path / "file" / "folder")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (["simulate", "--matches", "12", "--length", "1", "--out", "{}"], "match-07.mat"),
        (["demo", "--examples", "{}", "--out", "{}"], "a.txt"),
    ],
)
def test_no_command_begins_what_it_may_not_write(tmp_path: Path, words: list[str], written: str) -> None:
    (tmp_path / "a.mat").touch()
    (kept := tmp_path / written).write_bytes(b"kept")
    done = CliRunner().invoke(group, [word.format(tmp_path) for word in words])
    assert done.exit_code == 2
    assert done.stderr == f"{kept} exists already; --force replaces it [bad_request]\n"
    assert kept.read_bytes() == b"kept"
    assert {file.name for file in tmp_path.iterdir()} == {"a.mat", written}
