"""Association between a question and a group of columns: statistics per group and residuals per cell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from voxpop.analysis.figures import Group
from voxpop.analysis.table_data import TableData
from voxpop.stats.association import ChiSquare, chi_square, rao_scott

ASSOCIATION = (
    *("column_group", "chi2", "df", "p", "rao_scott_F", "ndf", "ddf", "rao_scott_p", "cramers_v"),
    *("cramers_v_corrected", "n_expected_below_5", "n_expected", "g2", "chi2_weighted"),
    *("rao_scott_first_order_p", "rao_scott_first_order_df", "cramers_v_weighted", "reason"),
)
RESIDUALS = ("column_group", "row", "column", "observed", "expected", "residual")


def why_not(table: TableData, group: Group) -> str:
    """Return why chi-square does not apply to a group; empty if it does."""
    if table.multiple:
        return "several answers possible"
    if group.shared is not None and group.shared[0].any():
        return "agents stand in several columns"
    if group.overlaps is not None and group.overlaps[0].members.any():
        return "agents stand in several waves"
    return ""


def chi_square_of(table: TableData, group: Group) -> ChiSquare:
    """Test the unweighted counts of a group."""
    return chi_square(table.figures.cells[0, : len(table.levels), group.places])


def association_of(table: TableData, group: Group) -> dict[str, Any]:
    """Return one row of :meth:`Table.association`."""
    reason = why_not(table, group)
    row: dict[str, Any] = dict.fromkeys(ASSOCIATION, math.nan)
    row |= {"column_group": group.name, "n_expected_below_5": 0, "n_expected": 0, "reason": reason}
    if reason:
        return row
    found = chi_square_of(table, group)
    if math.isnan(found.chi2):
        return row | {"reason": "fewer than two rows or columns with answers"}
    row |= {"chi2": found.chi2, "df": found.df, "p": found.p, "g2": found.g2}
    row |= {"cramers_v": found.cramers_v, "cramers_v_corrected": found.cramers_v_corrected}
    row |= {"n_expected_below_5": found.sparse, "n_expected": found.expected.size}
    if table.asked.weight is None:
        return row
    figures, codes = table.figures, len(table.levels)
    corrected = rao_scott(
        figures.cells[1, :codes, group.places],
        figures.squares[:codes, group.places],
        float(figures.positive[group.places].sum()),
    )
    return row | {
        "rao_scott_F": corrected.f,
        "ndf": corrected.ndf,
        "ddf": corrected.ddf,
        "rao_scott_p": corrected.p,
        "chi2_weighted": corrected.x2,
        "rao_scott_first_order_p": corrected.first_p,
        "rao_scott_first_order_df": corrected.first_df,
        "cramers_v_weighted": corrected.cramers_v,
    }


def residuals_of(table: TableData, group: Group) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of :meth:`Table.residuals` for one group, without empty rows and columns."""
    if why_not(table, group):
        return
    found = chi_square_of(table, group)
    observed = table.figures.cells[0, : len(table.levels), group.places]
    columns = table.columns[group.places]
    for i, row in enumerate(np.flatnonzero(found.rows)):
        for j, column in enumerate(np.flatnonzero(found.columns)):
            if found.expected.size:
                yield (
                    *(group.name, table.levels[row], columns[column].label, int(observed[row, column])),
                    *(found.expected[i, j], found.residuals[i, j]),
                )
