"""Files and frames of a user's survey, read as one table with the labels of its columns and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import label_of
from voxpop.survey.option_sets import number_of
from voxpop.survey.raw import Raw
from voxpop.survey.reading import READERS, read_file
from voxpop.survey.shaping import is_lost
from voxpop.survey.survey import Survey
from voxpop.vocabulary.nearest import did_you_mean, nearest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(slots=True)
class Source:
    """A survey's table with its labels.

    Attributes
    ----------
    name : str
        Name of the survey.
    frame : DataFrame
        One row per respondent, columns named by text.
    wordings : dict of str to str
        Label of each column that has one.
    labels : dict of str to dict
        For each labelled column the label of each code, in the order of the codes.
    sets : dict of tuple of str to str
        Wording of each set of columns that are the options of one question.
    """

    name: str
    frame: pd.DataFrame
    wordings: dict[str, str] = field(default_factory=dict)
    labels: dict[str, dict[Any, str]] = field(default_factory=dict)
    sets: dict[tuple[str, ...], str] = field(default_factory=dict)

    def check(self, columns: Sequence[str], what: str) -> None:
        """Refuse columns that the survey does not have."""
        for column in columns:
            if column not in self.frame:
                near = did_you_mean(nearest(str(column), map(str, self.frame.columns))) or "."
                raise UsageError(f"{what}: {self.name} has no column {column!r}{near}")


def read_source(data: Any, name: str | None) -> Source:
    """Read a survey of ``vp.data``, a path, a pandas, Polars or Arrow table, or a DuckDB relation.

    Raises
    ------
    UsageError
        The file is missing or of another kind, or the data are no table.
    """
    import pandas as pd

    if isinstance(data, Survey):
        return _checked(_of_survey(data, name))
    if isinstance(data, str | Path):
        path = Path(data).expanduser()
        if path.suffix.lower() not in READERS:
            told = f"A survey is read from {', '.join(READERS)} or a saved .knowledge file, not {path.name}."
            raise UsageError(told)
        return _checked(_of_raw(read_file(path, name)))
    if isinstance(data, pd.DataFrame):
        made = data.copy(deep=False)
    elif hasattr(data, "to_arrow"):
        made = data.to_arrow().to_pandas()  # polars
    elif hasattr(data, "to_pandas"):
        made = data.to_pandas()  # Arrow
    elif hasattr(data, "df"):
        made = data.df()  # a DuckDB relation
    else:
        raise UsageError(f"A survey is a path or a table, not {type(data).__name__}.")
    return _checked(Source(name or "own survey", made))


def _of_survey(data: Survey, name: str | None) -> Source:
    """Return a survey's rows with labels as values; options of a set belong to the set."""
    told = {one.name: one.label for one in data.variables.values() if one.label and not one.part_of}
    return Source(name or data.name, data.df(), told)


def _of_raw(raw: Raw) -> Source:
    """Return a file's rows with codes as values, without those that are no answer."""

    frame: pd.DataFrame = raw.rows.df()
    for column in frame.select_dtypes(include=["Int64", "Int32", "Int16", "Int8"]):
        frame[column] = frame[column].astype("float64")
    for column, gone in raw.missing.items():
        lost = frame[column].map(lambda code, gone=gone: is_lost(code, gone), na_action="ignore")
        frame[column] = frame[column].mask(lost.fillna(False).astype(bool))
    labels = {
        column: {code: text for code, text in told.items() if not is_lost(code, raw.missing.get(column, ()))}
        for column, told in raw.codes.items()
        if told
    }
    sets = {}
    for held in raw.sets.values():
        if held.counted is not None and held.label:
            for column in held.columns:
                ticked = (frame[column].map(label_of) == label_of(number_of(held.counted))).astype(float)
                frame[column] = ticked.where(frame[column].notna())
                labels.pop(column, None)
            sets[held.columns] = held.label
    return Source(raw.name, frame, dict(raw.labels), labels, sets)


def _checked(source: Source) -> Source:
    source.frame.columns = [str(column) for column in source.frame.columns]
    repeated = source.frame.columns[source.frame.columns.duplicated()]
    if len(repeated):
        raise UsageError(f"{source.name} has two columns {repeated[0]!r}; rename one of them.")
    if len(source.frame) < 2:
        raise UsageError(f"{source.name} has {len(source.frame)} rows; a survey has one row per respondent.")
    return source


def as_labels(source: Source, column: str) -> pd.Series:
    """Return a column with the labels of its codes, and None where a value is missing."""
    held = source.frame[column].astype(object)
    told: Mapping[Any, str] = source.labels.get(column, {})
    return held.where(held.notna(), None).map(lambda value: told.get(value, value), na_action="ignore")
