"""GNU Backgammon as a peer: the .sgf it makes of a clean log tells the same match as the log.

It is no judge of legality, since it repairs silently what it imports: only clean logs are compared.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import AdjudicatorError
from adjudicator.logs.mat.writer import format_mat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.dice import Dice
from adjudicator.rules.replay import ReplayedGame, replay
from adjudicator.rules.terms import terms_of_games
from adjudicator.service.self_play import Habits, simulate_match
from tests.foreign_logs import format_oldmoves
from tests.shared_data import ROOT, needs_shared_data

GNUBG = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="the program gnubg is not installed")

LIMIT_S = 120


def _sgf_of(content: bytes, folder: Path, importer: str = "mat") -> bytes | None:
    """What GNU Backgammon saves of a log, in a home of its own; ``None`` where it dies of it, as it may."""
    (folder / "a.log").write_bytes(content)
    (folder / "a.sgf").unlink(missing_ok=True)
    commands = (
        "set confirm new off",
        "set confirm save off",
        f'import {importer} "{folder / "a.log"}"',
        f'save match "{folder / "a.sgf"}"',
    )
    (folder / "commands").write_text("\n".join(commands) + "\n")
    subprocess.run(
        [str(GNUBG), "-t", "-q", "-c", str(folder / "commands")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(folder), "LC_ALL": "C"},
        timeout=LIMIT_S,
        check=False,
    )
    saved = folder / "a.sgf"
    return saved.read_bytes() if saved.is_file() else None


def _replayed(log: MatchLog) -> list[ReplayedGame]:
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    return [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]


def _is_clean(game: ReplayedGame) -> bool:
    """Whether there is nothing to say of a game, and it ends by what is written with the points written."""
    result = game.record.result
    if game.record.broken or game.record.remarks or game.remarks or result is None:
        return False
    return (game.winner, game.points) == (result.winner, result.points)


def _facts(game: ReplayedGame) -> list[object]:
    """Score, result and end of a game, and who rolled what and where it led."""
    result = game.record.result
    return [
        game.record.score,
        None if result is None else (result.winner, result.points),
        game.ending,
        *((turn.side, Dice(turn.dice.high, turn.dice.low), turn.after) for turn in game.turns),
    ]


def _match(seed: int) -> MatchLog:
    habits = Habits(resigns_below=0.1)
    return simulate_match(ScriptedEngine(), match_length=5, seed=seed, white="Ann", black="Bo", habits=habits)


@needs_gnubg
@pytest.mark.parametrize("seed", range(6))
def test_the_sgf_of_a_match_of_our_own_tells_the_same_match(tmp_path: Path, seed: int) -> None:
    log = _match(seed)
    saved = _sgf_of(format_mat(log).encode(), tmp_path)
    assert saved is not None
    read = read_log(saved)
    assert (read.format, read.match_length, read.white, read.black) == ("gnubg_sgf", 5, "Ann", "Bo")
    assert [_facts(game) for game in _replayed(read)] == [_facts(game) for game in _replayed(log)]


@needs_gnubg
@pytest.mark.parametrize("seed", range(6))
def test_a_list_of_moves_tells_gnubg_the_same_rolls_and_positions(tmp_path: Path, seed: int) -> None:
    content = format_oldmoves(_match(seed)).encode()
    saved = _sgf_of(content, tmp_path, importer="oldmoves")
    assert saved is not None
    ours, peers = (list(map(_facts, _replayed(read_log(log)))) for log in (content, saved))
    assert [game[3:] for game in ours] == [game[3:] for game in peers]
    assert [game[0] for game in ours] == [game[0] for game in peers]


@pytest.mark.slow
@needs_gnubg
@needs_shared_data
def test_the_sgf_of_a_log_tells_the_same_of_every_clean_game(tmp_path: Path) -> None:
    differing, compared = [], 0
    for path in sorted((ROOT / "matches").glob("*/*.mat")):
        content = path.read_bytes()
        games = _read_games(content)
        saved = _sgf_of(content, tmp_path) if any(map(_is_clean, games)) else None
        if saved is None:
            continue
        peers = {game.record.number: game for game in _replayed(read_log(saved))}
        for game in filter(_is_clean, games):
            compared += 1
            if _facts(peers[game.record.number]) != _facts(game):
                differing.append((path.stem, game.record.number))
    assert differing == []
    assert compared >= 200


def _read_games(content: bytes) -> list[ReplayedGame]:
    """The games of a log, none if it cannot be read."""
    try:
        return _replayed(read_log(content))
    except AdjudicatorError:
        return []
