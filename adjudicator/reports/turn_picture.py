"""One turn of a game as plain text: the board before and after it, seen by the side that rolled."""

from collections.abc import Iterator

from adjudicator.happy_end.following import FollowedGame
from adjudicator.notation.play_text import format_play
from adjudicator.notation.position_id import format_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.reports.board_picture import draw_board
from adjudicator.reports.moments import Moment, after_turn, before_turn, start_of
from adjudicator.rules.board import count_on_board, pip_count
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import Dice
from adjudicator.rules.replay import ReplayedTurn
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side


def draw_turn(game: FollowedGame, turn: ReplayedTurn) -> Iterator[str]:
    """The lines of the picture; points are counted by the side that rolled, as its play is."""
    side = turn.side
    yield f"Game {game.record.number}, turn {turn.number}: {side.label} rolls {turn.dice}"
    yield f"Points are counted by {side.label}, whose checkers move from 24 to 1."
    yield ""
    yield from _board("Before it", before_turn(turn), game.terms, side, turn.dice)
    yield ""
    yield f"{side.label} plays {turn.dice}: {format_play(turn.movements) or _without_movements(turn)}"
    yield ""
    yield from _board("After it", after_turn(turn), game.terms, side)


def draw_start(game: FollowedGame) -> Iterator[str]:
    """The lines of the picture of the start; points are counted by the side that makes the first roll."""
    moment = start_of(game)
    yield f"Game {game.record.number}, turn 0: the start"
    yield f"Points are counted by {moment.side.label}, whose checkers move from 24 to 1."
    yield ""
    yield from _board("Before the first roll", moment, game.terms, moment.side)


def _without_movements(turn: ReplayedTurn) -> str:
    return "nothing is moved" if turn.before == turn.after else "the position the players agreed on"


def _board(
    title: str, moment: Moment, terms: GameTerms, seen_by: Side, dice: Dice | None = None
) -> Iterator[str]:
    white, black = moment.checkers(Side.WHITE), moment.checkers(Side.BLACK)
    yield f"{title}: {_to_act(moment, dice)}, {_cube(moment.cube)}"
    yield from draw_board(white, black, seen_by)
    yield f"  pips: white {pip_count(white)}, black {pip_count(black)}"
    xgid = format_xgid(moment.position, moment.side, moment.cube, terms, dice)
    yield f"  Position ID {format_position_id(moment.position)}  {xgid}"


def _to_act(moment: Moment, dice: Dice | None) -> str:
    if not all(map(count_on_board, moment.position)):
        return "the game is over"
    return f"{moment.side.label} {'is to roll' if dice is None else f'has rolled {dice}'}"


def _cube(cube: Cube) -> str:
    if cube.owner is None:
        return f"cube in the middle at {cube.value}"
    return f"cube on {cube.value}, owned by {cube.owner.label}"
