"""Installations that are killed repeatedly, one for each kind of database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from errands import Site

from machines import cluster

collect_ignore = ["conftest.py"]  # no doctests here, and several modules of this name cannot be collected


@pytest.fixture(scope="package")
def sqlite_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service by itself, with its folder."""
    site = Site(tmp_path_factory.mktemp("sqlite"))
    yield site
    site.close()


@pytest.fixture(scope="package")
def postgres_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service that does no work, two workers, and a PostgreSQL of their own."""
    with cluster() as server:
        site = Site(tmp_path_factory.mktemp("postgres"), server, workers=2)
        yield site
        site.close()
