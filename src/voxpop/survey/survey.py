"""A survey: rows with what is known of their variables, design and provenance."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from voxpop.errors import UsageError
from voxpop.survey.design import Design
from voxpop.survey.joining import How, joined
from voxpop.survey.preparing import Prepared, banded, derived, netted, recoded
from voxpop.survey.printing import as_html, as_text
from voxpop.survey.provenance import Provenance, provenance_held, read_provenance
from voxpop.survey.relations import relation_of
from voxpop.survey.selecting import align, read_mask, selection
from voxpop.survey.sql import quote
from voxpop.survey.variables import Variable, Variables, variables_of
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter

if TYPE_CHECKING:
    import pandas as pd

_KEEP_ROWS = ("sort", "order", "limit", "project", "select", "distinct")
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
        notes: Iterable[str] = (),
        steps: Iterable[str] = (),
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
        try:
            return self.relation.pl()
        except ModuleNotFoundError as error:
            raise UsageError("pl() needs Polars; install it with: pip install polars") from error

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
        """Return a column as a Series, some columns and those of the design, or the rows of a mask."""
        if isinstance(key, str):
            self.variables[key]
            return self.relation.project(quote(key)).df()[key]
        if not isinstance(key, list | tuple) or any(isinstance(one, bool) for one in key):
            return self.where(key)
        names = list(dict.fromkeys([*key, *self._design_columns()]))
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

    def value_counts(self, name: str) -> pd.Series[int]:
        """Return how many rows have each level, in the order of the levels, without missing ones."""
        import pandas as pd

        held = self.variables[name]
        column = quote(name)
        inside = f"unnest({column})" if held.kind == "several" else column
        found = self.relation.project(f"{inside} AS x").filter("x IS NOT NULL")
        counts = dict(found.aggregate("x, count(*)", "x").fetchall())
        order = [*held.levels, *sorted(set(counts) - set(held.levels))]
        return pd.Series(
            [counts.get(one, 0) for one in order], index=pd.Index(order, name=name), name="count"
        )

    def search(self, text: str) -> Variables:
        """Return the variables whose name, label or levels contain a text, in any case."""
        wanted = text.casefold()
        found = [
            one
            for one in self.variables.values()
            if any(
                wanted in str(part).casefold()
                for part in (one.name, one.label, *one.levels, *one.codes.values())
            )
        ]
        return Variables(found)

    def where(self, rows: Any = None, /, **columns: Any) -> Survey:
        """Return the rows that meet a filter.

        Parameters
        ----------
        rows : Filter, dict or mask, optional
            A filter such as ``vp.where(age=vp.between(25, 64))``, its JSON, or one bool per row.
        **columns
            Conditions on any columns, which must all be met, such as ``q3=["yes", "maybe"]``.

        Raises
        ------
        UsageError
            A column or a value is unknown, with the nearest ones.
        """
        made = self
        if columns:
            made = made._selected(columns)
        if isinstance(rows, Filter | Mapping):
            return made._selected(rows)
        return made if rows is None else made._masked(rows)

    def _selected(self, asked: Filter | Mapping[str, Any]) -> Survey:
        found = selection(asked, self.relation, self.variables)
        made = self._with(self.relation.filter(found.sql))
        return made._noted(f"Kept {found.words}: {len(made):,} of {len(self):,} rows.")

    def _masked(self, given: Any) -> Survey:
        table = self.relation.to_arrow_table()
        held = table.filter(pa.array(align(read_mask(given), None, table.num_rows)))
        return self._with(
            relation_of(held), step=f"Kept rows by a mask: {held.num_rows:,} of {table.num_rows:,}."
        )

    def filter(self, condition: Any) -> Survey:
        """Return the rows that meet an SQL condition, such as ``"age > 30"``, or a filter as in ``where``."""
        if isinstance(condition, Filter | Mapping) or not isinstance(condition, str | duckdb.Expression):
            return self.where(condition)
        return self._with(self.relation.filter(condition), step=f"Kept rows with {condition}.")

    def recode(
        self,
        name: str,
        groups: Mapping[str, Any],
        *,
        into: str | None = None,
        label: str | None = None,
        rest: str | None = "keep",
    ) -> Survey:
        """Merge levels, or values of a number, into new levels.

        Parameters
        ----------
        name : str
            The variable.
        groups : dict
            New levels, each with the old levels, codes or ranges in it:
            ``{"Agree": ["agree", "agree fully"]}``, ``{"low": [(0, 6)], "high": [(7, 10)]}``.
        into : str, optional
            Name of a new variable; by default the variable is replaced.
        label : str, optional
            Its wording; by default that of the old one.
        rest : str or None, default "keep"
            What becomes of the other levels: kept, missing (None), or one more level of this name.

        Raises
        ------
        UsageError
            A level is unknown, or in two groups.

        Examples
        --------
        >>> import pandas as pd, voxpop as vp
        >>> people = vp.data(pd.DataFrame({"q": ["agree", "agree fully", "no"]}))
        >>> people.recode("q", {"Agree": ["agree", "agree fully"]}).value_counts("q").to_dict()
        {'Agree': 2, 'no': 1}
        """
        return self._prepared(recoded(self.relation, self.variables[name], groups, into, label, rest))

    def nets(
        self, name: str, groups: Mapping[str, Any], *, into: str | None = None, label: str | None = None
    ) -> Survey:
        """Add a variable with the nets that each respondent belongs to; nets may overlap.

        Parameters
        ----------
        name : str
            The variable, with one or several answers per respondent.
        groups : dict
            Nets, each with its levels.
        into, label : str, optional
            Name and wording of the new variable; by default ``<name>_nets``.
        """
        return self._prepared(netted(self.relation, self.variables[name], groups, into, label))

    def bands(self, name: str, starts: Any = None, *, into: str | None = None) -> Survey:
        """Add a variable that cuts a number into bands.

        Parameters
        ----------
        name : str
            The variable.
        starts : iterable of float or Bands, optional
            Lower bounds, as in ``vp.bands``; age has default bands.
        into : str, optional
            Name of the new variable; by default ``<name>_band``.
        """
        return self._prepared(banded(self.relation, self.variables[name], starts, into))

    def derive(self, name: str, expression: str, *, label: str | None = None) -> Survey:
        """Add or replace a variable that is computed from others, row by row.

        Parameters
        ----------
        name : str
            The variable.
        expression : str
            SQL of one row, such as ``"weight / (height * height)"`` or
            ``"CASE WHEN age < 30 THEN 'young' END"``.
        label : str, optional
            Its wording.

        Raises
        ------
        UsageError
            A column or function is unknown, or the expression does not depend on the row alone.
        """
        return self._prepared(derived(self.relation, name, expression, label, self.variables))

    def join(
        self, other: Any, on: str | Sequence[str], how: How = "left", *, suffix: str | None = None
    ) -> Survey:
        """Add the variables of another survey, row by row, for instance what people answered elsewhere.

        Parameters
        ----------
        other : Survey
            At most one row per value of the key.
        on : str or list of str
            Columns of the key, in both.
        how : {"left", "inner"}, default "left"
            Whether rows without a partner stay.
        suffix : str, optional
            Added to the names of columns that both have; without it they are an error.

        Returns
        -------
        Survey
            ``steps`` tells how many rows found no partner. Variables keep who answered them: a table of
            variables of people and of agents is mixed, others are not.

        Raises
        ------
        UsageError
            The key repeats in ``other``, or a column is unknown or in both.
        """
        if not isinstance(other, Survey):
            raise UsageError(f"join takes a survey: vp.data(...), not {type(other).__name__}.")
        found = joined(self.relation, other.relation, on, how, suffix, other.name)
        added = [replace(other.variables[old], name=new) for old, new in found.added.items()]
        if other.provenance != self.provenance:
            added = [replace(one, provenance=one.provenance or other.provenance) for one in added]
        kept = self._with(found.rows, step=found.step, variables=self.variables.changed(*added))
        kept._provenance = self.provenance
        return kept

    def _prepared(self, made: Prepared) -> Survey:
        rows, variable, step = made
        return self._with(rows, step=step, variables=self.variables.changed(variable))

    def _noted(self, step: str) -> Survey:
        self.steps = (*self.steps, step)
        return self

    def provenance_among(self, names: Iterable[str]) -> Provenance:
        """Return who answered some of the variables."""
        found = {
            self.variables[name].provenance or self.provenance for name in names if name in self.variables
        }
        if len(found) > 1:
            return "mixed"
        return read_provenance(found.pop()) if found else self.provenance

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
        design: Design = changed.get("design", self.design)
        notes = tuple(changed.get("notes", self.notes))
        if design != Design() and not set(self._design_columns()) <= set(relation.columns):
            design = Design()
            notes = (*notes, f"The design ({self.design.words()}) was dropped with its columns.")
        whole = self._provenance if self._provenance not in ("mixed", None) else None
        return Survey(
            relation,
            variables.values(),
            design=design,
            provenance=changed.get("provenance", whole),
            name=self.name,
            source=self.source,
            notes=notes,
            steps=(*self.steps, *([] if step is None else [step])),
        )

    def _design_columns(self) -> tuple[str, ...]:
        """Return the columns that the design needs."""
        replicates = self.design.replicates
        return (*self.design.columns, *(replicates.of(self.columns) if replicates is not None else ()))

    def _told(self) -> dict[str, Any]:
        """Return the metadata that tables read from a DataFrame or an Arrow table."""
        columns = {name: about for name, held in self.variables.items() if (about := held.about)}
        return {"columns": columns, "source": self.source, "provenance": self.provenance}

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)
