"""Monte Carlo as the benchmarks use it: right whatever the adviser says, sharp where that is right."""

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Places, Rows
from adjudicator.rules.board import BAR, Position
from bench.playouts import Playouts, as_arrays
from tests.boards import board
from tests.solved import solved_estimator

FINISHES = list(Finish)
RACES = [board({6: 2}, {4: 1}), board({1: 2, 3: 2, 6: 3}, {2: 1}), board({6: 15}, {1: 1})]


class Even:
    """Holds all positions equal."""

    def on_roll(self, rows: Rows, lasts: Places) -> Chances:
        assert len(rows) == len(lasts)
        return Chances(*np.full((3, len(rows)), 0.5))

    after_turn = on_roll


@pytest.mark.parametrize("finish", FINISHES)
def test_where_the_adviser_is_right_every_playout_tells_the_value(finish: Finish) -> None:
    fight, (rows, lasts) = solved_estimator(finish).fight, as_arrays(RACES)
    playouts = Playouts(finish, fight, 1)
    for means, values in (
        (playouts.on_roll(rows, lasts, 3), fight.on_roll(rows, lasts)),
        (playouts.after_turn(rows, lasts, 3), fight.after_turn(rows, lasts)),
    ):
        assert means.values == pytest.approx(values.points, abs=1e-3)
        assert means.errors.max() < 1e-3


@pytest.mark.parametrize(
    ("position", "value", "after"),
    [
        (board({12: 1}, {6: 1}), -0.147642, -0.408085),
        (board({BAR: 1}, {BAR: 1}), 0.070674, -0.070674),
    ],
)
def test_where_it_knows_nothing_the_mean_is_right_all_the_same(
    position: Position, value: float, after: float
) -> None:
    playouts, (rows, lasts) = Playouts(Finish.EXACT, Even(), 1), as_arrays([position])
    asked = ((playouts.on_roll, value), (playouts.after_turn, after))
    for means, known in ((ask(rows, lasts, 2_000), known) for ask, known in asked):
        assert means.errors[0] < 0.03
        assert abs(means.values[0] - known) < 4 * means.errors[0]
