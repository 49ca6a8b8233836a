import json
import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import click
import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import COMMANDS, group
from adjudicator.engines import gnubg_nn
from adjudicator.logs.reading import read_log
from adjudicator.service.identifiers import canonical_json

ROOT = Path(__file__).parents[2]
MATCH = ROOT / "examples" / "match-2.mat"

Run: TypeAlias = Callable[..., Result]

needs_engine = pytest.mark.skipif(
    not gnubg_nn.PACKAGE.is_installed(), reason="gnubg-nn is not made for this Python"
)


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keeps the solved tables from test to test."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def run(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ADJUDICATOR_DATA_DIR", str(data_folder))

    def run_command(*arguments: object, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(group, [str(argument) for argument in arguments], input=stdin)

    return run_command


@pytest.fixture
def result_file(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "result.json"
    file.write_bytes(run("adjudicate", "--json", MATCH).stdout_bytes)
    return file


class TestHelp:
    def test_the_list_of_commands_imports_nothing_heavy(self) -> None:
        program = (
            "import sys; from adjudicator.cli import group\n"
            "try: group.main(['--help'])\n"
            "finally: print(sorted({'numpy', 'flask', 'sqlalchemy', 'rich', 'rq'} & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "[]"
        assert all(re.search(rf"^  {name} ", done.stdout, re.MULTILINE) for name in COMMANDS)

    @pytest.mark.parametrize("name", COMMANDS)
    def test_a_command_says_the_same_of_itself_as_the_list(self, name: str) -> None:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        assert (command.name, (command.help or "").splitlines()[0]) == (name, COMMANDS[name])

    def test_an_unknown_command_is_wrong_use(self, run: Run) -> None:
        assert run("adjudge").exit_code == 2


@needs_engine
class TestAdjudicate:
    def test_a_match_gives_a_row_for_every_game(self, run: Run) -> None:
        done = run("adjudicate", MATCH)
        games = len(read_log(MATCH.read_bytes()).games)
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r" +\d", line)]
        assert done.exit_code == 0
        assert [row[0] for row in rows] == [str(number + 1) for number in range(games)]
        assert " ".join(rows[1]) == "2 black Boris 2 5 black, point 1 white Anna changed HE-2.2"

    def test_json_is_the_canonical_result_one_line_a_file(self, run: Run) -> None:
        done = run("adjudicate", "--json", MATCH, MATCH)
        first, second = done.stdout_bytes.splitlines()
        assert first == second == canonical_json(json.loads(first))
        assert (done.exit_code, json.loads(first)["status"]) == (0, "done")

    def test_a_record_may_come_from_standard_input(self, run: Run) -> None:
        done = run("adjudicate", "--json", "-", stdin=MATCH.read_bytes())
        assert done.stdout_bytes == run("adjudicate", "--json", MATCH).stdout_bytes

    def test_a_bad_file_is_named_and_the_others_go_on(self, run: Run, tmp_path: Path) -> None:
        picture, missing = tmp_path / "board.png", tmp_path / "missing.mat"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n")
        done = run("adjudicate", picture, missing, MATCH)
        assert done.exit_code == 1
        errors = done.stderr.splitlines()
        assert errors[0].startswith(f"{picture}: ")
        assert errors[0].endswith("[unknown_format]")
        assert errors[1].startswith(f"{missing}: This cannot be read: ")
        assert "match: recorded black Boris 3-8" in done.stdout

    def test_members_of_an_archive_and_files_of_a_folder_are_records(self, run: Run, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "season.zip", "w") as archive:
            archive.write(MATCH, "2024/a.mat")
            archive.writestr("../b.mat", b"x")
        done = run("adjudicate", tmp_path)
        assert done.exit_code == 1
        assert done.stdout.startswith(f"{tmp_path / 'season.zip'}!2024/a.mat\n")
        assert "match: recorded black Boris 3-8" in done.stdout
        assert done.stderr.startswith(f"{tmp_path / 'season.zip'}!../b.mat: ")

    def test_a_game_that_cannot_be_followed_ends_with_one(self, run: Run) -> None:
        record = b" 3 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5    64: 3/off 2/off\n"
        done = run("adjudicate", "--json", "-", stdin=record)
        assert [game["status"] for game in json.loads(done.stdout)["games"]] == ["unreadable"]
        assert done.exit_code == 1

    @pytest.mark.parametrize(
        "options",
        [("--engine", "none"), ("--ruleset", "none"), ("--finish", "none"), ("--indifference", "-1")],
    )
    def test_a_wrong_option_is_wrong_use_and_is_named(self, run: Run, options: tuple[str, str]) -> None:
        done = run("adjudicate", MATCH, *options)
        assert (done.exit_code, done.stdout) == (2, "")
        assert options[0].removeprefix("--") in done.stderr

    def test_a_wrong_setting_is_wrong_use(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ADJUDICATOR_PORT", "none")
        done = run("adjudicate", MATCH)
        assert done.exit_code == 2
        assert "ADJUDICATOR_PORT" in done.stderr

    def test_names_from_a_record_cannot_steer_the_terminal(self, run: Run) -> None:
        record = MATCH.read_text().replace("Anna", "[red]A\x1b[2J:skull:")
        done = run("adjudicate", "-", stdin=record.encode())
        assert "\x1b" not in done.stdout
        assert "[red]A\N{REPLACEMENT CHARACTER}[2J:skull:" in done.stdout

    def test_options_reach_the_result(self, run: Run) -> None:
        options = ("--finish", "exact_or_double", "--numbering", "move", "--indifference", "0.01")
        ruleset = json.loads(run("adjudicate", "--json", MATCH, *options).stdout)["ruleset"]
        assert (ruleset["finish"], ruleset["numbering"], ruleset["indifference"]) == (
            "exact_or_double",
            "move",
            0.01,
        )


@needs_engine
class TestVerify:
    def test_a_result_of_ours_holds(self, run: Run, result_file: Path) -> None:
        for options, engine in (((), "taken as recorded"), (("--ask-engine",), "asked again")):
            done = run("verify", result_file, MATCH, *options)
            assert (done.exit_code, done.stdout) == (
                0,
                f"every step holds, the engine's equities {engine}\n",
            )

    @pytest.mark.parametrize(
        ("part", "name"), [("", "id"), ("match", "id"), ("engine", "name"), ("engine", "version")]
    )
    def test_ids_have_to_follow_from_what_they_name(
        self, run: Run, result_file: Path, part: str, name: str
    ) -> None:
        result = json.loads(result_file.read_bytes())
        (result[part] if part else result)[name] = "other"
        result_file.write_text(json.dumps(result))
        done = run("verify", result_file, MATCH)
        assert done.exit_code == 1
        assert "id: is " in done.stdout

    def test_a_result_is_of_one_owner_s_record(self, run: Run, result_file: Path) -> None:
        assert run("verify", result_file, MATCH, "--owner", "other").exit_code == 1

    def test_a_changed_result_does_not_hold_and_the_place_is_named(self, run: Run, result_file: Path) -> None:
        result = json.loads(result_file.read_bytes())
        result["games"][1]["adjudicated"]["winner"] = "black"
        result_file.write_text(json.dumps(result))
        done = run("verify", result_file, MATCH)
        assert done.exit_code == 1
        assert done.stdout == "games[1].adjudicated.winner: is 'black', by the procedure 'white'\n"

    def test_the_result_of_another_record_does_not_hold(self, run: Run, result_file: Path) -> None:
        done = run("verify", result_file, MATCH.with_name("match-1.mat"))
        assert done.exit_code == 1
        assert done.stdout.startswith("match.sha256: ")

    @pytest.mark.parametrize("text", ["", "no JSON", "[]", "[" * 100_000])
    def test_what_is_no_result_is_said(self, run: Run, tmp_path: Path, text: str) -> None:
        file = tmp_path / "result.json"
        file.write_text(text)
        done = run("verify", file, MATCH)
        assert done.exit_code == 1
        assert str(file) in done.stderr

    def test_a_result_that_two_readers_could_read_in_two_ways_is_refused(
        self, run: Run, result_file: Path
    ) -> None:
        text = result_file.read_text()
        assert '"winner":"white"' in text
        result_file.write_text(text.replace('"winner":"white"', '"winner":"black","winner":"white"', 1))
        done = run("verify", result_file, MATCH)
        assert done.exit_code == 1
        assert "this key is given twice" in done.stderr

    def test_a_result_without_its_parts_is_incomplete(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        file.write_text('{"engine": 3}')
        for options in ((), ("--ask-engine",)):
            assert run("verify", file, MATCH, *options).exit_code == 1


@needs_engine
class TestSimulate:
    def test_the_same_seed_writes_the_same_matches(self, run: Run, tmp_path: Path) -> None:
        for folder in ("one", "two"):
            options = ("--matches", 2, "--length", 3, "--seed", "s", "--out", tmp_path / folder)
            assert run("simulate", *options).exit_code == 0
        one, two = (sorted((tmp_path / folder).iterdir()) for folder in ("one", "two"))
        assert [file.name for file in one] == ["match-1.mat", "match-2.mat"]
        assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]
        assert read_log(one[0].read_bytes()).match_length == 3

    @pytest.mark.skipif(
        (sys.platform, platform.machine()) != ("linux", "x86_64"),
        reason="equal bytes are promised for one engine build on one platform",
    )
    def test_the_examples_are_what_their_page_says(self, run: Run, tmp_path: Path) -> None:
        page = (MATCH.parent / "README.md").read_text()
        written = re.search(r"^adjudicator (simulate .*) --out examples$", page, re.MULTILINE)
        assert written
        assert run(*written.group(1).split(), "--out", tmp_path).exit_code == 0
        made, kept = (
            {file.name: file.read_bytes() for file in folder.glob("*.mat")}
            for folder in (tmp_path, MATCH.parent)
        )
        assert made == kept

    @pytest.mark.parametrize("engine", ["none", "modifier"])
    def test_an_engine_that_plays_no_whole_games_is_wrong_use(
        self, run: Run, tmp_path: Path, engine: str
    ) -> None:
        done = run("simulate", "--out", tmp_path / "new", "--engine", engine)
        assert done.exit_code == 2
        assert f"'{engine}' is not known here; known: " in done.stderr
        assert not (tmp_path / "new").exists()

    def test_a_folder_that_cannot_be_made_is_said(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        done = run("simulate", "--length", 1, "--out", tmp_path / "file" / "folder")
        assert done.exit_code == 2
        assert "cannot be made" in done.stderr
