"""GET /v1/rulesets."""

from tests.contract.contract import CheckedClient
from tests.contract.records import match_record


def test_happy_end_is_the_default_ruleset_and_tells_its_options(client: CheckedClient) -> None:
    rulesets = client.get("/v1/rulesets").get_json()["rulesets"]
    assert [ruleset["name"] for ruleset in rulesets if ruleset["default"]] == ["happy-end"]
    assert {"finish", "numbering", "indifference"} <= set(rulesets[0]["options"])


def test_the_version_is_that_of_the_adjudications(client: CheckedClient) -> None:
    listed = client.get("/v1/rulesets").get_json()["rulesets"][0]
    used = client.post("/v1/matches", json=match_record()).get_json()["ruleset"]
    assert (used["name"], used["version"]) == (listed["name"], listed["version"])
