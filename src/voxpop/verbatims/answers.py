"""Open answers for text analysis, with ids, agents and cohorts, as given and as shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.analysis.cautions import grounds_told
from voxpop.analysis.cell import Cell
from voxpop.analysis.cohort import Chooser, check_values, chosen, columns_of, read_where
from voxpop.analysis.columns import Bools, align, arrow_columns, open_data, rows_of
from voxpop.analysis.frames import Frame
from voxpop.analysis.levels import Codes
from voxpop.errors import UsageError
from voxpop.survey.bands import Bands
from voxpop.survey.declaring import provenance_of
from voxpop.survey.provenance import Provenance
from voxpop.verbatims.words import plain
from voxpop.vocabulary.fields import FIELDS, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.question_types import is_open

AGENT_IDS = ("agent_id", "agent_uuid")
ATTRIBUTES = ("age", "gender", "state", "occupation")
"""Attributes shown beside a quote by default, if present."""

_ROW = "row of the data"
_STORE_VIEW = re.compile(r"respondents_([0-9a-f]{32})(_all)?")


@dataclass(frozen=True, slots=True)
class Cohorts:
    """An attribute as cohorts: its levels in order, and the answers of each.

    Attributes
    ----------
    name, text : str
        The attribute and its label.
    levels : tuple of str
        The levels in order.
    members : bools (levels, answers)
        Mask of answers per level; an answer belongs to several if its agent has several values.
    """

    name: str
    text: str
    levels: tuple[str, ...]
    members: Bools

    def place(self, level: Any) -> int:
        """Return the position of a level; raise :class:`UsageError` with the nearest ones if unknown."""
        label = {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)
        if label in self.levels:
            return self.levels.index(label)
        hint = did_you_mean(nearest(label, self.levels)) or f"; it has {', '.join(self.levels[:20])}"
        raise UsageError(f"{self.name!r} has no level {label!r}{hint}")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class OpenAnswers:
    """The answers to an open question, in the order of their ids.

    Attributes
    ----------
    name, text : str
        The question's column and wording.
    ids, id_name : tuple, str
        Ids of the answers, and the kind of id.
    raw, shown : tuples of str
        The answers as given, and without markup.
    people : pandas.DataFrame
        One row per answer: the agent's id and the requested attributes.
    asked : int
        Number of selected rows, with or without an answer.
    source : str
        Source of the answers.
    where : dict or str, optional
        Description of the selection.
    notice : str, optional
        Notice of the service about the answers.
    provenance : {"simulated", "human", "mixed", "unknown"}
        Provenance of the answers.
    grounds : tuple of str
        Notices on what the answers of the columns rest on.
    """

    name: str
    text: str
    ids: tuple[Any, ...]
    id_name: str
    raw: tuple[str, ...]
    shown: tuple[str, ...]
    people: pd.DataFrame
    asked: int
    source: str
    where: Mapping[str, Any] | str | None
    cohorts: Mapping[str, Cohorts] = field(default_factory=dict)
    notice: str | None = None
    provenance: Provenance = "unknown"
    grounds: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def frame(self, places: Iterable[int]) -> pd.DataFrame:
        """Return selected answers with their ids, agents and text."""
        taken = [int(place) for place in places]
        made = pd.DataFrame({self.id_name: [self.ids[place] for place in taken]})
        people = self.people.iloc[taken].reset_index(drop=True)
        for name in people.columns:
            if name != self.id_name:
                made[name] = people[name]
        made["text"] = [self.shown[place] for place in taken]
        made["raw"] = [self.raw[place] for place in taken]
        return made

    def pick(self, kept: npt.NDArray[Any]) -> OpenAnswers:
        """Return a subset of the answers."""
        places = np.flatnonzero(kept) if kept.dtype == np.bool_ else kept
        return OpenAnswers(
            self.name,
            self.text,
            tuple(self.ids[place] for place in places),
            self.id_name,
            tuple(self.raw[place] for place in places),
            tuple(self.shown[place] for place in places),
            self.people.iloc[places].reset_index(drop=True),
            self.asked,
            self.source,
            self.where,
            {
                name: Cohorts(held.name, held.text, held.levels, held.members[:, places])
                for name, held in self.cohorts.items()
            },
            self.notice,
            self.provenance,
            self.grounds,
        )

    def remarks(self) -> list[str]:
        """Return notes on the source of the answers and the service's notice."""
        return [*filter(None, [self.notice]), *([f"Source: {self.source}."] if self.source else [])]

    def based(self) -> list[str]:
        """Return the first terms of a caption: what the answers rest on, and the base."""
        return [*self.grounds, f"Base: all who answered {self.name} (n={len(self):,})"]

    def named_by(self) -> str:
        """Return a sentence that explains the ids."""
        how = {
            _ROW: "Answers are named by their row in the data, from 0",
            **{name: f"Answers are named by {name}: each answers the question once" for name in AGENT_IDS},
        }
        return how.get(self.id_name, f"Answers are named by {self.id_name}") + "."


def read_answers(
    data: Any,
    question: str,
    *,
    by: Sequence[str | Bands] = (),
    where: Any = None,
    ids: str | None = None,
    attributes: Iterable[str] | None = None,
    least: int = 1,
) -> OpenAnswers:
    """Read the answers to an open question.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation, or Cell
        One row per agent, or one row per answer; or one cell of a table of such data.
    question : str
        The column of text.
    by : sequence of str or Bands
        Attributes to read as cohorts.
    where : Filter, dict or bools, optional
        Rows to include.
    ids : str, optional
        The column of answer ids. Default: the ids in the store that the relation comes from, else a column
        ``<question>_answer_id`` or ``answer_id``, else the agent's id, else the row number.
    attributes : iterable of str, optional
        Columns to show beside an answer.
    least : int, default 1
        Minimum number of answers.

    Raises
    ------
    UsageError
        If a column is unknown (with the nearest names), the question is not open, an id belongs to several
        answers, or there are too few answers.
    """
    cell, data = (data, data.origin.data) if isinstance(data, Cell) else (None, data)
    columns, about, source = open_data(data)
    for name in (question, *([] if ids is None else [ids]), *(attributes or ())):
        _check(name, columns)
    _check_open(question, about.get(question, {}))
    shown = [name for name in ATTRIBUTES if name in columns] if attributes is None else list(attributes)
    agent = [name for name in AGENT_IDS if name in columns]
    told_by = ids or next((n for n in (f"{question}_answer_id", "answer_id") if n in columns), None)
    chooser = read_where(where, data)
    keys = [*by, *columns_of(chooser)]
    needed = [key if isinstance(key, str) else key.column for key in keys]
    for name in needed:
        _check(name, columns)
    needed += [] if cell is None else cell.columns()
    table = arrow_columns(data, [question, *agent, *shown, *needed, *([told_by] if told_by else [])])
    if chooser is not None and not isinstance(chooser, Chooser):
        chooser = align(chooser, data, table.num_rows)
    texts = _texts(table[question], question)
    mask, cohorts = _cohorts(table, by, chooser, about)
    if cell is not None:
        mask = mask & cell.inside(table)
    shown_texts = ["" if text is None else plain(text) for text in texts]
    answered = mask & np.array(list(map(bool, shown_texts)), dtype=np.bool_)
    names, id_name = _ids(data, table, question, told_by, agent)
    _check_ids([name for name, taken in zip(names, answered, strict=True) if taken], id_name)
    order = _ordered(np.flatnonzero(answered), names)
    if len(order) < least:
        raise UsageError(
            f"{question!r} has {len(order):,} answers here; at least {least:,} are needed."
            if len(order)
            else f"{question!r} has no answers here."
        )
    people = table.select([*agent, *(name for name in shown if name not in agent)]).take(pa.array(order))
    return OpenAnswers(
        question,
        about.get(question, {}).get("text") or question,
        tuple(names[row] for row in order),
        id_name,
        tuple(texts[row] or "" for row in order),
        tuple(shown_texts[row] for row in order),
        people.to_pandas() if people.num_columns else pd.DataFrame(index=range(len(order))),
        int(mask.sum()),
        source,
        _selected(chooser, cell),
        {held.name: Cohorts(held.name, held.text, held.levels, held.members[:, order]) for held in cohorts},
        about.get(question, {}).get("notice"),
        provenance_of(data),
        grounds_told(about, [question, *needed]),
    )


def _selected(chooser: Chooser | Bools | None, cell: Cell | None) -> Mapping[str, Any] | str | None:
    """Return the selection of rows as data, or described in words."""
    if cell is None and isinstance(chooser, Chooser):
        return chooser.data
    told = [] if cell is None else [cell.words()]
    if isinstance(chooser, Chooser):
        told.append(chooser.data.words)
    elif chooser is not None:
        told.append(f"{int(chooser.sum()):,} rows chosen by a mask")
    return "; ".join(told) or None


def _check(name: Any, columns: Iterable[str]) -> None:
    if not isinstance(name, str):
        raise UsageError(f"A column name must be text, not {type(name).__name__}.")
    held = list(columns)
    if name in held:
        return
    known = find_field(name)
    near = [known.name] if known is not None and known.name in held else nearest(name, held)
    hint = did_you_mean(near) or f"; the columns are {', '.join(held[:40])}"
    raise UsageError(f"The data have no column {name!r}{hint}")


def _check_open(question: str, about: Mapping[str, Any]) -> None:
    kind = about.get("type", "open")
    if not is_open(kind) or (question in FIELDS and not about):
        what = "an attribute" if question in FIELDS else f"a {kind} question"
        raise UsageError(
            f"{question!r} is {what}, not an open question; tabulate it with vp.crosstab instead."
        )


def _texts(column: pa.ChunkedArray, question: str) -> list[str | None]:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_null(kind):
        return [None] * len(column)
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise UsageError(f"{question!r} must hold text to be an open question; it holds {kind}.")
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    return texts


def _cohorts(
    table: pa.Table, by: Sequence[str | Bands], chooser: Chooser | Bools | None, about: Mapping[str, Any]
) -> tuple[Bools, list[Cohorts]]:
    """Return a mask of selected rows, and the cohorts of all rows, in the order of the table."""
    mask = chooser if isinstance(chooser, np.ndarray) else np.ones(table.num_rows, dtype=np.bool_)
    keys = list(dict.fromkeys([*by, *columns_of(chooser)]))
    if not keys:
        return mask, []
    named = table.append_column(_ROW, pa.array(np.arange(table.num_rows)))
    told = json.dumps({"columns": about}, default=str)
    frame = Frame(named.replace_schema_metadata({"voxpop": told}), [*keys, _ROW])
    rows = frame.numbers(_ROW).astype(np.intp)
    check_values(frame, chooser)
    if isinstance(chooser, Chooser):
        mask = np.zeros(table.num_rows, dtype=np.bool_)
        mask[rows[chosen(frame, chooser)]] = True
    made = []
    for key in dict.fromkeys(by):
        held = frame.attribute(key).with_not_assigned()
        members = np.zeros((len(held.levels), table.num_rows), dtype=np.bool_)
        members[held.codes, rows[held.agents]] = True
        made.append(Cohorts(held.name, held.text, held.levels, members))
    return mask, made


def _ids(
    data: Any, table: pa.Table, question: str, told_by: str | None, agent: Sequence[str]
) -> tuple[Sequence[Any], str]:
    """Return the answer id of each row, and the kind of id."""
    if told_by is not None:
        return table[told_by].to_pylist(), told_by
    rows = rows_of(data)
    if isinstance(rows, duckdb.DuckDBPyRelation) and "agent_uuid" in agent:
        numbers = _numbers_in_store(rows, question)
        names = [numbers.get(uuid) for uuid in table["agent_uuid"].to_pylist()]
        answered = np.asarray(pc.is_valid(table[question]))
        if numbers and not any(name is None and given for name, given in zip(names, answered, strict=True)):
            return names, "answer_id"
    if agent:
        return table[agent[0]].to_pylist(), agent[0]
    return range(table.num_rows), _ROW


def _numbers_in_store(data: duckdb.DuckDBPyRelation, question: str) -> dict[str, int]:
    """Look up answer ids in the store that a view of respondents belongs to."""
    view = _STORE_VIEW.fullmatch(data.alias)
    if view is None:
        return {}
    key = question.replace("'", "''")
    found = data.limit(0).query(
        "voxpop_nothing",
        "SELECT a.agent_uuid, a.answer_id FROM answers a JOIN questions q USING (question_uuid) "
        f"WHERE replace(q.study_uuid, '-', '') = '{view[1]}' AND a.answer_id IS NOT NULL "
        f"AND (q.key = '{key}' OR q.key || '_answer' = '{key}')",
    )
    return dict(found.fetchall()) if found is not None else {}


def _check_ids(names: Sequence[Any], id_name: str) -> None:
    if any(name is None for name in names):
        raise UsageError(f"Some answers have no {id_name}; pass another column with ids=.")
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise UsageError(
                f"{id_name} {name} belongs to several answers; pass the column of answer ids with ids=."
            )
        seen.add(name)


def _ordered(rows: Codes, names: Sequence[Any]) -> list[int]:
    """Sort rows by id, so that results do not depend on the order of the data."""
    held = [int(row) for row in rows]
    try:
        return sorted(held, key=lambda row: names[row])
    except TypeError:
        return sorted(held, key=lambda row: str(names[row]))
