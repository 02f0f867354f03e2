"""Job titles of employed agents: a variant of the occupation with a seniority prefix or suffix.

A title fits its holder: nobody is an intern at 60 or a director at 25, seniority comes years after the entry
age of an occupation, and titles that stand for a degree have holders with one. The rules are assumptions
(``us_title_demands_assumed.csv``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import EDUCATION
from voxpop.population.employment import OCCUPATIONS, SOC, Work, entry
from voxpop.population.picking import Table
from voxpop.population.reference import MAX_AGE, MIN_AGE, Floats, band, band_codes, rows

Codes = npt.NDArray[np.int16]

TITLE = 13
"""Stage of the random streams."""

AGES = ("18-21", "22-24", "25-27", "28-29", "30-31", "32-34", "35-39", "40-44", "45+")
"""Age bands of titles; the ages of the rules are first and last ages of bands."""

# Relative odds of the patterns for beginners and for seniors by age band.
_BEGINNING = (3.0, 3.0, 1.5, 1.5, 0.5, 0.5, 0.3, 0.3, 0.0)
_RISING = (0.0, 0.0, 0.6, 0.6, 1.2, 1.2, 1.2, 1.4, 1.4)
_YEARS_TO_RISE = 4
# From this entry age on, people have finished their training when they start.
_TRAINED = 25
# Patterns of the reference table that are not a title of one job, with their replacements.
_REWORDED = {
    "Intern / Trainee": "{t} Intern",
    "Department Chair / Head": "Head {t}",
    "Journeyman / Experienced {t}": "Experienced {t}",
}
_BEGINNERS = re.compile(r"Intern|Junior|Trainee|Student|New Graduate|Apprentice|Assistant")
_LEARNERS = re.compile(r"Intern|Student")
_SENIORS = re.compile(r"Senior|Lead|Principal|Head|Supervisor|Director|Vice President|Experienced")
_ALREADY_RANKED = re.compile(
    r"\b(Senior|Junior|Lead|Leader|Principal|Head|Chief|Supervisor|Director|President|Assistant|Associate|"
    r"Apprentice|Trainee|Intern|Aide|Helper|Owner|Partner|Foreman|Captain|Superintendent|Dean|CEO|COO|"
    r"Executive|Officer|Student|Teaching|Manager|CTO|CMO|CHRO|VP|Journeyman|Master|Provost|Registrar|Founder|"
    r"Fellow|Charge|Sergeant|Lieutenant)\b"
)


class Holders(Protocol):
    """People of whom the draw of titles knows education and age, in the USA or elsewhere."""

    @property
    def education(self) -> Codes:
        """Index into the levels of education."""

    @property
    def year(self) -> Codes:
        """Index of the age among the single years from 18."""


@cache
def variants(*, abroad: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the title variants of each occupation, most common first.

    Abroad, titles of American licences, agencies and schools ("DMV Clerk") are omitted if the occupation has
    others.
    """
    found: dict[str, list[str]] = {}
    for row in (*rows("us_title_variants"), *rows("us_titles_assumed")):
        found.setdefault(row["soc_code"], []).append(row["title_variant"])
    american = {row["title_variant"] for row in rows("us_only_titles_assumed")} if abroad else set()
    kept = {code: [title for title in titles if title not in american] for code, titles in found.items()}
    return tuple(tuple(kept[code] or found[code]) for code in SOC)


def _demands() -> dict[str, tuple[int, int, int]]:
    """Return the minimum education, minimum age and maximum age of titles and patterns that have them."""
    return {
        row["title"]: (
            EDUCATION.index(row["least_education"]) if row["least_education"] else 0,
            int(row["least_age"] or MIN_AGE),
            int(row["most_age"] or MAX_AGE),
        )
        for row in rows("us_title_demands_assumed")
    }


@cache
def _patterns() -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return the patterns of each occupation with their shares."""
    found: dict[str, list[tuple[str, float]]] = {}
    for row in rows("us_title_seniority"):
        pattern = _REWORDED.get(row["title_pattern"], row["title_pattern"])
        for major in row["soc_major_prefixes"].split():
            found.setdefault(major, []).append((pattern, float(row["share"])))
    return tuple(
        tuple((word, part) for word, part in found[code[:2]] if word != "Student {t}" or code[:4] == "25-2")
        for code in SOC
    )


def _wording(names: tuple[str, ...], patterns: tuple[tuple[str, float], ...]) -> list[tuple[str, str, float]]:
    """Return (variant, pattern, share) for every title of an occupation, over all ages.

    The first variant is the most common one. A variant that has a rank already takes no other.
    """
    upto = (np.arange(len(names) + 1) / len(names)) ** (2 / 3)
    found = []
    for name, share in zip(names, np.diff(upto), strict=True):
        if _ALREADY_RANKED.search(name):
            found.append((name, "{t}", float(share)))
        else:
            found.extend((name, word, float(share) * part) for word, part in patterns)
    return found


@cache
def _by_age(pattern: str, least_age: int) -> Floats:
    """Return the relative odds of a pattern by age band in an occupation with an entry age."""
    first = np.array([band(text)[0] for text in AGES])
    if _SENIORS.search(pattern):
        return np.array(_RISING) * (first >= least_age + _YEARS_TO_RISE)
    if _LEARNERS.search(pattern) and least_age >= _TRAINED:
        return np.zeros(len(AGES))
    if _BEGINNERS.search(pattern):
        return np.array(_BEGINNING)
    return np.ones(len(AGES))


@cache
def _table(*, abroad: bool) -> tuple[Table, npt.NDArray[np.int32]]:
    """Return the table of levels by (occupation, age band, education) and the label of each level.

    Returns
    -------
    table : Table
    label : array (occupation, level)
        Index into :func:`labels`.
    """
    demands, code = _demands(), {title: at for at, title in enumerate(labels())}
    worded = [_wording(*each) for each in zip(variants(abroad=abroad), _patterns(), strict=True)]
    width = max(map(len, worded))
    shares = np.zeros((len(OCCUPATIONS), width, len(AGES), len(EDUCATION)))
    label = np.zeros((len(OCCUPATIONS), width), dtype=np.int32)
    ages = np.array([band(text) for text in AGES])
    schooling = np.arange(len(EDUCATION))
    for job, (titles, least_age) in enumerate(zip(worded, entry()[1], strict=True)):
        for level, (name, pattern, share) in enumerate(titles):
            label[job, level] = code[pattern.replace("{t}", name)]
            fitting = share * _by_age(pattern, int(least_age))[:, None] * np.ones(len(EDUCATION))
            for word in {name, pattern} & demands.keys():
                taught, least, most = demands[word]
                fitting *= ((ages[:, 0] >= least) & (ages[:, 1] <= most))[:, None] & (schooling >= taught)
            shares[job, level] = fitting
    return Table.of(np.moveaxis(shares, 1, 3)), label


@cache
def labels() -> tuple[str, ...]:
    """Return every title that an agent of any country can have, which is the same for all populations."""
    found: dict[str, None] = {}
    for abroad in (False, True):
        for names, patterns in zip(variants(abroad=abroad), _patterns(), strict=True):
            for name, pattern, _ in _wording(names, patterns):
                found[pattern.replace("{t}", name)] = None
    return tuple(found)


def draw_titles(
    streams: draw.Streams, people: Holders, work: Work, *, abroad: bool = False
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Draw a title per employed agent; outside the USA without titles that only the USA has.

    Parameters
    ----------
    streams : Streams
        Random streams of the block; stage 13 is used.
    people : Holders
        ``year`` and ``education`` are read; -1 (unknown) rules no title out.
    work : Work
    abroad : bool

    Returns
    -------
    codes : array (agents,)
        Index of the title; -1 for agents without a job.
    titles : tuple of str
        :func:`labels`.
    """
    at = np.flatnonzero(work.occupation >= 0)
    table, label = _table(abroad=abroad)
    job = work.occupation[at].astype(np.int32)
    taught = people.education[at]
    taught = np.where(taught < 0, len(EDUCATION) - 1, taught)
    cell = (job * len(AGES) + band_codes(AGES)[people.year[at]]) * len(EDUCATION) + taught
    level = table.at(streams.stage(TITLE).random(at.size), cell)
    codes = np.full(work.occupation.size, -1, dtype=np.int32)
    codes[at] = label[job, level]
    return codes, labels()
