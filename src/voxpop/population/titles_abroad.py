"""Job titles of employed agents outside the USA, with the same list of titles in every block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voxpop.population.countries import PeopleAbroad
from voxpop.population.draw import Streams
from voxpop.population.employment import Work
from voxpop.population.picking import Table
from voxpop.population.titles import RANKED, TITLE_AGES, families, variants

Codes = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class _Titles:
    """All titles, and the way to the code of one of them.

    Attributes
    ----------
    first, sizes : array (occupation,)
        First variant of each occupation among all variants, and their number.
    family : array (occupation,)
        Family of patterns.
    bare : array (family,)
        Pattern that leaves a title as it is.
    plain : array (variant,)
        Whether a title says a rank itself.
    code : array (variant, pattern)
        Index into the titles.
    """

    first: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    family: Codes
    bare: Codes
    plain: npt.NDArray[np.bool_]
    code: npt.NDArray[np.int32]
    titles: tuple[str, ...]
    ranks: Table


@cache
def _titles() -> _Titles:
    names = variants(abroad=True)
    family, patterns, shares = families()
    width = max(map(len, patterns))
    table = np.zeros((len(patterns), len(TITLE_AGES), width))
    for number, part in enumerate(shares):
        table[number, :, : part.shape[1]] = part
    sizes = np.array([len(each) for each in names])
    flat = [(title, family[job]) for job, each in enumerate(names) for title in each]
    known: dict[str, int] = {}
    code = np.zeros((len(flat), width), dtype=np.int32)
    bare = np.array([words.index("{t}") for words in patterns], dtype=np.int16)
    plain = np.array([bool(RANKED.search(title)) for title, _ in flat])
    for at, (title, of) in enumerate(flat):
        for rank, pattern in enumerate(patterns[of]):
            if table[of, :, rank].any() and (rank == bare[of] or not plain[at]):
                code[at, rank] = known.setdefault(pattern.replace("{t}", title), len(known))
    return _Titles(np.cumsum(sizes) - sizes, sizes, family, bare, plain, code, tuple(known), Table.of(table))


def draw_titles_abroad(
    streams: Streams, people: PeopleAbroad, work: Work
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Draw a title per employed agent of a block (stages 213 and 217), without those that only the USA has.

    Returns
    -------
    codes : array (agents,)
        Index of the title; -1 for agents without a job.
    titles : tuple of str
        All titles, the same in every block.
    """
    found = _titles()
    at = np.flatnonzero(work.occupation >= 0)
    job = work.occupation[at]
    cell = found.family[job].astype(np.int64) * len(TITLE_AGES) + people.band(TITLE_AGES)[at]
    rank = found.ranks.draw(streams.stage(213), cell)
    # the first variant is the most common one
    which = np.floor(streams.stage(217).random(at.size) ** 1.5 * found.sizes[job]).astype(np.int64)
    variant = found.first[job] + which
    rank = np.where(found.plain[variant], found.bare[found.family[job]], rank)
    codes = np.full(work.occupation.size, -1, dtype=np.int32)
    codes[at] = found.code[variant, rank]
    return codes, found.titles
