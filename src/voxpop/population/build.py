"""The population build: draw the agents block by block and write one DuckDB file.

The same version and seed produce the same agents, whatever the size: the first agents of a larger population
are those of a smaller one. They are in random order, so the first of them are a random sample.
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
from voxpop.population.blocks import BLOCK, draw_block
from voxpop.population.intl_health import sources
from voxpop.population.reference import (
    CALIBRATION_VERSION,
    METHOD_VERSION,
    POPULATION_VERSION,
    PROFILE_PROVENANCE,
    PROFILE_PROVENANCE_USA,
    REFERENCE_VERSION,
    SOURCE,
    family_of,
    name_of,
)

Progress = Callable[[str], None]

_AT_ONCE = 12
_MEMORY = "2GB"


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return hashed 64-bit numbers, one for each input (the finalizer of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


def uuids(family: str, start: int, size: int) -> npt.NDArray[np.uint8]:
    """Return the UUIDs (RFC 9562, version 8) of ``size`` agents after the first ``start``, 16 bytes each.

    They are derived from the version and seed of the population and from the agent id, so that an agent has
    the same UUID in populations of all sizes.

    Examples
    --------
    >>> import uuid
    >>> uuid.UUID(bytes=uuids(family_of(7), 0, 2)[1].tobytes()).version
    8
    """
    digest = hashlib.sha256(family.encode()).digest()
    high, low = (np.uint64(int.from_bytes(digest[at : at + 8], "big")) for at in (0, 8))
    ids = np.arange(start + 1, start + size + 1, dtype=np.uint64)
    words = np.stack([_mixed(ids + high), _mixed(_mixed(ids) ^ low)], axis=1)
    raw = words.astype(">u8").view(np.uint8).reshape(size, 16)
    raw[:, 6] = (raw[:, 6] & 0x0F) | 0x80
    raw[:, 8] = (raw[:, 8] & 0x3F) | 0x80
    return raw


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
    progress(f"building a population of {size:,} agents")
    with duckdb.connect(str(path), config={"memory_limit": _MEMORY}) as connection:
        _write_agents(connection, seed, size, progress)
        progress("building: counting")
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


def _write_agents(connection: duckdb.DuckDBPyConnection, seed: int, size: int, progress: Progress) -> None:
    """Write the table of agents, ordered by id, some blocks at a time."""
    blocks = -(-size // BLOCK)
    for first in range(0, blocks, _AT_ONCE):
        _write_blocks(connection, seed, range(first, min(first + _AT_ONCE, blocks)), size)
        if blocks > _AT_ONCE:
            progress(f"building: {min((first + _AT_ONCE) * BLOCK, size):,} of {size:,} agents")


def _write_blocks(connection: duckdb.DuckDBPyConnection, seed: int, numbers: range, size: int) -> None:
    """Draw some blocks and append them to the table of agents, which the first of them creates."""
    import pyarrow as pa  # slow import, needed only for a build

    tables, types = [], {"id": "INTEGER", "uuid": "UUID"}
    for number in numbers:
        start = number * BLOCK
        raw = uuids(family_of(seed), start, BLOCK)
        storage = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), BLOCK, [None, pa.py_buffer(raw)])
        arrays = {
            "id": pa.array(np.arange(start + 1, start + BLOCK + 1, dtype=np.int32)),
            "uuid": pa.ExtensionArray.from_storage(pa.uuid(), storage),
        }
        for name, column in draw_block(seed, number).items():
            if number == 0 and not isinstance(column, c.Numbers):
                connection.execute(f"CREATE TYPE {name}_label AS ENUM ({c.quoted(column.labels)})")
            arrays |= c.arrow_arrays(name, column)
            types |= c.sql_types(name, column)
        tables.append(pa.table(arrays))
    selected = ", ".join(f"CAST({column} AS {sql}) AS {column}" for column, sql in types.items())
    connection.register("drawn", pa.concat_tables(tables))
    into = "INSERT INTO agents" if numbers.start else "CREATE TABLE agents AS"
    connection.execute(f"{into} SELECT {selected} FROM drawn WHERE id <= {size}")
    connection.unregister("drawn")
