"""Writes the inputs that fuzzing starts from, each by a writer of our own: ``python -m tests.fuzz.seeds``.

What fuzzing found besides lies beside them, kept by ``tests.fuzz.minimise``.
"""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.logs import conversion
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.variants import VARIANTS
from adjudicator.service.self_play import Habits, simulate_match
from tests.bgf_writer import bgf_bytes
from tests.foreign_logs import format_bgammon, format_fibs, format_oldmoves, format_sgf
from tests.ogxm_codecs import write_gvab, write_gvab1
from tests.ogxm_writer import ogxm_document
from tests.xg_writer import xg_bytes

CORPUS = Path(__file__).parent / "corpus"
_SHORT = Habits(resigns_below=0.1, patience_rolls=8)
"""A game of eight rolls: an input is changed the better the smaller it is."""
_DOUBLING = replace(_SHORT, doubles_from=-1.0, takes_up_to=0.01)
"""Everybody doubles at once, and half of it is taken."""

_AGREED = b"0;0;0;0;0;b;a;0;0;0;1;0;0;2;-2;0;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;0;2;0;0;"
_ODD_MAT = b"""\xef\xbb\xbf; [Site "Example"]
; [Variation "Nackgammon"]
; [Jacoby "On"]

 0 point match

 Game 1
 a : b : 0                         1,1666 : 0
  1) 31: 8/5 6/5                   12: Illegal play (AGREED)
  2) 64: bar/21* 24/18(2)          11:
  3)  Redoubles to 4                Beavers
  4) 21: ????                      00: ????
      Losses 2 points                 Wins 2 points and the match

Game 2
 a : b : 0                         1,1666 : 2
\t1) 66: Cannot Move\t\t\t52: Concedes   1)  Passes   Wins 4016 point
 2)
"""
"""Words and forms that our own writer does not use."""


def played_logs() -> Iterator[tuple[str, MatchLog]]:
    """A short game of every variant, and a match with a cube, by name."""
    for variant in VARIANTS.values():
        engine = ScriptedEngine(checkers_per_side=variant.checkers_per_side)
        yield variant.name, simulate_match(engine, match_length=1, seed=4, variant=variant, habits=_SHORT)
    yield "cube", simulate_match(ScriptedEngine(), match_length=3, seed=1, habits=_DOUBLING)


WRITERS: Mapping[str, Mapping[str, Callable[[MatchLog], bytes]]] = {
    "jellyfish_mat": {"mat": conversion.TARGETS["mat"].write},
    "match_record": {"json": conversion.TARGETS["json"].write},
    "gnubg_sgf": {"sgf": lambda log: format_sgf(log).encode()},
    "bgammon_match": {"match": lambda log: format_bgammon(log).encode()},
    "fibs": {
        "live": lambda log: format_fibs(log).encode(),
        "oldmoves": lambda log: format_oldmoves(log).encode(),
    },
    "xg": {"xg": xg_bytes, "bare.xg": lambda log: xg_bytes(log, directory=False)},
    "bgf": {"bgf": bgf_bytes, "plain.bgf": lambda log: bgf_bytes(log, compress=False, use_smile=False)},
    "ogxm": {
        "gva": lambda log: json.dumps(ogxm_document(log)).encode(),
        "gvab": lambda log: write_gvab(ogxm_document(log)),
        "1.gvab": lambda log: write_gvab1(ogxm_document(log)),
        "bare.gvab": lambda log: without_checksum(write_gvab(ogxm_document(log))),
        "1.bare.gvab": lambda log: without_checksum(write_gvab1(ogxm_document(log))),
    },
}
"""How the seeds of each format are written, by suffix.

The bare ones have no checksum, which no mutation would ever keep right.
"""


def seeds() -> Iterator[tuple[str, str, bytes]]:
    """Target, name and content of every seed."""
    members: dict[str, bytes] = {}
    for target, writers in WRITERS.items():
        for (suffix, write), (name, log) in product(writers.items(), played_logs()):
            if target == "xg" and name != "cube":
                continue  # its head alone has 8 kB
            content = write(log)
            yield target, f"{name}.{suffix}", content
            members[f"{name}.{suffix}"] = content
    yield "jellyfish_mat", "odd.mat", _ODD_MAT.replace(b"AGREED", _AGREED)
    packed = {name: members[name] for name in ("backgammon.mat", "hypergammon.json")}
    yield "archive", "matches.zip", _zipped(packed)
    yield "archive", "matches.tar", _tarred(packed)
    yield "archive", "matches.tar.gz", gzip.compress(_tarred(packed), mtime=0)
    yield "archive", "match.mat.gz", gzip.compress(members["backgammon.mat"], mtime=0)
    line = members["hypergammon.json"].replace(b"\n", b" ")
    yield "archive", "matches.ndjson", line + b"\n" + line


def without_checksum(content: bytes) -> bytes:
    """An OGXM file without the section of its checksum, which comes last before the end marker."""
    is_version_1 = content[4] == 1
    bare = content[: content.rindex(b"CSUM")] + content[-8 if is_version_1 else -4 :]
    return bare[:12] + len(bare).to_bytes(4, "little") + bare[16:]


def _zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(f"2024/{name}"), content)
    return packed.getvalue()


def _tarred(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def main() -> None:
    """Write all seeds into the corpus."""
    for target, name, content in seeds():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
