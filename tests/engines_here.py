"""Marks for what needs an engine: skipped, with the reason, where that engine is not installed."""

import pytest

from adjudicator.engines import gnubg, gnubg_nn, sage
from adjudicator.engines.packages import EnginePackage
from adjudicator.errors import EngineUnavailableError


def _has_program() -> bool:
    try:
        gnubg.identity()
    except EngineUnavailableError:
        return False
    return True


def _needs(package: EnginePackage) -> pytest.MarkDecorator:
    reason = f"the package {package.name} is not installed on this platform"
    return pytest.mark.skipif(not package.is_installed(), reason=reason)


needs_gnubg_nn = _needs(gnubg_nn.PACKAGE)
needs_sage = _needs(sage.PACKAGE)
needs_gnubg = pytest.mark.skipif(not _has_program(), reason="the program gnubg is not installed")
