"""GET /livez."""

from tests.contract.contract import CheckedClient
from tests.contract.harness import House


def test_a_process_that_answers_is_alive_even_when_nothing_else_is(
    client: CheckedClient, house: House
) -> None:
    house.queue.broken = "no queue"
    assert client.get("/livez").get_json() == {"status": "alive"}
