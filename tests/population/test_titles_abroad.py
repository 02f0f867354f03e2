"""Titles of American licences, agencies and schools stay in the USA."""

from __future__ import annotations

from voxpop.population.queries import Population
from voxpop.population.reference import rows
from voxpop.population.titles import variants
from voxpop.vocabulary.filters import where


def test_no_agent_abroad_has_a_title_that_only_the_usa_has(large: Population) -> None:
    american = {row["title_variant"] for row in rows("us_only_titles_assumed")}
    for country in ("Japan", "Germany", "UK", "Brazil"):
        agents = large.agents(large.sample(where(country=country), 1_000, seed=1))
        assert not {agent.title_variant for agent in agents} & american
    home = large.agents(large.sample(where(country="USA"), 5_000, seed=1))
    assert {agent.title_variant for agent in home} & american


def test_every_occupation_keeps_a_title_abroad() -> None:
    assert all(variants(abroad=True))
    known = {title for titles in variants() for title in titles}
    assert {row["title_variant"] for row in rows("us_only_titles_assumed")} <= known
