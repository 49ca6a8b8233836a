"""``adjudicator keys``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result

from adjudicator.bootstrap import build_keys
from adjudicator.cli import group
from adjudicator.config import Settings
from adjudicator.errors import UnauthenticatedError
from adjudicator.service.access import ALL_SCOPES, USUAL_SCOPES, Caller

Run: TypeAlias = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ADJUDICATOR_DATA_DIR", str(tmp_path / "data"))

    def run_command(*arguments: str) -> Result:
        return CliRunner().invoke(group, ["keys", *arguments])

    return run_command


def verified(tmp_path: Path, text: str) -> Caller:
    """Whom the service would take the holder of that key for."""
    keys = build_keys(Settings(data_dir=tmp_path / "data"))
    try:
        return keys.verify(text)
    finally:
        keys.close()


def created(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("create", "--label", "server", "--json", *arguments)
    assert done.exit_code == 0, done.stderr
    key: dict[str, Any] = json.loads(done.stdout)
    return key


def test_a_key_stands_alone_on_standard_output_and_works(run: Run, tmp_path: Path) -> None:
    done = run("create", "--label", "server")
    assert done.exit_code == 0
    caller = verified(tmp_path, done.stdout.removesuffix("\n"))
    assert (caller.owner, caller.scopes) == ("local", USUAL_SCOPES)
    assert "It is not shown again" in done.stderr
    assert done.stdout.strip() not in done.stderr


def test_owner_scopes_and_lifetime_are_as_wished(run: Run, tmp_path: Path) -> None:
    scopes = [word for scope in ALL_SCOPES for word in ("--scope", scope.value)]
    key = created(run, "--owner", "club", "--days", "0.5", *scopes)
    assert verified(tmp_path, key["key"]) == Caller("club", ALL_SCOPES, key["id"])
    assert key["expires_at"][:13] != key["created_at"][:13]
    assert (key["state"], key["last_used_at"]) == ("live", None)


def test_all_keys_are_listed_or_those_of_an_owner_without_their_secrets(run: Run) -> None:
    first, second = created(run), created(run, "--owner", "club")
    listed = json.loads(run("list", "--json").stdout)["keys"]
    assert [key["id"] for key in listed] == [first["id"], second["id"]]
    assert [key["id"] for key in json.loads(run("list", "--owner", "club", "--json").stdout)["keys"]] == [
        second["id"]
    ]
    for text in (run("list", "--json").stdout, run("list").stdout):
        assert first["key"][-43:] not in text
    table = run("list").stdout
    assert all(word in table for word in (first["id"], "club", "server", "read submit", "live"))


def test_a_revoked_key_is_told_as_that(run: Run, tmp_path: Path) -> None:
    key = created(run)
    assert json.loads(run("revoke", key["id"], "--json").stdout)["keys"][0]["state"] == "revoked"
    assert "revoked" in run("list").stdout
    with pytest.raises(UnauthenticatedError):
        verified(tmp_path, key["key"])


def test_a_rotated_key_lives_on_beside_the_new_one(run: Run, tmp_path: Path) -> None:
    old = created(run, "--owner", "club")
    new = json.loads(run("rotate", old["id"], "--json").stdout)
    assert (new["owner"], new["label"], new["scopes"]) == ("club", "server", old["scopes"])
    for key in (old, new):
        assert verified(tmp_path, key["key"]).key_id == key["id"]
    last = run("rotate", new["id"], "--overlap-hours", "0")
    assert verified(tmp_path, last.stdout.strip()).owner == "club"
    with pytest.raises(UnauthenticatedError):
        verified(tmp_path, new["key"])


@pytest.mark.parametrize(
    ("arguments", "exit_code", "said"),
    [
        (("revoke", "kunknown"), 1, "There is no key 'kunknown'"),
        (("rotate", "kunknown"), 1, "There is no key 'kunknown'"),
        (("create", "--label", " "), 2, "A label is 1 to 100 printable characters"),
        (("create", "--label", "x", "--owner", "a b"), 2, "An owner is 1 to 100"),
        (("create", "--label", "x", "--scope", "root"), 2, "'root' is not one of"),
        (("create", "--label", "x", "--days", "0"), 2, "--days"),
        (("create",), 2, "--label"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, arguments: tuple[str, ...], exit_code: int, said: str) -> None:
    created(run)
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (exit_code, "")
    assert said in done.stderr


@pytest.mark.parametrize("arguments", [("list",), ("revoke", "k"), ("rotate", "k")])
def test_where_there_is_no_service_nothing_is_made(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert "does not exist" in done.stderr
    assert list(tmp_path.iterdir()) == []
