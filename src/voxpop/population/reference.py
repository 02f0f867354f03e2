"""The reference figures behind a population, read from the packaged CSV files.

Every row has its own ``source``, ``year`` and ``verified``. Files whose names end in ``_assumed`` hold
assumptions of this project, never published figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voxpop.text_files import rows_of
from voxpop.vocabulary import name_lists

POPULATION_VERSION = "2026.6"
"""Version of the figures and the method. Any change to them changes it, and with it the cache file."""

SOURCE = "simulated from public US figures: NHANES 2017-2018 and 2021-2023, NHIS, BRFSS, KFF, NCHS"
METHOD_VERSION = "hot-deck-1"
CALIBRATION_VERSION = "joint-1"
REFERENCE_VERSION = "2026-11-22"

TABLES = Path(__file__).with_name("reference")
"""Folder of the reference tables, which a wheel contains as one packed file (:mod:`voxpop.text_files`)."""

PROFILE_PROVENANCE = (
    "simulated from public figures of the country on population and work; income_quintile by definition; "
    f"reference {REFERENCE_VERSION}"
)
"""Provenance of the fields outside the health profile, for countries without their own text."""
PROFILE_PROVENANCE_USA = (
    "simulated from public US figures: Census and ACS, BLS and CPS, CPS ASEC 2013-2015 (household), NHANES "
    "2017-2018 (insurance, veteran, born_in_country, poverty_ratio), GSS 2016-2018 (religion, party_id, "
    f"ideology, housing_tenure); reference {REFERENCE_VERSION}"
)

GENDERS = ("male", "female")
"""The two genders of the published figures; no agent is ``non_binary``, for lack of figures."""

MIN_AGE, MAX_AGE = 18, 99
AGES = np.arange(MIN_AGE, MAX_AGE + 1)

Row = Mapping[str, str]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def name_of(seed: int, size: int) -> str:
    """Return the name of a population of the current version: version, seed and size.

    Examples
    --------
    >>> name_of(7, 100_000).removeprefix(POPULATION_VERSION)
    '-7-100000'
    """
    return f"{POPULATION_VERSION}-{seed}-{size}"


def family_of(seed: int) -> str:
    """Return the name that populations of all sizes share: version and seed."""
    return f"{POPULATION_VERSION}-{seed}"


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a reference table, as strings by column.

    Parameters
    ----------
    name : str
        File name without ``.csv``.

    Examples
    --------
    >>> rows("us_urban_rural")[0]["area"]
    'urban'
    """
    if name in name_lists.LISTS:
        return name_lists.rows(name)
    return rows_of(TABLES / f"{name}.csv")


@cache
def band(text: str) -> tuple[int, int]:
    """Return the first and last age of a band; open bands end at the maximum age of a population.

    Examples
    --------
    >>> band("25-34"), band("75+"), band("65plus")
    ((25, 34), (75, 99), (65, 99))
    """
    cleaned = text.removeprefix("age").replace("_", "-").replace("plus", "+")
    if cleaned.endswith("+"):
        return int(cleaned[:-1]), MAX_AGE
    first, last = cleaned.split("-")
    return int(first), int(last)


def in_band(text: str) -> npt.NDArray[np.bool_]:
    """Return a mask of the single years of age (from 18) in a band."""
    first, last = band(text)
    return (first <= AGES) & (last >= AGES)


def band_codes(texts: Sequence[str]) -> Ints:
    """Return the band index per single year of age from 18; younger ages belong to the first band."""
    starts = [max(band(text)[0], MIN_AGE) for text in texts]
    return np.maximum(np.searchsorted(np.array(starts), AGES, side="right") - 1, 0)


def by_age(name: str, key: str, levels: Sequence[str], value: str = "share") -> Floats:
    """Return shares as an array (gender, single year of age, level) from a table of bands.

    Ages below the first band get the figures of the first band. Rows for ``all`` genders and for all adults
    are ignored; each distribution is normalized to sum to 1.
    """
    shares = np.zeros((2, AGES.size, len(levels)))
    bands = sorted({row["age_band"] for row in rows(name)} - {"18+", "20+"}, key=lambda text: band(text)[0])
    codes = band_codes(bands)
    for row in rows(name):
        if row["age_band"] in bands and row["gender"] in GENDERS and row[key] in levels:
            at = codes == bands.index(row["age_band"])
            shares[GENDERS.index(row["gender"]), at, levels.index(row[key])] += float(row[value])
    return np.asarray(shares / shares.sum(axis=2, keepdims=True))
