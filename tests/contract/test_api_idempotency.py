"""Idempotency-Key on every POST that makes something."""

import hashlib
import io
from typing import Any

import pytest
from werkzeug.test import TestResponse

from adjudicator import errors
from adjudicator.api.idempotency import parse_idempotency_key
from adjudicator.service.access import ALL_SCOPES, Scope
from adjudicator.service.answers import fingerprint
from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House
from tests.contract.records import MAT, match_record

TEXT: dict[str, Any] = {"data": MAT, "content_type": "text/plain"}


def send(
    client: CheckedClient, key: str = '"order-17"', path: str = "/v1/matches", **arguments: Any
) -> TestResponse:
    body = arguments or TEXT
    return client.post(path, headers={"Idempotency-Key": key}, **body)


def assert_replayed(again: TestResponse, first: TestResponse) -> None:
    assert (again.status_code, again.data, again.mimetype) == (first.status_code, first.data, first.mimetype)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["X-Request-Id"] != first.headers["X-Request-Id"]


def test_every_post_has_it(contract: Contract) -> None:
    reference = {"$ref": "#/components/parameters/IdempotencyKey"}
    for (method, path), operation in contract.operations.items():
        assert (reference in operation["parameters"]) == (method == "POST"), path


def test_the_same_request_again_is_answered_as_the_first_time(client: CheckedClient, house: House) -> None:
    first = send(client)
    house.work()
    again = send(client)
    assert_replayed(again, first)
    assert first.get_json()["status"] == "queued"
    for name in ("Location", "Retry-After"):
        assert again.headers[name] == first.headers[name]
    assert send(client, "order-17").headers["Idempotency-Replayed"] == "true"


def test_a_result_is_replayed_with_its_tag_byte_for_byte(client: CheckedClient, house: House) -> None:
    client.post("/v1/matches", json=match_record())
    house.work()
    sent = {"json": match_record(), "headers": {"Idempotency-Key": "r", "Prefer": "wait=1"}}
    first, again = (client.post("/v1/matches", **sent) for _ in range(2))
    assert_replayed(again, first)
    assert (again.headers["ETag"], again.headers["Preference-Applied"]) == (first.headers["ETag"], "wait=1")


@pytest.mark.parametrize(
    "other",
    [
        {"data": MAT + b" ", "content_type": "text/plain"},
        {"data": MAT, "content_type": "application/octet-stream"},
        {"path": "/v1/matches?finish=exact_or_double", "data": MAT, "content_type": "text/plain"},
        {"path": f"/v1/matches/m{'a' * 25}/adjudications", "data": MAT, "content_type": "text/plain"},
        {"path": "/v1/keys", "data": MAT, "content_type": "text/plain"},
    ],
)
def test_another_request_under_the_key_is_refused_and_not_carried_out(
    client: CheckedClient, house: House, other: dict[str, Any]
) -> None:
    send(client)
    before = house.kept()
    answer = send(client, **other)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "idempotency_key_reused")
    assert house.kept() == before


def test_while_the_first_is_carried_out_the_second_has_to_wait(client: CheckedClient, house: House) -> None:
    mark = fingerprint("POST", "/v1/matches", "text/plain", hashlib.sha256(MAT).hexdigest())
    house.services.answers.claim("local", "order-17", mark)
    answer = send(client)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "answer_pending")
    assert int(answer.headers["Retry-After"]) >= 1
    assert house.kept() == (0, 0)


def test_a_refusal_is_replayed_too(client: CheckedClient) -> None:
    wrong: dict[str, Any] = {"data": b"no match", "content_type": "text/plain"}
    first, again = send(client, **wrong), send(client, **wrong)
    assert first.status_code == 422
    assert_replayed(again, first)
    nowhere = f"/v1/matches/m{'a' * 25}/adjudications"
    first, again = (send(client, "n", path=nowhere, json={}) for _ in range(2))
    assert first.status_code == 404
    assert_replayed(again, first)
    first, again = (send(client, "t", data=b"x", content_type="image/png") for _ in range(2))
    assert first.status_code == 415
    assert_replayed(again, first)


@pytest.mark.parametrize("error", [errors.StoreUnavailableError("away"), ZeroDivisionError()])
def test_after_a_failure_of_the_service_it_is_carried_out_again(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(house.service, "submit", fail)
        assert send(client).status_code >= 500
    again = send(client)
    assert again.status_code == 202
    assert "Idempotency-Replayed" not in again.headers
    assert house.kept() == (1, 1)


def test_a_form_is_read_after_its_fingerprint_was_taken(client: CheckedClient) -> None:
    body = b"--b\r\nContent-Disposition: form-data; name=file; filename=a.mat\r\n\r\n"
    body += MAT + b"\r\n--b--\r\n"
    form: dict[str, Any] = {"data": body, "content_type": "multipart/form-data; boundary=b"}
    first, again = send(client, **form), send(client, **form)
    assert first.status_code == 202
    assert client.get(f"/v1/matches/{first.get_json()['match']['id']}").get_json()["file_name"] == "a.mat"
    assert_replayed(again, first)


def test_keys_of_one_owner_mean_nothing_to_another(client: CheckedClient, house: House) -> None:
    first = send(client)
    other = send(client.showing(house.new_key(*ALL_SCOPES, owner="other")), json=match_record())
    assert other.status_code == 202
    assert other.headers["Location"] != first.headers["Location"]
    assert send(client.showing(house.new_key(*ALL_SCOPES))).headers["Idempotency-Replayed"] == "true"


def test_a_caller_who_is_not_let_in_leaves_no_answer(client: CheckedClient, house: House) -> None:
    assert send(client.showing(None)).status_code == 401
    assert send(client.showing(house.new_key(Scope.READ))).status_code == 403
    assert send(client).status_code == 202


def test_a_body_beyond_the_limit_is_refused_and_not_kept(client: CheckedClient, house: House) -> None:
    content = io.BytesIO(b"x" * (house.longest_record + 100_000))
    assert send(client, data=content, content_type="text/plain").status_code == 413
    assert send(client).status_code == 202


@pytest.mark.parametrize(
    "key",
    ["", '""', '"a', 'a"', '"a"b', "a b", "a,b", '"a", "b"', "a;p=1", '"\t"', "é", "a" * 256, '"\\b"'],
)
def test_a_key_that_cannot_be_read_is_refused(client: CheckedClient, house: House, key: str) -> None:
    answer = client.post("/v1/matches", json=match_record(), environ_overrides={"HTTP_IDEMPOTENCY_KEY": key})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert [fault["parameter"] for fault in answer.get_json()["errors"]] == ["Idempotency-Key"]
    assert house.kept() == (0, 0)


def test_a_key_is_the_same_with_and_without_quotes() -> None:
    for key in ("8e03978e-40d5-43e8-bc93-6894a57f9324", "a", "a" * 255):
        assert parse_idempotency_key(key) == parse_idempotency_key(f' "{key}" ') == key
    assert parse_idempotency_key(r'"a \"b\" \\ c"') == r'a "b" \ c'


def test_a_get_takes_no_notice_of_it(client: CheckedClient) -> None:
    answers = [client.get("/v1/engines", headers={"Idempotency-Key": "x y"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "Idempotency-Replayed" not in answers[1].headers
