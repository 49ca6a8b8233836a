"""A second solver of a side alone against a frozen last checker: it lists all plays and knows no tables."""

from functools import cache
from typing import NamedTuple

from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position
from tests.twins.plays_twin import row_of, twin_results

Row = tuple[int, ...]


class TwinChances(NamedTuple):
    """W, G and H as docs/values.md has them."""

    win: float
    first_off: float
    escaped: float

    @property
    def worth(self) -> float:
        return 2 * self.win + self.first_off + self.escaped


class ValuesTwin:
    """Chances with the side on roll, both by recursion over every play of every roll."""

    def __init__(self, finish: Finish) -> None:
        self.finish = finish
        self.value = cache(self._value)
        self.results = cache(self._results)

    def _results(self, row: Row, one: int, other: int) -> list[Row]:
        own = (15 - sum(row), *row[1:])
        nobody = (15, *[0] * 25)
        assert row_of(Position(own, nobody)) == row
        return sorted(twin_results(Position(own, nobody), one, other, self.finish))

    def _value(self, row: Row, some_off: bool) -> TwinChances:
        """``row`` holds what is on the board; where a roll changes nothing, the same value stands again."""
        sums, stays = [0.0, 0.0, 0.0], 0
        for one in range(1, 7):
            for other in range(1, 7):
                results = self.results(row, one, other)
                if row in results:
                    stays += 1
                    continue
                best = max((self._after(row, left, some_off) for left in results), key=lambda c: c.worth)
                sums = [total + chance for total, chance in zip(sums, best, strict=True)]
        return self._with_stays(sums, stays / 36, some_off)

    def _with_stays(self, sums: list[float], stays: float, some_off: bool) -> TwinChances:
        survival = 1 - self.finish.hazard
        saved = (False, some_off, True)
        return TwinChances(
            *[
                1.0 if safe else total / 36 / (1 - stays * survival)
                for total, safe in zip(sums, saved, strict=True)
            ]
        )

    def _after(self, before: Row, left: Row, some_off: bool) -> TwinChances:
        if not sum(left):
            return TwinChances(1.0, 1.0, 1.0)
        off = some_off or sum(left) < sum(before)
        chances, survival = self.value(left, off), 1 - self.finish.hazard
        return TwinChances(
            survival * chances.win,
            1.0 if off else survival * chances.first_off,
            survival * chances.escaped if sum(left[19:]) else 1.0,
        )
