"""The web process: gunicorn with the HTTP door."""

import socket
import sys

from adjudicator.errors import ConfigurationError


def web_command(
    host: str, port: int, *, threads: int, stop_grace_s: float, log_level: str
) -> tuple[str, ...]:
    """The command that serves on that address, with threads, which slow clients cannot hold up.

    Without gunicorn's control socket: all services of one user would share it.
    """
    return (
        *(sys.executable, "-m", "gunicorn", "adjudicator.api.app:create_app()"),
        *("--bind", f"{host}:{port}", "--no-control-socket"),
        *("--worker-class", "gthread", "--threads", str(threads)),
        *("--graceful-timeout", str(round(stop_grace_s)), "--log-level", log_level),
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
        except OSError as error:
            raise ConfigurationError(
                f"Nothing can listen on {host} port {port} ({error.strerror}): stop what "
                "is there, or set ADJUDICATOR_PORT or ADJUDICATOR_HOST to something else"
            ) from error
