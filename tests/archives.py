"""Archives made for tests."""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterable

from tests.contract.records import match_record

Files = Iterable[tuple[str, bytes]]


def zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files: Files, mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def numbered_record(number: int) -> bytes:
    """One game that is played out and changes the winner; every number another match."""
    return json.dumps(
        match_record(players={"white": {"name": f"Ann {number}"}, "black": {"name": "Bea"}})
    ).encode()


def numbered_files(count: int) -> list[tuple[str, bytes]]:
    return [(f"{number}.json", numbered_record(number)) for number in range(1, count + 1)]


def record_lines(count: int) -> bytes:
    return b"".join(content + b"\n" for _, content in numbered_files(count))
