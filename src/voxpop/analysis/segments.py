"""Segments: groups of respondents who answer alike, found by latent class analysis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.crosstab import open_frame, read_by, shown
from voxpop.analysis.draws import check_draws
from voxpop.analysis.frames import Frame, Rowwise
from voxpop.analysis.model_charts import profiles
from voxpop.analysis.model_data import Base, origins_of
from voxpop.analysis.picture import Picture
from voxpop.analysis.segment_data import Item, SegmentData, fit_words, item_of
from voxpop.analysis.table_spec import TableSpec
from voxpop.analysis.workbook import write_tables
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base, exact_sum
from voxpop.stats.latent_classes import Answers, Classes, latent_classes, parameters, relative_entropy
from voxpop.survey.bands import Bands
from voxpop.survey.frame_columns import is_frame

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
MOST = 6
"""Most segments tried when their number is not given."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Segments(SegmentData):
    """The result of :func:`segments`.

    Attributes
    ----------
    data : DataFrame, Table or relation
        The data that the segments come from.
    keys : tuple
        The items as given.
    """

    data: Any
    keys: tuple[str | Bands, ...]

    def probabilities(self, data: Any = None) -> pd.DataFrame:
        """Return the probability of each segment, one row per row of the data; missing without any answer.

        Parameters
        ----------
        data : DataFrame, Table or relation, optional
            Other data with the same items; by default those that the segments come from, rows outside
            ``where`` included.
        """
        given = self.data if data is None else data
        rows = Rowwise(given, self.keys, None)
        columns = []
        for key, item in zip(self.keys, self.items, strict=True):
            place = {level: number for number, level in enumerate(item.levels)}
            columns.append([-1 if label is None else place.get(label, -1) for label in rows.labels(key)])
        codes = np.array(columns, dtype=np.intp).T.reshape(-1, len(self.items))
        answers = Answers(codes, [len(item.levels) for item in self.items], np.ones(codes.shape[0]))
        certain = answers.posterior(self.sizes, self.shares)[0]
        certain[(codes < 0).all(axis=1)] = math.nan
        index = given.index if is_frame(given) else pd.RangeIndex(len(certain))
        return pd.DataFrame(certain, index=index, columns=self.labels)

    def assign(self, data: Any = None) -> pd.Series:
        """Return the likeliest segment, one value per row of the data.

        ``people.assign(segment=found.assign())`` adds it to a DataFrame.

        Parameters
        ----------
        data : DataFrame, Table or relation, optional
            As in :meth:`probabilities`.
        """
        held = self.probabilities(data)
        known = held.notna().all(axis=1).to_numpy()
        best = held.fillna(0.0).to_numpy().argmax(axis=1).tolist()
        named = [self.labels[own] if told else None for own, told in zip(best, known, strict=True)]
        kind = pd.CategoricalDtype(self.labels)
        return pd.Series(named, index=held.index, name="segment", dtype=kind)

    def to_excel(self, path: str | Path) -> Path:
        """Write an Excel file with the profiles, caption and notes. Needs the extra ``excel``."""
        return write_tables([self], Path(path))

    def plot(self) -> Picture:
        """Draw the profiles as a heat map. Needs the extra ``charts``."""
        return profiles(self)


def segments(
    data: Any,
    items: str | Bands | Sequence[str | Bands],
    k: int | None = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    seed: int = 0,
    starts: int = 20,
) -> Segments:
    """Find groups of respondents who answer alike, by latent class analysis.

    Parameters
    ----------
    data : pandas.DataFrame, pyarrow.Table or DuckDB relation
        One row per agent. The data are not modified.
    items : list of str or Bands
        The questions or attributes that segments differ in; numbers cut into ``vp.bands``. A respondent who
        answered some of them is classified by these (missing at random).
    k : int, optional
        Number of segments; by default that of 1 to 6 with the lowest BIC.
    weight, where
        As in :func:`voxpop.analysis.crosstab`.
    seed, starts : int, default 0 and 20
        Seed and number of random starts. The same seed gives the same segments, whatever the order of rows.

    Returns
    -------
    Segments
        ``.assign()`` has the segment of each row, ``.probabilities()`` how sure that is, ``.long()`` the
        profiles, ``.choice()`` the fit by number of segments.

    Raises
    ------
    UsageError
        If an item is constant, there are too few respondents, or the items cannot tell ``k`` segments apart.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"tea": ["yes"] * 4 + ["no"] * 5, "milk": ["yes"] * 4 + ["no"] * 5})
    >>> people["sugar"] = people.tea
    >>> found = segments(people, ["tea", "milk", "sugar"], k=2)
    >>> found.assign().tolist()[3:6]
    ['Segment 2', 'Segment 1', 'Segment 1']
    """
    check_draws(seed, starts)
    keys = read_by(items)
    chooser = read_where(where, data)
    weight = weight_of(data, weight)
    asked = TableSpec("segments", weight, shown(chooser), "column", None, {}, None, 0, 0)
    frame = open_frame(data, list(keys), chooser, asked)
    inside = chosen(frame, chooser) & (frame.sums > 0)
    found, codes = _read_items(frame, keys, inside)
    rows = np.flatnonzero(inside & (codes >= 0).any(axis=1))
    silent = int(frame.counts[inside].sum() - frame.counts[rows].sum())
    sums, squares = exact_sum(frame.sums[rows]), exact_sum(frame.squares[rows])
    base = Base(int(frame.positive[rows].sum()), float(effective_base(sums, squares)), {})
    levels = [len(item.levels) for item in found]
    tried = _tried(k, levels, base.count)
    answers = Answers(codes[rows], levels, frame.sums[rows] * (base.effective / sums))
    fitted = {many: latent_classes(answers, many, seed=seed, starts=starts) for many in tried}
    fits = [_fit(many, one, answers, levels, base.effective) for many, one in fitted.items()]
    best = fits[int(np.argmin([line["bic"] for line in fits]))]["segments"]
    fits = [line | {"chosen": line["segments"] == best} for line in fits]
    spec = {
        "table": "segments",
        "items": [key if isinstance(key, str) else key.to_json() for key in keys],
        "k": k,
        "weight": weight,
        "where": asked.where,
        "seed": seed,
        "starts": starts,
    }
    chosen_one = fitted[best]
    told = _told(fits, chosen_one, silent, starts, seed)
    everyone = answers.estimate(np.ones((rows.size, 1)))[1][0]
    text = (
        f"Segments by {', '.join(item.text for item in found[:6])}{' and others' if len(found) > 6 else ''}"
    )
    made = (chosen_one.sizes, chosen_one.shares, everyone, _entropy(chosen_one, answers), tuple(fits))
    return Segments(
        "segments",
        text,
        spec,
        base,
        origins_of(frame),
        (*told, *frame.remarks),
        "",
        tuple(found),
        *made,
        data,
        keys,
    )


def _read_items(frame: Frame, keys: Sequence[str | Bands], inside: Any) -> tuple[list[Item], Codes]:
    """Read the items, and the level of each row."""
    if len(keys) < 2:
        raise UsageError("segments need two or more items that respondents can differ in.")
    items, columns = [], []
    for key in keys:
        variable = frame.attribute(key)
        if variable.multiple:
            raise UsageError(
                f"{variable.name!r} is a multi-response question; make a yes/no column of each option first."
            )
        item, codes = item_of(variable, frame.counts * inside)
        if not item.levels:
            raise UsageError(f"Nobody answered {item.name!r}; leave it out, or choose other rows.")
        if len(item.levels) < 2:
            raise UsageError(
                f"{item.name!r} is {item.levels[0]!r} for everybody, so it tells no segments apart; leave it "
                "out."
            )
        items.append(item)
        columns.append(codes)
    return items, np.column_stack(columns)


def _tried(k: Any, levels: Sequence[int], count: int) -> list[int]:
    """Return the numbers of segments to try."""
    cells = math.prod(levels) - 1

    def most(limit: int) -> int:
        return max((n for n in range(1, 51) if parameters(levels, n) <= limit), default=0)

    able, enough = most(cells), most(count - 1)
    if k is not None:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise UsageError(f"k must be a whole number of 1 or more, or None, not {k!r}.")
        if k > able:
            raise UsageError(
                f"These items have {cells + 1:,} combinations of answers, which tell {able} segments apart "
                f"at most, not {k}; add items or use a smaller k."
            )
    if (k or 1) > enough:
        raise UsageError(
            f"{count:,} respondents are too few for the {parameters(levels, k or 1):,} parameters of "
            f"{k or 1} segments; use fewer items, levels or segments."
        )
    return [k] if k is not None else list(range(1, min(able, enough, MOST) + 1))


def _entropy(found: Classes, answers: Answers) -> float:
    return relative_entropy(found.certain, answers.weights)


def _fit(
    many: int, found: Classes, answers: Answers, levels: Sequence[int], effective: float
) -> dict[str, Any]:
    count = parameters(levels, many)
    return {
        "segments": many,
        "log_likelihood": found.log_likelihood,
        "parameters": count,
        "bic": -2 * found.log_likelihood + count * math.log(effective),
        "entropy": _entropy(found, answers),
        "smallest": 100 * float(found.sizes[-1]),
    }


def _told(
    fits: Sequence[dict[str, Any]], found: Classes, silent: int, starts: int, seed: int
) -> tuple[str, ...]:
    """Return the notes on the method."""
    told = [f"{silent:,} left out, without an answer to any item."] if silent else []
    told.append(fit_words(fits))
    if found.agreed < 2 and found.sizes.size > 1:
        told.append("Only one start reached this solution; use more starts, or fewer segments.")
    if not found.is_settled:
        told.append("The fit had not settled when it was stopped: the likelihood is flat, shares are rough.")
    told.append(
        f"Latent classes by EM from {starts} starts (seed {seed}); within a segment answers are independent. "
        "Segments describe answers; they are no types of people."
    )
    return tuple(told)
