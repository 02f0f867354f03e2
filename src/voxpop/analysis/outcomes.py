"""The outcome of a model: a number, one answer against the rest, or ordered levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import Bools, label_of
from voxpop.analysis.frames import Frame, Variable
from voxpop.analysis.model_terms import is_numeric
from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]
ModelKind = Literal["linear", "logistic", "ordinal"]
KINDS: tuple[str, ...] = get_args(ModelKind)


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """The outcome of a model.

    Attributes
    ----------
    name, text : str
        The column, and its wording.
    kind : {"linear", "logistic", "ordinal"}
        The model that suits it.
    words : str
        The outcome in words, such as "switch = yes".
    known : array of bool
        The rows that have it.
    values : array of float
        Numbers, 0 and 1, or positions among the levels.
    levels : tuple of str
        The ordered levels, or the levels counted as 1.
    """

    name: str
    text: str
    kind: ModelKind
    words: str
    known: Bools
    values: Floats
    levels: tuple[str, ...] = ()


def check_kind(kind: Any, kinds: Iterable[str] = KINDS) -> None:
    """Refuse an unknown kind of model, with the nearest one."""
    allowed = tuple(kinds)
    if kind is not None and kind not in allowed:
        hint = did_you_mean(nearest(str(kind), allowed)) or "."
        raise UsageError(f"kind must be one of {', '.join(allowed)}, or None, not {kind!r}{hint}")


def read_outcome(frame: Frame, name: str, kind: ModelKind | None, level: Any) -> Outcome:
    """Read the outcome of a model; without ``kind`` the question decides.

    Raises
    ------
    UsageError
        If the question does not suit the model; the message names one that it suits.
    """
    numeric = is_numeric(frame, name)
    if kind is None:
        kind = _suited(frame, name, numeric, level)
    if kind != "logistic" and level is not None:
        raise UsageError(f'level= needs kind="logistic", not kind={kind!r}.')
    if kind == "linear":
        return _number(frame, name, numeric)
    variable = frame.variable(name)
    return _one_level(variable, level) if kind == "logistic" else _ordered(variable, numeric)


def _suited(frame: Frame, name: str, numeric: bool, level: Any) -> ModelKind:
    if level is not None:
        return "logistic"
    if numeric:
        numbers = frame.numbers(name)
        return "logistic" if np.isin(numbers[~np.isnan(numbers)], (0, 1)).all() else "linear"
    variable = frame.variable(name)
    if len(_used(variable)) <= 2 and not variable.multiple:
        return "logistic"
    if variable.ordered and not variable.multiple:
        return "ordinal"
    raise UsageError(
        f"{name!r} has levels without an order: {', '.join(variable.levels[:20])}. Name the one to explain "
        f"with level={variable.levels[0]!r}, or declare their order (pd.Categorical(..., ordered=True))."
    )


def _used(variable: Variable) -> list[int]:
    """Return the levels that somebody has."""
    return [int(place) for place in np.unique(variable.codes)]


def _number(frame: Frame, name: str, numeric: bool) -> Outcome:
    if not numeric:
        variable = frame.variable(name)
        other = "ordinal" if variable.ordered and len(_used(variable)) > 2 else "logistic"
        raise UsageError(
            f"{name!r} holds {', '.join(variable.levels[:4])}, not numbers; use kind={other!r}, or map its "
            "levels to numbers in a column of its own."
        )
    measured = frame.measure(name)
    return Outcome(name, measured.text, "linear", name, measured.answered, frame.numbers(name))


def _one_level(variable: Variable, level: Any) -> Outcome:
    """Read one level, or several, against the rest."""
    used = [variable.levels[place] for place in _used(variable)]
    if level is None:
        if len(used) > 2 or variable.multiple:
            raise UsageError(
                f"{variable.name!r} has {len(variable.levels)} levels; name the one to explain with level=, "
                f"such as level={variable.levels[-1]!r} ({', '.join(variable.levels[:20])})."
            )
        wanted = ["yes" if "yes" in variable.levels else used[-1] if used else ""]
    else:
        listed = [level] if isinstance(level, str) or not isinstance(level, Iterable) else list(level)
        wanted = [label_of(one) for one in listed]
    for one in wanted:
        if used and one not in variable.levels:
            hint = (
                did_you_mean(nearest(one, variable.levels)) or f"; it has {', '.join(variable.levels[:20])}"
            )
            raise UsageError(f"{variable.name!r} has no level {one!r}{hint}")
    values = np.zeros(variable.answered.size)
    places = [place for place, own in enumerate(variable.levels) if own in wanted]
    values[variable.agents[np.isin(variable.codes, places)]] = 1.0
    words = f"{variable.name} = {' or '.join(wanted)}"
    return Outcome(variable.name, variable.text, "logistic", words, variable.answered, values, tuple(wanted))


def _ordered(variable: Variable, numeric: bool) -> Outcome:
    if variable.multiple or not (variable.ordered or numeric):
        raise UsageError(
            f"{variable.name!r} has levels without an order; declare it (pd.Categorical(..., ordered=True)), "
            'or explain one level with kind="logistic" and level=.'
        )
    values = np.zeros(variable.answered.size)
    values[variable.agents] = variable.codes
    words = f"higher {variable.name}"
    return Outcome(variable.name, variable.text, "ordinal", words, variable.answered, values, variable.levels)
