"""Opening data of any kind as a survey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import duckdb

from voxpop.errors import UsageError
from voxpop.survey.design import Design
from voxpop.survey.option_sets import read_sets
from voxpop.survey.provenance import PROVENANCE_COLUMN, Provenance, provenance_held, read_provenance
from voxpop.survey.raw import Raw
from voxpop.survey.reading import read_raw
from voxpop.survey.replicates import Replicates
from voxpop.survey.shaping import shaped
from voxpop.survey.sql import quote
from voxpop.survey.survey import Survey
from voxpop.survey.variables import is_numeric, unknown_column

Names = str | Sequence[str]


def read_design(
    weight: str | None,
    strata: Names | None,
    clusters: Names | None,
    fpc: Names | None,
    replicates: Replicates | None,
    design: Design | None,
) -> Design:
    """Return a design from its parts, or as given.

    Raises
    ------
    UsageError
        Both are given, or a part is invalid.
    """
    parts = (weight, strata, clusters, fpc, replicates)
    if design is None:
        return Design(
            weight, strata=strata or (), clusters=clusters or (), fpc=fpc or (), replicates=replicates
        )
    if any(part is not None for part in parts):
        raise UsageError("Give design=, or weight, strata, clusters, fpc and replicates, not both.")
    return design


def open_survey(
    data: Any,
    *,
    design: Design,
    provenance: Provenance | None = None,
    name: str | None = None,
    missing: Mapping[str, Any] | None = None,
    sets: Mapping[str, Any] | None = None,
    grids: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Any] | None = None,
    ordered: Iterable[str] = (),
) -> Survey:
    """Read a file, a table or a relation as a survey; the parameters are those of ``vp.data``."""
    raw = read_raw(data, name)
    _add_labels(raw, labels or {})
    _add_missing(raw, missing or {})
    _add_ordered(raw, ordered)
    raw.sets |= read_sets(sets)
    if isinstance(data, Survey) and design == Design():
        design = data.design
    check_design(raw.rows, design, raw.notes)
    rows, variables = shaped(raw, grids)
    told = None if provenance is None else read_provenance(provenance)
    held = raw.provenance if PROVENANCE_COLUMN not in variables else provenance_held(rows)
    if told is not None and held not in (None, "unknown", told):
        raise UsageError(f"provenance: these data are already declared as {held}, not {told}.")
    return Survey(
        rows,
        variables.values(),
        design=design,
        provenance=told or held,
        name=raw.name,
        source=raw.source,
        notes=dict.fromkeys(raw.notes),
        steps=data.steps if isinstance(data, Survey) else (),
    )


def _add_labels(raw: Raw, labels: Mapping[str, Any]) -> None:
    """Add wordings and labels of codes: a text, a dict of codes, or a pair of both."""
    for name, told in labels.items():
        if name not in raw.rows.columns:
            raise UsageError(f"labels: {unknown_column(name, raw.rows.columns)}")
        wording, codes = told if isinstance(told, tuple) and len(told) == 2 else (told, told)
        if isinstance(wording, str):
            raw.labels[name] = wording
        if isinstance(codes, Mapping):
            texts = list(map(str, codes.values()))
            twice = next((text for text in texts if texts.count(text) > 1), None)
            if twice is not None:
                same = ", ".join(str(code) for code, text in codes.items() if str(text) == twice)
                raise UsageError(
                    f"labels: {name!r} gives the label {twice!r} to the codes {same}; give each its own, and "
                    "merge them with recode."
                )
            raw.codes[name] = {code: str(text) for code, text in codes.items()}
        if not isinstance(wording, str) and not isinstance(codes, Mapping):
            raise UsageError(
                f"labels: {name!r} takes a wording, labels by code such as {{1: 'Yes', 2: 'No'}}, or a "
                f"pair of both, not {told!r}."
            )


def _add_missing(raw: Raw, missing: Mapping[str, Any]) -> None:
    """Add codes that are no answer: a code, or a list of codes and of pairs of the ends of a range."""
    for name, codes in missing.items():
        if name not in raw.rows.columns:
            raise UsageError(f"missing: {unknown_column(name, raw.rows.columns)}")
        given = list(codes) if isinstance(codes, list | set | frozenset | range) else [codes]
        raw.missing[name] = [*raw.missing.get(name, []), *given]


def _add_ordered(raw: Raw, ordered: Iterable[str]) -> None:
    for name in [ordered] if isinstance(ordered, str) else ordered:
        if name not in raw.rows.columns:
            raise UsageError(f"ordered: {unknown_column(name, raw.rows.columns)}")
        raw.ordered.add(name)
        raw.measures[name] = "ordinal"


def check_design(rows: duckdb.DuckDBPyRelation, design: Design, notes: list[str]) -> None:
    """Refuse a design that names unknown columns, or a weight that is none; note weights of zero.

    Raises
    ------
    UsageError
        With the nearest column names, or with the number of wrong weights.
    """
    for part in ("weight", "probabilities", "strata", "clusters", "fpc"):
        held = getattr(design, part)
        for column in [held] if isinstance(held, str) else held or ():
            if column not in rows.columns:
                raise UsageError(f"{part}: {unknown_column(column, rows.columns)}")
    if design.replicates is not None:
        design.replicates.of(rows.columns)
    if design.weight is None:
        return
    name = design.weight
    kind = rows.types[rows.columns.index(name)]
    if not is_numeric(kind):
        raise UsageError(f"weight: {name!r} holds {kind}; a weight is a number.")
    column = f"{quote(name)}::DOUBLE"
    counts = [f"count(*) FILTER ({test})" for test in (f"{column} < 0", f"{column} = 0", f"{column} > 0")]
    counts.append(f"count(*) FILTER ({column} IS NULL OR isnan({column}) OR isinf({column}))")
    below, zero, above, none = rows.aggregate(", ".join(counts)).fetchall()[0]
    if below or none:
        wrong = f"{below:,} negative" if below else f"{none:,} missing or infinite"
        raise UsageError(
            f"weight: {name!r} has {wrong} weights; leave those rows out, or correct them, before vp.data."
        )
    if not above and zero:
        raise UsageError(f"weight: {name!r} is zero in every row; name another column.")
    if zero:
        notes.append(f"{zero:,} rows have the weight 0 in {name}; they count in unweighted figures alone.")
