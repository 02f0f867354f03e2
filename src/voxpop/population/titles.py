"""Job titles of employed agents: a variant of the occupation with a seniority prefix or suffix."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population import draw
from voxpop.population.demographics import People, band_of
from voxpop.population.employment import SOC, Work
from voxpop.population.reference import Floats, rows

Codes = npt.NDArray[np.int16]

TITLE_AGES = ("18-24", "25-29", "30-39", "40+")
# Patterns of the reference table that are not a title of one job, with their replacements.
_REWORDED = {
    "Intern / Trainee": "{t} Intern",
    "Department Chair / Head": "Head {t}",
    "Journeyman / Experienced {t}": "Experienced {t}",
}
_BEGINNERS = re.compile(r"Intern|Junior|Trainee|Student|New Graduate|Apprentice|Assistant")
_SENIORS = re.compile(r"Senior|Lead|Principal|Head|Supervisor|Director|Vice President|Experienced")
RANKED = re.compile(
    r"\b(Senior|Junior|Lead|Leader|Principal|Head|Chief|Supervisor|Director|President|Assistant|Associate|"
    r"Apprentice|Trainee|Intern|Aide|Helper|Owner|Partner|Foreman|Captain|Superintendent|Dean|CEO|COO|"
    r"Executive|Officer|Student|Teaching|Manager)\b"
)


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


def families() -> tuple[Codes, tuple[tuple[str, ...], ...], list[Floats]]:
    """Return the family of each occupation, the patterns of each family and their shares by age band."""
    names: list[str] = []
    majors: list[list[str]] = []
    patterns: list[list[str]] = []
    shares: list[list[float]] = []
    for row in rows("us_title_seniority"):
        if row["family"] not in names:
            names.append(row["family"])
            majors.append(row["soc_major_prefixes"].split())
            patterns.append([])
            shares.append([])
        patterns[-1].append(_REWORDED.get(row["title_pattern"], row["title_pattern"]))
        shares[-1].append(float(row["share"]))
    family = [next(at for at, codes in enumerate(majors) if code[:2] in codes) for code in SOC]
    tables = []
    for words, parts in zip(patterns, shares, strict=True):
        beginner = np.array(
            [bool(_BEGINNERS.match(word) or word.endswith(("Intern", "Trainee"))) for word in words]
        )
        senior = np.array([bool(_SENIORS.search(word)) for word in words])
        table = np.tile(np.array(parts), (len(TITLE_AGES), 1))
        table *= np.where(beginner, np.array([[3.0], [1.5], [0.0], [0.0]]), 1.0)
        table *= np.where(senior, np.array([[0.0], [0.6], [1.2], [1.4]]), 1.0)
        tables.append(table)
    return np.array(family, dtype=np.int16), tuple(map(tuple, patterns)), tables


def draw_titles(
    seed: int, people: People, work: Work, *, abroad: bool = False
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Draw a title per employed agent; outside the USA without titles that only the USA has.

    Returns
    -------
    codes : array (agents,)
        Index of the title; -1 for agents without a job.
    titles : tuple of str
        Titles in use.
    """
    rng = draw.generator(seed, 13)
    at = np.flatnonzero(work.occupation >= 0)
    job = work.occupation[at]
    family, patterns, shares = families()
    width = max(map(len, patterns))
    table = np.zeros((len(patterns), len(TITLE_AGES), width))
    for number, part in enumerate(shares):
        table[number, :, : part.shape[1]] = part
    cell = family[job] * np.int16(len(TITLE_AGES)) + band_of(people, TITLE_AGES)[at]
    rank = draw.levels(rng, cell, table.reshape(-1, width)).astype(np.int32)

    names = variants(abroad=abroad)
    sizes = np.array([len(each) for each in names])
    first = np.cumsum(sizes) - sizes
    # the first variant is the most common one
    which = np.floor(rng.random(job.size) ** 1.5 * sizes[job]).astype(np.int32)
    plain = np.array([bool(RANKED.search(title)) for each in names for title in each])
    variant = first[job].astype(np.int32) + which
    bare = np.array([words.index("{t}") for words in patterns], dtype=np.int32)
    rank = np.where(plain[variant], bare[family[job]], rank)

    code = variant * np.int32(width) + rank
    used = np.flatnonzero(np.bincount(code, minlength=plain.size * width))
    short = np.zeros(plain.size * width, dtype=np.int32)
    short[used] = np.arange(used.size, dtype=np.int32)
    owner = np.repeat(np.arange(len(names)), sizes)
    flat = [title for each in names for title in each]
    titles = [
        patterns[family[owner[v]]][r].replace("{t}", flat[v])
        for v, r in (divmod(int(c), width) for c in used)
    ]
    # two patterns may result in the same title, which needs one code
    unique = {title: number for number, title in enumerate(dict.fromkeys(titles))}
    merged = np.array([unique[title] for title in titles], dtype=np.int32)
    codes = np.full(work.occupation.size, -1, dtype=np.int32)
    codes[at] = merged[short[code]] if used.size else -1
    return codes, tuple(unique)
