"""GET and DELETE /v1/keys/{key_id}."""

from adjudicator.service.access import ALL_SCOPES, Scope
from tests.contract.contract import CheckedClient
from tests.contract.harness import House


def test_what_is_known_of_a_key_is_told(client: CheckedClient, house: House) -> None:
    text = house.new_key(Scope.SUBMIT)
    key = client.get(f"/v1/keys/{text[4:30]}").get_json()
    assert (key["id"], key["scopes"], key["state"]) == (text[4:30], ["submit"], "live")
    assert "last_used_at" not in key
    client.showing(text).post("/v1/matches")
    assert "last_used_at" in client.get(f"/v1/keys/{text[4:30]}").get_json()


def test_a_revoked_key_is_refused_at_once_and_stays_in_the_list(client: CheckedClient, house: House) -> None:
    text = house.new_key(*ALL_SCOPES)
    mine = client.showing(text)
    assert mine.get("/v1/engines").status_code == 200
    revoked = client.delete(f"/v1/keys/{text[4:30]}")
    assert (revoked.status_code, revoked.get_json()["state"]) == (200, "revoked")
    assert mine.get("/v1/engines").status_code == 401
    assert client.delete(f"/v1/keys/{text[4:30]}").get_json() == revoked.get_json()
    assert client.get(f"/v1/keys/{text[4:30]}").get_json() == revoked.get_json()


def test_a_key_may_end_itself(client: CheckedClient, house: House) -> None:
    text = house.new_key(Scope.ADMIN)
    assert client.showing(text).delete(f"/v1/keys/{text[4:30]}").status_code == 200
    assert client.showing(text).get("/v1/keys").status_code == 401


def test_the_key_of_another_owner_is_not_there(client: CheckedClient, house: House) -> None:
    text = house.new_key(*ALL_SCOPES, owner="other")
    for method in ("GET", "DELETE"):
        answer = client.request(method, f"/v1/keys/{text[4:30]}")
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    assert client.showing(text).get("/v1/engines").status_code == 200


def test_a_key_that_does_not_exist_is_not_there(client: CheckedClient) -> None:
    assert client.get("/v1/keys/k" + "z" * 25).status_code == 404
    assert client.get("/v1/keys/anything").status_code == 404
