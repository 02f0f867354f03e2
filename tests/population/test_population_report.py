"""The error report compares every figure with the agents; none is far off."""

from __future__ import annotations

import math

import pytest
from reports import Reported

from voxpop.population import report
from voxpop.population.expectations import Cell
from voxpop.population.queries import Population

KNOWN_OFF = {"PHQ-9 by BMI class", "drug class given a diagnosed condition"}
"""Joint shares of donors of 2017-2018 that the newer levels of conditions and moods move."""


@pytest.fixture(scope="module")
def cells(large: Population) -> list[Cell]:
    return report.cells(large)


def test_every_verified_share_that_holds_is_near_its_figure(cells: list[Cell]) -> None:
    held = [
        cell
        for cell in cells
        if cell.kind == "share" and cell.verified and not cell.superseded_by and cell.measure not in KNOWN_OFF
    ]
    assert len(held) > 2_000
    far = [
        f"{cell.measure}: {cell.group}, {cell.value}: {cell.achieved:.4f} for {cell.expected}"
        for cell in held
        # blocks are drawn from expected shares: four standard errors of a sample, and one agent
        if report.error(cell)
        > report.LARGEST_ERROR
        + 4 * math.sqrt(cell.expected * (1 - cell.expected) / cell.base)
        + 1 / cell.base
    ]
    assert far == []


def test_odds_ratios_lean_the_published_way(cells: list[Cell]) -> None:
    """They come with whole donors and are not enforced; a newer level of a condition moves them."""
    pairs = [cell for cell in cells if cell.kind == "odds ratio" and cell.verified and cell.base >= 30]
    assert len(pairs) > 90
    within = [
        report.error(cell) <= report.LARGEST_FACTOR * math.exp(2 / math.sqrt(cell.base)) for cell in pairs
    ]
    assert sum(within) > 0.6 * len(pairs)
    strong = [cell for cell in pairs if cell.expected >= 2]
    assert [f"{cell.group}, {cell.value}" for cell in strong if cell.achieved <= 1.2] == []


def test_only_the_shares_known_to_be_off_are(cells: list[Cell]) -> None:
    lines = report.lines(cells)
    assert {line.measure for line in lines if line.flag == "off" and line.kind == "share"} == KNOWN_OFF
    tables = {line.table for line in lines}
    assert {"us_state_age_sex", "us_industry_by_occupation_group", "us_drug_class_given_condition"} <= tables
    assert all(line.base > 0 for line in lines)


def test_a_figure_that_gave_way_names_what_holds(cells: list[Cell]) -> None:
    for line in report.lines(cells):
        assert (line.flag == "superseded") == bool(line.superseded_by)
        assert line.mean <= line.largest


def a_cell(expected: float, achieved: float, base: int, **more: object) -> Cell:
    return Cell("t", "m", "everybody", "x", expected, achieved, base, verified=True, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "flag"),
    [
        (a_cell(0.2, 0.201, 1_000), "ok"),
        (a_cell(0.2, 0.204, 1_000_000), "sample"),
        (a_cell(0.2, 0.21, 1_000), "few"),
        (a_cell(0.2, 0.24, 1_000), "few"),  # 3.2 standard errors
        (a_cell(0.2, 0.26, 1_000), "off"),
        (a_cell(0.2, 0.21, 1_000_000), "off"),
        (a_cell(0.2, 0.3, 1_000_000, superseded_by="another"), "superseded"),
        (a_cell(2.0, 2.4, 10_000, kind="odds ratio"), "ok"),
        (a_cell(2.0, 1.5, 10_000, kind="odds ratio"), "off"),
        (a_cell(2.0, math.nan, 100, kind="odds ratio"), "off"),
    ],
)
def test_flags(cell: Cell, flag: str) -> None:
    assert report.lines([cell])[0].flag == flag


def test_chi_square_is_one_where_the_error_is_one_standard_error() -> None:
    # base 10,000 and share 0.5: the standard error is 0.005
    assert report.lines([a_cell(0.5, 0.505, 10_000)])[0].chi_square == pytest.approx(1.0)


def test_the_command_prints_a_table_and_json(reported: Reported) -> None:
    assert "us_state_age_sex" in reported.text
    assert "superseded" in reported.text
    found = reported.record
    assert (found["agents"], found["largest_error"], found["largest_factor"]) == (5000, 0.005, 1.25)
    assert {"table", "measure", "largest", "mean", "chi_square", "flag", "verified"} <= set(found["lines"][0])
    assert {"expected", "achieved", "base"} <= set(found["cells"][0])
