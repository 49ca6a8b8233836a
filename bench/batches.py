"""Sends batches to a service of its own and prints how many members a second it takes in and adjudicates.

    python -m bench.batches [--members N] [--workers N]

The members are the example matches under ever new names, so that each is another match.
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

ROOT = Path(__file__).resolve().parents[1]
PORT = 8099
ADDRESS = f"http://127.0.0.1:{PORT}"

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


def post(content: bytes, content_type: str) -> dict[str, Any]:
    answer = requests.post(
        f"{ADDRESS}/v1/batches", data=content, headers={"Content-Type": content_type}, timeout=600
    )
    answer.raise_for_status()
    batch: dict[str, Any] = answer.json()
    return batch


def await_service() -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        try:
            if requests.get(f"{ADDRESS}/readyz", timeout=5).json()["checks"]["workers"] == "ok":
                return
        except (requests.RequestException, KeyError):
            pass
        time.sleep(0.5)
    raise SystemExit("the service does not get ready")


def await_end(batch_id: str) -> dict[str, Any]:
    while True:
        progress: dict[str, Any] = requests.get(f"{ADDRESS}/v1/batches/{batch_id}", timeout=60).json()
        if progress["status"] == "done":
            return progress
        time.sleep(0.5)


def measure(count: int) -> None:
    kinds: dict[str, tuple[Callable[[Files], bytes], str]] = {
        "zip": (zipped, "application/zip"),
        "tar.gz": (tarred, "application/gzip"),
    }
    for part, (kind, (pack, content_type)) in enumerate(kinds.items()):
        files = members(count, part)
        content = pack(files)
        began = time.monotonic()
        batch = post(content, content_type)
        taken = time.monotonic()
        size = sum(len(each) for _, each in files)
        rate = count / (taken - began)
        print(f"{kind}: {count} members of {size / count / 1000:.1f} KB: {rate:.0f}/s taken in")
        progress = await_end(batch["id"])
        print(f"{kind}: {count / (time.monotonic() - taken):.1f}/s adjudicated; {progress['counts']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--members", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ADJUDICATOR_DATA_DIR": folder, "ADJUDICATOR_LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "adjudicator.cli", "serve", "--port", str(PORT)]
        command += ["--workers", str(chosen.workers)]
        with subprocess.Popen(command, env=environment) as service:
            try:
                await_service()
                measure(chosen.members)
            finally:
                service.terminate()


if __name__ == "__main__":
    main()
