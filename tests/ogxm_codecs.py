"""The OGXM codecs of others: GammonView's, and the reference codec, which is for Linux only.

Both come without types, hence the imports by name.
"""

import importlib
import sys
from typing import Any

import pytest

HAS_REFERENCE = sys.platform == "linux"
needs_reference = pytest.mark.skipif(not HAS_REFERENCE, reason="the reference codec is for Linux only")


def write_gvab(document: Any) -> bytes:
    """The document as a file of version 2, by GammonView."""
    return bytes(importlib.import_module("gvformat").write_gvab(document))


def write_gvab1(document: Any) -> bytes:
    """The document as a file of version 1, by GammonView."""
    return bytes(importlib.import_module("gvformat.binary").write_gvab_v1(document))


def reference() -> Any:
    """The reference codec."""
    return importlib.import_module("ogxm")


def reference_signing() -> Any:
    """What the reference codec says is to be signed."""
    return importlib.import_module("ogxm.signature")
