"""One running service for the tests of the tools, and official clients of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from talking import Talk

from running_service import Service


@pytest.fixture(scope="session")
def service(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(home, tmp_path_factory.mktemp("mcp"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def talk(service: Service) -> Talk:
    """Speak with the service's `/mcp` by a key that may read and write studies."""
    return Talk(service.root_url, service.key())
