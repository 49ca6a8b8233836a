"""An engine in a process of its own, with a deadline for every question and a fresh process after a failure.

Native code cannot be interrupted from Python and takes its process with it when it crashes. So it never runs
in a process of the service: it is killed at the deadline, and a crash costs one question only.
"""

import json
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.engines.circuit import Circuit
from adjudicator.engines.process import ChildProcess
from adjudicator.engines.protocol import (
    Answer,
    Failed,
    Question,
    Ready,
    Refused,
    Reply,
    Unavailable,
    format_question,
    parse_reply,
)
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON

QUESTION_SIZE = 32
"""Positions a question: 32 fit into the smallest pipe there is (4 KB), so that asking never waits."""


@dataclass(frozen=True, slots=True)
class HostLimits:
    """How long an engine may take, and how often it may fail.

    ``start_s`` is for loading it, ``question_s`` for one question of at most 32 positions. After ``failures``
    in a row it is left alone for ``rest_s``: an engine that cannot work here costs no more than that.
    """

    start_s: float = 60.0
    question_s: float = 30.0
    failures: int = 6
    rest_s: float = 30.0


DEFAULT_LIMITS = HostLimits()


def child_command(factory: str, settings: Mapping[str, int | float | str]) -> list[str]:
    """The command that runs an engine: ``factory`` is ``"module:callable"``, called with ``settings``.

    ``-P``: what lies in the folder that a person happens to stand in is never imported.
    """
    options = ["-P", "-X", "faulthandler"]
    return [sys.executable, *options, "-m", "adjudicator.engines.child", factory, json.dumps(dict(settings))]


class EngineHost:
    """An ``Engine`` that asks an engine process, started at the first question.

    ``identify`` tells, without starting anything, which build is expected; another build in the process is
    refused, since results would name the wrong one. ``command`` runs the process (``child_command``).
    Safe to share between threads, which wait for one another, and to take along through a fork, after which
    each process has an engine process of its own. Ends with this value or this process, however that ends.
    """

    def __init__(
        self,
        identify: Callable[[], EngineIdentity],
        command: Sequence[str],
        limits: HostLimits = DEFAULT_LIMITS,
        variants: tuple[str, ...] = (BACKGAMMON.name,),
    ) -> None:
        self._identify = identify
        self._command = tuple(command)
        self._limits = limits
        self._variants = variants
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._number = 0
        self._circuit = Circuit(limits.failures, limits.rest_s)
        _HOSTS.add(self)

    @property
    def identity(self) -> EngineIdentity:
        """Which build answers; nothing is started.

        Raises: EngineUnavailableError where it is not installed, EngineFailureError where it cannot be known
        just now.
        """
        return self._identify()

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the games the engine can judge."""
        return self._variants

    @property
    def process_id(self) -> int | None:
        """The id of the engine process, ``None`` while there is none."""
        child = self._child
        return None if child is None else child.pid

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), opponent to roll, in order.

        A question that the process crashed, hung or answered nonsense over is asked once more of a fresh one.

        Raises: ValueError for an impossible or finished position, EngineFailureError, EngineUnavailableError.
        """
        outcomes: list[Outcomes] = []
        for part in _parts(positions):
            with self._lock:
                outcomes += self._ask_twice(part)
        return outcomes

    def close(self) -> None:
        """End the engine process, if any; a later question starts another."""
        with self._lock:
            child, self._child = self._child, None
            if child is not None:
                child.stop(grace_s=1.0)

    def _ask_twice(self, positions: tuple[Position, ...]) -> tuple[Outcomes, ...]:
        self._circuit.check()
        try:
            return self._ask(positions)
        except EngineFailureError as first:
            if first.rest_s:
                raise
            try:
                return self._ask(positions)
            except EngineFailureError as second:
                raise EngineFailureError(
                    f"{self.identity.name} failed twice over the same {len(positions)} positions: "
                    f"{first.detail}; {second.detail}"
                ) from second

    def _ask(self, positions: tuple[Position, ...]) -> tuple[Outcomes, ...]:
        """Ask once. Whatever goes wrong in between, a process that may still answer late is never reused."""
        child = self._running()
        self._number += 1
        question = Question(self._number, self._limits.question_s, positions)
        line = format_question(question)
        try:
            child.send(line)
            reply = _reply(child, self._limits.question_s)
            if not isinstance(reply, Refused) or reply.number != question.number:
                outcomes = _checked(reply, question)
                self._circuit.succeeded()
                return outcomes
        except BaseException as error:
            self._discard(error)
            raise
        raise ValueError(reply.reason)

    def _running(self) -> ChildProcess:
        """The engine process, started if there is none."""
        if self._child is None:
            expected = self.identity
            try:
                self._child = ChildProcess(self._command)
                _check_ready(_reply(self._child, self._limits.start_s), expected)
            except BaseException as error:
                self._discard(error)
                raise
        return self._child

    def _discard(self, error: BaseException) -> None:
        child, self._child = self._child, None
        if isinstance(error, EngineFailureError):  # not what the caller broke off
            self._circuit.failed(error.detail)
        if child is not None:
            child.stop()

    def _forget_parent(self) -> None:
        """In a forked child: the parent's engine process and lock are not ours."""
        self._lock = threading.Lock()
        child, self._child = self._child, None
        if child is not None:
            child.abandon()


def _parts(positions: Sequence[Position]) -> Iterator[tuple[Position, ...]]:
    for start in range(0, len(positions), QUESTION_SIZE):
        yield tuple(positions[start : start + QUESTION_SIZE])


def _reply(child: ChildProcess, limit_s: float) -> Reply:
    line = child.receive(limit_s)
    try:
        return parse_reply(line)
    except ValueError as error:
        raise EngineFailureError(f"an answer that makes no sense: {error}") from error


def _check_ready(reply: Reply, expected: EngineIdentity) -> None:
    """Let pass the first word of a process that runs the expected build.

    Raises: EngineUnavailableError, EngineFailureError.
    """
    if isinstance(reply, Unavailable):
        raise EngineUnavailableError(reply.reason)
    if isinstance(reply, Failed):
        raise EngineFailureError(reply.reason)
    if not isinstance(reply, Ready):
        raise EngineFailureError(f"the engine process began with {type(reply).__name__.lower()}")
    if reply.identity != expected:
        raise EngineUnavailableError(
            f"The engine process runs {reply.identity}, results would say {expected}: restart the service."
        )


def _checked(reply: Reply, question: Question) -> tuple[Outcomes, ...]:
    """The chances of a reply that answers that very question soundly.

    Raises: EngineFailureError.
    """
    if isinstance(reply, Failed) and reply.number == question.number:
        raise EngineFailureError(reply.reason)
    if not isinstance(reply, Answer) or reply.number != question.number:
        raise EngineFailureError("an answer to another question")
    if len(reply.outcomes) != len(question.positions):
        raise EngineFailureError(f"{len(reply.outcomes)} answers to {len(question.positions)} positions")
    for index, outcomes in enumerate(reply.outcomes):
        if not outcomes.is_sound():
            raise EngineFailureError(f"position {index} got what are no chances: {tuple(outcomes)}")
    return reply.outcomes


_HOSTS: "weakref.WeakSet[EngineHost]" = weakref.WeakSet()


def _after_fork() -> None:
    for host in list(_HOSTS):
        host._forget_parent()  # noqa: SLF001 (of this module)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
