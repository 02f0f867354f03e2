"""The data of segments: the profile of each, the fit by number of segments, and their layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.frames import Variable
from voxpop.analysis.layout import Grid, Head, Line
from voxpop.analysis.model_data import ModelData
from voxpop.analysis.rounding import one_decimal, whole

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a segmentation: its column, wording and the levels that somebody chose."""

    name: str
    text: str
    levels: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class SegmentData(ModelData):
    """Segments with their profiles, caption and notes.

    Attributes
    ----------
    items : tuple of Item
        The items in order.
    sizes : array (segments)
        Shares of the segments, the largest first.
    shares : array (segments, levels)
        Shares of the levels within the segments, items one after the other.
    everyone : array (levels)
        Shares of the levels among all who answered the item.
    entropy : float
        Certainty of the classification from 0 to 1 (relative entropy).
    fits : tuple of dict
        One line per number of segments tried.
    """

    items: tuple[Item, ...]
    sizes: Floats
    shares: Floats
    everyone: Floats
    entropy: float
    fits: tuple[dict[str, Any], ...]

    @property
    def labels(self) -> list[str]:
        """Return the names of the segments, the largest first."""
        return [f"Segment {place + 1}" for place in range(self.sizes.size)]

    def long(self) -> pd.DataFrame:
        """Return one row per item, level and segment: size, share and share of everyone (0 to 100)."""
        rows = []
        for name, level, place in self._places():
            for label, size, shares in zip(self.labels, self.sizes, self.shares, strict=True):
                told = {"item": name, "level": level, "segment": label, "size": 100 * float(size)}
                rows.append(
                    told | {"share": 100 * float(shares[place]), "all": 100 * float(self.everyone[place])}
                )
        return pd.DataFrame(rows)

    def wide(self) -> pd.DataFrame:
        """Return the profiles as numbers: one row per item and level, one column per segment."""
        index = pd.MultiIndex.from_tuples(
            [(name, level) for name, level, _ in self._places()], names=["item", "level"]
        )
        columns = {"all": self.everyone, **dict(zip(self.labels, self.shares, strict=True))}
        return pd.DataFrame({name: 100 * held for name, held in columns.items()}, index=index)

    def choice(self) -> pd.DataFrame:
        """Return the fit by number of segments.

        The columns are segments, log_likelihood, parameters, bic, entropy, smallest (size of the smallest,
        in %) and chosen.
        """
        return pd.DataFrame(list(self.fits))

    @property
    def answered(self) -> str:
        """Return which answers put a respondent in the base."""
        return "an answer to any item"

    def kind_words(self) -> str:
        """Return the model in words."""
        many = self.sizes.size
        return f"{many} segment{'s' if many > 1 else ''} (latent classes), certainty {self.entropy:.2f}"

    def grid(self) -> Grid:
        """Lay out the profiles for display: sizes above, shares of each item below."""
        heads = [Head("Total", "all", ""), *(Head("Total", label, "") for label in self.labels)]
        lines = [Line("Size, %", ["100.0", *(one_decimal(100 * size) for size in self.sizes)], "base")]
        at = 0
        for item in self.items:
            lines.append(Line(item.text, [""] * len(heads), "heading"))
            for level in item.levels:
                cells = [one_decimal(100 * held[at]) for held in (self.everyone, *self.shares)]
                lines.append(Line(f"  {level}", cells, "code"))
                at += 1
        return Grid(self.text, self.terms(), heads, {"Total": ""}, lines, self.notes())

    def _places(self) -> Sequence[tuple[str, str, int]]:
        pairs = [(item.name, level) for item in self.items for level in item.levels]
        return [(name, level, place) for place, (name, level) in enumerate(pairs)]


def fit_words(fits: Sequence[dict[str, Any]]) -> str:
    """Return the fit by number of segments as a note."""
    told = ", ".join(f"{line['segments']}: {whole(line['bic'])}" for line in fits)
    return f"BIC by number of segments (lower is better): {told}."


def item_of(variable: Variable, counts: Floats) -> tuple[Item, npt.NDArray[np.intp]]:
    """Return an item and the level of each row, -1 if missing; levels that nobody chose are left out."""
    held = np.bincount(variable.codes, weights=counts[variable.agents], minlength=len(variable.levels))
    used = np.flatnonzero(held > 0)
    place = np.full(len(variable.levels), -1, dtype=np.intp)
    place[used] = np.arange(used.size)
    codes = np.full(variable.answered.size, -1, dtype=np.intp)
    codes[variable.agents] = place[variable.codes]
    return Item(variable.name, variable.text, tuple(variable.levels[one] for one in used)), codes
