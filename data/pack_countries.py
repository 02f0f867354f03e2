"""Pack the figures of the countries outside the USA into the tables that the population is drawn from.

Run by hand: ``python data/pack_countries.py REFERENCE``, where the folder holds the compiled tables: in
``intl/`` one table for each subject, in ``joint/`` the adults and the odds of NHANES 2017-2018. Only the rows
and columns in use are kept, with short names of the sources; no figure is changed.
"""

from __future__ import annotations

import csv
import gzip
import math
import sys
from collections import defaultdict
from pathlib import Path

PACKED = Path(__file__).parents[1] / "src/voxpop/population/reference"
COUNTRIES = ("CA", "GB", "DE", "FR", "AU", "JP", "BR", "IN", "MX", "IT", "ES", "NL", "KR")
SEXES = ("male", "female")

Rows = list[dict[str, str]]


def table(path: Path) -> Rows:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
            return list(csv.DictReader(handle))
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def write(name: str, rows: list[dict[str, object]]) -> None:
    with (PACKED / f"{name}.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def facts(row: dict[str, str], source: str) -> dict[str, object]:
    return {"source": source, "year": row["year"], "verified": row["verified"].lower() == "true"}


def ordered(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: COUNTRIES.index(row["country"]))


def ages(found: Rows) -> None:
    source = "UN World Population Prospects 2024, 1 July 2023"
    write(
        "intl_age_sex",
        [
            {
                "country": row["country"],
                "age_band": row["age_band"],
                "gender": row["sex"],
                "share_18plus": row["share"],
                "persons": row["value"],
                **facts(row, source if row["verified"] == "true" else f"{source}; 2/5 of 15-19"),
            }
            for row in ordered(found)
        ],
    )


def regions(found: Rows, older: Rows) -> None:
    """Keep the verified regions; the English regions are only in the older table."""
    kept: list[dict[str, object]] = []
    for row in ordered([row for row in found if row["country"] != "GB"]):
        kept.append(
            {
                "country": row["country"],
                "region_code": row["level_code"],
                "population": row["value"],
                **facts(row, row["source"].split(" (")[0]),
            }
        )
    kept += [
        {
            "country": "GB",
            "region_code": row["region_code"],
            "population": row["population"],
            **facts(row, row["source"]),
        }
        for row in older
        if row["country"] == "GB"
    ]
    write("intl_region_population", kept)


def education(found: Rows) -> None:
    named = {
        "none or primary": "none_or_primary",
        "lower secondary": "lower_secondary",
        "upper secondary": "upper_secondary",
        "post-secondary": "post_secondary",
        "of which short post secondary": "short_post_secondary",
        "of which bachelor": "bachelor",
        "of which master and higher": "master_or_higher",
    }
    cells: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in ordered(found):
        if row["age_band"] in ("25-64", "25+") or row["level"] not in named:
            continue
        key = row["country"], row["sex"], row["age_band"]
        empty = dict.fromkeys(named.values(), "")
        start = {"country": key[0], "gender": key[1], "age_band": key[2], **empty}
        source = "Wittgenstein Centre Data Explorer 2 (2018), estimate"
        cell = cells.setdefault(key, {**start, **facts(row, source)})
        cell[named[row["level"]]] = row["share"]
    write("intl_education", list(cells.values()))


def simple(name: str, found: Rows, keep: dict[str, tuple[str, ...]], source: str) -> None:
    """Write the rows of some fields and levels as (country, measure, age band, gender, value)."""
    kept: list[dict[str, object]] = []
    for row in ordered(found):
        if row["level"] in keep.get(row["field"], ()):
            kept.append(
                {
                    "country": row["country"],
                    "measure": row["field"],
                    "level": row["level"],
                    "age_band": row["age_band"].replace(" ", "_"),
                    "gender": row["sex"],
                    "share": row["share"] or row["value"],
                    **facts(row, source or row["source"]),
                }
            )
    write(name, kept)


def labour(found: Rows) -> None:
    source = "ILO modelled estimates and ILOSTAT, via Gapminder"
    kept = [row for row in found if row["sex"] in SEXES]
    keep = {
        "labour_status": ("employed", "unemployed"),
        "labour_force_participation": ("in labour force",),
        "employment_rate": ("employed",),
        "unemployment_rate": ("unemployed",),
        "employment_sector": ("agriculture", "industry", "services"),
    }
    simple("intl_labour", kept, keep, source)


def health(found: Rows, older: Rows) -> None:
    """Keep the newest level of each measure, and the crude rates that the levels by age are compared with."""
    sources = {
        "bmi_class": "NCD-RisC 2024 (Lancet 403:1027), age-standardised, 20+",
        "diabetes": "NCD-RisC 2024 (Lancet 404:2077), age-standardised, 18+",
        "current_tobacco_use": "WHO GHO, tobacco use, age-standardised, 15+, via Gapminder",
        "hypertension": "WHO GHO, age-standardised, 30-79, via Our World in Data",
        "alcohol": "WHO GHO SA_0000001411, no drink in 12 months, modelled, 15+",
    }
    crude = {"obesity": "WHO GHO NCD_BMI_30", "raised_blood_pressure": "WHO GHO BP_03 and BP_04"}
    kept: list[dict[str, object]] = []
    for row in ordered(found):
        field, standard = row["field"], "crude" if "crude" in row["unit"] else "standard"
        if field == "alcohol":
            standard = "crude"
        if field in sources:
            if field == "current_tobacco_use" and (
                row["year"] != "2022" or row["sex"] == "both" or row["country"] == "IN"
            ):
                continue  # in India most tobacco is chewed
            if field == "alcohol" and (row["sex"] == "both" or not row["level"].startswith("no ")):
                continue
            source = sources[field]
        elif field in crude and row["source"].startswith("WHO") and row["sex"] != "both":
            source = crude[field]
        else:
            continue
        measure = f"{field}_{row['year']}" if field in crude else field
        kept.append(
            {
                "country": row["country"],
                "measure": measure,
                "level": row["level"] if field == "bmi_class" else "",
                "age_band": row["age_band"],
                "gender": row["sex"],
                "rate": standard,
                "share": row["share"],
                **facts(row, source),
            }
        )
    for row in older:
        sex = row["measure"].removeprefix("current_smoking_")
        if row["country"] == "IN" and sex in SEXES:
            kept.append(
                {
                    "country": "IN",
                    "measure": "current_smoking",
                    "level": "",
                    "age_band": "18+",
                    "gender": sex,
                    "rate": "crude",
                    "share": f"{float(row['value_pct']) / 100:.4f}",
                    **facts(row, "GATS-2, smoked tobacco (recalled, approximate)"),
                }
            )
    write("intl_health_levels", kept)


def gradients(joint: Path) -> None:
    """Keep the US shares by age and education, and the odds of smoking, which have no such shares here."""
    kept: list[dict[str, object]] = []
    source = "CDC/NCHS NHANES microdata"
    for row in table(joint / "us_condition_by_ses.csv"):
        name = row["outcome"].removeprefix("condition:")
        if name in ("obesity", "diabetes_t2", "hypertension") and row["group_by"] == "age3_x_education":
            age_band, level = row["group"].split(" | ")
            odds = math.log(float(row["share"]) / (1 - float(row["share"])))
            error = float(row["se"]) / (float(row["share"]) * (1 - float(row["share"])))
            kept.append(_gradient(name, age_band, level, odds, error, row, f"{source}, shares by group"))
    for row in table(joint / "us_health_joint_logit.csv"):
        if (row["outcome"], row["level"]) == ("smoking_status", "current") and row["term"].startswith(
            "education="
        ):
            level = row["term"].removeprefix("education=")
            told = f"{source}, logit against never smoking, adjusted"
            odds, error = float(row["coefficient"]), float(row["se"])
            kept.append(_gradient("smoking_current", "18+", level, odds, error, row, told))
    write("us_education_gradient", kept)


def _gradient(
    outcome: str, age_band: str, level: str, odds: float, error: float, row: dict[str, str], source: str
) -> dict[str, object]:
    return {
        "outcome": outcome,
        "age_band": age_band,
        "education": level,
        "log_odds": f"{odds:.4f}",
        "se": f"{error:.4f}",
        **facts(row, source),
    }


def incomes(joint: Path) -> None:
    """Tabulate the fifth of the ratio of income to the poverty line by age and education."""
    adults = [
        (float(row["poverty_ratio"]), int(row["donor_id"]), row)
        for row in table(joint / "us_nhanes_donors.csv.gz")
        if "poverty_ratio" not in row["imputed_fields"] and row["poverty_ratio"]
    ]
    # the ratio is capped at 5; those at the cap are in the order of their records
    adults.sort(key=lambda one: (one[0], one[1] * 2654435761 % 2**32))
    total = sum(float(row["weight_mec"]) for _, _, row in adults)
    below, found, people = 0.0, defaultdict(float), defaultdict(int)
    for _, _, row in adults:
        weight = float(row["weight_mec"])
        fifth = min(int((below + weight / 2) / total * 5), 4)
        below += weight
        age = int(row["age"])
        band = "18-44" if age < 45 else "45-59" if age < 60 else "60+"
        found[band, row["education"], fifth] += weight
        people[band, row["education"]] += 1
    levels = ("lowest", "second", "middle", "fourth", "highest")
    kept: list[dict[str, object]] = []
    for band, education in sorted(people):
        whole = sum(found[band, education, at] for at in range(5))
        row: dict[str, object] = {"age_band": band, "education": education}
        row |= {level: f"{found[band, education, at] / whole:.4f}" for at, level in enumerate(levels)}
        row |= {"n_unweighted": people[band, education]}
        row |= {"source": "CDC/NCHS NHANES microdata, fifths of the ratio of income to the poverty line"}
        kept.append({**row, "year": "2017-2018", "verified": True})
    write("us_income_quintile_by_education", kept)


def main(folder: Path) -> None:
    intl, joint = folder / "intl", folder / "joint"
    ages(table(intl / "intl_age_sex_wpp2024.csv"))
    regions(table(intl / "intl_region_population_verified.csv"), table(folder / "intl_region_population.csv"))
    education(table(intl / "intl_education_wic2020.csv"))
    labour(table(intl / "intl_labour_ilo.csv"))
    health(table(intl / "intl_health_who_ncdrisc.csv"), table(folder / "intl_health.csv"))
    simple(
        "intl_urban",
        table(intl / "intl_urban_share.csv"),
        {"urbanicity": ("urban",)},
        "World Bank SP.URB.TOTL.IN.ZS, via Gapminder",
    )
    simple(
        "intl_fertility",
        table(intl / "intl_fertility_wpp2024.csv"),
        {"fertility_rate": ("births per woman per year",)},
        "UN World Population Prospects 2024: total fertility x age pattern / 5",
    )
    gradients(joint)
    incomes(joint)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
