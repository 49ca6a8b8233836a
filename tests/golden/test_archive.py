"""The archive of 854 matches: all adjudicate, every result verifies, and what is altered in one is found.

By default every 25th match is taken; ``ADJUDICATOR_ARCHIVE=all`` takes all of them (``bench/archive.py``
measures them).
"""

import copy
import os
import random
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.verification import verify
from adjudicator.logs.reading import read_log
from tests.opinions import EvenEstimator, PipEngine, result_of, sha256_of
from tests.shared_data import IS_HERE, ROOT, needs_shared_data

Json = dict[str, Any]
Path = tuple[str | int, ...]

ARCHIVE = ROOT / "archive" / "galaxy.zip"
EVERY = 1 if os.environ.get("ADJUDICATOR_ARCHIVE") == "all" else 25

pytestmark = needs_shared_data


def names_in_archive() -> list[str]:
    if not IS_HERE:
        return []
    with zipfile.ZipFile(ARCHIVE) as archive:
        return sorted(name for name in archive.namelist() if name.endswith(".mat"))


NAMES = names_in_archive()


def content_of(name: str) -> bytes:
    with zipfile.ZipFile(ARCHIVE) as archive:
        return archive.read(name)


def complaints(result: Json, content: bytes, engine: Engine | None = None) -> list[str]:
    return verify(
        result,
        read_log(content),
        record_sha256=sha256_of(content),
        estimator=EvenEstimator(),
        engines=[] if engine is None else [engine],
    )


def test_the_archive_is_the_854_matches_known() -> None:
    assert len(NAMES) == 854


@pytest.mark.parametrize("name", NAMES[::EVERY])
def test_a_match_of_the_archive_adjudicates_and_its_result_verifies(name: str) -> None:
    content = content_of(name)
    result = result_of(content, engine=PipEngine())
    assert result["games"]
    assert complaints(result, content) == []


@pytest.mark.parametrize("name", NAMES[:: 5 * EVERY])
def test_the_same_record_gives_the_same_result(name: str) -> None:
    content = content_of(name)
    assert result_of(content, engine=PipEngine()) == result_of(content, engine=PipEngine())


# What was altered

GIVEN = re.compile(
    r"id|match\.id|engine\.(name|version)|engine\.settings\.(?!tie_break).*|ruleset\.indifference"
)
"""Leaves that say what the result was made for or by: others would be another result, not a wrong one."""

JUDGED = re.compile(r"games\.playout\.turns\.candidates\.equity")
"""Leaves that only the engine itself can confirm."""


def leaves_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value in the result that is no object or list, empty ones included, with its path."""
    items: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    if not items or not value:
        yield path, value
    for key, inner in items:
        yield from leaves_of(inner, (*path, key))


def shape_of(path: Path) -> str:
    """The path without places in lists."""
    return ".".join(key for key in path if isinstance(key, str))


def altered(leaf: Any) -> Any:
    """Another value that such a leaf could have."""
    others = {"white": "black", "black": "white", "single": "gammon", "gammon": "single", "13/7": "13/8"}
    if isinstance(leaf, bool) or leaf is None:
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + 1
    if isinstance(leaf, str):
        return others.get(leaf, leaf[:-1] + ("A" if leaf[-1:] != "A" else "B"))
    return [1] if leaf == [] else {"1": 1}


def with_leaf(result: Json, path: Path, leaf: Any) -> Json:
    changed: Any = copy.deepcopy(result)
    target = changed
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = leaf
    assert changed != result
    return changed  # type: ignore[no-any-return]


def one_of_each_shape(result: Json, chance: random.Random) -> dict[str, tuple[Path, Any]]:
    leaves = list(leaves_of(result))
    chance.shuffle(leaves)
    return {shape_of(path): (path, leaf) for path, leaf in leaves}


TAMPERED = ["2024/galaxy-0001.mat", "2024/galaxy-0105.mat"]


@pytest.fixture(scope="module", params=TAMPERED)
def honest(request: pytest.FixtureRequest) -> tuple[bytes, Json]:
    content = content_of(request.param)
    return content, result_of(content, engine=PipEngine())


def test_whatever_leaf_of_a_result_is_altered_is_found(honest: tuple[bytes, Json]) -> None:
    content, result = honest
    leaves = one_of_each_shape(result, random.Random(5))
    assert len(leaves) > 60
    for shape, (path, leaf) in leaves.items():
        if not GIVEN.fullmatch(shape) and not JUDGED.fullmatch(shape):
            assert complaints(with_leaf(result, path, altered(leaf)), content), path


def test_an_altered_opinion_of_the_engine_is_found_where_the_engine_is_asked_again(
    honest: tuple[bytes, Json],
) -> None:
    content, result = honest
    opinions = [(path, leaf) for path, leaf in leaves_of(result) if JUDGED.fullmatch(shape_of(path))]
    assert opinions
    for path, leaf in random.Random(6).sample(opinions, 5):
        assert complaints(with_leaf(result, path, leaf + 0.00001), content, PipEngine()), path


def test_a_leaf_that_is_missing_or_does_not_belong_there_is_found(honest: tuple[bytes, Json]) -> None:
    content, result = honest
    for key in result:
        assert complaints({name: value for name, value in result.items() if name != key}, content), key
    assert complaints({**result, "extra": 1}, content)
    games: list[Json] = result["games"]
    assert complaints({**result, "games": games[:-1]}, content)
    assert complaints({**result, "games": [*games, games[0]]}, content)


def test_candidates_in_another_order_are_found(honest: tuple[bytes, Json]) -> None:
    content, result = honest
    paths = {path[:-2] for path, _ in leaves_of(result) if "candidates" in path and len(path) >= 3}
    lists = [path for path in paths if path[-1] == "candidates"]
    assert lists
    for path in lists[:3]:
        changed: Any = copy.deepcopy(result)
        target = changed
        for key in path:
            target = target[key]
        target.reverse()
        assert complaints(changed, content), path


def test_the_result_of_one_record_is_not_that_of_another(honest: tuple[bytes, Json]) -> None:
    _, result = honest
    assert complaints(result, content_of(NAMES[1]))
    assert "match.sha256" in " ".join(complaints(result, content_of(NAMES[1])))
