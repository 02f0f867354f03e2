"""One row per agent: a study's answers as columns next to the agents' profiles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation

from voxpop.survey.store_view import comments
from voxpop.survey.survey import Survey
from voxpop.survey.variables import variables_of
from voxpop.tables.rests import rests_of
from voxpop.tables.schema import (
    HEALTH_FIELDS,
    PROFILE_FIELDS,
    PROVENANCE_COLUMN,
    PROVENANCE_FIELDS,
    enum,
    literal,
    quote,
)
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, CATEGORY, NUMBER, WORDS, YES_NO, Shape

RESPONDENTS = "respondents"
"""Base name of files with one row per agent."""

PROFILE_COLUMNS = (
    "agent_id",
    "agent_uuid",
    "name",
    *PROFILE_FIELDS,
    "summary",
    *HEALTH_FIELDS,
    *(f"health_{name}" for name in PROVENANCE_FIELDS),
)
"""Columns of the agents' profiles, in order."""

WEIGHT_COLUMNS = ("inclusion_probability", "design_weight")
"""Columns with the sampling weights, between provenance and questions."""

PANEL_COLUMNS = {
    "wave": "Number of the wave in its panel, from 1.",
    "arm": "Arm of an experiment that the agent is assigned to; missing without one.",
}
"""Columns of panels and experiments, with their meaning; studies without either have none."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One question as a column: its name, SQL type, source column among the answers, and wording."""

    name: str
    sql_type: str
    value: str
    question_uuid: str
    about: Mapping[str, Any]


def column_name(key: str) -> str:
    """Return the column name of a question: its key, or ``<key>_answer`` if a profile column has that name.

    Examples
    --------
    >>> column_name("switch"), column_name("age")
    ('switch', 'age_answer')
    """
    taken = {*PROFILE_COLUMNS, *PANEL_COLUMNS, PROVENANCE_COLUMN, "removed", *WEIGHT_COLUMNS}
    return f"{key}_answer" if key in taken else key


def variables(cursor: DuckDBPyConnection, study_uuid: str, *, removed: bool = True) -> list[Variable]:
    """Return the study's questions as typed columns, in the order asked.

    Parameters
    ----------
    cursor, study_uuid
        Cursor of a store, and the study.
    removed
        Whether counts of bases include the answers of removed agents.
    """
    rests = rests_of(cursor, study_uuid, removed=removed)
    asked = cursor.execute(
        "SELECT question_uuid, key, text, type::VARCHAR, options, scale_min, scale_max, scale_min_label, "
        "scale_max_label, unit, notice FROM questions WHERE study_uuid = ? ORDER BY position, question_uuid",
        [study_uuid],
    ).fetchall()
    made = []
    for uuid, key, text, kind, options, low, high, low_label, high_label, unit, notice in asked:
        about: dict[str, Any] = {"text": text, "type": kind, "unit": unit, "notice": notice}
        if low is not None:
            about |= {"min": low, "max": high, "min_label": low_label, "max_label": high_label}
        value, sql_type = _typed(cursor, uuid, kind, options or ())
        if value == "value_list":
            about["options"] = _seen(cursor, uuid, "unnest(value_list)", options or ())
        about["bases"] = rests.get(uuid)
        known = {name: part for name, part in about.items() if part is not None}
        made.append(Variable(column_name(key), sql_type, value, uuid, known))
    return made


def _typed(cursor: DuckDBPyConnection, uuid: str, kind: str, options: Sequence[str]) -> tuple[str, str]:
    shape = shape_of(kind) or _shape_held(cursor, uuid)
    if shape.sql == "ENUM":
        declared = YES_NO if shape is BOOLEAN else options
        return shape.column, enum(_seen(cursor, uuid, shape.column, declared) or ("",))
    if shape.sql == "INTEGER":
        whole = f"SELECT coalesce(bool_and({shape.column} = floor({shape.column})), true) FROM answers"
        exact = cursor.execute(f"{whole} WHERE question_uuid = ?", [uuid]).fetchall()[0][0]
        return shape.column, "INTEGER" if exact else "DOUBLE"
    return shape.column, shape.sql  # not a list of an ENUM, which pandas would show as a list of codes


def _shape_held(cursor: DuckDBPyConnection, uuid: str) -> Shape:
    """Return the shape of the answers to a question whose type is unknown to this process."""
    counts = "count(value_number), count(value_list), count(value_text)"
    held = cursor.execute(f"SELECT {counts} FROM answers WHERE question_uuid = ?", [uuid]).fetchall()[0]
    found = (shape for shape, count in zip((NUMBER, CATEGORIES, CATEGORY), held, strict=True) if count)
    return next(found, WORDS)


def _seen(cursor: DuckDBPyConnection, uuid: str, value: str, declared: Sequence[str]) -> list[str]:
    """Return the declared levels in order, then any others that were answered, sorted."""
    query = f"SELECT DISTINCT value FROM (SELECT {value} AS value FROM answers WHERE question_uuid = ?)"
    seen = {level for (level,) in cursor.execute(query, [uuid]).fetchall() if level is not None}
    return [*dict.fromkeys(declared), *sorted(seen - set(declared))]


def respondents_view(
    cursor: DuckDBPyConnection, study_uuid: str, *, removed: bool, panel: bool = False
) -> DuckDBPyRelation:
    """Create the view of a study's agents and return it as a relation.

    The columns of :data:`PANEL_COLUMNS` are there with ``panel``, in a later wave, and with arms.

    The wording of the questions and what their answers rest on are stored as JSON in the comments of the
    columns, and the provenance in the comment of the view, where :func:`voxpop.analysis.crosstab` reads them
    for captions.
    """
    asked = variables(cursor, study_uuid, removed=removed)
    wave = panel or _has_panel(cursor, study_uuid)
    view = quote(
        f"respondents_{study_uuid.replace('-', '')}{'_all' if removed else ''}{'_wave' if panel else ''}"
    )
    study = literal(study_uuid)
    chosen = [
        f"any_value({item.value}) FILTER (question_uuid = {literal(item.question_uuid)}) AS c{number}"
        for number, item in enumerate(asked)
    ]
    columns = [
        *(f"a.{quote(name)}" for name in ("agent_id", "agent_uuid", "name", *PROFILE_FIELDS, "summary")),
        *(f"h.{quote(name)}" for name in HEALTH_FIELDS),
        *(f"h.{quote(name)} AS {quote(f'health_{name}')}" for name in PROVENANCE_FIELDS),
        f"'simulated' AS {PROVENANCE_COLUMN}",
        *([_WAVE, "s.arm"] if wave else []),
        *(["s.removed"] if removed else []),
        *(f"s.{name}" for name in WEIGHT_COLUMNS),
        *(f"w.c{number}::{item.sql_type} AS {quote(item.name)}" for number, item in enumerate(asked)),
    ]
    answers = (
        f"(SELECT {', '.join(['agent_uuid', *chosen])} FROM answers WHERE study_uuid = {study} GROUP BY 1) w"
    )
    cursor.execute(
        f"CREATE OR REPLACE TEMP VIEW {view} AS SELECT {', '.join(columns)} FROM study_agents s "
        f"JOIN agents a USING (agent_uuid) LEFT JOIN health_profiles h USING (agent_uuid) "
        f"LEFT JOIN {answers} USING (agent_uuid) "
        f"WHERE s.study_uuid = {study}{'' if removed else ' AND NOT s.removed'} "
        f"ORDER BY a.agent_id, a.agent_uuid"
    )
    cursor.execute(f"COMMENT ON VIEW {view} IS {literal(provenance_note(cursor, study_uuid))}")
    for item in asked:
        about = json.dumps(item.about, ensure_ascii=False, sort_keys=True)
        cursor.execute(f"COMMENT ON COLUMN {view}.{quote(item.name)} IS {literal(about)}")
    return cursor.view(view.strip('"'))


_WAVE = "(SELECT coalesce(wave, 1) FROM studies WHERE studies.study_uuid = s.study_uuid)::INTEGER AS wave"


def _has_panel(cursor: DuckDBPyConnection, study_uuid: str) -> bool:
    """Return whether a study is a later wave, or its agents are assigned to arms."""
    found = cursor.execute(
        "SELECT coalesce(max(wave), 1) > 1 OR EXISTS (FROM study_agents a WHERE a.study_uuid = $study "
        "AND arm IS NOT NULL) FROM studies WHERE study_uuid = $study",
        {"study": study_uuid},
    ).fetchall()
    return bool(found[0][0])


def respondents_table(cursor: DuckDBPyConnection, study_uuid: str) -> pa.Table:
    """Return one row per agent, including removed ones, with a column per question."""
    table: pa.Table = respondents_view(cursor, study_uuid, removed=True).to_arrow_table()
    return table


def respondents_survey(view: DuckDBPyRelation, name: str) -> Survey:
    """Return a view of respondents as a survey, with what the store knows of its questions."""
    about, source = comments(view)
    variables = variables_of(view, about).values()
    return Survey(view, variables, provenance="simulated", name=name, source=source)


def respondents_frame(view: DuckDBPyRelation) -> pd.DataFrame:
    """Return a view of respondents as a frame, with the metadata of its columns in ``attrs``."""
    columns, source = comments(view)
    made: pd.DataFrame = view.df()
    made.attrs["voxpop"] = {"columns": columns, "source": source, "provenance": "simulated"}
    return made


def provenance_note(cursor: DuckDBPyConnection, study_uuid: str) -> str:
    """Return the engine, population and health figures behind a study's answers in one line."""
    names = ("engine", "population", "health data")
    parts = zip(names, sources(cursor, study_uuid), strict=True)
    return "; ".join(f"{name} {', '.join(values)}" for name, values in parts if values)


def sources(cursor: DuckDBPyConnection, study_uuid: str) -> tuple[tuple[str, ...], ...]:
    """Return the engines, the population and the versions of health data behind a study's answers."""
    engines = cursor.execute(
        "SELECT DISTINCT engine FROM answers WHERE study_uuid = ? AND engine IS NOT NULL ORDER BY 1",
        [study_uuid],
    ).fetchall()
    population = cursor.execute(
        "SELECT population FROM studies WHERE study_uuid = ?", [study_uuid]
    ).fetchall()
    health = cursor.execute(
        f"SELECT DISTINCT concat_ws(' ', {', '.join(PROVENANCE_FIELDS)}) AS note FROM health_profiles "
        "JOIN study_agents USING (agent_uuid) WHERE study_uuid = ? ORDER BY note",
        [study_uuid],
    ).fetchall()
    return tuple(tuple(text for (text,) in found if text) for found in (engines, population, health))
