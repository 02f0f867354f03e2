"""Columns of a survey as questions that people were asked, and the columns that are not kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from voxpop.engines.human_survey import CATEGORY, NUMBER, SEVERAL, Asked
from voxpop.engines.option_order import ESCAPE
from voxpop.engines.survey_answers import FEWEST_ANSWERS
from voxpop.errors import UsageError
from voxpop.own_survey.sources import Source, as_labels

if TYPE_CHECKING:
    import pandas as pd

Wordings = Mapping[str | tuple[str, ...], str]
"""Column -> wording; a tuple of columns are the options of one question."""

_MOST_OPTIONS = 60
_MOST_TEXT = 30
_UNLIKE = 0.9
_REFUSED = ("refused", "refusal", "skipped", "missing", "not asked", "no response")


def asked_of(
    source: Source, given: Wordings | None, taken: Iterable[str]
) -> tuple[tuple[Asked, ...], dict[str, str]]:
    """Return the questions of a survey, and why each other column is none.

    Parameters
    ----------
    source
        The survey.
    given
        Wordings that replace or complete the labels of columns.
    taken
        Columns that are something else.

    Raises
    ------
    UsageError
        A given column does not exist or cannot be used.
    """
    wanted: dict[str | tuple[str, ...], str] = dict(given or {})
    for columns in wanted:
        source.check([columns] if isinstance(columns, str) else columns, "questions")
    wordings: dict[str | tuple[str, ...], str] = {}
    wordings.update(dict(source.sets.items()))
    wordings.update(source.wordings)
    wordings.update(wanted)
    parts = {column for columns in wordings if isinstance(columns, tuple) for column in columns}
    used = {*taken} | parts
    made, left = [], {}
    for columns in (key for key in wordings if isinstance(key, tuple)):
        made.append(_several(source, columns, wordings[columns]))
    for column in source.frame.columns:
        if column in used:
            continue
        if column not in wordings:
            left[column] = "no wording"
            continue
        found = _one(source, column, wordings[column])
        if isinstance(found, str):
            if column in wanted:
                raise UsageError(f"questions: {column!r} of {source.name} cannot be used: {found}.")
            left[column] = found
        else:
            made.append(found)
    return tuple(made), left


def _one(source: Source, column: str, wording: str) -> Asked | str:
    """Return a question, or the reason why a column is none."""
    import pandas as pd

    raw = source.frame[column]
    if raw.map(lambda value: isinstance(value, list | tuple | np.ndarray)).any():
        return _listed(column, wording, raw)
    told = source.labels.get(column, {})
    real = {code: label for code, label in told.items() if not _is_lost(label)}
    held = as_labels(source, column).map(lambda value: None if _is_lost(value) else value, na_action="ignore")
    held = held.where(held.notna(), None)
    if int(held.notna().sum()) < FEWEST_ANSWERS:
        return f"fewer than {FEWEST_ANSWERS} answers"
    if pd.api.types.is_datetime64_any_dtype(raw) or held.dropna().map(_is_date).any():
        return "dates are not kept"
    different = held.dropna().map(_folded).unique()
    plain = pd.to_numeric(raw.where(held.notna()), errors="coerce")
    numeric = not isinstance(raw.dtype, pd.CategoricalDtype) and plain.notna().sum() == held.notna().sum()
    labelled = bool(real) and set(plain.dropna().unique()) <= set(real)
    if numeric and not labelled and not _is_flag(raw, different):
        return _number(column, wording, plain, tuple(real.values()))
    options = _options(raw, held, real if labelled else {})
    if len(options) > _MOST_OPTIONS or len(different) > max(_MOST_TEXT, len(real)):
        return "open text is not kept"
    if len(options) < 2:
        return "everybody gave the same answer"
    at = {option: number for number, option in enumerate(options)}
    values = held.map(lambda value: at[_folded(value)], na_action="ignore")
    return Asked(column, wording, CATEGORY, tuple(options), np.array(values, dtype=np.float64))


def _number(column: str, wording: str, plain: pd.Series, ends: tuple[str, ...]) -> Asked | str:
    held = plain.dropna()
    if held.nunique() > _UNLIKE * len(held) and (held == held.round()).all():
        return "it may identify people: nearly every value is another whole number"
    values = np.array(plain, dtype=np.float64)
    return Asked(column, wording, NUMBER, ends if len(ends) == 2 else (), values)


def _options(raw: pd.Series, held: pd.Series, real: Mapping[Any, str]) -> list[str]:
    """Return the options in the order of codes or categories, else of the alphabet with yes before no."""
    if real:
        return list(dict.fromkeys(_folded(label) for label in real.values()))
    categories = getattr(raw.dtype, "categories", None)
    found = [_folded(value) for value in held.dropna().unique()]
    if categories is not None:
        return [_folded(value) for value in categories if _folded(value) in found]
    return sorted(dict.fromkeys(found), key=lambda text: (text.lower() == "no", text))


def _several(source: Source, columns: tuple[str, ...], wording: str) -> Asked:
    """Return a question with one column of yes and no per option."""
    parts, options = [], []
    for column in columns:
        ticked = as_labels(source, column).map(_is_ticked)
        parts.append(np.array(ticked, dtype=np.float64))
        options.append(source.wordings.get(column, column).split(": ")[-1])
    values = np.column_stack(parts)
    values[np.isnan(values).all(axis=1)] = np.nan
    partly = np.isnan(values) & ~np.isnan(values).all(axis=1, keepdims=True)
    values[partly] = 0.0  # ticked boxes are often stored as 1, the others as missing
    return Asked("+".join(columns), wording, SEVERAL, tuple(options), values)


def _listed(column: str, wording: str, raw: pd.Series) -> Asked | str:
    """Return a question whose answers are lists of options."""
    lists = [list(value) if isinstance(value, list | tuple | np.ndarray) else None for value in raw]
    options = sorted({str(one) for value in lists if value for one in value})
    if len(options) > _MOST_OPTIONS:
        return "open text is not kept"
    values = np.full((len(lists), len(options)), np.nan)
    for row, value in enumerate(lists):
        if value is not None:
            values[row] = [option in {str(one) for one in value} for option in options]
    return Asked(column, wording, SEVERAL, tuple(options), values)


def _is_lost(value: Any) -> bool:
    """Return whether a value says that there is no answer."""
    if not isinstance(value, str):
        return False
    return bool(ESCAPE.match(value.strip())) or value.strip().lower() in _REFUSED


def _is_flag(raw: pd.Series, different: Any) -> bool:
    return raw.dtype == bool or set(different) <= {"Yes", "No"}


def _is_ticked(value: Any) -> float:
    if value is None or value != value or _is_lost(value):
        return float("nan")
    return float(
        str(value).strip().lower() not in ("0", "0.0", "no", "false", "not selected", "not mentioned")
    )


def _is_date(value: Any) -> bool:
    return hasattr(value, "year") and hasattr(value, "month")


def _folded(value: Any) -> str:
    """Return an answer as text; booleans are yes and no."""
    if isinstance(value, bool | np.bool_):
        return "Yes" if value else "No"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).strip()
