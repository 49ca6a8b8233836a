"""``/v1/players``: a player's name is erased."""

from http import HTTPStatus

from flask import Blueprint, Response

from adjudicator.api.access import needs
from adjudicator.api.answers import ASK_AGAIN_S, answer_json
from adjudicator.api.context import erasure, owner
from adjudicator.service.access import Scope

blueprint = Blueprint("players", __name__, url_prefix="/v1/players")


@blueprint.delete("/<path:name>")
@needs(Scope.ADMIN)
def erase(name: str) -> Response:
    """Erases the name from the owner's matches; 202 while some are left for the next request."""
    erased = erasure().erase(name, owner())
    document = {"redacted": erased.redacted, "deleted": erased.deleted, "left": erased.left}
    if not erased.left:
        return answer_json(document)
    answer = answer_json(document, HTTPStatus.ACCEPTED)
    answer.headers["Retry-After"] = str(ASK_AGAIN_S)
    return answer
