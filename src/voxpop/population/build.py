"""The population build: run the stages and write one DuckDB file.

The same version, seed and size produce the same content. Agents are grouped by country, the USA first, in
random order within a country, so the first agents of a country are a random sample of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt

from voxpop.population import columns as c
from voxpop.population import counting, countries_known, intl_health
from voxpop.population.abroad import draw_columns_abroad
from voxpop.population.countries import sizes
from voxpop.population.demographics import EDUCATION, ETHNICITIES, STATES, URBAN_RURAL, People, draw_people
from voxpop.population.draw import Streams
from voxpop.population.drawing import drawn
from voxpop.population.employment import GROUPS, INDUSTRIES, LABOUR, OCCUPATIONS, Work
from voxpop.population.health import (
    ACTIVITY,
    ALCOHOL,
    BMI_CLASSES,
    DIET,
    PHQ_CLASSES,
    SLEEP,
    SMOKING,
    draw_health,
)
from voxpop.population.health_conditions import CONDITIONS, draw_conditions, layout
from voxpop.population.income import draw_income
from voxpop.population.intl_health import sources
from voxpop.population.medicines import DRUG_CLASSES, draw_medicines
from voxpop.population.names import draw_names
from voxpop.population.reference import (
    CALIBRATION_VERSION,
    METHOD_VERSION,
    POPULATION_VERSION,
    PROFILE_PROVENANCE,
    PROFILE_PROVENANCE_USA,
    REFERENCE_VERSION,
    SOURCE,
    name_of,
)
from voxpop.population.titles import draw_titles
from voxpop.population.work import draw_work
from voxpop.vocabulary.fields import FIELDS

Progress = Callable[[str], None]

FIXED = tuple(name for name, field in FIELDS.items() if field.levels and name != "country")
"""Categories whose levels are the same in every population, whether or not an agent has them."""


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return hashed 64-bit numbers, one for each input (the finalizer of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


def uuids(name: str, size: int) -> npt.NDArray[np.uint8]:
    """Return the UUIDs (RFC 9562, version 8) of agents 1 to ``size``, 16 bytes each.

    They are derived from the population name and the agent id.

    Examples
    --------
    >>> import uuid
    >>> uuid.UUID(bytes=uuids(name_of(7, 100_000), 2)[1].tobytes()).version
    8
    """
    digest = hashlib.sha256(name.encode()).digest()
    high, low = (np.uint64(int.from_bytes(digest[at : at + 8], "big")) for at in (0, 8))
    ids = np.arange(1, size + 1, dtype=np.uint64)
    words = np.stack([_mixed(ids + high), _mixed(_mixed(ids) ^ low)], axis=1)
    raw = words.astype(">u8").view(np.uint8).reshape(size, 16)
    raw[:, 6] = (raw[:, 6] & 0x0F) | 0x80
    raw[:, 8] = (raw[:, 8] & 0x3F) | 0x80
    return raw


def _demographic(seed: int, people: People, work: Work) -> dict[str, c.Column]:
    (given, given_names), (last, surnames) = draw_names(seed, people)
    size = people.age.size
    return {
        "given_name": c.Category(given, given_names).only_used(),
        "surname": c.Category(last, surnames).only_used(),
        "age": c.Numbers(people.age.astype(np.uint8), "UTINYINT"),
        "gender": c.Category(people.sex, FIELDS["gender"].levels),
        "country": c.Category(np.zeros(size, dtype=np.int16), ("USA",)),
        "state": c.Category(people.state, STATES).only_used(),
        "ethnicity": c.Category(people.ethnicity, ETHNICITIES).only_used(),
        "is_parent": c.Numbers(people.parent, "BOOLEAN"),
        "education": c.Category(people.education, EDUCATION),
        "household_income": c.Category(draw_income(seed, people, work), FIELDS["household_income"].levels),
        "urban_rural": c.Category(people.urban_rural, URBAN_RURAL),
    }


def _professional(seed: int, people: People, work: Work) -> dict[str, c.Column]:
    titles, labels = draw_titles(Streams(seed, 0), people, work)
    return {
        "occupation": c.Category(work.occupation, OCCUPATIONS).only_used(),
        "occupation_major_group": c.Category(work.group, GROUPS),
        "industry": c.Category(work.industry, INDUSTRIES).only_used(),
        "labour_status": c.Category(work.labour_status, LABOUR),
        "title_variant": c.Category(titles, labels).only_used(),
    }


def _health(seed: int, people: People) -> dict[str, c.Column]:
    health = draw_health(seed, people)
    size, at = people.age.size, health.positions
    cells = layout(health)
    conditions = draw_conditions(seed, health, cells)
    medicines = draw_medicines(seed, conditions, health.people.age[cells.order], cells)
    known = c.spread(np.ones(at.size, dtype=bool), at, size)
    by_cell = at[cells.order]

    def members(flags: npt.NDArray[np.bool_], labels: tuple[str, ...]) -> c.Members:
        wide = np.zeros((size, len(labels)), dtype=bool)
        wide[by_cell] = flags.T
        return c.Members(wide, known, labels)

    def number(values: npt.NDArray[np.generic], sql_type: str) -> c.Numbers:
        return c.Numbers(c.spread(values, at, size), sql_type, known)

    def category(codes: npt.NDArray[np.int16], labels: tuple[str, ...]) -> c.Category:
        return c.Category(codes, labels).spread(at, size)

    count = np.zeros(size, dtype=np.uint8)
    count[by_cell] = medicines.sum(axis=0)
    return {
        "health_conditions": members(conditions, CONDITIONS),
        "health_drug_classes": members(medicines, DRUG_CLASSES),
        "rx_medication_count": c.Numbers(count, "UTINYINT", known),
        "smoking_status": category(health.smoking, SMOKING),
        "alcohol_use": category(health.alcohol, ALCOHOL),
        "physical_activity_level": category(health.activity, ACTIVITY),
        "sleep_quality": category(health.sleep, SLEEP),
        "diet_quality": category(health.diet, DIET),
        "bmi": number(health.bmi_tenths / 10.0, "DOUBLE"),
        "bmi_class": category(health.bmi_class, BMI_CLASSES),
        "phq9_score": number(health.phq9_score.astype(np.uint8), "UTINYINT"),
        "phq9_severity": category(health.phq9_severity, PHQ_CLASSES),
    }


def draw_columns(seed: int, size: int, progress: Progress) -> dict[str, c.Column]:
    """Draw all columns of a population except ``id`` and ``uuid``, US agents first."""
    progress(f"building a population of {size:,} agents: people")
    elsewhere = sizes(size)
    found = _draw_usa(seed, size - int(elsewhere.sum()), progress)
    if elsewhere.any():
        progress("building: other countries")
        country = np.repeat(np.arange(elsewhere.size, dtype=np.int16), elsewhere)
        more = draw_columns_abroad(Streams(seed, 0), country)
        more = {
            name: column.only_used() if isinstance(column, c.Category) and name not in FIXED else column
            for name, column in more.items()
        }
        found = {
            name: c.joined(column, more.get(name), int(elsewhere.sum())) for name, column in found.items()
        }
    return drawn(seed, found)


def _draw_usa(seed: int, size: int, progress: Progress) -> dict[str, c.Column]:
    people = draw_people(seed, size)
    progress("building: work")
    work = draw_work(Streams(seed, 0), people)
    found = _demographic(seed, people, work) | _professional(seed, people, work)
    progress("building: health")
    return found | _health(seed, people)


def build(path: Path, seed: int, size: int, progress: Progress) -> None:
    """Build a population and write it to a new file.

    Parameters
    ----------
    path : Path
        Path of the new file; must not exist.
    seed : int
        Seed of the population, not negative.
    size : int
        Number of agents, at least 1.
    progress : callable
        Called with a short description of each step.
    """
    name = name_of(seed, size)
    found = draw_columns(seed, size, progress)
    progress("building: writing the file")
    with duckdb.connect(str(path)) as connection:
        _write_agents(connection, name, size, found)
        counting.store(connection)
        connection.execute("CREATE TABLE meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL)")
        facts = {
            "name": name,
            "version": POPULATION_VERSION,
            "seed": str(seed),
            "size": str(size),
            "source": SOURCE,
            "method_version": METHOD_VERSION,
            "calibration_version": CALIBRATION_VERSION,
            "reference_version": REFERENCE_VERSION,
            "profile_provenance": PROFILE_PROVENANCE,
            "profile_provenance USA": PROFILE_PROVENANCE_USA,
        }
        for country, source in sources().items():
            facts[f"source {country}"] = source
            facts[f"method_version {country}"] = intl_health.METHOD_VERSION
            facts[f"calibration_version {country}"] = intl_health.CALIBRATION_VERSION
            facts[f"reference_version {country}"] = REFERENCE_VERSION
        facts |= countries_known.facts()
        connection.executemany("INSERT INTO meta VALUES (?, ?)", list(facts.items()))


def _write_agents(
    connection: duckdb.DuckDBPyConnection, name: str, size: int, found: dict[str, c.Column]
) -> None:
    """Write the table of agents, ordered by id; columns are freed as they are written."""
    import pyarrow as pa  # slow import, needed only for a build

    raw = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), size, [None, pa.py_buffer(uuids(name, size))])
    arrays = {
        "id": pa.array(np.arange(1, size + 1, dtype=np.int32)),
        "uuid": pa.ExtensionArray.from_storage(pa.uuid(), raw),
    }
    types = {"id": "INTEGER", "uuid": "UUID"}
    for column in list(found):
        values = found.pop(column)
        if not isinstance(values, c.Numbers):
            connection.execute(f"CREATE TYPE {column}_label AS ENUM ({c.quoted(values.labels)})")
        arrays |= c.arrow_arrays(column, values)
        types |= c.sql_types(column, values)
    selected = ", ".join(f"CAST({column} AS {sql}) AS {column}" for column, sql in types.items())
    connection.register("drawn", pa.table(arrays))
    connection.execute(f"CREATE TABLE agents AS SELECT {selected} FROM drawn")
    connection.unregister("drawn")
