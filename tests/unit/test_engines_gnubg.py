import contextlib
import json
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.engines import gnubg_program
from adjudicator.engines.gnubg import GnubgEngine, format_question, identity, parse_answer
from adjudicator.engines.gnubg_program import LONGEST_LINE, GnubgProgram, find_program
from adjudicator.engines.host import HostLimits
from adjudicator.engines.registry import GNUBG
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import BAR, Checkers, Position, checkers_from
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import board
from tests.engines_here import needs_gnubg
from tests.played_positions import played_positions

IMPOSTOR = Path(__file__).parents[1] / "gnubg_impostor.py"


POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="Unix sockets, signals, scripts")
LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")

pytestmark = POSIX_ONLY


@pytest.fixture(scope="module")
def engine() -> Iterator[GnubgEngine]:
    with contextlib.closing(GnubgEngine()) as engine:
        yield engine


def _pid(engine: GnubgEngine) -> int:
    assert engine.process_id is not None
    return engine.process_id


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def _ends_within(pid: int, limit_s: float) -> bool:
    end = time.monotonic() + limit_s
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not _runs(pid)


# --- answers


@needs_gnubg
@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(board({1: 1}, {7: 15}), (1, 1, 0, 0, 0), id="a sure gammon"),
        pytest.param(board({1: 1}, {20: 15}), (1, 1, 1, 0, 0), id="a sure backgammon is a gammon too"),
        pytest.param(board({7: 15}, {1: 1}), (0, 0, 0, 1, 0), id="a sure loss of a gammon"),
        pytest.param(board({20: 15}, {1: 1}), (0, 0, 0, 1, 1), id="a sure loss of a backgammon"),
        pytest.param(board({6: 1}, {1: 1}), (0, 0, 0, 0, 0), id="the side on roll is first"),
        pytest.param(
            board({1: 1}, {6: 2}), (32 / 36, 0, 0, 0, 0), id="two on the 6 point: 3-3, 4-4, 5-5, 6-6"
        ),
    ],
)
def test_chances_are_the_known_ones(
    engine: GnubgEngine, position: Position, expected: tuple[float, ...]
) -> None:
    assert engine.evaluate([position])[0] == pytest.approx(expected, abs=5e-4)


@needs_gnubg
def test_a_checker_on_the_bar_is_seen(engine: GnubgEngine) -> None:
    closed = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}
    home = {4: 5, 3: 5, 2: 4}
    shut_out, free = engine.evaluate([board(closed, {**home, 25: 1}), board(closed, {**home, 1: 1})])
    assert shut_out.win > 0.85
    assert free.win < 0.1


ITS_OWN_PYTHON = """
import gnubg, json
boards, plies = json.load(open({question!r}))
gnubg.command("set automatic game off")
gnubg.command("set automatic roll off")
gnubg.command("set jacoby off")
gnubg.command("new session")
cube, context = gnubg.cubeinfo(), gnubg.evalcontext()
context.update(plies=plies, cubeful=0, prune=0)
with open({answer!r}, "w") as answer:
    json.dump([gnubg.evaluate((tuple(a), tuple(b)), cube, context)[:5] for a, b in boards], answer)
"""


def _asked_by_its_own_python(positions: list[Position], plies: int, folder: Path) -> list[Outcomes]:
    """What the program says, turned round to the side that just played."""
    boards = [[list(own[1:]), list(opponent[1:])] for own, opponent in positions]
    question, answer, script = (folder / name for name in ("question.json", "answer.json", "script.py"))
    question.write_text(json.dumps([boards, plies]))
    script.write_text(ITS_OWN_PYTHON.format(question=str(question), answer=str(answer)))
    subprocess.run(
        [find_program(), "-t", "-q", "-r", "-p", str(script)],
        env={**os.environ, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    if not answer.exists():
        pytest.skip("this gnubg program does not run Python scripts")
    return [Outcomes(*chances).swapped() for chances in json.loads(answer.read_text())]


@needs_gnubg
@pytest.mark.parametrize(("plies", "count"), [(0, 300), (1, 30), (2, 2)])
def test_the_program_asked_by_its_own_python_says_the_same(plies: int, count: int, tmp_path: Path) -> None:
    positions = played_positions(count, seed=77)
    theirs = _asked_by_its_own_python(positions, plies, tmp_path)
    with contextlib.closing(GnubgEngine(plies)) as engine:
        assert engine.evaluate(positions) == [pytest.approx(chances, abs=1e-5) for chances in theirs]


@pytest.mark.parametrize(
    "line",
    [
        "nan 0.1 0.0 0.1 0.0 0.0",
        "0.6 0.2 0.0 0.1 0.0",
        "0.6 0.2 0.0 0.1 0.0 0.3 0.3",
        "0.6 0.7 0.0 0.1 0.0 0.8",
        "0.6 0.2 0.0 0.1 0.0 0.31",
        "Error: badly formed board",
        "",
    ],
)
def test_an_answer_without_five_chances_and_their_equity_is_a_failure(line: str) -> None:
    with pytest.raises(EngineFailureError, match="answered"):
        parse_answer(line)


# --- what it can be asked without harm


def _anywhere(chance: random.Random) -> Position:
    """A position as no game gives them: towers, checkers far back, many on the bar, few left."""
    own = _side(chance, range(1, BAR + 1))
    free = [point for point in range(1, BAR) if not own[BAR - point]]
    return Position(own, _side(chance, [*free, BAR]))


def _side(chance: random.Random, places: range | list[int]) -> Checkers:
    least, most = chance.choice([(1, 25), (1, 6), (13, 25), (19, 25), (25, 25)])
    within = [place for place in places if least <= place <= most] or [BAR]
    chosen = chance.choices(within, k=chance.choice([1, 2, 3, 8, 15]))
    counts: dict[int, int] = {}
    for _ in range(chance.choice([1, 1, 2, 6, 7, 8, 14, 15, 15])):
        place = chance.choice(chosen)
        counts[place] = counts.get(place, 0) + 1
    return checkers_from(counts, 15)


@needs_gnubg
@pytest.mark.parametrize(("plies", "count"), [(0, 1500), (1, 100), (2, 4)])
def test_no_possible_position_makes_it_abort(plies: int, count: int) -> None:
    """Its own code aborts over lines and boards that are never sent; these are all that may be."""
    chance = random.Random(plies)
    extremes = [board({25: 15}, {1: 1}), board({25: 15}, {25: 15}), board({25: 15}, {6: 15})]
    positions = extremes + [_anywhere(chance) for _ in range(count)]
    with contextlib.closing(GnubgEngine(plies)) as engine:
        engine.evaluate(positions[:1])
        before = engine.process_id
        outcomes = engine.evaluate(positions)
        assert [chances for chances in outcomes if not chances.is_sound()] == []
        assert engine.process_id == before


def test_no_question_is_so_long_that_it_would_abort() -> None:
    """The longest: every number as long as it can be, at most 15 checkers a side in all."""
    chance = random.Random(5)
    blots = board(dict.fromkeys(range(1, 16), 1), dict.fromkeys(range(1, 10), 1) | {25: 6})
    positions = [_anywhere(chance) for _ in range(3000)] + [blots, board({25: 15}, {25: 15})]
    assert max(len(format_question(position, 2)) for position in positions) < LONGEST_LINE - 40


@needs_gnubg
def test_a_line_that_would_abort_it_is_not_sent() -> None:
    with contextlib.closing(GnubgProgram(find_program())) as program:
        with pytest.raises(ValueError, match="would abort"):
            program.ask("x" * LONGEST_LINE)
        assert program.check_in_step() == identity().version


# --- failures of the real program


@needs_gnubg
def test_killed_between_questions_it_is_a_failure_and_then_started_afresh() -> None:
    with contextlib.closing(GnubgEngine()) as engine:
        expected = engine.evaluate([BACKGAMMON.start])
        before = _pid(engine)
        os.kill(before, signal.SIGKILL)
        assert _ends_within(before, 5)
        with pytest.raises(EngineFailureError, match=r"GNU Backgammon (is gone|broke off) \(signal 9"):
            engine.evaluate([BACKGAMMON.start])
        assert engine.process_id is None
        assert engine.evaluate([BACKGAMMON.start]) == expected
        assert engine.process_id != before


@needs_gnubg
def test_killed_in_the_midst_of_a_question_the_host_gets_the_answers_all_the_same() -> None:
    positions = played_positions(20, seed=8)
    with contextlib.closing(GNUBG.open({"plies": 1})) as host:
        host.evaluate(positions[:1])
        assert host.process_id is not None
        program = _child_of(host.process_id)
        answers: list[object] = []
        asking = threading.Thread(target=lambda: answers.append(host.evaluate(positions)))
        asking.start()
        os.kill(program, signal.SIGKILL)
        asking.join(60)
        with contextlib.closing(GnubgEngine(1)) as engine:
            assert answers == [engine.evaluate(positions)]


def _child_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert len(children) == 1
    return int(children[0])


@needs_gnubg
def test_closing_ends_the_program() -> None:
    engine = GnubgEngine()
    engine.evaluate([BACKGAMMON.start])
    pid = _pid(engine)
    engine.close()
    engine.close()
    assert not _runs(pid)


@needs_gnubg
def test_nothing_of_it_stays_in_the_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is killed: its folder is gone once it is connected."""
    with tempfile.TemporaryDirectory() as folder:  # pytest's own paths are too long for a socket
        monkeypatch.setattr(tempfile, "tempdir", folder)
        with contextlib.closing(GnubgEngine()) as engine:
            engine.evaluate([BACKGAMMON.start])
            assert list(Path(folder).iterdir()) == []


PARENT = """
    import os, signal
    from pathlib import Path
    from adjudicator.engines.registry import GNUBG
    from adjudicator.rules.variants import BACKGAMMON

    host = GNUBG.open()
    host.evaluate([BACKGAMMON.start])
    engine = host.process_id
    program = Path(f"/proc/{engine}/task/{engine}/children").read_text().split()[0]
    print(engine, program, flush=True)
    %s
    os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_gnubg
@LINUX_ONLY
@pytest.mark.parametrize(
    "before", ["pass", "os.kill(engine, signal.SIGKILL)", "os.kill(engine, signal.SIGSTOP)"]
)
def test_nothing_is_left_running_when_the_service_is_killed(before: str) -> None:
    command = [sys.executable, "-c", textwrap.dedent(PARENT) % before]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL
    engine, program = map(int, ended.stdout.split())
    if "STOP" in before:
        os.kill(engine, signal.SIGCONT)
    assert _ends_within(program, 15)
    assert _ends_within(engine, 15)


# --- a program that misbehaves

Pretend = Callable[[str], str]


@pytest.fixture
def pretend(tmp_path: Path) -> Pretend:
    """Makes a program of that behaviour, for the setting ``program``."""

    def make(behaviour: str) -> str:
        script = tmp_path / "gnubg"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{IMPOSTOR}" {behaviour} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return str(script)

    return make


def test_the_impostor_passes_for_the_program(pretend: Pretend) -> None:
    with contextlib.closing(GnubgEngine(program=pretend("good"))) as engine:
        assert engine.evaluate([BACKGAMMON.start]) == [pytest.approx((0.4, 0.1, 0.0, 0.2, 0.0))]


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("nan", "answered what are no chances"),
        ("too_few", "answered '0.5 0.1'"),
        ("words", "answered 'Error: badly formed board'"),
        ("too_much", "answered what are no chances"),
        ("not_of_one", "answered what are no chances"),
        ("twice", "answered out of step"),
        ("speechless", "answered out of step"),
        ("die", r"broke off \(exit code 1: assertion failed: over a position\)"),
        ("flood", "broke off"),
        ("hang", "gave no answer within 1 s"),
        ("gone", r"does not listen \(exit code 1: no socket for you\)"),
        ("deaf", r"does not listen \(still running\)"),
    ],
)
def test_what_is_no_answer_to_the_question_is_a_failure_with_its_reason(
    pretend: Pretend, behaviour: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gnubg_program, "ANSWER_LIMIT_S", 1.0)
    if behaviour == "deaf":
        monkeypatch.setattr(gnubg_program, "START_LIMIT_S", 1.0)
    with contextlib.closing(GnubgEngine(program=pretend(behaviour))) as engine:
        with pytest.raises(EngineFailureError, match=complaint):
            engine.evaluate([BACKGAMMON.start, BACKGAMMON.start])
        assert engine.process_id is None


def test_another_version_than_results_would_name_is_refused(pretend: Pretend) -> None:
    with (
        contextlib.closing(GnubgEngine(program=pretend("another"))) as engine,
        pytest.raises(EngineUnavailableError, match=r"runs as 9\.99, results would say 1\.07\.001"),
    ):
        engine.evaluate([BACKGAMMON.start])


@LINUX_ONLY
def test_a_program_that_hangs_is_killed_with_the_engine_process_at_the_deadline(
    pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = tmp_path / "pid"
    monkeypatch.setenv("IMPOSTOR_PID_FILE", str(pid_file))
    host = GNUBG.open({"program": pretend("hang")}, HostLimits(start_s=30, question_s=2, failures=9))
    with contextlib.closing(host), pytest.raises(EngineFailureError, match="no answer within 2 s"):
        host.evaluate([BACKGAMMON.start])
    assert _ends_within(int(pid_file.read_text()), 15)


# --- which program


def test_the_version_is_asked_once(tmp_path: Path) -> None:
    script, asked = tmp_path / "gnubg", tmp_path / "asked"
    script.write_text(f'#!/bin/sh\necho "$@" >> "{asked}"\necho "GNU Backgammon 1.08.003 20240101"\n')
    script.chmod(0o755)
    assert [identity(program=str(script)).version for _ in range(3)] == ["1.08.003"] * 3
    assert asked.read_text() == "--version\n"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("#!/bin/sh\necho 'GNU Chess 6'\n", "does not say that it is"),
        ("#!/bin/sh\nexit 1\n", "does not say that it is"),
        ("#!/nowhere/at/all\n", "cannot be run"),
    ],
)
def test_another_program_is_not_taken_for_it(tmp_path: Path, content: str, complaint: str) -> None:
    script = tmp_path / "gnubg"
    script.write_text(content)
    script.chmod(0o755)
    with pytest.raises(EngineUnavailableError, match=complaint):
        identity(program=str(script))


def test_where_there_is_none_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(gnubg_program, "USUAL_FOLDERS", ())
    with pytest.raises(EngineUnavailableError, match=r"apt-get install gnubg.*ADJUDICATOR_GNUBG_PROGRAM"):
        identity()
    with pytest.raises(
        EngineUnavailableError, match="The program that ADJUDICATOR_GNUBG_PROGRAM names is not here: install"
    ):
        identity(program="/nowhere/gnubg")


@needs_gnubg
@pytest.mark.parametrize("plies", [-1, 3, "0"])
def test_other_depths_are_refused(plies: int) -> None:
    with pytest.raises(ValueError, match="looks 0, 1 or 2 plies ahead"):
        GnubgEngine(plies=plies)
