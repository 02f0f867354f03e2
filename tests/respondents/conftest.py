from __future__ import annotations

import pytest
from real_models import REAL_ENGINES

from made_agents import make_agents
from voxpop.population.agents import Agent
from voxpop.population.file import open_population
from voxpop.vocabulary.filters import where

collect_ignore = [] if REAL_ENGINES else ["test_model_real.py"]


@pytest.fixture(scope="session")
def agents() -> list[Agent]:
    return make_agents(400)


@pytest.fixture(scope="session")
def crowd() -> list[Agent]:
    return make_agents(3_000, seed=2)


@pytest.fixture(scope="session")
def panel_of_the_usa(tmp_path_factory) -> list[Agent]:
    """5,000 agents of the USA as the service builds them, with attributes that go together."""
    population = open_population(12_000, 7, home=tmp_path_factory.mktemp("panel"))
    try:
        return population.agents(population.sample(where(country="USA"), 5_000, seed=3))
    finally:
        population.close()
