"""The GNU Backgammon program as an engine: positions as FIBS boards over its external interface.

Source: https://www.gnu.org/software/gnubg/ (GPL-3.0); the board is that of ``http://www.fibs.com/fibs_interface.html``.

- ``evaluation fibsboard BOARD plies N cube off jacobyrule off``: five chances of the side on roll, gammons
  among wins and backgammons among gammons, and its equity for points. Six decimals.
- No cube, no Jacoby rule, no pruning, no noise: what a search looks ahead to is judged by plain points.
- Nothing is checked: it answers garbage to finished games and to checkers too many, and crashes over some
  of those. They are refused before it is asked, and lines too long for it cannot come about.
- With a side of many checkers on the bar its networks are far outside of what they were trained on.
"""

import math
from collections.abc import Sequence

from adjudicator.engines.answers import DECIMALS, rounded
from adjudicator.engines.gnubg_program import GnubgProgram, find_program, program_version
from adjudicator.engines.questions import VARIANT_NAMES, require_answerable, require_plies
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.notation.signed_counts import signed_counts
from adjudicator.rules.board import BAR, OFF, Position

NAME = "gnubg"


def identity(plies: int = 0, program: str = "") -> EngineIdentity:
    """Which build answers at this depth; the program is asked for its version, once.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """
    require_plies(plies)
    return EngineIdentity(
        NAME, program_version(find_program(program)), {"plies": plies, "decimals": DECIMALS}
    )


class GnubgEngine:
    """The program in a child process, started at the first question, and afresh after a failure.

    Made in the engine process (``engines.host``), which kills it with itself.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """

    variants = VARIANT_NAMES

    def __init__(self, plies: int = 0, program: str = "") -> None:
        self._identity = identity(plies, program)
        self._plies = plies
        self._path = find_program(program)
        self._program: GnubgProgram | None = None

    @property
    def identity(self) -> EngineIdentity:
        """Which build this is."""
        return self._identity

    @property
    def process_id(self) -> int | None:
        """The id of the program's process, ``None`` while there is none."""
        return None if self._program is None else self._program.pid

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), opponent to roll, in order.

        Raises: ValueError for an impossible or finished position (then nothing is asked), EngineFailureError,
        EngineUnavailableError.
        """
        require_answerable(positions)
        if not positions:
            return []
        try:
            program = self._running()
            outcomes = [
                parse_answer(program.ask(format_question(position, self._plies))) for position in positions
            ]
            program.check_in_step()
        except BaseException:
            self.close()  # an answer might come late
            raise
        return outcomes

    def close(self) -> None:
        """End the program, if it runs; a later question starts another."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

    def _running(self) -> GnubgProgram:
        if self._program is None:
            program = self._program = GnubgProgram(self._path)
            told = program.check_in_step()
            if told != self._identity.version:
                raise EngineUnavailableError(
                    f"GNU Backgammon runs as {told}, results would say {self._identity.version}: "
                    "restart the service."
                )
        return self._program


def format_question(position: Position, plies: int) -> str:
    """The line that asks about a position, its opponent being on roll.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> format_question(BACKGAMMON.start, 0)[:90]
    'evaluation fibsboard board:a:b:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2'
    """
    on_roll, other = position.opponent, position.own
    board = signed_counts(position.swapped())
    money, turn, dice, cube, direction = (0, 0, 0), 1, (0, 0, 0, 0), (1, 1, 1, 0), (1, -1, 0, BAR)
    counts = (on_roll[OFF], other[OFF], on_roll[BAR], other[BAR])
    numbers = (*money, *board, turn, *dice, *cube, *direction, *counts, 0, 0, 0, 0)
    text = ":".join(map(str, numbers))
    return f"evaluation fibsboard board:a:b:{text} plies {plies} cube off jacobyrule off"


def parse_answer(line: str) -> Outcomes:
    """The chances of the side that is not on roll.

    >>> parse_answer("0.526687 0.149281 0.007534 0.124313 0.005345 0.080530").win
    0.47331

    Raises: EngineFailureError for what are no five chances with the equity that follows from them.
    """
    try:
        *chances, equity = map(float, line.split())
        outcomes = Outcomes(*chances)
    except (TypeError, ValueError) as error:
        raise EngineFailureError(f"GNU Backgammon answered {line!r}") from error
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = outcomes
    expected = 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
    if not outcomes.is_sound() or not math.isclose(equity, expected, abs_tol=1e-4):
        raise EngineFailureError(f"GNU Backgammon answered what are no chances: {line!r}")
    return rounded(outcomes.swapped())
