"""GET /readyz."""

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import match_record


def test_a_service_with_everything_it_needs_is_ready(client: CheckedClient) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["status"]) == (200, "ready")
    assert set(answer.get_json()["checks"].values()) == {"ok"}


def test_a_service_without_its_queue_says_what_is_missing(client: CheckedClient, house: House) -> None:
    house.queue.broken = "nobody answers there"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "not_ready")
    assert answer.get_json()["checks"] == {"database": "ok", "queue": "away", "workers": "unknown"}
    assert answer.get_json()["detail"] == "queue: away"
    assert "nobody answers there" not in answer.get_data(as_text=True)
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_service_without_workers_is_ready_and_says_so(client: CheckedClient, house: House) -> None:
    house.queue.workers.clear()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["checks"]["workers"]) == (200, "none")


def test_a_match_is_taken_while_the_queue_is_away(client: CheckedClient, house: House) -> None:
    house.queue.broken = "nobody answers there"
    answer = client.post("/v1/matches", json=match_record())
    assert (answer.status_code, house.kept()) == (202, (1, 1))
