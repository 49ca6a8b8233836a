"""What the nets are shown of a position; all inputs are whole multiples of a small power of two."""

import numpy as np

from adjudicator.happy_end.values.chances import Floats, Places, Rows
from adjudicator.happy_end.values.shots import at_distances, hitting_rolls
from adjudicator.rules.board import BAR, HOME, OFF

POINTS = np.arange(BAR + 1)
MADE = 2
"""So many checkers hold a point."""

NEAR = 12
"""A last checker meets blots and held points up to here with its next roll, doublets apart."""

LONGEST = 16.0
"""No time is shown as longer than this."""

FINENESS = 4096.0
"""Times are shown in parts of so many, halved."""


def race_inputs(rows: Rows) -> Floats:
    """By point whether it is held and made, by how many, and what is beyond; how far everything has to go."""
    counts = rows[:, 1:BAR]
    beyond = counts[:, ::-1].cumsum(axis=1)[:, ::-1] / 8.0
    return np.concatenate(
        [counts > 0, counts > 1, counts / 4.0, beyond, _way(rows)], axis=1, dtype=np.float64
    )


def contact_inputs(rows: Rows, lasts: Places, race_times: Floats) -> Floats:
    """Every point and the bar, where the last checker is and what it may meet, and how a race would go.

    ``lasts`` are numbered by their owner, 25 the bar. ``race_times`` are what the race net tells.
    """
    counts, on_bar = rows[:, 1:BAR], rows[:, BAR:]
    to_meet = at_distances(rows, lasts)
    near = to_meet[:, :NEAR]
    shown_times = np.rint(np.minimum(race_times, LONGEST) * FINENESS) / (2.0 * FINENESS)
    return np.concatenate(
        [
            counts > 0,
            counts >= MADE,
            counts / 4.0,
            on_bar / 4.0,
            on_bar > 0,
            on_bar >= MADE,
            _way(rows),
            lasts[:, None] == POINTS[1:],
            (to_meet > 0) & (lasts < BAR)[:, None],
            near >= MADE,
            near == 1,
            _meeting(rows, lasts, to_meet),
            shown_times,
        ],
        axis=1,
        dtype=np.float64,
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


def _meeting(rows: Rows, lasts: Places, to_meet: Rows) -> Floats:
    """Rolls that hit, checkers that may, points held at home, whether the last one is frozen and how far."""
    return np.stack(
        [
            hitting_rolls(rows, lasts) / 32.0,
            (to_meet.sum(axis=1) + rows[:, BAR]) / 4.0,
            (rows[:, 1 : HOME + 1] >= MADE).sum(axis=1) / 4.0,
            lasts <= HOME,
            lasts / 16.0,
        ],
        axis=1,
    )
