"""People of one's own: profiles from a table, mapped to the fields of agents, with a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from voxpop.errors import UsageError
from voxpop.fieldwork.people_columns import Read, mapped, read_cell, read_table
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.markup import escaped
from voxpop.vocabulary.profile_values import Unfit, fitted
from voxpop.vocabulary.values import is_elsewhere

if TYPE_CHECKING:
    import pandas as pd

NEEDED = ("age", "gender", "country")
"""Fields that must be known of everybody, unless they are filled."""

MOST = 10_000
"""Maximum number of people in a group."""

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """How one column was read.

    Attributes
    ----------
    column : str
        The column in the table.
    field : str or None
        The field of agents; None if the column is not used.
    how : str
        Why it is used, or why not.
    recorded : int
        People with a value that fits.
    read_as : dict of str to str
        Misspelled values, with the values they were read as.
    unfit : dict of str to int
        Values that did not fit, with the number of people; these people have no value.
    reason : str
        What the field allows, if values did not fit.
    """

    column: str
    field: str | None
    how: str
    recorded: int = 0
    read_as: dict[str, str] = attribute(default_factory=dict)
    unfit: dict[str, int] = attribute(default_factory=dict)
    reason: str = ""

    def __str__(self) -> str:
        """Return the report as one line."""
        if self.field is None:
            return f"{self.column}: {self.how}"
        parts = [f"{self.column} → {self.field}: {self.recorded:,} recorded"]
        if self.read_as:
            pairs = list(self.read_as.items())[:_MOST_SHOWN]
            parts.append("read " + ", ".join(f"{given!r} as {meant!r}" for given, meant in pairs))
        if self.unfit:
            worst = list(self.unfit.items())[:_MOST_SHOWN]
            more = ", …" if len(self.unfit) > _MOST_SHOWN else ""
            listed = ", ".join(f"{value!r} ({many:,})" for value, many in worst)
            parts.append(f"{sum(self.unfit.values()):,} did not fit: {listed}{more} ({self.reason})")
        return "; ".join(parts)


class People:
    """Profiles read from a table, ready to be brought as a group with ``client.groups.bring``.

    Names, e-mail addresses and other columns that are no fields of agents are never part of it.

    Attributes
    ----------
    profiles : dict of str to list
        Values by field, one per person; None where a value is not recorded.
    rows : list of int
        Row of each person in the table, from 0, to match the agents of the group, which are in this order.
    columns : list of ColumnReport
        How each column was read.
    left_out : dict of str to int
        Number of rows that are left out, by reason.
    fill : str or None
        Whether the service draws what is not recorded.
    """

    def __init__(
        self,
        profiles: dict[str, list[Any]],
        rows: list[int],
        columns: list[ColumnReport],
        left_out: dict[str, int],
        fill: Literal["population"] | None,
    ) -> None:
        self.profiles = profiles
        self.rows = rows
        self.columns = columns
        self.left_out = left_out
        self.fill = fill

    def __len__(self) -> int:
        return len(self.rows)

    def report(self) -> pd.DataFrame:
        """Return one row per column of the table: field, recorded, not fitting, and why."""
        import pandas as pd  # slow import

        return pd.DataFrame(
            [
                {
                    "column": one.column,
                    "field": one.field,
                    "how": one.how,
                    "recorded": one.recorded,
                    "did_not_fit": sum(one.unfit.values()),
                    "values": ", ".join(one.unfit),
                    "reason": one.reason,
                }
                for one in self.columns
            ],
            columns=["column", "field", "how", "recorded", "did_not_fit", "values", "reason"],
        )

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        head, *lines = self._lines()
        listed = "".join(f"<li>{escaped(line.strip())}</li>" for line in lines)
        return f"<p>{escaped(head)}</p><ul>{listed}</ul>"

    def _lines(self) -> list[str]:
        out = sum(self.left_out.values())
        of = f" of {len(self) + out:,} rows" if out else ""
        known = ", ".join(self.profiles)
        filled = "; what is not recorded is drawn from alike agents" if self.fill else ""
        lines = [f"<People: {len(self):,}{of}, with {known}{filled}>"]
        lines += [f"  {many:,} left out: {reason}" for reason, many in self.left_out.items()]
        return lines + [f"  {one}" for one in self.columns]


def people(
    source: str | Path | Any,
    *,
    columns: Mapping[str, str | None] | None = None,
    values: Mapping[str, Mapping[Any, Any]] | None = None,
    country: str | None = None,
    fill: Literal["population"] | None = None,
) -> People:
    """Read people of one's own from a table, and map them to the fields of agents.

    Nothing is sent: ``client.groups.bring(people)`` makes a group of them that can be asked and sliced like
    any other.

    Parameters
    ----------
    source : str, Path, Survey, DataFrame or Arrow table
        A file (``.csv``, ``.tsv``, ``.parquet``, ``.sav``), or a table with one row per person.
    columns : dict of str to str, optional
        Field of a column, or None to leave it out; other columns are mapped by the names, other names and
        labels of fields. Names, e-mail addresses and the like are left out in any case.
    values : dict of str to dict, optional
        Per field, the values of codes in the table, such as ``{"gender": {1: "male", 2: "female"}}``.
    country : str, optional
        The country of everybody, if no column tells.
    fill : {"population"}, optional
        Draw what is not recorded from agents of the population with the same country, gender and age that
        are most alike (hot deck), and mark it in the agents' provenance. By default it stays unknown.

    Returns
    -------
    People
        Its repr tells, column by column, what was mapped and what did not fit. Rows without age, gender or
        country are left out and counted, unless they are filled.

    Raises
    ------
    UsageError
        The file cannot be read, a named column or field does not exist, or no row is left.

    Examples
    --------
    >>> import pandas as pd
    >>> customers = pd.DataFrame({"Email": ["a@b.example"], "Sex": ["F"], "Age": [41], "State": ["Texas"]})
    >>> people(customers, columns={"Sex": "gender"}, country="USA")
    <People: 1, with country, state, age, gender>
      Email: not used: it may identify people
      Sex → gender: 1 recorded
      Age → age: 1 recorded
      State → state: 1 recorded
    """
    if fill not in (None, "population"):
        raise UsageError(f"fill must be 'population' or None, not {fill!r}.")
    table = read_table(source)
    chosen = mapped(table, columns or {})
    codes = _codes(values or {})
    reports, found = [], {}
    for name, (target, how) in chosen.items():
        if target is None:
            reports.append(ColumnReport(name, None, how))
            continue
        read = _column(table, name, target, codes.get(target, {}))
        found[target] = read.values
        told = dict(sorted(read.unfit.items(), key=lambda pair: (-pair[1], pair[0])))
        recorded = sum(value is not None for value in read.values)
        reports.append(ColumnReport(name, target, how, recorded, read.read_as, told, read.reason))
    size = len(table)
    if "country" not in found:
        found["country"] = [_country(country, fill)] * size
    reports = [_checked(report, found, fill) for report in reports]
    kept, left_out = _kept(found, size, fill)
    profiles = {
        name: [found[name][row] for row in kept]
        for name in FIELDS
        if name in found and any(value is not None for value in found[name])
    }
    return People(profiles, kept, reports, left_out, fill)


def _column(table: Any, name: str, target: str, codes: Mapping[str, Any]) -> Read:
    read = Read([], {}, Counter())
    for cell in table[name].tolist():
        read_cell(read, FIELDS[target], cell, codes)
    return read


def _checked(report: ColumnReport, found: dict[str, list[Any]], fill: str | None) -> ColumnReport:
    """Return a report after removing values that do not fit the other fields of the same person."""
    name = report.field
    if name == "state":
        return _in_country(report, found)
    if name is None or fill or not FIELDS[name].in_health_profile or name == "health_conditions":
        return report
    conditions = found.get("health_conditions")
    if conditions is None:
        del found[name]
        told = "not used: health fields need a column of health_conditions, or fill='population'"
        return ColumnReport(report.column, None, told)
    lone = [row for row, value in enumerate(found[name]) if value is not None and conditions[row] is None]
    return _without(report, found[name], lone, "health_conditions of this person are not recorded")


def _in_country(report: ColumnReport, found: dict[str, list[Any]]) -> ColumnReport:
    pairs = enumerate(zip(found["state"], found["country"], strict=True))
    elsewhere = [
        row
        for row, (state, country) in pairs
        if state and country and is_elsewhere(FIELDS["state"], state, frozenset((country,)))
    ]
    return _without(report, found["state"], elsewhere, "not in the person's country")


def _without(report: ColumnReport, values: list[Any], rows: list[int], reason: str) -> ColumnReport:
    if not rows:
        return report
    unfit = Counter(report.unfit) + Counter(str(values[row]) for row in rows)
    for row in rows:
        values[row] = None
    told = dict(sorted(unfit.items(), key=lambda pair: (-pair[1], pair[0])))
    return replace(report, recorded=report.recorded - len(rows), unfit=told, reason=report.reason or reason)


def _codes(values: Mapping[str, Mapping[Any, Any]]) -> dict[str, dict[str, Any]]:
    for name in values:
        if name not in FIELDS:
            raise UsageError(f"values: {name!r} is no field of agents{did_you_mean(nearest(name, FIELDS))}")
    return {name: {str(code): meant for code, meant in given.items()} for name, given in values.items()}


def _country(country: str | None, fill: str | None) -> str | None:
    if country is None:
        if fill:
            return None
        raise UsageError(
            "No column tells the country of these people; name it, for example country='USA', or map a "
            "column with columns={'...': 'country'}."
        )
    try:
        return str(fitted(FIELDS["country"], country))
    except Unfit as unfit:
        raise UsageError(f"country: {country!r} is {unfit}.") from None


def _kept(found: Mapping[str, list[Any]], size: int, fill: str | None) -> tuple[list[int], dict[str, int]]:
    """Return the rows that can be used, and the number of others by reason."""
    kept: list[int] = []
    out: Counter[str] = Counter()
    for row in range(size):
        lacking = [name for name in NEEDED if name not in found or found[name][row] is None]
        if lacking and not fill:
            out[f"no {' and no '.join(lacking)} that fits"] += 1
        elif len(kept) == MOST:
            out[f"a group takes {MOST:,} people"] += 1
        else:
            kept.append(row)
    if not kept:
        why = "; ".join(f"{many:,}: {reason}" for reason, many in out.items()) or "the table is empty"
        raise UsageError(
            f"No row can be used ({why}). Map the columns with columns={{...}}, or draw what is not recorded "
            "with fill='population'."
        )
    return kept, dict(out)
