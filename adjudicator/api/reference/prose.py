"""The prose of openapi.yaml, which is CommonMark."""

from markdown_it import MarkdownIt
from markupsafe import Markup

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def format_prose(text: str) -> Markup:
    """The text as HTML: no tags of its own, and nothing to be loaded.

    >>> print(format_prose("one of `/v1/engines`, <b>"), end="")
    <p>one of <code>/v1/engines</code>, &lt;b&gt;</p>
    """
    return Markup(_MARKDOWN.render(text))  # noqa: S704 - it escapes what is not its own
