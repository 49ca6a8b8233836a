"""``adjudicator keys``: the keys of all owners, for whoever runs the service."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from adjudicator.bootstrap import build_keys, require_service, upgrade_database
from adjudicator.cli.console import errors_end_the_command, messages, results
from adjudicator.config import load_settings
from adjudicator.service.access import USUAL_SCOPES, Key, KeyState, NewKey, Scope
from adjudicator.service.clock import format_time
from adjudicator.service.keys import OVERLAP, KeyService
from adjudicator.service.values import LOCAL_OWNER

STYLES = {KeyState.LIVE: "green", KeyState.EXPIRED: "yellow", KeyState.REVOKED: "red"}
HOUR = timedelta(hours=1)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")


@click.group("keys")
def command() -> None:
    """Make, list, revoke and rotate the keys of callers.

    Works on the database that the settings in docs/operations.md name, whether the service runs or not.
    """


@command.command("create")
@click.option("--owner", default=LOCAL_OWNER, show_default=True, help="Whose key it is.")
@click.option("--label", required=True, help="What it is for, for people.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([scope.value for scope in Scope]),
    default=[scope.value for scope in Scope if scope in USUAL_SCOPES],
    show_default=True,
    help="What it allows; may be given again.",
)
@click.option("--days", type=click.FloatRange(0, min_open=True), help="Days after which it ends by itself.")
@json_option
def create(owner: str, label: str, scopes: Sequence[str], days: float | None, as_json: bool) -> None:
    """Make a key and show it, this once only. Makes the database where there is none."""
    lifetime = None if days is None else timedelta(days=days)
    with errors_end_the_command():
        upgrade_database(load_settings())
        with _keys() as keys:
            new = keys.create(owner, label=label, scopes={Scope(name) for name in scopes}, lifetime=lifetime)
            _show_new(keys, new, as_json)


@command.command("list")
@click.option("--owner", help="Those of this owner only.")
@json_option
def index(owner: str | None, as_json: bool) -> None:
    """List all keys, the oldest first."""
    with errors_end_the_command(), _keys() as keys:
        _show(keys, keys.keys(owner), as_json)


@command.command("revoke")
@click.argument("key_id", metavar="ID")
@json_option
def revoke(key_id: str, as_json: bool) -> None:
    """End a key for good; running services know within 5 seconds."""
    with errors_end_the_command(), _keys() as keys:
        _show(keys, [keys.revoke(key_id)], as_json)


@command.command("rotate")
@click.argument("key_id", metavar="ID")
@click.option(
    "--overlap-hours",
    default=OVERLAP / HOUR,
    show_default=True,
    type=click.FloatRange(0),
    help="How long the old key lives on.",
)
@json_option
def rotate(key_id: str, overlap_hours: float, as_json: bool) -> None:
    """Make a key with the same owner, label and scopes in place of this one, and show it."""
    with errors_end_the_command(), _keys() as keys:
        _show_new(keys, keys.rotate(key_id, overlap=overlap_hours * HOUR), as_json)


@contextmanager
def _keys() -> Iterator[KeyService]:
    """The use cases over a database that is ready.

    Raises: ConfigurationError, StoreUnavailableError.
    """
    settings = load_settings()
    require_service(settings)
    keys = build_keys(settings)
    try:
        keys.require_ready()
        yield keys
    finally:
        keys.close()


def _document(keys: KeyService, key: Key) -> dict[str, Any]:
    moments = ("created_at", "expires_at", "revoked_at", "last_used_at")
    times = {name: None if (at := getattr(key, name)) is None else format_time(at) for name in moments}
    return {
        "id": key.id,
        "owner": key.owner,
        "label": key.label,
        "scopes": sorted(scope.value for scope in key.scopes),
        "state": keys.state(key).value,
        **times,
        "successor_id": key.successor_id,
    }


def _show(keys: KeyService, shown: Sequence[Key], as_json: bool) -> None:
    documents = [_document(keys, key) for key in shown]
    if as_json:
        results().print(json.dumps({"keys": documents}), soft_wrap=True)
        return
    columns = ("id", "owner", "label", "scopes", "state", "made", "ends", "last used")
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for key, told in zip(shown, documents, strict=True):
        times = (told["created_at"], told["revoked_at"] or told["expires_at"], told["last_used_at"])
        state = keys.state(key)
        cells = [told["id"], told["owner"], told["label"], " ".join(told["scopes"])]
        table.add_row(*cells, Text(state.value, STYLES[state]), *(_minute(time) for time in times))
    results().print(table)


def _minute(time: str | None) -> str:
    return "-" if time is None else time[:16].replace("T", " ")


def _show_new(keys: KeyService, new: NewKey, as_json: bool) -> None:
    if as_json:
        results().print(json.dumps({**_document(keys, new.key), "key": new.text}), soft_wrap=True)
        return
    results().print(new.text, soft_wrap=True)
    scopes = " ".join(sorted(scope.value for scope in new.key.scopes))
    ends = (
        "does not end by itself" if new.key.expires_at is None else f"ends {format_time(new.key.expires_at)}"
    )
    messages().print(f"{new.key.id}, owner {new.key.owner}, may {scopes}, {ends}. It is not shown again.")
