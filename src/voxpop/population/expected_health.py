"""Comparison of a population with the US health tables: BMI, PHQ-9, habits, conditions, medicines.

Only agents with health data are counted. Odds ratios are pooled over age and sex (Mantel-Haenszel), because
the published ones are adjusted for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from voxpop.population.expectations import US, Cell, by_age_and_sex, is_verified
from voxpop.population.health import ALCOHOL, BMI_GROUPS, PHQ_CLASSES, PHQ_CUTS
from voxpop.population.health_conditions import (
    CELL_BANDS,
    CONDITIONS,
    definition_of,
    odds_ratios,
    precedence,
    published_rows,
    survey_measure,
)
from voxpop.population.medicines import GLP1, GLP1_YEAR, NOT_FROM_SURVEY
from voxpop.population.queries import Population
from voxpop.population.reference import AGES, GENDERS, Floats, Ints, Row, band_codes, rows
from voxpop.population.tallies import EVERYBODY, Bools, Tally
from voxpop.vocabulary.filters import between, where

ASSIGNED = where(country=US, rx_medication_count=between(min=0))

_OUR_AGES = "its rows by age, and the ages of us_age_sex"


def body_and_mood(population: Population) -> Iterator[Cell]:
    """Compare BMI and PHQ-9."""
    bmi = population.tally(["age", "gender", "bmi_class", "ethnicity"], ASSIGNED)
    yield from by_age_and_sex(bmi, "us_bmi_class", "bmi_class", measure="BMI class by age and sex")
    yield from _bmi_by_ethnicity(bmi)
    mood = population.tally(["age", "gender", "bmi_class", "phq9_score", "phq9_severity"], ASSIGNED)
    yield from by_age_and_sex(mood, "us_phq9_severity", "phq9_severity", measure="PHQ-9 by age and sex")
    yield from _mood_by_bmi(mood)
    scores = mood.codes["phq9_score"]
    for row in rows("us_phq9_score_distribution"):
        score = int(row["phq9_score"])
        achieved, base = mood.share(scores == score, mood.which())
        grade = np.searchsorted(PHQ_CUTS, score, side="right")
        yield Cell(
            "us_phq9_score_distribution",
            "PHQ-9 score",
            "adults",
            f"{score} (severity {grade})",
            float(row["share"]),
            achieved,
            base,
            is_verified(row),
        )
    for row in rows("us_phq9_score_moments"):
        chosen = mood.which(age=row["age_band"], gender=row["gender"])
        achieved, base = mood.share(scores == 0, chosen)
        group = f"{row['age_band']}, {row['gender']}"
        expected = float(row["share_zero"])
        yield Cell(
            "us_phq9_score_moments",
            "PHQ-9 score of 0",
            group,
            "0",
            expected,
            achieved,
            base,
            is_verified(row),
        )


def _bmi_by_ethnicity(bmi: Tally) -> Iterator[Cell]:
    labels = np.array([BMI_GROUPS[name] for name in bmi.labels["ethnicity"] if name in BMI_GROUPS])
    known = np.array([name in BMI_GROUPS for name in bmi.labels["ethnicity"]])
    group_of = np.full(known.size, "", dtype=object)
    group_of[known] = labels
    groups = group_of[bmi.codes["ethnicity"]]
    for row in rows("us_bmi_class_by_ethnicity"):
        chosen = bmi.which(gender=row["gender"]) & (groups == row["ethnicity"])
        achieved, base = bmi.share(bmi.which(bmi_class=row["bmi_class"]), chosen)
        yield Cell(
            "us_bmi_class_by_ethnicity",
            "BMI class by ethnicity and sex",
            f"{row['ethnicity']}, {row['gender']}",
            row["bmi_class"],
            float(row["share"]),
            achieved,
            base,
            is_verified(row),
        )


def _mood_by_bmi(mood: Tally) -> Iterator[Cell]:
    together: dict[str, float] = {}
    for row in rows("us_phq9_by_bmi_class"):
        part = mood.which(phq9_severity=row["phq9_severity"])
        achieved, base = mood.share(part, mood.which(bmi_class=row["bmi_class"]))
        if row["phq9_severity"] in PHQ_CLASSES[2:]:
            together[row["bmi_class"]] = together.get(row["bmi_class"], 0.0) + float(row["share"])
        yield Cell(
            "us_phq9_by_bmi_class",
            "PHQ-9 by BMI class",
            row["bmi_class"],
            row["phq9_severity"],
            float(row["share"]),
            achieved,
            base,
            is_verified(row),
        )
    high = mood.codes["phq9_score"] >= PHQ_CUTS[1]
    everybody, _ = mood.share(high, mood.which())
    classes = {name: mood.which(bmi_class=name) for name in together}
    published = sum(together[name] * mood.count(classes[name]) for name in together) / mood.count(
        mood.which()
    )
    for name, share in together.items():
        achieved, base = mood.share(high, classes[name])
        odds = share / (1 - share) * everybody / (1 - everybody) * (1 - published) / published
        yield Cell(
            "us_phq9_by_bmi_class",
            "PHQ-9 of 10 or more by BMI class, at the level by age and sex",
            name,
            "10 or more",
            odds / (1 + odds),
            achieved,
            base,
            verified=True,
        )


def habits(population: Population) -> Iterator[Cell]:
    """Compare smoking, alcohol, activity, sleep and diet."""
    for name, field, words in (
        ("us_physical_activity", "physical_activity_level", "activity by age and sex"),
        ("us_sleep_quality", "sleep_quality", "sleep by age and sex"),
    ):
        tally = population.tally(["age", "gender", field], ASSIGNED)
        yield from by_age_and_sex(tally, name, field, measure=words)
    smoking = population.tally(["age", "gender", "smoking_status", "ethnicity"], ASSIGNED)
    levels = {"current": "share_current", "former": "share_former", "never": "share_never"}
    yield from _wide(smoking, "us_smoking", "smoking_status", levels, "smoking")
    for row in rows("us_smoking_other"):
        name = row["group"].removesuffix(", non-Hispanic 2023").removesuffix(" 2023")
        name = "White, non-Hispanic" if name == "White" else name
        if name in smoking.labels["ethnicity"]:
            part = smoking.which(smoking_status="current")
            achieved, base = smoking.share(part, smoking.which(ethnicity=name))
            expected = float(row["value_pct"]) / 100
            yield Cell(
                "us_smoking_other",
                "current smoking by ethnicity, 2023",
                name,
                "current",
                expected,
                achieved,
                base,
                is_verified(row),
                superseded_by="us_smoking (2021); the ratios are used",
            )
    alcohol = population.tally(["age", "gender", "alcohol_use"], ASSIGNED)
    levels = {"none": "pct_none_past_year"} | {level: f"pct_{level}" for level in ALCOHOL[1:]}
    yield from _wide(alcohol, "us_alcohol", "alcohol_use", levels, "alcohol")
    diet = population.tally(["diet_quality"], ASSIGNED)
    for row in rows("us_diet_quality"):
        if row["measure"].startswith("model split"):
            level = row["suggested_diet_quality"]
            achieved, base = diet.share(diet.which(diet_quality=level), diet.which())
            expected = float(row["value"]) / 100
            yield Cell("us_diet_quality", "diet", "adults", level, expected, achieved, base, is_verified(row))


def _wide(tally: Tally, name: str, field: str, columns: dict[str, str], word: str) -> Iterator[Cell]:
    for row in rows(name):
        total = sum(float(row[column]) for column in columns.values())
        for level, column in columns.items():
            chosen = tally.which(age=row["age_band"], gender=row["gender"])
            achieved, base = tally.share(tally.which(**{field: level}), chosen)
            yield Cell(
                name,
                f"{word} by age and sex",
                f"{row['age_band']}, {row['gender']}",
                level,
                float(row[column]) / total,
                achieved,
                base,
                is_verified(row),
                superseded_by="" if is_verified(row) else f"the verified rows of {name}",
            )


def illness(population: Population) -> Iterator[Cell]:
    """Compare the prevalence of each condition and the odds ratio of each pair."""
    tally = population.tally(["age", "gender", "health_conditions"], ASSIGNED)
    for row in rows("us_condition_nhanes_1718"):
        if survey_measure(row["condition"]) == row["measure"]:
            total = row["age_band"] == "18+" or row["gender"] == EVERYBODY
            words = "conditions by age and sex" + (", all adults" if total else "")
            cell = _prevalence(tally, "us_condition_nhanes_1718", words, row, float(row["share"]))
            yield replace(cell, superseded_by=_OUR_AGES if total else "")
    for row in rows("us_condition_published"):
        if row["condition"] in CONDITIONS:
            cell = _prevalence(
                tally,
                "us_condition_published",
                "conditions, one definition each",
                row,
                float(row["prevalence_pct"]) / 100,
            )
            yield _other_definition(cell, row)
    yield from _pairs(tally)


def _prevalence(tally: Tally, name: str, measure: str, row: Row, expected: float) -> Cell:
    chosen = tally.which(age=row["age_band"], gender=row["gender"])
    achieved, base = tally.share(tally.having("health_conditions", row["condition"]), chosen)
    group = f"{row['age_band']}, {row['gender']}"
    return Cell(name, measure, group, row["condition"], expected, achieved, base, is_verified(row))


def _other_definition(cell: Cell, row: Row) -> Cell:
    condition = row["condition"]
    if condition == "obesity":
        return replace(cell, measure="obesity, published briefs", superseded_by="us_bmi_class")
    if survey_measure(condition):
        words = "us_condition_nhanes_1718"
        return replace(cell, measure="conditions, other definitions", superseded_by=words)
    if row["definition"] != definition_of(condition, row["definition"]):
        words = f"the definition {definition_of(condition, '')!r}"
        return replace(cell, measure="conditions, other definitions", superseded_by=words)
    if any(precedence(other) > precedence(row) for other in published_rows(condition)):
        words = "its verified rows, or its rows by age"
        return replace(cell, measure="conditions, one definition each, other rows", superseded_by=words)
    return cell


def _pairs(tally: Tally) -> Iterator[Cell]:
    strata = band_codes(CELL_BANDS)[tally.codes["age"] - AGES[0]] * len(GENDERS) + tally.codes["gender"]
    has = {name: tally.having("health_conditions", name) for name in CONDITIONS}
    for (first, second), (expected, table, verified) in odds_ratios().items():
        achieved = pooled_odds_ratio(tally, strata, has[first], has[second])
        base = tally.count(has[first] & has[second])
        yield Cell(
            table,
            "odds ratios of conditions",
            first,
            second,
            expected,
            achieved,
            base,
            verified,
            kind="odds ratio",
        )


def pooled_odds_ratio(tally: Tally, strata: Ints, first: Bools, second: Bools) -> float:
    """Return the odds ratio of two conditions, pooled over strata (Mantel-Haenszel)."""
    size = int(strata.max(initial=0)) + 1

    def count(chosen: Bools) -> Floats:
        return np.bincount(strata[chosen], weights=tally.number[chosen], minlength=size).astype(float)

    total = np.maximum(count(np.ones(strata.size, dtype=bool)), 1)
    both, a, b = count(first & second), count(first), count(second)
    agree = (both * (total - a - b + both) / total).sum()
    differ = ((a - both) * (b - both) / total).sum()
    return float(agree / differ) if differ else float("nan")


def medicines(population: Population) -> Iterator[Cell]:
    """Compare the use of each drug class by age and sex, and given a condition."""
    tally = population.tally(["age", "gender", "health_drug_classes"], ASSIGNED)
    for row in rows("us_drug_class_use"):
        chosen = tally.which(age=row["age_band"], gender=row["gender"])
        achieved, base = tally.share(tally.having("health_drug_classes", row["drug_class"]), chosen)
        total = row["age_band"] == "18+" or row["gender"] == EVERYBODY
        instead = NOT_FROM_SURVEY.get(row["drug_class"], _OUR_AGES if total else "")
        yield Cell(
            "us_drug_class_use",
            "drug classes by age and sex" + (", all adults" if total else ""),
            f"{row['age_band']}, {row['gender']}",
            row["drug_class"],
            float(row["share"]),
            achieved,
            base,
            is_verified(row),
            superseded_by=instead,
        )
    yield from _given_conditions(population)
    yield from _glp1(population)


def _given_conditions(population: Population) -> Iterator[Cell]:
    """Compare the use of drug classes given a diagnosed condition.

    Shares among people treated for a condition say nothing about all who have it, and are left out.
    """
    both = population.tally(["health_conditions", "health_drug_classes"], ASSIGNED)
    for row in rows("us_drug_class_given_condition"):
        if row["age_band"] == "18+" and row["condition_basis"] == "diagnosed" and row["drug_class"] != GLP1:
            if row["condition"] not in CONDITIONS:
                continue
            having = both.having("health_conditions", row["condition"])
            achieved, base = both.share(both.having("health_drug_classes", row["drug_class"]), having)
            yield Cell(
                "us_drug_class_given_condition",
                "drug class given a diagnosed condition",
                row["condition"],
                row["drug_class"],
                float(row["share_using_given_condition"]),
                achieved,
                base,
                is_verified(row),
            )


def _glp1(population: Population) -> Iterator[Cell]:
    """Compare the users of GLP-1 medicines in the groups of the latest poll."""
    users = population.tally(
        ["age", "gender", "bmi_class", "health_conditions", "health_drug_classes"], ASSIGNED
    )
    takes = users.having("health_drug_classes", GLP1)
    diabetes = users.having("health_conditions", "diabetes_t1") | users.having(
        "health_conditions", "diabetes_t2"
    )
    groups = {
        "adults 18+": users.which(),
        "men": users.which(gender="male"),
        "women": users.which(gender="female"),
        "50-64": users.which(age="50-64"),
        "65+": users.which(age="65+"),
        "told diabetes": diabetes,
    }
    for row in rows("us_drug_class_recent"):
        current = (row["drug_class"], row["measure"], row["year"]) == (GLP1, "currently taking", GLP1_YEAR)
        if current and row["group"] in groups:
            achieved, base = users.share(takes, groups[row["group"]])
            share = float(row["value_pct"]) / 100
            measure = "taking a GLP-1 medicine now"
            yield Cell(
                "us_drug_class_recent", measure, row["group"], GLP1, share, achieved, base, is_verified(row)
            )
