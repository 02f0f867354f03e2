"""Samples with known inclusion probabilities: ordinary ones, quotas by cells or margins, and boosts.

Quotas and boosts are one design. The audience is divided into cells; each cell has an expected number of
agents; the numbers are rounded at random to integers with the same expected values; and each cell is a simple
random sample. The inclusion probability is therefore exactly the expected number over the size of the cell.
A boost adds its size, spread over all agents of its part who are not certain members already, so that an
agent of both the base and the boost has the sum of both probabilities.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from voxpop.errors import UsageError
from voxpop.population import inclusion, sampling
from voxpop.population.quotas import Design, Margin, Part
from voxpop.population.rounding import apportioned, controlled, fitted, level, systematic
from voxpop.population.sampling import Candidates, Floats, Ints
from voxpop.vocabulary.filters import Filter

Bools = npt.NDArray[np.bool_]

_DIGITS = 12
_TAG = 17  # keeps these draws apart from those of the ordinary methods


class Source(Protocol):
    """The parts of a population that a draw needs."""

    def candidates(self, filter: Filter, method: str, description: str | None) -> Candidates:
        """Return the matching agents by id, with the strata and weights of a method."""

    def matching(self, filter: Filter) -> Bools:
        """Return whether each agent of the population matches, in the order of the ids 1 to n."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sample.

    Attributes
    ----------
    ids : list of int
        In the order drawn.
    probability, weight : list of float, or None
        Inclusion probability of each, and 1/probability scaled to ``covered``; None if not known. In a
        screened sample some probabilities may be None while the weights are estimated.
    matching, covered : int
        Number of agents that could be drawn from, and of those with a probability above 0.
    note : str or None
        What a reader of the weights must know.
    cells : list of dict
        For each quota and boost what was asked, available and drawn.
    """

    ids: list[int]
    probability: Sequence[float | None] | None
    weight: list[float] | None
    matching: int
    covered: int
    note: str | None = None
    cells: list[dict[str, Any]] = field(default_factory=list)


def draw(
    source: Source,
    filter: Filter,
    size: int,
    *,
    seed: int,
    method: str = "random",
    exclude: Sequence[int] = (),
    description: str | None = None,
    design: Design | None = None,
) -> Drawn:
    """Draw a sample of the matching agents, with the inclusion probability of each.

    Parameters
    ----------
    source : Source
    filter, size, seed, method, exclude, description
        As for :meth:`voxpop.population.queries.Population.sample`. Without quotas and boosts the agents are
        the same as there.
    design : Design, optional
        Quotas and boosts.

    Raises
    ------
    UsageError
        Quotas overlap, or do not go with the method or a description.
    """
    if design and description:
        raise UsageError("A description cannot be combined with quotas or boosts; leave one of them out.")
    if design and method != "random" and (design.cells or design.margins):
        raise UsageError(f"Quotas replace sample_method; leave out {method!r}.")
    candidates = source.candidates(filter, method, description)
    if len(exclude):
        candidates = candidates.without(sampling.as_ids(exclude))
    if design:
        return _designed(source, size, candidates, seed, method, design)
    ids = sampling.sample(candidates, size, seed=seed & (2**64 - 1), method=method)
    many = int(candidates.ids.size)
    if not ids:
        return Drawn([], [], [], many, many)
    found, note = inclusion.probabilities(candidates, min(size, many), method)
    if found is None:
        return Drawn(ids, None, None, many, many, note)
    share = found[np.searchsorted(candidates.ids, ids)]
    return Drawn(ids, *_weighted(share, many), many, many)


def _weighted(share: Floats, covered: int) -> tuple[list[float], list[float]]:
    """Return probabilities, and the weights that have the number of agents covered as sum."""
    weight = 1 / share
    weight *= covered / weight.sum()
    return _rounded(share), _rounded(weight)


def _rounded(numbers: Floats) -> list[float]:
    return [float(f"{number:.{_DIGITS}g}") for number in numbers]


@dataclass(frozen=True, slots=True)
class _Table:
    """Cells of the candidates: code of each candidate, sizes, expected base numbers, and rows to keep."""

    code: Ints
    sizes: Ints
    expected: Floats
    rows: Bools | None
    reports: list[dict[str, Any]]


def codes_of(
    source: Source, filter: Filter, method: str, design: Design, description: str | None, size: int
) -> tuple[Ints, Ints]:
    """Return the candidates of a sample by id, and their cells: agents of a cell are drawn equally often.

    Parameters
    ----------
    source, filter, method, design, description
        As for :func:`draw`.
    size : int
        Number of agents, which decides on no cell.
    """
    candidates = source.candidates(filter, method, description)
    ids = candidates.ids.astype(np.int64)
    flags, inside = _flags(source, ids, design)
    table = _table(candidates.strata, flags, design, ids.size, max(size, 1), method)
    _, code = _boosted(table, design.boosts, inside)
    if candidates.weight is not None:
        levels, nearness = np.unique(candidates.weight, return_inverse=True)
        code = code * levels.size + nearness
    return ids, code


def _flags(source: Source, ids: Ints, design: Design) -> tuple[list[Bools], list[Bools]]:
    """Return which candidates match each cell, or level of a margin, and each boost."""
    own = [cell.filters for cell in design.cells]
    own += [one for margin in design.margins for _, one, _ in margin.levels]
    boosts = [boost.filters for boost in design.boosts]
    return [source.matching(one)[ids - 1] for one in own], [source.matching(one)[ids - 1] for one in boosts]


def _table(
    strata: npt.NDArray[np.integer] | None,
    flags: Sequence[Bools],
    design: Design,
    many: int,
    size: int,
    method: str,
) -> _Table:
    if design.cells:
        return _of_cells(design.cells, flags, many)
    if design.margins:
        return _of_margins(design.margins, flags, many, size)
    return _of_method(strata, many, size, method)


@dataclass(frozen=True, slots=True)
class Line:
    """The candidates of a design in random order, and how many of each cell are wanted.

    Attributes
    ----------
    ids, cell : array (candidates,)
        The candidates in the order drawn, and the cell of each.
    quota, expected : array (cells,)
        Number wanted from each cell, and its expected value.
    sizes : array (cells,)
        Number of candidates in each cell.
    inside : list of array (candidates,)
        Which candidates count for each report.
    reports : list of dict
        For each quota and boost what was asked and is available.
    """

    ids: Ints
    cell: Ints
    quota: Ints
    expected: Floats
    sizes: Ints
    inside: list[Bools]
    reports: list[dict[str, Any]]

    def counted(self, chosen: Ints) -> list[dict[str, Any]]:
        """Return the reports with the number drawn, given the places of the agents drawn."""
        return [
            report | {"drawn": int(flag[chosen].sum())}
            for report, flag in zip(self.reports, self.inside, strict=True)
        ]


def line(
    source: Source,
    filter: Filter,
    size: int,
    *,
    seed: int,
    method: str = "random",
    exclude: Sequence[int] = (),
    design: Design,
) -> Line:
    """Return the candidates of a design in random order; the first of each cell up to its quota are drawn.

    Parameters
    ----------
    source, filter, size, seed, method, exclude, design
        As for :func:`draw`.
    """
    candidates = source.candidates(filter, method, None)
    if len(exclude):
        candidates = candidates.without(sampling.as_ids(exclude))
    return _line(source, size, candidates, seed, method, design)


def _designed(
    source: Source, size: int, candidates: Candidates, seed: int, method: str, design: Design
) -> Drawn:
    found = _line(source, size, candidates, seed, method, design)
    many = found.ids.size
    chosen = sampling.first_of(found.cell, found.quota) if many else np.zeros(0, dtype=np.int64)
    share = found.expected / np.maximum(found.sizes, 1)
    covered = int(found.sizes[share > 0].sum())
    reports = found.counted(chosen)
    note = _not_met(reports)
    if covered < many:
        told = f"The weights describe {covered:,} of {many:,} matching agents: the others are in no quota."
        note = told if note is None else f"{told} {note}"
    if not chosen.size:
        return Drawn([], [], [], many, covered, note, reports)
    weighted = _weighted(share[found.cell[chosen]], covered)
    return Drawn([int(one) for one in found.ids[chosen]], *weighted, many, covered, note, reports)


def _not_met(reports: Sequence[dict[str, Any]]) -> str | None:
    """Return which margins are off although all agents wanted were drawn; None if all are met."""
    margins = [one for one in reports if one["kind"] == "margin"]
    fields = {one["field"]: [0, 0] for one in margins}
    for one in margins:
        fields[one["field"]][0] += one["size"]
        fields[one["field"]][1] += one["drawn"]
    off = [one for one in margins if one["drawn"] != one["size"]]
    if not off or any(asked != drawn for asked, drawn in fields.values()):
        return None
    told = ", ".join(f"{one['field']} {one['level']} has {one['drawn']:,} of {one['size']:,}" for one in off)
    return f"Three or more margins cannot always be met together: {told}."


def _line(source: Source, size: int, candidates: Candidates, seed: int, method: str, design: Design) -> Line:
    ids = candidates.ids.astype(np.int64)
    many = ids.size
    flags, inside = _flags(source, ids, design)
    table = _table(candidates.strata, flags, design, many, size, method)
    rng = np.random.default_rng([seed & (2**64 - 1), _TAG, many, zlib.crc32(ids.astype("<i8").data)])
    share, code = _boosted(table, design.boosts, inside)
    sizes = np.bincount(code, minlength=share.size)
    expected = share * sizes
    if design.boosts:
        quota = systematic(rng, expected)
    elif table.rows is None:
        quota = np.rint(expected).astype(np.int64) if design.cells else systematic(rng, expected)
    else:
        quota = controlled(rng, expected, table.rows)
    order = rng.permutation(many)
    covered = table.code < len(design.cells) if design.cells else np.ones(many, dtype=bool)
    counting = [flag & covered for flag in flags] + inside
    reports = table.reports + _boost_reports(design.boosts, inside)
    return Line(ids[order], code[order], quota, expected, sizes, [one[order] for one in counting], reports)


def _coded(values: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the values that occur in order, the place of each value among them, and their numbers."""
    low = int(values.min(initial=0))
    high = int(values.max(initial=0))
    if high - low > 10_000_000:
        present, code = np.unique(values, return_inverse=True)
        return present, code, np.bincount(code)
    counts = np.bincount(values - low)
    occurring = np.flatnonzero(counts)
    places = np.zeros(counts.size, dtype=np.int64)
    places[occurring] = np.arange(occurring.size)
    return occurring + low, places[values - low], counts[occurring]


def _of_method(strata: npt.NDArray[np.integer] | None, many: int, size: int, method: str) -> _Table:
    if strata is None:
        code, sizes = np.zeros(many, dtype=np.int64), np.array([many])
    else:
        _, code, sizes = _coded(strata.astype(np.int64))
    wanted = min(size, many)
    if method == "balanced":
        expected = level(sizes.astype(np.float64), wanted)
    else:
        expected = sizes * (wanted / max(many, 1))
    return _Table(code, sizes, expected, None, [])


def _of_cells(cells: Sequence[Part], flags: Sequence[Bools], many: int) -> _Table:
    code = np.full(many, len(cells), dtype=np.int64)
    for place, flag in enumerate(flags):
        both = flag & (code < len(cells))
        if both.any():
            other = int(code[np.flatnonzero(both)[0]])
            number = int((flag & (code == other)).sum())
            raise UsageError(
                f"Quotas {other + 1} and {place + 1} overlap: {number:,} agents match both "
                f"{cells[other].filters.sentence()!r} and {cells[place].filters.sentence()!r}. "
                "Make them exclusive, for example with ~."
            )
        code[flag] = place
    sizes = np.bincount(code, minlength=len(cells) + 1)
    expected = np.zeros(len(cells) + 1)
    reports = []
    for place, cell in enumerate(cells):
        expected[place] = min(cell.size, int(sizes[place]))
        reports.append({"kind": "cell", **cell.to_json(), "available": int(sizes[place])})
    return _Table(code, sizes, expected, None, reports)


def _of_margins(margins: Sequence[Margin], flags: Sequence[Bools], many: int, size: int) -> _Table:
    at, codes = 0, []
    for margin in margins:
        code = np.full(many, -1, dtype=np.int64)
        for place in range(len(margin.levels)):
            code[flags[at + place]] = place
        codes.append(code)
        at += len(margin.levels)
    covered = np.logical_and.reduce([code >= 0 for code in codes])
    joint = np.zeros(many, dtype=np.int64)
    for code, margin in zip(codes, margins, strict=True):
        joint = joint * len(margin.levels) + code
    joint[~covered] = -1
    present, cell, sizes = _coded(joint)
    levels: list[Ints] = []
    rest = present.copy()
    for margin in reversed(margins):
        levels.insert(0, np.where(present < 0, -1, rest % len(margin.levels)))
        rest = rest // len(margin.levels)
    inside = np.flatnonzero(present >= 0)
    wanted = [apportioned(np.array([share for _, _, share in one.levels]), size) for one in margins]
    reports = []
    for number, (margin, numbers) in enumerate(zip(margins, wanted, strict=True)):
        there = np.bincount(levels[number][inside], sizes[inside], len(margin.levels)).astype(int)
        for (label, _, _), asked, available in zip(margin.levels, numbers, there, strict=True):
            told = {"field": margin.field, "level": label, "size": int(asked), "available": int(available)}
            reports.append({"kind": "margin", **told})
    expected = np.zeros(present.size)
    rows = None
    if inside.size:
        own = [one[inside] for one in levels]
        expected[inside] = _filled(sizes[inside], own, wanted)
        exact = np.bincount(own[0], expected[inside], len(wanted[0]))
        if np.allclose(exact, np.rint(exact), atol=1e-6):
            rows = np.array(
                [one == place for one, n in zip(levels, wanted, strict=True) for place in range(n.size)]
            )
    return _Table(cell, sizes, expected, rows, reports)


def _filled(sizes: Ints, codes: Sequence[Ints], wanted: Sequence[Ints]) -> Floats:
    """Return expected numbers with the wanted margins, or as many as the cells allow."""
    table = fitted(sizes, codes, wanted)
    return table if table is not None else _largest(sizes, codes, wanted)


def _largest(sizes: Ints, codes: Sequence[Ints], wanted: Sequence[Ints]) -> Floats:
    """Return integer numbers with the largest sum in which no level exceeds its wanted number."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow import, needed only for quotas too high

    rows = np.array([code == place for code, n in zip(codes, wanted, strict=True) for place in range(n.size)])
    # tiny distinct weights make the best table unique, and prefer large cells
    order = np.argsort(np.argsort(sizes, kind="stable"), kind="stable")
    worth = 1 + order / (1e3 * sizes.size * max(int(np.concatenate(wanted).max()), 1))
    most = np.concatenate(wanted)
    best = milp(
        -worth,
        constraints=LinearConstraint(rows.astype(float), 0, most),
        bounds=Bounds(0, sizes),
        integrality=np.ones(sizes.size),
    )
    if best.x is None:
        raise UsageError("The margins cannot be solved; name fewer fields or levels.")
    return np.asarray(np.rint(best.x))


def _boosted(table: _Table, boosts: Sequence[Part], inside: Sequence[Bools]) -> tuple[Floats, Ints]:
    """Return the probability of each cell with the boosts, and the cell of each candidate."""
    share = table.expected / np.maximum(table.sizes, 1)
    if not boosts:
        return share, table.code
    pattern = np.zeros(table.code.size, dtype=np.int64)
    for place, flag in enumerate(inside):
        pattern |= flag.astype(np.int64) << place
    present, code, sizes = _coded(pattern * table.sizes.size + table.code)
    found = share[present % table.sizes.size] if present.size else np.zeros(0)
    for place, boost in enumerate(boosts):
        own = np.flatnonzero(present // table.sizes.size >> place & 1)
        room = 1 - found[own]
        wanted = min(boost.size, int(np.floor(float(sizes[own] @ room) + 1e-6)))
        found[own] += _spread(sizes[own], room, wanted)
    return found, code


def _spread(sizes: Ints, room: Floats, wanted: int) -> Floats:
    """Return the same additional probability for all agents of some cells, up to their room."""
    found = np.zeros(room.size)
    left, many = float(wanted), float(sizes.sum())
    for at in np.argsort(room, kind="stable"):
        if many <= 0:
            break
        found[at] = min(float(room[at]), left / many)
        left -= found[at] * sizes[at]
        many -= sizes[at]
    return found


def _boost_reports(boosts: Sequence[Part], inside: Sequence[Bools]) -> list[dict[str, Any]]:
    return [
        {"kind": "boost", **boost.to_json(), "available": int(flag.sum())}
        for boost, flag in zip(boosts, inside, strict=True)
    ]
