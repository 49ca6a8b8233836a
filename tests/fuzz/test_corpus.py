"""The kept inputs of fuzzing, put through what is fuzzed, without a fuzzer: the law holds for each."""

import random
from pathlib import Path

import pytest

from adjudicator.logs.reading import FORMATS
from tests.fuzz.minimise import lines_run, worth_keeping
from tests.fuzz.mutation import mutate
from tests.fuzz.seeds import CORPUS, WRITERS, played_logs, seeds
from tests.fuzz.targets import ARCHIVE, DETECTED, TARGETS

KEPT = sorted(path for path in CORPUS.rglob("*") if path.is_file())
MOST_BYTES_IN_ALL = 200_000

each_kept = pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")


@each_kept
def test_a_kept_input_is_a_log_or_an_error_of_ours(path: Path) -> None:
    content = path.read_bytes()
    TARGETS[path.parent.name](content)
    TARGETS[DETECTED](content)
    TARGETS[ARCHIVE](content)


def test_the_corpus_stays_small() -> None:
    assert sum(path.stat().st_size for path in KEPT) < MOST_BYTES_IN_ALL


def test_every_format_has_seeds_of_its_own() -> None:
    assert set(WRITERS) == set(FORMATS)
    assert {path.parent.name for path in KEPT} == {*FORMATS, ARCHIVE}


def test_every_seed_can_be_read() -> None:
    kept = {(path.parent.name, path.name) for path in KEPT}
    for target, name, content in seeds():
        assert TARGETS[target](content)
        assert (target, name) in kept


def test_a_target_tells_whether_anything_could_be_read() -> None:
    assert not any(target(b"GIF89a\0") for target in TARGETS.values())


@pytest.mark.parametrize("target", [*FORMATS, ARCHIVE])
def test_a_mutation_changes_something_and_keeps_to_the_length(target: str) -> None:
    """The law holds for what comes of it, too: a small fuzz without guidance."""

    def flip(content: bytes, most: int) -> bytes:
        return (bytes([content[0] ^ 1]) + content[1:])[:most] if content else b"?"

    contents = [path.read_bytes() for path in KEPT if path.parent.name == target]
    chance = random.Random(target)
    changed = 0
    for seed in range(60):
        before = chance.choice(contents)
        after = mutate(before, 2 * len(before), seed, flip)
        assert 0 < len(after) <= 2 * len(before)
        TARGETS[target](after)
        changed += after != before
    assert changed > 40


def test_what_reaches_nothing_new_is_not_kept() -> None:
    target = TARGETS["jellyfish_mat"]
    (_, log), *_ = played_logs()
    seed = WRITERS["jellyfish_mat"]["mat"](log)
    beaver = seed + b"  9)  Beavers\n"
    assert lines_run(target, seed)
    assert worth_keeping(target, [seed], [seed, seed[:-1]]) == []
    assert worth_keeping(target, [b"7 point match"], [seed, beaver, seed])[0] == seed
