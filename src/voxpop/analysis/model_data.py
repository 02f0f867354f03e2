"""The data that all models share: question, caption, notes, specification and display."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.analysis.cautions import NOUNS, caution, standing_note, versions_told
from voxpop.analysis.frames import Frame
from voxpop.analysis.layout import Grid, html_of, text_of
from voxpop.analysis.rounding import whole
from voxpop.analysis.terms import filter_words
from voxpop.survey.provenance import Provenance

MIN_BASE, SMALL_BASE = 30, 100


@dataclass(frozen=True, slots=True)
class Base:
    """The respondents of a model.

    Attributes
    ----------
    count : int
        Respondents in the model.
    effective : float
        Their effective base.
    missing : mapping of str to int
        Respondents left out, by the first column that they lack.
    """

    count: int
    effective: float
    missing: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Origins:
    """Source of a model's data, with versions, provenance and notices."""

    source: str
    remarks: tuple[str, ...]
    provenance: Provenance
    grounds: tuple[str, ...]


def origins_of(frame: Frame) -> Origins:
    """Return what the answers of a frame rest on; warn if versions are mixed."""
    remarks = versions_told(frame.versions, frame.note, frame.provenance, stacklevel=5)
    return Origins(frame.note, remarks, frame.provenance, frame.grounds)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class ModelData:
    """A model with its caption and notes.

    Attributes
    ----------
    name, text : str
        The outcome or the first item, and its wording.
    asked : dict
        The arguments of the call.
    base : Base
        The respondents of the model.
    origins : Origins
        What the answers rest on.
    told : tuple of str
        Notes on the method.
    how : str
        The method of the intervals; empty if there are none.
    """

    name: str
    text: str
    asked: Mapping[str, Any]
    base: Base
    origins: Origins
    told: tuple[str, ...]
    how: str

    @abstractmethod
    def long(self) -> pd.DataFrame:
        """Return all figures at full precision."""

    @abstractmethod
    def wide(self) -> pd.DataFrame:
        """Return the printed figures as numbers."""

    @abstractmethod
    def grid(self) -> Grid:
        """Lay out the figures for display."""

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the figures again."""
        return {**self.asked, "source": self.origins.source}

    def caption(self) -> str:
        """Return the caption: question, what the answers rest on, model, base, weight and filter."""
        return "\n".join((self.text, self.terms()))

    def terms(self) -> str:
        """Return the second line of the caption."""
        weight = self.asked["weight"]
        base = f"Base: {self.base.count:,} with {self.answered}"
        weighted = "unweighted"
        if weight:
            weighted = f"weighted by {weight}, effective base {whole(self.base.effective)}"
        told = [*self.origins.grounds, self.kind_words(), base, weighted]
        return " · ".join([*told, *filter_words(self.asked["where"])])

    @property
    def answered(self) -> str:
        """Return which answers put a respondent in the base."""
        return "all answers"

    @abstractmethod
    def kind_words(self) -> str:
        """Return the model in words."""

    def notes(self) -> list[str]:
        """Return the notes below the figures."""
        lines = []
        word = "effective base" if self.asked["weight"] else "base"
        if self.base.effective < SMALL_BASE:
            small = self.base.effective < MIN_BASE
            lines.append(
                f"{'**' if small else '*'} {word} below {MIN_BASE if small else SMALL_BASE}"
                f"{': too small to read' if small else ''}"
            )
        if self.base.missing:
            told = ", ".join(f"{name} {count:,}" for name, count in self.base.missing.items())
            lines.append(f"{sum(self.base.missing.values()):,} left out for a missing answer: {told}.")
        lines += [*self.told, *self.origins.remarks]
        if self.origins.source:
            lines.append(f"Source: {self.origins.source}.")
        if self.how:
            return [*lines, standing_note(self.origins.provenance, tested=False, how=self.how)]
        return [*lines, *caution(self.origins.provenance)]

    def noun(self) -> str:
        """Return the noun for the rows of the data."""
        return NOUNS[self.origins.provenance]

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self.grid())

    def __repr__(self) -> str:
        return text_of(self.grid())

    def _repr_html_(self) -> str:
        return self.to_html()
