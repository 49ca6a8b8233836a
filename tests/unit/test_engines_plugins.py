"""Packages are real ones: a module and the metadata that an installation writes, on the import path."""

import logging
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.bootstrap import open_offer
from adjudicator.config import Settings
from adjudicator.engines.description import EngineDescription
from adjudicator.engines.host import EngineHost
from adjudicator.engines.registry import engine_descriptions
from adjudicator.errors import ConfigurationError, EngineUnavailableError
from adjudicator.rules.variants import BACKGAMMON
from adjudicator.service.catalogue import list_engines

Install = Callable[..., None]

MODULE = """
from adjudicator.engines.description import EngineDescription, EngineSetting
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.happy_end.ports import EngineIdentity

class Engine(ScriptedEngine):
    @property
    def identity(self):
        return identify()

def identify(**settings):
    return EngineIdentity({name!r}, "3.1", {{}})

DESCRIPTION = EngineDescription(
    {name!r}, "Acme's engine", "MIT", "{module}:Engine", identify
)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package with one engine; ``content`` of its module may be another."""

    def install_one(package: str, name: str, content: str = MODULE, target: str = "DESCRIPTION") -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(textwrap.dedent(content).format(name=name, module=module))
        metadata = tmp_path / f"{module}-3.1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.4\nName: {package}\nVersion: 3.1\nLicense-Expression: MIT\n"
        )
        monkeypatch.delitem(sys.modules, module, raising=False)  # of another test
        (metadata / "entry_points.txt").write_text(f"[adjudicator.engines]\n{name} = {module}:{target}\n")

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # for the engine process
    return install_one


def _reason(description: EngineDescription) -> str:
    with pytest.raises(EngineUnavailableError) as caught:
        _ = description.open().identity
    return caught.value.detail


OWN = ["gnubg-nn", "gnubg", "sage", "wildbg"]


def test_an_engine_of_another_package_stands_after_ours_and_answers(install: Install) -> None:
    install("acme-one", "acme")
    descriptions = engine_descriptions()
    assert list(descriptions) == [*OWN, "acme"]
    engine = descriptions["acme"].open()
    assert isinstance(engine, EngineHost)
    assert str(engine.identity) == "acme 3.1"
    assert 0.4 < engine.evaluate([BACKGAMMON.start])[0].win < 0.6
    engine.close()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("import nowhere_to_be_found", "does not load: ModuleNotFoundError: No module named 'nowhere_to_be"),
        ("raise SystemExit(1)", "it does not load: SystemExit: 1"),
        ("1 / 0", "it does not load: ZeroDivisionError"),
        ("OTHER = 1", "it does not load: AttributeError"),
        ("DESCRIPTION = 'acme'", "is no EngineDescription but str"),
        (MODULE.replace('{name!r}, "Acme', '"other", "Acme'), "calls itself 'other', its entry point 'acme'"),
        (MODULE.replace('"MIT"', '""'), "its licence is missing"),
        (MODULE.replace('"MIT"', "None"), "its licence is missing"),
        (MODULE.replace("identify\n)", "identify, variants=('chess',))"), "games unknown here (chess)"),
        (MODULE.replace("identify\n)", "identify, variants=())"), "games unknown here (none)"),
    ],
)
def test_a_broken_package_is_named_and_stops_no_other(
    install: Install, content: str, complaint: str, caplog: pytest.LogCaptureFixture
) -> None:
    install("acme-broken", "acme", content)
    install("best-engines", "best")
    with caplog.at_level(logging.WARNING):
        descriptions = engine_descriptions()
    assert list(descriptions) == [*OWN, "acme", "best"]
    reason = _reason(descriptions["acme"])
    assert reason.startswith("The engine acme of acme-broken cannot be used: ")
    assert complaint in reason
    assert reason in caplog.text
    assert str(descriptions["best"].open().identity) == "best 3.1"
    assert descriptions["acme"].licence == "MIT"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (
            "raise RuntimeError('no licence key')",
            "acme-two does not say which build it is: RuntimeError: no lic",
        ),
        ("return None", "acme-two says that it is None"),
        ("return EngineIdentity('gnubg', '1', {{}})", "acme-two says that it is EngineIdentity(name='gnubg'"),
    ],
)
def test_an_identity_that_is_none_cannot_break_the_list(install: Install, body: str, complaint: str) -> None:
    install("acme-two", "acme", MODULE.replace('return EngineIdentity({name!r}, "3.1", {{}})', body))
    assert complaint in _reason(engine_descriptions()["acme"])
    listed = {entry["name"]: entry for entry in list_engines(open_offer(Settings()))}
    assert (listed["acme"]["available"], complaint in listed["acme"]["detail"]) == (False, True)


@pytest.mark.parametrize("name", ["gnubg-nn", "modifier"])
def test_no_package_takes_the_name_of_an_engine_of_ours(install: Install, name: str) -> None:
    install("acme-three", name)
    offer = open_offer(Settings())
    assert f"The name {name} is taken: acme-three has to give its engine another." in _reason(
        engine_descriptions(reserved=("modifier",))[f"acme-three:{name}"]
    )
    assert offer.engines[name].title != "Acme's engine"
    entries = {entry["name"]: entry["available"] for entry in list_engines(offer)}
    assert entries[f"acme-three:{name}"] is False


def test_of_two_packages_with_one_name_the_first_by_its_own_name_has_it(install: Install) -> None:
    install("best-engines", "fast")
    install("acme-four", "fast")
    descriptions = engine_descriptions()
    assert list(descriptions) == [*OWN, "fast", "best-engines:fast"]
    assert "The name fast is taken: best-engines has" in _reason(descriptions["best-engines:fast"])
    assert str(descriptions["fast"].open().identity) == "fast 3.1"


def test_a_package_that_cannot_be_set_as_the_operator_says_stops_nobody_else(install: Install) -> None:
    shallow = MODULE.replace("identify\n)", "identify, (EngineSetting('plies', 'depth', 0, (0, 1)),))")
    install("acme-five", "acme", shallow)
    listed = {entry["name"]: entry for entry in list_engines(open_offer(Settings(engine_plies=2)))}
    assert "option plies: 2 is none of 0, 1" in listed["acme"]["detail"]
    assert listed["gnubg-nn"]["plies"] == [0, 1, 2]
    with pytest.raises(ConfigurationError, match="2 is none of 0, 1"):
        open_offer(Settings(engine_plies=2, engine="acme"))
    assert open_offer(Settings(engine_plies=1)).engines["acme"].plies == (0, 1)
