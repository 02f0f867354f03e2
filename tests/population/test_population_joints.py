"""The joint report: counts against pandas, and its rules on examples made by hand."""

from __future__ import annotations

import csv
import math
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
import pytest
from reports import Reported
from scipy.optimize import brentq
from scipy.stats import chi2_contingency

from voxpop.population import joints
from voxpop.population.associations import associations
from voxpop.population.held_out import held_out
from voxpop.population.joint_counts import Achieved, count, empty_fields, missing_fields
from voxpop.population.joint_figures import ADULTS, HELD_OUT, SUPERSEDED, USED, Figure, figures
from voxpop.population.joint_groups import factors, weights
from voxpop.population.joint_outcomes import Outcome, household, outcome
from voxpop.population.queries import Population
from voxpop.population.tallies import Crossed
from voxpop.vocabulary.filters import where

TABLES = (
    *("us_health_by_ses", "us_condition_by_ses", "us_drug_class_by_ses", "us_alcohol_by_ses"),
    *("us_occupation_by_sex_ethnicity", "us_occupation_by_education", "us_occupation_group_by_sex_ethnicity"),
    *("us_state_health", "us_state_household_structure", "us_state_ses", "us_health_three_way"),
    *("us_gss_group_shares", "us_income_group_ranks", "us_health_associations"),
)


@pytest.fixture(scope="module")
def agents(records: list[dict[str, Any]]) -> pd.DataFrame:
    """The agents of the USA, with their health profiles as columns."""
    held = pd.DataFrame([{**record, **(record.get("health_profile") or {})} for record in records])
    return held[held["country"] == "USA"].reset_index(drop=True)


@pytest.fixture(scope="module")
def counted(small: Population) -> dict[tuple[str, ...], Achieved]:
    empty = empty_fields(small)
    usable = [one for one in figures() if not missing_fields(one, empty)]
    return {
        (one.figure.table, one.figure.outcome, one.figure.level, one.figure.group_by, one.figure.group): one
        for one in count(small, usable)
    }


def check(found: Achieved, base: pd.Series, part: pd.Series) -> None:
    assert (found.cases, found.base) == (int((base & part).sum()), int(base.sum()))


def test_a_share_by_education_is_that_of_pandas(
    counted: dict[tuple[str, ...], Achieved], agents: pd.DataFrame
) -> None:
    known = agents["smoking_status"].notna()
    for level in ("never", "former", "current"):
        for school in agents["education"].dropna().unique():
            found = counted["us_health_by_ses", "smoking_status", level, "education", school]
            check(found, known & (agents["education"] == school), agents["smoking_status"] == level)


def test_a_condition_in_the_rest_of_the_ethnic_groups(
    counted: dict[tuple[str, ...], Achieved], agents: pd.DataFrame
) -> None:
    named = ["White, non-Hispanic", "Black or African American", "Asian", "Hispanic or Latino"]
    known = agents["rx_medication_count"].notna()
    has = agents["conditions"].map(lambda held: isinstance(held, list) and "hypertension" in held)
    key = "us_condition_by_ses", "condition:hypertension", "yes", "ethnicity"
    check(counted[*key, "Two or more races"], known & ~agents["ethnicity"].isin(named), has)
    check(counted[*key, "Asian"], known & (agents["ethnicity"] == "Asian"), has)


def test_shares_by_two_fields_are_those_of_pandas(
    counted: dict[tuple[str, ...], Achieved], agents: pd.DataFrame
) -> None:
    known = agents["phq9_score"].notna()
    key = "us_health_three_way", "phq9_10plus", "yes", "gender_x_education"
    for school in agents["education"].dropna().unique():
        who = known & (agents["education"] == school) & (agents["gender"] == "female")
        check(counted[*key, f"female | {school}"], who, agents["phq9_score"] >= 10)
    young = agents["age"] < 45
    without = agents["education"].isin(["Less than 9th grade", "9-11th grade"])
    key = "us_health_by_ses", "rx_5plus", "yes", "age3_x_education"
    found = counted[*key, "18-44 | No HS diploma"]
    check(found, agents["rx_medication_count"].notna() & young & without, agents["rx_medication_count"] >= 5)


def test_women_and_graduates_of_an_occupation(
    counted: dict[tuple[str, ...], Achieved], agents: pd.DataFrame
) -> None:
    (title,) = agents["occupation"].mode()[:1]
    working = (agents["labour_status"] == "employed") & (agents["occupation"] == title)
    key = "us_occupation_by_sex_ethnicity", "gender", "female", "occupation", title
    check(counted[key], working, agents["gender"] == "female")
    key = "us_occupation_by_education", "education", "college graduate", "occupation", title
    graduate = agents["education"] == "College graduate or above"
    check(counted[key], working & (agents["age"] >= 25), graduate)


def test_states_and_the_labour_force(counted: dict[tuple[str, ...], Achieved], agents: pd.DataFrame) -> None:
    in_state, force = agents["state"] == "TX", agents["labour_status"].isin(["employed", "unemployed"])
    found = counted["us_state_ses", "pct_unemployed", "yes", "state", "TX"]
    check(found, in_state & force, agents["labour_status"] == "unemployed")
    found = counted["us_state_health", "meets_150_minutes_aerobic", "yes", "state_x_gender", "TX | male"]
    active = agents["physical_activity_level"]
    men = in_state & (agents["gender"] == "male") & active.notna()
    check(found, men, active.isin(["moderate", "high"]))


def test_income_groups_are_ranks_and_bands_are_divided() -> None:
    # 30, 50 and 20 of 100 agents: the lowest third takes all of the first band and 1/15 of the second
    bands = ("Under $15,000", "$25,000-$34,999", "$200,000 and over")
    crossed = Crossed(
        {"household_income": np.array([2.0, 0.0, 1.0, -1.0])},
        {"household_income": bands},
        np.array([[20], [30], [50], [7]]),
    )
    groups, parts = weights(["income_third"], crossed)
    assert groups == ("lowest_third", "middle_third", "highest_third")
    expected = [[0, 1, 1 / 15, 0], [0, 0, 2 / 3, 0], [1, 0, 4 / 15, 0]]
    assert parts == pytest.approx(np.array(expected))
    assert parts @ np.array([20, 30, 50, 7]) == pytest.approx([100 / 3] * 3)


def test_fields_that_come_later_have_their_groups() -> None:
    labels = ("married", "living_with_partner", "widowed", "divorced", "separated", "never_married")
    crossed = Crossed(
        {"marital_status": np.arange(6.0)}, {"marital_status": labels}, np.ones((6, 1), dtype=np.int64)
    )
    groups, parts = weights(["marital3"], crossed)
    assert dict(zip(groups, parts.sum(axis=1), strict=True)) == {
        "married_or_partner": 2,
        "never_married": 1,
        "previously_married": 3,
    }
    ratio = Crossed({"poverty_ratio": np.array([-1, 0, 0.9, 1, 2, 5.0])}, {}, np.ones((6, 1), dtype=np.int64))
    assert weights(["poverty"], ratio)[1].sum(axis=1).tolist() == [2, 1, 1, 1]


def figure(group: str, share: float, se: float = 0.001, **more: Any) -> Figure:
    held = {"sound": True, "section": USED, "factors": ("education",)} | more
    counted = Outcome({"smoking_status": "current"}, ("smoking_status",))
    return Figure("t", "smoking", "yes", "g", group, share, se, counted=counted, among=ADULTS, **held)


def test_shares_are_moved_in_log_odds_to_the_level_of_the_agents() -> None:
    group = [Achieved(figure("a", 0.2), 500, 1000), Achieved(figure("b", 0.5), 1000, 2000)]
    first, second = joints.aligned([0.2, 0.5], group)
    assert (first + 2 * second) / 3 == pytest.approx(0.5)
    odds = (second / (1 - second)) / (first / (1 - first))
    assert odds == pytest.approx((0.5 / 0.5) / (0.2 / 0.8))
    assert joints.aligned([0.0, 1.0], group).tolist() == [0.0, 1.0]
    (cell, _) = joints.compared(group, {}).cells
    assert (cell.published, cell.achieved, cell.expected) == (0.2, 0.5, pytest.approx(first))


def test_a_ratio_is_kept_by_its_logarithm() -> None:
    group = [Achieved(figure("a", 0.1), 200, 1000), Achieved(figure("b", 0.4), 400, 1000)]
    (one,) = joints.compared(group, {}).ratios
    assert (one.first, one.second) == ("b", "a")
    assert (one.real, one.simulated, one.kept) == pytest.approx((4.0, 2.0, 0.5))
    assert one.kept_odds == pytest.approx(
        math.log((0.4 / 0.6) / (0.2 / 0.8)) / math.log((0.4 / 0.6) / (0.1 / 0.9))
    )
    (line, _) = joints.lines(joints.compared(group, {}))
    assert (line.ratios, line.reliable, line.within) == (1, 1, 0.0)


@pytest.mark.parametrize(
    ("first", "second", "reliable", "sharp"),
    [
        (figure("a", 0.2, 0.01), figure("b", 0.4, 0.01), True, True),  # log 2 over se 0.056
        (figure("a", 0.2, 0.05), figure("b", 0.4, 0.05), True, False),  # over 0.28
        (figure("a", 0.2, 0.1), figure("b", 0.4, 0.1), False, False),  # over 0.56
        (figure("a", 0.2, 0.01, sound=False), figure("b", 0.4, 0.01), False, False),
        (figure("a", 0.2, math.nan), figure("b", 0.4, math.nan), True, True),
    ],
)
def test_reliable_and_sharp_ratios(first: Figure, second: Figure, reliable: bool, sharp: bool) -> None:
    group = [Achieved(first, 200, 1000), Achieved(second, 400, 1000)]
    (one,) = joints.compared(group, {}).ratios
    assert (one.reliable, one.sharp) == (reliable, sharp)


def test_a_true_population_keeps_95_percent_of_ratios_five_errors_from_one() -> None:
    published = [0.2, 0.4]
    se = math.log(2) / 5 / math.hypot(1 / 0.2, 1 / 0.4)
    group = [
        Achieved(figure(name, share, se), 1000 * share, 1000)
        for name, share in zip("ab", published, strict=True)
    ]
    (one,) = joints.compared(group, {}).ratios
    rng = np.random.default_rng(5)
    true = math.log(2) + rng.normal(0, math.log(2) / 5, 200_000)
    within = np.mean((true / math.log(2) >= 0.6) & (true / math.log(2) <= 1.4))
    assert one.attainable == pytest.approx(within, abs=0.003)
    assert one.attainable == pytest.approx(0.954, abs=0.001)


def test_groups_with_few_agents_or_cases_are_left_out() -> None:
    group = [
        Achieved(figure("a", 0.1), 9, 90),
        Achieved(figure("b", 0.2), 200, 1000),
        Achieved(figure("c", 0.4), 400, 1000),
        Achieved(figure("d", 0.001), 1, 1000),
    ]
    report = joints.compared(group, {})
    assert [cell.group for cell in report.cells] == ["b", "c", "d"]
    assert [(one.first, one.second) for one in report.ratios] == [("c", "b")]
    (line, _) = joints.lines(report)
    assert line.few == 1 + 5  # a as a share, and a or d in five ratios


def test_a_group_without_cases_has_an_infinite_ratio_that_is_not_kept() -> None:
    group = [Achieved(figure("a", 0.1), 0, 1000), Achieved(figure("b", 0.4), 400, 1000)]
    (one,) = joints.compared(group, {}).ratios
    assert (one.simulated, one.kept) == (math.inf, math.inf)
    assert not joints.is_kept(one.kept)
    assert joints.as_record(one)["simulated"] is None


def test_strata_are_compared_apart_and_with_all_their_groups() -> None:
    told = [("TX | young", 0.1, "young"), ("VT | young", 0.2, "young"), ("TX | old", 0.8, "old")]
    group = [
        Achieved(figure(name, share, stratum=stratum, against_all=True), 1000 * share, 1000)
        for name, share, stratum in told
    ]
    report = joints.compared(group, {})
    assert {(one.first, one.second) for one in report.ratios} == {
        ("all", "TX | young"),
        ("VT | young", "all"),
    }
    assert [one.real for one in report.ratios] == pytest.approx([1.5, 0.2 / 0.15])
    (line, _) = joints.lines(report)
    assert (line.ratios, line.within) == (1, 1.0)  # the ratio below 1.5 is drawn and does not count
    assert line.slope == pytest.approx(1.0)


def test_the_slope_is_the_part_of_the_differences_in_log_odds() -> None:
    shares = [0.2, 0.5, 0.8]
    half = [0.5 * math.log(share / (1 - share)) for share in shares]
    group = [
        Achieved(figure(name, share), 1e6 / (1 + math.exp(-odds)), 1e6)
        for name, share, odds in zip("abc", shares, half, strict=True)
    ]
    (line, _) = joints.lines(joints.compared(group, {}))
    assert line.slope == pytest.approx(0.5)


def test_a_fifth_of_the_figures_is_set_aside_and_never_changes() -> None:
    keys = {f"{table}/{number}" for table in ("a", "b") for number in range(2000)}
    assert 700 < sum(map(held_out, keys)) < 900
    assert [
        held_out(f"us_state_ses/{state}/pct_uninsured") for state in ("AL", "AK", "AZ", "CA", "CO")
    ] == FIXED
    for one in figures():
        if one.table == "us_occupation_group_by_sex_ethnicity":
            assert one.section == HELD_OUT
        if one.table == "us_health_by_ses" and one.section != SUPERSEDED:
            aside = held_out(f"us_health_by_ses/{one.outcome}/{one.group_by}")
            assert one.section == (HELD_OUT if aside else USED)


FIXED = [False, False, False, False, True]


def test_age_and_sex_give_way_where_a_margin_of_another_survey_holds() -> None:
    found = {(one.outcome, one.group_by): one.section for one in figures() if one.table == "us_health_by_ses"}
    assert found["smoking_status", "age_band"] == SUPERSEDED
    assert found["smoking_status", "education"] != SUPERSEDED
    assert found["diet_quality", "age_band"] != SUPERSEDED


def test_groups_and_outcomes_of_all_tables_are_known() -> None:
    for one in figures():
        groups = [""]
        for name in one.factors:
            groups = [f"{a}{' | ' if a else ''}{b}" for a in groups for b in factors()[name].groups]
        assert one.group in groups, one
        assert 0 <= one.share <= 1
    assert outcome("binge_weekly_or_more", "yes") is None
    assert household("married", "3+").part["children_count"].min == 3


def test_figures_without_a_field_are_left_out_with_their_number(small: Population) -> None:
    unknown = figure("a", 0.1)
    odd = Figure(
        **{name: getattr(unknown, name) for name in Figure.__slots__}
        | {"counted": Outcome({"shoe_size": 9}, ())}
    )
    assert missing_fields(odd, frozenset()) == ("shoe_size",)
    assert missing_fields(unknown, frozenset({"education"})) == ("education",)
    report = joints.compare(small)
    known = {(cell.table, cell.group_by) for cell in report.cells}
    assert ("us_health_by_ses", "education") in known
    assert len([*figures()]) >= len(report.cells) + sum(report.left_out.values())


def test_associations_are_those_of_scipy(small: Population, agents: pd.DataFrame) -> None:
    found = {(one.field, one.health_field): one for one in associations(small)}
    known = agents[agents["rx_medication_count"].notna()]
    table = pd.crosstab(known["education"], known["bmi_class"])
    chi2 = chi2_contingency(table, correction=False).statistic
    n, (rows, columns) = table.to_numpy().sum(), table.shape
    phi = max(0.0, chi2 / n - (rows - 1) * (columns - 1) / (n - 1))
    room = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    one = found["education", "bmi_class"]
    assert one.agents == n
    assert one.cramers_v == pytest.approx(math.sqrt(phi / room))
    assert one.real is not None
    assert 0.04 < one.real < 0.06
    assert ("state", "condition:gout") in found


def test_the_report_of_a_table_from_its_file_to_its_summary(large: Population) -> None:
    path = files("voxpop.population").joinpath("reference", "us_health_by_ses.csv")
    with path.open(encoding="utf-8") as file:
        table = pd.read_csv(file)
    chosen = (table["outcome"] == "smoking_status") & (table["level"] == "current")
    table = table[chosen & (table["group_by"] == "education")].set_index("group")
    known = where(country="USA", smoking_status=["never", "former", "current"])
    smokers = where(country="USA", smoking_status="current")
    base = pd.Series(dict(large.facets(known, ["education"])["education"]))[table.index]
    cases = pd.Series(dict(large.facets(smokers, ["education"])["education"]))[table.index]
    logit = np.log(table["share"] / (1 - table["share"]))

    def off(step: float) -> float:
        return float((base / (1 + np.exp(-logit - step))).sum() - cases.sum())

    expected = 1 / (1 + np.exp(-logit - brentq(off, -5, 5)))
    report = joints.compare(large)

    def ours(one: joints.JointCell | joints.JointRatio) -> bool:
        return (one.table, one.outcome, one.level, one.group_by) == (
            *("us_health_by_ses", "smoking_status", "current"),
            "education",
        )

    cells = {one.group: one for one in report.cells if ours(one)}
    assert set(cells) == set(table.index)
    for group, cell in cells.items():
        assert cell.expected == pytest.approx(expected[group], abs=1e-9)
        assert cell.achieved == pytest.approx(cases[group] / base[group])
    simulated = cases / base
    pairs = {
        (a, b): math.log(simulated[a] / simulated[b]) / math.log(table["share"][a] / table["share"][b])
        for a in table.index
        for b in table.index
        if table["share"][a] / table["share"][b] >= 1.5
    }
    assert len(pairs) > 3
    found = {(one.first, one.second): one.kept for one in report.ratios if ours(one)}
    assert found == pytest.approx(pairs)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_names_its_source(name: str) -> None:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert all(row["source"] and row["year"] and row["verified"] in ("True", "False") for row in rows)


def test_the_command_writes_text_json_and_a_page(reported: Reported) -> None:
    assert "joints, used for building" in reported.text
    assert "joints, not used for building" in reported.text
    assert "two-way shares are off by" in reported.text
    joint = reported.record["joint"]
    assert {"mean", "slope", "reliable_within", "attainable", "section"} <= set(joint["lines"][0])
    assert joint["targets"] == {
        "largest_mean_error": 0.02,
        "real_ratio": 1.5,
        "kept": [0.6, 1.4],
        "smallest_part": 0.9,
    }
    written = reported.page.read_text(encoding="utf-8")
    assert "### Not used for building" in written
    assert "![Ratios between groups: published and simulated](pictures/population-report.png)" in written
    picture = (reported.page.parent / "pictures" / "population-report.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
