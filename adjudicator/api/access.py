"""Who may call what: every route says which scope it needs, and is not served before that is looked at.

The order of a request: its key (401), how many of its owner there were (429), its scope (403), then the view.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request

from adjudicator.api.context import admit, services
from adjudicator.config import is_loopback
from adjudicator.errors import InsufficientScopeError, RateLimitedError, UnauthenticatedError
from adjudicator.service.access import ALL_SCOPES, Caller, Scope
from adjudicator.service.rate_limits import Allowance, Kind
from adjudicator.service.values import LOCAL_OWNER

View = TypeVar("View", bound=Callable[..., Any])

NEEDED = "needed_scope"
"""The attribute of a view that holds its scope, ``None`` for one that is there for everybody."""
IS_OPEN = "IS_OPEN"
"""The setting of the application that says whether this machine's own callers need no key."""
EVERYBODY = Caller(LOCAL_OWNER, ALL_SCOPES)
"""Who calls an open door without a key."""
PASSED_ON = ("Forwarded", "X-Forwarded-For", "Via")
"""Headers of requests that a proxy passes on for somebody else."""
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]+=*)", re.ASCII | re.IGNORECASE)
_HOW = "Send `Authorization: Bearer KEY`; `adjudicator keys create` makes one."


def needs(scope: Scope) -> Callable[[View], View]:
    """Serve this view to callers whose key has that scope."""

    def state(view: View) -> View:
        setattr(view, NEEDED, scope)
        return view

    return state


def needs_no_key(view: View) -> View:
    """Serve this view to everybody."""
    setattr(view, NEEDED, None)
    return view


def needed_scope(view: Callable[..., Any]) -> Scope | None:
    """The scope that a view needs, ``None`` for one that is there for everybody.

    Raises: AttributeError for a view that does not say.
    """
    scope: Scope | None = getattr(view, NEEDED)
    return scope


def require_stated_access(app: Flask) -> None:
    """Let pass an application of which every view says what it needs.

    Raises: TypeError: this program is wrong.
    """
    silent = [name for name, view in app.view_functions.items() if not hasattr(view, NEEDED)]
    if silent:
        raise TypeError(f"These views do not say which scope they need: {', '.join(silent)}")


def register_access(app: Flask, *, is_open: bool) -> None:
    """Have every request to ``app`` looked at before it is served."""
    app.config[IS_OPEN] = is_open
    app.before_request(_look_at)
    app.after_request(_tell_allowance)


def _look_at() -> None:
    if request.endpoint is None:
        return  # nothing is there, or not by this method; which addresses there are is no secret
    scope = needed_scope(current_app.view_functions[request.endpoint])
    if scope is None:
        return
    caller = _caller()
    admit(caller)
    _count(Kind.SUBMISSIONS if scope is Scope.SUBMIT else Kind.READS, caller.owner)
    if scope not in caller.scopes:
        raise InsufficientScopeError(f"The key lacks the scope {scope.value!r}.", scope=scope.value)


def _caller() -> Caller:
    """Who sent this request.

    Raises: UnauthenticatedError; RateLimitedError in its place for an address of many wrong keys.
    """
    sent = request.headers.get("Authorization")
    if sent is None:
        if current_app.config[IS_OPEN] and _comes_from_here():
            return EVERYBODY
        raise UnauthenticatedError(f"There is no key with this request. {_HOW}")
    try:
        return _holder(sent)
    except UnauthenticatedError:
        _count(Kind.REFUSED_KEYS, request.remote_addr or "")
        raise


def _holder(authorization: str) -> Caller:
    """Who shows a key in that header.

    Raises: UnauthenticatedError.
    """
    found = _BEARER.fullmatch(authorization.strip())
    if found is None:
        raise UnauthenticatedError(f"The Authorization header holds no key. {_HOW}", key_was_sent=True)
    return services().keys.verify(found[1])


def _comes_from_here() -> bool:
    """Whether this machine sent the request, and on its own account.

    Not so what a page of somebody else has its browser send here: that names its origin, or (where a name of
    theirs was made to lead here) another host. Nor what a proxy says it passes on.
    """
    try:
        host = urlsplit(f"//{request.host}").hostname or ""
        origin = urlsplit(request.headers.get("Origin", request.host_url)).netloc
    except ValueError:
        return False
    is_own_page = request.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
    return (
        is_loopback(request.remote_addr or "")
        and is_loopback(host)
        and origin == request.host
        and is_own_page
        and not any(name in request.headers for name in PASSED_ON)
    )


def _count(kind: Kind, who: str) -> None:
    """Count this request.

    Raises: RateLimitedError.
    """
    allowance = services().rate_limits.count(kind, who)
    g.allowance = allowance
    if allowance is not None and allowance.is_exceeded:
        requests, window_s = allowance.rate
        raise RateLimitedError(
            f"More than {requests} {kind.value.replace('-', ' ')} in {window_s} s; "
            f"wait {allowance.reset_s} s.",
            retry_after_s=allowance.reset_s,
        )


def _tell_allowance(answer: Response) -> Response:
    """Say on what was counted how much is left (draft-ietf-httpapi-ratelimit-headers)."""
    allowance: Allowance | None = g.get("allowance")
    if allowance is not None:
        kind, (requests, window_s), left, reset_s = allowance
        answer.headers["RateLimit-Policy"] = f'"{kind.value}";q={requests};w={window_s}'
        answer.headers["RateLimit"] = f'"{kind.value}";r={max(0, left)};t={reset_s}'
    return answer
