"""Where the score line of a .mat game stands: before the first row, maybe behind a date or other free text.

Source: ``docs/formats/mat.md``, section "Seats".
"""

from collections.abc import Iterable

from adjudicator.logs.mat.asides import NUMBERED, is_comment
from adjudicator.logs.mat.rows import parse_rows
from adjudicator.logs.mat.seats import Seats, parse_seats


def find_seats(body: Iterable[str]) -> tuple[int, Seats] | None:
    """The index of the score line among the lines of a game, and its seats; ``None`` where there is none.

    Several lines may look like one: then it is the one with the widest gap between the seats, the first of
    equals. Two names without scores count only where nothing but comments stands before them.
    """
    found: tuple[int, Seats] | None = None
    is_first = True
    for index, line in enumerate(body):
        if not line or line.isspace():
            continue
        seats = parse_seats(line)
        if seats is not None and seats.score is not None and seats.gap:
            if found is None or found[1].score is None or found[1].gap < seats.gap:
                found = index, seats
        elif is_comment(line):
            continue
        elif _is_row(line):
            break
        elif is_first and seats is not None:
            found = index, seats
        is_first = False
    return found


def _is_row(line: str) -> bool:
    """Whether a line is a row, damaged ones with a number among them."""
    if NUMBERED.match(line):
        return True
    try:
        return bool(parse_rows(line, 0))
    except ValueError:
        return False
