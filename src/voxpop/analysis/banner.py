"""Banner reports: many questions tabulated by the same attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from voxpop.analysis.columns import WeightName
from voxpop.analysis.crosstab import By, crosstab
from voxpop.analysis.sig_test import Sig
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import Percent
from voxpop.analysis.workbook import write_tables
from voxpop.errors import UsageError
from voxpop.vocabulary.markup import escaped
from voxpop.vocabulary.nearest import did_you_mean, nearest


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Report:
    """The result of :func:`banner`: tables in order, keyed by question column."""

    tables: tuple[Table, ...]

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __getitem__(self, question: str) -> Table:
        names = [table.name for table in self.tables]
        if question not in names:
            hint = did_you_mean(nearest(str(question), names)) or f"; it has {', '.join(names)}"
            raise UsageError(f"The report has no question {question!r}{hint}")
        return self.tables[names.index(question)]

    def long(self) -> pd.DataFrame:
        """Return the long forms of all tables in one frame."""
        return pd.concat([table.long() for table in self.tables], ignore_index=True)

    def pairs(self) -> pd.DataFrame:
        """Return the compared pairs of all tables, with the question as first column."""
        return _stacked(self.tables, "pairs")

    def association(self) -> pd.DataFrame:
        """Return the associations of all tables, with the question as first column."""
        return _stacked(self.tables, "association")

    def spec(self) -> dict[str, Any]:
        """Return the specification of all tables as data."""
        return {"table": "banner", "tables": [table.spec() for table in self.tables]}

    def to_html(self) -> str:
        """Return all tables as HTML, one section each, after a list of questions."""
        listed = "".join(
            f'<li><a href="#{_anchor(place)}">{escaped(table.text)}</a></li>'
            for place, table in enumerate(self.tables, 1)
        )
        sections = "\n".join(
            f'<section id="{_anchor(place)}">\n{table.to_html()}\n</section>'
            for place, table in enumerate(self.tables, 1)
        )
        return f"<nav><ol>{listed}</ol></nav>\n{sections}"

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file: one sheet per table and one with every figure. Needs the extra ``excel``."""
        return write_tables(self.tables, Path(path))

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables))

    def _repr_html_(self) -> str:
        return "\n".join(table.to_html() for table in self.tables)


def banner(  # noqa: PLR0913 (options by keyword)
    data: Any,
    questions: str | Sequence[str],
    by: By,
    *,
    weight: WeightName = None,
    where: Any = None,
    percent: Percent = "column",
    sig: Sig = True,
    nets: Mapping[str, Mapping[str, Any]] | None = None,
    boxes: Mapping[str, Any] | None = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Report:
    """Tabulate many questions by the same attributes, with significance letters.

    Parameters
    ----------
    data, by, weight, where, percent, sig, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`; ``sig`` is on by default.
    questions : str or list of str
        The columns of the questions, without duplicates.
    nets, boxes : dict, optional
        Nets and boxes per question, as in :func:`voxpop.analysis.crosstab`.

    Returns
    -------
    Report
        Each table equals the result of ``crosstab`` for the same question and attributes.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"], "arm": ["1", "2"]})
    >>> report = banner(people, ["a", "b"], by="arm")
    >>> len(report), report["b"].levels
    (2, ('x',))
    """
    names = [questions] if isinstance(questions, str) else list(questions)
    if not names:
        raise UsageError("banner needs at least one question.")
    if len(set(names)) < len(names):
        raise UsageError(f"questions names a column twice: {', '.join(names)}.")
    nets, boxes = _parts(nets, "nets", names), _parts(boxes, "boxes", names)
    return Report(
        tuple(
            crosstab(
                data,
                name,
                by,
                weight=weight,
                where=where,
                percent=percent,
                sig=sig,
                nets=nets.get(name),
                boxes=boxes.get(name),
                min_base=min_base,
                small_base=small_base,
            )
            for name in names
        )
    )


def _parts(given: Any, name: str, questions: Sequence[str]) -> Mapping[str, Any]:
    """Read an option keyed by question; refuse questions that are not in the banner."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f'{name} of a banner must map questions, such as {name}={{"{questions[0]}": …}}.')
    for question in given:
        if question not in questions:
            hint = did_you_mean(nearest(str(question), questions)) or f"; it has {', '.join(questions)}"
            raise UsageError(f"The banner has no question {question!r} for {name}{hint}")
    return given


def _anchor(place: int) -> str:
    return f"table-{place}"


def _stacked(tables: Sequence[Table], method: str) -> pd.DataFrame:
    made = []
    for table in tables:
        frame = table.pairs() if method == "pairs" else table.association()
        frame.insert(0, "question", table.name)
        made.append(frame)
    return pd.concat(made, ignore_index=True)
