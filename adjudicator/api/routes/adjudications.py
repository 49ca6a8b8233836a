"""``/v1/adjudications``: where an adjudication stands, and its result."""

from flask import Blueprint, Response

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_adjudication
from adjudicator.api.context import owner, service
from adjudicator.service.access import Scope

blueprint = Blueprint("adjudications", __name__, url_prefix="/v1/adjudications")


@blueprint.get("/<adjudication_id:adjudication_id>")
@needs(Scope.READ)
def show(adjudication_id: str) -> Response:
    """The result, or where the adjudication stands while there is none."""
    return answer_adjudication(service().adjudication(adjudication_id, owner()))
