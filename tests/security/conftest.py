"""A service with everything in it that an organization can have, and a caller of another organization."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from everything import Belongings, own_everything

from running_service import Service
from voxpop.records.keys import SCOPES

collect_ignore = ["conftest.py", "everything.py"]


@pytest.fixture(scope="session")
def guarded(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Return a service of its own, whose organizations are told by these tests alone."""
    running = Service(home, tmp_path_factory.mktemp("guarded"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def belongings(guarded: Service) -> Belongings:
    """Return what one organization has, named with words that try to be more than words."""
    return own_everything(guarded, guarded.client(guarded.key(*SCOPES)))
