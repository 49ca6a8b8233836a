"""What the net is shown of a position; all inputs are small multiples of 1/128."""

import numpy as np

from adjudicator.happy_end.values.chances import Floats, Rows
from adjudicator.rules.board import BAR, HOME, OFF

POINTS = np.arange(BAR + 1)


def race_inputs(rows: Rows) -> Floats:
    """By point whether it is held and made, by how many, and what is beyond; how far everything has to go."""
    counts = rows[:, 1:BAR]
    beyond = counts[:, ::-1].cumsum(axis=1)[:, ::-1] / 8.0
    return np.concatenate(
        [counts > 0, counts > 1, counts / 4.0, beyond, _way(rows)], axis=1, dtype=np.float64
    )


def _way(rows: Rows) -> Floats:
    """Pips, pips to come home, checkers outside, checkers on the board, and whether any is off."""
    counts = rows[:, 1:].astype(np.int64)
    outside = counts[:, HOME:]
    return np.stack(
        [
            counts @ POINTS[1:] / 64.0,
            outside @ POINTS[1 : BAR - HOME + 1] / 32.0,
            outside.sum(axis=1) / 4.0,
            counts.sum(axis=1) / 8.0,
            rows[:, OFF] > 0,
        ],
        axis=1,
    )
