"""What can be asked for: engines, rulesets, variants, formats."""

from flask import Blueprint, Response

from adjudicator.api.access import needs
from adjudicator.api.answers import answer_list
from adjudicator.api.context import service
from adjudicator.api.schemas import (
    EngineEntrySchema,
    FormatEntrySchema,
    RulesetEntrySchema,
    VariantEntrySchema,
)
from adjudicator.service.access import Scope

blueprint = Blueprint("catalogue", __name__, url_prefix="/v1")


@blueprint.get("/engines")
@needs(Scope.READ)
def engines() -> Response:
    """All engines, also those that cannot run on this machine."""
    return answer_list("engines", EngineEntrySchema(), service().engines())


@blueprint.get("/rulesets")
@needs(Scope.READ)
def rulesets() -> Response:
    """All rulesets with their options."""
    return answer_list("rulesets", RulesetEntrySchema(), service().rulesets())


@blueprint.get("/variants")
@needs(Scope.READ)
def variants() -> Response:
    """All games whose rules are known."""
    return answer_list("variants", VariantEntrySchema(), service().variants())


@blueprint.get("/formats")
@needs(Scope.READ)
def formats() -> Response:
    """All formats of records that are read."""
    return answer_list("formats", FormatEntrySchema(), service().formats())
