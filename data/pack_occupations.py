"""Pack the tables of sex, ethnicity and education by occupation into the reference figures of the package.

Run by hand: ``python data/pack_occupations.py FOLDER``. The folder holds the full tables, which are matched
to the 400 occupations of ``us_occupations``. Names, ratios and the finer levels of education are omitted.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

REFERENCE = Path(__file__).parents[1] / "src/voxpop/population/reference"

KEPT = {
    "us_occupation_by_sex_ethnicity": (
        "soc_code",
        "match_kind",
        "cps_employed_thousands",
        "pct_women",
        "pct_white",
        "pct_black",
        "pct_asian",
        "pct_hispanic",
    ),
    "us_occupation_by_education": (
        "soc_code",
        "pct_less_than_high_school",
        "pct_high_school",
        "pct_some_college_or_aa",
        "pct_college_graduate_or_above",
    ),
    "us_occupation_group_by_sex_ethnicity": (
        "race_or_ethnicity",
        "gender",
        "occupation_group",
        "pct_of_employed",
        "employed_thousands_in_row_group",
    ),
}
SOURCES = {
    "us_occupation_by_sex_ethnicity": "BLS CPS 2024 Table 11, titles matched to SOC by the compiler",
    "us_occupation_by_education": "BLS Employment Projections 2022-32 Table 5.3 (ACS, workers 25+)",
    "us_occupation_group_by_sex_ethnicity": "BLS CPS 2024 Table 10",
}


def pack(folder: Path, name: str) -> None:
    """Write the kept columns of one table, with its source, year and whether it was verified."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    with (REFERENCE / f"{name}.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow((*KEPT[name], "source", "year", "verified"))
        for row in rows:
            kept = [row[column] for column in KEPT[name]]
            writer.writerow((*kept, SOURCES[name], row["year"], row["verified"]))


if __name__ == "__main__":
    for table in KEPT:
        pack(Path(sys.argv[1]), table)
