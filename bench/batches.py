"""Sends batches to a service of its own and prints how many members a second it takes in and adjudicates.

    python -m bench.batches [--members N] [--workers N]

The members are the example matches under ever new names, so that each is another match.
"""

import argparse
import io
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adjudicator.cli.demo import running_service
from adjudicator.client import Client

ROOT = Path(__file__).resolve().parents[1]

Files = list[tuple[str, bytes]]


def members(count: int, part: int) -> Files:
    examples = [path.read_bytes() for path in sorted((ROOT / "examples").glob("match-*.mat"))]
    return [
        (f"{number}.mat", f'; [Site "{part}-{number}"]\n'.encode() + examples[number % len(examples)])
        for number in range(count)
    ]


def zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files: Files) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def await_end(client: Client, batch_id: str) -> dict[str, Any]:
    while (progress := client.batch(batch_id))["status"] != "done":
        time.sleep(0.5)
    return progress


def measure(client: Client, count: int) -> None:
    kinds: dict[str, tuple[Callable[[Files], bytes], str]] = {
        "zip": (zipped, "application/zip"),
        "tar.gz": (tarred, "application/gzip"),
    }
    for part, (kind, (pack, content_type)) in enumerate(kinds.items()):
        files = members(count, part)
        content = pack(files)
        began = time.monotonic()
        batch = client.submit_batch(content, media_type=content_type)
        taken = time.monotonic()
        size = sum(len(each) for _, each in files)
        rate = count / (taken - began)
        print(f"{kind}: {count} members of {size / count / 1000:.1f} KB: {rate:.0f}/s taken in")
        progress = await_end(client, batch["id"])
        print(f"{kind}: {count / (time.monotonic() - taken):.1f}/s adjudicated; {progress['counts']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--members", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    with running_service(workers=chosen.workers, rate_limit="off", log_level="warning") as service:
        measure(Client(service.client.address, key=service.key, answer_s=600.0), chosen.members)


if __name__ == "__main__":
    main()
