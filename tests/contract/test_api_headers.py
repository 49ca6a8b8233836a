"""What every answer carries."""

import pytest

from adjudicator.api.headers import SECURITY_HEADERS
from tests.contract.contract import CheckedClient


@pytest.mark.parametrize("path", ["/livez", "/v1/engines", "/v1/nothing", "/openapi.yaml"])
def test_every_answer_carries_the_security_headers(client: CheckedClient, path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert answer.headers["Cache-Control"] in ("no-store", "private, no-cache")


def test_a_sane_request_id_comes_back(client: CheckedClient) -> None:
    answer = client.get("/livez", headers={"X-Request-Id": "order-17:a_b.c=="})
    assert answer.headers["X-Request-Id"] == "order-17:a_b.c=="


@pytest.mark.parametrize("sent", ["", "a b", "-x", "x" * 129, "<script>", "é", 'a"b'])
def test_another_request_id_is_replaced(client: CheckedClient, sent: str) -> None:
    answer = client.get("/livez", environ_overrides={"HTTP_X_REQUEST_ID": sent})
    assert answer.headers["X-Request-Id"] != sent
    assert len(answer.headers["X-Request-Id"]) == 32


def test_two_requests_have_two_ids(client: CheckedClient) -> None:
    ids = {client.get("/livez").headers["X-Request-Id"] for _ in range(3)}
    assert len(ids) == 3
