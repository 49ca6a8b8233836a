"""POST /v1/keys/{key_id}/rotation."""

import pytest

from adjudicator.service.access import ALL_SCOPES, Scope
from tests.contract.contract import CheckedClient
from tests.contract.harness import House


def test_the_old_key_and_the_new_one_live_side_by_side(client: CheckedClient, house: House) -> None:
    old = house.new_key(Scope.READ)
    answer = client.post(f"/v1/keys/{old[4:30]}/rotation")
    new = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/keys/{new['id']}"
    assert (new["owner"], new["label"], new["scopes"]) == ("local", "test", ["read"])
    assert "expires_at" not in new
    for key in (old, new["key"]):
        assert client.showing(key).get("/v1/engines").status_code == 200
    known = client.get(f"/v1/keys/{old[4:30]}").get_json()
    assert known["successor_id"] == new["id"]
    assert known["expires_at"][:10] > known["created_at"][:10]


def test_without_an_overlap_the_old_one_ends_at_once(client: CheckedClient, house: House) -> None:
    old = house.new_key(Scope.READ)
    assert client.showing(old).get("/v1/engines").status_code == 200
    new = client.post(f"/v1/keys/{old[4:30]}/rotation", json={"overlap_s": 0}).get_json()["key"]
    assert client.showing(old).get("/v1/engines").status_code == 401
    assert client.showing(new).get("/v1/engines").status_code == 200


def test_a_key_is_rotated_once(client: CheckedClient, house: House) -> None:
    old = house.new_key(Scope.READ)
    client.post(f"/v1/keys/{old[4:30]}/rotation")
    answer = client.post(f"/v1/keys/{old[4:30]}/rotation")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert "rotate its successor" in answer.get_json()["detail"]


def test_a_revoked_key_is_not_rotated(client: CheckedClient, house: House) -> None:
    old = house.new_key(Scope.READ)
    client.delete(f"/v1/keys/{old[4:30]}")
    answer = client.post(f"/v1/keys/{old[4:30]}/rotation")
    assert answer.status_code == 400
    assert "is revoked" in answer.get_json()["detail"]


@pytest.mark.parametrize("overlap", [-1, 2_592_001, 1.5, "60", None])
def test_an_overlap_out_of_bounds_is_refused(client: CheckedClient, house: House, overlap: object) -> None:
    old = house.new_key(Scope.READ)
    answer = client.post(f"/v1/keys/{old[4:30]}/rotation", json={"overlap_s": overlap})
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (400, "/overlap_s")


def test_the_answer_is_replayed_without_the_key(client: CheckedClient, house: House) -> None:
    path = f"/v1/keys/{house.new_key(Scope.READ)[4:30]}/rotation"
    first, again = (client.post(path, headers={"Idempotency-Key": "once"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Location"] == first.headers["Location"]
    assert "key" in first.get_json()
    assert "key" not in again.get_json()


def test_the_key_of_another_owner_is_not_there(client: CheckedClient, house: House) -> None:
    text = house.new_key(*ALL_SCOPES, owner="other")
    assert client.post(f"/v1/keys/{text[4:30]}/rotation").status_code == 404
    assert len(client.showing(text).get("/v1/keys").get_json()["keys"]) == 1
