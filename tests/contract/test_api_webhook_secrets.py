"""GET and POST /v1/webhooks/secrets, DELETE /v1/webhooks/secrets/{secret_id}."""

import base64
from datetime import datetime, timedelta

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House

ADDRESS = "/v1/webhooks/secrets"


def test_a_secret_is_shown_once(client: CheckedClient) -> None:
    made = client.post(ADDRESS)
    assert made.status_code == 201
    secret = made.get_json().pop("secret")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    listed = client.get(ADDRESS)
    assert listed.get_json() == {"secrets": [{key: made.get_json()[key] for key in ("id", "created_at")}]}
    assert secret not in listed.get_data(as_text=True)


def test_after_a_new_one_the_old_one_signs_for_a_day(client: CheckedClient) -> None:
    old, new = client.post(ADDRESS).get_json(), client.post(ADDRESS).get_json()
    assert old["secret"] != new["secret"]
    first, second = client.get(ADDRESS).get_json()["secrets"]
    assert (first["id"], "expires_at" in first, second["id"]) == (new["id"], False, old["id"])
    until = datetime.fromisoformat(second["expires_at"]) - datetime.fromisoformat(new["created_at"])
    assert until == timedelta(days=1)


def test_the_overlap_can_be_chosen_down_to_nothing(client: CheckedClient) -> None:
    client.post(ADDRESS)
    new = client.post(ADDRESS, json={"overlap_s": 0}).get_json()
    assert [entry["id"] for entry in client.get(ADDRESS).get_json()["secrets"]] == [new["id"]]


@pytest.mark.parametrize("overlap", [-1, 2592001, "60", 1.5, None, True])
def test_an_overlap_that_is_none_is_pointed_at(client: CheckedClient, overlap: object) -> None:
    refused = client.post(ADDRESS, json={"overlap_s": overlap})
    assert (refused.status_code, refused.get_json()["errors"][0]["pointer"]) == (400, "/overlap_s")
    assert client.get(ADDRESS).get_json() == {"secrets": []}


def test_there_may_be_ten(client: CheckedClient) -> None:
    for _ in range(10):
        assert client.post(ADDRESS).status_code == 201
    assert client.post(ADDRESS).status_code == 409


def test_a_secret_is_deleted(client: CheckedClient) -> None:
    made = client.post(ADDRESS).get_json()
    assert client.request("DELETE", f"{ADDRESS}/{made['id']}").status_code == 204
    assert client.request("DELETE", f"{ADDRESS}/{made['id']}").status_code == 404
    assert client.get(ADDRESS).get_json() == {"secrets": []}


def test_others_secrets_are_not_there(client: CheckedClient, house: House) -> None:
    others = house.webhooks.add_secret("somebody")
    assert client.get(ADDRESS).get_json() == {"secrets": []}
    assert client.request("DELETE", f"{ADDRESS}/{others.id}").status_code == 404
    assert house.webhooks.secrets("somebody") == [others]
