"""One running service for each kind of database, for the whole session, and callers of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from modelled_engine import Modelled
from running_service import Service, ask, new_study
from voxpop.settings import EngineSettings


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def service(
    request: pytest.FixtureRequest, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    address = request.getfixturevalue("postgres").new() if request.param == "postgresql" else None
    running = Service(home, tmp_path_factory.mktemp("contract"), address)
    yield running
    running.close()


@pytest.fixture(scope="session")
def http(service: Service) -> httpx.Client:
    """A caller that may read and write studies."""
    return service.client(service.key())


@pytest.fixture(scope="session")
def modelled(
    service: Service, request: pytest.FixtureRequest, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """A service on the same kind of database, whose engine declares every answer modelled or better.

    The findings of such answers are tested here: those of the embedded engine are mostly placeholders.
    """
    address = None if service.state.database.alone else request.getfixturevalue("postgres").new()
    engine = EngineSettings(given=Modelled())
    running = Service(home, tmp_path_factory.mktemp("modelled"), address, engine=engine)
    yield running
    running.close()


@pytest.fixture(scope="session")
def modelled_http(modelled: Service) -> httpx.Client:
    """A caller of the service with the modelled answers that may read and write studies."""
    return modelled.client(modelled.key())


@pytest.fixture(scope="session")
def stranger(service: Service) -> httpx.Client:
    """A caller of another organization."""
    return service.client(service.key(organization="other"))


@pytest.fixture(scope="session")
def asked(http: httpx.Client) -> dict[str, object]:
    """A study with two answered questions; tests only read it."""
    study = new_study(http, 12)
    ask(http, study, "Do you smoke?", key="smokes", type="yes_no")
    ask(http, study, "Which snack do you like best?", key="snack", options=["Chips", "Nuts", "Fruit"])
    return study
