"""``adjudicator batch`` and ``adjudicator stats``: many records, one file, no server."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import group
from tests.archives import numbered_files, tarred, zipped
from tests.contract.records import match_record

FILES = [
    *numbered_files(5),
    ("bad.mat", b"no record"),
    ("../up.mat", b""),
    *[("z.json", numbered_files(9)[8][1])],
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are solved once for all tests, elsewhere; everything else is written here."""
    from tests.e2e.workshop import solved_tables

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tables").symlink_to(solved_tables())
    monkeypatch.setenv("ADJUDICATOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


def batch(path: Path, out: str = "out.ndjson", *more: object) -> Result:
    return call("batch", path, "--out", out, "--processes", 1, *more)


def lines(file: str = "out.ndjson") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(file).read_bytes().splitlines()]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "season.zip"
    file.write_bytes(zipped(FILES))
    return file


@pytest.mark.slow
def test_every_record_is_a_line_in_order_whatever_the_number_of_processes(archive: Path) -> None:
    assert batch(archive, "one.ndjson").exit_code == 1
    assert batch(archive, "three.ndjson", "--processes", 3).exit_code == 1
    assert Path("one.ndjson").read_bytes() == Path("three.ndjson").read_bytes()
    found = lines("one.ndjson")
    assert [line["name"] for line in found] == [name for name, _ in FILES]
    assert [line["member"] for line in found] == list(range(1, 9))
    assert [line["status"] for line in found] == ["done"] * 5 + ["refused"] * 2 + ["done"]
    assert [line["error"]["code"] for line in found if "error" in line] == [
        "unknown_format",
        "unreadable_record",
    ]
    assert found[0]["result"]["id"] == found[0]["adjudication_id"]
    assert found[0]["result"]["match_result"]["changed"] is True


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(archive: Path) -> None:
    assert batch(archive).exit_code == 1
    whole = Path("out.ndjson").read_bytes()
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    for cut in (ends[2] + 100, len(whole)):
        Path("out.ndjson").write_bytes(whole[:cut])
        assert batch(archive).exit_code == 1
        assert Path("out.ndjson").read_bytes() == whole


@pytest.mark.slow
def test_the_lines_of_other_work_are_left_alone(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tar.gz"
    other.write_bytes(tarred(numbered_files(9)[4:]))
    changed = tmp_path / "changed.zip"
    changed.write_bytes(zipped([*FILES[:-1], ("z.json", json.dumps(match_record()).encode())]))
    assert batch(archive).exit_code == 1
    whole = Path("out.ndjson").read_bytes()
    for path, more, said in (
        (other, [], "line 1 is of '1.json', where the input has '5.json'"),
        (archive, ["--finish", "exact_or_double"], "another content, option or engine build"),
        (changed, [], "'z.json' had another content"),
    ):
        refused = batch(path, "out.ndjson", *more)
        assert refused.exit_code == 2
        assert said in refused.output
        assert Path("out.ndjson").read_bytes() == whole


@pytest.mark.slow
def test_a_folder_of_good_records_is_fine(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    (folder / "deep").mkdir(parents=True)
    for name, content in numbered_files(2):
        (folder / "deep" / name).write_bytes(content)
    assert batch(folder).exit_code == 0
    assert [line["name"] for line in lines()] == ["deep/1.json", "deep/2.json"]


@pytest.mark.slow
def test_a_game_that_cannot_be_read_is_not_fine(tmp_path: Path) -> None:
    game = match_record()["games"][0]
    wrong = game | {"actions": [{"player": "white", "roll": [6, 5], "moves": "24/13"}]}
    file = tmp_path / "a.json"
    file.write_text(json.dumps(match_record(games=[wrong])))
    for _ in range(2):
        assert batch(file).exit_code == 1
    assert lines()[0]["result"]["games"][0]["status"] == "unreadable"


@pytest.mark.parametrize(
    ("more", "said"),
    [(["--engine", "other"], "other"), (["--ruleset", "other"], "other"), (["--processes", "0"], "0")],
)
def test_wrong_options_are_told_before_anything_is_written(archive: Path, more: list[str], said: str) -> None:
    refused = batch(archive, "out.ndjson", *more)
    assert refused.exit_code == 2
    assert said in refused.output
    assert not Path("out.ndjson").exists()


def test_a_file_that_holds_something_else_is_left_alone(archive: Path) -> None:
    for text in ("no JSON\n", "[1]\n"):
        Path("out.ndjson").write_text(text)
        refused = batch(archive)
        assert refused.exit_code == 2
        assert "is no file of results" in refused.output
        assert Path("out.ndjson").read_text() == text


def test_an_out_that_cannot_be_written_is_told(archive: Path) -> None:
    refused = batch(archive, "nowhere/out.ndjson")
    assert (refused.exit_code, "cannot be written" in refused.output) == (2, True)


@pytest.mark.slow
def test_the_statistics_are_those_of_the_lines(archive: Path) -> None:
    batch(archive)
    printed = call("stats", "out.ndjson", "--json")
    numbers = json.loads(printed.output)
    assert printed.exit_code == 0
    assert (numbers["matches"]["total"], numbers["matches"]["by_status"]["done"]) == (8, 6)
    assert numbers["matches"]["changed"] == numbers["games"]["by_status"]["played_out"] == 6
    assert numbers["games"]["changed_share"] == 1.0
    assert numbers["failures"] == {"unknown_format": 1, "unreadable_record": 1}
    table = call("stats", "out.ndjson").output
    assert "100.00%" in table
    assert "not adjudicated: unknown_format" in table


@pytest.mark.parametrize("text", ['{"member": 1}\n', '{"member": 1, "status": "over"}\n', "x\n"])
def test_what_is_no_file_of_results_is_told(text: str) -> None:
    Path("x.ndjson").write_text(text)
    told = call("stats", "x.ndjson")
    assert (told.exit_code, "is no file of results" in told.output) == (2, True)
    assert call("stats", "missing.ndjson").exit_code == 1
