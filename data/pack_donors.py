"""Pack the adults of NHANES 2017-2018 into the table that the population matches health on.

Run by hand: ``python data/pack_donors.py us_nhanes_donors.csv.gz``. The input has one row for each of the
5,533 adults who were examined, tabulated from the public-use files of CDC/NCHS. The output has the codes of
the levels in the table of agent fields instead of words, and bit masks instead of lists; it has no number
that leads back to a record.
"""

from __future__ import annotations

import csv
import gzip
import sys
from pathlib import Path

from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.levels import EDUCATION

PACKED = Path(__file__).parents[1] / "src/voxpop/population/reference/us_nhanes_donors.csv"

SEXES = ("male", "female")
ETHNICITIES = (
    "Hispanic or Latino",
    "White, non-Hispanic",
    "Black or African American",
    "Asian",
    "Two or more races",
)
INCOMES = (
    "Under $15,000",
    "$15,000-$24,999",
    "$25,000-$34,999",
    "$35,000-$54,999",
    "$55,000-$74,999",
    "$75,000-$99,999",
    "$100,000 and over",
)
MARITAL = FIELDS["marital_status"].levels
INSURANCE = FIELDS["insurance"].levels
OTHER_PLANS = ("other_public", "other_or_unknown_plan")
RATED = FIELDS["self_rated_health"].levels
"""Levels of self-rated health and of self-rated diet, from the lowest."""

YES_NO = ("no", "yes")


def bits(text: str, labels: tuple[str, ...]) -> int:
    """Return a list of slugs as a bit mask."""
    return sum(1 << labels.index(slug) for slug in text.split(";") if slug)


def packed(row: dict[str, str]) -> dict[str, object]:
    """Return the codes of one adult."""
    drank = [float(row[day]) for day in ("alcohol_g_day1", "alcohol_g_day2") if row[day]]
    return {
        "weight": round(float(row["weight_mec"])),
        "age": row["age"],
        "sex": SEXES.index(row["gender"]),
        "ethnicity": ETHNICITIES.index(row["ethnicity"]),
        "education": EDUCATION.index(row["education"]),
        "income": INCOMES.index(row["household_income_nhanes"]),
        "marital": MARITAL.index(row["marital_status"]),
        "household": row["household_size"],
        "minors": int(row["children_0_5"]) + int(row["children_6_17"]),
        "insurance": INSURANCE.index("other" if row["insurance"] in OTHER_PLANS else row["insurance"]),
        "rated": RATED.index(row["self_rated_health"]),
        "veteran": YES_NO.index(row["veteran"]),
        "born_here": YES_NO.index(row["born_in_us"]),
        "smoking": FIELDS["smoking_status"].levels.index(row["smoking_status"]),
        "activity": FIELDS["physical_activity_level"].levels.index(row["physical_activity_level"]),
        "sleep": FIELDS["sleep_quality"].levels.index(row["sleep_quality"]),
        "diet": RATED.index(row["diet_self_rated"]),
        "bmi": row["bmi"],
        "phq9": row["phq9"],
        "drank": int(max(drank, default=0.0) > 0),
        "medicines": row["rx_count"],
        "conditions": bits(row["conditions"], FIELDS["health_conditions"].levels),
        "drug_classes": bits(row["drug_classes"], FIELDS["health_drug_classes"].levels),
    }


def main(source: str) -> None:
    """Read the table of adults and write the packed one."""
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        found = [packed(row) for row in csv.DictReader(file)]
    found.sort(key=lambda row: tuple(float(str(value)) for value in row.values()))
    with PACKED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    print(f"{len(found):,} adults, {PACKED.stat().st_size:,} bytes: {PACKED.name}")


if __name__ == "__main__":
    main(sys.argv[1])
