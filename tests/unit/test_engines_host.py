import contextlib
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.engines.host import EngineHost, HostLimits, child_command
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.variants import BACKGAMMON

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="forks, sessions and signals are POSIX's")
LIMITS = HostLimits(start_s=30, question_s=10)
HASTY = HostLimits(start_s=30, question_s=0.5)
IDENTITY = ScriptedEngine().identity
POSITIONS = [Position(checkers_from({6: 15 - n, 2: n}, 15), BACKGAMMON.start_checkers) for n in range(1, 4)]
ANSWERS = ScriptedEngine().evaluate(POSITIONS)

Open = Callable[..., EngineHost]


@pytest.fixture
def open_host(tmp_path: Path) -> Iterator[Open]:
    """Opens hosts of scripted engines: ``open_host("exit answer hang")``."""
    with contextlib.ExitStack() as opened:

        def open_one(script: str = "", limits: HostLimits = LIMITS) -> EngineHost:
            settings = {"script": script, "journal": str(tmp_path / "journal")}
            command = child_command("adjudicator.engines.scripted:ScriptedEngine", settings)
            return opened.enter_context(contextlib.closing(EngineHost(lambda: IDENTITY, command, limits)))

        yield open_one


def _host_of(program: str, limits: HostLimits = LIMITS) -> EngineHost:
    """A host whose process runs this program instead of an engine."""
    return EngineHost(lambda: IDENTITY, [sys.executable, "-c", textwrap.dedent(program)], limits)


READY = """
import sys
def say(line):
    print(line, flush=True)
say('{"ready": {"name": "scripted", "version": "1", "settings": {}}}')
"""


def _runs(pid: int) -> bool:
    """Whether that process runs still; one that waits for its parent to notice its end does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] not in "ZX"


def _ends_within(pid: int, limit_s: float) -> bool:
    end = time.monotonic() + limit_s
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not _runs(pid)


def _is_gone_within(pid: int, limit_s: float) -> bool:
    """Whether it leaves the process table: it has ended, and was waited for."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def _pid(host: EngineHost) -> int:
    assert host.process_id is not None
    return host.process_id


# --- answers


def test_the_engine_is_started_at_the_first_question(open_host: Open) -> None:
    host = open_host()
    assert host.identity == IDENTITY
    assert host.process_id is None
    assert host.evaluate(POSITIONS) == ANSWERS
    assert _pid(host) != os.getpid()


def test_a_refused_position_is_the_callers_error_and_costs_no_process(open_host: Open) -> None:
    host = open_host()
    host.evaluate(POSITIONS)
    before = host.process_id
    with pytest.raises(ValueError, match="position 1 cannot be evaluated: the game is over"):
        host.evaluate([POSITIONS[0], Position(checkers_from({}, 15), BACKGAMMON.start_checkers)])
    assert host.evaluate(POSITIONS) == ANSWERS
    assert host.process_id == before


def test_what_an_engine_prints_does_not_get_between_the_answers(open_host: Open) -> None:
    host = open_host("chatter chatter")
    assert host.evaluate(POSITIONS) == ANSWERS
    before = host.process_id
    assert host.evaluate(POSITIONS) == ANSWERS
    assert host.process_id == before


def test_threads_get_the_answers_to_their_own_questions(open_host: Open) -> None:
    host = open_host()
    wrong: list[int] = []

    def ask(number: int) -> None:
        index = number % len(POSITIONS)
        answers = [host.evaluate([POSITIONS[index]]) for _ in range(20)]
        wrong.extend(number for answer in answers if answer != [ANSWERS[index]])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# --- failures

ONCE_IS_MENDED = ["exit", "kill", "raise", "not_a_number", "too_few"]


@pytest.mark.parametrize("behaviour", ONCE_IS_MENDED)
def test_a_question_that_failed_is_asked_once_more_of_a_fresh_process(
    open_host: Open, behaviour: str
) -> None:
    host = open_host(f"answer {behaviour}")
    host.evaluate(POSITIONS)
    before = _pid(host)
    assert host.evaluate(POSITIONS) == ANSWERS
    assert _pid(host) != before
    assert not _runs(before)


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("exit", r"the engine process died \(exit code 3\)"),
        ("kill", r"the engine process died \(signal 9\)"),
        ("raise", "the engine raised an error: RuntimeError: told to"),
        ("not_a_number", r"position 2 got what are no chances: \(nan,"),
        ("too_few", "2 answers to 3 positions"),
    ],
)
def test_a_question_that_failed_twice_is_an_engine_failure(
    open_host: Open, behaviour: str, complaint: str
) -> None:
    host = open_host(f"{behaviour} {behaviour}")
    with pytest.raises(EngineFailureError, match=f"failed twice over the same 3 positions: {complaint}"):
        host.evaluate(POSITIONS)
    assert host.evaluate(POSITIONS) == ANSWERS


def test_what_an_engine_raises_while_it_is_made_is_told() -> None:
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", {"no_such_setting": 1})
    host = EngineHost(lambda: IDENTITY, command, LIMITS)
    with (
        contextlib.closing(host),
        pytest.raises(EngineFailureError, match=r"could not be made: TypeError: .*no_such_setting"),
    ):
        host.evaluate(POSITIONS)


@pytest.mark.parametrize("behaviour", ["hang", "stuck"])
def test_a_question_is_given_up_at_its_deadline(open_host: Open, behaviour: str) -> None:
    host = open_host(f"answer {behaviour} {behaviour}", HASTY)
    host.evaluate(POSITIONS)
    before = _pid(host)
    started = time.monotonic()
    with pytest.raises(EngineFailureError, match=r"no answer within 0\.5 s; no answer within 0\.5 s"):
        host.evaluate(POSITIONS)
    assert time.monotonic() - started < 10
    assert not _runs(before)
    assert host.evaluate(POSITIONS) == ANSWERS


def test_an_engine_that_keeps_failing_is_not_started_for_ever(open_host: Open) -> None:
    host = open_host(" ".join(["exit"] * 20), HostLimits(failures=4, rest_s=60))
    for _ in range(2):
        with pytest.raises(EngineFailureError, match="failed twice"):
            host.evaluate(POSITIONS)
    refusal = r"failed 4 times in a row and is left alone for another \d+ s; last: .*exit code 3"
    with pytest.raises(EngineFailureError, match=refusal):
        host.evaluate(POSITIONS)
    assert host.process_id is None


def test_an_engine_left_alone_is_asked_for_its_build_once_and_says_for_how_long() -> None:
    asked = []

    def identify() -> EngineIdentity:
        asked.append(True)
        raise EngineFailureError("nobody answers there", rest_s=5)

    host = EngineHost(identify, ["never-run"])
    with pytest.raises(EngineFailureError, match=r"^nobody answers there$") as caught:
        host.evaluate(POSITIONS)
    assert (caught.value.rest_s, len(asked)) == (5, 1)


def test_failures_with_answers_in_between_do_not_add_up(open_host: Open) -> None:
    host = open_host("exit answer " * 5, HostLimits(failures=2, rest_s=60))
    assert [host.evaluate(POSITIONS) for _ in range(5)] == [ANSWERS] * 5


def test_after_a_while_it_is_tried_again(open_host: Open) -> None:
    host = open_host("exit exit", HostLimits(failures=2, rest_s=0.3))
    with pytest.raises(EngineFailureError, match="failed twice"):
        host.evaluate(POSITIONS)
    time.sleep(0.4)
    assert host.evaluate(POSITIONS) == ANSWERS


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        (READY + 'sys.stdin.readline(); say(\'{"answer": 99, "outcomes": []}\')', "an answer to another"),
        (READY + 'sys.stdin.readline(); say(\'{"refused": 99, "reason": ""}\')', "an answer to another"),
        (READY + "sys.stdin.readline(); say('what?')", "an answer that makes no sense"),
        (READY + "sys.stdin.readline(); say('[1]')", "an answer that makes no sense: not a reply"),
        (READY + 'sys.stdin.readline(); say(\'{"answer": 1, "outcomes": [[1]]}\')', "five chances"),
        (READY + "sys.stdin.readline(); sys.stdout.write('{\"answer\"')", r"died \(exit code 0\)"),
        ("raise SystemExit(7)", r"died \(exit code 7\)"),
        ('print(\'{"refused": 1, "reason": ""}\')', "the engine process began with refused"),
        ("import time; time.sleep(60)", r"no answer within 1 s"),
    ],
)
def test_a_process_that_does_not_keep_to_the_protocol_is_a_failure(program: str, complaint: str) -> None:
    with (
        contextlib.closing(_host_of(program, HostLimits(start_s=1, question_s=1))) as host,
        pytest.raises(EngineFailureError, match=complaint),
    ):
        host.evaluate(POSITIONS)


def test_another_build_in_the_process_than_results_would_name_is_refused() -> None:
    program = READY.replace('"1"', '"2"') + "sys.stdin.readline()"
    with (
        contextlib.closing(_host_of(program)) as host,
        pytest.raises(EngineUnavailableError, match=r"runs scripted 2, results would say scripted 1:"),
    ):
        host.evaluate(POSITIONS)


def test_an_engine_that_cannot_run_here_says_why() -> None:
    program = 'print(\'{"unavailable": "No such wheel."}\')'
    with (
        contextlib.closing(_host_of(program)) as host,
        pytest.raises(EngineUnavailableError, match=r"No such wheel\."),
    ):
        host.evaluate(POSITIONS)


def test_a_program_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    host = EngineHost(lambda: IDENTITY, [str(tmp_path / "engine")])
    with pytest.raises(EngineUnavailableError, match="cannot be started"):
        host.evaluate(POSITIONS)


@POSIX_ONLY
def test_a_question_that_the_caller_broke_off_does_not_answer_the_next_one(open_host: Open) -> None:
    class BrokenOffError(Exception):
        pass

    def break_off(*_: object) -> None:
        raise BrokenOffError

    host = open_host("answer hang")
    host.evaluate(POSITIONS)
    previous = signal.signal(signal.SIGALRM, break_off)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(BrokenOffError):
            host.evaluate(POSITIONS)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert host.evaluate(POSITIONS[::-1]) == ANSWERS[::-1]


# --- the process's life


WITH_A_PROCESS_OF_ITS_OWN = (
    "import subprocess\n"
    "own = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open({path!r}, 'w').write(str(own.pid))\n"
)


@POSIX_ONLY
@pytest.mark.parametrize("end", ["raise SystemExit(7)", "os.kill(os.getpid(), 9)", "time.sleep(600)"])
def test_what_an_engine_has_started_ends_with_it(end: str, tmp_path: Path) -> None:
    program = (
        "import os, time\n" + READY + WITH_A_PROCESS_OF_ITS_OWN.format(path=str(tmp_path / "pid"))
    ) + f"sys.stdin.readline()\n{end}\n"
    host = EngineHost(
        lambda: IDENTITY, [sys.executable, "-c", program], HostLimits(start_s=30, question_s=0.5)
    )
    with pytest.raises(EngineFailureError, match="failed twice"):
        host.evaluate(POSITIONS)
    assert _ends_within(int((tmp_path / "pid").read_text()), 15)


def test_closing_ends_the_process_and_a_later_question_starts_another(open_host: Open) -> None:
    host = open_host()
    host.evaluate(POSITIONS)
    before = _pid(host)
    host.close()
    host.close()
    assert host.process_id is None
    assert _is_gone_within(before, 0.1)
    assert host.evaluate(POSITIONS) == ANSWERS


@POSIX_ONLY
def test_a_process_killed_between_questions_leaves_no_zombie_and_is_replaced(open_host: Open) -> None:
    host = open_host()
    host.evaluate(POSITIONS)
    before = _pid(host)
    os.kill(before, signal.SIGKILL)
    assert _is_gone_within(before, 5)
    assert host.evaluate(POSITIONS) == ANSWERS


def test_a_forgotten_host_takes_its_process_along(open_host: Open) -> None:
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", {})
    host = EngineHost(lambda: IDENTITY, command)
    host.evaluate(POSITIONS)
    pid = _pid(host)
    del host
    gc.collect()
    assert not _runs(pid)


@POSIX_ONLY
def test_an_interrupt_at_the_terminal_does_not_reach_the_engine(open_host: Open) -> None:
    host = open_host()
    host.evaluate(POSITIONS)
    assert os.getsid(_pid(host)) != os.getsid(0)


def test_files_in_the_current_folder_are_not_imported(
    open_host: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the current folder')\n")
    monkeypatch.chdir(tmp_path)
    assert open_host().evaluate(POSITIONS) == ANSWERS


PARENT = """
import os, signal, sys, threading, time
from adjudicator.engines.host import EngineHost, HostLimits, child_command
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.rules.variants import BACKGAMMON

def open_host(script, limits=HostLimits(question_s=1.0)):
    settings = {"script": script, "journal": sys.argv[1]}
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", settings)
    return EngineHost(lambda: ScriptedEngine().identity, command, limits)

def ask(host):
    return host.evaluate([BACKGAMMON.start])
"""


def _run_parent(program: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-W",
        "error",
        "-c",
        PARENT + textwrap.dedent(program),
        str(tmp_path / "journal"),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@POSIX_ONLY
@pytest.mark.parametrize("script", ["", "answer hang", "answer stuck"])
def test_the_engine_ends_when_its_parent_is_killed(script: str, tmp_path: Path) -> None:
    """Also in the midst of native code that lets no other thread run."""
    program = """
        host = open_host("%s")
        ask(host)
        print(host.process_id, flush=True)
        if "%s":
            threading.Thread(target=ask, args=(host,), daemon=True).start()
            time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = _run_parent(program % (script, script), tmp_path)
    assert ended.returncode == -signal.SIGKILL
    assert _ends_within(int(ended.stdout), 15)


@POSIX_ONLY
def test_the_engine_ends_silently_with_the_program_that_did_not_close_it(tmp_path: Path) -> None:
    ended = _run_parent("host = open_host(''); ask(host); print(host.process_id)", tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert _is_gone_within(int(ended.stdout), 0.1)


def test_what_an_engine_prints_goes_to_the_error_output(tmp_path: Path) -> None:
    ended = _run_parent("host = open_host('chatter'); ask(host); host.close()", tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == "native chatter\n"


@POSIX_ONLY
def test_a_forked_process_has_an_engine_process_of_its_own(tmp_path: Path) -> None:
    program = """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, from 3.12 on
        host = open_host("")
        ask(host)
        own = host.process_id
        child = os.fork()
        if not child:
            is_right = ask(host) == ScriptedEngine().evaluate([BACKGAMMON.start])
            print("forked", host.process_id not in (None, own), is_right)
            host.close()
            sys.exit(0)
        print("status", os.waitpid(child, 0)[1], flush=True)
        ask(host)
        print("parent", host.process_id == own)
        host.close()
    """
    ended = _run_parent(program, tmp_path)
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == ["forked True True", "status 0", "parent True"]


@POSIX_ONLY
def test_a_fork_while_a_question_is_out_does_not_block_the_forked_process(tmp_path: Path) -> None:
    program = """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        host = open_host("answer hang", HostLimits(question_s=6.0))
        ask(host)
        thread = threading.Thread(target=ask, args=(host,))
        thread.start()
        time.sleep(0.5)
        child = os.fork()
        if not child:
            started = time.monotonic()
            ask(host)
            print("forked", time.monotonic() - started < 5.4, flush=True)
            host.close()
            os._exit(0)
        os.waitpid(child, 0)
        thread.join()
        host.close()
    """
    ended = _run_parent(program, tmp_path)
    assert (ended.stdout, ended.stderr) == ("forked True\n", "")


def test_chances_reach_the_caller_to_the_last_bit() -> None:
    program = READY + (
        "sys.stdin.readline(); "
        'say(\'{"answer": 1, "outcomes": [[0.1, 0.05, 3e-17, 0.30000000000000004, 5e-324]]}\')'
    )
    with contextlib.closing(_host_of(program)) as host:
        assert host.evaluate(POSITIONS[:1]) == [Outcomes(0.1, 0.05, 3e-17, 0.1 + 0.2, 5e-324)]
