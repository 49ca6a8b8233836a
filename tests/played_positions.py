"""Positions as they come up in play, for tests of whatever judges positions."""

import random
from collections.abc import Sequence

from adjudicator.rules.board import Position, count_on_board
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.variants import BACKGAMMON, Variant


def played_positions(count: int, seed: int, variants: Sequence[Variant] = (BACKGAMMON,)) -> list[Position]:
    """Positions of games played at random, each seen by the side that has just played, none finished."""
    chance = random.Random(seed)
    positions: list[Position] = []
    position = variants[0].start
    while len(positions) < count:
        dice = Dice.of(chance.randint(1, 6), chance.randint(1, 6))
        result = chance.choice(legal_plays(position, dice)).result
        if count_on_board(result.own):
            positions.append(result)
            position = result.swapped()
        else:
            position = chance.choice(variants).start
    return positions
