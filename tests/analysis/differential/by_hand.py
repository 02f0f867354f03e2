"""Expected tables computed from the rows in plain Python, without SQL or voxpop code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def holds(labels: npt.NDArray[np.object_], level: str) -> Bools:
    """Tell which rows have a level, alone or in their list."""
    return np.array(
        [level in one if isinstance(one, list) else one == level for one in labels], dtype=np.bool_
    )


def answered(labels: npt.NDArray[np.object_]) -> Bools:
    return np.array([one is not None for one in labels], dtype=np.bool_)


def base(weights: Floats, inside: Bools) -> tuple[int, float, float]:
    """Return the unweighted, weighted and effective base of some rows."""
    own = weights[inside].tolist()
    total, squares = math.fsum(own), math.fsum(one * one for one in own)
    return len(own), total, total * total / squares if squares else 0.0


def wilson(share: float, size: float) -> tuple[float, float]:
    """Return the Wilson interval in percent."""
    z = 1.959963984540054
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)


def mean_of(values: Floats, weights: Floats) -> dict[str, float]:
    """Return the mean with its standard deviation and error, and the median."""
    size, total, effective = base(weights, np.ones(values.size, dtype=np.bool_))
    made = {"n": size, "sum_w": total, "n_eff": effective}
    if not total:
        return made | dict.fromkeys(("mean", "sd", "se", "median"), math.nan)
    mean = math.fsum((weights * values).tolist()) / total
    sd = math.nan
    if effective > 1 + 1e-9:
        spread = math.fsum((weights * (values - mean) ** 2).tolist()) / total
        sd = math.sqrt(spread * effective / (effective - 1))
    return made | {
        "mean": mean,
        "sd": sd,
        "se": sd / math.sqrt(effective),
        "median": median_of(values, weights),
    }


def median_of(values: Floats, weights: Floats) -> float:
    """Return the value with half of the weight on either side, the middle of two that share it."""
    pairs = sorted(
        (value, weight) for value, weight in zip(values.tolist(), weights.tolist(), strict=True) if weight
    )
    total, up_to = math.fsum(weight for _, weight in pairs), 0.0
    for place, (value, weight) in enumerate(pairs):
        up_to += weight
        if math.isclose(up_to, total / 2, rel_tol=1e-9) and place + 1 < len(pairs):
            following = next((other for other, _ in pairs[place + 1 :] if other != value), value)
            same = math.fsum(w for v, w in pairs if v <= value)
            return (value + following) / 2 if math.isclose(same, total / 2, rel_tol=1e-9) else value
        if up_to > total / 2:
            return value
    return pairs[-1][0]


def raked(codes: Sequence[npt.NDArray[np.intp]], targets: Sequence[Floats], weights: Floats) -> Floats:
    """Rake by going round the margins until nothing changes."""
    made = weights.astype(np.float64).copy()
    for _ in range(3_000):
        before = made.copy()
        for code, target in zip(codes, targets, strict=True):
            for place, wanted in enumerate(target):
                inside = code == place
                made[inside] *= wanted / math.fsum(made[inside].tolist())
        if np.abs(made / before - 1).max() < 1e-13:
            return made
    return made


def close(found: Any, wanted: float, rel: float = 1e-10, least: float = 0.0) -> bool:
    """Tell whether two figures are the same but for rounding."""
    if wanted is None or math.isnan(wanted):
        return bool(math.isnan(found))
    return math.isclose(found, wanted, rel_tol=rel, abs_tol=least)
