"""Populations that the tests of this folder share: built once a session."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from reports import Reported

from voxpop.cli import main
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
def large() -> Iterator[Population]:
    """100,000 agents, enough for margins: those of the notebooks, which all tests share."""
    population = open_population(100_000, 7, home=Path(os.environ["VOXPOP_HOME"]))
    yield population
    population.close()


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Run the command once as text with a page, and once for its JSON."""
    page = tmp_path_factory.mktemp("docs") / "population-report.md"
    command = ["population", "report", "--agents", "5000"]
    with redirect_stdout(StringIO()) as text:
        assert main([*command, "--page", str(page)]) == 0
    with redirect_stdout(StringIO()) as record:
        assert main([*command, "--json"]) == 0
    return Reported(text.getvalue(), json.loads(record.getvalue()), page)
