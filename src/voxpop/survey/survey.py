"""A survey: rows with what is known of their variables, design and provenance."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from voxpop.survey.design import Design
from voxpop.survey.printing import as_html, as_text
from voxpop.survey.provenance import Provenance, provenance_held
from voxpop.survey.sql import quote
from voxpop.survey.variables import Variable, Variables, variables_of
from voxpop.vocabulary.fields import FIELDS

if TYPE_CHECKING:
    import pandas as pd

_KEEP_ROWS = ("sort", "order", "limit", "project", "select", "distinct", "filter")
"""Methods of a relation whose result is again rows of the survey."""


class Survey:
    """One row per respondent, with labels, design and provenance; made by ``vp.data``.

    Every table, chart and list takes a survey. The rows stay in DuckDB and are read when they are needed.
    Methods of a DuckDB relation work on a survey as well (``project``, ``order``, ``limit``, ``fetchall``).

    Attributes
    ----------
    relation : DuckDB relation
        The rows: levels as ENUM, several options as a LIST, codes of missing values as NULL.
    variables : Variables
        Each variable by name.
    design : Design
        Weight, strata, clusters and replicate weights.
    name : str
        Name of the survey.
    source : str
        Where the answers come from, as shown below tables.
    notes : tuple of str
        What reading the data found and did.
    steps : tuple of str
        What was done to the data since, one sentence each.
    """

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        variables: Iterable[Variable] | None = None,
        *,
        design: Design | None = None,
        provenance: Provenance | None = None,
        name: str = "survey",
        source: str = "",
        notes: Sequence[str] = (),
        steps: Sequence[str] = (),
    ) -> None:
        self.relation = relation
        known = {one.name: one for one in variables or ()}
        self.variables: Variables = variables_of(relation, known=known)
        self.design: Design = design or Design()
        self.name, self.source = name, source
        self.notes, self.steps = tuple(notes), tuple(steps)
        self._provenance: Provenance | None = provenance
        self._rows: int | None = None

    @property
    def columns(self) -> list[str]:
        """Names of the variables, in order."""
        return list(self.variables)

    @property
    def provenance(self) -> Provenance:
        """Who answered: "human", "simulated", "mixed" or "unknown"."""
        if self._provenance is None:
            self._provenance = provenance_held(self.relation)
        return self._provenance

    def df(self) -> pd.DataFrame:
        """Return the rows as a DataFrame, with levels as categories and the labels in ``attrs``."""
        frame: pd.DataFrame = self.relation.df()
        for name, held in self.variables.items():
            plain = held.kind == "category" and not (held.ordered or held.question or name in FIELDS)
            if plain and hasattr(frame[name], "cat"):
                frame[name] = frame[name].cat.as_unordered()
        frame.attrs["voxpop"] = self._told()
        return frame

    def pl(self) -> Any:
        """Return the rows as a Polars DataFrame."""
        return self.relation.pl()

    def arrow(self) -> pa.Table:
        """Return the rows as an Arrow table, with the labels in the metadata of its schema."""
        told = json.dumps(self._told(), ensure_ascii=False, sort_keys=True)
        table: pa.Table = self.relation.to_arrow_table()
        return table.replace_schema_metadata({**(table.schema.metadata or {}), b"voxpop": told.encode()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.relation.__arrow_c_stream__(requested_schema)

    def head(self, n: int = 5) -> pd.DataFrame:
        """Return the first rows as a DataFrame."""
        frame: pd.DataFrame = self.relation.limit(n).df()
        return frame

    def __len__(self) -> int:
        if self._rows is None:
            self._rows = int(self.relation.aggregate("count(*)").fetchall()[0][0])
        return self._rows

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        """Return a column as a Series, or some columns as a survey."""
        if isinstance(key, str):
            self.variables[key]
            return self.relation.project(quote(key)).df()[key]
        names = list(key)
        for name in names:
            self.variables[name]
        return self._with(self.relation.project(", ".join(map(quote, names))))

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def __getattr__(self, name: str) -> Any:
        """Return what the relation has under a name."""
        if name.startswith("__") or name in ("relation", "variables"):
            raise AttributeError(name)
        if not hasattr(self.relation, name):
            raise AttributeError(f"A survey has no {name!r}; its columns are people[{name!r}].")
        held = getattr(self.relation, name)
        if name not in _KEEP_ROWS:
            return held

        def rows(*given: Any, **named: Any) -> Survey:
            return self._with(held(*given, **named))

        return rows

    def with_rows(self, relation: duckdb.DuckDBPyRelation, step: str) -> Survey:
        """Return a survey of other rows or columns that keeps what is known of the variables.

        Parameters
        ----------
        relation : DuckDB relation
            The rows.
        step : str
            What was done, in a sentence.
        """
        return self._with(relation, step=step)

    def with_provenance(self, provenance: Provenance) -> Survey:
        """Return the survey with the declaration of who answered."""
        return self._with(self.relation, provenance=provenance)

    def _with(self, relation: duckdb.DuckDBPyRelation, *, step: str | None = None, **changed: Any) -> Survey:
        """Return a survey of other rows or columns that keeps what is known."""
        variables = changed.pop("variables", self.variables)
        whole = self._provenance if self._provenance not in ("mixed", None) else None
        return Survey(
            relation,
            variables.values(),
            design=changed.get("design", self.design),
            provenance=changed.get("provenance", whole),
            name=self.name,
            source=self.source,
            notes=changed.get("notes", self.notes),
            steps=(*self.steps, *([] if step is None else [step])),
        )

    def _told(self) -> dict[str, Any]:
        """Return the metadata that tables read from a DataFrame or an Arrow table."""
        columns = {name: about for name, held in self.variables.items() if (about := held.about)}
        return {"columns": columns, "source": self.source, "provenance": self.provenance}

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)
