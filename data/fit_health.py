"""Fit the health of the US agents: ``python data/fit_health.py``.

Everything is fitted to a large draw of the expected population, in the order in which it is drawn: the tilts
of the donors by state and labour status, the donors' levels in each cell, the effects on drinking and its
cuts, and the pressures under which conditions and medicines are gained or lost. Only ``us_health_fitted.csv``
is written.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, logit

from voxpop.population import fitted, gradients, health, health_conditions, hot_deck, medicines
from voxpop.population.demographics import (
    EDUCATION,
    STATES,
    People,
    cell_of,
    draw_people,
    expected_people,
    places,
)
from voxpop.population.donors import donors
from voxpop.population.draw import Streams
from voxpop.population.employment import LABOUR, Work
from voxpop.population.held_out import held_out
from voxpop.population.households import Household, draw_households
from voxpop.population.income import Income, draw_income
from voxpop.population.reference import band_codes, rows
from voxpop.population.work import draw_work

FITTED = Path(__file__).parents[1] / "src/voxpop/population/reference/us_health_fitted.csv"
BLOCKS, OF_TILTS, SEED, SIZE = 400, 60, 1_000_003, 6_000
ROUNDS, SHIFT_ROUNDS = 12, 14
FURTHEST = 14.0
"""Largest logarithm of a pressure."""

FEWEST = 30
"""Fewest people behind a share that is a target."""

SPREAD = 0.9
"""Usual distance, in log odds, of a published group from what the matching gives: trust in noisy figures."""

# Ranked field -> table, outcome and level of the shares by group; levels from here on, or below if negative.
LEANING = {
    "bmi": ("us_condition_by_ses", "condition:obesity", "yes", 3),
    "phq9": ("us_health_by_ses", "phq9_10plus", "yes", 10),
    "smoking": ("us_health_by_ses", "smoking_status", "current", 2),
    "activity": ("us_health_by_ses", "physical_activity_level", "low", -1),
    "sleep": ("us_health_by_ses", "sleep_quality", "poor", -1),
    "diet": ("us_health_by_ses", "diet_quality", "healthy", 2),
    "rated": ("us_health_by_ses", "fair_or_poor_health", "yes", -2),
}
# Log factors of Medicare before 65 by labour status: it is for the disabled (an assumption of this project).
EARLY_MEDICARE = {"employed": -1.5, "unemployed": -0.7, "retired": 0.3, "disabled": 2.0}
TILTED = {
    "obese": "obesity_self_reported_bmi30",
    "inactive": "no_leisure_time_physical_activity",
    "smoker": "current_smoking",
}

Values = list[tuple[str, str, str, float]]
Sample = tuple[People, Household, Work, Income]


def drawn(blocks: int) -> list[tuple[Streams, Sample]]:
    """Return a draw of the expected population, block by block."""
    found = []
    for block in range(blocks):
        streams = Streams(SEED, block)
        people = draw_people(streams, SIZE)
        home = draw_households(streams, people)
        work = draw_work(streams, people, home.parent)
        found.append((streams, (people, home, work, draw_income(streams, people, home, work))))
    return found


def joined(parts: list[Any]) -> Any:
    """Return the same dataclass with the columns of all blocks."""
    return type(parts[0])(
        *(np.concatenate([getattr(part, name.name) for part in parts]) for name in fields(parts[0]))
    )


def write(found: Values) -> None:
    """Write the table and forget what was read from it."""
    with FITTED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "outcome", "place", "value"])
        for kind, outcome, place, value in found:
            writer.writerow([kind, outcome, place, f"{value:.4g}"])
    for module in (fitted, gradients, health, health_conditions, hot_deck, medicines):
        for name in vars(module).values():
            own = getattr(name, "__module__", "").startswith("voxpop.population")
            if own and hasattr(name, "cache_clear") and name.__name__ not in ("_neighbours", "features"):
                name.cache_clear()
    rows.cache_clear()


def unwell_by_labour() -> dict[str, float]:
    """Return log odds of worse self-rated health by labour status, against the employed."""
    found = {"employed": 0.0}
    for row in rows("us_self_rated_health_labour_fitted"):
        found[row["term"].removeprefix("labour:")] = -float(row["coefficient"])
    other = found.pop("other", found.get("disabled", 0.0))
    # the survey's "other" is mostly people who cannot work
    return {**found, "disabled": other, "other_not_in_labour_force": other / 2}


def state_targets(untilted: np.ndarray) -> np.ndarray:
    """Return log odds wanted by (state, feature), NaN where there is no figure or it is set aside."""
    wanted = np.full((len(STATES), len(hot_deck.FEATURES)), np.nan)
    people = places().sum(axis=(1, 2))
    for feature, measure in TILTED.items():
        table = {}
        for row in rows("us_state_health"):
            if row["measure"] == measure:
                table.setdefault(row["state"], []).append((row["group"], float(row["value_pct"]) / 100))
        shares = {state: dict(values) for state, values in table.items()}
        value = {state: found.get("all", np.mean(list(found.values()))) for state, found in shares.items()}
        known = [at for at, state in enumerate(STATES) if state in value]
        usa = people[known] @ np.array([value[STATES[at]] for at in known]) / people[known].sum()
        at = hot_deck.FEATURES.index(feature)
        for place in known:
            if not held_out(f"us_state_health/{STATES[place]}/{measure}"):
                wanted[place, at] = logit(untilted[at]) + logit(value[STATES[place]]) - logit(usa)
    ses = {row["state"]: row for row in rows("us_state_ses")}
    insured = {row["group"]: float(row["share"]) for row in rows("us_insurance")}
    young = places()[:, :, : 65 - 18].sum()
    levels = {"uninsured": insured["18-64"] * young + insured["65+"] * (1 - young), "veteran": None}
    for feature, level in levels.items():
        column = f"pct_{'veterans' if feature == 'veteran' else feature}"
        value = np.array([float(ses[state][column]) / 100 for state in STATES])
        usa = people @ value
        at = hot_deck.FEATURES.index(feature)
        for place, state in enumerate(STATES):
            if not held_out(f"us_state_ses/{state}/{column}"):
                wanted[place, at] = logit(level or usa) + logit(value[place]) - logit(usa)
    return wanted


def fit_tilts(sample: list[tuple[Streams, Sample]]) -> Values:
    """Return the tilts of the donors by state and by labour status."""
    unwell = unwell_by_labour()
    print("unwell by labour status", {name: round(value, 2) for name, value in unwell.items()})
    n_features = len(hot_deck.FEATURES)
    by_state, by_labour = np.zeros((len(STATES), n_features)), np.zeros((len(LABOUR), n_features))
    of = hot_deck.features()

    def means() -> tuple[np.ndarray, np.ndarray]:
        tilts = hot_deck.tilt_factors(by_state, by_labour)
        total, size = np.zeros((len(STATES), n_features)), np.zeros(len(STATES))
        for _, (people, home, work, income) in sample:
            found, weight = hot_deck.shares(people, home, work, income, tilts)
            weight = weight / weight.sum(axis=1, keepdims=True)
            np.add.at(total, people.state, np.einsum("nk,nkf->nf", weight, of[found]))
            size += np.bincount(people.state, minlength=len(STATES))
        return total / size[:, None], total.sum(axis=0) / size.sum()

    _, untilted = means()
    print("untilted", dict(zip(hot_deck.FEATURES, untilted.round(3), strict=True)))
    at_unwell, at_medicare = (hot_deck.FEATURES.index(name) for name in ("unwell", "early_medicare"))
    by_labour[:, at_unwell] = [unwell[status] for status in LABOUR]
    by_labour[:, at_medicare] = [EARLY_MEDICARE.get(status, 0.0) for status in LABOUR]
    wanted, people = state_targets(untilted), places().sum(axis=(1, 2))
    for _ in range(ROUNDS):
        now, national = means()
        step = np.where(np.isnan(wanted), 0.0, wanted - logit(np.clip(now, 1e-4, 1 - 1e-4)))
        usual = (step * people[:, None]).sum(axis=0)
        for at in range(n_features):  # states without a figure of their own follow the country
            missing = np.isnan(wanted[:, at])
            if not missing.all():
                step[missing, at] = usual[at] / people[~missing].sum()
        by_state += step
        for at in (at_unwell, at_medicare):
            by_labour[:, at] += logit(untilted[at]) - logit(national[at])
    print("largest step at the end", abs(step).max().round(4), "national", national.round(3))
    found: Values = []
    for at, name in enumerate(hot_deck.FEATURES):
        for places_of, tilts in ((STATES, by_state), (LABOUR, by_labour)):
            found += [
                ("tilt", name, place, tilts[row, at]) for row, place in enumerate(places_of) if tilts[row, at]
            ]
    return found


def fit_levels(people: People, donor: np.ndarray) -> Values:
    """Return the donors' shares of levels in each cell."""
    table, found = donors(), []
    for name, field in health.ranked().items():
        values = getattr(table, name)[donor]
        cell = field.cell(people)
        counts = np.bincount(cell * field.have_levels + values, minlength=len(field.want) * field.have_levels)
        shares = counts.reshape(len(field.want), -1)
        shares = shares / shares.sum(axis=1, keepdims=True)
        found += [
            ("level", name, f"{at}:{level}", share)
            for at, row in enumerate(shares)
            for level, share in enumerate(row)
        ]
    cell = health.bmi_cell(people)
    bmi = table.bmi[donor] + health.BMI_NOISE * np.random.default_rng(SEED).standard_normal(donor.size)
    at = np.searchsorted(health.BMI_GRID, bmi, side="right")
    width = len(health.BMI_GRID) + 1
    counts = np.bincount(cell * width + at, minlength=health.BMI_CELLS * width).reshape(-1, width)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return found + [
        ("level", "bmi", f"{a}:{b}", share) for a, row in enumerate(shares) for b, share in enumerate(row)
    ]


def drinkers() -> dict[str, np.ndarray]:
    """Return the survey's share of drinkers by level of each term, NaN where it is set aside."""
    order = {
        "age_band": health.PHQ_BANDS,
        "gender": ("male", "female"),
        "ethnicity": (
            "Hispanic or Latino",
            "White, non-Hispanic",
            "Black or African American",
            "Asian",
            "Two or more races",
        ),
        "education": EDUCATION,
        "poverty_ratio": ("under_1", "1_to_2", "2_to_4", "4_plus"),
        "marital_status": ("married_or_partner", "previously_married", "never_married"),
    }
    table = {
        (row["group_by"], row["group"]): float(row["share"])
        for row in rows("us_alcohol_by_ses")
        if row["outcome"] == "past_year_drinker"
        and not held_out(f"us_alcohol_by_ses/past_year_drinker/{row['group_by']}")
    }
    return {
        term: np.array([table.get((term, level), np.nan) for level in levels])
        for term, levels in order.items()
    }


def fit_alcohol(people: People, home: Household, income: Income, donor: np.ndarray) -> Values:
    """Return the effects on drinking, and the scores between its levels by cell."""
    codes = health.alcohol_codes(people, home, income)
    effects = {term: np.zeros(count) for term, count in health.ALCOHOL_TERMS.items()}
    wanted = drinkers()
    used = [term for term, shares in wanted.items() if not np.isnan(shares).any()]
    print("drinking by", used)
    level = 0.0
    for _ in range(40):
        for term in used:
            score = level + health.alcohol_scores(people, home, income, donor, effects)
            share = expit(score)
            now = np.bincount(codes[term], weights=share, minlength=effects[term].size) / np.bincount(
                codes[term], minlength=effects[term].size
            )
            effects[term] = effects[term] + logit(wanted[term]) - logit(now)
    for term in used:
        effects[term] -= effects[term].mean()
    found: Values = [
        ("alcohol", term, str(at), value)
        for term, values in effects.items()
        for at, value in enumerate(np.round(values, 4))
    ]
    score = health.alcohol_scores(people, home, income, donor, effects)
    score = score + np.random.default_rng(SEED).logistic(size=score.size)
    cell = cell_of(people, health.SMOKING_BANDS)
    for at, shares in enumerate(health.alcohol_shares()):
        cuts = np.quantile(score[cell == at], np.cumsum(shares)[:-1])
        found += [("cut", "alcohol", f"{at}:{level}", cut) for level, cut in enumerate(cuts)]
    return found


Shares = dict[str, dict[str, tuple[float, float]]]


def published() -> dict[tuple[str, str, str], Shares]:
    """Return shares and standard errors: (table, outcome, level) -> grouping -> group."""
    found: dict[tuple[str, str, str], Shares] = {}
    for name in ("us_health_by_ses", "us_condition_by_ses", "us_drug_class_by_ses"):
        for row in rows(name):
            known = row["group_by"] in gradients.GROUPINGS and row["share"]
            if not known or int(row["n_unweighted"]) < FEWEST:
                continue
            if not held_out(f"{name}/{row['outcome']}/{row['group_by']}"):
                groups = found.setdefault((name, row["outcome"], row["level"]), {})
                groups.setdefault(row["group_by"], {})[row["group"]] = (
                    float(row["share"]),
                    float(row["se"] or 0),
                )
    return found


def logits(share: np.ndarray) -> np.ndarray:
    """Return log odds of shares that may be 0 or 1."""
    return np.asarray(logit(np.clip(share, 2e-4, 1 - 2e-4)))


class Targets:
    """The published groups of one outcome, with the codes of the agents' kinds."""

    def __init__(self, shares: Shares, of: gradients.Kinds) -> None:
        self.codes, self.wanted, self.trust = {}, {}, {}
        for grouping, groups in shares.items():
            names = gradients.GROUPINGS[grouping]
            share, error = np.array([groups.get(name, (np.nan, np.nan)) for name in names]).T
            self.codes[grouping] = of.of(grouping)
            self.wanted[grouping] = share
            spread = error / np.clip(share * (1 - share), 1e-4, None)
            self.trust[grouping] = SPREAD**2 / (SPREAD**2 + spread**2)

    def aligned(self, grouping: str, now: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Return log odds wanted by group: published ones, moved to the level of the groups together."""
        share, found = self.wanted[grouping], np.full(now.size, np.nan)
        blocks = 3 if grouping.startswith("age3") else 1  # ages keep their own levels
        for inside in np.array_split(np.arange(now.size), blocks):
            known = inside[~np.isnan(share[inside]) & (size[inside] > 0)]
            if known.size > 1:
                level = np.average(now[known], weights=size[known])
                low, high = -12.0, 12.0
                for _ in range(50):
                    middle = (low + high) / 2
                    mean = np.average(expit(logits(share[known]) + middle), weights=size[known])
                    low, high = (middle, high) if mean < level else (low, middle)
                found[known] = logits(share[known]) + middle
        return found


def fit_shift(
    targets: Targets, size: np.ndarray, evaluate: Callable[[np.ndarray], np.ndarray], sign: float = 1.0
) -> dict[str, np.ndarray]:
    """Return what to add to log odds, by grouping, so that groups get their published shares.

    Parameters
    ----------
    targets : Targets
    size : array (kinds,)
        Number of agents of each kind.
    evaluate : callable
        Expected number with the outcome by kind, given the log odds to add by kind.
    sign : float
        -1 if adding to the log odds makes the outcome rarer.
    """
    shift = {grouping: np.zeros(shares.size) for grouping, shares in targets.wanted.items()}
    total = np.zeros(size.size)
    first: dict[str, np.ndarray] = {}
    for _ in range(SHIFT_ROUNDS):
        for grouping, codes in targets.codes.items():
            groups = shift[grouping].size
            people = np.bincount(codes, weights=size, minlength=groups)
            now = np.bincount(codes, weights=evaluate(total), minlength=groups) / np.maximum(people, 1)
            first.setdefault(grouping, now)
            wanted = targets.aligned(grouping, now, people)
            trust = targets.trust[grouping]
            start = logits(first[grouping])
            goal = np.where(
                np.isnan(wanted), logits(now), trust * wanted + (1 - trust) * (start + 0 * wanted)
            )
            step = sign * np.clip(np.nan_to_num(goal - logits(now)), -1.5, 1.5)
            shift[grouping] = np.clip(shift[grouping] + 0.8 * step, -5, 5)
            total = sum(shift[name][targets.codes[name]] for name in shift)
    return shift


class Crowd:
    """The agents of the sample, counted by kind."""

    def __init__(self, of: gradients.Kinds) -> None:
        shape = (10, 400, 4, 5)
        flat = np.ravel_multi_index((of.cell, of.background, of.poverty_ratio, of.insurance), shape)
        used, self.kind = np.unique(flat, return_inverse=True)
        first = np.zeros(used.size, dtype=np.int64)
        first[self.kind] = np.arange(flat.size)
        self.size = np.bincount(self.kind).astype(float)
        self.everybody = of
        self.of = gradients.Kinds(*(getattr(of, field.name)[first] for field in fields(of)))

    def counted(self, flags: np.ndarray) -> np.ndarray:
        """Return the number of agents with a flag, by kind."""
        return np.bincount(self.kind, weights=flags, minlength=self.size.size)

    def fit_have(self, with_it: np.ndarray) -> dict[str, np.ndarray]:
        """Return the main effects, in log odds, of what the matching gives."""
        columns = [(term, level) for term, count in gradients.HAVE_TERMS.items() for level in range(count)]
        design = np.stack([getattr(self.of, term) == level for term, level in columns], axis=1).astype(float)
        ridge = np.array([0.01 if term == "cell" else 2.0 for term, _ in columns])
        values = np.zeros(len(columns))
        values[: gradients.HAVE_TERMS["cell"]] = logits(np.array([with_it.sum() / self.size.sum()]))
        for _ in range(25):
            share = expit(design @ values)
            slope = design.T @ (with_it - self.size * share) - ridge * values
            bend = (design * (self.size * share * (1 - share))[:, None]).T @ design + np.diag(ridge)
            values = np.clip(values + np.clip(np.linalg.solve(bend, slope), -2, 2), -8, 8)
        found = {term: np.zeros(count) for term, count in gradients.HAVE_TERMS.items()}
        for (term, level), value in zip(columns, values, strict=True):
            found[term][level] = value
        return found


def as_values(kind: str, effects: dict[str, np.ndarray]) -> Values:
    """Return effects by term as rows of the table, without zeros."""
    return [
        (kind, term, str(at), v)
        for term, values in effects.items()
        for at, v in enumerate(np.round(values, 4))
        if v
    ]


def fit_flag(
    crowd: Crowd,
    outcome: str,
    flags: np.ndarray,
    wanted: np.ndarray,
    shares: Shares,
) -> Values:
    """Return the models of one condition or medicine.

    Parameters
    ----------
    flags : array (agents,)
        What the matching gives.
    wanted : array (cells,)
        Published shares by sex and phase of life.
    shares : mapping
        Published shares and errors by grouping and group.
    """
    with_it = crowd.counted(flags)
    have = crowd.fit_have(with_it)
    odds = sum(have[term][getattr(crowd.of, term)] for term in have)
    targets = Targets(shares, crowd.of)
    level = np.zeros(wanted.size)
    of_cell = np.bincount(crowd.of.cell, weights=crowd.size, minlength=wanted.size)

    def evaluate(shift: np.ndarray) -> np.ndarray:
        nonlocal level
        for _ in range(2):
            both = odds, odds + shift + level[crowd.of.cell]
            one = np.ones(odds.size, dtype=bool)
            kept = with_it * np.exp(-gradients.hazards(one, *both))
            gained = (crowd.size - with_it) * -np.expm1(-gradients.hazards(~one, *both))
            now = np.bincount(crowd.of.cell, weights=kept + gained, minlength=wanted.size) / of_cell
            level = np.clip(level + logits(wanted) - logits(now), -14, 14)
        return np.asarray(kept + gained)

    shift = fit_shift(targets, crowd.size, evaluate)
    return as_values(f"have {outcome}", have) + as_values(f"shift {outcome}", {**shift, "cell": level})


def fit_mood(
    crowd: Crowd, cell: np.ndarray, rank: np.ndarray, part: np.ndarray, shares: Shares, weight: np.ndarray
) -> Any:
    """Return the shifts of the PHQ-9 by grouping and by BMI class, and the quantiles of the moved ranks.

    ``weight`` is the BMI class of each agent; the published shares by class are at 10 points or more.
    """
    logs = logit(np.clip(rank, 1e-6, 1 - 1e-6))
    groups = [np.flatnonzero(cell == number) for number in range(part.size)]
    by_class = np.zeros(len(health.BMI_CLASSES))
    for row in rows("us_phq9_by_bmi_class"):
        if health.PHQ_CLASSES.index(row["phq9_severity"]) > 1:
            by_class[health.BMI_CLASSES.index(row["bmi_class"])] += float(row["share"])
    size = np.bincount(weight, minlength=by_class.size)
    more = np.zeros(by_class.size)

    def flagged(shift: np.ndarray) -> np.ndarray:
        moved = logs + shift[crowd.kind] + more[weight]
        flags = np.zeros(logs.size)
        for share, inside in zip(part, groups, strict=True):
            flags[inside] = moved[inside] >= np.quantile(moved[inside], 1 - share)
        return flags

    def evaluate(shift: np.ndarray) -> np.ndarray:
        nonlocal more
        flags = flagged(shift)
        now = np.bincount(weight, weights=flags, minlength=size.size) / size
        level = logits(np.array([flags.mean()])) - logits(np.array([by_class @ size / size.sum()]))
        more = np.clip(more + 0.3 * (logits(by_class) + level - logits(now)), -3, 3)
        return crowd.counted(flags)

    shift = fit_shift(Targets(shares, crowd.of), crowd.size, evaluate)
    more = np.round(more, 4)
    logs = logs + more[weight]
    logs += sum(np.round(values, 4)[crowd.of.of(grouping)] for grouping, values in shift.items())[crowd.kind]
    return shift, more, [np.quantile(logs[inside], health.LEANING_GRID) for inside in groups]


def fit_rank(
    crowd: Crowd, cell: np.ndarray, rank: np.ndarray, part: np.ndarray, shares: Shares, *, up: bool
) -> Any:
    """Return the shift of a ranked field by grouping, and the quantiles of the moved ranks by cell.

    Parameters
    ----------
    cell, rank : array (agents,)
        Cell, and rank in it from 0 to 1.
    part : array (cells,)
        Published share that the groupings are about, at the upper or the lower end of the ranks.
    """
    logs = logit(np.clip(rank, 1e-6, 1 - 1e-6))
    groups = [np.flatnonzero(cell == number) for number in range(part.size)]

    def evaluate(shift: np.ndarray) -> np.ndarray:
        moved = logs + shift[crowd.kind]
        flags = np.zeros(logs.size)
        for share, inside in zip(part, groups, strict=True):
            cut = np.quantile(moved[inside], 1 - share if up else share)
            flags[inside] = moved[inside] >= cut if up else moved[inside] < cut
        return crowd.counted(flags)

    shift = fit_shift(Targets(shares, crowd.of), crowd.size, evaluate, 1.0 if up else -1.0)
    logs += sum(np.round(values, 4)[crowd.of.of(grouping)] for grouping, values in shift.items())[crowd.kind]
    return shift, [np.quantile(logs[inside], health.LEANING_GRID) for inside in groups]


def fit_leaning(crowd: Crowd, people: People, donor: np.ndarray, tables: Any, found: Values) -> np.ndarray:
    """Add the shifts of the ranked fields and the quantiles of the moved ranks; return BMIs in tenths."""
    rng = np.random.default_rng(SEED + 2)
    table, bmi = donors(), np.zeros(0)
    for name, (source, outcome, level, bound) in LEANING.items():
        up, shares = bound > 0, tables[source, outcome, level]
        if name == "bmi":
            cell, part = health.bmi_cell(people), health.bmi_shares()[:, bound:].sum(axis=1)
            rank = health.bmi_ranks(rng, people, table.bmi[donor])
        else:
            field = health.ranked()[name]
            cell = field.cell(people)
            rank = health.ranks(rng, name, people, getattr(table, name)[donor])
            part = (field.want[:, bound:] if up else field.want[:, :-bound]).sum(axis=1)
        if name == "phq9":
            weight = health.bmi_class(bmi)
            shift, more, quantiles = fit_mood(crowd, cell, rank, part, shares, weight)
            found += [("mood", "bmi_class", str(at), value) for at, value in enumerate(more)]
        else:
            shift, quantiles = fit_rank(crowd, cell, rank, part, shares, up=up)
        found += as_values(f"shift {name}", shift)
        for number, row in enumerate(quantiles):
            found += [("leaning", name, f"{number}:{at}", value) for at, value in enumerate(row)]
        if name == "bmi":
            write(found)
            bmi = health.moved_bmi(np.random.default_rng(SEED + 3), people, table.bmi[donor], crowd.everybody)
        print("leaning", name)
    return bmi


def in_phases(shares: np.ndarray, bands: tuple[str, ...]) -> np.ndarray:
    """Return shares by (sex and phase of life) from shares by (sex and band)."""
    years = expected_people().sum(axis=(2, 3))
    single = shares.reshape(2, len(bands))[:, band_codes(bands)]
    phase = band_codes(gradients.PHASES)
    sums = np.stack([np.bincount(phase, weights=row) for row in years * single])
    return np.asarray((sums / np.stack([np.bincount(phase, weights=row) for row in years])).ravel())


def pressures(cell: np.ndarray, has: np.ndarray, hazard: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the pressure of each cell under which a share of its agents comes to have something."""
    size = np.maximum(np.bincount(cell, minlength=wanted.size), 1)

    def share(of: np.ndarray) -> np.ndarray:
        return np.bincount(cell, weights=of, minlength=wanted.size) / size

    now = share(has)
    low, high = np.full(wanted.size, -FURTHEST), np.full(wanted.size, FURTHEST)
    for _ in range(60):
        middle = (low + high) / 2
        factor = np.exp(np.where(has, -middle[cell], middle[cell]))
        moved = -np.expm1(-factor * hazard)
        after = now + share(~has * moved) - share(has * moved)
        low, high = np.where(after > wanted, low, middle), np.where(after > wanted, middle, high)
    return np.asarray(np.exp((low + high) / 2))


def fit_conditions(
    people: People,
    crowd: Crowd,
    of: gradients.Kinds,
    donor: np.ndarray,
    obese: np.ndarray,
    tables: Any,
    found: Values,
) -> np.ndarray:
    """Add the models and pressures of the conditions to the values; return the settled conditions."""
    table, names = donors(), health_conditions.CONDITIONS
    has = health_conditions.unpacked(table.conditions[donor], len(names))
    takes = health_conditions.unpacked(table.drug_classes[donor], len(health_conditions.DRUG_CLASSES))
    has[names.index("obesity")] = obese
    cell = cell_of(people, health_conditions.CELL_BANDS)
    prevalence = health_conditions.prevalence()
    for name in health_conditions.ORDER:
        wanted = in_phases(prevalence[names.index(name)], health_conditions.CELL_BANDS)
        shares = tables.get(("us_condition_by_ses", f"condition:{name}", "yes"), {})
        found += fit_flag(crowd, f"condition:{name}", has[names.index(name)], wanted, shares)
    write(found)
    rng = np.random.default_rng(SEED)
    for name in health_conditions.ORDER:
        at = names.index(name)
        hazard = health_conditions.risks(name, has, takes, of)
        pressure = pressures(cell, has[at], hazard, prevalence[at])
        before = has[at].mean()
        health_conditions.settle(name, health_conditions.changed(rng, has[at], hazard, pressure[cell]), has)
        print(f"{name:22} donors {before:.4f} settled {has[at].mean():.4f}")
        found += [
            ("pressure", f"condition:{name}", str(place), value) for place, value in enumerate(pressure)
        ]
    return has


def fit_medicines(
    people: People,
    crowd: Crowd,
    of: gradients.Kinds,
    donor: np.ndarray,
    has: np.ndarray,
    bmi: np.ndarray,
    tables: Any,
    found: Values,
) -> None:
    """Add the models and pressures of the medicines to the values."""
    names = health_conditions.DRUG_CLASSES
    takes = medicines.begin(donor, has)
    cell, wide = cell_of(people, health.BMI_BANDS), cell_of(people, medicines.GLP1_BANDS)
    for at, drug in enumerate(names):
        never = medicines.forbidden(drug, people)
        if never is not None:
            takes[at] &= ~never
        if drug != medicines.GLP1:
            shares = tables.get(("us_drug_class_by_ses", f"drug_class:{drug}", "yes"), {})
            wanted = in_phases(medicines.targets(drug), health.BMI_BANDS)
            found += fit_flag(crowd, f"drug_class:{drug}", takes[at], wanted, shares)
    write(found)
    rng = np.random.default_rng(SEED + 1)
    for at, drug in enumerate(names):
        never = medicines.forbidden(drug, people)
        if drug == medicines.GLP1:
            low, high = 0.5, 30.0
            either = (
                has[health_conditions.CONDITIONS.index("diabetes_t2")]
                | has[health_conditions.CONDITIONS.index("diabetes_t1")]
            )
            for _ in range(25):
                middle = (low + high) / 2
                hazard = medicines.glp1_risk(has, bmi, middle)
                pressure = pressures(wide, takes[at], hazard, medicines.glp1_shares().ravel())
                users = -np.expm1(-pressure[wide] * hazard)
                low, high = (
                    (low, middle)
                    if users[either].mean() > medicines.glp1_given_diabetes()
                    else (middle, high)
                )
            found.append(("glp1", "with_diabetes", "", middle))
            place_of = wide
        else:
            hazard, place_of = medicines.risks(drug, has, takes, of), cell
            if never is not None:
                hazard = np.where(never, 0.0, hazard)
            pressure = pressures(cell, takes[at], hazard, medicines.targets(drug))
        before = takes[at].mean()
        takes[at] = health_conditions.changed(rng, takes[at], hazard, pressure[place_of])
        print(f"{drug:26} donors {before:.4f} settled {takes[at].mean():.4f}")
        found += [
            ("pressure", f"drug_class:{drug}", str(place), value) for place, value in enumerate(pressure)
        ]


def main() -> None:
    """Fit everything, one step after the other."""
    tables = published()
    sample = drawn(BLOCKS)
    found = fit_tilts(sample[:OF_TILTS])
    write(found)
    donor = np.concatenate([hot_deck.draw_donors(streams, *parts) for streams, parts in sample])
    people, home, _, income = (joined([parts[at] for _, parts in sample]) for at in range(4))
    of = gradients.kinds(people, home, income, donor)
    crowd = Crowd(of)
    print(f"{crowd.size.size:,} kinds of people")
    found += fit_levels(people, donor)
    found += fit_alcohol(people, home, income, donor)
    write(found)
    bmi = fit_leaning(crowd, people, donor, tables, found)
    write(found)
    has = fit_conditions(people, crowd, of, donor, bmi >= 300, tables, found)
    fit_medicines(people, crowd, of, donor, has, bmi, tables, found)
    write(found)


if __name__ == "__main__":
    main()
