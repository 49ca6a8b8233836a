"""The reference page with the policy under which a browser may show it."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import yaml
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from adjudicator.api.reference.contents import ContentsReader


class Page(NamedTuple):
    """A page of HTML, and its ``Content-Security-Policy``: its own style sheet, and nothing else at all."""

    content: bytes
    policy: str


@cache
def load_description() -> bytes:
    """The contract of this service, openapi.yaml."""
    return files("adjudicator.api").joinpath("openapi.yaml").read_bytes()


@cache
def reference_page() -> Page:
    """The page that shows openapi.yaml; made once."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment = Environment(
        loader=PackageLoader(__package__, ""), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    html = environment.get_template("page.html").render(
        contents=ContentsReader(yaml.safe_load(load_description())).read(),
        style=Markup(style),  # noqa: S704 - a file of ours
    )
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Page(html.encode(), policy)
