"""Becomes a program that ends when its parent does: ``python -m adjudicator.processes.leash PROGRAM ...``.

So that a service whose first process was killed leaves nothing behind that keeps its port or its jobs. Linux
alone can promise this; elsewhere the program runs without it.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def leashed(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command that runs ``command`` on a leash held by the calling process."""
    return (sys.executable, "-P", "-m", __name__, str(os.getpid()), *command)


def main() -> None:
    """Put the leash on and become the program; arguments are the parent's process id and the command."""
    parent, program, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):
            sys.exit("the parent is gone already")
    os.execvp(program, [program, *arguments])  # noqa: S606 - becoming another program is the purpose


if __name__ == "__main__":
    main()
