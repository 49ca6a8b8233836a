"""The engine process: loads one engine and answers the host's questions until the host is gone.

``python -m adjudicator.engines.child MODULE:CALLABLE SETTINGS_AS_JSON``; not for people.
"""

import faulthandler
import json
import os
import pkgutil
import queue
import signal
import sys
import threading
import time

from adjudicator.engines.protocol import (
    Answer,
    Failed,
    Question,
    Ready,
    Refused,
    Reply,
    Unavailable,
    format_reply,
    parse_question,
    read_lines,
)
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.ports import Engine

GRACE_S = 2.0
"""How long the process goes on by itself after its host is gone, or after a deadline at which the host should
have killed it."""
START_LIMIT_S = 120.0
NEVER = 0.0


def main(factory: str, settings: str) -> None:
    """Answer questions; ends when the host closes the pipe, dies, or no longer listens."""
    replies = _take_standard_output()
    try:
        _serve(factory, json.loads(settings), replies)
    except BrokenPipeError:
        return


def _serve(factory: str, settings: dict[str, int | float | str], replies: int) -> None:
    _set_deadline(START_LIMIT_S)
    try:
        engine: Engine = pkgutil.resolve_name(factory)(**settings)
    except EngineUnavailableError as error:
        _send(replies, Unavailable(error.detail))
        return
    except EngineFailureError as error:
        _send(replies, Failed(0, error.detail))
        return
    except Exception as error:  # noqa: BLE001 (as with answers below)
        _send(replies, Failed(0, f"the engine could not be made: {type(error).__name__}: {error}"))
        return
    _set_deadline(NEVER)
    _send(replies, Ready(engine.identity))
    for question in iter(_questions().get, None):
        _set_deadline(question.limit_s + GRACE_S)
        reply = _answer(engine, question)
        _set_deadline(NEVER)
        _send(replies, reply)
    engine.close()


def _answer(engine: Engine, question: Question) -> Reply:
    try:
        return Answer(question.number, tuple(engine.evaluate(question.positions)))
    except ValueError as error:
        return Refused(question.number, str(error))
    except EngineFailureError as error:
        return Failed(question.number, error.detail)
    except Exception as error:  # noqa: BLE001 (whatever a foreign engine raises is told, not died of)
        return Failed(question.number, f"the engine raised an error: {type(error).__name__}: {error}")


if sys.platform == "win32":

    def _set_deadline(limit_s: float) -> None:
        """End this process after that time, also in the midst of native code that never comes back."""
        if limit_s:
            faulthandler.dump_traceback_later(limit_s, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()

else:

    def _set_deadline(limit_s: float) -> None:
        """End this process after that time, also in the midst of native code that never comes back."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the system ends it: no Python code has to run
        signal.setitimer(signal.ITIMER_REAL, limit_s)


def _end() -> None:
    """End this process at once, and what it has started: the host made it the leader of a group for that."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _take_standard_output() -> int:
    """Keep the pipe to the host for replies alone; what native code prints goes to the error output."""
    sys.stdout.flush()
    replies = os.dup(1)
    os.dup2(2, 1)
    return replies


def _send(replies: int, reply: Reply) -> None:
    line = format_reply(reply)
    while line:
        line = line[os.write(replies, line) :]


def _questions() -> "queue.SimpleQueue[Question | None]":
    """The questions as they come in, ``None`` when the host is gone.

    A thread reads them, so that the end of the host is noticed during a long evaluation too.
    """
    questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()

    def read() -> None:
        for line in read_lines(0):
            questions.put(parse_question(line))
        questions.put(None)
        time.sleep(GRACE_S)
        _end()

    threading.Thread(target=read, name="questions", daemon=True).start()
    return questions


if __name__ == "__main__":
    main(*sys.argv[1:])
