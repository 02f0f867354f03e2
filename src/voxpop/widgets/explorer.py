"""Looking around in a study: who is in a cohort, what they answered, and in whose words."""

from __future__ import annotations

from typing import Any

from voxpop.vocabulary import Between
from voxpop.widgets.explorer_state import QUOTES, ExplorerState
from voxpop.widgets.explorer_view import live, still
from voxpop.widgets.tree import Node


class Explorer(ExplorerState):
    """See at a glance how a cohort answered: pick who, pick a question, compare, read.

    Parameters
    ----------
    people : Store, path of an export, DuckDB relation, Arrow table or DataFrame
        One row per agent, for example ``store.respondents(study)``. It is copied, and not changed.
    study : study, its UUID, number or title, optional
        Which study of a store; it need not be named where there is one only.

    Attributes
    ----------
    filters : Filter
        The cohort. It can be set, and observed.
    question : str or None
        The column of the question in the table.
    by : str or None
        The attribute that the table compares.
    open_question : str or None
        The column of the open question whose answers are read.
    table : Table, Summary or None
        The table that is shown: shares with letters, or the means of a number.
    report : list of dict
        What was added to the report: the arguments of each table, enough to make it again.
    code : str
        The code that makes the same table without the widget.
    error : Exception or None
        The last thing that went wrong.

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

    # What the browser does

    def _do_question(self, value: str, at: Any) -> None:
        self.question = value or None

    def _do_by(self, value: str, at: Any) -> None:
        self.by = value or None

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
        """Choose a band of a range, or let it go when it is chosen."""
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
