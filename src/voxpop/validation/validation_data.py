"""The data of a validation: shares of both sides by cohort, and their distances."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.stats.divergence import total_variation
from voxpop.stats.intervals import wilson
from voxpop.survey.provenance import Provenance
from voxpop.validation.benchmarks import Benchmark

MIN_BASE = 30
NARROW, WIDE = 0.8, 1.25
"""Ratio of spreads below or above which the spread is called narrower or wider."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Compared:
    """A cohort: synthetic and human shares (0 to 1) of the same levels, and their measures."""

    group: str
    label: str
    base: int
    effective: float
    human_n: float | None
    synthetic: Floats
    human: Floats
    measures: Mapping[str, float]

    @property
    def flag(self) -> str:
        """Return the mark of a base that is too small to read."""
        return "**" if self.effective < MIN_BASE else ""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class ValidationData:
    """The distances of all cohorts from a benchmark."""

    name: str
    text: str
    benchmark: Benchmark
    cohorts: tuple[Compared, ...]
    remarks: tuple[str, ...]
    source: str
    asked: Mapping[str, Any]
    provenance: Provenance = "unknown"

    def long(self) -> pd.DataFrame:
        """Return one row per cohort and level.

        Returns
        -------
        pandas.DataFrame
            ``column_group``, ``column``, ``level``; ``synthetic`` with its Wilson interval ``ci_low``,
            ``ci_high`` (only the noise of drawing agents), ``human`` and ``difference``, all from 0 to 1.
        """
        rows = []
        for held in self.cohorts:
            low, high = wilson(held.synthetic, np.full(held.synthetic.shape, held.effective))
            for place, level in enumerate(self.benchmark.levels):
                synthetic, human = held.synthetic[place], held.human[place]
                rows.append(
                    (
                        *(held.group, held.label, level, synthetic, low[place], high[place]),
                        *(human, synthetic - human),
                    )
                )
        names = ["column_group", "column", "level", "synthetic", "ci_low", "ci_high", "human", "difference"]
        return pd.DataFrame(rows, columns=names)

    def wide(self) -> pd.DataFrame:
        """Return one row per cohort with its measures.

        Returns
        -------
        pandas.DataFrame
            ``base``, ``effective_base``, ``human_n``; ``total_variation`` (0 to 1) and
            ``expected_by_chance``, its mean for a sample of people of the same size; ``jensen_shannon``
            (bits, 0 to 1), ``ks`` (scales only), ``rank_correlation`` of the levels' shares (Spearman, three
            or more levels); ``evenness`` and ``human_evenness`` (normalized entropy, 0 to 1), ``sd`` and
            ``human_sd`` (scales only, in steps), ``spread_ratio`` (of the SDs for a scale, otherwise of the
            evenness) and ``collapse`` (narrower, alike, wider); ``flag``.
        """
        rows = [
            {
                "column_group": held.group,
                "column": held.label,
                "base": held.base,
                "effective_base": held.effective,
                "human_n": math.nan if held.human_n is None else held.human_n,
                **held.measures,
                "collapse": spread_word(held.measures["spread_ratio"]),
                "flag": held.flag,
            }
            for held in self.cohorts
        ]
        return pd.DataFrame(rows)

    def between(self) -> dict[str, float]:
        """Return the mean distance of cohorts from their average, for people and agents, and the ratio.

        Distances are mean total variation from the plain average of the cohorts' shares, 0 to 1. A ratio
        below 1 means that differences between cohorts are flattened. Empty with fewer than two cohorts.
        """
        told = [held for held in self.cohorts if held.group != "Total" and not held.flag]
        if len(told) < 2:
            return {}
        human, synthetic = (
            float(np.mean([total_variation(row, rows.mean(axis=0)) for row in rows]))
            for rows in (
                np.array([held.human for held in told]),
                np.array([held.synthetic for held in told]),
            )
        )
        return {
            "human": human,
            "synthetic": synthetic,
            "ratio": synthetic / human if human > 0 else math.nan,
        }

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the comparison again."""
        return {"table": "validate", "question": self.name, "benchmark": self.benchmark.name, **self.asked}


def spread_word(ratio: float) -> str:
    """Return the meaning of a ratio of spreads."""
    if math.isnan(ratio):
        return ""
    return "narrower" if ratio < NARROW else "wider" if ratio > WIDE else "alike"
