"""Sets of items from your own figures: a table, or a CSV file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from voxpop.engines.agents import Agent
from voxpop.errors import UsageError
from voxpop.stats.divergence import distribution
from voxpop.validation.gss_items import NAME, gss_items
from voxpop.validation.item_set import Floats, Group, Item, ItemSet
from voxpop.vocabulary.nearest import did_you_mean, nearest

_VALUES = ("share", "percent", "count")
_NEEDED = ("item", "question", "option")
_NUMBER = re.compile(r"(\d+)(?:-(\d+)|\+)?")
_ALL = ("", "")


def item_set(given: Any) -> ItemSet:
    """Read a set of items from any supported form.

    Parameters
    ----------
    given : str, Path, ItemSet or DataFrame
        ``"gss"``, the shipped set; a set; or a table, or the path of a CSV file, with one row per item and
        option, and per group if there are any. Its columns are ``item`` (a name), ``question`` (the wording),
        ``option``, one of ``share`` (0 to 1), ``percent`` and ``count``, and optionally ``by`` (a field of
        agents, empty for all people), ``cohort`` (a value of the field, or an age band such as ``18-29`` or
        ``60+``), ``n`` (people who answered), ``ordered`` (yes or no), ``year`` and ``asked_of`` (all or
        employed). Without ``n`` or ``count``, no figure is compared that needs the number of people.

    Raises
    ------
    UsageError
        There is no such set or file, or the table lacks a column, a figure or a field.

    Examples
    --------
    >>> table = pd.DataFrame(
    ...     {"item": "pet", "question": "Do you have a pet?", "option": ["yes", "no"], "percent": [62, 38]}
    ... )
    >>> item_set(table).items[0].shares.tolist()
    [0.62, 0.38]
    """
    if isinstance(given, ItemSet):
        return given
    if isinstance(given, pd.DataFrame):
        return _from_table(given, "given")
    if given == NAME:
        return gss_items()
    path = Path(given).expanduser()
    if not path.is_file():
        raise UsageError(f"There is no benchmark {str(given)!r}: give {NAME!r} or the path of a CSV file.")
    return _from_table(pd.read_csv(path, dtype={"option": str, "cohort": str, "by": str}), path.stem)


def _from_table(table: pd.DataFrame, name: str) -> ItemSet:
    missing = [column for column in _NEEDED if column not in table]
    value = next((column for column in _VALUES if column in table), None)
    if missing or value is None:
        lacking = [*missing, *(["share, percent or count"] if value is None else [])]
        raise UsageError(
            f"The benchmark {name!r} lacks {', '.join(lacking)}; it has {', '.join(map(str, table))}."
        )
    held = table.copy()
    for column in ("by", "cohort"):
        held[column] = held[column].fillna("").astype(str) if column in held else ""
    held["option"] = held["option"].astype(str)
    groups = _groups(held)
    items = tuple(_item(str(key), own, groups, value, name) for key, own in held.groupby("item", sort=False))
    if not items:
        raise UsageError(f"The benchmark {name!r} has no items.")
    return ItemSet(
        name, items, groups, _contrasts(groups), source=f"the benchmark {name}, given with the call"
    )


def _groups(held: pd.DataFrame) -> tuple[Group, ...]:
    found = dict.fromkeys(zip(held["by"], held["cohort"], strict=True))
    return tuple(_group(by, cohort) for by, cohort in found if (by, cohort) != _ALL)


def _group(by: str, cohort: str) -> Group:
    known = [one.name for one in fields(Agent)]
    if by not in known:
        hint = did_you_mean(nearest(by, known)) or f"; fields are {', '.join(known)}"
        raise UsageError(f"by={by!r} in the benchmark is not a field of agents{hint}")
    band = _NUMBER.fullmatch(cohort)
    if band is None:
        return Group(by, cohort, by, (cohort,))
    low, high = float(band[1]), band[2]
    top = float(high) if high else math.inf if cohort.endswith("+") else low
    return Group(by, cohort, by, low=low, high=top)


def _contrasts(groups: Sequence[Group]) -> tuple[tuple[str, str, str], ...]:
    """Compare the last cohort of each attribute with the first."""
    cohorts: dict[str, list[str]] = {}
    for group in groups:
        cohorts.setdefault(group.by, []).append(group.cohort)
    return tuple((by, own[-1], own[0]) for by, own in cohorts.items() if len(own) > 1)


def _item(key: str, own: pd.DataFrame, groups: Sequence[Group], value: str, name: str) -> Item:
    options = tuple(dict.fromkeys(own["option"]))
    if len(options) < 2:
        raise UsageError(f"The item {key!r} of the benchmark {name!r} has fewer than two options.")
    parts = {key: part for key, part in own.groupby(["by", "cohort"], sort=False)}
    if _ALL not in parts:
        raise UsageError(f"The item {key!r} of the benchmark {name!r} has no rows for all people (by empty).")
    first = {str(column): value for column, value in parts[_ALL].iloc[0].items()}
    shares, n = _figures(parts[_ALL], options, value, f"The item {key!r}")
    rows, numbers = np.full((len(groups), len(options)), np.nan), np.zeros(len(groups))
    for at, group in enumerate(groups):
        part = parts.get((group.by, group.cohort))
        if part is not None:
            what = f"The item {key!r}, {group.by} {group.cohort},"
            rows[at], numbers[at] = _figures(part, options, value, what)
    return Item(
        key=f"{name}:{key}",
        question=str(first["question"]),
        options=options,
        ordered=len(options) == 2 or str(first.get("ordered", "")).casefold() in ("yes", "true", "1"),
        year=_year(first.get("year")),
        asked_of="employed" if first.get("asked_of") == "employed" else "all",
        n=n,
        effective_n=n,
        shares=shares,
        group_shares=rows,
        group_n=numbers,
    )


def _figures(part: pd.DataFrame, options: Sequence[str], value: str, what: str) -> tuple[Floats, float]:
    """Return shares, and the number of people: 1 where it is not known, too few to compare anything with."""
    given = dict(zip(part["option"], part[value], strict=True))
    try:
        shares = distribution([float(given.get(option, 0)) for option in options])
    except (TypeError, ValueError):
        raise UsageError(f"{what} needs figures of 0 or more, not all 0, in the column {value}.") from None
    if value == "count":
        return shares, float(part[value].sum())
    n = part["n"].max() if "n" in part else math.nan
    return shares, 1.0 if pd.isna(n) else float(n)


def _year(given: Any) -> int | None:
    return None if given is None or pd.isna(given) else int(given)
