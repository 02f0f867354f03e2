"""One running service for each kind of database, for the whole session, and callers of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from running_service import Service, ask, new_study


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
