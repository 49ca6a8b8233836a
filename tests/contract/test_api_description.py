"""GET /openapi.yaml."""

from tests.contract.contract import CONTRACT_FILE, CheckedClient


def test_the_service_hands_out_the_contract_it_is_held_to(client: CheckedClient) -> None:
    answer = client.get("/openapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert answer.data == CONTRACT_FILE.read_bytes()


def test_a_caller_that_has_it_gets_304(client: CheckedClient) -> None:
    tag = client.get("/openapi.yaml").headers["ETag"]
    assert client.get("/openapi.yaml", headers={"If-None-Match": tag}).status_code == 304
