"""The result of a combination: figures of people, of agents, and of both, as a table and as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.figures import LEVEL
from voxpop.analysis.interval_chart import AxisScale, interval_panels, rows_of
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.picture import Picture, altair, cohort_name, framed, top_of
from voxpop.analysis.rounding import number_text, one_decimal, whole
from voxpop.combining.asked import Asked
from voxpop.combining.planning import needed
from voxpop.errors import UsageError
from voxpop.stats.predictions import Spread

PROVENANCE = (
    "Human and simulated: answers of people, corrected with answers of simulated agents. Intervals (95 "
    "%) show the "
    "sampling error of a simple random sample of people, and of agents; they leave out coverage and "
    "nonresponse."
)
_HOW = {
    "share": "prediction-powered share (PPI++), Wilson",
    "mean": "prediction-powered mean (PPI++), Student",
    "quantile": "prediction-powered quantile, Woodruff",
    "model": "prediction-powered coefficients (PPI++), sandwich",
}
_MANY = 1e6
"""Agents that are worth more people than this are told as such."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Combination:
    """Figures from people alone, from agents alone, and combined, by cohort.

    Attributes
    ----------
    name, text : str
        The question's column and wording.
    kind : {"share", "mean", "quantile", "model"}
        The kind of figure.
    lines : tuple of dict
        One line per cohort and level, as in :meth:`long`.
    """

    name: str
    text: str
    asked: Asked
    kind: str
    lines: tuple[dict[str, Any], ...]
    spreads: tuple[Spread, ...]
    terms: tuple[str, ...]
    remarks: tuple[str, ...]
    profiles: pd.DataFrame

    def long(self) -> pd.DataFrame:
        """Return one row per cohort and level, at full precision.

        Returns
        -------
        pandas.DataFrame
            ``column_group``, ``group``, ``level``; ``n`` and ``n_eff`` of people; ``people`` with
            ``people_low`` and ``people_high``, the figure of people alone; ``agents_n`` and ``agents``, the
            figure of agents alone; ``estimate``, ``se``, ``ci_low``, ``ci_high``, the combined figure;
            ``lambda`` (0 to 1); ``worth``, the number of people that the agents were worth; ``shift`` and
            ``shift_z``, the mean prediction for agents less that for people, and the same in standard errors;
            ``flag``. Shares are 0 to 100.
        """
        return pd.DataFrame(list(self.lines))

    def balance(self) -> pd.DataFrame:
        """Return the profiles of people and agents, which have to be alike.

        Returns
        -------
        pandas.DataFrame
            ``column``, ``level``, ``people`` and ``agents`` (percent), ``difference`` in points, and ``z``,
            the difference in standard errors.
        """
        return self.profiles.copy()

    def humans_needed(self, margin: float, *, level: float = LEVEL) -> pd.DataFrame:
        """Return how many people it takes for a margin of error, with these agents and without.

        Parameters
        ----------
        margin : float
            Half the width of the interval: in points for shares, else in units of the question.
        level : float, default 0.95
            Confidence.

        Returns
        -------
        pandas.DataFrame
            ``group``, ``level``, ``people`` (now), ``margin_now``, ``with_agents``, ``without_agents`` and
            ``saved``. The quality of the agents is that estimated here, which is uncertain with few people.

        Raises
        ------
        UsageError
            If the margin is not above 0, or the figure is a quantile or a coefficient.
        """
        if self.kind not in ("share", "mean"):
            raise UsageError(f"humans_needed plans shares and means, not a {self.kind}.")
        if not margin > 0:
            raise UsageError(f"margin must be above 0, not {margin}; 3 stands for ± 3 points of a share.")
        if not 0 < level < 1:
            raise UsageError(f"level must lie between 0 and 1, not {level}.")
        scale = 100.0 if self.kind == "share" else 1.0
        rows = [
            {"group": line["group"], "level": line["level"], "people": line["n"]}
            | {"margin_now": (line["ci_high"] - line["ci_low"]) / 2}
            | needed(spread, line["n"], margin / scale, level)
            for line, spread in zip(self.lines, self.spreads, strict=True)
        ]
        counts = ("with_agents", "without_agents", "saved")
        made = pd.DataFrame(rows).astype(dict.fromkeys(counts, "Int64"))
        plain = self.asked.level is not None or not made["level"].any()
        return made.drop(columns="level") if plain else made

    def spec(self) -> dict[str, Any]:
        """Return the specification as data."""
        asked = self.asked

        def told(keys: Any) -> list[Any]:
            return [key if isinstance(key, str) else key.to_json() for key in keys]

        return {
            "table": "combine",
            "question": self.name,
            "level": asked.level,
            "by": told(asked.by),
            "twins": asked.twins,
            "on": [] if asked.twins else told(asked.on),
            "strata": told(asked.strata),
            "quantile": asked.quantile,
            "model": asked.model,
            "terms": told(asked.terms),
            "weight": asked.weight,
            "agent_weight": asked.agent_weight,
            "interval": {"method": _HOW[self.kind], "level": LEVEL},
            "provenance": "human and simulated",
        }

    def caption(self) -> str:
        """Return the caption: question, bases, weights, predictions and method."""
        return f"{self.text}\n{self._terms()}"

    def _terms(self) -> str:
        return " · ".join([*self.terms, _HOW[self.kind]])

    def notes(self) -> list[str]:
        """Return the notes below the figures."""
        return list(self._notes())

    def _notes(self) -> Iterator[str]:
        flags = {line["flag"] for line in self.lines}
        base = "effective number of people" if self.asked.weight else "number of people"
        if "**" in flags:
            yield f"** {base} below {self.asked.min_base:g}: too small to read"
        if "*" in flags:
            yield f"* {base} below {self.asked.small_base:g}"
        yield (
            "Combined: the figure of the people plus λ × (answers of agents in the population - what "
            "agents predict for "
            "these people). λ = 0: agents did not help, and the figure is that of the people."
        )
        yield "Worth: how many more people would have given as short an interval without agents."
        if not any(line["lambda"] > 0 for line in self.lines):
            yield "Agents did not help here: these are the figures of the people."
        yield from self._assumption()
        yield from self.remarks
        yield PROVENANCE

    def _assumption(self) -> Iterator[str]:
        within = f" within each of {', '.join(_names(self.asked.strata))}" if self.asked.strata else ""
        who = "people, as weighted," if self.asked.weight else "people"
        said = f"Assumption: {who} and agents stand for the same population{within}. "
        said += "Intervals hold however wrong the agents are, but not if this is wrong."
        held = self.profiles[~self.profiles["column"].isin(_names(self.asked.strata))]
        if held.empty:
            yield said
            return
        one = held.iloc[int(held["z"].abs().to_numpy().argmax())]
        yield (
            f"{said} Largest difference of profiles: {one['column']} {one['level']}, "
            f"{one_decimal(one['people'])} % of "
            f"people and {one_decimal(one['agents'])} % of agents ({abs(one['z']):.1f} standard errors)."
        )

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self.grid())

    def grid(self) -> Grid:
        """Lay out the figures for display."""
        sign = (
            "%" if self.kind == "share" else {"mean": "mean", "model": "coefficient"}.get(self.kind, "value")
        )
        heads = [
            *(Head("People only", title, "") for title in ("n", sign, "low", "high")),
            Head("Agents only", sign, ""),
            *(Head("Combined", title, "") for title in (sign, "low", "high", "λ", "worth")),
        ]
        lines, group = [], "Total"
        for line in self.lines:
            if line["column_group"] != group:
                group = line["column_group"]
                lines.append(Line(group, [""] * len(heads), "heading"))
            indent = "" if group == "Total" else "  "
            named = [] if self.kind == "model" else [indent + line["group"]]
            level = "" if self.asked.level == line["level"] else line["level"]
            told = [part for part in (*named, level, line["flag"]) if part]
            lines.append(Line(" ".join(told), self._cells(line), "code"))
        return Grid(self.text, self._terms(), heads, {}, lines, self.notes())

    def _cells(self, line: dict[str, Any]) -> list[str]:
        figure = one_decimal if self.kind == "share" else number_text
        names = ("people", "people_low", "people_high", "agents", "estimate", "ci_low", "ci_high")
        shown = ["" if math.isnan(line[name]) else figure(line[name]) for name in names]
        lam = "" if math.isnan(line["estimate"]) else f"{line['lambda']:.2f}"
        return [whole(line["n"]), *shown, lam, _worth(line["worth"])]

    def plot(self) -> Picture:
        """Draw the figures of people, of agents and of both with their intervals. Needs the extra "
        "``charts``."""
        altair()
        made = []
        for line in self.lines:
            name = cohort_name(line["column_group"], line["group"], line["n"], line["flag"])
            level = "" if self.asked.level else line["level"]
            row = line["level"] if self.kind == "model" else " ".join(filter(None, (name, level)))
            combined = (line["estimate"], line["ci_low"], line["ci_high"])
            alone = (line["people"], line["people_low"], line["people_high"])
            made.append((row, "", "Combined", *combined, line["flag"]))
            made.append((row, "", "People only", *alone, line["flag"]))
            made.append((row, "", "Agents only", *[line["agents"]] * 3, line["flag"]))
        rows = rows_of(made)
        if rows["row"].nunique() == 1:
            rows = rows.assign(row="")
        share = self.kind == "share"
        title = {"share": "%", "mean": "Mean", "model": "Coefficient"}.get(self.kind, "Value")
        named = f"{self.asked.level}, %" if share and self.asked.level else title
        scale = AxisScale(
            f"{named}, with 95 % interval",
            (0.0, top_of(rows.high.max())) if share else None,
            0.0 if self.kind == "model" else None,
        )
        words = "Figures of people, agents and both with their intervals (figures: .long())"
        return framed(interval_panels(rows, scale), self.text, self._terms(), self.notes()[-2:], words)

    def __repr__(self) -> str:
        return text_of(self.grid())

    def _repr_html_(self) -> str:
        return self.to_html()


def _names(keys: Any) -> list[str]:
    return [key if isinstance(key, str) else key.column for key in keys]


def _worth(many: float) -> str:
    if math.isnan(many):
        return ""
    return whole(many) if many < _MANY else "over 1,000,000"
