"""Fit household income on work, schooling and marriage: ``python data/fit_income.py us_gss_donors.csv.gz``.

An interval regression of the logarithm of household income, by maximum likelihood, on the adults of the GSS
2016 and 2018 (their records stay outside the package: only coefficients are written) and of NHANES
2017-2018, which tells partners from the unmarried. Dollars of the survey years; only differences are used.
Then the shifts of the states and the cuts of the bands, from a large draw of the expected population.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr

from voxpop.population import income
from voxpop.population.demographics import EDUCATION, ETHNICITIES, STATES, draw_people, places
from voxpop.population.donors import GROUP_OF, GROUPS, donors, income_cuts
from voxpop.population.draw import Streams
from voxpop.population.employment import GROUPS as OCCUPATION_GROUPS
from voxpop.population.employment import LABOUR, group_of, wages
from voxpop.population.held_out import held_out
from voxpop.population.households import MARITAL, draw_households
from voxpop.population.reference import rows
from voxpop.population.work import draw_work

FITTED = Path(__file__).parents[1] / "src/voxpop/population/reference/us_income_fitted.csv"
GSS_BANDS = {
    "Under $15,000": (0, 15),
    "$15,000-$24,999": (15, 25),
    "$25,000-$34,999": (25, 35),
    "$35,000-$49,999": (35, 50),
    "$50,000-$74,999": (50, 75),
    "$75,000-$89,999": (75, 90),
    "$90,000-$149,999": (90, 150),
    "$150,000 and over": (150, np.inf),
}
NHANES_BANDS = ((0, 15), (15, 25), (25, 35), (35, 55), (55, 75), (75, 100), (100, np.inf))
GSS_LABOUR = {
    "working full time": "employed",
    "working part time": "employed",
    "with a job, but not at work because of temporary illness, vacation, strike": "employed",
    "retired": "retired",
    "keeping house": "homemaker",
    "unemployed, laid off, looking for work": "unemployed",
    "in school": "student",
    "other": "disabled",
}
TERMS = (
    "education",
    "ethnicity",
    "marital_status",
    "age",
    "labour_status",
    "sex",
    "children",
    "log_wage",
    "survey",
)
REFERENCE = {
    "education": 2,
    "ethnicity": 1,
    "marital_status": 0,
    "age": 3,
    "labour_status": 0,
    "sex": 0,
    "children": 0,
}
SIZES = {
    "education": 5,
    "ethnicity": 5,
    "marital_status": 6,
    "age": 7,
    "labour_status": 7,
    "sex": 2,
    "children": 4,
}
SHRUNK = 2.0
BLOCKS, SEED = 200, 1_000_003


@cache
def usual_wages() -> dict[str, float]:
    """Return the mean log wage of each occupation group, against the usual wage, weighted by jobs."""
    jobs = np.array([float(row["employment"]) for row in rows("us_occupations")])
    logs = np.log(wages() / income.USUAL_WAGE)
    return {
        name: float(np.average(logs[group_of() == at], weights=jobs[group_of() == at]))
        for at, name in enumerate(OCCUPATION_GROUPS)
        if (group_of() == at).any()
    }


def gss(source: str) -> list[tuple[dict[str, int], float, float, tuple[float, float]]]:
    """Return codes, log wage, weight and income bounds of the adults of the GSS with complete answers."""
    found = []
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            wanted = ("household_income_gss", "education", "marital_status", "labour_status_gss", "age")
            if not all(row[name] for name in wanted):
                continue
            children = sum(
                int(float(row[name] or 0)) for name in ("children_under_6", "children_6_12", "children_13_17")
            )
            status = GSS_LABOUR[row["labour_status_gss"]]
            wage = usual_wages().get(row["occupation_major_group"], 0.0) if status == "employed" else 0.0
            codes = {
                "education": EDUCATION.index(row["education"]),
                "ethnicity": int(GROUP_OF[ETHNICITIES.index(row["ethnicity"])]),
                "marital_status": MARITAL.index(row["marital_status"]),
                "age": int(np.searchsorted(income.AGE_STARTS, int(float(row["age"])), side="right") - 1),
                "labour_status": LABOUR.index(status),
                "sex": int(row["gender"] == "female"),
                "children": min(children, income.MOST_CHILDREN),
                "survey": 0,
            }
            found.append((codes, wage, float(row["weight"]), GSS_BANDS[row["household_income_gss"]]))
    return found


def nhanes() -> list[tuple[dict[str, int], float, float, tuple[float, float]]]:
    """Return the same of the adults of NHANES, whose work is not known."""
    table = donors()
    found = []
    for at in range(table.age.size):
        codes = {
            "education": int(table.education[at]),
            "ethnicity": int(table.ethnicity[at]),
            "marital_status": int(table.marital[at]),
            "age": int(np.searchsorted(income.AGE_STARTS, table.age[at], side="right") - 1),
            "sex": int(table.sex[at]),
            "children": int(min(table.minors[at], income.MOST_CHILDREN)),
            "survey": 1,
        }
        found.append((codes, 0.0, float(table.weight[at]), NHANES_BANDS[table.income[at]]))
    return found


def fit(source: str) -> list[tuple[str, str, float]]:
    """Return the coefficients as (term, level, value)."""
    surveys = [gss(source), nhanes()]
    columns = [
        (term, level) for term, size in SIZES.items() for level in range(size) if level != REFERENCE[term]
    ]
    # NHANES knows no work, so its ages carry the work of their age: they have effects of their own
    columns += [("age in NHANES", level) for level in range(SIZES["age"])]
    columns += [("education in NHANES", level) for level in range(SIZES["education"]) if level != 2]
    columns += [("log_wage", 0), ("constant", 0)]
    place = {column: at for at, column in enumerate(columns)}
    cases = [case for survey in surveys for case in survey]
    design = np.zeros((len(cases), len(columns)))
    weight = np.concatenate(
        [[case[2] for case in survey] / np.mean([case[2] for case in survey]) for survey in surveys]
    )
    for at, (codes, wage, _, _) in enumerate(cases):
        for term in SIZES:
            level = codes.get(term)
            name = (
                f"{term} in NHANES"
                if codes["survey"] and f"{term} in NHANES" in {c for c, _ in columns}
                else term
            )
            if level is not None and (name, level) in place:
                design[at, place[name, level]] = 1.0
        design[at, place["log_wage", 0]] = wage
        design[at, place["constant", 0]] = 1.0 - codes["survey"]
    low = np.log(np.maximum([case[3][0] for case in cases], 1e-9))
    high = np.log([case[3][1] for case in cases])
    penalty = np.array([0.0 if name in ("constant", "log_wage") else SHRUNK for name, _ in columns])

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        spread = np.exp(values[-1])
        middle = design @ values[:-1]
        a, b = (low - middle) / spread, (high - middle) / spread
        inside = np.maximum(ndtr(b) - ndtr(a), 1e-12)
        pa, pb = (np.exp(-0.5 * np.minimum(x * x, 700)) / np.sqrt(2 * np.pi) for x in (a, b))
        by_middle = (pb - pa) / inside / spread
        by_spread = (np.where(np.isfinite(b), b, 0) * pb - a * pa) / inside
        total = -(weight * np.log(inside)).sum() + 0.5 * (penalty * values[:-1] ** 2).sum()
        slope = np.append(design.T @ (weight * by_middle) + penalty * values[:-1], (weight * by_spread).sum())
        return total, slope

    start = np.zeros(len(columns) + 1)
    start[place["constant", 0]] = 4.0
    solved = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-12})
    print(solved.message, f"{len(cases):,} adults")
    names = {
        "education": EDUCATION,
        "ethnicity": GROUPS,
        "marital_status": MARITAL,
        "age": tuple(map(str, income.AGE_STARTS)),
        "labour_status": LABOUR,
        "sex": ("male", "female"),
        "children": tuple(map(str, range(4))),
    }
    found = [(term, names[term][level], solved.x[at]) for (term, level), at in place.items() if term in names]
    found += [("log_wage", "", solved.x[place["log_wage", 0]]), ("spread", "", float(np.exp(solved.x[-1])))]
    other = next(value for term, level, value in found if (term, level) == ("labour_status", "disabled"))
    return [*found, ("labour_status", "other_not_in_labour_force", other / 2)]


def write(found: Sequence[tuple[str, str, float]]) -> None:
    """Write the table with its sources."""
    sources = {
        "state": (
            "Census ACS 2015-2019 mean household income by state, less what the fit explains",
            "2015-2019",
        ),
        "cut": ("quantiles of the score in the expected population", "2026"),
    }
    usual = "GSS 2016-2018 (NORC) and NHANES 2017-2018, survey-weighted interval regression"
    with FITTED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["term", "level", "value", "source", "year", "verified"])
        for term, level, value in found:
            source, year = sources.get(term.split()[0], (usual, "2016-2018"))
            writer.writerow([term, level, f"{value:.4f}", source, year, "True"])
    for cached in (rows, income.coefficients, income.cuts):
        cached.cache_clear()


def expected() -> tuple[np.ndarray, np.ndarray]:
    """Return states and scores of a large draw of the expected population."""
    states, scores = [], []
    for block in range(BLOCKS):
        streams = Streams(SEED, block)
        people = draw_people(streams, 6_000)
        home = draw_households(streams, people)
        work = draw_work(streams, people, home.parent)
        noise = streams.stage(20).standard_normal(people.age.size)
        states.append(people.state)
        scores.append(income.score(people, home, work, noise))
    return np.concatenate(states), np.concatenate(scores)


def main(source: str) -> None:
    """Fit, shift and cut."""
    found = fit(source)
    write(found)
    states, scores = expected()
    means = {row["state"]: float(row["mean_household_income_usd"]) for row in rows("us_state_ses")}
    logs = np.log([means[state] for state in STATES])
    people = places().sum(axis=(1, 2))
    used = np.array([not held_out(f"us_state_ses/{state}/mean_household_income_usd") for state in STATES])
    explained = np.bincount(states, weights=scores) / np.bincount(states)
    shift = np.where(used, logs - people @ logs - (explained - people @ explained), 0.0)
    shift -= people @ shift
    found += [("state", state, shift[at]) for at, state in enumerate(STATES)]
    scores = scores + np.round(shift, 4)[states]
    bands = np.cumsum([float(row["share_of_households"]) for row in rows("us_household_income")])
    wanted = {
        "band": bands[:-1] / bands[-1],
        "quintile": np.arange(1, income.QUINTILES) / income.QUINTILES,
        "survey_band": income_cuts()[:-1],
    }
    for name, upto in wanted.items():
        found += [(f"cut {name}", str(at), value) for at, value in enumerate(np.quantile(scores, upto))]
    write(found)


if __name__ == "__main__":
    main(sys.argv[1])
