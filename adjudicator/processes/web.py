"""The web process: gunicorn with the HTTP door."""

import errno
import socket
import sys

from adjudicator.errors import ConfigurationError

WORKER_CLASS = "adjudicator.api.gunicorn_worker.ProblemWorker"
"""Threads whose clients have limited time; by name, since the door is above this package."""
LOGGER_CLASS = "adjudicator.api.gunicorn_log.ServiceLogger"
"""Has gunicorn log as everything else does."""

CURES = {
    errno.EADDRINUSE: "stop what is there, or set ADJUDICATOR_PORT to another one",
    errno.EADDRNOTAVAIL: "set ADJUDICATOR_HOST to an address of this machine",
    errno.EACCES: "set ADJUDICATOR_PORT to one that this user may listen on, such as 8080",
}


def web_command(
    host: str, port: int, *, threads: int, stop_grace_s: float, log_level: str
) -> tuple[str, ...]:
    """The command that serves on that address, as many requests at once as there are threads.

    A client that is slow keeps its thread for as long as the worker class lets it. Without gunicorn's control
    socket: all services of one user would share it.
    """
    return (
        *(sys.executable, "-m", "gunicorn", "adjudicator.api.app:create_app()"),
        *("--bind", f"{host}:{port}", "--no-control-socket"),
        *("--worker-class", WORKER_CLASS, "--threads", str(threads)),
        *("--graceful-timeout", str(round(stop_grace_s))),
        *("--logger-class", LOGGER_CLASS, "--log-level", log_level),
    )


def require_free_port(host: str, port: int) -> None:
    """Lets pass an address on which a server could listen now.

    Raises: ConfigurationError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror as error:
            raise ConfigurationError(
                f"{host!r} is no address and no name that resolves to one ({error.strerror}): "
                "set ADJUDICATOR_HOST to an address of this machine, such as 127.0.0.1"
            ) from error
        except OSError as error:
            cure = CURES.get(error.errno or 0, "set ADJUDICATOR_HOST or ADJUDICATOR_PORT to something else")
            raise ConfigurationError(
                f"Nothing can listen on {host} port {port} ({error.strerror}): {cure}"
            ) from error
