"""Adjudicates records in several processes of this machine, in order."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.util import Finalize
from types import TracebackType
from typing import NamedTuple, Self

from adjudicator.bootstrap import build_adjudicator, open_offer
from adjudicator.cli.input_files import BadInput, InputFile, require_file
from adjudicator.config import load_settings
from adjudicator.errors import AdjudicatorError, EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.game import GameStatus
from adjudicator.logs.reading import read_log
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.batch_values import BatchMember, MemberStatus, Refusal
from adjudicator.service.choice import Choice
from adjudicator.service.offer import Offer
from adjudicator.service.orders import make_order
from adjudicator.service.result_lines import format_line
from adjudicator.service.values import LOCAL_OWNER

AHEAD = 4
"""Records for each process that are read before they are needed, so that none waits for another."""


class Line(NamedTuple):
    """One record with its line of results; ``is_fine``: all its games could be adjudicated."""

    number: int
    content: bytes
    is_fine: bool


class LocalBatch:
    """Adjudicates records by one choice in so many processes, each with an engine of its own."""

    def __init__(self, choice: Choice, processes: int) -> None:
        self._ahead = AHEAD * processes
        self._pool = ProcessPoolExecutor(
            processes,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_open_desk,
            initargs=(choice,),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def lines(self, records: Iterable[InputFile | BadInput], *, first: int) -> Iterator[Line]:
        """The lines of the records in their order, numbered from ``first`` on; a bad one has its error.

        Raises: EngineUnavailableError; EngineFailureError, also where a process died.
        """
        under_way: deque[Future[Line]] = deque()
        try:
            for number, record in enumerate(records, start=first):
                under_way.append(self._pool.submit(_adjudicate, number, record))
                if len(under_way) > self._ahead:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        except BrokenProcessPool as error:
            raise EngineFailureError(
                "A process that adjudicates has died; call this again to go on."
            ) from error


class _Desk(NamedTuple):
    """What a process adjudicates with."""

    choice: Choice
    offer: Offer
    adjudicator: RecordAdjudicator


_desks: list[_Desk] = []


def _open_desk(choice: Choice) -> None:
    """Prepares a process; it leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = load_settings()
    offer = open_offer(settings)
    _desks[:] = [_Desk(choice, offer, build_adjudicator(settings, offer))]
    Finalize(None, offer.close, exitpriority=1)


def _adjudicate(number: int, record: InputFile | BadInput) -> Line:
    """The line of one record; what is wrong with it stands there.

    Raises: EngineFailureError, EngineUnavailableError: no record is to blame, it is to be done again.
    """
    (desk,) = _desks
    try:
        content = require_file(record).content
        log = read_log(content)
        order = make_order(content, log, choice=desk.choice, offer=desk.offer, owner=LOCAL_OWNER)
        result = desk.adjudicator.adjudicate(order)
    except AdjudicatorError as error:
        if error.transient or isinstance(error, EngineUnavailableError):
            raise
        refused = BatchMember(number, record.short_name, MemberStatus.REFUSED, error=Refusal.of(error))
        return Line(number, format_line(refused, None), is_fine=False)
    member = BatchMember(number, record.short_name, MemberStatus.DONE, order.adjudication_id)
    is_fine = GameStatus.UNREADABLE.value not in result.games_by_status
    return Line(number, format_line(member, result.content), is_fine)
