"""GET /v1/formats."""

from tests.contract.contract import CheckedClient
from tests.contract.records import MAT


def test_the_formats_tell_their_media_types_and_suffixes(client: CheckedClient) -> None:
    formats = {entry["name"]: entry for entry in client.get("/v1/formats").get_json()["formats"]}
    assert formats["jellyfish_mat"]["media_type"] == "text/plain"
    assert ".mat" in formats["jellyfish_mat"]["suffixes"]
    assert formats["match_record"]["media_type"] == "application/json"


def test_a_listed_format_can_be_named(client: CheckedClient) -> None:
    for entry in client.get("/v1/formats").get_json()["formats"]:
        answer = client.post(
            f"/v1/matches?format={entry['name']}", data=MAT, content_type="application/octet-stream"
        )
        assert answer.status_code in (202, 422)
