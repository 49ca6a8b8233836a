import dataclasses
import pkgutil
import re
from pathlib import Path

import pytest

from adjudicator.bootstrap import open_offer
from adjudicator.config import Settings
from adjudicator.engines import gnubg_nn
from adjudicator.engines.description import EngineDescription, EngineSetting
from adjudicator.engines.host import EngineHost
from adjudicator.engines.registry import GNUBG_NN, engine_descriptions
from adjudicator.errors import EngineUnavailableError, RequestError
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.variants import VARIANTS
from tests.engines_here import needs_gnubg_nn


def _missing(**settings: object) -> EngineIdentity:
    raise EngineUnavailableError("Put the program in the PATH.")


MISSING = EngineDescription("other", "Another engine", "MIT", "nowhere:Engine", _missing)


@pytest.mark.parametrize("name", engine_descriptions())
def test_every_engine_is_described(name: str) -> None:
    described = engine_descriptions()[name]
    assert described.title
    assert described.licence
    assert set(described.variants) <= set(VARIANTS)


@pytest.mark.parametrize("name", engine_descriptions())
def test_every_default_is_among_the_choices(name: str) -> None:
    for setting in engine_descriptions()[name].settings:
        assert setting.complaint(setting.default) is None


@pytest.mark.parametrize("name", engine_descriptions())
def test_the_factory_of_every_engine_is_there(name: str) -> None:
    assert callable(pkgutil.resolve_name(engine_descriptions()[name].factory))


def test_every_engine_that_is_offered_is_explained_with_its_licence() -> None:
    page = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([a-z-]+)`[^|]* \|[^|]*\| ([^|]+) \|", page, re.MULTILINE))
    offer = open_offer(Settings())
    assert told == {name: offered.licence for name, offered in offer.engines.items()}
    assert [name for name in offer.engines if f"\n### {name}\n" not in page] == []


def test_the_default_engine_looks_no_roll_ahead() -> None:
    assert engine_descriptions()[Settings().engine].complete({}) == {"plies": 0}


def test_an_engine_that_cannot_run_here_can_be_opened_and_says_so_when_asked() -> None:
    engine = MISSING.open()
    with pytest.raises(EngineUnavailableError, match="Put the program in the PATH"):
        _ = engine.identity


@pytest.mark.parametrize(
    ("settings", "faults"),
    [
        ({"plies": 3}, ["option plies: 3 is none of 0, 1, 2"]),
        ({"plies": "0"}, ["option plies: '0' is none of 0, 1, 2"]),
        ({"plies": False}, ["option plies: False is none of 0, 1, 2"]),
        ({"noise": 1}, ["option noise: gnubg-nn has no such setting; known: plies"]),
        (
            {"plies": -1, "noise": 1},
            [
                "option plies: -1 is none of 0, 1, 2",
                "option noise: gnubg-nn has no such setting; known: plies",
            ],
        ),
    ],
)
def test_wrong_settings_are_all_named_at_once(
    settings: dict[str, int | float | str], faults: list[str]
) -> None:
    with pytest.raises(RequestError) as caught:
        GNUBG_NN.open(settings)
    assert [str(fault) for fault in caught.value.faults] == faults


def test_settings_reach_the_identity() -> None:
    setting = EngineSetting("depth", "how deep", 1, (1, 2))
    description = dataclasses.replace(
        MISSING, settings=(setting,), identify=lambda depth: EngineIdentity("other", "5", {"depth": depth})
    )
    assert description.open({"depth": 2}).identity.settings == {"depth": 2}
    assert description.open().identity.settings == {"depth": 1}


@needs_gnubg_nn
def test_an_opened_engine_is_not_started() -> None:
    engine = GNUBG_NN.open()
    assert isinstance(engine, EngineHost)
    assert engine.identity == gnubg_nn.identity(0)
    assert engine.process_id is None
