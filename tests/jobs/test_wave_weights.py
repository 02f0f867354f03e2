"""The weights of waves restore the totals of the audience, whatever the design: hundreds of panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voxpop.jobs import group_draws
from voxpop.jobs.waves import next_wave
from voxpop.population.file import open_population
from voxpop.population.queries import Population
from voxpop.population.quotas import read_design
from voxpop.records import groups, keys, studies
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.vocabulary.filters import between, where

AUDIENCE = where(state=["TX", "FL", "CA"], age=between(18, 80))
SIZE, TIMES = 40, 300
YOUNG, OLD = where(age=between(max=35)), where(age=between(36))
CELLS = [{"filters": YOUNG.to_json(), "size": 30}, {"filters": OLD.to_json(), "size": 10}]
BOOST = [{"filters": where(gender="female").to_json(), "size": 15}]
MARGINS = {"margins": {"gender": {"female": 0.6, "male": 0.4}, "age": {"under 36": 0.6, "36+": 0.4}}}


@pytest.fixture(scope="module")
def population(home: Path) -> Iterator[Population]:
    with open_population(3_000, 7, home=home) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quotas", "boosts", "method"),
    [
        (None, None, "random"),
        (None, None, "stratified"),
        (CELLS, BOOST, "random"),
        (MARGINS, None, "random"),
    ],
)
def test_weights_of_waves_restore_totals(
    population: Population, tmp_path: Path, quotas: Any, boosts: Any, method: str
) -> None:
    design = read_design(quotas, boosts, SIZE)
    ages = {agent.id: agent.age for agent in population.search(AUDIENCE, limit=3_000)[1]}
    database = Database.open(sqlite_url(tmp_path))
    totals, drawn, told = [], Counter[int](), {}
    with database.begin() as c:
        whose = keys.create_organization(c, "Panels")
        for seed in range(TIMES):
            first = population.draw(AUDIENCE, SIZE, seed=seed, method=method, design=design)
            group = groups.create(
                c,
                whose,
                name="Panel",
                description=None,
                filters=AUDIENCE.to_json(),
                sample_method=method,
                seed=seed,
                shortfall=0,
                agent_ids=group_draws.members_of(first),
                sampling=group_draws.sampling_of(first, design, [], near=None),
            )
            study = studies.create(c, whose, title="Panel", objective=None, group=group)
            for wave in (1, 2):
                made = next_wave(
                    c, population, whose, study.id, refresh=0.4, attrition=0.2, seed=wave * TIMES + seed
                )
                study = made.wave.study
            members = groups.members(c, whose, made.group.id)
            totals.append(sum(ages[one.agent_id] * (one.design_weight or 0) for one in members))
            told |= {one.agent_id: one.inclusion_probability or 0 for one in members}
            drawn.update(one.agent_id for one in members)
    database.close()
    assert abs(np.mean(totals) - sum(ages.values())) < 3.5 * np.std(totals) / np.sqrt(TIMES)
    share = np.array(list(told.values()))
    z = (np.array([drawn[agent] for agent in told]) - TIMES * share) / np.sqrt(TIMES * share * (1 - share))
    assert float((z**2).mean()) == pytest.approx(1, abs=0.2)
