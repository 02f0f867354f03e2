"""Agents are possible people, with the provenance of their health data."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from voxpop.engines.agents import Agent, as_record
from voxpop.errors import NotFound
from voxpop.population.queries import Population
from voxpop.population.reference import CALIBRATION_VERSION, METHOD_VERSION, REFERENCE_VERSION
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import between, where
from voxpop.vocabulary.places import STATES
from voxpop.vocabulary.regions import REGION_NAMES

CUTS = {"underweight": 0, "normal": 18.5, "overweight": 25, "obese_1": 30, "obese_2": 35, "obese_3": 40}
GRADES = {"minimal": 0, "mild": 5, "moderate": 10, "moderately_severe": 15, "severe": 20}


@pytest.fixture(scope="module")
def agents(large: Population) -> list[Agent]:
    """6,000 agents of the USA."""
    return large.search(where(country="USA"), limit=6_000)[1]


def level(value: float, cuts: dict[str, float]) -> str:
    return [name for name, least in cuts.items() if value >= least][-1]


def test_the_wire_record_is_what_encoding_gives(small: Population) -> None:
    for agent in small.agents([1, 2, 3, 4, 5, 6, 7, 8]):
        assert json.loads(msgspec.json.encode(agent)) == as_record(agent)
        assert list(as_record(agent))[:4] == ["id", "uuid", "name", "age"]


def test_every_value_is_one_of_the_vocabulary(records: list[dict[str, Any]]) -> None:
    for record in records:
        for name, field in FIELDS.items():
            if field.levels and field.kind == "category" and field.group != "health":
                assert record[name] is None or record[name] in field.levels
        assert record["state"] in (*STATES, *REGION_NAMES)
        assert record["city"] is None
        assert 18 <= record["age"] <= 99


def test_only_those_with_a_job_have_professional_fields(agents: list[Agent]) -> None:
    for agent in agents:
        fields = (agent.occupation, agent.occupation_major_group, agent.industry, agent.title_variant)
        assert all(fields) == any(fields) == (agent.labour_status == "employed")


def test_no_figures_no_agents(large: Population) -> None:
    assert large.count(where(gender="non_binary")) == 0
    assert large.count(where(major_group="Military Specific")) == 0


def test_nobody_is_impossible(large: Population) -> None:
    graduates = where(country="USA", age=between(18, 21), education="College graduate or above")
    assert large.count(graduates) < 60
    assert large.count(where(age=between(18, 20), education="College graduate or above")) == 0
    assert large.count(where(age=between(18, 24), labour_status="retired")) == 0
    physicians = [
        "Family Medicine Physicians",
        "Pediatricians, General",
        "Dentists, General",
        "Anesthesiologists",
    ]
    assert large.count(where(occupation=physicians)) > 0
    assert large.ranges(where(occupation=physicians), ["age"])["age"]["min"] >= 28
    assert large.ranges(where(occupation="Lawyers"), ["age"])["age"]["min"] >= 25
    for occupation in (*physicians, "Lawyers", "Civil Engineers", "Pharmacists"):
        schooling = large.facets(where(occupation=occupation), ["education"])["education"]
        assert [value for value, _ in schooling] == ["College graduate or above"]


def test_men_and_women_have_only_what_they_can_have(large: Population) -> None:
    assert large.count(where(gender="female", condition="bph")) == 0
    assert large.count(where(gender="male", drug_class="oral_contraceptive")) == 0
    assert large.count(where(age=between(min=50), drug_class="oral_contraceptive")) == 0
    assert large.count(where(gender="female", age=between(max=49), drug_class="oral_contraceptive")) > 1_000


def test_one_kind_of_diabetes_at_a_time(large: Population) -> None:
    kinds = ("diabetes_t1", "diabetes_t2", "prediabetes")
    for first, second in ((0, 1), (0, 2), (1, 2)):
        assert large.count(where(condition={"all": [kinds[first], kinds[second]]})) == 0


def test_health_fields_agree_with_each_other(agents: list[Agent]) -> None:
    profiles = [agent.health_profile for agent in agents if agent.health_profile]
    assert len(profiles) / len(agents) == pytest.approx(0.85, abs=0.02)
    for health in profiles:
        assert health.bmi_class == level(health.bmi, CUTS)
        assert ("obesity" in health.conditions) == (health.bmi >= 30)
        assert health.phq9_severity == level(health.phq9_score, GRADES)
        assert 0 <= health.phq9_score <= 27
        assert round(health.bmi, 1) == health.bmi
        assert health.rx_medication_count == len(health.drug_classes) == len(set(health.drug_classes))
        assert set(health.conditions) <= set(FIELDS["health_conditions"].levels)


def test_health_is_assigned_to_the_documented_share(large: Population) -> None:
    usa = large.count(where(country="USA"))
    assert large.count(where(country="USA", bmi=between(min=1))) == int(0.85 * usa + 0.5)


def test_health_data_say_where_they_come_from(agents: list[Agent]) -> None:
    found = {
        (health.source, health.method_version, health.calibration_version, health.reference_version)
        for agent in agents
        if (health := agent.health_profile)
    }
    assert len(found) == 1
    source, *versions = found.pop()
    assert source.startswith("simulated from public US figures")
    assert versions == [METHOD_VERSION, CALIBRATION_VERSION, REFERENCE_VERSION]


def test_income_rises_with_schooling_and_work(large: Population) -> None:
    def well_off(**who: Any) -> float:
        rich = ["$100,000-$149,999", "$150,000-$199,999", "$200,000 and over"]
        return large.count(where(household_income=rich, **who)) / large.count(where(**who))

    graduates = well_off(education="College graduate or above")
    assert graduates > 2 * well_off(education="9-11th grade")
    assert well_off(labour_status="employed") > 2 * well_off(labour_status="disabled")
    assert well_off(occupation="Lawyers") > well_off(occupation="Cashiers") + 0.2


def test_names_fit(large: Population) -> None:
    latinas = large.search(where(gender="female", ethnicity="Hispanic or Latino"), limit=300)[1]
    given = {agent.name.split()[0] for agent in latinas}
    assert given & {"María", "Guadalupe", "Ana"}
    assert not given & {"José", "Juan", "Michael"}
    old = {agent.name.split()[0] for agent in large.search(where(age=between(80, 99)), limit=500)[1]}
    young = {agent.name.split()[0] for agent in large.search(where(age=between(18, 25)), limit=500)[1]}
    assert "Tyler" in young - old
    assert "Shirley" in old - young


def test_a_summary_says_what_the_fields_say(agents: list[Agent]) -> None:
    for agent in agents:
        text = agent.summary
        assert agent.name in text
        assert re.search(rf"\b{agent.age}\b", text)
        assert STATES[agent.state or ""] in text
        assert ("child under 18" in text) == agent.is_parent
        assert (agent.title_variant or "works as") in text or agent.title_variant is None
        assert ("works as" in text) == (agent.labour_status == "employed")
        assert agent.household_income.lower() in text.lower()
        assert (" She " in text) == (agent.gender == "female")
        assert "  " not in text
        assert text.endswith(".")
    assert len({re.sub(r"\d+|[A-Z]\w+", "", agent.summary) for agent in agents}) > 500


def test_titles_belong_to_their_occupation_and_age(large: Population, agents: list[Agent]) -> None:
    nurses = {
        agent.title_variant for agent in large.search(where(occupation="Registered Nurses"), limit=500)[1]
    }
    assert all("Nurs" in (title or "") or "RN" in (title or "") for title in nurses)
    assert {"Registered Nurse", "Senior Registered Nurse"} <= nurses
    for agent in agents:
        if agent.age >= 35 and agent.title_variant:
            assert not re.match(r"(Junior (?!High)|New Graduate )", agent.title_variant)


def test_agents_as_columns_are_the_same_agents(small: Population) -> None:
    ids = [*range(small.size, 0, -3), 1, 2]
    columns = small.agent_columns(ids)
    assert columns.to_pylist() == [as_record(agent) for agent in small.agents(ids)]
    assert small.agent_columns([5]).column_names == list(as_record(small.agents([5])[0]))
    assert small.agent_columns([]).num_rows == 0
    with pytest.raises(NotFound, match="There is no agent 0"):
        small.agent_columns([0])
