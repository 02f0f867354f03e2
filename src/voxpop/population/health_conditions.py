"""Health conditions of the agents: published prevalences, with co-occurrence from a Gaussian copula.

Every condition has a latent normal value per agent. In each cell (sex, age band) the agents with the highest
values have the condition, as many as its prevalence requires. The correlations of the latent values are
solved so that the odds ratio of each pair, pooled over the cells (Mantel-Haenszel), equals the published one.
``obesity`` is a BMI of 30 or more, so its latent value is the normal score of BMI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from voxpop.population import draw
from voxpop.population.demographics import cell_of, single_years
from voxpop.population.health import BMI_BANDS, BMI_CLASSES, Health
from voxpop.population.reference import AGES, GENDERS, Floats, Ints, Row, band_codes, by_age, in_band, rows
from voxpop.vocabulary.fields import FIELDS

Bools = npt.NDArray[np.bool_]

CONDITIONS = FIELDS["health_conditions"].levels
CELL_BANDS = ("18-24", "25-29", "30-34", "35-39", "40-44", "45-49", "50-59", "60-64", "65-69", "70-74", "75+")

_SURVEY = "us_condition_nhanes_1718"
_DIAGNOSED, _TREATED = "self_reported_diagnosis", "treated_with_rx_past_30d"
_BY_SURVEY = {
    **dict.fromkeys(("hypertension", "high_cholesterol", "diabetes_t2", "diabetes_t1"), _DIAGNOSED),
    **dict.fromkeys(
        ("bipolar", "adhd", "insomnia", "gout", "hypothyroidism", "gerd", "allergic_rhinitis"), _TREATED
    ),
    **dict.fromkeys(("bph", "overactive_bladder", "epilepsy", "glaucoma", "psoriasis"), _TREATED),
}
_ALL_ADULTS = ("18+", "20+", "50+")
# If several definitions are published, use what a person knows, not what a laboratory finds.
_DEFINITION = {"ckd": "told weak or failing kidneys (aware)", "sleep_apnea": "diagnosed, all adults"}
# Published without ages: the age pattern comes from treated or measured cases.
_SHAPED_BY_TREATED = ("heart_failure", "atrial_fibrillation", "ckd")
_SLEEP_APNEA_MEASURED = "moderate to severe, AHI>=15"
_YOUNG_SLEEP_APNEA = 0.3

# Latent variables shared by the conditions and other fields, with assumed correlations.
_DRIVERS = ("bmi", "phq9", "smoking")
_WITH_PHQ9 = {
    "depression": 0.5,
    "anxiety": 0.55,
    "bipolar": 0.35,
    "insomnia": 0.35,
    "chronic_pain": 0.3,
    "adhd": 0.2,
    "migraine": 0.2,
    "sleep_apnea": 0.15,
}
_WITH_SMOKING = {
    "copd": 0.4,
    "chd": 0.15,
    "stroke": 0.12,
    "heart_failure": 0.1,
    "asthma": 0.05,
    "depression": 0.12,
    "anxiety": 0.1,
    "bipolar": 0.15,
    "chronic_pain": 0.1,
}
_BMI_WITH_PHQ9 = 0.05  # implied by the published BMI classes by severity
# Diabetes excludes prediabetes but correlates with obesity too, so the target must be inflated.
_ASKED_FOR = {("obesity", "prediabetes"): 2.6}
_NAMES = (*_DRIVERS, *(name for name in CONDITIONS if name != "obesity"))


@dataclass(frozen=True, slots=True)
class Layout:
    """The agents with health data, ordered by cell (sex, then age band)."""

    order: npt.NDArray[np.integer]
    bounds: Ints


def layout(health: Health) -> Layout:
    """Order the agents with health data by cell."""
    cell = cell_of(health.people, CELL_BANDS)
    sizes = np.bincount(cell, minlength=2 * len(CELL_BANDS))
    return Layout(np.argsort(cell, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]))


def survey(condition: str, measure: str) -> Floats:
    """Return the share with a condition by (sex, single year of age) in the 2017-2018 survey."""
    shares = np.zeros((2, AGES.size))
    for row in rows(_SURVEY):
        bounded = row["gender"] in GENDERS and row["age_band"] != "18+"
        if bounded and row["condition"] == condition and row["measure"] == measure:
            shares[GENDERS.index(row["gender"]), in_band(row["age_band"])] = float(row["share"])
    return shares


def survey_total(condition: str, measure: str = _TREATED) -> float:
    """Return the share of all adults with a condition in the 2017-2018 survey, 0 if unpublished."""
    for row in rows(_SURVEY):
        if (row["condition"], row["measure"], row["age_band"], row["gender"]) == (
            condition,
            measure,
            "18+",
            "all",
        ):
            return float(row["share"])
    return 0.0


def survey_measure(condition: str) -> str | None:
    """Return the measure of the 2017-2018 survey for a condition, or None."""
    return _BY_SURVEY.get(condition)


def definition_of(condition: str, published: str) -> str:
    """Return the definition used for a published condition, or else the given one."""
    return _DEFINITION.get(condition, published)


def published_rows(condition: str) -> list[Row]:
    """Return the published figures used for a condition."""
    return [
        row
        for row in rows("us_condition_published")
        if row["condition"] == condition and row["definition"] == definition_of(condition, row["definition"])
    ]


def precedence(row: Row) -> tuple[bool, bool]:
    """Return the weight of a figure in a contradiction: verified figures first, then figures by age."""
    return row["verified"] == "True", row["age_band"] not in _ALL_ADULTS


def odds_ratios() -> dict[tuple[str, str], tuple[float, str, bool]]:
    """Return the known odds ratio of each pair, its table, and whether it is verified."""
    pairs: dict[tuple[str, str], tuple[float, str, bool]] = {}
    for name, column in (
        ("us_comorbidity_assumed", "odds_ratio"),
        ("us_comorbidity_odds_ratios", "odds_ratio_age_sex_adjusted"),
    ):
        for row in rows(name):
            key = row["condition_a"], row["condition_b"]
            pairs[key] = float(row[column]), name, row["verified"] == "True"
    return pairs


def _rake(shape: Floats, targets: list[tuple[Bools, float]], people: Floats) -> Floats:
    """Scale prevalences by (sex, age) until each published group has its published prevalence."""
    fitted = shape.copy()
    for _ in range(40):
        for region, wanted in targets:
            now = (fitted * people)[region].sum() / people[region].sum()
            if now > 0:
                fitted[region] *= wanted / now
    return np.clip(fitted, 0.0, 0.97)


def _published(condition: str, people: Floats) -> Floats:
    """Return the prevalence by (sex, single year of age) that fits all published groups of a condition."""
    shape, targets = np.ones((2, AGES.size)), []
    if condition in _SHAPED_BY_TREATED:
        shape = survey(condition, _TREATED) + 1e-4
    if condition == "sleep_apnea":
        for row in rows("us_condition_published"):
            if row["definition"] == _SLEEP_APNEA_MEASURED:
                older = in_band(row["age_band"][:2] + "+")
                shape[GENDERS.index(row["gender"]), older] = float(row["prevalence_pct"])
                if row["age_band"].startswith("30"):
                    shape[GENDERS.index(row["gender"]), ~older] = (
                        float(row["prevalence_pct"]) * _YOUNG_SLEEP_APNEA
                    )
    if condition == "osteoporosis":
        shape[:, AGES < 50] = 0.0  # figures begin at 50
    for row in sorted(published_rows(condition), key=precedence):
        region = np.zeros((2, AGES.size), dtype=bool)
        sexes = [GENDERS.index(row["gender"])] if row["gender"] in GENDERS else [0, 1]
        region[sexes] = in_band(row["age_band"])
        targets.append((region, float(row["prevalence_pct"]) / 100))
    return _rake(shape, targets, people)


def prevalence() -> Floats:
    """Return the prevalence of each condition in each cell: (condition, cell)."""
    people = single_years()
    codes = band_codes(CELL_BANDS)
    weight = np.stack([np.bincount(codes, weights=people[sex]) for sex in range(2)])
    table = np.zeros((len(CONDITIONS), 2, len(CELL_BANDS)))
    for at, condition in enumerate(CONDITIONS):
        if condition == "obesity":
            classes = by_age("us_bmi_class", "bmi_class", BMI_CLASSES)
            shares = classes[:, :, BMI_CLASSES.index("obese_1") :].sum(axis=2)
        elif condition in _BY_SURVEY:
            shares = survey(condition, _BY_SURVEY[condition])
        else:
            shares = _published(condition, people)
        if condition == "bph":
            shares[GENDERS.index("female")] = 0.0
        sums = np.stack([np.bincount(codes, weights=(shares * people)[sex]) for sex in range(2)])
        table[at] = sums / weight
    return table.reshape(len(CONDITIONS), -1)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def both_above(first: Floats, second: Floats, rho: Floats) -> Floats:
    """Return the probability that two standard normal values both exceed their thresholds.

    Parameters
    ----------
    first, second : array
        Shares above the thresholds, between 0 and 1.
    rho : array
        Correlation.
    """
    h, k = ndtri(np.clip(first, 1e-9, 1 - 1e-9)), ndtri(np.clip(second, 1e-9, 1 - 1e-9))
    half = np.arcsin(rho)[..., None] / 2
    angle = half * (_NODES + 1)
    h, k = h[..., None], k[..., None]
    inside = np.exp(-(h * h + k * k - 2 * h * k * np.sin(angle)) / (2 * np.cos(angle) ** 2))
    return np.asarray(first * second + (inside * _WEIGHTS).sum(axis=-1) * half[..., 0] / (2 * np.pi))


def latent_correlations(shares: Floats, people: Floats) -> dict[tuple[str, str], float]:
    """Return the latent correlation of each pair with a known odds ratio.

    Parameters
    ----------
    shares : array (condition, cell)
        Prevalences.
    people : array (cell,)
        Number of adults in each cell.
    """
    pairs = {pair: ratio for pair, (ratio, _, _) in odds_ratios().items()}
    wanted = np.log(np.array(list((pairs | _ASKED_FOR).values())))
    first = shares[[CONDITIONS.index(a) for a, _ in pairs]]
    second = shares[[CONDITIONS.index(b) for _, b in pairs]]

    def excess(rho: Floats) -> Floats:
        both = both_above(first, second, np.repeat(rho[:, None], first.shape[1], axis=1))
        agree = (people * both * (1 - first - second + both)).sum(axis=1)
        differ = (people * (first - both) * (second - both)).sum(axis=1)
        return np.asarray(np.log(np.maximum(agree, 1e-30) / np.maximum(differ, 1e-30)) - wanted)

    solved = draw.solve(excess, np.full(wanted.size, -0.9), np.full(wanted.size, 0.97), rounds=30)
    return {pair: float(rho) for pair, rho in zip(pairs, solved, strict=True)}


def loadings(shares: Floats, people: Floats) -> Floats:
    """Return the lower triangle that maps independent normals to the latent values of ``_NAMES``.

    Known correlations are kept as far as a correlation matrix permits; unknown ones follow from the nearest
    such matrix. Values are rounded, so results do not depend on the linear algebra library.
    """
    known = np.zeros((len(_NAMES), len(_NAMES)))
    fixed = np.eye(len(_NAMES), dtype=bool)
    given = latent_correlations(shares, people)
    given["bmi", "phq9"] = _BMI_WITH_PHQ9
    given |= {("phq9", name): rho for name, rho in _WITH_PHQ9.items()}
    given |= {("smoking", name): rho for name, rho in _WITH_SMOKING.items()}
    for (a, b), rho in given.items():
        i, j = _NAMES.index("bmi" if a == "obesity" else a), _NAMES.index("bmi" if b == "obesity" else b)
        known[i, j] = known[j, i] = rho
        fixed[i, j] = fixed[j, i] = True
    fixed[:3, :3] = True
    np.fill_diagonal(known, 1.0)
    matrix = known.copy()
    values, vectors = np.linalg.eigh(matrix)
    for _ in range(150):
        if values[0] > 0.0095:
            break
        matrix = np.where(fixed, known, (vectors * np.maximum(values, 0.01)) @ vectors.T)
        values, vectors = np.linalg.eigh(matrix)
    matrix = (vectors * np.maximum(values, 0.005)) @ vectors.T
    scale = np.sqrt(np.diag(matrix))
    return np.asarray(np.round(np.linalg.cholesky(matrix / scale[:, None] / scale[None, :]), 6))


def _latent(
    seed: int, health: Health, order: npt.NDArray[np.integer], lower: Floats
) -> npt.NDArray[np.float32]:
    """Return the latent values (name, agent) in cell order, drivers first."""
    rng = draw.generator(seed, 24)
    size = order.size
    n_drivers = len(_DRIVERS)
    cell = cell_of(health.people, BMI_BANDS)
    smoking = ndtri(draw.spread(rng, cell, 2 * len(BMI_BANDS), health.smoking + rng.random(size)))
    driver = np.stack([health.bmi_normal, health.phq9_normal, smoking])[:, order]
    noise = np.empty((len(_NAMES), size), dtype=np.float32)
    for at in range(n_drivers):
        rest = driver[at] - sum((lower[at, j] * noise[j] for j in range(at)), np.zeros(1))
        noise[at] = rest / lower[at, at]
    for at in range(n_drivers, len(_NAMES)):
        rng.standard_normal(out=noise[at], dtype=np.float32)
    # from last to first, so that rows can be overwritten; plain sums keep the order fixed
    weights = lower.astype(np.float32)
    scratch = np.empty(size, dtype=np.float32)
    for at in reversed(range(n_drivers, len(_NAMES))):
        noise[at] *= weights[at, at]
        for j in np.flatnonzero(weights[at, :at]):
            noise[at] += np.multiply(noise[j], weights[at, j], out=scratch)
    return noise


def draw_conditions(seed: int, health: Health, cells_of: Layout) -> Bools:
    """Draw the conditions.

    Returns
    -------
    array (condition, agent)
        In the order of ``CONDITIONS`` and of the cells.
    """
    shares = prevalence()
    codes = band_codes(CELL_BANDS)
    people = np.stack([np.bincount(codes, weights=years) for years in single_years()]).ravel().astype(float)
    latent = _latent(seed, health, cells_of.order, loadings(shares, people))
    rng = draw.generator(seed, 25)
    has = np.zeros((len(CONDITIONS), cells_of.order.size), dtype=bool)
    has[CONDITIONS.index("obesity")] = health.bmi_tenths[cells_of.order] >= 300
    diabetes = [CONDITIONS.index(name) for name in ("diabetes_t1", "diabetes_t2", "prediabetes")]
    rest = [CONDITIONS.index(name) for name in CONDITIONS if name != "obesity"]
    for at in [*diabetes, *(at for at in rest if at not in diabetes)]:
        score = latent[_NAMES.index(CONDITIONS[at])]
        if at in diabetes:  # one type of diabetes excludes the others
            score[has[diabetes].any(axis=0)] = -np.inf
        has[at] = draw.highest(rng, score, cells_of.bounds, shares[at])
    return has
