"""POST and GET /v1/keys."""

import pytest

from adjudicator.service.access import ALL_SCOPES, Scope
from tests.contract.contract import CheckedClient
from tests.contract.harness import House

WISH = {"label": "match server", "scopes": ["submit", "read"]}


def test_a_key_is_made_for_the_callers_owner_and_works(client: CheckedClient, house: House) -> None:
    admin = client.showing(house.new_key(Scope.ADMIN, owner="club"))
    answer = admin.post("/v1/keys", json=WISH)
    key = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/keys/{key['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert (key["owner"], key["label"], key["scopes"], key["state"]) == (
        "club",
        "match server",
        ["read", "submit"],
        "live",
    )
    assert "expires_at" not in key
    assert client.showing(key["key"]).get("/v1/engines").status_code == 200
    assert client.showing(key["key"]).get("/v1/keys").status_code == 403


def test_the_text_of_a_key_is_told_once_and_its_digest_never(client: CheckedClient, house: House) -> None:
    text = client.post("/v1/keys", json=WISH).get_json()["key"]
    secret = text.rpartition("_")[2]
    for path in ("/v1/keys", f"/v1/keys/{text[4:30]}"):
        told = client.get(path).get_data(as_text=True)
        assert secret not in told
        assert "digest" not in told
    files = [file for file in house.folder.iterdir() if file.name.startswith("adjudicator.sqlite")]
    assert not any(secret.encode() in file.read_bytes() for file in files)


def test_a_lifetime_ends_the_key(client: CheckedClient) -> None:
    key = client.post("/v1/keys", json=WISH | {"lifetime_s": 3600}).get_json()
    assert key["expires_at"][:13] != key["created_at"][:13]
    assert key["expires_at"][13:] == key["created_at"][13:]


def test_all_keys_of_the_owner_are_listed_and_no_others(client: CheckedClient, house: House) -> None:
    house.new_key(Scope.READ, owner="other")
    made = client.post("/v1/keys", json=WISH).get_json()
    client.delete(f"/v1/keys/{made['id']}")
    keys = client.get("/v1/keys").get_json()["keys"]
    assert [(key["owner"], key["state"]) for key in keys] == [("local", "live"), ("local", "revoked")]
    assert keys[1]["id"] == made["id"]
    assert keys[0]["last_used_at"].endswith(":00.000Z")


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"label": ""}, "/label"),
        ({"label": "x" * 101}, "/label"),
        ({"label": 3}, "/label"),
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["read", "root"]}, "/scopes/1"),
        ({"scopes": "read"}, "/scopes"),
        ({"lifetime_s": 0}, "/lifetime_s"),
        ({"lifetime_s": "60"}, "/lifetime_s"),
        ({"lifetime_s": 10**12}, "/lifetime_s"),
        ({"owner": "other"}, "/owner"),
    ],
)
def test_a_wrong_wish_is_refused_with_its_place(
    client: CheckedClient, changes: dict[str, object], pointer: str
) -> None:
    answer = client.post("/v1/keys", json=WISH | changes)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert [fault["pointer"] for fault in answer.get_json()["errors"]] == [pointer]
    assert len(client.get("/v1/keys").get_json()["keys"]) == 1


def test_a_label_that_nobody_can_read_is_refused(client: CheckedClient) -> None:
    for label in (" ", "a\nb", "\u202e"):
        assert client.post("/v1/keys", json=WISH | {"label": label}).status_code == 400


def test_options_in_the_query_and_another_content_type_are_refused(client: CheckedClient) -> None:
    assert client.post("/v1/keys?label=x", json=WISH).status_code == 400
    assert client.post("/v1/keys", data="label=x", content_type="text/plain").status_code == 415
    assert client.post("/v1/keys").status_code == 400


def test_the_answer_to_a_new_key_is_replayed_without_the_key(client: CheckedClient, house: House) -> None:
    headers = {"Idempotency-Key": '"key-1"'}
    first = client.post("/v1/keys", json=WISH, headers=headers)
    again = client.post("/v1/keys", json=WISH, headers=headers)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.headers["Location"] == first.headers["Location"]
    expected = first.get_json()
    assert expected.pop("key")
    assert again.get_json() == expected
    assert len(client.get("/v1/keys").get_json()["keys"]) == 2


def test_only_an_admin_manages_keys(client: CheckedClient, house: House) -> None:
    other = client.showing(house.new_key(*(ALL_SCOPES - {Scope.ADMIN})))
    assert other.post("/v1/keys", json=WISH).status_code == 403
    assert other.get("/v1/keys").status_code == 403
