"""Fuzzes one reader: ``python -m tests.fuzz jellyfish_mat --seconds 300 --crashes found``.

The readers are imported under instrumentation, so nothing here may import them earlier.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"

_HOT_MODULES = [f"adjudicator.rules.{name}" for name in ("board", "dice", "plays", "readings")]
"""Left without instrumentation, which would take most of the time; no input is better for its plays."""
_SECONDS_PER_INPUT = 10
_MEMORY_MB = 2_000
_MOST_BYTES = 20_000


def main() -> None:
    """Fuzz as the command line says; ends with another code than 0 where the law was broken."""
    options = _parse(sys.argv[1:])
    if options.grown is None:
        with tempfile.TemporaryDirectory() as grown:  # the fuzzer ends its process without cleaning up
            again = [sys.executable, "-m", "tests.fuzz", *sys.argv[1:], "--grown", grown]
            sys.exit(subprocess.run(again, check=False).returncode)
    _fuzz(options)


def _fuzz(options: argparse.Namespace) -> None:
    import atheris  # type: ignore[import-untyped,unused-ignore]

    with atheris.instrument_imports(["adjudicator"], _HOT_MODULES):
        from tests.fuzz.targets import TARGETS
    from tests.fuzz.mutation import mutate

    if options.target not in TARGETS:
        sys.exit(f"There is no {options.target!r} to fuzz; there are {', '.join(TARGETS)}.")
    target = TARGETS[options.target]
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_MB << 20, _MEMORY_MB << 20))

    def take(content: bytes) -> None:
        target(bytes(content))

    def change(content: bytes, most: int, seed: int) -> bytes:
        return mutate(bytes(content), most, seed, atheris.Mutate)

    for folder in (options.grown, options.crashes):
        folder.mkdir(parents=True, exist_ok=True)
    limits = [
        f"-max_total_time={options.seconds}",
        f"-timeout={_SECONDS_PER_INPUT}",
        f"-rss_limit_mb={_MEMORY_MB}",
        f"-max_len={_MOST_BYTES}",
        f"-artifact_prefix={options.crashes}/",
        "-print_final_stats=1",
    ]
    folders = map(str, [options.grown, *_seed_folders(options.target), *options.seeds])
    atheris.Setup([sys.argv[0], *limits, *folders], take, custom_mutator=change)
    atheris.Fuzz()


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", help="a format, 'detected' (the content decides) or 'archive'")
    parser.add_argument("--seconds", type=int, default=60, help="how long (default: %(default)s)")
    parser.add_argument(
        "--crashes", type=Path, required=True, help="where an input that breaks the law is written"
    )
    parser.add_argument("--grown", type=Path, help="where inputs that reach something new are kept")
    parser.add_argument("--seeds", type=Path, action="append", default=[], help="more inputs to start from")
    return parser.parse_args(arguments)


def _seed_folders(target: str) -> list[Path]:
    """The kept inputs of the target; those of every format where the content decides."""
    names = [target] if (CORPUS / target).is_dir() else []
    if target == "detected":
        names = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    return [CORPUS / name for name in names]


if __name__ == "__main__":
    main()
