"""The adapter against a server of this project's tests (``tests/wildbg_server.py``)."""

import contextlib
import socket
from collections.abc import Iterator

import pytest

from adjudicator.engines import wildbg
from adjudicator.engines.answers import rounded
from adjudicator.engines.host import HostLimits
from adjudicator.engines.json_server import JsonServer
from adjudicator.engines.registry import WILDBG
from adjudicator.engines.scripted import rough_chances
from adjudicator.engines.wildbg import WildbgEngine, identity
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON
from tests.played_positions import played_positions
from tests.wildbg_server import WildbgServer, running

POSITIONS = played_positions(60, seed=4, variants=(BACKGAMMON, NACKGAMMON))


def _rounded(position: Position) -> Outcomes:
    return rounded(rough_chances(position))


@pytest.fixture
def server() -> Iterator[WildbgServer]:
    with running(WildbgServer(rough_chances)) as server:
        yield server


@pytest.fixture
def engine(server: WildbgServer) -> Iterator[WildbgEngine]:
    with contextlib.closing(WildbgEngine(server.url)) as engine:
        server.paths.clear()
        server.connections = 0
        yield engine


def test_the_server_is_asked_for_the_side_on_roll_and_its_answer_turned_round(engine: WildbgEngine) -> None:
    assert engine.evaluate(POSITIONS) == [pytest.approx(_rounded(one), abs=2e-5) for one in POSITIONS]


def test_one_connection_serves_all_questions(engine: WildbgEngine, server: WildbgServer) -> None:
    engine.evaluate(POSITIONS)
    engine.evaluate(POSITIONS)
    assert (server.questions, server.connections) == (120, 1)


@pytest.mark.parametrize("fault", ["reset", "busy", "broken", "cut"])
def test_a_fault_that_may_pass_is_asked_over_up_to_twice(
    engine: WildbgEngine, server: WildbgServer, fault: str
) -> None:
    server.script = [fault, fault]
    assert engine.evaluate(POSITIONS[:1]) == [pytest.approx(_rounded(POSITIONS[0]), abs=2e-5)]
    assert server.questions == 3


@pytest.mark.parametrize(
    ("fault", "complaint", "questions"),
    [
        ("reset", "the server does not answer: ", 3),
        ("cut", "does not answer: ", 3),
        ("broken", r"answered with status 500: Neural net could not be constructed\.", 3),
        ("busy", "answered with status 503$", 3),
        ("refuse", "answered with status 400: Player x has more than 15 checkers", 1),
        ("redirect", "answered with status 302$", 1),
        ("page", "answered no JSON object: b'<html>", 1),
        ("deep", "answered no JSON object", 1),
        ("packed", "answered no JSON object", 1),
        ("endless", "longer than 65536 bytes", 1),
        ("not_a_number", r"no chances: \(nan,", 1),
        ("no_chances", "without chances", 1),
        ("words", "without chances", 1),
        ("too_much", "what are no chances", 1),
    ],
)
def test_what_is_no_answer_is_a_failure_with_its_reason(
    engine: WildbgEngine, server: WildbgServer, fault: str, complaint: str, questions: int
) -> None:
    server.script = [fault] * 3
    with pytest.raises(EngineFailureError, match=complaint):
        engine.evaluate(POSITIONS[:1])
    assert server.questions == questions
    server.script = []
    assert len(engine.evaluate(POSITIONS[:2])) == 2


def test_redirects_are_not_followed(engine: WildbgEngine, server: WildbgServer) -> None:
    server.script = ["redirect"]
    with pytest.raises(EngineFailureError):
        engine.evaluate(POSITIONS[:1])
    assert [path for path in server.paths if "elsewhere" in path] == []


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_slow_server_is_given_up(
    engine: WildbgEngine, server: WildbgServer, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_server", JsonServer(server.url, limit_s=0.2, pauses_s=()))
    server.script = [fault]
    with pytest.raises(EngineFailureError, match=r"does not answer: ReadTimeout|answer took too long"):
        engine.evaluate(POSITIONS[:1])
    engine.close()


@pytest.mark.parametrize("fault", ["hang", "drip", "drip_headers"])
def test_however_slowly_a_server_sends_the_engine_process_ends_at_its_deadline(
    server: WildbgServer, fault: str
) -> None:
    host = WILDBG.open({"url": server.url}, HostLimits(start_s=30, question_s=0.5, failures=9))
    with contextlib.closing(host):
        assert host.evaluate(POSITIONS[:1]) == [pytest.approx(_rounded(POSITIONS[0]), abs=2e-5)]
        server.script = [fault]
        assert host.evaluate(POSITIONS[:2]) == [
            pytest.approx(_rounded(one), abs=2e-5) for one in POSITIONS[:2]
        ]


def test_a_server_that_fails_in_the_engine_process_is_asked_anew_then_left_alone(
    server: WildbgServer,
) -> None:
    host = WILDBG.open({"url": server.url}, HostLimits(start_s=30, question_s=30, failures=2, rest_s=60))
    with contextlib.closing(host):
        host.evaluate(POSITIONS[:1])
        server.script = ["refuse", "answer", "answer", "refuse"]  # the fresh process asks who is there first
        with pytest.raises(EngineFailureError, match=r"failed twice over the same 1 positions: .*status 400"):
            host.evaluate(POSITIONS[:1])
        asked = server.questions
        with pytest.raises(EngineFailureError, match="is left alone"):
            host.evaluate(POSITIONS[:1])
        assert server.questions == asked


# --- which server it is


def test_the_identity_names_the_version_and_the_chance_from_the_start(server: WildbgServer) -> None:
    told = identity(server.url)
    assert (told.name, told.version) == ("wildbg", "0.3.0")
    start = _rounded(BACKGAMMON.start).win
    assert told.settings == {"decimals": 5, "win_from_start": pytest.approx(start, abs=2e-5)}


def test_a_server_that_does_not_describe_itself_has_no_version() -> None:
    with running(WildbgServer(rough_chances, version=None)) as server:
        assert identity(server.url).version == wildbg.UNSTATED


def test_who_is_there_is_asked_once_in_a_while_only(server: WildbgServer) -> None:
    assert identity(server.url) == identity(server.url)
    assert server.questions == 1


def test_another_network_behind_the_address_than_results_would_name_is_refused(server: WildbgServer) -> None:
    host = WILDBG.open({"url": server.url})
    assert host.identity.version == "0.3.0"
    server.evaluate = lambda _position: Outcomes(0.4, 0.1, 0.0, 0.1, 0.0)
    with contextlib.closing(host), pytest.raises(EngineUnavailableError, match="results would say wildbg"):
        host.evaluate(POSITIONS[:1])


def test_without_an_address_it_says_what_to_set() -> None:
    with pytest.raises(EngineUnavailableError, match="set ADJUDICATOR_WILDBG_URL"):
        _ = WILDBG.open().identity


def test_an_address_where_nobody_listens_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(EngineFailureError, match="the server does not answer") as caught:
            identity(url)
    assert "127.0.0.1" not in str(caught.value)
    assert caught.value.rest_s == wildbg.AWAY_FOR_S


def test_a_server_away_when_the_engine_starts_may_be_back_for_another_try(server: WildbgServer) -> None:
    host = WILDBG.open({"url": server.url})
    with contextlib.closing(host):
        assert host.identity.version == "0.3.0"
        server.script = ["busy", "answer", "answer"]
        assert len(host.evaluate(POSITIONS[:1])) == 1


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8082",
        "ftp://127.0.0.1",
        "http://",
        "http://user:secret@127.0.0.1:8082",
        "http://127.0.0.1:8082/?a=b",
        "http://127.0.0.1:8082/#a",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://[::1",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_address_of_a_server_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"has the form http://HOST:PORT") as caught:
        identity(url)
    assert "secret" not in str(caught.value)


def test_a_path_before_the_interface_is_kept(server: WildbgServer) -> None:
    with pytest.raises(EngineFailureError, match="status 404: no such page"):
        identity(f"{server.url}/engine/")
    assert server.paths[0].startswith("/engine/eval?")
