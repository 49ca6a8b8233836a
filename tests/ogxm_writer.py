"""Makes the document of a match that the OGXM codecs write as a file; for tests of its reader."""

from typing import Any

from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.ogxm.match_values import DICE
from adjudicator.rules.board import BAR, Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord, RollRecord
from adjudicator.rules.sides import Side

_CODES = {CubeAction.DOUBLE: 21, CubeAction.TAKE: 22, CubeAction.DROP: 23, CubeAction.BEAVER: 32}
RESIGN_GAME, FINAL = 27, 26


def ogxm_document(log: MatchLog) -> dict[str, Any]:
    """The document (.gva), for ``gvformat.write_gvab`` and ``ogxm.json_to_binary``."""
    return {
        "match_length": log.match_length,
        "player_white": log.white,
        "player_black": log.black,
        "crawford": log.crawford,
        "jacoby": log.jacoby,
        "event": log.metadata.get("event"),
        "variant": ["backgammon", "nackgammon", "hypergammon"].index(log.variant.name),
        "games": [_game(game, index, len(log.games)) for index, game in enumerate(log.games)],
    }


def board_of(position: Position) -> list[int]:
    """The board of the file: white's points from the far end, its bar 0, black's bar 25."""
    return [
        (position.own[BAR - point] if point < BAR else 0) - (position.opponent[point] if point else 0)
        for point in range(BAR + 1)
    ]


def color(side: Side) -> int:
    """The number of a side in an entry."""
    return 1 if side is Side.WHITE else 0


def _game(game: GameRecord, index: int, count: int) -> dict[str, Any]:
    result = game.result
    raw: dict[str, Any] = {
        "game_index": index,
        "winner": 255 if result is None else int(result.winner),
        "points_won": 0 if result is None else result.points,
        "is_crawford": bool(game.crawford),
        "is_lastgame": index == count - 1,
        "plies": [entry(action) for action in game.actions],
    }
    return raw if game.start is None else raw | {"initial_board": board_of(game.start)}


def entry(action: Action) -> dict[str, Any]:
    """One entry of `plies`."""
    raw: dict[str, Any] = {"color": color(action.side)}
    if isinstance(action, CubeRecord):
        return raw | {"action_id": _CODES[action.action]}
    if isinstance(action, ResignRecord):
        return raw | {"action_id": RESIGN_GAME}
    assert isinstance(action, RollRecord)
    dice = Dice(action.dice.low, action.dice.high)
    steps = [
        {
            "from": BAR - part.source if action.side is Side.WHITE else part.source,
            "pips": part.source - part.target if part.target else _bear_off_pips(part.source, dice),
        }
        for part in action.movements
    ]
    return raw | {"action_id": DICE.index(dice), "d1": dice.first, "d2": dice.second, "moves": steps}


def _bear_off_pips(source: int, dice: Dice) -> int:
    """The die that bears a checker off: the one that fits, or else the larger."""
    return source if source in dice else dice.high
