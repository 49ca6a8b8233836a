"""For those who run the service: is it alive, is it ready, what does it promise."""

from flask import Blueprint, Response

from adjudicator.api.access import needs, needs_no_key
from adjudicator.api.answers import answer_bytes, answer_json
from adjudicator.api.context import meter, service
from adjudicator.api.problems import NOT_READY, RETRY_AFTER_S, answer_problem
from adjudicator.api.reference.page import load_description, reference_page
from adjudicator.service.access import Scope

blueprint = Blueprint("operations", __name__)


@blueprint.get("/livez")
@needs_no_key
def livez() -> Response:
    """Answers as long as the process can; looks at nothing else."""
    return answer_json({"status": "alive"})


@blueprint.get("/readyz")
@needs_no_key
def readyz() -> Response:
    """Whether what is needed to take matches is there; that workers are missing is told, no more."""
    checks = service().check_ready()
    missing = [f"{name}: {state}" for name, state in checks.items() if state == "away"]
    if not missing:
        return answer_json({"status": "ready", "checks": checks})
    headers = [("Retry-After", str(RETRY_AFTER_S))]
    return answer_problem(503, NOT_READY, "Not ready", "; ".join(missing), headers=headers, checks=checks)


@blueprint.get("/metrics")
@needs(Scope.ADMIN)
def metrics() -> Response:
    """Counts and times of this service in the form of Prometheus; what is away is missing, and no error."""
    return Response(meter().expose(service().load()), content_type=meter().content_type)


@blueprint.get("/openapi.yaml")
@needs_no_key
def description() -> Response:
    """The contract of this service."""
    return answer_bytes(load_description(), "application/yaml")


@blueprint.get("/docs")
@needs_no_key
def docs() -> Response:
    """The contract as a page for people."""
    page = reference_page()
    answer = answer_bytes(page.content, "text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = page.policy
    return answer
