"""Filters: values of each field and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from voxpop.client.checks import checked_filter, warn_of_unknown
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import ServiceError, UsageError
from voxpop.vocabulary import FIELDS, Filter, field
from voxpop.vocabulary.markup import escaped
from voxpop.wire.filters import CountIn, CountResponse, Discovery, RangeSummary, UnknownField, ValueCount

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 12


class Counts(Discovery):
    """Counts of agents per value of some fields, in one country or under a filter.

    Attributes
    ----------
    country : str or None
        The country counted; None under a filter.
    recruitable_agent_count : int
        Number of agents available.
    filters : dict of str to list
        Values with their counts, by field. List fields count an agent under each of its values.
    ranges : dict of str to RangeSummary
        Minimum, maximum and mean of the range fields.
    unknown : list of UnknownField
        Fields that are unknown in a country, each with the reason. Unknown is not the same as none.
    """

    country: str | None = Field(default=None, description="The country counted; null under a filter.")  # type: ignore[assignment]

    def frame(self) -> pd.DataFrame:
        """Return the counts as a frame with the columns ``field``, ``value``, ``count`` and ``share``.

        ``share`` is the proportion (0 to 1) of the available agents.
        """
        import pandas as pd  # imported where used: a client alone does not need it

        whole = self.recruitable_agent_count
        rows = [
            (name, str(one.value), one.count, one.count / whole if whole else 0.0)
            for name, values in self.filters.items()
            for one in values
        ]
        return pd.DataFrame(rows, columns=["field", "value", "count", "share"])

    def _heading(self) -> str:
        where = self.country or "this filter"
        return f"{where}: {self.recruitable_agent_count or 0:,} agents"

    def __repr__(self) -> str:
        lines = [self._heading()]
        width = max(
            (len(_value(one)) for values in self.filters.values() for one in values[:_SHOWN]), default=0
        )
        for name, values in self.filters.items():
            lines.append(name)
            lines += [f"  {_value(one):<{width}}  {one.count:>9,}" for one in values[:_SHOWN]]
            if len(values) > _SHOWN:
                lines.append(f"  … and {len(values) - _SHOWN} more values")
        lines += [f"{name}: {_range(found)}" for name, found in self.ranges.items()]
        lines += [_lacking(one) for one in self.unknown]
        return "\n".join(lines)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        whole = self.recruitable_agent_count or 0
        rows = []
        for name, values in self.filters.items():
            for position, one in enumerate(values[:_SHOWN]):
                head = f"<th scope='row'>{escaped(name if position == 0 else '')}</th>"
                share = f"{one.count / whole:.1%}" if whole else ""
                rows.append(
                    f"<tr>{head}<td>{escaped(_value(one))}</td>"
                    f"<td style='text-align:right'>{one.count:,}</td>"
                    f"<td style='text-align:right'>{share}</td></tr>"
                )
            if len(values) > _SHOWN:
                rows.append(
                    f"<tr><th></th><td colspan='3'>… and {len(values) - _SHOWN} more values</td></tr>"
                )
        for name, found in self.ranges.items():
            rows.append(
                f"<tr><th scope='row'>{escaped(name)}</th><td colspan='3'>{escaped(_range(found))}</td></tr>"
            )
        rows += [f"<tr><td colspan='4'>{escaped(_lacking(one))}</td></tr>" for one in self.unknown]
        heads = "".join(f"<th scope='col'>{head}</th>" for head in ("field", "value", "agents", "share"))
        return (
            f"<table><caption>{escaped(self._heading())}</caption>"
            f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )


def _value(one: ValueCount) -> str:
    return {True: "yes", False: "no"}[one.value] if isinstance(one.value, bool) else str(one.value)


def _lacking(one: UnknownField) -> str:
    return f"{one.field}: not known for all agents in {one.country}. {one.reason}"


def _range(found: RangeSummary) -> str:
    if found.min is None or found.max is None:
        return "no numbers"
    mean = "" if found.mean is None else f", mean {found.mean:.4g}"
    return f"{found.min:g} to {found.max:g}{mean}"


class Filters:
    """``client.filters``: discovery of values and counts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def counts(self, where: str | Filter | dict[str, Any] = "USA", *fields: str) -> Counts:
        """Count the agents of a country, or those that match a filter, per value of some fields.

        Parameters
        ----------
        where : str or Filter or dict
            A country, by name or code, or a filter.
        *fields : str
            Fields by name or alias. Default: every categorical field.

        Raises
        ------
        FilterError
            An unknown country, field or value; the message names the nearest.
        """
        names = _names(fields)
        if not isinstance(where, str):
            asked = checked_filter(where, self.values_in_use)
            found = self._counted(asked, names or None)
            warn_of_unknown(found)
            return Counts(
                recruitable_agent_count=found.count,
                filters=found.filters,
                ranges=found.ranges,
                unknown=found.unknown,
            )
        country = checked_filter({"country": where}).conditions[0][1].to_json()
        params = {"country": country} | ({"fields": ",".join(names)} if names else {})
        return read(Counts, self._transport.get("/filters", params))

    def count(self, filters: Filter | dict[str, Any]) -> int:
        """Return the number of agents that match a filter.

        Raises
        ------
        FilterError
            An unknown field or value; the message names the nearest.
        """
        asked = checked_filter(filters, self.values_in_use)
        try:
            counted = self._counted(asked, fields=[])
            warn_of_unknown(counted, asked)
            return counted.count
        except ServiceError as error:
            if error.status not in (404, 405):
                raise
        found = self._transport.get("/agents/search", [*asked.to_query(), ("page", "1"), ("per_page", "1")])
        total = found.get("total") if isinstance(found, dict) else None
        if not isinstance(total, int):
            raise ServiceError(
                "This service does not tell how many agents a filter matches.", status=200, code="no_count"
            )
        return total

    def values_in_use(self, countries: Sequence[str], fields: Sequence[str]) -> dict[str, list[str]]:
        """Return the values in use of some fields in some countries; empty if the service cannot tell."""
        found: dict[str, list[str]] = {name: [] for name in fields}
        for country in countries:
            try:
                told = self._transport.get("/filters", {"country": country, "fields": ",".join(fields)})
            except ServiceError as error:
                if error.status not in (400, 403, 404, 405):
                    raise
                continue  # it does not tell, or not this key
            for name, values in read(Counts, told).filters.items():
                found.setdefault(name, []).extend(str(one.value) for one in values)
        return found

    def _counted(self, asked: Filter, fields: list[str] | None) -> CountResponse:
        sent = body(CountIn, filters=asked.to_json(), fields=fields)
        return read(CountResponse, self._transport.post("/filters/count", sent, safe=True))


def _names(fields: Iterable[str]) -> list[str]:
    given = list(fields)
    for name in given:
        if not isinstance(name, str):
            raise UsageError(f"Fields are named one by one, as {next(iter(FIELDS))!r}, not {name!r}.")
    return list(dict.fromkeys(field(name).name for name in given))
