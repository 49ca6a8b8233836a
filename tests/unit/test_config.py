"""The settings."""

from pathlib import Path

import pytest

from adjudicator.config import Settings, load_settings
from adjudicator.errors import ConfigurationError


def test_an_empty_environment_gives_the_defaults() -> None:
    assert load_settings({}) == Settings()
    assert load_settings({"ADJUDICATOR_PORT": " ", "ADJUDICATOR_REDIS_URL": ""}) == Settings()


def test_settings_come_from_their_variables() -> None:
    settings = load_settings(
        {
            "ADJUDICATOR_DATA_DIR": "/srv/judge",
            "ADJUDICATOR_DATABASE_URL": "postgresql://judge@db/matches",
            "ADJUDICATOR_WORKERS": "0",
            "ADJUDICATOR_LEASE_S": "1.5",
            "ADJUDICATOR_LOG_LEVEL": "WARNING",
        }
    )
    assert settings.data_dir == Path("/srv/judge")
    assert settings.database_address() == "postgresql://judge@db/matches"
    assert (settings.workers, settings.lease_s, settings.log_level) == (0, 1.5, "warning")


def test_a_home_folder_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings({"ADJUDICATOR_DATA_DIR": "~/matches"}).data_dir == tmp_path / "matches"


def test_what_is_embedded_lies_in_the_data_folder(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.database_address() == f"sqlite:///{tmp_path}/adjudicator.db"
    assert (settings.queue_folder(), settings.table_folder()) == (tmp_path / "queue", tmp_path / "tables")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("PORT", "0", "'0' is not a whole number from 1 to 65535"),
        ("PORT", "tcp://10.0.0.1:80", "is not a whole number"),
        ("PORT", "８０８０", "is not a whole number"),
        ("WORKERS", "-1", "'-1' is not a whole number from 0 to 256"),
        ("LEASE_S", "nan", "'nan' is not a number of seconds"),
        ("LEASE_S", "soon", "'soon' is not a number of seconds"),
        ("DATABASE_URL", "mysql://x", "is not a URL that starts with sqlite:, postgresql:"),
        ("REDIS_URL", "http://x", "is not a URL that starts with redis:, rediss:, unix:"),
        ("KEYS", "none", "is not one of required, open"),
        ("RATE_LIMIT", "600", "is not a number of requests"),
        ("RATE_LIMIT", "10/fortnight", "such as 600/minute, or off"),
        ("ANSWERS_KEPT_S", "1", "is not a number of seconds from 60"),
        ("LOG_LEVEL", "loud", "is not one of debug, info, warning, error"),
        ("LOG_FORMAT", "xml", "is not one of text, json"),
        ("METRICS_PORT", "65536", "is not a whole number from 0 to 65535"),
    ],
)
def test_a_value_that_cannot_work_is_refused_by_name(name: str, text: str, reason: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_settings({f"ADJUDICATOR_{name}": text})
    (fault,) = raised.value.faults
    assert fault.place.parameter == f"ADJUDICATOR_{name}"
    assert reason in fault.reason


def test_all_wrong_values_are_named_at_once() -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_settings({"ADJUDICATOR_PORT": "x", "ADJUDICATOR_LEASE_S": "y"})
    assert [fault.place.parameter for fault in raised.value.faults] == [
        "ADJUDICATOR_PORT",
        "ADJUDICATOR_LEASE_S",
    ]


def test_a_started_process_reads_the_same_settings(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path,
        port=9000,
        lease_s=0.75,
        redis_url="redis://queue",
        engine="other",
        rate_limit="off",
    )
    assert load_settings(settings.environment()) == settings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_a_door_without_keys_may_stand_open_to_this_machine(host: str) -> None:
    load_settings({"ADJUDICATOR_KEYS": "OPEN", "ADJUDICATOR_HOST": host}).require_guarded_door()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "judge.example", "localhost.example"])  # noqa: S104
def test_a_door_without_keys_may_not_stand_open_to_others(host: str) -> None:
    settings = load_settings({"ADJUDICATOR_KEYS": "open", "ADJUDICATOR_HOST": host})
    with pytest.raises(ConfigurationError, match=r"ADJUDICATOR_KEYS is 'open'.*set it to 'required'"):
        settings.require_guarded_door()
    load_settings({"ADJUDICATOR_HOST": host}).require_guarded_door()
