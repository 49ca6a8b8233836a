"""The engines that are known: those of this project, and those of other packages."""

from adjudicator.engines import gnubg, gnubg_nn, sage, wildbg
from adjudicator.engines.description import EngineDescription, EngineSetting
from adjudicator.engines.plugins import load_plugins
from adjudicator.engines.questions import PLIES, VARIANT_NAMES

DEPTH = EngineSetting("plies", "how many rolls it looks ahead", 0, PLIES)

GNUBG_NN = EngineDescription(
    name=gnubg_nn.NAME,
    title="GNU Backgammon's neural networks",
    licence="GPL-3.0-or-later",
    factory="adjudicator.engines.gnubg_nn:GnubgNnEngine",
    identify=gnubg_nn.identity,
    settings=(DEPTH,),
    variants=VARIANT_NAMES,
)

GNUBG = EngineDescription(
    name=gnubg.NAME,
    title="The GNU Backgammon program",
    licence="GPL-3.0-or-later",
    factory="adjudicator.engines.gnubg:GnubgEngine",
    identify=gnubg.identity,
    settings=(
        DEPTH,
        EngineSetting("program", "the program, a path or a name; empty: gnubg", ""),
    ),
    variants=VARIANT_NAMES,
)

SAGE = EngineDescription(
    name=sage.NAME,
    title="Open Sage",
    licence="MPL-2.0",
    factory="adjudicator.engines.sage:SageEngine",
    identify=sage.identity,
    settings=(DEPTH,),
    variants=VARIANT_NAMES,
)

WILDBG = EngineDescription(
    name=wildbg.NAME,
    title="wildbg, or a server that speaks its interface",
    licence="MIT OR Apache-2.0",
    factory="adjudicator.engines.wildbg:WildbgEngine",
    identify=wildbg.identity,
    settings=(EngineSetting("url", "the address of the server", ""),),
    variants=VARIANT_NAMES,
)


def engine_descriptions(reserved: tuple[str, ...] = ()) -> dict[str, EngineDescription]:
    """All engines that run in a process of their own, by name; other packages' stand last.

    ``reserved`` are names of engines of another kind, which no other package may take.
    """
    own = {description.name: description for description in (GNUBG_NN, GNUBG, SAGE, WILDBG)}
    return own | load_plugins({*own, *reserved})
