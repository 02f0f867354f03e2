"""Packs the library of human answers of the simulator from the General Social Survey.

`python data/pack_human_answers.py REFERENCE [--leave-out FAMILIES] [--folder FOLDER]` reads the `us_gss_*` files in
the folder REFERENCE, which voxpop does not ship, and writes tables of shares and fitted coefficients, which it
does. The records of people stay where they are. The default folder is that of the simulator's library.

An item's shares by 21 groups become one multinomial logit with main effects: the ridge likelihood whose margins are
the shares of the groups, fitted over the joint distribution of the groups among the donors. Its intercepts are then
moved until the mean over the US adults of the population is the published share of everybody. The correlation of
answers beyond what the groups explain is a Gaussian copula with general factors and one factor a family; its
number of factors is chosen on a fifth of the people, whom the fit never saw. It needs SciPy and pandas and takes
about three minutes. The same versions of them write the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.stats import norm

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "voxpop_simulator" / "library" / "tables"
FAMILIES = ROOT / "tests" / "reference" / "library_families.csv"
CHECKED = ROOT / "tests" / "reference" / "library_group_shares.csv"

GROUPINGS = {
    "age": ("age_18_29", "age_30_44", "age_45_59", "age_60plus"),
    "gender": ("male", "female"),
    "education": ("edu_lt_hs", "edu_hs", "edu_some_college", "edu_college"),
    "household_income": ("inc_under_25k", "inc_25k_60k", "inc_60k_110k", "inc_110k_plus"),
    "ethnicity": ("eth_white", "eth_black", "eth_hispanic", "eth_other"),
    "party_id": ("party_dem", "party_ind", "party_rep"),
}
GROUPS = tuple(group for groups in GROUPINGS.values() for group in groups)
STARTS = np.cumsum([0, *(len(groups) for groups in GROUPINGS.values())])
EDUCATION = {
    "Less than 9th grade": "edu_lt_hs",
    "9-11th grade": "edu_lt_hs",
    "High school graduate/GED": "edu_hs",
    "Some college or AA degree": "edu_some_college",
    "College graduate or above": "edu_college",
}
ETHNICITY = {
    "White, non-Hispanic": "eth_white",
    "Black or African American": "eth_black",
    "Hispanic or Latino": "eth_hispanic",
}
PARTY = {
    **dict.fromkeys(("strong_democrat", "democrat", "independent_lean_democrat"), "party_dem"),
    **dict.fromkeys(("strong_republican", "republican", "independent_lean_republican"), "party_rep"),
}
INCOME_TOPS = (15, 25, 35, 50, 75, 90, 150)
"""Upper ends of the income bands of the donors, in thousands of dollars."""
INCOME_CUTS = (25, 60, 110)
DESIGN = 1.4
"""Mean design effect of the survey's weights and clusters."""
SPREADS = (0.15, 0.25, 0.35, 0.5, 0.75)
"""Prior deviations of an effect that the records choose from."""
RANKS = (0, 2, 4, 6, 8, 10)
"""Numbers of general factors that the records choose from."""
SMALLEST = 1e-4
POPULATION = (200_000, 7)
ASIDE = "voxpop library people/"


def tables(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return items, shares, donors of 2018 with their answers, and the donors of both years."""
    items = pd.read_csv(folder / "us_gss_items.csv").set_index("item")
    both = (folder / "us_gss_shares.csv", folder / "us_gss_shares_2016.csv")
    shares = pd.concat([pd.read_csv(path) for path in both], ignore_index=True)
    donors = pd.read_csv(folder / "us_gss_donors.csv.gz").set_index("donor_id")
    answers = pd.read_csv(folder / "us_gss_answers_2018.csv.gz", dtype=str).set_index("donor_id")
    answers.index = answers.index.astype(int)
    codes = pd.read_csv(folder / "us_gss_answer_codes.csv", dtype=str)
    for item in answers.columns:
        order = {name: at for at, name in enumerate(items.at[item, "options"].split(" | "))}
        rows = codes[codes["item"] == item]
        to = {code: order.get(option) for code, option in zip(rows["code"], rows["option"], strict=True)}
        answers[item] = answers[item].map(to).astype(float)
    return items, shares, answers, donors


def memberships(donors: pd.DataFrame) -> np.ndarray:
    """Return the groups of each donor as a matrix of 0 and 1; a row of a grouping is 0 where it is unknown."""
    cut = np.searchsorted((30, 45, 60), donors["age"].fillna(0), side="right")
    bands = donors["household_income_gss"].map({name: at for at, name in enumerate(_bands(donors))})
    income = bands.map(dict(enumerate((0, 0, 1, 1, 1, 2, 2, 3))))
    columns = {
        "age": pd.Series(np.array(GROUPINGS["age"])[cut], donors.index).where(donors["age"].notna()),
        "gender": donors["gender"],
        "education": donors["education"].map(EDUCATION),
        "household_income": income.map(dict(enumerate(GROUPINGS["household_income"]))),
        "ethnicity": donors["ethnicity"].map(ETHNICITY).fillna("eth_other"),
        "party_id": donors["party_id"].map(PARTY).fillna("party_ind").where(donors["party_id"].notna()),
    }
    return np.column_stack(
        [(columns[name] == group).to_numpy(float) for name, groups in GROUPINGS.items() for group in groups]
    )


def _bands(donors: pd.DataFrame) -> list[str]:
    names = donors["household_income_gss"].dropna().unique()
    return sorted(names, key=lambda name: (0 if "Under" in name else int(re.sub(r"\D", "", name.split("-")[0]))))


def fit(cells: np.ndarray, weight: np.ndarray, share: np.ndarray, margins: np.ndarray, people: float, spread: float):
    """Return intercepts and effects by group of the ridge logit with these margins (NaN: unknown)."""
    known = ~np.isnan(margins).any(axis=1)
    size = cells.T @ weight
    target = np.where(known[:, None], np.nan_to_num(margins) * size[:, None], 0.0)
    count = len(share)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        base, effects = flat[:count], flat[count:].reshape(-1, count)
        scores = base + cells @ effects
        top = scores.max(axis=1, keepdims=True)
        odds = np.exp(scores - top)
        total = odds.sum(axis=1, keepdims=True)
        shares = odds / total * weight[:, None]
        expected = np.where(known[:, None], cells.T @ shares, 0.0)
        value = weight @ (np.log(total) + top)[:, 0] - base @ share - (target * effects).sum()
        value = people * value + (effects**2).sum() / (2 * spread**2) + 1e-3 * (base**2).sum()
        slope = people * (expected - target) + effects / spread**2
        return value, np.concatenate([people * (shares.sum(axis=0) - share) + 2e-3 * base, slope.ravel()])

    start = np.concatenate([np.log(share), np.zeros(len(GROUPS) * count)])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    return found[:count], found[count:].reshape(-1, count)


def balanced(margins: np.ndarray, size: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return shares by group that agree with the share of everybody within each grouping."""
    made = margins.copy()
    for first, last in zip(STARTS, STARTS[1:], strict=False):
        part, weight = made[first:last], size[first:last]
        known = ~np.isnan(part).any(axis=1)
        if not known.all():
            continue
        for _ in range(20):
            part *= share / np.maximum(weight @ part, SMALLEST)
            part /= part.sum(axis=1, keepdims=True)
    return made


def probabilities(base: np.ndarray, effects: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the shares of the options for each row of memberships."""
    scores = base + groups @ effects
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def spread_of(answers: pd.DataFrame, groups: np.ndarray, weight: np.ndarray, aside: np.ndarray) -> float:
    """Return the prior deviation that predicts best the answers of people who were left out."""
    told = dict.fromkeys(SPREADS, 0.0)
    for item in sorted(answers.columns, key=lambda name: hashlib.sha256(name.encode()).digest())[:80]:
        column = answers[item].to_numpy()
        said = ~np.isnan(column)
        train, test = said & ~aside, said & aside
        count = int(np.nanmax(column)) + 1
        chosen = np.eye(count)[column[train].astype(int)]
        mass = weight[train] / weight[train].sum()
        share = np.maximum(mass @ chosen, 1e-3)
        size = np.maximum(groups[train].T @ mass, 1e-9)
        margins = (groups[train] * mass[:, None]).T @ chosen / size[:, None]
        for spread in SPREADS:
            base, effects = fit(groups[train], mass, share / share.sum(), margins, train.sum() / DESIGN, spread)
            right = probabilities(base, effects, groups[test])[np.arange(test.sum()), column[test].astype(int)]
            told[spread] += np.log(right).sum()
    print("log likelihood of left-out answers by prior deviation:", {k: round(v, 1) for k, v in told.items()})
    return max(told, key=lambda spread: told[spread])


def population_of(donors: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the weights of groups for every value of a field, and cells of the population with their shares."""
    from voxpop.population.file import open_population
    from voxpop.vocabulary.fields import FIELDS

    names = list(GROUPINGS)
    size, seed = POPULATION
    with tempfile.TemporaryDirectory() as home:
        people = open_population(size, seed, home=Path(home))
        found = people.agents(range(1, people.size + 1))
        rows = [[getattr(one, name) for name in names] for one in found if one.country == "USA"]
        people.close()
    frame = pd.DataFrame(rows, columns=names)
    cut = np.searchsorted((30, 45, 60), frame["age"], side="right")
    frame["age"] = np.array(GROUPINGS["age"])[cut]
    brackets = list(FIELDS["household_income"].levels)
    income = _by_rank(donors, frame["household_income"].value_counts(normalize=True).reindex(brackets).to_numpy())
    of = {
        "age": {group: {group: 1.0} for group in GROUPINGS["age"]},
        "gender": {"male": {"male": 1.0}, "female": {"female": 1.0}},
        "education": {level: {group: 1.0} for level, group in EDUCATION.items()},
        "household_income": {
            name: {group: share for group, share in zip(GROUPINGS["household_income"], row, strict=True) if share}
            for name, row in zip(brackets, income, strict=True)
        },
        "ethnicity": {
            name: {ETHNICITY.get(name, "eth_other"): 1.0} for name in sorted(frame["ethnicity"].dropna().unique())
        },
        "party_id": {name: {PARTY.get(name, "party_ind"): 1.0} for name in FIELDS["party_id"].levels},
    }
    for name, values in of.items():
        mass = frame[name].map(lambda value, values=values: value in values)
        counted = frame.loc[mass, name].value_counts(normalize=True)
        mean: dict[str, float] = {}
        for value, groups in values.items():
            for group, share in groups.items():
                mean[group] = mean.get(group, 0.0) + share * float(counted.get(value, 0.0))
        values[""] = mean
    cells = frame.fillna("").value_counts().reset_index()
    matrix = np.zeros((len(cells), len(GROUPS)))
    for name in names:
        rows_of = {value: [groups.get(group, 0.0) for group in GROUPS] for value, groups in of[name].items()}
        matrix += np.array([rows_of.get(value, rows_of[""]) for value in cells[name]])
    table = [
        (name, value, group, round(share, 4))
        for name, values in of.items()
        for value, groups in values.items()
        for group, share in groups.items()
    ]
    weights = cells["count"].to_numpy(float)
    return pd.DataFrame(table, columns=["field", "value", "group", "weight"]), matrix, weights / weights.sum()


def _by_rank(donors: pd.DataFrame, brackets: np.ndarray) -> np.ndarray:
    """Return, for each bracket of the population, its parts in the survey's income groups of the same rank."""
    known = donors["household_income_gss"].notna()
    place = donors.loc[known, "household_income_gss"].map({name: at for at, name in enumerate(_bands(donors))})
    mass = donors.loc[known, "weight"].groupby(place).sum()
    below = np.cumsum(mass.to_numpy() / mass.sum())
    ranks = np.interp(INCOME_CUTS, (0, *INCOME_TOPS), (0.0, *below[:-1]))
    ends = np.concatenate([[0.0], ranks, [1.0]])
    tops = np.cumsum(brackets)
    made = np.zeros((len(brackets), 4))
    for at, (low, high) in enumerate(zip(np.concatenate([[0.0], tops[:-1]]), tops, strict=True)):
        for group in range(4):
            made[at, group] = max(0.0, min(high, ends[group + 1]) - max(low, ends[group])) / (high - low)
    return made / made.sum(axis=1, keepdims=True)


def calibrated(base: np.ndarray, effects: np.ndarray, cells: np.ndarray, mass: np.ndarray, share: np.ndarray):
    """Return intercepts with which the mean over the population is the published share."""
    for _ in range(200):
        base = base + np.log(share / np.maximum(mass @ probabilities(base, effects, cells), 1e-12))
    return base - base.mean()


def scores_of(answers: pd.DataFrame, models: dict, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each donor and item the mean normal score of the answer's interval, and their variances."""
    made = np.full(answers.shape, np.nan)
    power = np.ones(answers.shape[1])
    for at, item in enumerate(answers.columns):
        column = answers[item].to_numpy()
        said = ~np.isnan(column)
        shares = probabilities(*models[item], groups[said])
        ends = np.clip(np.cumsum(shares, axis=1), 1e-6, 1 - 1e-6)
        ends = np.concatenate([np.full((len(ends), 1), 1e-6), ends[:, :-1], np.full((len(ends), 1), 1 - 1e-6)], axis=1)
        height = norm.pdf(norm.ppf(ends))
        means = (height[:, :-1] - height[:, 1:]) / np.maximum(np.diff(ends, axis=1), 1e-6)
        power[at] = (shares * means**2).sum(axis=1).mean()
        made[said, at] = means[np.arange(said.sum()), column[said].astype(int)]
    return made, power


def correlations(scores: np.ndarray, power: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return approximate polychoric correlations of what the groups leave open, and numbers of pairs."""
    said = ~np.isnan(scores)
    values = np.nan_to_num(scores)
    mass = weight[:, None] * said
    pairs = mass.T @ said
    counts = said.T.astype(float) @ said
    covariance = (values * weight[:, None]).T @ values / np.maximum(pairs, 1e-9)
    return np.clip(covariance / np.outer(power, power), -0.98, 0.98), counts


def factors(target: np.ndarray, counts: np.ndarray, family: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return general loadings and loadings on the factor of each item's family, by weighted least squares."""
    size = len(target)
    trust = np.where(counts >= 60, counts, 0.0)
    np.fill_diagonal(trust, 0.0)
    same = family[:, None] == family[None, :]
    general = np.zeros((size, 0))
    if rank:
        across = np.where(same, 0.0, trust)
        shrunk = target * trust / (trust + 100)
        values, vectors = np.linalg.eigh(np.where(same, 0.0, shrunk))
        general = vectors[:, -rank:] * np.sqrt(np.maximum(values[-rank:], 1e-6))
        for _ in range(60):
            for at in range(size):
                use = across[at]
                left = (general * use[:, None]).T @ general + 60.0 * np.eye(rank)
                general[at] = np.linalg.solve(left, (general * use[:, None]).T @ target[at])
                length = np.linalg.norm(general[at])
                general[at] *= min(1.0, 0.9 / max(length, 1e-9))
    rest = target - general @ general.T
    own = np.zeros(size)
    room = np.sqrt(np.maximum(0.985 - (general**2).sum(axis=1), 0.0))
    for name in np.unique(family):
        inside = np.flatnonzero(family == name)
        if len(inside) < 2 or trust[np.ix_(inside, inside)].sum() == 0:
            continue
        part, use = rest[np.ix_(inside, inside)], trust[np.ix_(inside, inside)]
        loads = np.linalg.eigh(np.where(use > 0, part, 0.0))[1][:, -1] * 0.6
        for _ in range(200):
            for at in range(len(inside)):
                left = (use[at] * loads**2).sum() + 30.0
                best = (use[at] * loads * part[at]).sum() / left
                loads[at] = np.clip(best, -room[inside[at]], room[inside[at]])
        own[inside] = loads
    return general, own


def rank_of(answers, models, groups, weight, family, aside) -> int:
    """Return the number of factors that predicts best the correlations among people who were left out."""
    scores, power = scores_of(answers, models, groups)
    seen = correlations(scores[~aside], power, weight[~aside])
    target, counts = correlations(scores[aside], power, weight[aside])
    same = family[:, None] == family[None, :]
    use = np.where(counts >= 100, counts, 0.0) * (1 - np.eye(len(counts)))
    told = {}
    for rank in RANKS:
        general, own = factors(*seen, family, rank)
        made = general @ general.T + same * np.outer(own, own)
        told[rank] = float((use * (target - made) ** 2).sum() / use.sum())
    print("squared error of left-out correlations by rank:", {k: round(v, 5) for k, v in told.items()})
    return min(told, key=lambda rank: told[rank])


def asked_of(items: pd.DataFrame, answers: pd.DataFrame, donors: pd.DataFrame) -> dict[str, str]:
    """Return who was asked each item: everybody, workers, or some people whom no field tells apart."""
    made = {}
    works = donors.loc[answers.index, "labour_status_gss"].fillna("").str.startswith(("working", "with a job"))
    said = answers.notna()
    for item, row in items.iterrows():
        text, many = str(row["wording"]), int(row["n_unweighted"])
        first = re.split(r"(?<=[.?!])\s", text)[0]
        dangling = re.search(r"\b(?:this|these) (?!country|area|year|place|following|statement|card|list|day|person)\w", first)
        if re.search(r"\bNAME\b|\brespondent\b|housing unit|\bonly:", text + row["title"]) or dangling or text.startswith("Was it"):
            made[item] = "some"
        elif row["item_year"] == 2016:
            work = re.search(r"\b(?:job|work|employer|firm|unemploy\w*)\b", text, re.I)
            made[item] = "everybody" if many >= 960 or not work and many >= 800 else "workers" if many >= 900 else "some"
        elif item not in answers:
            made[item] = "everybody" if many >= 500 else "some"
        else:
            made[item] = _by_records(said[item], answers, works)
    return made


def _by_records(said: pd.Series, answers: pd.DataFrame, works: pd.Series) -> str:
    """Return who was asked an item, from who answered it."""
    inside, outside = said[works].mean(), said[~works].mean()
    if outside < 0.12 * inside:
        return "workers"
    if inside < 0.12 * outside:
        return "some"
    for other in answers.columns:
        if other == said.name:
            continue
        rates = said.groupby(answers[other]).agg(["mean", "size"])
        rates = rates[rates["size"] >= 80]
        if len(rates) > 1 and rates["mean"].min() < 0.03 and rates["mean"].max() > 0.45:
            return "some"
    return "everybody"


def main(reference: Path, left_out: set[str], folder: Path) -> None:
    items, shares, answers, donors = tables(reference)
    items = items[~items.index.isin(left_out)]
    answers = answers[[item for item in answers.columns if item in items.index]]
    groups = memberships(donors)
    weight = donors["weight"].to_numpy(float)
    whole = np.column_stack([groups[:, a:b].sum(axis=1) for a, b in zip(STARTS, STARTS[1:])]).all(axis=1)
    cells, place = np.unique(groups[whole], axis=0, return_inverse=True)
    mass = np.bincount(place.ravel(), weight[whole])
    mass /= mass.sum()
    asked = donors.index.get_indexer(answers.index)
    aside = np.array([hashlib.sha256(f"{ASIDE}{one}".encode()).digest()[0] % 5 == 0 for one in answers.index])
    spread = spread_of(answers, groups[asked], weight[asked], aside)
    print("prior deviation of an effect:", spread)
    profiles, people, adults = population_of(donors)
    raw, models = {}, {}
    for item in items.index:
        rows = shares[shares["item"] == item]
        share = np.maximum(rows["share_all"].to_numpy(float), SMALLEST)
        share /= share.sum()
        margins = rows[list(GROUPS)].to_numpy(float).T
        margins = balanced(margins / margins.sum(axis=1, keepdims=True), cells.T @ mass, share)
        raw[item] = fit(cells, mass, share, margins, float(rows["n"].iloc[0]) / DESIGN, spread)
        models[item] = calibrated(*raw[item], people, adults, share), raw[item][1]
    families = pd.read_csv(FAMILIES).set_index("item")["family"]
    family = families[answers.columns].to_numpy()
    rank = rank_of(answers, raw, groups[asked], weight[asked], family, aside)
    print("general factors:", rank)
    found = correlations(*scores_of(answers, raw, groups[asked]), weight[asked])
    general, own = factors(*found, family, rank)
    write(folder, items, shares, models, profiles, dict(zip(answers.columns, zip(general, own))), families,
          asked_of(items, answers, donors))


def write(folder, items, shares, models, profiles, loadings, families, asked) -> None:
    """Write the tables of the library, and the shares by group that its check compares with."""
    folder.mkdir(parents=True, exist_ok=True)
    listed, options, groups, effects, loads = [], [], [], [], []
    for item, row in items.iterrows():
        rows = shares[shares["item"] == item].reset_index(drop=True)
        listed.append((item, families[item], row["item_year"], rows.at[0, "n"], asked[item], row["title"], row["wording"]))
        base, slopes = models[item]
        for at, one in rows.iterrows():
            latest = "" if pd.isna(one["latest_year"]) else int(one["latest_year"])
            drift = "" if pd.isna(one["share_latest_unweighted"]) else one["share_latest_unweighted"]
            known = ["" if pd.isna(one[group]) else round(1000 * one[group]) for group in GROUPS]
            options.append((item, one["option"], round(one["share_all"], 4), latest, drift))
            groups.append((item, one["option"], round(one["share_all"], 4), *known))
            effects.append((item, round(1000 * base[at]), *(round(1000 * value) for value in slopes[:, at])))
        if item in loadings:
            general, own = loadings[item]
            loads.append((item, round(1000 * own), *(round(1000 * value) for value in general)))
    rank = len(loads[0]) - 2
    _csv(folder / "items.csv", listed, ["item", "family", "year", "n", "asked", "title", "wording"])
    _csv(folder / "shares.csv", options, ["item", "option", "share", "latest_year", "latest_share"])
    if folder == FOLDER:
        _csv(CHECKED, groups, ["item", "option", "share", *GROUPS])
    _csv(folder / "effects.csv", effects, ["item", "everybody", *GROUPS])
    _csv(folder / "loadings.csv", loads, ["item", "family", *(f"factor_{at}" for at in range(rank))])
    profiles.to_csv(folder / "profiles.csv", index=False, lineterminator="\n")


def _csv(path: Path, rows: list, columns: list[str]) -> None:
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    told = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    told.add_argument("reference", type=Path)
    told.add_argument("--leave-out", action="store_true", help="leave out the items that are set aside")
    told.add_argument("--folder", type=Path, default=FOLDER)
    given = told.parse_args()
    frame = pd.read_csv(FAMILIES)
    main(given.reference, set(frame.loc[frame["set_aside"], "item"]) if given.leave_out else set(), given.folder)
