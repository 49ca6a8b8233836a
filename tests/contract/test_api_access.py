"""Who may call what, at every address."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response

from adjudicator.api.access import needed_scope, require_stated_access
from adjudicator.api.app import create_app
from adjudicator.config import Settings
from adjudicator.errors import ConfigurationError
from adjudicator.service.access import ALL_SCOPES, Scope
from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House
from tests.contract.records import match_record

OPEN = {"/livez", "/readyz", "/openapi.yaml", "/docs"}
"""All that there is without a key."""
IDS = {
    "match_id": "m" + 25 * "a",
    "adjudication_id": "a" + 25 * "a",
    "key_id": "k" + 25 * "b",
    "batch_id": "b" + 25 * "a",
    "name": "Nobody",
    "secret_id": "s" + 25 * "a",
    "delivery_id": "msg_" + 25 * "a",
}


def operations(contract: Contract) -> dict[tuple[str, str], str | None]:
    """The scope that each operation of the contract needs, by method and an address of its kind."""
    scopes: dict[tuple[str, str], str | None] = {}
    for (method, template), operation in contract.operations.items():
        path = re.sub(r"\{(\w+)\}", lambda found: IDS[found[1]], template)
        security = operation["security"]
        assert security == [] or [*security[0]] == ["key"]
        (scope,) = security[0]["key"] if security else (None,)
        scopes[method, path] = scope
    return scopes


def view_scopes(app: Flask) -> dict[tuple[str, str], Scope | None]:
    return {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)): needed_scope(
            app.view_functions[rule.endpoint]
        )
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD"}
    }


def test_every_route_needs_the_scope_that_the_contract_says(app: Flask, contract: Contract) -> None:
    told = {
        operation: Scope(its["security"][0]["key"][0]) if its["security"] else None
        for operation, its in contract.operations.items()
    }
    assert view_scopes(app) == told


def test_nothing_but_probes_and_documents_is_there_without_a_key(
    client: CheckedClient, contract: Contract, house: House
) -> None:
    for (method, path), scope in operations(contract).items():
        answer = client.showing(None).request(method, path)
        if path in OPEN:
            assert (scope, answer.status_code) == (None, 200)
            continue
        assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="adjudicator"'
    assert house.kept() == (0, 0)


@pytest.mark.parametrize("left_out", list(Scope))
def test_each_operation_needs_its_scope_and_no_other_implies_it(
    client: CheckedClient, contract: Contract, house: House, left_out: Scope
) -> None:
    others = client.showing(house.new_key(*(ALL_SCOPES - {left_out})))
    alone = client.showing(house.new_key(left_out))
    for (method, path), scope in operations(contract).items():
        if scope != left_out.value:
            continue
        answer = others.request(method, path)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "insufficient_scope")
        challenge = f'Bearer realm="adjudicator", error="insufficient_scope", scope="{scope}"'
        assert answer.headers["WWW-Authenticate"] == challenge
        assert alone.request(method, path).status_code not in (401, 403)
    assert house.kept() == (0, 0)


def test_a_view_that_does_not_say_what_it_needs_is_not_served(app: Flask) -> None:
    silent = Flask("silent")
    silent.add_url_rule("/x", view_func=Response, endpoint="x")
    with pytest.raises(TypeError, match=r"which scope they need: .*x"):
        require_stated_access(silent)
    app.view_functions["catalogue.engines"] = lambda: Response("secret")
    app.config["PROPAGATE_EXCEPTIONS"] = False
    assert app.test_client().get("/v1/engines").status_code == 500


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic bG9jYWw6eA==",
        "Digest x",
        "{key}",
        "Bearer {key} {key}",
        "Bearer {key}, Bearer {key}",
        "Bearer {key}x",
        'Bearer "{key}"',
        "Token {key}",
        "Bearer adj_k_x",
        "Bearer ключ",
        "Bearer " + "x" * 4000,
    ],
)
def test_a_header_that_holds_no_key_is_refused(client: CheckedClient, house: House, header: str) -> None:
    sent = header.replace("{key}", house.key).encode().decode("latin-1")
    answer = client.get("/v1/engines", environ_overrides={"HTTP_AUTHORIZATION": sent})
    assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="adjudicator", error="invalid_token"'
    assert house.key not in answer.get_data(as_text=True)


def test_the_scheme_is_read_in_any_case(client: CheckedClient, house: House) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        answer = client.get("/v1/engines", headers={"Authorization": f"{scheme} {house.key}"})
        assert answer.status_code == 200


def test_a_key_in_the_address_is_none(client: CheckedClient, house: House) -> None:
    for name in ("key", "access_token", "api_key"):
        assert client.showing(None).get(f"/v1/engines?{name}={house.key}").status_code == 401
    answer = client.post(f"/v1/matches?access_token={house.key}", json=match_record())
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (400, "access_token")


def test_unknown_revoked_and_expired_keys_are_refused_alike(client: CheckedClient, house: House) -> None:
    revoked, expired = (house.new_key(*ALL_SCOPES, lifetime=timedelta(microseconds=n)) for n in (10**12, 1))
    assert client.showing(revoked).get("/v1/engines").status_code == 200
    assert client.delete(f"/v1/keys/{revoked[4:30]}").status_code == 200
    unknown = f"adj_k{'b' * 25}_{'A' * 43}"
    wrong_secret = house.new_key(*ALL_SCOPES)[:-43] + "A" * 43
    problems: list[dict[str, Any]] = []
    for key in (revoked, expired, unknown, wrong_secret):
        answer = client.showing(key).get("/v1/engines")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="adjudicator", error="invalid_token"'
        problems.append(answer.get_json() | {"request_id": ""})
    assert problems == problems[:1] * 4


def test_what_belongs_to_another_owner_is_not_there(client: CheckedClient, house: House) -> None:
    submitted = client.post("/v1/matches", json=match_record())
    house.work()
    state = submitted.get_json()
    stranger = client.showing(house.new_key(*ALL_SCOPES, owner="other"))
    for method, path in (
        ("GET", f"/v1/matches/{state['match']['id']}"),
        ("GET", f"/v1/matches/{state['match']['id']}/record"),
        ("POST", f"/v1/matches/{state['match']['id']}/adjudications"),
        ("GET", f"/v1/adjudications/{state['id']}"),
    ):
        answer = stranger.request(method, path)
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    again = stranger.post("/v1/matches", json=match_record())
    assert again.get_json()["match"]["id"] != state["match"]["id"]
    assert again.get_json()["status"] == "queued"


def test_a_key_that_may_submit_only_sees_what_it_is_answered(client: CheckedClient, house: House) -> None:
    sender = client.showing(house.new_key(Scope.SUBMIT))
    sender.post("/v1/matches", json=match_record())
    house.work()
    answer = sender.post("/v1/matches", json=match_record(), headers={"Prefer": "wait=1"})
    assert (answer.status_code, answer.get_json()["schema"]) == (200, "adjudication/1")
    assert sender.get(answer.headers["Location"]).status_code == 403


def test_an_address_where_nothing_is_needs_no_key_to_say_so(client: CheckedClient) -> None:
    assert client.showing(None).get("/v1/nothing").status_code == 404
    assert client.showing(None).get("/v1/matches").status_code == 405


class TestOpenDoor:
    """``ADJUDICATOR_KEYS=open``."""

    @pytest.fixture
    def visitor(self, tmp_path: Path, contract: Contract) -> Iterator[CheckedClient]:
        self.house = House(tmp_path, keys="open")
        yield CheckedClient(self.house.app, contract)
        self.house.close()

    def test_a_request_without_a_key_is_the_local_owners(self, visitor: CheckedClient) -> None:
        mine = visitor.post("/v1/matches", json=match_record())
        assert mine.status_code == 202
        with_key = visitor.showing(self.house.key).get(mine.headers["Location"])
        assert with_key.status_code == 200
        assert visitor.get("/v1/keys").status_code == 200

    def test_a_key_that_is_shown_has_to_count(self, visitor: CheckedClient) -> None:
        assert visitor.showing(f"adj_k{'b' * 25}_{'A' * 43}").get("/v1/engines").status_code == 401
        narrow = visitor.showing(self.house.new_key(Scope.READ))
        assert narrow.get("/v1/keys").status_code == 403

    @pytest.mark.parametrize(
        ("headers", "peer"),
        [
            ({"Origin": "https://evil.example"}, "127.0.0.1"),
            ({"Origin": "null"}, "127.0.0.1"),
            ({"Origin": "http://localhost:9999"}, "127.0.0.1"),
            ({"Origin": "http://["}, "127.0.0.1"),
            ({"Host": "evil.example"}, "127.0.0.1"),
            ({"Host": "[::1"}, "127.0.0.1"),
            ({"Host": "127.0.0.1.evil.example:8080"}, "127.0.0.1"),
            ({"Sec-Fetch-Site": "cross-site"}, "127.0.0.1"),
            ({"Sec-Fetch-Site": "same-site"}, "127.0.0.1"),
            ({"Forwarded": "for=192.0.2.1"}, "127.0.0.1"),
            ({"X-Forwarded-For": "192.0.2.1"}, "127.0.0.1"),
            ({"Via": "1.1 proxy"}, "127.0.0.1"),
            ({}, "192.0.2.1"),
            ({}, "::ffff:192.0.2.1"),
        ],
    )
    def test_others_need_a_key_all_the_same(
        self, visitor: CheckedClient, headers: dict[str, str], peer: str
    ) -> None:
        answer = visitor.post(
            "/v1/matches", json=match_record(), headers=headers, environ_overrides={"REMOTE_ADDR": peer}
        )
        assert answer.status_code == 401
        assert self.house.kept() == (0, 0)

    @pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
    def test_a_page_of_the_service_itself_needs_none(self, visitor: CheckedClient, host: str) -> None:
        headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert visitor.get("/v1/engines", headers=headers).status_code == 200

    @pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "example.org", "::", ""])
    def test_it_is_refused_where_others_could_come_in(self, house: House, host: str) -> None:
        with pytest.raises(ConfigurationError, match="ADJUDICATOR_KEYS is 'open'"):
            create_app(house.services, Settings(keys="open", host=host))
