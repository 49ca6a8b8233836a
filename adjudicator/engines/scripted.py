"""An engine for tests: it answers what it is told to, and misbehaves when it is told to.

In an engine process (``engines.host``) it really crashes and hangs. There its script is given by settings,
and counts the questions in a file, so that it goes on where a crashed process left it.
"""

import math
import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from adjudicator.engines.questions import require_answerable
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import BAR, OFF, Checkers, Position, highest_point, pip_count
from adjudicator.rules.variants import VARIANTS

NAME = "scripted"
VERSION = "1"


class Behaviour(Enum):
    """What it does over one question."""

    ANSWER = "answer"
    EXIT = "exit"
    """Ends its process at once, as ``abort()`` would."""
    KILL = "kill"
    """Is killed by the system, as for want of memory."""
    HANG = "hang"
    """Sleeps for ever."""
    STUCK = "stuck"
    """Computes for ever in native code that lets no other thread of the process run."""
    RAISE = "raise"
    """Raises a RuntimeError."""
    NOT_A_NUMBER = "not_a_number"
    """Answers NaN for the last position."""
    TOO_FEW = "too_few"
    """Leaves the last position without an answer."""
    MIXED_UP = "mixed_up"
    """Gives every position the answer of the one before it, the first that of the last."""
    CHATTER = "chatter"
    """Answers, and prints to its standard output as native code does."""


Answers: TypeAlias = (
    Callable[[Position], Outcomes] | Mapping[Position, Outcomes] | Sequence[Outcomes | Sequence[float]] | None
)
"""A function, a table, or a list taken from its start; ``None``: ``rough_chances``."""


def rough_chances(position: Position) -> Outcomes:
    """Chances of ``own``, opponent to roll, from the pip counts and the blots that can be hit.

    Enough for two of these engines to play games to an end. Half a roll goes to the side on roll.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> round(rough_chances(BACKGAMMON.start).win, 2)
    0.48
    """
    own, opponent = position
    own_pips = pip_count(own) + _pips_at_stake(own, opponent)
    opponent_pips = max(0.0, pip_count(opponent) + _pips_at_stake(opponent, own) / 2 - 4)
    win = opponent_pips**4 / (own_pips**4 + opponent_pips**4)
    win_gammon = 0.0 if opponent[OFF] else win**2 / 4
    lose_gammon = 0.0 if own[OFF] else (1 - win) ** 2 / 4
    return Outcomes(win, win_gammon, 0.0, lose_gammon, 0.0)


def _pips_at_stake(checkers: Checkers, hitters: Checkers) -> float:
    """What hits would cost on the average, each taken for a shot with one die (11 of 36 rolls)."""
    behind = BAR - highest_point(hitters)
    return 11 / 36 * sum(BAR - point for point in range(behind + 1, BAR) if checkers[point] == 1)


class ScriptedEngine:
    """An ``Engine`` of given answers.

    ``script`` names its behaviour over the first questions (values of ``Behaviour``, parted by blanks);
    after them, and by default, it answers. ``journal`` is a file that counts the questions over several
    processes, ``""`` to count them here.
    """

    def __init__(
        self,
        answers: Answers = None,
        *,
        script: str = "",
        journal: str = "",
        checkers_per_side: int = 15,
        version: str = VERSION,
    ) -> None:
        self._answers = answers
        self._script = [Behaviour(word) for word in script.split()]
        self._journal = Path(journal) if journal else None
        self._checkers_per_side = checkers_per_side
        self._identity = EngineIdentity(NAME, version, {})
        self._questions = 0
        self._answered = 0

    @property
    def identity(self) -> EngineIdentity:
        """Its name and version, as told; its script is no part of it."""
        return self._identity

    @property
    def variants(self) -> tuple[str, ...]:
        """All games with as many checkers a side as it was told."""
        return tuple(
            name for name, game in VARIANTS.items() if game.checkers_per_side == self._checkers_per_side
        )

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The scripted chances, in order, unless the script says otherwise.

        Raises: ValueError for an impossible or finished position, LookupError where no answer is given,
        RuntimeError if told to.
        """
        require_answerable(positions, self._checkers_per_side)
        behaviour = self._next_behaviour()
        _misbehave(behaviour)
        return _spoiled([self._answer(position) for position in positions], behaviour)

    def close(self) -> None:
        """Nothing is held."""

    def _answer(self, position: Position) -> Outcomes:
        if self._answers is None:
            return rough_chances(position)
        if isinstance(self._answers, Mapping):
            return self._answers[position]
        if callable(self._answers):
            return self._answers(position)
        self._answered += 1
        return Outcomes(*self._answers[self._answered - 1])

    def _next_behaviour(self) -> Behaviour:
        number = self._count_question()
        return self._script[number] if number < len(self._script) else Behaviour.ANSWER

    def _count_question(self) -> int:
        """How many questions there were before this one."""
        if self._journal is None:
            self._questions += 1
            return self._questions - 1
        with self._journal.open("ab") as journal:
            journal.write(b".")
            return journal.tell() - 1


def _misbehave(behaviour: Behaviour) -> None:
    if behaviour is Behaviour.EXIT:
        os._exit(3)
    elif behaviour is Behaviour.KILL:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    elif behaviour is Behaviour.HANG:
        while True:
            time.sleep(60)
    elif behaviour is Behaviour.STUCK:
        re.match("(a+)+$", "a" * 60 + "b")  # two to the power of 60 ways, all tried in one call
    elif behaviour is Behaviour.RAISE:
        raise RuntimeError("told to")
    elif behaviour is Behaviour.CHATTER:
        os.write(1, b"native chatter\n")


def _spoiled(outcomes: list[Outcomes], behaviour: Behaviour) -> list[Outcomes]:
    if behaviour is Behaviour.NOT_A_NUMBER:
        return [*outcomes[:-1], Outcomes(math.nan, 0.0, 0.0, 0.0, 0.0)]
    if behaviour is Behaviour.TOO_FEW:
        return outcomes[:-1]
    if behaviour is Behaviour.MIXED_UP:
        return [*outcomes[-1:], *outcomes[:-1]]
    return outcomes
