"""The service behind the contract tests of the web door."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture
def app(house: House) -> Flask:
    return house.app


@pytest.fixture
def client(house: House, contract: Contract) -> CheckedClient:
    return CheckedClient(house.app, contract, house.key)
