"""``adjudicator inspect``: facts, remarks and boards of logs, whole or broken."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import group
from tests.opinions import result_of
from tests.records import LAST_CHECKER_RECORD

MATCH = Path(__file__).parents[2] / "examples" / "match-2.mat"
Run: TypeAlias = Callable[..., Result]

BROKEN = b"""\
; [Site "caf\xe9"]

 3 point match

 Game 1
 A : 0                                 B : 0
  1) 31: 8/5 6/5                       64: 24/18 13/9
  2) 66: 7/1                           21: 13/11 6/5
  3) 42: what is this

 Game 3
 A : 1                                 B : 0
  1)                                   31: 8/5 6/5
  2) 52: 13/8 24/22                    61: 13/8
  3) 43: 13/9 13/10                    Doubles => 2
  4)  Drops                            Wins 1 point
"""
"""Game 1 plays a checker that is not there, then nothing readable; game 2 is missing; the encoding is old."""


@pytest.fixture
def run() -> Run:
    def run_command(*arguments: object, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(group, ["inspect", *map(str, arguments)], input=stdin)

    return run_command


def _data(run: Run, content: bytes, *options: object) -> dict[str, Any]:
    done = run("-", "--json", *options, stdin=content)
    assert done.exit_code == 0, done.output
    data: dict[str, Any] = json.loads(done.stdout)
    return data


class TestWhatIsSaid:
    def test_the_file_its_players_and_its_games(self, run: Run) -> None:
        done = run(MATCH)
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        digest = hashlib.sha256(MATCH.read_bytes()).hexdigest()
        assert done.exit_code == 0
        assert lines[0] == str(MATCH)
        assert lines[1].startswith("format   jellyfish_mat: ")
        assert lines[2] == f"file     {MATCH.stat().st_size} bytes, SHA-256 {digest}"
        assert lines[3:6] == [
            "white    Anna",
            "black    Boris",
            "match    backgammon, 5 points, with the Crawford rule",
        ]
        rows = [line.split("  ") for line in lines if line.startswith("   ")]
        assert len(rows) == 5
        assert " ".join(lines[lines.index("") + 2].split()) == "1 0-0 before 33 white 2 drop -"

    def test_where_the_last_checker_stands(self, run: Run) -> None:
        (game,) = _data(run, LAST_CHECKER_RECORD)["games"]
        assert game["last_checker"] == {
            "turn": 3,
            "side": "white",
            "point": 3,
            "mid_turn": True,
            "exact_finish": False,
        }
        assert (game["rolls"], game["recorded"]) == (3, {"winner": "white", "points": 1})
        assert "turn 3, white, point 3" in run("-", stdin=LAST_CHECKER_RECORD).stdout

    def test_a_winner_without_points_is_told_without_any(self, run: Run) -> None:
        record = LAST_CHECKER_RECORD.replace(b'"points": 1}', b'"points": null}')
        (game,) = _data(run, record)["games"]
        assert game["recorded"] == {"winner": "white", "points": None}
        text = run("-", stdin=record).stdout
        assert "None" not in text
        assert "points_missing: " in text

    def test_all_remarks_with_code_and_place_and_where_a_game_breaks_off(self, run: Run) -> None:
        done = run("-", stdin=BROKEN)
        assert done.exit_code == 0
        for said in (
            "log: encoding_guessed: ",
            "log, line 11: game_missing: ",
            "game 1, line 8, turn 3: ",
            "cannot be followed from here: ",
        ):
            assert said in done.stdout, said

    def test_the_finish_decides_what_the_last_checker_comes_to(self, run: Run) -> None:
        """The second 6 of 6-6 bears a checker off 3 where doublets do, and leaves it frozen where not."""
        record = LAST_CHECKER_RECORD.replace(b"[6, 5]", b"[6, 6]")
        for options, exact_finish in (
            ((), False),
            (("--finish", "exact"), False),
            (("--finish", "exact_or_double"), True),
        ):
            (game,) = _data(run, record, *options)["games"]
            assert game["last_checker"]["exact_finish"] is exact_finish

    def test_a_game_cannot_be_followed_from_where_adjudicating_names_too(self, run: Run) -> None:
        """Line 8 has a play that cannot be made, line 9 one that cannot be read."""
        inspected, adjudicated = (
            data["games"][0]["unreadable"] for data in (_data(run, BROKEN), result_of(BROKEN))
        )
        assert inspected["line"] == adjudicated["line"] == 8
        assert inspected["reason"] == adjudicated["reason"]

    def test_what_can_be_followed_of_a_broken_log_is_told(self, run: Run) -> None:
        first, third = _data(run, BROKEN)["games"]
        assert (first["unreadable"]["turn"], first["unreadable"]["line"]) == (3, 8)
        assert (first["ending"], first["recorded"], first["worked_out"]) == ("open", None, None)
        assert (third["ending"], third["unreadable"]) == ("drop", None)
        assert third["worked_out"] == {"winner": "black", "win": "single", "points": 1}

    def test_a_file_that_is_no_log_has_size_and_digest_at_least(self, run: Run, tmp_path: Path) -> None:
        (picture := tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        done = run(picture, MATCH)
        assert done.exit_code == 1
        assert (
            f"{picture}: 8 bytes, SHA-256 {hashlib.sha256(picture.read_bytes()).hexdigest()}" in done.stdout
        )
        assert "a PNG picture" in done.stderr
        assert "Anna" in done.stdout

    def test_members_of_an_archive_are_files(self, run: Run, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as writing:
            writing.write(MATCH, "x/a.mat")
        (line,) = run(tmp_path / "a.zip", "--json").stdout.splitlines()
        assert json.loads(line)["file"] == f"{tmp_path / 'a.zip'}!x/a.mat"

    def test_names_cannot_steer_the_terminal(self, run: Run) -> None:
        content = MATCH.read_text().replace("Anna", "[red]A\x1b[2J").replace("1/2", "\x1b]0;x\x07")
        for options in ((), ("--game", 2), ("--game", 2, "--turn", 3)):
            assert "\x1b" not in run("-", *options, stdin=content.encode()).stdout
        assert "[red]A\N{REPLACEMENT CHARACTER}[2J" in run("-", stdin=content.encode()).stdout


class TestOneGame:
    def test_every_turn_and_cube_action_is_a_row(self, run: Run) -> None:
        done = run("-", "--game", 3, stdin=BROKEN)
        rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
        assert rows[:9] == [
            "Game 3",
            "turn line side action play pips remarks",
            "1 13 black 3-1 8/5 6/5 167-163",
            "2 14 white 5-2 13/8 24/22 160-163",
            "3 14 black 6-1 13/8 160-158 illegal_play",
            "4 15 white 4-3 13/9 13/10 153-158",
            "15 black double 2",
            "16 white drop",
            "game 3, line 14, turn 3: illegal_play: 6-1 does not allow this play; it stood",
        ]

    def test_rolls_that_cannot_be_followed_are_listed_too(self, run: Run) -> None:
        game = _data(run, BROKEN, "--game", 1)["games"][0]
        assert [action["turn"] for action in game["actions"]] == [1, 2, 3, 4, 5]
        assert [action["before"] is None for action in game["actions"]] == [False, False, True, True, True]
        assert game["actions"][2]["play"] == "7/1"

    def test_actions_are_data_of_the_chosen_game_only(self, run: Run) -> None:
        first, third = _data(run, BROKEN, "--game", 3)["games"]
        assert "actions" not in first
        assert third["start"]["position_id"] == "4HPwATDgc/ABMA"  # GNU Backgammon's of the start
        opening, *_, double, drop = third["actions"]
        assert opening["before"]["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:1:0:0:3:10"
        assert opening["after"]["checkers"]["black"] == {"5": 2, "6": 4, "8": 2, "13": 5, "24": 2}
        assert opening["after"]["pips"] == {"white": 167, "black": 163}
        assert (double["cube"], double["value"], drop["cube"]) == ("double", 2, "drop")

    def test_a_game_that_is_not_there_is_wrong_use(self, run: Run) -> None:
        done = run("-", "--game", 2, stdin=BROKEN)
        assert done.exit_code == 2
        assert "there are 1, 3" in done.stderr


class TestOneTurn:
    def test_the_board_is_drawn_as_the_side_that_rolls_counts(self, run: Run) -> None:
        lines = run("-", "--game", 3, "--turn", 1, stdin=BROKEN).stdout.splitlines()
        assert lines[:4] == [
            "Game 3, turn 1: black rolls 3-1",
            "Points are counted by black, whose checkers move from 24 to 1.",
            "",
            "Before it: black has rolled 3-1, cube in the middle at 1",
        ]
        after = lines.index("After it: white is to roll, cube in the middle at 1")
        assert "black plays 3-1: 8/5 6/5" in lines
        assert lines[after + 1 : after + 14] == [
            " +13-14-15-16-17-18-+---+19-20-21-22-23-24-+",
            " | X           O    |   | O              X |",
            " | X           O    |   | O              X |",
            " | X           O    |   | O                |",
            " | X                |   | O                |",
            " | X                |   | O                |",
            " |                  |BAR|                  |",
            " | O                |   |                  |",
            " | O                |   | X                |",
            " | O                |   | X                |",
            " | O           X    |   | X  X           O |",
            " | O           X    |   | X  X           O |",
            " +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+",
        ]
        assert "  pips: white 167, black 163" in lines

    def test_turn_0_is_the_start(self, run: Run) -> None:
        text = run("-", "--game", 1, "--turn", 0, stdin=BROKEN).stdout
        assert "Before the first roll: white is to roll" in text
        assert "Position ID 4HPwATDgc/ABMA" in text

    def test_the_last_turn_says_that_the_game_is_over(self, run: Run) -> None:
        text = run(MATCH, "--game", 2, "--turn", 52).stdout
        assert "After it: the game is over, cube on 2, owned by white" in text

    def test_remarks_of_the_turn_stand_under_it(self, run: Run) -> None:
        text = run("-", "--game", 3, "--turn", 3, stdin=BROKEN).stdout
        assert text.splitlines()[-1].startswith("illegal_play: ")

    @pytest.mark.parametrize(("game", "turn", "said"), [(1, 3, "turns 0 to 2"), (3, 5, "turns 0 to 4")])
    def test_a_turn_that_cannot_be_followed_is_said_with_the_reason(
        self, run: Run, game: int, turn: int, said: str
    ) -> None:
        done = run("-", "--game", game, "--turn", turn, stdin=BROKEN)
        assert done.exit_code == 2
        assert said in done.stderr
        assert ("line 8" in done.stderr) == (game == 1)

    def test_a_turn_without_a_game_is_wrong_use(self, run: Run) -> None:
        assert run(MATCH, "--turn", 1).exit_code == 2
