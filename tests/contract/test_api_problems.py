"""Everything that goes wrong, at any address."""

import inspect
import logging
import re
from pathlib import Path

import gunicorn.config
import pytest

from adjudicator import errors
from adjudicator.api.gunicorn_worker import REQUEST_LIMIT_S, SILENCE_LIMIT_S
from adjudicator.api.problems import STATUS, TYPE_PREFIX, problem_codes, status_of
from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import match_record

GUIDE = Path(__file__).parents[2] / "docs" / "api.md"


def error_classes() -> set[type[errors.AdjudicatorError]]:
    members = vars(errors).values()
    return {kind for kind in members if inspect.isclass(kind) and issubclass(kind, errors.AdjudicatorError)}


def test_every_class_of_errors_has_a_status() -> None:
    assert set(STATUS) == error_classes()


def test_a_class_that_came_later_has_the_status_of_its_base() -> None:
    class LaterError(errors.RecordError):
        """A closer name for something known."""

    assert status_of(LaterError) == 422


def test_every_code_is_explained_in_the_guide() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \| \d{3} \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    assert explained == problem_codes()


def test_the_guide_has_the_limits_of_the_server() -> None:
    text = " ".join(GUIDE.read_text(encoding="utf-8").split())
    assert f"{REQUEST_LIMIT_S:g} seconds to arrive, without a pause of more than {SILENCE_LIMIT_S:g}" in text
    limits = gunicorn.config.Config()
    assert f"into {limits.limit_request_line:,} bytes" in text
    assert f"{limits.limit_request_fields} of {limits.limit_request_field_size:,} bytes at most" in text


def test_an_unknown_address_is_not_found(client: CheckedClient) -> None:
    for path in ("/", "/v2/matches", "/v1/matches/", "//v1/engines", "/v1/../livez", "/v1/engines%0d%0aX: y"):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
        assert answer.get_json()["type"] == f"{TYPE_PREFIX}not_found"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/matches", {"POST"}),
        ("DELETE", "/v1/engines", {"GET", "HEAD"}),
        ("OPTIONS", "/livez", {"GET", "HEAD"}),
        ("PUT", f"/v1/matches/m{'a' * 25}/adjudications", {"POST"}),
        ("POST", "/metrics", {"GET", "HEAD"}),
        ("POST", "/docs", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_refused_with_those_that_are_possible(
    client: CheckedClient, method: str, path: str, allowed: set[str]
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == allowed


def test_head_answers_as_get_without_a_body(client: CheckedClient, house: House) -> None:
    assert client.request("HEAD", "/v1/engines").status_code == 200


def test_what_is_away_for_now_is_503_with_a_time_to_ask_again(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise errors.StoreUnavailableError("no answer from secret-host:5432")

    monkeypatch.setattr(house.service, "submit", fail)
    answer = client.post("/v1/matches", json=match_record())
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_unavailable")
    assert "secret-host" not in answer.get_data(as_text=True)
    assert int(answer.headers["Retry-After"]) >= 1


def test_what_no_waiting_can_help_has_no_such_time(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise errors.EngineUnavailableError("no engine for this Python")

    monkeypatch.setattr(house.service, "submit", fail)
    answer = client.post("/v1/matches", json=match_record())
    assert (answer.status_code, answer.get_json()["detail"]) == (503, "no engine for this Python")
    assert "Retry-After" not in answer.headers


@pytest.mark.parametrize("error", [ZeroDivisionError, errors.ConfigurationError])
def test_an_error_of_the_service_hides_its_inside_and_is_logged_under_the_request_id(
    client: CheckedClient,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
) -> None:
    def fail() -> None:
        raise error("secret inside")

    monkeypatch.setattr(house.service, "engines", fail)
    with caplog.at_level(logging.ERROR):
        answer = client.get("/v1/engines", headers={"X-Request-Id": "order-17"})
    assert (answer.status_code, answer.get_json()["code"]) == (500, "internal_error")
    assert "secret" not in answer.get_data(as_text=True)
    assert answer.get_json()["request_id"] == "order-17"
    assert "order-17" in caplog.text
    assert "secret inside" in caplog.text


def test_faults_beyond_the_most_that_are_listed_are_counted(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        faults = [errors.Fault("wrong", errors.Place(line=line)) for line in range(1, errors.MOST_FAULTS + 6)]
        raise errors.RecordError("all of it is wrong", faults)

    monkeypatch.setattr(house.service, "submit", fail)
    problem = client.post("/v1/matches", json=match_record()).get_json()
    assert len(problem["errors"]) == errors.MOST_FAULTS
    assert problem["errors_left_out"] == 5
    assert problem["errors"][2] == {"reason": "wrong", "line": 3}
