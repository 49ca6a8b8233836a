"""Values under the modifier that two other programs agreed on."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Checkers, Position, checkers_from
from tests.shared_data import IS_HERE, ROOT, needs_shared_data
from tests.solved import race_chances, solved_estimator

LAST_DIGIT = 1.01e-7
LAST_OF_SIX = 1.01e-6
HEAD_TO_HEAD = re.compile(r"n<=\d B \{(\d+): 1\} A at (\d+): B to roll (\S+)\s+A to roll (\S+)")
ALONE = re.compile(r"(.+?)\s+W (\S+) G (\S+) H (\S+) points (\S+)")


class Alone(NamedTuple):
    """W, G, H and points of B, on roll, with A's last checker frozen and passed."""

    finish: Finish
    mine: Checkers
    solved: tuple[float, float, float, float]


class HeadToHead(NamedTuple):
    """Points of B against A, a checker each, with either to roll."""

    finish: Finish
    b: int
    a: int
    b_to_roll: float
    a_to_roll: float

    @property
    def position(self) -> Position:
        """Seen by B."""
        return Position(checkers_from({self.b: 1}, 15), checkers_from({self.a: 1}, 15))


def read_checks() -> tuple[list[Alone], list[HeadToHead]]:
    text = (ROOT / "value_checks.txt").read_text("utf-8") if IS_HERE else ""
    alone, head_to_head = [], []
    for finish, line in lines_by_finish(text):
        if match := HEAD_TO_HEAD.search(line):
            b, a, b_to_roll, a_to_roll = match.groups()
            head_to_head.append(HeadToHead(finish, int(b), int(a), float(b_to_roll), float(a_to_roll)))
        elif match := ALONE.match(line.strip()):
            name, *numbers = match.groups()
            win, first_off, escaped, points = map(float, numbers)
            alone.append(Alone(finish, checkers_of(name), (win, first_off, escaped, points)))
    return alone, head_to_head


def lines_by_finish(text: str) -> Iterator[tuple[Finish, str]]:
    finish = Finish.EXACT
    for line in text.splitlines():
        if line.startswith("hazard 0"):
            hazard = float(line.split()[1])
            (finish,) = [one for one in Finish if abs(one.hazard - hazard) < 1e-12]
        elif line.startswith("  "):
            yield finish, line


def checkers_of(name: str) -> Checkers:
    """``(3,3,3,2,2,2) home`` or ``14 on 6, 1 on 20``."""
    if name.startswith("("):
        counts = [int(count) for count in name[1 : name.index(")")].split(",")]
        return checkers_from(dict(enumerate(counts, start=1)), 15)
    parts = [part.split(" on ") for part in name.split(", ")]
    return checkers_from({int(point): int(count) for count, point in parts}, 15)


ALONE_CHECKS, HEAD_TO_HEAD_CHECKS = read_checks()


@needs_shared_data
def test_all_checks_were_read() -> None:
    assert len(ALONE_CHECKS) == 12
    assert len(HEAD_TO_HEAD_CHECKS) >= 14


@needs_shared_data
@pytest.mark.parametrize("check", ALONE_CHECKS)
def test_chances_without_contact_are_the_solved_ones(check: Alone) -> None:
    chances = race_chances(check.finish, check.mine)
    assert (*chances, chances.points) == pytest.approx(check.solved, abs=LAST_DIGIT)


@needs_shared_data
@pytest.mark.parametrize("check", HEAD_TO_HEAD_CHECKS)
def test_two_sole_checkers_have_their_solved_chances(check: HeadToHead) -> None:
    position = check.position
    estimator = solved_estimator(check.finish)
    b_to_roll, a_to_roll = estimator.estimate([position.swapped(), position])
    assert 1 - 2 * b_to_roll.win == pytest.approx(check.b_to_roll, abs=LAST_OF_SIX)
    assert 2 * a_to_roll.win - 1 == pytest.approx(check.a_to_roll, abs=LAST_OF_SIX)


@pytest.mark.parametrize(
    ("points", "exact", "exact_or_double"),
    [
        ({4: 1}, 0.590164, 0.642857),
        ({6: 2}, 0.418139, 0.426795),
        ({1: 3, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2}, 0.0547209, 0.0174778),
    ],
)
def test_the_procedure_s_own_checks_hold(
    points: dict[int, int], exact: float, exact_or_double: float
) -> None:
    mine = checkers_from(points, 16)
    for finish, win in ((Finish.EXACT, exact), (Finish.EXACT_OR_DOUBLE, exact_or_double)):
        assert race_chances(finish, mine).win == pytest.approx(win, abs=6e-7)
