"""Fits the tables of religion, party, ideology, tenure and health by labour status to the GSS.

`python data/fit_gss.py us_gss_donors.csv.gz [FOLDER]` reads the donors of the General Social Survey (2016 and
2018 pooled, one adult a row), which voxpop does not ship, and writes fitted coefficients, which it does. The
default folder is that of the package's reference tables. It prints how well models that never saw a fifth of
the donors predict that fifth. `--shares FILE` writes shares by group for the tests instead.

Each outcome is a multinomial logit with a column for every level of every term, survey weights and a ridge
penalty that cross-validation chooses; intercepts are not penalized, so fitted margins are the survey's.
The outcomes are fitted in the order in which they are drawn: tenure; religion; party given religion; ideology
given party and religion.
"""

from __future__ import annotations

import argparse
import hashlib
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

FOLDER = Path(__file__).parents[1] / "src" / "voxpop" / "population" / "reference"
SOURCE = "GSS (NORC)"
YEAR = "2016-2018"
PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Inverse strengths of the ridge penalty that cross-validation tries, with weights of mean 1."""
FOLDS = 5

AGES = ((18, "18-24"), (25, "25-34"), (35, "35-44"), (45, "45-54"), (55, "55-64"), (65, "65-74"), (75, "75+"))
ETHNICITY = {
    "White, non-Hispanic": "white",
    "Black or African American": "black",
    "Hispanic or Latino": "hispanic",
    "Asian": "asian",
}
MARITAL = {"divorced": "divorced_or_separated", "separated": "divorced_or_separated"}
QUINTILES = ("lowest", "second", "middle", "fourth", "highest")
LABOUR = {
    "working full time": "employed",
    "working part time": "employed",
    "with a job, but not at work because of temporary illness, vacation, strike": "employed",
    "unemployed, laid off, looking for work": "unemployed",
    "retired": "retired",
    "in school": "student",
    "keeping house": "homemaker",
    "other": "other",
}
"""The GSS has no code of its own for the disabled; most of "other" are (their health says so too)."""
RELIGIONS = {"other_eastern": "other", "native_american": "other"}
"""Religions of five donors each join "other"."""
IDEOLOGIES = (
    "extremely liberal",
    "liberal",
    "slightly liberal",
    "moderate, middle of the road",
    "slightly conservative",
    "conservative",
    "extremely conservative",
)
SIDES = {
    **dict.fromkeys(("strong_democrat", "democrat", "independent_lean_democrat"), "democrat"),
    **dict.fromkeys(("strong_republican", "republican", "independent_lean_republican"), "republican"),
}
INCOMES = (
    "Under $15,000",
    "$15,000-$24,999",
    "$25,000-$34,999",
    "$35,000-$49,999",
    "$50,000-$74,999",
    "$75,000-$89,999",
    "$90,000-$149,999",
    "$150,000 and over",
)
HEALTH = ("poor", "fair", "good", "excellent")

PEOPLE = (*("age", "sex", "ethnicity", "education", "marital", "children", "labour", "region", "area"),)
TERMS = {
    "housing_tenure": PEOPLE,
    "religion": (*PEOPLE, "ethnicity_south"),
    "party_id": (*PEOPLE, "ethnicity_south", "religion", "ethnicity_faith"),
    "ideology": (*PEOPLE, "religion", "party_id", "side_ethnicity", "side_education"),
}
"""The categorical terms of each outcome; the fifth of the incomes is a term of all of them."""
LESS_PENALIZED = {"ethnicity": 3.0}
"""Factor of the columns of a term. The penalty of its coefficients falls by the square of that: without it, a
religion of few donors in one ethnic group would be spread over all groups."""


def read(path: Path) -> pd.DataFrame:
    """Return the donors with the terms of the models as columns, and the income fifths as shares."""
    donors = pd.read_csv(path)
    donors = donors[donors["age"].notna() & donors["education"].notna()].reset_index(drop=True)
    starts = [start for start, _ in AGES]
    at = np.searchsorted(starts, donors["age"], side="right") - 1
    kept = donors[["donor_id", "year", "weight", "education", "housing_tenure", "party_id"]].copy()
    kept["age"] = [AGES[one][1] for one in at]
    kept["sex"] = donors["gender"]
    kept["ethnicity"] = donors["ethnicity"].map(ETHNICITY).fillna("other")
    kept["marital"] = donors["marital_status"].replace(MARITAL)
    ages = ["children_under_6", "children_6_12", "children_13_17"]
    children = donors[ages].fillna(0).sum(axis=1)
    kept["children"] = np.select([children == 0, children <= 2], ["0", "1-2"], "3+")
    kept["labour"] = donors["labour_status_gss"].map(LABOUR)
    kept["region"] = donors["region"].str.replace(" ", "_")
    kept["area"] = np.where(donors["place_size"].str.contains("smsas"), "metro", "elsewhere")
    kept["religion"] = donors["religion"].replace(RELIGIONS)
    kept["ideology"] = donors["polviews"].str.split(",").str[0].str.replace(" ", "_")
    kept["health"] = donors["self_rated_health"]
    four = kept["ethnicity"].replace({"asian": "other"})
    south = np.where(kept["region"].str.contains("south"), "south", "elsewhere")
    faith = kept["religion"].where(kept["religion"].isin(["protestant", "catholic", "none"]), "other")
    side = kept["party_id"].map(SIDES).fillna("neither")
    kept["ethnicity_south"] = four + "_" + south
    kept["ethnicity_faith"] = four + "_" + faith
    kept["side_ethnicity"] = side + "_" + four
    kept["side_education"] = side + "_" + kept["education"]
    kept[[f"income:{name}" for name in QUINTILES]] = income_fifths(donors)
    kept["income:unknown"] = donors["household_income_gss"].isna().astype(float)
    return kept


def income_fifths(donors: pd.DataFrame) -> np.ndarray:
    """Return the share of each fifth of the adults of a year in the donor's income band, (donors, 5).

    A band that lies across two fifths belongs to both in proportion. Donors without an income get zeros.
    """
    shares = np.zeros((len(donors), len(QUINTILES)))
    bands = donors["household_income_gss"]
    for year in sorted(donors["year"].unique()):
        there = (donors["year"] == year) & bands.notna()
        weight = donors[there].groupby(bands[there])["weight"].sum().reindex(INCOMES)
        upto = np.concatenate([[0.0], np.cumsum(weight / weight.sum())])
        for name, low, high in zip(INCOMES, upto[:-1], upto[1:], strict=True):
            edges = np.clip(np.linspace(0, 1, 6), low, high)
            shares[(there & (bands == name)).to_numpy()] = np.diff(edges) / (high - low)
    return shares


def design(people: pd.DataFrame, terms: tuple[str, ...]) -> pd.DataFrame:
    """Return one column for each level of each term, and the income columns."""
    levels = pd.get_dummies(people[list(terms)].astype(object), prefix_sep=":", dtype=float)
    columns = pd.concat([levels, people.filter(regex="^income:")], axis=1)
    return columns * [LESS_PENALIZED.get(name.partition(":")[0], 1.0) for name in columns.columns]


def fitted(x: pd.DataFrame, y: pd.Series, weight: pd.Series, penalty: float) -> LogisticRegression:
    """Return the model with one inverse penalty."""
    model = LogisticRegression(C=penalty, max_iter=5000, tol=1e-8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return model.fit(x.to_numpy(), y.to_numpy(), sample_weight=weight.to_numpy())


def loss(model: LogisticRegression, x: pd.DataFrame, y: pd.Series, weight: pd.Series) -> float:
    """Return the weighted log loss; a level that the model never saw counts as a chance in a million."""
    shares = model.predict_proba(x.to_numpy())
    place = {level: at for at, level in enumerate(model.classes_)}
    own = [shares[row, place[level]] if level in place else 1e-6 for row, level in enumerate(y)]
    return float(-np.average(np.log(own), weights=weight))


def chosen_penalty(x: pd.DataFrame, y: pd.Series, weight: pd.Series) -> tuple[float, float]:
    """Return the inverse penalty with the least mean loss over the folds, and that loss."""
    fold = np.random.default_rng(2018).permutation(len(y)) % FOLDS
    losses = []
    for penalty in PENALTIES:
        parts = []
        for out in range(FOLDS):
            model = fitted(x[fold != out], y[fold != out], weight[fold != out], penalty)
            parts.append(loss(model, x[fold == out], y[fold == out], weight[fold == out]))
        losses.append(np.mean(parts))
    return PENALTIES[int(np.argmin(losses))], float(min(losses))


def held_out(donor: int) -> bool:
    """Return whether a donor is of the fifth that checks the models."""
    digest = hashlib.sha256(f"voxpop 2026-11-23/us_gss_donors/{donor}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % 5 == 0


def report(people: pd.DataFrame, outcome: str, out: pd.Series, terms: tuple[str, ...]) -> float:
    """Print the quality on the held-out fifth of a model of the others, and return its inverse penalty."""
    x, y, weight = design(people, terms), people[outcome], people["weight"]
    penalty, crossed = chosen_penalty(x[~out], y[~out], weight[~out])
    model = fitted(x[~out], y[~out], weight[~out], penalty)
    margin = weight[~out].groupby(y[~out]).sum() / weight[~out].sum()
    own = np.array([margin.get(level, 1e-6) for level in y[out]])
    plain = float(-np.average(np.log(own), weights=weight[out]))
    better = loss(model, x[out], y[out], weight[out])
    print(f"{outcome}: C={penalty}, cross-validated log loss {crossed:.4f}")
    print(f"  held-out log loss {better:.4f}, of the margins alone {plain:.4f}")
    shares = model.predict_proba(x[out].to_numpy())
    for by in ("age", "sex", "ethnicity", "education", "region"):
        gaps, errors, flat = [], [], []
        for level in sorted(people[by].unique()):
            inside = (people.loc[out, by] == level).to_numpy()
            w = weight[out][inside].to_numpy()
            n = w.sum() ** 2 / (w**2).sum()  # effective number of donors
            if n < 30:
                continue
            for at, name in enumerate(model.classes_):
                seen = np.average(y[out][inside] == name, weights=w)
                said = np.average(shares[inside, at], weights=w)
                gaps.append(seen - said)
                flat.append(seen - margin[name])
                errors.append(np.sqrt(said * (1 - said) / n))
        gap, error, flat_gap = (float(np.sqrt(np.mean(np.square(one)))) for one in (gaps, errors, flat))
        told = f"gap {100 * gap:.2f} points, sampling error {100 * error:.2f}"
        print(f"  by {by}: {told}, gap of the margins alone {100 * flat_gap:.2f}")
    return penalty


def write(rows: list[dict[str, object]], path: Path) -> None:
    """Write one table with the columns that say where the figures come from."""
    table = pd.DataFrame(rows)
    table["source"], table["year"], table["verified"] = SOURCE, YEAR, True
    table.to_csv(path, index=False, lineterminator="\n")
    print(f"  {path.name}: {len(table)} rows, {path.stat().st_size:,} bytes")


def fit_outcome(people: pd.DataFrame, outcome: str, folder: Path) -> None:
    """Fit one outcome, report on it and write its coefficients."""
    terms = TERMS[outcome]
    given = people.dropna(subset=[outcome, *terms]).reset_index(drop=True)
    given["weight"] /= given["weight"].mean()
    out = given["donor_id"].map(held_out)
    penalty = report(given, outcome, out, terms)
    x = design(given, terms)
    model = fitted(x, given[outcome], given["weight"], penalty)
    rows = []
    intercepts = model.intercept_ - model.intercept_.mean()
    for at, level in enumerate(model.classes_):
        rows.append({"outcome": outcome, "level": level, "term": "intercept", "coefficient": intercepts[at]})
        for name, column in zip(x.columns, model.coef_[at], strict=True):
            value = column * LESS_PENALIZED.get(name.partition(":")[0], 1.0)
            if name != "income:unknown" and round(value, 4) != 0:
                rows.append({"outcome": outcome, "level": level, "term": name, "coefficient": value})
    for row in rows:
        row["coefficient"] = f"{row['coefficient']:.4f}"
    write(rows, folder / f"us_gss_{outcome}_fitted.csv")


def fit_health(people: pd.DataFrame, folder: Path) -> None:
    """Fit self-rated health to labour status by an ordered logit, and write the effects.

    The log odds are of better health (of being above any of the cuts) relative to the employed of the same
    age, sex, ethnicity, education, marital status and income. Standard errors are robust to the weights.
    """
    controls = ("age", "sex", "ethnicity", "education", "marital")
    given = people.dropna(subset=["health", "labour", *controls]).reset_index(drop=True)
    weight = (given["weight"] / given["weight"].mean()).to_numpy()
    labour = pd.get_dummies(given["labour"], dtype=float).drop(columns="employed")
    others = design(given, controls)
    first = [next(name for name in others.columns if name.startswith(f"{term}:")) for term in controls]
    others = others.drop(columns=[*first, "income:middle"])
    x = np.concatenate([labour.to_numpy(), others.to_numpy()], axis=1)
    y = given["health"].map(HEALTH.index).to_numpy()
    cuts = len(HEALTH) - 1

    def pieces(beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ends = np.concatenate([[-np.inf], np.cumsum([beta[0], *np.exp(beta[1:cuts])]), [np.inf]])
        score = x @ beta[cuts:]
        upper, lower = (1 / (1 + np.exp(-(ends[y + step] - score))) for step in (1, 0))
        return upper, lower

    def minus(beta: np.ndarray) -> float:
        upper, lower = pieces(beta)
        return float(-(weight * np.log(upper - lower)).sum())

    def slopes(beta: np.ndarray) -> np.ndarray:
        upper, lower = pieces(beta)
        return (1 - upper - lower)[:, None] * x  # of the log likelihood of each donor, by x

    start = np.concatenate([[-2.5, 0.5, 0.5], np.zeros(x.shape[1])])
    with np.errstate(over="ignore"):
        found = minimize(minus, start, method="BFGS", options={"maxiter": 2000, "gtol": 1e-4})
        scores = weight[:, None] * slopes(found.x)
        step, beta = 1e-4, found.x[cuts:]
        hessian = np.empty((beta.size, beta.size))
        for at in range(beta.size):
            ends = []
            for sign in (1, -1):
                moved = found.x.copy()
                moved[cuts + at] += sign * step
                ends.append((weight[:, None] * slopes(moved)).sum(axis=0))
            hessian[at] = (ends[0] - ends[1]) / (2 * step)
    inverse = np.linalg.inv(hessian)
    spread = inverse @ (scores.T @ scores) @ inverse
    rows = []
    print("self_rated_health by labour status, log odds of better health (standard error, donors)")
    for at, name in enumerate(labour.columns):
        se, n = float(np.sqrt(spread[at, at])), int(labour[name].sum())
        print(f"  {name}: {beta[at]:.4f} ({se:.4f}, {n})")
        rows.append(
            {
                "outcome": "self_rated_health",
                "level": "better",
                "term": f"labour:{name}",
                "coefficient": f"{beta[at]:.4f}",
                "se": f"{se:.4f}",
                "n_unweighted": n,
            }
        )
    write(rows, folder / "us_self_rated_health_labour_fitted.csv")


def write_shares(people: pd.DataFrame, path: Path) -> None:
    """Write the weighted shares of the outcomes by group, for groups of 50 donors and more."""
    rows = []
    for outcome in TERMS:
        given = people.dropna(subset=[outcome])
        for by in ("age", "sex", "ethnicity", "education", "region"):
            for level, part in given.groupby(by):
                if len(part) < 50:
                    continue
                shares = part.groupby(outcome)["weight"].sum() / part["weight"].sum()
                for value, share in shares.items():
                    row = {"outcome": outcome, "level": value, "group_by": by, "group": level}
                    rows.append(row | {"share": f"{share:.4f}", "n_unweighted": len(part)})
    table = pd.DataFrame(rows)
    table["source"], table["year"], table["verified"] = SOURCE, YEAR, True
    table.to_csv(path, index=False, lineterminator="\n")


def main() -> None:
    """Read the arguments, fit, report and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("donors", type=Path)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--shares", type=Path)
    given = parser.parse_args()
    people = read(given.donors)
    if given.shares:
        write_shares(people, given.shares)
        return
    for outcome in TERMS:
        fit_outcome(people, outcome, given.folder)
    fit_health(people, given.folder)


if __name__ == "__main__":
    main()
