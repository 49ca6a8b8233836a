"""The settings: read once from the environment, each documented in ``docs/operations.md``."""

import dataclasses
import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from adjudicator.errors import ConfigurationError, Fault, Place
from adjudicator.service.rate_limits import parse_rate
from adjudicator.service.webhooks.addresses import parse_allowed, parse_ports

PREFIX = "ADJUDICATOR_"

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")

KEYS_REQUIRED = "required"
KEYS_OPEN = "open"


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def _seconds(least: float, most: float) -> Callable[[str], float]:
    expected = f"a number of seconds from {least:g} to {most:g}"

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError as error:
            raise ValueError(expected) from error
        if not least <= value <= most:
            raise ValueError(expected)
        return value

    return parse


def _one_of(*known: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in known:
            raise ValueError(f"one of {', '.join(known)}")
        return text.lower()

    return parse


def _address(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not text.startswith(tuple(f"{scheme}:" for scheme in schemes)):
            raise ValueError(f"a URL that starts with {', '.join(f'{scheme}:' for scheme in schemes)}")
        return text

    return parse


def _rate(text: str) -> str:
    parse_rate(text.lower())
    return text.lower()


def _list(parse_list: Callable[[str], object]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        parse_list(text)
        return text

    return parse


def _folder(text: str) -> Path:
    return Path(text).expanduser()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an operator can set; ``ADJUDICATOR_`` and the upper-case name is the variable.

    Names end in their unit: ``_s`` seconds, ``_bytes``. ``""`` as ``database_url`` or ``redis_url`` means
    the embedded one in ``data_dir``, as ``gnubg_program`` the one in the PATH, as ``wildbg_url`` or
    ``webhook_allowed`` none.
    ``docs/operations.md`` says what each is for.
    """

    data_dir: Annotated[Path, _folder] = Path("var")
    database_url: Annotated[str, _address("sqlite", "postgresql", "postgresql+psycopg", "postgres")] = ""
    redis_url: Annotated[str, _address("redis", "rediss", "unix")] = ""
    host: Annotated[str, str] = "127.0.0.1"
    port: Annotated[int, _whole(1, 65535)] = 8080
    keys: Annotated[str, _one_of(KEYS_REQUIRED, KEYS_OPEN)] = KEYS_REQUIRED
    rate_limit: Annotated[str, _rate] = "600/minute"
    answers_kept_s: Annotated[float, _seconds(60, 2_592_000)] = 86400.0
    threads: Annotated[int, _whole(1, 256)] = 32
    workers: Annotated[int, _whole(0, 256)] = 2
    most_record_bytes: Annotated[int, _whole(1_000, 1_000_000_000)] = 2_000_000
    most_archive_bytes: Annotated[int, _whole(1_000, 1_000_000_000_000)] = 2_000_000_000
    most_unpacked_bytes: Annotated[int, _whole(1_000, 10_000_000_000_000)] = 4_000_000_000
    most_archive_members: Annotated[int, _whole(1, 100_000_000)] = 100_000
    engine: Annotated[str, str] = "gnubg-nn"
    engine_plies: Annotated[int, _whole(0, 2)] = 0
    gnubg_program: Annotated[str, str] = ""
    wildbg_url: Annotated[str, _address("http", "https")] = ""
    engine_deadline_s: Annotated[float, _seconds(0.1, 3600)] = 30.0
    run_limit_s: Annotated[float, _seconds(1, 86400)] = 120.0
    lease_s: Annotated[float, _seconds(0.5, 3600)] = 30.0
    attempt_limit: Annotated[int, _whole(1, 100)] = 3
    queue_grace_s: Annotated[float, _seconds(0.1, 3600)] = 5.0
    webhook_allowed: Annotated[str, _list(parse_allowed)] = ""
    webhook_ports: Annotated[str, _list(parse_ports)] = "443,1024-65535"
    stop_grace_s: Annotated[float, _seconds(0, 3600)] = 20.0
    retention_days: Annotated[int, _whole(0, 100_000)] = 0
    log_level: Annotated[str, _one_of(*LOG_LEVELS)] = "info"
    log_format: Annotated[str, _one_of(*LOG_FORMATS)] = "text"
    metrics_host: Annotated[str, str] = "127.0.0.1"
    metrics_port: Annotated[int, _whole(0, 65535)] = 0

    def database_address(self) -> str:
        """The URL of the database: the one set, or a SQLite file in the data folder."""
        return self.database_url or f"sqlite:///{self.database_file()}"

    def database_file(self) -> Path | None:
        """The SQLite file in the data folder, ``None`` where a URL names a database."""
        return None if self.database_url else self.data_dir.absolute() / "adjudicator.db"

    def require_guarded_door(self) -> None:
        """Lets pass a door that asks for keys, or that only this machine can reach.

        Raises: ConfigurationError.
        """
        if self.keys == KEYS_OPEN and not is_loopback(self.host):
            raise ConfigurationError(
                f"ADJUDICATOR_KEYS is {KEYS_OPEN!r}, so everybody who reaches {self.host} could do "
                f"anything: set it to {KEYS_REQUIRED!r}, or ADJUDICATOR_HOST to 127.0.0.1"
            )

    def queue_folder(self) -> Path:
        """The folder of the embedded queue."""
        return self.data_dir.absolute() / "queue"

    def table_folder(self) -> Path:
        """The folder in which computed tables are kept from run to run."""
        return self.data_dir.absolute() / "tables"

    def metrics_folder(self) -> Path:
        """The folder in which the processes of the service on this port count what they do."""
        return self.data_dir.absolute() / "metrics" / str(self.port)

    def scratch_folder(self) -> Path:
        """The folder of nameless files, for what cannot be read while it comes."""
        return self.data_dir.absolute() / "scratch"

    def environment(self) -> dict[str, str]:
        """These settings as variables, for processes started by this one: they read the same settings."""
        return {variable(name): str(getattr(self, name)) for name in setting_names()}


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and can be reached from nowhere else.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def setting_names() -> list[str]:
    """The names of all settings, in order."""
    return [field.name for field in dataclasses.fields(Settings)]


def _parsers() -> dict[str, Callable[[str], Any]]:
    """For each setting what reads it; it raises ValueError to say what a good value is."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: hints[name].__metadata__[0] for name in setting_names()}


def variable(name: str) -> str:
    """The environment variable of a setting.

    >>> variable("lease_s")
    'ADJUDICATOR_LEASE_S'
    """
    return PREFIX + name.upper()


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in that environment; a variable that is unset or blank leaves the default.

    >>> load_settings({"ADJUDICATOR_PORT": "9000"}).port
    9000

    Raises: ConfigurationError with every variable that is wrong.
    """
    values: dict[str, Any] = {}
    faults = []
    for name, parse in _parsers().items():
        text = environment.get(variable(name), "").strip()
        if not text:
            continue
        try:
            values[name] = parse(text)
        except ValueError as error:
            faults.append(Fault(f"{text!r} is not {error}", Place(parameter=variable(name))))
    if faults:
        raise ConfigurationError("These settings cannot work", faults)
    return Settings(**values)
