"""Tabulates the shares by groups of people that the population report needs and no joint table has.

`python data/tabulate_joint_shares.py us_nhanes_donors.csv.gz us_gss_donors.csv.gz [FOLDER]` reads one adult a
row from NHANES 2017-2018 and the General Social Survey of 2016 and 2018, and writes shares, which hold no
record of a person. The default folder is that of the package's reference tables:

- us_health_three_way.csv: 15 health outcomes by sex and education, and by sex, age and third of income;
- us_gss_group_shares.csv: religion, party, ideology and housing tenure by groups;
- us_income_group_ranks.csv: the part of adults below and in each income group of the two surveys;
- us_health_associations.csv: Cramer's V of education and income with health, in NHANES.

Only observed values count: what the hot deck filled in is left out. Standard errors are those of a simple
random sample of Kish's effective size, so they allow for the weights but not for clusters.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from voxpop.stats import chi_square

FOLDER = Path(__file__).parents[1] / "src" / "voxpop" / "population" / "reference"
NHANES = {
    "source": "CDC/NCHS NHANES microdata, weighted tabulation by compiler",
    "year": "2017-2018",
    "verified": True,
}
GSS = {
    "source": "General Social Survey (NORC), weighted tabulation by compiler",
    "year": "2016-2018",
    "verified": True,
}

NHANES_INCOMES = {
    "Under $15,000": "under_25k",
    "$15,000-$24,999": "under_25k",
    "$25,000-$34,999": "25k_55k",
    "$35,000-$54,999": "25k_55k",
    "$55,000-$74,999": "55k_100k",
    "$75,000-$99,999": "55k_100k",
    "$100,000 and over": "100k_plus",
}
GSS_INCOMES = {
    "Under $15,000": "under_25k",
    "$15,000-$24,999": "under_25k",
    "$25,000-$34,999": "25k_50k",
    "$35,000-$49,999": "25k_50k",
    "$50,000-$74,999": "50k_90k",
    "$75,000-$89,999": "50k_90k",
    "$90,000-$149,999": "90k_plus",
    "$150,000 and over": "90k_plus",
}
THIRDS = ("lowest_third", "middle_third", "highest_third")
AGES = ((18, "18-29"), (30, "30-44"), (45, "45-59"), (60, "60-74"), (75, "75+"))
DIET = {"excellent": "healthy", "very_good": "healthy", "good": "mixed", "fair": "poor", "poor": "poor"}
CONDITIONS = ("hypertension", "high_cholesterol", "diabetes_t2", "asthma", "depression", "anxiety")
RELIGIONS = {"other_eastern": "other", "native_american": "other"}
"""Religions of five respondents each join "other"."""
MARITAL = {
    "widowed": "previously_married",
    "divorced": "previously_married",
    "separated": "previously_married",
}
OTHER = {
    "American Indian or Alaska Native": "Other",
    "Two or more races": "Other",
    "Native Hawaiian or Other Pacific Islander": "Other",
    "Asian": "Other",
}


def age_band(ages: pd.Series) -> np.ndarray:
    """Return the age band of each adult."""
    starts = [start for start, _ in AGES]
    return np.array([label for _, label in AGES])[np.searchsorted(starts, ages, side="right") - 1]


def yes(flags: pd.Series, known: pd.Series) -> pd.Series:
    """Return "yes" and "no", and nothing where the answer is not known."""
    return pd.Series(np.where(flags, "yes", "no"), flags.index).where(known)


def read_nhanes(path: Path) -> pd.DataFrame:
    """Return the adults of NHANES with outcomes and groups as columns; imputed values are missing."""
    adults = pd.read_csv(path, keep_default_na=False, na_values=[""])
    filled = adults["imputed_fields"].fillna("").str.split(";")
    names = sorted({name for found in filled for name in found} - {""})
    for name in names:
        if name in adults:
            adults[name] = adults[name].where([name not in found for found in filled])
    found = pd.DataFrame({"weight": adults["weight_mec"].astype(float)})
    found["gender"], found["education"] = adults["gender"], adults["education"]
    found["age_band"] = age_band(adults["age"])
    found["income"] = adults["household_income_nhanes"]
    found["smoking_status"] = adults["smoking_status"]
    found["physical_activity_level"] = adults["physical_activity_level"]
    found["sleep_quality"] = adults["sleep_quality"]
    found["diet_quality"] = adults["diet_self_rated"].map(DIET)
    bmi = adults["bmi"]
    classes = np.array(["underweight", "normal", "overweight", "obese_1", "obese_2", "obese_3"])
    at = np.searchsorted([18.5, 25, 30, 35, 40], bmi.fillna(0), side="right")
    found["bmi_class"] = pd.Series(classes[at]).where(bmi.notna())
    score = adults["phq9"]
    severities = np.array(["minimal", "mild", "moderate", "moderately_severe", "severe"])
    at = np.searchsorted([5, 10, 15, 20], score.fillna(0), side="right")
    found["phq9_severity"] = pd.Series(severities[at]).where(score.notna())
    found["self_rated_health"] = adults["self_rated_health"]
    insurance = adults["insurance"]
    found["uninsured"] = yes(insurance == "uninsured", insurance.notna())
    drugs = adults["rx_count"]
    found["rx_5plus"] = yes(drugs >= 5, drugs.notna())
    told = adults["conditions"].fillna("").str.split(";")
    for name in CONDITIONS:
        found[f"condition:{name}"] = yes(pd.Series([name in one for one in told]), told.notna())
    return found


def outcomes(adults: pd.DataFrame) -> dict[tuple[str, str], pd.Series]:
    """Return the 15 outcomes of the three-way table: 1, 0 or missing, by outcome and level."""
    found: dict[tuple[str, str], pd.Series] = {}
    for name, level, chosen in (
        ("smoking_status", "current", {"current"}),
        ("physical_activity_level", "low", {"low"}),
        ("sleep_quality", "poor", {"poor"}),
        ("diet_quality", "poor", {"poor"}),
        ("bmi_class", "obese", {"obese_1", "obese_2", "obese_3"}),
        ("phq9_10plus", "yes", {"moderate", "moderately_severe", "severe"}),
        ("fair_or_poor_health", "yes", {"fair", "poor"}),
        ("insurance", "uninsured", {"yes"}),
        ("rx_5plus", "yes", {"yes"}),
        *((f"condition:{one}", "yes", {"yes"}) for one in CONDITIONS),
    ):
        columns = {"phq9_10plus": "phq9_severity", "fair_or_poor_health": "self_rated_health"}
        column = adults["uninsured" if name == "insurance" else columns.get(name, name)]
        found[name, level] = column.isin(chosen).astype(float).where(column.notna())
    return found


def thirds(income: pd.Series, weight: pd.Series) -> pd.DataFrame:
    """Return the part of each adult in each third of income; a band that spans a limit is divided."""
    bands = list(NHANES_INCOMES)
    shares = weight.groupby(income).sum().reindex(bands)
    upper = (shares / shares.sum()).cumsum()
    lower = upper - shares / shares.sum()
    parts = pd.DataFrame(index=bands, columns=list(THIRDS), dtype=float)
    for at, name in enumerate(THIRDS):
        inside = np.minimum(upper, (at + 1) / 3) - np.maximum(lower, at / 3)
        parts[name] = np.maximum(inside, 0) / (upper - lower)
    return parts.reindex(income).fillna(0.0).set_axis(income.index)


def share_row(values: pd.Series, weight: pd.Series) -> dict[str, object]:
    """Return a weighted share with its standard error and number of adults."""
    kept = values.notna() & (weight > 0)
    value, by = values[kept].to_numpy(float), weight[kept].to_numpy(float)
    share = float((value * by).sum() / by.sum())
    effective = by.sum() ** 2 / (by**2).sum()
    return {
        "share": round(share, 4),
        "se": round(float(np.sqrt(share * (1 - share) / effective)), 4),
        "n_unweighted": int(kept.sum()),
    }


def three_way(adults: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield the health outcomes by sex and education, and by sex, age and third of income."""
    parts = thirds(adults["income"], adults["weight"])
    for (outcome, level), values in outcomes(adults).items():
        start = {"outcome": outcome, "level": level}
        for (sex, school), at in adults.groupby(["gender", "education"]).groups.items():
            row = share_row(values[at], adults["weight"][at])
            yield {**start, "group_by": "gender_x_education", "group": f"{sex} | {school}", **row, **NHANES}
        for (sex, ages), at in adults.groupby(["gender", "age_band"]).groups.items():
            for name in THIRDS:
                row = share_row(values[at], (adults["weight"] * parts[name])[at])
                place = {
                    "group_by": "gender_x_age_band_x_income_third",
                    "group": f"{sex} | {ages} | {name}",
                }
                yield {**start, **place, **row, **NHANES}


def read_gss(path: Path) -> pd.DataFrame:
    """Return the respondents of the GSS with outcomes and groups as columns."""
    people = pd.read_csv(path, keep_default_na=False, na_values=[""])
    people = people[people["age"].notna()].reset_index(drop=True)
    found = people[["weight", "gender", "education", "region", "party_id", "housing_tenure"]].copy()
    found["religion"] = people["religion"].replace(RELIGIONS)
    found["ideology"] = people["polviews"].str.split(",").str[0].str.replace(" ", "_")
    found["age_band"] = age_band(people["age"])
    found["ethnicity"] = people["ethnicity"].replace(OTHER)
    found["marital_status"] = people["marital_status"].replace(MARITAL)
    found["household_income"] = people["household_income_gss"].map(GSS_INCOMES)
    return found


def gss_shares(people: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield the shares of each level of four outcomes in each group of at least 30 respondents."""
    groupings = ("age_band", "gender", "ethnicity", "education", "household_income", "marital_status")
    for outcome in ("religion", "party_id", "ideology", "housing_tenure"):
        for level in sorted(people[outcome].dropna().unique()):
            values = (people[outcome] == level).astype(float).where(people[outcome].notna())
            start = {"outcome": outcome, "level": level}
            yield {**start, "group_by": "all", "group": "all", **share_row(values, people["weight"]), **GSS}
            for grouping in (*groupings, "region"):
                for group, at in people.groupby(grouping).groups.items():
                    row = share_row(values[at], people["weight"][at])
                    if int(str(row["n_unweighted"])) >= 30:
                        yield {**start, "group_by": grouping, "group": group, **row, **GSS}


def ranks(
    survey: str, income: pd.Series, weight: pd.Series, groups: dict[str, str], note: dict[str, object]
) -> Iterator[dict[str, object]]:
    """Yield the part of adults with a lower income than each income group, and up to its end."""
    shares = weight.groupby(income.map(groups)).sum().reindex(list(dict.fromkeys(groups.values())))
    upper = (shares / shares.sum()).cumsum()
    low = 0.0
    for group, high in upper.items():
        limits = {"rank_from": round(low, 4), "rank_to": round(float(high), 4)}
        yield {"survey": survey, "group": group, **limits, **note}
        low = float(high)


def associations(adults: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield Cramer's V, corrected for its bias, of education and income with each health field."""
    fields = ["smoking_status", "physical_activity_level", "sleep_quality", "diet_quality", "bmi_class"]
    fields += ["phq9_severity", "self_rated_health", *(f"condition:{name}" for name in CONDITIONS)]
    for who, column in (("education", "education"), ("household_income", "income")):
        for field in fields:
            kept = adults[[column, field, "weight"]].dropna()
            table = kept.pivot_table("weight", column, field, aggfunc="sum", fill_value=0.0).to_numpy(float)
            effective = kept["weight"].sum() ** 2 / (kept["weight"] ** 2).sum()
            found = chi_square(table / table.sum() * effective)
            yield {
                "field": who,
                "health_field": field,
                "cramers_v": round(found.cramers_v_corrected, 4),
                "n_unweighted": len(kept),
                **NHANES,
            }


def main(nhanes: str, gss: str, folder: str | Path = FOLDER) -> None:
    """Read the two surveys and write the four tables."""
    adults, people = read_nhanes(Path(nhanes)), read_gss(Path(gss))
    tables = {
        "us_health_three_way": [*three_way(adults)],
        "us_gss_group_shares": [*gss_shares(people)],
        "us_income_group_ranks": [
            *ranks("nhanes", adults["income"], adults["weight"], NHANES_INCOMES, NHANES),
            *ranks(
                "gss",
                people["household_income"],
                people["weight"],
                {group: group for group in GSS_INCOMES.values()},
                GSS,
            ),
        ],
        "us_health_associations": [*associations(adults)],
    }
    for name, found in tables.items():
        path = Path(folder) / f"{name}.csv"
        pd.DataFrame(found).to_csv(path, index=False, lineterminator="\n")
        print(f"{len(found):,} rows: {path.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
