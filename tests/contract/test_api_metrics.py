"""GET /metrics."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families

from adjudicator.api.observation import NO_ROUTE
from adjudicator.bootstrap import open_meter
from adjudicator.errors import StoreUnavailableError
from adjudicator.service.meter import Delivery, Ending
from adjudicator.store.tables import adjudications
from tests.contract.contract import CheckedClient
from tests.contract.harness import ENGINE, House, database_url
from tests.contract.records import MAT, match_record

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
METRICS_SECTION = OPERATIONS.read_text(encoding="utf-8").partition("\n## Metrics\n")[2].partition("\n## ")[0]


class Page:
    """The metrics as they were at one moment."""

    def __init__(self, client: CheckedClient) -> None:
        answer = client.get("/metrics")
        assert answer.status_code == 200
        self.text = answer.get_data(as_text=True)
        self._values = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.text)
            for sample in family.samples
        }

    def value(self, name: str, **labels: str) -> float | None:
        return self._values.get((f"adjudicator_{name}", frozenset(labels.items())))

    def labels(self, name: str) -> Iterator[dict[str, str]]:
        return (dict(labels) for known, labels in self._values if known == f"adjudicator_{name}")


def test_requests_are_counted_by_method_route_and_status(client: CheckedClient) -> None:
    posted = client.post("/v1/matches", data=MAT, content_type="text/plain").get_json()
    for _ in range(2):
        client.get(f"/v1/matches/{posted['match']['id']}")
    client.get(f"/v1/matches/m{'a' * 25}")
    page = Page(client)
    by_id = {"method": "GET", "route": "/v1/matches/{match_id}"}
    assert page.value("http_requests_total", **by_id, status="200") == 2
    assert page.value("http_requests_total", **by_id, status="404") == 1
    assert page.value("http_request_seconds_count", **by_id) == 3
    assert posted["match"]["id"] not in page.text


def test_callers_cannot_make_up_series(client: CheckedClient) -> None:
    client.get("/v1/nothing")
    client.get("/v2/" + "x" * 100)
    for method in ("BREW", "PROPFIND"):
        client.request(method, "/livez")
    page = Page(client)
    assert page.value("http_requests_total", method="GET", route=NO_ROUTE, status="404") == 2
    assert page.value("http_requests_total", method="other", route=NO_ROUTE, status="405") == 2
    routes = {labels["route"] for labels in page.labels("http_requests_total")}
    assert routes == {NO_ROUTE}


def test_what_is_sent_again_is_no_new_submission(client: CheckedClient) -> None:
    for _ in range(3):
        client.post("/v1/matches", data=MAT, content_type="text/plain")
    page = Page(client)
    assert (page.value("submissions_total", new="yes"), page.value("submissions_total", new="no")) == (1, 2)


def test_work_is_counted_and_timed_with_its_engine(client: CheckedClient, house: House) -> None:
    client.post("/v1/matches", json=match_record())
    assert Page(client).value("queue_length") == 1
    house.work()
    page = Page(client)
    assert page.value("queue_length") == 0
    assert page.value("attempts_total", ending="done", code="") == 1
    assert page.value("attempt_seconds_count", ending="done") == 1
    assert page.value("attempts_running") == 0
    asked, judged = (
        page.value(f"engine_{name}", engine=ENGINE) for name in ("seconds_count", "positions_total")
    )
    assert asked is not None
    assert judged is not None
    assert judged >= asked >= 1


def test_how_long_the_oldest_has_waited_is_told(client: CheckedClient, house: House) -> None:
    assert Page(client).value("oldest_waiting_seconds") == 0
    client.post("/v1/matches", json=match_record())
    database = sa.create_engine(database_url(house.folder))
    with database.begin() as connection:
        hour_ago = datetime.now(UTC) - timedelta(hours=1)
        connection.execute(sa.update(adjudications).values(queued_at=hour_ago))
    database.dispose()
    waited_s = Page(client).value("oldest_waiting_seconds")
    assert waited_s is not None
    assert waited_s >= 3600


def test_what_is_away_is_missing_and_no_error(
    client: CheckedClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(client)
    assert (page.value("reachable", part="queue"), page.value("reachable", part="database")) == (1, 1)
    assert page.value("workers") == 1

    def fail() -> None:
        raise StoreUnavailableError("no answer from secret-host:5432")

    house.queue.broken = "nobody answers there"
    monkeypatch.setattr(house.store, "oldest_queued", fail)
    page = Page(client)
    assert (page.value("reachable", part="queue"), page.value("reachable", part="database")) == (0, 0)
    for name in ("workers", "queue_length", "oldest_waiting_seconds"):
        assert page.value(name) is None
    assert page.value("http_requests_total", method="GET", route="/metrics", status="200") == 1


def test_the_form_is_that_of_prometheus(client: CheckedClient) -> None:
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_metric_is_explained_with_its_labels(client: CheckedClient, house: House) -> None:
    meter = open_meter()
    meter.attempt_ended(Ending.LOST, took_s=1.0, code="x")
    meter.engine_answered("x", 1, 1.0)
    meter.engine_failed("x", "x")
    meter.delivered(Delivery.DELIVERED)
    meter.answered("GET", "/x", 200, 1.0)
    meter.submitted(is_new=True)
    page = meter.expose(house.service.load()).decode()
    given = {
        (family.name + "_total" * (family.type == "counter")).removeprefix("adjudicator_"): set().union(
            *(sample.labels for sample in family.samples)
        )
        - {"le"}
        for family in text_string_to_metric_families(page)
    }
    rows = re.findall(r"^\| `(\w+)` \| (.*?) ?\| .* \|$", METRICS_SECTION, re.MULTILINE)
    assert {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in rows} == given
