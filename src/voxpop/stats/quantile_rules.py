"""Quantiles of weighted numbers, by the rules of Hyndman and Fan and their kin.

Sources: R. J. Hyndman, Y. Fan, *Am. Stat.* 50 (1996); B. V. Shah, A. K. Vaish, *Proc. Survey Research
Methods*
(2006); R: ``survey::svyquantile(qrule = )``, whose weighted forms these are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
QuantileRule = Literal[
    "math", "school", "shahvaish", "hf1", "hf2", "hf3", "hf4", "hf5", "hf6", "hf7", "hf8", "hf9"
]
QUANTILE_RULES: tuple[str, ...] = get_args(QuantileRule)


def weighted_quantile(
    numbers: npt.ArrayLike, weights: npt.ArrayLike, p: float, rule: QuantileRule = "math"
) -> float:
    """Return a quantile of weighted numbers; NaN if none has a weight.

    Parameters
    ----------
    numbers, weights : array_like of float
        Numbers and their weights.
    p : float
        From 0 to 1.
    rule : str
        ``math`` (the smallest number with at least p of the weights, R's default), ``school`` (the mean of
        two
        numbers at a tie), ``shahvaish``, or ``hf1`` to ``hf9``.

    Examples
    --------
    >>> [weighted_quantile([1, 2, 3, 4], [1, 1, 1, 1], 0.5, rule) for rule in ("math", "school", "hf7")]
    [2.0, 2.5, 2.5]
    """
    x, w = np.asarray(numbers, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    x, w = x[w != 0], w[w != 0]
    if not x.size:
        return float("nan")
    order = np.lexsort((w, x))  # ties by weight: the order of rows changes nothing
    x, w = x[order], w[order]
    if rule in _LINEAR:
        return float(np.interp(p, _LINEAR[rule](w, _sums(w)), x)) if x.size > 1 else float(x[0])
    if rule == "shahvaish":
        scaled = w / w.mean()
        places = (np.cumsum(scaled) + 0.5 - w / 2) / (x.size + 1)
        return float(x[max(int(np.searchsorted(places, p, side="right")) - 1, 0)])
    if rule == "hf3":
        x, first = np.unique(x, return_index=True)
        w = np.add.reduceat(w, first)
    return _stepped(x, w, p, rule)


def _sums(weights: Floats) -> Floats:
    """Return cumulative sums, added up with more digits than those of the weights."""
    return np.asarray(np.cumsum(weights.astype(np.longdouble)), dtype=np.float64)


def _stepped(x: Floats, w: Floats, p: float, rule: QuantileRule) -> float:
    """Return a quantile by a rule that takes one of the numbers, or lies between two of them."""
    sums = _sums(w)
    total = float(sums[-1])
    last = int(np.searchsorted(sums, p * total, side="right"))
    place = max(last - 1, 0)
    following = min(place + 1, x.size - 1)
    below, above = p - sums[place] / total, sums[following] / total - p
    low, high = float(x[place]), float(x[following])
    if rule == "hf4":
        share = below / (above + below) if above + below else 0.0
        return float(low * (1 - share) + high * share)
    if below != 0 or (rule == "hf3" and place % 2 == 0):
        return high
    return (low + high) / 2 if rule in ("school", "hf2") else low


_LINEAR: dict[str, Callable[[Floats, Floats], Floats]] = {
    "hf5": lambda w, c: (c - w / 2) / c[-1],
    "hf6": lambda w, c: c / (c[-1] + w[-1]),
    "hf7": lambda w, c: np.concatenate(([0.0], c[:-1])) / c[-2],
    "hf8": lambda w, c: (np.concatenate(([0.0], c[:-1])) / 3 + c * 2 / 3) / (c[-1] + w[-1] / 3),
    "hf9": lambda w, c: (np.concatenate(([0.0], c[:-1])) * 3 / 8 + c * 5 / 8) / (c[-1] + w[-1] / 4),
}
