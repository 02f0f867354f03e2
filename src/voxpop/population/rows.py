"""Rows of the table of agents become :class:`Agent` values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.population.summaries import Facts, summary
from voxpop.vocabulary.fields import FIELDS

if TYPE_CHECKING:
    import pyarrow as pa

Provenance = Mapping[str, tuple[str, str, str, str]]
"""By country source, method_version, calibration_version, reference_version of the health data."""

SELECTED = """
    id, CAST(uuid AS VARCHAR), given_name, surname, age, gender, country, state, ethnicity, is_parent,
    education, household_income, urban_rural, occupation, occupation_major_group, industry, labour_status,
    title_variant, health_conditions, health_drug_classes, rx_medication_count, smoking_status, alcohol_use,
    physical_activity_level, sleep_quality, diet_quality, bmi, bmi_class, phq9_score, phq9_severity
"""
"""What a query must select for :func:`read`, in this order."""


_PLAIN = """
    CAST(gender AS VARCHAR) AS gender, CAST(country AS VARCHAR) AS country, CAST(state AS VARCHAR) AS state,
    CAST(NULL AS VARCHAR) AS city, CAST(ethnicity AS VARCHAR) AS ethnicity, is_parent,
    CAST(education AS VARCHAR) AS education, CAST(household_income AS VARCHAR) AS household_income,
    CAST(urban_rural AS VARCHAR) AS urban_rural, CAST(occupation AS VARCHAR) AS occupation,
    CAST(occupation_major_group AS VARCHAR) AS occupation_major_group,
    CAST(industry AS VARCHAR) AS industry, CAST(labour_status AS VARCHAR) AS labour_status,
    CAST(title_variant AS VARCHAR) AS title_variant
"""
_HEALTH = """
    CAST(health_conditions AS VARCHAR[]) AS conditions,
    CAST(health_drug_classes AS VARCHAR[]) AS drug_classes,
    CAST(rx_medication_count AS BIGINT) AS rx_medication_count,
    CAST(smoking_status AS VARCHAR) AS smoking_status, CAST(alcohol_use AS VARCHAR) AS alcohol_use,
    CAST(physical_activity_level AS VARCHAR) AS physical_activity_level,
    CAST(sleep_quality AS VARCHAR) AS sleep_quality, CAST(diet_quality AS VARCHAR) AS diet_quality,
    CAST(bmi AS DOUBLE) AS bmi, CAST(bmi_class AS VARCHAR) AS bmi_class,
    CAST(phq9_score AS DOUBLE) AS phq9_score, CAST(phq9_severity AS VARCHAR) AS phq9_severity
"""
SELECTED_COLUMNS = f"""
    CAST(id AS BIGINT) AS id, CAST(uuid AS VARCHAR) AS uuid, given_name || ' ' || surname AS name,
    CAST(age AS BIGINT) AS age, {_PLAIN}, {_HEALTH}
"""
"""What a query must select for :func:`columns`."""

_COLUMN_OF_FACT = {"number": "id", "title": "title_variant"}
_PROVENANCE = ("source", "method_version", "calibration_version", "reference_version")


def provenance(facts: Mapping[str, str]) -> Provenance:
    """Return where the health data of each country come from, out of the facts in a population file."""

    def of(country: str) -> tuple[str, str, str, str]:
        source, method, calibration, reference = (
            facts.get(f"{name} {country}", facts[name]) for name in _PROVENANCE
        )
        return source, method, calibration, reference

    return {country: of(country) for country in FIELDS["country"].levels}


def read(rows: Iterable[tuple[Any, ...]], provenance: Provenance) -> list[Agent]:
    """Return the agents of fetched rows, in their order."""
    return [_agent(row, provenance) for row in rows]


def _agent(row: tuple[Any, ...], provenance: Provenance) -> Agent:
    number, uuid, given, surname, age, gender, country, state, ethnicity, parent = row[:10]
    education, income, area, occupation, group, industry, status, title = row[10:18]
    name = f"{given} {surname}"
    facts = Facts(
        number,
        name,
        age,
        gender,
        country,
        state,
        ethnicity,
        parent,
        education,
        income,
        area,
        status,
        title,
        industry,
    )
    return Agent(
        id=number,
        uuid=uuid,
        name=name,
        age=age,
        gender=gender,
        country=country,
        state=state,
        city=None,
        ethnicity=ethnicity,
        is_parent=parent,
        education=education,
        household_income=income,
        urban_rural=area,
        occupation=occupation,
        occupation_major_group=group,
        industry=industry,
        labour_status=status,
        title_variant=title,
        summary=summary(facts),
        health_profile=None if row[18] is None else _health(row[18:], provenance[country]),
    )


def _health(values: tuple[Any, ...], provenance: tuple[str, ...]) -> HealthProfile:
    rest: list[Any] = [*values[2:], *provenance]
    drugs = None if values[1] is None else tuple(values[1])
    return HealthProfile(tuple(values[0]), drugs, *rest)


def columns(found: pa.Table, provenance: Provenance) -> pa.Table:
    """Return the agents of fetched columns as :func:`read` does, without a Python object for each.

    The columns have the names and the order of an agent's record; ``health_profile`` is a column of structs.
    """
    import pyarrow as pa  # a slow import, for bulk reads alone
    import pyarrow.compute as pc

    found = found.combine_chunks()
    facts = (found[_COLUMN_OF_FACT.get(name, name)].to_pylist() for name in Facts._fields)
    told = map(summary, map(Facts._make, zip(*facts, strict=True)))
    first = found.column_names.index("conditions")
    health = {name: found[name].combine_chunks() for name in found.column_names[first:]}
    countries = pa.array(provenance)
    where = pc.index_in(found["country"].combine_chunks(), value_set=countries)
    for place, name in enumerate(_PROVENANCE):
        health[name] = pa.array([each[place] for each in provenance.values()]).take(where)
    profiles = pa.StructArray.from_arrays(
        list(health.values()), names=list(health), mask=health["conditions"].is_null()
    )
    return (
        found.select(range(first))
        .append_column("summary", pa.array(told, pa.string()))
        .append_column("health_profile", profiles)
    )
