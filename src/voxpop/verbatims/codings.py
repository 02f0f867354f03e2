"""Codings: codes given to answers by coders, and their use in tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import duckdb
import pandas as pd
import pyarrow as pa

from voxpop.analysis.cautions import caution
from voxpop.analysis.columns import open_data, rows_of
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.rounding import one_decimal, whole
from voxpop.analysis.terms import filter_words
from voxpop.errors import UsageError
from voxpop.verbatims.answers import OpenAnswers
from voxpop.vocabulary.nearest import did_you_mean, nearest

RULES = "rules"
NO_CODE = "no code"
Settle = Literal["any", "most", "all"]


@dataclass(frozen=True, slots=True)
class Coding:
    """A code given by one coder to one answer."""

    answer: Any
    code_id: str
    coder: str
    at: Any
    span: tuple[int, int] | None


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Codings:
    """The result of coding an open question; an answer may have several codes, or none.

    Attributes
    ----------
    labels : dict
        Labels by code, in the order of the code frame.
    nets : dict
        Labels by net.
    seen : dict
        Ids of the answers that each coder read.
    """

    of: OpenAnswers
    labels: Mapping[str, str]
    nets: Mapping[str, Sequence[str]]
    rows: tuple[Coding, ...]
    seen: Mapping[str, frozenset[Any]]

    @property
    def coders(self) -> tuple[str, ...]:
        """Return the coders: ``rules`` first, then people by name."""
        return tuple(sorted(self.seen, key=lambda name: (name != RULES, name)))

    def long(self) -> pd.DataFrame:
        """Return one row per coding.

        Returns
        -------
        pandas.DataFrame
            The answer's id, ``code_id``, ``label``, ``coder`` (``rule:<code_id>`` for a rule, otherwise the
            name), ``at`` (from the table of a person), ``span`` (first match of a rule in the shown text) and
            the matching ``text``.
        """
        place = {name: place for place, name in enumerate(self.of.ids)}
        return pd.DataFrame(
            {
                self.of.id_name: [row.answer for row in self.rows],
                "code_id": [row.code_id for row in self.rows],
                "label": [self.labels[row.code_id] for row in self.rows],
                "coder": [f"rule:{row.code_id}" if row.coder == RULES else row.coder for row in self.rows],
                "at": [row.at for row in self.rows],
                "span": [row.span for row in self.rows],
                "text": [
                    None if row.span is None else self.of.shown[place[row.answer]][slice(*row.span)]
                    for row in self.rows
                ],
            }
        )

    def settled(self, coder: str | None = None, settle: Settle = "any") -> dict[Any, list[str]]:
        """Return the labels of each answer that was coded by someone, in the order of the code frame.

        Parameters
        ----------
        coder : str, optional
            The coder whose codes count; by default all coders.
        settle : {"any", "most", "all"}, default "any"
            Share of the coders of an answer that must give a code for it to count.

        Raises
        ------
        UsageError
            If the coder or ``settle`` is unknown.
        """
        if settle not in ("any", "most", "all"):
            raise UsageError(f"settle must be any, most or all, not {settle!r}.")
        asked = self.coders if coder is None else (self._coder(coder),)
        votes: dict[tuple[Any, str], int] = {}
        for row in self.rows:
            if row.coder in asked:
                votes[row.answer, row.code_id] = votes.get((row.answer, row.code_id), 0) + 1
        made = {}
        for answer in self.of.ids:
            looked = sum(answer in self.seen[name] for name in asked)
            if looked:
                need = {"any": 1, "most": looked // 2 + 1, "all": looked}[settle]
                made[answer] = [
                    label for code, label in self.labels.items() if votes.get((answer, code), 0) >= need
                ]
        return made

    def join(
        self, data: Any, column: str | None = None, *, coder: str | None = None, settle: Settle = "any"
    ) -> pa.Table:
        """Return the data with the codes as an additional list column for ``vp.crosstab``.

        Parameters
        ----------
        data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
            The coded data.
        column : str, optional
            Name of the new column; by default ``<question>_codes``.
        coder, settle :
            As in :meth:`settled`.

        Returns
        -------
        pyarrow.Table
            An answer without codes is an empty list (it was asked and answered). Agents without an answer, or
            with an answer that nobody read, have a missing value. Unused codes stay as levels.

        Raises
        ------
        UsageError
            If the data already have this column, or do not contain the coded answers.
        """
        name = column or f"{self.of.name}_codes"
        columns, about, source = open_data(data)
        if name in columns:
            raise UsageError(f"The data already have a column {name!r}; pass another name with column=.")
        table = _arrow(data)
        codes = self.settled(coder, settle)
        keys = self._keys(table)
        if not any(key in codes for key in keys):
            raise UsageError(f"The data do not hold the answers to {self.of.name!r} that were coded.")
        labels = list(self.labels.values())
        place = {label: place for place, label in enumerate(labels)}
        held = [None if (own := codes.get(key)) is None else [place[label] for label in own] for key in keys]
        lists = pa.array(held, pa.list_(pa.int32()))
        values = pa.DictionaryArray.from_arrays(lists.flatten(), pa.array(labels, pa.string()))
        listed = pa.ListArray.from_arrays(lists.offsets, values, mask=lists.is_null())
        rests = {key: held for key, held in about.get(self.of.name, {}).items() if key == "bases"}
        told = {**about, name: {"text": f"{self.of.text} (coded)", "type": "multi_choice", **rests}}
        meta = json.dumps({"columns": told, "source": source}, default=str)
        return table.append_column(name, listed).replace_schema_metadata({"voxpop": meta})

    def answers(self, code: str, coder: str | None = None) -> pd.DataFrame:
        """Return the answers that have a code, with their ids and agents.

        Raises
        ------
        UsageError
            If the code (with the nearest ones) or the coder is unknown.
        """
        label = self.labels.get(code, code)
        if label not in self.labels.values():
            hint = did_you_mean(nearest(str(code), [*self.labels, *self.labels.values()]))
            raise UsageError(f"There is no code {code!r}{hint or '; there are ' + ', '.join(self.labels)}")
        codes = self.settled(coder)
        return self.of.frame(place for place, name in enumerate(self.of.ids) if label in codes.get(name, ()))

    def uncoded(self, coder: str | None = None) -> pd.DataFrame:
        """Return the answers that were read but have no code."""
        codes = self.settled(coder)
        return self.of.frame(place for place, name in enumerate(self.of.ids) if codes.get(name) == [])

    def wide(self) -> pd.DataFrame:
        """Return the number of answers per code and coder, then those without codes and those read."""
        counts = {
            coder: [
                sum(row.code_id == code for row in self.rows if row.coder == coder) for code in self.labels
            ]
            for coder in self.coders
        }
        made = pd.DataFrame(counts, index=list(self.labels.values()))
        made.loc[NO_CODE] = [len(self.uncoded(coder)) for coder in self.coders]
        made.loc["answers"] = [len(self.seen[coder]) for coder in self.coders]
        return made

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _coder(self, name: str) -> str:
        if name not in self.seen:
            hint = did_you_mean(nearest(str(name), self.coders)) or f"; there are {', '.join(self.coders)}"
            raise UsageError(f"No coder named {name!r} coded {self.of.name!r}{hint}")
        return name

    def _keys(self, table: pa.Table) -> list[Any]:
        """Return the answer id of each row of the data."""
        if self.of.id_name in table.column_names:
            return list(table[self.of.id_name].to_pylist())
        agent = next((n for n in self.of.people.columns if n in ("agent_id", "agent_uuid")), None)
        if agent is not None and agent in table.column_names:
            own = dict(zip(self.of.people[agent], self.of.ids, strict=True))
            return [own.get(name) for name in table[agent].to_pylist()]
        return list(range(table.num_rows))

    def _grid(self) -> Grid:
        wide = self.wide()
        bases = [len(self.seen[coder]) for coder in self.coders]
        heads = [Head("Total", coder, "") for coder in self.coders]
        lines = [Line("Answers looked at", [whole(count) for count in bases], "base")]
        for label in [*self.labels.values(), NO_CODE]:
            cells = [
                one_decimal(100 * count / base) if base else ""
                for count, base in zip(wide.loc[label], bases, strict=True)
            ]
            lines.append(Line(label, cells, "missing" if label == NO_CODE else "code"))
        terms = [
            *self.of.grounds,
            f"Base: answers to {self.of.name} that a coder looked at",
            "% with the code",
        ]
        notes = ["Several codes possible: percentages may add up to more than 100."]
        notes += [f"{net}: {', '.join(labels)}." for net, labels in self.nets.items()]
        notes += [self.of.named_by(), *self.of.remarks()]
        title = f"{self.of.text} (coded)"
        return Grid(
            title,
            " · ".join([*terms, *filter_words(self.of.where)]),
            heads,
            {"Total": ""},
            lines,
            [*notes, *caution(self.of.provenance)],
        )


def _arrow(data: Any) -> pa.Table:
    data = rows_of(data)
    if isinstance(data, duckdb.DuckDBPyRelation):
        return data.to_arrow_table()
    return data if isinstance(data, pa.Table) else pa.Table.from_pandas(data, preserve_index=False)
