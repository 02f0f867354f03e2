"""The state of `Explorer`: cohort, table, quotes, report, and equivalent code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from voxpop.errors import UsageError
from voxpop.tables import Store
from voxpop.vocabulary import Filter, parse
from voxpop.vocabulary.conditions import code_of
from voxpop.widgets.explorer_chart import Bar, bars_of
from voxpop.widgets.live_counts import LiveCounts
from voxpop.widgets.people import People
from voxpop.widgets.picking import Picking

if TYPE_CHECKING:
    from voxpop.analysis import Summary, Table
    from voxpop.analysis.cell import Cell
    from voxpop.widgets.facets import Bools

QUOTES = 8
"""Number of answers shown initially, and added per request."""


class ExplorerState(Picking):
    """The selection in an `Explorer`, and its figures."""

    question: traitlets.Unicode[str | None, str | bytes | None] = traitlets.Unicode(None, allow_none=True)
    by: traitlets.Unicode[str | None, str | bytes | None] = traitlets.Unicode(None, allow_none=True)
    open_question: traitlets.Unicode[str | None, str | bytes | None] = traitlets.Unicode(
        None, allow_none=True
    )

    def __init__(self, people: Any, *, study: Any = None) -> None:
        self._people = People(people, study)
        self._given = (people if isinstance(people, Store | str | Path) else None, study)
        self._table: Table | Summary | None = None
        self._bars: list[Bar] = []
        self._made: tuple[Any, ...] = ()
        self._cell: Cell | None = None
        self._cell_at: list[Any] = []
        self._cell_members: Bools | None = None
        self._quoted: tuple[int, list[dict[str, Any]]] = (0, [])
        self._typed_quote = ""
        self._quotes_wanted = QUOTES
        self._chart_open = True
        self._report_open = False
        self.report: list[dict[str, Any]] = []
        super().__init__("Explorer")
        self._fields = self._people.fields
        self._look.open_fields |= {one.name for one in self._fields if one.name in _AT_FIRST}
        with self._changing():
            self.question = next(iter(self._people.questions), None)
            self.open_question = next(iter(self._people.open), None)
        self._count_soon(0.0)

    # Public state

    @property
    def table(self) -> Table | Summary | None:
        """The current table; None before the first."""
        return self._table

    @property
    def code(self) -> str:
        """Python code that makes the same table; a store is named ``store`` in it."""
        with self._lock:
            lines = ["import voxpop as vp", "", *self._opening()]
            if self.question is None:
                return "\n".join([*lines, f"cohort = {self.filters!r}"])
            call = call_of(self._asked())
            if self._cell is not None:
                at = ", ".join(map(code_of, (self._cell.row, self._cell.column, self._cell.group)))
                return "\n".join([*lines, f"table = {call}", f"table.at({at}).people()"])
            return "\n".join([*lines, call])

    def report_code(self) -> str:
        """Return the code that makes every table of the report."""
        calls = (call_of(asked) for asked in self.report)
        return "\n".join(["import voxpop as vp", "", *self._opening(), *calls])

    def _opening(self) -> list[str]:
        """Return the lines that read the respondents, if the source can be written as code."""
        data, study = self._given
        who = "" if study is None else code_of(str(getattr(study, "uuid", None) or study))
        if isinstance(data, Store):
            return [f"people = store.respondents({who})"]
        if isinstance(data, str | Path):
            return [f"store = vp.open_export({code_of(str(data))})", f"people = store.respondents({who})"]
        return []

    # Validation of assigned values

    @traitlets.validate("question")
    def _check_question(self, proposal: Any) -> str | None:
        return self._among("question", proposal["value"], self._people.questions)

    @traitlets.validate("open_question")
    def _check_open(self, proposal: Any) -> str | None:
        return self._among("open_question", proposal["value"], self._people.open)

    @traitlets.validate("by")
    def _check_by(self, proposal: Any) -> str | None:
        return self._among("by", proposal["value"], self.comparable())

    def _among(self, name: str, value: str | None, allowed: Any) -> str | None:
        if value is not None and value not in allowed:
            raise UsageError(f"{name} {value!r} is not among {', '.join(allowed) or 'nothing'}.")
        return value

    def comparable(self) -> dict[str, str]:
        """Return the attributes for comparison, with labels: fields of the agents with few values."""
        return {one.name: one.label for one in self._fields if one.kind != "range" and one.name not in _LONG}

    @traitlets.observe("question", "by", "open_question")
    def _chosen(self, change: Any) -> None:
        with self._changing():
            self._quotes_wanted = QUOTES
            self._count_soon()

    # Counting and tabulating

    def _read(self, filters: Filter, fields: list[str]) -> LiveCounts:
        return self._people.count(filters, fields)

    def _count_soon(self, seconds: float = 0.0) -> None:
        super()._count_soon(seconds)  # counting is local and fast, so no delay between clicks is needed

    def _count(self) -> None:
        super()._count()
        with self._lock:
            filters, question, by = self.filters, self.question, self.by
            open_question, typed, most = self.open_question, self._typed_quote, self._quotes_wanted
            among = self._cell_members if (filters, question, by) == self._made else None
            available = self.available
        if available is None:
            return  # the selection has changed; a newer count is pending
        if question is not None and (filters, question, by) != self._made:
            table = self._people.tabulate(question, by, filters) if available else None
            bars = [] if table is None else bars_of(table)
            with self._changing():
                if (filters, question, by) == (self.filters, self.question, self.by):
                    self._table, self._bars, self._made = table, bars, (filters, question, by)
                    self._choose(None, [])
        if open_question is not None:
            beside = [question] if question is not None else []
            found = self._people.answers(open_question, filters, typed, most, beside, among)
            with self._changing():
                self._quoted = found

    def _choose(self, cell: Cell | None, at: list[Any]) -> None:
        """Choose the cell whose respondents and answers are shown; None for all of the cohort."""
        self._cell, self._cell_at = cell, at
        origin = None if cell is None else cell.origin
        self._cell_members = None if cell is None or origin is None else cell.inside(origin.data)

    def _asked(self) -> dict[str, Any]:
        asked: dict[str, Any] = {"rows": self.question}
        if self.question in self._people.measured:
            asked["table"] = "means"
        if self.by is not None:
            asked["by"] = self.by
        if not self.filters.matches_everyone:
            asked["where"] = self.filters.to_json()
        return asked | {"sig": True}


_LONG = frozenset({"occupation", "title_variant", "health_conditions", "health_drug_classes"})
_AT_FIRST = ("age", "gender")
"""The fields whose counts are visible initially."""


def call_of(asked: dict[str, Any]) -> str:
    """Return the call that makes a table."""
    parts = ["people", code_of(asked["rows"])]
    parts += [f"by={code_of(asked['by'])}"] if asked.get("by") else []
    parts += [f"where={parse(asked['where'])!r}"] if asked.get("where") else []
    return f"vp.{asked.get('table', 'crosstab')}({', '.join([*parts, 'sig=True'])})"
