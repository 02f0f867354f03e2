"""What a survey says about groups of agents, as a table with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("group", "answer", "estimate", "low", "high", "donors", "agents", "reached", "beyond")


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Shares of answers, or a mean, in groups of agents or respondents.

    Attributes
    ----------
    question, by : str
        Wording of the question, and the column of the groups; empty for all in one.
    notes : tuple of str
        What the intervals mean, and who is left out.
    """

    question: str
    by: str
    notes: tuple[str, ...]
    _frame: pd.DataFrame = field(repr=False)

    def long(self) -> pd.DataFrame:
        """Return one row per group and answer.

        The columns are ``group``, ``answer``, ``estimate`` (share, or mean of a number), ``low`` and ``high``
        of its interval, ``donors`` (effective number of respondents behind it), ``agents``, ``reached``
        (agents that the survey says something about) and ``beyond`` (those of them that the survey does not
        reach, whose answers are extrapolated).
        """
        return self._frame.copy()

    def __repr__(self) -> str:
        """Return the table as text."""
        shown = self._shown()
        widths = [max(len(row[at]) for row in shown) for at in range(len(shown[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in shown
        ]
        return "\n".join([self.question, *lines, *self.notes])

    def _repr_html_(self) -> str:
        head, *rows = self._shown()
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return (
            f"<table><caption>{escape(self.question)}</caption><thead><tr>{cells}</tr></thead>"
            f"<tbody>{body}</tbody></table>{notes}"
        )

    def _shown(self) -> list[Sequence[str]]:
        is_share = not (self._frame["answer"] == "mean").any()
        made: list[Sequence[str]] = [
            (self.by or "group", "answer", "estimate", "95 %", "donors", "agents", "basis")
        ]
        row: Any
        for row in self._frame.itertuples():
            known = row.estimate == row.estimate
            one = [
                f"{value:.0%}" if is_share else f"{value:,.2f}" for value in (row.estimate, row.low, row.high)
            ]
            made.append(
                (
                    str(row.group),
                    str(row.answer),
                    one[0] if known else "–",
                    f"{one[1]} to {one[2]}" if known else "not reached",
                    f"{row.donors:,.0f}",
                    f"{row.agents:,}",
                    _basis(row.agents, row.reached, row.beyond),
                )
            )
        return made


def _basis(agents: int, reached: int, beyond: int) -> str:
    """Return what the answers of a group rest on, in words."""
    if not reached:
        return "none"
    told = "published" if not beyond else "modelled" if beyond == reached else f"modelled for {beyond:,}"
    return told if reached == agents else f"{told}, none for {agents - reached:,}"
