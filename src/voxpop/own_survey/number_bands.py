"""Bands of numbers in the labels of a survey: "18-24", "65 and over", "$50k to $75k"."""

from __future__ import annotations

import math
import re

_NUMBER = r"[$€£]?\s*(\d[\d,]*(?:\.\d+)?)\s*(k\b)?"
_BETWEEN = re.compile(
    rf"{_NUMBER}\s*(?:-|–|—|to|and|up to|to less than|but under)\s*(?:less than |under )?{_NUMBER}", re.I
)
_BELOW = re.compile(rf"^\W*(?:under|less than|below|up to|younger than|<)\s*{_NUMBER}", re.I)
_ABOVE = re.compile(
    rf"{_NUMBER}\s*(?:\+|(?:years |dollars )?(?:and|or) (?:over|more|older|above|up))"
    rf"|(?:over|more than|at least|above|>=?)\s*{_NUMBER}",
    re.I,
)
_ONE = re.compile(rf"^\W*{_NUMBER}\W*(?:years?|people|persons?|children)?$", re.I)

Band = tuple[float, float]


def band_of(label: str) -> Band | None:
    """Return the lower and upper end of a band of numbers, or None for other labels.

    Examples
    --------
    >>> band_of("18-24"), band_of("65 and over"), band_of("Under $15,000"), band_of("$50k to $75k")
    ((18.0, 24.0), (65.0, inf), (-inf, 15000.0), (50000.0, 75000.0))
    >>> band_of("Retired") is None
    True
    """
    if found := _BETWEEN.search(label):
        low, high = _number(found[1], found[2] or found[4]), _number(found[3], found[4])
        return (low, high) if low <= high else None
    if found := _BELOW.search(label):
        return -math.inf, _number(found[1], found[2])
    if found := _ABOVE.search(label):
        return _number(found[1] or found[3], found[2] or found[4]), math.inf
    if found := _ONE.search(label):
        only = _number(found[1], found[2])
        return only, only
    return None


def middle(band: Band) -> float:
    """Return the middle of a band; that of an open one is a tenth beyond its end.

    Examples
    --------
    >>> middle((18.0, 24.0)), round(middle((65.0, math.inf)), 1), middle((-math.inf, 20.0))
    (21.0, 71.5, 10.0)
    """
    low, high = band
    if high == math.inf:
        return low * 1.1
    return high / 2 if low == -math.inf else (low + high) / 2


def _number(digits: str, thousands: str | None) -> float:
    return float(digits.replace(",", "")) * (1000 if thousands else 1)
