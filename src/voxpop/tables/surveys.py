"""Data of any kind as a survey: files, frames, relations, exports and stores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voxpop.survey.design import Design
from voxpop.survey.opening import open_survey, read_design
from voxpop.survey.provenance import Provenance
from voxpop.survey.replicates import Replicates
from voxpop.survey.survey import Survey
from voxpop.tables.opening import open_export
from voxpop.tables.store import Store

Names = str | Sequence[str]


def data(  # noqa: PLR0913 (options by keyword)
    source: Any,
    *,
    weight: str | None = None,
    strata: Names | None = None,
    clusters: Names | None = None,
    fpc: Names | None = None,
    replicates: Replicates | None = None,
    design: Design | None = None,
    provenance: Provenance | None = None,
    name: str | None = None,
    missing: Mapping[str, Any] | None = None,
    sets: Mapping[str, Any] | None = None,
    grids: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Any] | None = None,
    ordered: Iterable[str] = (),
) -> Survey:
    """Return data of any kind as a survey, with labels, levels, missing values, design and provenance.

    Parameters
    ----------
    source : path, DataFrame, Polars or Arrow table, DuckDB relation, Store or Survey
        A file (``.sav``, ``.zsav``, ``.dta``, ``.csv``, ``.parquet``), the folder of an export, a table with
        one row per respondent, or a store with one study. A relation and a Parquet file are not copied.
    weight, strata, clusters, fpc, replicates
        Columns of the sampling design, as in :class:`voxpop.survey.Design`. Tables use the weight.
    design : Design, optional
        The design as a whole, in place of its parts.
    provenance : {"human", "simulated", "mixed", "unknown"}, optional
        Who answered; by default as declared in the data.
    name : str, optional
        Name of the survey; by default that of the file.
    missing : dict, optional
        Per column the codes that are no answer, in addition to those of the file: ``{"q3": [8, 9]}``; a pair
        is a range, ``{"income": [(-9, -1)]}``.
    sets : dict, optional
        Multiple-response sets: ``{"brands": ["q5_1", "q5_2"]}``, or with the value that means chosen
        ``{"brands": {"columns": [...], "counted": 1, "label": "Which brands do you know?"}}``.
    grids : dict, optional
        Grids: ``{"trust": ["q7_1", "q7_2"]}``; others are found by their levels and labels, and listed in
        ``notes``.
    labels : dict, optional
        Per column a wording, labels by code, or a pair of both: ``{"q3": ("Would you?", {1: "Yes"})}``.
    ordered : iterable of str, optional
        Columns whose levels form a scale, where the file does not tell.

    Raises
    ------
    UsageError
        A file is missing, damaged or not what its name says; a column is unknown (with the nearest names); a
        weight is negative or missing; labels clash; columns share a name.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"q3": [1, 2, 8], "wt": [1.0, 0.5, 1.5]})
    >>> labels = {"q3": ("Would you?", {1: "Yes", 2: "No"})}
    >>> people = data(rows, weight="wt", missing={"q3": 8}, labels=labels)
    >>> people.variables["q3"].levels, int(people.df()["q3"].isna().sum())
    (('Yes', 'No'), 1)
    """
    asked = read_design(weight, strata, clusters, fpc, replicates, design)
    if isinstance(source, str | Path) and Path(source).expanduser().is_dir():
        source = open_export(Path(source).expanduser())
    if isinstance(source, Store):
        source = source.respondents()
    return open_survey(
        source,
        design=asked,
        provenance=provenance,
        name=name,
        missing=missing,
        sets=sets,
        grids=grids,
        labels=labels,
        ordered=ordered,
    )
