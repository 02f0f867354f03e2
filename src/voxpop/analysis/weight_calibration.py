"""Calibration of the weights of a sample to known totals, read from the columns of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import label_of
from voxpop.analysis.frames import Frame
from voxpop.analysis.levels import Codes
from voxpop.errors import UsageError
from voxpop.stats.calibrating import Calibrated, generalized, poststratified, raked
from voxpop.stats.estimates import AnySample
from voxpop.stats.replication import ReplicateSample
from voxpop.survey.calibration import Calibration, Margin
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]


def calibrate(frame: Frame, sample: AnySample, step: Calibration) -> AnySample:
    """Return the sample with weights that meet known totals, and a variance that knows it.

    Parameters
    ----------
    frame : Frame
        The rows, ungrouped.
    sample : Sample or ReplicateSample
        The sample.
    step : Calibration
        The totals and the method.

    Raises
    ------
    UsageError
        If answers to a margin are missing, or its levels are not those of the totals.
    """
    margins = [_margin(frame, sample, key, levels) for key, levels in step.margins.items()]

    if step.method in ("poststratify", "rake"):

        def weigh(weights: Floats) -> Calibrated:
            if step.method == "poststratify":
                return poststratified(weights, *margins[0])
            return raked(weights, [codes for codes, _ in margins], [totals for _, totals in margins])

    else:
        matrix, totals = _matrix(frame, step, margins)

        def weigh(weights: Floats) -> Calibrated:
            return generalized(weights, matrix, totals, method=step.method, bounds=step.bounds)

    if isinstance(sample, ReplicateSample):
        return sample.calibrated(lambda weights: weigh(weights)[0])
    return sample.calibrated(*weigh(sample.weights))


def _margin(
    frame: Frame, sample: AnySample, key: Margin, levels: Mapping[Any, float]
) -> tuple[Codes, Floats]:
    """Return the cell of each row and the total of each cell."""
    names = (key,) if isinstance(key, str) else key
    told = {_labels(level): float(total) for level, total in levels.items()}
    if wrong := next((level for level in told if len(level) != len(names)), None):
        raise UsageError(f"The margin {key!r} has {len(names)} columns; its level {wrong!r} does not.")
    held = [frame.labels_of(name) for name in names]
    for name, labels in zip(names, held, strict=True):
        if missing := sum(label is None for label in labels):
            raise UsageError(
                f"{missing:,} rows have no {name!r}, which the weights are calibrated to; exclude "
                f"them, or give "
                "them a level."
            )
    cells = list(zip(*held, strict=True))
    place = {level: number for number, level in enumerate(told)}
    for cell in dict.fromkeys(cells):
        if cell not in place:
            near = nearest(str(cell[0]), [level[0] for level in told]) if len(cell) == 1 else []
            hint = (
                did_you_mean(near) or f"; the totals are of {', '.join(' × '.join(level) for level in told)}"
            )
            raise UsageError(f"The totals of {key!r} have no level {' × '.join(map(str, cell))!r}{hint}")
    codes = np.array([place[cell] for cell in cells], dtype=np.intp)
    seen = np.bincount(codes, weights=sample.weights, minlength=len(told))
    for level, number in place.items():
        if not seen[number] and told[level]:
            raise UsageError(
                f"The level {' × '.join(level)!r} of {key!r} has a total of {told[level]:g}, but no "
                f"respondent "
                "with a weight; combine levels."
            )
    return codes, np.array(list(told.values()))


def _labels(level: Any) -> tuple[str, ...]:
    return tuple(label_of(part) for part in (level if isinstance(level, tuple | list) else (level,)))


def _matrix(frame: Frame, step: Calibration, margins: list[tuple[Codes, Floats]]) -> tuple[Floats, Floats]:
    """Return the calibration variables with their totals: all levels of one margin, all but one of others."""
    columns: list[Floats] = []
    totals: list[float] = []
    if not margins:
        columns, totals = [np.ones(frame.rows)], [step.total]
    for number, (codes, told) in enumerate(margins):
        for place in range(1 if number else 0, told.size):
            if told[place]:
                columns.append((codes == place).astype(np.float64))
                totals.append(float(told[place]))
    for name, total in step.numbers.items():
        numbers = frame.numbers(name)
        if missing := int(np.isnan(numbers).sum()):
            raise UsageError(
                f"{missing:,} rows have no {name!r}, which the weights are calibrated to; exclude "
                f"them, or fill "
                "them in."
            )
        columns.append(numbers)
        totals.append(float(total))
    return np.column_stack(columns), np.array(totals)
