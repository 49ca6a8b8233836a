"""GET /v1/matches/{match_id}/record."""

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.records import MAT, match_record_bytes


@pytest.mark.parametrize(
    ("content", "media_type", "suffix"),
    [
        (MAT.replace(b"white", b"J\xfcrgen"), "text/plain", ".mat"),
        (match_record_bytes(), "application/json", ".json"),
    ],
)
def test_a_record_comes_back_byte_for_byte_to_be_saved(
    client: CheckedClient, content: bytes, media_type: str, suffix: str
) -> None:
    submitted = client.post("/v1/matches", data=content, content_type=media_type).get_json()
    answer = client.get(f"/v1/matches/{submitted['match']['id']}/record")
    assert answer.data == content
    assert answer.mimetype == media_type
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    expected = f"attachment; filename={submitted['match']['id']}{suffix}"
    assert answer.headers["Content-Disposition"] == expected


def test_a_caller_that_has_the_record_gets_304(client: CheckedClient) -> None:
    submitted = client.post("/v1/matches", data=MAT, content_type="text/plain").get_json()
    path = f"/v1/matches/{submitted['match']['id']}/record"
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_the_record_of_a_match_that_is_not_kept_is_not_found(client: CheckedClient) -> None:
    assert client.get(f"/v1/matches/m{'a' * 25}/record").status_code == 404
