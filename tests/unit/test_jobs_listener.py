"""What the listener says of a queue that is away."""

import logging

import pytest
import redis
from rq.exceptions import InvalidJobOperation

from adjudicator.jobs import listener


@pytest.mark.parametrize("trouble", [InvalidJobOperation("no status"), redis.ResponseError("disk full")])
def test_a_break_within_rq_is_one_warning_without_a_traceback(
    trouble: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    _log_as_rq_does(trouble)
    (record,) = caplog.records
    assert (record.name, record.levelname, record.exc_info) == (listener.__name__, "WARNING", None)
    assert str(trouble) in record.getMessage()


def test_a_fault_within_rq_is_told_whole(caplog: pytest.LogCaptureFixture) -> None:
    _log_as_rq_does(ZeroDivisionError("oops"))
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("rq.worker", "ERROR")
    assert record.exc_info is not None


def _log_as_rq_does(error: Exception) -> None:
    try:
        raise error
    except type(error):
        logging.getLogger("rq.worker").exception("found an unhandled exception, quitting...")
