"""How many requests are taken, at every address that needs a key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.errors import QueueUnavailableError
from adjudicator.service.access import ALL_SCOPES, Scope
from adjudicator.service.rate_limits import REFUSED_KEYS
from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House
from tests.contract.records import match_record

WRONG_KEY = f"adj_k{'b' * 25}_{'A' * 43}"


class Street:
    """Room for one house, which takes so many requests as a test wants."""

    house: House

    def __init__(self, folder: Path, contract: Contract) -> None:
        self._folder = folder
        self._contract = contract

    def build(self, rate: str) -> CheckedClient:
        self.house = House(self._folder, rate_limit=rate)
        return CheckedClient(self.house.app, self._contract, self.house.key)


@pytest.fixture
def street(tmp_path: Path, contract: Contract) -> Iterator[Street]:
    street = Street(tmp_path, contract)
    yield street
    street.house.close()


def test_answers_say_how_many_are_left_and_the_one_too_many_when_to_come_again(street: Street) -> None:
    client = street.build("3/hour")
    answers = [client.get("/v1/engines") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"reads";q=3;w=3600'}
    told = [answer.headers["RateLimit"].partition(";t=") for answer in answers]
    assert [left for left, _, _ in told] == ['"reads";r=2', '"reads";r=1', '"reads";r=0', '"reads";r=0']
    assert all(0 < int(seconds) <= 3600 for _, _, seconds in told)
    assert answers[3].get_json()["code"] == "rate_limited"
    assert "3 reads" in answers[3].get_json()["detail"]
    assert answers[3].headers["Retry-After"] == told[3][2]


def test_submissions_are_counted_apart_from_all_else(street: Street) -> None:
    client = street.build("2/hour")
    for _ in range(3):
        client.get("/v1/engines")
    answers = [client.post("/v1/matches", json=match_record()) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[0].headers["RateLimit"].startswith('"submissions";r=1;t=')
    assert client.get("/v1/keys").status_code == 429
    assert street.house.kept() == (1, 1)


def test_owners_are_counted_apart_and_their_keys_together(street: Street) -> None:
    client = street.build("2/hour")
    house = street.house
    mine = client.showing(house.new_key(*ALL_SCOPES))
    statuses = [someone.get("/v1/engines").status_code for someone in (client, mine, client)]
    assert statuses == [200, 200, 429]
    assert client.showing(house.new_key(*ALL_SCOPES, owner="other")).get("/v1/engines").status_code == 200


def test_refusals_count_too(street: Street) -> None:
    client = street.build("2/hour")
    narrow = client.showing(street.house.new_key(Scope.SUBMIT))
    assert [narrow.get("/v1/engines").status_code for _ in range(3)] == [403, 403, 429]


def test_probes_and_documents_are_not_limited(street: Street) -> None:
    client = street.build("1/hour")
    for path in ("/livez", "/readyz", "/openapi.yaml"):
        answers = [client.get(path) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert not any("RateLimit" in answer.headers for answer in answers)


def test_an_answer_without_a_limit_says_nothing_of_one(street: Street) -> None:
    client = street.build("off")
    assert "RateLimit" not in client.get("/v1/engines").headers
    assert "RateLimit-Policy" not in client.get("/v1/engines").headers


def test_where_nobody_can_count_everything_is_taken(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    client = street.build("1/hour")

    def fail(*_: object) -> None:
        raise QueueUnavailableError("away")

    monkeypatch.setattr(street.house.counter, "count", fail)
    answers = [client.get("/v1/engines") for _ in range(3)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[0].headers


def test_wrong_keys_are_limited_by_their_address_and_hold_up_no_valid_one(street: Street) -> None:
    client = street.build("1000/hour")
    wrong = client.showing(WRONG_KEY)
    statuses = [wrong.get("/v1/engines").status_code for _ in range(REFUSED_KEYS.requests + 1)]
    assert statuses == [401] * REFUSED_KEYS.requests + [429]
    assert client.showing("nonsense").get("/v1/engines").status_code == 429
    assert client.get("/v1/engines").status_code == 200
    elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
    assert wrong.get("/v1/engines", environ_overrides=elsewhere).status_code == 401


def test_a_request_too_many_is_not_carried_out(street: Street) -> None:
    client = street.build("1/hour")
    wish = {"label": "x", "scopes": ["read"]}
    assert client.post("/v1/keys", json=wish).status_code == 201
    assert client.post("/v1/keys", json=wish).status_code == 429
    assert len(street.house.keys.keys("local")) == 2
