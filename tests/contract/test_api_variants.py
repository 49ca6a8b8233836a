"""GET /v1/variants."""

from tests.contract.contract import CheckedClient


def test_backgammon_is_the_default_variant(client: CheckedClient) -> None:
    variants = client.get("/v1/variants").get_json()["variants"]
    assert [entry["name"] for entry in variants if entry["default"]] == ["backgammon"]
    checkers = {entry["name"]: entry["checkers"] for entry in variants}
    assert (checkers["backgammon"], checkers["nackgammon"]) == (15, 15)
