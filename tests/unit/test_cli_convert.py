"""``adjudicator convert``: what it writes, what it refuses, and what it never does silently."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import group
from adjudicator.cli.output_files import OutputNames
from adjudicator.logs.comparison import compare_logs
from adjudicator.logs.reading import read_log
from tests.records import LAST_CHECKER_RECORD

MATCH = Path(__file__).parents[2] / "examples" / "match-2.mat"
Run: TypeAlias = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def run_command(*arguments: object, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(group, ["convert", *map(str, arguments)], input=stdin)

    return run_command


def _same(content: bytes, other: bytes) -> bool:
    return not list(compare_logs(read_log(content), read_log(other)))


class TestOne:
    def test_a_mat_becomes_a_record_and_a_mat_again(self, run: Run, tmp_path: Path) -> None:
        record, mat = tmp_path / "a.json", tmp_path / "a.mat"
        for source, target in ((MATCH, record), (record, mat)):
            done = run(source, target)
            assert (done.exit_code, done.output) == (0, "")
        assert json.loads(record.read_bytes())["schema"] == "match-record/1"
        assert _same(MATCH.read_bytes(), record.read_bytes())
        assert _same(MATCH.read_bytes(), mat.read_bytes())
        assert sorted(file.name for file in tmp_path.iterdir()) == ["a.json", "a.mat"]

    def test_standard_input_and_output_need_the_format(self, run: Run) -> None:
        done = run("-", "-", "--to", "json", stdin=MATCH.read_bytes())
        assert done.exit_code == 0
        assert _same(done.stdout_bytes, MATCH.read_bytes())
        assert run("-", "-", stdin=MATCH.read_bytes()).exit_code == 2

    def test_the_only_member_of_an_archive_is_one_record(self, run: Run, tmp_path: Path) -> None:
        archive = tmp_path / "one.zip"
        with zipfile.ZipFile(archive, "w") as writing:
            writing.write(MATCH, "a.mat")
        assert run(archive, tmp_path / "a.json").exit_code == 0
        with zipfile.ZipFile(archive, "a") as writing:
            writing.write(MATCH, "b.mat")
        done = run(archive, tmp_path / "b.json")
        assert (done.exit_code, (tmp_path / "b.json").exists()) == (2, False)
        assert "--out-dir" in done.stderr

    def test_a_file_that_exists_is_kept_unless_it_may_be_replaced(self, run: Run, tmp_path: Path) -> None:
        out = tmp_path / "a.json"
        out.write_text("mine")
        done = run(MATCH, out)
        assert (done.exit_code, out.read_text()) == (2, "mine")
        assert "--force" in done.stderr
        assert run(MATCH, out, "--force").exit_code == 0
        assert _same(out.read_bytes(), MATCH.read_bytes())

    def test_a_folder_that_is_not_there_is_said(self, run: Run, tmp_path: Path) -> None:
        done = run(MATCH, tmp_path / "missing" / "a.json")
        assert done.exit_code == 2
        assert "cannot be written" in done.stderr

    def test_nothing_is_left_where_writing_fails(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_arguments: object) -> None:
            raise OSError(28, os.strerror(28))

        monkeypatch.setattr(Path, "replace", full)
        assert run(MATCH, tmp_path / "a.json").exit_code == 2
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("arguments", [(), (MATCH,), (MATCH, MATCH, "a.mat"), (MATCH, "a.pdf")])
    def test_what_cannot_be_meant_is_wrong_use(self, run: Run, arguments: tuple[object, ...]) -> None:
        assert run(*arguments).exit_code == 2

    def test_a_start_of_its_own_has_no_place_in_a_mat(self, run: Run, tmp_path: Path) -> None:
        (source := tmp_path / "a.json").write_bytes(LAST_CHECKER_RECORD)
        done = run(source, tmp_path / "a.mat")
        assert (done.exit_code, (tmp_path / "a.mat").exists()) == (1, False)
        assert "game 1 has a start position of its own" in done.stderr

    def test_a_game_that_breaks_off_is_not_told_as_a_whole_one(self, run: Run, tmp_path: Path) -> None:
        lines = MATCH.read_text().splitlines()
        row = next(index for index, line in enumerate(lines) if line.startswith("  4) "))
        lines[row] = "  4) what is this"
        (source := tmp_path / "a.mat").write_text("\n".join(lines))
        done = run(source, tmp_path / "a.json")
        assert (done.exit_code, (tmp_path / "a.json").exists()) == (1, False)
        assert f"line {row + 1}" in done.stderr
        assert "would look whole" in done.stderr

    def test_what_is_lost_is_told_and_the_rest_written(self, run: Run, tmp_path: Path) -> None:
        (source := tmp_path / "a.json").write_bytes(
            b'{"schema": "match-record/1", "variant": "backgammon", "match_length": 3, "metadata": {"note":'
            b'"a\\nb"}, "players": {"white": {"name": " A"}, "black": {"name": "B"}}, "games": [{"number": 1,'
            b'"actions": [{"player": "white", "roll": [3, 1], "agreed": null}]}]}'
        )
        done = run(source, tmp_path / "a.mat")
        assert done.exit_code == 0
        losses = [line.removeprefix(f"{source}: not kept: ") for line in done.stderr.splitlines()]
        assert losses[:2] == [
            "the name of white is ' A', and would be 'A'",
            "the header value 'note' is 'a\\nb', and would be 'a b'",
        ]
        assert losses[2].startswith("game 1, turn 1: why the play cannot be read is ")
        assert len(losses) == 3


class TestMany:
    def test_a_bad_record_spoils_no_other(self, run: Run, tmp_path: Path) -> None:
        archive, out = tmp_path / "season.zip", tmp_path / "out"
        with zipfile.ZipFile(archive, "w") as writing:
            writing.write(MATCH, "2024/a.mat")
            writing.writestr("2024/b.png", b"\x89PNG\r\n\x1a\n")
            writing.writestr("../../c.mat", b"x")
            writing.write(MATCH, "2025/a.mat")
        done = run(archive, MATCH, "--to", "json", "--out-dir", out)
        assert done.exit_code == 1
        assert sorted(file.name for file in out.iterdir()) == ["2024_a.json", "2025_a.json", "match-2.json"]
        assert f"{archive}!2024/b.png: " in done.stderr
        assert f"{archive}!../../c.mat: " in done.stderr
        assert done.stdout == f"3 written to {out}, 2 not\n"

    def test_a_file_that_exists_is_one_bad_record(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "match-2.json").write_text("mine")
        done = run(MATCH, MATCH, "--to", "json", "--out-dir", tmp_path)
        assert done.exit_code == 1
        assert (tmp_path / "match-2.json").read_text() == "mine"
        assert _same((tmp_path / "match-2-2.json").read_bytes(), MATCH.read_bytes())

    def test_a_folder_is_converted_whole(self, run: Run, tmp_path: Path) -> None:
        done = run(MATCH.parent, "--to", "json", "--out-dir", tmp_path)
        assert sorted(tmp_path.glob("*.json")) == [tmp_path / f"match-{n}.json" for n in range(1, 6)]
        assert done.exit_code == 1  # the folder's README is no match log
        assert "README.md: This is text that begins with" in done.stderr

    def test_the_format_has_to_be_chosen(self, run: Run, tmp_path: Path) -> None:
        done = run(MATCH, "--out-dir", tmp_path)
        assert done.exit_code == 2
        assert "option to" in done.stderr


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.mat", "a.json"),
        ("a/b/../c.sgf", "a_b_.._c.json"),
        ("-", "match.json"),
        ("\x1b[2J\u202e.mat", "2J.json"),
        ("Матч 1.mat", "Матч_1.json"),
        ("x" * 300, "x" * 80 + ".json"),
    ],
)
def test_a_name_for_a_file_is_plain_whatever_it_comes_from(name: str, expected: str) -> None:
    assert OutputNames().name_for(name, ".json") == expected


def test_names_that_differ_in_case_only_are_told_apart() -> None:
    names = OutputNames()
    assert [names.name_for(name, ".mat") for name in ("a.txt", "A.txt", "a.sgf")] == [
        "a.mat",
        "A-2.mat",
        "a-3.mat",
    ]
