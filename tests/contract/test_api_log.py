"""What the log says of each request."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, Response

from adjudicator.api.access import needs_no_key
from adjudicator.api.context import trace_context
from adjudicator.api.observation import NO_ROUTE
from adjudicator.processes.log import FIELDS
from adjudicator.service.log_fields import log_fields
from adjudicator.service.trace import format_trace_context, parse_trace_context
from tests.contract.contract import CheckedClient
from tests.contract.records import MAT

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


@pytest.fixture(autouse=True)
def _log_of_requests(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="adjudicator.api.observation")


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The fields of each line on a request."""
    return [getattr(record, FIELDS) for record in caplog.records if hasattr(record, FIELDS)]


def test_each_request_has_one_line(client: CheckedClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.post(
        "/v1/matches",
        data=MAT,
        content_type="text/plain",
        headers={"X-Request-Id": "order-17", "traceparent": PARENT},
    )
    (line,) = told(caplog)
    assert line.pop("ms") >= 0
    assert line == {
        "method": "POST",
        "route": "/v1/matches",
        "status": 202,
        "bytes": len(answer.data),
        "request_id": "order-17",
        "trace_id": TRACE,
        "owner": "local",
    }
    assert caplog.records[-1].getMessage().startswith("POST /v1/matches 202, ")
    assert "order-17" in caplog.text
    assert "white" not in caplog.text


def test_paths_and_queries_stay_out_of_it(client: CheckedClient, caplog: pytest.LogCaptureFixture) -> None:
    client.get("/v1/secret-path?key=secret-key")
    client.get(f"/v1/matches/m{'a' * 25}?key=secret-key")
    assert [line["route"] for line in told(caplog)] == [NO_ROUTE, "/v1/matches/{match_id}"]
    assert "secret" not in caplog.text


def test_an_answer_without_a_body_has_no_bytes(
    client: CheckedClient, caplog: pytest.LogCaptureFixture
) -> None:
    client.request("HEAD", "/v1/engines")
    tag = client.get("/openapi.yaml").headers["ETag"]
    client.get("/openapi.yaml", headers={"If-None-Match": tag})
    assert [(line["status"], line["bytes"]) for line in told(caplog)][::2] == [(200, 0), (304, 0)]


def test_an_answer_made_while_it_is_sent_is_told_at_its_end(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    closed = []

    def pieces() -> Iterator[bytes]:
        try:
            yield b"abc"
            yield b"defg"
        finally:
            closed.append(True)

    def stream(number: int) -> Response:
        return Response(pieces())

    app.add_url_rule("/stream/<int:number>", view_func=needs_no_key(stream))
    answer = app.test_client().get("/stream/7")
    assert told(caplog) == []
    assert answer.data == b"abcdefg"
    answer.close()
    (line,) = told(caplog)
    assert (line["route"], line["bytes"]) == ("/stream/{number}", 7)
    assert closed == [True]


def test_a_trace_is_gone_on_with_or_begun(client: CheckedClient, caplog: pytest.LogCaptureFixture) -> None:
    for sent in (PARENT, PARENT.upper(), f"{PARENT},{PARENT}", "", "00-x"):
        client.get("/livez", headers={"traceparent": sent})
    first, *others = [line["trace_id"] for line in told(caplog)]
    assert first == TRACE
    assert len({first, *others}) == 5
    assert all(len(trace_id) == 32 for trace_id in others)


def test_what_is_known_of_a_request_is_forgotten_with_it(client: CheckedClient, app: Flask) -> None:
    seen: list[dict[str, str]] = []

    def look() -> str:
        seen.append(dict(log_fields()))
        return ""

    app.add_url_rule("/look", view_func=needs_no_key(look))
    app.test_client().get("/look", headers={"X-Request-Id": "order-17", "traceparent": PARENT})
    assert seen == [{"request_id": "order-17", "trace_id": TRACE}]
    assert log_fields() == {}


def test_what_a_request_causes_is_handed_a_step_of_its_own(app: Flask) -> None:
    with app.test_request_context(headers={"traceparent": PARENT}):
        handed_on = trace_context()
        assert handed_on == trace_context()
    assert (handed_on.trace_id, handed_on.is_sampled) == (TRACE, True)
    assert handed_on.parent_id != PARENT.split("-")[2]
    assert parse_trace_context(format_trace_context(handed_on)) == handed_on
