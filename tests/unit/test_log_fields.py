"""What is known of the work under way."""

import threading

import pytest

from adjudicator.service.log_fields import bind, log_fields, logged_with, unbind


def test_fields_are_forgotten_also_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), logged_with(adjudication_id="a1"):
        raise ZeroDivisionError
    assert log_fields() == {}


def test_an_inner_field_hides_an_outer_one_for_as_long_as_it_lasts() -> None:
    with logged_with(request_id="outer", trace_id="t"):
        with logged_with(request_id="inner"):
            assert log_fields() == {"request_id": "inner", "trace_id": "t"}
        assert log_fields() == {"request_id": "outer", "trace_id": "t"}


def test_another_thread_knows_nothing_of_it() -> None:
    seen = []
    token = bind(request_id="r")
    thread = threading.Thread(target=lambda: seen.append(dict(log_fields())))
    thread.start()
    thread.join()
    unbind(token)
    assert seen == [{}]
    assert log_fields() == {}
