"""Relative importance: how much of an explained share each variable accounts for.

A variable's share is the average, over all orders of entering the variables, of what it adds (R. H. Lindeman,
P. F. Merenda, R. Z. Gold, *Introduction to Bivariate and Multivariate Analysis* (1980), p. 119; the value of
L. S. Shapley, 1953). The shares add up to what all variables explain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

EXACT = 10
"""Most variables for which all subsets are computed."""

_LOST = 1e-10
"""A column with less than this share of its variance left is made up by those before it."""


@dataclass(frozen=True, eq=False, slots=True)
class Importance:
    """Shares of what is explained.

    Attributes
    ----------
    shares : array (..., variables)
        The share of each variable.
    errors : array of float
        Monte Carlo errors of the shares; 0 if all orders were used.
    """

    shares: Floats
    errors: Floats


def orders(variables: int, many: int, seed: int) -> Codes:
    """Draw orders of variables, each together with its reverse, which halves the noise.

    Examples
    --------
    >>> orders(3, 4, seed=1).shape
    (4, 3)
    """
    rng = np.random.default_rng(seed)
    drawn = [rng.permutation(variables) for _ in range((many + 1) // 2)]
    return np.array([own for one in drawn for own in (one, one[::-1])], dtype=np.intp)


def combined(values: Floats, variables: int) -> Floats:
    """Return the shares of variables from the values of all subsets.

    Parameters
    ----------
    values : array (2 ** variables, ...)
        The value of each subset; bit j of its position tells whether it contains variable j.
    variables : int
        How many variables there are.

    Returns
    -------
    array (..., variables)

    Examples
    --------
    >>> combined(np.array([0.0, 0.2, 0.3, 0.4]), 2).round(3).tolist()
    [0.15, 0.25]
    """
    subsets = np.arange(1 << variables)
    sizes = np.array([int(code).bit_count() for code in subsets])
    made = []
    for j in range(variables):
        without = subsets[subsets & (1 << j) == 0]
        weights = np.array([_weight(variables, size) for size in sizes[without].tolist()])
        made.append(np.tensordot(weights, values[without | (1 << j)] - values[without], axes=1))
    return np.stack(made, axis=-1)


def _weight(variables: int, size: int) -> float:
    """Return the share of orders in which a variable comes after a given subset of this size."""
    return 1 / (variables * math.comb(variables - 1, size))


def subset_r2(cross: Floats, groups: Sequence[slice]) -> Floats:
    """Return R² of all subsets of groups of columns.

    Parameters
    ----------
    cross : array (draws, columns + 1, columns + 1)
        Centred cross-products, the outcome last.
    groups : sequence of slice
        The columns of each variable.

    Returns
    -------
    array (2 ** variables, draws)
    """
    values = np.zeros((1 << len(groups), cross.shape[0]))
    whole = cross[:, -1, -1].copy()
    size = np.diagonal(cross, axis1=1, axis2=2).copy()

    def enter(left: Floats, scale: Floats, start: int, first: int, code: int) -> None:
        for j in range(first, len(groups)):
            own = slice(groups[j].start - start, groups[j].stop - start)
            swept = _swept(left, scale, own)
            values[code | (1 << j)] = 1 - np.divide(
                swept[:, -1, -1], whole, out=np.ones_like(whole), where=whole > 0
            )
            if j + 1 < len(groups):
                rest = swept[:, own.stop :, own.stop :]
                enter(rest, scale[:, own.stop :], groups[j].stop, j + 1, code | (1 << j))

    enter(cross, size, 0, 0, 0)
    return values


def _swept(cross: Floats, scale: Floats, columns: slice) -> Floats:
    """Return cross-products given some columns: what is left of all others."""
    left = cross.copy()
    for place in range(columns.start, columns.stop):
        pivot = left[:, place, place]
        usable = pivot > _LOST * scale[:, place]
        inverse = np.divide(1.0, pivot, out=np.zeros_like(pivot), where=usable)
        row = left[:, place, :].copy()
        left -= row[:, :, None] * (row * inverse[:, None])[:, None, :]
    return left


def exact_r2(cross: Floats, groups: Sequence[slice]) -> Importance:
    """Decompose R² over all orders, draw by draw.

    Examples
    --------
    >>> cross = np.array([[[1.0, 0.5, 0.6], [0.5, 1.0, 0.3], [0.6, 0.3, 1.0]]])
    >>> found = exact_r2(cross, [slice(0, 1), slice(1, 2)])
    >>> found.shares.round(4).tolist()
    [[0.315, 0.045]]
    """
    shares = combined(subset_r2(cross, groups), len(groups))
    return Importance(shares, np.zeros(len(groups)))


def sampled_r2(cross: Floats, groups: Sequence[slice], drawn: Codes) -> Importance:
    """Decompose R² over sampled orders, as :func:`orders` draws them."""
    whole = cross[:, -1, -1]
    size = np.diagonal(cross, axis1=1, axis2=2)
    added = np.zeros((len(drawn), cross.shape[0], len(groups)))
    for number, order in enumerate(drawn):
        left = cross
        for j in order.tolist():
            swept = _swept(left, size, groups[j])
            gain = left[:, -1, -1] - swept[:, -1, -1]
            added[number, :, j] = np.divide(gain, whole, out=np.zeros_like(whole), where=whole > 0)
            left = swept
    return Importance(added.mean(axis=0), _error(added[:, 0]))


def _error(added: Floats) -> Floats:
    """Return the Monte Carlo error of means over orders and their reverses."""
    pairs = added.reshape(-1, 2, added.shape[-1]).mean(axis=1)
    if len(pairs) < 2:
        return np.full(added.shape[-1], math.nan)
    return np.asarray(pairs.std(axis=0, ddof=1) / math.sqrt(len(pairs)))


def sampled(value: Callable[[int], Floats], variables: int, drawn: Codes) -> Importance:
    """Decompose any value of subsets over sampled orders; each subset is valued once.

    Parameters
    ----------
    value : callable
        Returns the values of a subset, draw by draw; bit j of its code tells whether it contains variable j.
    variables : int
        How many variables there are.
    drawn : array (orders, variables)
        The orders, from :func:`orders`.
    """
    known: dict[int, Floats] = {}

    def of(code: int) -> Floats:
        if code not in known:
            known[code] = value(code)
        return known[code]

    added = np.zeros((len(drawn), of(0).size, variables))
    for number, order in enumerate(drawn):
        code = 0
        for j in order.tolist():
            added[number, :, j] = of(code | 1 << j) - of(code)
            code |= 1 << j
    return Importance(added.mean(axis=0), _error(added[:, 0]))


def cross_products(columns: Floats, weights: Floats, counts: Iterator[Floats]) -> Floats:
    """Return centred cross-products of columns, draw by draw.

    Parameters
    ----------
    columns : array (rows, columns)
        The variables and, last, the outcome.
    weights : array of float
        The weight of one respondent of each row.
    counts : iterator of array (draws, rows)
        How often each row counts, in batches of draws.

    Returns
    -------
    array (draws, columns, columns)
    """
    centred = columns - (weights @ columns) / weights.sum()
    wide = np.column_stack((np.ones(weights.size), centred))
    upper = np.triu_indices(wide.shape[1])
    made = []
    for batch in counts:
        flat = np.zeros((batch.shape[0], upper[0].size))
        for start in range(0, weights.size, _ROWS):
            rows = slice(start, start + _ROWS)
            own = wide[rows]
            flat += (batch[:, rows] * weights[rows]) @ (own[:, upper[0]] * own[:, upper[1]])
        cross = np.empty((batch.shape[0], wide.shape[1], wide.shape[1]))
        cross[:, upper[0], upper[1]] = flat
        cross[:, upper[1], upper[0]] = flat
        means = cross[:, 0, 1:]
        made.append(cross[:, 1:, 1:] - means[:, :, None] * means[:, None, :] / cross[:, 0, 0][:, None, None])
    return np.concatenate(made)


_ROWS = 8192
_BATCH = 25_000_000
"""Numbers per batch of draws."""


def resampled(counts: Floats, *, seed: int, resamples: int) -> Iterator[Floats]:
    """Draw respondents with replacement; yield how often each row is drawn, in batches of draws.

    Parameters
    ----------
    counts : array of float
        Respondents per row.
    seed, resamples : int
        The same seed gives the same draws.

    Examples
    --------
    >>> [batch.sum(axis=1).tolist() for batch in resampled(np.array([2.0, 1.0]), seed=7, resamples=2)]
    [[3.0, 3.0]]
    """
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(counts.size), counts.astype(np.intp))
    size = min(50, max(1, _BATCH // counts.size))
    for start in range(0, resamples, size):
        made = np.empty((min(size, resamples - start), counts.size))
        for draw in made:
            draw[:] = np.bincount(rows[rng.integers(rows.size, size=rows.size)], minlength=counts.size)
        yield made
