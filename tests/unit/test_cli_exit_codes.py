from adjudicator import errors
from adjudicator.cli.exit_codes import EXIT_CODES, ExitCode, exit_code_of


def _family(kind: type[errors.AdjudicatorError]) -> set[type[errors.AdjudicatorError]]:
    return {kind}.union(*map(_family, kind.__subclasses__()))


def test_every_class_of_error_has_an_exit_code() -> None:
    assert set(EXIT_CODES) == _family(errors.AdjudicatorError)


def test_no_error_ends_the_process_as_if_all_were_fine() -> None:
    assert ExitCode.FINE not in EXIT_CODES.values()


def test_a_wrong_option_is_wrong_use_and_a_bad_record_is_not() -> None:
    assert exit_code_of(errors.RequestError("no such engine")) == 2
    assert exit_code_of(errors.RecordError("not a record")) == 1
