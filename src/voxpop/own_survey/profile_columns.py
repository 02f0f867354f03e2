"""Columns of a survey as fields of agents: found by name, levels by their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from voxpop.engines.human_survey import UNKNOWN, Axis, Places
from voxpop.errors import UsageError
from voxpop.own_survey.number_bands import Band, band_of, middle
from voxpop.own_survey.sources import Source, as_labels
from voxpop.vocabulary.fields import FIELDS, Field, find_field
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.places import DIVISIONS
from voxpop.vocabulary.values import canonical, fold, is_known, levels_of

if TYPE_CHECKING:
    import pandas as pd

Given = Mapping[str, str | tuple[str, Mapping[Any, Any]]]
"""Field -> column, or column and the field's value of each of its values."""

_GUESSED = 0.9
_LEAST_FIT = 0.5
_NUMBERED = re.compile(r"^(?:q|v|s|d)\d+[a-z]?[ _.:-]*|^profile[ _]", re.I)
_BAND_YEARS = 5
_OLDEST = 100
_AGES = (18.0, 21.0, *map(float, range(25, _OLDEST, _BAND_YEARS)))
_SOUTH = ("south atlantic", "east south central", "west south central")
_REGIONS = {
    "northeast": ("new england", "middle atlantic"),
    "midwest": ("east north central", "west north central"),
    "south": _SOUTH,
    "west": ("mountain", "pacific"),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """How one column of a survey fits a field of agents.

    Attributes
    ----------
    field, column : str
        The field, and the column.
    known : int
        Respondents with a level.
    unknown : tuple of str
        Values of the column that no level of the field stands for.
    """

    field: str
    column: str
    known: int
    unknown: tuple[str, ...]


def axes_of(
    source: Source, given: Given | None, country: str, taken: Iterable[str]
) -> list[tuple[Axis, Fit]]:
    """Return the fields that a survey shares with agents, with how its columns fit them.

    Parameters
    ----------
    source, country
        The survey, and the country of its respondents.
    given
        Columns by field; None to find them by name.
    taken
        Columns that are something else.

    Raises
    ------
    UsageError
        A given field or column does not exist, or most values of a given column fit no level.
    """
    if given is None:
        return _guessed(source, country, set(taken))
    made = []
    for name, told in given.items():
        row = find_field(name)
        if row is None or row.kind == "list" or row.open:
            allowed = [one.name for one in FIELDS.values() if one.kind != "list" and not one.open]
            near = did_you_mean(nearest(name, allowed)) or f"; allowed: {', '.join(allowed)}."
            raise UsageError(f"profile: agents have no field {name!r} to map{near}")
        column, values = (told, {}) if isinstance(told, str) else told
        source.check([column], "profile")
        axis, fit = _axis(source, row, column, country, values)
        answered = int(source.frame[column].notna().sum())
        if fit.known < _LEAST_FIT * max(1, answered):
            shown = ", ".join(map(repr, fit.unknown[:5]))
            raise UsageError(
                f"profile: {answered - fit.known:,} of {answered:,} values of {column!r} are no level of "
                f"{row.name} ({shown}); map them: profile={{{row.name!r}: ({column!r}, {{value: level}})}}, "
                f"with the levels {', '.join(_names(row, country)[:12])}."
            )
        made.append((axis, fit))
    return made


def _guessed(source: Source, country: str, taken: set[str]) -> list[tuple[Axis, Fit]]:
    made: list[tuple[Axis, Fit]] = []
    for row in FIELDS.values():
        if row.kind == "list" or row.open:
            continue
        names = {fold(name) for name in (row.name, row.label, *row.aliases, *row.hints)}
        names |= {"income"} if row.name == "household_income" else set()
        for column in source.frame.columns:
            if column in taken or not names & set(_called(source, column)):
                continue
            axis, fit = _axis(source, row, column, country, {})
            if fit.known >= max(2, _GUESSED * int(source.frame[column].notna().sum())):
                made.append((axis, fit))
                taken.add(column)
                break
    return made


def _called(source: Source, column: str) -> list[str]:
    told = (column, source.wordings.get(column, ""))
    return [fold(_NUMBERED.sub("", name)) for name in told if name] + [fold(name) for name in told if name]


def _names(row: Field, country: str) -> Sequence[str]:
    return row.by_country.get(country) or row.levels or row.known or ("true", "false")


def _axis(
    source: Source, row: Field, column: str, country: str, values: Mapping[Any, Any]
) -> tuple[Axis, Fit]:
    held = as_labels(source, column)
    if values:
        raw = source.frame[column].astype(object)
        mapped = raw.map(lambda value: values.get(value), na_action="ignore")
        held = mapped.where(
            mapped.notna(), held.map(lambda value: values.get(value, value), na_action="ignore")
        )
    if row.kind == "range":
        return _of_numbers(row, column, held)
    if row.name == "household_income":
        return _of_bands(row, column, held)
    return _of_levels(row, column, country, held)


def _of_levels(row: Field, column: str, country: str, held: pd.Series) -> tuple[Axis, Fit]:
    """Return the axis of a field with levels; levels that the survey does not tell apart are one."""
    names = _names(row, country)
    sets: dict[Any, frozenset[str]] = {}
    for value in held.dropna().map(_hashable).unique():
        found = _levels_named(row, value) & frozenset(names)
        if found:
            sets[value] = found
    groups = _disjoint(sets.values(), names)
    place = {name: number for number, group in enumerate(groups) for name in group}
    at = {value: place[next(iter(found))] for value, found in sets.items()}
    places = held.map(lambda value: at.get(_hashable(value), UNKNOWN), na_action="ignore")
    levels = tuple(_label(row, group) for group in groups)
    return _finished(
        Axis(
            row.name,
            column,
            levels,
            _as_places(places),
            ordered=row.ordered,
            held=place,
            parents=_parents(groups) if row.name == "state" and country == "USA" else (),
        ),
        held,
    )


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _levels_named(row: Field, value: Any) -> frozenset[str]:
    """Return the agents' levels that a value of a survey stands for."""
    if isinstance(value, tuple):
        return frozenset().union(*(_levels_named(row, one) for one in value))
    if row.kind == "boolean":
        told = {1: "true", 0: "false"}.get(value, str(value).strip().lower())
        word = {"yes": "true", "no": "false", "1.0": "true", "0.0": "false"}.get(told, told)
        return frozenset({word} & {"true", "false"})
    text = str(value)
    if row.name == "state" and (states := _region(text)):
        return states
    known = canonical(row, text)
    if not is_known(row, known):
        return frozenset()
    return frozenset(levels_of(row, known)) or frozenset({known})


def _region(text: str) -> frozenset[str]:
    name = fold(text)
    divisions = _REGIONS.get(name, (name,) if name in DIVISIONS else ())
    return frozenset(state for one in divisions for state in DIVISIONS[one].split())


def _disjoint(sets: Iterable[frozenset[str]], names: Sequence[str]) -> list[frozenset[str]]:
    """Return groups of levels in their order, so that each set is part of one group."""
    groups: list[frozenset[str]] = []
    for one in [*sets, *(frozenset({name}) for name in names)]:
        touching = [group for group in groups if group & one]
        groups = [group for group in groups if not group & one]
        groups.append(one.union(*touching))
    order = {name: number for number, name in enumerate(names)}
    return sorted(groups, key=lambda group: min(order[name] for name in group))


def _label(row: Field, group: frozenset[str]) -> str:
    whole = next((name for name, parts in row.sums.items() if frozenset(parts) == group), None)
    return whole or " / ".join(sorted(group, key=list(_order(row)).index))


def _order(row: Field) -> Sequence[str]:
    return ("true", "false") if row.kind == "boolean" else (*row.levels, *row.known)


def _parents(groups: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """Return the division of each state; a level of several states is its own."""
    division = {state: name for name, states in DIVISIONS.items() for state in states.split()}
    told = [division[next(iter(group))] if len(group) == 1 else str(sorted(group)) for group in groups]
    names = list(dict.fromkeys(told))
    return tuple(names.index(name) for name in told)


def _of_numbers(row: Field, column: str, held: pd.Series) -> tuple[Axis, Fit]:
    """Return the axis of a number: its usual bands, or those of the survey."""
    import pandas as pd

    numbers = pd.to_numeric(held, errors="coerce").to_numpy(np.float64)
    if int((~np.isnan(numbers)).sum()) * 2 < int(held.notna().sum()):
        return _of_bands(row, column, held)
    if row.name == "age":
        starts: tuple[float, ...] = _AGES
    elif row.starts:
        starts = tuple(map(float, row.starts))
    else:
        cuts = np.unique(np.nanquantile(numbers, [0.2, 0.4, 0.6, 0.8]).round(2))
        starts = (min(0.0, float(np.nanmin(numbers))), *(float(cut) for cut in cuts if cut > 0))
    places = np.where(
        np.isnan(numbers), UNKNOWN, np.searchsorted(starts, np.nan_to_num(numbers), side="right") - 1
    )
    known = np.where(numbers < starts[0], UNKNOWN, places).astype(np.int16)
    levels = tuple(
        f"{low:g}-{high - 1:g}" if row.integer else f"{low:g} to {high:g}" for low, high in pairwise(starts)
    )
    return _finished(
        Axis(row.name, column, (*levels, f"{starts[-1]:g}+"), known, ordered=True, starts=starts), held
    )


def _of_bands(row: Field, column: str, held: pd.Series) -> tuple[Axis, Fit]:
    """Return the axis of a field in bands of numbers, on the survey's bands."""
    bands: dict[Any, Band] = {
        value: band for value in held.dropna().unique() if (band := band_of(str(value))) is not None
    }
    ordered = sorted(set(bands.values()), key=middle)
    if row.kind != "range" and len(ordered) > len(row.levels) * 2:  # amounts, not bands
        own = [band_of(level) for level in row.levels]
        starts = [0.0 if band is None or band[0] < 0 else band[0] for band in own]
        at = {
            value: int(np.searchsorted(starts, middle(band), side="right")) - 1
            for value, band in bands.items()
        }
        levels: tuple[str, ...] = row.levels
        agents = {level: number for number, level in enumerate(levels)}
    else:
        at = {value: ordered.index(band) for value, band in bands.items()}
        levels = tuple(next(str(value) for value in bands if bands[value] == band) for band in ordered)
        levels, agents = _held(row, ordered, levels)
    first = tuple(max(0.0, low) for low, _ in ordered) if row.kind == "range" else ()
    if row.kind == "range" and ordered and ordered[-1][1] < _OLDEST and row.name == "age":
        levels, first = _beyond(levels, first, ordered)
    places = held.map(lambda value: at.get(value, UNKNOWN), na_action="ignore")
    axis = Axis(row.name, column, levels, _as_places(places), ordered=True, held=agents, starts=first)
    return _finished(axis, held)


def _beyond(
    levels: tuple[str, ...], starts: tuple[float, ...], ordered: Sequence[Band]
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Add levels of ages after the last band of a survey, as wide as that band."""
    low, high = ordered[-1]
    more = list(np.arange(high + 1, _OLDEST, max(_BAND_YEARS, high + 1 - low)))
    return (*levels, *(f"{start:g}+" for start in more)), (*starts, *map(float, more))


def _held(
    row: Field, ordered: Sequence[Band], levels: tuple[str, ...]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the survey's band of each band of agents, with a level more for agents above all bands."""
    made = {}
    for level in row.levels if ordered else ():
        band = band_of(level)
        if band is None or middle(band) < ordered[0][0]:
            continue
        if middle(band) > ordered[-1][1]:
            made[level] = len(ordered)
            continue
        distance = [_outside(middle(band), other) for other in ordered]
        made[level] = distance.index(min(distance))
    more = (f"over {ordered[-1][1]:,.0f}",) if len(ordered) in made.values() else ()
    return (*levels, *more), made


def _outside(number: float, band: Band) -> float:
    """Return how far a number is from a band."""
    return max(band[0] - number, number - band[1], 0.0)


def _as_places(places: pd.Series) -> Places:
    return np.array(places.fillna(UNKNOWN), dtype=np.int16)


def _finished(axis: Axis, held: pd.Series) -> tuple[Axis, Fit]:
    lost = (axis.places == UNKNOWN) & held.notna().to_numpy()
    values = tuple(dict.fromkeys(str(value) for value in held[lost]))
    return axis, Fit(axis.field, axis.column, int((axis.places >= 0).sum()), values)
