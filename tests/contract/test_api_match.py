"""GET /v1/matches/{match_id}."""

import hashlib

from tests.contract.contract import CheckedClient
from tests.contract.records import MAT


def test_a_match_tells_what_is_known_of_it(client: CheckedClient) -> None:
    submitted = client.post("/v1/matches", data=MAT, content_type="text/plain").get_json()
    match = client.get(f"/v1/matches/{submitted['match']['id']}").get_json()
    assert match["sha256"] == hashlib.sha256(MAT).hexdigest()
    assert (match["variant"], match["match_length"]) == ("backgammon", 1)
    assert match["players"] == {"white": "white", "black": "black"}
    assert match["adjudications"] == [submitted["id"]]
    assert "file_name" not in match


def test_a_match_that_is_not_kept_is_not_found(client: CheckedClient) -> None:
    answer = client.get("/v1/matches/m" + "a" * 25)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


def test_what_can_be_no_id_is_not_found(client: CheckedClient) -> None:
    for odd in ("%00", "m", "M" + "a" * 25, "..%2F..%2Fetc%2Fpasswd", "m" + "a" * 25 + "%0A"):
        assert client.get(f"/v1/matches/{odd}").status_code == 404
