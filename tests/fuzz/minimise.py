"""Keeps of what fuzzing found the few small inputs that reach something new.

``python -m tests.fuzz.minimise FORMAT FOLDER``: the smallest inputs first, each kept beside the seeds if it
runs a line of the readers that none before it ran.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias

import adjudicator
from tests.fuzz.targets import TARGETS, Target

CORPUS = Path(__file__).parent / "corpus"
MOST_BYTES = 1_000
"""A larger input is not kept: the whole corpus stays small."""

_PACKAGES = ("logs", "notation", "rules")
_MODULES = tuple(f"adjudicator.{name}." for name in _PACKAGES)
_READERS = tuple(str(Path(adjudicator.__file__).parent / name) for name in _PACKAGES)
_Lines: TypeAlias = set[tuple[CodeType, int]]


def lines_run(target: Target, content: bytes) -> _Lines:
    """The lines of readers and replay that an input runs."""
    lines: _Lines = set()
    traced: dict[CodeType, bool] = {}

    def trace(frame: FrameType, event: str, _argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code not in traced:
            traced[code] = code.co_filename.startswith(_READERS)
        if not traced[code]:
            return None
        if event == "line":
            lines.add((code, frame.f_lineno))
        return trace

    _forget()
    sys.settrace(trace)
    try:
        target(content)
    finally:
        sys.settrace(None)
    return lines


def _forget() -> None:
    """Empty all caches: what a line was remembered for, it would not run for again."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_MODULES):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def worth_keeping(target: Target, seeds: Iterable[bytes], found: Iterable[bytes]) -> list[bytes]:
    """The found inputs that run lines which no seed and no smaller one of them runs."""
    reached: _Lines = set()
    for content in seeds:
        reached |= lines_run(target, content)
    kept = []
    for content in sorted(set(found), key=lambda content: (len(content), content)):
        lines = lines_run(target, content)
        if not lines <= reached:
            reached |= lines
            kept.append(content)
    return kept


def main(name: str, folder: str) -> None:
    """Keep in the corpus of that target what is worth it of the inputs in the folder."""
    corpus = CORPUS / name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = [path.read_bytes() for path in sorted(corpus.iterdir())]
    found = [path.read_bytes() for path in Path(folder).iterdir() if path.stat().st_size <= MOST_BYTES]
    for content in worth_keeping(TARGETS[name], seeds, found):
        (corpus / f"found-{hashlib.sha256(content).hexdigest()[:12]}").write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
