"""Conversion of rows of the table of agents to :class:`Agent` values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.population.summaries import Facts, summary
from voxpop.vocabulary.fields import FIELDS, Field, in_records

if TYPE_CHECKING:
    import pyarrow as pa

Provenance = Mapping[str, tuple[str, str, str, str]]
"""Source, method_version, calibration_version, reference_version of the health data, by country."""
ProfileProvenance = Mapping[str, str | None]
"""Provenance of the fields outside the health profile, by country; None in files without it."""

_RECORD, _PROFILE = in_records(health=False), in_records(health=True)
_SQL = {
    "text": "VARCHAR",
    "texts": "VARCHAR[]",
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
}


def _sent(field: Field) -> str:
    return f"CAST({field.name} AS {_SQL[field.sent]}) AS {field.record_key}"


_COLUMN_OF = {"uuid": "CAST(uuid AS VARCHAR)", "name": "given_name || ' ' || surname", "city": "NULL"}
_COLUMN_OF |= {field.record_key: field.name for field in (*_RECORD, *_PROFILE)}
_PROVENANCE = ("source", "method_version", "calibration_version", "reference_version")
_COLUMN_OF_FACT = {"number": "id", "title": "title_variant"}


def _parts(of: type[Agent] | type[HealthProfile], *without: str) -> tuple[list[str], list[str]]:
    """Return the attributes that a class takes by position, and those it takes by name."""
    read = [one for one in fields(of) if one.name not in without]
    return [one.name for one in read if not one.kw_only], [one.name for one in read if one.kw_only]


_AGENT, _MORE = _parts(Agent, "summary", "health_profile", "profile_provenance")
_HEALTH, _MORE_HEALTH = _parts(HealthProfile, *_PROVENANCE)
_READ = [*_AGENT, *_HEALTH, *_MORE, *_MORE_HEALTH]
_END, _HEALTH_END = len(_AGENT), len(_AGENT) + len(_HEALTH)
_MORE_END = _HEALTH_END + len(_MORE)
_COUNTRY = _READ.index("country")
_LISTS = [_READ.index(field.record_key) for field in (*_RECORD, *_PROFILE) if field.kind == "list"]
_facts = itemgetter(*(_READ.index(_COLUMN_OF_FACT.get(name, name)) for name in Facts._fields))

SELECTED = ", ".join(_COLUMN_OF.get(name, name) for name in _READ)
"""Columns to select for :func:`read`, in this order."""

SELECTED_COLUMNS = ", ".join(
    [
        "CAST(id AS BIGINT) AS id, CAST(uuid AS VARCHAR) AS uuid, given_name || ' ' || surname AS name",
        *map(_sent, (*_RECORD, *_PROFILE)),
    ]
)
"""Columns to select for :func:`columns`."""


def provenance(facts: Mapping[str, str]) -> Provenance:
    """Return the sources of the health data by country, from the facts in a population file."""

    def of(country: str) -> tuple[str, str, str, str]:
        source, method, calibration, reference = (
            facts.get(f"{name} {country}", facts[name]) for name in _PROVENANCE
        )
        return source, method, calibration, reference

    return {country: of(country) for country in FIELDS["country"].levels}


def profile_provenance(facts: Mapping[str, str]) -> ProfileProvenance:
    """Return the sources of the other fields by country, from the facts in a population file."""
    usual = facts.get("profile_provenance")
    countries = FIELDS["country"].levels
    return {country: facts.get(f"profile_provenance {country}", usual) for country in countries}


def read(rows: Iterable[tuple[Any, ...]], provenance: Provenance, profile: ProfileProvenance) -> list[Agent]:
    """Return the agents of fetched rows, in the same order."""
    return [_agent(row, provenance, profile) for row in rows]


def _agent(row: tuple[Any, ...], provenance: Provenance, profile: ProfileProvenance) -> Agent:
    values = list(row)
    for place in _LISTS:
        if values[place] is not None:
            values[place] = tuple(values[place])
    health = None
    if values[_END] is not None:
        more = dict(zip(_MORE_HEALTH, values[_MORE_END:], strict=True))
        told = [*values[_END:_HEALTH_END], *provenance[values[_COUNTRY]]]
        health = HealthProfile(*told, **more)
    more = dict(zip(_MORE, values[_HEALTH_END:_MORE_END], strict=True))
    told = [*values[:_END], summary(Facts(*_facts(row))), health]
    return Agent(*told, profile_provenance=profile[values[_COUNTRY]], **more)


def columns(found: pa.Table, provenance: Provenance, profile: ProfileProvenance) -> pa.Table:
    """Return the agents of fetched columns like :func:`read`, without a Python object per agent.

    Columns have the names and the order of an agent's record; ``health_profile`` is a struct column.
    """
    import pyarrow as pa  # slow import, needed only for bulk reads
    import pyarrow.compute as pc

    found = found.combine_chunks()
    city = pa.nulls(found.num_rows, pa.string())
    found = found.add_column(found.column_names.index("state") + 1, "city", city)
    facts = (found[_COLUMN_OF_FACT.get(name, name)].to_pylist() for name in Facts._fields)
    told = map(summary, map(Facts._make, zip(*facts, strict=True)))
    first = found.num_columns - len(_PROFILE)
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
        .append_column("profile_provenance", pa.array(profile.values(), pa.string()).take(where))
    )
