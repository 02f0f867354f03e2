"""The explorer: cohorts of a study, their answers and quotes."""

from __future__ import annotations

from typing import Any

from voxpop.analysis import Table
from voxpop.vocabulary import Between
from voxpop.widgets.explorer_state import QUOTES, ExplorerState
from voxpop.widgets.explorer_view import live, still
from voxpop.widgets.tree import Node


class Explorer(ExplorerState):
    """Explore the answers of a cohort: choose a filter and a question, compare, read quotes.

    Parameters
    ----------
    people : Store, path of an export, DuckDB relation, Arrow table or DataFrame
        One row per agent, for example ``store.respondents(study)``. The data are copied.
    study : study, its UUID, number or title, optional
        Study of a store; required only if the store has several.

    Attributes
    ----------
    filters : Filter
        Filter of the cohort; can be set and observed.
    question : str or None
        Column of the question in the table.
    by : str or None
        Attribute to compare by.
    open_question : str or None
        Column of the open question whose answers are shown.
    table : Table, Summary or None
        The current table: shares with letters, or means of a numeric question.
    report : list of dict
        The tables added to the report, as arguments that make them again.
    code : str
        Python code that makes the same table without the widget.
    error : Exception or None
        The last error, or None.

    Examples
    --------
    ::

        Explorer(store)
        Explorer("snacks/")              # the folder of an export
    """

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        self._worker.hurry()
        self._worker.idle(2.0)
        return super()._repr_mimebundle_(**kwargs)

    def _live(self) -> Node:
        return live(self)

    def _still(self) -> Node:
        return still(self)

    # Browser actions

    def _do_question(self, value: str, at: Any) -> None:
        self.question = value or None

    def _do_by(self, value: str, at: Any) -> None:
        self.by = value or None

    def _do_cell(self, value: Any, at: Any) -> None:
        """Show who is behind a figure of the table, or everybody if it is pressed again."""
        table = self._table
        row, place = at if isinstance(at, list) and len(at) == 2 else (None, None)
        if not isinstance(table, Table) or not isinstance(row, str) or not isinstance(place, int):
            return
        if not 0 <= place < len(table.columns) or at == self._cell_at:
            self._choose(None, [])
        else:
            column = table.columns[place]
            self._choose(table.at(row, column.label, column.group), [row, place])
        self._quotes_wanted = QUOTES
        self._count_soon()

    def _do_everybody(self, value: Any, at: Any) -> None:
        self._choose(None, [])
        self._count_soon()

    def _do_open_question(self, value: str, at: Any) -> None:
        self.open_question = value or None

    def _do_quote(self, value: str, at: Any) -> None:
        self._typed_quote, self._quotes_wanted = value, QUOTES
        self._count_soon()

    def _do_more_quotes(self, value: Any, at: Any) -> None:
        self._quotes_wanted += QUOTES
        self._count_soon()

    def _do_chart(self, value: bool, at: Any) -> None:
        self._chart_open = value

    def _do_report_code(self, value: bool, at: Any) -> None:
        self._report_open = value

    def _do_band(self, value: Any, at: list[Any]) -> None:
        """Select a band of a range, or clear the range if the band is already selected."""
        name, low, high = at
        band = Between(low, high)
        self._set(name, None if self.filters.get(name) == band else band)

    def _do_report(self, value: Any, at: Any) -> None:
        asked = self._asked()
        if self._table is not None and asked not in self.report:
            self.report.append(asked)

    def _do_unreport(self, value: Any, at: int) -> None:
        if 0 <= at < len(self.report):
            del self.report[at]

    def _do_code(self, value: bool, at: Any) -> None:
        self._look.code = value

    def _end(self) -> None:
        super()._end()
        self._people.close()
