"""The same match in several formats is the same match: rolls, cube, plays, results, and the adjudication.

The files were written by other programs (the servers' .mat, eXtreme Gammon, BGBlitz, GammonView) from one and
the same match each.
"""

from functools import cache
from typing import Any

import pytest

from adjudicator.engines.gnubg_nn import PACKAGE, GnubgNnEngine
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import Position
from adjudicator.rules.record import CubeRecord, GameRecord
from adjudicator.rules.replay import ReplayedGame, replay
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import scores_of_games, terms_of_games
from tests.opinions import result_of
from tests.shared_data import IS_HERE, ROOT, needs_shared_data

Json = dict[str, Any]

FOLDER = ROOT / "matches" / "gammonview"
SETS = sorted({path.stem for path in FOLDER.glob("gv-*.mat")}) if IS_HERE else []
PAIRS = [
    (name, suffix)
    for name in SETS
    for suffix in ("xg", "bgf", "gvab")
    if (FOLDER / f"{name}.{suffix}").exists()
]

UNPLAYABLE = {("gv-3", 1): 18, ("gv-6", 12): 19}
"""Games in which a play takes more pips than the dice, and its turn: only an .xg says what it came to."""
NOT_CUT = {("gv-2", "bgf", 7)}
"""Games whose value this format alone does not cut to the points that were still needed."""

pytestmark = needs_shared_data


@cache
def content_of(name: str, suffix: str) -> bytes:
    return (FOLDER / f"{name}.{suffix}").read_bytes()


@cache
def log_of(name: str, suffix: str) -> MatchLog:
    return read_log(content_of(name, suffix))


@cache
def replayed_of(name: str, suffix: str) -> list[ReplayedGame]:
    log = log_of(name, suffix)
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    return [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]


def seats(name: str, suffix: str) -> dict[Side, Side]:
    """The side in the .mat of each side of this file, told by the name of the player."""
    mat, log = log_of(name, "mat"), log_of(name, suffix)
    by_name = {plain(mat.player(side)): side for side in Side}
    assert len(by_name) == 2
    return {side: by_name[plain(log.player(side))] for side in Side}


def plain(name: str) -> str:
    """BGBlitz writes underscores for blanks."""
    return name.replace("_", " ")


def rolls(game: GameRecord, seat: dict[Side, Side]) -> list[tuple[Side, list[int]]]:
    return [(seat[roll.side], sorted(roll.dice)) for roll in game.rolls]


def cube_actions(game: GameRecord, seat: dict[Side, Side]) -> list[tuple[Side, str]]:
    return [
        (seat[action.side], action.action.value) for action in game.actions if isinstance(action, CubeRecord)
    ]


def positions(game: ReplayedGame) -> list[Position]:
    """After every turn, seen by who played it."""
    return [turn.after for turn in game.turns]


SAME_SEATS = {side: side for side in Side}


def test_the_sets_are_those_known() -> None:
    assert len(SETS) == 7
    assert len(PAIRS) == 19


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_head_and_scores_are_the_same(name: str, suffix: str) -> None:
    mat, log, seat = log_of(name, "mat"), log_of(name, suffix), seats(name, suffix)
    assert log.match_length == mat.match_length
    assert (log.variant, log.crawford, log.jacoby) == (mat.variant, mat.crawford, mat.jacoby)
    assert [game.number for game in log.games] == [game.number for game in mat.games]
    assert [{seat[side]: score.of(side) for side in Side} for score in scores_of_games(log.games)] == [
        {side: score.of(side) for side in Side} for score in scores_of_games(mat.games)
    ]


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_rolls_cube_actions_and_results_are_the_same(name: str, suffix: str) -> None:
    seat = seats(name, suffix)
    for mat, game in zip(log_of(name, "mat").games, log_of(name, suffix).games, strict=True):
        assert rolls(game, seat) == rolls(mat, SAME_SEATS)
        assert cube_actions(game, seat) == cube_actions(mat, SAME_SEATS)
        assert mat.result is not None
        assert game.result is not None
        assert game.result.points is not None
        assert mat.result.points is not None
        assert seat[game.result.winner] is mat.result.winner
        if (name, suffix, game.number) in NOT_CUT:
            assert game.result.points > mat.result.points
        else:
            assert game.result.points == mat.result.points
        assert game.broken is None


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_every_play_leads_to_the_same_position(name: str, suffix: str) -> None:
    for mat, game in zip(replayed_of(name, "mat"), replayed_of(name, suffix), strict=True):
        known = UNPLAYABLE.get((name, game.record.number))
        if known is None:
            assert positions(game) == positions(mat)
            assert game.broken is None
        else:
            assert len(mat.turns) == known - 1
            assert positions(game)[: known - 1] == positions(mat)
            assert (len(game.turns) == len(game.record.rolls)) is (suffix == "xg")
            assert (game.broken is None) is (suffix == "xg")


@pytest.mark.parametrize("name", SETS)
def test_the_actions_of_an_xg_bring_about_its_results(name: str) -> None:
    """By the last checker, a drop or a resignation, whatever stood illegally before."""
    for game in replayed_of(name, "xg"):
        result = game.record.result
        assert result is not None
        assert game.winner is result.winner


@pytest.fixture(scope="module")
def engine() -> GnubgNnEngine | ScriptedEngine:
    return GnubgNnEngine() if PACKAGE.is_installed() else ScriptedEngine()


@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_the_adjudication_is_the_same(name: str, suffix: str, engine: GnubgNnEngine | ScriptedEngine) -> None:
    seat = {side.label: other.label for side, other in seats(name, suffix).items()}
    expected = result_of(content_of(name, "mat"), engine=engine)
    found = result_of(content_of(name, suffix), engine=engine)
    for mat, game in zip(expected["games"], found["games"], strict=True):
        if (name, mat["game"]) in UNPLAYABLE and suffix == "xg":
            assert (mat["status"], game["status"]) == ("unreadable", "played_out")
            continue
        same = {side.label: side.label for side in Side}
        about = (told(game, seat), told(mat, same))
        if (name, suffix, mat["game"]) in NOT_CUT:
            assert [facts.pop("points_changed") for facts in about] == [True, False]
        assert about[0] == about[1]


def told(game: Json, seat: dict[str, str]) -> Json:
    """What a result says of a game, the sides as in the .mat."""
    adjudicated = game["adjudicated"]
    facts = {key: game[key] for key in ("game", "status", "clause", "rolls", "changed", "points_changed")}
    facts["adjudicated"] = adjudicated and (seat[adjudicated["winner"]], adjudicated["points"])
    if playout := game.get("playout"):
        facts["start"] = (playout["roll_number"], seat[playout["start"]["side"]], playout["start"]["turn"])
        facts["turns"] = [
            (seat[turn["side"]], turn["series_roll"], sorted(turn["dice"]), turn["play"])
            for turn in playout["turns"]
        ]
    return facts
