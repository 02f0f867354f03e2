"""Counts of agents by combinations of fields, for aggregation over age bands and groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.population.reference import band

Bools = npt.NDArray[np.bool_]

EVERYBODY = "all"


@dataclass(frozen=True, slots=True)
class Crossed:
    """Numbers of agents in several parts of a population, per combination of some fields.

    Attributes
    ----------
    codes : mapping
        One number per combination, by field: the code of a category, 0 or 1, or the value; -1 if unknown.
    labels : mapping
        Labels of the codes, by field.
    numbers : array (combinations, parts)
        Number of agents.
    """

    codes: Mapping[str, npt.NDArray[np.float64]]
    labels: Mapping[str, tuple[str, ...]]
    numbers: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of agents per combination of some fields.

    Attributes
    ----------
    codes : mapping
        One number per combination, by field: the code of a category, the bits of a list, or the value.
    labels : mapping
        Labels of the codes or bits, by field.
    number : array
        Number of agents per combination.
    """

    codes: Mapping[str, npt.NDArray[np.int64]]
    labels: Mapping[str, tuple[str, ...]]
    number: npt.NDArray[np.int64]

    def which(self, **who: str) -> Bools:
        """Return a mask of combinations: age as a band, other fields as a label, "all" for all.

        Examples
        --------
        >>> codes = {"age": np.array([20, 40, 40]), "gender": np.array([0, 0, 1])}
        >>> tally = Tally(codes, {"gender": ("male", "female")}, np.array([5, 6, 7]))
        >>> tally.count(tally.which(age="25-44", gender="all")), tally.count(tally.which(gender="male"))
        (13, 11)
        """
        chosen = np.ones(self.number.size, dtype=bool)
        for name, value in who.items():
            if value == EVERYBODY:
                continue
            codes = self.codes[name]
            if name not in self.labels:
                first, last = band(value)
                chosen &= (first <= codes) & (codes <= last)
            elif value in self.labels[name]:
                chosen &= codes == self.labels[name].index(value)
            else:
                chosen &= False
        return chosen

    def having(self, name: str, label: str) -> Bools:
        """Return a mask of the combinations whose list has a label."""
        if label not in self.labels[name]:
            return np.zeros(self.number.size, dtype=bool)
        bit = np.int64(self.labels[name].index(label))
        return np.asarray((self.codes[name] >> bit & 1) == 1)

    def count(self, chosen: Bools) -> int:
        """Return the number of agents in the chosen combinations."""
        return int(self.number[chosen].sum())

    def share(self, part: Bools, chosen: Bools) -> tuple[float, int]:
        """Return the share of the chosen agents in a subset, and the number of chosen agents."""
        base = self.count(chosen)
        return (self.count(chosen & part) / base if base else 0.0), base
