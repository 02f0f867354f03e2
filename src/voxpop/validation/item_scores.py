"""Scores of answers to a set of items against people's: per item, and in sum with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.stats.bootstrap import cluster_counts, interval_of, ratio_interval
from voxpop.stats.divergence import jensen_shannon, mean_absolute_error, total_variation, wasserstein
from voxpop.stats.gaps import compare_gaps, variance_parts
from voxpop.stats.structure import agreement_of_correlations, pairwise_correlations, repeated_agreement
from voxpop.validation.item_answers import ItemAnswers
from voxpop.validation.item_set import Flags, Floats, Item, ItemSet

THRESHOLD = 0.08
"""Smallest difference between groups of people that is compared: 8 points."""
FEWEST_PEOPLE = 100
"""Least number of people behind a figure of a group."""
FEWEST_AGENTS = 30
"""Least number of agents behind a figure of an item or a group."""

CORRELATIONS = "correlations"
MEASURES: Mapping[str, str] = {
    "error": "mean error of a share, points",
    "total_variation": "total variation, points",
    "wasserstein": "Wasserstein, points of the scale",
    "jensen_shannon": "Jensen-Shannon, bits",
    "group_error": "mean error of a share in groups, points",
    "gap_sign": "gaps of 8 points or more: right sign, %",
    "gap_ratio": "gaps of 8 points or more: size, people = 1",
    "variance_between": "variance between groups, people = 1",
    "variance_within": "variance within groups, people = 1",
    CORRELATIONS: "correlation of item correlations",
}
"""Measures with their labels, in the order shown."""
PERCENT = ("error", "total_variation", "wasserstein", "group_error", "gap_sign")
"""Measures that are shown times 100."""


@dataclass(frozen=True, eq=False, slots=True)
class Shares:
    """Shares of the answers to each item, overall and by group, and the respondents behind them.

    ``whole`` and ``groups`` hold one array per item; ``n`` and ``group_n`` are effective numbers, ``counted``
    the unweighted numbers by item and group.
    """

    whole: tuple[Floats, ...]
    n: Floats
    groups: tuple[Floats, ...]
    group_n: Floats
    counted: Floats


def people(held: ItemSet) -> Shares:
    """Return the shares of people."""
    counted = np.array([item.group_n for item in held.items]).reshape(len(held.items), len(held.groups))
    n = np.array([item.effective_n for item in held.items])
    per_person = np.array([item.effective_n / item.n for item in held.items])
    return Shares(
        tuple(item.shares for item in held.items),
        n,
        tuple(item.group_shares for item in held.items),
        counted * per_person[:, None],
        counted,
    )


def agents(answers: ItemAnswers, held: ItemSet, chosen: Flags) -> Shares:
    """Return the shares of agents, of the chosen answers only (agents, items)."""
    whole, groups = [], []
    n = np.zeros(len(held.items))
    group_n = np.zeros((len(held.items), len(held.groups)))
    belongs = answers.members.astype(np.float64)
    for at, item in enumerate(held.items):
        rows = chosen[:, at]
        ticks = np.eye(len(item.options))[answers.codes[rows, at]]
        n[at], group_n[at] = rows.sum(), belongs[rows].sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            whole.append(ticks.sum(axis=0) / n[at])
            groups.append(belongs[rows].T @ ticks / group_n[at][:, None])
    return Shares(tuple(whole), n, tuple(groups), group_n, group_n)


@dataclass(frozen=True, eq=False, slots=True)
class ItemScores:
    """Scores per item: each measure as a sum above and a sum below, so that items add up.

    Attributes
    ----------
    keys : tuple of str
        Items with enough answers.
    families : tuple of str
        Their families, which the bootstrap draws together.
    above, below : mapping of str to array
        One figure per item; the score of some items is the sum of one over the sum of the other.
    """

    keys: tuple[str, ...]
    families: tuple[str, ...]
    above: Mapping[str, Floats]
    below: Mapping[str, Floats]

    def score(self, measure: str) -> float:
        """Return a measure over all items; NaN where there is nothing to compare."""
        size = math.fsum(self.below[measure])
        return math.fsum(self.above[measure]) / size if size > 0 else math.nan

    def of(self, measure: str, at: int) -> float:
        """Return a measure of one item; NaN where there is nothing to compare."""
        size = float(self.below[measure][at])
        return float(self.above[measure][at]) / size if size > 0 else math.nan


def score_items(held: ItemSet, human: Shares, other: Shares) -> ItemScores:
    """Score one set of shares against people's, item by item.

    Parameters
    ----------
    held : ItemSet
        The items.
    human, other : Shares
        Shares of people, and those that are scored; items with fewer than :data:`FEWEST_AGENTS` respondents
        behind the latter are left out.
    """
    places = held.places()
    contrasts = [(places[by, one], places[by, two]) for by, one, two in held.contrasts]
    attributes: dict[str, list[int]] = {}
    for at, group in enumerate(held.groups):
        attributes.setdefault(group.by, []).append(at)
    used = [at for at in range(len(held.items)) if other.n[at] >= FEWEST_AGENTS]
    rows = [_item_sums(held.items[at], at, human, other, contrasts, attributes) for at in used]
    names = [name for name in MEASURES if name != CORRELATIONS]
    return ItemScores(
        tuple(held.items[at].key for at in used),
        tuple(held.items[at].family for at in used),
        {name: np.array([row[name][0] for row in rows], dtype=np.float64) for name in names},
        {name: np.array([row[name][1] for row in rows], dtype=np.float64) for name in names},
    )


def _item_sums(
    item: Item,
    at: int,
    human: Shares,
    other: Shares,
    contrasts: Sequence[tuple[int, int]],
    attributes: Mapping[str, Sequence[int]],
) -> dict[str, tuple[float, float]]:
    """Return the sums above and below of each measure of an item."""
    whole, theirs = human.whole[at], other.whole[at]
    rows, their_rows = human.groups[at], other.groups[at]
    known = _known(human, other, at)
    found = {
        "error": (mean_absolute_error(theirs, whole), 1.0),
        "total_variation": (total_variation(theirs, whole), 1.0),
        "wasserstein": (wasserstein(theirs, whole), 1.0) if item.ordered else (0.0, 0.0),
        "jensen_shannon": (jensen_shannon(theirs, whole), 1.0),
        "group_error": (float(np.abs(their_rows[known] - rows[known]).mean()), 1.0)
        if known.any()
        else (0.0, 0.0),
    }
    gaps = compare_gaps(*_gaps(rows, their_rows, known, contrasts), THRESHOLD)
    found["gap_sign"] = (float(gaps.right), float(gaps.number))
    found["gap_ratio"] = (gaps.along, gaps.size)
    ours, other_parts = np.zeros(2), np.zeros(2)
    for own in attributes.values():
        one = [place for place in own if known[place]]
        if len(one) >= 2:
            size = human.counted[at][one]
            ours += variance_parts(rows[one], size, human.group_n[at][one])
            other_parts += variance_parts(their_rows[one], size, other.group_n[at][one])
    found["variance_between"] = (float(other_parts[0]), float(ours[0]))
    found["variance_within"] = (float(other_parts[1]), float(ours[1]))
    return found


def _known(human: Shares, other: Shares, at: int) -> Flags:
    """Return the groups with enough people and agents behind the figures of an item."""
    enough = (human.counted[at] >= FEWEST_PEOPLE) & (other.counted[at] >= FEWEST_AGENTS)
    told = ~np.isnan(human.groups[at]).any(axis=1) & ~np.isnan(other.groups[at]).any(axis=1)
    return np.asarray(enough & told)


def _gaps(
    rows: Floats, their_rows: Floats, known: Flags, contrasts: Sequence[tuple[int, int]]
) -> tuple[list[float], list[float]]:
    """Return the differences of people and of others in the option in which people's groups differ most."""
    ours, theirs = [], []
    for one, two in contrasts:
        if known[one] and known[two]:
            widest = int(np.abs(rows[one] - rows[two]).argmax())
            ours.append(float(rows[one, widest] - rows[two, widest]))
            theirs.append(float(their_rows[one, widest] - their_rows[two, widest]))
        else:
            ours.append(math.nan)
            theirs.append(math.nan)
    return ours, theirs


def item_gaps(held: ItemSet, human: Shares, other: Shares) -> list[tuple[list[float], list[float]]]:
    """Return, per item, the differences of people and of others, one per contrast; NaN with too few.

    Each difference is that of the option in which the two groups of people differ most.
    """
    places = held.places()
    contrasts = [(places[by, one], places[by, two]) for by, one, two in held.contrasts]
    return [
        _gaps(human.groups[at], other.groups[at], _known(human, other, at), contrasts)
        for at in range(len(held.items))
    ]


@dataclass(frozen=True, eq=False, slots=True)
class Structure:
    """Correlations of pairs of items among people (``human``, of ``n``) and agents (``other``)."""

    first: Floats
    second: Floats
    human: Floats
    n: Floats
    other: Floats

    def score(self) -> float:
        """Return the correlation of the two sets of correlations."""
        return agreement_of_correlations(self.human, self.other)

    def drawn(self, counts: Floats) -> float:
        """Return it with each item as often as it was drawn."""
        weights = counts[self.first.astype(int)] * counts[self.second.astype(int)]
        return agreement_of_correlations(self.human, self.other, weights)

    def repeated(self, deff: float) -> float:
        """Return what a second survey would score."""
        return repeated_agreement(self.human, self.n, deff)


def structure(held: ItemSet, answers: ItemAnswers, chosen: Flags, keys: Sequence[str]) -> Structure:
    """Return the correlations of some items among people and among agents.

    The answers are the places of the options, 0, 1, 2 and so on. Pairs that fewer than
    :data:`FEWEST_AGENTS` agents answered are missing.
    """
    at = {item.key: place for place, item in enumerate(held.items)}
    number = {key: place for place, key in enumerate(keys)}
    columns = [at[key] for key in keys]
    values = np.where(chosen[:, columns], answers.codes[:, columns], np.nan)
    r, n = pairwise_correlations(values) if columns else (np.empty((0, 0)), np.empty((0, 0)))
    pairs = held.correlations
    kept = [
        place
        for place, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True))
        if a in number and b in number
    ]
    first = np.array([number[pairs.first[place]] for place in kept], dtype=np.int64)
    second = np.array([number[pairs.second[place]] for place in kept], dtype=np.int64)
    found = np.where(n[first, second] >= FEWEST_AGENTS, r[first, second], np.nan) if kept else np.empty(0)
    return Structure(first.astype(float), second.astype(float), pairs.r[kept], pairs.n[kept], found)


@dataclass(frozen=True, slots=True)
class Score:
    """A score with its interval; NaN where there is nothing to compare."""

    value: float
    low: float = math.nan
    high: float = math.nan


def summed(scores: ItemScores, related: Structure | None, *, seed: int, resamples: int) -> dict[str, Score]:
    """Return each measure over all items, with a bootstrap interval over families of items.

    Parameters
    ----------
    scores : ItemScores
        Scores per item.
    related : Structure or None
        Correlations of the same items, in the same order.
    seed, resamples : int
        Seed and number of the draws; with 0 draws there are no intervals.
    """
    counts = (
        cluster_counts(scores.families, seed=seed, resamples=resamples) if resamples and scores.keys else None
    )
    found = {}
    for name in scores.above:
        ends = (
            (math.nan, math.nan)
            if counts is None
            else ratio_interval(scores.above[name], scores.below[name], counts)
        )
        found[name] = Score(scores.score(name), *ends)
    if related is not None:
        ends = (math.nan, math.nan) if counts is None else interval_of(related.drawn, counts)
        found[CORRELATIONS] = Score(related.score(), *ends)
    return found
