"""The figures of a table: cells, bases, percentages, intervals and moments per column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import Bools
from voxpop.analysis.counter import Counter
from voxpop.analysis.frames import Variable
from voxpop.analysis.sig_test import SigTest
from voxpop.analysis.significance import Rest
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base, shares
from voxpop.stats.intervals import wilson
from voxpop.stats.means import Moments
from voxpop.stats.overlap import Overlap

Floats = npt.NDArray[np.float64]
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its group (an attribute or Total), its level and its letter within the group."""

    group: str
    label: str
    letter: str


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """The columns of an attribute, which are compared with each other.

    Attributes
    ----------
    name, text : str
        The attribute, and its label.
    places : slice
        Positions of its columns in the table.
    shared : array (2, columns, columns), optional
        Unweighted and effective shared bases; None if no agent is in two columns.
    outside : int
        Number of agents that answered the question and are in none of the columns.
    overlaps : pair of Overlap, optional
        Unweighted and weighted overlap of waves, in which the same agents answer again.
    rest : pair of Rest, optional
        The others of the group for each column, with weighted and unweighted moments, if a test needs them.
    """

    name: str
    text: str
    places: slice
    shared: Floats | None
    outside: int
    overlaps: tuple[Overlap, Overlap] | None = None
    rest: tuple[Rest, Rest] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Figures:
    """The figures of a table. An axis of length 3 means unweighted, weighted, effective.

    Attributes
    ----------
    cells, below : arrays (3, rows, columns)
        Counts, and the bases of the percentages.
    bases, missing, unasked : arrays (3, columns)
        Agents that answered, that were asked and did not answer, and that were not asked.
    percent, low, high : arrays (rows, columns)
        Percentages from 0 to 100; NaN if the base is zero.
    squares : array (rows, columns)
        Sums of squared weights of the cells.
    positive : array (columns)
        Number of respondents with a positive weight.
    means, plain : tuples of Moments, optional
        Moments of the columns, weighted and unweighted, if the question is numeric.
    """

    cells: Floats
    below: Floats
    bases: Floats
    missing: Floats
    percent: Floats
    low: Floats
    high: Floats
    squares: Floats
    positive: Floats
    means: tuple[Moments, ...] | None
    plain: tuple[Moments, ...] | None
    unasked: Floats


@dataclass(frozen=True, slots=True)
class Banner:
    """The columns of a table and their members: Total first, then group by group."""

    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    members: tuple[Bools, ...]
    wholes: tuple[Bools, ...]


def banner_of(counter: Counter, question: Variable, across: Sequence[Variable]) -> Banner:
    """Lay out the columns; Total contains the agents in at least one group."""
    answered = question.answered
    shown = (
        np.logical_or.reduce([variable.answered for variable in across]) if across else np.ones_like(answered)
    )
    columns, groups = [Column("Total", "Total", "")], []
    members, wholes = [shown], [shown]
    for variable in across:
        first, own = len(columns), []
        for place, (level, inside) in enumerate(zip(variable.levels, variable.members(), strict=True)):
            columns.append(Column(variable.name, level, letter_of(place)))
            own.append(inside)
            wholes.append(variable.answered)
        members += own
        shared = counter.shared([inside & answered for inside in own]) if variable.multiple else None
        outside = counter.count(answered & ~variable.answered)
        groups.append(Group(variable.name, variable.text, slice(first, first + len(own)), shared, outside))
    return Banner(tuple(columns), tuple(groups), tuple(members), tuple(wholes))


def rest_of(banner: Banner, group: Group) -> list[Bools]:
    """Return, for each column of a group, the members of the group outside it."""
    wholes, members = banner.wholes[group.places], banner.members[group.places]
    return [whole & ~inside for whole, inside in zip(wholes, members, strict=True)]


def with_rests(
    banner: Banner, counter: Counter, question: Variable, number: str | None, sig: SigTest | None
) -> Banner:
    """Return a banner whose groups know the rest of each column, if the test needs it.

    Raises
    ------
    UsageError
        The columns are waves of the same agents, who would be on both sides of the test.
    """
    if sig is None or not sig.needs_rest:
        return banner
    groups = []
    for group in banner.groups:
        if group.overlaps is not None and group.overlaps[0].members.any():
            raise UsageError(
                f"against={sig.against!r}: waves of the same agents are compared pairwise; use "
                "against='previous' or 'columns'."
            )
        outside = [members & question.answered for members in rest_of(banner, group)]
        cells = np.stack([counter.cells(question, members) for members in outside], axis=2)[:3]
        bases = np.stack([counter.base(members) for members in outside], axis=1)[:3]
        means, plain = (
            None if number is None else [counter.moments(number, one, weighted=way) for one in outside]
            for way in (True, False)
        )
        groups.append(replace(group, rest=(Rest(cells, bases, means), Rest(cells, bases, plain))))
    return replace(banner, groups=tuple(groups))


def figures_of(
    counter: Counter, question: Variable, banner: Banner, percent: str, number: str | None, codes: int
) -> Figures:
    """Count all rows and columns; ``number`` is the column for moments, ``codes`` the number of levels."""
    answered = question.answered
    inside = [members & answered for members in banner.members]
    every = np.stack([counter.cells(question, members) for members in inside], axis=2)
    bases = np.stack([counter.base(members) for members in inside], axis=1)[:3]
    cells, squares = every[:3], every[3]
    if percent == "column":
        below = np.broadcast_to(bases[:, None, :], cells.shape)
    elif percent == "row":
        below = np.stack([counter.cells(question, whole & answered) for whole in banner.wholes], axis=2)[:3]
    elif percent == "responses":
        mentions = every[:, :codes].sum(axis=1, keepdims=True)
        mentions[2] = effective_base(mentions[1], mentions[3])
        below = np.broadcast_to(mentions[:3], cells.shape)
    else:
        whole_bases = np.stack([counter.base(whole & answered) for whole in banner.wholes], axis=1)[:3]
        below = np.broadcast_to(whole_bases[:, None, :], cells.shape)
    share = shares(cells[1], below[1])
    low, high = wilson(np.clip(share, 0, 1), below[2], LEVEL)
    unasked = np.zeros_like(answered) if question.unasked is None else question.unasked & ~answered
    left = ~answered & ~unasked
    missing = np.stack([counter.base(members & left) for members in banner.members], axis=1)[:3]
    means = plain = None
    if number is not None:
        means = tuple(counter.moments(number, members) for members in inside)
        plain = tuple(counter.moments(number, members, weighted=False) for members in inside)
    return Figures(
        cells,
        below,
        bases,
        missing,
        100 * cells[1] / np.where(below[1] > 0, below[1], np.nan),
        100 * low,
        100 * high,
        squares,
        np.array([counter.positive(members) for members in inside], dtype=np.float64),
        means,
        plain,
        np.stack([counter.base(members & unasked) for members in banner.members], axis=1)[:3],
    )


def letter_of(place: int) -> str:
    """Return the letters A to Z, then AA, AB and so on."""
    first, last = divmod(place, 26)
    return ("" if first == 0 else letter_of(first - 1)) + chr(ord("A") + last)
