"""``/v1/adjudications``: what there is, where an adjudication stands, and its result."""

from flask import Blueprint, Response, request

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_adjudication, answer_listing
from adjudicator.api.context import listing, owner, service
from adjudicator.api.schemas import ListingSchema, parse_parameters
from adjudicator.service.access import Scope
from adjudicator.service.listing import Wanted

blueprint = Blueprint("adjudications", __name__, url_prefix="/v1/adjudications")


@blueprint.get("")
@needs(Scope.READ)
def find() -> Response:
    """The adjudications that are wanted, latest first, page by page."""
    wanted = parse_parameters(ListingSchema(), request.args)
    after, most = wanted.pop("cursor", None), wanted.pop("limit")
    return answer_listing(listing().page(owner(), Wanted(**wanted), after=after, most=most))


@blueprint.get("/<adjudication_id:adjudication_id>")
@needs(Scope.READ)
def show(adjudication_id: str) -> Response:
    """The result, or where the adjudication stands while there is none."""
    return answer_adjudication(service().adjudication(adjudication_id, owner()))
