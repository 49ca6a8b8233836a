"""What each class of error means for a shell: the exit code."""

from enum import IntEnum

from adjudicator import errors


class ExitCode(IntEnum):
    """How the process ends."""

    FINE = 0
    NOT_ADJUDICATED = 1
    """Something could not be adjudicated, or a result does not hold."""
    WRONG_USE = 2
    """A wrong option, argument or setting: calling again the same way cannot help."""


EXIT_CODES: dict[type[errors.AdjudicatorError], ExitCode] = {
    errors.AdjudicatorError: ExitCode.NOT_ADJUDICATED,
    errors.RecordError: ExitCode.NOT_ADJUDICATED,
    errors.UnknownFormatError: ExitCode.NOT_ADJUDICATED,
    errors.UnsupportedVariantError: ExitCode.NOT_ADJUDICATED,
    errors.TooLargeError: ExitCode.NOT_ADJUDICATED,
    errors.RequestError: ExitCode.WRONG_USE,
    errors.AddressRefusedError: ExitCode.WRONG_USE,
    errors.ConflictError: ExitCode.NOT_ADJUDICATED,
    errors.UnsupportedMediaTypeError: ExitCode.WRONG_USE,
    errors.NotFoundError: ExitCode.NOT_ADJUDICATED,
    errors.UnauthenticatedError: ExitCode.WRONG_USE,
    errors.InsufficientScopeError: ExitCode.WRONG_USE,
    errors.RateLimitedError: ExitCode.NOT_ADJUDICATED,
    errors.AnswerPendingError: ExitCode.NOT_ADJUDICATED,
    errors.IdempotencyKeyReusedError: ExitCode.WRONG_USE,
    errors.InputUnavailableError: ExitCode.NOT_ADJUDICATED,
    errors.RulesetUnavailableError: ExitCode.NOT_ADJUDICATED,
    errors.EngineUnavailableError: ExitCode.NOT_ADJUDICATED,
    errors.EngineFailureError: ExitCode.NOT_ADJUDICATED,
    errors.StoreUnavailableError: ExitCode.NOT_ADJUDICATED,
    errors.QueueUnavailableError: ExitCode.NOT_ADJUDICATED,
    errors.BusyError: ExitCode.NOT_ADJUDICATED,
    errors.ConfigurationError: ExitCode.WRONG_USE,
}


def exit_code_of(error: errors.AdjudicatorError) -> ExitCode:
    """The exit code of that error's class.

    >>> int(exit_code_of(errors.RequestError("no such engine")))
    2
    """
    return EXIT_CODES[type(error)]
