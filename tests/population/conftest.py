"""Populations that the tests of this folder share: built once a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from voxpop.engines.agents import as_record
from voxpop.population.file import open_population
from voxpop.population.queries import Population


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def small(home: Path) -> Iterator[Population]:
    """2,000 agents: small enough to look at every one of them."""
    population = open_population(2_000, 3, home=home)
    yield population
    population.close()


@pytest.fixture(scope="session")
def records(small: Population) -> list[dict[str, Any]]:
    """Every agent of ``small`` in its wire shape."""
    return [as_record(agent) for agent in small.agents(range(1, small.size + 1))]


@pytest.fixture(scope="session")
def large(home: Path) -> Iterator[Population]:
    """100,000 agents: enough for margins."""
    population = open_population(100_000, 7, home=home)
    yield population
    population.close()
