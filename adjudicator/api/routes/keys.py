"""``/v1/keys``: the keys of an owner, for those who hold an admin key of the same."""

import json
from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, request, url_for
from marshmallow import Schema

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_json
from adjudicator.api.bodies import read_options
from adjudicator.api.context import owner, services
from adjudicator.api.idempotency import answered_once, keep_instead
from adjudicator.api.key_schemas import KeySchema, NewKeySchema, RotationSchema
from adjudicator.api.schemas import dump_known, parse_options, parse_parameters
from adjudicator.service.access import Key, NewKey, Scope
from adjudicator.service.keys import OVERLAP

blueprint = Blueprint("keys", __name__, url_prefix="/v1/keys")


@blueprint.post("")
@needs(Scope.ADMIN)
@answered_once
def create() -> Response:
    """Makes a key of the caller's owner."""
    wishes = _options(NewKeySchema())
    lifetime_s = wishes.get("lifetime_s")
    new = services().keys.create(
        owner(),
        label=wishes["label"],
        scopes=wishes["scopes"],
        lifetime=None if lifetime_s is None else timedelta(seconds=lifetime_s),
    )
    return _answer_new(new)


@blueprint.get("")
@needs(Scope.ADMIN)
def index() -> Response:
    """All keys of the caller's owner."""
    return answer_json({"keys": [_document(key) for key in services().keys.keys(owner())]})


@blueprint.get("/<key_id:key_id>")
@needs(Scope.ADMIN)
def show(key_id: str) -> Response:
    """What is known of a key."""
    return answer_json(_document(services().keys.key(key_id, owner())))


@blueprint.delete("/<key_id:key_id>")
@needs(Scope.ADMIN)
def revoke(key_id: str) -> Response:
    """Ends a key for good."""
    return answer_json(_document(services().keys.revoke(key_id, owner())))


@blueprint.post("/<key_id:key_id>/rotation")
@needs(Scope.ADMIN)
@answered_once
def rotate(key_id: str) -> Response:
    """Makes a key like this one, which lives on for a while."""
    overlap_s = _options(RotationSchema()).get("overlap_s")
    overlap = OVERLAP if overlap_s is None else timedelta(seconds=overlap_s)
    return _answer_new(services().keys.rotate(key_id, owner(), overlap=overlap))


def _options(schema: Schema) -> dict[str, Any]:
    """The options of the body; the query has none."""
    parse_parameters(Schema(), request.args)
    return parse_options(schema, read_options())


def _document(key: Key) -> dict[str, Any]:
    return dump_known(KeySchema(), key) | {"state": services().keys.state(key).value}


def _answer_new(new: NewKey) -> Response:
    """The key with its text, which is not kept for who asks again: it would lie there for others."""
    document = _document(new.key)
    keep_instead(json.dumps(document).encode())
    answer = answer_json({**document, "key": new.text}, 201)
    answer.headers["Location"] = url_for("keys.show", key_id=new.key.id)
    return answer
