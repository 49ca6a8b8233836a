"""GET /v1/engines."""

from tests.contract.contract import CheckedClient
from tests.contract.harness import ENGINE


def test_the_engines_are_listed_and_one_is_the_default(client: CheckedClient) -> None:
    engines = client.get("/v1/engines").get_json()["engines"]
    assert [engine["name"] for engine in engines if engine["default"]] == [ENGINE]
    assert all(engine["title"] and engine["licence"] and engine["variants"] for engine in engines)
    assert all(engine["version"] for engine in engines if engine["available"])


def test_a_listed_engine_can_be_asked_for(client: CheckedClient) -> None:
    engine = client.get("/v1/engines").get_json()["engines"][0]["name"]
    answer = client.post(f"/v1/matches?engine={engine}", data=b"x", content_type="text/plain")
    assert answer.get_json()["code"] == "unknown_format"
