"""Queries of a population: counts, facets, ranges, search, samples, agents by id."""

from __future__ import annotations

import threading
import uuid as uuid_module
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import duckdb
import numpy as np
import numpy.typing as npt

from voxpop.engines.agents import Agent
from voxpop.errors import NotFound, PopulationError, UsageError
from voxpop.population import counting, designs, layout, ranking, replacing, rows, sampling, scanning
from voxpop.population.columns import LISTS, bits_of
from voxpop.population.corpus import corpus
from voxpop.population.counting import Facet, Range
from voxpop.population.guests import Guests, is_guest, mixed_agents, mixed_columns
from voxpop.population.matching import Sql, condition_sql, pinned
from voxpop.population.reference import POPULATION_VERSION
from voxpop.population.tallies import Crossed, Tally
from voxpop.vocabulary.fields import FIELDS, field
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.nearest import nearest
from voxpop.vocabulary.occupations import resolve_occupations
from voxpop.vocabulary.unknown import unknown_values
from voxpop.vocabulary.unknown_fields import UnknownField, unknown_fields

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

_KEPT = 1024
"""Maximum number of cached filter results; a population never changes."""

_MOST_KEPT = 10_000
_MOST_COLUMNS_KEPT = 20_480  # agents; 20 MB
"""Maximum number of cached agents, about 2 kB each; reads of more than a tenth bypass the cache."""

_FEW = 5
"""A selection of fewer than one agent in this number counts as a small part of the population."""

_HEADER_BYTES = 3 * 4096


class Population:
    """A population file, opened for reading. Safe to use from any number of threads.

    Attributes
    ----------
    path : Path
        Path of the file.
    name : str
        ``<version>-<seed>-<size>``.
    version : str
        Version of the figures and the method behind the agents.
    seed, size : int
        Seed of the build and number of agents; ids are 1 to ``size``.
    guests : Guests or None
        Source of agents with ids beyond the population; they are read by id and never found or drawn.
    """

    name: str
    version: str
    seed: int
    size: int

    def __init__(self, path: Path) -> None:
        """Open a population file of any version.

        Raises
        ------
        PopulationError
            The file is incomplete, or its version has agents that cannot be interpreted correctly.
        """
        self.path = path
        self._threads = threading.local()
        self._absent: frozenset[str] = frozenset()
        self._closed = False
        self._kept: dict[int, Agent] = {}
        self._last_columns: tuple[tuple[int, ...], pa.Table] | None = None
        self.guests: Guests | None = None
        try:
            self._connection = duckdb.connect(str(path), read_only=True)
            self._check_complete()
            meta = dict(self._rows("SELECT key, value FROM meta"))
            self.name, self.version = meta["name"], meta["version"]
            self.seed, self.size = int(meta["seed"]), int(meta["size"])
            self._provenance = rows.provenance(meta)
            self._origins = rows.profile_provenance(meta)
            types = dict(self._rows(layout.TYPES))
            self._absent = layout.absent(types)
            self._threads = threading.local()  # cursors from now on have the absent fields
            if self.version != POPULATION_VERSION:
                self._check_readable(types)
            self._columns = self._read_labels()
        except (duckdb.Error, KeyError, ValueError, OSError) as error:
            raise self._broken(error) from error
        self._known = {
            name: {label.casefold(): label for label in labels} for name, labels in self._columns.items()
        }
        self._resolved = lru_cache(_KEPT)(self._resolve)
        self._scan = scanning.Scan(self._read_column, self._known)
        self._unknown = lru_cache(_KEPT)(self._find_unknown)
        self._counted = lru_cache(_KEPT)(self._count)
        self._faceted = lru_cache(_KEPT)(self._facets)
        self._ranged = lru_cache(_KEPT)(self._ranges)

    def __repr__(self) -> str:
        return f"<Population {self.name}: {self.size:,} agents>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @cached_property
    def meta(self) -> Mapping[str, str]:
        """Facts stored when the population was built."""
        return dict(self._rows("SELECT key, value FROM meta ORDER BY key"))

    def close(self) -> None:
        """Close the file; idempotent."""
        self._closed = True
        self._connection.close()

    def labels(self, field_name: str) -> tuple[str, ...]:
        """Return the values of a category or list field in this population, in a fixed order.

        For a field without levels in the vocabulary, such as ``occupation``, these are all values that an
        agent can be given, whether or not one of this population has them.
        """
        name = field(field_name).name
        if FIELDS[name].levels:
            return tuple(value for value, _ in self._faceted(Filter(), (name,))[name])
        return self._columns.get(name, ())

    def count(self, filter: Filter) -> int:
        """Return the number of matching agents."""
        return self._counted(filter)

    def facets(self, filter: Filter, fields: Sequence[str] | None = None) -> dict[str, Facet]:
        """Return the number of matching agents for each value of the fields.

        Parameters
        ----------
        filter : Filter
        fields : sequence of str, optional
            Category, yes/no and list fields, by name or alias; all of them by default.

        Returns
        -------
        dict of str to list of (value, count)
            Values without agents are omitted. A list field counts an agent under each of its values. Values
            are in vocabulary order, or else by decreasing frequency.
        """
        names = self._named(counting.FACETS, fields)
        found = self._faceted(filter, names)
        return {name: list(values) for name, values in found.items()}

    def ranges(self, filter: Filter, fields: Sequence[str] | None = None) -> dict[str, Range]:
        """Return ``min``, ``max`` and ``mean`` of number fields over the matching agents with a value."""
        found = self._ranged(filter, self._named(counting.RANGES, fields))
        return {name: dict(values) for name, values in found.items()}

    def tally(self, fields: Sequence[str], filter: Filter) -> Tally:
        """Return the number of matching agents for each combination of fields."""
        names = [field(name).name for name in fields]
        selected = [self._as_number(name) for name in names]
        text, values = self._where(filter)
        counted = f"SELECT {', '.join(selected)}, count(*) AS number FROM agents WHERE {text}"
        found = self._numpy(f"{counted} GROUP BY ALL ORDER BY ALL", values)
        codes = {name: np.ma.filled(found[name].astype(np.int64), -1) for name in names}
        labels = {name: self._columns[name] for name in names if name in self._columns}
        return Tally(codes, labels, found["number"].astype(np.int64))

    def crossed(self, fields: Sequence[str], parts: Sequence[Filter], filter: Filter) -> Crossed:
        """Return the numbers of matching agents in each part, for each combination of fields.

        Parameters
        ----------
        fields : sequence of str
            Category, yes/no and number fields, by name or alias.
        parts : sequence of Filter
            The parts to count, which may overlap.
        filter : Filter
            The agents to count.
        """
        names = [field(name).name for name in fields]
        codes = [f"enum_code({name})" if name in self._columns else name for name in names]
        keys = [
            f"coalesce(CAST({code} AS DOUBLE), -1) AS {name}" for name, code in zip(names, codes, strict=True)
        ]
        conditions = [self._where(part) for part in parts]
        counted = [
            f"count(*) FILTER (WHERE {text}) AS part{number}" for number, (text, _) in enumerate(conditions)
        ]
        text, values = self._where(filter)
        found = self._numpy(
            f"SELECT {', '.join([*keys, *counted])} FROM agents WHERE {text} "
            f"GROUP BY {', '.join(map(str, range(1, len(names) + 1)))} ORDER BY ALL",
            [*(value for _, more in conditions for value in more), *values],
        )
        columns = [found[f"part{number}"].astype(np.int64) for number in range(len(parts))]
        labels = {name: self._columns[name] for name in names if name in self._columns}
        return Crossed({name: found[name] for name in names}, labels, np.column_stack(columns))

    def search(self, filter: Filter, *, offset: int = 0, limit: int = 25) -> tuple[int, list[Agent]]:
        """Return the number of matching agents, and a page of them from ``offset`` on, ordered by id."""
        text, values = self._where(filter)
        page = f"SELECT id FROM agents WHERE {text} ORDER BY id LIMIT ? OFFSET ?"
        found = self._rows(
            f"SELECT {rows.SELECTED} FROM agents WHERE id IN ({page}) ORDER BY id", [*values, limit, offset]
        )
        return self.count(filter), rows.read(found, self._provenance, self._origins)

    def find(self, filter: Filter) -> Agent | None:
        """Return the matching agent with the lowest id, or None."""
        text, values = self._where(filter)
        found = self._rows(f"SELECT min(id) FROM agents WHERE {text}", values)[0][0]
        return None if found is None else self.agents([found])[0]

    def agents(self, ids: Sequence[int]) -> list[Agent]:
        """Return agents by id, in the given order; raise NotFound for an unknown id."""
        if self.guests is not None and any(map(is_guest, ids)):
            return mixed_agents(ids, self.agents, self.guests)
        self._check_ids(ids)
        if not ids:
            return []
        kept = self._kept  # agents never change, and reading ten is the slowest part of most calls
        absent = [number for number in dict.fromkeys(ids) if number not in kept]
        if len(absent) > _MOST_KEPT // 10:
            kept = {}
            absent = list(dict.fromkeys(ids))
        elif len(kept) + len(absent) > _MOST_KEPT:
            kept = self._kept = {number: kept[number] for number in ids if number in kept}
        if absent:
            found = self._rows(
                f"SELECT {rows.SELECTED} FROM agents WHERE id IN (SELECT unnest(?::INTEGER[]))", [absent]
            )
            kept.update((agent.id, agent) for agent in rows.read(found, self._provenance, self._origins))
        return [kept[number] for number in ids]

    def agent_columns(self, ids: Sequence[int]) -> pa.Table:
        """Return agents by id, in the given order, as Arrow columns named like the keys of their records.

        The agents of the last call are cached, because a service reads those of a study twice: once to send
        them and once to sign them.
        """
        import pyarrow as pa  # slow import, needed only for bulk reads
        import pyarrow.compute as pc

        if self.guests is not None and any(map(is_guest, ids)):
            return mixed_columns(ids, self.agent_columns, self.guests)
        self._check_ids(ids)
        wanted = tuple(sorted(set(ids)))
        last, found = self._last_columns or ((), None)
        if found is None or last != wanted:
            text = f"SELECT {rows.SELECTED_COLUMNS} FROM agents WHERE id IN (SELECT unnest(?::INTEGER[]))"
            read: pa.Table = self._fetched(
                lambda cursor: cursor.sql(text, params=[list(wanted)]).to_arrow_table()
            )
            found = rows.columns(read.sort_by("id"), self._provenance, self._origins)
            self._last_columns = (wanted, found) if len(wanted) <= _MOST_COLUMNS_KEPT else None
        if wanted == tuple(ids):
            return found
        return found.take(pc.index_in(pa.array(ids, pa.int64()), value_set=found["id"].combine_chunks()))

    def id_of(self, uuid: str) -> int | None:
        """Return the id of the agent with a UUID, or None."""
        try:
            wanted = uuid_module.UUID(uuid)
        except ValueError:
            return None
        found = self._rows("SELECT id FROM agents WHERE uuid = ?", [wanted])
        return int(found[0][0]) if found else None

    def unknown_values(self, filter: Filter, *, finite: bool = False) -> list[dict[str, Any]]:
        """Return the values of a filter that no agent can have, each with suggestions.

        Parameters
        ----------
        filter : Filter
        finite : bool
            Return only values outside the vocabulary of fields with a finite one, which strict filters
            reject; otherwise also occupations and titles without agents, and states and groups of other
            countries.
        """
        return [dict(one) for one in self._unknown(filter, finite)]

    def unknown_fields(self, filter: Filter, shown: Iterable[str] = ()) -> list[UnknownField]:
        """Return the fields of a filter, and of counts under it, that are unknown in some of its countries.

        Parameters
        ----------
        filter : Filter
        shown : iterable of str
            Fields whose values are counted, by name or alias.

        Returns
        -------
        list of dict
            ``field``, ``country`` and ``reason``; see :mod:`voxpop.vocabulary.unknown_fields`.
        """
        return unknown_fields(filter, [field(name).name for name in shown], lacks=self._lacks)

    def _lacks(self, name: str, country: str) -> str | None:
        """Return why this file has no values of a field in a country; None if it has, or has no agents."""
        if name in self._absent:
            return f"The population {self.name} was built without this field."
        if self._empty is not None and (name, country) in self._empty:
            return f"The population {self.name} was built without values of this field there."
        return None

    @cached_property
    def _empty(self) -> frozenset[tuple[str, str]] | None:
        """The fields without values in a country, in a file of another version; None in one of this one."""
        if self.version == POPULATION_VERSION:
            return None
        names = [name for name, row in FIELDS.items() if row.nullable and name not in self._absent]
        counted = ", ".join(f"count({name})" for name in names)
        found = self._rows(f"SELECT CAST(country AS VARCHAR), {counted} FROM agents GROUP BY country")
        return frozenset(
            (name, country)
            for country, *counts in found
            for name, n in zip(names, counts, strict=True)
            if not n
        )

    def sample(
        self,
        filter: Filter,
        size: int,
        *,
        seed: int,
        method: str = "random",
        exclude: Sequence[int] = (),
        description: str | None = None,
    ) -> list[int]:
        """Draw a probability sample of the matching agents, without replacement.

        Parameters
        ----------
        filter : Filter
        size : int
            Sample size, at least 0; if fewer agents match, all of them are drawn.
        seed : int
            The same arguments give the same ids in the same order.
        method : {"random", "stratified", "balanced"}
            A simple random sample; a sample in proportion to age band, gender and state; or a sample with
            equal numbers for each age band and gender.
        exclude : sequence of int
            Ids to exclude; the sample is drawn from all other agents.
        description : str, optional
            Soft targeting: agents whose profile shares words with it have a higher probability, up to 1,024
            times that of the others (:data:`~voxpop.population.ranking.PER_WORD` per word). No agent is
            excluded. The result is an unequal-probability sample.

        Raises
        ------
        UsageError
            The method is unknown.
        """
        if method not in sampling.METHODS:
            near = (nearest(method, sampling.METHODS) or sampling.METHODS)[0]
            allowed = ", ".join(sampling.METHODS)
            raise UsageError(f"sample_method must be one of {allowed}, not {method!r}; try {near!r}.")
        candidates = self.candidates(filter, method, description)
        if exclude:
            candidates = candidates.without(sampling.as_ids(exclude))
        return sampling.sample(candidates, max(size, 0), seed=seed & (2**64 - 1), method=method)

    def draw(self, filter: Filter, size: int, **how: Any) -> designs.Drawn:
        """Draw a sample with the inclusion probability of each agent; see :func:`designs.draw`."""
        return designs.draw(self, filter, size, **how)

    def replacements(self, filter: Filter, agents: Sequence[int], **how: Any) -> dict[int, int | str]:
        """Draw a replacement for each agent from its cell; see :func:`replacing.replacements`."""
        return replacing.replacements(self, filter, agents, **how)

    def matching(self, filter: Filter) -> npt.NDArray[np.bool_]:
        """Return whether each agent matches, in the order of the ids."""
        found = np.zeros(self.size, dtype=np.bool_)
        if self.size > scanning.MOST_AGENTS:
            text, values = self._where(filter)
            found[self._numpy(f"SELECT id FROM agents WHERE {text}", values)["id"] - 1] = True
        else:
            found[self._places] = self._scan.matching(self._resolved(filter), self.size)
        return found

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """The position of each agent of the file in the order of the ids."""
        return np.asarray(self._read_column("id"), dtype=np.int64) - 1

    def candidates(self, filter: Filter, method: str, description: str | None) -> sampling.Candidates:
        """Return the matching agents by id, with the strata and weights that a method needs."""
        where = self._where(filter)
        near = ranking.nearness(description, self._columns) if description else {}
        selected = ["id"]
        for name in sampling.STRATA[method]:
            code = f"coalesce(CAST(enum_code({name}) AS SMALLINT), -1)" if name in self._columns else name
            selected.append(f"{code} AS stratum_{name}")
        for name in near:
            code = bits_of(name) if name in LISTS else f"CAST(enum_code({name}) AS SMALLINT)"
            selected.append(f"coalesce({code}, {0 if name in LISTS else -1}) AS rank_{name}")
        text, values = where
        found = self._numpy(f"SELECT {', '.join(selected)} FROM agents WHERE {text}", values)
        strata = weight = None
        if sampling.STRATA[method]:
            strata = sampling.strata_of(*(found[f"stratum_{name}"] for name in sampling.STRATA[method]))
        if near:
            scores = [
                ranking.scored(found[f"rank_{name}"], score, name in LISTS) for name, score in near.items()
            ]
            weight = ranking.weights(scores, found["id"].size)
        return sampling.Candidates(found["id"], strata, weight).in_order()

    def _as_number(self, name: str) -> str:
        if name in LISTS:
            return f"{bits_of(name)} AS {name}"
        number = f"enum_code({name})" if name in self._columns else f"CAST({name} AS INTEGER)"
        return f"{number} AS {name}"

    def _resolve(self, filter: Filter) -> Filter:
        return resolve_occupations(filter, self._columns["occupation"], corpus())

    def _find_unknown(self, filter: Filter, finite: bool) -> list[dict[str, Any]]:
        if finite:
            return unknown_values(filter, self._columns)
        return unknown_values(filter, self._columns, titles=corpus(), by_country=True)

    def _where(self, filter: Filter) -> Sql:
        return condition_sql(self._resolved(filter), self._known)

    def _count(self, filter: Filter) -> int:
        if self.size <= scanning.MOST_AGENTS:
            return self._scan.count(self._resolved(filter), self.size)
        text, values = self._where(filter)
        return int(self._rows(f"SELECT count(*) FROM agents WHERE {text}", values)[0][0])

    def _facets(self, filter: Filter, names: tuple[str, ...]) -> dict[str, Facet]:
        if not names:
            return {}
        if filter.matches_everyone:
            return counting.read_facets(names, [row for row in self._stored if row[0] in names])
        matching = self.count(filter)
        one = pinned(self._resolved(filter), self._known)
        known = [(name, one[name], matching) for name in names if name in one and matching]
        open_ = [name for name in names if name not in one] if matching else []
        return counting.read_facets(names, [*known, *self._divided(filter, open_, matching)])

    def _read_column(self, expression: str) -> Any:
        # DuckDB keeps the file order if none is specified, so that all columns have the same
        return self._numpy(f"SELECT {expression} AS held FROM agents", ())["held"]

    def _divided(self, filter: Filter, names: Sequence[str], matching: int) -> list[counting.Counted]:
        """Count a known number of matching agents by the values of fields."""
        if not names:
            return []
        text, values = self._where(filter)
        most = matching * 2 > self.size  # then count the others and subtract
        if most:
            text, matching = f"({text}) IS NOT TRUE", self.size - matching
        few = matching * _FEW < self.size
        sizes = {name: len(labels) for name, labels in self._columns.items()}
        counted = self._rows(*counting.facets_sql(names, (text, values), sizes=sizes, few=few))
        return counting.rest([row for row in self._stored if row[0] in names], counted) if most else counted

    @cached_property
    def _stored(self) -> list[tuple[str, str, int]]:
        """The facets of the whole population, stored at build time; the first version has none."""
        try:
            return self._rows("SELECT field, value, n FROM facets")
        except duckdb.CatalogException:
            return self._rows(counting.facets_sql(counting.FACETS, ("TRUE", []))[0])

    def _ranges(self, filter: Filter, names: tuple[str, ...]) -> dict[str, Range]:
        if not names:
            return {}
        text, values = counting.ranges_sql(names, self._where(filter))
        return counting.read_ranges(names, self._rows(text, values)[0])

    def _named(self, of: tuple[str, ...], fields: Sequence[str] | None) -> tuple[str, ...]:
        if fields is None:
            return of
        names = tuple(dict.fromkeys(field(name).name for name in fields))
        for name in names:
            if name not in of:
                raise UsageError(f"{name} has no such counts; the fields that have are {', '.join(of)}.")
        return names

    def _read_labels(self) -> dict[str, tuple[str, ...]]:
        """Return the labels of all category and list fields that the file has, in code order."""
        names = [
            name
            for name, known in FIELDS.items()
            if known.kind in ("category", "list") and name not in self._absent
        ]
        selected = ", ".join(f"enum_range(CAST(NULL AS {name}_label))" for name in names)
        found = self._rows(f"SELECT {selected}")[0]
        return {name: tuple(labels) for name, labels in zip(names, found, strict=True)}

    def _check_complete(self) -> None:
        """Raise an error if the file is shorter than its metadata says."""
        block, blocks = self._rows("SELECT block_size, total_blocks FROM pragma_database_size()")[0]
        if self.path.stat().st_size < _HEADER_BYTES + block * blocks:
            raise ValueError("the file is cut off")

    def _check_readable(self, types: Mapping[str, str]) -> None:
        """Raise an error if agents of another version would be misread."""
        if wrong := layout.unreadable(types) or layout.unknown_levels(self._read_labels()):
            self._connection.close()
            raise PopulationError(
                f"The population file {self.path} has version {self.version}, which this voxpop, with "
                f"version {POPULATION_VERSION}, cannot read correctly: {'; '.join(wrong)}. "
                "Use the voxpop that built it, or start with a new data folder or database, which gets "
                f"{POPULATION_VERSION}."
            )

    def _check_ids(self, ids: Sequence[int]) -> None:
        for number in ids:
            if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= self.size:
                raise NotFound(f"There is no agent {number!r}; this population has agents 1 to {self.size}.")

    def _rows(self, text: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._fetched(lambda cursor: cursor.execute(text, list(values)).fetchall())

    def _numpy(self, text: str, values: Sequence[object]) -> dict[str, Any]:
        return self._fetched(lambda cursor: cursor.execute(text, list(values)).fetchnumpy())

    def _fetched(self, fetch: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
        try:
            return fetch(self._cursor())
        except (
            duckdb.IOException,
            duckdb.FatalException,
            duckdb.InternalException,
            duckdb.SerializationException,
        ) as error:
            raise self._broken(error) from error

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Return this thread's own cursor, because a shared cursor mixes up results."""
        if self._closed:
            raise PopulationError(f"The population {self.name} is closed.")
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._threads, "cursor", None)
        if cursor is None:
            cursor = self._connection.cursor()
            if self._absent:  # each cursor has temporary views of its own
                (catalog,) = cursor.execute("SELECT current_database()").fetchall()[0]
                cursor.execute(layout.completed(self._absent, catalog))
            self._threads.cursor = cursor
        return cursor

    def _broken(self, error: BaseException) -> PopulationError:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        way_out = "Delete the file; it is rebuilt the next time it is needed."
        if not self.path.name.startswith(f"{POPULATION_VERSION}-"):
            way_out = "Replace it with an intact copy; this voxpop cannot rebuild it."
        return PopulationError(f"The population file {self.path} cannot be read: {reason}. {way_out}")
