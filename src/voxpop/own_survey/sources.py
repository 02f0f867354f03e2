"""Files and frames of a user's survey, read as one table with the labels of its columns and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

if TYPE_CHECKING:
    import pandas as pd

READ = (".sav", ".zsav", ".dta", ".csv", ".parquet")


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
    """Read a survey from a path, a pandas, polars or Arrow table, or a DuckDB relation.

    Raises
    ------
    UsageError
        The file is missing or of another kind, or the data are no table.
    """
    import pandas as pd

    if isinstance(data, str | Path):
        return _of_file(Path(data).expanduser(), name)
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


def _of_file(path: Path, name: str | None) -> Source:
    import pandas as pd

    if path.suffix.lower() not in READ:
        raise UsageError(
            f"A survey is read from {', '.join(READ)} or a saved .knowledge file, not {path.name}."
        )
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    called = name or path.stem
    try:
        if path.suffix.lower() in (".sav", ".zsav"):
            return _checked(_of_spss(path, called))
        if path.suffix.lower() == ".dta":
            return _checked(_of_stata(path, called))
        made = pd.read_csv(path) if path.suffix.lower() == ".csv" else pd.read_parquet(path)
    except (ValueError, OSError) as error:
        raise UsageError(f"{path.name} cannot be read: {error}") from error
    return _checked(Source(called, made))


def _of_spss(path: Path, name: str) -> Source:
    try:
        pyreadstat = import_module("pyreadstat")
    except ModuleNotFoundError as error:
        raise UsageError(
            "SPSS files need the extra 'spss'; install it with: pip install 'voxpop[spss]'"
        ) from error
    try:
        frame, meta = pyreadstat.read_sav(str(path))
    except pyreadstat.ReadstatError as error:
        raise UsageError(f"{path.name} cannot be read: {error}") from error
    wordings = {column: label for column, label in meta.column_names_to_labels.items() if label}
    labels = {column: dict(sorted(told.items())) for column, told in meta.variable_value_labels.items()}
    sets = {}
    for told in meta.mr_sets.values():
        if told["is_dichotomy"] and told["label"]:
            for column in told["variable_list"]:
                ticked = (frame[column] == told["counted_value"]).astype(float)
                frame[column] = ticked.where(frame[column].notna())
                labels.pop(column, None)
            sets[tuple(told["variable_list"])] = told["label"]
    return Source(name, frame, wordings, labels, sets)


def _of_stata(path: Path, name: str) -> Source:
    import pandas as pd

    reader: Any
    with pd.read_stata(path, iterator=True) as reader:
        wordings = {column: label for column, label in reader.variable_labels().items() if label}
        frame = reader.read()
    return Source(name, frame, wordings)


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
