"""Checks of the columns of a sampling design, worded with their names and levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from voxpop.analysis.frames import Frame
from voxpop.errors import UsageError
from voxpop.stats.sampling import Sample, SampleProblem
from voxpop.survey.design import SINGLE_PSU, Design

Floats = npt.NDArray[np.float64]
_SHOWN = 3


def check_fractions(frame: Frame, design: Design, fpc: Sequence[Floats]) -> None:
    """Refuse finite populations that are missing, negative, or fractions in one stage and sizes in "
    "another."""
    for name, numbers in zip(design.fpc, fpc, strict=True):
        if missing := int(frame.counts[np.isnan(numbers)].sum()):
            raise UsageError(f"{missing:,} rows have no {name!r}, the finite population of the design.")
        if not (numbers > 0).all():
            raise UsageError(f"{name!r} holds {numbers.min():g}; a finite population is above 0.")
    small = [bool((numbers <= 1).all()) for numbers in fpc]
    large = [bool((numbers >= 1).all()) for numbers in fpc]
    if fpc and not (all(small) or all(large)):
        raise UsageError(
            f"fpc={', '.join(design.fpc)} mixes fractions (up to 1) and sizes (1 and more); give "
            f"fractions in "
            "every stage, or sizes."
        )


def check_probabilities(name: str, numbers: Floats) -> None:
    """Refuse sampling probabilities outside of 0 to 1."""
    wrong = ~((numbers > 0) & (numbers <= 1))
    if wrong.any():
        held = "a missing value" if np.isnan(numbers[wrong][0]) else f"{numbers[wrong][0]:g}"
        raise UsageError(f"{name!r} holds {held}; a sampling probability is above 0 and at most 1.")


def check_replicates(columns: Sequence[str], held: Floats, weights: Floats, *, combined: bool) -> None:
    """Refuse replicate weights that are missing, or plainly factors where weights are told, or the "
    "reverse."""
    missing = np.isnan(held)
    if missing.any():
        name = columns[int(np.flatnonzero(missing.any(axis=0))[0])]
        raise UsageError(f"{name!r} has missing replicate weights; exclude these rows, or fill them in.")
    mean, usual = float(held.mean()), float(weights.mean())
    if combined and mean < 5 < usual / max(mean, 1e-300):  # R's signs of a mistake
        raise UsageError(
            f"The replicates average {mean:g} and the weights {usual:g}: they look like factors of "
            f"the weight. "
            "Use combined=False."
        )
    if not combined and mean > 5 > usual / mean:
        raise UsageError(
            f"The replicates average {mean:g} and the weights {usual:g}: they look like weights, "
            f"not factors. "
            "Use combined=True."
        )


def check_lonely(frame: Frame, design: Design, sample: Sample) -> None:
    """Refuse strata with one sampling unit, unless the design says what to do with them."""
    if design.single_psu != "fail":
        return
    for number, stage in enumerate(sample.stages):
        if (lonely := stage.lonely).size:
            rows = np.flatnonzero(np.isin(stage.strata[stage.clusters], lonely))
            named = _strata_told(frame, design, number, rows)
            options = ", ".join(repr(option) for option in SINGLE_PSU[1:])
            raise UsageError(
                f"{lonely.size:,} strata have one sampling unit only{named}, so nothing tells their "
                f"variance. "
                f"Combine strata, or choose single_psu= one of {options}."
            )


def _strata_told(frame: Frame, design: Design, number: int, rows: npt.NDArray[np.intp]) -> str:
    """Return the columns and first labels of the strata, or the clusters of the stage before, of "
    "some rows."""
    names = [design.strata[min(number, len(design.strata) - 1)]] if design.strata else []
    names += [design.clusters[number - 1]] if number else []
    if not names:
        return ""
    labels = [" ".join(f"{name} {frame.label_at(name, row)}" for name in names) for row in rows.tolist()]
    different = list(dict.fromkeys(labels))
    more = ", …" if len(different) > _SHOWN else ""
    at = f" at stage {number + 1}" if number else ""
    return f"{at} ({', '.join(different[:_SHOWN])}{more})"


@contextmanager
def named_stages(frame: Frame, design: Design) -> Iterator[None]:
    """Word the problems of a sample with the names and levels of the design."""
    try:
        yield
    except SampleProblem as problem:
        rows = np.array([problem.row])
        where = _strata_told(frame, design, problem.stage, rows)
        if problem.kind == "nested":
            name = design.clusters[problem.stage]
            label = frame.label_at(name, problem.row)
            raise UsageError(
                f"Cluster {label} of {name!r} lies in several strata of {design.strata[0]!r}. If "
                f"clusters are "
                "numbered anew in each stratum, use nest=True; otherwise correct the columns."
            ) from None
        name = design.fpc[problem.stage]
        if problem.kind == "varying":
            raise UsageError(
                f"{name!r} holds several sizes of one stratum{where}; a stratum has one finite population."
            ) from None
        raise UsageError(
            f"{name!r} tells of {problem.told:g} units in a stratum{where} of which "
            f"{problem.drawn:g} were drawn; "
            "a finite population is at least the sample. Give units of the stratum, not respondents of it."
        ) from None
