"""Health of agents outside the USA, limited to the figures of ``intl_health.csv``.

There are four figures: current smoking by sex, and obesity, diabetes and hypertension among adults. A profile
therefore has ``smoking_status`` "current" or no value (former smoking is unknown), the conditions
``obesity``, ``diabetes_t2`` (the figures do not distinguish types; most diabetes is type 2) and
``hypertension``, and nothing else: no medicines, body mass index, PHQ-9 or habits.

The pattern by age and sex is that of the USA, shifted to reproduce the country's figure. The measures are
drawn independently because no joint figures are available.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from voxpop.population import draw
from voxpop.population.countries import ABROAD, ISO
from voxpop.population.demographics import People, cell_of
from voxpop.population.health import ASSIGNED_SHARE, BMI_BANDS, SMOKING, SMOKING_BANDS
from voxpop.population.health_conditions import CONDITIONS
from voxpop.population.reference import GENDERS, Floats, rows

Codes = npt.NDArray[np.int16]

METHOD_VERSION = "margins-only-1"
CALIBRATION_VERSION = "unverified-1"

MEASURES = {"obesity": "obesity_bmi30", "diabetes_t2": "diabetes", "hypertension": "hypertension"}
"""Condition of the vocabulary -> measure in the table."""

_CURRENT = SMOKING.index("current")


@dataclass(frozen=True, slots=True)
class HealthAbroad:
    """Health of the agents at ``positions``: flags (agent, condition of the vocabulary), smoking codes."""

    positions: npt.NDArray[np.int64]
    conditions: npt.NDArray[np.bool_]
    smoking: Codes


def sources() -> dict[str, str]:
    """Return the source of the health figures by country."""
    named = {row["country"]: row["source"] for row in rows("intl_health")}
    return {
        country: f"simulated from national figures that are not verified: {named[iso]}"
        for country, iso in ISO.items()
    }


def published(measure: str) -> Floats:
    """Return a measure by country, 0 to 1."""
    found = {
        row["country"]: float(row["value_pct"]) for row in rows("intl_health") if row["measure"] == measure
    }
    return np.array([found[iso] / 100 for iso in ISO.values()])


def _pattern(condition: str) -> Floats:
    """Return the prevalence of a condition in the USA by (sex, band of :data:`BMI_BANDS`)."""
    found = np.zeros((2, len(BMI_BANDS)))
    if condition == "obesity":
        for row in rows("us_bmi_class"):
            if (
                row["gender"] in GENDERS
                and row["age_band"] in BMI_BANDS
                and row["bmi_class"].startswith("obese")
            ):
                found[GENDERS.index(row["gender"]), BMI_BANDS.index(row["age_band"])] += float(row["share"])
        return found
    for row in rows("us_condition_nhanes_1718"):
        if (row["condition"], row["measure"]) != (condition, "self_reported_diagnosis"):
            continue
        if row["gender"] in GENDERS and row["age_band"] in BMI_BANDS:
            at = GENDERS.index(row["gender"]), BMI_BANDS.index(row["age_band"])
            found[at] = max(float(row["share"]), 0.003)  # zero cases in a small cell do not mean never
    return found


def _smoking_pattern() -> Floats:
    """Return current smoking in the USA by (sex, band of :data:`SMOKING_BANDS`)."""
    found = np.zeros((2, len(SMOKING_BANDS)))
    for row in rows("us_smoking"):
        if row["gender"] in GENDERS and row["age_band"] in SMOKING_BANDS:
            found[GENDERS.index(row["gender"]), SMOKING_BANDS.index(row["age_band"])] = float(
                row["share_current"]
            )
    return found


def shifted(pattern: Floats, counts: Floats, wanted: Floats) -> Floats:
    """Return a pattern of shares, shifted in log odds per row until its mean equals the target.

    Parameters
    ----------
    pattern : array (cells,)
        Shares between 0 and 1.
    counts : array (rows, cells)
        Number of agents in each cell.
    wanted : array (rows,)

    Examples
    --------
    >>> shifted(np.array([0.2, 0.4]), np.array([[10.0, 10.0]]), np.array([0.3])).round(2)
    array([[0.2, 0.4]])
    """
    total = np.maximum(counts.sum(axis=1), 1.0)

    def above(shift: Floats) -> Floats:
        return np.asarray((counts * expit(logit(pattern) + shift[:, None])).sum(axis=1) / total - wanted)

    shift = draw.solve(above, np.full(wanted.size, -12.0), np.full(wanted.size, 12.0))
    return np.asarray(expit(logit(pattern) + shift[:, None]))


def draw_health_abroad(seed: int, country: Codes, people: People) -> HealthAbroad:
    """Choose the agents with health data, the same share as in the USA, and draw the known fields."""
    rng = draw.generator(seed, 20)
    at = np.flatnonzero(
        draw.levels(rng, country, np.tile([1 - ASSIGNED_SHARE, ASSIGNED_SHARE], (len(ABROAD), 1)))
    )
    of = country[at]
    cell = cell_of(people, BMI_BANDS)[at]
    width = 2 * len(BMI_BANDS)
    both = of * np.int16(width) + cell
    counts = np.bincount(both, minlength=len(ABROAD) * width).reshape(len(ABROAD), width).astype(float)
    flags = np.zeros((at.size, len(CONDITIONS)), dtype=bool)
    for stage, (condition, measure) in enumerate(MEASURES.items(), start=21):
        shares = shifted(_pattern(condition).ravel(), counts, published(measure)).ravel()
        drawn = draw.levels(draw.generator(seed, stage), both, np.stack([1 - shares, shares], axis=1))
        flags[:, CONDITIONS.index(condition)] = drawn
    return HealthAbroad(at, flags, _draw_smoking(seed, of, cell_of(people, SMOKING_BANDS)[at]))


def _draw_smoking(seed: int, country: Codes, cell: Codes) -> Codes:
    bands = len(SMOKING_BANDS)
    both = country * np.int16(2 * bands) + cell
    counts = np.bincount(both, minlength=len(ABROAD) * 2 * bands).reshape(len(ABROAD), 2, bands).astype(float)
    pattern, shares = _smoking_pattern(), np.zeros_like(counts)
    for sex, gender in enumerate(GENDERS):
        wanted = published(f"current_smoking_{gender}")
        shares[:, sex] = shifted(pattern[sex], counts[:, sex], wanted)
    parts = np.stack([1 - shares.ravel(), shares.ravel()], axis=1)
    smokes = draw.levels(draw.generator(seed, 30), both, parts)
    return np.where(smokes == 1, _CURRENT, -1).astype(np.int16)
