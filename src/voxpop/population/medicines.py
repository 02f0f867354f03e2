"""Prescription drug classes of the agents, given their conditions, age and sex.

Each class has its indications. In every cell (sex, age band) the number of users equals the published use.
Users are chosen by their conditions, with effects solved so that the share of users among agents with a
condition is the published one. The remainder is the background rate of the cell.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.health import BMI_BANDS
from voxpop.population.health_conditions import CELL_BANDS, CONDITIONS, Layout, survey_total
from voxpop.population.reference import AGES, GENDERS, Floats, Ints, band, in_band, rows
from voxpop.vocabulary.fields import FIELDS

Bools = npt.NDArray[np.bool_]

DRUG_CLASSES = FIELDS["health_drug_classes"].levels

NOT_FROM_SURVEY = {
    "glp1_agonist": "us_drug_class_recent",
    "oral_contraceptive": "women up to 49",
    "alpha_blocker_bph": "men only",
}
"""Drug classes whose use differs from the survey's, with the reason."""

_CONTRACEPTIVE_AGES = (18, 49)
_NOW_OF_EVER = 0.5  # KFF May 2024: 12 % have ever taken a GLP-1 medicine, 6 % take one now
_ROUNDS = 60


def use() -> Floats:
    """Return the published share of users by (class, sex, single year of age)."""
    shares = np.zeros((len(DRUG_CLASSES), 2, AGES.size))
    for row in rows("us_drug_class_use"):
        if row["gender"] in GENDERS and row["age_band"] in BMI_BANDS:
            at = DRUG_CLASSES.index(row["drug_class"]), GENDERS.index(row["gender"])
            shares[(*at, in_band(row["age_band"]))] = float(row["share"])
    male, female = GENDERS.index("male"), GENDERS.index("female")
    shares[DRUG_CLASSES.index("glp1_agonist")] = glp1_use()
    contraceptive = DRUG_CLASSES.index("oral_contraceptive")
    shares[contraceptive, male] = 0.0
    shares[contraceptive, female, _CONTRACEPTIVE_AGES[1] < AGES] = 0.0
    shares[DRUG_CLASSES.index("alpha_blocker_bph"), female] = 0.0
    return shares


def glp1_use() -> Floats:
    """Return the share of current users of a GLP-1 medicine by single year of age, from recent figures.

    The share under 50 is the remainder of the published share of all adults.
    """
    ever = {
        row["group"]: float(row["value_pct"]) / 100
        for row in rows("us_drug_class_recent")
        if row["measure"] == "ever taken"
    }
    people = np.zeros(AGES.size)
    for row in rows("us_age_sex"):
        inside = in_band(f"{row['age_min']}-{row['age_max']}") if row["age_max"] else in_band(row["age_band"])
        people[inside] += float(row["population"]) / inside.sum()
    shares = np.full(AGES.size, np.nan)
    for text in ("50-64", "65+"):
        shares[in_band(text)] = ever[text]
    young = np.isnan(shares)
    rest = ever["adults 18+"] * people.sum() - (shares * people)[~young].sum()
    shares[young] = rest / people[young].sum()
    return shares * _NOW_OF_EVER


def indications() -> dict[str, dict[str, float | None]]:
    """Return the indications of each class, with a share for pairs without a published figure."""
    found: dict[str, dict[str, float | None]] = {name: {} for name in DRUG_CLASSES}
    for row in rows("us_drug_indications_assumed"):
        found[row["drug_class"]][row["condition"]] = float(row["share_using"]) if row["share_using"] else None
    return found


def share_given(drug: str, condition: str, prevalence: float) -> float:
    """Return the published share of users of a class among all agents with a condition.

    If the published share covers people treated for the condition, the others with the condition use the
    class as people without it do.
    """
    for row in rows("us_drug_class_given_condition"):
        if (row["drug_class"], row["condition"], row["age_band"]) == (drug, condition, "18+"):
            with_it, without = (
                float(row["share_using_given_condition"]),
                float(row["share_using_without_condition"]),
            )
            treated = 1.0
            if row["condition_basis"] == "rx_treated" and prevalence > 0:
                treated = min(1.0, survey_total(condition) / prevalence)
            return treated * with_it + (1 - treated) * without
    raise KeyError(f"no share of {drug} users given {condition}")


def _odds(share: Floats) -> Floats:
    safe = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(safe / (1 - safe)))


def solve_effects(counts: Floats, has: Floats, margin: Floats, given: Floats) -> Floats:
    """Return the probability of use by (cell, pattern of conditions).

    Parameters
    ----------
    counts : array (cell, pattern)
        Number of agents.
    has : array (pattern, condition)
        1 if the pattern has the condition.
    margin : array (cell,)
        Target share of users in each cell.
    given : array (condition,)
        Target share of users among the agents with each condition.
    """
    size = np.maximum(counts.sum(axis=1), 1e-9)
    level, effect = _odds(margin), np.zeros(given.size)
    patients = np.maximum(counts.sum(axis=0) @ has, 1e-9)
    for _ in range(_ROUNDS):
        probability = 1 / (1 + np.exp(-(level[:, None] + has @ effect)))
        effect = np.clip(
            effect + _odds(given) - _odds((counts * probability).sum(axis=0) @ has / patients), -8, 12
        )
        probability = 1 / (1 + np.exp(-(level[:, None] + has @ effect)))
        level = np.clip(level + _odds(margin) - _odds((counts * probability).sum(axis=1) / size), -25, 25)
    return 1 / (1 + np.exp(-(level[:, None] + has @ effect)))


def _patterns(number: int) -> Floats:
    """Return the conditions of each pattern; bit j of the pattern is condition j."""
    return ((np.arange(2**number)[:, None] >> np.arange(number)) & 1).astype(float)


def draw_medicines(seed: int, conditions: Bools, ages: npt.NDArray[np.integer], cells_of: Layout) -> Bools:
    """Draw the drug classes.

    Parameters
    ----------
    conditions : array (condition, agent)
        In cell order.
    ages : array (agent,)
        In the same order.

    Returns
    -------
    array (class, agent)
        In the order of ``DRUG_CLASSES`` and of the cells.
    """
    rng = draw.generator(seed, 26)
    bounds = _wide_bounds(cells_of.bounds)
    sizes = np.diff(bounds)
    cell = np.repeat(np.arange(sizes.size, dtype=np.int32), sizes)
    n_bands = len(BMI_BANDS)
    published = use()
    prevalence = conditions.mean(axis=1) if ages.size else np.zeros(len(CONDITIONS))
    takes = np.zeros((len(DRUG_CLASSES), ages.size), dtype=bool)
    for at, (drug, reasons) in enumerate(indications().items()):
        known = [CONDITIONS.index(name) for name in reasons]
        pattern = cell * np.int32(2 ** len(known))
        for bit, condition in enumerate(known):
            pattern += conditions[condition].astype(np.int32) << bit
        counts = (
            np.bincount(pattern, minlength=sizes.size * 2 ** len(known)).reshape(sizes.size, -1).astype(float)
        )
        margin = _margin(published[at], ages, bounds, n_bands)
        given = np.array(
            [
                share
                if share is not None
                else share_given(drug, name, float(prevalence[CONDITIONS.index(name)]))
                for name, share in reasons.items()
            ]
        )
        probability = solve_effects(counts, _patterns(len(known)), margin, given)
        probability[margin == 0] = 0.0
        takes[at] = draw.chosen(rng, pattern, probability.ravel())
    return takes


def _wide_bounds(bounds: Ints) -> Ints:
    """Return the bounds of the wider cells (sex, band of the drug table) within the cell order."""
    first = [
        at for at, text in enumerate(CELL_BANDS) if any(band(text)[0] == band(wide)[0] for wide in BMI_BANDS)
    ]
    starts = bounds[:-1].reshape(2, -1)[:, first].ravel()
    return np.append(starts, bounds[-1])


def _margin(published: Floats, ages: npt.NDArray[np.integer], bounds: Ints, n_bands: int) -> Floats:
    """Return the target share of users in each wide cell, from its actual ages."""
    wanted = np.zeros(bounds.size - 1)
    for number, (first, last) in enumerate(pairwise(bounds)):
        years = np.bincount(ages[first:last] - AGES[0], minlength=AGES.size)
        wanted[number] = published[number // n_bands] @ years / max(last - first, 1)
    return wanted
