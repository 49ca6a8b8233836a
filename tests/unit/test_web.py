"""The web process: where it may listen."""

import socket

import pytest

from adjudicator.errors import ConfigurationError
from adjudicator.processes.web import LOGGER_CLASS, WORKER_CLASS, require_free_port, web_command


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_free_port_passes() -> None:
    require_free_port("127.0.0.1", free_port())


def test_a_port_that_is_taken_is_told_as_that() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"port {port} .*: stop what is there"):
            require_free_port("127.0.0.1", port)


@pytest.mark.parametrize("host", ["256.1.1.1", "no-such-host.invalid"])
def test_a_host_that_is_none_is_told_as_that(host: str) -> None:
    with pytest.raises(ConfigurationError, match=r"is no address and no name.*ADJUDICATOR_HOST") as raised:
        require_free_port(host, free_port())
    assert "stop what is there" not in str(raised.value)


def test_an_address_of_another_machine_is_told_as_that() -> None:
    with pytest.raises(ConfigurationError, match="set ADJUDICATOR_HOST to an address of this machine"):
        require_free_port("192.0.2.1", free_port())


def test_the_command_names_classes_that_are_there() -> None:
    command = web_command("127.0.0.1", 8080, threads=5, stop_grace_s=20.0, log_level="info")
    for option, path in (("--worker-class", WORKER_CLASS), ("--logger-class", LOGGER_CLASS)):
        assert command[command.index(option) + 1] == path
        module, _, name = path.rpartition(".")
        assert hasattr(__import__(module, fromlist=[name]), name)
    assert command[command.index("--threads") + 1] == "5"
