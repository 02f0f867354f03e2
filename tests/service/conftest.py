"""One running service for the tests of its own behaviour."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from running_service import Service


@pytest.fixture(scope="session")
def embedded(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(home, tmp_path_factory.mktemp("service"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def caller(embedded: Service) -> httpx.Client:
    """A caller that may read and write studies."""
    return embedded.client(embedded.key())
