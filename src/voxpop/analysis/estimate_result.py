"""Estimates under a sampling design: figures with standard errors, intervals and design effects."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from voxpop.analysis.cautions import caution
from voxpop.analysis.figures import Group
from voxpop.analysis.rounding import number_text, whole
from voxpop.analysis.sig_test import SigTest
from voxpop.analysis.significance import PAIRS, Compared, pair_rows
from voxpop.analysis.summary import Summary
from voxpop.analysis.terms import filter_words
from voxpop.survey.design import Design
from voxpop.survey.provenance import Provenance

Tests = tuple[tuple[Group, Compared], ...]
_MEANING: dict[Provenance, str] = {
    "simulated": "tell only the noise of drawing agents by this design",
    "human": "show the sampling error of this design; they leave out coverage and nonresponse",
    "mixed": "treat all rows as one sample of this design, which they are not",
    "unknown": "show the sampling error of this design, if the rows were drawn by it",
}


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Estimate(Summary):
    """The result of :func:`estimate`: one line per cohort (for shares and quantiles, per level and cohort).

    Attributes
    ----------
    kind : {"mean", "total", "share", "ratio", "quantile"}
        What is estimated.
    design : Design
        The sampling design.
    method : str
        Where the variance comes from.
    given : mapping
        The arguments of the estimate.
    covariances : mapping of str to DataFrame
        Covariance of the estimates of each attribute, ``Total`` included; empty for quantiles.
    """

    kind: str = "mean"
    design: Design = field(default_factory=Design)
    method: str = "linearized"
    given: Mapping[str, Any] = field(default_factory=dict)
    covariances: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    comparing: Callable[[SigTest], Tests] = lambda sig: ()

    def pairs(self) -> pd.DataFrame:
        """Return all pairs of cohorts of each attribute: difference, t test, p-values.

        The variance of a difference knows the covariance of its two estimates, and the test of two means is
        R's ``svyttest``. An estimate without ``sig`` uses the correction of Benjamini and Hochberg.
        """
        rows: list[tuple[Any, ...]] = []
        sig = self.asked.sig or SigTest()
        for group, compared in self.tests or self.comparing(sig):
            labels = [column.label for column in self.columns[group.places]]
            rows += pair_rows(group.name, compared, labels, sig)
        return pd.DataFrame(rows, columns=list(PAIRS))

    def covariance(self, attribute: str = "Total") -> pd.DataFrame:
        """Return the covariance of the estimates of an attribute, for contrasts of one's own.

        Parameters
        ----------
        attribute : str, default "Total"
            One of ``by``.
        """
        return self.covariances[attribute]

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the figures again."""
        told = super(Estimate, self).spec()
        return {**told, "kind": self.kind, "design": self.design.to_json(), **self.given}

    def notes(self) -> list[str]:
        """Return the notes below the figures."""
        *told, _ = super(Estimate, self).notes()
        tested = ", letters and p-values" if self.asked.sig is not None else ""
        how = f"Intervals (95 %, {self.how}){tested} {_MEANING[self.provenance]}."
        return [*told, " ".join([*caution(self.provenance), how])]

    def _figure(self, name: str, value: Any) -> str:
        """Format a figure; those of a ratio with two digits of its smallest standard error."""
        if math.isnan(value):
            return ""
        if name in ("n", "df"):
            return whole(value)
        if self.kind != "ratio" or name == "deff":
            return number_text(value)
        least = min((line["se"] for line in self.lines if line["se"] > 0), default=1.0)
        return f"{value:,.{min(max(1 - math.floor(math.log10(least)), 2), 8)}f}"

    def _terms(self) -> str:
        base = f"Base: all who answered {self.name} (n={self.lines[0]['n'] if self.lines else 0:,})"
        degrees = f"{self.lines[0]['df']:g} degrees of freedom" if self.lines else ""
        tests = [self.test_words] if self.asked.sig is not None and self.groups else []
        design = f"design: {self.design.words()}"
        told = [*self.grounds, base, design, f"variance {self.method}", degrees]
        return " · ".join([*told, *filter_words(self.asked.where), *tests])
