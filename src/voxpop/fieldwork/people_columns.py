"""Columns of a table of people: which field each one holds, and the values in it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.vocabulary.fields import FIELDS, Field
from voxpop.vocabulary.nearest import within_one_typo
from voxpop.vocabulary.profile_values import Unfit, fitted
from voxpop.vocabulary.values import fold, suggestions

if TYPE_CHECKING:
    import pandas as pd

IDENTIFYING = re.compile(
    r"\b(?:(?:first|last|full|sur|given|family|user|maiden)? ?names?|e ?mails?|mail|phone|telephone|mobile"
    r"|cell|(?:street |home |ip )?address|street|zip(?: code)?|post(?:al)? ?code|ssn|social security"
    r"|passport|licen[cs]e|birth ?(?:date|day)|date of birth|dob|url|twitter|facebook|instagram|iban"
    r"|account)\b"
)
"""Column names that may identify people; such columns are never read."""

_MISSING = frozenset(("", "na", "n/a", "nan", "none", "null", "missing", "unknown", "not known", "-", "."))
_NONE_COUNTS = frozenset(("health_conditions", "health_drug_classes", "alcohol_use"))
"""Fields in which ``none`` is a value."""

_EXACT, _SYNONYM, _GIVEN = "its name", "a related name", "as given"
_FITS = 0.9


@dataclass(slots=True)
class Read:
    """The values of a column: per row, with misspellings and values that did not fit."""

    values: list[Any]
    read_as: dict[str, str]
    unfit: Counter[str]
    reason: str = ""


def read_table(source: Any) -> pd.DataFrame:
    """Return a table of people as a DataFrame with text column names.

    Raises
    ------
    UsageError
        The file does not exist or has another format, or the source is no table.
    """
    import pandas as pd  # slow import, as that of surveys

    from voxpop.survey import Survey

    if isinstance(source, str | Path):
        table = _read_file(Path(source))
    elif isinstance(source, Survey):
        table = source.df()
        levels = table.select_dtypes(include="category").columns
        table = table.astype(dict.fromkeys(levels, "object"))
    elif isinstance(source, pd.DataFrame):
        table = source.copy()
    elif hasattr(source, "to_pandas"):
        table = source.to_pandas()
    else:
        raise UsageError(
            f"source must be a file, a DataFrame or an Arrow table, not {type(source).__name__}."
        )
    table.columns = [str(name) for name in table.columns]
    if table.columns.has_duplicates:
        twice = sorted(set(table.columns[table.columns.duplicated()]))
        raise UsageError(f"The table has several columns named {', '.join(twice)}.")
    return table


def _read_file(path: Path) -> pd.DataFrame:
    import pandas as pd

    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    kind = path.suffix.lower()
    try:
        if kind in (".csv", ".tsv", ".txt"):
            return pd.read_csv(path, dtype=str, sep="," if kind == ".csv" else "\t", keep_default_na=False)
        if kind == ".parquet":
            return pd.read_parquet(path)
        if kind == ".sav":
            return _read_sav(path)
    except (OSError, ValueError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    raise UsageError(f"{path} has an unknown format; people are read from .csv, .tsv, .parquet and .sav.")


def _read_sav(path: Path) -> pd.DataFrame:
    """Read an SPSS file with value labels in place of codes."""
    try:
        import pyreadstat
    except ModuleNotFoundError as error:
        raise UsageError(
            "Reading .sav files needs the extra 'spss'; install it with: pip install 'voxpop[spss]'"
        ) from error
    try:
        table, _ = pyreadstat.read_sav(str(path), apply_value_formats=True, formats_as_category=False)
    except pyreadstat.ReadstatError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    return table


def mapped(table: pd.DataFrame, given: Mapping[str, str | None]) -> dict[str, tuple[str | None, str]]:
    """Return the field of each column, or None, and why.

    Columns are mapped as given, else by a name or label of a field, else by a related name if nearly all of
    its values fit the field. A field is read from one column only.

    Raises
    ------
    UsageError
        A given column or field does not exist, or two columns are given for one field.
    """
    known = {fold(name): row.name for row in FIELDS.values() for name in (row.name, *row.aliases, row.label)}
    related = {fold(hint): row.name for row in FIELDS.values() for hint in row.hints}
    _check_given(table, given)
    taken = {name for name in given.values() if name is not None}
    found: dict[str, tuple[str | None, str]] = {}
    for column in table.columns:
        if column in given:
            target = given[column]
            found[column] = (target, _GIVEN) if target else (None, "not used, as given")
        elif (target := known.get(_words(column))) is not None:
            found[column] = _once(target, taken, _EXACT)
        elif IDENTIFYING.search(_words(column)):
            found[column] = (None, "not used: it may identify people")
    for column in table.columns:
        if column not in found:
            target = related.get(_words(column)) or _apart(column, known)
            if target is not None and target not in taken and _fits(table[column].tolist(), FIELDS[target]):
                found[column] = _once(target, taken, _SYNONYM)
            else:
                near = nearest(_words(column), known, n=1, cutoff=0.75)
                hint = f"; did you mean {known[near[0]]}?" if near else ""
                found[column] = (None, f"not used: no field of agents has this name{hint}")
    return {column: found[column] for column in table.columns}


def read_cell(read: Read, field: Field, cell: Any, codes: Mapping[str, Any]) -> None:
    """Append the value of a cell to a column, or None if it is missing or does not fit."""
    if _is_missing(cell) and str(cell) not in codes:
        read.values.append(None)
        return
    cell = _plain(cell)
    cell = codes.get(str(cell), cell)
    if isinstance(cell, str) and fold(cell) in _MISSING and field.name not in _NONE_COUNTS:
        read.values.append(None)
        return
    try:
        read.values.append(fitted(field, cell))
        return
    except Unfit as unfit:
        reason = str(unfit)
    meant = _typo(field, cell)
    if meant is None:
        read.unfit[str(cell)[:60]] += 1
        read.reason = read.reason or reason
    else:
        read.read_as[str(cell)] = meant
    read.values.append(meant)


def _typo(field: Field, cell: Any) -> str | None:
    """Return the level that a text misspells by one letter, if there is only one."""
    if not isinstance(cell, str) or field.kind != "category" or len(cell) < 4:
        return None
    near = [one for one in suggestions(field, cell) if within_one_typo(fold(cell), fold(one))]
    return near[0] if len(near) == 1 else None


def _words(column: str) -> str:
    """Return a column name in words: ``HouseholdIncome`` and ``household_income`` are the same."""
    return fold(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column))


def _apart(column: str, known: Mapping[str, str]) -> str | None:
    """Return the field whose name stands in a longer column name, if there is only one."""
    words = f" {_words(column)} "
    inside = {known[name] for name in known if len(name) > 3 and f" {name} " in words}
    return inside.pop() if len(inside) == 1 else None


def _once(target: str, taken: set[str], how: str) -> tuple[str | None, str]:
    if target in taken:
        return None, f"not used: {target} is read from another column"
    taken.add(target)
    return target, how


def _fits(cells: list[Any], field: Field) -> bool:
    read = Read([], {}, Counter())
    for cell in cells:
        read_cell(read, field, cell, {})
    recorded = sum(value is not None for value in read.values)
    return recorded > 0 and recorded >= _FITS * (recorded + sum(read.unfit.values()))


def _check_given(table: pd.DataFrame, given: Mapping[str, str | None]) -> None:
    names = list(table.columns)
    for column, target in given.items():
        if column not in names:
            near = did_you_mean(nearest(column, names)) or f"; it has {', '.join(names[:20])}."
            raise UsageError(f"columns: the table has no column {column!r}{near}")
        if target is not None and target not in FIELDS:
            near = did_you_mean(nearest(target, FIELDS)) or "."
            raise UsageError(f"columns: {target!r} is no field of agents{near}")
    targets = [target for target in given.values() if target is not None]
    if twice := sorted({target for target in targets if targets.count(target) > 1}):
        raise UsageError(f"columns: {twice[0]!r} is given for several columns; a field has one.")


def _is_missing(cell: Any) -> bool:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    return type(cell).__name__ in ("NAType", "NaTType")


def _plain(cell: Any) -> Any:
    """Return a NumPy scalar as a Python value, and an array as a list."""
    return cell.tolist() if hasattr(cell, "tolist") else cell
